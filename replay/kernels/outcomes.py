"""Playing a world to its end: what every seat is paid, who wins, whether nobody does.

Draws that end the round are counted exactly, each kind by its share of the wall; play goes on with a card that ends
nothing and weighs less for it (conditional Monte Carlo, Hammersley 1956). The mean is the same, the variance half.
"""

from __future__ import annotations

from replay.kernels.features import about_table, worth
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_CHI,
    A_DISCARD,
    A_DRAW,
    A_HU,
    A_PAO,
    A_PASS,
    A_PENG,
    D_WALL,
    MOVE,
    MOVES,
    N_SEATS,
    O_POINTS,
    OVER,
    PHASE,
    W_OTHER,
    W_OWN,
    WALL_AT,
    WALL_N,
    WINNER,
)
from replay.kernels.legal import legal
from replay.kernels.memo import CLIP, DRAW_SAVED, PLAYED
from replay.kernels.plans import after_nothing
from replay.kernels.play import EVENT, MOST_EVENTS, draw_below
from replay.kernels.policies import count_left
from replay.kernels.rights import hu_right
from replay.kernels.rounds import ask_nobody, decided, make_move
from replay.kernels.score import settle
from replay.kernels.search import keep_state

E_POINTS, E_WIN, E_HUANG, E_PAYS, E_GIVES = 0, 3, 4, 5, 6
OUTCOME = 7
"""Floats of an outcome: the points of each seat; how likely one seat wins, nobody does, the seat pays; how often
another seat took the card that lay open."""
DRAWS = 4
"""Draws after which what the fitted values think of the hands stands for how the round ends; see ``add_worths``."""
LEAST = 0.05
"""A play-out that weighs less goes on half as often and weighs twice as much."""


@kernel
def note_end(s: Ints, out: Floats, at: int, seat: int, weight: float, cut: bool, chances: bool) -> None:
    """Add the round that is over to the outcome at ``at``; ``cut``: its points are noted already."""
    settle(s, -1)
    if not cut:
        for i in range(s[N_SEATS]):
            out[at + E_POINTS + i] += weight * s[O_POINTS + i]
    if chances:
        if s[WINNER] == seat:
            out[at + E_WIN] += weight
        elif s[WINNER] < 0:
            out[at + E_HUANG] += weight
        if s[O_POINTS + seat] < 0:
            out[at + E_PAYS] += weight


@kernel
def add_worths(s: Ints, plans: Words, net: Floats, out: Floats, at: int, weight: float) -> None:
    """Add what the seats are thought to be paid, at rest before a draw.

    Each seat's fitted value says what its own hand is worth; what it makes it takes from the others. So a seat has its
    own less the mean of the others', which sums to nothing and is right on the average for what each knows.
    """
    n = s[N_SEATS]
    for q in range(n):
        count_left(s, q)
        about_table(s, net, q)
        after_nothing(s, q)
        worth_of = weight * worth(s, plans, net, q, A_PASS) * s[CLIP]
        for i in range(n):
            out[at + E_POINTS + i] += worth_of if i == q else -worth_of / (n - 1)


@kernel
def may_end(s: Ints, table: bytes, drawer: int, card: int) -> bool:
    """Has anybody a hand that is complete with ``card``? Whether it may win with it shows when it is drawn."""
    most = -1
    for seat in range(s[N_SEATS]):
        most = max(most, hu_right(s, table, seat, card, W_OWN if seat == drawer else W_OTHER))
    return most >= 0


@kernel
def draw_next(s: Ints, table: bytes, n: int) -> int:
    """Carry the draw out that is among the legal moves; returns the number behind its event."""
    moves = legal(s, table)
    for i in range(moves):
        if s[MOVES + MOVE * i + 1] == A_DRAW:
            return make_move(s, table, s, n, i)
    return n


@kernel
def bring_front(s: Ints, place: int) -> None:
    """Exchange the wall's next card with the one at ``place``."""
    front = D_WALL + s[WALL_AT]
    card = s[front]
    s[front] = s[place]
    s[place] = card


