"""A quick look at a hand: how many cards must still come, which, and what 胡息 they bring (docs/players.md, "Steps").

This is the players' estimate; the exact number of steps is ``steps``. A hand is looked at as it would be after a move:
``after_*`` write it to ``memo.AFTER``, ``look`` appraises it there.
"""

from __future__ import annotations

from replay.kernels.bits import LOW, RED_LOW, SMALL, class_of, kan_of, popcount, size_of
from replay.kernels.jit import Ints, Words, kernel
from replay.kernels.layout import (
    HAND,
    MELDS,
    N_QUADS,
    P_KAN,
    P_MIN_HUXI,
    P_PENG,
    P_TI,
    PACK,
    QUADS,
    RED,
    RUNS,
    SEAT0,
    SEAT_SIZE,
    XI,
)
from replay.kernels.memo import AFTER, KEPT, KEPT_SLOTS, LOOK, STACK
from replay.kernels.rights import discard_due, group_huxi, red_cards, same_huxi

(
    A_HAND, A_QUADS, A_MELDS, A_N_QUADS, A_XI, A_RED, A_RUNS, A_DUE, A_CARD,
) = range(AFTER, AFTER + 9)  # fmt: skip
(
    L_FEWEST, L_FEWEST_XI, L_STARTS, L_HUXI, L_WAITS, L_MISSING, L_FIXED, L_KAN, L_GROUPS, L_JIANG, L_SIZE, L_LOOSE,
) = range(LOOK, LOOK + 12)  # fmt: skip
STATES = 59049
HALF = 243
FORM = STATES * 8
ONE_SIZE = 2 * FORM
ONE_COST = 2 * ONE_SIZE
PLACES = 2 * ONE_COST
"""Where parts of the table of ``replay.arrange`` begin."""
STEP = 1009
DEAD = 15
"""Starts of a hand that cannot be completed."""


@kernel
def after_nothing(s: Ints, seat: int) -> None:
    """The seat's hand as it is."""
    at = SEAT0 + seat * SEAT_SIZE
    s[A_HAND] = s[at + HAND]
    s[A_QUADS] = s[at + QUADS]
    s[A_MELDS] = s[at + MELDS]
    s[A_N_QUADS] = s[at + N_QUADS]
    s[A_XI] = s[at + XI]
    s[A_RED] = s[at + RED] + red_cards(s, seat)
    s[A_RUNS] = s[at + RUNS]
    s[A_DUE] = 0
    s[A_CARD] = -1


@kernel
def after_discard(s: Ints, seat: int, card: int) -> None:
    """The hand once ``card`` is thrown."""
    after_nothing(s, seat)
    unit = 1 << (2 * card)
    if s[A_QUADS] & unit != 0:
        s[A_QUADS] -= unit
        s[A_HAND] += 3 * unit
    else:
        s[A_HAND] -= unit
    s[A_RED] -= (RED_LOW >> (2 * card)) & 1
    s[A_CARD] = card


@kernel
def after_peng(s: Ints, seat: int, card: int) -> None:
    """The hand once ``card`` is taken by 碰."""
    after_nothing(s, seat)
    s[A_HAND] -= 2 << (2 * card)
    s[A_MELDS] += 1
    s[A_XI] += s[P_PENG + class_of(card)]
    s[A_RED] += (RED_LOW >> (2 * card)) & 1
    s[A_DUE] = 1 if discard_due(s, seat) >= 0 else 0


@kernel
def after_chi(s: Ints, seat: int, card: int, code: int) -> None:
    """The hand once ``card`` is taken by 吃 with its 比, see ``rights.chi_options``."""
    after_nothing(s, seat)
    taken = s[PACK + (code & 63)] - (1 << (2 * card))
    s[A_XI] += group_huxi(s, code & 63)
    s[A_MELDS] += 1
    for shift in range(6, 13, 6):
        group = ((code >> shift) & 63) - 1
        if group >= 0:
            taken += s[PACK + group]
            s[A_XI] += group_huxi(s, group)
            s[A_MELDS] += 1
    split = s[A_QUADS] & taken  # where nothing is locked a 顺 may take one of four (rules 16.20)
    s[A_QUADS] -= split
    s[A_HAND] += 4 * split - taken
    s[A_RED] += (RED_LOW >> (2 * card)) & 1
    s[A_RUNS] = 1
    s[A_DUE] = 1 if discard_due(s, seat) >= 0 else 0


@kernel
def place_of(plans: Words, packed: int) -> int:
    """The place of ten packed counts of 0..2 in a table."""
    return plans[PLACES + (packed & 1023)] + HALF * plans[PLACES + (packed >> 10)]


@kernel
def push_way(s: Ints, top: int, small: int, big: int, across: int, left: int) -> int:
    """Put a way across the sizes on the stack; returns the new top."""
    s[STACK + top] = small
    s[STACK + top + 1] = big
    s[STACK + top + 2] = across
    s[STACK + top + 3] = left
    return top + 4


