"""Playing a round on: what may come next is asked of ``legal``, who decides of ``policies``."""

from __future__ import annotations

from replay.kernels.claims import finish_chi
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_CHI,
    A_CHOU_WEI,
    A_DISCARD,
    A_DRAW,
    A_HU,
    A_HUANG,
    A_PAO,
    A_PENG,
    A_TI,
    A_TI_OPEN,
    A_WEI,
    CHI_SEAT,
    MOVE,
    MOVES,
    OVER,
    P_PENG_FORCED,
    P_TO_HAND,
    PHASE,
    SEQ,
)
from replay.kernels.legal import legal
from replay.kernels.memo import ANSWER, UNASKED, remember, remember_before, remember_deal
from replay.kernels.opening import begin
from replay.kernels.play import EVENT, MOST_EVENTS, write_extra, write_move
from replay.kernels.policies import decide
from replay.kernels.step import step


@kernel
def carry(s: Ints, table: bytes, events: Ints, first: int, last: int) -> int:
    """As ``play.carry_out``, and everybody at the table remembers the events."""
    for i in range(first, last):
        at = EVENT * i
        seat = events[at]
        action = events[at + 1]
        s[SEQ] += 1
        remember_before(s, seat, action)
        step(s, table, seat, action, events[at + 2], events[at + 3], events[at + 4])
        remember(s, seat, action, events[at + 2], events[at + 3], events[at + 4])
    if s[CHI_SEAT] >= 0:
        finish_chi(s)
    return last


@kernel
def make_move(s: Ints, table: bytes, events: Ints, n: int, move: int) -> int:
    """Carry the ``move``-th move of ``legal`` out, its events from the ``n``-th on; returns the number behind them."""
    return carry(s, table, events, n, write_move(s, events, n, move))


@kernel
def agreed(s: Ints, moves: int) -> int:
    """Which of the moves at ``MOVES`` happens, by the seats' answers; ``-1 - seat``: that one is to be asked first.

    Seats that may win are asked first, then 碰, then 吃 (rules 4.2 to 4.6). Each is asked once and answers with the one
    thing it would do; what ranks higher goes first (rules 4.7).
    """
    if moves == 1:
        return 0
    for turn in range(4):
        for i in range(moves):
            at = MOVES + MOVE * i
            action = s[at + 1]
            if turn == 0:
                wanted = action == A_HU
            elif turn == 1:
                wanted = action in (A_TI_OPEN, A_TI, A_WEI, A_CHOU_WEI, A_PAO)
                if wanted and s[P_TO_HAND] == 0:
                    return i
            elif turn == 2:
                wanted = action == A_PENG
                if wanted and s[P_PENG_FORCED] == 1:
                    return i
            else:
                wanted = action in (A_CHI, A_DISCARD)
            if wanted:
                answer = s[ANSWER + s[at]]
                if answer == UNASKED:
                    return -1 - s[at]
                if answer >= 0 and s[MOVES + MOVE * answer + 1] == action:
                    return answer
    for i in range(moves):
        if s[MOVES + MOVE * i + 1] in (A_DRAW, A_HUANG):
            return i
    return moves - 1


@kernel
def ask_nobody(s: Ints) -> None:
    """Nobody has been asked yet what it would do in the open window."""
    for seat in range(3):
        s[ANSWER + seat] = UNASKED


@kernel
def decided(s: Ints, plans: Words, weights: Ints, net: Floats, stream: Ints, moves: int) -> int:
    """Which of the moves at ``MOVES`` happens when every seat that is to be asked decides for itself."""
    move = agreed(s, moves)
    while move < 0:
        s[ANSWER - 1 - move] = decide(s, plans, weights, net, stream, -1 - move, moves)
        move = agreed(s, moves)
    return move


@kernel
def play_out(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, events: Ints, n: int
) -> int:  # fmt: skip
    """Play on to the end, event ``n`` being the next; returns the number behind the last one, -1 without an end."""
    last = n + MOST_EVENTS - 8
    while s[PHASE] != OVER:
        moves = legal(s, table)
        if moves == 0 or n > last:
            return -1
        ask_nobody(s)
        n = make_move(s, table, events, n, decided(s, plans, weights, net, stream, moves))
    return n


@kernel
def start(s: Ints, table: bytes, events: Ints, n: int, seats: int, extra: int) -> int:
    """Begin the round whose deal lies in ``s``; event ``n`` is its first, of the extra cards (rules 12.2)."""
    begin(s)
    remember_deal(s)
    s[SEQ] = -1
    return carry(s, table, events, n, write_extra(s, events, n, seats, extra))
