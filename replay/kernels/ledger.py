"""The ledger of a round: whose luck and whose decisions made of it what it paid (docs/luck.md).

The round is walked event by event. What it is worth now is carried along as whole parts of a point, and each term is
the difference of two such worths, so the terms add up to what was paid, to the last part.
"""

from __future__ import annotations

from replay.kernels.deeds import move_of, next_change
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_BI,
    A_BU,
    A_CHI,
    A_CLAIM,
    A_DRAW,
    A_HU,
    A_LEAVE,
    A_PASS,
    D_WALL,
    DEAL0,
    DEAL_SIZE,
    DEALER,
    KNOWN,
    N_FOUND,
    N_SEATS,
    O_POINTS,
    OVER,
    P_XING,
    PHASE,
    SEAT0,
    SEAT_SIZE,
    SEQ,
    WALL_AT,
    WALL_N,
    WINNER,
)
from replay.kernels.legal import legal
from replay.kernels.luck import FOUND_CARD, GOT, MEAN, MICRO, NEW, NOW, STUCK, look_ahead, weigh_draw
from replay.kernels.memo import EXPLORE, KIND, NOTED, WEIGHTS, remember_deal
from replay.kernels.opening import begin
from replay.kernels.play import EVENT
from replay.kernels.rights import after
from replay.kernels.rounds import ask_nobody, carry
from replay.kernels.score import settle

COMPLETE, UNKNOWN_CARDS, FAULTS, UNFINISHED, LEFT_EARLY, NO_END = range(6)
"""Whether there is a ledger: there is; a hand or the wall is not known; the rules do not allow what was recorded; the
record stops before the end; a player left; a play-out did not end."""
T_DRAW, T_DECISION, T_REVISION, T_XING = range(4)
(
    TERM_KIND, TERM_SEQ, TERM_SEAT, TERM_CARD, TERM_VALUE,
) = range(5)  # fmt: skip
TERM = 7
"""Ints of a term: what it is, at which event, of which seat (-1 nobody), the card drawn (-1 none), and its worth to
each of three seats."""
MOST_TERMS = 1200
"""Terms that a round can have at most."""
L_REASON, L_PAID, L_EXPECTED, L_DEAL, L_DRAWS, L_REVISION, L_DECISIONS = 0, 1, 4, 7, 10, 13, 16
LEDGER = 25
"""Ints of a ledger: the reason why there is none, or 0; three ints each: the payment, the expectations of the roles,
the luck of the deal, of all draws, the evaluator's revisions; three for the decisions of each seat."""


@kernel
def enter(s: Ints, book: Ints, out: Ints, row: int, terms: Ints, n: int, kind: int, seat: int, card: int) -> int:
    """Enter the change from ``NOW`` to ``NEW`` as a term, unless there is none; returns the number of terms."""
    into = L_DRAWS
    if kind == T_REVISION or (kind == T_DECISION and seat < 0):
        into = L_REVISION
    elif kind == T_DECISION:
        into = L_DECISIONS + 3 * seat
    at = TERM * n
    some = 0
    for i in range(s[N_SEATS]):
        change = book[NEW + i] - book[NOW + i]
        out[row + into + i] += change
        terms[at + TERM_VALUE + i] = change
        book[NOW + i] = book[NEW + i]
        if change != 0:
            some = 1
    if some == 0 and kind != T_DRAW:
        return n
    for i in range(s[N_SEATS], 3):
        terms[at + TERM_VALUE + i] = 0
    terms[at + TERM_KIND] = kind
    terms[at + TERM_SEQ] = s[SEQ] + 1
    terms[at + TERM_SEAT] = seat
    terms[at + TERM_CARD] = card
    return n + 1


@kernel
def explain(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, book: Ints,
    events: Ints, i: int, end: int, out: Ints, row: int, terms: Ints, n: int,
) -> int:  # fmt: skip
    """Enter the decisions that led to the events ``i..end-1``, one seat after the other; returns the number of terms.

    What cannot be told so is left for ``NOW`` to be wrong: the caller works it out again after the events. Then the
    result is ``-1 - n``.
    """
    at = EVENT * i
    ask_nobody(s)
    moves = legal(s, table)
    if moves == 0:
        return -1 - n
    real = move_of(s, moves, events, i, end)
    for _ in range(8):
        seat = next_change(s, plans, weights, net, stream, moves, real, events[at])
        if seat == -1:
            return n
        if seat == -2:
            return -1 - n
        look_ahead(s, table, plans, weights, net, mind, stream, book, NEW)
        n = enter(s, book, out, row, terms, n, T_DECISION, seat, -1)
        legal(s, table)
    return -1 - n


@kernel
def cards_known(s: Ints) -> bool:
    """Are all hands and the whole wall known?"""
    for seat in range(s[N_SEATS]):
        if s[SEAT0 + seat * SEAT_SIZE + KNOWN] == 0:
            return False
    for i in range(s[WALL_N]):
        if s[D_WALL + i] < 0:
            return False
    return s[WALL_N] >= 0


@kernel
def cards_named(events: Ints, i: int, end: int) -> bool:
    """Do the events ``i..end-1`` name every card that they move?"""
    for k in range(i, end):
        at = EVENT * k
        action = events[at + 1]
        if action < A_HU and events[at + 2] < 0:
            return False
        if action in (A_CHI, A_BI) and (events[at + 3] < 0 or events[at + 4] < 0):
            return False
    return True


@kernel
def take_over(s: Ints, book: Ints, to: int) -> None:
    """The worth at ``book[to]`` becomes the new one, to be entered."""
    for i in range(s[N_SEATS]):
        book[NEW + i] = book[to + i]


