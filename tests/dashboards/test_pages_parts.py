"""Texts, colours, charts, settings and the rules that pages keep."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import polars as pl
import pytest

from analytics.decisions import Cuts
from analytics.intervals import wilson
from dashboards import wording
from dashboards.charts import losses, rates, shares
from dashboards.i18n import english, translator
from dashboards.serve import command
from dashboards.theme import DARK, LIGHT, Palette, template_name

HOME = Path(__file__).resolve().parents[2] / "dashboards"
SOURCES = sorted(path for path in HOME.rglob("*.py") if path.name != "viewer.py")
NOT_TRANSLATED = {"语言 Language", "中文"}


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def chinese_texts(path: Path) -> Iterator[str]:
    module = tree(path)
    kinds = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    documented = [n for n in ast.walk(module) if isinstance(n, kinds) and ast.get_docstring(n) is not None]
    docs = {id(n.body[0].value) for n in documented if isinstance(n.body[0], ast.Expr)}
    for node in ast.walk(module):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in docs else None
        if isinstance(text, str) and re.search(r"[\u4e00-\u9fff]", text):
            yield text


def test_every_text_has_an_english_one_and_none_is_left_over() -> None:
    used = {text for path in SOURCES for text in chinese_texts(path)} - NOT_TRANSLATED
    assert used - set(english()) == set()
    assert set(english()) - used == set()
    assert all(text.strip() for text in english().values())


def test_places_to_fill_are_the_same_in_both_languages() -> None:
    for chinese, other in english().items():
        assert sorted(re.findall(r"{(\w+)}", chinese)) == sorted(re.findall(r"{(\w+)}", other)), chinese


def test_a_missing_text_is_an_error() -> None:
    with pytest.raises(KeyError, match="没有这句话"):
        translator("en")("没有这句话")
    assert translator("zh")("共 {n} 局", n=3) == "共 3 局"
    assert translator("en")("共 {n} 局", n=3) == "3 rounds"


@pytest.mark.parametrize("path", sorted((HOME / "views").glob("*.py")), ids=lambda path: path.name)
def test_views_are_thin_and_compute_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert not re.search(r"\bselect\b .*\bfrom\b", text), "SQL lives in analytics"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_page_builds_markup_from_data(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.keyword):
            assert node.arg not in {"unsafe_allow_html", "unsafe_allow_javascript"}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "html":
            assert [type(argument) for argument in node.args] == [ast.Constant], "st.html of more than a constant"


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(palette: Palette) -> None:
    assert contrast(palette.text, palette.paper) > 7
    assert contrast(palette.soft, palette.paper) > 4.5
    for mark in (palette.red, palette.ink, palette.jade, palette.ochre):
        assert contrast(mark, palette.paper) > 3, "marks, and the text in them"


def frame(rows: list[tuple[str, int, int]]) -> pl.DataFrame:
    low, high = wilson(pl.col("num"), pl.col("den"))
    made = pl.DataFrame(rows, schema={"name": pl.String, "num": pl.Int64, "den": pl.Int64}, orient="row")
    return made.with_columns(value=pl.col("num") / pl.col("den"), low=low, high=high)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("dark", [False, True])
def test_rate_charts_show_value_interval_and_numbers(lang: str, dark: bool) -> None:
    data, tr = frame([("甲", 30, 100), ("<b>乙</b>", 1, 10)]), translator(lang)
    dots = rates.dots(data, "name", "axis", tr, dark=dark, mean=0.25)
    bars = rates.bars(data, "name", "axis", tr, dark=dark)
    for figure in (dots, bars):
        [trace] = figure.data
        assert list(trace.x) == [0.3, 0.1]
        reach = [v + up for v, up in zip(trace.x, trace.error_x.array, strict=True)]
        assert reach == pytest.approx(data["high"].to_list())
        fall = [v - down for v, down in zip(trace.x, trace.error_x.arrayminus, strict=True)]
        assert fall == pytest.approx(data["low"].to_list())
        assert list(trace.customdata) == [0, 1]
        assert "30.0% (30/100)" in trace.hovertext[0]
        assert "<b>乙" not in trace.hovertext[1].removeprefix("<b>"), "names are escaped"
        assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;乙&lt;/b&gt;"
        assert figure.layout.template.layout.font.color == (DARK if dark else LIGHT).text
        json.loads(figure.to_json())


def test_verdict_chart_has_one_part_a_verdict() -> None:
    data = pl.DataFrame({"verdict": ["violations", "clean"], "num": [1, 9], "den": [10, 10], "value": [0.1, 0.9]})
    figure = shares.verdicts(data, translator("zh"), dark=False)
    assert [(trace.name, list(trace.x)) for trace in figure.data] == [("无误 9", [9]), ("有问题 1", [1])]


def test_huxi_chart() -> None:
    figure = shares.huxi(pl.DataFrame({"huxi": [15, 18], "wins": [3, 1]}), translator("en"), dark=True)
    assert list(figure.data[0].x) == [15, 18]
    assert figure.data[0].hovertext[0] == "胡息 15<br>3/4 (75.0%)"
    assert template_name(dark=True) == "zipai_dark"


def sums(rows: list[tuple[str, float, float | None, float | None]]) -> pl.DataFrame:
    columns = ("name", "loss", "loss_low", "loss_high")
    made = pl.DataFrame(
        rows, schema={name: pl.String if name == "name" else pl.Float64 for name in columns}, orient="row"
    )
    more = {"loss_round": "loss", "loss_round_low": "loss_low", "loss_round_high": "loss_high"}
    return made.with_columns(decisions=10, rounds=4, first=pl.col("name"), last=pl.col("name")).with_columns(
        pl.col(old).alias(new) for new, old in more.items()
    )  # fmt: skip


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_loss_charts_show_value_and_interval_and_live_without_one(lang: str) -> None:
    data, tr = sums([("甲", 0.5, 0.2, 0.9), ("<b>乙</b>", -0.1, None, None)]), translator(lang)
    within = losses.reach([data])
    assert within[0] < -0.1
    assert within[1] > 0.9
    for figure in (
        losses.dots(data, "name", "axis", within, tr, dark=True),
        losses.course(data, "axis", tr, dark=False),
    ):
        [trace] = figure.data
        error = trace.error_x if trace.error_x.array is not None else trace.error_y
        assert list(error.array) == pytest.approx([0.4, 0.0])
        assert list(error.arrayminus) == pytest.approx([0.3, 0.0])
        assert "0.20 ~ 0.90" in trace.hovertext[0]
        assert "—" in trace.hovertext[1]
        assert "<b>乙" not in trace.hovertext[1].removeprefix("<b>"), "names are escaped"


def test_the_spread_marks_the_cuts() -> None:
    steps = {"low": [None, 0.0, 1.0], "high": [0.0, 1.0, None], "n": [1, 7, 3], "mistakes": [0, 1, 1]}
    data, cut = pl.DataFrame(steps | {"blunders": [0, 0, 2]}), Cuts(0.4, 1.2, "steady-1", 900)
    figure = losses.spread(data, cut, translator("en"), dark=False)
    assert [(trace.name, list(trace.y)) for trace in figure.data] == [
        ("No mistake 7", [1, 6, 0]),
        ("Mistakes 2", [0, 1, 1]),
        ("Blunders 2", [0, 0, 2]),
    ]
    assert list(figure.data[0].x) == [-0.5, 0.5, 1.5]
    assert [line.x0 for line in figure.layout.shapes] == [0.4, 1.2]
    assert not losses.spread(data, None, translator("en"), dark=False).layout.shapes


def test_numbers_are_written_for_people() -> None:
    assert wording.percent(0.12345) == "12.3%"
    assert wording.percent(None) == wording.span(None, None) == wording.number(None) == "—"
    assert wording.span(0.1, 0.25) == "10.0–25.0%"
    assert wording.number(1.5, signed=True) == "+1.50"
    assert wording.rate(97, 311, 97 / 311) == "31.2% (97/311)"
    assert wording.rate(0, 0, None) == "—"
    assert unescape(wording.short("<" * 40)) == "<" * 17 + "…"
    assert wording.outcome(translator("zh"), -1, None, 0) == "荒庄"
    assert wording.outcome(translator("zh"), -1, None, 0, "作废") == "胡牌作废"
    assert wording.outcome(translator("en"), -1, None, 0, "逃跑") == "A player left"
    assert wording.outcome(translator("en"), 1, "甲", 1) == "甲 · own draw"
    assert wording.finding("ZOU_PAO", "zh") == "走跑"
    assert wording.finding("NO_SUCH", "zh") == ""


def test_settings_keep_the_server_to_itself() -> None:
    for place in (HOME / ".streamlit" / "config.toml", HOME.parent / ".streamlit" / "config.toml"):
        settings = tomllib.loads(place.read_text(encoding="utf-8"))
        assert settings["server"]["address"] == "127.0.0.1"
        assert settings["server"]["maxUploadSize"] == 20
        assert settings["server"]["enableStaticServing"] is False
        assert settings["server"]["enableXsrfProtection"] is settings["server"]["enableCORS"] is True
        assert settings["client"]["showErrorDetails"] == "none"
        assert settings["client"]["toolbarMode"] == "viewer"
        assert settings["browser"]["gatherUsageStats"] is False
        assert "://" not in json.dumps(settings), "nothing from other hosts"


def test_the_command_starts_this_app_on_this_store(tmp_path: Path) -> None:
    argv = command(tmp_path, 8123)
    assert argv[:4] == [sys.executable, "-m", "streamlit", "run"]
    assert argv[4] == str(HOME / "app.py")
    assert argv[argv.index("--server.port") + 1] == "8123"
    assert argv[-1] == f"--store={tmp_path.resolve()}"


def test_no_file_here_takes_the_name_of_a_package() -> None:
    # the app's own folder is first on the path of the script
    names = {path.stem for path in HOME.iterdir()}
    assert names.isdisjoint({"ingest", "replay", "analytics", "data", "phz", "tests", "docs", "plotly", "streamlit"})
    assert names.isdisjoint(set(sys.stdlib_module_names))
