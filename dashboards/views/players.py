"""Players: win rates with their intervals, and the rounds behind every number."""

from __future__ import annotations

from typing import Any

import polars as pl
import streamlit as st

from analytics.catalog import metric
from analytics.metrics import measure, wide
from dashboards import baseline, parts
from dashboards.charts import rates
from dashboards.filters import EMPTY
from dashboards.wording import number, rate, span

KEYS = ["platform", "player"]
SHOWN = ["win_rate", "dealer_win_rate", "idle_win_rate", "zimo_share", "huxi_per_win", "points_per_round"]
IN_CHART = 25
IN_TABLE = 1000


def main() -> None:
    """The page."""
    page = parts.begin("玩家胡牌率", "按区间下限排列：局数少的玩家不会因为运气好排在前面。点一行看背后的牌局。")
    long = measure(page.marts, SHOWN, page.filters)
    order = long.filter(pl.col("metric") == "win_rate", pl.col("den") > 0)
    order = order.sort("low", "den", "player", "platform", descending=[True, True, False, False])
    if order.is_empty():
        st.info(page.tr("没有符合筛选、且能判定胜负的牌局。"))
    else:
        show(page, long, order)
    parts.end(page, [*SHOWN, "decided_rounds"])


def show(page: parts.Page, long: pl.DataFrame, order: pl.DataFrame) -> None:
    """Chart, table, and the player picked in either."""
    tr, top = page.tr, order.head(IN_CHART)
    mean = measure(page.marts, ["win_rate"], page.filters, overall=True)["value"][0]
    several = top["platform"].n_unique() > 1
    name = pl.concat_str("player", pl.lit(" · "), "platform") if several else pl.col("player")
    top = top.with_columns(label=pl.when(pl.col("platform") == "").then("player").otherwise(name))
    figure = rates.dots(top, "label", tr("胡牌率与 95% 区间"), tr, dark=parts.dark(), mean=mean)
    clicked = parts.chart(figure, "players_chart", tr("玩家胡牌率"), select=True)
    baseline.by_seat(page)
    if order.height > IN_CHART:
        st.caption(tr("图中是前 {n} 位，共 {total} 位玩家。", n=IN_CHART, total=f"{order.height:,}"))

    ranked = order.select(KEYS).head(IN_TABLE).join(wide(long, KEYS), on=KEYS, how="left", maintain_order="left")
    picked = parts.table(_texts(ranked), _columns(page), "players_table", select=True)
    row = picked if picked is not None else clicked
    if row is None and order.height == 1:
        row = 0
    if row is not None and row < ranked.height:
        detail(page, ranked.row(row, named=True), long)


def detail(page: parts.Page, row: dict[str, Any], long: pl.DataFrame) -> None:
    """Every metric of one player, each with the way to its rounds."""
    with st.container(border=True):
        st.text(row["player"])
        mine = long.filter(pl.col("player") == row["player"], pl.col("platform") == row["platform"])
        parts.cards(page, mine.to_dicts(), across=3)
        who = {"player": row["player"], "platform": row["platform"] or EMPTY}
        for column, name in zip(st.columns(3), ("win_rate", "zimo_share", "points_per_round"), strict=True):
            m, part = metric(name), "denominator" if name == "points_per_round" else "numerator"
            label = {"win_rate": "胡牌的局", "zimo_share": "自摸的局", "points_per_round": "计入的局"}[name]
            count = row[f"{name}_{'den' if part == 'denominator' else 'num'}"]
            with column:
                text = f"{page.tr(label)} ({count:,})"
                page.link("views/rounds.py", text, ":material/list_alt:", metric=name, part=part, **who)
            assert m.keys == KEYS


def _texts(frame: pl.DataFrame) -> pl.DataFrame:
    rows = [
        {
            "player": row["player"],
            "platform": row["platform"],
            "n": row["win_rate_den"],
            "wins": row["win_rate_num"],
            "rate": 100 * row["win_rate_value"],
            "interval": span(row["win_rate_low"], row["win_rate_high"]),
            "points": row["points_per_round_num"],
            "mean": number(row["points_per_round_value"], signed=True),
            "huxi": number(row["huxi_per_win_value"]),
            **{
                name: rate(row[f"{name}_num"], row[f"{name}_den"], row[f"{name}_value"])
                for name in ("dealer_win_rate", "idle_win_rate", "zimo_share")
            },
        }
        for row in frame.iter_rows(named=True)
    ]
    return pl.DataFrame(rows)


def _columns(page: parts.Page) -> dict[str, Any]:
    return {
        "player": parts.column(page, "玩家", pinned=True, width=150),
        "platform": parts.column(page, "平台"),
        "n": parts.numbers(page, "计入局数", "decided_rounds"),
        "wins": parts.numbers(page, "胡牌局数"),
        "rate": parts.numbers(page, "胡牌率", "win_rate", parts.PERCENT),
        "interval": parts.column(page, "95% 区间"),
        "dealer_win_rate": parts.column(page, "坐庄胡牌率", "dealer_win_rate"),
        "idle_win_rate": parts.column(page, "闲家胡牌率", "idle_win_rate"),
        "zimo_share": parts.column(page, "自摸占比", "zimo_share"),
        "huxi": parts.column(page, "胡牌平均胡息", "huxi_per_win"),
        "points": parts.numbers(page, "得分合计"),
        "mean": parts.column(page, "每局得分", "points_per_round"),
    }


if __name__ == "__main__":
    main()
