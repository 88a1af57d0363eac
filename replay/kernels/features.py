"""What the fitted player sees of a hand after a move, and what it thinks it is worth (docs/players.md, "value").

All of it is known to the seat: its own cards and what lies on the table or was thrown. The value is a network of two
layers of rectified sums; its numbers lie in one array of floats, and every sum is made in a fixed order.
"""

from __future__ import annotations

from replay.kernels.bits import LOW, RED_LOW, class_of, popcount
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_CHI,
    A_DISCARD,
    A_PASS,
    A_PENG,
    DEALER,
    MELDS,
    N_QUADS,
    N_SEATS,
    OPEN_SEAT,
    P_KAN,
    P_MIN_HUXI,
    RED,
    SEAT0,
    SEAT_SIZE,
    STALE_CHI,
    STALE_PENG,
    WALL_AT,
    WALL_N,
    WEIS,
    XI,
)
from replay.kernels.memo import CHI_PAST, HIDDEN_WEIS, LEFT, PENG_PAST, hidden_wei
from replay.kernels.plans import (
    A_CARD,
    A_DUE,
    A_MELDS,
    A_RED,
    A_RUNS,
    DEAD,
    L_FEWEST,
    L_FEWEST_XI,
    L_FIXED,
    L_HUXI,
    L_JIANG,
    L_KAN,
    L_LOOSE,
    L_MISSING,
    L_SIZE,
    L_STARTS,
    L_WAITS,
    look,
)
from replay.kernels.rights import after, turns_to

ABOUT = 14
"""Features of the table, the same for every move of a decision."""
OWN = 41
"""Features of the hand after the move."""
FEATURES = ABOUT + OWN
FIRST, SECOND = 32, 16
"""Sums of the two layers."""
W1 = 0
B1 = W1 + FEATURES * FIRST
W2 = B1 + FIRST
B2 = W2 + FIRST * SECOND
W3 = B2 + SECOND
B3 = W3 + SECOND
NUMBERS = B3 + 1
"""Numbers of the network."""
X = NUMBERS
H0 = X + FEATURES
H1 = H0 + FIRST
NET_SIZE = H1 + FIRST + SECOND
"""The network and the room it works in: features, sums of the table's features, of the first and second layer."""
STEPS_OF_ONE = LOW & ~(1 << 18)
STEPS_OF_TWO = LOW & ~(1 << 16 | 1 << 18)
WEIGHT = 350
"""What a missing 胡息 costs in the looks of the fitted player, in thousandths of a step."""


@kernel
def live(s: Ints, kinds: int) -> int:
    """Copies of these kinds that the seat has not seen."""
    return popcount(kinds & s[LEFT]) + 2 * popcount(kinds & s[LEFT + 1]) + 4 * popcount(kinds & s[LEFT + 2])


@kernel
def about_table(s: Ints, net: Floats, seat: int) -> None:
    """The features of the table, and what they give to the first layer."""
    wall = s[WALL_N] - s[WALL_AT]
    net[X] = wall / 20.0
    net[X + 1] = wall * wall / 400.0
    dealer = turns_to(s, seat, s[DEALER])
    net[X + 2] = 1.0 if dealer == 0 else 0.0
    net[X + 3] = 1.0 if dealer == 1 else 0.0
    for away in range(2):
        i = X + 4 + 5 * away
        if away + 1 >= s[N_SEATS]:
            for j in range(5):
                net[i + j] = 0.0
            continue
        q = after(s, seat, 1 + away)
        at = SEAT0 + q * SEAT_SIZE
        huxi = s[at + XI]
        red = s[at + RED]
        weis = s[at + WEIS]
        card = 0
        while weis != 0:
            if weis & 1 == 1 and hidden_wei(s, q, card) == 1:  # what lies face down is not known
                huxi -= s[P_KAN + class_of(card)]
                red -= 3 * ((RED_LOW >> (2 * card)) & 1)
            weis >>= 2
            card += 1
        net[i] = s[at + MELDS] / 7.0
        net[i + 1] = huxi / 15.0
        net[i + 2] = s[at + N_QUADS] / 2.0
        net[i + 3] = red / 10.0
        net[i + 4] = s[HIDDEN_WEIS + q] / 2.0
    for j in range(FIRST):
        net[H0 + j] = net[B1 + j]
    for i in range(ABOUT):
        x = net[X + i]
        if x != 0.0:
            row = W1 + FIRST * i
            for j in range(FIRST):
                net[H0 + j] += net[row + j] * x


