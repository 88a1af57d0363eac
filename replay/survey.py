"""The counts of ``kernels.survey`` from arrays of rounds, and as named measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from replay.engine import Engine
from replay.fan import FAN, PING_HU, SPECIAL
from replay.fronts import fronts
from replay.kernels import survey as k
from replay.kernels.jit import compiled
from replay.kernels.score import FANS
from replay.ruleset import Ruleset

ROLES = ("dealer", "next", "previous")
"""庄, 下家, 上家: the seats of a round in the order of play."""
SOURCES = ("dealt", "own_draw", "other_draw", "discard", "liang")
"""How a win came, in the order of ``kernels.layout.W_*``; ``dealt``: on dealt cards that need no shape."""
NEVER = "never"


class Measure(NamedTuple):
    """``n`` cases of the kind ``key``, of ``of`` (None: no share); ``sum`` and ``sum_sq`` of a value over them."""

    measure: str
    key: str
    n: int
    of: int | None = None
    sum: int | None = None
    sum_sq: int | None = None


def no_counts() -> Any:
    """An empty array of counts; two may be added."""
    return np.zeros(k.COUNTS, dtype=np.int64)


def add_rounds(machine: Engine, deals: Any, events: Any, spans: Any, summaries: Any, counts: Any) -> None:
    """Add clean, complete rounds: the arrays that ``bulk.run_audit`` reads, and the summaries that it gives.

    ``machine`` is a compiled engine; each seat's hand must be known.
    """
    work = np.zeros(k.SURVEY_WORK, dtype=np.int64)
    compiled("survey").survey_rounds(
        machine.state, machine.table, fronts(machine.ruleset), work, len(spans) - 1, deals, events, spans,
        summaries.reshape(-1), counts,
    )  # fmt: skip


def kinds(ruleset: Ruleset) -> dict[str, tuple[int, str]]:
    """The kinds of win of a ruleset: name → slot of the counts and English.

    A special win and a 番 of one name are one kind; of the two the 番, where it is played, has all the wins.
    """
    words = dict(ruleset.words)
    named = {
        words.get(fan.key, fan.zh): (i, fan.en) for i, fan in enumerate(FAN) if ruleset.fan_value(f"fan_{fan.key}") > 0
    }
    english = {fan.zh: fan.en for fan in FAN} | {"三提五坎": "quads and triplets dealt"}
    for code, name in SPECIAL.items():
        named.setdefault(name, (FANS + code - 1, english[name]))
    return named | {PING_HU: (k.PLAIN, "plain win")}


def measures(counts: Any, ruleset: Ruleset) -> list[Measure]:
    """Everything that was counted, in a fixed order; histograms without their empty bins."""
    return list(_measures([int(count) for count in counts], ruleset))


def _measures(counts: list[int], ruleset: Ruleset) -> Iterator[Measure]:
    rounds = counts[k.C_ROUNDS]
    won, huxi, huxi_sq, points, points_sq = counts[k.C_WIN : k.C_WIN + k.WIN]
    for i, role in enumerate(ROLES):
        yield Measure("win", role, counts[k.C_WINS + i], rounds)
    yield Measure("huang", "", rounds - won, rounds)
    for i, source in enumerate(SOURCES):
        yield Measure("source", source, counts[k.C_SOURCES + i], won)
    for i, role in enumerate(ROLES):
        of_role = counts[k.C_POINTS + 2 * i : k.C_POINTS + 2 * i + 2]
        yield Measure("points", role, rounds, None, *of_role)
    has_huxi = not ruleset.draw_to_hand
    if has_huxi:
        yield Measure("win_huxi", "", won, None, huxi, huxi_sq)
    yield Measure("win_points", "", won, None, points, points_sq)
    for name, (slot, _) in kinds(ruleset).items():
        n, huxi, huxi_sq, points, points_sq = counts[k.C_KINDS + k.WIN * slot : k.C_KINDS + k.WIN * (slot + 1)]
        yield Measure("fan", name, n, won)
        if has_huxi:
            yield Measure("fan_huxi", name, n, None, huxi, huxi_sq)
        yield Measure("fan_points", name, n, None, points, points_sq)
    yield from _histogram("win_wall", counts[k.C_WIN_WALL : k.C_WIN_OWN], won)
    yield from _histogram("win_own", counts[k.C_WIN_OWN : k.COUNTS], won)
    if not has_huxi:  # and no steps (docs/steps.md)
        return
    yield from _histogram("huxi", counts[k.C_HUXI : k.C_STEPS], won)
    for i, role in enumerate(ROLES):
        yield from _histogram(f"steps_{role}", _part(counts, k.C_STEPS, k.STEPS, i), rounds, first=-1)
        for name, base in (("ready_wall", k.C_READY_WALL), ("ready_own", k.C_READY_OWN)):
            bins = _part(counts, base, k.TURNS, i)
            yield from _histogram(f"{name}_{role}", bins, rounds)
            yield Measure(f"{name}_{role}", NEVER, rounds - sum(bins), rounds)


def _part(counts: list[int], base: int, size: int, i: int) -> list[int]:
    return counts[base + size * i : base + size * (i + 1)]


def _histogram(measure: str, bins: list[int], of: int, first: int = 0) -> Iterator[Measure]:
    for key, n in enumerate(bins, first):
        if n:
            yield Measure(measure, str(key), n, of)
