"""Which number the list of rounds is opened from: only the rounds behind it are listed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analytics import decision_views
from analytics.catalog import catalog, metric
from analytics.metrics import PARTS
from analytics.rounds import Behind
from dashboards import parts
from dashboards.source import decisions
from dashboards.wording import COUNTED, UNNAMED

GIVEN = ("metric", "part", "key", "decisions")


def wanted(page: parts.Page) -> tuple[Behind | Sequence[str] | None, list[str]]:
    """What the URL names, for ``round_list``, and the metrics to define at the foot; says so, and how to leave it.

    ``metric``, ``part``, ``key`` name a metric, ``decisions`` a count of decisions; None where nothing that exists is.
    """
    for name in [name for name in GIVEN if st.query_params.get(name) == ""]:
        del st.query_params[name]
    count = st.query_params.get("decisions")
    if count in COUNTED:
        _banner(page, [page.tr("决策"), page.tr(COUNTED[count]), page.filters.player or page.tr("全体")])
        graded = decisions(page.marts)
        return decision_views.behind(decision_views.kept(graded, page.marts, page.filters)[0], count), []
    behind = _metric(page)
    if behind is None:
        return None, []
    m, tr = metric(behind.metric), page.tr
    part = tr("分子") if behind.part == "numerator" else tr("分母")
    _banner(page, [m.en if page.lang == "en" else m.zh, part, *(value or UNNAMED for value in behind.keys.values())])
    return behind, [behind.metric]


def _metric(page: parts.Page) -> Behind | None:
    name, part = st.query_params.get("metric", ""), st.query_params.get("part", PARTS[0])
    if name not in catalog().metrics or part not in PARTS:
        return None
    keys: dict[str, str] = {}
    m, key = metric(name), st.query_params.get("key")
    if m.grain == "player":
        given = {"player": page.filters.player, "platform": page.filters.platform}
        keys = {name: value for name, value in given.items() if value is not None}
    elif key:
        keys = {m.keys[0]: key}
    return Behind(name, keys, part)


def _banner(page: parts.Page, said: Sequence[str]) -> None:
    with st.container(border=True):
        st.text(" · ".join(said))
        cleared = dict.fromkeys(GIVEN, "")
        page.link("views/rounds.py", page.tr("看全部牌局"), ":material/close:", **cleared)
