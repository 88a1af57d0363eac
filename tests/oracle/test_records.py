"""The oracle on the recorded rounds of a real platform: every event must be legal to it, every score its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.codes import NO_CARD, Action
from ingest.reader import read_path
from ingest.record import Record, dealt
from tests.oracle.game import Game
from tests.oracle.seats import Event

# The platform's own errors.
WRONG_HUXI = {"GL-C011", "GL-C092"}  # a quad counted twice; a 坎 scored as a 碰
NOT_OFFERED = {"GL-C077", "GL-C105"}  # a 碰 became a 跑 although that completed the hand: no win was offered
NOT_FLOORED = {f"GL-C{number:03}" for number in (17, 20, 21, 24, 29, 30, 31, 32, 33)}  # 子 with a fraction


def events(record: Record) -> Iterator[Event]:
    """The record's events as the oracle writes them: a 吃 with its 比."""
    moves = [move for move in record.moves if move.action not in (Action.UNCLAIMED, Action.CLAIM)]
    while moves:
        move = moves.pop(0)
        groups: tuple[tuple[int, ...], ...] = ()
        if move.action == Action.CHI:
            bi = []
            while moves and moves[0].action == Action.BI:
                laid = moves.pop(0)
                bi.append(tuple(sorted((laid.card, laid.a, laid.b))))
            groups = (tuple(sorted((move.a, move.b))), *sorted(bi))
        yield Event(move.seat, move.action, NO_CARD if move.action == Action.HUANG else move.card, groups)


def replay_round(record: Record) -> dict[str, Any] | Event:
    """The oracle's result, or the first event that it calls illegal."""
    deal = dealt(record)
    assert deal.wall is not None
    assert deal.liang is not None
    hands = [list(hand) for hand in deal.hands if hand is not None]
    game = Game("guilin", len(hands), record.dealer, hands, deal.liang, list(deal.wall), dict(record.options))
    for event in events(record):
        found = event
        if event.action == Action.HU and game.stage == "opening":
            found = event._replace(card=NO_CARD)
        if found not in game.legal():
            return event
        game.apply(found)
    assert game.over
    return game.result()


def test_recorded_rounds(shared: Path) -> None:
    illegal, wrong_huxi, fractions, rounds = set(), set(), set(), 0
    for number, record in enumerate(read_path(shared / "records" / "guilin" / "complete.jsonl")):
        assert isinstance(record, Record), record
        rounds += 1
        name = record.tags.get("id", str(number))
        result = replay_round(record)
        if isinstance(result, Event):
            illegal.add((name, Action(result.action)))
            continue
        reported = record.result
        assert reported is not None
        assert reported.winner == result["winner"], name
        if reported.winner == -1:
            continue
        if reported.huxi != result["huxi"]:
            wrong_huxi.add(name)
            continue
        assert reported.xing_hits in (None, result["xing_hits"]), name
        units = reported.units
        if units is not None and units.num != result["units"] * units.den:
            assert units.num // units.den == result["units"], name
            fractions.add(name)
        assert reported.points in (None, result["points"]), name
    assert rounds == 105
    assert illegal == {(name, Action.PAO) for name in NOT_OFFERED}
    assert wrong_huxi == WRONG_HUXI
    assert fractions == NOT_FLOORED