@kernel
def about_hand(s: Ints, plans: Words, net: Floats, seat: int, action: int) -> None:
    """The features of the hand at ``memo.AFTER``."""
    look(s, plans, WEIGHT)
    x = X + ABOUT
    for i in range(OWN):
        net[x + i] = 0.0
    fewest = min(s[L_FEWEST], 8)
    starts = min(s[L_STARTS], 8)
    waits = s[L_WAITS]
    stale = s[SEAT0 + seat * SEAT_SIZE + STALE_CHI]
    n_live = live(s, waits)
    red = s[A_RED]
    net[x] = fewest / 5.0
    net[x + 1] = starts / 5.0
    net[x + 2] = s[L_MISSING] / 15.0
    net[x + 3] = max(0, s[P_MIN_HUXI] - s[L_FIXED] - s[L_FEWEST_XI]) / 15.0
    net[x + 4] = min(45, s[L_FIXED] + s[L_HUXI]) / 15.0
    net[x + 5] = s[L_FIXED] / 15.0
    net[x + 6] = n_live / 10.0
    net[x + 7] = live(s, waits & ~stale) / 10.0
    net[x + 8] = popcount(waits) / 8.0
    if starts == 1:
        net[x + 9] = 1.0
        net[x + 11] = n_live / 10.0
    elif starts == 2:
        net[x + 10] = 1.0
        net[x + 12] = n_live / 10.0
    net[x + 13] = s[L_KAN] / 3.0
    net[x + 14] = s[L_JIANG]
    net[x + 15] = s[A_MELDS] / 7.0
    net[x + 16] = s[A_DUE]
    net[x + 17] = red / 10.0
    if red == 0:
        net[x + 18] = 1.0
    elif red == 1:
        net[x + 19] = 1.0
    elif red >= 13:
        net[x + 21] = 1.0
    elif red >= 10:
        net[x + 20] = 1.0
    elif red >= 8:
        net[x + 22] = 1.0
    if s[A_RUNS] == 0:
        net[x + 23] = 1.0
    if s[L_FEWEST] >= DEAD:
        net[x + 24] = 1.0
    if action == A_PASS:
        away = turns_to(s, seat, after(s, s[OPEN_SEAT], 1))
        if away == 0:
            net[x + 25] = 1.0
        elif away == 1:
            net[x + 26] = 1.0
    elif action == A_DISCARD:
        card = s[A_CARD]
        net[x + 27] = live(s, 1 << card) / 3.0
        next_seat = after(s, seat, 1)
        net[x + 28] = (s[CHI_PAST + next_seat] >> card) & 1
        net[x + 29] = (s[PENG_PAST + next_seat] >> card) & 1
        if s[N_SEATS] == 3:
            net[x + 30] = (s[PENG_PAST + after(s, seat, 2)] >> card) & 1
        net[x + 31] = 1.0
    elif action in (A_PENG, A_CHI):
        net[x + 33] = 1.0
    net[x + 32] = s[L_SIZE] / 20.0
    loose = s[L_LOOSE]
    twice = (loose >> 1) & LOW
    held = (loose | loose >> 1) & LOW
    pairs = 0
    left = waits
    card = 0
    while left != 0:
        if left & 1 == 1 and (twice >> (2 * card)) & 1 == 1:
            pairs |= 1 << card
        left >>= 1
        card += 1
    net[x + 34] = live(s, pairs) / 10.0
    net[x + 35] = live(s, pairs & ~s[SEAT0 + seat * SEAT_SIZE + STALE_PENG]) / 10.0
    net[x + 36] = popcount(twice) / 5.0
    net[x + 37] = popcount(held & (held >> 2) & STEPS_OF_ONE) / 8.0
    net[x + 38] = popcount(held & (held >> 4) & STEPS_OF_TWO) / 8.0
    net[x + 39] = popcount(held & (held >> 20)) / 6.0
    net[x + 40] = popcount(held) / 16.0


@kernel
def second_layer(net: Floats, sums: Floats, at: int) -> float:
    """The network's value of the first layer's sums at ``at``; the second layer's are left behind them."""
    top = at + FIRST
    for j in range(SECOND):
        sums[top + j] = net[B2 + j]
    for i in range(FIRST):
        x = sums[at + i]
        if x > 0.0:
            row = W2 + SECOND * i
            for j in range(SECOND):
                sums[top + j] += net[row + j] * x
    value = net[B3]
    for j in range(SECOND):
        if sums[top + j] > 0.0:
            value += net[W3 + j] * sums[top + j]
    return value


@kernel
def forward(net: Floats) -> float:
    """The network's value of the features at ``X``, where ``about_table`` has begun the first layer."""
    for j in range(FIRST):
        net[H1 + j] = net[H0 + j]
    for i in range(ABOUT, FEATURES):
        x = net[X + i]
        if x != 0.0:
            row = W1 + FIRST * i
            for j in range(FIRST):
                net[H1 + j] += net[row + j] * x
    return second_layer(net, net, H1)


@kernel
def worth(s: Ints, plans: Words, net: Floats, seat: int, action: int) -> float:
    """What the network thinks the round will pay the seat with the hand at ``memo.AFTER``."""
    about_hand(s, plans, net, seat, action)
    return forward(net)
