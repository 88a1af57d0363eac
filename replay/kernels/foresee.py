"""What a round is going to pay each seat, seen by one who knows all hands and what is left of the wall, not its order
(docs/luck.md, "The evaluator"). No player uses it.

A network of two layers of rectified sums in an array of its own; every sum is made in a fixed order.
"""

from __future__ import annotations

from replay.kernels.bits import LOW, copies, popcount
from replay.kernels.features import WEIGHT, live
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    D_WALL,
    DEALER,
    HAND,
    HUXI_AT,
    N_SEATS,
    PENGS,
    SEAT0,
    SEAT_SIZE,
    STALE_CHI,
    W_OTHER,
    WALL_AT,
    WALL_N,
    WEIS,
)
from replay.kernels.memo import LEFT
from replay.kernels.plans import (
    A_MELDS,
    A_RED,
    L_FEWEST,
    L_FIXED,
    L_HUXI,
    L_KAN,
    L_LOOSE,
    L_MISSING,
    L_STARTS,
    L_WAITS,
    after_nothing,
    look,
)
from replay.kernels.rights import after, hu_right, turns_to

OF_TABLE, OF_SEAT = 7, 22
"""Features of the table, and of each seat."""
SEEN_AT_ALL = OF_TABLE + 3 * OF_SEAT
"""Features of a position."""
WIDE, NARROW = 64, 32
"""Sums of the two layers."""
N_W1 = 0
N_B1 = N_W1 + SEEN_AT_ALL * WIDE
N_W2 = N_B1 + WIDE
N_B2 = N_W2 + WIDE * NARROW
N_W3 = N_B2 + NARROW
N_B3 = N_W3 + NARROW
MIND_SIZE = N_B3 + 1
"""Numbers of the network."""
SIGHT = MIND_SIZE
"""Where the features of a position stand in the network's array; behind them the sums of the layers."""
SUMS_ONE = SIGHT + SEEN_AT_ALL
SUMS_TWO = SUMS_ONE + WIDE
SEATS_SEEN = SUMS_TWO + NARROW
"""The features of each seat."""
FORESEEN = SEATS_SEEN + 3 * OF_SEAT
"""Where what is foreseen for each seat stands."""
FORESIGHT = FORESEEN + 3
"""Floats of the network and the room it works in."""


@kernel
def count_wall(s: Ints) -> None:
    """Copies of each kind left in the wall, as three planes of 20 bits at ``memo.LEFT``."""
    for i in range(3):
        s[LEFT + i] = 0
    for i in range(s[WALL_AT], s[WALL_N]):
        carried = 1 << s[D_WALL + i]
        for j in range(3):
            more = s[LEFT + j] & carried
            s[LEFT + j] ^= carried
            carried = more


@kernel
def may_come(s: Ints, seat: int, kinds: int) -> int:
    """Copies of these kinds in the seat's hand that it may throw: those of a 坎 are locked."""
    hand = s[SEAT0 + seat * SEAT_SIZE + HAND]
    n = 0
    for card in range(20):
        if (kinds >> card) & 1 == 1:
            n += copies(hand, card) % 3
    return n


@kernel
def may_be_four(s: Ints, seat: int) -> int:
    """Kinds of which the seat has three, in the hand or on the table (one bit a kind)."""
    at = SEAT0 + seat * SEAT_SIZE
    three = s[at + PENGS] | s[at + WEIS] | (s[at + HAND] & (s[at + HAND] >> 1))
    kinds = 0
    for card in range(20):
        kinds |= ((three >> (2 * card)) & 1) << card
    return kinds


