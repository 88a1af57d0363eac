"""The viewer's document and its Streamlit embedding, without a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.viewer import SCRIPTS, STYLES, viewer_html


def data_of(html: str) -> Any:
    found = re.search(r'<script type="application/json" id="phz-data">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_document_carries_the_whole_round(sample_round: dict[str, Any]) -> None:
    html = viewer_html(sample_round, "en", 5)
    assert data_of(html) == {"timeline": json.loads(json.dumps(sample_round)), "lang": "en", "event": 5}
    assert "<title>跑胡子 · guilin · 张三 · 李四 · 王五</title>" in html
    assert '<html lang="en">' in html


def test_it_names_no_other_host(sample_round: dict[str, Any]) -> None:
    html = viewer_html(sample_round)
    assert re.findall(r"""(?:src|href)\s*=\s*["'](?!data:,)[^"']*""", html) == []
    assert set(re.findall(r"https?://[^\"'\s]+", html)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in html


def test_texts_cannot_end_the_data_element(sample_round: dict[str, Any]) -> None:
    names = ["</script><script>alert(1)</script>", "<!--<script>", "{js}{{css}}"]
    sample_round["players"] = names
    html = viewer_html(sample_round)
    assert data_of(html)["timeline"]["players"] == names
    assert html.count("</script>") == 2
    assert "<!--" not in html


def test_every_asset_is_used_and_short() -> None:
    folder = Path(__file__).resolve().parents[2] / "dashboards" / "component"
    assert {path.name for path in folder.iterdir()} == {f"{n}.js" for n in SCRIPTS} | {f"{n}.css" for n in STYLES}
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 400
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|fetch\(|XMLHttp|@import|url\(", text
        )


def _page() -> None:
    import streamlit as st

    from dashboards.viewer import show

    show(st.session_state["round"], "zh", 4)


@pytest.mark.parametrize("run", [1, 2])
def test_streamlit_mounts_it_in_every_session(sample_round: dict[str, Any], run: int) -> None:
    app = AppTest.from_function(_page)
    app.session_state["round"] = sample_round
    app.run()
    assert not app.exception
    (component,) = app.get("bidi_component")
    assert json.loads(json.loads(component.proto.json)["timeline"])["round_id"] == sample_round["round_id"]
