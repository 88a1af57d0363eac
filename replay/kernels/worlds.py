"""Hands that the others may hold: worlds drawn uniformly from those that fit what a seat knows (docs/players.md).

After the deal a hand only shrinks, so what a seat did not do bounds each kind in its hand for good (``memo.MOST``). How
many worlds have how many copies where is counted kind by kind (``count_worlds``); then a world is drawn kind by kind
from the counts, without a rejected one.
"""

from __future__ import annotations

from replay.kernels.bits import RED_LOW, class_of, copies, popcount, size_of
from replay.kernels.features import live
from replay.kernels.jit import Floats, Ints, kernel
from replay.kernels.layout import (
    CHOUHU,
    D_WALL,
    DEALER,
    HAND,
    INTAKES,
    LAID,
    LIANG,
    N_SEATS,
    P_KAN,
    P_TI_OPEN,
    P_TO_HAND,
    PENG_PASSED,
    QUADS,
    RED,
    SEAT0,
    SEAT_SIZE,
    SEEN,
    STALE_CHI,
    STALE_PENG,
    WALL_AT,
    WALL_N,
    WEIS,
    XI,
)
from replay.kernels.memo import CHI_PAST, HIDDEN_WEIS, LIANG_HELD, MOST, PENG_PAST, WAYS, WORLD, hidden_wei
from replay.kernels.play import draw_below
from replay.kernels.rights import after

# Ints at ``memo.WORLD``: the two others, cards and 偎 of each to be placed, and copies of each kind not seen.
W_FIRST, W_OTHER, W_CARDS, W_MORE, W_WEIS, W_MORE_WEIS, W_UNSEEN = (WORLD + i for i in range(7))
W_DECK, W_KEPT = WORLD + 30, WORLD + 110
"""Cards of the wall; of a world that is stirred those of both hands and the wall, and once more (``reading.stir``)."""
W_HAND_ONE, W_HAND_TWO, W_KNOWN_ONE, W_KNOWN_TWO, W_END_ONE, W_END_TWO, W_ALL = (WORLD + 190 + i for i in range(7))
"""Of a world that is stirred: the hands without the 亮张, the 亮张 in them, where they end at ``W_DECK``, all cards."""
MOST_WEIS = 3
FRACTION = 1 << 30


@kernel
def factorial(n: int) -> int:
    """n! for n up to 4."""
    return 1 if n < 2 else 2 if n == 2 else 6 if n == 3 else 24


@kernel
def most_of(s: Ints, seat: int, card: int) -> int:
    """The most copies of ``card`` that the other seat's hand can hold; dealt 提 may lie hidden (rules 2.13, 12.9)."""
    most = copies(s[MOST + seat], card)
    if most == 3 and (s[P_TI_OPEN] == 0 or (s[P_TI_OPEN] == 2 and s[SEAT0 + seat * SEAT_SIZE + INTAKES] == 0)):
        most = 4
    if s[LIANG_HELD] == 1 and seat == s[DEALER] and card == s[LIANG]:
        most -= 1  # one more is known to be there
    return most


@kernel
def ways_at(weis: int, more: int, card: int, a: int, b: int, x: int, y: int) -> int:
    """Where the count of worlds for the kinds from ``card`` on stands, with these many cards and 偎 still to place."""
    return WAYS + (((card * (weis + 1) + x) * (more + 1) + y) * 22 + a) * 22 + b


