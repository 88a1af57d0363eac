"""The command ``phz simulate`` as a plain function that returns the exit code."""

from __future__ import annotations

import errno
import json as json_module
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest import progress
from ingest.adapters.jsonl import FORMAT as JSONL
from ingest.cli import OK, UNREADABLE, print_rejects
from ingest.convert import format_of, write_pieces, writer
from ingest.limits import StoreError, both, in_lang
from ingest.record import Record
from ingest.reports import ImportReport
from ingest.store import Store, open_store
from replay.accept import accept
from replay.cli_score import rules_chosen
from replay.options import chosen
from replay.players import PlayerError
from replay.rulesets import RulesetError
from replay.simulated import MOST_PER_SESSION, PER_SESSION, Run
from replay.version import ENGINE_VERSION
from replay.workers import Pack, Played, lines, packed, processes, sessions, unpacked


@dataclass(slots=True)
class _Tally:
    """What a run came to so far."""

    rounds: int = 0
    events: int = 0
    huang: int = 0
    points: dict[str, int] = field(default_factory=dict)

    def add(self, run: Run, played: Played) -> None:
        self.rounds += played.rounds
        self.events += played.events
        self.huang += played.huang
        for person, points in zip(run.persons, played.points, strict=True):
            self.points[person] = self.points.get(person, 0) + points


def _run(
    ruleset: str | None, players: str, rounds: int, seed: int, per_session: int, option: Sequence[str], file: str | None
) -> Run:
    """The run asked for. Raises ``RulesetError`` and ``PlayerError``."""
    choice = chosen(file, option)
    rules = rules_chosen([] if ruleset is None else [ruleset], choice)
    if len(rules) != 1:
        raise RulesetError(both("--ruleset：只能是一个规则", "--ruleset: one ruleset only"))
    names = tuple(name.strip() for name in players.replace("，", ",").split(",") if name.strip())
    if rounds < 1 or not 1 <= per_session <= MOST_PER_SESSION:
        zh = f"--rounds 至少是 1，--per-session 是 1 到 {MOST_PER_SESSION}"
        raise PlayerError(both(zh, f"--rounds is at least 1, --per-session 1 to {MOST_PER_SESSION}"))
    return Run(rules[0], names, rounds, seed, per_session, tuple(sorted(choice.options.items())))


def _store_at(out: str, to: str | None) -> Store | None:
    """The store that ``out`` names: a URL, a folder, or a new name without an extension; None for a file."""
    if to is not None and Path(out).is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), out)
    is_store = to is None and ("://" in out or Path(out).is_dir() or not Path(out).suffix)
    return open_store(out) if is_store else None


def simulate(
    out: str,
    players: str,
    ruleset: str | None = None,
    rounds: int = 1_000,
    seed: int = 1,
    *,
    per_session: int = PER_SESSION,
    jobs: int | None = None,
    format: str | None = None,  # noqa: A002
    options: Sequence[str] = (),
    options_file: str | None = None,
    json: bool = False,
    lang: str = "zh",
) -> int:
    """Play whole sessions and write them to a file, or import them into a store; 0, or 2 with the reason on stderr.

    ``jobs``: processes, which change nothing but the time; by default one for each core where it pays.
    """
    tally = _Tally()
    started = time.perf_counter()
    report = None
    try:
        run = _run(ruleset, players, rounds, seed, per_session, options, options_file)
        store = _store_at(out, format)
        many = processes(rounds) if jobs is None else jobs
        if store is None:
            with progress.one("simulate", json) as shown:
                _write(run, out, format_of(out, format), many, tally, shown)
        else:
            report = _import(run, store, many, tally, json)
    except (PlayerError, RulesetError, StoreError, ValueError, OSError, BrokenProcessPool) as error:
        print(f"phz simulate: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    seconds = time.perf_counter() - started
    if json:
        print(json_module.dumps(_summary(run, out, tally, report, seconds), ensure_ascii=False))
    else:
        _print(run, out, tally, report, seconds, lang)
    return UNREADABLE if report is not None and report.quarantined else OK


def _write(run: Run, out: str | Path, to: str, jobs: int, tally: _Tally, shown: progress.Shown | None) -> None:
    name, write, params = writer(to)

    def played(pack: Pack) -> Iterator[bytes]:
        for one in sessions(run, jobs, pack):
            tally.add(run, one)
            if shown is not None:
                shown(tally.rounds, run.rounds)
            yield one.data

    def records(parts: Iterable[bytes]) -> Iterator[Record]:
        for part in parts:
            yield from unpacked(part)

    # Lines stand for themselves, so that whoever plays a session writes them too.
    write_pieces(out, played(lines) if name == JSONL else write(records(played(packed)), params))


def _import(run: Run, store: Store, jobs: int, tally: _Tally, quiet: bool) -> ImportReport:
    """Into the store by way of a file; in the folder of a store its name is the same each time, so its sources are."""
    from ingest.importer import import_paths

    with tempfile.TemporaryDirectory() as elsewhere:
        folder = Path(elsewhere) if store.root.folder is None else store.root.folder / "generated"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{run.name}-{run.rounds}-{run.per_session}.jsonl"
        try:
            with progress.one("simulate", quiet) as shown:
                _write(run, path, JSONL, jobs, tally, shown)
            with progress.by_file(quiet) as by_file:
                return import_paths([path], store, accept, progress=by_file)
        finally:
            path.unlink(missing_ok=True)


def _summary(run: Run, out: str, tally: _Tally, report: ImportReport | None, seconds: float) -> dict[str, Any]:
    told: dict[str, Any] = {
        "engine_version": ENGINE_VERSION,
        "ruleset": run.ruleset.name,
        "options": dict(run.options),
        "players": list(run.persons),
        "seed": run.seed,
        "sessions": run.sessions,
        "rounds": tally.rounds,
        "events": tally.events,
        "huang": tally.huang,
        "points": tally.points,
        "out": out,
        "seconds": round(seconds, 3),
    }
    if report is not None:
        counts = ("seen", "accepted", "already_known", "quarantined")
        told |= {"store": out, **{count: getattr(report, count) for count in counts}}
    return told


def _print(run: Run, out: str, tally: _Tally, report: ImportReport | None, seconds: float, lang: str) -> None:
    for file in report.files if report is not None else ():
        print_rejects(file.file, file.rejects, lang, file.quarantined)
    name, took = run.ruleset.name, f"{seconds:.1f}"
    said = both(
        f"{name}：{run.sessions} 场 {tally.rounds} 局，荒庄 {tally.huang}，审计无误；{took} 秒 → {out}",
        f"{name}: {run.sessions} sessions, {tally.rounds} rounds, {tally.huang} of them 荒庄, the audit finds nothing; "
        f"{took} s → {out}",
    )
    print(in_lang(said, lang))
    for person, points in tally.points.items():
        each = f"{points / tally.rounds:+.3f}"
        print(
            in_lang(both(f"  {person}：{points:+d} 分，每局 {each}", f"  {person}: {points:+d}, {each} a round"), lang)
        )
    if report is not None:
        counts = (report.accepted, report.already_known, report.quarantined)
        zh, en = "新增 {}，已有 {}，隔离 {}".format(*counts), "{} new, {} known, {} quarantined".format(*counts)
        print(in_lang(both(zh, en), lang))
