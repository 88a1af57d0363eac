"""What may come next in a round, as the engine lists it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ingest import cards
from ingest.codes import ACTION_CHARS, NO_SEAT, Action
from ingest.record import Move, Record
from ingest.validate import check_found
from replay.engine import Engine, engine
from replay.replayer import steps
from replay.rulesets import resolve
from replay.seating import seated
from replay.simulate import events_of_move, legal_moves
from replay.timeline import timeline
from tests.rules.build import deal


def played(record: Record) -> Engine:
    """An engine that has carried out the record's events."""
    ruleset = resolve(record.ruleset, record.options)
    machine = engine(ruleset)
    for _ in steps(seated(record, ruleset), machine):
        pass
    return machine


def legal(record: Record) -> set[str]:
    """The legal moves after the record's events, as ``1 吃 五 四六 比 五五伍``; cards of 胡, 过, 摸 are left out.

    Seats are those that play, in order.
    """
    assert check_found(record) is None
    return {_text(events_of_move(move)) for move in legal_moves(played(record))}


def _text(events: list[Move]) -> str:
    pieces = [] if events[0].seat == NO_SEAT else [str(events[0].seat)]
    for event in events:
        named = [card for card in (event.card, event.a, event.b) if card >= 0]
        pieces.append(ACTION_CHARS[Action(event.action)])
        if event.action == Action.CHI:
            pieces += [cards.text(named[:1]), cards.text(sorted(named[1:]))]
        elif event.action == Action.BI:
            pieces.append(cards.text(sorted(named)))
        elif event.action not in (Action.HU, Action.PASS, Action.HUANG, Action.DRAW):
            pieces.append(cards.text(named))
    return " ".join(pieces)


def after(hands: Mapping[int, str], moves: Sequence[str], **more: Any) -> set[str]:
    """``legal`` after these moves of a deal with these cards (``tests.rules.build.deal``)."""
    return legal(deal(hands, moves, **more))


def barred(record: Record, seat: int, card: str) -> set[str]:
    """What the seat may no longer do with a kind after the last event: chi, peng."""
    kind = cards.parse_one(card)
    return {act for act, kinds in timeline(record)["frames"][-1]["stale"][seat].items() if kind in kinds}
