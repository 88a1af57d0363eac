"""The dashboard. Run: ``phz dashboard``, or ``streamlit run dashboards/app.py`` from any directory.

The file is both the server's app and the script that the server runs for each reader.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlencode

# Streamlit puts this file's own directory on the path; the packages live one above it.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboards.filters import language, language_switch, remembered
from dashboards.headers import Headers
from dashboards.i18n import translator

PAGES = {
    "overview": ("总览", "dashboard"),
    "players": ("玩家胡牌率", "groups"),
    "fan": ("番型频率", "stars"),
    "decisions": ("决策", "alt_route"),
    "findings": ("问题", "gavel"),
    "rounds": ("牌局列表", "list_alt"),
    "round": ("牌局复盘", "play_circle"),
    "imports": ("导入与隔离", "inventory_2"),
    "upload": ("检查文件", "upload_file"),
}


def at_root(request: Request) -> RedirectResponse:
    """The front end first looks for its server below the address it was loaded from: load all pages from ``/``."""
    page = request.url.path.rsplit("/", 1)[-1]
    return RedirectResponse(f"./?{urlencode([('page', page), *request.query_params.multi_items()])}")


def main() -> None:
    """One run of the script: settings, navigation, the page."""
    tr = translator(language())
    st.set_page_config(page_title=tr("跑胡子复盘"), page_icon="🀄", layout="wide")
    # The head of the page is empty here: without this the viewer's controls fall below the fold of a small screen.
    st.html("<style>[data-testid=stMainBlockContainer]{padding:3.25rem 3rem 3rem}</style>")
    pages = {
        name: st.Page(f"views/{name}.py", title=tr(title), icon=f":material/{icon}:", url_path=name, default=not number)
        for number, (name, (title, icon)) in enumerate(PAGES.items())
    }
    chosen = st.navigation(list(pages.values()), position="hidden")
    given = st.query_params.to_dict()
    wanted = given.pop("page", "round" if "round" in given else None)
    if wanted in pages and chosen == pages["overview"] and wanted != "overview":
        st.switch_page(pages[wanted], query_params=given)
    menu = st.sidebar.container(gap="xsmall")
    language_switch()
    try:
        chosen.run()
    finally:  # the page may stop early; only after it has run are its filters known, which the links keep
        for page in pages.values():
            menu.page_link(page, query_params=remembered(), width="stretch")


if get_script_run_ctx(suppress_warning=True) is None:
    app = st.App(__file__, routes=[Route(f"/{name}", at_root) for name in PAGES], middleware=[Middleware(Headers)])
else:
    main()
