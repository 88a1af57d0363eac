"""Rates with their 95 % intervals: a row a thing, labelled with its numbers."""

from __future__ import annotations

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.common import errors, figure, named_rows, rows_height
from dashboards.i18n import Translate
from dashboards.theme import palette
from dashboards.wording import percent, short, span


def dots(frame: pl.DataFrame, label: str, axis: str, tr: Translate, *, dark: bool, mean: float | None) -> go.Figure:
    """A dot and whiskers for each row of ``frame`` (``label``, num, den, value, low, high), first row on top.

    ``mean`` is drawn as a line for comparison. Each mark's customdata is its row number.
    """
    colours = palette(dark=dark)
    fig = figure(dark=dark, height=rows_height(frame.height))
    fig.add_scatter(
        x=frame["value"],
        y=list(range(frame.height)),
        mode="markers",
        marker={"size": 11, "color": colours.red, "line": {"width": 1.5, "color": colours.paper}},
        error_x=errors(frame["value"].to_list(), frame["low"].to_list(), frame["high"].to_list(), colours.text),
        customdata=list(range(frame.height)),
        hovertext=_hover(frame, label, tr),
        hoverinfo="text",
        selected={"marker": {"color": colours.red, "size": 14}},
        unselected={"marker": {"opacity": 0.55}},
    )
    if mean is not None:
        fig.add_vline(x=mean, line={"color": colours.grey, "width": 1.5, "dash": "dot"})
        fig.add_annotation(
            x=mean,
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            text=f"{tr('全体')} {percent(mean)}",
            font={"color": colours.soft, "size": 12},
        )
        fig.update_layout(margin={"t": 28})
    return _axes(fig, frame, label, axis)


def bars(
    frame: pl.DataFrame, label: str, axis: str, tr: Translate, *, dark: bool, colour: str | None = None
) -> go.Figure:
    """A bar and whiskers for each row of ``frame``; ``colour`` names a column of colours, else all are vermilion."""
    colours = palette(dark=dark)
    fig = figure(dark=dark, height=rows_height(frame.height))
    fig.add_bar(
        x=frame["value"],
        y=list(range(frame.height)),
        orientation="h",
        marker={"color": frame[colour].to_list() if colour else colours.red, "opacity": 0.9},
        error_x=errors(frame["value"].to_list(), frame["low"].to_list(), frame["high"].to_list(), colours.text),
        customdata=list(range(frame.height)),
        hovertext=_hover(frame, label, tr),
        hoverinfo="text",
        unselected={"marker": {"opacity": 0.45}},
    )
    for row, (value, num, top) in enumerate(frame.select("value", "num", "high").iter_rows()):
        fig.add_annotation(
            x=top,
            y=row,
            text=f"{percent(value)} · {num:,}",
            showarrow=False,
            xanchor="left",
            xshift=8,
            font={"color": colours.soft, "size": 12.5},
        )
    _axes(fig, frame, label, axis)
    top = max(frame["high"].to_list(), default=1.0)
    return fig.update_xaxes(range=[0, top * 1.22])


def _axes(fig: go.Figure, frame: pl.DataFrame, label: str, axis: str) -> go.Figure:
    names = [short(name, 30) for name in frame[label]]
    fig.update_xaxes(title=axis, tickformat=".0%", fixedrange=True)
    return named_rows(fig, names)


def _hover(frame: pl.DataFrame, label: str, tr: Translate) -> list[str]:
    return [
        f"<b>{short(name, 40)}</b><br>{percent(value)} ({num:,}/{den:,})<br>{tr('95% 区间')} {span(low, high)}"
        for name, num, den, value, low, high in frame.select(label, "num", "den", "value", "low", "high").iter_rows()
    ]
