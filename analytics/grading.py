"""Grading the rounds of a store: what was judged stays in its tables; it is judged again only when a round changed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import polars as pl

from analytics import decisions, luck_table
from ingest.delta import Schema
from ingest.naming import account, round_id
from ingest.rows import records
from ingest.store import Store, append_table
from replay.judging import evaluator_id
from replay.rulesets import RULESETS

BATCH = 50
"""Rounds between two writes to the store."""


def _known(store: Store, table: str, evaluators: list[str]) -> dict[str, int]:
    """The rounds that one of the evaluators has looked at, with the account that it saw."""
    if table not in store.tables():
        return {}
    done = store.scan(table).filter(pl.col("evaluator").is_in(evaluators)).select("round_id", "account").unique()
    return dict(done.collect().iter_rows())


def _write(
    store: Store,
    table: str,
    schema: Schema,
    rows: pl.DataFrame,
    looked: list[str],
    known: dict[str, int],
    mine: list[str],
) -> None:
    """Add the rows of the rounds looked at, in place of those of an earlier account of the same rounds."""
    stale = [key for key in looked if key in known]
    drop = pl.col("round_id").is_in(stale) & pl.col("evaluator").is_in(mine) if stale else None
    append_table(store, table, rows, schema, drop=drop)


def grade_store(
    store: Store, wanted: pl.DataFrame, effort: str, jobs: int, progress: Callable[[int, int], None] | None = None
) -> int:
    """Judge the decisions and weigh the luck of those of the ``wanted`` rounds (rows of the log) that were not yet, or
    of which the log tells something else by now; the number of these rounds.

    Every ``BATCH`` rounds are written, so a run that is broken off goes on where it was. Raises ``RulesetError``.
    """
    judges, weighers = [evaluator_id(name, effort) for name in RULESETS], luck_table.evaluators()
    judged, weighed = _known(store, decisions.TABLE, judges), _known(store, luck_table.TABLE, weighers)
    told = {round_id(record): account(record) for record in records(wanted)}
    missing = [key for key, label in told.items() if judged.get(key) != label or weighed.get(key) != label]
    left = iter(records(wanted.filter(pl.col("round_id").is_in(missing)).sort("round_id")))
    count = 0
    while part := {round_id(record): record for record in islice(left, BATCH)}:
        new = [key for key in part if judged.get(key) != told[key]]
        found = decisions.graded([part[key] for key in new], effort, jobs)
        _write(store, decisions.TABLE, decisions.SCHEMA, found, new, judged, judges)
        new = [key for key in part if weighed.get(key) != told[key]]
        ledgers = luck_table.weighed([part[key] for key in new], jit=len(missing) > luck_table.PLAIN)
        _write(store, luck_table.TABLE, luck_table.SCHEMA, ledgers, new, weighed, weighers)
        count += len(part)
        if progress is not None:
            progress(count, len(missing))
    return count
