"""One recorded event: was it allowed, and what does it do? The event is carried out as recorded either way."""

from __future__ import annotations

from replay.kernels.bits import copies, lowest
from replay.kernels.claims import do_bi, do_chi, do_hidden, do_pao, do_peng, do_ti_in_hand, finish_chi
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_BI,
    A_BU,
    A_CHI,
    A_CHOU_WEI,
    A_CLAIM,
    A_DISCARD,
    A_DRAW,
    A_HU,
    A_HUANG,
    A_LEAVE,
    A_PAO,
    A_PASS,
    A_PENG,
    A_TI,
    A_TI_OPEN,
    A_UNCLAIMED,
    A_WEI,
    CHI_SEAT,
    CLAIMS,
    D_WALL,
    DEALER,
    DISCARDS,
    DRAWN,
    DRAWS,
    DUE_DISCARD,
    DUE_DRAW,
    FOUND_NOW,
    FROM_HAND,
    FROM_WALL,
    HAND,
    HIDDEN,
    KNOWN,
    LAST_DRAWER,
    LAST_INTAKE,
    LAST_QUAD,
    LEAVER,
    MELDS,
    N_QUADS,
    N_SEATS,
    OPEN,
    OPEN_SEAT,
    OPENING,
    OVER,
    OWN,
    P_PENG_FORCED,
    P_TI_OPEN,
    P_TO_HAND,
    P_WIN_DISCARD,
    PASSED,
    PHASE,
    QUADS,
    R_CHI,
    R_HU,
    R_PAO,
    R_PENG,
    RIGHTS,
    SEAT0,
    SEAT_SIZE,
    SEEN,
    SHI_TI_FLAGGED,
    SHOWN,
    TABLE,
    TURN,
    UNSEEN,
    V_BAD_PASS,
    V_BAKUAI_DISCARD,
    V_CARD_NOT_IN_HAND,
    V_CHAI_KAN,
    V_CHAI_TI,
    V_CLOSED_CLAIM,
    V_DOUBLE_DRAW,
    V_DRAW_ORDER,
    V_EVENT_AFTER_END,
    V_FALSE_HUANG,
    V_FIFTH_COPY,
    V_LIANG_SKIPPED,
    V_MELD_KIND,
    V_MISSED_HUANG,
    V_MISSING_DISCARD,
    V_MISSING_EVENT,
    V_PENG_DECLINED,
    V_SHI_TI,
    V_WALL_MISMATCH,
    V_WRONG_TURN,
    V_XING_ACTED,
    WAIVED,
    WALL_AT,
    WALL_N,
)
from replay.kernels.opening import liang_value, opening_turn, quads_tianhu, settle_dealer
from replay.kernels.rights import after, discard_due
from replay.kernels.state import after_intake, draw_in, give, hide, lay_dealt_quad, open_card, take
from replay.kernels.window import end_opening, event_code, find, leave_window
from replay.kernels.wins import do_hu


@kernel
def late_quads(s: Ints, seat: int) -> None:
    """The seat's dealt 提 should lie open by now (rules 2.13)."""
    at = SEAT0 + seat * SEAT_SIZE
    late = s[at + QUADS] & ~s[at + SHI_TI_FLAGGED]
    if late != 0:
        s[at + SHI_TI_FLAGGED] |= late
        find(s, V_SHI_TI, seat, event_code(A_TI_OPEN, lowest(late), seat), 0)


