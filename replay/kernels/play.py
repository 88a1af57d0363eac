"""Random legal rounds: dealt, played and written as events inside the kernels, for tests by the million."""

from __future__ import annotations

from replay.kernels.bits import RED_LOW, copies
from replay.kernels.claims import finish_chi
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_BI,
    A_BU,
    A_CHI,
    A_HU,
    A_HUANG,
    A_PASS,
    CHI_SEAT,
    D_DEALER,
    D_HANDS,
    D_LIANG,
    D_LOGS_UNCLAIMED,
    D_PAID_SITTER,
    D_SEATS,
    D_WALL,
    D_WALL_N,
    DEAL0,
    DEAL_SIZE,
    MAX_WALL,
    MOVE,
    MOVES,
    OVER,
    P_LAST_WINS,
    PACK,
    PHASE,
    SEQ,
)
from replay.kernels.legal import legal
from replay.kernels.opening import begin
from replay.kernels.step import step

EVENT = 5
MOST_EVENTS = 420
"""Events that a round can have at most."""
STREAM = 2
"""Ints of a random stream: the two states of L'Ecuyer's combined generator (1988), each at least 1."""


@kernel
def draw_below(stream: Ints, n: int) -> int:
    """Nearly uniform in ``0..n-1``, n far below 2**31."""
    stream[0] = stream[0] * 40014 % 2147483563
    stream[1] = stream[1] * 40692 % 2147483399
    return (stream[0] - stream[1]) % 2147483562 % n


@kernel
def deal_round(s: Ints, stream: Ints, dealer: int, seats: int, paid: int, extra: int) -> None:
    """Shuffle and deal at ``DEAL0``; ``dealer`` -1: drawn.

    ``extra`` 1: a seat dealt exactly two 提 has the wall's next card too (12.2). The extra cards stand behind the
    deal's wall, from ``D_WALL + 19`` on, in the order of the seats from the dealer.
    """
    for i in range(80):
        s[i] = i // 4
    for i in range(79, 0, -1):
        j = draw_below(stream, i + 1)
        card = s[i]
        s[i] = s[j]
        s[j] = card
    if dealer < 0:
        dealer = draw_below(stream, seats)
    for i in range(DEAL_SIZE):
        s[DEAL0 + i] = -1
    for i in range(20 * seats):
        s[D_HANDS + i] = s[i]
    more = 0
    if extra == 1:
        for step_ in range(seats):
            seat = (dealer + step_) % seats
            if dealt_quads(s, seat) == 2:
                s[D_WALL + MAX_WALL - 1 - more] = s[20 * seats + more]
                more += 1
    s[D_DEALER] = dealer
    s[D_LOGS_UNCLAIMED] = 0
    s[D_SEATS] = seats
    s[D_PAID_SITTER] = paid
    s[D_LIANG] = s[20 * seats + more]
    n = 80 - 20 * seats - 1 - more
    s[D_WALL_N] = n
    for i in range(n):
        s[D_WALL + i] = s[20 * seats + 1 + more + i]
    last = D_WALL + n - 1
    if s[P_LAST_WINS] == 0:  # the bottom card is exchanged for a black one (rules 15.3)
        at = last
        while (RED_LOW >> (2 * s[at])) & 1 == 1:
            at -= 1
        card = s[last]
        s[last] = s[at]
        s[at] = card


@kernel
def dealt_quads(s: Ints, seat: int) -> int:
    """Kinds of which the seat was dealt all four."""
    ones = 0
    twos = 0
    quads = 0
    for i in range(20):
        bit = 1 << (2 * s[D_HANDS + 20 * seat + i])
        quads += 1 if ones & bit != 0 and twos & bit != 0 else 0
        twos ^= bit & ones
        ones ^= bit
    return quads


@kernel
def write_event(events: Ints, n: int, seat: int, action: int, card: int, a: int, b: int) -> int:
    """Write an event as the ``n``-th of the array; returns the new number."""
    at = EVENT * n
    events[at] = seat
    events[at + 1] = action
    events[at + 2] = card
    events[at + 3] = a
    events[at + 4] = b
    return n + 1


