"""The command ``phz grade`` as a plain function that returns the exit code."""

from __future__ import annotations

import json as json_module
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from analytics.decision_summary import SPLITS, clusters_of, summary
from analytics.decisions import BANDS, KINDS, current, cuts, frame, grade_store, judged_only, row, worst
from analytics.reasons import sentence
from ingest import progress
from ingest.adapters.registry import Reject
from ingest.cli import OK, UNREADABLE, print_rejects
from ingest.limits import StoreError, both, in_lang
from ingest.naming import round_id
from ingest.record import Record
from ingest.store import Store, open_store
from replay.cli import read_records
from replay.judging import REASONS, judge_rounds
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
            clusters = clusters_of((round_id(record), record.session, record.room) for record in records)
        else:
            place = open_store(store)
            rounds = _in_store(place, wanted)
            with progress.one("grade", json) as shown:
                grade_store(place, rounds, effort, jobs, shown)
            found = current(place).filter(pl.col("round_id").is_in(rounds["round_id"].to_list()))
            if wanted and (rounds["players"].list.contains(wanted)).any():
                found = found.filter(pl.col("player") == wanted)
            clusters = clusters_of(rounds.select("round_id", "session", "room").iter_rows())
    except (StoreError, RulesetError, OSError) as error:
        print(f"phz grade: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    if found.is_empty():
        said = both(f"{wanted or store}：没有可评的局", f"{wanted or store}: no round with a decision")
        print(f"phz grade: {in_lang(said, lang)}", file=sys.stderr)
        return UNREADABLE
    if json:
        print(json_module.dumps(_json(found, clusters), ensure_ascii=False))
    elif len(clusters) <= FEW:
        _print_decisions(found, lang)
    else:
        _print_summary(found, clusters, lang)
    return OK if whole else UNREADABLE


def _json(found: pl.DataFrame, clusters: pl.DataFrame) -> dict[str, Any]:
    """What ``phz grade --json`` prints."""
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
    }


def _print_decisions(found: pl.DataFrame, lang: str) -> None:
    """A line a decision, and what else could have been done."""
    zh = lang == "zh"
    for key, part in found.group_by("round_id", maintain_order=True):
        print(f"# {key[0]}  {part['evaluator'][0]}")
        for one in part.iter_rows(named=True):
            where = f"@{one['seq']:<3} {one['player']}"
            if one["why_not"]:
                print(f"{where}: {'不评' if zh else 'not judged'}: {REASONS[one['why_not']][0 if zh else 1]}")
                continue
            taken = one["choices"][one["taken"]]
            band = BANDS[one["band"] or 0][0 if zh else 1]
            loss = f"{one['loss']:+.2f} ±{1.96 * one['error']:.2f}"
            print(f"{where}: {taken['text']}  {'损失' if zh else 'loss'} {loss} {band}  {sentence(one, lang)}")
            ranked = sorted(enumerate(one["choices"]), key=lambda pair: pair[1]["behind"])
            for i, choice in ranked[:4]:
                mark = "*" if i == one["taken"] else " "
                points = choice["points"][one["seat"]]
                print(
                    f"   {mark} {choice['text']}: {points:+.2f}, −{choice['behind']:.2f} ±{1.96 * choice['error']:.2f}"
                )
    _print_cuts(set(found["ruleset"]), lang)


def _print_summary(found: pl.DataFrame, clusters: pl.DataFrame, lang: str) -> None:
    """Sums by player and kind, then the worst decisions."""
    zh = lang == "zh"
    for by in (("player",), ("player", "kind")):
        for one in summary(found, clusters, by).iter_rows(named=True):
            kind = "" if len(by) == 1 else " " + KINDS[one["kind"]][0 if zh else 1]
            bounds = "" if one["loss_low"] is None else f" [{one['loss_low']:.2f}, {one['loss_high']:.2f}]"
            said = (
                f"每次损失 {one['loss']:.2f}{bounds} 分，n={one['decisions']}；每局 {one['loss_round']:.2f}；"
                f"与最好一致 {one['matches'] / one['decisions']:.0%}；失误 {one['mistakes']}"
                if zh
                else f"loss {one['loss']:.2f}{bounds} points a decision, n={one['decisions']}; "
                f"{one['loss_round']:.2f} a round; as the best {one['matches'] / one['decisions']:.0%}; "
                f"mistakes {one['mistakes']}"
            )
            print(f"{one['player']}{kind}: {said}")
    for one in worst(found).iter_rows(named=True):
        print(f"{one['round_id'][:12]}@{one['seq']} {one['player']}: {sentence(one, lang)}")
    left = len(found) - len(judged_only(found))
    if left:
        print(f"不评的决定 {left}" if zh else f"decisions that could not be judged: {left}")
    _print_cuts(set(found["ruleset"]), lang)


def _print_cuts(rulesets: set[str], lang: str) -> None:
    for name, cut in cuts().items():
        if name not in rulesets:
            continue
        said = both(
            f"{name}：损失肯定超过 {cut.mistake} 分是失误，{cut.blunder} 分是大失误"
            f"（{cut.player} {cut.decisions} 次决定的分布）",
            f"{name}: a loss surely above {cut.mistake} points is a mistake, above {cut.blunder} a blunder "
            f"(from {cut.decisions} decisions of {cut.player})",
        )
        print(in_lang(said, lang), file=sys.stderr)
