"""From the deal to the first discard or draw: who begins, and who wins on the dealt cards (rules chapter 2)."""

from __future__ import annotations

from replay.kernels.bits import LOW, popcount
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    CHI_SEAT,
    D_DEALER,
    D_HANDS,
    D_LIANG,
    D_LOGS_UNCLAIMED,
    D_SEATS,
    D_WALL_N,
    DEALER,
    DUE_DISCARD,
    DUE_DRAW,
    HAND,
    INTAKES,
    KNOWN,
    LAST_CLAIM,
    LAST_DRAWER,
    LAST_INTAKE,
    LAST_QUAD,
    LEAVER,
    LIANG,
    LOGS_UNCLAIMED,
    N_QUADS,
    N_SEATS,
    OFFSET,
    OPEN,
    OPEN_SEAT,
    OPENING,
    P_DEALER_DISCARDS,
    P_LIANG_FORCED,
    P_LIANG_WIN,
    P_TIANHU_COUNT,
    P_TIANHU_QUADS,
    PHASE,
    QUADS,
    SEAT0,
    SEAT_SIZE,
    SEEN,
    STATE0,
    STATE_END,
    TURN,
    UNSEEN,
    W_LIANG,
    W_OWN,
    WALL_N,
    WINNER,
)
from replay.kernels.rights import after, discard_due, hu_right
from replay.kernels.state import give


@kernel
def settle_dealer(s: Ints) -> None:
    """Where the dealer always discards, one whom his second 提 would excuse stays a card short (`guilin` 12.3)."""
    at = SEAT0 + s[DEALER] * SEAT_SIZE
    s[at + OFFSET] = 0
    if s[P_DEALER_DISCARDS] == 1 and discard_due(s, s[DEALER]) < 1:
        s[at + OFFSET] = 1
    opening_turn(s)


@kernel
def begin(s: Ints) -> None:
    """Set up the state after the deal with the 亮张 in the dealer's hand (rules 2.3, 2.4)."""
    for i in range(STATE0, STATE_END):
        s[i] = 0
    s[DEALER] = s[D_DEALER]
    s[LIANG] = s[D_LIANG]
    s[WALL_N] = s[D_WALL_N]
    s[N_SEATS] = s[D_SEATS]
    s[LOGS_UNCLAIMED] = s[D_LOGS_UNCLAIMED]
    s[OPENING] = 1
    s[OPEN] = -1
    s[OPEN_SEAT] = -1
    s[WINNER] = -1
    s[CHI_SEAT] = -1
    s[LAST_INTAKE] = -1
    s[LAST_DRAWER] = -1
    s[LAST_QUAD] = -1
    s[LAST_CLAIM] = -1
    s[LEAVER] = -1
    for seat in range(s[N_SEATS]):
        at = SEAT0 + seat * SEAT_SIZE
        s[at + KNOWN] = 1
        for i in range(20):
            card = s[D_HANDS + 20 * seat + i]
            if card < 0:
                s[at + KNOWN] = 0
        if seat == s[DEALER] and s[LIANG] < 0:
            s[at + KNOWN] = 0
        if s[at + KNOWN] == 0:
            s[at + UNSEEN] = 20
        else:
            for i in range(20):
                card = s[D_HANDS + 20 * seat + i]
                give(s, at, card)
                s[SEEN + card] += 1
    at = SEAT0 + s[DEALER] * SEAT_SIZE
    if s[LIANG] >= 0:
        s[SEEN + s[LIANG]] += 1
    if s[at + KNOWN] == 1:
        give(s, at, s[LIANG])
    else:
        s[at + UNSEEN] += 1
        if s[LIANG] >= 0:
            s[SEEN + s[LIANG]] -= 1  # counted when it leaves the hidden hand
    settle_dealer(s)


@kernel
def opening_turn(s: Ints) -> None:
    """Who starts: the dealer discards, or with two 提 the next seat draws (rules 2.16, 2.17)."""
    if discard_due(s, s[DEALER]) >= 1:
        s[PHASE] = DUE_DISCARD
        s[TURN] = s[DEALER]
    else:
        s[PHASE] = DUE_DRAW
        s[TURN] = after(s, s[DEALER], 1)


@kernel
def quads_tianhu(s: Ints, seat: int) -> int:
    """1 if the dealt cards make 天胡 by 提 and 坎, with no shape needed (rules 2.7; `guilin` 12.5)."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[P_TIANHU_QUADS] == 0 or s[at + KNOWN] == 0 or s[at + INTAKES] > 0:
        return 0
    quads = popcount(s[at + QUADS]) + s[at + N_QUADS]
    kan = popcount(s[at + HAND] & (s[at + HAND] >> 1) & LOW)
    if quads >= 3:
        return 1
    if s[P_TIANHU_COUNT] == 1:
        return 1 if kan >= 5 else 0
    return 1 if quads + kan >= 5 else 0


@kernel
def liang_value(s: Ints, table: bytes, seat: int) -> int:
    """Value of a win on the 亮张 for the seat, or -1 (rules 2.10): the dealer holds it, others win on it."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[P_LIANG_WIN] == 0 or s[at + KNOWN] == 0 or s[LIANG] < 0:
        return -1
    if seat == s[DEALER]:
        return hu_right(s, table, seat, -1, W_OWN)
    if s[P_LIANG_WIN] == 1:
        return -1
    return hu_right(s, table, seat, s[LIANG], W_LIANG)


@kernel
def forced_opening(s: Ints, table: bytes) -> int:
    """The seat whose win on the dealt cards is compulsory, or -1 (rules 2.7, 2.9; `guilin` 12.4, 12.5).

    Where the dealer's complete hand wins by itself it comes before any 三龙五坎.
    """
    if s[P_LIANG_FORCED] == 1 and liang_value(s, table, s[DEALER]) >= 0:
        return s[DEALER]
    if s[P_TIANHU_QUADS] == 2:
        for step in range(s[N_SEATS]):
            seat = after(s, s[DEALER], step)
            if quads_tianhu(s, seat) == 1:
                return seat
    return -1
