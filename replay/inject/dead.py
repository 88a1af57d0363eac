"""吃 and 碰 that leave nothing to discard (rules 3.11): rare in play, so the cards are dealt for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ingest.codes import Action
from ingest.record import Move
from replay.inject.claims import eaters, pairs_with, without
from replay.inject.deals import deal
from replay.inject.spot import Spot, group_move, partners
from replay.inject.walk import Option, Planted, Round, continue_round, pick
from replay.kernels import layout
from replay.simulate import Stream, choose, play_events


def chains(free: Sequence[int], card: int) -> Iterator[list[tuple[int, ...]]]:
    """Every whole 吃 of the card by the free cards, as groups, dead ones too (rules 5.8 to 5.10)."""
    for pair in pairs_with(free, card):
        for bi in _bi(without(free, pair), card):
            yield [(card, *pair), *bi]


def _bi(left: list[int], card: int) -> Iterator[list[tuple[int, ...]]]:
    if card not in left:
        yield []
        return
    rest = without(left, [card])
    for pair in pairs_with(rest, card):
        for more in _bi(without(rest, pair), card):
            yield [(card, *pair), *more]


def dead_claims(spot: Spot, seat: int) -> list[list[Move]]:
    """吃 and 碰 of the open card that leave the seat nothing to discard."""
    if not spot.calm or not spot.may_claim(seat) or spot.due(seat) != 0:
        return []
    free, card = spot.free(seat), spot.card
    found = []
    barred = spot.barred(seat, card, layout.STALE_PENG) or spot.barred(seat, card, layout.OWN)
    if seat != spot.owner and free == [card] * 2 and not barred:
        found.append([Move(seat, Action.PENG, card)])
    if seat in eaters(spot) and len(free) in (2, 5, 8) and not spot.machine.ruleset.draw_to_hand:
        for first, *bi in chains(free, card):
            if len(free) == 2 + 3 * len(bi):
                lay = [group_move(seat, Action.CHI, card, first)]
                found.append(lay + [group_move(seat, Action.BI, card, group) for group in bi])
    return found


def dead_claim(played: Round, stream: Stream) -> Planted | None:
    """A 吃 or 碰 of the last free cards; a deal of its own in which one seat is soon that far."""
    seat, rules = stream.below(len(played.seating.persons)), played.machine.ruleset
    # What is dead completes seven groups: where discards win too, the groups must be worth too little.
    fresh = (_in_pairs if rules.draw_to_hand or rules.hu_pass_kills else _in_kan)(played, stream, seat)
    if fresh is None:
        return None
    players = fresh.players
    claims: list[list[Move]] = []

    def towards(spot: Spot, options: list[Option]) -> Option | list[Move] | None:
        claims.extend(dead_claims(spot, seat))
        if claims:
            return []
        if rules.hu_pass_kills and any(spot.rights(other) & layout.R_HU for other in spot.seats):
            return None  # a refused win is noted too
        return _step(spot, options, seat, stream, fresh)

    spot = fresh.at(0)
    moves: list[Move] = []
    continue_round(spot.machine, moves, stream, players, towards)
    if not claims:
        return None
    events, at = pick(stream, claims), len(moves)
    play_events(spot.machine, moves, events)
    # Where every card lies on the table no legal move is left: there the record stops.
    whole = not played.machine.ruleset.draw_to_hand and continue_round(spot.machine, moves, stream, players)
    record = fresh.told(moves, result=None, complete=whole)
    return Planted(record, at, fresh.seating.person(seat), "DEAD_CLAIM")


def _step(spot: Spot, options: list[Option], seat: int, stream: Stream, fresh: Round) -> Option | None:
    """The seat claims what it can and keeps its pairs; the others do what they must."""
    forced = (Action.TI_OPEN, Action.TI, Action.WEI, Action.CHOU_WEI, Action.PAO)
    due = [option for option in options if option[1] in forced]
    if due:
        return due[0]
    claims = [o for o in options if o[1] == Action.PENG and (o[0] == seat or spot.machine.ruleset.peng_forced)]
    claims = claims or [o for o in options if o[1] == Action.CHI and o[0] == seat]
    if claims:
        return claims[0] if claims[0][1] == Action.PENG else pick(stream, claims)
    discards = [option for option in options if option[1] == Action.DISCARD]
    if discards and discards[0][0] == seat:
        single = [option for option in discards if spot.held(seat, option[2]) == 1]
        return pick(stream, single or discards)
    if discards:
        drawn = [option for option in discards if spot.phase == layout.DRAWN and option[2] == spot.card]
        return pick(stream, drawn or discards)
    rest = [option for option in options if option[1] in (Action.DRAW, Action.HUANG)]
    if rest:
        return rest[0]
    wins = [option for option in options if option[1] == Action.HU]
    return None if wins else choose(spot.machine, stream, fresh.players, options)


def _in_kan(played: Round, stream: Stream, seat: int) -> Round | None:
    """Four 坎 and loose pairs whose third cards come first from the wall."""
    kinds = stream.shuffled(range(20))
    kan, (a, b, c), singles = kinds[:4], kinds[4:7], kinds[7:11]
    last, coming = [c, c], [c, c]
    if stream.below(2):
        pairs = [pair for pair in partners(c) if len(set(pair)) == 2 and not {*pair} & {*kan, a, b, c}]
        if pairs:
            last, coming = [*pick(stream, pairs)], [c, c, c]
    cards = [kind for kind in kan for _ in range(3)] + [a, a, b, b, *last]
    cards += [kind for kind in singles if kind not in cards and kind != c][: 20 - len(cards)]
    dealer = played.seating.record.dealer
    wall = ([stream.below(20)] if seat == (dealer + 1) % len(played.seating.persons) else []) + [a, b, *coming]
    liang = singles[3] if seat == dealer else None
    return deal(played, stream, {seat: cards}, liang=liang, wall=wall)


def _in_pairs(played: Round, stream: Stream, seat: int) -> Round | None:
    """Seven pairs; the third cards of all of them come first from the wall, and others throw them."""
    small = stream.shuffled(range(10))
    pairs, singles = small[:7], stream.shuffled([*small[7:], *range(10, 20)])
    cards = [kind for kind in pairs for _ in range(2)] + singles[:6]
    dealer = played.seating.record.dealer
    wall = ([singles[6]] if seat == (dealer + 1) % len(played.seating.persons) else []) + pairs
    return deal(played, stream, {seat: cards}, liang=singles[6] if seat == dealer else None, wall=wall)