@kernel
def do_draw(s: Ints, table: bytes, seat: int, card: int) -> None:
    """摸 (rules 3.3 to 3.9, 3.15)."""
    if s[OPENING] == 1:
        end_opening(s, table)
    due = s[TURN]
    if s[PHASE] == DUE_DISCARD or s[PHASE] == DRAWN:
        due = after(s, s[TURN], 1)
    elif s[PHASE] != DUE_DRAW:
        due = after(s, s[OPEN_SEAT], 1)
    wrong = seat != due
    if s[PHASE] == HIDDEN or s[PHASE] == SHOWN:
        leave_window(s, 0, 1 if wrong else 0)
    if wrong:
        code = V_DOUBLE_DRAW if seat == s[LAST_DRAWER] else V_DRAW_ORDER
        find(s, code, seat, event_code(A_DRAW, -2, due), event_code(A_DRAW, card, seat))
    elif s[PHASE] == DUE_DISCARD or s[PHASE] == DRAWN:
        at = SEAT0 + s[TURN] * SEAT_SIZE
        s[at + WAIVED] += 1
        if s[at + KNOWN] == 1 or s[P_TI_OPEN] != 0:  # a hidden hand may hold 提 that change what is due
            code = V_LIANG_SKIPPED if s[DISCARDS] == 0 and s[DRAWS] == 0 and s[TURN] == s[DEALER] else V_MISSING_DISCARD
            find(s, code, s[TURN], event_code(A_DISCARD, -2, s[TURN]), event_code(A_DRAW, card, seat))
    if s[WALL_N] >= 0 and s[WALL_AT] >= s[WALL_N]:
        find(s, V_MISSED_HUANG, -1, event_code(A_HUANG, -2, -1), event_code(A_DRAW, card, seat))
    else:
        expected = s[D_WALL + s[WALL_AT]] if s[WALL_N] >= 0 else -1
        if card >= 0:
            s[SEEN + card] += 1
        if expected >= 0 and card >= 0 and expected != card:
            if not wrong:
                fault = event_code(A_DRAW, card, seat)
                find(s, V_WALL_MISMATCH, seat, event_code(A_DRAW, expected, seat), fault)
        elif card >= 0 and s[SEEN + card] > 4 and not wrong:
            find(s, V_FIFTH_COPY, seat, 4, s[SEEN + card])
        s[WALL_AT] += 1
    s[DRAWS] += 1
    s[LAST_DRAWER] = seat
    s[LAST_INTAKE] = -1
    if s[P_TO_HAND] == 1:
        draw_in(s, table, seat, card)
    else:
        open_card(s, table, seat, card, FROM_WALL)


@kernel
def do_discard(s: Ints, table: bytes, seat: int, card: int) -> None:
    """打 (rules 3.1, 3.2, 3.7, 6.12)."""
    if s[OPENING] == 1:
        end_opening(s, table)
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(A_DISCARD, card, seat)
    due = (s[PHASE] == DUE_DISCARD or s[PHASE] == DRAWN) and seat == s[TURN]
    wrong = 0  # one code for the discard itself
    if s[PHASE] == HIDDEN and seat == s[OPEN_SEAT]:
        leave_window(s, 0, 0)
    elif not due:
        wrong = 1
        hidden_debt = s[at + KNOWN] == 0 and s[P_TI_OPEN] == 0 and s[PHASE] == DUE_DRAW and s[LAST_INTAKE] == seat
        idle = s[PHASE] == DUE_DRAW and s[P_TO_HAND] == 0  # `general` knows no 八块 (rules 16.20)
        if idle and (s[LAST_INTAKE] == seat or (s[DISCARDS] + s[DRAWS] == 0 and seat == s[DEALER])):
            if hidden_debt:
                wrong = 0
            else:
                find(s, V_BAKUAI_DISCARD, seat, event_code(A_DRAW, -2, s[TURN]), actual)
        else:
            find(s, V_WRONG_TURN, seat, event_code(0, -2, s[TURN]), actual)
    if s[P_TI_OPEN] == 1 and s[DISCARDS] == 0:
        for step in range(s[N_SEATS]):
            late_quads(s, after(s, s[DEALER], step))
    elif s[P_TI_OPEN] == 2 and seat == s[DEALER]:
        late_quads(s, seat)
    if wrong == 0 and s[at + KNOWN] == 1 and s[P_TO_HAND] == 0:
        unit = 1 << (2 * card)
        if s[at + QUADS] & unit != 0:
            find(s, V_CHAI_TI, seat, 0, actual)
        elif copies(s[at + HAND], card) == 3:
            find(s, V_CHAI_KAN, seat, 0, actual)
    if take(s, seat, card) == 0:
        if wrong == 0:
            find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
    elif s[at + KNOWN] == 0 and s[SEEN + card] > 4:
        find(s, V_FIFTH_COPY, seat, 4, s[SEEN + card])
    if s[P_TO_HAND] == 0:
        s[at + OWN] |= 1 << card
    s[DISCARDS] += 1
    s[LAST_INTAKE] = -1
    open_card(s, table, seat, card, FROM_HAND)


@kernel
def owed_ti(s: Ints) -> int:
    """The event of a dealt 提 that must come down now, with the 跑 or 提 just laid (`guilin` 12.9); 0: none."""
    seat = s[LAST_QUAD]
    if seat < 0 or s[P_TI_OPEN] != 0 or s[P_TO_HAND] == 1:
        return 0
    quads = s[SEAT0 + seat * SEAT_SIZE + QUADS]
    return event_code(A_TI_OPEN, lowest(quads), seat) if quads != 0 else 0


