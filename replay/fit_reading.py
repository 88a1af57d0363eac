"""Fitting how hands are read: what self-play of `value` throws, lets go and comes near to (``kernels.reading``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from replay.kernels.jit import compiled
from replay.kernels.memo import READING
from replay.kernels.observe import NOTE_SIZE
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.kernels.reading import LETS_PAIR, NEAR, PATTERNS, READING_SIZE
from replay.players import SCALE, Room

THROWS = 20_000
"""Rounds from which the discards and the cards let go are counted."""
MOST_THROWS = 40
"""Discards of a round at most, on average."""
PASSES = 30
COMPARED = 3_000
"""Rounds of each comparison of nearness; at one of five decisions."""
ONE_OF = 5
COMPARISONS = 3
STEPS = 30
"""What a world is stirred when it is compared, in tens of exchanges."""
DOUBT = 20
"""Each count begins with so many, so that what is hardly ever met changes little."""


def fit_reading(at: Room, stream: Any, throws: int = THROWS, compared: int = COMPARED) -> Any:
    """The numbers of ``kernels.reading`` for a room whose `value` is fitted: float64, whole multiples of 1/``SCALE``.

    All ones where drawn cards enter the hand (rules 16.4): the past tells nothing there.
    """
    numbers = at.net[READING : READING + READING_SIZE]
    if at.ruleset.draw_to_hand:
        return np.ones(READING_SIZE)
    rules = (at.seats, at.paid, int(at.ruleset.two_ti_extra))
    kernels = compiled("fit")
    table = (at.state, at.table, at.plans, at.weights, at.net, stream)
    events = np.zeros(EVENT * (MOST_EVENTS + 8), dtype=np.int64)
    room = MOST_THROWS * throws
    notes, counts = np.zeros(NOTE_SIZE * room, dtype=np.int64), np.zeros((NEAR - LETS_PAIR, 2), dtype=np.int64)
    noted = kernels.gather_reads(*table, throws, *rules, events, notes, room, counts.reshape(-1))
    if noted < 0:
        raise RuntimeError("a round does not end")
    kernels.fit_throws(at.net, notes, noted, np.zeros(PATTERNS), np.zeros(PATTERNS), PASSES)
    numbers[LETS_PAIR:NEAR] = (counts[:, 0] + 1) / (counts.sum(axis=1) + 2)
    numbers[NEAR:] = 1.0
    for _ in range(COMPARISONS):
        met = np.zeros((READING_SIZE - NEAR, 2), dtype=np.int64)
        if kernels.gather_nearness(*table, compared, *rules, events, ONE_OF, STEPS, met.reshape(-1)) < compared:
            raise RuntimeError("a round does not end")
        numbers[NEAR:] *= (met[:, 0] + DOUBT) / (met[:, 1] + DOUBT)
    numbers[:] = np.maximum(np.rint(numbers * SCALE), 1.0) / SCALE
    return numbers.copy()