@kernel
def one_event(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, book: Ints,
    events: Ints, i: int, end: int, out: Ints, row: int, terms: Ints, n: int,
) -> int:  # fmt: skip
    """Explain the events ``i..end-1``, a 吃 with its 比 or a single one, and carry them out; returns the number of
    terms, -1 when a card is drawn that the wall does not have."""
    at = EVENT * i
    action = events[at + 1]
    again = action == A_PASS
    if action not in (A_PASS, A_CLAIM):
        n = explain(s, table, plans, weights, net, mind, stream, book, events, i, end, out, row, terms, n)
        again = n < 0
        n = -1 - n if n < 0 else n
    seat = events[at]
    if action == A_DRAW:
        again = False
        weigh_draw(s, table, plans, weights, net, mind, stream, book, seat, events[at + 2])
        if book[FOUND_CARD] == 0:
            return -1
        take_over(s, book, MEAN)
        n = enter(s, book, out, row, terms, n, T_REVISION, -1, -1)
        take_over(s, book, GOT)
        n = enter(s, book, out, row, terms, n, T_DRAW, seat, events[at + 2])
    carry(s, table, events, i, end)
    if again and s[N_FOUND] == 0:
        s[SEQ] -= end - i
        ask_nobody(s)
        look_ahead(s, table, plans, weights, net, mind, stream, book, NEW)
        n = enter(s, book, out, row, terms, n, T_DECISION, seat, -1)
        s[SEQ] += end - i
    return n


@kernel
def one_ledger(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, book: Ints,
    roles: Ints, events: Ints, first: int, last: int, out: Ints, row: int, terms: Ints, n: int,
) -> int:  # fmt: skip
    """The ledger of the round whose deal lies in ``s``; returns the number of terms. See ``ledgers``."""
    for i in range(LEDGER):
        out[row + i] = 0
    begin(s)
    remember_deal(s)
    s[SEQ] = -1
    i = first
    while i < last and events[EVENT * i + 1] == A_BU:
        i = carry(s, table, events, i, i + 1)
    if not cards_known(s):
        out[row] = UNKNOWN_CARDS
        return n
    seats = s[N_SEATS]
    ask_nobody(s)
    look_ahead(s, table, plans, weights, net, mind, stream, book, NOW)
    for step in range(seats):
        seat = after(s, s[DEALER], step)
        out[row + L_EXPECTED + seat] = roles[step]
        out[row + L_DEAL + seat] = book[NOW + seat] - roles[step]
    while i < last and book[STUCK] == 0:
        if events[EVENT * i + 1] == A_LEAVE:
            out[row] = LEFT_EARLY
            return n
        end = i + 1
        while end < last and events[EVENT * i + 1] == A_CHI and events[EVENT * end + 1] == A_BI:
            end += 1
        if not cards_named(events, i, end):
            out[row] = UNKNOWN_CARDS
            return n
        n = one_event(s, table, plans, weights, net, mind, stream, book, events, i, end, out, row, terms, n)
        if n < 0 or s[N_FOUND] != 0:
            out[row] = FAULTS
            return max(n, 0)
        i = end
    if book[STUCK] != 0 or s[PHASE] != OVER:
        out[row] = NO_END if book[STUCK] != 0 else UNFINISHED
        return n
    settle(s, -1)
    for seat in range(seats):
        out[row + L_PAID + seat] = s[O_POINTS + seat] * MICRO
        book[NEW + seat] = s[O_POINTS + seat] * MICRO
    turned = s[P_XING] != 0 and s[WINNER] >= 0 and s[WALL_AT] < s[WALL_N]
    s[SEQ] -= 1
    if turned:
        return enter(s, book, out, row, terms, n, T_XING, s[WINNER], s[D_WALL + s[WALL_AT]])
    return enter(s, book, out, row, terms, n, T_REVISION, -1, -1)


@kernel
def ledgers(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, mind: Floats, stream: Ints, rounds: int, kind: int,
    start_of: int, roles: Ints, deals: Ints, events: Ints, spans: Ints, book: Ints, out: Ints, terms: Ints,
    room: int, keep: int, cuts: Ints,
) -> int:  # fmt: skip
    """Write the ledgers of ``rounds`` rounds, ``LEDGER`` ints each; returns how many found ``room`` for their terms.

    ``kind``, ``start_of``: the reference player, see ``match.seat_players``; ``roles``: what is expected of the dealer
    and those after it; ``deals``, ``events``, ``spans``: as ``audit.audit_rounds``; ``terms``: ``TERM`` ints a term,
    round ``r`` having those from ``cuts[r]`` on, unless ``keep`` is 0: then they are overwritten.
    """
    s[NOTED] = -1
    s[EXPLORE] = 0
    n = 0
    cuts[0] = 0
    for r in range(rounds):
        if n + MOST_TERMS > room:
            return r
        for seat in range(3):
            s[KIND + seat] = kind
            s[WEIGHTS + seat] = start_of
        for i in range(DEAL_SIZE):
            s[DEAL0 + i] = deals[DEAL_SIZE * r + i]
        book[STUCK] = 0
        more = one_ledger(
            s, table, plans, weights, net, mind, stream, book, roles, events, spans[r], spans[r + 1], out,
            LEDGER * r, terms, n,
        )  # fmt: skip
        if out[LEDGER * r] != COMPLETE:
            more = n
        if keep == 1:
            n = more
        cuts[r + 1] = n
    return rounds
