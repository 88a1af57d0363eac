"""Is what is said of a decision true? What was foretold of the choices taken, beside what came of them, in bins.

``python -m analytics.calibration RULESET ROUNDS`` judges one decision at most of each round of self-play of `value`,
by whom play-outs go on too. It is looked at twice: the first look says in which bin it goes, the second one is compared
with the outcome. By one look alone the outer bins would hold those whose worlds erred furthest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from functools import cache
from importlib import resources
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analytics.intervals import Z99
from ingest.naming import round_id
from ingest.record import Record
from replay.corrections import PLACE as CORRECTIONS
from replay.corrections import Correction, corrections
from replay.judging import Task, evaluator_id, forecasts, judging_room, tasks
from replay.players import PLAYERS
from replay.rulesets import RULESETS
from replay.simulated import Run, session

PLAYER = "value"
SEED = 20261201
PER_SESSION = 500
DECISIONS = 32
"""More than nearly all rounds have."""
CHAINS = 2
"""Of each look: sixteen worlds."""
BINS = 10
MEASURES = ("points", "win", "huang", "pays")
STEPS = 50
"""Of fitting: each brings the means closer."""
PLACE = Path(__file__).with_name("calibration.json")


def one_of(record: Record) -> Task | None:
    """The round's ``n``-th decision, ``n`` drawn below ``DECISIONS``; None where the round ends before it.

    A decision drawn from those that there were would be one of a short round more often than it should: how long a
    round lasts is part of what is foretold.
    """
    found = tasks(record)
    n = int(round_id(record)[-8:], 16) % DECISIONS
    return found[n] if n < len(found) else None


def foretold(ruleset: str, rounds: int, part: int) -> list[dict[str, float]]:
    """What two looks said of a decision of each round of a session, as ``first_`` and ``second_`` with the names of
    ``MEASURES``, and ``was_`` what came of it. A round without a decision has no row."""
    rows = []
    for record in session(Run(RULESETS[ruleset], (PLAYER,) * 3, rounds, SEED, PER_SESSION), part):
        task = one_of(record)
        looks = [] if task is None else forecasts(judging_room(task), task, CHAINS, 2)
        if task is None or not looks:
            continue
        row = {f"{when}_{name}": getattr(look, name) for when, look in zip(("first", "second"), looks, strict=True)
               for name in MEASURES}  # fmt: skip
        rows.append(row | _outcome(record, task.decision.seat))
    return rows


def _outcome(record: Record, person: int) -> dict[str, float]:
    assert record.result is not None
    assert record.result.points is not None
    points = record.result.points[person]
    was = {"points": points, "win": record.result.winner == person, "huang": record.result.winner == -1}
    return {f"was_{name}": float(number) for name, number in (was | {"pays": points < 0}).items()}


def sampled(ruleset: str, rounds: int, jobs: int) -> Iterator[list[dict[str, float]]]:
    """``foretold`` session by session, in order, made by ``jobs`` processes."""
    parts = -(-rounds // PER_SESSION)
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(foretold, repeat(ruleset), repeat(rounds), range(parts))


def binned(rows: pl.DataFrame, measure: str) -> list[dict[str, Any]]:
    """As many decisions in each bin, by the first look, the lowest first: ``n``, mean of the second look and of what
    came (``foretold``, ``was``), and half the 99 % interval of their difference (``half``), for each
    bin alone: of many bins one in a hundred lies outside by chance."""
    order = np.argsort(rows[f"first_{measure}"].to_numpy(), kind="stable")
    second, was = (rows[f"{when}_{measure}"].to_numpy()[order] for when in ("second", "was"))
    found = []
    for said, came in zip(np.array_split(second, BINS), np.array_split(was, BINS), strict=True):
        off = came - said
        half = Z99 * float(off.std(ddof=1)) / len(off) ** 0.5
        found.append(
            {"n": len(off), "foretold": float(said.mean()), "was": float(came.mean()), "half": half}
        )  # fmt: skip
    return [{name: round(number, 4) for name, number in one.items()} for one in found]


def fit(rows: pl.DataFrame) -> Correction:
    """What makes the chances of 胡 and 荒庄 and the points right on the average. A win that is taken is certain: left
    out."""
    rows = rows.filter((pl.col("first_win") < 1) | (pl.col("second_win") < 1))
    said = [np.concatenate([rows[f"{when}_{name}"] for when in ("first", "second")]) for name in MEASURES]
    points, win, huang, pays = said
    found = Correction(points=round(float(rows["was_points"].mean() - points.mean()), 3))
    for _ in range(STEPS):
        told = found.chances(win, huang, pays)
        win_off, huang_off = (
            float(rows[f"was_{name}"].mean()) / float(one.mean())  # type: ignore[arg-type]
            for name, one in zip(("win", "huang"), told, strict=False)
        )
        found = replace(found, win=found.win * win_off, huang=found.huang * huang_off)
    return replace(found, win=round(found.win, 4), huang=round(found.huang, 4))


def put_right(rows: pl.DataFrame, by: Correction) -> pl.DataFrame:
    """The rows with both looks corrected."""
    certain = ((rows["first_win"] == 1) & (rows["second_win"] == 1)).to_numpy()
    found: dict[str, Any] = {}
    for when in ("first", "second"):
        chances = by.chances(*(rows[f"{when}_{name}"].to_numpy() for name in MEASURES[1:]))
        found |= {f"{when}_{name}": one for name, one in zip(MEASURES[1:], chances, strict=True)}
        found[f"{when}_points"] = rows[f"{when}_points"].to_numpy() + np.where(certain, 0.0, by.points)
    return rows.with_columns(**{name: pl.Series(values) for name, values in found.items()})


def measured(rounds: int, rows: pl.DataFrame) -> tuple[Correction, dict[str, Any]]:
    """The correction, fitted to every other decision; and the bins of each measure of the decisions between, as they
    came out (``plain``) and put right (``bins``), of how many rounds and decisions, and who played."""
    found = fit(rows[::2])
    rest = rows[1::2]
    return found, {
        "player": f"{PLAYER}-{PLAYERS[PLAYER].version}",
        "rounds": rounds,
        "decisions": len(rest),
        "plain": {measure: binned(rest, measure) for measure in MEASURES},
        "bins": {measure: binned(put_right(rest, found), measure) for measure in MEASURES},
    }


@cache
def measurements() -> dict[str, Any]:
    """``measured`` by ruleset, as far as it was."""
    kept: dict[str, Any] = json.loads(resources.files("analytics").joinpath("calibration.json").read_text("utf-8"))
    return kept


def keep(ruleset: str, rounds: int, rows: pl.DataFrame) -> None:
    """Write the correction and the bins of a ruleset beside the others'."""
    found, told = measured(rounds, rows)
    known = {name: asdict(one) for name, one in (corrections() | {ruleset: found}).items()}
    CORRECTIONS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for cached in (corrections, evaluator_id):
        cached.cache_clear()
    every = measurements() | {ruleset: {"evaluator": evaluator_id(ruleset, "full")} | told}
    PLACE.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    measurements.cache_clear()


def main(ruleset: str, rounds: int) -> None:
    """Measure a ruleset."""
    rows: list[dict[str, float]] = []
    for some in sampled(ruleset, rounds, 2):
        rows += some
        print(len(rows), file=sys.stderr, flush=True)
    keep(ruleset, rounds, pl.DataFrame(rows))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
