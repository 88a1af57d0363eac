"""Playing a round on: what may come next is asked of ``legal``, who decides of ``policies``."""

from __future__ import annotations

from replay.kernels.claims import finish_chi
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_BI,
    A_BU,
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
    D_DEALER,
    D_WALL,
    MAX_WALL,
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
from replay.kernels.play import EVENT, MOST_EVENTS, dealt_quads, others_of
from replay.kernels.policies import decide
from replay.kernels.step import step


@kernel
def carry(
    s: Ints, table: bytes, events: Ints, n: int, seat: int, action: int, card: int, a: int, b: int
) -> int:  # fmt: skip
    """Carry an event out, remember it, and write it as the ``n``-th of the array; returns the new number."""
    s[SEQ] += 1
    remember_before(s, seat, action)
    step(s, table, seat, action, card, a, b)
    remember(s, seat, action, card, a, b)
    at = EVENT * n
    events[at] = seat
    events[at + 1] = action
    events[at + 2] = card
    events[at + 3] = a
    events[at + 4] = b
    return n + 1


@kernel
def make_move(s: Ints, table: bytes, events: Ints, n: int, move: int) -> int:
    """Carry the ``move``-th move of ``legal`` out, a 吃 with its 比."""
    at = MOVES + MOVE * move
    seat = s[at]
    action = s[at + 1]
    card = s[at + 2]
    code = s[at + 3]
    if action != A_CHI:
        return carry(s, table, events, n, seat, action, card, -2, -2)
    pair = others_of(s, code & 63, card)
    n = carry(s, table, events, n, seat, action, card, pair % 32, pair // 32)
    for shift in range(6, 13, 6):
        group = ((code >> shift) & 63) - 1
        if group >= 0:
            pair = others_of(s, group, card)
            n = carry(s, table, events, n, seat, A_BI, card, pair % 32, pair // 32)
    finish_chi(s)
    return n


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
def play_out(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, events: Ints, n: int
) -> int:  # fmt: skip
    """Play on to the end, event ``n`` being the next; returns the number behind the last one, -1 without an end."""
    last = n + MOST_EVENTS - 8
    while s[PHASE] != OVER:
        moves = legal(s, table)
        if moves == 0 or n > last:
            return -1
        for seat in range(3):
            s[ANSWER + seat] = UNASKED
        move = agreed(s, moves)
        while move < 0:
            s[ANSWER - 1 - move] = decide(s, plans, weights, net, stream, -1 - move, moves)
            move = agreed(s, moves)
        n = make_move(s, table, events, n, move)
    return n


@kernel
def start(s: Ints, table: bytes, events: Ints, n: int, seats: int, extra: int) -> int:
    """Begin the round whose deal lies in ``s``; event ``n`` is its first, of the extra cards (rules 12.2)."""
    begin(s)
    remember_deal(s)
    s[SEQ] = -1
    given = 0
    for step_ in range(seats):
        seat = (s[D_DEALER] + step_) % seats
        if extra == 1 and dealt_quads(s, seat) == 2:
            n = carry(s, table, events, n, seat, A_BU, s[D_WALL + MAX_WALL - 1 - given], -2, -2)
            given += 1
    return n
