"""胡: may the claimed win be, and what is it (rules chapters 2, 8, 14)."""

from __future__ import annotations

from replay.kernels.bits import copies
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_HU,
    BANNED,
    CHOUHU,
    DEALER,
    DIHU,
    DRAWN,
    FOUND_NOW,
    FROM_WALL,
    HAND,
    HIDDEN,
    HUXI_AT,
    KNOWN,
    LIANG,
    MELDS,
    OPEN,
    OPEN_SEAT,
    OPENING,
    ORIGIN,
    OVER,
    OWN_DRAWS,
    P_BAN,
    P_CHOUHU,
    P_DIHU,
    P_HU_PASS_KILLS,
    P_LIANG_FORCED,
    P_LIANG_WIN,
    P_MIN_HUXI,
    P_TO_HAND,
    P_VOID_ENDS,
    PASSED,
    PHASE,
    R_HU,
    RIGHTS,
    SEAT0,
    SEAT_SIZE,
    SHOWN,
    TIANHU_BY_LIANG,
    TIANHU_BY_QUADS,
    TURN,
    V_CHOU_HU,
    V_CLOSED_CLAIM,
    V_HU_BANNED,
    V_HU_SOURCE,
    V_PO_TI,
    V_PO_WEI,
    V_WRONG_PRIORITY,
    V_ZHA_HU_SHAPE,
    V_ZHA_HU_XI,
    W_DISCARD,
    W_LIANG,
    W_NONE,
    W_OTHER,
    W_OWN,
    WEIS,
    WIN_CARD,
    WIN_SOURCE,
    WIN_SPECIAL,
    WIN_VALUE,
    WINNER,
    XI,
)
from replay.kernels.opening import forced_opening, liang_value, quads_tianhu
from replay.kernels.rights import after, first_discard, hu_value, last_card_lost, may_win_discard
from replay.kernels.window import claimed_above, close_window, event_code, find, rank_of


@kernel
def too_little(s: Ints, value: int) -> int:
    """The code of a claimed win that has no shape, or too few 胡息 (rules 8.3, 8.5); 0: none."""
    if value < 0:
        return V_ZHA_HU_SHAPE
    return V_ZHA_HU_XI if value >> HUXI_AT < s[P_MIN_HUXI] else 0


@kernel
def hu_fault(s: Ints, seat: int, source: int, value: int) -> int:
    """The code of a win on the open card that may not be, by the hand alone; 0: none (rules 8.3 to 8.16)."""
    at = SEAT0 + seat * SEAT_SIZE
    unit = 1 << (2 * s[OPEN])
    short = too_little(s, value)
    if s[P_BAN] == 1 and s[at + BANNED] == 1:
        return V_HU_BANNED
    if source == W_OWN and s[P_TO_HAND] == 0 and short != 0:
        if s[at + WEIS] & unit != 0 or copies(s[at + HAND], s[OPEN]) == 3:
            return V_PO_TI
        if copies(s[at + HAND], s[OPEN]) == 2:
            return V_PO_WEI
    if short != 0:
        return short
    if s[P_CHOUHU] == 1 and s[at + CHOUHU + s[OPEN]] == 1 + s[at + XI]:
        return V_CHOU_HU
    return 0


