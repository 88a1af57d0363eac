"""The hand splitter: the most 胡息 that loose cards can make as 顺, 二七十, 绞 and at most one 将.

Two ideas make it fast: a table over one size (4**10 entries, counts 0..3 of ten ranks) answers 顺 and 二七十 at once,
and a bit-parallel filter drops a branch as soon as one card can stand in no group; only 绞 mixes sizes and is
branched on.
"""

from __future__ import annotations

from functools import lru_cache

from replay.kernels.bits import LOW, SMALL, size_of
from replay.kernels.jit import Ints, kernel

TABLE_SIZE = 1 << 20
_STARTS = sum(1 << (2 * rank) for rank in range(8))
RUN_STARTS = _STARTS | _STARTS << 20
"""Low bits of the ranks 1..8, where a 顺 can begin."""
RED_SMALL = (1 << 2) | (1 << 12) | (1 << 18)
RED_BIG = RED_SMALL << 20

# The 38 triples: per size 8 顺 and one 二七十, then 20 绞 (one of the rank's small with two big, and the reverse).
GROUPS: tuple[tuple[int, int, int], ...] = (
    *((size + r, size + r + 1, size + r + 2) for size in (0, 10) for r in range(8)),
    *((size + 1, size + 6, size + 9) for size in (0, 10)),
    *((r, r, r + 10) for r in range(10)),
    *((r, r + 10, r + 10) for r in range(10)),
)
FIRST_2710 = 16
FIRST_JIAO = 18


def _grow(sizes: dict[int, int], ranks: tuple[int, ...], weight: int, most: int) -> dict[int, int]:
    step = sum(1 << (2 * rank) for rank in ranks)
    grown = dict(sizes)
    for start, value in sizes.items():
        index, worth = start, value
        for _ in range(most):
            if any((index >> (2 * rank)) & 3 == 3 for rank in ranks):
                break
            index += step
            worth += weight
            if grown.get(index, -1) < worth:
                grown[index] = worth
    return grown


def _one_size(weight_123: int, weight_2710: int) -> bytearray:
    sizes = {0: 0}
    for rank in range(8):
        sizes = _grow(sizes, (rank, rank + 1, rank + 2), weight_123 if rank == 0 else 0, 3)
    sizes = _grow(sizes, (1, 6, 9), weight_2710, 3)
    table = bytearray(TABLE_SIZE)
    for index, value in sizes.items():
        table[index] |= value + 1
        for rank in range(10):
            if (index >> (2 * rank)) & 3 < 2:
                paired = index + (2 << (2 * rank))
                if table[paired] >> 4 < value + 1:
                    table[paired] = table[paired] & 15 | (value + 1) << 4
    return table


@lru_cache(maxsize=4)
def run_table(small_123: int, small_2710: int, big_123: int, big_2710: int) -> bytes:
    """Two tables, small then big, one byte for each of 4**10 hands of one size.

    Low nibble: 1 + the most 胡息/3 when all cards stand in 顺 and 二七十; high nibble: the same with one pair beside;
    0: cannot be. Arguments: 胡息 of 一二三 and 二七十 in each size, multiples of 3 up to 12.
    """
    small = _one_size(small_123 // 3, small_2710 // 3)
    return bytes(small + _one_size(big_123 // 3, big_2710 // 3))


@kernel
def split(loose: int, jiang: int, table: bytes, stack: Ints) -> int:
    """Most 胡息 of splitting ``loose`` into triples, and one pair iff ``jiang`` is 1; -1: impossible (rules 8.4, 9.1).

    ``table``: see ``run_table``; ``stack``: at least 80 ints of scratch.
    """
    if size_of(loose) % 3 != 2 * jiang:
        return -1
    best = -1
    top = 0
    hand = loose
    ranks = SMALL & LOW
    while True:
        held = (hand | hand >> 1) & LOW
        twice = (hand >> 1) & LOW
        runs = held & (held >> 2) & (held >> 4) & RUN_STARTS
        cover = runs | runs << 2 | runs << 4
        if held & RED_SMALL == RED_SMALL:
            cover |= RED_SMALL
        if held & RED_BIG == RED_BIG:
            cover |= RED_BIG
        mixed = held & (held >> 20) & (twice | twice >> 20) & ranks
        cover |= mixed | mixed << 20
        if jiang == 1:
            cover |= twice
        if held & ~cover == 0:
            if mixed != 0:
                # The lowest rank that can make a 绞: every way to make some is pushed, then it goes on without.
                bit = mixed & -mixed
                ranks &= ~bit
                if twice & bit != 0:  # two small, one big
                    stack[top] = hand - 2 * bit - (bit << 20)
                    stack[top + 1] = ranks
                    top += 2
                if (twice >> 20) & bit != 0:  # one small, two big
                    stack[top] = hand - bit - 2 * (bit << 20)
                    stack[top + 1] = ranks
                    top += 2
                    if twice & bit != 0 and hand & bit != 0 and (hand >> 20) & bit != 0:  # three of each: both
                        stack[top] = hand - 3 * bit - 3 * (bit << 20)
                        stack[top + 1] = ranks
                        top += 2
                continue
            small = table[hand & SMALL]
            big = table[TABLE_SIZE + (hand >> 20)]
            if jiang == 0:
                if small & 15 > 0 and big & 15 > 0:
                    best = max(best, (small & 15) + (big & 15) - 2)
            else:
                if small >> 4 > 0 and big & 15 > 0:
                    best = max(best, (small >> 4) + (big & 15) - 2)
                if small & 15 > 0 and big >> 4 > 0:
                    best = max(best, (small & 15) + (big >> 4) - 2)
        if top == 0:
            return 3 * best if best >= 0 else -1
        top -= 2
        hand = stack[top]
        ranks = stack[top + 1]
