"""Judging decisions: which they are, what is told of them, and that the figures follow from the round alone."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from analytics.decisions import graded
from analytics.reasons import sentence
from ingest.codes import Action
from ingest.naming import round_id
from ingest.record import Record
from replay.corrections import Correction
from replay.judging import EFFORTS, Effort, Judged, evaluator_id, judge_rounds, judge_task, judging_room, tasks
from replay.kernels import judge, layout, memo, outcomes, search
from replay.players import room
from replay.replayer import replay_round
from replay.rulesets import RULESETS
from replay.simulated import Run, session

SMALL = Effort("quick", 4, 4, 2, 1)


@pytest.fixture(scope="module")
def rounds() -> list[Record]:
    return session(Run(RULESETS["qq"], ("steady", "value", "greedy"), 6, seed=3), 0)


@pytest.fixture(scope="module")
def quick(rounds: list[Record]) -> list[list[Judged]]:
    return [found for _, found in judge_rounds(rounds, "quick")]


def test_every_choice_that_was_told_is_judged(rounds: list[Record], quick: list[list[Judged]]) -> None:
    for record, found in zip(rounds, quick, strict=True):
        told = [d for d in replay_round(record).decisions if d.taken is not None and len(d.options) > 1]
        assert [(one.seq, one.seat) for one in found] == [(d.seq, d.seat) for d in told]
        for one, decision in zip(found, told, strict=True):
            assert one.why_not == ""
            assert {choice.text for choice in one.choices} == set(decision.options)
            assert one.choices[one.taken].text == decision.options[decision.taken or 0]


def test_what_is_told_of_a_choice_hangs_together(quick: list[list[Judged]]) -> None:
    for one in (one for found in quick for one in found):
        best = one.choices[one.best]
        assert best.behind == 0
        assert min(choice.behind for choice in one.choices) > -0.001
        assert one.naive >= 0
        assert one.value_loss >= 0
        assert one.naive == pytest.approx(best.points[one.seat] - one.choices[one.taken].points[one.seat], abs=2e-4)
        for choice in one.choices:
            assert choice.points[one.seat] == pytest.approx(best.points[one.seat] - choice.behind, abs=2e-4)
            assert sum(choice.points) == pytest.approx(0, abs=5e-4)  # what one wins the others pay
            assert choice.win is not None
            assert choice.huang is not None
            assert choice.pays is not None
            assert min(choice.win, choice.huang, choice.pays) >= 0
            assert 0 <= choice.gives <= 1
            if choice.text == "胡":
                assert choice.win == 1
                assert choice.points[one.seat] > 0
        hands = one.after
        assert all(
            (hand is None) == (one.choices[i].text == "胡")
            for hand, i in zip(hands, (one.taken, one.best), strict=True)
        )


def test_a_choice_given_up_early_is_told_by_how_far_it_lay_behind(rounds: list[Record]) -> None:
    found = [judge_task(judging_room(task), task, Effort("full", 4, 32, 2, 0)) for task in tasks(rounds[0])[:4]]
    early = 0
    for one in found:
        best = one.choices[one.best]
        for choice in one.choices:
            early += choice.worlds < best.worlds
            assert choice.points[one.seat] == pytest.approx(best.points[one.seat] - choice.behind, abs=2e-4)
            assert sum(choice.points) == pytest.approx(0, abs=5e-4)
    assert early > 0


def test_all_but_wins_are_put_right_alike(rounds: list[Record], monkeypatch: pytest.MonkeyPatch) -> None:
    """The seat's points go down by as much for every choice but 胡, the others' go up, and its chances of winning."""
    found = {}
    for by in (Correction(), Correction(0.5, 1.0, -4.0)):
        monkeypatch.setattr("replay.judging.correction", lambda _, by=by: by)
        found[by.points] = [
            judge_task(judging_room(task), task, EFFORTS["quick"]) for record in rounds[:4] for task in tasks(record)
        ]
    wins = 0
    for plain, right in zip(found[0.0], found[-4.0], strict=True):
        for before, after in zip(plain.choices, right.choices, strict=True):
            off = [b - a for a, b in zip(before.points, after.points, strict=True)]
            is_hu = before.text == "胡"
            wins += is_hu
            mine = 0.0 if is_hu else -4.0
            assert off == pytest.approx([mine if seat == plain.seat else -mine / 2 for seat in range(3)], abs=5e-4)
            assert before.win is not None
            assert after.win is not None
            assert before.pays is not None
            assert after.pays is not None
            assert after.win == before.win if before.win in (0.0, 1.0) else after.win < before.win
            assert is_hu or after.pays >= before.pays
    assert wins > 0


def test_threads_and_order_do_not_matter(rounds: list[Record], quick: list[list[Judged]]) -> None:
    again = [found for _, found in judge_rounds(rounds[::-1], "quick", jobs=3)]
    assert again[::-1] == quick


def test_plain_and_compiled_judge_alike(rounds: list[Record]) -> None:
    wanted = tasks(rounds[1])[-1:]
    fast = [judge_task(judging_room(task), task, SMALL) for task in wanted]
    slow_room = room(RULESETS["qq"], 3, jit=False, part="judge")
    slow = [judge_task(slow_room, task, SMALL) for task in wanted]
    assert fast == slow


def test_the_judge_sees_nothing_that_the_seat_does_not(rounds: list[Record]) -> None:
    """The same decision with the others' hidden cards and the wall exchanged gives the same figures."""
    checked = 0
    for task in tasks(rounds[0])[:2]:
        seat = task.decision.seat
        deal = list(task.deal)
        at = layout.D_HANDS - layout.DEAL0
        wall = layout.D_WALL - layout.DEAL0
        others = [at + 20 * q + i for q in range(3) if q != seat for i in range(20)]
        used = {(e[0], e[2]) for e in np.array(task.events[: 5 * task.decision.seq]).reshape(-1, 5).tolist()}
        if any(player != seat for player, _ in used):
            continue  # what they did binds their cards
        one, two = others[3], wall + 12
        deal[one], deal[two] = deal[two], deal[one]
        changed = replace(task, deal=tuple(deal))
        told = [judge_task(judging_room(t), t, replace(SMALL, known=0)) for t in (task, changed)]
        assert told[0] == told[1]
        checked += 1
    assert checked


