"""Sizes and ranges: what makes a record unfit to be stored, and that nothing else does."""

from __future__ import annotations

import msgspec
import pytest

from ingest.cards import over_copied
from ingest.codes import NO_CARD, NO_SEAT
from ingest.limits import MAX_EVENTS, REJECTS
from ingest.record import Group, Move, Offer, Penalty, Provenance, Ratio, Record, Result
from ingest.validate import SHAPES, check_found
from tests.ingest.made import A, plain

HANDS = plain().hands
WALL = plain().wall or ()
TWO = {"players": ("a", "b"), "hands": HANDS[:2], "moves": (), "result": None}
FOUR = {"players": ("a", "b", "c", "d"), "hands": (*HANDS, None), "result": None}


def fault(**fields: object) -> tuple[str, str] | None:
    reject = check_found(plain(**fields))
    return reject and (reject.code, reject.reason)


def moves(*given: Move) -> dict[str, object]:
    return {"moves": given}


def result(**fields: object) -> dict[str, object]:
    return {"result": Result(**fields)}


@pytest.mark.parametrize(
    ("fields", "code", "place"),
    [
        ({"hands": (HANDS[0], HANDS[1], (*HANDS[2][1:], 20))}, "UNKNOWN_CARD", "hands[2]"),
        ({"hands": (HANDS[0], HANDS[1], (*HANDS[2][1:], -2))}, "UNKNOWN_CARD", "hands[2]"),
        ({"liang": 20}, "UNKNOWN_CARD", "liang"),
        ({"wall": (*WALL[1:], 99)}, "UNKNOWN_CARD", "wall"),
        ({"hands": (HANDS[0][1:], *HANDS[1:])}, "DEAL_SIZE", "hands[0]"),
        ({"hands": (HANDS[0], HANDS[1], (*HANDS[2], -1))}, "DEAL_SIZE", "hands[2]"),
        ({"hands": ((*HANDS[0], -1, -1), HANDS[1], HANDS[2])}, "DEAL_SIZE", "hands[0]"),
        ({"hands": (HANDS[0][1:], *HANDS[1:]), "dealer": 1}, "DEAL_SIZE", "hands[0]"),
        ({"hands": HANDS[:2]}, "DEAL_SIZE", "hands"),
        ({"hands": ((), *HANDS[1:])}, "DEAL_SIZE", "hands[0]"),
        ({"wall": (*WALL, -1, -1)}, "DEAL_SIZE", "wall"),
        ({"moves": (Move(0, A.BU, WALL[0]),), "wall": (*WALL, -1)}, "DEAL_SIZE", "wall"),
        (TWO | {"wall": (-1,) * 41}, "DEAL_SIZE", "wall"),
        ({"hands": ((0,) * 5 + (-1,) * 15, None, None), "liang": None, "wall": None}, "FIFTH_COPY", "hands[0]"),
        ({"hands": ((0,) * 4 + (-1,) * 16, None, None), "liang": 0, "wall": None}, "FIFTH_COPY", "liang"),
        ({"hands": ((0,) * 4 + (-1,) * 16, None, None), "liang": 1, "wall": (0,)}, "FIFTH_COPY", "wall"),
        ({"dealer": 3}, "BAD_SEAT", "dealer"),
        ({"dealer": -1}, "BAD_SEAT", "dealer"),
        (FOUR | {"sitter": 3, "dealer": 3}, "BAD_SEAT", "dealer"),
        (FOUR | {"sitter": None}, "BAD_SEAT", "sitter"),
        (FOUR | {"sitter": 4}, "BAD_SEAT", "sitter"),
        (FOUR | {"sitter": 3, "hands": (*HANDS, ())}, "BAD_SEAT", "hands[3]"),
        (FOUR | {"sitter": 3} | moves(Move(4, A.DISCARD, 1)), "BAD_SEAT", "moves[0]"),
        (FOUR | {"sitter": 3, "moves": (), "offers": (Offer(-1, 3, A.HU, NO_CARD),)}, "BAD_SEAT", "offers[0]"),
        ({"players": ("a",)}, "BAD_SEAT", "players"),
        (moves(Move(3, A.DISCARD, 1)), "BAD_SEAT", "moves[0]"),
        (moves(Move(0, A.DISCARD, 1), Move(-1, A.DISCARD, 1)), "BAD_SEAT", "moves[1]"),
        (moves(Move(0, A.HUANG)), "BAD_SEAT", "moves[0]"),
        (moves(Move(0, 18, 1)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.LEAVE, 1)), "BAD_MOVE", "moves[0]"),
        (moves(Move(-1, A.LEAVE)), "BAD_SEAT", "moves[0]"),
        (moves(Move(0, A.CLAIM, 1, A.LEAVE)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, 0, 1)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.DISCARD, 1, 2)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.DISCARD)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.DISCARD, 20)), "UNKNOWN_CARD", "moves[0]"),
        (moves(Move(0, A.CHI, 1, 2, -3)), "UNKNOWN_CARD", "moves[0]"),
        (moves(Move(0, A.CHI, 1, 2)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.HU, 1, 2)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.CLAIM, 1, 13)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.DISCARD, 1, face=6)), "BAD_MOVE", "moves[0]"),
        (moves(Move(0, A.DISCARD, 1), Move(0, A.DISCARD, 1, t_ms=-1)), "BAD_MOVE", "moves[1]"),
        (moves(Move(0, A.DISCARD, 1, t_ms=2**31)), "BAD_MOVE", "moves[0]"),
        (moves(*[Move(0, A.DISCARD, 1)] * (MAX_EVENTS + 1)), "LIMIT", "moves"),
        ({"offers": (Offer(6, 0, A.HU, NO_CARD),)}, "BAD_FIELD", "offers[0]"),
        ({"offers": (Offer(0, 3, A.HU, NO_CARD),)}, "BAD_SEAT", "offers[0]"),
        ({"offers": (Offer(0, 0, A.HUANG, NO_CARD),)}, "BAD_FIELD", "offers[0]"),
        ({"offers": (Offer(0, 0, A.LEAVE, NO_CARD),)}, "BAD_FIELD", "offers[0]"),
        ({"offers": (Offer(0, 0, A.PENG, 20),)}, "UNKNOWN_CARD", "offers[0]"),
        ({"offers": (Offer(0, 0, A.PENG, 1, (NO_CARD,)),)}, "UNKNOWN_CARD", "offers[0]"),
        ({"visible": (0, 0)}, "BAD_SEAT", "visible[1]"),
        ({"visible": (3,)}, "BAD_SEAT", "visible[0]"),
        (result(winner=3), "BAD_SEAT", "result.winner"),
        (result(from_seat=-1), "BAD_SEAT", "result.from_seat"),
        (result(source=5), "BAD_FIELD", "result.source"),
        (result(card=20), "UNKNOWN_CARD", "result.card"),
        (result(groups=(Group((1,)), Group(()))), "BAD_FIELD", "result.groups[1]"),
        (result(groups=(Group((1,), form=11),)), "BAD_FIELD", "result.groups[0]"),
        (result(points=(1, 2)), "BAD_FIELD", "result.points"),
        (result(points=(1, 2, 2**31)), "BAD_FIELD", "result.points[2]"),
        (result(hands=(None,)), "BAD_FIELD", "result.hands"),
        (result(units=Ratio(1, 0)), "BAD_FIELD", "result.units"),
        (result(rest=(NO_CARD,)), "UNKNOWN_CARD", "result.rest"),
        (result(penalties=(Penalty(3, "C", (0, 0, 0)),)), "BAD_SEAT", "result.penalties[0]"),
        (result(penalties=(Penalty(0, "失提", (0, 0, 0)),)), "BAD_FIELD", "result.penalties[0]"),
        (result(penalties=(Penalty(0, "c", (0, 0, 0)),)), "BAD_FIELD", "result.penalties[0]"),
        (result(penalties=(Penalty(0, "C", (0, 0)),)), "BAD_FIELD", "result.penalties[0]"),
        (result(penalties=(Penalty(0, "C", (0, 0, 2**31)),)), "BAD_FIELD", "result.penalties[0]"),
        (result(penalties=(Penalty(0, "C", (-6, 3, 3)),) * 300), "LIMIT", "result"),
        (FOUR | {"sitter": 3} | result(points=(1, 2, -3)), "BAD_FIELD", "result.points"),
        ({"ruleset": ""}, "UNKNOWN_RULESET", "ruleset"),
        ({"options": {"x": 2**40}}, "BAD_FIELD", "options.x"),
        ({"options": {"x": ("\x00",)}}, "BAD_FIELD", "options.x"),
        ({"options": {"x": (1, 2**31)}}, "BAD_FIELD", "options.x"),
        ({"tags": {str(n): "" for n in range(300)}}, "LIMIT", "tags"),
        ({"players": ("a", "b" * 300, "c")}, "LIMIT", "players[1]"),
        ({"platform": "甲" * 30}, "LIMIT", "platform"),
        ({"platform": "�"}, "BAD_FIELD", "platform"),
        ({"round_no": 2**31}, "BAD_FIELD", "round_no"),
        ({"started_at": "2024-13-01"}, "BAD_FIELD", "started_at"),
        ({"started_at": "20240301"}, "BAD_FIELD", "started_at"),
        ({"started_at": "2024-W09-1"}, "BAD_FIELD", "started_at"),
        ({"source": Provenance(note="x" * 5000)}, "LIMIT", "source.note"),
    ],
)
def test_refused(fields, code, place):
    found = fault(**fields)
    assert found is not None
    assert found[0] == code
    assert place in found[1]
    assert code in REJECTS


