"""Faults of claims: out of order, on a card closed or taken, of cards that make no group, under a wrong name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ingest.codes import Action
from ingest.record import Move
from replay.inject.claims import eaters, pairs_with, without
from replay.inject.spot import Spot
from replay.inject.walk import Planted, Round, pick
from replay.kernels import layout
from replay.kernels.hands import FIRST_2710, GROUPS
from replay.simulate import Stream


def wrong_priority(played: Round, stream: Stream) -> Planted | None:
    """A lower claim is carried out though a higher one was announced, or a 跑 is forced."""
    for spot in played.opened(stream):
        ranks = _ranked(spot)
        forced = [q for q in spot.seats if spot.rights(q) & layout.R_PAO and not played.machine.ruleset.draw_to_hand]
        if forced:
            eaten = [c for seat in eaters(spot) if seat not in forced for c in spot.chi(seat)]
            if eaten:
                events = pick(stream, eaten)
                return played.stops("WRONG_PRIORITY", events[0].seat, spot.seq, events)
            continue
        pairs = [(high, low) for high in ranks for low in ranks if high[0] < low[0] and high[1] != low[1]]
        if pairs:
            high, low = pick(stream, pairs)
            claim = Move(high[1], Action.CLAIM, spot.card, high[2])
            return played.stops("WRONG_PRIORITY", low[1], spot.seq, [claim, *pick(stream, low[3])], at=1)
    return None


def _ranked(spot: Spot) -> list[tuple[int, int, int, list[list[Move]]]]:
    """What the seats may claim: rank (rules 4.2 to 4.6), seat, action, the ways to do it."""
    found: list[tuple[int, int, int, list[list[Move]]]] = []
    for seat in spot.seats:
        rights, away = spot.rights(seat), (seat - spot.owner) % len(spot.seats)
        if rights & layout.R_HU:
            found.append((away, seat, Action.HU, [[Move(seat, Action.HU, spot.card)]]))
        if rights & layout.R_PAO:
            found.append((10, seat, Action.PAO, [[Move(seat, Action.PAO, spot.card)]]))
        if rights & layout.R_PENG:
            found.append((20, seat, Action.PENG, [[Move(seat, Action.PENG, spot.card)]]))
        if rights & layout.R_CHI and not (spot.machine.ruleset.peng_forced and rights & layout.R_PENG):
            found.append((30 + away, seat, Action.CHI, spot.chi(seat)))
    return found


def closed_claim(played: Round, stream: Stream) -> Planted | None:
    """A claim on a card that does not lie open, on the own discard, on the 亮张; a 碰 of the own draw."""
    for spot in played.spots(stream):
        found = _closed(spot, played.seating.record.liang, stream)
        if found is not None:
            return played.stops("CLOSED_CLAIM", found.seat, spot.seq, [found])
    return None


def _closed(spot: Spot, liang: int | None, stream: Stream) -> Move | None:
    seat = pick(stream, spot.seats)
    last = int(spot.machine.state[layout.LAST_CLAIM])
    if spot.phase == layout.SHOWN:
        if stream.below(3) == 0:  # what lies before the seat itself
            action = Action.PENG if spot.drawn or stream.below(2) else Action.PAO
            return Move(spot.owner, action, spot.card)
        other = pick(stream, [card for card in range(20) if card != spot.card])
        return Move(seat, pick(stream, (Action.PENG, Action.PAO, Action.HU, Action.PASS)), other)
    if spot.phase not in (layout.DUE_DISCARD, layout.DUE_DRAW, layout.DRAWN):
        return None
    if spot.opening:
        idle = [other for other in spot.seats if other != spot.dealer]
        if liang is None or not spot.machine.ruleset.liang_shown or not spot.laid:
            return None
        return Move(pick(stream, idle), pick(stream, (Action.PENG, Action.PAO)), liang)
    seat = pick(stream, [other for other in spot.seats if other != spot.turn])
    card = pick(stream, [card for card in range(20) if card != last])
    if stream.below(4) == 0:
        return Move(seat, Action.CLAIM, card, Action.PENG)
    return Move(seat, pick(stream, (Action.PENG, Action.PAO)), card)


def double_claim(played: Round, stream: Stream) -> Planted | None:
    """A 吃 of a card that has just been taken by a higher claim."""
    for spot in played.acts(stream, Action.PENG, Action.PAO, Action.CHI):
        first = played.moves[spot.seq]
        found = []
        for seat in spot.seats:
            later = first.action != Action.CHI or (first.seat == spot.owner and seat == spot.after(spot.owner))
            if seat != first.seat and later and spot.reach(seat):
                found += [Move(seat, Action.CHI, spot.card, *pair) for pair in pairs_with(spot.free(seat), spot.card)]
        end = spot.seq + 1
        while end < len(played.moves) and played.moves[end].action == Action.BI:
            end += 1
        if found and spot.phase == layout.SHOWN:
            event = pick(stream, found)
            return played.stops("DOUBLE_CLAIM", event.seat, end, [event])
    return None


def meld_invalid(played: Round, stream: Stream) -> Planted | None:
    """A 吃 or 比 whose cards make no group, or a 跑 of a tabled 碰 with a discard."""
    for spot in played.opened(stream):
        for seat in spot.seats:
            again = not spot.drawn and seat != spot.owner and spot.tabled(seat, spot.card, layout.PENGS)
            if again and not played.machine.ruleset.hu_pass_kills:
                return played.stops("MELD_INVALID", seat, spot.seq, [Move(seat, Action.PAO, spot.card)])
        if not spot.calm:
            continue
        for seat in eaters(spot):
            bi = [choice for choice in spot.chi(seat) if len(choice) > 1]
            if bi and stream.below(2) == 0:
                events = _bad_bi(spot, pick(stream, bi), stream)
                if events:
                    return played.stops("MELD_INVALID", seat, spot.seq, events, at=len(events) - 1)
            pairs = list(_no_groups(spot, spot.free(seat)))
            if pairs:
                event = Move(seat, Action.CHI, spot.card, *pick(stream, pairs))
                return played.stops("MELD_INVALID", seat, spot.seq, [event])
    return None


def _no_groups(spot: Spot, free: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of free cards that make no group with the open card."""
    groups = GROUPS[:FIRST_2710] if spot.machine.ruleset.draw_to_hand else GROUPS
    good = {tuple(sorted(group)) for group in groups}
    for i, a in enumerate(free):
        for b in free[i + 1 :]:
            if tuple(sorted((a, b, spot.card))) not in good:
                yield a, b


