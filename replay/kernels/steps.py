"""The exact number of cards that must still come to a seat so that it has won (docs/steps.md)."""

from __future__ import annotations

from replay.kernels.bits import SMALL, kan_of, popcount
from replay.kernels.fours import can_be_four, can_come, pairs_to_four
from replay.kernels.jit import Ints, Words, kernel
from replay.kernels.layout import (
    HAND,
    MELDS,
    N_QUADS,
    OFFSET,
    P_MIN_HUXI,
    P_SENTENCES,
    QUADS,
    SEAT0,
    SEAT_SIZE,
    WAIVED,
)
from replay.kernels.pieces import (
    BRANCH,
    BRANCHES,
    FORM,
    FRONT,
    LEAF,
    MOST_WHOLE,
    POWERS,
    ROW,
    STATES,
    W_ALONE,
    W_BEST,
    W_GAIN,
    W_JIANG,
    W_KIND,
    W_LEFT,
    W_MOST,
    W_NEED,
    W_PAIR,
    W_PLAIN,
    WHOLE,
    first_branch,
    join,
    push_across,
    walk,
    worth_at,
)
from replay.kernels.rights import discard_due, fixed_huxi, owned_of

DEAD, NO_STEPS = -1, -2
"""No cards can complete the hand; the ruleset has no steps."""
NEVER, LAST_PIECE, LAST_FOUR = range(3)
"""Which card can be the last: none, any that makes a group or the 将 (or the first four), only one that makes four."""


@kernel
def place_of_size(rows: Words, packed: int) -> int:
    """The place of ten packed counts of 0..2 in the table."""
    place = 0
    for rank in range(10):
        place += rows[POWERS + rank] * ((packed >> (2 * rank)) & 3)
    return place


@kernel
def better(work: Ints, front: int, groups: int, first: int, n: int) -> None:
    """Lower ``W_BEST`` to what a front reaches with ``first`` or more of the ``n`` listed threes made four."""
    gain = 0
    for tabled in range(n + 1):
        if tabled >= first:
            whole = groups + tabled - work[W_BEST] + 1  # fewer pieces reach no less
            for u in range(max(0, whole), groups + 1):
                if work[front + u] >= 0 and work[front + u] + gain >= work[W_NEED]:
                    work[W_BEST] = groups - u + tabled
        if tabled < n:
            gain += work[W_GAIN + tabled]


@kernel
def find_fronts(
    rows: Words, work: Ints, loose: int, small: int, big: int, groups: int, quads: int, n: int, pairs: int, cut: int
) -> None:
    """Most 胡息 by whole pieces: of ``groups`` groups at ``W_PLAIN``, of one less and a 将 at ``W_JIANG``.

    ``cut`` 1: what cannot need fewer cards than ``W_BEST`` is left out.
    """
    for i in range(2 * FRONT):
        work[i] = -1
    work[W_BEST] = 99
    plain = 1 if quads == 0 else 0
    jiang = 1 if quads + n + pairs > 0 and groups > 0 else 0
    first_branch(work, loose, small, big)
    for i in range(BRANCH):
        work[LEAF + i] = work[BRANCHES + i]
    work[LEAF + 3] = 0
    top = BRANCHES + BRANCH
    while top > BRANCHES:
        top -= BRANCH
        if work[top + 3] != 0:
            top = push_across(rows, work, top, groups - 1 + plain)
            continue
        across = work[top + 2]
        more = groups - (across & 15)
        whole = (across >> WHOLE) & 15
        one = ROW * work[top]
        two = ROW * (STATES + work[top + 1])
        x = rows[MOST_WHOLE + work[top]]
        y = rows[MOST_WHOLE + STATES + work[top + 1]]
        best = work[W_BEST]
        without = (x & 255) + (y & 255)
        with_ = max((x >> 8) + (y & 255), (x & 255) + (y >> 8))
        if plain == 1 and (cut == 0 or groups - whole - without < work[W_BEST]):
            join(rows, one, two, more, whole, work, W_PLAIN)
            better(work, W_PLAIN, groups, 0, 0)
        if jiang == 1 and more > 0 and (cut == 0 or groups - whole - with_ + plain < work[W_BEST]):
            join(rows, one + FORM, two, more - 1, whole, work, W_JIANG)
            join(rows, one, two + FORM, more - 1, whole, work, W_JIANG)
            better(work, W_JIANG, groups, plain, n)
        if work[W_BEST] < best:
            for i in range(BRANCH):
                work[LEAF + i] = work[top + i]


@kernel
def last_card(cards: int, plain: int, fours: int, quads: int, waived: int, debt: int) -> int:
    """Which of ``cards`` can be the last, so that no card is wanting or too many (rules 2.14, 8.19, 8.20).

    ``plain`` make a group or the 将 and stay so, ``fours`` make four, beside ``quads`` 提/跑 that there are.
    """
    first = 1 if quads == 0 and fours > 0 else 0
    # Intakes before the last that are no second 提/跑; each is followed by a discard or repays one (rules 2.18).
    before = cards - 1 - (fours - first)
    if (plain > 0 or (first == 1 and fours == 1)) and waived == max(0, debt - before):
        return LAST_PIECE
    if fours > first and waived == max(0, debt - before - 1) + 1:
        return LAST_FOUR
    return NEVER


