"""The same round with a fourth person who does not play, or with two players."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ingest.record import Move, Record, Result


def with_sitter(record: Record, sitter: int | None = None, extra: Sequence[Move] = ()) -> Record:
    """A round of three as one of four persons: ``sitter``, by default opposite the dealer, does not play.

    The players keep their order; ``extra``: events that go before the last one, with seats of four. A result told by
    seats is not moved.
    """
    if sitter is None:
        sitter = (record.dealer + 2) % 4 if record.dealer < 2 else 0

    def person(seat: int) -> int:
        return seat + 1 if seat >= sitter else seat

    moves = [msgspec.structs.replace(move, seat=person(move.seat) if move.seat >= 0 else -1) for move in record.moves]
    moves[len(moves) - 1 : len(moves) - 1] = extra
    players, hands = list(record.players), list(record.hands)
    players.insert(sitter, "丁")
    hands.insert(sitter, None)
    return msgspec.structs.replace(
        record,
        players=tuple(players),
        hands=tuple(hands),
        moves=tuple(moves),
        dealer=person(record.dealer),
        sitter=sitter,
    )


def for_two(record: Record) -> Record:
    """The round without the third player, whose cards lie deep in the wall, above its last card."""
    assert record.wall is not None
    assert record.hands[2] is not None
    assert all(move.seat < 2 for move in record.moves)
    wall = record.wall[:-1] + record.hands[2] + record.wall[-1:]
    return msgspec.structs.replace(record, players=record.players[:2], hands=record.hands[:2], wall=wall)


def reported(record: Record, result: Result) -> Record:
    """The round with what was reported at its end."""
    return msgspec.structs.replace(record, result=result)
