"""What self-play shows of how hands are played, from which hands are read (``reading``)."""

from __future__ import annotations

from replay.kernels.bits import LOW, copies, kan_of
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import HAND, N_SEATS, OVER, PHASE, SEAT0, SEAT_SIZE
from replay.kernels.legal import legal
from replay.kernels.match import start_alike
from replay.kernels.memo import (
    ANSWER,
    EXPLORE,
    LEFT_PAIR,
    LEFT_RUN,
    NOTED,
    PAST,
    PAST_CARD,
    PAST_ROOM,
    PASTS,
    READING,
    SAVED,
    THREW,
    TOOK_PAIR,
    TOOK_RUN,
    before_entry,
    hidden_weis,
    weis_before,
)
from replay.kernels.play import MOST_EVENTS, draw_below
from replay.kernels.policies import FITTED, count_left, decide
from replay.kernels.reading import NEAR, PATTERNS, nearness, pattern, stir, ways_to_eat
from replay.kernels.rounds import agreed, ask_nobody, make_move, play_out
from replay.kernels.search import keep_state
from replay.kernels.worlds import clear_others, count_worlds, draw_world

NOTE_SIZE = 16
"""Ints of a noted discard: the number of kinds it was chosen from, and their patterns, its own first."""
LOOKS = 4
"""Worlds made of a position when what is thought of the hands is compared with what they are."""


@kernel
def note_throw(loose: int, notes: Ints, at: int, card: int) -> None:
    """Note the discard ``card`` from this hand, see ``NOTE_SIZE``."""
    held = (loose | loose >> 1) & LOW
    notes[at + 1] = pattern(loose, held, card)
    n = 1
    for other in range(20):
        if other != card and copies(loose, other) > 0 and n < NOTE_SIZE - 1:
            n += 1
            notes[at + n] = pattern(loose, held, other)
    notes[at] = n


@kernel
def read_back(s: Ints, seat: int, notes: Ints, n: int, room: int, counts: Ints) -> int:
    """Note the discards of a seat whose hand is known, from the ``n``-th note on; returns the number behind them.

    ``counts``: for 碰 and each of the ways of 吃 (``ways_to_eat``), how often it let go and how often it took.
    """
    hand = s[SEAT0 + seat * SEAT_SIZE + HAND]
    weis = hidden_weis(s, seat)
    for i in range(s[PASTS + seat] - 1, -1, -1):
        entry = s[PAST + PAST_ROOM * seat + i]
        card = (entry >> PAST_CARD) & 31
        hand = before_entry(hand, entry, weis)
        weis = weis_before(weis, entry)
        loose = hand - 3 * kan_of(hand)
        held = (loose | loose >> 1) & LOW
        if entry & THREW != 0:
            if n < room and copies(loose, card) > 0:
                note_throw(loose, notes, NOTE_SIZE * n, card)
                n += 1
        elif entry & TOOK_PAIR != 0:
            counts[1] += 1
        elif entry & TOOK_RUN != 0:
            counts[2 * max(1, ways_to_eat(loose, held, card)) + 1] += 1
        elif entry & (LEFT_PAIR | LEFT_RUN) != 0:
            if entry & LEFT_PAIR != 0 and copies(loose, card) == 2:
                counts[0] += 1
            if entry & LEFT_RUN != 0:
                ways = ways_to_eat(loose, held, card)
                if ways > 0:
                    counts[2 * ways] += 1
    return n


@kernel
def fit_throws(net: Floats, notes: Ints, n: int, won: Floats, expected: Floats, passes: int) -> float:
    """Fit the weights of the patterns to ``n`` noted discards (minorise and maximise: Hunter 2004); returns the mean
    chance of the card thrown."""
    for i in range(PATTERNS):
        won[i] = 1.0
        net[READING + i] = 1.0
    for k in range(n):
        won[notes[NOTE_SIZE * k + 1]] += 1.0
    mean = 0.0
    for _ in range(passes):
        for i in range(PATTERNS):
            expected[i] = 1.0
        mean = 0.0
        for k in range(n):
            at = NOTE_SIZE * k
            total = 0.0
            for i in range(notes[at]):
                total += net[READING + notes[at + 1 + i]]
            mean += net[READING + notes[at + 1]] / total
            for i in range(notes[at]):
                expected[notes[at + 1 + i]] += 1.0 / total
        for i in range(PATTERNS):
            net[READING + i] = won[i] / expected[i]
    return mean / n


@kernel
def gather_reads(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, deals: int, seats: int, paid: int,
    extra: int, events: Ints, notes: Ints, room: int, counts: Ints,
) -> int:  # fmt: skip
    """Play ``deals`` rounds of self-play of `value` and note what was thrown and let go, see ``read_back``."""
    total = 0
    s[NOTED] = -1
    s[EXPLORE] = 0
    for _ in range(deals):
        n = start_alike(s, table, stream, events, FITTED, 0, seats, paid, extra)
        if play_out(s, table, plans, weights, net, stream, events, n) < 0:
            return -1
        for seat in range(seats):
            total = read_back(s, seat, notes, total, room, counts)
    return total


@kernel
def compare(s: Ints, plans: Words, net: Floats, stream: Ints, seat: int, steps: int, counts: Ints) -> None:
    """Count how near to a win the others' hands are (``LOOKS`` times), and in the worlds that the seat thinks of."""
    count_left(s, seat)
    if count_worlds(s, net, seat) == 0:
        return
    for q in range(s[N_SEATS]):
        if q != seat:
            counts[2 * (nearness(s, plans, q, s[SEAT0 + q * SEAT_SIZE + HAND]) - NEAR)] += LOOKS
    keep_state(s, SAVED, 0)
    for _ in range(LOOKS):
        clear_others(s)
        draw_world(s, net, stream)
        stir(s, plans, net, stream, steps)
        for q in range(s[N_SEATS]):
            if q != seat:
                counts[2 * (nearness(s, plans, q, s[SEAT0 + q * SEAT_SIZE + HAND]) - NEAR) + 1] += 1
        keep_state(s, SAVED, 1)


@kernel
def gather_nearness(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, deals: int, seats: int, paid: int,
    extra: int, events: Ints, one_of: int, steps: int, counts: Ints,
) -> int:  # fmt: skip
    """Play ``deals`` rounds of self-play of `value` and ``compare`` at one decision of ``one_of``; returns the rounds.

    ``counts``: for each number of ``NEAR`` how often it was, and how often in the worlds.
    """
    s[NOTED] = -1
    s[EXPLORE] = 0
    for k in range(deals):
        n = start_alike(s, table, stream, events, FITTED, 0, seats, paid, extra)
        while s[PHASE] != OVER:
            moves = legal(s, table)
            if moves == 0 or n > MOST_EVENTS - 8:
                return k
            ask_nobody(s)
            move = agreed(s, moves)
            while move < 0:
                seat = -1 - move
                if draw_below(stream, one_of) == 0:
                    compare(s, plans, net, stream, seat, steps, counts)
                    legal(s, table)
                s[ANSWER + seat] = decide(s, plans, weights, net, stream, seat, moves)
                move = agreed(s, moves)
            n = make_move(s, table, events, n, move)
    return deals
