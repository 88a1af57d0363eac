"""Faults of the settlement: the play is right, what is reported at its end is not."""

from __future__ import annotations

from typing import Any

import msgspec

from ingest.codes import Action, Form, Source
from ingest.record import Group, Move, Penalty, Ratio, Result
from replay.inject.cards import swapped
from replay.inject.claims import chou_chi, chou_peng, shao_bi
from replay.inject.forced import shi_ti, zou_pao
from replay.inject.ready import ready
from replay.inject.walk import Planted, Round, pick
from replay.kernels import layout
from replay.kernels.bits import class_of
from replay.replayer import replay_round
from replay.simulate import Stream

_SHARES = {"A": 10, "B": 5, "C": 3, "D": 2, "E": 1}
"""What each other person receives (rules 14.6)."""


def _told(played: Round, code: str, seat: int, **parts: Any) -> Planted:
    """The round with other parts of its result; ``seat`` a person."""
    result = msgspec.structs.replace(played.record.result or Result(), **parts)
    record = msgspec.structs.replace(played.record, result=result)
    return Planted(record, len(record.moves), seat, code)


def _won(played: Round) -> Result | None:
    result = played.record.result
    return result if result is not None and (result.winner or 0) >= 0 and result.winner is not None else None


def wrong_result(played: Round, stream: Stream) -> Planted | None:
    """Another winner, another winning card, or from elsewhere."""
    result, won = played.record.result, _won(played)
    if result is None:
        return None
    persons = played.seating.persons
    way = stream.below(4)
    if won is None or won.winner is None or way == 0:
        other = pick(stream, [person for person in (-1, *persons) if person != result.winner])
        return _told(played, "WRONG_RESULT", -1, winner=other)
    if way == 1 and won.card is not None:
        card = pick(stream, [card for card in range(20) if card != won.card])
        return _told(played, "WRONG_RESULT", won.winner, card=card)
    if way == 2 and won.from_seat is not None:
        other = pick(stream, [person for person in persons if person != won.from_seat])
        return _told(played, "WRONG_RESULT", won.winner, from_seat=other)
    if won.source in (None, Source.NONE):
        return None
    source = pick(stream, [source for source in range(1, 5) if source != won.source])
    return _told(played, "WRONG_RESULT", won.winner, source=source)


def final_hand(played: Round, stream: Stream) -> Planted | None:
    """The final hands are told, one with another card."""
    if played.record.result is None:
        return None
    spot = played.at(len(played.moves))
    hands = {seat: tuple(spot.hand(seat)) for seat in spot.seats}
    seat = pick(stream, [seat for seat in spot.seats if hands[seat]])
    hands[seat] = swapped(hands[seat], stream)
    by_person: list[tuple[int, ...] | None] = [None] * len(played.record.players)
    for at, cards in hands.items():
        by_person[played.seating.person(at)] = cards
    return _told(played, "FINAL_HAND", played.seating.person(seat), hands=tuple(by_person))


def wrong_xi(played: Round, stream: Stream) -> Planted | None:
    """Other 胡息 than the cards give, or groups that do not add up to them."""
    won, score = _won(played), played.score
    if won is None or won.winner is None or won.huxi is None or played.machine.ruleset.draw_to_hand:
        return None
    by = pick(stream, (-3, -2, -1, 1, 2, 3))
    if stream.below(2) or score is None or not score.groups:
        return _told(played, "WRONG_XI", won.winner, huxi=won.huxi + by)
    groups = [Group(cards, form, huxi) for form, cards, huxi in score.groups]
    at = stream.below(len(groups))
    groups[at] = msgspec.structs.replace(groups[at], huxi=(groups[at].huxi or 0) + abs(by))
    return _told(played, "WRONG_XI", won.winner, groups=tuple(groups))


def wrong_fan(played: Round, stream: Stream) -> Planted | None:
    """A 番 that the hand has not, or of another number."""
    won, rules = _won(played), played.machine.ruleset
    if won is None or won.winner is None or won.fan is None or rules.fan_level == "none":
        return None
    fan = dict(won.fan)
    real = [name for name, n in fan.items() if name not in ("平胡", "天胡", "地胡", "三提五坎") and n > 0]
    if real and stream.below(2):
        fan[pick(stream, real)] += 1 + stream.below(3)
    else:
        fan[pick(stream, [name for name in ("红胡", "点胡", "乌胡", "清一色") if name not in fan])] = 1 + stream.below(
            5
        )
    return _told(played, "WRONG_FAN", won.winner, fan=fan)


