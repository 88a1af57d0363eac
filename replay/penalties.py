"""罚则: what offences cost in a match, by letter, and whether a platform charged them rightly (rules 14.6 to 14.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ingest.codes import ACTION_CHARS, Action
from ingest.notation_moves import write_penalty
from ingest.record import Penalty, Result

if TYPE_CHECKING:
    from replay.findings import Finding
    from replay.rulesets import Ruleset

TARIFF = {"A": 10, "B": 5, "C": 3, "D": 2, "E": 1}
"""Letter → points that each other person receives from the offender."""
LETTERS = {
    "ZHA_HU_XI": "A",
    "ZHA_HU_SHAPE": "A",
    "HU_SOURCE": "A",
    "PO_TI": "A",
    "PO_WEI": "A",
    "ZOU_PAO": "B",
    "SHI_TI": "C",
    "SHAO_BI": "D",
    "CHOU_CHI": "E",
    "CHOU_PENG": "E",
}
"""Letters of the offences that have one of their own; the option ``letters`` gives others theirs."""
_BROKEN = frozenset({"CHAI_KAN", "CHAI_TI"})


class Charge(NamedTuple):
    """A penalty that is due: the offender, the letter, and the event with which the offence was complete."""

    seat: int
    letter: str
    seq: int


def penalties(findings: Sequence[Finding], ruleset: Ruleset) -> tuple[Charge, ...]:
    """The charges of a round, by event, seat and letter; none where the ruleset has no 罚则.

    Only offences (severity 2) of a seat that do not merely follow from another finding count, each time they occur.
    """
    if not ruleset.penalties:
        return ()
    offences = [f for f in findings if f.severity == 2 and f.follows_from is None and f.seat >= 0]
    own = LETTERS | dict(pair.split("=", 1) for pair in ruleset.letters)
    charges = [
        Charge(f.seat, letter, f.seq)
        for f in offences
        if f.code != "HU_BANNED" and (letter := "A" if _in_a_win(f) else own.get(f.code, ""))
    ]
    for seat in sorted({f.seat for f in offences if f.code == "HU_BANNED"}):
        claims = [Charge(seat, "A", f.seq) for f in offences if f.code == "HU_BANNED" and f.seat == seat]
        # A broken 坎 without a letter costs nothing by itself: it is a 诈胡 once a win is claimed with it.
        broken = any(f.code in _BROKEN and f.code not in own and f.seat == seat for f in offences)
        charges = _banned_wins(charges, claims, broken, ruleset.void_win)
    return tuple(sorted(charges, key=lambda charge: (charge.seq, charge.seat, charge.letter)))


def _in_a_win(finding: Finding) -> bool:
    """True for a 拆坎 or 拆提 that the laid cards of a claimed win show."""
    return finding.code in _BROKEN and ACTION_CHARS[Action.HU] in finding.actual.split()


def _banned_wins(charges: list[Charge], claims: list[Charge], broken: bool, void_win: str) -> list[Charge]:
    """The charges once a seat without the right to win has claimed wins, each of which ``claims`` calls 诈胡 (14.9)."""
    seat = claims[0].seat
    if void_win == "specific":
        return charges + claims if broken else charges
    if void_win == "both":
        return charges + claims
    earlier = [charge for charge in charges if charge.seat == seat and charge.seq <= claims[-1].seq]
    if void_win == "max" and _cost(earlier) > _cost(claims):
        return charges
    return [charge for charge in charges if charge not in earlier] + claims


def _cost(charges: Sequence[Charge]) -> int:
    return sum(TARIFF[charge.letter] for charge in charges)


def is_void(charges: Sequence[Charge], winner: int) -> bool:
    """True when the winner is an offender: the win counts for nothing, only the penalties are paid (14.7)."""
    return any(charge.seat == winner for charge in charges)


def charged(points: Sequence[int], charges: Sequence[Charge], *, idle: int | None = None) -> tuple[int, ...]:
    """``points`` of each person with the penalties added (14.6, 14.8): each other person receives what the letter says.

    ``idle``: a person who has no part in any payment (坐底); a 醒家 receives like the rest.
    """
    total = list(points)
    for charge in charges:
        for person, change in enumerate(_shares(charge, len(points), idle)):
            total[person] += change
    return tuple(total)


def _shares(charge: Charge, n: int, idle: int | None) -> tuple[int, ...]:
    share = TARIFF[charge.letter]
    receivers = [person for person in range(n) if person not in (charge.seat, idle)]
    return tuple(
        -share * len(receivers) if person == charge.seat else share * (person in receivers) for person in range(n)
    )


def misapplied(result: Result, charges: Sequence[Charge], n: int, *, idle: int | None = None) -> list[tuple[str, str]]:
    """Pairs (due, reported) of the penalties among ``n`` persons that differ, as in the notation; "" where one side has
    none. Empty where no penalties were reported at all.
    """
    if result.penalties is None:
        return []
    due = [Penalty(charge.seat, charge.letter, _shares(charge, n, idle)) for charge in charges]
    told: list[Penalty] = []
    for penalty in result.penalties:
        if penalty in due:
            due.remove(penalty)
        else:
            told.append(penalty)
    pairs: list[tuple[str, str]] = []
    for penalty in told:
        like = [p for p in due if (p.seat, p.letter) == (penalty.seat, penalty.letter)]
        like += [p for p in due if p.seat == penalty.seat]
        if like:
            due.remove(like[0])
        pairs.append((write_penalty(like[0]) if like else "", write_penalty(penalty)))
    return sorted(pairs + [(write_penalty(penalty), "") for penalty in due])
