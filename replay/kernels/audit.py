"""Whole rounds: every event of every round judged, and the score recomputed."""

from __future__ import annotations

from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    DEAL_SIZE,
    HAND,
    N_FOUND,
    OPEN_SEAT,
    PHASE,
    QUADS,
    ROW,
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
from replay.kernels.score import SCORE_SIZE, settle
from replay.kernels.state import begin
from replay.kernels.step import finish, step

EVENT = 5
"""Ints of one event: seat, action, card, a, b."""
MAX_FOUND = 64
"""Findings kept of one round; a round with more is counted in full."""

# --- one row a round: the ints of ``settle``, then these ---
(
    S_WINNER, S_CARD, S_SOURCE, S_FROM, S_SPECIAL, S_PHASE, S_VALUE, S_HAND, S_QUADS, S_WALL, S_FOUND,
) = range(SCORE_SIZE, SCORE_SIZE + 11)  # fmt: skip
SUMMARY_SIZE = SCORE_SIZE + 11


@kernel("iIJBIJJIIiii")
def audit_round(
    s: Ints, p: Ints, table: bytes, scratch: Ints, deal: Ints, events: Ints, found: Ints, out: Ints,
    first: int, last: int, whole: int,
) -> int:  # fmt: skip
    """Judge the events ``first..last-1`` of one round and settle it into ``out``; returns the number of findings.

    ``whole`` 1: the record claims to be complete, so it must end in 胡 or 荒.
    """
    begin(s, p, deal)
    for i in range(first, last):
        at = EVENT * i
        s[SEQ] = i - first
        step(
            s, p, table, scratch, found, deal,
            events[at], events[at + 1], events[at + 2], events[at + 3], events[at + 4],
        )  # fmt: skip
    s[SEQ] = last - first
    if whole == 1:
        finish(s, p, found)
    settle(s, p, deal, -1, out)
    return s[N_FOUND]


@kernel("iIJBIJJJIIIIII")
def audit_rounds(
    s: Ints, p: Ints, table: bytes, scratch: Ints, deals: Ints, events: Ints, spans: Ints,
    deal: Ints, found: Ints, score: Ints, summaries: Ints, findings: Ints, wholes: Ints,
) -> int:  # fmt: skip
    """Audit many rounds; returns the number of finding rows written.

    ``deals``: ``DEAL_SIZE`` ints a round; ``spans``: n + 1 offsets into the events; ``wholes``: 1 a complete record;
    ``deal``, ``found`` (``MAX_FOUND * ROW``) and ``score`` are scratch; ``summaries``: ``SUMMARY_SIZE`` a round;
    ``findings``: ``1 + ROW`` ints a finding (round, then the finding), as many as fit.
    """
    rows = 0
    for r in range(len(wholes)):
        for i in range(DEAL_SIZE):
            deal[i] = deals[DEAL_SIZE * r + i]
        n = audit_round(
            s, p, table, scratch, deal, events, found, score, spans[r], spans[r + 1], wholes[r]
        )  # fmt: skip
        base = SUMMARY_SIZE * r
        for i in range(SCORE_SIZE):
            summaries[base + i] = score[i]
        summaries[base + S_WINNER] = s[WINNER]
        summaries[base + S_CARD] = s[WIN_CARD]
        summaries[base + S_SOURCE] = s[WIN_SOURCE]
        summaries[base + S_FROM] = s[OPEN_SEAT]
        summaries[base + S_SPECIAL] = s[WIN_SPECIAL]
        summaries[base + S_PHASE] = s[PHASE]
        summaries[base + S_VALUE] = s[WIN_VALUE]
        at = SEAT0 + max(s[WINNER], 0) * SEAT_SIZE
        summaries[base + S_HAND] = s[at + HAND]
        summaries[base + S_QUADS] = s[at + QUADS]
        summaries[base + S_WALL] = s[WALL_AT]
        summaries[base + S_FOUND] = n
        for i in range(min(n, MAX_FOUND)):
            if (rows + 1) * (1 + ROW) > len(findings):
                return -1
            findings[rows * (1 + ROW)] = r
            for j in range(ROW):
                findings[rows * (1 + ROW) + 1 + j] = found[ROW * i + j]
            rows += 1
    return rows
