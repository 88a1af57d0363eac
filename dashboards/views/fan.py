"""番 frequencies, and the distribution of 胡息."""

from __future__ import annotations

import polars as pl
import streamlit as st

from analytics.metrics import measure
from analytics.rounds import huxi
from dashboards import baseline, parts
from dashboards.charts import rates, shares
from dashboards.wording import interval


def main() -> None:
    """The page."""
    page = parts.begin("番型频率", "每个番在胡牌局中的占比；规则不同番也不同，请先在左边选一个规则。")
    frame = measure(page.marts, ["fan_share"], page.filters).sort("num", "fan", descending=[True, False])
    if frame.is_empty():
        st.info(page.tr("没有符合筛选、且能判定胜负的胡牌局。"))
    else:
        show(page, frame)
    parts.end(page, ["fan_share", "huxi_per_win"])


def show(page: parts.Page, frame: pl.DataFrame) -> None:
    """Chart, table, the 番 picked in either, 胡息."""
    tr = page.tr
    if page.filters.ruleset is None and len(page.offered["ruleset"]) > 1:
        st.caption(tr("现在是全部规则合在一起。"))
    figure = rates.bars(frame, "fan", tr("占胡牌局的比例与 95% 区间"), tr, dark=parts.dark())
    clicked = parts.chart(figure, "fan_chart", tr("番型频率"), select=True)
    shown = frame.with_columns(
        interval(),
        pl.col("value") * 100,
    )
    columns = {
        "fan": parts.column(page, "番"),
        "num": parts.numbers(page, "胡牌局数"),
        "den": parts.numbers(page, "全部胡牌局数"),
        "value": parts.numbers(page, "占比", "fan_share", parts.PERCENT),
        "interval": parts.column(page, "95% 区间"),
    }
    shown, columns = baseline.column(page, shown, columns, "fan")
    picked = parts.table(shown, columns, "fan_table", select=True)
    row = picked if picked is not None else clicked
    if row is not None and row < frame.height:
        name, count = frame["fan"][row], frame["num"][row]
        with st.container(border=True):
            st.text(name)
            text = f"{tr('有这个番的局')} ({count:,})"
            page.link("views/rounds.py", text, ":material/list_alt:", metric="fan_share", part="numerator", key=name)
    st.subheader(tr("胡牌时的胡息"), anchor=False)
    parts.chart(shares.huxi(huxi(page.marts, page.filters), tr, dark=parts.dark()), "huxi", tr("胡牌时的胡息"))
    parts.cards(page, measure(page.marts, ["huxi_per_win", "zimo_share"], page.filters, overall=True).to_dicts(), 3)


if __name__ == "__main__":
    main()
