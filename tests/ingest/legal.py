"""Generated legal rounds for the round trips of formats."""

from __future__ import annotations

from functools import cache

import msgspec

from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.record import Move, Record
from replay.engine import engine
from replay.rulesets import resolve
from replay.simulate import Player, sessions

PLAYERS = [Player("1001"), Player("1002", chi=30), Player("1003", hu=80), Player("1004", peng=90)]


@cache
def legal(ruleset: str, rounds: int, persons: int = 3, seed: int = 5) -> tuple[Record, ...]:
    """Legal rounds of whole sessions."""
    return tuple(sessions(engine(resolve(ruleset)), seed, rounds, PLAYERS, persons=persons))


def events(record: Record, *lost: Action, same: dict[Action, Action] | None = None) -> list[tuple[int, ...]]:
    """The events without faces and times. ``lost``: left out; ``same``: what a format cannot tell from what."""
    return [
        (move.seat, (same or {}).get(Action(move.action), move.action), move.card, *sorted((move.a, move.b)))
        for move in record.moves
        if move.action not in lost
    ]


def with_moves(record: Record, *moves: Move) -> Record:
    return msgspec.structs.replace(record, moves=moves)


def unknown_card(move: Move) -> Move:
    return msgspec.structs.replace(move, card=UNKNOWN)