def test_a_stored_seed_makes_the_same_worlds(rounds: list[Record]) -> None:
    task = tasks(rounds[0])[0]
    once, again = (judge_task(judging_room(task), task, SMALL) for _ in range(2))
    other = judge_task(judging_room(task), replace(task, seed=(task.seed[0] + 1, task.seed[1])), SMALL)
    assert once == again != other


def test_evaluators_differ_by_ruleset_and_effort() -> None:
    ids = {evaluator_id(name, effort) for name in RULESETS for effort in EFFORTS}
    assert len(ids) == len(RULESETS) * len(EFFORTS)


def test_what_cannot_be_judged_says_why(rounds: list[Record]) -> None:
    record = rounds[0]
    hands = (record.hands[0], None, record.hands[2])
    hidden = msgspec.structs.replace(record, hands=hands, wall=None)
    found = [one.why_not for _, decisions in judge_rounds([hidden], "quick") for one in decisions]
    assert found
    assert set(found) == {"hidden"}
    general = session(Run(RULESETS["general"], ("steady",) * 3, 1), 0)
    assert {one.why_not for _, decisions in judge_rounds(general, "quick") for one in decisions} == {"draws"}


def test_a_win_that_may_be_declined_is_a_decision(rounds: list[Record]) -> None:
    """胡 is worth what it pays; to pass it by is judged too."""
    for record in rounds:
        if record.result is None or record.result.points is None or record.moves[-1].action != Action.HU:
            continue
        (found,) = [decisions for _, decisions in judge_rounds([record], "quick")]
        last = [one for one in found if one.choices[one.taken].text == "胡"]
        for one in last:
            assert one.choices[one.taken].points == tuple(map(float, record.result.points))
            assert {choice.text for choice in one.choices} >= {"胡", "过"}
        if last:
            return
    pytest.fail("no round was won")


def test_chances_add_up(quick: list[list[Judged]]) -> None:
    """Ends are counted by their share of the wall and play goes on with the rest: nothing is lost or counted twice."""
    sums = [
        (choice.win or 0) + (choice.huang or 0) + (choice.pays or 0)
        for found in quick
        for one in found
        for choice in one.choices
        if choice.text != "胡"
    ]
    assert len(sums) > 300
    assert np.mean(sums) == pytest.approx(1, abs=4 * np.std(sums) / len(sums) ** 0.5)
    assert np.std(sums) < 0.25


def test_a_better_player_loses_less(quick: list[list[Judged]]) -> None:
    losses = [[one.loss for found in quick for one in found if one.seat == seat] for seat in range(3)]
    assert sum(losses[1]) < sum(losses[2])  # value, greedy


def test_room_for_choices_and_chains() -> None:
    assert outcomes.OUTCOME * judge.MOST_CHOICES == judge.V_VALUES
    assert search.C_SIZE * judge.MOST_CHOICES <= memo.PLAYED - memo.CHOICES


def test_rows_of_real_judgements(rounds: list[Record], quick: list[list[Judged]]) -> None:
    """From a round to the table, compiled kernels and all."""
    table = graded(rounds[:2], "quick")
    told = {
        (round_id(record), one.seq, one.seat): one.loss
        for record, found in zip(rounds[:2], quick, strict=False)
        for one in found
    }
    assert {row[:-1]: row[-1] for row in table.select("round_id", "seq", "seat", "loss").iter_rows()} == told
    for row in table.to_dicts():
        assert sentence(row)
        assert sentence(row, "en")
