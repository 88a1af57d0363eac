"""Parts of a whole, and the distribution of 胡息."""

from __future__ import annotations

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.common import figure
from dashboards.i18n import Translate
from dashboards.theme import palette
from dashboards.wording import VERDICTS, percent


def verdicts(frame: pl.DataFrame, tr: Translate, *, dark: bool) -> go.Figure:
    """One bar cut into verdicts (``verdict``, num, den, value), each part labelled where it is wide enough."""
    colours = palette(dark=dark)
    paint = {
        "clean": colours.jade,
        "violations": colours.red,
        "undecidable": colours.ochre,
        "unreadable": colours.ink,
        "not_replayed": colours.grey,
    }
    fig = figure(dark=dark, height=150, barmode="stack", legend={"y": -0.35, "traceorder": "normal"})
    rows = {row["verdict"]: row for row in frame.iter_rows(named=True)}
    for verdict, name in VERDICTS.items():
        if verdict not in rows:
            continue
        row = rows[verdict]
        text = f"{tr(name)} {percent(row['value'])}"
        fig.add_bar(
            x=[row["num"]],
            y=[""],
            orientation="h",
            name=f"{tr(name)} {row['num']:,}",
            marker={"color": paint[verdict], "line": {"color": colours.paper, "width": 2}},
            text=text if row["value"] > 0.12 else "",
            textposition="inside",
            insidetextanchor="middle",
            insidetextfont={"color": colours.paper, "size": 13},
            hovertext=f"{text}<br>{row['num']:,}/{row['den']:,}",
            hoverinfo="text",
        )
    fig.update_xaxes(visible=False, fixedrange=True)
    fig.update_yaxes(visible=False, fixedrange=True)
    return fig


def huxi(frame: pl.DataFrame, tr: Translate, *, dark: bool) -> go.Figure:
    """How many wins (``wins``) had which 胡息 (``huxi``)."""
    colours = palette(dark=dark)
    total = frame["wins"].sum()
    fig = figure(dark=dark, height=300, bargap=0.15)
    fig.add_bar(
        x=frame["huxi"],
        y=frame["wins"],
        marker={"color": colours.ink, "opacity": 0.9},
        hovertext=[f"{tr('胡息')} {h}<br>{n:,}/{total:,} ({percent(n / total)})" for h, n in frame.iter_rows()],
        hoverinfo="text",
    )
    fig.update_xaxes(title=tr("胡息"), showgrid=False, fixedrange=True, tickformat="d")
    fig.update_yaxes(title=tr("胡牌局数"), fixedrange=True, rangemode="tozero")
    return fig
