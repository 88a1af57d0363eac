"""What each decision cost: per player, by kind of decision, with time, and the worst ones."""

from __future__ import annotations

import polars as pl
import streamlit as st

from analytics.decision_summary import SPLITS
from analytics.decision_views import Graded, behind, course, kept, spread, totals
from analytics.decisions import cuts, judged_only
from analytics.rounds import overview
from dashboards import losses, luck, parts
from dashboards.charts import losses as charts
from dashboards.source import decisions
from dashboards.wording import COUNTED

ABOUT = "每次选择比最好的打法少得多少分，只凭当时能知道的来评。"


def main() -> None:
    """The page."""
    page = parts.begin("决策", ABOUT)
    graded = decisions(page.marts)
    found, lucks = kept(graded, page.marts, page.filters)
    if graded.rows.is_empty():
        losses.nothing(page)
    elif found.is_empty():
        st.info(page.tr("没有符合筛选、评过的决定。"))
    else:
        coverage(page, found)
        if len(judged_only(found)):
            who = players(page, found, graded)
            show(page, found if who is None else found.filter(pl.col("player") == who), graded, who)
        luck.players(page, lucks, graded)
        losses.sources(page, found)
        luck.calibrated(page, found)
        losses.definitions(page)
    parts.end(page, [])


def coverage(page: parts.Page, found: pl.DataFrame) -> None:
    """How many of the rounds were judged, and that rulesets should not be mixed."""
    all_of, rounds = overview(page.marts, page.filters)["rounds"], found["round_id"].n_unique()
    st.caption(page.tr("符合筛选的 {all} 局里评过 {n} 局。", all=f"{all_of:,}", n=f"{rounds:,}"))
    if found["ruleset"].n_unique() > 1:
        st.warning(page.tr("现在是全部规则合在一起，而各规则的分大小不同：请先在左边选一个规则。"))


def players(page: parts.Page, found: pl.DataFrame, graded: Graded) -> str | None:
    """The table of players; whom the rest of the page is about, None for all."""
    rows = totals(found, graded).sort("loss_round_high", "loss_round", "player", nulls_last=True)
    picked = parts.table(losses.texts(rows), losses.columns(page), "decisions_players", select=True)
    if picked is not None and picked < rows.height:
        return str(rows["player"][picked])
    if len(rows) == 1:
        return str(rows["player"][0])
    st.caption(page.tr("按每局损失的区间上限排列，失分少的在前。点一行，下面只看这个人。"))
    return None


def show(page: parts.Page, found: pl.DataFrame, graded: Graded, who: str | None) -> None:
    """Numbers, charts and worst decisions of one player or of all."""
    tr, dark = page.tr, parts.dark()
    with st.container(border=True):
        st.text(tr("全体") if who is None else who)
        losses.cards(page, totals(found, graded, ()).row(0, named=True))
        for column, (name, label) in zip(st.columns(len(COUNTED)), COUNTED.items(), strict=True):
            with column:
                text = tr("{what}的局", what=tr(label)) + f" ({len(behind(found, name)):,})"
                where = {"decisions": name, "player": who or page.filters.player}
                page.link("views/rounds.py", text, ":material/list_alt:", **where)

    st.subheader(tr("每次损失"), anchor=False)
    splits = {split: totals(found, graded, (split,)) for split in SPLITS}
    within = charts.reach(list(splits.values()))
    for column, (split, sums) in zip([*st.columns(2), *st.columns(2)], splits.items(), strict=True):
        with column:
            title, rows = losses.split(page, split, sums)
            st.markdown(f"**{title}**")
            figure = charts.dots(rows, "name", tr("每次损失（分）与 95% 区间"), within, tr, dark=dark)
            parts.chart(figure, f"losses_{split}", title)

    st.subheader(tr("每局损失的变化"), anchor=False)
    parts.chart(
        charts.course(course(found, graded), tr("每局损失（分）与 95% 区间"), tr, dark=dark),
        "course",
        tr("每局损失的变化"),
    )
    st.caption(tr("按时间先后：各局都有日期就按场（场多则相邻几场合为一点），否则每若干局一点。这里的区间按局抽样。"))

    st.subheader(tr("损失的分布"), anchor=False)
    zero, steps = spread(found)
    rulesets = judged_only(found)["ruleset"].unique()
    cut = cuts().get(rulesets[0]) if len(rulesets) == 1 else None
    if len(steps):
        parts.chart(charts.spread(steps, cut, tr, dark=dark), "spread", tr("损失的分布"))
    st.caption(tr("另有 {n} 次损失为 0，不在图里；低于 0 的只是误差。", n=f"{zero:,}"))
    losses.worst(page, found, graded)


if __name__ == "__main__":
    main()
