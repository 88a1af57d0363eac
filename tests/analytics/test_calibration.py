"""Bins of what was foretold: what is right passes, what is wrong shows; which decisions are looked at."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analytics import calibration
from analytics.calibration import BINS, MEASURES, binned, measured, one_of, put_right
from ingest.naming import round_id
from replay.corrections import Correction, correction, corrections
from replay.judging import evaluator_id, tasks
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


def _biased() -> pl.DataFrame:
    """Looks that are right by the corrections of ``PLANTED`` backwards, and what came; some wins are taken."""
    rng = np.random.default_rng(3)
    true = rng.dirichlet((3, 1, 4), ROUNDS)
    plain = true / np.array([PLANTED.win, PLANTED.huang, 1.0])
    plain /= plain.sum(axis=1, keepdims=True)
    came = (true.cumsum(axis=1) > rng.random((ROUNDS, 1))).argmax(axis=1)
    certain = rng.random(ROUNDS) < 0.05
    plain[certain], came[certain] = (1.0, 0.0, 0.0), 0
    points = np.where(certain, 6.0, rng.normal(0, 3, ROUNDS))
    told = {"points": points, "win": plain[:, 0], "huang": plain[:, 1], "pays": plain[:, 2]}
    was = {"points": points + PLANTED.points * ~certain, **{name: came == i for i, name in enumerate(MEASURES[1:])}}
    rows = {f"{when}_{name}": values for when in ("first", "second") for name, values in told.items()}
    return pl.DataFrame(rows | {f"was_{name}": values.astype(float) for name, values in was.items()})


PLANTED = Correction(0.7, 0.9, -1.25)


def test_a_planted_bias_is_found_and_put_right() -> None:
    rows = _biased()
    found, told = measured(ROUNDS, rows)
    assert found.win == pytest.approx(PLANTED.win, rel=0.05)
    assert found.huang == pytest.approx(PLANTED.huang, rel=0.08)
    assert found.points == pytest.approx(PLANTED.points, abs=0.01)
    for name, off in (("bins", 0), ("plain", BINS // 2)):
        count = sum(abs(row["was"] - row["foretold"]) > row["half"] for row in told[name]["win"])
        assert count <= 1 if off == 0 else count >= off
    assert told["decisions"] == ROUNDS // 2


def test_chances_put_right_add_up() -> None:
    for win, huang, pays in ((0.2, 0.1, 0.7), (0.2, 0.3, 0.1), (0.0, 0.2, 0.9), (0.5, 0.5, 0.0)):
        right = PLANTED.chances(win, huang, pays)
        rest = 1 - win - huang
        assert sum(PLANTED.chances(win, huang, rest)) == pytest.approx(1)
        assert right[2] <= 1 - right[0] + 1e-9
    assert PLANTED.chances(1.0, 0.0, 0.0) == (1.0, 0.0, 0.0)
    assert Correction().chances(0.2, 0.1, 0.7) == pytest.approx((0.2, 0.1, 0.7))


def test_files_fit_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shipped names this program's evaluators; writing one ruleset leaves the others alone."""
    for name, told in calibration.measurements().items():
        assert told["evaluator"] == evaluator_id(name, "full")
        assert set(told["bins"]) == set(MEASURES)
        assert name in corrections()
    before = (calibration.measurements(), corrections())
    for name in ("PLACE", "CORRECTIONS"):
        monkeypatch.setattr(calibration, name, tmp_path / f"{name}.json")
    calibration.keep("general", 10, _biased())
    assert set(json.loads((tmp_path / "PLACE.json").read_text())) == {*before[0], "general"}
    assert set(json.loads((tmp_path / "CORRECTIONS.json").read_text())) == {*before[1], "general"}


@pytest.mark.slow
def test_what_is_foretold_comes_true() -> None:
    """3,000 rounds: nothing is off by much; docs/decision-quality.md tells of more."""
    rows = put_right(
        pl.DataFrame([row for part in range(6) for row in calibration.foretold("qq", 3000, part)]), correction("qq")
    )
    assert len(rows) > 1_000
    for measure in MEASURES:
        off = rows[f"was_{measure}"] - rows[f"second_{measure}"]
        assert abs(off.mean()) < 4 * off.std() / len(off) ** 0.5