def wrong_score(played: Round, stream: Stream) -> Planted | None:
    """Other units, points or 醒 than the rules give; the points still add up."""
    result, won = played.record.result, _won(played)
    if result is None or result.points is None:
        return None
    way = stream.below(4)
    if won is not None and won.winner is not None and won.units is not None and way == 0:
        return _told(played, "WRONG_SCORE", won.winner, units=Ratio(won.units.num + 1 + stream.below(3), won.units.den))
    if won is not None and won.winner is not None and won.xing_hits is not None and way == 1:
        return _told(played, "WRONG_SCORE", won.winner, xing_hits=won.xing_hits + 1)
    if won is not None and won.xing and way == 2:
        return _told(played, "WRONG_SCORE", -1, xing=swapped(won.xing, stream))
    points = [*result.points]
    gains, pays = stream.shuffled(range(len(points)))[:2]
    by = 1 + stream.below(9)
    points[gains] += by
    points[pays] -= by
    return _told(played, "WRONG_SCORE", -1, points=tuple(points))


def not_zero_sum(played: Round, stream: Stream) -> Planted | None:
    """Points that do not add up to nothing."""
    result = played.record.result
    if result is None or result.points is None:
        return None
    points = [*result.points]
    points[stream.below(len(points))] += pick(stream, (-3, -1, 1, 2, 6))
    return _told(played, "NOT_ZERO_SUM", -1, points=tuple(points))


def _shares(letter: str, offender: int, n: int) -> tuple[int, ...]:
    each = _SHARES[letter]
    return tuple(-each * (n - 1) if person == offender else each for person in range(n))


def penalty_misapplied(played: Round, stream: Stream) -> Planted | None:
    """A penalty for nothing; or for an offence none, another letter, the wrong sign, the wrong receivers."""
    if not played.machine.ruleset.penalties or played.record.result is None:
        return None
    n = len(played.record.players)
    if stream.below(3) == 0:
        letter, person = pick(stream, "ABCDE"), pick(stream, played.seating.persons)
        return _told(played, "PENALTY_MISAPPLIED", -1, penalties=(Penalty(person, letter, _shares(letter, person, n)),))
    letters = {zou_pao: "B", shi_ti: "C", shao_bi: "D", chou_chi: "E", chou_peng: "E"}
    offences = list(letters)
    for number in stream.shuffled(range(len(offences))):
        first = offences[number](played, stream)
        score = None if first is None else replay_round(first.record, played.machine).score
        if first is None or score is None:
            continue
        letter = letters[offences[number]]
        wrong = _misapplied(letter, first.seat, n, stream)
        result = Result(winner=score.winner, points=score.points, penalties=wrong)
        record = msgspec.structs.replace(first.record, result=result)
        also = ((first.seq, first.code, first.seat),)
        return Planted(record, len(record.moves), -1, "PENALTY_MISAPPLIED", also)
    return None


def _misapplied(letter: str, offender: int, n: int, stream: Stream) -> tuple[Penalty, ...]:
    right = _shares(letter, offender, n)
    way = stream.below(4)
    if way == 0:
        return ()
    if way == 1:
        other = pick(stream, [other for other in "ABCDE" if other != letter])
        return (Penalty(offender, other, _shares(other, offender, n)),)
    if way == 2:
        return (Penalty(offender, letter, tuple(-points for points in right)),)
    left_out = pick(stream, [person for person in range(n) if person != offender])
    unpaid = {left_out: 0, offender: right[offender] + right[left_out]}
    return (Penalty(offender, letter, tuple(unpaid.get(person, points) for person, points in enumerate(right))),)


def underclaim(played: Round, stream: Stream) -> Planted | None:
    """Three 绞 are told where the same nine cards make three 顺 that count; a deal of its own."""
    rules = played.machine.ruleset
    if rules.draw_to_hand:
        return None
    hand = ready(played, stream)
    if hand is None or hand.low < rules.min_huxi:
        return None
    fresh, person = hand.played, hand.played.seating.person(hand.seat)
    spot = fresh.at(len(fresh.moves))
    if spot.phase != layout.SHOWN or not spot.rights(hand.seat) & layout.R_HU:
        return None
    groups = [Group(cards, Form.JIAO, 0) for cards in hand.jiao] + [Group(hand.run, Form.SHUN, 0)]
    groups += [Group((kind,) * 3, Form.KAN, rules.huxi_kan[class_of(kind)]) for kind in hand.kan]
    told = Result(winner=person, card=hand.card, huxi=hand.low, groups=tuple(groups))
    win = Move(hand.seat, Action.HU, hand.card)
    record = fresh.told((*fresh.moves, win), result=told, complete=True)
    return Planted(record, len(record.moves), person, "UNDERCLAIM")