@kernel
def count_worlds(s: Ints, net: Floats, seat: int) -> int:
    """Count the worlds that the seat cannot tell apart; 0 when there is none, when more 偎 lie hidden than are counted,
    or where drawn cards enter the hand, so that nothing bounds it (rules 16.4).

    ``features`` must have counted what the seat has not seen (``policies.count_left``). A way to place copies counts
    once for every choice of the cards themselves.
    """
    if s[P_TO_HAND] == 1:
        return 0
    one = after(s, seat, 1)
    two = after(s, seat, 2) if s[N_SEATS] == 3 else -1
    s[W_FIRST] = one
    s[W_OTHER] = two
    total = 0
    for i in range(20):
        s[W_UNSEEN + i] = live(s, 1 << i)
        total += s[W_UNSEEN + i]
    for i in range(2):
        q = one if i == 0 else two
        cards = 0
        if q >= 0:
            at = SEAT0 + q * SEAT_SIZE
            cards = size_of(s[at + HAND]) + 4 * popcount(s[at + QUADS])
            if s[LIANG_HELD] == 1 and q == s[DEALER]:
                cards -= 1
        s[W_CARDS + i] = cards
        s[W_WEIS + i] = s[HIDDEN_WEIS + q] if q >= 0 else 0
    weis = s[W_WEIS]
    more = s[W_MORE_WEIS]
    wall = total - s[W_CARDS] - s[W_MORE] - 3 * (weis + more)
    if wall != s[WALL_N] - s[WALL_AT] or weis > MOST_WEIS or more > MOST_WEIS or s[W_CARDS] > 21 or s[W_MORE] > 21:
        return 0
    for i in range((weis + 1) * (more + 1) * 484):
        net[ways_at(weis, more, 20, 0, 0, 0, 0) + i] = 0.0
    net[ways_at(weis, more, 20, 0, 0, 0, 0)] = 1.0
    for card in range(19, -1, -1):
        unseen = s[W_UNSEEN + card]
        most_a = most_of(s, one, card)
        most_b = most_of(s, two, card) if two >= 0 else 0
        for x in range(weis + 1):
            for y in range(more + 1):
                for a in range(s[W_CARDS] + 1):
                    for b in range(s[W_MORE] + 1):
                        net[ways_at(weis, more, card, a, b, x, y)] = ways_of(
                            s, net, card, unseen, most_a, most_b, a, b, x, y
                        )
    return 1 if net[ways_at(weis, more, 0, s[W_CARDS], s[W_MORE], weis, more)] > 0.0 else 0


@kernel
def ways_of(
    s: Ints, net: Floats, card: int, unseen: int, most_a: int, most_b: int, a: int, b: int, x: int, y: int
) -> float:  # fmt: skip
    """Worlds for the kinds from ``card`` on: the sum over all places of its copies."""
    weis = s[W_WEIS]
    more = s[W_MORE_WEIS]
    total = 0.0
    for i in range(min(unseen, most_a, a) + 1):
        for j in range(min(unseen - i, most_b, b) + 1):
            rest = net[ways_at(weis, more, card + 1, a - i, b - j, x, y)]
            total += rest / (factorial(i) * factorial(j) * factorial(unseen - i - j))
    if unseen >= 3:
        left = unseen - 3
        if x > 0 and most_a >= 2:
            for j in range(min(left, most_b, b) + 1):
                total += net[ways_at(weis, more, card + 1, a, b - j, x - 1, y)] / 2.0
        if y > 0 and most_b >= 2:
            for i in range(min(left, most_a, a) + 1):
                total += net[ways_at(weis, more, card + 1, a - i, b, x, y - 1)] / 2.0
    return total


@kernel
def put_in_hand(s: Ints, seat: int, card: int, n: int) -> None:
    """The world gives the seat ``n`` copies of ``card``; the 亮张 may be there already."""
    at = SEAT0 + seat * SEAT_SIZE
    held = copies(s[at + HAND], card)
    if held + n == 4:
        s[at + HAND] -= held << (2 * card)
        s[at + QUADS] |= 1 << (2 * card)
    else:
        s[at + HAND] += n << (2 * card)


@kernel
def turn_wei(s: Ints, seat: int, card: int, sign: int) -> None:
    """A hidden 偎 of ``card`` comes to (``sign`` 1) or leaves (-1) the seat's table."""
    at = SEAT0 + seat * SEAT_SIZE
    s[at + WEIS] ^= 1 << (2 * card)
    s[at + LAID] += sign * (3 << (3 * card))
    s[at + XI] += sign * s[P_KAN + class_of(card)]
    s[at + RED] += 3 * sign * ((RED_LOW >> (2 * card)) & 1)


