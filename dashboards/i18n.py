"""Text for people. Keys are the Chinese text, shown by default; ``locales/en.json`` gives the English."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import resources

LANGS = ("zh", "en")
Translate = Callable[..., str]


@cache
def english() -> dict[str, str]:
    """Chinese text -> English text."""
    text = resources.files("dashboards").joinpath("locales/en.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def translator(lang: str) -> Translate:
    """``tr(text, **values)``: the text in ``lang``, ``{name}`` filled in; ``KeyError`` when the English is missing."""

    def tr(text: str, **values: object) -> str:
        chosen = english()[text] if lang == "en" else text
        return chosen.format(**values) if values else chosen

    return tr
