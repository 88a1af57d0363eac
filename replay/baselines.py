"""Baselines of self-play: ``python -m replay.baselines RULESET…`` plays, audits and counts sessions.

All seats are the same reference player. Each session is audited by the engine in the same go; a finding is an error.
What is counted is whole numbers, so the file is the same for any number of processes. ``analytics.baselines_page``
makes docs/baselines.md of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ingest.progress import one
from replay.bulk import run_audit
from replay.engine import Engine, engine
from replay.kernels import layout
from replay.kernels.audit import S_FOUND, S_PHASE, S_WINNER
from replay.kernels.jit import compiled
from replay.kernels.layout import O_POINTS, SCORE0
from replay.kernels.match import R_POINTS, R_WINNER
from replay.players import PLAYERS, PlayerError, Room, play_session, player, room
from replay.rulesets import RULESETS
from replay.survey import add_rounds, measures, no_counts
from replay.version import ENGINE_VERSION
from replay.violations import BY_NUMBER

BASELINES = Path(__file__).resolve().parent.parent / "data" / "baselines.parquet"
"""Not in an installed package, which has no ``data``: then there are no baselines."""
SEED = 20261130
SESSION = 20
"""Rounds of a session."""
BLOCK = 1000
"""Sessions between two steps of the progress bar; one process plays a block."""
SEATS = 3
COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "ruleset": pl.String,
    "player": pl.String,
    "version": pl.Int64,
    "engine_version": pl.String,
    "seed": pl.Int64,
    "rounds": pl.Int64,
    "measure": pl.String,
    "key": pl.String,
    "n": pl.Int64,
    "of": pl.Int64,
    "sum": pl.Int64,
    "sum_sq": pl.Int64,
}
"""Long form: ``n`` cases of a kind ``key`` of a measure, of ``of``; ``sum`` and ``sum_sq`` where means matter."""


class BaselineError(RuntimeError):
    """A session that the audit does not find clean; the text says which and what."""


@dataclass(frozen=True, slots=True)
class Run:
    """What is to be played: the same run gives the same counts."""

    ruleset: str
    player: str
    seed: int
    rounds: int


@lru_cache(maxsize=1)
def _tools(ruleset: str) -> tuple[Room, Engine]:
    rules = RULESETS[ruleset]
    return room(rules, SEATS), engine(rules, compiled())


def check_session(run: Run, part: int, summaries: Any, findings: Any, results: Any) -> None:
    """Raise ``BaselineError`` unless the audit found nothing and came to what the players were told."""
    where = f"{run.ruleset}, seed {run.seed}, session {part}"
    if len(findings):
        codes = [BY_NUMBER[int(code)].code for code in findings.reshape(-1, 1 + layout.ROW)[:, 2]]
        raise BaselineError(f"{where}, round {findings[0]}: {', '.join(sorted(set(codes)))}")
    points = slice(O_POINTS - SCORE0, O_POINTS - SCORE0 + layout.SEATS)
    told = np.column_stack([results[:, R_WINNER], results[:, R_POINTS : R_POINTS + layout.SEATS]])
    found = np.column_stack([summaries[:, S_WINNER], summaries[:, points]])
    if summaries[:, S_FOUND].any() or (summaries[:, S_PHASE] != layout.OVER).any() or (told != found).any():
        raise BaselineError(f"{where}: the audit comes to another result than the play")


def count_block(run: Run, first: int) -> Any:
    """The counts of up to ``BLOCK`` sessions of a run, from session ``first`` on."""
    at, machine = _tools(run.ruleset)
    counts = no_counts()
    for part in range(first, min(first + BLOCK, -(-run.rounds // SESSION))):
        rounds = min(SESSION, run.rounds - SESSION * part)
        deals, events, spans, results = play_session(at, run.seed, part, rounds, [run.player] * SEATS)
        summaries, findings = run_audit(machine, deals, events, spans, np.ones(rounds, dtype=np.int64))
        check_session(run, part, summaries, findings, results)
        add_rounds(machine, deals, events, spans, summaries, counts)
    return counts


def _blocks(run: Run, firsts: Sequence[int], jobs: int) -> Iterator[Any]:
    work = partial(count_block, run)
    if jobs == 1:
        yield from map(work, firsts)
        return
    _tools(run.ruleset)  # compiled once, before the processes read the cache
    compiled("survey")
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, firsts)


def counted(run: Run, jobs: int = 1, *, quiet: bool = False) -> Any:
    """The counts of a run, the same for any number of processes. Raises ``BaselineError``, ``PlayerError``."""
    player(run.player, RULESETS[run.ruleset])
    counts = no_counts()
    firsts = range(0, -(-run.rounds // SESSION), BLOCK)
    with one(run.ruleset, quiet) as progress:
        for done, block in enumerate(_blocks(run, firsts, jobs), 1):
            counts += block
            if progress is not None:
                progress(done, len(firsts))
    return counts


def frame(run: Run, counts: Any) -> pl.DataFrame:
    """The rows of a run."""
    head = (run.ruleset, run.player, PLAYERS[run.player].version, ENGINE_VERSION, run.seed, run.rounds)
    rows = [(*head, *measure) for measure in measures(counts, RULESETS[run.ruleset])]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def read(place: Path = BASELINES) -> pl.DataFrame:
    """The baselines that there are, without any row where there is no file."""
    return pl.read_parquet(place).select(*COLUMNS) if place.exists() else pl.DataFrame(schema=COLUMNS)


def put(new: pl.DataFrame, place: Path = BASELINES) -> None:
    """Write the rows of one ruleset in place of those that the file has of it."""
    kept = read(place).filter(~pl.col("ruleset").is_in(new["ruleset"].unique().to_list()))
    order = {name: i for i, name in enumerate(RULESETS)}
    parts = {str(name): part for (name,), part in pl.concat([kept, new]).group_by("ruleset", maintain_order=True)}
    place.parent.mkdir(parents=True, exist_ok=True)
    pl.concat([parts[name] for name in sorted(parts, key=order.__getitem__)]).write_parquet(place)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the rulesets named; 0, or 1 when one was not measured, 2 after a finding."""
    parser = argparse.ArgumentParser(prog="python -m replay.baselines", description=__doc__)
    parser.add_argument("rulesets", nargs="+", choices=list(RULESETS), metavar="RULESET")
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--player", choices=list(PLAYERS), default="value")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--to", type=Path, default=BASELINES, metavar="FILE")
    given = parser.parse_args(arguments)
    missing = 0
    for name in given.rulesets:
        run = Run(name, given.player, given.seed, given.rounds)
        try:
            counts = counted(run, given.jobs)
        except PlayerError as error:
            print(f"{name}: 未测 / not measured: {error}", file=sys.stderr, flush=True)
            missing = 1
            continue
        except BaselineError as error:
            print(error, file=sys.stderr)
            return 2
        put(frame(run, counts), given.to)
        print(f"{name}: {run.rounds:,} rounds → {given.to}", file=sys.stderr, flush=True)
    return missing


if __name__ == "__main__":
    sys.exit(main())
