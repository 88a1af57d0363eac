"""``phz demo``: the samples and some thousands of generated rounds, imported, replayed and summed up."""

from __future__ import annotations

import json as json_module
import sys
import time
from pathlib import Path

import polars as pl

from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.limits import StoreError, in_lang
from ingest.record import Record
from ingest.reports import ImportReport
from ingest.store import Store, open_store
from replay.accept import accept
from replay.bulk import Summary, replay_store
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from replay.version import ENGINE_VERSION

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "samples"
PLAYERS = (
    Player("陈一条", peng=75, chi=80, lone=95),
    Player("李贰拾", peng=50, chi=90, lone=90),
    Player("周二七", peng=90, chi=60, lone=85),
    Player("吴小碰", peng=100, chi=40, lone=70),
    Player("郑不吃", peng=60, chi=15, lone=80),
    Player("王散打", peng=40, chi=50, lone=20),
    Player("钱忍碰", peng=10, chi=85, lone=90),
    Player("孙大胡", hu=85, peng=70, chi=70, lone=95),
)
"""Generated players; their habits, not their skill, differ."""


def _say(quiet: bool, text: str) -> None:
    if not quiet:
        print(text, file=sys.stderr, flush=True)


def shared_out(n: int, parts: int) -> list[int]:
    """``n`` in equal parts, the first ones one more where it does not come out even."""
    return [n // parts + (1 if i < n % parts else 0) for i in range(parts)]


def generated(rounds: int, seed: int) -> str:
    """``rounds`` legal rounds, as many of each ruleset and each size of table, as ``.jsonl``.

    The same text for the same seed.
    """
    records: list[Record] = []
    for i, (ruleset, of_ruleset) in enumerate(zip(RULESETS.values(), shared_out(rounds, len(RULESETS)), strict=True)):
        machine = engine(ruleset, compiled())
        tables = sorted(ruleset.persons, reverse=True)
        for persons, n in zip(tables, shared_out(of_ruleset, len(tables)), strict=True):
            # One seed a table: its sessions and players are its own.
            own = seed * 1000 + 10 * i + persons
            records += sessions(machine, own, n, PLAYERS, platform="demo", persons=persons)
    return dumps(records, "jsonl")


def by_ruleset(store: Store) -> dict[str, dict[str, int]]:
    """Ruleset → its rounds by verdict, and ``rounds``; in the order of the rulesets."""
    counted = store.scan("verdicts").group_by("ruleset", "verdict").len().collect()
    told: dict[str, dict[str, int]] = {}
    for name in RULESETS:
        of_name = dict(counted.filter(pl.col("ruleset") == name).select("verdict", "len").iter_rows())
        if of_name:
            verdicts = {key: of_name.get(key, 0) for key in ("clean", "violations", "undecidable")}
            told[name] = {"rounds": sum(verdicts.values()), **verdicts}
    return told


def fill(store: Store, rounds: int, seed: int, *, quiet: bool, lang: str) -> tuple[ImportReport, Summary, float]:
    """Import the samples and the generated rounds and replay them; the seconds are those of the replay alone."""
    zh = lang == "zh"
    _say(quiet, "准备规则引擎（首次需编译）…" if zh else "Preparing the engine (compiled on first use) …")
    compiled()
    _say(quiet, f"生成 {rounds} 局…" if zh else f"Generating {rounds} rounds …")
    paths = [str(SAMPLES)] if SAMPLES.is_dir() else []
    if rounds:  # kept beside the tables, so that running again meets the same file
        made = store.path / "generated" / f"{rounds}-rounds-seed-{seed}.jsonl"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(generated(rounds, seed), encoding="utf-8")
        paths.append(str(made))
    _say(quiet, "导入…" if zh else "Importing …")
    report = import_paths(paths, store, accept)
    _say(quiet, "复盘…" if zh else "Replaying …")
    started = time.perf_counter()
    summary = replay_store(store)
    return report, summary, time.perf_counter() - started


def run(place: str, rounds: int, seed: int, *, json: bool, lang: str) -> int:
    """Fill the store, print the summary; 0, whatever the samples contain: some of them are wrong on purpose.

    2 when the store cannot be used.
    """
    try:
        store = open_store(place)
        report, summary, seconds = fill(store, rounds, seed, quiet=json, lang=lang)
    except StoreError as error:
        print(f"phz demo: {in_lang(str(error), lang)}", file=sys.stderr)
        return 2
    rulesets = by_ruleset(store)
    rate = int(summary.events / seconds) if seconds else 0
    clean, wrong, open_ = (summary.verdicts.get(key, 0) for key in ("clean", "violations", "undecidable"))
    if json:
        print(
            json_module.dumps(
                {
                    "engine_version": ENGINE_VERSION,
                    "store": place,
                    "seen": report.seen,
                    "accepted": report.accepted,
                    "already_known": report.already_known,
                    "quarantined": report.quarantined,
                    "rounds": summary.rounds,
                    "clean": clean,
                    "violations": wrong,
                    "undecidable": open_,
                    "rulesets": rulesets,
                    "events": summary.events,
                    "events_per_second": rate,
                    "findings": summary.findings,
                }
            )
        )
        return 0
    if lang == "zh":
        print(
            f"读到 {report.seen} 条记录：新增 {report.accepted}，已有 {report.already_known}，隔离 {report.quarantined}"
        )
        print(f"共 {summary.rounds} 局：无误 {clean}，有问题 {wrong}，无法判定 {open_}；隔离 {report.quarantined}")
        for name, n in rulesets.items():
            told = f"{n['rounds']:>6} 局：无误 {n['clean']}，有问题 {n['violations']}，无法判定 {n['undecidable']}"
            print(f"  {name:<10}{told}（{RULESETS[name].zh}）")
        print(f"{summary.events} 个事件，复盘 {rate:,} 事件/秒（引擎 {ENGINE_VERSION}）→ {place}")
    else:
        print(
            f"{report.seen} records read: {report.accepted} new, {report.already_known} known, "
            f"{report.quarantined} quarantined"
        )
        print(
            f"{summary.rounds} rounds: {clean} clean, {wrong} with findings, {open_} undecidable; "
            f"{report.quarantined} quarantined"
        )
        for name, n in rulesets.items():
            told = f"{n['rounds']:>6} rounds: {n['clean']} clean, {n['violations']} with findings, "
            print(f"  {name:<10}{told}{n['undecidable']} undecidable ({RULESETS[name].en})")
        print(f"{summary.events} events, {rate:,} events/s replayed (engine {ENGINE_VERSION}) → {place}")
    return 0
