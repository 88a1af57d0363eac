"""Parts of the page of decisions: cells, number cards, the worst decisions, whose opinions these are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from analytics.decision_views import Graded, evaluators, not_judged, worst_rows
from analytics.decisions import BANDS, KINDS, PHASES, cuts
from analytics.intervals import Z95
from analytics.reasons import sentence
from dashboards import parts
from dashboards.wording import COUNTED, UNNAMED, number, number_span, percent, round_link, span
from replay.judging import REASONS

RATES = {"matches": "match", "mistakes": "mistake", "blunders": "blunder"}
"""Counts of ``decision_summary.summary`` → what their bounds are called."""
DEFINITIONS = {
    "每次损失": "最好的打法比所选的多值多少分，各次平均。值多少由参考选手 value 从几十到几千种可能的牌局打下去得出；"
    "最好的打法由一半牌局选出、在另一半里量，所以偶尔略低于 0。区间把整场重抽两千次得出。",
    "每局损失": "一人一局里各次损失之和，各局平均；区间同上。",
    "与最好一致": "所选就是最好的，或与最好的差不超过一个标准误，占评过的决定的比例；Wilson 区间。",
    "失误": "损失超过界线，占评过的决定的比例（大失误也算在内）；Wilson 区间。要打下去的牌局有 99% 把握、"
    "拟合的估值也这样看，两个都说才算。",
    "大失误": "同上，界线更高。",
}
"""What the numbers mean; with each its text."""
LOSS = "与 95% 误差。「为什么」里的差是拿全部牌局比的，没有分两半，略偏大。"
WRAPPED = 88
"""Height of a row with four lines, pixels: above 64 Streamlit wraps the text of a cell."""
WIDTHS = {"matches": 145, "mistakes": 130, "blunders": 130}
SPLIT_NAMES = {"kind": "选择", "phase": "阶段", "role": "座位", "listening": "听牌"}
ROLES = ("庄家", "下家", "上家")
LISTENING = {True: "听牌", False: "没听牌"}


def nothing(page: parts.Page) -> None:
    """Say that nothing is judged yet and what to run."""
    st.info(page.tr("还没有评过决定（或评它们的是别的版本）。请运行其中一条："))
    st.code(
        page.tr("phz grade --effort quick   # 先粗看\nphz grade                  # 细看，每局要几秒"), language="shell"
    )


def columns(page: parts.Page) -> dict[str, Any]:
    """Columns of the table of players."""
    told = {name: page.tr(text) for name, text in DEFINITIONS.items()}
    cell = st.column_config.TextColumn
    return {
        "player": parts.column(page, "玩家", pinned=True, width=90),
        "decisions": parts.numbers(page, "次数", width=50),
        "rounds": parts.numbers(page, "局数", width=60),
        "loss": cell(page.tr("每次损失"), help=told["每次损失"], width=134),
        "loss_round": cell(page.tr("每局损失"), help=told["每局损失"], width=134),
        **{name: cell(page.tr(COUNTED[name]), help=told[COUNTED[name]], width=width) for name, width in WIDTHS.items()},
    }


def texts(rows: pl.DataFrame) -> pl.DataFrame:
    """``summary`` as cells: each value with its interval."""
    out = [
        {
            "player": row["player"],
            "decisions": row["decisions"],
            "rounds": row["rounds"],
            **{name: f"{number(row[name])} [{_means(row, name).replace(' ', '')}]" for name in ("loss", "loss_round")},
            **{name: f"{_rate(row, name)} [{_shares(row, name)}]" for name in RATES},
        }
        for row in rows.iter_rows(named=True)
    ]
    return pl.DataFrame(out)


def cards(page: parts.Page, row: Mapping[str, Any]) -> None:
    """A row of ``summary`` as number cards."""
    n = row["decisions"]
    shown: list[tuple[str, str, str | None, str | None]] = [
        ("评过的决定", f"{n:,}", None, None),
        ("每次损失", number(row["loss"]), _means(row, "loss"), f"n = {n:,}"),
        ("每局损失", number(row["loss_round"]), _means(row, "loss_round"), f"n = {row['rounds']:,}"),
        *((COUNTED[name], _rate(row, name), _shares(row, name), f"{row[name]:,}/{n:,}") for name in RATES),
    ]
    places = [*st.columns(3), *st.columns(3)]
    for column, (label, value, between, count) in zip(places, shown, strict=True):
        column.metric(
            page.tr(label),
            value,
            between,
            delta_color="off",
            delta_arrow="off",
            delta_description=count,
            help=page.tr(DEFINITIONS[label]) if label in DEFINITIONS else None,
            border=True,
            height="stretch",
        )


def split(page: parts.Page, by: str, rows: pl.DataFrame) -> tuple[str, pl.DataFrame]:
    """The title of a split and its rows in their natural order, with a column ``name``."""
    english = page.lang == "en"
    known: dict[str, dict[Any, str]] = {
        "kind": {code: pair[english] for code, pair in KINDS.items()},
        "phase": {code: pair[english] for code, pair in PHASES.items()},
        "role": {code: page.tr(name) for code, name in enumerate(ROLES)},
        "listening": {code: page.tr(name) for code, name in LISTENING.items()},
    }
    names = known[by]
    order = {code: place for place, code in enumerate(names)}
    told = rows.sort(pl.Series([order[code] for code in rows[by]], dtype=pl.Int64))
    name = pl.Series("name", [names[code] for code in told[by]], dtype=pl.String)
    return page.tr(SPLIT_NAMES[by]), told.with_columns(name)


def worst(page: parts.Page, found: pl.DataFrame, graded: Graded) -> None:
    """The worst decisions, each with the way to the event by which it was made."""
    tr = page.tr
    st.subheader(tr("最差的二十次"), anchor=False)
    rows = worst_rows(found, graded)
    if rows.is_empty():
        st.write(tr("没有一次损失是肯定的。"))
        return
    st.caption(tr("按有 99% 把握的损失排列。打开的是作出选择的那一步，按 ← 退一步就是选择之前。"))
    shown = pl.DataFrame([_worst_row(page, row) for row in rows.iter_rows(named=True)])
    cells = {
        "open": st.column_config.LinkColumn(tr("打开"), display_text=tr("看这一步"), width=80),
        "player": parts.column(page, "玩家", width=80),
        "taken": parts.column(page, "所选", width=78),
        "best": parts.column(page, "最好", width=70),
        "loss": st.column_config.TextColumn(tr("损失"), width=100, help=tr(LOSS)),
        "band": parts.column(page, "评定", width=72),
        "why": parts.column(page, "为什么", width=257),
        "round": parts.column(page, "局", width=84),
        "step": parts.numbers(page, "步", width=46),
    }
    picked = parts.table(shown, cells, "worst_rows", select=True, row_height=WRAPPED)
    if picked is not None and picked < rows.height:
        where = {"round": rows["round_id"][picked], "event": str(rows["seq"][picked])}
        page.link("views/round.py", tr("在复盘里打开选中的这一步"), ":material/play_circle:", **where)


def sources(page: parts.Page, found: pl.DataFrame) -> None:
    """Which evaluators judged how much, and what could not be judged."""
    tr, english = page.tr, page.lang == "en"
    st.subheader(tr("谁评的，没评的"), anchor=False)
    by = {
        "evaluator": parts.column(page, "评估器", width=260),
        "ruleset": parts.column(page, "规则"),
        "rounds": parts.numbers(page, "局数"),
        "decisions": parts.numbers(page, "评过的决定"),
        "mistake": parts.column(page, "失误的界线（分）"),
    }
    judges, marks = evaluators(found), cuts()
    limits = [
        f"{number(marks[name].mistake)} / {number(marks[name].blunder)}" if name in marks else UNNAMED
        for name in judges["ruleset"]
    ]
    parts.table(judges.with_columns(mistake=pl.Series(limits, dtype=pl.String)), by, "evaluators")
    left = not_judged(found)
    if left.is_empty():
        st.write(tr("所有的决定都评了。"))
        return
    why = [REASONS[code][english] if code in REASONS else code for code in left["why_not"]]
    kinds = {
        "why": parts.column(page, "没评的原因", width="large"),
        "n": parts.numbers(page, "决定次数"),
        "rounds": parts.numbers(page, "局数"),
    }
    parts.table(left.with_columns(why=pl.Series(why, dtype=pl.String)), kinds, "not_judged")


def definitions(page: parts.Page) -> None:
    """What the page's numbers mean."""
    with st.expander(page.tr("这些数字怎么算"), icon=":material/functions:"):
        for name, text in DEFINITIONS.items():
            st.markdown(f"**{page.tr(name)}** — {page.tr(text)}")


def _means(row: Mapping[str, Any], name: str) -> str:
    return number_span(row[f"{name}_low"], row[f"{name}_high"])


def _rate(row: Mapping[str, Any], name: str) -> str:
    return percent(row[name] / row["decisions"])


def _shares(row: Mapping[str, Any], name: str) -> str:
    return span(row[f"{RATES[name]}_low"], row[f"{RATES[name]}_high"])


def _worst_row(page: parts.Page, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "open": round_link(row["round_id"], row["seq"], page.lang),
        "player": row["player"],
        "taken": row["choices"][row["taken"]]["text"],
        "best": row["choices"][row["best"]]["text"],
        "loss": f"{number(row['loss'])} ±{number(Z95 * row['error'])}",
        "band": BANDS[row["band"] or 0][page.lang == "en"] or UNNAMED,
        "why": sentence(row, page.lang),
        "round": row["round_id"][:8],
        "step": row["seq"] + 1,  # as the viewer counts: 0 is the deal
    }
