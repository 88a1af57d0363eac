"""Decisions as rows: bands, kinds, sums with intervals, the store that judges nothing twice, and ``phz grade``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from analytics import cli_grade, decisions
from analytics.cli_grade import grade
from analytics.decision_summary import clusters_of, summary
from analytics.decisions import Cuts, band_of, current, cuts, frame, graded, judged_only, row, worst
from analytics.reasons import REASONS, reason_of, sentence
from ingest.adapters.jsonl import FORMAT as JSONL
from ingest.convert import dump
from ingest.importer import import_paths
from ingest.naming import round_id
from ingest.record import Record
from ingest.store import open_store
from replay.judging import EFFORTS, Choice, Hand, Judged
from replay.rulesets import RULESETS
from replay.simulated import Run, session


def _choice(text: str, points: float, **more: Any) -> Choice:
    told = {"win": 0.3, "huang": 0.1, "pays": 0.6, "gives": 0.0, "error": 0.1, "value": points, "known": None} | more
    return Choice(
        text=text, worlds=64, points=(points, -points / 2, -points / 2), behind=max(0.0, 2.0 - points), **told
    )


def _judged(loss: float, error: float, value_loss: float, texts: tuple[str, str] = ("打 一", "打 二")) -> Judged:
    hand = Hand(2, 0, (1, 2), 5)
    choices = (_choice(texts[0], 2.0 - loss), _choice(texts[1], 2.0))
    return Judged(3, 0, 0, 15, 0, 1, loss, error, loss, value_loss, None, choices, (hand, hand))


def test_a_mistake_needs_both_evaluators_and_certainty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "cuts", lambda: {"qq": Cuts(1.0, 3.0, "steady-1", 9)})
    cases = {(2.0, 0.1, 2.0): 1, (2.0, 0.5, 2.0): 0, (2.0, 0.1, 0.9): 0, (9.0, 0.1, 9.0): 2, (9.0, 0.1, 2.0): 1}
    assert {case: band_of(_judged(*case), "qq") for case in cases} == cases
    assert band_of(_judged(9.0, 0.1, 9.0), "bisai") is None


def test_kinds() -> None:
    kinds = {
        decisions.kind_of(_judged(1, 0.1, 1, texts))
        for texts in (("打 一", "打 二"), ("吃 二三", "过"), ("碰", "过"), ("过", "碰"), ("过", "胡"), ("胡", "过"))
    }
    assert kinds == set(decisions.KINDS)


def test_reasons_in_their_order() -> None:
    best, worse = _choice("打 二", 2.0), _choice("打 一", 0.0)
    good = Hand(1, 0, (1, 2), 6)
    cases = {
        "": (best, good, best),
        "dead": (worse, Hand(-1, 9, (), 0), best),
        "huxi": (worse, Hand(2, 6, (1,), 6), best),
        "steps": (worse, Hand(2, 0, (1,), 6), best),
        "outs": (worse, Hand(1, 0, (1,), 3), best),
        "gives": (_choice("打 一", 0.0, gives=0.5), good, best),
        "chances": (_choice("打 一", 0.0, win=0.1), good, best),
        "points": (worse, good, best),
    }
    assert {code: reason_of(taken, better, hand, good) for code, (taken, hand, better) in cases.items()} == {
        code: code for code in cases
    }
    assert reason_of(worse, _choice("胡", 9.0), good, None) == "declined_hu"
    assert set(cases) | {"declined_hu"} == set(REASONS)


@pytest.fixture(scope="module")
def played() -> list[Record]:
    return session(Run(RULESETS["qq"], ("steady", "value", "greedy"), 3, seed=3), 0)


@pytest.fixture(scope="module")
def judged(played: list[Record]) -> dict[str, list[Judged]]:
    """Made-up judgements of two decisions a round; the judge itself has tests/replay/test_judging.py."""
    return {
        round_id(record): [replace(_judged(loss, 0.1, loss), seq=seq, seat=seq % 3) for seq, loss in enumerate(losses)]
        for record, losses in zip(played, ((0.0, 2.0), (5.0, 0.5), (1.0, 9.0)), strict=True)
    }


@pytest.fixture
def judge(judged: dict[str, list[Judged]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for judgements gets those."""

    def told(records: Iterable[Record], effort: str, jobs: int) -> Iterator[tuple[Record, list[Judged]]]:
        assert effort in EFFORTS
        assert jobs > 0
        yield from ((record, judged[round_id(record)]) for record in records)

    for module in (decisions, cli_grade):
        monkeypatch.setattr(module, "judge_rounds", told)


@pytest.fixture
def found(played: list[Record], judge: None) -> pl.DataFrame:
    del judge
    return graded(played, "quick")


