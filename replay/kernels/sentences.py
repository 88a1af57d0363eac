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
def with_jiang(s: Ints, first: int) -> int:
    """1 if the ten counts from slot ``first`` split into 句 and one 将."""
    for card in range(first, first + 10):
        if s[card] >= 2:
            s[card] -= 2
            fits = in_runs(s, first)
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
def one_size(tabled: int, big: int, n: int) -> int:
    """``VALUE_QING`` if all cards are of one size; ``tabled``: 1 small groups lie on the table, 2 big ones, 3 both."""
    return VALUE_QING if (big == 0 and tabled & 2 == 0) or (big == n and tabled & 1 == 0) else 0


@kernel
def whole_value(s: Ints, runs: int, tabled: int, big: int, n: int, jiang: int) -> int:
    """Value bits of the counts in slots 0..19 as 句 (and a 将 iff ``jiang``) with nothing to spare; -1: no shape."""
    bits = one_size(tabled, big, n)
    if runs == 0 and alike(s, jiang) == 1:
        return bits | VALUE_DUIDUI
    small = n - big
    if jiang == 0:
        return bits if in_runs(s, 0) == 1 and in_runs(s, 10) == 1 else -1
    if small % 3 == 2 and big % 3 == 0:
        return bits if in_runs(s, 10) == 1 and with_jiang(s, 0) == 1 else -1
    if small % 3 == 0 and big % 3 == 2:
        return bits if in_runs(s, 0) == 1 and with_jiang(s, 10) == 1 else -1
    return -1


@kernel
def with_spare(s: Ints, tabled: int, big: int, n: int, kept: int, runs: int) -> int:
    """Value bits of the counts as 句 and a 将 with one card to spare, not the last ``kept``; -1: no shape.

    ``runs``: 顺 lie on the table. The size that the spare is not of must fit by itself, which most hands fail at once.
    """
    best = -1
    for side in range(2):
        first = 10 * side
        mine = big if side == 1 else n - big
        pair_here = (mine - 1) % 3 == 2 and (n - mine) % 3 == 0
        pair_there = (mine - 1) % 3 == 0 and (n - mine) % 3 == 2
        fits = 0
        if pair_here:
            fits = in_runs(s, 10 - first)
        elif pair_there:
            fits = with_jiang(s, 10 - first)
        if fits == 0:
            continue
        for spare in range(first, first + 10):
            if s[spare] == 0 or (spare == kept and s[spare] == 1):
                continue
            s[spare] -= 1
            fits = with_jiang(s, first) if pair_here else in_runs(s, first)
            if fits == 1:
                bits = one_size(tabled, big - side, n - 1)
                if runs == 0 and alike(s, 1) == 1:
                    bits |= VALUE_DUIDUI
                best = max(best, bits)
            s[spare] += 1
    return best


@kernel
def sentences_value(s: Ints, seat: int, card: int, source: int) -> int:
    """``rights.hu_value`` for 句: the value bits of the best choice of the spare card, or -1.

    A claimed discard must stand in the shape, so its only copy cannot be the spare.
    """
    at = SEAT0 + seat * SEAT_SIZE
    n = 0
    big = 0
    tabled = 0
    for kind in range(20):
        held = copies(s[at + HAND], kind) + 4 * ((s[at + QUADS] >> (2 * kind)) & 1)
        if kind == card:
            held += 1
        s[kind] = held
        n += held
        if kind >= 10:
            big += held
        if (s[at + LAID] >> (3 * kind)) & 7 != 0:
            tabled |= 1 if kind < 10 else 2
    jiang = 1 if s[P_SENTENCES] == 1 else 0
    due = 3 * (7 - jiang - s[at + MELDS]) + 2 * jiang
    if n == due:
        return whole_value(s, s[at + RUNS], tabled, big, n, jiang)
    if n != due + 1 or jiang == 0:
        return -1
    return with_spare(s, tabled, big, n, card if source == W_DISCARD else -1, s[at + RUNS])
