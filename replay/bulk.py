"""Replay of a whole store: compiled kernels certify the rounds that are right, the others are replayed one by one.

A round goes the fast way when its hands and wall are known and its result is a plain one. Whatever the kernel finds or
computes differently from what was reported sends the round through ``replay_round``, so that every finding comes from
there. The rows are the same either way.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from ingest.codes import Action
from ingest.record import Record, Result
from ingest.rows import records
from ingest.store import Store, replace_tables
from replay.engine import Engine, deal_of, engine, events_of
from replay.explain import Item
from replay.findings import Finding
from replay.kernels import layout
from replay.kernels.audit import S_FOUND, S_PHASE, S_VALUE, S_WINNER, SUMMARY_SIZE
from replay.kernels.jit import compiled
from replay.kernels.layout import O_HITS, SCORE0
from replay.replayer import Replay, check_deal, hidden_parts, replay_round, rules_of
from replay.ruleset import Ruleset
from replay.rulesets import effective_options
from replay.score import Score, groups_of_row, score_of
from replay.seating import Seating, seated
from replay.session import session_findings
from replay.settlement import told
from replay.table import Table, put
from replay.tables import FINDINGS, LEADER, SCORES, TABLES, VERDICTS
from replay.version import ENGINE_VERSION

CHUNK = 4096


@dataclass(slots=True)
class Rows:
    """Rows of the three result tables, as they grow."""

    verdicts: list[tuple[Any, ...]] = field(default_factory=list)
    findings: list[tuple[Any, ...]] = field(default_factory=list)
    scores: list[tuple[Any, ...]] = field(default_factory=list)

    def frames(self) -> dict[str, pl.DataFrame]:
        """The tables, each in its total order."""
        return {
            "verdicts": pl.DataFrame(self.verdicts, schema=VERDICTS, orient="row").sort("round_id"),
            "findings": pl.DataFrame(self.findings, schema=FINDINGS, orient="row").sort("round_id", "idx"),
            "scores": pl.DataFrame(self.scores, schema=SCORES, orient="row").sort("round_id"),
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """What a replay of a store came to."""

    rounds: int
    events: int
    verdicts: dict[str, int]
    findings: dict[str, int]


def plain(record: Record) -> bool:
    """Is nothing recorded but what a row of the kernels can be compared with?"""
    result = record.result or Result()
    if record.omits:
        return False
    parts = (record.offers, result.groups, result.hands, result.rest, result.penalties)
    return all(part is None for part in parts) and not any(move.face for move in record.moves)


def _fast(record: Record, seating: Seating, ruleset: Ruleset) -> bool:
    return plain(record) and not hidden_parts(seating) and not check_deal(seating, ruleset)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tables keep of one replayed round."""

    record: Record
    ruleset: Ruleset
    verdict: str
    undecidable: tuple[str, ...]
    findings: tuple[Finding, ...]
    score: Score | None


def outcome_of(record: Record, replay: Replay) -> Outcome:
    """A replay without what is not stored."""
    rules = rules_of(record)
    return Outcome(record, rules, replay.verdict, replay.undecidable, replay.findings, replay.score)


def replay_records(records: Sequence[Record], engines: dict[Ruleset, Engine]) -> list[Outcome]:
    """Replay rounds, in the order given, each also against those of its session."""
    done: dict[int, Outcome] = {}
    fast: dict[Ruleset, list[tuple[int, Record, Seating]]] = defaultdict(list)
    for index, record in enumerate(records):
        ruleset = rules_of(record)
        seating = seated(record, ruleset)
        if _fast(record, seating, ruleset):
            fast[ruleset].append((index, record, seating))
        else:
            done[index] = outcome_of(record, replay_round(record, _engine(engines, ruleset)))
    for ruleset, batch in fast.items():
        _audit(batch, done, _engine(engines, ruleset))
    outcomes = [done[index] for index in range(len(records))]
    joint = session_findings(records, outcomes)
    return [
        replace(outcome, findings=outcome.findings + more, verdict="violations") if more else outcome
        for outcome, more in zip(outcomes, joint, strict=True)
    ]


def _engine(engines: dict[Ruleset, Engine], ruleset: Ruleset) -> Engine:
    if ruleset not in engines:
        engines[ruleset] = engine(ruleset, compiled())
    return engines[ruleset]


def audit_arrays(rounds: Sequence[Seating]) -> tuple[Any, Any, Any, Any]:
    """Deals, events, spans and completeness of rounds as the int64 arrays of ``audit_rounds``."""
    deals: list[int] = []
    events: list[int] = []
    spans = [0]
    for seating in rounds:
        deals += deal_of(seating)
        events += events_of(seating.record)
        spans.append(spans[-1] + len(seating.record.moves))
    wholes = [int(seating.record.complete) for seating in rounds]
    return tuple(np.array(values, dtype=np.int64) for values in (deals, events, spans, wholes))  # type: ignore[return-value]


