"""Counts of self-play: against a plain walk, for any number of processes, and that they add up."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from replay import baselines
from replay.baselines import BaselineError, Run, check_session, counted, frame, put, read
from replay.bulk import run_audit
from replay.engine import begin, engine, step
from replay.fan import PING_HU, names
from replay.fronts import few_fronts
from replay.kernels import layout
from replay.kernels import survey as k
from replay.kernels.audit import S_SPECIAL
from replay.kernels.jit import compiled
from replay.kernels.layout import A_BI, A_BU, A_CHI, A_DRAW, A_HU, A_TI_OPEN, DEAL_SIZE
from replay.kernels.match import R_FAN, R_HUXI, R_POINTS, R_SOURCE, R_WINNER
from replay.kernels.pieces import WORK_SIZE
from replay.kernels.play import EVENT
from replay.kernels.steps import steps_to_win
from replay.players import play_session, room
from replay.rulesets import RULESETS
from replay.survey import NEVER, ROLES, SOURCES, add_rounds, kinds, measures, no_counts

PLAYED = ("qq", "guilin", "general")
SESSION = 20


@pytest.fixture(scope="module")
def played() -> dict[str, tuple[Any, ...]]:
    """A session of each ruleset, and its summaries."""
    found = {}
    for name in PLAYED:
        deals, events, spans, results = play_session(room(RULESETS[name]), 5, 0, SESSION, ["steady"] * 3)
        machine = engine(RULESETS[name], compiled())
        summaries, findings = run_audit(machine, deals, events, spans, np.ones(SESSION, dtype=np.int64))
        assert len(findings) == 0
        found[name] = deals, events, spans, results, summaries
    return found


def walk(name: str, deals: Any, events: Any, spans: Any) -> dict[str, Counter[str]]:
    """Steps, listening and wins of every round in plain Python, each seat looked at after every event."""
    machine = engine(RULESETS[name])
    rows, work = few_fronts(machine.ruleset), [0] * WORK_SIZE
    found: dict[str, Counter[str]] = {}

    def note(measure: str, key: object) -> None:
        found.setdefault(measure, Counter())[str(key)] += 1

    for r in range(SESSION):
        deal = [int(x) for x in deals[DEAL_SIZE * r : DEAL_SIZE * (r + 1)]]
        moves = events[EVENT * spans[r] : EVENT * spans[r + 1]].reshape(-1, EVENT).tolist()
        begin(machine, deal)
        dealer, dealt = deal[0], False
        draws, ready = [0] * 3, [False] * 3

        def look(wall: int, draws: list[int], ready: list[bool], dealer: int) -> None:
            for seat, listens in enumerate(ready):
                steps = steps_to_win(machine.state, rows, work, seat)
                if not listens and steps in (0, 1) and machine.kernels.discard_due(machine.state, seat) < 1:
                    ready[seat] = True
                    note(f"ready_wall_{ROLES[seat - dealer]}", wall)
                    note(f"ready_own_{ROLES[seat - dealer]}", draws[seat])

        for seq, move in enumerate(moves):
            if move[1] != A_BU and not dealt:
                dealt = True
                for seat in range(3):
                    note(f"steps_{ROLES[seat - dealer]}", steps_to_win(machine.state, rows, work, seat))
                look(sum(draws), draws, ready, dealer)
            step(machine, seq, move)
            draws[move[0]] += move[1] == A_DRAW
            if move[1] in (A_CHI, A_BI):
                if moves[seq + 1][1] == A_BI:
                    continue
                machine.kernels.finish_chi(machine.state)
            if move[1] == A_HU:
                note("win_wall", sum(draws))
                note("win_own", draws[move[0]])
            elif move[1] <= A_TI_OPEN and move[1] != A_DRAW:
                look(sum(draws), draws, ready, dealer)
        for seat in range(3):
            if not ready[seat]:
                note(f"ready_wall_{ROLES[seat - dealer]}", NEVER)
                note(f"ready_own_{ROLES[seat - dealer]}", NEVER)
    return found


@pytest.mark.parametrize("name", ["qq", "guilin"])
def test_turns_and_steps_are_those_of_a_plain_walk(name: str, played: dict[str, tuple[Any, ...]]) -> None:
    deals, events, spans, _, summaries = played[name]
    counts = no_counts()
    add_rounds(engine(RULESETS[name], compiled()), deals, events, spans, summaries, counts)
    walked = walk(name, deals, events, spans)
    told: dict[str, Counter[str]] = {}
    for m in measures(counts, RULESETS[name]):
        if m.measure in ("win_wall", "win_own") or m.measure.startswith(("steps_", "ready_")):
            told.setdefault(m.measure, Counter())[m.key] = m.n
    assert {name: +counter for name, counter in told.items()} == walked


@pytest.mark.parametrize("name", PLAYED)
def test_results_are_those_that_the_players_were_told(name: str, played: dict[str, tuple[Any, ...]]) -> None:
    deals, events, spans, results, summaries = played[name]
    counts = no_counts()
    add_rounds(engine(RULESETS[name], compiled()), deals, events, spans, summaries, counts)
    told = {(m.measure, m.key): m for m in measures(counts, RULESETS[name])}
    dealers = deals.reshape(-1, DEAL_SIZE)[:, 0]
    won = results[results[:, R_WINNER] >= 0]
    assert told["huang", ""].n == SESSION - len(won)
    for i, role in enumerate(ROLES):
        seats = (dealers + i) % 3
        points = results[np.arange(SESSION), R_POINTS + seats]
        assert told["win", role][2:4] == (int((results[:, R_WINNER] == seats).sum()), SESSION)
        assert told["points", role][2:] == (SESSION, None, int(points.sum()), int((points**2).sum()))
    for i, source in enumerate(SOURCES):
        assert told["source", source].n == int((won[:, R_SOURCE] == i).sum())
    if name == "general":
        assert ("win_huxi", "") not in told
    else:
        assert told["win_huxi", ""].sum == int(won[:, R_HUXI].sum())
    fans: Counter[str] = Counter()
    for row, summary in zip(results.tolist(), summaries.tolist(), strict=True):
        if row[R_WINNER] >= 0:
            named = {*names(row[R_FAN], RULESETS[name], 10, 18, 18)}
            if summary[S_SPECIAL]:
                named.add(layout_special(summary[S_SPECIAL]))
            fans.update(named or {PING_HU})
    assert {key: m.n for (measure, key), m in told.items() if measure == "fan" and m.n} == fans


def layout_special(code: int) -> str:
    return {layout.TIANHU_BY_QUADS: "三提五坎", layout.TIANHU_BY_LIANG: "天胡", layout.DIHU: "地胡"}[code]


def test_counts_add_up() -> None:
    for name in PLAYED:
        rows = frame(Run(name, "steady", 7, 90), counted(Run(name, "steady", 7, 90), quiet=True))
        one_of = rows.filter(pl.col("of").is_not_null(), pl.col("measure") != "fan")
        sums = one_of.filter(pl.col("measure") != "win").group_by("measure").agg(pl.col("n").sum(), pl.col("of").max())
        wins = rows.filter(pl.col("measure") == "win")["n"].sum()
        assert wins + rows.filter(pl.col("measure") == "huang")["n"].item() == 90
        assert sums.filter(pl.col("measure") != "huang", pl.col("n") != pl.col("of")).is_empty()
        assert rows.filter(pl.col("measure") == "points")["sum"].sum() == 0
        assert set(sums["of"]) == {90, wins}
        assert (rows["n"] <= rows["of"].fill_null(90)).all()
        assert set(rows.filter(pl.col("measure") == "fan")["key"]) == set(kinds(RULESETS[name]))


def test_any_number_of_processes_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run("qq", "steady", 3, 50)
    whole = counted(run, quiet=True)
    monkeypatch.setattr(baselines, "BLOCK", 1)  # here only: where a block ends must not matter either
    parts = [baselines.count_block(run, first) for first in range(3)]
    assert [int(part[k.C_ROUNDS]) for part in parts] == [20, 20, 10]
    assert (sum(parts) == whole).all()
    monkeypatch.undo()
    assert (counted(run, jobs=2, quiet=True) == whole).all()


def test_a_finding_or_another_result_is_told_with_its_session(played: dict[str, tuple[Any, ...]]) -> None:
    deals, events, spans, results, summaries = played["qq"]
    run, machine, wholes = Run("qq", "steady", 5, SESSION), engine(RULESETS["qq"], compiled()), np.ones(SESSION, int)
    check_session(run, 0, summaries, np.zeros(0, dtype=np.int64), results)
    spoilt = events.copy()
    at = next(i for i in range(len(events) // EVENT) if events[EVENT * i + 1] == A_DRAW)
    spoilt[EVENT * at + 2] = (spoilt[EVENT * at + 2] + 1) % 20
    with pytest.raises(BaselineError, match=r"seed 5, session 0, round 0: .*WALL_MISMATCH"):
        check_session(run, 0, *run_audit(machine, deals, spoilt, spans, wholes), results)
    other = results.copy()
    other[3, R_POINTS] += 1
    with pytest.raises(BaselineError, match="another result"):
        check_session(run, 0, summaries, np.zeros(0, dtype=np.int64), other)


def test_the_command_writes_the_rows_of_a_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    place = tmp_path / "data" / "baselines.parquet"
    assert read(place).is_empty()
    command = ["--rounds", "40", "--player", "steady", "--to", str(place)]
    assert baselines.main(["luzhou", "qq", *command]) == 0
    first = read(place)
    assert first["ruleset"].unique(maintain_order=True).to_list() == ["qq", "luzhou"]
    assert baselines.main(["qq", *command, "--seed", "2"]) == 0
    again = read(place)
    assert set(again.filter(pl.col("ruleset") == "qq")["seed"]) == {2}
    assert_frame_equal(*(rows.filter(pl.col("ruleset") == "luzhou") for rows in (first, again)))
    put(first.filter(pl.col("ruleset") == "qq"), place)
    assert_frame_equal(read(place), first)
    monkeypatch.setattr("replay.players.VALUES", tmp_path)
    assert baselines.main(["qq", "--to", str(place)]) == 1
    assert "qq: 未测 / not measured" in capsys.readouterr().err
    assert_frame_equal(read(place), first)
