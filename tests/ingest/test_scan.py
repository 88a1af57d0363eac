"""The compiled reader of ``.jsonl`` gives what the reader that explains gives, on right and on damaged lines."""

from __future__ import annotations

import io
import random

import msgspec
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from ingest import importer, limits, rows
from ingest.adapters.jsonl import dump_line, read_lines
from ingest.adapters.registry import Reject
from ingest.cards import CHARS
from ingest.importer import import_paths
from ingest.naming import account, round_id
from ingest.reader import read_stream
from ingest.record import Group, Move, Offer, Provenance, Ratio, Record, Result
from ingest.reports import Progress
from ingest.scanner import blocks as scan
from ingest.store import open_store
from tests.ingest.damage import damage
from tests.ingest.made import A, plain, records
from tests.ingest.stores import CLOCK, HISTORY, content, write

MUCH = Result(
    0,
    3,
    2,
    1,
    (Group((1, 2, 3), 1, 3), Group((4, 4, 4)), Group((5,), None, 0)),
    15,
    {"红胡": 2, "自摸": 1},
    Ratio(17, 5),
    (1, 2, -3),
    (10, -20, 10),
    (3, 4),
    1,
    (None, (), (1,)),
    (7,),
)
OFFERS = (Offer(-1, 0, A.HU, -2), Offer(0, 1, A.CHI, 3, (4, 5)), Offer(5, 2, A.PENG, 3, (3, 3)))
FULL = plain(
    1,
    result=MUCH,
    offers=OFFERS,
    visible=(2, 0),
    omits=(A.BI, A.PASS),
    tags={"甲": "乙", "丙": ""},
    options={"b": ("x", 2), "a": True, "c": -3},
    room="房",
    round_no=7,
    complete=False,
    source=Provenance(note="手稿"),
    wall=(plain(1).wall or ())[:18],
    moves=(
        Move(0, A.BU, 3),
        Move(0, A.CLAIM, 3, int(A.CHI)),
        Move(1, A.CHI, 1, 2, 0, 3, 5),
        Move(-1, A.HUANG),
        Move(0, A.HU),
        Move(2, A.DRAW, 4, face=2),
    ),
)
RIGHT = [
    FULL,
    plain(2),
    plain(3, result=None, wall=None, hands=(None, None, None), liang=None, platform=""),
    plain(4, players=("甲", "乙", "丙", "丁"), sitter=1, hands=(None,) * 4, result=Result()),
    plain(
        5,
        players=("甲", "乙"),
        hands=plain(5).hands[:2],
        wall=(),
        moves=(Move(1, A.DISCARD, 1),),
        result=Result(-1, points=(0, 0)),
        started_at="2024-02-29",
    ),
    plain(6, moves=(), offers=(), visible=(), result=Result(fan={}, groups=(), xing=(), rest=())),
    plain(7, hands=(*plain(7).hands[:2], (-1,) * 20), wall=(-1,) * 19, liang=-1, started_at=None),
]


def fast(raw: bytes, accept=lambda _: None, most: int = 10**6) -> tuple[dict[int, Record | Reject], int]:
    """What stands where in the file, and how many rounds the compiled code read."""
    found: dict[int, Record | Reject] = {}
    scanned = 0
    for block in scan.read_blocks(io.BytesIO(raw), "x.jsonl", accept, most):
        assert block.rounds.height == block.told.height
        assert block.rounds["round_id"].equals(block.told["round_id"])
        scanned += block.told.height
        places = block.told.select("file_index", "line", "account", "format").iter_rows()
        for record, (index, line, label, form) in zip(rows.records(block.rounds), places, strict=True):
            assert label == account(record)
            assert form == "jsonl"
            assert index not in found
            place = Provenance("x.jsonl", index, "jsonl", record.source.note, line)
            found[index] = msgspec.structs.replace(record, source=place)
        for one in block.others:
            index = one.source.index if isinstance(one, Record) else one.index
            assert index not in found
            found[index] = one
    assert sorted(found) == list(range(len(found)))
    return found, scanned


def slow(raw: bytes) -> dict[int, Record | Reject]:
    return dict(enumerate(read_stream(io.BytesIO(raw), "x.jsonl", "jsonl")))


