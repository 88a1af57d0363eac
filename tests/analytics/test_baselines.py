"""Baselines: what is expected beside what is observed, and the page made of them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analytics import baselines_page
from analytics.baselines import beside, expected, labels, load
from analytics.baselines_page import markdown
from analytics.catalog import catalog
from analytics.intervals import Z95
from replay import baselines
from replay.baselines import COLUMNS, main, read
from replay.rulesets import RULESETS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """Two small baselines."""
    place = tmp_path_factory.mktemp("baselines") / "baselines.parquet"
    assert main(["qq", "general", "--rounds", "300", "--player", "steady", "--to", str(place)]) == 0
    return read(place)


def n_of(rows: pl.DataFrame, ruleset: str, measure: str, key: str) -> int:
    of = rows.filter(ruleset=ruleset, measure=measure, key=key)
    return int(of["n"].item())


def test_expected_are_the_shares_of_the_counts(small: pl.DataFrame) -> None:
    found = {row[:3]: row[3] for row in expected(small).iter_rows()}
    wins = {role: n_of(small, "qq", "win", role) for role in ("dealer", "next", "previous")}
    assert found["qq", "dealer_win_rate", ""] == wins["dealer"] / 300
    assert found["qq", "idle_win_rate", ""] == (wins["next"] + wins["previous"]) / 600
    assert found["qq", "win_rate", ""] == sum(wins.values()) / 900
    assert found["qq", "huang_rate", ""] == (300 - sum(wins.values())) / 300
    assert found["qq", "zimo_share", ""] == n_of(small, "qq", "source", "own_draw") / sum(wins.values())
    assert found["general", "fan_share", "自摸"] == found["general", "zimo_share", ""]
    assert {metric for _, metric, _ in found} <= set(catalog().metrics)
    assert expected(small.clear()).is_empty()


def test_beside_keeps_the_rows_and_leaves_unknown_ones_empty(small: pl.DataFrame) -> None:
    observed = pl.DataFrame(
        {"metric": ["huang_rate"] * 3, "ruleset": ["luzhou", "qq", "general"], "value": [0.1, 0.2, 0.3]}
    )
    found = beside(observed, small)
    assert found.drop("expected").equals(observed)
    assert found["expected"].is_null().to_list() == [True, False, False]
    assert found["expected"][1] == n_of(small, "qq", "huang", "") / 300
    fans = pl.DataFrame({"metric": ["fan_share"] * 2, "fan": ["平胡", "没有的番"]})
    assert beside(fans, small, "qq", "fan")["expected"].is_null().to_list() == [False, True]
    assert beside(fans, small, None, "fan")["expected"].null_count() == 2
    assert beside(fans, small.clear(), "qq", "fan")["expected"].null_count() == 2
    assert labels(small, ["qq", "general", "luzhou"]) == [{"player": "steady-1", "rounds": "300"}]
    assert labels(small, ["luzhou"]) == []


def test_without_a_file_there_is_no_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "BASELINES", tmp_path / "none.parquet")
    assert load().is_empty()
    assert dict(load().schema) == COLUMNS
    pl.DataFrame(schema=COLUMNS).vstack(load()).write_parquet(tmp_path / "none.parquet")
    assert load().is_empty()


def test_the_committed_page_is_made_of_the_committed_file() -> None:
    assert (ROOT / "docs" / "baselines.md").read_text(encoding="utf-8") == markdown(load())


def test_the_page_tells_the_counts(small: pl.DataFrame) -> None:
    page = markdown(small)
    assert page == markdown(small)
    assert "未测 Not measured: `hu15`, `bisai`, `luzhou`, `guilin`, `ningxiang`." in page
    qq = page.split("## `qq`")[1].split("## `general`")[0]
    general = page.split("## `general`")[1]
    assert "局 rounds 300; 场 sessions 15; 选手 player steady-1; " in qq
    dealer = n_of(small, "qq", "win", "dealer")
    assert f"| 庄 dealer 胡 wins | {dealer} | {100 * dealer / 300:.2f} % |" in qq
    points = small.filter(ruleset="qq", measure="points", key="dealer").row(0, named=True)
    mean = points["sum"] / 300
    half = Z95 * ((points["sum_sq"] / 300 - mean * mean) / 299) ** 0.5
    assert f"| 庄 dealer | {mean:+.3f} | {mean - half:+.3f} … {mean + half:+.3f} |" in qq
    assert "起手步数" in qq
    assert "起手步数" not in general
    assert "未听" not in general
    wins = small.filter(ruleset="qq", measure="win_wall")
    turn = sum(int(row["key"]) * row["n"] for row in wins.iter_rows(named=True)) / wins["n"].sum()
    assert f"| {turn:.2f} |\n" in qq.split("翻开的墙牌")[1].split("自己翻的牌")[0]


def test_the_last_rare_huxi_are_one_row() -> None:
    rows = [("huxi", str(key), n, 10_000) for key, n in ((15, 9_000), (16, 991), (30, 6), (45, 3))]
    frame = pl.DataFrame(rows, schema=["measure", "key", "n", "of"], orient="row")
    lines = baselines_page._distributions(baselines_page._Of(frame))
    assert lines[2:5] == ["| 15 | 9,000 | 90.00 % |", "| 16 | 991 | 9.91 % |", "| ≥ 30 | 9 | 0.0900 % |"]
    assert RULESETS["qq"].min_huxi == 15
