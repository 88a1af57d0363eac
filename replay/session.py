"""Rounds of one session: who deals next, 荒庄 running, running totals (rules 14.13, chapter 18)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol

from ingest.codes import Action
from ingest.record import Record
from replay.findings import Finding, make
from replay.penalties import is_void, penalties
from replay.ruleset import Ruleset
from replay.rulesets import resolve
from replay.score import Score

VOID = frozenset(
    {"ZHA_HU_XI", "ZHA_HU_SHAPE", "HU_BANNED", "HU_SOURCE", "PO_TI", "PO_WEI", "CHOU_HU", "CHAI_KAN", "CHAI_TI"}
)
"""Offences that make the win void with which they stand."""
_PASSES = 3
_ANY_COUNT = frozenset(range(_PASSES))

Key = tuple[str, str, str]
_Link = Literal["follows", "anew", "gap"]


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What a session shows; every tuple has an entry for each given round, in the order given.

    ``order``: the given rounds by number in order of play. ``dealers``: the seats that may deal the round, None where
    any may. ``huang_counts``: 荒庄 running after the round, None where earlier rounds are not known. ``totals``:
    recomputed points of each person so far, None once a round is missing or cannot be computed.
    ``undecidable``: why the dealer could not be checked.
    """

    order: tuple[int, ...]
    dealers: tuple[tuple[int, ...] | None, ...]
    huang_counts: tuple[int | None, ...]
    totals: tuple[dict[str, int] | None, ...]
    findings: tuple[tuple[Finding, ...], ...]
    undecidable: tuple[tuple[str, ...], ...]


class Played(Protocol):
    """What a session needs of a replayed round: ``replay.replayer.Replay``, or ``replay.bulk.Outcome``."""

    @property
    def findings(self) -> Sequence[Finding]:
        """Findings of the round itself."""

    @property
    def score(self) -> Score | None:
        """Its recomputed score, None where it cannot be known."""


class _Outcome(NamedTuple):
    kind: Literal["win", "huang", "void", "left", "unknown"]
    winner: int = -1


@dataclass(slots=True)
class _State:
    """What is known before a round. ``counts``: how many 荒庄 may be running; ``creator``: who opened the room."""

    allowed: frozenset[int] | None = None
    why: str = ""
    counts: frozenset[int] = frozenset({0})
    creator: int | None = None
    totals: dict[str, int] | None = field(default_factory=dict)


def session_key(record: Record) -> Key | None:
    """Platform, room and session of a record; None where it names neither room nor session and so belongs to none."""
    return (record.platform, record.room, record.session) if record.room or record.session else None


def sessions(records: Iterable[Record]) -> list[list[int]]:
    """Numbers of the records of each session in the order met, a record of no session by itself."""
    groups: dict[Key | int, list[int]] = {}
    for index, record in enumerate(records):
        groups.setdefault(session_key(record) or index, []).append(index)
    return list(groups.values())


def check_session(rounds: Sequence[tuple[Record, Played]]) -> SessionReport:
    """Check the rounds of one session against each other. Pure; the order given does not matter but among rounds that
    have neither number nor time.

    A round is compared with the one before it only where their numbers follow each other and the same persons sit in
    the same seats. Raises ``replay.rulesets.RulesetError`` for a ruleset that is not known.
    """
    order = sorted(range(len(rounds)), key=lambda index: _place(rounds[index][0], index))
    dealers: dict[int, tuple[int, ...] | None] = {}
    counts: dict[int, int | None] = {}
    totals: dict[int, dict[str, int] | None] = {}
    findings: dict[int, tuple[Finding, ...]] = {}
    undecidable: dict[int, tuple[str, ...]] = {}
    state = _State()
    last: Record | None = None
    for index in order:
        record, replay = rounds[index]
        ruleset = resolve(record.ruleset, record.options)
        link = _link(last, record)
        state = _entered(state, link, last, record, ruleset)
        found, why = _dealer(state, record)
        found += _sitter(record, ruleset)
        if last is not None and link == "follows":
            found += _totals(last, record)
        outcome = _outcome(record, replay, ruleset)
        dealers[index] = None if state.allowed is None else tuple(sorted(state.allowed))
        state = _left(state, record, replay, outcome, ruleset)
        counts[index] = next(iter(state.counts)) if len(state.counts) == 1 else None
        totals[index] = state.totals
        findings[index] = tuple(found)
        undecidable[index] = (why,) if why else ()
        last = record
    given = range(len(rounds))
    return SessionReport(
        tuple(order),
        tuple(dealers[index] for index in given),
        tuple(counts[index] for index in given),
        tuple(totals[index] for index in given),
        tuple(findings[index] for index in given),
        tuple(undecidable[index] for index in given),
    )


def _place(record: Record, index: int) -> tuple[bool, int, str, int]:
    return record.round_no is None, record.round_no or 0, record.started_at or "", index


def _link(last: Record | None, record: Record) -> _Link:
    """``follows``: nothing is missing between the two; ``anew``: a new session begins (18.4, 18.5); else ``gap``."""
    if record.round_no is None or record.round_no != 1 + (0 if last is None else last.round_no or 0):
        return "gap"
    if last is None or last.players != record.players or any(move.action == Action.LEAVE for move in last.moves):
        return "anew"
    return "follows"