def test_right_lines_are_all_read_and_are_the_same_rows():
    raw = b"".join(map(dump_line, RIGHT))
    found, scanned = fast(raw)
    assert scanned == len(RIGHT)
    assert found == slow(raw)
    (block,) = scan.read_blocks(io.BytesIO(raw), "x", lambda _: None, 99)
    assert_frame_equal(block.rounds, rows.frame([(round_id(record), record, 1) for record in RIGHT]))


@settings(max_examples=100, deadline=None)
@given(st.lists(records(), max_size=4))
def test_any_records_are_the_same_both_ways(given_records):
    raw = b"".join(map(dump_line, given_records)) or b"\n"
    assert fast(raw)[0] == slow(raw)


def line(**fields: object) -> bytes:
    return dump_line(plain(2, **fields))


# Lines that are all right, or all wrong, and that the compiled code must leave alone: it would not say why.
LEFT = {
    "blank": b" \n",
    "another order": b'{"ruleset":"qq",' + line()[1:],
    "a space": line().replace(b",", b", ", 1),
    "an escape": line().replace("甲".encode(), b"\\u7532"),
    "a key twice": line(tags={"a": "1", "b": "2"}).replace(b'"b"', b'"a"'),
    "a sum twice": line(result=Result(fan={"a": 1, "b": 2})).replace(b'"b"', b'"a"'),
    "a default written out": line().replace(b'"dealer":0', b'"dealer":0,"complete":true'),
    "an empty name": line().replace(b'"session":"s2"', b'"session":""'),
    "no options": line(options={"a": 1}).replace(b'{"a":1}', b"{}"),
    "options written otherwise": line(options={"a": 1}).replace(b'{"a":1}', b'{"a": 1}'),
    "minus nothing": line().replace(b'"dealer":0', b'"dealer":-0'),
    "a leading zero": line().replace(b'"liang":', b'"liang":0'),
    "a number of 33 bits": line(round_no=1).replace(b'"round_no":1', b'"round_no":2147483648'),
    "no ruleset": line(ruleset=""),
    "a bad day": line(started_at="2023-02-29"),
    "a bad time": line(started_at="2023-02-28T24:00:00"),
    "a time to the millisecond": line(started_at="2023-02-28T23:00:00.123"),
    "a stranger": line().replace(b'"dealer":0', b'"dealer":3'),
    "a sitter that is nobody": line().replace(b'"dealer":0', b'"sitter":-9,"dealer":0'),
    "one player": line(players=("甲",)),
    "five players": line(players=tuple("甲乙丙丁戊")),
    "a hand of 19": line(hands=(plain(2).hands[0][1:], *plain(2).hands[1:])),
    "a hand of 21": line(hands=((*plain(2).hands[0], 1), *plain(2).hands[1:]), liang=None),
    "five copies": line(liang=plain(2).hands[0][0], wall=tuple([plain(2).hands[0][0]] * 4)),
    "card 20": line(liang=20),
    "a wall of 20": line(wall=(*plain(2).wall, plain(2).liang)),
    "two hands": line(hands=plain(2).hands[:2]),
    "the sitter's hand": line(players=("甲", "乙", "丙", "丁"), sitter=3, hands=(*plain(2).hands, plain(2).hands[0])),
    "event 0": line(moves=(Move(0, 0, 1),)),
    "event 18": line(moves=(Move(0, 18, 1),)),
    "seat 3": line(moves=(Move(3, A.DISCARD, 1),)),
    "a seat in 荒": line(moves=(Move(0, A.HUANG),)),
    "打 nothing": line(moves=(Move(0, A.DISCARD),)),
    "吃 with one card": line(moves=(Move(0, A.CHI, 1, 2),)),
    "打 with two cards": line(moves=(Move(0, A.DISCARD, 1, 2),)),
    "求 荒": line(moves=(Move(0, A.CLAIM, 1, int(A.HUANG)),)),
    "face 6": line(moves=(Move(0, A.DISCARD, 1, face=6),)),
    "a time before the start": line(moves=(Move(0, A.DISCARD, 1, t_ms=-1),)),
    "too many events": line(moves=(Move(0, A.PASS),) * (limits.MAX_EVENTS + 1)),
    "an event of one number": line().replace(b'"moves":[[0,1,', b'"moves":[[0],[0,1,'),
    "an event of eight": line(moves=(Move(0, A.DISCARD, 1, -2, -2, 1, 5),)).replace(b",5]]", b",5,6]]"),
    "nothing written out": line().replace(b'"moves":[[0,1,', b'"moves":[[0,12,-2],[0,1,'),
    "an offer to nobody": line(offers=(Offer(0, 3, A.HU, 1),)),
    "an offer of 荒": line(offers=(Offer(0, 0, A.HUANG, 1),)),
    "an offer after the end": line(offers=(Offer(6, 0, A.HU, 1),)),
    "an offer of card 20": line(offers=(Offer(0, 0, A.HU, 20),)),
    "too many cards in an offer": line(offers=(Offer(0, 0, A.CHI, 1, (1,) * 201),)),
    "a seat twice": line(visible=(0, 0)),
    "a seat that is not there": line(visible=(3,)),
    "omits twice": line(omits=(A.BI, A.BI)),
    "omits 18": line(omits=(18,)),
    "winner 3": line(result=Result(winner=3)),
    "source 5": line(result=Result(source=5)),
    "an empty group": line(result=Result(groups=(Group(()),))),
    "form 11": line(result=Result(groups=(Group((1,), 11),))),
    "no denominator": line(result=Result(units=Ratio(1, 0))),
    "points of two": line(result=Result(points=(1, 2))),
    "hands of two": line(result=Result(hands=(None, None))),
    "an unknown key": line().replace(b'"dealer"', b'"x":1,"dealer"'),
    "more behind it": line()[:-1] + b" {}\n",
    "cut": line()[:-4] + b"\n",
    "no JSON": b"x\n",
    "U+FFFD": line(room="�"),
    "a control character": line(room="\x7f"),
    "a long name": line(room="x" * 257),
    "many tags": line(tags={str(n): "" for n in range(30)}),
    "a long platform": line(platform="拾" * 30),
}


