"""Counts of many rounds: who won and how, what it was worth, how far from a win the hands were and when they listened.

Everything is added up in one array of ints (``C_*``), so parts of a run may be added in any order. A seat counts by its
role: 0 the dealer (庄), 1 the seat after him (下家), 2 the seat before him (上家).

A turn is told twice: the cards that anybody drew from the wall so far, and those that the seat itself drew. A seat
listens (听) from the first moment at rest, no discard being due of it, at which 0 or 1 cards are wanting.
"""

from __future__ import annotations

from replay.kernels.audit import EVENT, S_SOURCE, S_SPECIAL, S_WINNER, SUMMARY_SIZE
from replay.kernels.claims import finish_chi
from replay.kernels.jit import Ints, Words, kernel
from replay.kernels.layout import (
    A_BI,
    A_BU,
    A_DISCARD,
    A_DRAW,
    A_HU,
    A_TI_OPEN,
    CHI_SEAT,
    D_DEALER,
    D_SEATS,
    DEAL0,
    DEAL_SIZE,
    O_FAN,
    O_HUXI,
    O_POINTS,
    SCORE0,
    SEQ,
)
from replay.kernels.opening import begin
from replay.kernels.pieces import WORK_SIZE
from replay.kernels.rights import discard_due
from replay.kernels.score import FANS
from replay.kernels.step import step
from replay.kernels.steps import DEAD, NO_STEPS, steps_to_win

ROLES = 3
STEPS = 24
"""Bins of steps: the first is ``DEAD``, then 0, 1, 2 …"""
TURNS = 41
HUXI_BINS = 256
PLAIN = FANS + 3
"""Slots of the kinds of win: the 番, the three special wins, and 平胡, which is neither."""
WIN = 5
"""Ints of a kind of win: wins, 胡息 and their squares, points of the winner and their squares."""
C_ROUNDS = 0
C_WINS = 1
"""By role."""
C_SOURCES = C_WINS + ROLES
"""By ``W_*``; ``W_NONE`` is a win on dealt cards without a shape."""
C_POINTS = C_SOURCES + 5
"""By role: points and their squares."""
C_WIN = C_POINTS + 2 * ROLES
"""``WIN`` ints of all wins."""
C_KINDS = C_WIN + WIN
"""``WIN`` ints of each kind of win."""
C_HUXI = C_KINDS + WIN * (PLAIN + 1)
C_STEPS = C_HUXI + HUXI_BINS
"""By role: steps at the deal, the 亮张 in the dealer's hand and the extra cards (rules 12.2) with their seats."""
C_READY_WALL = C_STEPS + ROLES * STEPS
"""By role: cards drawn by anybody when the seat first listens; ``C_READY_OWN``: by the seat itself."""
C_READY_OWN = C_READY_WALL + ROLES * TURNS
C_WIN_WALL = C_READY_OWN + ROLES * TURNS
C_WIN_OWN = C_WIN_WALL + TURNS
COUNTS = C_WIN_OWN + TURNS

X_DRAWS = WORK_SIZE
"""Behind the scratch memory of the steps: cards each seat has drawn, ..."""
X_UNTIL = X_DRAWS + ROLES
"""... and the intakes that it is at least from listening; about ``LISTENS`` when it does, or never will."""
SURVEY_WORK = X_UNTIL + ROLES
LISTENS = 1 << 20


@kernel
def count_win(counts: Ints, at: int, huxi: int, points: int) -> None:
    """Add a win to the ``WIN`` ints at ``at``."""
    counts[at] += 1
    counts[at + 1] += huxi
    counts[at + 2] += huxi * huxi
    counts[at + 3] += points
    counts[at + 4] += points * points


@kernel
def count_result(counts: Ints, summary: Ints, base: int, dealer: int, seats: int) -> None:
    """Add what a round came to, of the ``SUMMARY_SIZE`` ints at ``base``."""
    counts[C_ROUNDS] += 1
    for seat in range(seats):
        points = summary[base + O_POINTS - SCORE0 + seat]
        at = C_POINTS + 2 * ((seat - dealer) % seats)
        counts[at] += points
        counts[at + 1] += points * points
    winner = summary[base + S_WINNER]
    if winner < 0:
        return
    counts[C_WINS + (winner - dealer) % seats] += 1
    counts[C_SOURCES + summary[base + S_SOURCE]] += 1
    huxi = summary[base + O_HUXI - SCORE0]
    points = summary[base + O_POINTS - SCORE0 + winner]
    fan = summary[base + O_FAN - SCORE0]
    special = summary[base + S_SPECIAL]
    counts[C_HUXI + min(huxi, HUXI_BINS - 1)] += 1
    count_win(counts, C_WIN, huxi, points)
    for i in range(FANS):
        if (fan >> i) & 1 == 1:
            count_win(counts, C_KINDS + WIN * i, huxi, points)
    if special != 0:
        count_win(counts, C_KINDS + WIN * (FANS + special - 1), huxi, points)
    elif fan == 0:
        count_win(counts, C_KINDS + WIN * PLAIN, huxi, points)