@kernel
def search_ways(s: Ints, plans: Words, loose: int, groups: int, jiang: int, need: int, cost: int, weight: int) -> int:
    """The cheapest way to make ``groups`` groups (and a 将) of loose cards; returns its cost.

    A 胡息 missing to ``need`` costs ``weight``; of ways that cost the same the one with most 胡息. ``cost``: which
    table (``replay.arrange``). Writes starts, 胡息 and the kinds waited for to ``L_STARTS``, ``L_HUXI``, ``L_WAITS``.
    """
    best = 1 << 40
    best_entry = DEAD << 20
    best_starts = 0
    waits = 0
    small_first = ONE_COST * cost
    big_first = small_first + ONE_SIZE
    held = (loose | loose >> 1) & LOW
    n_small = size_of(loose & SMALL)
    n_big = size_of(loose >> 20)
    # A way: places of both hands, then groups across | starts << 4 | small cards used << 8 | big << 13 | waits << 20.
    top = push_way(s, 0, place_of(plans, loose & SMALL), place_of(plans, loose >> 20), 0, held & (held >> 20) & SMALL)
    while top > 0:
        top -= 4
        small = s[STACK + top]
        big = s[STACK + top + 1]
        across = s[STACK + top + 2]
        left = s[STACK + top + 3]
        starts = (across >> 4) & 15
        if 64 * (starts * STEP - 1) > best:
            continue
        done = across & 15
        if left != 0 and done < groups:
            bit = left & -left
            left ^= bit
            rank = 0
            place = 1
            while bit >> (2 * rank) != 1:
                rank += 1
                place *= 3
            x = (loose >> (2 * rank)) & 3
            y = (loose >> (2 * rank + 20)) & 3
            pair = (1 << rank | 1 << (rank + 10)) << 20
            if x == 2 and y == 2 and done < groups - 1:
                used = 34 | 2 << 8 | 2 << 13
                top = push_way(s, top, small - 2 * place, big - 2 * place, (across + used) | pair, left)
            top = push_way(s, top, small - place, big - place, (across + (17 | 1 << 8 | 1 << 13)) | pair, left)
            if x == 2:
                top = push_way(s, top, small - 2 * place, big - place, across + (1 | 2 << 8 | 1 << 13), left)
            if y == 2:
                top = push_way(s, top, small - place, big - 2 * place, across + (1 | 1 << 8 | 2 << 13), left)
            top = push_way(s, top, small, big, across, left)
            continue
        more = groups - done
        # Two cards a group at least.
        first = max(0, more - ((n_big - ((across >> 13) & 31)) >> 1))
        last = min(more, (n_small - ((across >> 8) & 31)) >> 1)
        for form in range(jiang + 1):
            # The 将 is of the small size (form 0) or of the big one.
            one = small_first + small * 8 + (FORM if jiang == 1 and form == 0 else 0)
            two = big_first + big * 8 + more + (FORM if form == 1 else 0)
            for k in range(first, last + 1):
                entry = plans[one + k] + plans[two - k]
                huxi = entry >> 25
                price = 64 * ((((entry >> 20) & 31) + starts) * STEP + weight * max(0, need - huxi)) - huxi
                if price < best:
                    best = price
                    best_entry = entry
                    best_starts = starts
                    waits = (entry & 0xFFFFF) | (across >> 20)
                elif price == best:
                    waits |= (entry & 0xFFFFF) | (across >> 20)
    s[L_STARTS] = min(((best_entry >> 20) & 31) + best_starts, DEAD)
    s[L_HUXI] = best_entry >> 25
    s[L_WAITS] = waits
    return best


@kernel
def look(s: Ints, plans: Words, weight: int) -> None:
    """Appraise the hand at ``AFTER``; ``weight``: what a missing 胡息 costs, in thousandths of a step."""
    hand = s[A_HAND]
    kan = kan_of(hand)
    kans = popcount(kan)
    loose = hand - 3 * kan
    in_hand = popcount(s[A_QUADS])
    jiang = 1 if s[A_N_QUADS] + in_hand > 0 else 0
    fixed = s[A_XI] + same_huxi(s, P_KAN, kan) + same_huxi(s, P_TI, s[A_QUADS])
    groups = max(0, 7 - s[A_MELDS] - kans - in_hand - jiang)
    need = s[P_MIN_HUXI] - fixed
    s[L_FIXED] = fixed
    s[L_KAN] = kans
    s[L_GROUPS] = groups
    s[L_JIANG] = jiang
    s[L_SIZE] = size_of(loose)
    s[L_LOOSE] = loose
    key = loose | groups << 40 | jiang << 43 | max(0, need) << 44 | weight << 49 | 1 << 62
    slot = KEPT + 2 * (((key & 0xFFFFFFFF) * 0x2878B9 ^ key >> 29) & (KEPT_SLOTS - 1))
    if s[slot] == key:
        kept = s[slot + 1]
        s[L_WAITS] = kept & 0xFFFFF
        s[L_FEWEST] = (kept >> 20) & 15
        s[L_FEWEST_XI] = (kept >> 24) & 63
        s[L_STARTS] = (kept >> 30) & 15
        s[L_HUXI] = kept >> 34
    else:
        search_ways(s, plans, loose, groups, jiang, need, 0, 0)
        s[L_FEWEST] = s[L_STARTS]
        s[L_FEWEST_XI] = s[L_HUXI]
        if s[L_FEWEST] < DEAD and s[L_HUXI] < need:
            starts = s[L_STARTS]
            huxi = s[L_HUXI]
            waits = s[L_WAITS]
            price = 64 * (starts * STEP + weight * (need - huxi)) - huxi
            if search_ways(s, plans, loose, groups, jiang, need, 1, weight) >= price:
                s[L_STARTS] = starts
                s[L_HUXI] = huxi
                s[L_WAITS] = waits
        s[slot] = key
        s[slot + 1] = s[L_WAITS] | s[L_FEWEST] << 20 | s[L_FEWEST_XI] << 24 | s[L_STARTS] << 30 | s[L_HUXI] << 34
    s[L_MISSING] = max(0, need - s[L_HUXI])
