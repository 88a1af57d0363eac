"""What happens when the window on an open card closes: who passed, who was pre-empted, who failed to act."""

from __future__ import annotations

from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_CHI,
    A_HU,
    A_PAO,
    A_PENG,
    A_TI,
    A_WEI,
    ANY_RIGHT,
    BAN_MASK,
    BANNED,
    CHOUHU,
    CLAIMS,
    DEALER,
    FOUND,
    FOUND_NOW,
    HIDDEN,
    HU_LOST,
    KNOWN,
    LIANG,
    LOGS_UNCLAIMED,
    LOST,
    MAX_FOUND,
    MAYBE,
    N_FOUND,
    N_SEATS,
    OPEN,
    OPEN_SEAT,
    OPENING,
    P_DIHU_FORCED,
    P_HU_PASS_KILLS,
    P_PENG_FORCED,
    P_STALE_SEPARATE,
    P_TO_HAND,
    PASSED,
    PENG_PASSED,
    PHASE,
    R_CHI,
    R_HU,
    R_PAO,
    R_PENG,
    R_TI,
    R_WEI,
    RIGHTS,
    ROW,
    SEAT0,
    SEAT_SIZE,
    SEQ,
    STALE_CHI,
    STALE_PENG,
    V_LOST_BY_REFUSED_HU,
    V_MISSING_EVENT,
    V_PENG_DECLINED,
    V_SHI_TI,
    V_SHI_WEI,
    V_TIANHU1_MISSED,
    V_WINDOW_CUT,
    V_ZOU_PAO,
    XI,
)
from replay.kernels.opening import forced_opening, liang_value, quads_tianhu
from replay.kernels.rights import after, first_discard, turns_to

NOBODY = 99


@kernel
def event_code(action: int, card: int, seat: int) -> int:
    """An event as one int, for the expected/actual columns of a finding: what, which card, by whom."""
    return action | (card + 2) << 8 | (seat + 1) << 16


@kernel
def find_at(s: Ints, seq: int, code: int, seat: int, expected: int, actual: int) -> None:
    """Note a finding at event ``seq``. The array may be full: the count goes on, and the caller sees it."""
    row = FOUND + ROW * s[N_FOUND]
    s[N_FOUND] += 1
    s[FOUND_NOW] += 1
    if s[N_FOUND] > MAX_FOUND:
        return
    s[row] = seq
    s[row + 1] = code
    s[row + 2] = seat
    s[row + 3] = expected
    s[row + 4] = actual
    if seat >= 0 and (BAN_MASK >> code) & 1 == 1:
        s[SEAT0 + seat * SEAT_SIZE + BANNED] = 1


@kernel
def find(s: Ints, code: int, seat: int, expected: int, actual: int) -> None:
    """Note a finding at the present event."""
    find_at(s, s[SEQ], code, seat, expected, actual)


@kernel
def rank_of(s: Ints, seat: int, action: int) -> int:
    """Place of a claim in the order of priority, lower first (rules 4.2 to 4.6): 胡 by distance, 跑, 碰, 吃.

    On the dealt cards 提 and 坎 go before a complete hand (rules 2.9).
    """
    away = turns_to(s, s[OPEN_SEAT], seat)
    if action == A_HU:
        return away + s[N_SEATS] if s[OPENING] == 1 and quads_tianhu(s, seat) == 0 else away
    if action == A_PAO:
        return 10
    if action == A_PENG:
        return 20
    if action == A_CHI:
        return 30 + away
    return NOBODY


@kernel
def claimed_above(s: Ints, seat: int, rank: int) -> int:
    """1 if another seat announced a claim that ranks above ``rank`` on the open card (rules 4.8)."""
    for other in range(s[N_SEATS]):
        if other == seat:
            continue
        bits = (s[CLAIMS] >> (4 * other)) & 15
        if bits & 1 != 0 and rank_of(s, other, A_HU) < rank:
            return 1
        if bits & 2 != 0 and rank_of(s, other, A_PENG) < rank:
            return 1
        if bits & 4 != 0 and rank_of(s, other, A_CHI) < rank:
            return 1
        if bits & 8 != 0 and rank_of(s, other, A_PAO) < rank:
            return 1
    return 0


@kernel
def all_known(s: Ints) -> int:
    """1 if no hand is hidden."""
    for seat in range(s[N_SEATS]):
        if s[SEAT0 + seat * SEAT_SIZE + KNOWN] == 0:
            return 0
    return 1


@kernel
def dihu_seat(s: Ints) -> int:
    """The seat whose 地胡 on the dealer's first discard is compulsory, or -1 (`guilin` 12.6, 12.14)."""
    if s[P_DIHU_FORCED] == 0 or first_discard(s) == 0:
        return -1
    for step in range(s[N_SEATS]):
        seat = after(s, s[OPEN_SEAT], step)
        if s[SEAT0 + seat * SEAT_SIZE + RIGHTS] & R_HU != 0:
            return seat
    return -1