@pytest.mark.parametrize("what", LEFT)
def test_what_is_not_just_as_it_is_written_is_left_to_the_reader_that_explains(what):
    raw = line(room="r") + LEFT[what] + line(session="z")
    found, scanned = fast(raw)
    assert scanned == 2
    assert found == slow(raw)


def test_a_line_that_is_too_long_and_one_that_is_just_not():
    long = b'{"phz":1,"x":"' + b"y" * (limits.MAX_LINE + 5) + b'"}\n'
    just = line(source=Provenance(note="n"))
    raw = line() + long + just + long[:-1]
    found, scanned = fast(raw)
    assert scanned == 2
    assert found == slow(raw)
    assert [one.code for one in found.values() if isinstance(one, Reject)] == ["LIMIT", "LIMIT"]


@pytest.mark.parametrize("block", [700, 5_000, 4 * 1024 * 1024])
@pytest.mark.parametrize("most", [1, 3, 10**6])
def test_blocks_of_any_size_and_number_give_the_same(monkeypatch, block, most):
    monkeypatch.setattr(scan, "BLOCK", block)
    raw = (
        b"\xef\xbb\xbf"
        + b"".join(dump_line(plain(n)) for n in range(9))
        + b"\n \nx\n"
        + line()
        + line(room="last")[:-1]
    )
    found, scanned = fast(raw, most=most)
    assert scanned == 10
    assert found == slow(raw)
    assert found == fast(raw)[0]


def test_an_empty_file_is_one_reject():
    for raw in (b"", b"\n \n"):
        assert fast(raw)[0] == slow(raw)


def test_rounds_that_are_not_accepted_are_left():
    raw = b"".join(line(ruleset="qq" if n % 3 else "zz", options={"a": n % 2}, room=str(n)) for n in range(12))
    asked: list[tuple[object, ...]] = []

    def accept(record: Record) -> Reject | None:
        asked.append((record.ruleset, record.options["a"], len(record.players), record.sitter))
        return Reject("UNKNOWN_RULESET", "") if record.ruleset == "zz" or record.options["a"] else None

    found, scanned = fast(raw, accept)
    assert scanned == 4
    assert found == slow(raw)
    assert len(asked) == len(set(asked)) == 4


