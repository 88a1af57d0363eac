"""Every page, in both languages, on an empty and on filled stores, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics.marts import open_marts
from analytics.metrics import Filters, measure
from analytics.rounds import finding_list, read_record, round_list
from dashboards.i18n import translator
from dashboards.viewer import round_html
from ingest.schema import CONFLICTS
from ingest.store import open_store, replace_table
from tests.analytics.reviewed import decision_row, keep, ledger_row
from tests.analytics.stores import rows, write
from tests.dashboards import judged
from tests.dashboards.demo import build

APP = Path(__file__).resolve().parents[2] / "dashboards" / "app.py"
PAGES = {
    "overview": "总览",
    "players": "玩家胡牌率",
    "fan": "番型频率",
    "decisions": "决策",
    "findings": "问题",
    "rounds": "牌局列表",
    "round": "牌局复盘",
    "imports": "导入与隔离",
    "upload": "检查文件",
}


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """``none`` does not exist, ``one``, ``many`` are synthetic, ``recorded`` is not replayed, ``demo`` is real play."""
    base = tmp_path_factory.mktemp("stores")
    bare = rows(5)
    for table in (bare.verdicts, bare.findings, bare.scores):
        table.clear()
    return {
        "none": base / "none",
        "one": write(base / "one", rows(1)),
        "many": write(base / "many", rows(400)),
        "recorded": write(base / "recorded", bare),
        "demo": judged.write(build(base / "demo", 60)),
    }


@pytest.fixture
def open_page(stores: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(store: str, page: str, **query: str) -> AppTest:
        monkeypatch.setenv("PHZ_STORE", str(stores[store]))
        app = AppTest.from_file(str(APP), default_timeout=60)
        app.run()
        app.switch_page(f"views/{page}.py")
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    return run


def frames(app: AppTest) -> list[Any]:
    return [element.value for element in app.dataframe]


@pytest.mark.parametrize("store", ["none", "one", "many", "recorded", "demo"])
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("page", PAGES)
def test_page_runs(page: str, lang: str, store: str, open_page: Any) -> None:
    app = open_page(store, page, lang=lang)
    assert [e.message for e in app.exception] == []
    assert [title.value for title in app.title] == [translator(lang)(PAGES[page])]


def test_an_empty_store_says_what_to_run(open_page: Any) -> None:
    app = open_page("none", "overview")
    assert {"phz demo", "phz ingest 牌谱.phz\nphz replay"} <= {block.value for block in app.code}
    assert open_page("recorded", "overview").warning[0].value.startswith("已导入牌局，但还没有复盘")


def test_a_broken_store_says_so(stores: dict[str, Path], open_page: Any) -> None:
    twice = rows(20)
    twice.verdicts.append(dict(twice.verdicts[0]))
    stores["twice"] = write(stores["none"].parent / "twice", twice)
    app = open_page("twice", "overview")
    assert [e.message for e in app.exception] == []
    assert app.error[0].value == "仓库读不了。"
    assert "more than once" in app.code[0].value


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_store_whose_log_is_damaged_says_so_in_one_language(
    lang: str, stores: dict[str, Path], open_page: Any
) -> None:
    stores["damaged"] = write(stores["none"].parent / f"damaged-{lang}", rows(5))
    for entry in (stores["damaged"] / "rounds" / "_delta_log").iterdir():
        entry.write_text("{", encoding="utf-8")
    app = open_page("damaged", "overview", lang=lang)
    assert [e.message for e in app.exception] == []
    assert len(app.error) == 1
    assert str(stores["damaged"] / "rounds") in app.code[0].value
    assert "／" not in app.code[0].value


def test_players_shows_what_analytics_says(stores: dict[str, Path], open_page: Any) -> None:
    table = frames(open_page("many", "players"))[0]
    marts = open_marts(stores["many"])
    want = measure(marts, ["win_rate"]).sort("low", "den", "player", "platform", descending=[True, True, False, False])
    assert table["player"].tolist() == want["player"].to_list()
    assert table["wins"].tolist() == want["num"].to_list()
    assert table["n"].tolist() == want["den"].to_list()


def test_filters_come_from_the_url_and_are_checked(stores: dict[str, Path], open_page: Any) -> None:
    app = open_page("many", "players", platform="某平台", role="dealer", **{"from": "2024-01-02"})
    marts = open_marts(stores["many"])
    want = measure(marts, ["win_rate"], Filters(platform="某平台", role="dealer", day_from="2024-01-02"))
    assert sorted(frames(app)[0]["n"].tolist()) == sorted(want["den"].to_list())
    bad = {
        "platform": "不存在",
        "role": "king",
        "player": "'; drop table",
        "from": "2024-13-01",
        "to": "x",
        "lang": "fr",
    }
    app = open_page("many", "players", **bad)
    assert [e.message for e in app.exception] == []
    assert app.title[0].value == "玩家胡牌率"
    assert frames(app)[0]["n"].sum() == measure(marts, ["win_rate"])["den"].sum()
    assert dict(app.query_params) == {}


def test_the_empty_platform_can_be_chosen(stores: dict[str, Path], open_page: Any) -> None:
    app = open_page("many", "players", platform="(none)")
    want = measure(open_marts(stores["many"]), ["win_rate"], Filters(platform=""))
    assert frames(app)[0]["n"].sum() == want["den"].sum()


def test_rounds_behind_a_number(stores: dict[str, Path], open_page: Any) -> None:
    row = measure(open_marts(stores["many"]), ["win_rate"]).row(0, named=True)
    query = {
        "metric": "win_rate",
        "part": "numerator",
        "player": row["player"],
        "platform": row["platform"] or "(none)",
    }
    app = open_page("many", "rounds", **query)
    assert f"共 {row['num']} 局" in [c.value for c in app.caption]
    fan = measure(open_marts(stores["many"]), ["fan_share"]).row(0, named=True)
    app = open_page("many", "rounds", metric="fan_share", part="numerator", key=fan["fan"])
    assert f"共 {fan['num']} 局" in [c.value for c in app.caption]


@pytest.mark.parametrize(
    "query", [{"metric": "nothing"}, {"metric": "win_rate", "part": "both"}, {"p": "99999"}, {"p": "x"}, {"p": "-1"}]
)
def test_nonsense_in_the_url_of_rounds_is_ignored(query: dict[str, str], open_page: Any) -> None:
    app = open_page("many", "rounds", **query)
    assert [e.message for e in app.exception] == []
    assert "共 400 局" in [c.value for c in app.caption]


def test_findings_lead_to_the_very_event(stores: dict[str, Path], open_page: Any) -> None:
    rows_ = finding_list(open_marts(stores["demo"]), limit=25)
    table = frames(open_page("demo", "findings", lang="en"))[-1]
    want = [f"round?round={r['round_id']}&event={r['seq']}&lang=en" for r in rows_.iter_rows(named=True)]
    assert table["open"].tolist() == want
    code = rows_["code"][0]
    assert set(frames(open_page("demo", "findings", code=code))[-1]["code"]) == {code}


def test_a_code_picked_on_the_page_narrows_the_list(open_page: Any) -> None:
    app = open_page("demo", "findings")
    options = app.selectbox(key="filter_code").options
    app.selectbox(key="filter_code").select(options[0]).run()
    assert set(frames(app)[-1]["code"]) == {options[0]}
    assert app.query_params["code"] == options[0]


def test_round_page(stores: dict[str, Path], open_page: Any) -> None:
    newest = round_list(open_marts(stores["demo"]), limit=1)["round_id"][0]
    app = open_page("demo", "round", round=newest, event="3")
    assert [e.message for e in app.exception] == []
    assert not app.error


def test_round_page_shows_what_was_judged(stores: dict[str, Path], open_page: Any) -> None:
    opened = open_marts(stores["demo"])
    newest = round_list(opened, limit=1)["round_id"][0]

    def told() -> Any:
        app = open_page("demo", "round", round=newest)
        assert [e.message for e in app.exception] == []
        (component,) = app.get("bidi_component")
        return json.loads(json.loads(component.proto.json)["review"])

    assert told()["decisions"]["how"] == f"phz grade {newest[:12]}"
    record = read_record(opened, newest)
    assert record
    keep(open_store(stores["demo"]), [decision_row(record, 3, 0)], [ledger_row(record)])
    found = told()
    assert [row["seq"] for row in found["decisions"]["rows"]] == [3]
    assert found["ledger"]["why_not"] == ""
    page = round_html(record, str(stores["demo"]), "en")
    assert '"loss":5.0' in page
    assert '"payoff":[' in page


@pytest.mark.parametrize("wanted", ["0" * 32, "../../etc/passwd", "<script>", "x" * 5000])
def test_a_round_that_is_not_there(wanted: str, open_page: Any) -> None:
    app = open_page("demo", "round", round=wanted, event="nonsense")
    assert [e.message for e in app.exception] == []
    assert app.error[0].value == "仓库里没有这一局："
    assert app.code[0].value == wanted[:64]


def test_names_are_never_markdown_or_html(open_page: Any) -> None:
    hostile = ("<img", "[x](", "$\\alpha$")
    for page in PAGES:
        app = open_page("many", page, player="<img src=x onerror=alert(1)>")
        said = [e.value for kind in ("markdown", "caption", "title", "subheader", "info") for e in app.get(kind)]
        said += [metric.label for metric in app.metric]
        assert not [text for text in said if any(part in str(text) for part in hostile)], page


def test_language_is_kept_in_the_url(open_page: Any) -> None:
    app = open_page("many", "overview", lang="en")
    assert app.query_params["lang"] == "en"
    app.session_state["lang"] = "zh"
    app.run()
    assert app.title[0].value == "总览"
    assert "lang" not in app.query_params
    assert translator("zh")("总览") == "总览"


def test_the_ledger_adds_up_on_the_page(stores: dict[str, Path], open_page: Any) -> None:
    app = open_page("demo", "imports")
    shown = {metric.label: int(metric.value.replace(",", "")) for metric in app.metric}
    assert shown["读到"] == shown["新收"] + shown["已有"] + shown["隔离"] > 0
    reasons, ledger, _ = frames(app)
    assert ledger["seen"].sum() == shown["读到"]
    assert (ledger["seen"] == ledger["accepted"] + ledger["already_known"] + ledger["quarantined"]).all()
    assert reasons["n"].sum() == shown["隔离"]
    assert ledger["codes"].tolist() == [f"{code} {n}" for code, n in zip(reasons["code"], reasons["n"], strict=True)]


def test_imports_by_the_reason(stores: dict[str, Path], open_page: Any) -> None:
    app = open_page("demo", "imports")
    codes = frames(app)[0]["code"].tolist()
    app = open_page("demo", "imports", reject=codes[0])
    assert set(frames(app)[-1]["code"]) == {codes[0]}
    assert len(frames(app)[1]) == 1
    app = open_page("demo", "imports", reject="'; drop table", lang="en")
    assert [e.message for e in app.exception] == []
    assert "reject" not in app.query_params
    assert len(frames(app)[-1]) == len(frames(open_page("demo", "imports"))[-1])


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_reasons_and_unknown_fields_are_told_in_one_language(
    lang: str, stores: dict[str, Path], open_page: Any
) -> None:
    data = rows(5)
    data.imports[0]["unknown_fields"] = '{"meta.<b>": 3, "x": 1}'
    data.quarantine[0]["reason"] = "甲 ／ one"
    stores["told"] = write(stores["none"].parent / f"told-{lang}", data)
    app = open_page("told", "imports", lang=lang)
    assert frames(app)[1]["unknown"].tolist() == ["meta.<b> 3, x 1"]
    assert ("one" if lang == "en" else "甲") in frames(app)[2]["reason"].tolist()


def test_contradictions_are_shown_with_a_way_to_the_round(stores: dict[str, Path], open_page: Any) -> None:
    assert "来源互相矛盾" not in [e.value for e in open_page("many", "imports").subheader]
    place = write(stores["none"].parent / "contrary", rows(5))
    conflict = {"round_id": "0" * 32, "field": "result.points", "kept": "[1]", "told": "<b>[2]", "account": 7}
    replace_table(open_store(place), "conflicts", pl.DataFrame([conflict], schema=CONFLICTS), CONFLICTS)
    stores["contrary"] = place
    app = open_page("contrary", "imports", lang="en")
    assert frames(app)[-1].to_dict("records") == [
        {"open": f"round?round={'0' * 32}&lang=en", "field": "result.points", "kept": "[1]", "told": "<b>[2]"}
    ]


def test_a_store_with_nothing_but_refused_records_shows_them(stores: dict[str, Path], open_page: Any) -> None:
    data = rows(5)
    data.imports[0] |= {"seen": 2, "accepted": 0, "already_known": 0}
    for table in (data.rounds, data.verdicts, data.findings, data.scores):
        table.clear()
    stores["refused"] = write(stores["none"].parent / "refused", data)
    app = open_page("refused", "imports")
    assert len(frames(app)[-1]) == 2
    assert not app.warning
    assert "phz demo" in {block.value for block in open_page("none", "imports").code}