@kernel
def do_ti_open(s: Ints, seat: int, card: int) -> None:
    """亮提: four dealt cards are laid (rules 2.13; `guilin` 12.9)."""
    at = SEAT0 + seat * SEAT_SIZE
    actual = event_code(A_TI_OPEN, card, seat)
    if s[at + KNOWN] == 1 and (s[at + QUADS] >> (2 * card)) & 1 == 0:
        find(s, V_CARD_NOT_IN_HAND, seat, 0, actual)
        return
    if s[P_TI_OPEN] == 0 and (s[LAST_QUAD] != seat or s[P_TO_HAND] == 1):
        find(s, V_MELD_KIND, seat, 0, actual)
    lay_dealt_quad(s, seat, card)
    if s[at + KNOWN] == 0:
        if s[SEEN + card] > 4:
            find(s, V_FIFTH_COPY, seat, 4, s[SEEN + card])
        if s[OPENING] == 1:
            opening_turn(s)
        elif s[LAST_INTAKE] == seat and discard_due(s, seat) < 1:
            s[PHASE] = DUE_DRAW
            s[TURN] = after(s, seat, 1)


@kernel
def do_pass(s: Ints, table: bytes, seat: int, card: int) -> None:
    """过 (rules 3.16, 7.12): the seat declines what it may do with the open card, or a win on the dealt cards."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[PHASE] == SHOWN or s[PHASE] == HIDDEN:
        may = R_HU | R_PENG | R_CHI | (R_PAO if s[P_TO_HAND] == 1 else 0)
        nothing = s[at + RIGHTS] & may == 0 and s[at + KNOWN] == 1
        if card >= 0 and s[OPEN] >= 0 and card != s[OPEN]:
            find(s, V_CLOSED_CLAIM, seat, event_code(A_PASS, s[OPEN], seat), event_code(A_PASS, card, seat))
        elif nothing or s[at + PASSED] == 1:
            find(s, V_BAD_PASS, seat, 0, event_code(A_PASS, -2, seat))
        if s[P_PENG_FORCED] == 1 and s[at + RIGHTS] & R_PENG != 0 and s[at + RIGHTS] & R_HU == 0:
            find(s, V_PENG_DECLINED, seat, event_code(A_PENG, s[OPEN], seat), event_code(A_PASS, s[OPEN], seat))
        s[at + PASSED] = 1
    elif s[OPENING] == 1:
        able = quads_tianhu(s, seat) == 1 or liang_value(s, table, seat) >= 0
        if not able and s[at + KNOWN] == 1:
            find(s, V_BAD_PASS, seat, 0, event_code(A_PASS, -2, seat))
    else:
        find(s, V_BAD_PASS, seat, 0, event_code(A_PASS, -2, seat))


@kernel
def do_huang(s: Ints) -> None:
    """荒 (rules 11.2, 11.3): a draw is due and the wall is empty."""
    actual = event_code(A_HUANG, -2, -1)
    open_window = s[PHASE] == SHOWN or s[PHASE] == HIDDEN
    if s[WALL_N] >= 0 and s[WALL_AT] < s[WALL_N]:
        find(s, V_FALSE_HUANG, -1, event_code(A_DRAW, -2, s[TURN]), actual)
    elif (s[PHASE] == DUE_DISCARD or s[PHASE] == DRAWN) and s[P_WIN_DISCARD] == 1:
        find(s, V_FALSE_HUANG, -1, event_code(A_DISCARD, -2, s[TURN]), actual)
    elif open_window:
        leave_window(s, 1, 0)
    s[PHASE] = OVER


@kernel
def do_bu(s: Ints, seat: int, card: int) -> None:
    """补: a seat dealt two 提 has one more card, dealt before the 亮张; the wall is one shorter (`guilin` 12.2)."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[OPENING] == 0:
        find(s, V_WRONG_TURN, seat, 0, event_code(A_BU, card, seat))
    if s[at + KNOWN] == 1 and card >= 0:
        s[SEEN + card] += 1
        give(s, at, card)
    else:
        s[at + UNSEEN] += 1
    if s[OPENING] == 1 and seat == s[DEALER]:
        settle_dealer(s)


@kernel
def needs_card(action: int) -> int:
    """1 for events that move a card which must be named."""
    return 1 if action < A_HU or action == A_BU else 0


@kernel
def do_veiled(s: Ints, table: bytes, seat: int, action: int) -> None:
    """An event whose cards were not recorded: the seat's hand is hidden from here on, only the turn goes on."""
    at = SEAT0 + seat * SEAT_SIZE
    hide(s, seat)
    if action == A_DISCARD:
        if s[OPENING] == 1:
            end_opening(s, table)
        s[at + UNSEEN] -= 1
        s[DISCARDS] += 1
        s[LAST_INTAKE] = -1
        open_card(s, table, seat, -1, FROM_HAND)
        return
    if action == A_BU:
        s[at + UNSEEN] += 1
        return
    taken = 3 if action in (A_BI, A_PAO, A_TI) else 4 if action == A_TI_OPEN else 2
    s[at + UNSEEN] -= taken
    s[at + TABLE] += taken if action in (A_BI, A_TI_OPEN) else taken + 1
    s[at + MELDS] += 1
    if action in (A_PAO, A_TI, A_TI_OPEN):
        s[at + N_QUADS] += 1
    if action != A_BI and action != A_TI_OPEN:
        after_intake(s, seat)


