"""What a position is worth to every seat when all cards are known but the order of the wall (docs/luck.md).

Worths are whole millionths of a point, so that they add up exactly. Between two draws a fixed reference player moves
for every seat; at the next draw the fitted value of each seat tells what the round will pay it.
"""

from __future__ import annotations

from math import floor

from replay.kernels.bits import RED_LOW
from replay.kernels.foresee import FORESEEN, foresee, see_all
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_DRAW,
    D_WALL,
    DEALER,
    MOVE,
    MOVES,
    N_SEATS,
    O_POINTS,
    OVER,
    P_LAST_WINS,
    P_XING,
    PHASE,
    WALL_AT,
    WALL_N,
    WINNER,
)
from replay.kernels.legal import legal
from replay.kernels.match import start_alike
from replay.kernels.memo import EXPLORE, NOTED, PLAYED, SAVED
from replay.kernels.play import EVENT, MOST_EVENTS, write_event
from replay.kernels.rights import after
from replay.kernels.rounds import ask_nobody, carry, decided, make_move
from replay.kernels.score import settle
from replay.kernels.search import keep_state

MICRO = 1_000_000
"""Parts of a point."""
(NOW, NEW, MEAN, GOT, STUCK, FOUND_CARD, CLIPPED, SUM) = (0, 3, 6, 9, 12, 13, 14, 15)
"""Places in the memory of a ledger: what the round is worth to each seat now, as just worked out, on average over the
wall, after the card really drawn; 1 when a play-out did not end; 1 when the card drawn is in the wall; the points that
count as 1 to the network; what all seats together may expect, which is not 0 where a fourth person is paid."""
KINDS = 16
"""What the round is worth to each seat after each kind that may be drawn, three ints a kind."""
COUNTS = KINDS + 60
"""How many ways there are to draw each kind."""
BOOK_SIZE = COUNTS + 20
"""Ints of the memory of a ledger."""


@kernel
def in_parts(points: float) -> int:
    """Points as the nearest whole number of their parts."""
    return floor(points * MICRO + 0.5)


@kernel
def appraise_draw(s: Ints, table: bytes, plans: Words, mind: Floats, book: Ints, to: int, drawer: int) -> None:
    """What each seat may expect when ``drawer`` is about to draw, three ints at ``book[to]``.

    The network sees each seat by itself; what its answers sum to is taken off all alike, so that they sum to ``SUM``.
    """
    n = s[N_SEATS]
    total = 0.0
    see_all(s, table, plans, mind)
    for seat in range(n):
        mind[FORESEEN + seat] = foresee(s, mind, seat, drawer) * book[CLIPPED]
        total += mind[FORESEEN + seat]
    rest = 0
    for seat in range(n - 1):
        book[to + seat] = in_parts(mind[FORESEEN + seat] - total / n) + book[SUM] // n
        rest += book[to + seat]
    book[to + n - 1] = book[SUM] - rest


@kernel
def paid_out(s: Ints, book: Ints, to: int) -> None:
    """What the round that is over pays; where a 醒 card is to be turned, the mean over the cards that may come."""
    n = s[N_SEATS]
    for seat in range(n):
        book[to + seat] = 0
    first = D_WALL + s[WALL_AT]
    left = s[WALL_N] - s[WALL_AT]
    if s[P_XING] == 0 or s[WINNER] < 0 or left <= 0:
        left = 1
    for i in range(left):
        swap_wall(s, first, first + i)
        settle(s, -1)
        swap_wall(s, first, first + i)
        for seat in range(n):
            book[to + seat] += s[O_POINTS + seat]
    for seat in range(n):
        book[to + seat] = book[to + seat] * MICRO // left


@kernel
def swap_wall(s: Ints, a: int, b: int) -> None:
    """Exchange two cards of the wall."""
    card = s[a]
    s[a] = s[b]
    s[b] = card


