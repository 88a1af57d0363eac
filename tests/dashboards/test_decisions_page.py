"""The page of decisions against what analytics and ``phz grade`` say of the same rows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics import calibration, cli_grade
from analytics.decision_summary import clusters_of, summary
from analytics.decision_views import Graded, behind, kept, read, totals
from analytics.decisions import BANDS, SCHEMA, TABLE, current, judged_only
from analytics.marts import Marts, open_marts
from analytics.metrics import Filters
from analytics.review import identity
from dashboards import losses
from dashboards.i18n import translator
from dashboards.wording import number, number_span, percent, span
from ingest.store import append_table, open_store
from replay.judging import REASONS
from tests.dashboards import judged
from tests.dashboards.demo import build

APP = Path(__file__).resolve().parents[2] / "dashboards" / "app.py"
ROUNDS = 28
CARDS = ("评过的决定", "每次损失", "每局损失", "与最好一致", "失误", "大失误")


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("judged") / "bare", ROUNDS)


@pytest.fixture(scope="module")
def store(bare: Path) -> Path:
    return judged.write(shutil.copytree(bare, bare.parent / "store"))


@pytest.fixture(scope="module")
def open_page(store: Path) -> Iterator[Any]:
    """A page by its address, each loaded once."""

    @cache
    def run(page: str, place: Path, query: tuple[tuple[str, str], ...]) -> AppTest:
        patch.setenv("PHZ_STORE", str(place))
        app = AppTest.from_file(str(APP), default_timeout=60)
        for name, value in (("page", page), *query):
            app.query_params[name] = value
        app.run()
        assert [e.message for e in app.exception] == []
        return app

    with pytest.MonkeyPatch.context() as patch:
        yield lambda page="decisions", place=store, **query: run(page, place, tuple(query.items()))


@pytest.fixture(scope="module")
def told(store: Path) -> dict[str, Any]:
    """What ``phz grade --json`` prints of the whole store; nothing more is judged."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out:
        patch.setattr(cli_grade, "grade_store", lambda *_: 0)
        assert cli_grade.grade("", str(store), "full", 1, json=True) == 0
    return dict(json.loads(out.getvalue()))


