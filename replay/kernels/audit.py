"""Whole rounds: every event of every round judged, and the score recomputed."""

from __future__ import annotations

from replay.kernels.claims import finish_chi
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    CHI_SEAT,
    DEAL0,
    DEAL_SIZE,
    FOUND,
    HAND,
    MAX_FOUND,
    N_FOUND,
    OPEN_SEAT,
    PHASE,
    QUADS,
    ROW,
    SCORE0,
    SCORE_SIZE,
    SEAT0,
    SEAT_SIZE,
    SEQ,
    WALL_AT,
    WIN_CARD,
    WIN_SOURCE,
    WIN_SPECIAL,
    WIN_VALUE,
    WINNER,
)
from replay.kernels.opening import begin
from replay.kernels.score import settle
from replay.kernels.step import finish, step

EVENT = 5
"""Ints of one event: seat, action, card, a, b."""

# --- one row a round: the ints of ``settle``, then these ---
(
    S_WINNER, S_CARD, S_SOURCE, S_FROM, S_SPECIAL, S_PHASE, S_VALUE, S_HAND, S_QUADS, S_WALL, S_FOUND,
) = range(SCORE_SIZE, SCORE_SIZE + 11)  # fmt: skip
SUMMARY_SIZE = SCORE_SIZE + 11


@kernel
def audit_round(s: Ints, table: bytes, events: Ints, first: int, last: int, whole: int) -> int:
    """Judge the events ``first..last-1`` of the round whose deal lies in ``s``, and settle it.

    ``whole`` 1: the record claims to be complete, so it must end in 胡 or 荒. Returns the number of findings.
    """
    begin(s)
    for i in range(first, last):
        at = EVENT * i
        s[SEQ] = i - first
        step(s, table, events[at], events[at + 1], events[at + 2], events[at + 3], events[at + 4])
    s[SEQ] = last - first
    if s[CHI_SEAT] >= 0:
        finish_chi(s)
    if whole == 1:
        finish(s)
    settle(s, -1)
    return s[N_FOUND]


@kernel
def summarise(s: Ints, out: Ints, base: int) -> None:
    """Write what the round in ``s`` came to: ``SUMMARY_SIZE`` ints from ``base`` on."""
    for i in range(SCORE_SIZE):
        out[base + i] = s[SCORE0 + i]
    out[base + S_WINNER] = s[WINNER]
    out[base + S_CARD] = s[WIN_CARD]
    out[base + S_SOURCE] = s[WIN_SOURCE]
    out[base + S_FROM] = s[OPEN_SEAT]
    out[base + S_SPECIAL] = s[WIN_SPECIAL]
    out[base + S_PHASE] = s[PHASE]
    out[base + S_VALUE] = s[WIN_VALUE]
    at = SEAT0 + max(s[WINNER], 0) * SEAT_SIZE
    out[base + S_HAND] = s[at + HAND]
    out[base + S_QUADS] = s[at + QUADS]
    out[base + S_WALL] = s[WALL_AT]
    out[base + S_FOUND] = s[N_FOUND]


@kernel
def audit_rounds(
    s: Ints, table: bytes, rounds: int, room: int, deals: Ints, events: Ints, spans: Ints, wholes: Ints,
    summaries: Ints, findings: Ints,
) -> int:  # fmt: skip
    """Audit ``rounds`` rounds; returns the number of finding rows written, -1 when there is no ``room`` for more.

    ``deals``: ``DEAL_SIZE`` ints a round; ``spans``: n + 1 offsets into the events; ``wholes``: 1 a complete record;
    ``summaries``: ``SUMMARY_SIZE`` ints a round; ``findings``: ``1 + ROW`` ints each (round, then the finding).
    """
    rows = 0
    for r in range(rounds):
        for i in range(DEAL_SIZE):
            s[DEAL0 + i] = deals[DEAL_SIZE * r + i]
        n = audit_round(s, table, events, spans[r], spans[r + 1], wholes[r])
        summarise(s, summaries, SUMMARY_SIZE * r)
        for i in range(min(n, MAX_FOUND)):
            if rows == room:
                return -1
            findings[rows * (1 + ROW)] = r
            for j in range(ROW):
                findings[rows * (1 + ROW) + 1 + j] = s[FOUND + ROW * i + j]
            rows += 1
    return rows
