"""Tables of what the loose cards of one size can become, for the players' quick look at a hand (``kernels.plans``).

The loose cards of one size are ten counts of 0..2 (three alike are a 坎 and locked), so there are 3**10 hands. For each
the table says, for every number of groups taken from it, the cheapest way to make them: whole groups, and starts of
two cards that wait for a third (docs/players.md, "Steps").
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from replay.ruleset import Ruleset

STATES = 3**10
GROUPS = 8
"""Groups taken from one size: 0..7."""
STEP = 1009
"""Cost of one card still to come; a prime, so that no sum of 胡息 equals it."""
NO_WAY = 15
"""Starts that stand for "cannot be done"."""
P_AT, XI_AT = 20, 25
"""Bits of an entry: the 20 kinds that complete one of its starts, the starts (5), the 胡息 (6)."""


def _digits() -> Any:
    """The counts of every hand: ``(3**10, 10)``."""
    hands = np.arange(STATES)
    return np.stack([hands // 3**rank % 3 for rank in range(10)], axis=1)


def _elements(rank: int, size: int, huxi_123: int, huxi_2710: int, pair: int) -> list[tuple[Any, int, int, int]]:
    """What the lowest card may be part of: ``(ranks, starts, 胡息, kinds waited for)``; -1 starts: thrown away."""
    base = 10 * size
    found: list[tuple[Any, int, int, int]] = [((rank,), -1, 0, 0)]
    found.append(((rank, rank), 1, pair, 1 << (base + rank)))
    runs = [(first, first + 1, first + 2) for first in range(8)] + [(1, 6, 9)]
    for run in runs:
        worth = huxi_123 if run[0] == 0 else huxi_2710 if run == (1, 6, 9) else 0
        if run[0] == rank:
            found.append((run, 0, worth, 0))
        for missing in run:
            rest = tuple(card for card in run if card != missing)
            if rest[0] == rank:
                found.append((rest, 1, worth, 1 << (base + missing)))
    return found


def one_size(size: int, huxi_123: int, huxi_2710: int, pairs: tuple[int, ...], weight: int) -> Any:
    """The table of one size, ``(2, 3**10, 8)`` int32: without and with a 将, by hand, by number of groups.

    ``pairs``: 胡息 of each rank's pair once it is three; ``weight``: cost of a missing 胡息, below ``STEP``. An entry
    of ``NO_WAY`` starts cannot be made. Of ways that cost the same, the kinds waited for are joined.
    """
    digits = _digits()
    cards = digits.sum(axis=1)
    lowest = (digits > 0).argmax(axis=1)
    never = NO_WAY << P_AT
    cost = np.full((2, STATES, GROUPS), NO_WAY * STEP * 2, dtype=np.int32)
    table = np.full((2, STATES, GROUPS), never, dtype=np.int32)
    cost[0, 0, 0] = table[0, 0, 0] = 0
    place = 3 ** np.arange(10)
    for n in range(1, 21):
        for rank in range(10):
            hands = np.flatnonzero((cards == n) & (lowest == rank))
            if not len(hands):
                continue
            for taken, starts, huxi, waits in _elements(rank, size, huxi_123, huxi_2710, pairs[rank]):
                counts = np.bincount(taken, minlength=10)
                fits = hands[(digits[hands] >= counts).all(axis=1)]
                rest = fits - int((counts * place).sum())
                if starts < 0:
                    _better(cost, table, (0, 1), fits, cost[:, rest], table[:, rest])
                    # The card alone as the 将 that waits for its twin (rules 8.6).
                    own = (1 << (10 * size + rank)) | 1 << P_AT
                    _better(cost, table, (1,), fits, cost[:1, rest] + STEP, _joined(table[:1, rest], own))
                    continue
                more = _shifted(cost[:, rest], starts * STEP - huxi * weight, NO_WAY * STEP * 2)
                entry = starts << P_AT | huxi << XI_AT | waits
                _better(cost, table, (0, 1), fits, more, _shifted_table(table[:, rest], entry))
                if len(taken) == 2 and taken[0] == taken[1]:
                    _better(cost, table, (1,), fits, cost[:1, rest], table[:1, rest])
    return table


def _shifted(cost: Any, more: int, never: int) -> Any:
    """One group more: the costs move up by one place."""
    moved = np.full_like(cost, never)
    moved[..., 1:] = np.where(cost[..., :-1] >= never // 2, never, cost[..., :-1] + more)
    return moved


def _shifted_table(table: Any, entry: int) -> Any:
    moved = np.full_like(table, NO_WAY << P_AT)
    moved[..., 1:] = _joined(table[..., :-1], entry)
    return moved


def _joined(table: Any, entry: int) -> Any:
    """Entries with one element more; what cannot be done stays so."""
    kinds = (1 << P_AT) - 1
    joined = (table & ~kinds) + (entry & ~kinds) | ((table | entry) & kinds)
    return np.where(table >> P_AT & 31 >= NO_WAY, NO_WAY << P_AT, joined)


def _better(cost: Any, table: Any, forms: tuple[int, ...], hands: Any, offered: Any, entries: Any) -> None:
    kinds = (1 << P_AT) - 1
    for i, form in enumerate(forms):
        old = cost[form, hands]
        new = offered[i]
        same = (new == old) & (entries[i] >> P_AT & 31 < NO_WAY)
        table[form, hands] = np.where(
            new < old, entries[i], np.where(same, table[form, hands] | entries[i] & kinds, table[form, hands])
        )
        cost[form, hands] = np.minimum(old, new)


def packed_places() -> list[int]:
    """Five packed counts (two bits each) → their place in base 3; counts of 3 have none and give 0."""
    places = []
    for packed in range(1 << 10):
        counts = [packed >> 2 * i & 3 for i in range(5)]
        places.append(sum(count * 3**i for i, count in enumerate(counts)) if 3 not in counts else 0)
    return places


@lru_cache(maxsize=8)
def arrangements(ruleset: Ruleset, weight: int) -> Any:
    """Both tables of both costs and the index into them, one int32 array (``kernels.plans`` reads it).

    First fewest steps, then most 胡息; second a missing 胡息 costs ``weight`` thousandths of a step.
    """
    parts = []
    for cost in (1, weight):
        for size in range(2):
            kan = ruleset.huxi_kan
            pairs = tuple(kan[size + 2] if rank in (1, 6, 9) else kan[size] for rank in range(10))
            parts.append(one_size(size, ruleset.huxi_123[size], ruleset.huxi_2710[size], pairs, cost).ravel())
    return np.concatenate([*parts, np.array(packed_places(), dtype=np.int32)])
