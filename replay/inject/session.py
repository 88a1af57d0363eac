"""Faults that only the rounds before show: who deals, and running totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ingest.record import Record, Result
from replay.inject.walk import Planted, Round, pick
from replay.simulate import Stream

_NAMES = ("甲", "乙", "丙", "丁")


def turned(record: Record, places: Sequence[int]) -> Record:
    """The same round with person ``i`` at place ``places[i]``; names stay where they are."""
    n = len(record.players)
    at = {place: person for person, place in enumerate(places)}
    back = [at[place] for place in range(n)]

    def moved(seat: int | None) -> int | None:
        return seat if seat is None or seat < 0 else places[seat]

    def spread(values: Sequence[Any] | None) -> tuple[Any, ...] | None:
        return None if values is None else tuple(values[person] for person in back)

    result = record.result
    if result is not None:
        result = msgspec.structs.replace(
            result,
            winner=moved(result.winner),
            from_seat=moved(result.from_seat),
            points=spread(result.points),
        )
    return msgspec.structs.replace(
        record,
        dealer=places[record.dealer],
        sitter=moved(record.sitter),
        hands=spread(record.hands),
        moves=tuple(msgspec.structs.replace(move, seat=moved(move.seat)) for move in record.moves),
        result=result,
    )


def _numbered(record: Record, number: int, totals: Sequence[int] | None = None) -> Record:
    """The round as the ``number``-th of a session of persons who stay where they are."""
    names = _NAMES[: len(record.players)]
    result = record.result
    if totals is not None and result is not None:
        result = msgspec.structs.replace(result, totals=tuple(totals))
    return msgspec.structs.replace(record, players=names, session="s", round_no=number, result=result)


def _dealt_by(record: Record, dealer: int) -> Record:
    """The round turned so that ``dealer`` deals."""
    n = len(record.players)
    return turned(record, [(person + dealer - record.dealer) % n for person in range(n)])


def _next_dealer(record: Record, rules: Any) -> int:
    """Who deals after the first round of a session (rules 11.5; that round's dealer has opened the room)."""
    winner = -1 if record.result is None or record.result.winner is None else record.result.winner
    return record.dealer if winner < 0 or rules.dealer_next == "creator" else winner


def wrong_dealer(played: Round, stream: Stream) -> Planted | None:
    """The next round is dealt by another seat, another of four persons sits out, or after three 荒庄 the same deals."""
    record, rules = played.record, played.machine.ruleset
    result = record.result
    if result is None or rules.dealer_next == "dice":
        return None
    n, drawn = len(record.players), (result.winner or 0) < 0
    first = _numbered(record, 1)
    if n == 4 and stream.below(3) == 0:
        return _wrong_sitter(first, stream)
    if drawn and rules.huang_three and rules.huang_next == "keep" and stream.below(2):
        rounds = [_numbered(record, number) for number in range(1, 5)]
        return Planted(rounds[3], -1, record.dealer, "WRONG_DEALER", before=tuple(rounds[:3]))
    right = _next_dealer(record, rules)
    wrong = pick(stream, [person for person in range(n) if person != right])
    second = _dealt_by(_numbered(record, 2), wrong)
    return Planted(second, -1, wrong, "WRONG_DEALER", before=(first,))


def _wrong_sitter(record: Record, stream: Stream) -> Planted:
    """The person beside the dealer sits out, and the others play in the same order."""
    dealer = record.dealer
    playing = [person for step in range(4) if (person := (dealer + step) % 4) != record.sitter]
    sitting = [person for person in range(4) if person not in playing]
    order = [playing[0], *sitting, *playing[1:]] if stream.below(2) else [*playing, *sitting]
    places = [0] * 4
    for step, person in enumerate(order):
        places[person] = (dealer + step) % 4
    return Planted(turned(record, places), -1, dealer, "WRONG_DEALER")


def wrong_total(played: Round, stream: Stream) -> Planted | None:
    """The totals after the second round are not those after the first with its points."""
    record, rules = played.record, played.machine.ruleset
    if record.result is None or record.result.points is None:
        return None
    totals = [stream.below(200) - 100 for _ in record.players]
    first = _numbered(record, 1, totals)
    second = _dealt_by(_numbered(record, 2), _next_dealer(record, rules))
    points = (second.result or Result()).points or ()
    after = [total + gain for total, gain in zip(totals, points, strict=True)]
    after[stream.below(len(after))] += pick(stream, (-2, -1, 1, 5))
    return Planted(_numbered(second, 2, after), len(record.moves), -1, "WRONG_TOTAL", before=(first,))
