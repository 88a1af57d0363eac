"""Filters: each lives in the URL, is checked against what the store offers, and stays while pages change."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from analytics.metrics import Filters
from dashboards.i18n import LANGS, Translate
from dashboards.wording import ROLES

EMPTY = "(none)"
"""How an empty platform is written in the URL and the list."""
FIRST_DAY, LAST_DAY = datetime.date(1990, 1, 1), datetime.date(2199, 12, 31)
ROUND_FIELDS = ("platform", "ruleset", "player", "days")
PLAYER_FIELDS = (*ROUND_FIELDS, "role")
CHOICES = ("platform", "ruleset", "player", "role", "from", "to", "verdict", "code", "reject")
"""Every URL parameter that a session remembers from page to page."""


def language() -> str:
    """``zh`` or ``en``: the URL's, else the session's, else Chinese. Kept in the URL as ``?lang=en``."""
    _take_url("lang", lambda text: text if text in LANGS else None)
    st.session_state.setdefault("lang", "zh")
    _put_url("lang", None if st.session_state["lang"] == "zh" else "en")
    return str(st.session_state["lang"])


def language_switch() -> None:
    """The switch in the sidebar."""
    st.sidebar.segmented_control(
        "语言 Language", LANGS, format_func={"zh": "中文", "en": "English"}.__getitem__, key="lang", required=True
    )


def sidebar(tr: Translate, offered: dict[str, list[str]], fields: Sequence[str] = PLAYER_FIELDS) -> Filters:
    """The filters of a page, ``fields`` of them shown; what is not shown does not filter."""
    chosen: dict[str, Any] = {}
    with st.sidebar:
        if fields:
            st.subheader(tr("筛选"), anchor=False)
        if "platform" in fields:
            platforms = [name or EMPTY for name in offered["platform"]]
            value = choice("platform", tr("平台"), platforms, tr)
            chosen["platform"] = "" if value == EMPTY else value
        if "ruleset" in fields:
            chosen["ruleset"] = choice("ruleset", tr("规则"), offered["ruleset"], tr)
        if "player" in fields:
            chosen["player"] = choice("player", tr("玩家"), offered["player"], tr)
        if "role" in fields:
            chosen["role"] = choice("role", tr("庄闲"), list(ROLES), tr, lambda role: tr(ROLES[role]))
        if "days" in fields:
            chosen["day_from"] = day("from", tr("从"))
            chosen["day_to"] = day("to", tr("到"))
    return Filters(**chosen)


def choice(
    name: str, label: str, options: Sequence[str], tr: Translate, show: Callable[[str], str] = str
) -> str | None:
    """A select box bound to ``?name=``; None is "all". A URL value that is not offered counts as none."""
    key = _take_url(name, lambda text: text if text in options else None)
    if st.session_state.get(key) not in options:
        st.session_state[key] = None
    value = st.selectbox(
        label, options, index=None, format_func=show, key=key, placeholder=tr("全部"), persist_state="session"
    )
    _put_url(name, value)
    return value


def set_choice(name: str, value: str | None) -> None:
    """Let a pick elsewhere on the page, when it is a new one, choose ``value`` in the select box drawn after this."""
    if value != st.session_state.get(f"picked_{name}"):
        st.session_state[f"picked_{name}"] = value
        st.session_state[f"filter_{name}"] = value
        _put_url(name, value)


def day(name: str, label: str) -> str | None:
    """A date bound to ``?name=YYYY-MM-DD``; anything else in the URL counts as none."""
    key = _take_url(name, _date)
    st.session_state.setdefault(key, None)
    value = st.date_input(
        label,
        value=None,
        min_value=FIRST_DAY,
        max_value=LAST_DAY,
        key=key,
        format="YYYY-MM-DD",
        persist_state="session",
    )
    text = value.isoformat() if isinstance(value, datetime.date) else None
    _put_url(name, text)
    return text


def page_of(name: str, rows: int, size: int) -> int:
    """Offset of the page chosen in ``?name=``, shown as page buttons when there is more than one page."""
    pages = -(-rows // size)
    if pages < 2:
        return 0
    number = st.pagination(pages, key=name, bind="query-params")
    return (min(number, pages) - 1) * size


def remembered() -> dict[str, str]:
    """URL parameters of a link that keeps all that the session has chosen."""
    held = {name: st.session_state.get(f"url_{name}") for name in ("lang", *CHOICES)}
    return {name: value for name, value in held.items() if value is not None}


def query(lang: str, filters: Filters, **more: str | None) -> dict[str, str]:
    """URL parameters of a link that keeps language and filters, and clears whatever else the session remembers."""
    names = {"platform": filters.platform, "ruleset": filters.ruleset, "player": filters.player, "role": filters.role}
    if filters.platform == "":
        names["platform"] = EMPTY
    names |= {"from": filters.day_from, "to": filters.day_to, "lang": "en" if lang == "en" else None} | more
    cleared = {name: "" for name in CHOICES if st.session_state.get(f"url_{name}") is not None}
    return cleared | {name: value for name, value in names.items() if value is not None}


def _date(text: str) -> datetime.date | None:
    try:
        value = datetime.date.fromisoformat(text)
    except ValueError:
        return None
    return value if FIRST_DAY <= value <= LAST_DAY else None


def _take_url(name: str, check: Callable[[str], Any]) -> str:
    """Let a URL parameter that changed since this session last wrote it win over the widget. The widget's key."""
    key = "lang" if name == "lang" else f"filter_{name}"
    given = st.query_params.get(name)
    if given is not None and given != st.session_state.get(f"url_{name}"):
        value = check(given)
        if value is not None or name != "lang":
            st.session_state[key] = value
    return key


def _put_url(name: str, text: str | None) -> None:
    st.session_state[f"url_{name}"] = text
    if text is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != text:
        st.query_params[name] = text
