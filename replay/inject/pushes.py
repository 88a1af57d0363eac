"""Faults of a platform that logs what it offers: options not offered, options that are none, windows cut short."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ingest.codes import NO_SEAT, Action
from ingest.record import Move, Offer, Record
from replay.engine import Engine
from replay.inject.spot import Spot
from replay.inject.walk import Planted, Round, pick, walk
from replay.kernels import layout
from replay.offers import Option, allowed
from replay.simulate import Stream

_OPENS = (Action.DISCARD, Action.DRAW)
_OPTIONAL = layout.R_HU | layout.R_PENG | layout.R_CHI
_FORCED = layout.R_PAO | layout.R_TI | layout.R_WEI


def _offer(seq: int, seat: int, card: int, option: Option) -> Offer:
    action, groups = option
    cards: tuple[int, ...] = ()
    if action == Action.PENG:
        cards = (card, card)
    elif action == Action.CHI:
        first = list(groups[0])
        first.remove(card)
        cards = (*first, *(other for group in groups[1:] for other in group))
    return Offer(seq, seat, action, card, cards)


def _window(spot: Spot) -> bool:
    """Options are asked for: a card lies open or is the drawer's own, and no 跑 comes at once (rules 12.12)."""
    return (
        spot.phase in (layout.SHOWN, layout.HIDDEN)
        and spot.card >= 0
        and not any(spot.rights(seat) & layout.R_PAO for seat in spot.seats)
    )


def offered(record: Record, machine: Engine) -> tuple[Record, list[tuple[int, int]]]:
    """The round with every option pushed that the rules give; and the windows: the event that opened it, a seat."""
    told = msgspec.structs.replace(record, offers=(), visible=tuple(range(len(record.players))))
    played = walk(told, machine)
    offers, windows = [], []
    for seq, move in enumerate(played.moves):
        spot = played.at(seq + 1)
        if move.action not in _OPENS or not _window(spot):
            continue
        for seat in spot.seats:
            windows.append((seq, seat))
            offers += [_offer(seq, seat, spot.card, option) for option in sorted(allowed(machine, seat))]
    return msgspec.structs.replace(told, offers=tuple(offers)), windows


def _pushed(record: Record, offers: Iterable[Offer]) -> Record:
    return msgspec.structs.replace(
        record, offers=tuple(sorted(offers, key=lambda o: (o.seq, o.seat, o.action, o.cards)))
    )


def option_not_offered(played: Round, stream: Stream) -> Planted | None:
    """One option that a seat had was not pushed to it, or none of them."""
    if not played.machine.ruleset.hu_pass_kills:
        return None
    record, _ = offered(played.record, played.machine)
    if not record.offers:
        return None
    lost = pick(stream, record.offers)
    both = stream.below(2) == 0
    kept = [o for o in record.offers if o != lost and not (both and (o.seq, o.seat) == (lost.seq, lost.seat))]
    if lost.action == Action.CHI and _maybe_passed(record, played.machine, lost):
        return None
    return Planted(_pushed(record, kept), lost.seq, lost.seat, "OPTION_NOT_OFFERED")


def _maybe_passed(record: Record, machine: Engine, lost: Offer) -> bool:
    """The seat may have passed the kind in a window that another's claim ended; then no offer is missed (12.18)."""
    spot = walk(record, machine).at(lost.seq + 1)
    return spot.barred(lost.seat, lost.card, layout.MAYBE)


def option_not_legal(played: Round, stream: Stream) -> Planted | None:
    """An option was pushed to a seat that had it not."""
    if not played.machine.ruleset.hu_pass_kills:
        return None
    record, windows = offered(played.record, played.machine)
    given = {(offer.seq, offer.seat, offer.action) for offer in record.offers or ()}
    for number in stream.shuffled(range(len(windows))):
        seq, seat = windows[number]
        wrong = [action for action in (Action.HU, Action.PENG) if (seq, seat, action) not in given]
        if wrong:
            option: Option = (pick(stream, wrong), ())
            more = _offer(seq, seat, record.moves[seq].card, option)
            return Planted(_pushed(record, [*(record.offers or ()), more]), seq, seat, "OPTION_NOT_LEGAL")
    return None


def window_cut(played: Round, stream: Stream) -> Planted | None:
    """Every card that nobody took is noted so, but for one that somebody could have taken."""
    if not played.machine.ruleset.hu_pass_kills:
        return None
    moves: list[Move] = []
    open_windows = []
    for seq, move in enumerate(played.moves):
        spot = played.at(seq)
        if move.action in (Action.DRAW, Action.HUANG) and spot.phase in (layout.SHOWN, layout.HIDDEN):
            rights = [spot.rights(seat) for seat in spot.seats]
            passed = played.moves[seq - 1].action == Action.PASS
            could = move.action == Action.DRAW and any(r & _OPTIONAL for r in rights) and not passed
            if could and not any(r & _FORCED for r in rights) and not _declined(played, seq, spot):
                open_windows.append(len(moves))
            moves.append(Move(NO_SEAT, Action.UNCLAIMED, spot.card))
        moves.append(move)
    if not open_windows:
        return None
    cut = pick(stream, open_windows)
    del moves[cut]
    if not any(move.action == Action.UNCLAIMED for move in moves):
        return None
    record, _ = offered(msgspec.structs.replace(played.record, moves=tuple(moves)), played.machine)
    return Planted(record, cut, -1, "WINDOW_CUT")


def _declined(played: Round, seq: int, spot: Spot) -> bool:
    """A 臭偎 later in the round rests on the 碰 that was declined here (rules 6.4)."""
    mine = [seat for seat in spot.seats if spot.rights(seat) & layout.R_PENG]
    later = played.moves[seq:]
    return any(m.action == Action.CHOU_WEI and m.card == spot.card and m.seat in mine for m in later)
