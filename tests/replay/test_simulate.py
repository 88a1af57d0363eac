"""Simulated sessions: the same for a seed however they are made, clean, and dealt by whom the rules name."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ingest.record import Record
from ingest.validate import check
from replay import simulated
from replay.accept import accept
from replay.bulk import replay_records
from replay.players import PlayerError, play_session, room
from replay.rulesets import QQ, RULESETS
from replay.simulated import Run, session
from tests.replay.simulations import hash_of, huang_running, records_of, run_of, won

TABLES = [(name, persons) for name, ruleset in RULESETS.items() for persons in ruleset.persons]


def test_a_session_does_not_depend_on_those_before_it() -> None:
    run = run_of(rounds=200)
    backwards = [session(run, part) for part in reversed(range(run.sessions))]
    assert backwards[::-1] == records_of(run)


def test_compiled_and_plain_play_the_same_sessions() -> None:
    fast, slow = room(QQ), room(QQ, jit=False)
    for name in ("random", "greedy", "steady"):
        for part in range(2):
            played = [play_session(at, 3, part, 3, [name] * 3) for at in (fast, slow)]
            assert all(np.array_equal(one, other) for one, other in zip(*played, strict=True))


PINNED = {"qq": "fa078e62f5cd2cf3", "guilin": "9aef88589c581c77"}
"""Of 40 rounds; whoever changes a player or how rounds are written changes these with it, and says so."""


@pytest.mark.parametrize("name", PINNED)
def test_the_same_bytes_on_every_python(name: str) -> None:
    assert hash_of(run_of(name)) == PINNED[name]


def test_another_seed_gives_other_rounds() -> None:
    deals = {record.hands for seed in range(3) for rounds in records_of(run_of(seed=seed)) for record in rounds}
    assert len(deals) == 3 * 40


@pytest.mark.parametrize(("name", "persons"), TABLES)
def test_every_table_replays_clean(name: str, persons: int) -> None:
    records = [record for rounds in records_of(run_of(name, persons, 60)) for record in rounds]
    assert len(records) == 60
    for record in records:
        check(record)
        assert accept(record) is None
    outcomes = replay_records(records, {})
    assert {outcome.verdict for outcome in outcomes} == {"clean"}
    assert not any(finding.severity for outcome in outcomes for finding in outcome.findings)
    assert all(outcome.score is not None and outcome.score.winner == won(outcome.record) for outcome in outcomes)


def test_a_finding_of_the_audit_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(*given: object) -> tuple[object, ...]:
        deals, events, spans, results = play_session(*given)  # type: ignore[arg-type]
        events[1] = 99
        return deals, events, spans, results

    monkeypatch.setattr(simulated, "play_session", spoiled)
    with pytest.raises(RuntimeError, match=r"qq-random-greedy-steady-1\.1: round 1: "):
        session(run_of(), 0)


def test_points_that_the_audit_does_not_give_stop_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(*given: object) -> tuple[object, ...]:
        *played, results = play_session(*given)  # type: ignore[arg-type]
        results[0, 1:3] += (1, -1)
        return (*played, results)

    monkeypatch.setattr(simulated, "play_session", spoiled)
    with pytest.raises(RuntimeError, match="other points"):
        session(run_of(), 0)


def test_what_the_records_tell() -> None:
    run = Run(QQ, ("steady", "steady", "random"), 45, 7)
    rounds = records_of(run)
    assert [len(one) for one in rounds] == [20, 20, 5]
    first = rounds[1][0]
    assert first.players == ("steady-1", "steady-2", "random-3")
    assert (first.platform, first.room, first.session) == ("sim", first.session, "qq-steady-steady-random-7.2")
    assert [record.round_no for record in rounds[2]] == [1, 2, 3, 4, 5]
    assert [record.started_at for record in rounds[0][:2]] == ["2026-01-01T00:03:00", "2026-01-01T00:06:00"]
    assert rounds[0][0].options == {}
    for one in rounds:
        so_far = (0, 0, 0)
        for record in one:
            assert record.result is not None
            assert record.result.points is not None
            so_far = tuple(map(sum, zip(so_far, record.result.points, strict=True)))  # type: ignore[assignment]
            assert record.result.totals == so_far


def test_runs_with_other_options_have_other_sessions() -> None:
    plain, changed = run_of(), run_of(base_points=1)
    assert plain.name != changed.name
    record = session(changed, 0)[0]
    assert record.options == {"base_points": 1}
    assert record.session.startswith("qq-random-greedy-steady-")


@pytest.mark.parametrize(
    ("ruleset", "players", "said"),
    [
        ("qq", ("steady",) * 4, "qq wants 3 players, 4 are given"),
        ("bisai", ("steady",) * 2, "bisai wants 3 or 4 players, 2 are given"),
        ("general", ("steady",) * 4, "general wants 2 or 3 players, 4 are given"),
        ("qq", ("steady", "steady", "best"), "no player 'best'"),
    ],
)
def test_who_cannot_play(ruleset: str, players: tuple[str, ...], said: str) -> None:
    with pytest.raises(PlayerError, match=said):
        Run(RULESETS[ruleset], players, 10)


def _steps(run: Run) -> list[tuple[Record, Record, int]]:
    """A round, the one after it, and 荒庄 running after the first."""
    return [
        (record, after, count)
        for rounds in records_of(run)
        for record, after, count in zip(rounds, rounds[1:], huang_running(rounds), strict=False)
    ]


# Of random players nearly every round is 荒庄, of steady ones few.
WINS, DRAWS = ("steady", "greedy", "steady"), ("random", "greedy", "random")


@pytest.mark.parametrize("players", [WINS, DRAWS])
def test_r11_5_r13_68_the_winner_deals_next_and_after_huang_the_same(players: tuple[str, ...]) -> None:
    seen = Counter[str]()
    for record, after, count in _steps(run_of("hu15", rounds=300, players=players)):
        if won(record) >= 0:
            assert after.dealer == won(record)
        elif count < 3:
            assert after.dealer == record.dealer
        seen["win" if won(record) >= 0 else f"{count}"] += 1
    assert min(seen["win"], seen["1"]) > 5


def test_r11_6_r13_70_the_third_huang_running_passes_the_deal() -> None:
    passed = 0
    for record, after, count in _steps(run_of("hu15", rounds=300, players=DRAWS)):
        if count == 3:
            assert after.dealer == (record.dealer + 1) % 3
            passed += 1
    assert passed > 20


def test_r13_70_without_it_the_deal_stays() -> None:
    for record, after, _ in _steps(run_of("hu15", rounds=100, players=("random",) * 3, huang_three=False)):
        assert after.dealer == (record.dealer if won(record) < 0 else won(record))


def test_r12_31_after_huang_the_creator_deals() -> None:
    creators, returned = set(), 0
    for rounds in records_of(run_of("guilin", rounds=200)):
        creators.add(rounds[0].dealer)
        for record, after in pairwise(rounds):
            assert after.dealer == (won(record) if won(record) >= 0 else rounds[0].dealer)
            returned += won(record) < 0 and record.dealer != rounds[0].dealer
    assert creators == {0, 1, 2}
    assert returned > 5


def test_r12_31_r13_68_in_early_builds_the_creator_always_deals() -> None:
    for rounds in records_of(run_of("guilin", dealer_next="creator", players=WINS)):
        assert {record.dealer for record in rounds} == {rounds[0].dealer}


def test_r13_68_by_dice_anybody_deals() -> None:
    steps = _steps(run_of("general", rounds=200))
    assert {(won(record) == after.dealer) for record, after, _ in steps if won(record) >= 0} == {True, False}
    assert {record.dealer for record, _, _ in steps} == {0, 1, 2}


def test_r13_69_after_huang_the_next_deals() -> None:
    steps = _steps(run_of("hu15", rounds=60, players=DRAWS, huang_next="next"))
    for record, after, _ in steps:
        assert after.dealer == ((record.dealer + 1) % 3 if won(record) < 0 else won(record))


@pytest.mark.parametrize("name", ["bisai", "luzhou"])
def test_r14_1_r14_13_r15_1_the_one_opposite_the_dealer_sits_out(name: str) -> None:
    passed = set()
    for record, after, count in _steps(run_of(name, 4, 200, players=("random",) * 4)):
        assert record.sitter == (record.dealer + 2) % 4
        assert [seat for seat, hand in enumerate(record.hands) if hand is None] == [record.sitter]
        assert record.sitter not in {move.seat for move in record.moves}
        assert won(record) != record.sitter
        if won(record) >= 0:
            assert after.dealer == won(record)
        elif count == 3:
            assert after.dealer == (record.dealer + 1) % 4
            passed.add(record.dealer)
        else:
            assert after.dealer == record.dealer
    assert passed


def test_r14_4_of_four_in_a_match_the_sitter_is_paid_and_r15_1_at_luzhou_not() -> None:
    paid = {
        name: any(
            record.result is not None and record.result.points is not None and record.result.points[record.sitter or 0]
            for rounds in records_of(run_of(name, 4, 200))
            for record in rounds
            if record.sitter is not None
        )
        for name in ("bisai", "luzhou")
    }
    assert paid == {"bisai": True, "luzhou": False}
