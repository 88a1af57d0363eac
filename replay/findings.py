"""Findings as people and programs read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ingest.cards import name
from ingest.codes import ACTION_CHARS, Action
from replay.kernels.layout import ROW
from replay.violations import BY_NUMBER, VIOLATIONS

_NUMBERS = {"SHAO_BI", "FIFTH_COPY", "ZHA_HU_XI"}
"""Codes whose expected and actual values are plain numbers."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. ``seq`` is the event (the number of events = the settlement, -1 = the deal); ``follows_from`` the
    index of the finding that it follows from, None for a root."""

    seq: int
    code: str
    seat: int
    severity: int
    clause: str
    expected: str
    actual: str
    follows_from: int | None = None


def make(code: str, seq: int, seat: int = -1, expected: str = "", actual: str = "") -> Finding:
    """A finding with the severity and clause of its code."""
    violation = VIOLATIONS[code]
    return Finding(seq, code, seat, violation.severity, violation.clause, expected, actual)


def _same(seat: int) -> int:
    return seat


def event_text(code: int, person: Callable[[int], int] = _same) -> str:
    """A packed event (``kernels.window.event_code``) as in the notation: ``1 碰 五``; empty for nothing.

    ``person``: the person of the record who sits at a seat (``replay.seating``).
    """
    action, card, seat = code & 255, (code >> 8 & 255) - 2, (code >> 16) - 1
    pieces = [] if seat < 0 else [str(person(seat))]
    if action:
        pieces.append(ACTION_CHARS[Action(action)])
    if card >= -1 and code:
        pieces.append(name(card))
    return " ".join(pieces)


def from_rows(rows: Sequence[int], person: Callable[[int], int] = _same) -> list[Finding]:
    """Kernel rows as findings, in the order found; seats become persons of the record."""
    found = []
    for i in range(0, len(rows), ROW):
        seq, number, seat, expected, actual = rows[i : i + ROW]
        violation = BY_NUMBER[number]
        clause = _clause(violation.code, expected, actual)
        number_texts = violation.code in _NUMBERS
        if violation.code == "SHAO_BI":
            texts = ("0", str(expected))
        elif number_texts:
            texts = (str(expected), str(actual))
        else:
            texts = (event_text(expected, person), event_text(actual, person))
        found.append(replace(make(violation.code, seq, person(seat), *texts), clause=clause))
    return found


def _clause(code: str, expected: int, actual: int) -> str:
    """The clause of a finding; two codes stand for offences of more than one clause."""
    if code == "SHI_TI" and expected & 255 == Action.TI:
        return "6.10"
    if code in ("CHAI_KAN", "CHAI_TI") and actual & 255 == Action.DISCARD:
        return "3.2"
    return VIOLATIONS[code].clause


def link(findings: Sequence[Finding]) -> list[Finding]:
    """Sort by event and mark what follows: after a log that cannot be true, later findings may only be its echo."""
    ordered = sorted(findings, key=lambda f: f.seq)
    linked: list[Finding] = []
    root: int | None = None
    for index, finding in enumerate(ordered):
        cause = root
        if finding.code == "WRONG_SCORE" and cause is None:  # units and points are wrong where what they count is
            before = ("WRONG_XI", "WRONG_FAN", "NOT_ZERO_SUM" if finding.expected.startswith("points") else "")
            causes = [i for i, f in enumerate(linked) if f.seq == finding.seq and f.code in before]
            cause = causes[0] if causes else None
        linked.append(finding if cause is None or finding.severity == 0 else replace(finding, follows_from=cause))
        if root is None and finding.severity == 3:
            root = index
    return linked