@kernel
def dihu_by(s: Ints, seat: int) -> int:
    """1 if a win of the seat on the open card is 地胡 (rules 12.6, 15.9, 16.16)."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[P_DIHU] == 3:
        return 1 if seat != s[DEALER] and s[at + MELDS] == 0 and s[at + OWN_DRAWS] <= 1 else 0
    if s[P_DIHU] == 0 or first_discard(s) == 0:
        return 0
    return 1 if s[P_DIHU] == 2 or seat == after(s, s[DEALER], 1) else 0


@kernel
def do_hu(s: Ints, table: bytes, seat: int, card: int) -> None:
    """胡 (rules 8.2 to 8.16, 2.7, 2.10). The first code that applies is the finding; the round ends either way, unless
    a void win is passed over (``void_ends``, 14.14)."""
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(A_HU, card, seat)
    value = -1
    special = 0
    source = W_NONE
    code = 0
    win_card = s[OPEN]
    if s[PHASE] == DRAWN and seat == s[TURN]:
        source = W_OWN
        if card >= 0 and card != s[OPEN] and s[OPEN] >= 0:
            code = V_CLOSED_CLAIM
        if s[at + KNOWN] == 1:
            value = hu_value(s, table, seat, -1, W_OWN)
            if code == 0:
                code = hu_fault(s, seat, source, value)
        if dihu_by(s, seat) == 1:
            special = DIHU
    elif s[PHASE] == SHOWN or s[PHASE] == HIDDEN:
        source = W_DISCARD
        if s[ORIGIN] == FROM_WALL:
            source = W_OWN if seat == s[OPEN_SEAT] else W_OTHER
        other_card = card >= 0 and card != s[OPEN] and s[OPEN] >= 0
        own = source == W_DISCARD and seat == s[OPEN_SEAT]
        if other_card or own:
            code = V_CLOSED_CLAIM
        elif (
            (source == W_DISCARD and may_win_discard(s, seat) == 0)
            or (s[PHASE] == HIDDEN and seat != s[OPEN_SEAT])
            or last_card_lost(s) == 1
        ):
            code = V_HU_SOURCE
        if s[at + KNOWN] == 1 and s[OPEN] >= 0:
            value = hu_value(s, table, seat, s[OPEN], source)
            if code == 0:
                code = hu_fault(s, seat, source, value)
        if dihu_by(s, seat) == 1:
            special = DIHU
        asked = s[P_HU_PASS_KILLS] == 0 or s[at + KNOWN] == 0 or s[at + RIGHTS] & R_HU != 0
        if code == 0 and s[at + PASSED] == 1:  # declined before (rules 3.16, 7.12)
            code = V_CLOSED_CLAIM
        if code == 0 and (not asked or claimed_above(s, seat, rank_of(s, seat, A_HU)) == 1):
            code = V_WRONG_PRIORITY
        if code == 0 or s[P_VOID_ENDS] == 1:
            close_window(s, seat, A_HU, 0, 1)
    elif s[OPENING] == 1:
        win_card = s[LIANG]
        source = W_LIANG
        if card >= 0 and s[LIANG] >= 0 and card != s[LIANG]:
            code = V_CLOSED_CLAIM
        forced = forced_opening(s, table)
        by_liang = s[P_LIANG_FORCED] == 1 and forced == s[DEALER] and seat == forced
        if quads_tianhu(s, seat) == 1 and not (by_liang and liang_value(s, table, seat) >= 0):
            special = TIANHU_BY_QUADS
            source = W_NONE
            value = 0
        elif s[P_LIANG_WIN] == 2 or (s[P_LIANG_WIN] == 1 and seat == s[DEALER]):
            special = TIANHU_BY_LIANG
            if s[at + KNOWN] == 1 and s[LIANG] >= 0:
                if seat == s[DEALER]:
                    value = hu_value(s, table, seat, -1, W_OWN)
                else:
                    value = hu_value(s, table, seat, s[LIANG], W_LIANG)
                if code == 0:
                    code = too_little(s, value)
        elif code == 0:
            code = V_HU_SOURCE
        s[OPEN_SEAT] = s[DEALER]  # among several the dealer comes first (rules 2.9, 2.10)
        if code == 0 and forced != seat and (forced >= 0 or claimed_above(s, seat, rank_of(s, seat, A_HU)) == 1):
            code = V_WRONG_PRIORITY
    else:
        code = V_CLOSED_CLAIM
    if code != 0 and s[FOUND_NOW] == 0:
        if code == V_ZHA_HU_XI:
            find(s, code, seat, s[P_MIN_HUXI], value >> HUXI_AT)
        else:
            find(s, code, seat, 0, actual)
    if code != 0 and s[P_VOID_ENDS] == 0:
        s[at + PASSED] = 1
        return
    s[WINNER] = seat
    s[WIN_CARD] = win_card
    s[WIN_SOURCE] = source
    s[WIN_VALUE] = value if code == 0 else -1
    s[WIN_SPECIAL] = special
    s[PHASE] = OVER