@kernel
def see_seat(s: Ints, table: bytes, plans: Words, mind: Floats, seat: int) -> None:
    """The features of a seat's hand, ``count_wall`` being done."""
    after_nothing(s, seat)
    look(s, plans, WEIGHT)
    wall = float(max(s[WALL_N] - s[WALL_AT], 1))
    x = SEATS_SEEN + OF_SEAT * seat
    for i in range(OF_SEAT):
        mind[x + i] = 0.0
    starts = min(s[L_STARTS], 8)
    waits = s[L_WAITS]
    share = live(s, waits & ~s[SEAT0 + seat * SEAT_SIZE + STALE_CHI]) / wall
    mind[x] = starts / 5.0
    mind[x + 1] = min(s[L_FEWEST], 8) / 5.0
    mind[x + 2] = s[L_MISSING] / 15.0
    mind[x + 3] = min(45, s[L_FIXED] + s[L_HUXI]) / 15.0
    mind[x + 4] = s[L_FIXED] / 15.0
    mind[x + 5] = share
    if starts == 1:
        mind[x + 6] = 1.0
        mind[x + 7] = share
    elif starts == 2:
        mind[x + 8] = 1.0
        mind[x + 9] = share
    red = s[A_RED]
    mind[x + 12] = red / 10.0
    if red <= 1:
        mind[x + 13] = 1.0
    elif red >= 9:
        mind[x + 14] = 1.0
    twice = s[L_LOOSE] >> 1
    pairs = 0
    for card in range(20):
        if (waits >> card) & 1 == 1 and (twice >> (2 * card)) & 1 == 1:
            pairs |= 1 << card
    mind[x + 15] = live(s, pairs) / wall
    mind[x + 16] = s[L_KAN] / 3.0
    before = after(s, seat, s[N_SEATS] - 1)
    mind[x + 17] = may_come(s, before, waits & ~s[SEAT0 + seat * SEAT_SIZE + STALE_CHI]) / 5.0
    for step in range(1, s[N_SEATS]):
        mind[x + 18] += may_come(s, after(s, seat, step), pairs) / 5.0
    mind[x + 19] = live(s, may_be_four(s, seat)) / 3.0
    mind[x + 20] = s[A_MELDS] / 7.0
    mind[x + 21] = popcount(twice & LOW) / 5.0
    if starts <= 1:
        wins = 0
        huxi = 0
        left = s[LEFT] | s[LEFT + 1] | s[LEFT + 2]
        for card in range(20):
            if (left >> card) & 1 == 1:
                value = hu_right(s, table, seat, card, W_OTHER)
                if value >= 0:
                    wins |= 1 << card
                    huxi = max(huxi, value >> HUXI_AT)
        if wins != 0:
            mind[x + 10] = live(s, wins) / wall
            mind[x + 11] = min(45, huxi) / 15.0


@kernel
def see_all(s: Ints, table: bytes, plans: Words, mind: Floats) -> None:
    """The features of every seat."""
    count_wall(s)
    for seat in range(3):
        if seat < s[N_SEATS]:
            see_seat(s, table, plans, mind, seat)
        else:
            for i in range(OF_SEAT):
                mind[SEATS_SEEN + OF_SEAT * seat + i] = 0.0


@kernel
def see_from(s: Ints, mind: Floats, seat: int, drawer: int) -> None:
    """The features at ``SIGHT`` as they are for one seat: the table, then its own and the next ones'."""
    n = s[N_SEATS]
    wall = s[WALL_N] - s[WALL_AT]
    mind[SIGHT] = wall / 20.0
    mind[SIGHT + 1] = wall * wall / 400.0
    for i in range(2, OF_TABLE):
        mind[SIGHT + i] = 0.0
    mind[SIGHT + 2 + turns_to(s, seat, drawer)] = 1.0
    dealer = turns_to(s, seat, s[DEALER])
    if dealer < 2:
        mind[SIGHT + 5 + dealer] = 1.0
    for step in range(3):
        q = after(s, seat, step) if step < n else n
        for i in range(OF_SEAT):
            mind[SIGHT + OF_TABLE + OF_SEAT * step + i] = mind[SEATS_SEEN + OF_SEAT * q + i]


@kernel
def foresee(s: Ints, mind: Floats, seat: int, drawer: int) -> float:
    """What the round is going to pay the seat, in parts of the greatest common payment; ``see_all`` came before."""
    see_from(s, mind, seat, drawer)
    return think(mind)


@kernel
def think(mind: Floats) -> float:
    """The network's value of the features at ``SIGHT``; the sums of its layers are left behind them."""
    for j in range(WIDE):
        mind[SUMS_ONE + j] = mind[N_B1 + j]
    for i in range(SEEN_AT_ALL):
        x = mind[SIGHT + i]
        if x != 0.0:
            row = N_W1 + WIDE * i
            for j in range(WIDE):
                mind[SUMS_ONE + j] += mind[row + j] * x
    for j in range(NARROW):
        mind[SUMS_TWO + j] = mind[N_B2 + j]
    for i in range(WIDE):
        x = mind[SUMS_ONE + i]
        if x > 0.0:
            row = N_W2 + NARROW * i
            for j in range(NARROW):
                mind[SUMS_TWO + j] += mind[row + j] * x
    value = mind[N_B3]
    for j in range(NARROW):
        if mind[SUMS_TWO + j] > 0.0:
            value += mind[N_W3 + j] * mind[SUMS_TWO + j]
    return value
