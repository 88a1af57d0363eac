"""Taking the open card: 吃 with 比, 碰, 跑, and the forced 偎 and 提."""

from __future__ import annotations

from replay.kernels.bits import copies
from replay.kernels.hands import FIRST_2710
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_BI,
    A_CHI,
    A_CHOU_WEI,
    A_PAO,
    A_PENG,
    A_TI,
    A_WEI,
    CHI_CARD,
    CHI_FAULT,
    CHI_SEAT,
    CHI_SEQ,
    CHOUHU,
    DRAWN,
    FOUND_NOW,
    FROM_HAND,
    FROM_WALL,
    HAND,
    HIDDEN,
    KNOWN,
    LAST_CLAIM,
    MELDS,
    N_SEATS,
    OPEN,
    OPEN_SEAT,
    ORIGIN,
    OWN,
    P_CHI_PREV_DRAW,
    P_CHOU_WEI_HIDDEN,
    P_HU_PASS_KILLS,
    P_OWN_BARS_PENG,
    P_PENG_FORCED,
    P_TO_HAND,
    PASSED,
    PENG_PASSED,
    PENGS,
    PHASE,
    QUADS,
    R_HU,
    R_PAO,
    R_PENG,
    RIGHTS,
    RUNS,
    SEAT0,
    SEAT_SIZE,
    SEEN,
    SEQ,
    SHOWN,
    STALE_CHI,
    STALE_PENG,
    TURN,
    V_CARD_NOT_IN_HAND,
    V_CHAI_KAN,
    V_CHAI_TI,
    V_CHOU_CHI,
    V_CHOU_PENG,
    V_CHOUWEI_HIDDEN,
    V_CHOUWEI_SPURIOUS,
    V_CLOSED_CLAIM,
    V_DEAD_CLAIM,
    V_DOUBLE_CLAIM,
    V_FIFTH_COPY,
    V_GE_SHAN,
    V_MELD_INVALID,
    V_MELD_KIND,
    V_PENG_DECLINED,
    V_SHAO_BI,
    V_WRONG_PRIORITY,
    WEIS,
    XI,
)
from replay.kernels.rights import after, discard_due, free_cards, group_huxi, group_of, pao_due
from replay.kernels.state import after_intake, lay, lay_dealt_quad, lay_same, lay_triple, shown_rights, take
from replay.kernels.window import claimed_above, close_window, event_code, find, find_at, omitted_hidden, rank_of


@kernel
def show_hidden(s: Ints, table: bytes, seat: int, action: int) -> None:
    """A claim on a card that its drawer had to keep as 提/偎: that was omitted; go on as with a shown card."""
    if s[PHASE] != HIDDEN or (seat == s[OPEN_SEAT] and action == A_PAO):
        return
    omitted_hidden(s, 0)
    s[PHASE] = SHOWN
    shown_rights(s, table)
    at = SEAT0 + s[OPEN_SEAT] * SEAT_SIZE
    s[at + RIGHTS] &= R_HU


@kernel
def declined(s: Ints, seat: int, action: int) -> int:
    """1 if the open card is lost to the claimer: it said 过 (rules 3.16, 7.12), or a win was refused (12.15)."""
    kept = action in (A_PAO, A_WEI, A_CHOU_WEI, A_TI) and s[P_TO_HAND] == 0
    kept = kept or (action == A_PENG and s[P_PENG_FORCED] == 1)
    if s[SEAT0 + seat * SEAT_SIZE + PASSED] == 1 and not kept:
        return 1
    if s[P_HU_PASS_KILLS] == 1:
        for other in range(s[N_SEATS]):
            at = SEAT0 + other * SEAT_SIZE
            # What a seat itself must lay is carried out at once where it was not asked (rules 12.33).
            if s[at + RIGHTS] & R_HU != 0 and (s[at + PASSED] == 1 or other != seat or action in (A_CHI, A_PENG)):
                return 1
    return 0


@kernel
def closed(s: Ints, seat: int, action: int, card: int) -> int:
    """1, and a finding, if no such card lies open for the seat to take (rules 3.6, 3.10, 2.5)."""
    shut = s[PHASE] != SHOWN and s[PHASE] != HIDDEN
    shut = shut or card != s[OPEN] or (seat == s[OPEN_SEAT] and s[ORIGIN] == FROM_HAND)
    shut = shut or (action == A_PENG and seat == s[OPEN_SEAT])
    if not shut:
        return 0
    if s[FOUND_NOW] == 0:
        code = V_DOUBLE_CLAIM if s[PHASE] != SHOWN and card == s[LAST_CLAIM] else V_CLOSED_CLAIM
        find(s, code, seat, event_code(0, s[OPEN], s[OPEN_SEAT]), event_code(action, card, seat))
    return 1


