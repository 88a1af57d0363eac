"""Faults of turns: discards, draws and passes that are not due, missing or too many, and how a round ends."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.codes import NO_CARD, NO_SEAT, Action
from ingest.record import Move
from replay.inject.spot import Spot
from replay.inject.walk import Planted, Round, draw, nobody_takes, pick
from replay.kernels import layout
from replay.simulate import Stream, legal_moves

_CLAIMS = layout.R_HU | layout.R_PENG | layout.R_CHI


def _huang() -> Move:
    return Move(NO_SEAT, Action.HUANG, NO_CARD)


def _must_win(played: Round, spot: Spot) -> bool:
    """The round ends here by a win on the dealt cards."""
    return spot.opening and played.moves[spot.seq].action == Action.HU


def bakuai_discard(played: Round, stream: Stream) -> Planted | None:
    """A discard after an intake, or at the dealer's start, that asks for none."""
    if played.machine.ruleset.draw_to_hand:
        return None
    for spot in played.acts(stream, Action.DRAW):
        if spot.phase != layout.DUE_DRAW:
            continue
        seat = spot.dealer if spot.opening else spot.last_intake
        held = sorted(set(spot.hand(seat))) if seat >= 0 else []
        if held and not spot.slot(seat, layout.OFFSET):
            event = Move(seat, Action.DISCARD, pick(stream, held))
            return played.goes_on("BAKUAI_DISCARD", seat, spot.seq, [event], stream)
    return None


def missing_discard(played: Round, stream: Stream) -> Planted | None:
    """The next seat draws though a discard is due."""
    for spot in played.acts(stream, Action.DISCARD):
        if not spot.opening and spot.left and spot.phase in (layout.DUE_DISCARD, layout.DRAWN):
            event = draw(spot, spot.after(spot.turn))
            return played.stops("MISSING_DISCARD", spot.turn, spot.seq, [event])
    return None


def liang_skipped(played: Round, stream: Stream) -> Planted | None:
    """The first draw comes before the dealer's first discard."""
    for spot in played.acts(stream, Action.DISCARD):
        if spot.opening and spot.phase == layout.DUE_DISCARD:
            event = draw(spot, spot.after(spot.dealer))
            return played.stops("LIANG_SKIPPED", spot.dealer, spot.seq, [event])
    return None


def wrong_turn(played: Round, stream: Stream) -> Planted | None:
    """A seat discards without an intake."""
    for spot in played.spots(stream):
        if spot.phase not in (layout.SHOWN, layout.DUE_DISCARD, layout.DUE_DRAW, layout.DRAWN):
            continue
        if spot.opening and (not spot.laid or _must_win(played, spot)):
            continue
        busy = {spot.turn, spot.last_intake} if spot.phase != layout.SHOWN else set()
        if spot.opening:
            busy.add(spot.dealer)
        idle = [seat for seat in spot.seats if seat not in busy and spot.free(seat)]
        if idle:
            seat = pick(stream, idle)
            event = Move(seat, Action.DISCARD, pick(stream, spot.free(seat)))
            return played.stops("WRONG_TURN", seat, spot.seq, [event])
    return None


def double_draw(played: Round, stream: Stream) -> Planted | None:
    """The seat that drew draws again, and no other seat did anything in between."""
    for spot in played.acts(stream, Action.DRAW):
        seat = played.moves[spot.seq].seat
        ends = [spot.seq + 1]
        while ends[-1] < len(played.moves) and _only(played.moves[ends[-1]], seat):
            ends.append(ends[-1] + 1)
        for end in stream.shuffled(ends):
            within = end < len(played.moves) and played.moves[end].action == Action.BI
            now = played.at(end)
            due = now.phase == layout.DUE_DRAW and now.turn == seat
            if not within and not due and now.left and now.phase not in (layout.OVER, layout.HIDDEN):
                return played.stops("DOUBLE_DRAW", seat, end, [draw(now, seat)])
    return None


def _only(move: Move, seat: int) -> bool:
    return move.seat == seat or move.action == Action.PASS


def _last_alone(moves: Sequence[Move]) -> int:
    """The seat that drew last, if no other seat has done anything since; otherwise -1."""
    for number in range(len(moves) - 1, -1, -1):
        if moves[number].action == Action.DRAW:
            seat = moves[number].seat
            return seat if all(_only(move, seat) for move in moves[number:]) else -1
    return -1


def draw_order(played: Round, stream: Stream) -> Planted | None:
    """Another seat draws than the one whose turn it is."""
    for spot in played.spots(stream):
        if spot.phase not in (layout.SHOWN, layout.DUE_DRAW) or not spot.left or spot.opening:
            continue
        due = spot.turn if spot.phase == layout.DUE_DRAW else spot.after(spot.owner)
        again = _last_alone(played.moves[: spot.seq])
        others = [seat for seat in spot.seats if seat not in (due, again)]
        if others:
            seat = pick(stream, others)
            return played.stops("DRAW_ORDER", seat, spot.seq, [draw(spot, seat)])
    return None


