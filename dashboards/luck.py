"""Parts of the page of decisions: points less luck, and whether what is foretold comes true."""

from __future__ import annotations

from typing import Any

import polars as pl
import streamlit as st

from analytics import calibration
from analytics.decision_views import Graded, lucks
from dashboards import parts
from dashboards.charts.calibration import calibration as chart_of
from dashboards.wording import UNNAMED, number, number_span

LUCK = (
    "一局的得分减去发牌和摸牌运气的四分之三；平均不变，波动小。R 是方差少了多少：R 低就没有多大用。"
    "运气对照参考选手 steady 逐张牌算出，见复盘里的「运气」。"
)
ABOUT = "自对弈里先预计、后看结果，按预计的高低分成十组：点在虚线上就是准。竖线是 99% 区间，空心点是修正之前。"
NUMBERS = {"paid": "每局得分", "deal": "发牌的运气", "draws": "摸牌的运气", "adjusted": "去掉运气"}


def players(page: parts.Page, found: pl.DataFrame, graded: Graded) -> None:
    """What each player made a round, and less luck, with R."""
    st.subheader(page.tr("去掉运气的得分"), anchor=False)
    rows = lucks(found, graded)
    if rows.is_empty():
        st.write(page.tr("没有一局有运气账。"))
        return
    told = [
        {"player": row["player"], "rounds": row["rounds"], "r": _between(row, "r")}
        | {name: _between(row, name, signed=True) for name in NUMBERS}
        for row in rows.sort("adjusted", "player", descending=[True, False]).iter_rows(named=True)
    ]
    columns: dict[str, Any] = {
        "player": parts.column(page, "玩家", pinned=True, width=90),
        "rounds": parts.numbers(page, "局数", width=60),
        **{name: parts.column(page, label) for name, label in NUMBERS.items()},
        "r": st.column_config.TextColumn("R"),
    }
    parts.table(pl.DataFrame(told), columns, "lucks")
    st.caption(page.tr(LUCK))


def _between(row: dict[str, Any], name: str, *, signed: bool = False) -> str:
    if row[name] is None:
        return UNNAMED
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    value = number(row[name], signed=signed)
    return value if low is None else f"{value} [{number_span(low, high).replace(' ', '')}]"


def calibrated(page: parts.Page, found: pl.DataFrame) -> None:
    """For each ruleset shown, what was foretold of self-play beside what came."""
    known = calibration.measurements()
    with st.expander(page.tr("这样评准不准"), icon=":material/target:"):
        st.markdown(page.tr(ABOUT))
        for name in found["ruleset"].unique().sort():
            if name not in known:
                st.write(page.tr("没有量过：{name}", name=name))
                continue
            text = page.tr("{name}：自对弈 {n} 次决定", name=name, n=f"{known[name]['decisions']:,}")
            st.caption(text)
            parts.chart(chart_of(known[name], page.tr, dark=parts.dark()), f"calibration_{name}", text)
