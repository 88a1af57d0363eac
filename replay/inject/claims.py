"""Faults of 吃, 比 and 碰: of what may be taken, and with which cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from ingest.codes import Action
from ingest.record import Move
from replay.inject.forced import declined_then_drawn
from replay.inject.spot import Spot, partners
from replay.inject.walk import Planted, Round, pick, walk
from replay.kernels import layout
from replay.simulate import Stream


def pairs_with(cards: Sequence[int], card: int) -> list[tuple[int, int]]:
    """Pairs among the cards that make a group with ``card``."""
    held = Counter(cards)
    return [pair for pair in partners(card) if not Counter(pair) - held]


def eaters(spot: Spot) -> list[int]:
    """Seats that may 吃 from where the open card came from, and are not barred from its kind."""
    stale = (layout.STALE_CHI, layout.OWN)
    return [
        seat
        for seat in spot.seats
        if spot.reach(seat) and spot.may_claim(seat) and not any(spot.barred(seat, spot.card, s) for s in stale)
    ]


def without(cards: Sequence[int], taken: Sequence[int]) -> list[int]:
    """The cards but for those taken, ascending."""
    return sorted((Counter(cards) - Counter(taken)).elements())


def shao_bi(played: Round, stream: Stream) -> Planted | None:
    """A 吃 that leaves a copy of the kind in hand: without its last 比, or where there is none."""
    if played.machine.ruleset.draw_to_hand:
        return None
    for spot in played.opened(stream):
        if not spot.calm:
            continue
        found = []
        for seat in eaters(spot):
            found += [choice[:-1] for choice in spot.chi(seat) if len(choice) > 1]
            free = spot.free(seat)
            for pair in pairs_with(free, spot.card):
                if spot.card in without(free, pair):
                    found.append([Move(seat, Action.CHI, spot.card, *pair)])
        if found:
            events = pick(stream, found)
            return played.goes_on("SHAO_BI", events[0].seat, spot.seq, events, stream)
    return None


def chou_chi(played: Round, stream: Stream) -> Planted | None:
    """A 吃 of a kind that the seat passed or discarded."""
    return _eaten_by(
        played,
        stream,
        "CHOU_CHI",
        lambda spot, seat: spot.reach(seat) and spot.may_claim(seat) and seat not in eaters(spot),
    )


def _eaten_by(played: Round, stream: Stream, code: str, wrongly: Callable[[Spot, int], bool]) -> Planted | None:
    """The open card is taken by 吃 by a seat that may not."""
    for spot in played.opened(stream):
        if not spot.calm:
            continue
        found = [choice for seat in spot.seats if wrongly(spot, seat) for choice in spot.chi(seat)]
        if found:
            events = pick(stream, found)
            return played.goes_on(code, events[0].seat, spot.seq, events, stream)
    return None


def chou_peng(played: Round, stream: Stream) -> Planted | None:
    """A 碰 of a kind that the seat passed, or discarded where that bars it; a compulsory 碰 was declined before it."""
    first = None
    if played.machine.ruleset.peng_forced:
        first = declined_then_drawn(played, stream, again=False)
        if first is None:
            return None
        played = walk(first.record, played.machine)
    own = played.machine.ruleset.own_bars_peng
    for spot in played.opened(stream):
        if not spot.calm:
            continue
        for seat in spot.seats:
            barred = spot.barred(seat, spot.card, layout.STALE_PENG) or (
                own and spot.barred(seat, spot.card, layout.OWN)
            )
            pair = seat != spot.owner and spot.held(seat, spot.card) == 2
            out = spot.slot(seat, layout.IS_OUT)
            if barred and pair and not out and spot.free(seat) != [spot.card] * 2:
                event = Move(seat, Action.PENG, spot.card)
                planted = played.goes_on("CHOU_PENG", seat, spot.seq, [event], stream)
                if planted is None or first is None:
                    return planted
                return replace(planted, also=((first.seq, first.code, first.seat),))
    return None


def ge_shan(played: Round, stream: Stream) -> Planted | None:
    """A 吃 from a seat that one may not eat from."""
    return _eaten_by(
        played,
        stream,
        "GE_SHAN",
        lambda spot, seat: seat != spot.owner and not spot.reach(seat) and spot.may_claim(seat),
    )


def chai_kan(played: Round, stream: Stream) -> Planted | None:
    """A card of a 坎 is discarded, or laid with a 吃."""
    if played.machine.ruleset.draw_to_hand:
        return None
    return _breaks(played, stream, "CHAI_KAN", 3)


def chai_ti(played: Round, stream: Stream) -> Planted | None:
    """A card of a 提 in hand is discarded, or laid with a 吃; where 提 are laid first, it is late besides."""
    rules = played.machine.ruleset
    if rules.draw_to_hand:
        return None
    if rules.ti_open == "none":
        return _breaks(played, stream, "CHAI_TI", 4)
    for spot in played.acts(stream, Action.TI_OPEN):
        kept = played.moves[spot.seq]
        moves = [move for seq, move in enumerate(played.moves) if seq != spot.seq]
        first = next((seq for seq, move in enumerate(moves) if move.action in (Action.DISCARD, Action.DRAW)), -1)
        if kept.seat == spot.dealer and first >= 0 and moves[first].action == Action.DISCARD:
            moves[first] = Move(kept.seat, Action.DISCARD, kept.card)
            planted = played.resumes("CHAI_TI", kept.seat, first, moves[: first + 1], stream)
            return None if planted is None else replace(planted, also=((first, "SHI_TI", planted.seat),))
    return None


def _breaks(played: Round, stream: Stream, code: str, held: int) -> Planted | None:
    if stream.below(3) == 0:
        for spot in played.opened(stream):
            found = _breaking_chi(spot, held) if spot.calm else []
            if found:
                event = pick(stream, found)
                return played.goes_on(code, event.seat, spot.seq, [event], stream)
    for spot in played.acts(stream, Action.DISCARD):
        locked = [card for card in range(20) if spot.held(spot.turn, card) == held]
        if spot.phase == layout.DUE_DISCARD and locked:
            event = Move(spot.turn, Action.DISCARD, pick(stream, locked))
            return played.goes_on(code, spot.turn, spot.seq, [event], stream)
    return None


def _breaking_chi(spot: Spot, held: int) -> list[Move]:
    found = []
    for seat in eaters(spot):
        if spot.held(seat, spot.card) == 0:
            for pair in pairs_with(spot.hand(seat), spot.card):
                counts = {spot.held(seat, card) for card in pair}
                if held in counts and counts <= {1, 2, held}:
                    found.append(Move(seat, Action.CHI, spot.card, *pair))
    return found
