"""What sources tell beside the rounds themselves: where they contradict each other, and score sheets."""

from __future__ import annotations

from functools import partial

import polars as pl
import streamlit as st

from analytics.rounds import conflicts, sheets
from dashboards import parts
from dashboards.wording import round_link

PER_PAGE = 50


def contradictions(page: parts.Page) -> None:
    """Where the sources of one round differ, a page at a time; nothing where none do."""
    tr = page.tr
    total, chosen = parts.paged(partial(conflicts, page.marts), PER_PAGE)
    if not total:
        return
    st.subheader(tr("来源互相矛盾"), anchor=False)
    rows = chosen("c")
    st.caption(tr("共 {n} 条", n=f"{total:,}"))
    links = pl.Series([round_link(key, None, page.lang) for key in rows["round_id"]], dtype=pl.String)
    columns = {
        "open": st.column_config.LinkColumn(tr("打开"), display_text=tr("看这一局"), width="small"),
        "field": parts.column(page, "字段"),
        "kept": parts.column(page, "采用", width="medium"),
        "told": parts.column(page, "另一来源", width="medium"),
    }
    parts.table(rows.with_columns(open=links), columns, "conflicts")


def score_sheets(page: parts.Page) -> None:
    """Final points of whole sessions beside the recorded rounds, a page at a time; nothing where there are none."""
    tr = page.tr
    total, chosen = parts.paged(partial(sheets, page.marts), PER_PAGE)
    if not total:
        return
    st.subheader(tr("积分表"), anchor=False)
    st.caption(tr("整场的终局积分，旁边是库中同场各局所报积分之和；局数不全时，差不是错误。"))
    rows = chosen("s")
    columns = {
        "started_at": parts.column(page, "日期"),
        "session": parts.column(page, "场次"),
        "player": parts.column(page, "玩家"),
        "points": parts.numbers(page, "终局积分"),
        "raw": parts.numbers(page, "记分"),
        "sheet_sum": parts.numbers(page, "全表合计"),
        "rounds_found": parts.numbers(page, "库中局数"),
        "points_found": parts.numbers(page, "各局之和"),
        "difference": parts.numbers(page, "差"),
    }
    parts.table(rows, columns, "sheets")