@kernel
def close_window(s: Ints, seat: int, action: int, cut: int, quiet: int) -> None:
    """Close the window by ``action`` of ``seat`` (-1, 0: nobody took the card) and note what follows.

    ``cut`` 1: the next card came before anybody could answer, so nobody passed. ``quiet`` 1: the closing event is a
    fault of its own; omissions are not raised beside it.
    """
    card = s[OPEN]
    if card < 0 or s[ANY_RIGHT] == 0 or s[P_TO_HAND] == 1:  # `general` remembers and forces nothing (rules 16.20)
        return
    closing = rank_of(s, seat, action) if seat >= 0 else NOBODY
    bit = 1 << card
    lost_any = 0
    for step in range(s[N_SEATS]):
        q = after(s, s[OPEN_SEAT], step)
        at = SEAT0 + q * SEAT_SIZE
        rights = s[at + RIGHTS]
        passed = s[at + PASSED] == 1
        closer = q == seat
        if rights & (R_HU | R_PAO | R_PENG | R_CHI) != 0:
            lost_any = 1
        if cut == 1:
            continue
        if rights & R_HU != 0 and action != A_HU and (passed or closer or rank_of(s, q, A_HU) < closing):
            s[at + CHOUHU + card] = 1 + s[at + XI]
            if s[P_HU_PASS_KILLS] == 1:
                s[HU_LOST] = 1
        may_peng = rights & R_PENG != 0
        may_chi = rights & R_CHI != 0
        if not closer:
            peng_refused = may_peng and (passed or rank_of(s, q, A_PENG) < closing)
            # Beside a forced act no 吃 can be claimed, so it is not passed either (rules 7.3).
            shut = action == A_PAO or (action == A_PENG and s[P_PENG_FORCED] == 1)
            chi_refused = may_chi and not shut and (passed or rank_of(s, q, A_CHI) < closing)
            if peng_refused:
                s[at + PENG_PASSED] |= bit
                if s[P_PENG_FORCED] == 1 and quiet == 0 and (not passed or rights & R_HU != 0):  # rules 15.6
                    find(s, V_PENG_DECLINED, q, event_code(A_PENG, card, q), event_code(action, card, seat))
            if s[P_STALE_SEPARATE] == 1:
                if peng_refused:
                    s[at + STALE_PENG] |= bit
                if chi_refused:
                    s[at + STALE_CHI] |= bit
                elif may_chi:
                    s[at + MAYBE] |= bit
            elif peng_refused or chi_refused:
                s[at + STALE_PENG] |= bit
                s[at + STALE_CHI] |= bit
        missed = rights & R_PAO != 0 and not (closer and action == A_PAO) and action != A_HU
        if missed and s[P_HU_PASS_KILLS] == 1 and all_known(s) == 0:
            missed = False  # a hidden hand may have refused a win, which ends the window (rules 12.15)
        if missed and quiet == 0:
            find(s, V_ZOU_PAO, q, event_code(A_PAO, card, q), event_code(action, card, seat))
    if action != A_HU and quiet == 0:
        lucky = dihu_seat(s)
        if lucky >= 0:
            find(s, V_MISSING_EVENT, lucky, event_code(A_HU, card, lucky), event_code(action, card, seat))
    if cut == 1 and lost_any == 1 and quiet == 0:
        find(s, V_WINDOW_CUT, -1, event_code(0, card, s[OPEN_SEAT]), 0)
    if s[HU_LOST] == 1 and quiet == 0 and seat < 0:
        for q in range(s[N_SEATS]):
            lost = s[SEAT0 + q * SEAT_SIZE + LOST]
            if lost & (R_PAO | R_TI | R_WEI) != 0:
                find(s, V_LOST_BY_REFUSED_HU, q, event_code(A_PAO, card, q), 0)


@kernel
def omitted_hidden(s: Ints, quiet: int) -> None:
    """The drawer did not lay the 提 or 偎 that was due on its own draw (rules 6.3 to 6.5, 6.10)."""
    seat = s[OPEN_SEAT]
    rights = s[SEAT0 + seat * SEAT_SIZE + RIGHTS]
    if quiet == 0:
        if rights & R_TI != 0:
            find(s, V_SHI_TI, seat, event_code(A_TI, s[OPEN], seat), 0)
        elif rights & R_WEI != 0:
            find(s, V_SHI_WEI, seat, event_code(A_WEI, s[OPEN], seat), 0)
    s[SEAT0 + seat * SEAT_SIZE + RIGHTS] = rights & R_HU


@kernel
def leave_window(s: Ints, marked: int, quiet: int) -> None:
    """Nobody took the open card. ``marked`` 1: the log says so itself."""
    if s[PHASE] == HIDDEN:
        omitted_hidden(s, quiet)
    cut = 1 if s[LOGS_UNCLAIMED] == 1 and marked == 0 else 0
    close_window(s, -1, 0, cut, quiet)


@kernel
def end_opening(s: Ints, table: bytes) -> None:
    """The first discard or draw: whoever could win on the dealt cards has declined (rules 2.7, 2.10, 7.11)."""
    s[OPENING] = 0
    forced = forced_opening(s, table)
    if forced >= 0:
        code = V_TIANHU1_MISSED if quads_tianhu(s, forced) == 1 else V_MISSING_EVENT
        find(s, code, forced, event_code(A_HU, -2, forced), 0)
        return
    for step in range(s[N_SEATS]):
        seat = after(s, s[DEALER], step)
        value = liang_value(s, table, seat)
        if value >= 0:
            at = SEAT0 + seat * SEAT_SIZE
            if s[at + KNOWN] == 1 and s[LIANG] >= 0:
                s[at + CHOUHU + s[LIANG]] = 1 + s[at + XI]
