"""By how much the judge errs on the average, and what it says after that is put right (docs/decision-quality.md).

The hands that others are thought to hold are a little worse than those they have, so a seat sees itself win, and
nobody, too often. Three numbers a ruleset, fitted by ``analytics.calibration``, stand in ``corrections.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

PLACE = Path(__file__).with_name("corrections.json")


@dataclass(frozen=True, slots=True)
class Correction:
    """``win``, ``huang``: how much likelier one is to win, nobody is, in proportion to another's win; ``points``: what
    is added to the points of the seat that decides, and taken from the others'."""

    win: float = 1.0
    huang: float = 1.0
    points: float = 0.0

    def chances(self, win: Any, huang: Any, pays: Any) -> tuple[Any, Any, Any]:
        """The chances, numbers or arrays, put right: they still add up, and what is certain stays so. Who pays does so
        for another's win or, as far as that cannot explain it, where nobody wins."""
        others = 1.0 - win - huang
        whole = win * self.win + huang * self.huang + others
        paying = np.minimum(pays, others) + np.maximum(pays - others, 0.0) * self.huang
        return win * self.win / whole, huang * self.huang / whole, paying / whole


@cache
def corrections() -> dict[str, Correction]:
    """The correction of each ruleset that was measured."""
    return {name: Correction(**told) for name, told in json.loads(PLACE.read_text(encoding="utf-8")).items()}


def correction(ruleset_name: str) -> Correction:
    """That of a ruleset; where none was measured, one that changes nothing."""
    return corrections().get(ruleset_name, Correction())
