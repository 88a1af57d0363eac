"""Tables: our own in both layouts, another platform's by its mapping, and everything that can be wrong with them."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from ingest.adapters import csv_table, csv_write
from ingest.adapters.csv_mapping import MAX_MAPPING
from ingest.adapters.csv_rows import rows
from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Reject
from ingest.cards import text
from ingest.codes import Action
from ingest.convert import dump
from ingest.encodings import ENCODINGS
from ingest.limits import MAX_LINE, Fault
from ingest.reader import read_path, read_stream
from ingest.record import Move, Offer, Provenance, Record, Result
from tests.ingest.csv_files import HEAD, MAPPING, OFFERED, table
from tests.ingest.damage import survived
from tests.ingest.fixtures import FORMATS, WRITE, check_fixture, cut_everywhere
from tests.ingest.legal import legal
from tests.ingest.made import EVERY, UNTOLD, bare, plain, records, refused, taken
from tests.ingest.memory import growth

LAYOUTS = ("rounds", "events")
A = Action
MADE = [plain(), EVERY, UNTOLD]


def read(raw: bytes, name: str = "x.csv", form: str | None = None) -> list[Any]:
    return list(read_stream(io.BytesIO(raw), name, form))


def beside(place: Path, raw: bytes | str, mapping: str | None, file: str = "x.csv") -> list[Any]:
    """What is read from a table with that mapping beside it."""
    path = place / file
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    if mapping is not None:
        path.with_name(f"{file}.toml").write_text(mapping, encoding="utf-8")
    return list(read_path(path))


# Our own tables


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_samples_are_as_generated_and_read_as_expected(layout: str) -> None:
    check_fixture(f"csv-{layout}.csv", dump(MADE, f"csv:layout={layout}"))
    mapping = FORMATS / f"csv-{layout}.csv.toml"
    if WRITE:
        mapping.write_text(csv_write.MAPPINGS[layout], encoding="utf-8")
    assert mapping.read_text(encoding="utf-8") == csv_write.MAPPINGS[layout]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_event_and_every_fact_comes_back(layout: str, tmp_path: Path) -> None:
    raw = dump(MADE, f"csv:layout={layout}")
    assert taken(read(raw)) == MADE
    assert taken(beside(tmp_path, raw, csv_write.MAPPINGS[layout])) == MADE
    # Another program writes the columns in another order and ends lines in its own way.
    assert taken(read(b"\xef\xbb\xbf" + raw.replace(b'"\n', b'"\r\n'))) == MADE
    turned = io.StringIO(newline="")
    csv.writer(turned).writerows(row[::-1] for row in csv.reader(io.StringIO(raw.decode(), newline="")))
    assert taken(beside(tmp_path, turned.getvalue(), csv_write.MAPPINGS[layout])) == MADE
    assert {Action(move.action) for move in EVERY.moves} == set(Action)


@pytest.mark.parametrize("layout", LAYOUTS)
@given(record=records())
@settings(max_examples=60, deadline=None)
def test_any_record_comes_back(layout: str, record: Record) -> None:
    (back,) = taken(read(dump([record], f"csv:layout={layout}")))
    # A person without a name is called by the seat, and a result that tells nothing is none.
    players = tuple(name or f"seat{seat}" for seat, name in enumerate(record.players))
    result = None if record.result == Result() else record.result
    if result is not None and result.hands == (None,) * len(players):
        result = msgspec.structs.replace(result, hands=None)
        result = None if result == Result() else result
    assert back == msgspec.structs.replace(record, players=players, result=result)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("ruleset", "persons"), [("qq", 3), ("luzhou", 4), ("general", 2)])
def test_legal_rounds_come_back(layout: str, ruleset: str, persons: int) -> None:
    made = list(legal(ruleset, 120, persons))
    assert taken(read(dump(made, f"csv:layout={layout}"))) == made


@pytest.mark.parametrize("events", [1, 3])
def test_the_rounds_of_a_file_with_a_row_an_event_are_counted(events: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [plain(n, moves=plain(n).moves[:events]) for n in range(5)]
    monkeypatch.setattr(csv_table, "MAX_ROUNDS", 5)
    assert len(taken(read(dump(made, "csv:layout=events")))) == 5
    monkeypatch.setattr(csv_table, "MAX_ROUNDS", 4)
    (found,) = read(dump(made, "csv:layout=events"))
    assert (found.code, "more than 4 rounds" in found.reason) == ("LIMIT", True)
    assert len(taken(read(dump(made, "csv:layout=rounds")))) == 5


def test_a_mapping_may_begin_with_a_mark_and_have_dots_in_its_texts(tmp_path: Path) -> None:
    raw = dump(MADE, "csv:layout=events")
    dots = "." * 100
    said = f"\ufeff# {dots}\n{csv_write.MAPPINGS['events']}\n[values.ruleset]\n'{dots}' = 'qq'\n"
    assert taken(beside(tmp_path, raw, said)) == MADE
    (found,) = beside(tmp_path, raw, f"{csv_write.MAPPINGS['events']}\n{'a.' * 100}a = 1\n")
    assert (found.code, "dots" in found.reason) == ("LIMIT", True)


def test_no_cell_of_text_begins_a_formula() -> None:
    for sign in ("=", "+", "-", "@", "\t", "\r", "'"):
        record = plain(platform=sign, room=sign, session=sign, players=(sign, "b", "c"), source=Provenance(note=sign))
        raw = dump([record], "csv")
        (_, row) = rows(io.BytesIO(raw), ",")
        assert isinstance(row.cells, list)
        # Notation and JSON begin otherwise; numbers, points among them, are numbers.
        assert not [cell for cell in row.cells if cell.startswith(sign) and sign != "'" and not cell[1:].isdigit()]
        (back,) = taken(read(raw))
        assert back == bare(record)


def test_what_cannot_be_written() -> None:
    with pytest.raises(Fault, match="rounds, events"):
        dump([plain()], "csv:layout=x")
    many = tuple(Offer(0, 0, A.CHI, 1, (1,) * 150) for _ in range(7000))
    with pytest.raises(Fault, match="bytes"):
        dump([plain(offers=many)], "csv")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cut_anywhere_it_does_not_pass_for_whole(layout: str) -> None:
    short = [plain(n, moves=plain().moves[:3]) for n in range(2)]
    raw = dump(short, f"csv:layout={layout}")
    for end in range(raw.index(b"\n") + 1, len(raw) - 1):
        found = read(raw[:end])
        assert len(found) <= 2
        assert isinstance(found[-1], Reject) or bare(found[-1]) in short
        assert all(isinstance(one, Reject) or bare(one) in short for one in found)
    told = {"record", "TRUNCATED", "BAD_FIELD", "BAD_MOVE", "WRONG_FORMAT", "EMPTY", "SYNTAX"}
    assert set(cut_everywhere(raw, "x.csv")) <= told


# Another platform's table


def rounds_of_platform() -> list[Record]:
    return list(legal("qq", 120))


def told(record: Record, n: int) -> Record:
    """What the table of the platform says of a round."""
    result = record.result
    assert result is not None
    at = 0
    moves = []
    for move in record.moves:
        if move.action != A.BI:
            moves.append(msgspec.structs.replace(move, face=0, t_ms=900 * at))
            at += 1
    minute = f"2026-01-05T{12 + 3 * n // 60:02d}:{3 * n % 60:02d}:00+00:00"
    return Record(
        ruleset="qq",
        players=record.players,
        dealer=record.dealer,
        hands=record.hands,
        liang=record.liang,
        wall=None,
        moves=tuple(moves),
        result=Result(winner=result.winner, huxi=result.huxi, points=result.points),
        platform="某平台",
        room=record.room,
        round_no=record.round_no,
        started_at=minute,
        omits=(A.BI,),
        tags={"operator": f"op-{n}", "ruleset_from": "mapping"},
    )


def test_a_platform_sample(tmp_path: Path) -> None:
    raw = table(rounds_of_platform()[:3])
    path = FORMATS / "csv-platform.tsv"
    expected = FORMATS / "csv-platform.expected.jsonl"
    if WRITE:
        path.write_bytes(raw)
        path.with_name("csv-platform.tsv.toml").write_text(MAPPING, encoding="utf-8")
        expected.write_bytes(b"".join(map(dump_line, taken(list(read_path(path))))))
    assert path.read_bytes() == raw
    assert path.with_name("csv-platform.tsv.toml").read_text(encoding="utf-8") == MAPPING
    assert b"".join(map(dump_line, taken(list(read_path(path))))) == expected.read_bytes()
    mapping = tmp_path / "any.toml"
    mapping.write_text(MAPPING, encoding="utf-8")
    assert taken(read(raw, "/nowhere/x", f"csv:mapping={mapping}")) == taken(list(read_path(path)))


def test_rounds_of_a_platform_are_read_in_everything_it_tells(tmp_path: Path) -> None:
    made = rounds_of_platform()
    found = taken(beside(tmp_path, table(made), MAPPING, "x.tsv"))
    assert [bare(one) for one in found] == [told(record, n) for n, record in enumerate(made)]


def test_the_other_ids_of_1_to_80_are_noticed(tmp_path: Path) -> None:
    made = [
        record for record in rounds_of_platform() if {move.action for move in record.moves} & {2, 5, 6, 7, 8, 9, 10}
    ]
    raw = table(made)
    for encoding in ("1..80 by kind", "1..20", "0..19", "nibble", "rank+100"):
        found = beside(tmp_path, raw, MAPPING.replace("1..80 by copy", encoding), "x.tsv")
        assert {one.code for one in refused(found)} <= {"BAD_MOVE", "UNKNOWN_CARD", "FIFTH_COPY"}
        wrong = [one for one in found if isinstance(one, Record) and any(m.action in (5, 8, 9) for m in one.moves)]
        assert wrong == []


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_every_encoding_and_no_other(encoding: str, tmp_path: Path) -> None:
    """A whole deal written in one encoding is read in it, and in another only where every card is written the same."""
    record = plain(5, moves=(Move(0, A.DISCARD, 3),), result=None, complete=False)
    used = [0] * 20

    def spell(cards: tuple[int, ...]) -> str:
        found = []
        for card in cards:
            found.append(str(ENCODINGS[encoding].encode(card, used[card])))
            used[card] += 1
        return " ".join(found)

    hands = [spell(hand or ()) for hand in record.hands]
    liang = spell((record.liang or 0,))
    line = ",".join([*hands, liang, spell(record.wall or ()), "0 打 四"])
    mapping = """csv = 1
