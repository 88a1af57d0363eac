"""The baseline beside the observed rates on the pages, and its absence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics.baselines import expected
from dashboards.wording import percent
from replay import baselines
from replay.baselines import COLUMNS
from tests.dashboards.demo import build

APP = Path(__file__).resolve().parents[2] / "dashboards" / "app.py"
LABEL = {"zh": "基线：value-1 自对弈 1,000,000 局", "en": "Baseline: value-1 against itself, 1,000,000 rounds"}
COUNTED = (
    ("win", "dealer", 351_000, 1_000_000),
    ("win", "next", 262_000, 1_000_000),
    ("win", "previous", 260_000, 1_000_000),
    ("huang", "", 127_000, 1_000_000),
    ("fan", "平胡", 800_000, 873_000),
    ("fan", "红胡", 70_000, 873_000),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("baseline") / "demo", 63)


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pl.DataFrame:
    """A file with a baseline of `qq` alone, as the one installed."""
    head = ("qq", "value", 1, "5", 1, 1_000_000)
    made = pl.DataFrame([(*head, *row, None, None) for row in COUNTED], schema=COLUMNS, orient="row")
    made.write_parquet(tmp_path / "baselines.parquet")
    monkeypatch.setattr(baselines, "BASELINES", tmp_path / "baselines.parquet")
    return made


@pytest.fixture
def open_page(store: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(page: str, **query: str) -> AppTest:
        monkeypatch.setenv("PHZ_STORE", str(store))
        app = AppTest.from_file(str(APP), default_timeout=60).run()
        app.switch_page(f"views/{page}.py")
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        assert [e.message for e in app.exception] == []
        return app

    return run


def captions(app: AppTest) -> list[str]:
    return [caption.value for caption in app.caption]


def of(rows: pl.DataFrame, metric: str, key: str = "") -> str:
    return percent(expected(rows).filter(metric=metric, key=key)["expected"].item())


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_rate_has_its_baseline_beside_it(lang: str, rows: pl.DataFrame, open_page: Any) -> None:
    app = open_page("overview", lang=lang)
    assert LABEL[lang] in captions(app)
    table = app.dataframe[0].value
    assert dict(zip(table["ruleset"], table["baseline"], strict=True))["qq"] == of(rows, "huang_rate") == "12.7%"
    assert set(table["baseline"]) == {"12.7%", "—"}
    app = open_page("fan", lang=lang, ruleset="qq")
    table = app.dataframe[0].value
    shown = dict(zip(table["fan"], table["baseline"], strict=True))
    assert shown["平胡"] == of(rows, "fan_share", "平胡") == "91.6%"
    assert LABEL[lang] in captions(app)
    app = open_page("players", lang=lang, ruleset="qq")
    seats = next(text for text in captions(app) if " · " in text and of(rows, "dealer_win_rate") in text)
    assert of(rows, "dealer_win_rate") == "35.1%"
    assert of(rows, "idle_win_rate") in seats
    assert seats.startswith({"zh": "坐庄胡牌率", "en": "Win rate as dealer"}[lang])


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("fan", {"ruleset": "luzhou"}),
        ("players", {"ruleset": "luzhou"}),
        ("fan", {}),
        ("players", {}),
        ("fan", {"ruleset": "qq", "role": "dealer"}),
        ("overview", {"ruleset": "luzhou"}),
    ],
)
def test_no_baseline_is_shown_where_there_is_none(
    page: str, query: dict[str, str], rows: pl.DataFrame, open_page: Any
) -> None:
    app = open_page(page, **query)
    assert not [text for text in captions(app) if "基线" in text]
    assert all("baseline" not in table.value.columns for table in app.dataframe)


def test_without_a_file_the_pages_are_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_page: Any
) -> None:
    monkeypatch.setattr(baselines, "BASELINES", tmp_path / "none.parquet")
    app = open_page("overview")
    assert "baseline" not in app.dataframe[0].value.columns
    assert not [text for text in captions(app) if "基线" in text]
