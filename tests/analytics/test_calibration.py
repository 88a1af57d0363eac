"""Bins of what was foretold: what is right passes, what is wrong shows; which decisions are looked at."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analytics import calibration
from analytics.calibration import BINS, MEASURES, binned, one_of
from ingest.naming import round_id
from replay.judging import tasks
from replay.rulesets import RULESETS
from replay.simulated import Run, session

ROUNDS = 40_000


def _rows(bias: float) -> pl.DataFrame:
    """Decisions with a chance that two noisy looks tell of; what came of them comes by that chance and ``bias``."""
    rng = np.random.default_rng(1)
    chance = rng.beta(2, 4, ROUNDS)
    looks = {f"{when}_win": rng.binomial(16, chance) / 16 for when in ("first", "second")}
    return pl.DataFrame(looks | {"was_win": (rng.random(ROUNDS) < chance + bias).astype(float)})


def test_right_forecasts_are_within_their_intervals() -> None:
    found = binned(_rows(0.0), "win")
    assert [row["n"] for row in found] == [ROUNDS // BINS] * BINS
    assert sum(abs(row["was"] - row["foretold"]) > row["half"] for row in found) <= 1
    assert found[0]["foretold"] < found[-1]["foretold"]


def test_wrong_forecasts_are_not() -> None:
    found = binned(_rows(0.05), "win")
    assert sum(abs(row["was"] - row["foretold"]) > row["half"] for row in found) >= BINS - 2


def test_bins_by_the_look_that_is_compared_would_be_wrong() -> None:
    rows = _rows(0.0)
    found = binned(rows.with_columns(second_win="first_win"), "win")
    assert sum(abs(row["was"] - row["foretold"]) > row["half"] for row in found) >= 2


def test_the_number_of_a_decision_does_not_follow_from_how_the_round_went_on() -> None:
    """Each round has one number; those with fewer decisions are left out, as the others' own are not changed."""
    found = session(Run(RULESETS["qq"], ("value",) * 3, 60, 2, per_session=60), 0)
    looked = 0
    for record in found:
        number = int(round_id(record)[-8:], 16) % calibration.DECISIONS
        every = tasks(record)
        assert one_of(record) == (every[number] if number < len(every) else None)
        looked += number < len(every)
    assert 10 < looked < 50


@pytest.mark.slow
def test_what_is_foretold_comes_true() -> None:
    """3,000 rounds: nothing is off by much; docs/decision-quality.md tells of more."""
    rows = pl.DataFrame([row for part in range(6) for row in calibration.foretold("qq", 3000, part)])
    assert len(rows) > 1_000
    for measure in MEASURES:
        off = rows[f"was_{measure}"] - rows[f"second_{measure}"]
        assert abs(off.mean()) < 4 * off.std() / len(off) ** 0.5 + (0.5 if measure == "points" else 0.02)
