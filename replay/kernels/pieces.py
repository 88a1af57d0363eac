"""Pieces of loose cards for the exact steps: a table of what they can become, and walks through it card by card.

Loose cards of one size are looked up in a table of fronts (``replay.fronts``); only 绞 and its starts mix the sizes and
are branched on. That alone forgets that a kind has four cards; so what was found is then followed card by card
(``walk``).
"""

from __future__ import annotations

from replay.kernels.bits import LOW, SMALL, class_of, popcount
from replay.kernels.jit import Ints, Words, kernel
from replay.kernels.layout import P_KAN, P_TI

STATES = 59049
PIECES = 8
"""Groups and whole pieces of one size are 0..7 each."""
ROW = 32
"""Ints of a hand's front: without and with a 将, by groups, eight bytes by whole pieces: 1 + most 胡息, 0: no way."""
FORM = 16
ELEMENTS = 2 * STATES * ROW
"""Behind the fronts of both sizes: for each size and rank the 顺 and 二七十 that begin there, ``replay.fronts``."""
SLOTS = 8
SLOT = 4
POWERS = ELEMENTS + 20 * SLOTS * SLOT
"""Behind them: the powers of three, the places of ten counts of 0..2."""
MOST_WHOLE = POWERS + 10
"""Behind them, for each hand of both sizes, the most whole pieces, a byte without and one with a 将: a small table."""

FRONT = 16
(
    W_PLAIN, W_JIANG, W_GAIN, W_KIND, W_PAIR, W_PAIR_KIND,
) = range(0, 6 * FRONT, FRONT)  # fmt: skip
"""Parts of the scratch memory: both whole fronts; gains and kinds of what can become four, and of pairs that can."""
(
    W_NEED, W_LEFT, W_MOST, W_ALONE, W_BEST,
) = range(6 * FRONT, 6 * FRONT + 5)  # fmt: skip
"""胡息 due; copies of each kind that can still come, three bits a kind; the most that a pair gains by becoming four;
1 if a lone card may be the 将; the least number of cards met while the fronts are found."""
LEAF = 104
"""The branch on which the least number of cards was met, everything decided: ``reach_with`` looks there first."""
BRANCHES = 112
BRANCH = 5
"""A branch: places of the small and the big cards, 绞 made, ranks undecided, the cards."""
WALK = 480
FRAME = 5
WORK_SIZE = 2400
"""Ints of scratch memory."""
EVERY = (1 << 32) - 1
WHOLE, STARTS = 4, 8
"""Bits of 绞 made: how many (from bit 0), whole ones, and two bits a rank for those that wait for a card."""


@kernel
def front(rows: Words, at: int) -> int:
    """Eight bytes of a front as one int."""
    return (rows[at] & EVERY) | (rows[at + 1] & EVERY) << 32


@kernel
def join(rows: Words, one: int, two: int, groups: int, whole: int, work: Ints, out: int) -> None:
    """Both sizes together make ``groups`` groups: their best 胡息 by whole pieces, into the 16 ints at ``out``."""
    for k in range(max(0, groups - 7), min(groups, 7) + 1):
        first = front(rows, one + 2 * k)
        second = front(rows, two + 2 * (groups - k))
        if first == 0 or second == 0:
            continue
        at = out + whole
        while first != 0:
            x = first & 255
            first >>= 8
            if x != 0:
                rest = second
                to = at
                while rest != 0:
                    y = rest & 255
                    rest >>= 8
                    if y != 0 and x + y - 2 > work[to]:
                        work[to] = x + y - 2
                    to += 1
            at += 1


@kernel
def first_branch(work: Ints, loose: int, small: int, big: int) -> None:
    """The branch on which nothing is decided: all cards, no 绞, the ranks that are held in both sizes."""
    held = (loose | loose >> 1) & LOW
    work[BRANCHES] = small
    work[BRANCHES + 1] = big
    work[BRANCHES + 2] = 0
    work[BRANCHES + 3] = held & (held >> 20) & SMALL
    work[BRANCHES + 4] = loose


@kernel
def push_across(rows: Words, work: Ints, top: int, most: int) -> int:
    """Decide the lowest open rank of the branch at ``top`` in every way, at most ``most`` 绞 in all; the new top."""
    small = work[top]
    big = work[top + 1]
    across = work[top + 2]
    loose = work[top + 4]
    bit = work[top + 3] & -work[top + 3]
    rest = work[top + 3] ^ bit
    work[top + 3] = rest
    top += BRANCH
    if across & 15 >= most:
        return top
    rank = popcount(bit - 1) >> 1
    place = rows[POWERS + rank]
    x = (loose >> (2 * rank)) & 3
    y = (loose >> (2 * rank + 20)) & 3
    for n in range(1, x + 1):
        for m in range(1, y + 1):
            # One of each waits for a third, two of each are two such, two and one are whole.
            made = 2 if n + m == 4 else 1
            if (across & 15) + made <= most:
                work[top] = small - n * place
                work[top + 1] = big - m * place
                work[top + 2] = across + made + (made << (STARTS + 2 * rank) if n == m else 1 << WHOLE)
                work[top + 3] = rest
                work[top + 4] = loose - (n << (2 * rank)) - (m << (2 * rank + 20))
                top += BRANCH
    return top


