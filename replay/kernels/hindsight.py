"""Fitting the evaluator of the ledger: positions before draws with what the round paid, and steps towards them."""

from __future__ import annotations

from math import sqrt

from replay.kernels.foresee import (
    MIND_SIZE,
    N_B1,
    N_B2,
    N_B3,
    N_W1,
    N_W2,
    N_W3,
    NARROW,
    SEEN_AT_ALL,
    SIGHT,
    SUMS_ONE,
    SUMS_TWO,
    WIDE,
    see_all,
    see_from,
    think,
)
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import A_DRAW, MOVE, MOVES, O_POINTS, OVER, PHASE
from replay.kernels.legal import legal
from replay.kernels.match import deal_second, seed_second
from replay.kernels.memo import EXPLORE, KIND, NOTED, WEIGHTS
from replay.kernels.play import MOST_EVENTS, draw_below
from replay.kernels.rounds import ask_nobody, decided, make_move, start
from replay.kernels.score import settle

SAMPLE = SEEN_AT_ALL + 1
"""Floats of a position noted: its features and what the round paid."""


@kernel
def gather_draws(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, deals: int,
    players: Ints, count: int, explore: int, seats: int, paid: int, extra: int, clip: int, events: Ints,
    notes: Floats, room: int,
) -> int:  # fmt: skip
    """Play ``deals`` rounds and note the position before every draw, from each seat; returns how many.

    ``players``: two ints for each of ``count`` players, see ``match.seat_players``; who sits where is drawn for each
    round. ``explore``: of a thousand decisions so many are drawn; ``clip``: payments beyond it count as it.
    """
    total = 0
    s[NOTED] = -1
    for _ in range(deals):
        seed_second(stream, draw_below(stream, 1 << 30))
        deal_second(s, stream, -1, seats, paid, extra)
        for seat in range(seats):
            who = draw_below(stream, count)
            s[KIND + seat] = players[2 * who]
            s[WEIGHTS + seat] = players[2 * who + 1]
        n = start(s, table, events, 0, seats, extra)
        s[EXPLORE] = explore
        first = total
        while s[PHASE] != OVER:
            moves = legal(s, table)
            if moves == 0 or n > MOST_EVENTS - 8:
                return -1
            ask_nobody(s)
            move = decided(s, plans, weights, net, stream, moves)
            if s[MOVES + MOVE * move + 1] == A_DRAW:
                if total + seats > room:
                    return total
                see_all(s, table, plans, mind)
                for seat in range(seats):
                    see_from(s, mind, seat, s[MOVES + MOVE * move])
                    for i in range(SEEN_AT_ALL):
                        notes[SAMPLE * total + i] = mind[SIGHT + i]
                    notes[SAMPLE * total + SEEN_AT_ALL] = seat
                    total += 1
            n = make_move(s, table, events, n, move)
        settle(s, -1)
        for k in range(first, total):
            at = SAMPLE * k + SEEN_AT_ALL
            notes[at] = min(clip, max(-clip, s[O_POINTS + int(notes[at])])) / clip
    s[EXPLORE] = 0
    return total


@kernel
def blame(mind: Floats, grad: Floats, aim: float) -> float:
    """Add the gradient of half the squared error of the position at ``SIGHT`` to ``grad``; returns the error."""
    error = think(mind) - aim
    grad[N_B3] += error
    for j in range(NARROW):
        x = mind[SUMS_TWO + j]
        mind[SUMS_TWO + j] = 0.0
        if x > 0.0:
            grad[N_W3 + j] += error * x
            mind[SUMS_TWO + j] = error * mind[N_W3 + j]
            grad[N_B2 + j] += mind[SUMS_TWO + j]
    for i in range(WIDE):
        x = mind[SUMS_ONE + i]
        mind[SUMS_ONE + i] = 0.0
        if x > 0.0:
            row = N_W2 + NARROW * i
            back = 0.0
            for j in range(NARROW):
                back += mind[SUMS_TWO + j] * mind[row + j]
                grad[row + j] += mind[SUMS_TWO + j] * x
            mind[SUMS_ONE + i] = back
            grad[N_B1 + i] += back
    for i in range(SEEN_AT_ALL):
        x = mind[SIGHT + i]
        if x != 0.0:
            row = N_W1 + WIDE * i
            for j in range(WIDE):
                grad[row + j] += mind[SUMS_ONE + j] * x
    return error


@kernel
def learn_draws(
    mind: Floats, moments: Floats, grad: Floats, notes: Floats, order: Ints, stream: Ints, count: int, batch: int,
    rate: float,
) -> float:  # fmt: skip
    """One pass of Adam (Kingma and Ba, 2015) over ``count`` positions, shuffled, as ``learn.learn``; returns the mean
    squared error."""
    for i in range(count):
        order[i] = i
    for i in range(count - 1, 0, -1):
        j = draw_below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    total = 0.0
    done = 0
    while done + batch <= count:
        for i in range(MIND_SIZE):
            grad[i] = 0.0
        for k in range(batch):
            at = SAMPLE * order[done + k]
            for i in range(SEEN_AT_ALL):
                mind[SIGHT + i] = notes[at + i]
            error = blame(mind, grad, notes[at + SEEN_AT_ALL])
            total += error * error
        done += batch
        moments[2 * MIND_SIZE] *= 0.9
        moments[2 * MIND_SIZE + 1] *= 0.999
        one = 1.0 - moments[2 * MIND_SIZE]
        two = 1.0 - moments[2 * MIND_SIZE + 1]
        for i in range(MIND_SIZE):
            g = grad[i] / batch
            m = 0.9 * moments[i] + 0.1 * g
            v = 0.999 * moments[MIND_SIZE + i] + 0.001 * g * g
            moments[i] = m
            moments[MIND_SIZE + i] = v
            mind[i] -= rate * (m / one) / (sqrt(v / two) + 1e-8)
    return total / max(1, done)