@kernel
def look_at_deal(s: Ints, rows: Words, work: Ints, counts: Ints, seat: int, role: int) -> None:
    """Count the seat's steps at the deal; it listens with them when it owes no discard."""
    steps = steps_to_win(s, rows, work, seat)
    if steps == NO_STEPS:
        work[X_UNTIL + seat] = LISTENS
        return
    counts[C_STEPS + STEPS * role + min(steps + 1, STEPS - 1)] += 1
    work[X_UNTIL + seat] = LISTENS if steps == DEAD else max(0, steps - 1)
    note_listening(s, work, counts, seat, role, steps, 0)


@kernel
def note_listening(s: Ints, work: Ints, counts: Ints, seat: int, role: int, steps: int, wall: int) -> None:
    """The seat has so many steps now: does it listen?"""
    if (steps == 0 or steps == 1) and discard_due(s, seat) < 1:
        counts[C_READY_WALL + TURNS * role + wall] += 1
        counts[C_READY_OWN + TURNS * role + work[X_DRAWS + seat]] += 1
        work[X_UNTIL + seat] = LISTENS


@kernel
def look_after(s: Ints, rows: Words, work: Ints, counts: Ints, seat: int, role: int, wall: int) -> None:
    """Look whether the seat listens after an action of its own that changed its cards.

    A card that comes is one step at most, so nothing is computed before as many came as are still wanting.
    """
    if work[X_UNTIL + seat] > 0 or discard_due(s, seat) > 0:
        return
    steps = steps_to_win(s, rows, work, seat)
    work[X_UNTIL + seat] = LISTENS if steps == DEAD else max(0, steps - 1)
    note_listening(s, work, counts, seat, role, steps, wall)


@kernel
def survey_round(
    s: Ints, table: bytes, rows: Words, work: Ints, events: Ints, first: int, last: int, counts: Ints
) -> None:  # fmt: skip
    """Walk through the round whose deal lies in ``s`` and count its steps and turns."""
    begin(s)
    seats = s[D_SEATS]
    dealer = s[D_DEALER]
    for seat in range(seats):
        work[X_DRAWS + seat] = 0
        work[X_UNTIL + seat] = 0
    wall = 0
    dealt = 0
    for i in range(first, last):
        at = EVENT * i
        seat = events[at]
        action = events[at + 1]
        if dealt == 0 and action != A_BU:
            dealt = 1
            for one in range(seats):
                look_at_deal(s, rows, work, counts, one, (one - dealer) % seats)
        s[SEQ] = i - first
        step(s, table, seat, action, events[at + 2], events[at + 3], events[at + 4])
        if action == A_DRAW:
            wall += 1
            work[X_DRAWS + seat] += 1
        elif action == A_HU:
            counts[C_WIN_WALL + wall] += 1
            counts[C_WIN_OWN + work[X_DRAWS + seat]] += 1
        elif action <= A_TI_OPEN:
            if action != A_DISCARD and action != A_BI:
                work[X_UNTIL + seat] -= 1
            if i + 1 < last and events[at + EVENT + 1] == A_BI:
                continue
            if s[CHI_SEAT] >= 0:
                finish_chi(s)
            look_after(s, rows, work, counts, seat, (seat - dealer) % seats, wall)


@kernel
def survey_rounds(
    s: Ints, table: bytes, rows: Words, work: Ints, rounds: int, deals: Ints, events: Ints, spans: Ints,
    summaries: Ints, counts: Ints,
) -> int:  # fmt: skip
    """Add ``rounds`` clean rounds to ``counts`` (``COUNTS`` ints); returns their number.

    ``deals``, ``events``, ``spans``, ``summaries``: as ``audit.audit_rounds`` reads and writes them; ``rows``:
    ``replay.fronts``; ``work``: ``SURVEY_WORK`` ints of scratch memory.
    """
    for r in range(rounds):
        for i in range(DEAL_SIZE):
            s[DEAL0 + i] = deals[DEAL_SIZE * r + i]
        count_result(counts, summaries, SUMMARY_SIZE * r, s[D_DEALER], s[D_SEATS])
        survey_round(s, table, rows, work, events, spans[r], spans[r + 1], counts)
    return rounds