card_separator = " "
cards = "1..20"
[round]
hands = ["a", "b", "c"]
liang = "d"
wall = "e"
moves = "f"
[fixed]
ruleset = "qq"
players = "甲 乙 丙"
dealer = "0"
"""
    for other in ENCODINGS:
        (found,) = beside(tmp_path, "a,b,c,d,e,f\n" + line + "\n", mapping.replace("1..20", other))
        if isinstance(found, Record) and other == encoding:
            assert (found.hands, found.liang, found.wall) == (record.hands, record.liang, record.wall)
        elif isinstance(found, Record):
            # 1 to 80 in two orders: a deal alone does not show it.
            assert {encoding, other} == {"1..80 by kind", "1..80 by copy"}
        else:
            assert other != encoding
            assert found.code == "UNKNOWN_CARD" or (found.code == "FIFTH_COPY" and other.startswith("1..80"))


def test_an_id_that_is_dealt_twice_is_noticed(tmp_path: Path) -> None:
    raw = table(rounds_of_platform()[:1]).decode()
    line = raw.splitlines()[1]
    ids = line.split("\t")[18]
    first, second = ids.split("_")[:2]
    again = ids.replace(f"{first}_{second}_", f"{second}_{second}_", 1)
    found = beside(tmp_path, raw.replace(ids, again), MAPPING, "x.tsv")
    assert [one.code for one in refused(found)] == ["FIFTH_COPY"]


def lines_of(n: int) -> list[list[str]]:
    """The rows of the first ``n`` rounds, the header first."""
    return [line.split("\t") for line in table(rounds_of_platform()[:n]).decode().splitlines()]


def joined(lines: list[list[str]]) -> str:
    return "".join("\t".join(line) + "\n" for line in lines)


def test_columns_and_rows_that_say_other_things_are_counted(tmp_path: Path) -> None:
    lines = lines_of(1)
    for place in (3, 5):
        lines[place][19] = "?"
    lines[6:6] = [[*lines[5][:14], "x", "1", str(OFFERED), "", "9_9", ""]]
    for number, line in enumerate(lines[1:], 1):
        line[0] = str(number)
    (record,) = taken(beside(tmp_path, joined(lines), MAPPING, "x.tsv"))
    assert record.tags["extra_fields"] == "memo×2"
    assert record.tags["other_messages"] == "1"


def test_claims_may_list_all_or_some_of_their_cards(tmp_path: Path) -> None:
    mapping = """csv = 1
