"""What the charts share."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dashboards.theme import template_name

ROW = 30
"""Height of one horizontal bar with its gap, pixels."""


def figure(*, dark: bool, height: int, **layout: Any) -> go.Figure:
    """An empty figure in the house style."""
    return go.Figure(layout={"template": template_name(dark=dark), "height": height, **layout})


def rows_height(rows: int) -> int:
    """Height of a chart with one row of marks for each of ``rows`` things."""
    return 76 + ROW * max(rows, 1)


def named_rows(fig: go.Figure, names: list[str]) -> go.Figure:
    """Rows of marks at 0, 1, 2 … with their names at the side, the first on top."""
    return fig.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        range=[len(names) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )


def errors(values: list[float], low: list[float], high: list[float], colour: str) -> dict[str, Any]:
    """Whiskers of 95 % intervals."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [top - value for value, top in zip(values, high, strict=True)],
        "arrayminus": [value - bottom for value, bottom in zip(values, low, strict=True)],
        "color": colour,
        "thickness": 1.6,
        "width": 5,
    }
