"""Fitting the value: positions of self-play with what the round paid, and steps of the network towards them."""

from __future__ import annotations

from math import sqrt

from replay.kernels.features import (
    B1,
    B2,
    B3,
    FEATURES,
    FIRST,
    NUMBERS,
    SECOND,
    W1,
    W2,
    W3,
    second_layer,
)
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import O_POINTS
from replay.kernels.match import start_alike
from replay.kernels.memo import EXPLORE, NOTED, NOTES
from replay.kernels.play import draw_below
from replay.kernels.rounds import play_out
from replay.kernels.score import settle

SAMPLE = FEATURES + 1
"""Floats of a position: its features and what the round paid, once it is over."""
NOTE = FEATURES + 2
"""Floats of a position while its round is played: the features, the seat, what the network thinks of it."""
AIM = NOTES - 4
"""For each seat: what its last position should have been worth."""


@kernel
def gather(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, deals: int, kind: int,
    begin: int, explore: int, seats: int, paid: int, extra: int, clip: int, trust: float, events: Ints,
    notes: Floats, room: int,
) -> int:  # fmt: skip
    """Play ``deals`` rounds of self-play and note the positions after each decision; returns how many.

    ``kind``, ``begin``: who plays, see ``match.seat_players``; ``explore``: of a thousand decisions so many are drawn
    at random; ``clip``: payments beyond it count as it; ``trust``: how much a position's aim is that of the seat's
    next one, the rest is what the network thinks of that one (TD(λ), Sutton 1988).
    """
    total = 0
    for _ in range(deals):
        n = start_alike(s, table, stream, events, kind, begin, seats, paid, extra)
        s[EXPLORE] = explore
        s[NOTED] = 0
        if play_out(s, table, plans, weights, net, stream, events, n) < 0:
            return -1
        settle(s, -1)
        if total + s[NOTED] > room:
            return total
        for seat in range(seats):
            net[AIM + seat] = min(clip, max(-clip, s[O_POINTS + seat])) / clip
        for i in range(s[NOTED] - 1, -1, -1):
            row = NOTES + NOTE * i
            seat = int(net[row + FEATURES])
            for j in range(FEATURES):
                notes[SAMPLE * total + j] = net[row + j]
            notes[SAMPLE * total + FEATURES] = net[AIM + seat]
            net[AIM + seat] = trust * net[AIM + seat] + (1.0 - trust) * net[row + FEATURES + 1]
            total += 1
        s[EXPLORE] = 0
        s[NOTED] = -1
    return total


@kernel
def one_sample(net: Floats, grad: Floats, hidden: Floats, notes: Floats, at: int) -> float:
    """Add the gradient of half the squared error of one position to ``grad``; returns the squared error."""
    for j in range(FIRST):
        hidden[j] = net[B1 + j]
    for i in range(FEATURES):
        x = notes[at + i]
        if x != 0.0:
            row = W1 + FIRST * i
            for j in range(FIRST):
                hidden[j] += net[row + j] * x
    value = second_layer(net, hidden, 0)
    error = value - notes[at + FEATURES]
    grad[B3] += error
    for j in range(SECOND):
        x = hidden[FIRST + j]
        if x > 0.0:
            grad[W3 + j] += error * x
            hidden[FIRST + j] = error * net[W3 + j]
            grad[B2 + j] += hidden[FIRST + j]
        else:
            hidden[FIRST + j] = 0.0
    for i in range(FIRST):
        x = hidden[i]
        if x > 0.0:
            row = W2 + SECOND * i
            back = 0.0
            for j in range(SECOND):
                back += hidden[FIRST + j] * net[row + j]
                grad[row + j] += hidden[FIRST + j] * x
            hidden[i] = back
            grad[B1 + i] += back
        else:
            hidden[i] = 0.0
    for i in range(FEATURES):
        x = notes[at + i]
        if x != 0.0:
            row = W1 + FIRST * i
            for j in range(FIRST):
                grad[row + j] += hidden[j] * x
    return error * error


@kernel
def learn(
    net: Floats, moments: Floats, grad: Floats, hidden: Floats, notes: Floats, order: Ints, stream: Ints,
    count: int, batch: int, rate: float,
) -> float:  # fmt: skip
    """One pass of Adam (Kingma and Ba, 2015) over ``count`` positions, shuffled; returns the mean squared error.

    ``order``: room for ``count`` ints; ``moments``: two numbers for each of the network's, then the two decayed rates;
    ``grad``, ``hidden``: room.
    """
    for i in range(count):
        order[i] = i
    for i in range(count - 1, 0, -1):
        j = draw_below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    total = 0.0
    done = 0
    while done + batch <= count:
        for i in range(NUMBERS):
            grad[i] = 0.0
        for k in range(batch):
            total += one_sample(net, grad, hidden, notes, SAMPLE * order[done + k])
        done += batch
        moments[2 * NUMBERS] *= 0.9
        moments[2 * NUMBERS + 1] *= 0.999
        one = 1.0 - moments[2 * NUMBERS]
        two = 1.0 - moments[2 * NUMBERS + 1]
        for i in range(NUMBERS):
            g = grad[i] / batch
            m = 0.9 * moments[i] + 0.1 * g
            v = 0.999 * moments[NUMBERS + i] + 0.001 * g * g
            moments[i] = m
            moments[NUMBERS + i] = v
            net[i] -= rate * (m / one) / (sqrt(v / two) + 1e-8)
    return total / max(1, done)
