"""Parts that pages share: the head, charts, number cards, definitions and the foot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from analytics.catalog import metric
from analytics.marts import Marts
from analytics.metrics import Filters
from analytics.rounds import choices, overview
from dashboards import filters as f
from dashboards.i18n import Translate, translator
from dashboards.source import marts, store
from dashboards.wording import UNNAMED, number, number_span, percent, span
from ingest.limits import StoreError, in_lang

PERCENT = "%.1f%%"
"""Format of a column of percentages (shares times 100)."""
ROWS_WHOLE = 25
"""A table up to this many rows is shown whole; a longer one scrolls."""


@dataclass(frozen=True)
class Page:
    """What a page works with."""

    lang: str
    tr: Translate
    marts: Marts
    offered: dict[str, list[str]]
    filters: Filters

    def link(self, place: str, label: str, icon: str, **more: str | None) -> None:
        """A link to another page that keeps language and filters. ``label`` holds no data but numbers."""
        where = f.query(self.lang, self.filters, **more)
        st.page_link(place, label=label, icon=icon, query_params=where)


def begin(title: str, about: str, fields: Sequence[str] = f.PLAYER_FIELDS, *, without_rounds: bool = False) -> Page:
    """Title, filters and marts of a page. Where there is nothing to show, says what to run and ends the page.

    ``without_rounds``: the page has something to show of a store that holds no rounds.
    """
    lang = f.language()
    tr = translator(lang)
    st.title(tr(title), anchor=False)
    st.caption(tr(about))
    try:
        opened = marts()
    except StoreError as error:
        st.error(tr("仓库读不了。"))
        st.code(in_lang(str(error), lang), language=None)
        st.stop()
    seen = overview(opened)
    if not seen["rounds"] and not without_rounds:
        nothing(tr)
    if seen["rounds"] and not seen["replayed"]:
        st.warning(tr("已导入牌局，但还没有复盘，下面只有记录本身的数字。请运行："))
        st.code("phz replay", language="shell")
    offered = choices(opened)
    return Page(lang, tr, opened, offered, f.sidebar(tr, offered, fields))


def end(page: Page, metrics: Sequence[str]) -> None:
    """Definitions of the page's numbers, and the snapshot they come from."""
    english = page.lang == "en"
    if metrics:
        with st.expander(page.tr("这些数字怎么算"), icon=":material/functions:"):
            for name in metrics:
                m = metric(name)
                st.markdown(f"**{m.en if english else m.zh}** — {m.definition_en if english else m.definition_zh}")
            st.markdown(
                page.tr("比率的区间是 95% Wilson 区间，均值的区间按场次聚类。局数少时区间宽，先看区间再下结论。")
            )
    versions = " · ".join(f"{name} v{version}" for name, version in sorted(page.marts.versions.items()))
    st.caption(page.tr("数据快照：{versions}", versions=versions))


def chart(figure: go.Figure, key: str, alt: str, *, select: bool = False) -> int | None:
    """Show a figure; with ``select``, the customdata (a row number) of the mark that was clicked."""
    config = {"displayModeBar": False}
    if not select:
        st.plotly_chart(figure, theme=None, key=key, config=config, alt=alt)
        return None
    event: Any = st.plotly_chart(
        figure, theme=None, key=key, config=config, alt=alt, on_select="rerun", selection_mode="points"
    )
    points = event.selection.points
    return int(points[0]["customdata"]) if points and "customdata" in points[0] else None


def table(
    frame: pl.DataFrame, columns: dict[str, Any], key: str, *, select: bool = False, row_height: int | None = None
) -> int | None:
    """Show a frame's ``columns`` (in that order); with ``select``, the row that was picked.

    ``row_height``: pixels; higher rows than the usual ones wrap their text.
    """
    shown = frame.select(list(columns))
    options: dict[str, Any] = {
        "hide_index": True,
        "column_config": columns,
        "key": key,
        "placeholder": UNNAMED,
        "row_height": row_height,
        "height": "content" if frame.height <= ROWS_WHOLE else 36 * ROWS_WHOLE,
    }
    if not select:
        st.dataframe(shown, **options)
        return None
    event: Any = st.dataframe(shown, **options, on_select="rerun", selection_mode="single-row")
    return int(event.selection.rows[0]) if event.selection.rows else None


def paged(query: Callable[..., pl.DataFrame], size: int) -> tuple[int, Callable[[str], pl.DataFrame]]:
    """How many rows a list has, and what shows its page buttons and gives the rows of the page chosen in ``?name=``.

    ``query`` takes ``limit`` and ``offset`` and tells the number of all in its column ``total``.
    """
    first = query(limit=size, offset=0)
    total = int(first["total"][0]) if first.height else 0

    def chosen(name: str) -> pl.DataFrame:
        offset = f.page_of(name, total, size)
        return query(limit=size, offset=offset) if offset else first

    return total, chosen


def cards(page: Page, rows: Sequence[dict[str, Any]], across: int = 4) -> None:
    """Rows of ``measure`` as number cards: value, interval, numerator and denominator, definition as help."""
    english = page.lang == "en"
    for start in range(0, len(rows), across):
        for column, row in zip(st.columns(across), rows[start : start + across], strict=False):
            m = metric(row["metric"])
            if m.kind == "count":
                value, between, count = f"{row['num']:,}", None, None
            elif m.unit == "share":
                value, between = percent(row["value"]), span(row["low"], row["high"])
                count = f"{row['num']:,}/{row['den'] or 0:,}"
            else:
                value, between = number(row["value"], signed=m.unit == "points"), number_span(row["low"], row["high"])
                count = f"n = {row['den'] or 0:,}"
            column.metric(
                m.en if english else m.zh,
                value,
                between,
                delta_color="off",
                delta_arrow="off",
                delta_description=count,
                help=m.definition_en if english else m.definition_zh,
                border=True,
                height="stretch",
            )


def dark() -> bool:
    """Whether the reader's appearance is dark."""
    return st.context.theme.type == "dark"


def column(page: Page, label: str, help_of: str | None = None, **options: Any) -> Any:
    """A text column; ``help_of`` names the metric whose definition is its help."""
    return st.column_config.TextColumn(page.tr(label), help=_help(page, help_of), **options)


def numbers(page: Page, label: str, help_of: str | None = None, form: str = "localized", **options: Any) -> Any:
    """A number column."""
    return st.column_config.NumberColumn(page.tr(label), format=form, help=_help(page, help_of), **options)


def _help(page: Page, name: str | None) -> str | None:
    if name is None:
        return None
    m = metric(name)
    return m.definition_en if page.lang == "en" else m.definition_zh


def nothing(tr: Translate) -> None:
    """Say that the store is empty and what to run, and end the page."""
    st.subheader(tr("仓库里还没有牌局"), anchor=False)
    st.write(tr("先用自带的样例试一遍（导入、复盘、再打开本页）："))
    st.code("phz demo", language="shell")
    st.write(tr("或者导入自己的牌谱，再复盘："))
    st.code(tr("phz ingest 牌谱.phz\nphz replay"), language="shell")
    st.caption(tr("本页读取的仓库目录："))
    st.code(store(), language=None)
    st.stop()