@pytest.mark.parametrize("seed", range(4))
def test_damaged_lines_are_the_same_both_ways(seed):
    dice = random.Random(seed)
    raw = b"".join(map(dump_line, RIGHT))
    outcomes = {"scanned": 0, "slow": 0}
    for _ in range(700):
        damaged = damage(raw, dice)
        found, scanned = fast(damaged)
        assert found == slow(damaged)
        outcomes["scanned"] += scanned
        outcomes["slow"] += len(found) - scanned
    assert min(outcomes.values()) > 500


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(4, 8))
def test_much_damage_is_the_same_both_ways(seed):
    dice = random.Random(seed)
    raw = b"".join(map(dump_line, RIGHT))
    for _ in range(25_000):
        damaged = damage(raw, dice)
        assert fast(damaged)[0] == slow(damaged)


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_number_or_card_is_the_same_both_ways(seed):
    """Small changes of right lines, which are the ones that could slip through."""
    dice = random.Random(seed)
    raw = b"".join(map(dump_line, RIGHT))
    digits = np.flatnonzero(np.isin(np.frombuffer(raw, np.uint8), np.frombuffer(b"0123456789-,[]", np.uint8)))
    for _ in range(700):
        changed = bytearray(raw)
        for _ in range(dice.randint(1, 3)):
            changed[dice.choice(digits)] = dice.choice(b"0123456789-,[]")
        assert fast(bytes(changed))[0] == slow(bytes(changed))


def test_an_import_is_the_same_both_ways_in_any_batches(tmp_path, monkeypatch):
    """Rounds twice in a file, in two files, told differently, refused and damaged."""
    told = [plain(n, tags={"n": CHARS[n % 20], "extra_fields": "x×2"}) for n in range(40)]
    one = write(tmp_path / "a.jsonl", [*told, told[3], plain(5, tags={"other": "told"})])
    two = write(
        tmp_path / "b.jsonl", [*told[30:], *(plain(n, ruleset="zz") for n in range(40, 44)), *map(plain, range(50, 60))]
    )
    two.write_bytes(two.read_bytes() + b'{"phz":1}\n' + line(room="r").replace(b",", b", ", 1))

    def accept(record: Record) -> Reject | None:
        return Reject("UNKNOWN_RULESET", "zz") if record.ruleset == "zz" else None

    hashes = set()
    for number, (size, batch, paths) in enumerate(
        [(10**9, 100, (one, two)), (0, 100, (one, two)), (0, 7, (two, one)), (0, 1, (one, two)), (10**9, 7, (two, one))]
    ):
        monkeypatch.setattr(importer, "SCANNED_FROM", size)
        store = open_store(tmp_path / f"store{number}")
        shown: list[Progress] = []
        report = import_paths(paths, store, accept, batch=batch, progress=shown.append)
        assert shown[-1].records == report.files[-1].seen
        assert (report.seen, report.accepted + report.already_known, report.quarantined) == (68, 63, 5)
        for file in report.files:
            assert file.seen == file.accepted + file.already_known + file.quarantined
        assert report.accepted == 51
        hashes.add(tuple(content(store, CLOCK | HISTORY).items()))
        assert import_paths(paths, store, accept, batch=batch).accepted == 0
        hashes.add(tuple(content(store, CLOCK | HISTORY).items()))
    assert len(hashes) == 1
    assert open_store(tmp_path / "store0").scan("accounts").select(pl.len()).collect().item() == 2


def test_read_lines_and_the_blocks_agree_on_offsets():
    raw = line() + b"x\n" + line(room="\x7f")
    wanted = [one for one in read_lines(io.BytesIO(raw), "x.jsonl") if isinstance(one, Reject)]
    found = [one for one in fast(raw)[0].values() if isinstance(one, Reject)]
    assert found[0] == wanted[0]
    assert found[0].byte_offset == len(line())
