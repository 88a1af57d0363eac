"""Losses of decisions with their 95 % intervals: side by side, in order of time, and how they spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
import polars as pl

from analytics.decisions import Cuts
from dashboards.charts.common import errors, figure, named_rows, rows_height
from dashboards.i18n import Translate
from dashboards.theme import palette
from dashboards.wording import number, number_span, short

BOUNDS = ("loss_low", "loss_high", "loss_round_low", "loss_round_high")


def reach(frames: Sequence[pl.DataFrame]) -> tuple[float, float]:
    """The range of several charts of ``dots`` that are to be compared, 0 in it."""
    drawn = [_whole(frame) for frame in frames]
    low = min(0.0, *(value for frame in drawn for value in frame["loss_low"]))
    high = max(0.0, *(value for frame in drawn for value in frame["loss_high"]))
    rim = 0.04 * (high - low) or 1.0
    return low - rim, high + rim


def dots(
    frame: pl.DataFrame, label: str, axis: str, within: tuple[float, float], tr: Translate, *, dark: bool
) -> go.Figure:
    """A dot and whiskers for each row of ``frame`` (``label`` and columns of ``summary``), first row on top."""
    colours, drawn = palette(dark=dark), _whole(frame)
    fig = figure(dark=dark, height=rows_height(frame.height))
    fig.add_scatter(
        x=drawn["loss"],
        y=list(range(frame.height)),
        mode="markers",
        marker={"size": 11, "color": colours.red, "line": {"width": 1.5, "color": colours.paper}},
        error_x=_whiskers(drawn, "loss", colours.text),
        hovertext=[
            f"<b>{short(row[label], 40)}</b><br>{number(row['loss'])}<br>{tr('95% 区间')} "
            f"{number_span(row['loss_low'], row['loss_high'])}<br>n = {row['decisions']:,}"
            for row in frame.iter_rows(named=True)
        ],
        hoverinfo="text",
    )
    fig.update_xaxes(title=axis, fixedrange=True, nticks=6, range=within, zerolinewidth=2)
    names = [f"{short(name, 30)}  n={n:,}" for name, n in frame.select(label, "decisions").iter_rows()]
    return named_rows(fig, names)


def course(frame: pl.DataFrame, axis: str, tr: Translate, *, dark: bool) -> go.Figure:
    """Loss a round with whiskers for each row of ``decision_views.course``, the mean of all as a line."""
    colours, drawn = palette(dark=dark), _whole(frame)
    ticks, before = [], ""
    for first in frame["first"]:  # a day stands once, where it begins
        ticks.append("" if first == before else short(first))
        before = first
    fig = figure(dark=dark, height=300)
    fig.add_scatter(
        x=list(range(frame.height)),
        y=drawn["loss_round"],
        mode="lines+markers",
        line={"width": 1, "color": colours.grey},
        marker={"size": 9, "color": colours.ink, "line": {"width": 1.5, "color": colours.paper}},
        error_y=_whiskers(drawn, "loss_round", colours.text),
        hovertext=[
            f"<b>{short(row['first'])}{'' if row['first'] == row['last'] else '–' + short(row['last'])}</b><br>"
            f"{number(row['loss_round'])}<br>{tr('95% 区间')} "
            f"{number_span(row['loss_round_low'], row['loss_round_high'])}<br>n = {row['rounds']:,}"
            for row in frame.iter_rows(named=True)
        ],
        hoverinfo="text",
    )
    fig.update_xaxes(
        tickvals=list(range(frame.height)), ticktext=ticks, showgrid=False, zeroline=False, fixedrange=True
    )
    fig.update_yaxes(title=axis, fixedrange=True, nticks=7)
    return fig


def spread(frame: pl.DataFrame, cut: Cuts | None, tr: Translate, *, dark: bool) -> go.Figure:
    """How many losses lie in each step of ``decision_views.spread``, what is a mistake on top; ``cut`` is marked."""
    colours = palette(dark=dark)
    width = next(high - low for low, high in frame.select("low", "high").iter_rows() if None not in (low, high))
    lows = [high - width if low is None else low for low, high in frame.select("low", "high").iter_rows()]
    fig = figure(dark=dark, height=320, barmode="stack", margin={"t": 28}, legend={"traceorder": "normal"})
    plain = frame["n"] - frame["mistakes"] - frame["blunders"]
    for name, counts, colour in (
        (tr("不算失误"), plain, colours.ink),
        (tr("失误"), frame["mistakes"], colours.ochre),
        (tr("大失误"), frame["blunders"], colours.red),
    ):
        fig.add_bar(
            x=[low + width / 2 for low in lows],
            y=counts,
            width=width * 0.94,
            name=f"{name} {counts.sum():,}",
            marker={"color": colour, "opacity": 0.9},
            hovertext=[
                f"{_step(low, high)}<br>{name} {count:,}"
                for low, high, count in zip(frame["low"], frame["high"], counts, strict=True)
            ],
            hoverinfo="text",
        )
    marks = () if cut is None else ((tr("失误"), cut.mistake, "right"), (tr("大失误"), cut.blunder, "left"))
    for name, at, side in marks:  # the lower cut's text stands on the left of its line, so that they never overlap
        fig.add_vline(x=at, line={"color": colours.text, "width": 1.5, "dash": "dot"})
        fig.add_annotation(
            x=at,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor=side,
            showarrow=False,
            text=f"{name} > {number(at)}",
            font={"color": colours.soft, "size": 12.5},
        )
    fig.update_xaxes(title=tr("损失（分）"), showgrid=False, fixedrange=True)
    fig.update_yaxes(title=tr("决定次数"), fixedrange=True, rangemode="tozero")
    return fig


def _whole(frame: pl.DataFrame) -> pl.DataFrame:
    """Without an interval the whiskers end in the dot."""
    return frame.with_columns(pl.col(name).fill_null(pl.col(name.rsplit("_", 1)[0])) for name in BOUNDS)


def _whiskers(drawn: pl.DataFrame, name: str, colour: str) -> dict[str, Any]:
    return errors(drawn[name].to_list(), drawn[f"{name}_low"].to_list(), drawn[f"{name}_high"].to_list(), colour)


def _step(low: float | None, high: float | None) -> str:
    if low is None:
        return f"< {number(high)}"
    return f"≥ {number(low)}" if high is None else f"{number(low)} ~ {number(high)}"
