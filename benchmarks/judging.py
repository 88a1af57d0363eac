"""Judging decisions: time a round beside playing one, and how sure the losses are."""

from __future__ import annotations

import os
import time
from functools import partial

from benchmarks.timing import best_of
from replay.judging import judge_rounds
from replay.players import play_deals, room
from replay.rulesets import QQ
from replay.simulated import Run, session


def judging(rows: list[str], rounds: int) -> None:
    """``qq``, three `steady` at the table. Yardstick: a round played by `value`, who plays on in every world."""
    few = max(rounds // 1000, 5)
    at = room(QQ)
    seating = [["value"] * 3]
    play_deals(at, 1, 10, seating)
    played = best_of(3, partial(play_deals, at, 2, 1000, seating)) / 1000
    found = session(Run(QQ, ("steady",) * 3, few, seed=77, per_session=few), 0)
    for effort in ("quick", "full"):
        list(judge_rounds(found[:1], effort))
        threads = len(os.sched_getaffinity(0))
        took, whole = time.process_time(), time.perf_counter()
        judged = [one for _, some in judge_rounds(found, effort, threads) for one in some]
        took, whole = (time.process_time() - took) / few, (time.perf_counter() - whole) / few
        errors = sorted(one.error for one in judged)
        rows.append(
            f"| {effort}, a round of {len(judged) / few:.1f} decisions | {whole:.2f} s on {threads} cores | "
            f"{took:.2f} s of a core = {took / played:,.0f} rounds of `value` | "
            f"error of a loss: mean {sum(errors) / len(errors):.2f}, 95 % below {errors[int(0.95 * len(errors))]:.2f} |"
        )
