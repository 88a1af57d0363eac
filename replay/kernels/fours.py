"""What of a hand can become four alike, and the 胡息 that it gains (docs/steps.md)."""

from __future__ import annotations

from replay.kernels.bits import LOW, class_of, copies, popcount
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import HAND, LAID, P_KAN, P_PAO, P_PENG, P_TI, PENGS, QUADS, WEIS
from replay.kernels.pieces import FRONT, W_GAIN, W_LEFT, W_MOST, W_PAIR


@kernel
def insert_gain(work: Ints, at: int, n: int, gain: int, kind: int) -> None:
    """Put a gain, and ``FRONT`` behind it its kind, into ``n`` sorted ones, the most first."""
    i = at + n
    while i > at and work[i - 1] < gain:
        work[i] = work[i - 1]
        work[i + FRONT] = work[i + FRONT - 1]
        i -= 1
    work[i] = gain
    work[i + FRONT] = kind


@kernel
def can_be_four(s: Ints, work: Ints, at: int, kan: int) -> int:
    """List what is three alike and can become four, with the 胡息 that it gains; returns how many."""
    three = kan | s[at + PENGS] | s[at + WEIS]
    n = 0
    while three != 0:
        unit = three & -three
        three ^= unit
        kind = popcount(unit - 1) >> 1
        if (work[W_LEFT] >> (3 * kind)) & 7 == 0:
            continue
        column = class_of(kind)
        gain = s[P_TI + column] - s[P_KAN + column]
        if s[at + PENGS] & unit != 0:
            gain = s[P_PAO + column] - s[P_PENG + column]
        insert_gain(work, W_GAIN, n, gain, kind)
        n += 1
    return n


@kernel
def pairs_to_four(s: Ints, work: Ints, loose: int) -> int:
    """List the 胡息 that each pair of the hand gains by becoming four after it is three; returns how many."""
    pairs = (loose >> 1) & LOW
    n = 0
    work[W_MOST] = 0
    while pairs != 0:
        unit = pairs & -pairs
        pairs ^= unit
        kind = popcount(unit - 1) >> 1
        if (work[W_LEFT] >> (3 * kind)) & 7 >= 2:
            column = class_of(kind)
            insert_gain(work, W_PAIR, n, s[P_TI + column] - s[P_KAN + column], kind)
            n += 1
    if n > 0:
        work[W_MOST] = max(0, work[W_PAIR])
    return n


@kernel
def can_come(s: Ints, at: int) -> int:
    """Copies of each kind that the seat does not own, three bits a kind."""
    left = 0
    for kind in range(20):
        own = copies(s[at + HAND], kind) + 4 * ((s[at + QUADS] >> (2 * kind)) & 1) + ((s[at + LAID] >> (3 * kind)) & 7)
        left |= max(0, 4 - own) << (3 * kind)
    return left
