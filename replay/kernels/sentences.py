"""The shape of `general`: 6 句 and 1 将 with a card to spare, or 7 句 (rules 16.3, 16.11, 16.12)."""

from __future__ import annotations

from replay.kernels.bits import copies
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    HAND,
    LAID,
    MELDS,
    P_SENTENCES,
    QUADS,
    RUNS,
    SEAT0,
    SEAT_SIZE,
    VALUE_DUIDUI,
    VALUE_QING,
    W_DISCARD,
)


@kernel
def in_runs(s: Ints, first: int) -> int:
    """1 if the ten counts from slot ``first`` split into 顺 and triples.

    Three equal 顺 are three triples, so at the lowest rank the 顺 number the copies modulo 3.
    """
    one = 0  # 顺 that began one rank below
    two = 0  # and two below
    for rank in range(10):
        left = s[first + rank] - one - two
        if left < 0:
            return 0
        begin = left % 3
        if begin > 0 and rank > 7:
            return 0
        two = one
        one = begin
    return 1


@kernel
def with_jiang(s: Ints) -> int:
    """1 if the counts in slots 0..19 split into 句 and one 将."""
    small = 0
    for rank in range(10):
        small += s[rank]
    size = 0 if small % 3 == 2 else 10
    if in_runs(s, 10 - size) == 0:
        return 0
    for card in range(size, size + 10):
        if s[card] >= 2:
            s[card] -= 2
            fits = in_runs(s, size)
            s[card] += 2
            if fits == 1:
                return 1
    return 0


@kernel
def alike(s: Ints, pairs: int) -> int:
    """1 if the counts are triples and exactly ``pairs`` pairs."""
    found = 0
    for card in range(20):
        if s[card] == 2:
            found += 1
        elif s[card] != 0 and s[card] != 3:
            return 0
    return 1 if found == pairs else 0


@kernel
def shape_bits(s: Ints, runs: int, tabled: int, big: int, n: int, jiang: int) -> int:
    """Value bits of the counts in slots 0..19 as 句 (and a 将 iff ``jiang``); -1: no shape.

    ``tabled``: 1 small groups lie on the table, 2 big ones, 3 both; ``big`` of the ``n`` cards are big.
    """
    bits = 0
    if runs == 0 and alike(s, jiang) == 1:
        bits |= VALUE_DUIDUI
    elif jiang == 1:
        small = (n - big) % 3
        if small == 1 or (big % 3 == 1) or with_jiang(s) == 0:
            return -1
    elif big % 3 != 0 or in_runs(s, 0) == 0 or in_runs(s, 10) == 0:
        return -1
    if (big == 0 and tabled & 2 == 0) or (big == n and tabled & 1 == 0):
        bits |= VALUE_QING
    return bits


@kernel
def sentences_value(s: Ints, seat: int, card: int, source: int) -> int:
    """``rights.hu_value`` for 句: the value bits of the best choice of the spare card, or -1.

    A claimed discard must stand in the shape, so its only copy cannot be the spare.
    """
    at = SEAT0 + seat * SEAT_SIZE
    n = 0
    big = 0
    for kind in range(20):
        held = copies(s[at + HAND], kind) + 4 * ((s[at + QUADS] >> (2 * kind)) & 1)
        if kind == card:
            held += 1
        s[kind] = held
        n += held
        if kind >= 10:
            big += held
    tabled = 0
    for kind in range(20):
        if (s[at + LAID] >> (3 * kind)) & 7 != 0:
            tabled |= 1 if kind < 10 else 2
    jiang = 1 if s[P_SENTENCES] == 1 else 0
    due = 3 * (7 - jiang - s[at + MELDS]) + 2 * jiang
    if n == due:
        return shape_bits(s, s[at + RUNS], tabled, big, n, jiang)
    if n != due + 1 or jiang == 0:
        return -1
    best = -1
    for spare in range(20):
        if s[spare] == 0 or (source == W_DISCARD and spare == card and s[spare] == 1):
            continue
        s[spare] -= 1
        bits = shape_bits(s, s[at + RUNS], tabled, big - (1 if spare >= 10 else 0), n - 1, jiang)
        s[spare] += 1
        best = max(best, bits)
    return best
