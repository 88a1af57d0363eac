"""How much stronger one player is than another: the same deals with every seating, in points a round.

Of each deal six rounds are played: A alone at each seat against two of B, then B alone against two of A. The advantage
of A is half of what the lone A makes less what the lone B makes. A deal is one observation, so its six rounds may
depend on each other.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from typing import Any

import numpy as np

from replay.kernels.match import R_POINTS, R_WINNER
from replay.players import PLAYERS, Room, play_deals, room
from replay.rulesets import RULESETS

Z95, Z99 = 1.959964, 2.326348
"""Of a two-sided interval of 95 %, and of a one-sided bound of 99 %."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What a match of two players came to; points a round, ``half``: half the 95 % interval of ``advantage``."""

    strong: str
    weak: str
    deals: int
    lone_strong: float
    lone_weak: float
    advantage: float
    half: float
    low99: float
    huang: float


def seatings_of(a: str, b: str, seats: int = 3) -> list[list[str]]:
    """A alone at each seat against B, then B alone against A."""
    return [[x if i == seat else y for i in range(seats)] for x, y in ((a, b), (b, a)) for seat in range(seats)]


def _pair(strong: str, weak: str, of_strong: Any, of_weak: Any, each: Any, rows: Any) -> Pair:
    error = each.std(ddof=1) / sqrt(len(each))
    return Pair(
        strong=strong,
        weak=weak,
        deals=len(each),
        lone_strong=float(of_strong.mean()),
        lone_weak=float(of_weak.mean()),
        advantage=float(each.mean()),
        half=float(Z95 * error),
        low99=float(each.mean() - Z99 * error),
        huang=float((rows[:, :, R_WINNER] < 0).mean()),
    )


def _lone(rows: Any, seats: int) -> tuple[Any, Any]:
    """What each of the two makes alone at a table, a deal; the stronger one's seatings come first."""
    lone = [rows[:, i, R_POINTS + i % seats].astype(float) for i in range(2 * seats)]
    return sum(lone[:seats]) / seats, sum(lone[seats:]) / seats


def measured(strong: str, weak: str, rows: Any, seats: int = 3) -> Pair:
    """The figures of ``rows``, ``(deals, 2 * seats, RESULT)`` of ``players.play_deals``."""
    of_strong, of_weak = _lone(rows, seats)
    return _pair(strong, weak, of_strong, of_weak, (of_strong - of_weak) / 2, rows)


def paired(strong: str, weak: str, rows: Any, seats: int = 3) -> Pair:
    """What a lone ``strong`` makes more than a lone ``weak`` in the same seat, deal and company.

    ``rows``: ``(deals, 2 * seats, RESULT)``, the seatings of ``lone_seatings``; half the cost where ``strong`` is slow.
    """
    of_strong, of_weak = _lone(rows, seats)
    return _pair(strong, weak, of_strong, of_weak, of_strong - of_weak, rows)


def lone_seatings(strong: str, weak: str, seats: int = 3) -> list[list[str]]:
    """Each of the two alone at each seat, the others all ``weak``."""
    return [[x if i == seat else weak for i in range(seats)] for x in (strong, weak) for seat in range(seats)]


def match(at: Room, strong: str, weak: str, deals: int, seed: int) -> Pair:
    """Play ``deals`` deals and measure."""
    return measured(strong, weak, play_deals(at, seed, deals, seatings_of(strong, weak, at.seats)), at.seats)


SEED = 77
PART = 500
"""Deals of a part of a match; a part has a stream of its own, so parts may be played by several processes."""


def part_of(job: tuple[str, tuple[tuple[str, ...], ...], int, int]) -> Any:
    """The rows of one part: ruleset, seatings, deals and number of the part."""
    name, seatings, deals, part = job
    return play_deals(room(RULESETS[name]), SEED, deals, seatings, part)


def long_match(ruleset: str, strong: str, weak: str, deals: int, jobs: int) -> Pair:
    """A match in parts; `search` is measured paired, with parts of ten deals."""
    slow = strong == "search"
    seatings = tuple(map(tuple, (lone_seatings if slow else seatings_of)(strong, weak)))
    size = 10 if slow else PART
    wanted = [(ruleset, seatings, min(size, deals - first), first // size) for first in range(0, deals, size)]
    if jobs == 1:
        rows = [part_of(job) for job in wanted]
    else:
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            rows = list(pool.map(part_of, wanted))
    return (paired if slow else measured)(strong, weak, np.concatenate(rows))


HEAD = (
    "| 规则 ruleset | 强 − 弱 strong − weak | 每局多得 advantage, points a round (95 %) | 99 % 下限 lower bound | "
    "强者独坐 lone strong | 弱者独坐 lone weak | 荒庄 | 副牌×座次 deals × seatings |\n|---|---|---|---|---|---|---|---|"
)


def line_of(ruleset: str, pair: Pair) -> str:
    """A row of the table in docs/players.md."""
    return (
        f"| {ruleset} | {pair.strong}-{PLAYERS[pair.strong].version} − {pair.weak}-{PLAYERS[pair.weak].version} | "
        f"{pair.advantage:+.2f} ±{pair.half:.2f} | {pair.low99:+.2f} | {pair.lone_strong:+.2f} | "
        f"{pair.lone_weak:+.2f} | {pair.huang:.1%} | {pair.deals:,} × 6 |"
    )


def main() -> None:
    """``python -m replay.ladder RULESET STRONG WEAK DEALS [JOBS]``: play the match, print its table."""
    ruleset, strong, weak, deals, *jobs = sys.argv[1:]
    print(HEAD)
    print(line_of(ruleset, long_match(ruleset, strong, weak, int(deals), int(*jobs or ["1"]))), flush=True)


if __name__ == "__main__":
    main()