@kernel
def others_of(s: Ints, group: int, card: int) -> int:
    """The two cards of a triple beside ``card``, as ``low + 32 * high``."""
    rest = s[PACK + group] - (1 << (2 * card))
    low = -1
    high = -1
    for kind in range(20):
        for _ in range(copies(rest, kind)):
            if low < 0:
                low = kind
            else:
                high = kind
    return low + 32 * high


@kernel
def write_move(s: Ints, events: Ints, n: int, move: int) -> int:
    """Write the events of the ``move``-th move of ``legal``, a 吃 with its 比, from the ``n``-th on."""
    at = MOVES + MOVE * move
    seat = s[at]
    action = s[at + 1]
    card = s[at + 2]
    code = s[at + 3]
    if action != A_CHI:
        return write_event(events, n, seat, action, card, -2, -2)
    pair = others_of(s, code & 63, card)
    n = write_event(events, n, seat, action, card, pair % 32, pair // 32)
    for shift in range(6, 13, 6):
        group = ((code >> shift) & 63) - 1
        if group >= 0:
            pair = others_of(s, group, card)
            n = write_event(events, n, seat, A_BI, card, pair % 32, pair // 32)
    return n


@kernel
def write_extra(s: Ints, events: Ints, n: int, seats: int, extra: int) -> int:
    """Write the events of the extra cards of the deal, where they are given (``extra`` 1, rules 12.2)."""
    given = 0
    for step_ in range(seats):
        seat = (s[D_DEALER] + step_) % seats
        if extra == 1 and dealt_quads(s, seat) == 2:
            n = write_event(events, n, seat, A_BU, s[D_WALL + MAX_WALL - 1 - given], -2, -2)
            given += 1
    return n


@kernel
def carry_out(s: Ints, table: bytes, events: Ints, first: int, last: int) -> int:
    """Carry the written events ``first..last-1`` out, a 吃 with its 比 together; returns ``last``."""
    for i in range(first, last):
        at = EVENT * i
        s[SEQ] += 1
        step(s, table, events[at], events[at + 1], events[at + 2], events[at + 3], events[at + 4])
    if s[CHI_SEAT] >= 0:
        finish_chi(s)
    return last


@kernel
def choose_move(s: Ints, stream: Ints, moves: int) -> int:
    """A random move: a win is mostly taken, a 过 seldom made, anything else as likely."""
    while True:
        move = draw_below(stream, moves)
        action = s[MOVES + MOVE * move + 1]
        if action == A_PASS and draw_below(stream, 4) != 0:
            continue
        for i in range(moves):
            if s[MOVES + MOVE * i + 1] == A_HU and draw_below(stream, 8) != 0:
                return i
        if action == A_HUANG and draw_below(stream, 2) == 0:
            continue
        return move


@kernel
def random_round(
    s: Ints, table: bytes, stream: Ints, seats: int, paid: int, extra: int, events: Ints, first: int
) -> int:  # fmt: skip
    """Deal and play one round, its events written from the ``first`` of the array on; returns the next free one.

    -1: the round does not end.
    """
    deal_round(s, stream, -1, seats, paid, extra)
    begin(s)
    s[SEQ] = -1
    n = carry_out(s, table, events, first, write_extra(s, events, first, seats, extra))
    while s[PHASE] != OVER:
        moves = legal(s, table)
        if moves == 0 or n > first + MOST_EVENTS - 4:
            return -1
        n = carry_out(s, table, events, n, write_move(s, events, n, choose_move(s, stream, moves)))
    return n


@kernel
def random_rounds(
    s: Ints, table: bytes, stream: Ints, rounds: int, room: int, seats: int, paid: int, extra: int,
    deals: Ints, events: Ints, spans: Ints,
) -> int:  # fmt: skip
    """Play ``rounds`` rounds; returns how many fitted into ``room`` events, or -1 if a round did not end.

    ``deals``: ``DEAL_SIZE`` ints a round; ``spans``: offsets of the rounds' events, as ``audit.audit_rounds`` reads.
    """
    spans[0] = 0
    for r in range(rounds):
        first = spans[r]
        if first + MOST_EVENTS > room:
            return r
        end = random_round(s, table, stream, seats, paid, extra, events, first)
        if end < 0:
            return -1
        for i in range(DEAL_SIZE):
            deals[DEAL_SIZE * r + i] = s[DEAL0 + i]
        spans[r + 1] = end
    return rounds
