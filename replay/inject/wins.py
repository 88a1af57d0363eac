"""Wins that may not be: by their source, without the right, against the shape, below the minimum, on a refused kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ingest.codes import Action
from ingest.record import Move
from replay.inject.claims import chai_kan, chou_chi, chou_peng, ge_shan, shao_bi
from replay.inject.deals import reordered
from replay.inject.forced import chouwei_hidden, shi_ti, shi_wei, zou_pao
from replay.inject.ready import ready
from replay.inject.spot import Spot
from replay.inject.turns import bakuai_discard
from replay.inject.walk import Option, Planted, Round, continue_round, pick, walk
from replay.kernels import layout
from replay.simulate import Player, Stream, choose

OFFENCES: tuple[Callable[[Round, Stream], Planted | None], ...] = (
    zou_pao,
    shi_ti,
    shi_wei,
    shao_bi,
    chou_chi,
    chou_peng,
    ge_shan,
    chai_kan,
    chouwei_hidden,
    bakuai_discard,
)
"""Offences that cost the right to win (rules 7.13)."""


def _hu(seat: int, card: int) -> Move:
    return Move(seat, Action.HU, card)


def _lost(spot: Spot) -> bool:
    """The wall's last card, where it may not be won on (rules 15.3)."""
    return spot.drawn and spot.left == 0 and not spot.machine.ruleset.last_wins


def _first_discard(played: Round, seq: int) -> bool:
    return sum(move.action in (Action.DISCARD, Action.DRAW) for move in played.moves[:seq]) == 1


def hu_source(played: Round, stream: Stream) -> Planted | None:
    """A win on a discard where only wall cards win, on another's hidden card, on the lost last card, on the 亮张."""
    rules = played.machine.ruleset
    if rules.draw_to_hand:
        return None
    for spot in played.spots(stream):
        found: list[Move] = []
        others = [seat for seat in spot.seats if seat != spot.owner]
        if spot.phase == layout.HIDDEN:
            found = [_hu(seat, spot.card) for seat in others]
        elif spot.phase == layout.SHOWN and _lost(spot):
            found = [_hu(seat, spot.card) for seat in spot.seats]
        elif spot.phase == layout.SHOWN and not spot.drawn and not rules.win_discard:
            if rules.dihu == "off" or not _first_discard(played, spot.seq):
                found = [_hu(seat, spot.card) for seat in others]
        elif spot.opening and rules.liang_shown and rules.liang_win == "dealer" and spot.phase == layout.DUE_DISCARD:
            wins = played.moves[spot.seq].action == Action.HU
            found = [] if wins else [_hu(s, played.record.liang or 0) for s in spot.seats if s != spot.dealer]
        if found:
            event = pick(stream, found)
            return played.ends("HU_SOURCE", event.seat, spot.seq, [event])
    return None


def hu_banned(played: Round, stream: Stream) -> Planted | None:
    """An offence that costs the right to win, and later a win of the same seat."""
    if not played.machine.ruleset.ban:
        return None
    for number in stream.shuffled(range(len(OFFENCES))):
        first = OFFENCES[number](played, stream)
        if first is None:
            continue
        after = walk(first.record, played.machine)
        seat = after.seating.persons.index(first.seat)
        for spot in after.spots(stream):
            if spot.seq <= first.seq + 1 or spot.phase not in (layout.SHOWN, layout.HIDDEN) or _lost(spot):
                continue
            hidden = spot.phase == layout.HIDDEN and spot.owner != seat
            thrown = not spot.drawn and (spot.owner == seat or not spot.machine.ruleset.win_discard)
            if not hidden and not thrown:
                planted = after.ends("HU_BANNED", seat, spot.seq, [_hu(seat, spot.card)])
                return replace(planted, also=(*first.also, (first.seq, first.code, first.seat)))
    return None


def po_ti(played: Round, stream: Stream) -> Planted | None:
    """A win on an own draw that must be a 提, with which no hand is complete."""
    return _breaks(played, stream, "PO_TI")


def po_wei(played: Round, stream: Stream) -> Planted | None:
    """A win on an own draw that must be a 偎, with which no hand is complete."""
    return _breaks(played, stream, "PO_WEI")


def _breaks(played: Round, stream: Stream, code: str) -> Planted | None:
    for spot in played.acts(stream, *((Action.TI,) if code == "PO_TI" else (Action.WEI, Action.CHOU_WEI))):
        low = spot.value(spot.owner, spot.card, layout.W_OWN) < played.machine.ruleset.min_huxi
        if spot.phase == layout.HIDDEN and low and not _lost(spot):
            return played.ends(code, spot.owner, spot.seq, [_hu(spot.owner, spot.card)])
    return None