def _entered(state: _State, link: _Link, last: Record | None, record: Record, ruleset: Ruleset) -> _State:
    """``state`` as it stands when the round begins."""
    if link == "anew":
        state = _State()
    elif link == "gap":
        same = last is not None and last.players == record.players
        why = "" if ruleset.dealer_next == "dice" else "dealer: the round before is missing"
        totals: dict[str, int] | None = {} if last is None else None
        state = _State(None, why, _ANY_COUNT, state.creator if same else None, totals)
    elif last is not None and record.dealer != last.dealer:
        state = replace(state, counts=frozenset({0}))
    elif ruleset.huang_three:
        # The dealer would have passed the deal after three: so many there were not, or the count begins anew.
        state = replace(state, counts=state.counts - {_PASSES} or frozenset({0}))
    if record.round_no == 1 or (state.creator is None and ruleset.dealer_next == "creator"):
        state = replace(state, creator=record.dealer)
    return state


def _dealer(state: _State, record: Record) -> tuple[list[Finding], str]:
    """Findings of the round's dealer (18.1), and why the dealer is undecided."""
    if state.allowed is None:
        return [], state.why
    if record.dealer in state.allowed:
        return [], "dealer: earlier rounds are missing" if len(state.allowed) > 1 else ""
    expected = "dealer " + " or ".join(map(str, sorted(state.allowed)))
    return [make("WRONG_DEALER", -1, record.dealer, expected, f"dealer {record.dealer}")], ""


def _sitter(record: Record, ruleset: Ruleset) -> list[Finding]:
    """Findings of the seat of the person who does not play: of four, the one opposite the dealer (14.13, 15.1)."""
    if len(record.players) != 4 or ruleset.sitter == "none":
        return []
    opposite = (record.dealer + 2) % 4
    if record.sitter == opposite:
        return []
    finding = make("WRONG_DEALER", -1, record.dealer, f"sitter {opposite}", f"sitter {record.sitter}")
    return [replace(finding, clause="14.13" if ruleset.sitter == "xing" else "15.1")]


def _totals(last: Record, record: Record) -> list[Finding]:
    """Findings of the reported running totals (18.3)."""
    before, now = last.result, record.result
    if before is None or now is None or before.totals is None or now.totals is None or now.points is None:
        return []
    due = [total + points for total, points in zip(before.totals, now.points, strict=True)]
    if due == list(now.totals):
        return []
    return [make("WRONG_TOTAL", len(record.moves), -1, f"totals {due}", f"totals {list(now.totals)}")]


def _outcome(record: Record, replay: Played, ruleset: Ruleset) -> _Outcome:
    """How the round ended, by its last deciding event or else as reported."""
    for seq in range(len(record.moves) - 1, -1, -1):
        move = record.moves[seq]
        if move.action == Action.LEAVE:
            return _Outcome("left")
        if move.action == Action.HUANG:
            return _Outcome("huang")
        if move.action == Action.HU:
            broken = any(f.seq == seq and f.seat == move.seat and f.code in VOID for f in replay.findings)
            void = broken or is_void(penalties(replay.findings, ruleset), move.seat)
            return _Outcome("void") if void else _Outcome("win", move.seat)
    winner = None if record.result is None else record.result.winner
    if winner is None:
        return _Outcome("unknown")
    return _Outcome("huang") if winner < 0 else _Outcome("win", winner)


def _left(state: _State, record: Record, replay: Played, outcome: _Outcome, ruleset: Ruleset) -> _State:
    """``state`` as the round leaves it for the next."""
    counts = {
        "win": frozenset({0}),
        "left": frozenset({0}),
        "void": state.counts,
        "huang": frozenset(count + 1 for count in state.counts),
        "unknown": _ANY_COUNT,
    }[outcome.kind]
    after = replace(state, counts=counts, why="", totals=_added(state.totals, record, replay))
    if outcome.kind == "left" or ruleset.dealer_next == "dice":
        return replace(after, allowed=None)
    if outcome.kind == "unknown":
        return replace(after, allowed=None, why="dealer: how the round before ended is not known")
    allowed = _next_dealers(after, record, outcome, ruleset)
    return replace(after, allowed=allowed, why="" if allowed else "dealer: who opened the room is not known")


def _next_dealers(state: _State, record: Record, outcome: _Outcome, ruleset: Ruleset) -> frozenset[int] | None:
    """Seats that may deal after the round (11.5, 11.6); None where that is whoever opened the room, who is unknown."""
    rule = {"win": ruleset.dealer_next, "huang": ruleset.huang_next}.get(outcome.kind, "keep")
    if "creator" in (rule, ruleset.dealer_next):
        return None if state.creator is None else frozenset({state.creator})
    if rule == "winner":
        return frozenset({outcome.winner})
    if rule == "next":
        return frozenset({_next_seat(record)})
    if outcome.kind == "huang" and ruleset.huang_three and _PASSES in state.counts:
        keeps = frozenset({record.dealer}) if len(state.counts) > 1 else frozenset()
        return keeps | {_next_seat(record)}
    return frozenset({record.dealer})


def _next_seat(record: Record) -> int:
    """The dealer's 下家 among those who play."""
    n = len(record.players)
    seats = ((record.dealer + step) % n for step in range(1, n))
    return next(seat for seat in seats if seat != record.sitter)


def _added(totals: dict[str, int] | None, record: Record, replay: Played) -> dict[str, int] | None:
    if totals is None or replay.score is None or len(set(record.players)) < len(record.players):
        return None
    return {
        player: totals.get(player, 0) + points
        for player, points in zip(record.players, replay.score.points, strict=True)
    }


def session_findings(records: Sequence[Record], played: Sequence[Played]) -> list[tuple[Finding, ...]]:
    """Findings of every round that only the rounds beside it show, in the order given."""
    found: list[tuple[Finding, ...]] = [()] * len(records)
    for group in sessions(records):
        report = check_session([(records[index], played[index]) for index in group])
        for index, findings in zip(group, report.findings, strict=True):
            found[index] = findings
    return found