@kernel
def kan_fault(s: Ints, seat: int, card: int, action: int, eaten: int) -> int:
    """1, and a finding, if a hand card taken for 吃/比 belongs to a 坎 or 提 (rules 5.6)."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[at + KNOWN] == 0 or s[FOUND_NOW] != 0 or s[P_TO_HAND] == 1:
        return 0
    if (s[at + QUADS] >> (2 * card)) & 1 == 1:
        find(s, V_CHAI_TI, seat, 0, event_code(action, eaten, seat))
        return 1
    if copies(s[at + HAND], card) == 3:
        find(s, V_CHAI_KAN, seat, 0, event_code(action, eaten, seat))
        return 1
    return 0


@kernel
def has_all(s: Ints, seat: int, a: int, b: int, c: int) -> int:
    """1 if the hand holds the cards, each as often as named (``c`` -1: two cards); a hidden hand holds anything."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[at + KNOWN] == 0:
        return 1
    for x in (a, b, c):
        need = (1 if x == a else 0) + (1 if x == b else 0) + (1 if x == c else 0)
        if x >= 0 and copies(s[at + HAND], x) < need and (s[at + QUADS] >> (2 * x)) & 1 == 0:
            return 0
    return 1


@kernel
def forced_above(s: Ints) -> int:
    """1 if a 跑 is due on the open card, so that no 吃 may be (rules 4.8)."""
    for other in range(s[N_SEATS]):
        at = SEAT0 + other * SEAT_SIZE
        if s[at + RIGHTS] & R_PAO != 0 and s[P_TO_HAND] == 0:
            return 1
    return 0


@kernel
def lay_run(s: Ints, seat: int, card: int, a: int, b: int, group: int) -> None:
    """A 吃 or 比 group comes to the table: ``card`` is already out of the hand, ``a`` and ``b`` are taken from it."""
    at = SEAT0 + seat * SEAT_SIZE
    take(s, seat, a)
    take(s, seat, b)
    s[at + MELDS] += 1
    s[at + RUNS] = 1
    lay(s, seat, card, 1, group_huxi(s, group))
    lay(s, seat, a, 1, 0)
    lay(s, seat, b, 1, 0)


@kernel
def fifth(s: Ints, seat: int) -> None:
    """A hidden hand has shown more copies of a kind than there are (rules 1.1)."""
    if s[SEAT0 + seat * SEAT_SIZE + KNOWN] == 1 or s[FOUND_NOW] != 0:
        return
    for card in range(20):
        if s[SEEN + card] > 4:
            find(s, V_FIFTH_COPY, seat, 4, s[SEEN + card])
            return


@kernel
def do_chi(
    s: Ints, table: bytes, seat: int, card: int, a: int, b: int
) -> None:  # fmt: skip
    """吃 (rules 5.1 to 5.7, 7.1, 7.4). 烧比 and the dead hand are judged when its 比 are complete."""
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(A_CHI, card, seat)
    show_hidden(s, table, seat, A_CHI)
    shut = closed(s, seat, A_CHI, card)
    group = group_of(s, card, a, b)
    if s[FOUND_NOW] == 0:
        bit = 1 << card
        mine = seat == s[OPEN_SEAT] and s[ORIGIN] == FROM_WALL
        next_to = seat == after(s, s[OPEN_SEAT], 1)
        reach = mine or (next_to and (s[ORIGIN] == FROM_HAND or s[P_CHI_PREV_DRAW] == 1))
        if has_all(s, seat, a, b, -1) == 0:
            find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
        elif group < 0 or (s[P_TO_HAND] == 1 and group >= FIRST_2710):
            find(s, V_MELD_INVALID, seat, 0, actual)
        elif kan_fault(s, seat, a, A_CHI, card) == 1 or kan_fault(s, seat, b, A_CHI, card) == 1:
            pass
        elif not reach:
            find(s, V_GE_SHAN, seat, 0, actual)
        elif (s[at + STALE_CHI] | s[at + OWN]) & bit != 0:
            find(s, V_CHOU_CHI, seat, 0, actual)
        elif declined(s, seat, A_CHI) == 1:
            find(s, V_CLOSED_CLAIM, seat, 0, actual)
        elif s[P_PENG_FORCED] == 1 and s[at + RIGHTS] & R_PENG != 0:
            find(s, V_PENG_DECLINED, seat, event_code(A_PENG, card, seat), actual)
    s[CHI_FAULT] = 1 if s[FOUND_NOW] != 0 else 0
    if shut == 0:
        above = forced_above(s) == 1 or claimed_above(s, seat, rank_of(s, seat, A_CHI)) == 1
        if s[FOUND_NOW] == 0 and above:
            s[CHI_FAULT] = 2
        close_window(s, seat, A_CHI, 0, 1 if s[CHI_FAULT] != 0 else 0)
    s[CHI_SEAT] = seat
    s[CHI_CARD] = card
    s[CHI_SEQ] = s[SEQ]
    lay_run(s, seat, card, a, b, group)
    fifth(s, seat)
    s[LAST_CLAIM] = card


