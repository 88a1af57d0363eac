"""Uploads through the real server and a real browser."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ingest import limits
from ingest.convert import dumps
from replay.engine import engine
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.dashboards.demo import spoil
from tests.dashboards.serving import served

pytestmark = pytest.mark.browser
WAIT = 60_000
HOSTILE = "<img src=x onerror=window.hit=1>[x](javascript:hit())$\\alpha$"
SAID = {
    "zh": ("检查文件", "没收下的记录", "格式：jsonl 6", "已放进收件箱", "文件："),
    "en": ("Check a file", "not accepted", "Format: jsonl 6", "in the inbox", "File: "),
}
BUTTON = {"zh": "放进收件箱，等候导入", "en": "Put it into the inbox, to be imported"}


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inbox")


@pytest.fixture(scope="module")
def server(inbox: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("cwd")
    with served(place / "store", place, PHZ_INBOX=str(inbox)) as base:
        yield base


@pytest.fixture(scope="module")
def jsonl() -> bytes:
    players = [Player(HOSTILE), Player("乙"), Player("丙")]
    made = list(sessions(engine(RULESETS["qq"]), 5, 6, players, platform="演示"))
    return dumps([*made[:5], spoil(made[5])], "jsonl").encode() + b'{}\n{"phz": 1,\n'


def settled(page: Any) -> None:
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=WAIT)
    assert page.locator("[data-testid=stException]").count() == 0


def give(page: Any, name: str, raw: bytes) -> None:
    page.locator("input[type=file]").set_input_files([{"name": name, "mimeType": "text/plain", "buffer": raw}])


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_good_file_a_bad_one_and_a_binary(
    lang: str, browser_page: Any, server: str, inbox: Path, jsonl: bytes, tmp_path: Path
) -> None:
    page = browser_page.page
    title, refused, form, kept, named = SAID[lang]
    page.goto(f"{server}/upload" + ("?lang=en" if lang == "en" else ""))
    page.get_by_role("heading", name=title, exact=True, level=1).wait_for(timeout=WAIT)
    give(page, f"{HOSTILE.replace('/', '')}.jsonl", jsonl)
    page.get_by_text(form).wait_for(timeout=WAIT)
    page.get_by_role("button", name=BUTTON[lang]).wait_for(timeout=WAIT)  # what is drawn last
    page.locator("[data-testid=stDataFrame]").nth(1).wait_for(timeout=WAIT)  # the tables are drawn after the rest
    settled(page)
    values = [text.strip() for text in page.locator("[data-testid=stMetricValue]").all_inner_texts()]
    assert values[:3] == ["8", "6", "2"]
    assert page.get_by_text(refused).count() >= 1
    assert page.locator("[data-testid=stDataFrame]").count() == 2
    before = len(list(inbox.iterdir()))
    page.get_by_role("button", name=BUTTON[lang]).click()
    page.get_by_text(kept).wait_for(timeout=WAIT)
    assert len(list(inbox.iterdir())) == before + 1
    page.screenshot(path=tmp_path / f"good-{lang}.png", full_page=True)

    give(page, "bad.jsonl", "今天打了一局牌\n".encode())
    page.get_by_text(f"{named}bad.jsonl", exact=True).wait_for(timeout=WAIT)
    settled(page)
    assert page.get_by_role("button", name=BUTTON[lang]).count() == 0
    assert page.locator("[data-testid=stMetricValue]").all_inner_texts()[:3] == ["1", "0", "1"]
    page.screenshot(path=tmp_path / f"bad-{lang}.png", full_page=True)

    give(page, "binary.phz", b"\x89PNG\r\n\x1a\n" + bytes(500))
    page.get_by_text(f"{named}binary.phz", exact=True).wait_for(timeout=WAIT)
    settled(page)
    assert page.locator("[data-testid=stMetricValue]").all_inner_texts()[:3] == ["1", "0", "1"]
    page.screenshot(path=tmp_path / f"binary-{lang}.png", full_page=True)

    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("a[href^='javascript:']").count() == 0
    assert browser_page.errors == []
    hosts = {urlsplit(url).netloc for url in browser_page.requests if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server).netloc}


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(browser_page: Any, server: str, tmp_path: Path) -> None:
    page = browser_page.page
    page.goto(f"{server}/upload")
    page.locator("input[type=file]").wait_for(state="attached", timeout=WAIT)
    large = tmp_path / "a.jsonl"
    large.write_bytes(b" " * (limits.MAX_UPLOAD + 1))
    page.locator("input[type=file]").set_input_files(large)
    page.get_by_text(re.compile("20(.0)? ?MB or smaller|must be 20")).first.wait_for(timeout=WAIT)
    assert page.locator("[data-testid=stMetricValue]").count() == 0
    assert browser_page.errors == []


def test_the_server_takes_no_upload_of_a_stranger(server: str) -> None:
    where = urlsplit(server)
    for size in (10, limits.MAX_UPLOAD + 2**20):
        caller = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
        try:
            caller.request("PUT", "/_stcore/upload_file/no-session/no-file", body=b"x" * size)
            answer = caller.getresponse()
            body = answer.read()
        except ConnectionError:  # hung up while the rest was still being sent
            continue
        finally:
            caller.close()
        assert 400 <= answer.status < 500
        assert b"dashboards" not in body