def _bad_bi(spot: Spot, choice: list[Move], stream: Stream) -> list[Move]:
    """The 吃 with its last 比 made of cards that make no group."""
    last = choice[-1]
    laid = [card for move in choice[:-1] for card in (move.card, move.a, move.b)]
    free = without(spot.free(last.seat), without(laid, [spot.card]))
    if spot.card not in free:
        return []
    pairs = list(_no_groups(spot, without(free, [spot.card])))
    return [*choice[:-1], Move(last.seat, Action.BI, spot.card, *pick(stream, pairs))] if pairs else []


def meld_kind(played: Round, stream: Stream) -> Planted | None:
    """An act under the name of another."""
    in_hand = played.machine.ruleset.draw_to_hand
    for spot in played.acts(stream, *((Action.PAO,) if in_hand else (Action.TI, Action.PAO, Action.PENG))):
        move = played.moves[spot.seq]
        kan = spot.held(move.seat, move.card) == 3
        names = {
            Action.TI: [Action.PAO] + ([Action.WEI, Action.CHOU_WEI] if kan else []),
            Action.PAO: [Action.TI] + ([Action.PENG] if kan and not in_hand else []),
            Action.PENG: [Action.WEI, Action.CHOU_WEI],
        }[Action(move.action)]
        event = msgspec.structs.replace(move, action=pick(stream, names))
        return played.stops("MELD_KIND", move.seat, spot.seq, [event])
    return None
