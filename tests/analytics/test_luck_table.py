"""Ledgers as rows: they add up, sums a player with R, the store that weighs nothing twice and a changed round again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import polars as pl
import pytest

from analytics import decisions, luck_table
from analytics.decision_summary import clusters_of
from analytics.grade_text import print_ledgers, print_luck
from analytics.grading import grade_store
from analytics.luck_table import QUARTERS, REASONS, adjusted, by_person, current, weighed
from ingest.adapters.jsonl import FORMAT as JSONL
from ingest.convert import dump
from ingest.importer import import_paths
from ingest.naming import account, round_id
from ingest.record import Record
from ingest.store import RESULTS, Store, open_store
from replay import luck
from replay.kernels.ledger import L_DEAL, L_DRAWS, L_PAID, LEDGER
from replay.kernels.luck import MICRO
from replay.rulesets import RULESETS
from replay.simulated import Run, session


@pytest.fixture(scope="module")
def played() -> list[Record]:
    return session(Run(RULESETS["qq"], ("steady", "value", "greedy"), 3, seed=3), 0)


@pytest.fixture(scope="module")
def found(played: list[Record]) -> pl.DataFrame:
    return weighed(played, jit=False)


def test_the_account_of_every_person_adds_up(played: list[Record], found: pl.DataFrame) -> None:
    rows = {one["round_id"]: one for one in found.to_dicts()}
    for record in played:
        one = rows[round_id(record)]
        assert record.result is not None
        assert one["payoff"] == [points * MICRO for points in record.result.points or ()]
        for seat in range(3):
            terms = sum(term["points"][seat] for term in one["terms"])
            assert one["payoff"][seat] == one["expectation"][seat] + one["deal"][seat] + one["revision"][seat] + terms
        seqs = [term["seq"] for term in one["terms"]]
        assert seqs == sorted(seqs)
        for term in one["terms"]:
            if term["kind"] == "draw":
                move = record.moves[term["seq"]]
                assert (move.seat, move.card) == (term["seat"], term["card"])


def test_who_sits_out_has_no_account() -> None:
    record = session(Run(RULESETS["bisai"], ("steady",) * 4, 1, seed=2), 0)[0]
    one = weighed([record], jit=False).to_dicts()[0]
    assert record.sitter is not None
    assert [value is None for value in one["payoff"]] == [person == record.sitter for person in range(4)]
    assert all(term["seat"] != record.sitter for term in one["terms"])
    assert record.sitter not in by_person(weighed([record], jit=False))["seat"]


def test_a_round_without_a_ledger_says_why(played: list[Record], capsys: pytest.CaptureFixture[str]) -> None:
    whole = played[0]
    hidden = msgspec.structs.replace(whole, hands=(None, *whole.hands[1:]))
    table = weighed([hidden], jit=False)
    assert table["why_not"].to_list() == ["unknown_cards"]
    assert adjusted(by_person(table), clusters_of([])).is_empty()
    for lang, text in zip(("zh", "en"), REASONS["unknown_cards"], strict=True):
        print_ledgers(table, lang)
        print_luck(table, by_person(table), clusters_of([]), lang)
        assert capsys.readouterr().out.count(text) == 2
    assert set(REASONS) == set(luck.REASONS) - {""}


def _made(n: int, players: tuple[str, ...] = ("a", "b", "c")) -> tuple[pl.DataFrame, np.ndarray, list[str]]:
    """Rows of rounds with luck that explains most of what was paid, the same as the kernels' table, the sessions."""
    rng = np.random.default_rng(4)
    table = np.zeros((n, LEDGER), dtype=np.int64)
    lucky = rng.integers(-9 * MICRO, 9 * MICRO, (n, 3))
    table[:, L_DEAL : L_DEAL + 3] = lucky // 3
    table[:, L_DRAWS : L_DRAWS + 3] = lucky - lucky // 3
    table[:, L_PAID : L_PAID + 3] = lucky + rng.integers(-3 * MICRO, 3 * MICRO, (n, 3))
    rows = [
        {"round_id": f"{i:032}", "players": players, "payoff": row[L_PAID : L_PAID + 3],
         "deal": row[L_DEAL : L_DEAL + 3],
         "terms": [{"kind": "draw", "seq": 1, "seat": 0, "card": 3, "points": row[L_DRAWS : L_DRAWS + 3]}],
         "why_not": ""}
        for i, row in enumerate(table.tolist())
    ]  # fmt: skip
    return luck_table.frame(rows), table, [f"s{i // 5}" for i in range(n)]