def run_audit(machine: Engine, deals: Any, events: Any, spans: Any, wholes: Any) -> tuple[Any, Any]:
    """Run the audit kernel over arrays of rounds; returns summaries (rounds × SUMMARY_SIZE) and the finding rows."""
    rounds = len(wholes)
    summaries = np.zeros(rounds * SUMMARY_SIZE, dtype=np.int64)
    findings = np.zeros((1 + layout.ROW) * (layout.MAX_FOUND + 4 * rounds), dtype=np.int64)
    while True:
        room = len(findings) // (1 + layout.ROW)
        n = machine.kernels.audit_rounds(
            machine.state, machine.table, rounds, room, deals, events, spans, wholes, summaries, findings
        )
        if n >= 0:
            return summaries.reshape(rounds, SUMMARY_SIZE), findings[: n * (1 + layout.ROW)]
        findings = np.zeros(2 * len(findings), dtype=np.int64)


def _audit(batch: list[tuple[int, Record, Seating]], done: dict[int, Outcome], machine: Engine) -> None:
    summaries, _ = run_audit(machine, *audit_arrays([seating for _, _, seating in batch]))
    for (index, record, seating), row in zip(batch, summaries.tolist(), strict=True):
        score = _clean_score(seating, machine.ruleset, row)
        if score is None:
            done[index] = outcome_of(record, replay_round(record, machine))
        else:
            done[index] = Outcome(record, machine.ruleset, "clean", (), (), score)


def _groups(record: Record, ruleset: Ruleset, row: list[int]) -> list[Item]:
    table = Table()
    for move in record.moves:
        put(table, move, ruleset)
    winner = row[S_WINNER]
    return groups_of_row(row, table.melds[winner], ruleset, dealer=winner == record.dealer)


def _clean_score(seating: Seating, ruleset: Ruleset, row: list[int]) -> Score | None:
    """The score of a round that the kernel certifies and whose reported result agrees with it; None for any doubt."""
    record = seating.record
    won = row[S_WINNER] >= 0
    left = any(move.action == Action.LEAVE for move in record.moves[-1:])
    unsure = left or row[S_FOUND] or row[S_PHASE] != layout.OVER or row[O_HITS - SCORE0] < 0
    result = record.result or Result()
    if unsure or (won and row[S_VALUE] < 0) or result.winner not in (None, seating.person(row[S_WINNER])):
        return None
    score = score_of(row, seating, ruleset, _groups(record, ruleset, row) if won else ())
    return None if told(result, score, ruleset, len(record.moves)) else score


@lru_cache(maxsize=64)
def _options(ruleset: Ruleset) -> str:
    """The options in force as canonical JSON."""
    return json.dumps(effective_options(ruleset), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _score_row(key: str, record: Record, score: Score) -> tuple[Any, ...]:
    result = record.result or Result()
    named = {**({score.special: 1} if score.special and score.winner >= 0 else {}), **score.fan}
    return (
        key,
        ENGINE_VERSION,
        score.winner,
        score.special,
        record.dealer,
        score.source,
        score.from_seat,
        score.huxi,
        score.units,
        [{"name": name, "n": n} for name, n in named.items()],
        score.fan_total,
        [{"form": int(form), "cards": list(cards), "huxi": huxi} for form, cards, huxi in score.groups],
        list(score.points),
        result.huxi,
        None if result.points is None else list(result.points),
    )


def add(rows: Rows, key: str, outcome: Outcome) -> None:
    """The rows of one replayed round."""
    n_findings, n_events = len(outcome.findings), len(outcome.record.moves)
    head = (key, ENGINE_VERSION, outcome.ruleset.name, _options(outcome.ruleset), outcome.verdict)
    rows.verdicts.append((*head, list(outcome.undecidable), n_findings, n_events))
    for index, f in enumerate(outcome.findings):
        texts = (f.expected, f.actual)
        rows.findings.append(
            (key, ENGINE_VERSION, index, f.seq, f.code, f.seat, f.severity, f.clause, *texts, f.follows_from)
        )
    if outcome.score is not None:
        rows.scores.append(_score_row(key, outcome.record, outcome.score))


def chunks(sessions_of: Sequence[tuple[str, str, str]], size: int) -> Iterator[tuple[int, int]]:
    """Parts of at least ``size`` rounds of a store sorted by session, no session being cut: ``(first, end)``."""
    first = 0
    for end in range(1, len(sessions_of) + 1):
        whole = end == len(sessions_of) or sessions_of[end] != sessions_of[end - 1] or not any(sessions_of[end][1:])
        if whole and (end - first >= size or end == len(sessions_of)):
            yield first, end
            first = end


def replay_store(store: Store, progress: Callable[[int, int], None] | None = None) -> Summary:
    """Replay every round of a store and replace its verdicts, findings and scores in one commit.

    ``progress(done, total)`` is called after each chunk of rounds.
    """
    names = ("platform", "room", "session")
    rounds = store.scan("rounds").sort(*names, "round_no", "started_at", "round_id", nulls_last=True).collect()
    rows = Rows()
    engines: dict[Ruleset, Engine] = {}
    events = 0
    for first, end in chunks(rounds.select(names).rows(), CHUNK):
        part = rounds.slice(first, end - first)
        outcomes = replay_records(list(records(part)), engines)
        for key, outcome in zip(part["round_id"], outcomes, strict=True):
            add(rows, key, outcome)
            events += len(outcome.record.moves)
        if progress is not None:
            progress(end, len(rounds))
    frames = rows.frames()
    replace_tables(store, LEADER, frames, TABLES)
    verdicts = dict(frames["verdicts"].group_by("verdict").len().sort("verdict").iter_rows())
    findings = dict(frames["findings"].group_by("code").len().sort("code").iter_rows())
    return Summary(len(rounds), events, verdicts, findings)
