"""Is the judge right? What it says a player loses must be what is gained by following it; blunders must be found."""

from __future__ import annotations

import numpy as np
import pytest

from analytics.decisions import band_of, graded
from analytics.reasons import reason_of
from replay.judging import CLIP_PARTS, EFFORTS, Judged, judge_task, judging_room
from replay.kernels import judge
from replay.kernels.match import R_POINTS, RESULT
from replay.kernels.memo import CLIP
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.players import room, stream_of, who
from replay.rulesets import RULESETS
from replay.simulated import Run, session
from tests.analytics.blunders import Blunder, blunders, unlucky

pytestmark = pytest.mark.slow  # compiles kernels of its own: by hand

CHAINS = 32


def gains(deals: int, seed: int) -> np.ndarray:
    """What a seat makes more by following the judge than as `steady`, at a table of `steady`: the mean of the three
    seats, a number a deal."""
    at = room(RULESETS["qq"], part="follow")
    out = np.zeros(judge.V_CHAINS + judge.MOST_CHOICES * CHAINS)
    results = np.zeros(deals * 4 * RESULT, dtype=np.int64)
    events = np.zeros(EVENT * (MOST_EVENTS + 8), dtype=np.int64)
    everybody = np.array(who(at, ["steady"] * 3), dtype=np.int64)
    played = at.kernels.follow_deals(
        at.state, at.table, at.plans, at.weights, at.net, stream_of(seed), deals, everybody, 3, 0, 0, 8, CHAINS,
        float(at.state[CLIP]) / CLIP_PARTS, events, results, out,
    )  # fmt: skip
    assert played == 4 * deals
    points = results.reshape(deals, 4, RESULT)[:, :, R_POINTS : R_POINTS + 3]
    return np.stack([points[:, 1 + seat, seat] - points[:, 0, seat] for seat in range(3)]).mean(axis=0)


def named(one: Blunder) -> tuple[Judged, bool]:
    """What is said of a planted blunder; was it named, and for the right reason?"""
    found = judge_task(judging_room(one.task), one.task, EFFORTS["full"])
    why = reason_of(found.choices[found.taken], found.choices[found.best], *found.after)
    return found, bool(band_of(found, "qq")) and why in one.reasons


def test_planted_blunders_are_found() -> None:
    found = [named(one)[1] for one in blunders(3, 2, ("hu", "huxi"))]
    assert sum(found) >= len(found) - 1


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_planted_blunders_are_found_by_the_hundred() -> None:
    for seed in (3, 4):
        found = [named(one)[1] for one in blunders(seed, 34)]
        assert sum(found) >= 0.95 * len(found)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_sound_but_unlucky_move_is_no_mistake() -> None:
    found = [judge_task(judging_room(task), task, EFFORTS["full"]) for task in unlucky(5, 100)]
    assert sum(band_of(one, "qq") == 0 for one in found) >= 99


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_predicted_loss_is_realised_gain() -> None:
    """1,650 rounds with a follower; the losses of 300 seats and rounds (their own error is some 0.25 points)."""
    gained = gains(550, 5)
    half = 2.576 * float(gained.std(ddof=1)) / len(gained) ** 0.5
    run = Run(RULESETS["qq"], ("steady",) * 3, 100, 20261130, per_session=100)
    lost = float(graded(session(run, 0), "full", 2)["loss"].sum()) / 300
    assert abs(float(gained.mean()) - lost) < half + 2.576 * 0.25


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_weaker_players_lose_more() -> None:
    run = Run(RULESETS["qq"], ("greedy", "steady", "value"), 500, 7, per_session=500)
    found = graded(session(run, 0), "full", 2)
    losses = [found.filter(player=f"{name}-{i}")["loss"].sum() / 500 for i, name in enumerate(run.players, 1)]
    assert losses[0] > losses[1] > losses[2]
