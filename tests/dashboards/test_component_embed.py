"""The viewer inside Streamlit: steps without a rerun, the address follows, a rerun keeps the reader's place."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

APP = """
import json
from pathlib import Path
import streamlit as st
from dashboards.viewer import show

st.set_page_config(layout="wide")
st.session_state.runs = st.session_state.get("runs", 0) + 1
lang = st.radio("lang", ["zh", "en"])
event = st.query_params.get("event")
show(json.loads(Path(__file__).with_name("round.json").read_text()), lang, int(event) if event else None)
st.text(f"runs={st.session_state.runs}")
"""


@pytest.fixture
def address(sample_round: dict[str, Any], tmp_path: Path) -> Iterator[str]:
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "round.json").write_text(json.dumps(sample_round))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--server.headless=true", "--browser.gatherUsageStats=false", "--server.address=127.0.0.1"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}", *options]
    server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)


def test_embedded_viewer(address: str, browser_page: Any, sample_round: dict[str, Any]) -> None:
    page = browser_page.page
    page.goto(f"{address}/?round=x&event=4&keep=1")
    view = page.locator(".phz")
    expect(view).to_have_attribute("data-event", "4", timeout=60_000)
    expect(page.get_by_text("runs=1")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(view).to_have_attribute("data-event", "7")
    expect(page).to_have_url(f"{address}/?round={sample_round['round_id']}&event=7&keep=1")
    expect(page.get_by_text("runs=1")).to_be_visible()

    page.get_by_text("en", exact=True).click()
    expect(page.get_by_text("runs=2")).to_be_visible()
    expect(page.locator(".tabs button").first).to_have_text("Events")
    expect(view).to_have_attribute("data-event", "7")

    page.reload()
    expect(view).to_have_attribute("data-event", "7", timeout=60_000)
    assert browser_page.errors == []
    assert {re.sub(r"^(\w+://[^/]*|data:|blob:).*", r"\1", url) for url in browser_page.requests} <= {
        address,
        "data:",
        "blob:",
    }
