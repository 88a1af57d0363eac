"""Colours, fonts and the one Plotly template. Paper, ink and vermilion, as on the cards; no Streamlit here.

Meaning is never carried by colour alone: every coloured mark is labelled with its name and number as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import plotly.io as pio

FONT = "'Noto Sans SC', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"


@dataclass(frozen=True)
class Palette:
    """The colours of one appearance. ``text`` on ``paper`` has a contrast above 7:1, ``soft`` above 4.5:1."""

    paper: str
    text: str
    soft: str
    grid: str
    red: str
    ink: str
    jade: str
    ochre: str
    grey: str


LIGHT = Palette("#fbf8f1", "#2a2420", "#6b6055", "#e4dbc9", "#a8281c", "#3d4a57", "#3f7358", "#b07a1e", "#9c9184")
DARK = Palette("#1b1816", "#ece4d6", "#b0a495", "#39322c", "#e0705f", "#9fb2c6", "#7fb898", "#dba94f", "#83786c")


def palette(*, dark: bool) -> Palette:
    """The colours of the light or the dark appearance."""
    return DARK if dark else LIGHT


def template_name(*, dark: bool) -> str:
    """The registered Plotly template for the appearance."""
    return "zipai_dark" if dark else "zipai"


def _template(colours: Palette) -> go.layout.Template:
    axis: dict[str, Any] = {
        "gridcolor": colours.grid,
        "linecolor": colours.grid,
        "zerolinecolor": colours.grid,
        "tickfont": {"color": colours.text, "size": 13},
        "title": {"font": {"color": colours.soft, "size": 12.5}, "standoff": 12},
        "automargin": True,
        "ticklabelstandoff": 6,
    }
    return go.layout.Template(
        layout={
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": FONT, "size": 13, "color": colours.text},
            "colorway": [colours.red, colours.ink, colours.jade, colours.ochre, colours.grey],
            "xaxis": axis,
            "yaxis": axis,
            "margin": {"l": 8, "r": 24, "t": 12, "b": 8},
            "hoverlabel": {
                "bgcolor": colours.paper,
                "bordercolor": colours.soft,
                "font": {"family": FONT, "color": colours.text, "size": 13},
                "align": "left",
            },
            "legend": {"orientation": "h", "y": -0.2, "font": {"color": colours.text}},
            "dragmode": False,
            "bargap": 0.35,
        }
    )


pio.templates["zipai"] = _template(LIGHT)
pio.templates["zipai_dark"] = _template(DARK)
