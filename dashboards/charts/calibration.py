"""What was foretold of decisions beside what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboards.charts.common import errors, figure
from dashboards.i18n import Translate
from dashboards.theme import palette

LABELS = {"win": "自己胡", "huang": "荒庄", "pays": "要付分", "points": "得分"}
"""By the measures of ``analytics.calibration``."""
HEIGHT = 330


def calibration(told: Mapping[str, Any], tr: Translate, *, dark: bool) -> go.Figure:
    """A square for each measure of ``analytics.calibration.measured``: a dot for each bin, foretold across and come
    true upwards, whiskers of 99 %, hollow ones as it was before it was put right; on the line both are the same."""
    colours = palette(dark=dark)
    fig = make_subplots(
        1, len(LABELS), figure=figure(dark=dark, height=HEIGHT), subplot_titles=[tr(label) for label in LABELS.values()]
    )
    for column, name in enumerate(LABELS, 1):
        rows = told["bins"][name]
        said, came = ([row[key] for row in rows] for key in ("foretold", "was"))
        plain = told["plain"][name]
        ends = [min(*said, *came), max(*said, *came)]
        fig.add_scatter(
            x=ends, y=ends, mode="lines", line={"color": colours.grey, "dash": "dot"}, hoverinfo="skip",
            row=1, col=column,
        )  # fmt: skip
        fig.add_scatter(
            x=[row["foretold"] for row in plain], y=[row["was"] for row in plain], mode="markers", hoverinfo="skip",
            marker={"size": 7, "symbol": "circle-open", "color": colours.soft}, row=1, col=column,
        )  # fmt: skip
        low, high = ([row["was"] + sign * row["half"] for row in rows] for sign in (-1, 1))
        form = "+.2f" if name == "points" else ".1%"
        text = [f"{tr('预计')} {a:{form}}<br>{tr('实际')} {b:{form}}<br>n = {row['n']:,}"
                for a, b, row in zip(said, came, rows, strict=True)]  # fmt: skip
        fig.add_scatter(
            x=said, y=came, mode="markers", marker={"size": 8, "color": colours.red}, hovertext=text, hoverinfo="text",
            error_y=errors(came, low, high, colours.text), row=1, col=column,
        )  # fmt: skip
        ticks = {} if name == "points" else {"tickformat": ".0%"}
        fig.update_xaxes(title=tr("预计"), **ticks, row=1, col=column)
        fig.update_yaxes(title=tr("实际") if column == 1 else None, **ticks, row=1, col=column)
    return fig.update_layout(showlegend=False, margin={"t": 36})