@pytest.mark.parametrize(
    "fields",
    [
        {},
        FOUR | {"sitter": 3},
        TWO | {"wall": (*WALL, *HANDS[2])},
        FOUR | {"sitter": 3} | moves(Move(3, A.DISCARD, 1)),
        FOUR | {"sitter": 0, "dealer": 2, "hands": (None, *HANDS), "moves": ()},
        moves(Move(2, A.LEAVE)),
        result(penalties=(Penalty(0, "C", (-6, 3, 3)), Penalty(2, "Z", (0, 0, 0)))),
        {"options": {"a": True, "b": (1, 2), "c": ("x",), "d": -3}},
        {"hands": (None, None, None), "liang": None, "wall": None},
        {"wall": ()},
        {"wall": WALL[:5]},
        {"moves": (Move(0, A.BU, WALL[0]),), "wall": WALL[1:]},
        {"moves": ()},
        moves(*[Move(0, A.DISCARD, 1)] * 5),
        result(groups=(Group((1, 1, 1, 1, 1)),), rest=(1,) * 9),
        result(winner=-1),
        {"started_at": "2024-02-29T10:00:00.5+08:00"},
    ],
)
def test_taken(fields):
    assert fault(**fields) is None


def test_a_fifth_copy_by_an_event_or_the_settlement_is_left_to_the_replay():
    card = HANDS[0][0]
    events = tuple(Move(0, A.DISCARD, card) for _ in range(5))
    assert over_copied(move.card for move in events) == [card]
    assert fault(moves=events, result=Result(hands=((card,) * 5, None, None))) is None


def test_every_action_has_a_shape_and_every_reject_both_languages():
    assert set(SHAPES) == set(A)
    assert all(zh and en for zh, en in REJECTS.values())


def test_a_reject_names_the_record_and_its_line():
    record = plain(dealer=9, source=Provenance("f", 4, "jsonl", "", 17))
    reject = check_found(record)
    assert reject is not None
    assert (reject.index, reject.line) == (4, 17)


def test_what_was_found_right_for_some_seats_is_not_right_for_others():
    move = Move(2, A.DISCARD, 1)
    three = plain(moves=(move,))
    two = msgspec.structs.replace(three, players=("a", "b"), hands=HANDS[:2], wall=None, result=None)
    assert check_found(three) is None
    reject = check_found(two)
    assert reject is not None
    assert reject.code == "BAD_SEAT"
    assert isinstance(two, Record)
    assert NO_SEAT not in {m.seat for m in two.moves}
