"""The command ``phz grade`` as a plain function that returns the exit code."""

from __future__ import annotations

import json as json_module
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from analytics import luck_table
from analytics.decision_summary import SPLITS, clusters_of, summary
from analytics.decisions import current, cuts, frame, row, worst
from analytics.grade_text import print_cuts, print_decisions, print_ledgers, print_luck, print_summary
from analytics.grading import grade_store
from analytics.reasons import sentence
from ingest import progress
from ingest.adapters.registry import Reject
from ingest.cli import OK, UNREADABLE, print_rejects
from ingest.limits import StoreError, both, in_lang
from ingest.naming import round_id
from ingest.record import Record
from ingest.store import Store, open_store
from replay.cli import read_records
from replay.judging import judge_rounds
from replay.rulesets import RulesetError
from replay.version import ENGINE_VERSION

FEW = 3
"""Up to so many rounds are printed decision by decision; of more the sums."""


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _from_file(wanted: str, lang: str) -> tuple[list[Record], bool] | None:
    """The rounds of ``FILE`` or ``FILE:NUMBER`` (from 1), and whether all could be read; None where it is no file."""
    path, _, number = wanted.rpartition(":")
    if not number.isdigit() or not path:
        path, number = wanted, ""
    if not Path(path).exists():
        return None
    found: list[Record] = []
    whole = True
    for file, item in read_records([path], None):
        if isinstance(item, Reject):
            print_rejects(file, [item], lang)
            whole = False
        else:
            found.append(item)
    return (found[int(number) - 1 : int(number)] if number else found), whole


def _in_store(store: Store, wanted: str) -> pl.DataFrame:
    """The stored rounds meant by an id (or its beginning), a session, a room or a player; all of them for ""."""
    rounds = store.scan("rounds")
    if wanted == "":
        return rounds.collect()
    column = pl.col("round_id")
    named = (pl.col("session") == wanted) | (pl.col("room") == wanted) | pl.col("players").list.contains(wanted)
    found = rounds.filter(named).collect()
    return found if len(found) else rounds.filter(column.str.starts_with(wanted)).collect()


def _judged(found: list[Record], effort: str, jobs: int, quiet: bool) -> Iterator[dict[str, Any]]:
    with progress.one("grade", quiet) as shown:
        for done, (record, decisions) in enumerate(judge_rounds(found, effort, jobs), 1):
            for judged in decisions:
                yield row(record, judged, effort)
            if shown is not None:
                shown(done, len(found))


def grade(
    wanted: str = "",
    store: str = "",
    effort: str = "full",
    jobs: int | None = None,
    json: bool = False,
    lang: str = "zh",
) -> int:
    """Judge the decisions of a file, or of rounds of the store, which keeps what was judged. 0, or 2 when nothing was.

    ``wanted``: ``FILE[:NUMBER]``, a round's id or its beginning, a session, a room, a player; "": the whole store.
    """
    jobs = jobs or _cores()
    whole = True
    try:
        from_file = _from_file(wanted, lang) if wanted else None
        if from_file is not None:
            records, whole = from_file
            found = frame(_judged(records, effort, jobs, json))
            luck = luck_table.weighed(records, jit=len(records) > luck_table.PLAIN)
            lucks = luck_table.by_person(luck)
            clusters = clusters_of((round_id(record), record.session, record.room) for record in records)
        else:
            place = open_store(store)
            rounds = _in_store(place, wanted)
            with progress.one("grade", json) as shown:
                grade_store(place, rounds, effort, jobs, shown)
            these = pl.col("round_id").is_in(rounds["round_id"].to_list())
            found, luck = current(place).filter(these), luck_table.current(place).filter(these)
            lucks = luck_table.by_person(luck)
            if wanted and (rounds["players"].list.contains(wanted)).any():
                found, lucks = (one.filter(pl.col("player") == wanted) for one in (found, lucks))
            clusters = clusters_of(rounds.select("round_id", "session", "room").iter_rows())
    except (StoreError, RulesetError, OSError) as error:
        print(f"phz grade: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    if found.is_empty():
        said = both(f"{wanted or store}：没有可评的局", f"{wanted or store}: no round with a decision")
        print(f"phz grade: {in_lang(said, lang)}", file=sys.stderr)
        return UNREADABLE
    if json:
        print(json_module.dumps(told(found, luck, lucks, clusters), ensure_ascii=False))
    else:
        if len(clusters) <= FEW:
            print_decisions(found, lang)
            print_ledgers(luck, lang)
        else:
            print_summary(found, clusters, lang)
            print_luck(luck, lucks, clusters, lang)
        print_cuts(set(found["ruleset"]), lang)
    return OK if whole else UNREADABLE


def told(found: pl.DataFrame, luck: pl.DataFrame, lucks: pl.DataFrame, clusters: pl.DataFrame) -> dict[str, Any]:
    """What ``phz grade --json`` prints of decisions, ledgers and what they came to by person, as JSON takes it."""
    evaluators = sorted(set(found["evaluator"]))
    return {
        "engine_version": ENGINE_VERSION,
        "evaluators": evaluators,
        "cuts": {name: {"mistake": c.mistake, "blunder": c.blunder} for name, c in cuts().items()},
        "rounds": len(clusters),
        "summary": summary(found, clusters).to_dicts(),
        "by": {split: summary(found, clusters, ("player", split)).to_dicts() for split in SPLITS},
        "decisions": [one | {"zh": sentence(one), "en": sentence(one, "en")} for one in found.to_dicts()],
        "worst": worst(found).select("round_id", "seq", "seat").to_dicts(),
        "luck": {
            "quarters": luck_table.QUARTERS,
            "players": luck_table.adjusted(lucks, clusters).to_dicts(),
            "ledgers": luck.to_dicts(),
        },
    }
