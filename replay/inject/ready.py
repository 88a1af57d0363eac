"""Hands that wait for one card which comes first from the wall, so that a win, or a refusal, can be placed at will."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.codes import Action
from ingest.record import Move
from replay.inject.deals import deal
from replay.inject.spot import Spot
from replay.inject.walk import Option, Round, continue_round, pick, walk
from replay.kernels import layout
from replay.kernels.bits import class_of
from replay.simulate import Stream


@dataclass(frozen=True, slots=True)
class Ready:
    """Seven groups of a seat that waits for ``card``: three of the ``jiao`` are 绞 whose cards are three 顺 as well,
    ``run`` needs the card, ``kan`` are 坎. ``low``: 胡息 with the 绞. ``played``: the round up to the draw of the card.
    """

    seat: int
    card: int
    jiao: tuple[tuple[int, ...], ...]
    run: tuple[int, ...]
    kan: tuple[int, ...]
    low: int
    played: Round


def ready(
    played: Round, stream: Stream, *, flat: bool = False, poor: bool = False, kan: int = 3, holder: int | None = None
) -> Ready | None:  # fmt: skip
    """Deal a waiting hand to a seat and play up to the first draw; None where that comes otherwise.

    ``flat``: the 绞 are worth as little as 顺; ``poor``: with the 坎 that score
    least, ``kan`` of them; ``holder``: a seat that gets the
    three other copies of the card.
    """
    rules, seats = played.machine.ruleset, len(played.seating.persons)
    seat = pick(stream, [seat for seat in range(seats) if seat != holder])
    start = 3 + stream.below(4)
    ranks = (start, start + 1, start + 2) if flat else pick(stream, ((0, 1, 2), (1, 6, 9)))
    size = 10 * stream.below(2)
    runs = [tuple(range(first, first + 3)) for first in range(1, 18) if first % 10 not in (0, 8, 9)]
    runs = [run for run in runs if not {card % 10 for card in run} & {*ranks}]
    if not runs:
        return None
    run = pick(stream, runs)
    idle = [rank for rank in stream.shuffled(range(10)) if rank not in ranks and rank not in {c % 10 for c in run}]
    jiao = tuple((rank + size, rank + size, rank + 10 - size) for rank in (*ranks, *idle[: 3 - kan]))
    kinds = [kind for kind in stream.shuffled(range(20)) if kind % 10 in idle[3 - kan :]]
    worth = {kind: rules.huxi_kan[class_of(kind)] for kind in kinds}
    triples = sorted(kinds, key=lambda kind: worth[kind] if poor else -worth[kind])[:kan]
    card = pick(stream, run)
    cards = [other for group in (*jiao, run) for other in group] + [kind for kind in triples for _ in range(3)]
    cards.remove(card)
    given = {seat: cards} | ({} if holder is None else {holder: [card] * 3})
    dealer = played.seating.record.dealer
    spare = next(kind for kind in kinds if kind not in triples) if seat == dealer else None
    fresh = deal(played, stream, given, liang=spare, wall=[card])
    if fresh is None:
        return None
    moves: list[Move] = []
    spot = fresh.at(0)
    reached: list[int] = []

    def straight(now: Spot, options: list[Option]) -> Option | list[Move] | None:
        if now.drawn and now.card == card and not now.opening:
            reached.append(now.seq)
            return []
        laid = [option for option in options if option[1] == Action.TI_OPEN]
        thrown = [o for o in options if o[1] == Action.DISCARD and now.opening and spare in (None, o[2])]
        if seat != dealer and holder == dealer:
            thrown = [option for option in thrown if option[2] != card]
        drawn = [o for o in options if o[1] == Action.DRAW and (now.calm or now.phase == layout.DUE_DRAW)]
        choices = laid[:1] or thrown or drawn
        return pick(stream, choices) if choices else None

    continue_round(spot.machine, moves, stream, fresh.players, straight)
    if not reached:
        return None
    low = sum(worth[kind] for kind in triples)
    return Ready(seat, card, jiao, run, tuple(triples), low, walk(fresh.told(moves, complete=False), played.machine))