def _claims(spot: Spot) -> list[tuple[int, int]]:
    """Seats that may claim a win on the open card as far as its source goes, with the best 胡息 or -1."""
    rules = spot.machine.ruleset
    if spot.phase == layout.DRAWN:
        return [(spot.turn, spot.value(spot.turn, -1, layout.W_OWN))]
    if spot.phase != layout.SHOWN or _lost(spot) or (not spot.drawn and not rules.win_discard):
        return []
    seats = [seat for seat in spot.seats if seat != spot.owner or (spot.drawn and spot.held(seat, spot.card) < 2)]
    seats = [seat for seat in seats if spot.may_claim(seat)]
    return [(seat, spot.value(seat, spot.card, spot.source(seat))) for seat in seats]


def zha_hu_shape(played: Round, stream: Stream) -> Planted | None:
    """A win with a hand that is not complete."""
    for spot in played.spots(stream):
        if spot.opening:
            found = _incomplete_dealer(played, spot)
        else:
            found = [_hu(seat, spot.card) for seat, huxi in _claims(spot) if huxi < 0]
        if found:
            event = pick(stream, found)
            return played.ends("ZHA_HU_SHAPE", event.seat, spot.seq, [event])
    return None


def _incomplete_dealer(played: Round, spot: Spot) -> list[Move]:
    kernels, state = spot.machine.kernels, spot.machine.state
    wins = spot.machine.ruleset.liang_win != "nobody" and not any(kernels.quads_tianhu(state, s) for s in spot.seats)
    shown = played.seating.record.liang
    if not wins or shown is None or spot.value(spot.dealer, -1, layout.W_OWN) >= 0:
        return []
    return [_hu(spot.dealer, shown)]


def zha_hu_xi(played: Round, stream: Stream) -> Planted | None:
    """A win with a complete hand below the least 胡息."""
    rules = played.machine.ruleset
    if rules.draw_to_hand:
        return None
    if stream.below(2):
        hand = ready(played, stream, flat=True, kan=stream.below(3), poor=True)
        if hand is not None:
            played = hand.played
    for spot in played.spots(stream):
        found = [_hu(seat, spot.card) for seat, huxi in _claims(spot) if 0 <= huxi < rules.min_huxi]
        if found and not spot.opening:
            event = pick(stream, found)
            return played.ends("ZHA_HU_XI", event.seat, spot.seq, [event])
    return None


def chou_hu(played: Round, stream: Stream) -> Planted | None:
    """A win is refused, and the same kind won on later with nothing new on the table."""
    if not played.machine.ruleset.chouhu:
        return None
    if stream.below(2):
        for spot in played.acts(stream, Action.HU):
            if spot.phase == layout.SHOWN and spot.drawn:
                return _refused(played, spot, played.moves[spot.seq].seat, stream)
    hand = ready(played, stream)
    if hand is None:
        return None
    spot = hand.played.at(len(hand.played.moves))
    may = spot.phase == layout.SHOWN and spot.rights(hand.seat) & layout.R_HU
    return _refused(hand.played, spot, hand.seat, stream) if may else None


def _refused(played: Round, spot: Spot, seat: int, stream: Stream) -> Planted | None:
    """The seat could win on the open card and does not; the next card of the kind comes early."""
    card = spot.card
    fresh = reordered(played, spot, card, stream.below(6))
    if fresh is None:
        return None
    now = fresh.at(spot.seq)
    done = [*fresh.moves]
    exposed = now.slot(seat, layout.XI)
    players = [Player("", hu=0, peng=0 if s == seat else 60, chi=0 if s == seat else 60) for s in now.seats]
    found: list[int] = []

    def until_it_comes(later: Spot, options: list[Option]) -> Option | list[Move] | None:
        again = later.seq > spot.seq and later.card == card and later.drawn
        mine = later.phase == layout.SHOWN or (later.phase == layout.HIDDEN and later.owner == seat)
        if again and mine and later.slot(seat, layout.XI) == exposed:
            if later.value(seat, card, later.source(seat)) >= later.machine.ruleset.min_huxi:
                found.append(later.seq)
                return [_hu(seat, card)]
            return None
        wins = all(option[1] == Action.HU for option in options)
        return None if wins else choose(later.machine, stream, players, options)

    if not continue_round(now.machine, done, stream, players, until_it_comes) or not found:
        return None
    return Planted(fresh.told(done, complete=True), found[0], fresh.seating.person(seat), "CHOU_HU")
