"""Overview: what is in the store and what replay made of it."""

from __future__ import annotations

import polars as pl
import streamlit as st

from analytics.metrics import measure
from analytics.rounds import ledger, overview
from dashboards import baseline, parts
from dashboards.charts import shares
from dashboards.filters import ROUND_FIELDS
from dashboards.wording import interval, percent
from replay.wording import localised

MOST_REASONS = 10


def main() -> None:
    """The page."""
    page = parts.begin("总览", "已导入的牌局、复盘结论和导入台账。", ROUND_FIELDS)
    tr, seen = page.tr, overview(page.marts, page.filters)
    tiles = {
        tr("牌局"): seen["rounds"],
        tr("事件数"): seen["events"],
        tr("玩家数"): seen["players"],
        tr("已复盘"): seen["replayed"],
        tr("计入统计"): seen["decided"],
    }
    for column, (label, value) in zip(st.columns(len(tiles)), tiles.items(), strict=True):
        column.metric(label, f"{value:,}", border=True)
    if seen["first_day"]:
        st.caption(tr("日期 {first} 至 {last}", first=seen["first_day"], last=seen["last_day"]))

    st.subheader(tr("复盘结论"), anchor=False)
    verdicts = measure(page.marts, ["verdict_share"], page.filters)
    parts.chart(shares.verdicts(verdicts, tr, dark=parts.dark()), "verdicts", tr("复盘结论"))
    page.link("views/rounds.py", tr("看有问题的牌局"), ":material/arrow_forward:", verdict="violations")

    st.subheader(tr("荒庄率"), anchor=False)
    rates(page, pl.concat([measure(page.marts, ["huang_rate"], page.filters), overall(page)]), "ruleset", "规则")
    st.subheader(tr("无法判定的原因"), anchor=False)
    reasons = measure(page.marts, ["undecidable_share"], page.filters)
    reasons = reasons.sort("num", "reason", descending=[True, False]).head(MOST_REASONS)
    if reasons.is_empty():
        st.write(tr("没有无法判定的牌局。"))
    else:
        words = [localised(reason, page.lang) for reason in reasons["reason"]]
        rates(page, reasons.with_columns(reason=pl.Series(words)), "reason", "原因")

    st.subheader(tr("导入台账"), anchor=False)
    book = ledger(page.marts)
    st.text(
        tr(
            "{files} 个文件，读到 {seen} 条 = 新收 {accepted} + 已有 {already_known} + 隔离 {quarantined}",
            **{name: f"{value:,}" for name, value in book.items()},
        )
    )
    if not book["adds_up"]:
        st.error(tr("有文件的条数对不上，见「导入与隔离」。"))
    page.link("views/imports.py", tr("看导入与隔离"), ":material/arrow_forward:")
    parts.end(page, ["huang_rate", "verdict_share", "undecidable_share"])


def overall(page: parts.Page) -> pl.DataFrame:
    """荒庄率 of all rulesets together, as one more row."""
    total = measure(page.marts, ["huang_rate"], page.filters, overall=True)
    return total.select("metric", pl.lit(page.tr("全部规则")).alias("ruleset"), "num", "den", "value", "low", "high")


def rates(page: parts.Page, frame: pl.DataFrame, key: str, label: str) -> None:
    """A small table of rates with n and interval."""
    shown = frame.with_columns(
        pl.col("value").map_elements(percent, return_dtype=pl.String, skip_nulls=False).alias("rate"),
        interval(),
    )
    columns = {
        key: parts.column(page, label, width=190),
        "num": parts.numbers(page, "局数"),
        "den": parts.numbers(page, "总局数"),
        "rate": parts.column(page, "比率"),
        "interval": parts.column(page, "95% 区间"),
    }
    shown, columns = baseline.column(page, shown, columns)
    parts.table(shown, columns, f"table_{key}")


if __name__ == "__main__":
    main()