@kernel
def clear_others(s: Ints) -> None:
    """Take away what the seat does not know of the others, but what all have seen them let go by."""
    for i in range(2):
        q = s[W_FIRST + i]
        if q < 0:
            continue
        at = SEAT0 + q * SEAT_SIZE
        s[at + HAND] = 0
        s[at + QUADS] = 0
        for card in range(20):
            if hidden_wei(s, q, card) == 1:
                turn_wei(s, q, card, -1)
            s[at + CHOUHU + card] = 0
        # A hand only shrinks: who could not take a kind then cannot take it now (rules 7.1).
        s[at + STALE_PENG] = s[PENG_PAST + q]
        s[at + STALE_CHI] = s[CHI_PAST + q]
        s[at + PENG_PASSED] = s[PENG_PAST + q]
        if s[LIANG_HELD] == 1 and q == s[DEALER]:
            s[at + HAND] += 1 << (2 * s[LIANG])


@kernel
def draw_world(s: Ints, net: Floats, stream: Ints) -> None:
    """Give the others hands and 偎 and the wall its cards, each world as likely; ``clear_others`` came before."""
    one = s[W_FIRST]
    two = s[W_OTHER]
    a = s[W_CARDS]
    b = s[W_MORE]
    x = s[W_WEIS]
    y = s[W_MORE_WEIS]
    weis = x
    more = y
    n = 0
    for card in range(20):
        unseen = s[W_UNSEEN + card]
        most_a = most_of(s, one, card)
        most_b = most_of(s, two, card) if two >= 0 else 0
        aim = net[ways_at(weis, more, card, a, b, x, y)] * (draw_below(stream, FRACTION) + 0.5) / FRACTION
        i = 0
        j = 0
        wei = 0  # 1: of the first, 2: of the other
        found = 0
        for p in range(min(unseen, most_a, a) + 1):
            for q in range(min(unseen - p, most_b, b) + 1):
                if found == 0:
                    part = net[ways_at(weis, more, card + 1, a - p, b - q, x, y)]
                    part /= factorial(p) * factorial(q) * factorial(unseen - p - q)
                    if part > 0.0:
                        i = p
                        j = q
                        aim -= part
                        found = 1 if aim < 0.0 else 0
        if unseen >= 3 and found == 0:
            left = unseen - 3
            if x > 0 and most_a >= 2:
                for q in range(min(left, most_b, b) + 1):
                    part = net[ways_at(weis, more, card + 1, a, b - q, x - 1, y)] / 2.0
                    if found == 0 and part > 0.0:
                        i = 0
                        j = q
                        wei = 1
                        aim -= part
                        found = 1 if aim < 0.0 else 0
            if y > 0 and most_b >= 2:
                for p in range(min(left, most_a, a) + 1):
                    part = net[ways_at(weis, more, card + 1, a - p, b, x, y - 1)] / 2.0
                    if found == 0 and part > 0.0:
                        i = p
                        j = 0
                        wei = 2
                        aim -= part
                        found = 1 if aim < 0.0 else 0
        put_in_hand(s, one, card, i)
        if two >= 0:
            put_in_hand(s, two, card, j)
        a -= i
        b -= j
        rest = unseen - i - j
        if wei == 1:
            turn_wei(s, one, card, 1)
            x -= 1
            rest -= 3
        elif wei == 2:
            turn_wei(s, two, card, 1)
            y -= 1
            rest -= 3
        s[SEEN + card] = 4 - rest
        for _ in range(rest):
            s[W_DECK + n] = card
            n += 1
    for i in range(n - 1, -1, -1):
        j = draw_below(stream, i + 1)
        s[D_WALL + s[WALL_AT] + i] = s[W_DECK + j]
        s[W_DECK + j] = s[W_DECK + i]