@kernel
def ends_with(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, n: int, place: int,
    out: Floats, at: int, seat: int, weight: float, cut: bool, chances: bool,
) -> bool:  # fmt: skip
    """Does somebody win when the card at ``place`` of the wall comes next? Then that end is added with its weight."""
    keep_state(s, DRAW_SAVED, 0)
    bring_front(s, place)
    n = draw_next(s, table, n)
    if s[PHASE] != OVER:
        moves = legal(s, table)
        ask_nobody(s)
        move = decided(s, plans, weights, net, stream, moves)
        if s[MOVES + MOVE * move + 1] == A_HU:
            make_move(s, table, s, n, move)
    ends = s[PHASE] == OVER and s[WINNER] >= 0
    if ends:
        note_end(s, out, at, seat, weight, cut, chances)
    keep_state(s, DRAW_SAVED, 1)
    return ends


@kernel
def count_ends(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, n: int, drawer: int,
    out: Floats, at: int, seat: int, weight: float, cut: bool, chances: bool,
) -> int:  # fmt: skip
    """Add the ends that the next card may bring; returns the kinds that bring one, a bit a kind."""
    first = D_WALL + s[WALL_AT]
    last = D_WALL + s[WALL_N]
    share = weight / (last - first)
    seen = 0
    ends = 0
    for place in range(first, last):
        bit = 1 << s[place]
        if seen & bit != 0:
            continue
        seen |= bit
        if not may_end(s, table, drawer, s[place]):
            continue
        copies = 0
        for other in range(place, last):
            copies += 1 if s[other] == s[place] else 0
        if ends_with(
            s, table, plans, weights, net, stream, n, place, out, at, seat, share * copies, cut, chances
        ):  # fmt: skip
            ends |= bit
    return ends


@kernel
def skip_ends(s: Ints, stream: Ints, ends: int) -> float:
    """Bring a card to the front that is none of ``ends``, each as likely; returns their share of the wall, 0 when there
    is none."""
    first = D_WALL + s[WALL_AT]
    last = D_WALL + s[WALL_N]
    others = 0
    for place in range(first, last):
        others += 1 - ((ends >> s[place]) & 1)
    if others == 0:
        return 0.0
    k = draw_below(stream, others)
    for place in range(first, last):
        if (ends >> s[place]) & 1 == 0:
            if k == 0:
                bring_front(s, place)
                break
            k -= 1
    return others / (last - first)


@kernel
def play_world(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, chances: bool,
    out: Floats, at: int,
) -> None:  # fmt: skip
    """Play on in the world that lies in ``s`` and add what comes of it for the seat to the outcome at ``at``.

    Points count as ``add_worths`` sees them after ``DRAWS`` draws, or as they are when the round ends before; with
    ``chances`` play goes on to the end, to see who wins. Seats that have answered the open window (``memo.ANSWER``) do
    as they said.
    """
    n = PLAYED // EVENT
    weight = 1.0
    draws = DRAWS
    first = True
    while s[PHASE] != OVER:
        moves = legal(s, table)
        if moves == 0 or n > PLAYED // EVENT + MOST_EVENTS - 8:
            return
        move = decided(s, plans, weights, net, stream, moves)
        actor = s[MOVES + MOVE * move]
        action = s[MOVES + MOVE * move + 1]
        if action != A_DRAW:
            if first and actor != seat and action in (A_HU, A_CHI, A_PENG, A_PAO):
                out[at + E_GIVES] += 1.0
            first = first and actor == seat and action == A_DISCARD
            n = make_move(s, table, s, n, move)
            ask_nobody(s)
            continue
        first = False
        if draws == 0:
            add_worths(s, plans, net, out, at, weight)
            if not chances:
                return
        cut = draws <= 0
        draws -= 1
        ends = count_ends(s, table, plans, weights, net, stream, n, actor, out, at, seat, weight, cut, chances)
        if ends != 0:
            weight *= skip_ends(s, stream, ends)
            if weight < LEAST:
                if weight <= 0.0 or draw_below(stream, 2) == 0:
                    return
                weight *= 2.0
        n = draw_next(s, table, n)
        ask_nobody(s)
    note_end(s, out, at, seat, weight, draws < 0, chances)