def cells(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table of players, written from a row of ``summary``."""

    def means(name: str) -> str:
        between = number_span(row[f"{name}_low"], row[f"{name}_high"]).replace(" ", "")
        return f"{number(row[name])} [{between}]"

    def shares(name: str, bounds: str) -> str:
        return f"{percent(row[name] / row['decisions'])} [{span(row[f'{bounds}_low'], row[f'{bounds}_high'])}]"

    return {name: row[name] for name in ("player", "decisions", "rounds")} | {
        "loss": means("loss"),
        "loss_round": means("loss_round"),
        "matches": shares("matches", "match"),
        "mistakes": shares("mistakes", "mistake"),
        "blunders": shares("blunders", "blunder"),
    }


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_table_is_that_of_phz_grade(lang: str, told: dict[str, Any], open_page: Any) -> None:
    app = open_page(lang=lang)
    assert app.title[0].value == translator(lang)("决策")
    shown = app.dataframe[0].value.to_dict("records")
    want = {row["player"]: cells(row) for row in told["summary"]}
    assert len(want) > 2
    assert {row["player"]: row for row in shown} == want


def test_one_player_by_the_filter(told: dict[str, Any], open_page: Any) -> None:
    [row] = [row for row in told["summary"] if row["player"] == "老贺"]
    app = open_page(player="老贺")
    shown = {card.label: (card.value, card.delta) for card in app.metric}
    assert tuple(shown) == CARDS
    assert shown["评过的决定"][0] == str(row["decisions"])
    assert shown["每局损失"] == (number(row["loss_round"]), number_span(row["loss_round_low"], row["loss_round_high"]))
    assert shown["失误"] == (percent(row["mistakes"] / row["decisions"]), span(row["mistake_low"], row["mistake_high"]))
    assert len(app.dataframe[0].value) == 1


def opened(store: Path) -> tuple[Marts, Graded]:
    marts = open_marts(store)
    return marts, read(marts, {name: version for name, version, _ in identity(open_store(store))})


def test_filters_choose_the_decisions(store: Path, open_page: Any) -> None:
    marts, graded = opened(store)
    everything, every_luck = kept(graded, marts, Filters())
    dealers, lucks = kept(graded, marts, Filters(ruleset="qq", role="dealer"))
    assert 0 < len(dealers) < len(kept(graded, marts, Filters(ruleset="qq"))[0]) < len(everything)
    assert (len(everything), len(every_luck)) == (len(graded.rows), len(graded.lucks))
    assert len(lucks) == lucks["round_id"].n_unique() < len(every_luck)
    app = open_page(ruleset="qq", role="dealer")
    want = totals(dealers, graded)
    assert sorted(app.dataframe[0].value["decisions"]) == sorted(want["decisions"])
    assert not app.warning
    assert open_page().warning[0].value.startswith("现在是全部规则合在一起")
    assert open_page(role="sitter").info[0].value == "没有符合筛选、评过的决定。"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_worst_open_at_the_event_of_the_choice(lang: str, told: dict[str, Any], open_page: Any) -> None:
    rows = {(row["round_id"], row["seq"], row["seat"]): row for row in told["decisions"]}
    want = [rows[one["round_id"], one["seq"], one["seat"]] for one in told["worst"]]
    shown = next(frame.value for frame in open_page(lang=lang).dataframe if "why" in frame.value)
    more = "&lang=en" if lang == "en" else ""
    assert shown["open"].tolist() == [f"round?round={row['round_id']}&event={row['seq']}{more}" for row in want]
    assert shown["why"].tolist() == [row[lang] for row in want]
    assert shown["band"].tolist() == [BANDS[row["band"]][lang == "en"] or "—" for row in want]
    assert len(want) == 20


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_points_less_luck_are_those_of_phz_grade(lang: str, told: dict[str, Any], open_page: Any) -> None:
    def text(row: dict[str, Any], name: str, signed: bool) -> str:
        value, low, high = (row.get(f"{name}{end}") for end in ("", "_low", "_high"))
        return number(value, signed=signed) + ("" if low is None else f" [{number_span(low, high).replace(' ', '')}]")

    shown = next(frame.value for frame in open_page(lang=lang).dataframe if "adjusted" in frame.value)
    rows = told["luck"]["players"]
    assert len(rows) > 2
    assert any(row["r"] is not None for row in rows)
    for row in rows:
        [one] = shown[shown["player"] == row["player"]].to_dict("records")
        assert one["rounds"] == row["rounds"]
        for name in ("paid", "deal", "draws", "adjusted"):
            assert one[name] == text(row, name, True)
        assert one["r"] == (text(row, "r", False) if row["r"] is not None else "—")


def test_the_page_says_whether_the_judge_is_right(open_page: Any) -> None:
    app = open_page()
    captions = [caption.value for caption in app.caption]
    for name in ("qq", "hu15"):
        known = calibration.measurements()
        said = f"{name}：自对弈 {known[name]['decisions']:,} 次决定" if name in known else f"没有量过：{name}"
        assert said in captions + [text.value for text in app.markdown]


def test_rounds_behind_a_rate(store: Path, open_page: Any) -> None:
    marts, graded = opened(store)
    mine = kept(graded, marts, Filters(player="老贺"))[0]
    for name in ("decisions", "mistakes"):
        ids = behind(mine, name)
        app = open_page("rounds", decisions=name, player="老贺")
        assert f"共 {len(ids)} 局" in [caption.value for caption in app.caption]
        assert {link.split("round=")[1] for link in app.dataframe[0].value["open"]} == set(ids)
    nothing = open_page("rounds", decisions="nothing")
    assert f"共 {ROUNDS} 局" in [caption.value for caption in nothing.caption]


def test_who_judged_and_what_was_not(store: Path, open_page: Any) -> None:
    frames = [frame.value for frame in open_page(lang="en").dataframe]
    judges = next(frame for frame in frames if "evaluator" in frame)
    table = current(open_store(store))
    assert sorted(judges["evaluator"]) == sorted(set(table["evaluator"]))
    assert judges["decisions"].sum() == len(judged_only(table))
    [left] = [frame for frame in frames if "n" in frame and "why" in frame]
    assert left.to_dict("records") == [
        {
            "why": REASONS["bounds"][1],
            "n": (table["why_not"] != "").sum(),
            "rounds": table.filter(pl.col("why_not") != "")["round_id"].n_unique(),
        }
    ]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_nothing_judged_says_what_to_run(lang: str, bare: Path, open_page: Any) -> None:
    app = open_page(place=bare, lang=lang)
    assert app.info[0].value.startswith("还没有评过决定" if lang == "zh" else "No decision is judged yet")
    assert "phz grade --effort quick" in app.code[0].value
    assert not app.dataframe
    assert not app.metric


def test_where_nothing_could_be_judged_the_reasons_are_shown(store: Path, bare: Path, open_page: Any) -> None:
    left = current(open_store(store)).filter(pl.col("why_not") != "")
    place = shutil.copytree(bare, bare.parent / "left")
    append_table(open_store(place), TABLE, left, SCHEMA)
    app = open_page(place=place)
    assert not app.metric
    assert app.dataframe[-1].value["n"].tolist() == [len(left)]


def test_the_definitions_are_shown(open_page: Any) -> None:
    said = [text.value for text in open_page().markdown]
    for name in losses.DEFINITIONS:
        assert any(text.startswith(f"**{name}** — ") for text in said), name


def test_summary_of_splits(store: Path) -> None:
    """The rows of a chart are those of ``summary`` with the sessions of the store."""
    marts, graded = opened(store)
    rounds = open_store(store).scan("rounds").select("round_id", "session", "room").collect()
    clusters = clusters_of(rounds.iter_rows())
    for split in ("kind", "role"):
        want = summary(current(open_store(store)), clusters, (split,))
        assert totals(kept(graded, marts, Filters())[0], graded, (split,)).equals(want)
