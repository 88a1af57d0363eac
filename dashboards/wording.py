"""How numbers, codes and names are written for people. No Streamlit here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

import polars as pl

from dashboards.i18n import Translate
from ingest.codes import Source
from replay.score import ESCAPE, VOID
from replay.violations import VIOLATIONS

VERDICTS = {
    "clean": "无误",
    "violations": "有问题",
    "undecidable": "无法判定",
    "unreadable": "不可读",
    "not_replayed": "未复盘",
}
ROLES = {"dealer": "庄家", "idle": "闲家", "sitter": "不上场"}
ENDINGS = {VOID: "胡牌作废", ESCAPE: "逃跑"}  # a round without a winner that is no 荒庄
SEVERITIES = {3: "记录不可信", 2: "违规", 1: "记账", 0: "说明"}
SOURCES = {
    Source.OWN_DRAW: "自摸",
    Source.OTHER_DRAW: "胡他人翻牌",
    Source.DISCARD: "点炮",
    Source.LIANG: "胡亮张",
}
COUNTED = {"decisions": "评过的决定", "matches": "与最好一致", "mistakes": "失误", "blunders": "大失误"}
UNNAMED = "—"


def percent(value: float | None) -> str:
    """``0.1234`` -> ``12.3%``; nothing known is a dash."""
    return UNNAMED if value is None else f"{100 * value:.1f}%"


def span(low: float | None, high: float | None) -> str:
    """A 95 % interval of shares, ``11.0–13.9%``."""
    return UNNAMED if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f}%"


def number(value: float | None, *, signed: bool = False) -> str:
    """A mean with two decimals, with its sign when asked for."""
    return UNNAMED if value is None else f"{value:+,.2f}" if signed else f"{value:,.2f}"


def number_span(low: float | None, high: float | None) -> str:
    """A 95 % interval of means."""
    return UNNAMED if low is None or high is None else f"{low:,.2f} ~ {high:,.2f}"


def rate(num: int | None, den: int | None, value: float | None) -> str:
    """``31.2% (97/311)``."""
    return UNNAMED if not den or num is None else f"{percent(value)} ({num:,}/{den:,})"


def short(name: str, width: int = 18) -> str:
    """A name cut to fit a chart's axis, escaped for Plotly, which reads some HTML."""
    cut = name if len(name) <= width else name[: width - 1] + "…"
    return escape(cut) or UNNAMED


def outcome(tr: Translate, winner: int | None, name: str | None, source: int | None, special: str | None = "") -> str:
    """Who won and how, or how the round ended without a winner, in one cell."""
    if winner is None:
        return UNNAMED
    if winner < 0:
        return tr(ENDINGS.get(special or "", "荒庄"))
    how = SOURCES.get(Source(source)) if source is not None else None
    return f"{name} · {tr(how)}" if how else str(name)


def interval(low: str = "low", high: str = "high") -> pl.Expr:
    """Two columns of shares as one of text, named ``interval``."""
    return pl.struct(low, high).map_elements(lambda row: span(*row.values()), return_dtype=pl.String).alias("interval")


def named(tr: Translate, names: Mapping[Any, str], code: object) -> str:
    """The name of a code, in the reader's language; a dash for one that this version does not know."""
    return tr(names[code]) if code in names else UNNAMED


def finding(code: str, lang: str) -> str:
    """The name of a finding, empty for a code that this version does not know."""
    known = VIOLATIONS.get(code)
    return "" if known is None else known.en if lang == "en" else known.zh


def by_seat(values: Sequence[object] | None) -> str:
    """Values of the seats in one cell."""
    return UNNAMED if not values else " / ".join(str(value) for value in values)


def counted(told: str | None) -> str:
    """A JSON object of counts in one cell, ``name 3, other 1``; empty for none."""
    return ", ".join(f"{name} {n}" for name, n in json.loads(told or "{}").items())


def round_link(round_id: str, event: int | None, lang: str) -> str:
    """The viewer's address for a round, relative to any page."""
    where = (
        {"round": round_id}
        | ({} if event is None else {"event": str(event)})
        | ({"lang": "en"} if lang == "en" else {})
    )
    return f"round?{urlencode(where)}"
