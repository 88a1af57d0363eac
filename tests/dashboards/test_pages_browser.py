"""The real server and a real browser: every page, stepping, deep links, languages; nothing from another host."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from analytics.decision_views import kept, read, totals, worst_rows
from analytics.marts import open_marts
from analytics.metrics import Filters
from analytics.review import identity
from analytics.rounds import finding_list, read_record
from dashboards.wording import number
from ingest.store import open_store
from replay.rulesets import RULESETS
from tests.dashboards import judged
from tests.dashboards.demo import build
from tests.dashboards.serving import served

pytestmark = pytest.mark.browser
PAGES = {
    "": ("总览", "Overview"),
    "players": ("玩家胡牌率", "Win rates"),
    "fan": ("番型频率", "番 frequencies"),
    "decisions": ("决策", "Decisions"),
    "findings": ("问题", "Findings"),
    "rounds": ("牌局列表", "Rounds"),
    "round": ("牌局复盘", "Round viewer"),
    "imports": ("导入与隔离", "Imports and quarantine"),
    "upload": ("检查文件", "Check a file"),
}
WAIT = 30_000
ROUNDS = 84


@pytest.fixture(scope="module")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return judged.write(build(tmp_path_factory.mktemp("browser") / "store", ROUNDS))


@pytest.fixture(scope="module")
def server(demo_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(demo_store, tmp_path_factory.mktemp("cwd")) as base:
        yield base


@pytest.fixture
def clean(browser_page: Any, server: str) -> Iterator[Any]:
    """A page that must neither complain nor ask anybody but the server."""
    yield browser_page.page
    assert browser_page.errors == []
    hosts = {urlsplit(url).netloc for url in browser_page.requests if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server).netloc}


def title(page: Any, text: str) -> None:
    page.get_by_role("heading", name=text, exact=True, level=1).wait_for(timeout=WAIT)


def settled(page: Any) -> None:
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=WAIT)
    assert page.locator("[data-testid=stException]").count() == 0


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_by_its_address(path: str, lang: str, clean: Any, server: str) -> None:
    clean.goto(f"{server}/{path}" + ("?lang=en" if lang == "en" else ""))
    title(clean, PAGES[path][lang == "en"])
    settled(clean)
    assert urlsplit(clean.url).path == f"/{path}"
    assert ("lang=en" in clean.url) == (lang == "en")


def test_every_page_by_the_menu_and_the_language_stays(clean: Any, server: str) -> None:
    clean.goto(server)
    title(clean, "总览")
    clean.get_by_role("radio", name="English").or_(clean.get_by_role("button", name="English")).first.click()
    title(clean, "Overview")
    for _, english in PAGES.values():
        clean.locator("[data-testid=stSidebar]").get_by_role("link", name=english, exact=True).click()
        title(clean, english)
        settled(clean)
        assert "lang=en" in clean.url
    *_, (_, before), (chinese, last) = PAGES.values()
    clean.go_back()
    title(clean, before)
    clean.go_forward()
    title(clean, last)
    clean.get_by_role("radio", name="中文").or_(clean.get_by_role("button", name="中文")).first.click()
    title(clean, chinese)
    assert "lang=" not in clean.url


def test_a_deep_link_opens_the_event_and_keys_step(clean: Any, server: str, demo_store: Path) -> None:
    marts = open_marts(demo_store)
    for finding in finding_list(marts, limit=200).iter_rows(named=True):  # one with an event before and after it
        record = read_record(marts, finding["round_id"])
        if record is not None and 1 <= finding["seq"] < len(record.moves) - 1:
            break
    where, seq = finding["round_id"], finding["seq"]
    clean.goto(f"{server}/?round={where}&event={seq}")
    title(clean, "牌局复盘")
    event = clean.get_by_text(finding["code"]).first
    event.wait_for(timeout=WAIT)
    assert f"round={where}" in clean.url

    def steps(key: str, to: int) -> None:
        clean.keyboard.press(key)
        clean.wait_for_url(f"**event={to}*", timeout=WAIT)

    steps("ArrowRight", seq + 1)
    steps("ArrowLeft", seq)
    steps("ArrowLeft", seq - 1)
    clean.reload()
    title(clean, "牌局复盘")
    clean.wait_for_url(f"**event={seq - 1}*", timeout=WAIT)
    settled(clean)


def test_a_mark_in_the_chart_leads_to_its_rounds(clean: Any, server: str) -> None:
    clean.goto(f"{server}/players?ruleset=qq")
    clean.locator(".js-plotly-plot .points path").first.click(force=True, timeout=WAIT)
    link = clean.get_by_role("link", name="胡牌的局")
    link.wait_for(timeout=WAIT)
    count = link.inner_text().split("(")[1].split(")")[0]
    link.click()
    title(clean, "牌局列表")
    clean.get_by_text(f"共 {count} 局").wait_for(timeout=WAIT)
    assert "ruleset=qq" in clean.url
    assert "metric=win_rate" in clean.url
    clean.get_by_role("link", name="看全部牌局").click()
    clean.get_by_text(f"共 {ROUNDS // len(RULESETS)} 局").wait_for(timeout=WAIT)
    clean.wait_for_url(lambda url: "metric" not in url, timeout=WAIT)


def test_a_bad_decision_opens_at_its_event(clean: Any, server: str, demo_store: Path) -> None:
    marts = open_marts(demo_store)
    graded = read(marts, {name: version for name, version, _ in identity(open_store(demo_store))})
    found, _ = kept(graded, marts, Filters(ruleset="qq"))
    clean.goto(f"{server}/decisions?ruleset=qq")
    title(clean, "决策")
    card = clean.get_by_test_id("stMetric").filter(has_text="每局损失")
    card.get_by_text(number(totals(found, graded, ())["loss_round"][0]), exact=True).wait_for(timeout=WAIT)
    worst, row = clean.get_by_test_id("stDataFrame").nth(1), worst_rows(found, graded).row(1, named=True)
    settled(clean)
    worst.get_by_test_id("data-grid-canvas").wait_for(timeout=WAIT)
    worst.click(position={"x": 18, "y": 36 + 88 + 44})  # the box of the second row, below the head
    link = clean.get_by_role("link", name="在复盘里打开选中的这一步")
    link.click(timeout=WAIT)
    title(clean, "牌局复盘")
    clean.wait_for_url(re.compile(f"round={row['round_id']}&event={row['seq']}(&|$)"), timeout=WAIT)
    clean.get_by_text(f"{row['seq'] + 1} / ").first.wait_for(timeout=WAIT)
    settled(clean)


def test_filters_survive_a_reload(clean: Any, server: str) -> None:
    clean.goto(f"{server}/findings?ruleset=hu15&code=CARD_NOT_IN_HAND")
    title(clean, "问题")
    count = clean.get_by_text(re.compile("^共 [0-9,]+ 条$"))
    before = count.inner_text(timeout=WAIT)
    clean.reload()
    title(clean, "问题")
    assert count.inner_text(timeout=WAIT) == before
    assert "ruleset=hu15" in clean.url
    assert "code=CARD_NOT_IN_HAND" in clean.url


def test_a_dark_page_has_light_text_in_its_charts(chromium: Any, server: str) -> None:
    context = chromium.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{server}/players")
    text = page.locator(".js-plotly-plot .ytick text").first
    text.wait_for(timeout=WAIT)
    colour = text.evaluate("node => getComputedStyle(node).fill")
    context.close()
    assert min(int(part) for part in colour.strip("rgb()").split(",")) > 150


@pytest.mark.parametrize("path", ["/static/..%2f..%2fapp.py", "/..%2f..%2fetc/passwd", "/component/x/..%2f..%2fa"])
def test_the_server_tells_no_paths(path: str, server: str) -> None:
    try:
        answer = urllib.request.urlopen(f"{server}{path}", timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        body = answer.read()
    assert answer.status == 200 or 400 <= answer.status < 500
    assert b"root:" not in body
    assert b"dashboards" not in body


def test_headers_and_host(server: str) -> None:
    with urllib.request.urlopen(server, timeout=10) as answer:
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
