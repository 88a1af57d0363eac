"""Findings by code, and the way from each to the very event."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from analytics.metrics import measure, wide
from analytics.rounds import finding_list, severities
from dashboards import parts
from dashboards.charts import rates
from dashboards.filters import choice, set_choice
from dashboards.theme import palette
from dashboards.wording import SEVERITIES, UNNAMED, finding, interval, named, round_link
from replay.wording import localised

METRICS = ["finding_rate", "finding_count", "finding_roots"]
PER_PAGE = 25


def main() -> None:
    """The page."""
    page = parts.begin("问题", "复盘发现的问题，按代码统计；点进去就是出问题的那一步。")
    long = measure(page.marts, METRICS, page.filters)
    if long.is_empty():
        st.success(page.tr("在符合筛选的牌局里没有发现问题。"), icon=":material/check_circle:")
    else:
        codes(page, long)
        drill(page)
    parts.end(page, METRICS)


def codes(page: parts.Page, long: pl.DataFrame) -> None:
    """Chart and table of the codes, most rounds first."""
    tr, colours = page.tr, palette(dark=parts.dark())
    paint = {3: colours.ink, 2: colours.red, 1: colours.ochre, 0: colours.grey}
    frame = wide(long, ["code"]).join(severities(page.marts, page.filters), on="code", how="left")
    frame = frame.sort("finding_rate_num", "code", descending=[True, False])
    frame = frame.with_columns(name=pl.Series([finding(code, page.lang) for code in frame["code"]], dtype=pl.String))
    plot = frame.select(
        *(pl.col(f"finding_rate_{name}").alias(name) for name in ("num", "den", "value", "low", "high")),
        label="code" if page.lang == "en" else pl.concat_str("name", pl.lit(" "), "code").str.strip_chars_start(),
    )
    plot = plot.with_columns(frame["severity"].replace_strict(paint, default=colours.grey).alias("colour"))
    figure = rates.bars(plot, "label", tr("出现该问题的牌局比例与 95% 区间"), tr, dark=parts.dark(), colour="colour")
    clicked = parts.chart(figure, "findings_chart", tr("问题"), select=True)
    shown = frame.with_columns(
        interval("finding_rate_low", "finding_rate_high"),
        pl.col("finding_rate_value") * 100,
        severity=pl.Series([named(tr, SEVERITIES, level) for level in frame["severity"]], dtype=pl.String),
    )
    columns = {
        "name": parts.column(page, "名称"),
        "code": parts.column(page, "代码"),
        "severity": parts.column(page, "轻重"),
        "finding_count_num": parts.numbers(page, "条数", "finding_count"),
        "finding_roots_num": parts.numbers(page, "根源", "finding_roots"),
        "finding_rate_num": parts.numbers(page, "涉及牌局"),
        "finding_rate_den": parts.numbers(page, "已复盘牌局"),
        "finding_rate_value": parts.numbers(page, "占比", "finding_rate", parts.PERCENT),
        "interval": parts.column(page, "95% 区间"),
    }
    picked = parts.table(shown, columns, "findings_table", select=True)
    row = picked if picked is not None else clicked
    set_choice("code", frame["code"][row] if row is not None and row < frame.height else None)


def drill(page: parts.Page) -> None:
    """The findings themselves, a page at a time."""
    tr = page.tr
    st.subheader(tr("逐条查看"), anchor=False)
    code = choice("code", tr("代码"), page.offered["code"], tr)
    total, chosen = parts.paged(partial(finding_list, page.marts, page.filters, code=code), PER_PAGE)
    rows = chosen("p")
    if rows.is_empty():
        st.info(tr("没有符合筛选的问题。"))
        return
    st.caption(tr("共 {n} 条", n=f"{total:,}"))
    shown = [_row(page, row) for row in rows.iter_rows(named=True)]
    columns = {
        "open": st.column_config.LinkColumn(tr("打开"), display_text=tr("看这一步"), width="small"),
        "name": parts.column(page, "名称"),
        "code": parts.column(page, "代码"),
        "severity": parts.column(page, "轻重"),
        "step": parts.numbers(page, "步"),
        "player": parts.column(page, "归于"),
        "expected": parts.column(page, "应为", width="medium"),
        "actual": parts.column(page, "实为", width="medium"),
        "clause": parts.column(page, "条款"),
        "day": parts.column(page, "日期"),
        "ruleset": parts.column(page, "规则"),
    }
    picked = parts.table(pl.DataFrame(shown), columns, "finding_rows", select=True)
    if picked is not None and picked < rows.height:
        where = {"round": rows["round_id"][picked], "event": str(rows["seq"][picked])}
        page.link("views/round.py", tr("在复盘里打开选中的这一步"), ":material/play_circle:", **where)


def _row(page: parts.Page, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "open": round_link(row["round_id"], row["seq"], page.lang),
        "code": row["code"],
        "name": finding(row["code"], page.lang),
        "severity": named(page.tr, SEVERITIES, row["severity"]),
        "step": row["seq"] + 1,  # as the viewer counts: 0 is the deal
        "player": row["player"] or UNNAMED,
        "expected": localised(row["expected"], page.lang),
        "actual": localised(row["actual"], page.lang),
        "clause": row["clause"],
        "day": row["day"] or UNNAMED,
        "ruleset": row["ruleset"],
    }


if __name__ == "__main__":
    main()
