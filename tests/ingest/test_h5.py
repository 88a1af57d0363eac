"""The ``playback`` documents of H5PaohuziServer: what they tell, and what they cannot."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.adapters.h5 import ADAPTER
from ingest.adapters.h5_write import LOST
from ingest.codes import NO_CARD, Action
from ingest.convert import dump
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.reader import read_stream
from ingest.record import Move, Record, Result, dealt
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.ingest.damage import UNLIKELY, survived
from tests.ingest.fixtures import check_fixture, cut_everywhere, refused, rounds
from tests.ingest.made import bare, plain
from tests.ingest.memory import check_memory

FILE = "playback.json"
FORM = "h5"
A = Action
PLAYERS = [Player("7001"), Player("7002", peng=90, chi=90), Player("7003", hu=80, chi=40)]
CLAIMED = (A.CHI, A.BI, A.PENG, A.WEI, A.CHOU_WEI, A.PAO, A.TI, A.TI_OPEN)
END = (A.HU, A.HUANG)


def drawn(moves: tuple[Move, ...]) -> tuple[int, ...] | None:
    """The wall as far as the draws tell it."""
    cards = [move.card for move in moves if move.action == A.DRAW]
    return (*cards, *[-1] * (19 - len(cards))) if cards else None


def laid(*moves: Move, **changes: Any) -> Record:
    cards = [kind for kind in range(20) for _ in range(4)]
    for move in moves:
        if move.action == A.DRAW:
            cards.remove(move.card)
    random.Random(5).shuffle(cards)
    facts: dict[str, Any] = {
        "ruleset": "hu15",
        "players": ("7001", "7002", "7003"),
        "dealer": 1,
        "hands": (tuple(sorted(cards[:20])), tuple(sorted(cards[20:41])), tuple(sorted(cards[41:61]))),
        "liang": -1,
        "wall": drawn(moves),
        "moves": moves,
        "platform": "h5paohuzi",
        "room": "380123",
        "complete": False,
    }
    return Record(**(facts | changes))


def every_entry() -> Record:
    """Every code; only well-formed."""
    moves = (
        Move(2, A.TI_OPEN, 2),
        Move(1, A.DISCARD, 1),
        Move(2, A.CHI, 1, 6, 9),
        Move(2, A.BI, 1, 0, 2),
        Move(2, A.BI, 1, 11, 11),
        Move(2, A.DISCARD, 3),
        Move(0, A.PENG, 3),
        Move(0, A.DISCARD, 4),
        Move(1, A.DRAW, 5),
        Move(1, A.WEI, 5),
        Move(1, A.DISCARD, 6),
        Move(2, A.DRAW, 7),
        Move(2, A.CHOU_WEI, 7),
        Move(2, A.DISCARD, 8),
        Move(0, A.DRAW, 3),
        Move(0, A.PAO, 3),
        Move(0, A.DISCARD, 9),
        Move(1, A.DRAW, 5),
        Move(1, A.TI, 5),
        Move(2, A.DRAW, 10),
        Move(0, A.HU, 10),
    )
    return laid(*moves, result=Result(winner=0, card=10, from_seat=2), complete=True)


def partial() -> Record:
    moves = (Move(1, A.DISCARD, 1), Move(2, A.DRAW, 5), Move(0, A.DRAW, 6), Move(2, A.DISCARD, 7))
    return laid(*moves, omits=tuple(sorted((*CLAIMED, *END))))


def told(record: Record) -> Record:
    """What the format can carry of a record in which claims are told."""
    moves = tuple(msgspec.structs.replace(m, face=0, t_ms=None) for m in record.moves if m.action not in LOST)
    there = {move.action for move in moves}
    hidden = set() if there & {A.WEI, A.CHOU_WEI} else {A.WEI, A.CHOU_WEI}
    omits = (set(CLAIMED) if not there & set(CLAIMED) - {A.TI_OPEN} else hidden | {A.TI_OPEN}) - there
    omits |= set() if there & set(END) else set(END)
    deal = dealt(record)
    hands = [
        tuple(sorted((*hand, *([deal.liang] if seat == record.dealer and deal.liang not in (None, -1) else []))))
        for seat, hand in enumerate(deal.hands)
        if hand is not None
    ]
    last = record.moves[-1] if record.moves else None
    result = None
    if last is not None and last.action == A.HUANG:
        result = Result(winner=-1)
    elif last is not None and last.action == A.HU:
        turned = [m.seat for m in record.moves if m.action in (A.DISCARD, A.DRAW)]
        card = None if last.card < 0 else last.card
        result = Result(winner=last.seat, card=card, from_seat=turned[-1] if turned else None)
    return msgspec.structs.replace(
        bare(record),
        ruleset="hu15",
        options={},
        platform="h5paohuzi",
        session="",
        round_no=None,
        started_at=None,
        hands=tuple(hands),
        liang=-1,
        wall=drawn(moves),
        moves=moves,
        omits=tuple(sorted(omits)),
        complete=result is not None,
        result=result,
        offers=None,
        visible=None,
        tags={},
    )


def untagged(record: Record) -> Record:
    return msgspec.structs.replace(record, tags={})


def document(record: Record | None = None) -> dict[str, Any]:
    return json.loads(dump([record or every_entry()], FORM))


def dumped(told_: dict[str, Any]) -> bytes:
    return json.dumps(told_, ensure_ascii=False).encode() + b"\n"


def changed(*path: Any, value: Any) -> bytes:
    """The document with one value at that place replaced; ``...`` as value leaves it out."""
    told_ = document()
    at: Any = told_
    for step in path[:-1]:
        at = at[step]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return dumped(told_)


def entry(number: int, **fields: Any) -> bytes:
    """The document with fields of one entry replaced."""
    told_ = document()
    told_["data"]["actionList"][number] |= fields
    return dumped(told_)


def test_every_entry_comes_back() -> None:
    (back,) = rounds(dump([every_entry()], FORM), FILE)
    assert untagged(back) == told(every_entry()) == every_entry()
    assert back.tags == {"playback": "1", "room_type": "1", "hand_order": "sorted", "ruleset_from": "format"}
    assert {m.action for m in back.moves} == {*CLAIMED, A.DISCARD, A.DRAW, A.HU}


def test_the_entries_are_those_of_the_server() -> None:
    data = document()["data"]
    assert data["roomdata"] == {"roomid": "380123", "roomType": 1, "zDeskStation": 2}
    assert data["initialCard"]["1"][0] == {"type": 1, "number": 1, "pos": -1}
    assert data["actionList"][1] == {"action": 100, "pos": 2, "cardVal": 1}
    assert data["actionList"][2]["resChi"] == [{"type": 1, "number": n, "pos": -1} for n in (7, 10)]
    assert [len(one.get("resPai", ())) for one in data["actionList"][:3]] == [4, 0, 9]
    assert data["actionList"][-1] == {"action": 6, "pos": 1, "cardVal": 10, "playPos": 3}


def test_draws_and_discards_alone_are_a_partial_record() -> None:
    (back,) = rounds(dump([partial()], FORM), FILE)
    assert untagged(back) == partial()
    assert set(back.omits) == {*CLAIMED, *END}
    assert (back.result, back.complete) == (None, False)
    (back,) = rounds(dump([laid(*partial().moves, Move(-1, A.HUANG))], FORM), FILE)
    assert (set(back.omits), back.result, back.complete) == (set(CLAIMED), Result(winner=-1), True)


def test_builds_without_wei_omit_it() -> None:
    moves = tuple(m for m in every_entry().moves if m.action not in (A.WEI, A.CHOU_WEI, A.TI_OPEN))
    (back,) = rounds(dump([laid(*moves)], FORM), FILE)
    assert set(back.omits) == {A.WEI, A.CHOU_WEI, A.TI_OPEN}


def test_100_for_draws_too_is_refused() -> None:
    """A build that writes draws as 100: only what follows an own claim is a discard for certain."""
    told_ = document(partial())
    for one in told_["data"]["actionList"]:
        one["action"] = 100
    found = refused(dumped(told_), FILE)
    assert (found.code, "actionList[1]" in found.reason, "100 alone" in found.reason) == ("BAD_MOVE", True, True)
    certain = (Move(1, A.DISCARD, 1), Move(0, A.PENG, 1), Move(0, A.DISCARD, 2))
    (back,) = rounds(dump([laid(*certain)], FORM), FILE)
    assert back.moves == certain
    assert refused(dump([laid(*certain, Move(0, A.DISCARD, 3))], FORM), FILE).code == "BAD_MOVE"
    assert refused(dump([laid(Move(0, A.DISCARD, 3))], FORM), FILE).code == "BAD_MOVE"


def test_the_old_win_and_what_is_not_told() -> None:
    (back,) = rounds(entry(-1, action=4, pos=-1, resPai=None), FILE)
    assert back.result == Result(winner=-1)
    assert refused(entry(-1, action=4), FILE).code == "BAD_MOVE"
    (back,) = rounds(entry(-1, cardVal=-1, playPos=0), FILE)
    assert (back.result, back.moves[-1]) == (Result(winner=0), Move(0, A.HU, NO_CARD))
    told_ = document()
    for one in told_["data"]["actionList"]:
        for field in ("playPos", "resPai", "resChi"):
            one.pop(field, None)
    (back,) = rounds(dumped(told_), FILE)
    assert [m for m in back.moves if m.action != A.TI_OPEN] == [
        msgspec.structs.replace(m, a=-1, b=-1) if m.action == A.CHI else m
        for m in every_entry().moves
        if m.action not in (A.BI, A.TI_OPEN)
    ]
    assert back.omits == (A.BI,)


def test_exports_of_the_database() -> None:
    told_ = document() | {"_id": {"$oid": "5d1f"}, "id": {"$numberInt": "9"}, "__v": 0}
    told_["data"]["roomdata"]["zDeskStation"] = {"$numberInt": "2"}
    told_["data"]["userList"]["1"] = {"uid": 7001, "nickName": "甲", "openid": "x"}
    told_["data"]["actionList"][1] |= {"cardVal": {"$numberLong": "1"}, "odd": 1}
    told_["data"]["initialCard"]["1"] = [
        10 * (c["type"] - 1) + c["number"] - 1 for c in told_["data"]["initialCard"]["1"]
    ]
    for raw in (dumped(told_), json.dumps(told_, indent=1).encode()):
        (back,) = rounds(raw, FILE)
        assert untagged(back) == every_entry()
        assert back.tags["names"] == "甲"
        assert back.tags["extra_fields"] == "actionList.odd×1 userList.openid×1"
    (back,) = rounds(changed("data", "userList", value=...), FILE)
    assert back.players == ("seat0", "seat1", "seat2")


LIST = ("data", "actionList")


@pytest.mark.parametrize(
    ("raw", "code", "says"),
    [
        (changed("data", value=...), "BAD_FIELD", "no field 'data'"),
        (changed("data", value=[]), "BAD_FIELD", "object"),
        (changed("data", "roomdata", value=...), "BAD_FIELD", "roomdata"),
        (changed("data", "roomdata", "zDeskStation", value=4), "BAD_SEAT", "zDeskStation"),
        (changed("data", "roomdata", "zDeskStation", value=-1), "BAD_SEAT", "zDeskStation"),
        (changed("data", "roomdata", "roomid", value=["x"]), "BAD_FIELD", "roomid"),
        (changed("data", "initialCard", value=...), "BAD_FIELD", "initialCard"),
        (changed("data", "initialCard", "3", value=...), "DEAL_SIZE", "three hands"),
        (changed("data", "initialCard", "4", value=[]), "DEAL_SIZE", "three hands"),
        (changed("data", "initialCard", "1", value=[1] * 19), "DEAL_SIZE", "expected 20"),
        (changed("data", "initialCard", "1", value=[1] * 20), "FIFTH_COPY", "four"),
        (changed("data", "initialCard", "1", 0, value={"type": 3, "number": 1}), "UNKNOWN_CARD", "3/1"),
        (changed("data", "initialCard", "1", 0, value={"type": 1, "number": 11}), "UNKNOWN_CARD", "1/11"),
        (changed("data", "initialCard", "1", 0, value={"type": 1}), "BAD_FIELD", "number"),
        (changed("data", "initialCard", "1", 0, value=20), "UNKNOWN_CARD", "20"),
        (changed("data", "initialCard", "1", 0, value="1"), "BAD_FIELD", "number"),
        (changed("data", "userList", "4", value={}), "BAD_SEAT", "'4'"),
        (changed("data", "userList", "1", "uid", value=[1]), "BAD_FIELD", "uid"),
        (changed(*LIST, value={}), "BAD_FIELD", "array"),
        (changed(*LIST, value=[{}] * 2001), "LIMIT", "2000"),
        (changed(*LIST, 3, value=7), "BAD_FIELD", "actionList[3]"),
        (changed(*LIST, 3, "action", value=...), "BAD_FIELD", "action"),
        (entry(3, action=7), "BAD_MOVE", "unknown action 7"),
        (entry(3, action=102), "BAD_MOVE", "unknown action 102"),
        (entry(3, action=10**30), "BAD_FIELD", "action"),
        (entry(3, pos=0), "BAD_SEAT", "pos"),
        (entry(3, cardVal=20), "UNKNOWN_CARD", "cardVal"),
        (entry(2, cardVal=2), "BAD_MOVE", "open card"),
        (entry(2, resPai=[1, 6]), "BAD_MOVE", "threes"),
        (entry(2, resPai=[2, 6, 9]), "BAD_MOVE", "threes"),
        (entry(2, resChi=[6, 8]), "BAD_MOVE", "resPai"),
        (entry(2, resChi=[6]), "BAD_MOVE", "two cards"),
        (entry(4, resPai=[3, 3, 4]), "BAD_MOVE", "copies"),
        (entry(4, cardVal=4, resPai=[4, 4, 4]), "BAD_MOVE", "open card"),
        (entry(-1, pos=9), "BAD_SEAT", "pos"),
        (entry(-1, pos=0), "BAD_SEAT", "pos"),
        (entry(3, pos={"$numberLong": "0000000000012"}), "BAD_FIELD", "pos"),
        (entry(3, pos={"$numberInt": "３"}), "BAD_FIELD", "pos"),
        (entry(-1, playPos=5), "BAD_SEAT", "playPos"),
        (entry(3, action=6), "BAD_MOVE", "after the end"),
        (changed("id", value=1).replace(b'"id": 1', b'"id": NaN'), "SYNTAX", "NaN"),
        (changed("id", value=1).replace(b'"id": 1', b'"id": 1, "id": 1'), "SYNTAX", "stands twice"),
        (b'{"initialCard":1,"actionList":' + b"[" * 5000 + b"\n", "LIMIT", "deep"),
        (b'{"initialCard":"\\ud800","actionList":[]}\n', "NOT_UTF8", "UTF-16"),
        (b'{"initialCard":"\xff","actionList":[]}\n', "NOT_UTF8", "UTF-8"),
        (b'{"initialCard":"' + b"1" * 1_000_001 + b'","actionList":[]}', "LIMIT", "1000000"),
        (b"\n", "EMPTY", ""),
    ],
)
def test_refusals_name_the_fault(raw: bytes, code: str, says: str) -> None:
    found = refused(raw, FILE, FORM)
    assert found.code == code, found
    assert says in found.reason, found


def test_a_bad_document_costs_the_others_nothing() -> None:
    raw = dumped(document()) + entry(3, action=7) + b"{\n" + dumped(document())
    found = list(read_stream(io.BytesIO(raw), FILE, FORM))
    assert [getattr(one, "code", "record") for one in found] == ["record", "BAD_MOVE", "SYNTAX", "record"]


@pytest.mark.parametrize("name", ["1..20", "nibble", "rank+100", "100+200", "1..80 by kind", "1..80 by copy"])
def test_another_encoding_is_refused(name: str) -> None:
    """Numbers of another encoding leave 0..19, or make a fifth copy; 1..20 where any 拾 is dealt or turned."""
    code = ENCODINGS[name]
    for record in sessions(engine(RULESETS["hu15"], compiled()), 5, 60, PLAYERS):
        told_ = document(record)
        data = told_["data"]
        for key, hand in data["initialCard"].items():
            kinds = [10 * (one["type"] - 1) + one["number"] - 1 for one in hand]
            data["initialCard"][key] = [code.encode(kind, kinds[:n].count(kind)) for n, kind in enumerate(kinds)]
        for one in data["actionList"]:
            one["cardVal"] = one["cardVal"] if one["cardVal"] < 0 else code.encode(one["cardVal"])
            for field in ("resPai", "resChi"):
                one.pop(field, None)
        assert refused(dumped(told_), FILE).code in {"UNKNOWN_CARD", "FIFTH_COPY"}


def test_generated_rounds_come_back() -> None:
    made = list(sessions(engine(RULESETS["hu15"], compiled()), 11, 330, PLAYERS))
    back = rounds(dump(made, FORM), FILE)
    assert [untagged(one) for one in back] == list(map(told, made))
    alone = [
        msgspec.structs.replace(one, moves=tuple(m for m in one.moves if m.action in (A.DISCARD, A.DRAW)))
        for one in made
        if any(m.action == A.DRAW for m in one.moves)
    ]
    back = rounds(dump(alone, FORM), FILE)
    assert [untagged(one) for one in back] == list(map(told, alone))
    assert {one.omits for one in back} == {tuple(sorted((*CLAIMED, *END)))}


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (plain(players=("a", "b"), hands=plain().hands[:2]), "BAD_SEAT"),
        (plain(sitter=1, hands=(plain().hands[0], None, plain().hands[2])), "BAD_SEAT"),
        (plain(hands=(None, *plain().hands[1:])), "DEAL_SIZE"),
        (plain(liang=None, wall=None), "DEAL_SIZE"),
        (laid(Move(0, A.BU, 3)), "BAD_MOVE"),
        (laid(Move(0, A.LEAVE)), "BAD_MOVE"),
        (laid(Move(0, A.BI, 3, 3, 3)), "BAD_MOVE"),
        (laid(Move(1, A.DISCARD, 1), Move(2, A.CHI, 1, 6, 9), Move(0, A.BI, 1, 0, 2)), "BAD_MOVE"),
    ],
)
def test_what_the_format_cannot_carry(record: Record, code: str) -> None:
    with pytest.raises(Fault) as caught:
        dump([record], FORM)
    assert caught.value.code == code


def test_fixture() -> None:
    check_fixture("h5.json", dump([every_entry(), partial()], FORM))


def test_sniff() -> None:
    assert ADAPTER.sniff(dumped(document()))
    assert not ADAPTER.sniff(b'{"phz":1,"tags":{"a":"\\"initialCard\\" \\"actionList\\""}}')
    assert not ADAPTER.sniff(b'{"resList":[],"play":""}')
    assert not ADAPTER.sniff(b"")


def test_cut_at_every_byte() -> None:
    outcomes = cut_everywhere(dumped(document(partial()))[:-1], FILE, FORM)
    assert outcomes.keys() <= {"TRUNCATED", "EMPTY", "SYNTAX"}
    assert outcomes.get("SYNTAX", 0) < 150


NASTY = [*UNLIKELY, {"$numberInt": "x"}]
PATHS = [
    ("id",),
    ("data",),
    ("data", "roomdata"),
    ("data", "initialCard"),
    ("data", "userList"),
    ("data", "actionList"),
]
PATHS += [("data", "roomdata", "roomid"), ("data", "userList", "1"), ("data", "initialCard", "1")]
PATHS += [(*LIST, 2, name) for name in ("action", "pos", "cardVal", "playPos", "resPai", "resChi")]


@pytest.mark.parametrize("path", PATHS)
def test_nasty_values(path: tuple[Any, ...]) -> None:
    for value in NASTY:
        assert list(read_stream(io.BytesIO(changed(*path, value=value)), FILE, FORM))


def test_damage_is_told_never_thrown() -> None:
    raw = dumped(document()) + dumped(document(partial()))
    outcomes = survived(raw, FILE, 5_000, 1, FORM)
    assert min(outcomes.values()) > 300, outcomes


@pytest.mark.slow
def test_much_damage_is_told_never_thrown() -> None:
    raw = dumped(document()) + dumped(document(partial()))
    outcomes = survived(raw, FILE, 100_000, 2, FORM)
    assert min(outcomes.values()) > 6_000, outcomes


def test_a_large_file_needs_little_memory(tmp_path: Path) -> None:
    check_memory(tmp_path, dumped(document()), FORM)