@kernel
def promise(work: Ints, jiang: int, whole: int, tabled: int, fours: int) -> int:
    """The most 胡息 that could be had so, very few where there is no way."""
    most = work[(W_JIANG if jiang == 1 else W_PLAIN) + whole]
    if most < 0:
        return -1 << 20
    for i in range(tabled):
        most += work[W_GAIN + i]
    for i in range(fours):
        most += work[W_PAIR + i]
    return most


@kernel
def reach_with(
    s: Ints, rows: Words, work: Ints, loose: int, small: int, big: int, groups: int, jiang: int, whole: int, fours: int
) -> int:  # fmt: skip
    """1 if ``groups`` groups, a 将 if ``jiang``, can be made with so many whole pieces and so many pairs made four."""
    first_branch(work, loose, small, big)
    for i in range(BRANCH):
        work[BRANCHES + BRANCH + i] = work[LEAF + i]
    top = BRANCHES + 2 * BRANCH
    while top > BRANCHES:
        top -= BRANCH
        if work[top + 3] != 0:
            top = push_across(rows, work, top, groups)
            continue
        across = work[top + 2]
        more = groups - (across & 15)
        pieces = whole - ((across >> WHOLE) & 15)
        of_small = rows[MOST_WHOLE + work[top]]
        of_big = rows[MOST_WHOLE + STATES + work[top + 1]]
        for form in range(jiang + 1):
            mine = jiang - form  # the 将 is of the small cards first
            first = max(0, pieces - ((of_big >> (8 * form)) & 255))
            last = min(pieces, (of_small >> (8 * mine)) & 255)
            if first > last:
                continue
            for k in range(max(0, more - 7), min(more, 7) + 1):
                for u in range(first, last + 1):
                    x = worth_at(rows, 0, work[top], mine, k, u)
                    if x == 0:
                        continue
                    y = worth_at(rows, STATES * ROW, work[top + 1], form, more - k, pieces - u)
                    if y == 0 or x + y - 2 + fours * work[W_MOST] < work[W_NEED]:
                        continue
                    begin = mine | k << 4 | u << 8
                    if walk(s, rows, work, top, begin, form | (more - k) << 4 | (pieces - u) << 8, fours) == 1:
                        return 1
    return 0


@kernel
def reach(
    s: Ints, rows: Words, work: Ints, loose: int, small: int, big: int, groups: int, jiang: int, whole: int,
    n: int, tabled: int, fours: int,
) -> int:  # fmt: skip
    """``reach_with`` for any ``tabled`` of the ``n`` listed threes that become four."""
    need = work[W_NEED]
    left = work[W_LEFT]
    most = work[(W_JIANG if jiang == 1 else W_PLAIN) + whole] + fours * work[W_MOST]
    found = 0
    for chosen in range(1 << n):
        if popcount(chosen) != tabled or found == 1:
            continue
        gain = 0
        rest = left
        for i in range(n):
            if (chosen >> i) & 1 == 1:
                gain += work[W_GAIN + i]
                rest -= 1 << (3 * work[W_KIND + i])
        if most + gain < need:
            continue
        work[W_NEED] = need - gain
        work[W_LEFT] = rest
        found = reach_with(s, rows, work, loose, small, big, groups, jiang, whole, fours)
    work[W_NEED] = need
    work[W_LEFT] = left
    return found


@kernel
def steps_to_win(s: Ints, rows: Words, work: Ints, seat: int) -> int:
    """Steps of a seat whose hand is known; ``DEAD``, or ``NO_STEPS`` where a ruleset has none.

    ``rows``: ``replay.fronts``; ``work``: ``pieces.WORK_SIZE`` ints of scratch memory.
    """
    if s[P_SENTENCES] != 0:
        return NO_STEPS
    at = SEAT0 + seat * SEAT_SIZE
    hand = s[at + HAND]
    kan = kan_of(hand)
    loose = hand - 3 * kan
    held = popcount(s[at + QUADS])
    quads = s[at + N_QUADS] + held
    groups = 7 - s[at + MELDS] - popcount(kan) - held
    work[W_NEED] = s[P_MIN_HUXI] - fixed_huxi(s, at, kan)
    work[W_LEFT] = can_come(s, at)
    n = can_be_four(s, work, at, kan)
    pairs = pairs_to_four(s, work, loose)
    small = place_of_size(rows, loose & SMALL)
    big = place_of_size(rows, loose >> 20)
    waived = s[at + WAIVED] - s[at + OFFSET]
    debt = max(0, -discard_due(s, seat))
    complete = owned_of(s, seat) == 20 + max(1, quads)
    for cut in range(1, -1, -1):
        find_fronts(rows, work, loose, small, big, groups, quads, n, pairs, cut)
        for cards in range(groups + n + pairs + 1):
            if cut == 1 and cards > work[W_BEST]:
                break  # the pieces found need a kind too often, or in no order: now with all that was left out
            for tabled in range(min(n, cards) + 1):
                for fours in range(min(pairs, (cards - tabled) // 2) + 1):
                    jiang = 1 if quads + tabled + fours > 0 else 0
                    starts = cards - tabled - fours
                    whole = groups - starts
                    if whole < 0 or promise(work, jiang, whole, tabled, fours) < work[W_NEED]:
                        continue
                    how = LAST_PIECE if complete else NEVER
                    if cards > 0:
                        how = last_card(cards, starts - fours, tabled + fours, quads, waived, debt)
                    if how == NEVER:
                        continue
                    work[W_ALONE] = 1 if how == LAST_PIECE else 0
                    if reach(s, rows, work, loose, small, big, groups - jiang, jiang, whole, n, tabled, fours) == 1:
                        return cards
    return DEAD
