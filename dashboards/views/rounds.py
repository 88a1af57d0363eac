"""The list of rounds: everything, or those behind one number."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from analytics.rounds import round_list
from dashboards import parts
from dashboards.behind import wanted
from dashboards.filters import choice
from dashboards.wording import UNNAMED, VERDICTS, by_seat, named, outcome, round_link

PER_PAGE = 50


def main() -> None:
    """The page."""
    page = parts.begin("牌局列表", "新的在前。点「打开」看复盘。")
    tr = page.tr
    with st.sidebar:
        verdict = choice("verdict", tr("复盘结论"), list(VERDICTS), tr, lambda name: tr(VERDICTS[name]))
        code = choice("code", tr("问题代码"), page.offered["code"], tr)
    behind, metrics = wanted(page)
    narrowed: dict[str, Any] = {"verdict": verdict, "code": code, "behind": behind}
    total, chosen = parts.paged(partial(round_list, page.marts, page.filters, **narrowed), PER_PAGE)
    st.caption(tr("共 {n} 局", n=f"{total:,}"))
    rows = chosen("p")
    if rows.is_empty():
        st.info(tr("没有符合筛选的牌局。"))
    else:
        show(page, rows)
    parts.end(page, metrics)


def show(page: parts.Page, rows: pl.DataFrame) -> None:
    """The rows of one page of the list."""
    tr = page.tr
    shown = [_row(page, row) for row in rows.iter_rows(named=True)]
    columns = {
        "open": st.column_config.LinkColumn(tr("复盘"), display_text=tr("打开"), width="small"),
        "day": parts.column(page, "日期"),
        "platform": parts.column(page, "平台"),
        "no": parts.numbers(page, "局号"),
        "ruleset": parts.column(page, "规则"),
        "verdict": parts.column(page, "结论"),
        "found": parts.numbers(page, "问题数"),
        "players": parts.column(page, "玩家（● 庄家，○ 不上场）", width=260),
        "outcome": parts.column(page, "结果", width=170),
        "huxi": parts.numbers(page, "胡息"),
        "fan": parts.column(page, "番"),
        "points": parts.column(page, "得分", width=140),
        "events": parts.numbers(page, "事件数"),
    }
    picked = parts.table(pl.DataFrame(shown, infer_schema_length=None), columns, "round_rows", select=True)
    if picked is not None and picked < rows.height:
        chosen = rows["round_id"][picked]
        page.link("views/round.py", tr("打开选中的牌局"), ":material/play_circle:", round=chosen)


def _row(page: parts.Page, row: dict[str, Any]) -> dict[str, Any]:
    marks = {row["dealer"]: "● ", row["sitter"]: "○ "}
    names = [marks.get(seat, "") + name for seat, name in enumerate(row["players"])]
    return {
        "open": round_link(row["round_id"], None, page.lang),
        "day": row["day"] or UNNAMED,
        "platform": row["platform"] or UNNAMED,
        "no": row["round_no"],
        "ruleset": row["ruleset"],
        "verdict": named(page.tr, VERDICTS, row["verdict"]),
        "found": row["n_findings"],
        "players": by_seat(names),
        "outcome": outcome(page.tr, row["winner"], row["winner_name"], row["win_source"], row["special"]),
        "huxi": row["huxi"],
        "fan": "、".join(row["fan"] or []),
        "points": by_seat(row["points"]),
        "events": row["n_events"],
    }


if __name__ == "__main__":
    main()
