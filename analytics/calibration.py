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
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ingest.naming import round_id
from ingest.record import Record
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
PLACE = Path(__file__).with_name("calibration.json")
Z99 = 2.5758293035489004


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
    ``MEASURES``, and ``was_`` what came of it; ``wall``: cards left. A round without a decision has no row."""
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


def binned(rows: pl.DataFrame, measure: str, bins: int = BINS) -> list[dict[str, Any]]:
    """As many decisions in each bin, by the first look, the lowest first: ``n``, mean of the second look and of what
    came (``foretold``, ``was``), and half the 99 % interval of their difference (``half``), all of them in ``bins``
    bins at once (Bonferroni's correction is not made)."""
    order = np.argsort(rows[f"first_{measure}"].to_numpy(), kind="stable")
    second, was = (rows[f"{when}_{measure}"].to_numpy()[order] for when in ("second", "was"))
    found = []
    for said, came in zip(np.array_split(second, bins), np.array_split(was, bins), strict=True):
        off = came - said
        half = Z99 * float(off.std(ddof=1)) / len(off) ** 0.5
        found.append(
            {"n": len(off), "foretold": float(said.mean()), "was": float(came.mean()), "half": half}
        )  # fmt: skip
    return [{name: round(number, 4) for name, number in one.items()} for one in found]


def measured(ruleset: str, rounds: int, jobs: int = 2) -> dict[str, Any]:
    """The bins of each measure, and who foretold."""
    rows: list[dict[str, float]] = []
    for some in sampled(ruleset, rounds, jobs):
        rows += some
        print(f"{len(rows)}/{rounds}", file=sys.stderr, flush=True)
    table = pl.DataFrame(rows)
    return {
        "evaluator": evaluator_id(ruleset, "full"),
        "player": f"{PLAYER}-{PLAYERS[PLAYER].version}",
        "rounds": len(rows),
        "bins": {measure: binned(table, measure) for measure in MEASURES},
    }


if __name__ == "__main__":
    kept = json.loads(PLACE.read_text(encoding="utf-8")) if PLACE.exists() else {}
    kept[sys.argv[1]] = measured(sys.argv[1], int(sys.argv[2]))
    PLACE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
