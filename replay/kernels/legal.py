"""The events that may come next: what the simulator samples from and the viewer shows."""

from __future__ import annotations

from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_CHI,
    A_CHOU_WEI,
    A_DISCARD,
    A_DRAW,
    A_HU,
    A_HUANG,
    A_PAO,
    A_PASS,
    A_PENG,
    A_TI,
    A_TI_OPEN,
    A_WEI,
    CHI,
    CHI_SEAT,
    D_WALL,
    DEALER,
    DRAWN,
    DUE_DISCARD,
    DUE_DRAW,
    HIDDEN,
    LAST_QUAD,
    MOVE,
    MOVES,
    N_SEATS,
    OPEN,
    OPEN_SEAT,
    OPENING,
    OVER,
    P_HU_PASS_KILLS,
    P_PENG_FORCED,
    P_TI_OPEN,
    P_TO_HAND,
    P_WIN_DISCARD,
    PASSED,
    PENG_PASSED,
    PHASE,
    QUADS,
    R_CHI,
    R_HU,
    R_PAO,
    R_PENG,
    R_TI,
    R_WEI,
    RIGHTS,
    SEAT0,
    SEAT_SIZE,
    SHOWN,
    TURN,
    WALL_AT,
    WALL_N,
)
from replay.kernels.opening import forced_opening, liang_value, quads_tianhu
from replay.kernels.rights import after, chi_options, free_cards
from replay.kernels.window import dihu_seat


@kernel
def put(s: Ints, n: int, seat: int, action: int, card: int, code: int) -> int:
    """Append a move; returns the new count."""
    s[MOVES + MOVE * n] = seat
    s[MOVES + MOVE * n + 1] = action
    s[MOVES + MOVE * n + 2] = card
    s[MOVES + MOVE * n + 3] = code
    return n + 1


@kernel
def draw_or_huang(s: Ints, n: int, seat: int) -> int:
    """The seat draws the next wall card, or the round is drawn when there is none (rules 3.8, 11.2)."""
    if s[WALL_N] >= 0 and s[WALL_AT] >= s[WALL_N]:
        return put(s, n, -1, A_HUANG, -2, 0)
    return put(s, n, seat, A_DRAW, s[D_WALL + s[WALL_AT]], 0)


@kernel
def keeps(s: Ints, rights: int) -> int:
    """What a seat that has passed must still do: a 跑, a compulsory 碰 (rules 4.3, 15.6)."""
    kept = 0
    if s[P_TO_HAND] == 0:
        kept = rights & R_PAO
    if s[P_PENG_FORCED] == 1:
        kept |= rights & R_PENG
    return kept