@kernel
def do_bi(s: Ints, seat: int, card: int, a: int, b: int) -> None:
    """比 (rules 5.8, 5.13): a further group with a copy of the eaten kind, right after its 吃."""
    actual = event_code(A_BI, card, seat)
    if s[CHI_SEAT] != seat:
        find(s, V_CLOSED_CLAIM, seat, 0, actual)
        return
    group = group_of(s, card, a, b)
    if has_all(s, seat, card, a, b) == 0:
        find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
    elif group < 0 or s[P_TO_HAND] == 1 or (card != s[CHI_CARD] and a != s[CHI_CARD] and b != s[CHI_CARD]):
        find(s, V_MELD_INVALID, seat, 0, actual)
    elif s[CHI_FAULT] != 1:
        for x in (card, a, b):
            kan_fault(s, seat, x, A_BI, card)
    if s[FOUND_NOW] != 0:
        s[CHI_FAULT] = 1
    take(s, seat, card)
    lay_run(s, seat, card, a, b, group)
    fifth(s, seat)


@kernel
def finish_chi(s: Ints) -> None:
    """The 吃 and its 比 are complete: 烧比 (rules 5.8, 5.11), priority (rules 4.8), dead hand (rules 3.11)."""
    seat = s[CHI_SEAT]
    card = s[CHI_CARD]
    at = SEAT0 + seat * SEAT_SIZE
    s[CHI_SEAT] = -1
    found_now = s[FOUND_NOW]
    actual = event_code(A_CHI, card, seat)
    if s[CHI_FAULT] != 1 and s[at + KNOWN] == 1:
        if copies(s[at + HAND], card) > 0 and s[P_TO_HAND] == 0:
            find_at(s, s[CHI_SEQ], V_SHAO_BI, seat, copies(s[at + HAND], card), actual)
        elif s[CHI_FAULT] == 2:
            find_at(s, s[CHI_SEQ], V_WRONG_PRIORITY, seat, 0, actual)
        elif discard_due(s, seat) >= 1 and free_cards(s, seat) == 0:
            find_at(s, s[CHI_SEQ], V_DEAD_CLAIM, seat, 0, actual)
    elif s[CHI_FAULT] == 2:
        find_at(s, s[CHI_SEQ], V_WRONG_PRIORITY, seat, 0, actual)
    after_intake(s, seat)
    s[FOUND_NOW] = found_now


@kernel
def do_peng(s: Ints, table: bytes, seat: int, card: int) -> None:
    """碰 (rules 6.1, 7.1, 7.4, 3.11)."""
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(A_PENG, card, seat)
    if seat != s[OPEN_SEAT]:  # the drawer has no 碰, whatever is due to it (rules 3.10)
        show_hidden(s, table, seat, A_PENG)
    shut = closed(s, seat, A_PENG, card)
    if s[FOUND_NOW] == 0:
        bit = 1 << card
        h = copies(s[at + HAND], card)
        barred = s[at + STALE_PENG] & bit != 0 or (s[P_OWN_BARS_PENG] == 1 and s[at + OWN] & bit != 0)
        if s[at + KNOWN] == 1 and (h == 3 or (s[at + QUADS] >> (2 * card)) & 1 == 1):
            find(s, V_MELD_KIND, seat, event_code(A_PAO, card, seat), actual)
        elif s[at + KNOWN] == 1 and h < 2:
            find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
        elif barred:
            find(s, V_CHOU_PENG, seat, 0, actual)
        elif declined(s, seat, A_PENG) == 1:
            find(s, V_CLOSED_CLAIM, seat, 0, actual)
        elif claimed_above(s, seat, rank_of(s, seat, A_PENG)) == 1:
            find(s, V_WRONG_PRIORITY, seat, 0, actual)
        elif s[at + KNOWN] == 1 and discard_due(s, seat) >= 0 and free_cards(s, seat) == 2 << (2 * card):
            find(s, V_DEAD_CLAIM, seat, 0, actual)
    if shut == 0:
        close_window(s, seat, A_PENG, 0, 1 if s[FOUND_NOW] != 0 else 0)
    lay_triple(s, seat, card, 0)
    fifth(s, seat)
    s[LAST_CLAIM] = card
    after_intake(s, seat)


