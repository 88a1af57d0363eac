"""Faults of cards: not held, too many of a kind, not those of the wall, and wrong deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from ingest.cards import KINDS, RED
from ingest.codes import Action
from ingest.record import Cards, Group, Move
from replay.inject.claims import eaters, pairs_with
from replay.inject.deals import quads
from replay.inject.spot import Spot, partners
from replay.inject.walk import Planted, Round, pick
from replay.kernels import layout
from replay.kernels.hands import FIRST_2710, GROUPS
from replay.simulate import Stream

_DEAL = -1


def card_not_in_hand(played: Round, stream: Stream) -> Planted | None:
    """A discard, 吃, 碰, 偎, 跑 or 提 of cards that the seat does not hold."""
    for spot in played.spots(stream):
        found = _not_held(spot)
        if found:
            event = pick(stream, found)
            return played.stops("CARD_NOT_IN_HAND", event.seat, spot.seq, [event])
    return None


def _not_held(spot: Spot) -> list[Move]:
    card, owner = spot.card, spot.owner
    in_hand = spot.machine.ruleset.draw_to_hand
    if spot.phase in (layout.DUE_DISCARD, layout.DRAWN):
        lacking = [kind for kind in range(KINDS) if spot.held(spot.turn, kind) == 0]
        found = [Move(spot.turn, Action.DISCARD, kind) for kind in lacking]
        if spot.phase == layout.DRAWN and spot.held(spot.turn, card) < 4:
            found.append(Move(spot.turn, Action.TI, card))
        if spot.opening and spot.machine.ruleset.ti_open != "none":
            kinds = [kind for kind in range(KINDS) if spot.held(spot.dealer, kind) < 4]
            found = [Move(spot.dealer, Action.TI_OPEN, kind) for kind in kinds]
        return found
    if spot.phase != layout.SHOWN:
        return []
    found = []
    for seat in spot.seats:
        grown = any(spot.tabled(seat, card, slot) for slot in (layout.PENGS, layout.WEIS))
        if seat != owner and spot.held(seat, card) < 2:
            found.append(Move(seat, Action.PENG, card))
        if seat != owner and spot.held(seat, card) < 3 and not grown:
            found.append(Move(seat, Action.PAO, card))
        if seat == owner and spot.drawn and not in_hand and not grown and spot.held(seat, card) < 2:
            found += [Move(seat, Action.WEI, card), Move(seat, Action.TI, card)]
    if spot.calm:
        for seat in eaters(spot):
            groups = GROUPS[:FIRST_2710] if in_hand else GROUPS
            made = [p for p in partners(card) if tuple(sorted((card, *p))) in {tuple(sorted(g)) for g in groups}]
            held = pairs_with(spot.hand(seat), card)
            found += [Move(seat, Action.CHI, card, *pair) for pair in made if pair not in held][:3]
    return found


def fifth_copy(played: Round, stream: Stream) -> Planted | None:
    """A fifth copy of a kind in the deal, among the cards drawn where the wall is not told, or in the groups told."""
    ways: tuple[Callable[[Round, Stream], Planted | None], ...] = (_fifth_dealt, _fifth_drawn, _fifth_told)
    for number in stream.shuffled(range(len(ways))):
        planted = ways[number](played, stream)
        if planted is not None:
            return planted
    return None


def _with_hand(played: Round, seat: int, cards: Cards) -> tuple[Cards | None, ...]:
    person = played.seating.person(seat)
    return tuple(cards if at == person else hand for at, hand in enumerate(played.record.hands))


def _dealt(played: Round, seat: int) -> Cards:
    return played.seating.record.hands[seat] or ()


def _fifth_dealt(played: Round, stream: Stream) -> Planted | None:
    seat, at = stream.below(len(played.seating.persons)), stream.below(20)
    hand = _dealt(played, seat)
    kind = pick(stream, [kind for kind in range(KINDS) if kind != hand[at]])
    hands = _with_hand(played, seat, (*hand[:at], kind, *hand[at + 1 :]))
    return Planted(msgspec.structs.replace(played.record, hands=hands), _DEAL, -1, "FIFTH_COPY")


def _fifth_drawn(played: Round, stream: Stream) -> Planted | None:
    record = played.seating.record
    for spot in played.acts(stream, Action.DRAW):
        seen = Counter(card for hand in record.hands for card in hand or ())
        seen.update([-1 if record.liang is None else record.liang])
        seen.update(move.card for move in played.moves[: spot.seq] if move.action in (Action.DRAW, Action.BU))
        full = [kind for kind in range(KINDS) if seen[kind] == 4]
        if full:
            seat = played.moves[spot.seq].seat
            planted = played.stops("FIFTH_COPY", seat, spot.seq, [Move(seat, Action.DRAW, pick(stream, full))])
            unknown = msgspec.structs.replace(planted.record, wall=None)
            return Planted(unknown, planted.seq, planted.seat, planted.code)
    return None


def _fifth_told(played: Round, stream: Stream) -> Planted | None:
    score = played.score
    if score is None or score.winner < 0 or played.record.result is None:
        return None
    groups = [cards for _, cards, _ in score.groups]
    alike = [cards for cards in groups if len(set(cards)) == 1 and len(cards) > 2]
    others = [number for number, cards in enumerate(groups) if len(set(cards)) > 1]
    if not alike or not others:
        return None
    groups[pick(stream, others)] = pick(stream, alike)
    told = msgspec.structs.replace(played.record.result, groups=tuple(Group(cards) for cards in groups))
    record = msgspec.structs.replace(played.record, result=told)
    return Planted(record, len(record.moves), score.winner, "FIFTH_COPY")


def wall_mismatch(played: Round, stream: Stream) -> Planted | None:
    """A draw that is not the wall's next card, other cards left over, a wall too short, or a red bottom card."""
    way, wall = stream.below(4), played.record.wall or ()
    if way == 0 and played.record.result is not None:
        left = wall[len(wall) - played.at(len(played.moves)).left :]
        if left:
            at = stream.below(len(left))
            kind = pick(stream, [kind for kind in range(KINDS) if kind != left[at]])
            told = msgspec.structs.replace(played.record.result, rest=(*left[:at], kind, *left[at + 1 :]))
            record = msgspec.structs.replace(played.record, result=told)
            return Planted(record, len(record.moves), -1, "WALL_MISMATCH")
    if way == 1:
        record = msgspec.structs.replace(played.record, wall=wall[:-1] if stream.below(2) else wall[1:])
        return Planted(record, _DEAL, -1, "WALL_MISMATCH")
    reds = [at for at, card in enumerate(wall) if card in RED]
    if way == 2 and not played.machine.ruleset.last_wins and reds:
        at = pick(stream, reds)
        changed = [*wall[:-1], wall[at]]
        changed[at] = wall[-1]
        return Planted(msgspec.structs.replace(played.record, wall=tuple(changed)), _DEAL, -1, "WALL_MISMATCH")
    for spot in played.acts(stream, Action.DRAW):
        due = spot.wall_card()
        others = [card for card in wall[len(wall) - spot.left :] if card != due]
        if others:
            seat = played.moves[spot.seq].seat
            event = Move(seat, Action.DRAW, pick(stream, others))
            return played.stops("WALL_MISMATCH", seat, spot.seq, [event])
    return None


