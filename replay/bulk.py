"""Replay of a whole store: compiled kernels certify the rounds that are right, the others are replayed one by one.

A round goes the fast way when its hands and wall are known and its result is a plain one. Whatever the kernel finds or
computes differently from what was reported sends the round through ``replay_round``, so that every finding comes from
there. The rows are the same either way.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from ingest.codes import Action
from ingest.record import Record, Result
from ingest.rows import unpack
from ingest.store import Store, replace_tables
from replay import fan
from replay.engine import Engine, deal_of, engine, events_of
from replay.explain import Item
from replay.kernels import layout
from replay.kernels.audit import (
    S_CARD,
    S_FOUND,
    S_FROM,
    S_HAND,
    S_PHASE,
    S_QUADS,
    S_SOURCE,
    S_SPECIAL,
    S_VALUE,
    S_WALL,
    S_WINNER,
    SUMMARY_SIZE,
)
from replay.kernels.jit import compiled
from replay.kernels.layout import (
    O_BIG,
    O_DENG,
    O_FAN,
    O_FAN_TOTAL,
    O_HITS,
    O_HUXI,
    O_POINTS,
    O_RED,
    O_SMALL,
    O_TURNED,
    O_UNITS,
    SCORE0,
)
from replay.replayer import Replay, by_person, check_deal, hidden_parts, replay_round, rules_of
from replay.ruleset import Ruleset
from replay.rulesets import effective_options
from replay.seating import Seating, seated
from replay.settlement import Score, groups_of_win, told
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


def _plain_result(result: Result | None) -> bool:
    """Nothing reported but what the kernel can compare itself."""
    return result is None or all(part is None for part in (result.groups, result.hands, result.rest, result.penalties))


def _fast(record: Record, seating: Seating, ruleset: Ruleset) -> bool:
    return (
        record.offers is None
        and _plain_result(record.result)
        and not hidden_parts(record)
        and not check_deal(seating, ruleset)
        and not any(move.face for move in record.moves)
    )


def replay_records(records: Sequence[tuple[str, Record]], rows: Rows, engines: dict[Ruleset, Engine]) -> int:
    """Replay ``(round_id, record)`` pairs into ``rows``; returns the number of events."""
    events = 0
    fast: dict[Ruleset, list[tuple[str, Record, Seating]]] = defaultdict(list)
    for key, record in records:
        events += len(record.moves)
        ruleset = rules_of(record)
        seating = seated(record, ruleset)
        if _fast(record, seating, ruleset):
            fast[ruleset].append((key, record, seating))
        else:
            add(rows, key, record, replay_round(record, _engine(engines, ruleset)))
    for ruleset, batch in fast.items():
        _audit(batch, rows, _engine(engines, ruleset))
    return events


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
        n = machine.kernels.audit_rounds(
            machine.state, machine.table, deals, events, spans, wholes, summaries, findings
        )
        if n >= 0:
            return summaries.reshape(rounds, SUMMARY_SIZE), findings[: n * (1 + layout.ROW)]
        findings = np.zeros(2 * len(findings), dtype=np.int64)


def _audit(batch: list[tuple[str, Record, Seating]], rows: Rows, machine: Engine) -> None:
    summaries, _ = run_audit(machine, *audit_arrays([seating for _, _, seating in batch]))
    for (key, record, seating), row in zip(batch, summaries.tolist(), strict=True):
        score = by_person(_clean_score(seating, machine.ruleset, row), seating)
        if score is None:
            add(rows, key, record, replay_round(record, machine))
            continue
        options = _json(effective_options(machine.ruleset))
        rows.verdicts.append((key, ENGINE_VERSION, machine.ruleset.name, options, "clean", [], 0, len(record.moves)))
        rows.scores.append(_score_row(key, record, score))


def _groups(record: Record, ruleset: Ruleset, row: list[int]) -> list[Item]:
    winner = row[S_WINNER]
    table = Table()
    for move in record.moves:
        put(table, move, ruleset)
    return groups_of_win(
        ruleset,
        table.melds[winner],
        hand=row[S_HAND],
        quads=row[S_QUADS],
        card=row[S_CARD],
        source=row[S_SOURCE],
        special=row[S_SPECIAL],
        dealer=winner == record.dealer,
        value=row[S_VALUE],
    )


def _clean_score(seating: Seating, ruleset: Ruleset, row: list[int]) -> Score | None:
    """The score of a round that the kernel certifies and whose reported result agrees with it; None for any doubt.

    Seats are those that play.
    """
    record = seating.record
    won = row[S_WINNER] >= 0
    left = any(move.action == Action.LEAVE for move in record.moves[-1:])
    unsure = left or row[S_FOUND] or row[S_PHASE] != layout.OVER or row[O_HITS - SCORE0] < 0
    result = record.result or Result()
    if unsure or (won and row[S_VALUE] < 0) or result.winner not in (None, row[S_WINNER]):
        return None
    rest = () if record.wall is None else record.wall[row[S_WALL] :]
    score = Score(
        row[S_WINNER],
        row[S_SOURCE] if won else 0,
        row[S_FROM] if row[S_SOURCE] in (layout.W_OTHER, layout.W_DISCARD) and won else None,
        row[O_HUXI - SCORE0],
        tuple(_groups(record, ruleset, row)) if won else (),
        fan.names(row[O_FAN - SCORE0], ruleset, row[O_RED - SCORE0], row[O_BIG - SCORE0], row[O_SMALL - SCORE0]),
        row[O_FAN_TOTAL - SCORE0],
        row[O_DENG - SCORE0],
        row[O_UNITS - SCORE0],
        seating.points(tuple(row[O_POINTS - SCORE0 : O_POINTS - SCORE0 + layout.SEATS + 1])),
        fan.SPECIAL.get(row[S_SPECIAL], ""),
        row[S_CARD],
        rest[: row[O_TURNED - SCORE0]],
        row[O_HITS - SCORE0],
    )
    return None if told(result, score, ruleset, len(record.moves)) else score


def _json(options: dict[str, Any]) -> str:
    return json.dumps(options, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _score_row(key: str, record: Record, score: Score) -> tuple[Any, ...]:
    result = record.result or Result()
    named = {**({score.special: 1} if score.special else {}), **score.fan}
    return (
        key,
        ENGINE_VERSION,
        score.winner,
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


def add(rows: Rows, key: str, record: Record, replay: Replay) -> None:
    """The rows of one replayed round."""
    rows.verdicts.append(
        (
            key,
            ENGINE_VERSION,
            replay.ruleset,
            _json(replay.options),
            replay.verdict,
            list(replay.undecidable),
            len(replay.findings),
            len(record.moves),
        )
    )
    for index, f in enumerate(replay.findings):
        texts = (f.expected, f.actual)
        rows.findings.append(
            (key, ENGINE_VERSION, index, f.seq, f.code, f.seat, f.severity, f.clause, *texts, f.follows_from)
        )
    if replay.score is not None:
        rows.scores.append(_score_row(key, record, replay.score))


def replay_store(store: Store, progress: Callable[[int, int], None] | None = None) -> Summary:
    """Replay every round of a store and replace its verdicts, findings and scores in one commit.

    ``progress(done, total)`` is called after each chunk of rounds.
    """
    rounds = store.scan("rounds").select("round_id", "record").sort("round_id").collect()
    rows = Rows()
    engines: dict[Ruleset, Engine] = {}
    events = 0
    for start in range(0, len(rounds), CHUNK):
        part = rounds.slice(start, CHUNK)
        pairs = [(key, unpack(packed)) for key, packed in part.iter_rows()]
        events += replay_records(pairs, rows, engines)
        if progress is not None:
            progress(start + len(part), len(rounds))
    frames = rows.frames()
    replace_tables(store, LEADER, frames, TABLES)
    verdicts = dict(frames["verdicts"].group_by("verdict").len().sort("verdict").iter_rows())
    findings = dict(frames["findings"].group_by("code").len().sort("code").iter_rows())
    return Summary(len(rounds), events, verdicts, findings)
