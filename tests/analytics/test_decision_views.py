"""Decisions as they are shown: their course in time, how losses spread, what lies behind a count."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from analytics.decision_summary import clusters_of, summary
from analytics.decision_views import (
    BINS,
    BLOCK,
    PARTS,
    Graded,
    behind,
    course,
    evaluators,
    not_judged,
    spread,
    totals,
    worst_rows,
)
from analytics.decisions import frame

BASE = {"evaluator": "e", "ruleset": "qq", "player": "a", "seat": 0, "kind": "discard", "error": 0.1, "why_not": ""}


def rows(losses: list[list[float]], **more: Any) -> list[dict[str, Any]]:
    """A round a list, a decision a loss."""
    return [
        BASE | {"round_id": f"r{n:04}", "seq": seq, "loss": loss, "matches": loss <= 0, "band": int(loss > 3)} | more
        for n, one in enumerate(losses)
        for seq, loss in enumerate(one)
    ]


def graded(found: pl.DataFrame, sessions: int, *, dated: bool) -> Graded:
    """Its rounds in order, so many to a session, a day each session."""
    keys = found["round_id"].unique().sort()
    per = -(-len(keys) // sessions)
    told = [(key, f"2024-01-{n // per + 1:02}" if dated else "", f"s{n // per:03}") for n, key in enumerate(keys)]
    return Graded(found, pl.DataFrame(), pl.DataFrame(told, schema=["round_id", "day", "cluster"], orient="row"))


def test_the_course_is_by_session_where_all_have_days() -> None:
    found = frame(rows([[float(n // 5)] * 2 for n in range(20)]))
    parts = course(found, graded(found, 4, dated=True))
    assert parts["first"].to_list() == parts["last"].to_list() == [f"2024-01-0{n}" for n in range(1, 5)]
    assert parts["loss_round"].to_list() == [0.0, 2.0, 4.0, 6.0]
    assert parts["rounds"].to_list() == [5] * 4
    assert parts["loss_round_low"].null_count() == 0
    whole = summary(found.filter(pl.col("round_id") < "r0005"), clusters_of([]), ("player",))
    assert parts["loss_round_high"][0] == whole["loss_round_high"][0]


def test_neighbouring_sessions_share_a_point_where_there_are_many() -> None:
    found = frame(rows([[1.0]] * 5 * PARTS))
    told = graded(found, 5 * PARTS, dated=True)
    days = told.rounds.with_columns(day=pl.lit("2024-01-01"))
    parts = course(found, Graded(found, pl.DataFrame(), days))
    assert parts["rounds"].to_list() == [5] * PARTS


@pytest.mark.parametrize(("rounds", "points"), [(5, 1), (4 * BLOCK, 4), (PARTS * BLOCK * 2, PARTS)])
def test_the_course_is_by_blocks_where_there_are_no_days(rounds: int, points: int) -> None:
    found = frame(rows([[1.0, 0.0]] * rounds))
    parts = course(found, graded(found, 3, dated=False))
    assert len(parts) == points
    assert parts["rounds"].sum() == rounds
    assert (parts["first"][0], parts["last"][-1]) == ("1", str(rounds))


def test_every_loss_is_in_the_spread_once() -> None:
    losses = [[0.0, -0.4, 0.1 * n, 50.0 if n == 7 else 0.3] for n in range(100)]
    found = frame(rows(losses))
    zero, steps = spread(found)
    every = [loss for one in losses for loss in one]
    assert zero == every.count(0.0)
    assert zero + steps["n"].sum() == len(every)
    assert steps["mistakes"].sum() == sum(loss > 3 for loss in every)
    assert len(steps) <= BINS + 3
    assert (steps["low"][0], steps["high"][-1]) == (None, None)
    assert steps["high"].to_list()[:-1] == steps["low"].to_list()[1:]
    for low, high, n in steps.select("low", "high", "n").rows()[1:-1]:
        assert n == sum(low <= loss < high for loss in every if loss), "bounds of a step"
    assert spread(frame(rows([[0.0]])))[1].is_empty()


def test_rounds_behind_a_count_and_what_was_not_judged() -> None:
    left = rows([[0.0], [0.0]], seq=9, why_not="bounds", band=None, matches=None)
    found = frame(rows([[0.0, 4.0], [0.0, 1.0], [5.0]]) + left)
    assert behind(found, "decisions") == ["r0000", "r0001", "r0002"]
    assert behind(found, "matches") == ["r0000", "r0001"]
    assert behind(found, "mistakes") == ["r0000", "r0002"]
    assert behind(found, "blunders") == []
    assert not_judged(found).rows() == [("bounds", 2, 2)]
    assert evaluators(found).rows() == [("e", "qq", 3, 5)]
    told = graded(found, 3, dated=True)
    assert worst_rows(found.drop("choices"), told)["loss"].to_list() == [5.0, 4.0, 1.0]
    assert totals(found, told, ()).select("decisions", "rounds").row(0) == (5, 3)