@kernel
def legal(s: Ints, table: bytes) -> int:
    """All events that may come next, ascending by seat offset and action; returns their number.

    ``out``: at least 1024 ints, ``MOVE`` a move. 比 events are part of their 吃 (the code); 无人要, announced claims
    and 补 are notes of a log, not moves, and are left out. Every hand must be known.
    """
    n = 0
    if s[PHASE] == OVER or s[CHI_SEAT] >= 0:
        return 0
    if s[OPENING] == 1:
        forced_seat = forced_opening(s, table)
        if forced_seat >= 0:
            return put(s, n, forced_seat, A_HU, -2, 0)
        for step in range(s[N_SEATS]):
            seat = after(s, s[DEALER], step)
            if quads_tianhu(s, seat) == 1 or liang_value(s, table, seat) >= 0:
                n = put(s, n, seat, A_HU, -2, 0)
        if s[P_TI_OPEN] != 0:
            pending = 0
            for step in range(s[N_SEATS]):
                seat = after(s, s[DEALER], step)
                quads = s[SEAT0 + seat * SEAT_SIZE + QUADS]
                for card in range(20):
                    if (quads >> (2 * card)) & 1 == 1:
                        n = put(s, n, seat, A_TI_OPEN, card, 0)
                        pending = 1
            if pending == 1:
                return n
    laying = s[LAST_QUAD]
    if s[P_TI_OPEN] == 0 and s[P_TO_HAND] == 0 and laying >= 0:  # dealt 提 come down with the first 跑/提 (12.9)
        quads = s[SEAT0 + laying * SEAT_SIZE + QUADS]
        if quads != 0 and s[PHASE] != SHOWN:
            for card in range(20):
                if (quads >> (2 * card)) & 1 == 1:
                    n = put(s, n, laying, A_TI_OPEN, card, 0)
            return n
    if s[PHASE] == DRAWN:
        rights = s[SEAT0 + s[TURN] * SEAT_SIZE + RIGHTS]
        if rights & R_HU != 0:
            n = put(s, n, s[TURN], A_HU, s[OPEN], 0)
        if rights & R_TI != 0:
            n = put(s, n, s[TURN], A_TI, s[OPEN], 0)
    if s[PHASE] == DUE_DISCARD or s[PHASE] == DRAWN:
        free = free_cards(s, s[TURN])
        for card in range(20):
            if (free >> (2 * card)) & 3 != 0:
                n = put(s, n, s[TURN], A_DISCARD, card, 0)
        if s[P_WIN_DISCARD] == 0 and s[WALL_N] >= 0 and s[WALL_AT] >= s[WALL_N]:  # a last discard is idle (11.3)
            n = put(s, n, -1, A_HUANG, -2, 0)
        return n
    if s[PHASE] == DUE_DRAW:
        return draw_or_huang(s, n, s[TURN])
    card = s[OPEN]
    owner = s[OPEN_SEAT]
    if s[PHASE] == HIDDEN:
        at = SEAT0 + owner * SEAT_SIZE
        if s[at + RIGHTS] & R_HU != 0 and s[at + PASSED] == 0:
            n = put(s, n, owner, A_HU, card, 0)
            if s[P_HU_PASS_KILLS] == 1:
                n = put(s, n, owner, A_PASS, card, 0)
        if s[at + RIGHTS] & R_TI != 0:
            return put(s, n, owner, A_TI, card, 0)
        if s[at + RIGHTS] & R_WEI != 0:
            return put(s, n, owner, A_CHOU_WEI if (s[at + PENG_PASSED] >> card) & 1 == 1 else A_WEI, card, 0)
        return draw_or_huang(s, n, after(s, owner, 1))
    lucky = dihu_seat(s)
    if lucky >= 0:
        return put(s, n, lucky, A_HU, card, 0)
    forced = 0  # a 跑 is due: nothing below it can be claimed
    must = 0  # a 碰 is compulsory
    for step in range(s[N_SEATS]):
        rights = s[SEAT0 + after(s, owner, step) * SEAT_SIZE + RIGHTS]
        if rights & R_PAO != 0 and s[P_TO_HAND] == 0:
            forced = 1
        if rights & R_PENG != 0 and s[P_PENG_FORCED] == 1:
            must = 1
    for step in range(s[N_SEATS]):
        seat = after(s, owner, step)
        at = SEAT0 + seat * SEAT_SIZE
        rights = s[at + RIGHTS]
        if s[at + PASSED] == 1:
            rights = keeps(s, rights)
        if rights & R_HU != 0:
            n = put(s, n, seat, A_HU, card, 0)
        if rights & R_PAO != 0:
            n = put(s, n, seat, A_PAO, card, 0)
        optional = R_HU | R_PENG | R_CHI
        if s[P_TO_HAND] == 1:
            optional |= R_PAO
        elif rights & R_PAO != 0 or (s[P_PENG_FORCED] == 1 and rights & R_PENG != 0):
            optional = R_HU
        if forced == 1 and s[P_HU_PASS_KILLS] == 1:  # the forced 跑 is carried out, nobody is asked (rules 12.12)
            optional = R_HU
        if rights & optional != 0:
            n = put(s, n, seat, A_PASS, card, 0)
    if forced == 0:
        for step in range(s[N_SEATS]):
            seat = after(s, owner, step)
            at = SEAT0 + seat * SEAT_SIZE
            rights = s[at + RIGHTS] if s[at + PASSED] == 0 else keeps(s, s[at + RIGHTS])
            if rights & R_PENG != 0:
                n = put(s, n, seat, A_PENG, card, 0)
        if must == 1:
            return n
        for step in range(s[N_SEATS]):
            seat = after(s, owner, step)
            at = SEAT0 + seat * SEAT_SIZE
            if s[at + PASSED] == 0 and s[at + RIGHTS] & R_CHI != 0:
                options = chi_options(s, seat, card, 0)
                for i in range(options):
                    n = put(s, n, seat, A_CHI, card, s[CHI + i])
        n = draw_or_huang(s, n, after(s, owner, 1))
    return n