def test_sums_are_those_of_the_ledgers() -> None:
    rows, table, sessions = _made(100)
    clusters = clusters_of((f"{i:032}", name, None) for i, name in enumerate(sessions))
    told = adjusted(by_person(rows), clusters)
    rest = luck.luck_adjusted(table, quarters=QUARTERS) / MICRO
    assert told["adjusted"].to_list() == pytest.approx(list(rest.mean(axis=0)))
    assert told["paid"].to_list() == pytest.approx(list(table[:, L_PAID : L_PAID + 3].mean(axis=0) / MICRO))
    assert told["rounds"].to_list() == [100] * 3
    assert told["clusters"].to_list() == [20] * 3
    for seat, one in enumerate(told.to_dicts()):
        r = 1 - rest[:, seat].var() / (table[:, L_PAID + seat] / MICRO).var()
        assert one["r"] == pytest.approx(r)
        assert one["r_low"] < one["r"] < one["r_high"]
        assert one["adjusted_low"] < one["adjusted"] < one["adjusted_high"]
    whole = luck.variance_saved(table, sessions, quarters=QUARTERS)[0]
    assert min(told["r"]) < whole < max(told["r"])


def test_one_round_has_no_interval_and_no_r() -> None:
    rows, _, _ = _made(1)
    one = adjusted(by_person(rows), clusters_of([])).to_dicts()[0]
    assert (one["r"], one["r_low"], one["adjusted_low"]) == (None, None, None)


def test_what_is_printed(found: pl.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    print_ledgers(found, "zh")
    out = capsys.readouterr().out
    first = found.to_dicts()[0]
    assert f"{first['players'][0]}: {first['payoff'][0] / MICRO:+.2f} = 位置" in out
    print_luck(found, by_person(found), clusters_of([]), "en")
    assert capsys.readouterr().out.count("R=") == 3


@pytest.fixture
def store(tmp_path: Path, played: list[Record], monkeypatch: pytest.MonkeyPatch) -> Store:
    (tmp_path / "rounds.jsonl").write_bytes(dump(played, JSONL))
    place = open_store(str(tmp_path / "store"))
    import_paths([tmp_path / "rounds.jsonl"], place)

    def judged(some: list[Record], effort: str, jobs: int) -> pl.DataFrame:
        del effort, jobs
        return decisions.frame(
            {"round_id": round_id(record), "account": account(record), "why_not": "value", "choices": [],
             "evaluator": luck_table.evaluator_id("qq")}
            for record in some
        )  # fmt: skip

    monkeypatch.setattr(decisions, "graded", judged)
    monkeypatch.setattr("analytics.grading.evaluator_id", lambda *_: luck_table.evaluator_id("qq"))
    return place


def test_an_object_store_is_asked_for_what_was_judged() -> None:
    assert {decisions.TABLE, luck_table.TABLE} <= set(RESULTS)


def test_nothing_is_weighed_twice_but_a_changed_round_is(store: Store, found: pl.DataFrame) -> None:
    rounds = store.scan("rounds").collect()
    assert grade_store(store, rounds, "quick", 1) == 3
    assert current(store).drop("account").equals(found.drop("account"))
    assert grade_store(store, rounds, "quick", 1) == 0
    changed = rounds.with_columns(
        hands=pl.when(pl.col("round_no") == 1).then(
            pl.concat_list(pl.lit([[]], dtype=pl.List(pl.List(pl.Int8))), pl.col("hands").list.slice(1))
        ).otherwise("hands")
    )  # fmt: skip
    assert grade_store(store, changed, "quick", 1) == 1
    table = current(store)
    assert len(table) == 3
    assert table["why_not"].sort().to_list() == ["", "", "unknown_cards"]
    assert len(store.scan("decisions").collect()) == 3