def bad_pass(played: Round, stream: Stream) -> Planted | None:
    """A pass by a seat that has nothing to pass; the round is otherwise as it was."""
    for spot in played.spots(stream):
        found = _idle(played, spot)
        if found:
            event = pick(stream, found)
            return played.changed("BAD_PASS", event.seat, spot.seq, [event])
    return None


def _idle(played: Round, spot: Spot) -> list[Move]:
    last = played.moves[spot.seq - 1] if spot.seq else Move(-1, 0)
    if spot.phase in (layout.SHOWN, layout.HIDDEN):
        if last.action == Action.PASS and spot.seq % 2:
            return [last]
        claims = _CLAIMS | (layout.R_PAO if spot.machine.ruleset.draw_to_hand else 0)
        idle = [seat for seat in spot.seats if spot.rights(seat) & claims == 0]
        return [Move(seat, Action.PASS, card) for seat in idle for card in (spot.card, NO_CARD)]
    if not spot.opening:
        return [Move(seat, Action.PASS, NO_CARD) for seat in spot.seats]
    if _must_win(played, spot):
        return []
    able = {option[0] for option in legal_moves(spot.machine) if option[1] == Action.HU}
    return [Move(seat, Action.PASS, NO_CARD) for seat in spot.seats if seat not in able]


def event_after_end(played: Round, stream: Stream) -> Planted | None:
    """Something after the win or 荒庄."""
    end = len(played.moves)
    seat = stream.below(len(played.seating.persons))
    card = stream.below(20)
    events = [Move(seat, action, card) for action in (Action.DRAW, Action.DISCARD, Action.PENG, Action.HU)]
    event = pick(stream, [*events, Move(seat, Action.PASS, NO_CARD), _huang()])
    return played.changed("EVENT_AFTER_END", event.seat, end, [event])


def false_huang(played: Round, stream: Stream) -> Planted | None:
    """荒庄 while cards are left in the wall, or before a last discard that could be won on."""
    for spot in played.spots(stream):
        due = spot.phase in (layout.DUE_DISCARD, layout.DRAWN)
        idle = spot.phase == layout.DUE_DRAW or due or spot.calm
        last = due and spot.machine.ruleset.win_discard
        if idle and (spot.left or last) and not _must_win(played, spot):
            return played.ends("FALSE_HUANG", NO_SEAT, spot.seq, [_huang()])
    return None


def missed_huang(played: Round, stream: Stream) -> Planted | None:
    """A draw from the empty wall."""
    for spot in played.acts(stream, Action.HUANG):
        if spot.phase in (layout.SHOWN, layout.DUE_DRAW):
            due = spot.turn if spot.phase == layout.DUE_DRAW else spot.after(spot.owner)
            return played.stops("MISSED_HUANG", NO_SEAT, spot.seq, [Move(due, Action.DRAW, stream.below(20))])
    return None


def missing_event(played: Round, stream: Stream) -> Planted | None:
    """The end is missing, 无人要 where no card lies open, or a win that comes by itself does not come."""
    rules = played.machine.ruleset
    for spot in played.acts(stream, Action.HU):
        first = sum(move.action in (Action.DRAW, Action.DISCARD) for move in played.moves) == 1
        winner = played.moves[spot.seq].seat
        if rules.dihu_forced and first and spot.phase == layout.SHOWN and not spot.drawn:
            return played.goes_on("MISSING_EVENT", winner, spot.seq, nobody_takes(spot), stream)
        by_itself = rules.liang_forced and spot.opening and spot.dealer == winner and bool(spot.free(winner))
        if by_itself and spot.value(winner, -1, layout.W_OWN) >= rules.min_huxi:
            event = Move(winner, Action.DISCARD, pick(stream, spot.free(winner)))
            return played.goes_on("MISSING_EVENT", winner, spot.seq, [event], stream)
    for spot in played.spots(stream):
        if spot.seq == 0:
            continue
        if spot.phase in (layout.DUE_DISCARD, layout.DUE_DRAW, layout.DRAWN) and stream.below(3) == 0:
            event = Move(NO_SEAT, Action.UNCLAIMED, stream.below(20))
            return played.changed("MISSING_EVENT", NO_SEAT, spot.seq, [event])
        return played.ends("MISSING_EVENT", NO_SEAT, spot.seq, [])
    return None


def xing_acted(played: Round, stream: Stream) -> Planted | None:
    """The person who does not play acts; the round is otherwise as it was."""
    if played.seating.sitter is None:
        return None
    for spot in played.spots(stream):
        card = spot.card if spot.card >= 0 else stream.below(20)
        actions = (Action.DISCARD, Action.DRAW, Action.PENG, Action.PAO, Action.HU, Action.PASS)
        event = Move(layout.SITTER, pick(stream, actions), card)
        return played.changed("XING_ACTED", layout.SITTER, spot.seq, [event])
    return None
