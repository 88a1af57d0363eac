"""Deals made to measure: chosen cards for some seats, the rest shuffled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ingest.cards import KINDS, RED
from replay.inject.spot import Spot
from replay.inject.walk import Round, walk
from replay.simulate import Stream

_COPIES = 4
_HAND = 20


def deal(
    played: Round, stream: Stream, given: Mapping[int, Sequence[int]], *, liang: int | None = None,
    wall: Sequence[int] = (),
) -> Round | None:  # fmt: skip
    """A deal at the table of ``played`` without any event: ``given`` cards of seats, the 亮张, the wall's first cards.

    None where the deal asks for an extra card (rules 12.2) or a kind is given more than four times.
    """
    record, seats = played.record, len(played.seating.persons)
    fixed = [card for cards in given.values() for card in cards] + [*wall] + ([] if liang is None else [liang])
    left = [kind for kind in range(KINDS) for _ in range(_COPIES - fixed.count(kind))]
    if len(left) + len(fixed) != KINDS * _COPIES:
        return None
    deck = stream.shuffled(left)
    hands = {}
    for seat in range(seats):
        cards = [*given.get(seat, ())]
        n = _HAND - len(cards)
        hands[seat], deck = tuple(cards + deck[:n]), deck[n:]
    shown = deck.pop() if liang is None else liang
    rest = [*wall, *deck]
    if not played.machine.ruleset.last_wins and rest[-1] in RED:  # the bottom card is black (rules 15.3)
        at = max(i for i, card in enumerate(rest) if card not in RED)
        rest[at], rest[-1] = rest[-1], rest[at]
    if played.machine.ruleset.two_ti_extra and any(quads(hand) == 2 for hand in hands.values()):
        return None
    by_person = {played.seating.person(seat): hand for seat, hand in hands.items()}
    return walk(
        msgspec.structs.replace(
            record,
            hands=tuple(by_person.get(person) for person in range(len(record.players))),
            liang=shown,
            wall=tuple(rest),
            moves=(),
            result=None,
            complete=False,
        ),
        played.machine,
    )


def quads(hand: Sequence[int]) -> int:
    """Kinds of which the hand has all four."""
    return sum(hand.count(kind) == _COPIES for kind in range(KINDS))


def reordered(played: Round, spot: Spot, kind: int, at: int) -> Round | None:
    """The round up to the spot with the next card of the kind moved to place ``at`` of the wall's rest, the same till
    then; None where none is left. An unseen rest of a wall may lie in any order.
    """
    wall = played.record.wall or ()
    used, coming = wall[: len(wall) - spot.left], [*wall[len(wall) - spot.left :]]
    if kind not in coming:
        return None
    coming.remove(kind)
    coming.insert(min(at, len(coming)), kind)
    moves = played.told(played.moves[: spot.seq]).moves
    if not played.machine.ruleset.last_wins and coming[-1] in RED:
        return None
    record = msgspec.structs.replace(played.record, wall=(*used, *coming), moves=moves, result=None, complete=False)
    return walk(record, played.machine)
