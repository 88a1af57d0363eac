"""The reference players: which of the moves that a seat may make it makes (docs/players.md)."""

from __future__ import annotations

from replay.kernels.features import FEATURES, X, about_hand, about_table, forward, live, worth
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_CHI,
    A_DISCARD,
    A_DRAW,
    A_HU,
    A_PASS,
    A_PENG,
    MOVE,
    MOVES,
    P_MIN_HUXI,
    SEAT0,
    SEAT_SIZE,
    STALE_CHI,
)
from replay.kernels.memo import EXPLORE, KIND, LEFT, NOTED, NOTES, WEIGHTS, seen_of, visible
from replay.kernels.plans import (
    DEAD,
    L_FIXED,
    L_HUXI,
    L_MISSING,
    L_STARTS,
    L_WAITS,
    after_chi,
    after_discard,
    after_nothing,
    after_peng,
    look,
)
from replay.kernels.play import draw_below

RANDOM, WEIGHED, FITTED, SEARCHING = range(4)
"""Kinds of players: uniform; by weights (`greedy`, `steady`); by a fitted value (`value`); by play-outs (`search`)."""
(
    W_MISSING, W_LIVE, W_LAST, W_FIXED, W_SURPLUS, W_CLAIM, W_STALE,
) = range(7)  # fmt: skip
WEIGHT_SIZE = 8


@kernel
def count_left(s: Ints, seat: int) -> None:
    """Copies of each kind that the seat does not see, as three planes of 20 bits at ``LEFT``."""
    packed = visible(s, seat)
    for i in range(3):
        s[LEFT + i] = 0
    for card in range(20):
        n = 4 - seen_of(packed, card)
        for i in range(3):
            s[LEFT + i] |= ((n >> i) & 1) << card


@kernel
def think_of(s: Ints, seat: int, move: int) -> None:
    """The seat's hand after the ``move``-th move of ``legal``, at ``memo.AFTER``."""
    at = MOVES + MOVE * move
    action = s[at + 1]
    if action == A_DISCARD:
        after_discard(s, seat, s[at + 2])
    elif action == A_PENG:
        after_peng(s, seat, s[at + 2])
    elif action == A_CHI:
        after_chi(s, seat, s[at + 2], s[at + 3])
    else:
        after_nothing(s, seat)


@kernel
def weigh(s: Ints, plans: Words, weights: Ints, seat: int, action: int) -> int:
    """Worth of the hand at ``memo.AFTER`` by the seat's weights, in thousandths of a step."""
    w = s[WEIGHTS + seat]
    look(s, plans, weights[w + W_MISSING])
    if s[L_STARTS] >= DEAD:
        return -20000 + s[L_FIXED]
    total = -1000 * s[L_STARTS] - weights[w + W_MISSING] * s[L_MISSING]
    waits = s[L_WAITS]
    stale = waits & s[SEAT0 + seat * SEAT_SIZE + STALE_CHI]
    more = weights[w + W_LAST] if s[L_STARTS] == 1 else 0
    total += (weights[w + W_LIVE] + more) * live(s, waits) - weights[w + W_STALE] * live(s, stale)
    total += weights[w + W_FIXED] * s[L_FIXED]
    total += weights[w + W_SURPLUS] * max(0, s[L_FIXED] + s[L_HUXI] - s[P_MIN_HUXI])
    if action in (A_PENG, A_CHI):
        total += weights[w + W_CLAIM]
    return total


@kernel
def may_choose(s: Ints, seat: int, move: int) -> bool:
    """Is the ``move``-th move one that the seat decides on? The next draw and 荒 happen when nobody takes the card."""
    at = MOVES + MOVE * move
    return s[at] == seat and s[at + 1] != A_DRAW


@kernel
def drawn_move(s: Ints, stream: Ints, seat: int, moves: int, mine: int) -> int:
    """One of the seat's ``mine`` moves, each as likely."""
    n = draw_below(stream, mine)
    for i in range(moves):
        if may_choose(s, seat, i):
            if n == 0:
                return i
            n -= 1
    return -1


@kernel
def appraise(s: Ints, plans: Words, weights: Ints, net: Floats, seat: int, move: int) -> float:
    """What a seat that does not play at random thinks of the ``move``-th move: thousandths of a step, or parts of the
    greatest payment; ``count_left`` and ``about_table`` came before."""
    think_of(s, seat, move)
    action = s[MOVES + MOVE * move + 1]
    if s[KIND + seat] == WEIGHED:
        return float(weigh(s, plans, weights, seat, action))
    return worth(s, plans, net, seat, action)


@kernel
def best_move(s: Ints, plans: Words, weights: Ints, net: Floats, seat: int, moves: int) -> int:
    """The seat's move that it thinks most of; of equal ones the first."""
    best = -1
    most = -1e18
    if s[KIND + seat] != WEIGHED:
        about_table(s, net, seat)
    for i in range(moves):
        if may_choose(s, seat, i):
            value = appraise(s, plans, weights, net, seat, i)
            if value > most:
                most = value
                best = i
    return best


@kernel
def decide(s: Ints, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, moves: int) -> int:
    """Which of the ``moves`` moves at ``MOVES`` the seat makes; -1: it passes, or has none."""
    mine = 0
    first = -1
    winning = -1
    for i in range(moves):
        if may_choose(s, seat, i):
            mine += 1
            if first < 0:
                first = i
            if s[MOVES + MOVE * i + 1] == A_HU:
                winning = i
    if mine == 0:
        return -1
    if s[KIND + seat] == RANDOM:
        best = drawn_move(s, stream, seat, moves, mine)
        return -1 if s[MOVES + MOVE * best + 1] == A_PASS else best
    if winning >= 0:
        return winning
    if mine == 1 and s[MOVES + MOVE * first + 1] != A_PASS:
        return first
    count_left(s, seat)
    best = best_move(s, plans, weights, net, seat, moves)
    if s[EXPLORE] > 0 and draw_below(stream, 1000) < s[EXPLORE]:
        best = drawn_move(s, stream, seat, moves, mine)
    if s[NOTED] >= 0:
        note_position(s, plans, net, seat, best)
    return -1 if s[MOVES + MOVE * best + 1] == A_PASS else best


@kernel
def note_position(s: Ints, plans: Words, net: Floats, seat: int, move: int) -> None:
    """Note the features after the chosen move, and the seat, behind the network."""
    about_table(s, net, seat)
    think_of(s, seat, move)
    about_hand(s, plans, net, seat, s[MOVES + MOVE * move + 1])
    at = NOTES + (FEATURES + 2) * s[NOTED]
    for i in range(FEATURES):
        net[at + i] = net[X + i]
    net[at + FEATURES] = seat
    net[at + FEATURES + 1] = forward(net)
    s[NOTED] += 1