cards = "0..19"
group = []
[round]
ruleset = "r"
[event]
seat = "s"
action = "a"
card = "c"
a = "x"
b = "y"
cards = "z"
bi = "bi"
face = "f"
t_ms = "t"
wanted = "w"
[fixed]
players = "甲 乙 丙"
dealer = "1"
"""
    events = [
        ("0,打,5,,,,,,,", Move(0, A.DISCARD, 5)),
        ("1,碰,5,,,5 5,,,,", Move(1, A.PENG, 5)),
        ("1,跑,,,,5 5 5 5,,,,", Move(1, A.PAO, 5)),
        ("1,提,5,5,5,,,,,", Move(1, A.TI, 5)),
        ("0,打,,,,7,,1,20,", Move(0, A.DISCARD, 7, face=2, t_ms=20)),
        ("1,吃,7,,,8 6,,2,30,", Move(1, A.CHI, 7, 8, 6, 3, 30)),
        ("1,吃,7,,,6 7 8,,,,", Move(1, A.CHI, 7, 6, 8)),
        ("1,吃,,,,7 6 8,,,,", Move(1, A.CHI, 7, 6, 8)),
        ("1,吃,7,6,8,,,,,", Move(1, A.CHI, 7, 6, 8)),
        ("1,吃,,6,8,,,,,", Move(1, A.CHI, -1, 6, 8)),
        ("1,吃,7,,,,,,,", Move(1, A.CHI, 7, -1, -1)),
        ("2,摸,?,,,,,0,,", Move(2, A.DRAW, -1, face=1)),
        ("2,摸,,,,,,,,", Move(2, A.DRAW, -1)),
        ("2,过,,,,,,,,", Move(2, A.PASS)),
        ("2,过,?,,,,,,,", Move(2, A.PASS, -1)),
        ("2,求,7,,,,,,,碰", Move(2, A.CLAIM, 7, int(A.PENG))),
        (",无人要,,,,,,,,", Move(-1, A.UNCLAIMED)),
        ("-1,荒,,,,,,,,", Move(-1, A.HUANG)),
    ]
    head = "s,a,c,x,y,z,bi,f,t,w,r\n"
    raw = head + "".join(f"{line},qq\n" for line, _ in events)
    (record,) = taken(beside(tmp_path, raw, mapping))
    assert record.moves == tuple(move for _, move in events)
    assert (record.players, record.dealer, record.complete) == (("甲", "乙", "丙"), 1, True)
    with_bi = head + "1,吃,7,,,6 8,8 7 9 17 7 17,,,,qq\n"
    (record,) = taken(beside(tmp_path, with_bi, mapping))
    assert record.moves[1:] == (Move(1, A.BI, 7, 8, 9), Move(1, A.BI, 7, 17, 17))
    assert not record.complete
    for line, code in (
        ("1,碰,5,,,5 6,,,,", "BAD_MOVE"),
        ("1,打,5,,,5,,,,", "BAD_MOVE"),
        ("1,吃,5,,,6 7 8,,,,", "BAD_MOVE"),
        ("1,吃,5,,,6,,,,", "BAD_MOVE"),
        ("1,碰,5,,,,5 5 5,,,", "BAD_MOVE"),
        ("1,吃,5,,,6 7,5 5,,,", "BAD_MOVE"),
        (",荒,5,,,,,,,", "BAD_MOVE"),
        ("1,荒,,,,,,,,", "BAD_SEAT"),
        (",打,5,,,,,,,", "BAD_FIELD"),
        ("5,打,5,,,,,,,", "BAD_FIELD"),
        ("3,打,5,,,,,,,", "BAD_SEAT"),
        ("1,出,5,,,,,,,", "BAD_MOVE"),
        ("1,,5,,,,,,,", "BAD_MOVE"),
        ("1,打,20,,,,,,,", "UNKNOWN_CARD"),
        ("1,打,5,,,,,9,,", "BAD_FIELD"),
        ("1,打,5,,,,,,-1,", "BAD_FIELD"),
        ("1,打,5,,,,,,1e3,", "BAD_FIELD"),
        ("2,求,7,,,,,,,", "BAD_MOVE"),
        ("1,deal,,,,1 2 3,,,,", "DEAL_SIZE"),
        ("3,deal,,,,1 2 3,,,,", "BAD_SEAT"),
        ("x,deal,,,,1 2 3,,,,", "BAD_FIELD"),
    ):
        (reject,) = refused(beside(tmp_path, f"{head}0,打,5,,,,,,,,qq\n{line},qq\n", mapping))
        assert reject.code == code, line
        assert reject.line == (2 if line[0] == "3" or code == "DEAL_SIZE" else 3), line


# Rows


def test_rows_that_do_not_stand_together_are_refused(tmp_path: Path) -> None:
    lines = lines_of(3)
    of = [[line for line in lines[1:] if line[2] == str(n)] for n in (1, 2, 3)]
    apart = [lines[0], *of[0][:20], *of[1], *of[0][20:], *of[2]]
    found = beside(tmp_path, joined(apart), MAPPING, "x.tsv")
    assert [getattr(one, "code", "ok") for one in found] == ["BAD_FIELD", "ok", "BAD_FIELD", "ok"]
    assert "together" in found[0].reason
    assert (found[0].line, found[2].line) == (2, 2 + 20 + len(of[1]))
    assert [one.source.index for one in found if isinstance(one, Record)] == [1, 3]


def test_a_bad_row_costs_its_round_and_where_it_may_belong_to_two_both(tmp_path: Path) -> None:
    lines = lines_of(3)
    sizes = [len([line for line in lines[1:] if line[2] == str(n)]) for n in (1, 2, 3)]

    def outcome(place: int, change: Any) -> list[str]:
        changed = [list(line) for line in lines]
        change(changed[place])
        found = beside(tmp_path, joined(changed), MAPPING, "x.tsv")
        for one in refused(found):
            assert one.line == place + 1
        return [getattr(one, "code", "ok") for one in found]

    middle, last = sizes[0] + 10, sizes[0] + sizes[1]
    spaced = joined(lines).replace("\n", "\n\n" + "\t" * 19 + "\n")
    assert len(taken(beside(tmp_path, spaced, MAPPING, "x.tsv"))) == 3
    assert outcome(middle, lambda line: line.append("x")) == ["ok", "BAD_FIELD", "ok"]
    assert outcome(last, lambda line: line.append("x")) == ["ok", "BAD_FIELD", "BAD_FIELD"]
    assert outcome(middle, lambda line: line.pop()) == ["ok", "BAD_FIELD", "ok"]
    assert outcome(1, lambda line: line.pop()) == ["BAD_FIELD", "ok", "ok"]
    assert outcome(sum(sizes), lambda line: line.pop()) == ["ok", "ok", "BAD_FIELD"]
    # An open quote takes lines with it until the next one, or the end.
    assert outcome(middle, lambda line: line.__setitem__(19, '"')) == ["ok", "TRUNCATED"]
    assert outcome(middle, lambda line: line.__setitem__(5, '"a"b')) == ["ok", "SYNTAX", "ok"]


def test_facts_that_differ_within_a_round_are_refused(tmp_path: Path) -> None:
    lines = lines_of(2)
    lines[9][5] = "另一个人"
    found = beside(tmp_path, joined(lines), MAPPING, "x.tsv")
    assert [(one.code, one.line) for one in refused(found)] == [("BAD_FIELD", 10)]
    assert "p2" in refused(found)[0].reason
    lines = lines_of(2)
    lines[9][5] = ""  # not told on this row is no contradiction
    assert len(taken(beside(tmp_path, joined(lines), MAPPING, "x.tsv"))) == 2
    lines[9][0] = lines[8][0]
    assert [one.line for one in refused(beside(tmp_path, joined(lines), MAPPING, "x.tsv"))] == [10]
    lines[9][0] = "9"
    lines[9][1] = lines[9][2] = ""
    codes = [getattr(one, "code", "ok") for one in beside(tmp_path, joined(lines), MAPPING, "x.tsv")]
    assert codes == ["BAD_FIELD", "BAD_FIELD", "BAD_FIELD", "ok"]


def test_a_missing_row_is_noticed_where_the_table_counts_them() -> None:
    lines = dump([plain()], "csv:layout=events").splitlines(keepends=True)
    assert [one.code for one in refused(read(b"".join(lines[:4] + lines[5:])))] == ["TRUNCATED"]


BAD_ROWS = [
    (b"dealer", b"0", b"5", "BAD_FIELD"),
    (b"dealer", b"0", b"", "BAD_FIELD"),
    (b"persons", b"3", b"5", "BAD_FIELD"),
    (b"persons", b"3", b"2", "BAD_SEAT"),
    (b"ruleset", b"qq", b"", "BAD_FIELD"),
    (b"round_no", b"", b"1.5", "BAD_FIELD"),
    (b"started_at", b"2024-03-01T20:00:00", b"1/3/2024", "BAD_FIELD"),
    (b"complete", b"true", b"yes", "BAD_FIELD"),
    (b"winner", b"0", b"-1", "BAD_FIELD"),
    (b"win_source", b"", b"zimo", "BAD_FIELD"),
    (b"points_0", b"24", b"", "BAD_FIELD"),
    (b"points_3", b"", b"1", "BAD_SEAT"),
    (b"units", b"", b"1/0", "BAD_FIELD"),
    (b"units", b"", b"x", "BAD_FIELD"),
    (b"fan", b"", b'"{""a"":1.5}"', "BAD_FIELD"),
    (b"options", b"", b'"{""a"":null}"', "BAD_FIELD"),
    (b"options", b"", b"[]", "SYNTAX"),
    (b"options", b"", b'"{""a"":1,""a"":2}"', "SYNTAX"),
    (b"options", b"", b'"{""a"":' + b"[" * 9000 + b'}"', "LIMIT"),
    (b"options", b"", b"9" * 30, "SYNTAX"),
    (b"tags", b"", b'"{""a"":1}"', "BAD_FIELD"),
    (b"tags", b"", b'"{""a"":""\\ud800""}"', "NOT_UTF8"),
    (b"groups", b"", "碰 王".encode(), "UNKNOWN_CARD"),
    (b"penalties", b"", b"0 c 1 1", "BAD_FIELD"),
    (b"offers", b"", b"x", "BAD_FIELD"),
    (b"visible", b"", b"0 0", "BAD_SEAT"),
    (b"omits", b"", b"x", "BAD_MOVE"),
    (b"wall", None, "王".encode(), "UNKNOWN_CARD"),
    (b"hand_1", None, "一".encode() * 201, "LIMIT"),
    (b"hand_3", b"", "一".encode(), "BAD_SEAT"),
    (b"note", b"", b"\x00", "BAD_FIELD"),
    (b"note", b"", b"x" * 4001, "LIMIT"),
    (b"note", b"", b"\xff", "NOT_UTF8"),
    (b"note", b"", b'"' + b"x" * MAX_LINE + b'"', "LIMIT"),
    (b"moves", None, b"", "BAD_FIELD"),
    (b"moves", None, "0 出 一".encode(), "BAD_MOVE"),
    (b"moves", None, ("2 过;" * 2001).encode(), "LIMIT"),
]


@pytest.mark.parametrize(("column", "old", "new", "code"), BAD_ROWS)
def test_a_bad_cell_costs_its_round_only(column: bytes, old: bytes | None, new: bytes, code: str) -> None:
    raw = dump([plain(), plain(), plain()], "csv")
    header, first, second, third = raw.splitlines(keepends=True)
    place = header.rstrip().split(b",").index(column)
    cells = second.rstrip(b"\n").split(b",")
    assert old is None or cells[place] == old
    cells[place] = new
    found = read(header + first + b",".join(cells) + b"\n" + third, form="csv")
    assert [isinstance(one, Record) for one in found] == [True, False, True]
    assert (found[1].code, found[1].index, found[1].line) == (code, 1, 3)
    if found[1].byte_offset is not None:
        assert found[1].byte_offset == len(header + first)


# Mappings and headers


def test_without_a_mapping_it_is_said_what_to_write(tmp_path: Path) -> None:
    (reject,) = beside(tmp_path, table(rounds_of_platform()[:1]), None, "a.tsv")
    assert (reject.code, reject.line) == ("WRONG_FORMAT", 1)
    for said in ("a.tsv.toml", "mapping.toml", "csv = 1", "docs/formats.md", *HEAD):
        assert said in reject.reason


@pytest.mark.parametrize("name", ["a.tsv.toml", "a.toml", "mapping.toml"])
def test_where_a_mapping_may_stand(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.tsv").write_bytes(table(rounds_of_platform()[:1]))
    (tmp_path / name).write_text(MAPPING, encoding="utf-8")
    assert len(taken(list(read_path(tmp_path / "a.tsv")))) == 1


BAD_MAPPINGS = [
    ("csv = 1", "csv = 2", "BAD_FIELD", "2"),
    ("csv = 1", "csv = ", "SYNTAX", "TOML"),
    ("csv = 1", "csv = 1\ncolour = 1", "BAD_FIELD", "colour"),
    ("csv = 1", "csv = 1\n" + "a." * 70 + "b = 1", "LIMIT", "dots"),
    ("csv = 1", "csv = 1\nx = " + "[" * 5000, "LIMIT", "deep"),
    ("csv = 1", "csv = 1 #" + "x" * MAX_MAPPING, "LIMIT", "bytes"),
    ("csv = 1", "csv = 1 # \ufffd", "NOT_UTF8", "U+FFFD"),
    ("csv = 1", "csv = " + "1" * 5000, "SYNTAX", "TOML"),
    ('"1..80 by copy"', '"1..80"', "BAD_FIELD", "1..80 by kind"),
    ("seat_base = 1", "seat_base = 2", "BAD_FIELD", "seat_base"),
    ('clock = "unix_ms"', 'clock = "gmt"', "BAD_FIELD", "clock"),
    ('separator = "_"', 'separator = ""', "BAD_FIELD", "separator"),
    ("csv = 1", 'csv = 1\ncard_separator = ""', "BAD_FIELD", "card_separator"),
    ("csv = 1", 'csv = 1\ndelimiter = ";;"', "BAD_FIELD", "delimiter"),
    ('room = "table"', 'table = "table"', "BAD_FIELD", "table"),
    ('room = "table"', 'room = ["table", "op"]', "BAD_FIELD", "room"),
    ('room = "table"', 'hands = "table"', "BAD_FIELD", "hands"),
    ('room = "table"', 'moves = "table"', "BAD_FIELD", "moves"),
    ('room = "table"', 'room = "tabel"', "BAD_FIELD", "tabel"),
    ('dealer = "banker"', "", "BAD_FIELD", "dealer"),
    ('ruleset = "qq"', "", "BAD_FIELD", "ruleset"),
    ('action = "act"', "", "BAD_FIELD", "action"),
    ('seq = "id"', 'sequence = "id"', "BAD_FIELD", "sequence"),
    ("[values.act]", "[values.acts]", "BAD_FIELD", "acts"),
    ('ruleset = "qq"', 'ruleset = "qq"\nhands = "x"', "BAD_FIELD", "hands"),
]


@pytest.mark.parametrize(("old", "new", "code", "said"), BAD_MAPPINGS)
def test_a_wrong_mapping_is_one_clear_reject(tmp_path: Path, old: str, new: str, code: str, said: str) -> None:
    assert MAPPING.count(old) == 1
    (reject,) = beside(tmp_path, table(rounds_of_platform()[:2]), MAPPING.replace(old, new), "x.tsv")
    assert reject.code == code
    assert said in reject.reason
    assert reject.line == 1


def test_a_mapping_that_is_named_must_be_there(tmp_path: Path) -> None:
    raw = table(rounds_of_platform()[:1])
    for place in (tmp_path / "none.toml", tmp_path, "\0"):
        (reject,) = read(raw, "x.tsv", f"csv:mapping={place}")
        assert reject.code == "UNREADABLE"


@pytest.mark.parametrize(
    ("header", "code", "said"),
    [
        ("a,b,a\n1,2,3\n", "BAD_FIELD", "twice"),
        ('"a\n', "TRUNCATED", "quote"),
        ('a,"b"c\n', "SYNTAX", "CSV"),
        (",,\n\n", "EMPTY", "round"),
        ("ruleset,players,dealer,moves\n", "EMPTY", "round"),
        ("ruleset,players,dealer\n", "BAD_FIELD", "moves"),
    ],
)
def test_headers(tmp_path: Path, header: str, code: str, said: str) -> None:
    mapping = "csv = 1\n[round]\n" + "".join(
        f'{name} = "{name}"\n' for name in ("ruleset", "players", "dealer", "moves")
    )
    (reject,) = beside(tmp_path, header, mapping)
    assert reject.code == code
    assert said in reject.reason


def test_cells_without_quotes_and_other_separators(tmp_path: Path) -> None:
    mapping = """csv = 1