@kernel
def step(s: Ints, table: bytes, seat: int, action: int, card: int, a: int, b: int) -> None:
    """Judge one event and carry it out. The caller sets ``s[SEQ]`` to the event's number first."""
    s[FOUND_NOW] = 0
    if seat >= s[N_SEATS]:  # the fourth person has no part in the play (rules 14.2)
        find(s, V_XING_ACTED, seat, 0, event_code(action, card, seat))
        return
    if s[CHI_SEAT] >= 0 and action != A_BI:
        finish_chi(s)
    if s[PHASE] == OVER:
        find(s, V_EVENT_AFTER_END, seat, 0, event_code(action, card, seat))
        return
    if action != A_PASS and seat >= 0 and seat != s[LAST_DRAWER]:
        s[LAST_DRAWER] = -1 if action != A_DRAW else s[LAST_DRAWER]
    owed = owed_ti(s) if action not in (A_TI_OPEN, A_PASS, A_CLAIM, A_LEAVE) else 0
    # The dealer's deadline is its first discard, the others' their first intake (rules 2.13).
    if s[P_TI_OPEN] == 2 and seat != s[DEALER] and (action == A_CHI or (A_PENG <= action <= A_TI)):
        late_quads(s, seat)
        s[FOUND_NOW] = 0  # the event itself is judged as well
    unnamed = card < 0 or (action in (A_CHI, A_BI) and (a < 0 or b < 0))
    if unnamed and action != A_DRAW and needs_card(action) == 1:
        do_veiled(s, table, seat, action)
    elif action == A_DRAW:
        do_draw(s, table, seat, card)
    elif action == A_DISCARD:
        do_discard(s, table, seat, card)
    elif action == A_CHI:
        do_chi(s, table, seat, card, a, b)
    elif action == A_BI:
        do_bi(s, seat, card, a, b)
    elif action == A_PENG:
        do_peng(s, table, seat, card)
    elif action == A_PAO:
        do_pao(s, table, seat, card)
    elif action in (A_WEI, A_CHOU_WEI, A_TI):
        if s[P_TO_HAND] == 1:
            do_ti_in_hand(s, seat, action, card)
        else:
            do_hidden(s, seat, action, card)
    elif action == A_TI_OPEN:
        do_ti_open(s, seat, card)
    elif action == A_HU:
        do_hu(s, table, seat, card)
    elif action == A_PASS:
        do_pass(s, table, seat, card)
    elif action == A_UNCLAIMED:
        if s[PHASE] == SHOWN or s[PHASE] == HIDDEN:
            leave_window(s, 1, 0)
            s[PHASE] = DUE_DRAW
            s[TURN] = after(s, s[OPEN_SEAT], 1)
        else:
            find(s, V_MISSING_EVENT, -1, 0, event_code(action, card, -1))
    elif action == A_HUANG:
        do_huang(s)
    elif action == A_BU:
        do_bu(s, seat, card)
    elif action == A_LEAVE:  # the round stops (rules 18.4)
        s[LEAVER] = seat
        s[PHASE] = OVER
    elif action == A_CLAIM:
        shut = s[PHASE] != SHOWN and s[PHASE] != HIDDEN
        if shut and not (s[OPENING] == 1 and a == A_HU):  # the 亮张 may only be won (rules 2.5)
            find(s, V_CLOSED_CLAIM, seat, 0, event_code(action, card, seat))
        else:
            wanted = 1 if a == A_HU else 2 if a == A_PENG else 8 if a == A_PAO else 4
            if (s[CLAIMS] >> (4 * seat)) & 15 == 0:  # the first claim binds (rules 4.7)
                s[CLAIMS] |= wanted << (4 * seat)
    if owed != 0 and s[FOUND_NOW] == 0:
        find(s, V_MISSING_EVENT, (owed >> 16) - 1, owed, event_code(action, card, seat))


@kernel
def finish(s: Ints) -> None:
    """After the last event of a whole round, its 吃 finished: it must be over (rules 3.17)."""
    s[FOUND_NOW] = 0
    if s[PHASE] != OVER:
        find(s, V_MISSING_EVENT, -1, event_code(A_HU, -2, -1), 0)