@kernel
def do_pao(s: Ints, table: bytes, seat: int, card: int) -> None:
    """跑 (rules 6.6 to 6.9, 6.15)."""
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(A_PAO, card, seat)
    show_hidden(s, table, seat, A_PAO)
    shut = closed(s, seat, A_PAO, card)
    if s[FOUND_NOW] == 0:
        unit = 1 << (2 * card)
        held = copies(s[at + HAND], card) == 3 or s[at + WEIS] & unit != 0
        if seat == s[OPEN_SEAT] and s[at + KNOWN] == 1 and held:
            find(s, V_MELD_KIND, seat, event_code(A_TI, card, seat), actual)
        elif s[at + PENGS] & unit != 0 and s[ORIGIN] == FROM_HAND:
            find(s, V_MELD_INVALID, seat, 0, actual)
        elif s[at + KNOWN] == 1 and pao_due(s, seat, card, s[ORIGIN]) == 0:
            find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
        elif declined(s, seat, A_PAO) == 1:
            find(s, V_CLOSED_CLAIM, seat, 0, actual)
        elif claimed_above(s, seat, rank_of(s, seat, A_PAO)) == 1:
            find(s, V_WRONG_PRIORITY, seat, 0, actual)
    if shut == 0:
        close_window(s, seat, A_PAO, 0, 1 if s[FOUND_NOW] != 0 else 0)
    lay_same(s, seat, card, A_PAO)
    fifth(s, seat)
    s[LAST_CLAIM] = card
    after_intake(s, seat)


@kernel
def do_hidden(s: Ints, seat: int, action: int, card: int) -> None:
    """偎, 臭偎 and 提 of a card just drawn (rules 6.3 to 6.5, 6.15)."""
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(action, card, seat)
    unit = 1 << (2 * card)
    h = copies(s[at + HAND], card)
    open_now = (s[PHASE] == HIDDEN or s[PHASE] == SHOWN) and card == s[OPEN]
    if not open_now:
        find(s, V_CLOSED_CLAIM, seat, event_code(0, s[OPEN], s[OPEN_SEAT]), actual)
    elif s[at + KNOWN] == 1:
        held = h == 3 or (s[at + WEIS] | s[at + PENGS]) & unit != 0
        if (action == A_TI and not held) or (action != A_TI and h < 2):
            find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
    if s[FOUND_NOW] == 0:
        if seat != s[OPEN_SEAT] or s[ORIGIN] != FROM_WALL:
            find(s, V_MELD_KIND, seat, 0, actual)
        elif action == A_TI and s[at + PENGS] & unit != 0:
            find(s, V_MELD_KIND, seat, event_code(A_PAO, card, seat), actual)
        elif action != A_TI and s[at + KNOWN] == 1 and h == 3:
            find(s, V_MELD_KIND, seat, event_code(A_TI, card, seat), actual)
    if s[FOUND_NOW] == 0 and action != A_TI and s[at + KNOWN] == 1:
        passed = (s[at + PENG_PASSED] >> card) & 1
        if action == A_WEI and passed == 1:
            code = V_CHOUWEI_SPURIOUS if s[P_CHOU_WEI_HIDDEN] == 1 else V_CHOUWEI_HIDDEN
            find(s, code, seat, event_code(A_CHOU_WEI, card, seat), actual)
        elif action == A_CHOU_WEI and passed == 0:
            find(s, V_CHOUWEI_SPURIOUS, seat, event_code(A_WEI, card, seat), actual)
    if s[FOUND_NOW] == 0 and declined(s, seat, action) == 1:
        find(s, V_CLOSED_CLAIM, seat, 0, actual)
    if open_now and s[at + RIGHTS] & R_HU != 0:  # a refused 偎胡/提胡 still lays the group (rules 8.14)
        s[at + CHOUHU + card] = 1 + s[at + XI]
    if action == A_TI:
        lay_same(s, seat, card, A_TI)
    else:
        lay_triple(s, seat, card, 1)
    fifth(s, seat)
    s[LAST_CLAIM] = card
    after_intake(s, seat)


@kernel
def do_ti_in_hand(s: Ints, seat: int, action: int, card: int) -> None:
    """提 where drawn cards enter the hand: of the card just drawn, with the three held (rules 16.8). No 偎 (16.20)."""
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(action, card, seat)
    if action != A_TI:
        find(s, V_MELD_INVALID, seat, 0, actual)
        for _ in range(3):
            take(s, seat, card)
        s[at + MELDS] += 1
        lay(s, seat, card, 3, 0)
        after_intake(s, seat)
        return
    if s[PHASE] == SHOWN and card == s[OPEN]:
        find(s, V_MELD_KIND, seat, event_code(A_PAO, card, seat), actual)
    elif s[PHASE] != DRAWN or seat != s[TURN] or (s[OPEN] >= 0 and card != s[OPEN]):
        find(s, V_CLOSED_CLAIM, seat, event_code(0, s[OPEN], s[OPEN_SEAT]), actual)
    elif s[at + KNOWN] == 1 and (s[at + QUADS] >> (2 * card)) & 1 == 0:
        find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
    lay_dealt_quad(s, seat, card)
    fifth(s, seat)
    after_intake(s, seat)