delimiter = "|"
quote = false
cards = "s/b"
[round]
ruleset = "r"
players = "p"
dealer = "d"
points = "s"
moves = "m"
options = "o"
[options]
min_huxi = "mh"
strict = "st"
zimo = "z"
[fan]
"红胡" = "hong"
[tags]
"备注" = "memo"
"""
    raw = 'r|p|d|s|m|o|mh|st|z|hong|memo\nqq|甲" 乙 丙|0|1 -1 0|0 打 一;\n'.replace(
        ";\n", ';1 碰 一|{"a": 2}|10|true|double|2|"hm\n'
    )
    (record,) = taken(beside(tmp_path, raw, mapping))
    assert record.players == ('甲"', "乙", "丙")
    assert record.options == {"a": 2, "min_huxi": 10, "strict": True, "zimo": "double"}
    assert record.result == Result(points=(1, -1, 0), fan={"红胡": 2})
    assert record.tags == {"备注": '"hm'}
    assert text(move.card for move in record.moves) == "一一"


def test_a_packed_table_is_read_too(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(dump(MADE, "csv:layout=events")))
    assert taken(list(read_path(tmp_path / "x.csv.gz"))) == MADE


# Damage


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(2))
def test_damage_is_told_never_thrown(layout: str, seed: int) -> None:
    raw = dump([plain(n, moves=plain().moves) for n in range(3)], f"csv:layout={layout}")
    outcomes = survived(raw, "x.csv", 1150, seed, "csv")
    assert min(outcomes.values()) > 200


def test_damage_of_a_platform_table_is_told_never_thrown(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(MAPPING, encoding="utf-8")
    outcomes = survived(table(rounds_of_platform()[:2]), "x.tsv", 500, 3, f"csv:mapping={tmp_path / 'm.toml'}")
    assert min(outcomes.values()) > 80


def test_a_damaged_mapping_is_told_never_thrown(tmp_path: Path) -> None:
    import random

    from tests.ingest.damage import damage

    dice = random.Random(4)
    raw = table(rounds_of_platform()[:1])
    place = tmp_path / "m.toml"
    kinds = set()
    for _ in range(1000):
        place.write_bytes(damage(MAPPING.encode(), dice))
        for one in read(raw, "x.tsv", f"csv:mapping={place}"):
            kinds.add(getattr(one, "code", "ok"))
    assert {"ok", "SYNTAX", "BAD_FIELD", "NOT_UTF8"} <= kinds


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_much_damage_is_told_never_thrown(layout: str) -> None:
    raw = dump([plain(n, moves=plain().moves) for n in range(3)], f"csv:layout={layout}")
    outcomes = survived(raw, "x.csv", 40_000, 9, "csv")
    assert min(outcomes.values()) > 5_000


@pytest.mark.slow
def test_much_damage_of_a_platform_table_is_told_never_thrown(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(MAPPING, encoding="utf-8")
    outcomes = survived(table(rounds_of_platform()[:1]), "x.tsv", 20_000, 3, f"csv:mapping={tmp_path / 'm.toml'}")
    assert min(outcomes.values()) > 1_000


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small, large = tmp_path / "s.csv", tmp_path / "l.csv"
    made = list(legal("qq", 120))
    small.write_bytes(dump(made[:2], "csv:layout=events"))
    big = dump(made, "csv:layout=events")
    head, body = big.split(b"\n", 1)
    parts = [head + b"\n"]
    for n in range(12):
        parts += [b"%d%s\n" % (n, line) for line in body.splitlines()]
    large.write_bytes(b"".join(parts))
    assert large.stat().st_size > 4_000_000
    count, megabytes = growth(small, large, "csv")
    assert count == 12 * 120
    assert megabytes < 2