@kernel
def worth_at(rows: Words, base: int, place: int, form: int, groups: int, whole: int) -> int:
    """1 + the most 胡息 of a hand of one size in this form, 0: no way."""
    at = base + ROW * place + FORM * form + 2 * groups + (whole >> 2)
    return (rows[at] >> (8 * (whole & 3))) & 255


@kernel
def push_walk(
    rows: Words, work: Ints, top: int, size: int, packed: int, place: int, form: int, groups: int, whole: int,
    fours: int, huxi: int, left: int,
) -> int:  # fmt: skip
    """Push what is left of a walk if it can still bring the 胡息; returns the new top."""
    if groups < 0 or whole < 0:
        return top
    worth = worth_at(rows, size * STATES * ROW, place, form, groups, whole)
    if worth == 0 or huxi + worth - 1 + fours * work[W_MOST] < work[W_NEED]:
        return top
    work[top] = packed
    work[top + 1] = place
    work[top + 2] = form | size << 1 | groups << 4 | whole << 8 | fours << 12
    work[top + 3] = huxi
    work[top + 4] = left
    return top + FRAME


@kernel
def walk(s: Ints, rows: Words, work: Ints, branch: int, begin: int, then: int, fours: int) -> int:
    """1 if the pieces can be made of a branch's cards with no kind needed more often than it can come.

    ``begin``, ``then``: what the small and the big cards are to become, ``form | groups << 4 | whole << 8``;
    ``fours``: pairs that become three and then four.
    """
    small = work[branch]
    big = work[branch + 1]
    across = work[branch + 2]
    loose = work[branch + 4]
    of_big = worth_at(rows, STATES * ROW, big, then & 1, (then >> 4) & 15, then >> 8) - 1
    need = work[W_NEED]
    work[W_NEED] = need - of_big
    top = push_walk(
        rows, work, WALK, 0, loose & SMALL, small, begin & 1, (begin >> 4) & 15, begin >> 8, fours, 0, work[W_LEFT]
    )
    while top > WALK:
        top -= FRAME
        packed = work[top]
        place = work[top + 1]
        par = work[top + 2]
        huxi = work[top + 3]
        left = work[top + 4]
        form = par & 1
        size = (par >> 1) & 1
        groups = (par >> 4) & 15
        whole = (par >> 8) & 15
        fours = par >> 12
        work[W_NEED] = need - (of_big if size == 0 else 0)
        if groups == 0 and form == 0:
            # The rest is thrown away.
            if size == 0:
                work[W_NEED] = need
                top = push_walk(
                    rows, work, top, 1, loose >> 20, big, then & 1, (then >> 4) & 15, then >> 8, fours, huxi, left
                )
            elif fours == 0 and fits_across(across, left) == 1:
                work[W_NEED] = need
                return 1
            continue
        bit = packed & -packed
        rank = popcount(bit - 1) >> 1
        unit = 1 << (2 * rank)
        power = rows[POWERS + rank]
        kind = rank + 10 * size
        twin = rank + 10 - 10 * size
        can = (left >> (3 * kind)) & 7
        one = 1 << (3 * kind)
        rest = packed - unit
        less = place - power
        top = push_walk(rows, work, top, size, rest, less, form, groups, whole, fours, huxi, left)
        if form == 1 and can > 0 and work[W_ALONE] == 1:
            top = push_walk(rows, work, top, size, rest, less, 0, groups, whole, fours, huxi, left - one)
        at = ELEMENTS + SLOTS * SLOT * kind
        end = at + SLOTS * SLOT
        held = (packed | packed >> 1) & LOW
        while at < end and rows[at] != 0:
            waits = rows[at + 3]
            if rows[at] & ~held == 0 and (waits < 0 or (left >> (3 * waits)) & 7 > 0):
                after = left - (1 << (3 * waits)) if waits >= 0 else left
                top = push_walk(
                    rows, work, top, size, packed - rows[at], place - rows[at + 1], form, groups - 1,
                    whole - (rows[at + 2] & 1), fours, huxi + (rows[at + 2] >> 1), after,
                )  # fmt: skip
            at += SLOT
        if (packed >> (2 * rank)) & 3 == 2:
            rest -= unit
            less -= power
            column = class_of(kind)
            if form == 1:
                top = push_walk(rows, work, top, size, rest, less, 0, groups, whole - 1, fours, huxi, left)
            if (left >> (3 * twin)) & 7 > 0:  # a 绞 of two and the other size's one
                after = left - (1 << (3 * twin))
                top = push_walk(rows, work, top, size, rest, less, form, groups - 1, whole, fours, huxi, after)
            if can > 0:
                more = huxi + s[P_KAN + column]
                top = push_walk(rows, work, top, size, rest, less, form, groups - 1, whole, fours, more, left - one)
            if can > 1 and fours > 0:
                more = huxi + s[P_TI + column]
                top = push_walk(
                    rows, work, top, size, rest, less, form, groups - 1, whole, fours - 1, more, left - 2 * one
                )
    work[W_NEED] = need
    return 0


@kernel
def fits_across(across: int, left: int) -> int:
    """1 if every 绞 of one card in each size can get its third, of either size."""
    starts = across >> STARTS
    rank = 0
    while starts != 0:
        if starts & 3 > ((left >> (3 * rank)) & 7) + ((left >> (3 * rank + 30)) & 7):
            return 0
        starts >>= 2
        rank += 1
    return 1