def liang_mismatch(played: Round, stream: Stream) -> Planted | None:
    """The 亮张 is not among the dealer's 21 cards, or not the first of a wall that lists it."""
    record, shown = played.record, played.record.liang
    if not played.machine.ruleset.liang_shown or shown is None or record.wall is None:
        return None
    dealer = played.seating.record.dealer
    whole = (*_dealt(played, dealer), shown)
    if stream.below(2):
        other = pick(stream, [kind for kind in range(KINDS) if kind not in whole])
        changed = msgspec.structs.replace(record, hands=_with_hand(played, dealer, whole), liang=other)
    else:
        at = pick(stream, [at for at, card in enumerate(record.wall) if card != shown])
        listed = (record.wall[at], *record.wall[:at], shown, *record.wall[at + 1 :])
        changed = msgspec.structs.replace(record, wall=listed)
    return Planted(changed, _DEAL, record.dealer, "LIANG_MISMATCH")


def hand_count(played: Round, stream: Stream) -> Planted | None:
    """A hand of another number than 20 cards, or an extra card that is not due."""
    record, seat = played.record, stream.below(len(played.seating.persons))
    hand, wall = _dealt(played, seat), record.wall or ()
    person = played.seating.person(seat)
    if stream.below(3) == 0 and not (played.machine.ruleset.two_ti_extra and quads(hand) == 2):
        moves = (Move(person, Action.BU, wall[0]), *record.moves)
        changed = msgspec.structs.replace(record, moves=moves, wall=wall[1:])
    elif stream.below(2) and person != record.dealer:
        changed = msgspec.structs.replace(record, hands=_with_hand(played, seat, (*hand, wall[0])), wall=wall[1:])
    else:
        at = stream.below(len(hand))
        changed = msgspec.structs.replace(record, hands=_with_hand(played, seat, hand[:at] + hand[at + 1 :]))
    return Planted(changed, _DEAL, person, "HAND_COUNT")


def swapped(cards: Sequence[int], stream: Stream) -> Cards:
    """The cards with one replaced by another kind."""
    at = stream.below(len(cards))
    kind = pick(stream, [kind for kind in range(KINDS) if kind != cards[at]])
    return (*cards[:at], kind, *cards[at + 1 :])
