"""Faults of forced acts: 跑, 提, 偎, the compulsory 碰 and 天胡 that are left out, and how 偎 are called and shown."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from ingest.codes import FACE_UNKNOWN, NO_CARD, Action
from ingest.record import Move
from replay.inject.deals import deal, reordered
from replay.inject.ready import ready
from replay.inject.spot import Spot
from replay.inject.walk import Planted, Round, draw, nobody_takes, pick, walk
from replay.kernels import layout
from replay.simulate import Stream

_INTAKES = (Action.CHI, Action.PENG, Action.WEI, Action.CHOU_WEI, Action.PAO, Action.TI)
_HIDDEN = (Action.WEI, Action.CHOU_WEI, Action.TI)


def zou_pao(played: Round, stream: Stream) -> Planted | None:
    """A 跑 that was made is left out: nobody takes the card."""
    if played.machine.ruleset.draw_to_hand:
        return None
    for spot in played.acts(stream, Action.PAO):
        events = nobody_takes(spot, said=stream.below(4) == 0)
        return played.goes_on("ZOU_PAO", played.moves[spot.seq].seat, spot.seq, events, stream)
    return None


def shi_ti(played: Round, stream: Stream) -> Planted | None:
    """A drawn 提 is left out, or a dealt one is not laid by its deadline."""
    if played.machine.ruleset.draw_to_hand:
        return None
    late = _late_ti(played, stream) if stream.below(2) == 0 else None
    if late is not None:
        return late
    for spot in played.acts(stream, Action.TI):
        return played.goes_on("SHI_TI", spot.owner, spot.seq, nobody_takes(spot), stream)
    return None


def _late_ti(played: Round, stream: Stream) -> Planted | None:
    """Without the event of the dealt 提 the round runs the same up to the deadline (rules 2.13, 2.14)."""
    rule = played.machine.ruleset.ti_open
    if rule == "none":
        return None
    for spot in played.acts(stream, Action.TI_OPEN):
        seat, dealer = played.moves[spot.seq].seat, spot.dealer
        moves = [move for seq, move in enumerate(played.moves) if seq != spot.seq]
        for seq, move in enumerate(moves):
            discard = move.action == Action.DISCARD and (rule == "first_discard" or move.seat == dealer == seat)
            intake = rule == "first_intake" and seat != dealer and move.seat == seat and move.action in _INTAKES
            if discard or intake:
                return played.resumes("SHI_TI", seat, seq, moves, stream)
    return None


def shi_wei(played: Round, stream: Stream) -> Planted | None:
    """A 偎 or 臭偎 that was made is left out."""
    for spot in played.acts(stream, Action.WEI, Action.CHOU_WEI):
        return played.goes_on("SHI_WEI", spot.owner, spot.seq, nobody_takes(spot), stream)
    return None


def peng_declined(played: Round, stream: Stream) -> Planted | None:
    """A 碰 that was made is passed, left out, or another eats the card, where 碰 is compulsory."""
    if not played.machine.ruleset.peng_forced:
        return None
    for spot in played.acts(stream, Action.PENG):
        seat = played.moves[spot.seq].seat
        others = [choice for other in spot.seats if other != seat for choice in _may_chi(played, spot.seq, other)]
        if others and stream.below(2) == 0:
            return played.goes_on("PENG_DECLINED", seat, spot.seq, pick(stream, others), stream)
        played.at(spot.seq)
        events = nobody_takes(spot)
        if stream.below(2) == 0 and spot.rights(seat) & layout.R_HU == 0:
            events = [Move(seat, Action.PASS, spot.card), *events]
        return played.goes_on("PENG_DECLINED", seat, spot.seq, events, stream)
    return None


def _may_chi(played: Round, seq: int, seat: int) -> list[list[Move]]:
    spot = played.at(seq)
    return spot.chi(seat) if spot.rights(seat) & layout.R_CHI else []


def tianhu1_missed(played: Round, stream: Stream) -> Planted | None:
    """Dealt 三提五坎 that wins by itself, and the round goes on; a deal of its own."""
    rules = played.machine.ruleset
    if rules.tianhu_quads != "compulsory":
        return None
    seat = stream.below(len(played.seating.persons))
    exact = rules.tianhu_count == "exact"
    ti = stream.below(4)
    if exact:  # only 提, or only 坎; a dealer with three 提 would have no first discard to owe (rules 12.3)
        ti = 3 if ti == 3 and seat != played.seating.record.dealer else 0
    kan = 0 if ti == 3 else 5 - ti
    kinds = stream.shuffled(range(20))
    cards = [kind for kind in kinds[:ti] for _ in range(4)] + [kind for kind in kinds[ti : ti + kan] for _ in range(3)]
    fresh = deal(played, stream, {seat: cards})
    if fresh is None:
        return None
    spot = fresh.at(0)
    if [s for s in spot.seats if spot.machine.kernels.quads_tianhu(spot.machine.state, s)] != [seat]:
        return None  # the other cards made more of it, or another seat has it too
    held = [(s, kind) for s in spot.seats for kind in range(20) if spot.held(s, kind) == 4]
    laid = [Move(s, Action.TI_OPEN, kind) for s, kind in held] if rules.ti_open != "none" else []
    if spot.phase == layout.DUE_DRAW:
        first = draw(spot, spot.turn)
    else:
        free = spot.free(spot.dealer)
        if not free:
            return None
        first = Move(spot.dealer, Action.DISCARD, pick(stream, free))
    return fresh.goes_on("TIANHU1_MISSED", seat, 0, [*laid, first], stream, at=len(laid))


def lost_by_refused_hu(played: Round, stream: Stream) -> Planted | None:
    """A win is refused, and with it a forced act on the same card is lost; half of them dealt for it."""
    if not played.machine.ruleset.hu_pass_kills:
        return None
    for spot in played.acts(stream, Action.HU):
        if not spot.opening and _losers(spot) and stream.below(2):
            return _refused(played, spot, played.moves[spot.seq].seat, stream)
    drawer = (played.seating.record.dealer + 1) % len(played.seating.persons)
    holder = pick(stream, [seat for seat in range(len(played.seating.persons)) if seat != drawer])
    hand = ready(played, stream, holder=holder)
    if hand is None:
        return None
    spot = hand.played.at(len(hand.played.moves))
    asked = spot.phase == layout.SHOWN and spot.rights(hand.seat) & layout.R_HU
    return _refused(hand.played, spot, hand.seat, stream) if asked and _losers(spot) else None


def _losers(spot: Spot) -> list[int]:
    """Seats that lose a 跑, 提 or 偎 when the win is refused."""
    forced = layout.R_PAO | layout.R_TI | layout.R_WEI
    return [seat for seat in spot.seats if spot.slot(seat, layout.LOST) & forced]


def _refused(played: Round, spot: Spot, asked: int, stream: Stream) -> Planted | None:
    said = [Move(asked, Action.PASS, spot.card)] if stream.below(2) else []
    events = said + nobody_takes(spot, said=stream.below(4) == 0)
    return played.goes_on("LOST_BY_REFUSED_HU", _losers(spot)[0], spot.seq, events, stream, at=len(said))


def chouwei_hidden(played: Round, stream: Stream) -> Planted | None:
    """A 臭偎 is laid as a 偎 and so fully hidden; where no 碰 may be declined, one was before."""
    rules = played.machine.ruleset
    if rules.chou_wei_hidden:
        return None
    first = None
    if rules.peng_forced:
        first = declined_then_drawn(played, stream, again=True)
        if first is None:
            return None
        played = walk(first.record, played.machine)
    for spot in played.acts(stream, Action.CHOU_WEI):
        move = msgspec.structs.replace(played.moves[spot.seq], action=Action.WEI)
        planted = played.goes_on("CHOUWEI_HIDDEN", move.seat, spot.seq, [move], stream)
        if planted is None or first is None:
            return planted
        return replace(planted, also=((first.seq, first.code, first.seat),))
    return None


def declined_then_drawn(played: Round, stream: Stream, *, again: bool) -> Planted | None:
    """A compulsory 碰 is declined, and the last card of the kind comes early from the wall, to the same seat or not."""
    for spot in played.acts(stream, Action.PENG):
        seat, n = played.moves[spot.seq].seat, len(spot.seats)
        own = (seat - spot.after(spot.owner)) % n
        turn = own if again else pick(stream, [turn for turn in range(n) if turn != own])
        turn += n * stream.below(2)
        fresh = reordered(played, spot, spot.card, turn)
        if fresh is not None and turn < spot.left - 1:
            events = nobody_takes(fresh.at(spot.seq))
            return fresh.goes_on("PENG_DECLINED", seat, spot.seq, events, stream)
    return None


def chouwei_spurious(played: Round, stream: Stream) -> Planted | None:
    """A 偎 is called 臭偎 though nothing was declined; where no face is seen also the reverse."""
    both = played.machine.ruleset.chou_wei_hidden
    for spot in played.acts(stream, Action.WEI, *([Action.CHOU_WEI] if both else [])):
        move = played.moves[spot.seq]
        other = Action.CHOU_WEI if move.action == Action.WEI else Action.WEI
        event = msgspec.structs.replace(move, action=other)
        return played.changed("CHOUWEI_SPURIOUS", move.seat, spot.seq, [event], drop=1)
    return None


_UP = {
    Action.CHI: (3, 3),
    Action.BI: (3, 3),
    Action.PENG: (3, 3),
    Action.WEI: (0, 3),
    Action.CHOU_WEI: (1, 3),
    Action.PAO: (4, 4),
    Action.TI: (1, 4),
    Action.TI_OPEN: (1, 4),
}
"""Cards of a group that lie face up (rules 6.14), and how many it has."""


def wrong_reveal(played: Round, stream: Stream) -> Planted | None:
    """Every face is told, one of them not as the rules have it."""
    rules = played.machine.ruleset
    if rules.chou_wei_hidden or rules.draw_to_hand:
        return None
    moves = [msgspec.structs.replace(move, face=_face(played, seq)) for seq, move in enumerate(played.moves)]
    told = [seq for seq, move in enumerate(moves) if move.face != FACE_UNKNOWN]
    if not told:
        return None
    seq = pick(stream, told)
    most = _UP.get(Action(moves[seq].action), (1, 1))[1]
    wrong = pick(stream, [face for face in range(1, most + 2) if face != moves[seq].face])
    moves[seq] = msgspec.structs.replace(moves[seq], face=wrong)
    record = played.told(moves)
    return Planted(record, seq, played.seating.person(moves[seq].seat), "WRONG_REVEAL")


def _face(played: Round, seq: int) -> int:
    """The right face of an event; not told where there is none, nor of a draw that is won on."""
    move = played.moves[seq]
    if move.action in _UP:
        return 1 + _UP[Action(move.action)][0]
    if move.action != Action.DRAW:
        return FACE_UNKNOWN
    following = played.moves[seq + 1] if seq + 1 < len(played.moves) else Move(-1, Action.HUANG, NO_CARD)
    if following.action == Action.HU:
        return FACE_UNKNOWN
    return 1 if following.action in _HIDDEN else 2