def test_rows_say_what_was_judged(played: list[Record], judged: dict[str, list[Judged]], found: pl.DataFrame) -> None:
    told_of = [(record, one) for record in played for one in judged[round_id(record)]]
    assert len(found) == len(told_of)
    rows = {(one["round_id"], one["seq"], one["seat"]): one for one in found.to_dicts()}
    for record, one in told_of:
        told = rows[round_id(record), one.seq, one.seat]
        assert (told["loss"], told["error"], told["taken"]) == (one.loss, one.error, one.taken)
        assert [choice["text"] for choice in told["choices"]] == [choice.text for choice in one.choices]
        assert told["player"] == record.players[one.seat]
        for lang in ("zh", "en"):
            said = sentence(told, lang)
            assert said
            if told["taken"] != told["best"]:
                assert one.choices[one.best].text in said
    assert list(found.schema) == list(decisions.SCHEMA)


def test_sums_and_their_intervals() -> None:
    base = row_of(0.0)
    rng = np.random.default_rng(1)
    rows = [
        base | {"round_id": f"r{n}", "seq": seq, "player": player, "loss": float(loss)}
        for n in range(60)
        for player in ("a", "b")
        for seq, loss in enumerate(rng.exponential(1.0 if player == "a" else 3.0, 4))
    ]
    table = frame(rows)
    clusters = clusters_of((f"r{n}", f"s{n // 3}", None) for n in range(60))
    one, two = summary(table, clusters).to_dicts()
    for told in (one, two):
        losses = table.filter(player=told["player"])["loss"]
        assert (told["decisions"], told["rounds"], told["clusters"]) == (240, 60, 20)
        assert told["loss"] == pytest.approx(losses.mean())
        assert told["loss_round"] == pytest.approx(losses.sum() / 60)
        assert told["loss_low"] < told["loss"] < told["loss_high"]
        assert told["loss_round_low"] < told["loss_round"] < told["loss_round_high"]
    assert one["loss_high"] < two["loss_low"]
    assert summary(table.sample(fraction=1.0, shuffle=True, seed=2), clusters).equals(summary(table, clusters))


def row_of(loss: float) -> dict[str, Any]:
    """A row of the table, made by hand."""
    record = session(Run(RULESETS["qq"], ("steady",) * 3, 1), 0)[0]
    return row(record, _judged(loss, 0.1, loss), "quick")


def test_what_was_not_judged_counts_nowhere_but_is_kept() -> None:
    rows = [row_of(1.0), row_of(1.0) | {"seq": 4, "why_not": "bounds", "loss": None, "choices": []}]
    table = frame(rows)
    assert (len(table), len(judged_only(table))) == (2, 1)
    assert summary(table, clusters_of([]))["decisions"].to_list() == [1]


def test_the_worst_are_sure() -> None:
    rows = [row_of(5.0) | {"seq": 1, "error": 9.0}, row_of(2.0) | {"seq": 2}, row_of(3.0) | {"seq": 3}]
    assert worst(frame(rows))["seq"].to_list() == [3, 2]


@pytest.mark.usefixtures("judge")
def test_nothing_is_judged_twice(tmp_path: Path, played: list[Record], monkeypatch: pytest.MonkeyPatch) -> None:
    store = str(tmp_path / "store")
    (tmp_path / "rounds.jsonl").write_bytes(dump(played, JSONL))
    import_paths([tmp_path / "rounds.jsonl"], open_store(store))
    assert grade("", store, "quick", 1, json=True) == 0
    first = current(open_store(store))
    assert first.select("round_id").n_unique() == 3
    monkeypatch.setattr(decisions, "graded", lambda *_: pytest.fail("judged again"))
    assert grade("", store, "quick", 1, json=True) == 0
    assert current(open_store(store)).equals(first)


@pytest.mark.usefixtures("judge")
def test_json_of_a_file(tmp_path: Path, played: list[Record], capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rounds.jsonl").write_bytes(dump(played, JSONL))
    assert grade(f"{tmp_path / 'rounds.jsonl'}:2", "", "quick", 1, json=True) == 0
    told = json.loads(capsys.readouterr().out)
    table = graded(played[1:2], "quick")
    assert told["rounds"] == 1
    assert [one["loss"] for one in told["decisions"]] == table["loss"].to_list()
    assert told["summary"] == json.loads(json.dumps(summary(table, clusters_of([])).to_dicts()))
    assert grade(str(tmp_path / "rounds.jsonl"), "", "quick", 1, lang="en") == 0
    assert "is" in capsys.readouterr().out
    assert grade("nobody", str(tmp_path / "none"), "quick", 1) == 2


def test_cuts_are_those_of_a_population() -> None:
    for name, cut in cuts().items():
        assert name in RULESETS
        assert 0 < cut.mistake < cut.blunder
        assert cut.decisions > 500
    assert cli_grade.FEW > 0