@kernel
def play_to_draw(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, book: Ints, to: int
) -> None:  # fmt: skip
    """Let the reference player move for all up to the next draw or the end, and write at ``book[to]`` what that is
    worth. Answers given before (``memo.ANSWER``) count in the first window."""
    n = PLAYED // EVENT
    last = n + MOST_EVENTS - 8
    while s[PHASE] != OVER:
        moves = legal(s, table)
        if moves == 0 or n > last:
            book[STUCK] = 1
            return
        move = decided(s, plans, weights, net, stream, moves)
        if s[MOVES + MOVE * move + 1] == A_DRAW:
            appraise_draw(s, table, plans, mind, book, to, s[MOVES + MOVE * move])
            return
        n = make_move(s, table, s, n, move)
        ask_nobody(s)
    paid_out(s, book, to)


@kernel
def look_ahead(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, book: Ints, to: int
) -> None:  # fmt: skip
    """As ``play_to_draw``, and the state is as it was before."""
    keep_state(s, SAVED, 0)
    play_to_draw(s, table, plans, weights, net, mind, stream, book, to)
    keep_state(s, SAVED, 1)


@kernel
def count_ways(s: Ints, book: Ints) -> int:
    """Ways to draw each kind next, at ``COUNTS``; returns their sum.

    Where the last card is always black (rules 15.3) the only black card left is not drawn before it; up to then every
    card left is as likely as any other, although the exchange is made at the start.
    """
    for card in range(20):
        book[COUNTS + card] = 0
    total = 0
    black = -1
    blacks = 0
    for i in range(s[WALL_AT], s[WALL_N]):
        card = s[D_WALL + i]
        book[COUNTS + card] += 1
        total += 1
        if (RED_LOW >> (2 * card)) & 1 == 0:
            black = card
            blacks += 1
    if s[P_LAST_WINS] == 0 and blacks == 1 and total > 1:
        book[COUNTS + black] = 0
        total -= 1
    return total


@kernel
def weigh_draw(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, book: Ints,
    seat: int, drawn: int,
) -> None:  # fmt: skip
    """Work out what every card that the seat may draw now is worth, and their mean, at ``KINDS`` and ``MEAN``; the
    state is as it was before. What the card ``drawn`` is worth comes to ``GOT``."""
    ways = count_ways(s, book)
    book[FOUND_CARD] = 0
    for i in range(3):
        book[MEAN + i] = 0
    keep_state(s, SAVED, 0)
    first = D_WALL + s[WALL_AT]
    for card in range(20):
        n = book[COUNTS + card]
        if n == 0:
            continue
        at = first
        while s[at] != card:
            at += 1
        swap_wall(s, first, at)
        begin = PLAYED // EVENT
        carry(s, table, s, begin, write_event(s, begin, seat, A_DRAW, card, -2, -2))
        ask_nobody(s)
        to = KINDS + 3 * card
        play_to_draw(s, table, plans, weights, net, mind, stream, book, to)
        keep_state(s, SAVED, 1)
        for i in range(s[N_SEATS]):
            book[MEAN + i] += n * book[to + i]
        if card == drawn:
            book[FOUND_CARD] = 1
            for i in range(3):
                book[GOT + i] = book[to + i]
    for i in range(s[N_SEATS]):
        book[MEAN + i] = book[MEAN + i] // max(ways, 1)


@kernel
def deal_values(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, deals: int,
    kind: int, begin: int, seats: int, paid: int, extra: int, events: Ints, book: Ints, values: Ints,
) -> int:  # fmt: skip
    """What fresh deals are worth to the dealer and those after it, three ints a deal; returns the deals, -1 if a
    play-out does not end. ``kind``, ``begin``: the reference player, see ``match.seat_players``."""
    s[NOTED] = -1
    s[EXPLORE] = 0
    book[STUCK] = 0
    for k in range(deals):
        start_alike(s, table, stream, events, kind, begin, seats, paid, extra)
        ask_nobody(s)
        play_to_draw(s, table, plans, weights, net, mind, stream, book, NEW)
        if book[STUCK] != 0:
            return -1
        for step in range(seats):
            values[3 * k + step] = book[NEW + after(s, s[DEALER], step)]
    return deals
