"""The baseline of self-play beside what was observed; nothing is shown where there is none (docs/baselines.md)."""

from __future__ import annotations

from typing import Any

import polars as pl
import streamlit as st

from analytics.baselines import beside, labels, load
from analytics.catalog import metric
from analytics.metrics import measure
from dashboards import parts
from dashboards.wording import percent

BY_SEAT = ["dealer_win_rate", "idle_win_rate"]


def column(
    page: parts.Page, frame: pl.DataFrame, columns: dict[str, Any], key: str | None = None
) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A table of rates (of ``measure``) and its columns, with one more for the baseline; says which above the table.

    ``key``: the column that names the 番.
    """
    found = _expected(page, frame, key)
    known = found.filter(pl.col("expected").is_not_null())
    if known.is_empty():
        return frame, columns
    _say(page, known["ruleset"].to_list() if "ruleset" in known.columns else [_ruleset(page)])
    text = pl.col("expected").map_elements(percent, return_dtype=pl.String, skip_nulls=False)
    return found.with_columns(text.alias("baseline")), columns | {"baseline": parts.column(page, "基线")}


def by_seat(page: parts.Page) -> None:
    """A line with the win rates of dealer and others, observed and expected."""
    found = _expected(page, measure(page.marts, BY_SEAT, page.filters, overall=True))
    if found["expected"].null_count():
        return
    _say(page, [_ruleset(page)])
    told = []
    for name, value, expected in found.select("metric", "value", "expected").iter_rows():
        m = metric(name)
        told.append(
            page.tr(
                "{what} {observed}（基线 {expected}）",
                what=m.en if page.lang == "en" else m.zh,
                observed=percent(value),
                expected=percent(expected),
            )
        )
    st.caption(" · ".join(told))


def _ruleset(page: parts.Page) -> str | None:
    """The one ruleset that is shown, None where there are several."""
    offered = page.offered["ruleset"]
    return page.filters.ruleset or (offered[0] if len(offered) == 1 else None)


def _expected(page: parts.Page, frame: pl.DataFrame, key: str | None = None) -> pl.DataFrame:
    rows = load()
    if page.filters.role is not None:  # the baseline is that of all seats together
        rows = rows.clear()
    return beside(frame, rows, _ruleset(page), key)


def _say(page: parts.Page, rulesets: list[str | None]) -> None:
    for label in labels(load(), [name for name in rulesets if name is not None]):
        st.caption(page.tr("基线：{player} 自对弈 {rounds} 局", **label))
