"""The state of a round and how it moves; whether a move was allowed is for ``step`` to say."""

from __future__ import annotations

from replay.kernels.bits import RED_LOW, class_of, copies, popcount, size_of
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_PAO,
    ANY_RIGHT,
    BANNED,
    CLAIMS,
    DRAWN,
    DUE_DISCARD,
    DUE_DRAW,
    FOURS,
    FROM_HAND,
    FROM_WALL,
    HAND,
    HIDDEN,
    HU_LOST,
    HU_VALUE,
    INTAKES,
    IS_OUT,
    KNOWN,
    LAID,
    LAST_CLAIM,
    LAST_INTAKE,
    LAST_QUAD,
    LOST,
    MELDS,
    N_QUADS,
    N_SEATS,
    OPEN,
    OPEN_SEAT,
    ORIGIN,
    OWN_DRAWS,
    P_BAN,
    P_CHI_PREV_DRAW,
    P_DEAD_FORCED,
    P_HU_PASS_KILLS,
    P_KAN,
    P_PAO,
    P_PENG,
    P_TI,
    P_TO_HAND,
    PASSED,
    PENGS,
    PHASE,
    QUADS,
    R_CHI,
    R_HU,
    R_PAO,
    R_PENG,
    R_TI,
    R_WEI,
    RED,
    RIGHTS,
    SEAT0,
    SEAT_SIZE,
    SEEN,
    SHOWN,
    TABLE,
    TURN,
    UNSEEN,
    W_DISCARD,
    W_OTHER,
    W_OWN,
    WAIVED,
    WEIS,
    XI,
)
from replay.kernels.rights import (
    after,
    chi_right,
    discard_due,
    free_cards,
    hu_right,
    last_card_lost,
    may_win_discard,
    pao_due,
    peng_right,
)


@kernel
def give(s: Ints, at: int, card: int) -> None:
    """Put a card into the hand at offset ``at``; the fourth of a kind moves all four to the quads."""
    unit = 1 << (2 * card)
    if (s[at + HAND] >> (2 * card)) & 3 == 3:
        s[at + HAND] -= 3 * unit
        s[at + QUADS] |= unit
    else:
        s[at + HAND] += unit


@kernel
def take(s: Ints, seat: int, card: int) -> int:
    """Take a card from the seat's hand; 0 if it is known not to be there. A hidden hand gives any card."""
    at = SEAT0 + seat * SEAT_SIZE
    unit = 1 << (2 * card)
    if s[at + KNOWN] == 0:
        s[at + UNSEEN] -= 1
        s[SEEN + card] += 1
        return 1
    if s[at + QUADS] & unit != 0:
        s[at + QUADS] &= ~unit
        s[at + HAND] += 3 * unit
        return 1
    if copies(s[at + HAND], card) == 0:
        return 0
    s[at + HAND] -= unit
    return 1


@kernel
def hide(s: Ints, seat: int) -> None:
    """The seat's hand is hidden from here on: only how many cards it holds is known."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[at + KNOWN] == 1:
        s[at + UNSEEN] = size_of(s[at + HAND]) + 4 * popcount(s[at + QUADS])
        for card in range(20):  # each is counted again when it leaves the hidden hand
            s[SEEN + card] -= copies(s[at + HAND], card) + 4 * ((s[at + QUADS] >> (2 * card)) & 1)
        s[at + KNOWN] = 0
        s[at + HAND] = 0
        s[at + QUADS] = 0


@kernel
def shown_rights(s: Ints, table: bytes) -> None:
    """Fill every seat's rights to the open card, face up (rules 3.5, 3.6, 4.2 to 4.6)."""
    card = s[OPEN]
    origin = s[ORIGIN]
    owner = s[OPEN_SEAT]
    first_hu = -1
    s[ANY_RIGHT] = 0
    for step in range(s[N_SEATS]):
        seat = after(s, owner, step)
        at = SEAT0 + seat * SEAT_SIZE
        s[at + RIGHTS] = 0
        s[at + LOST] = 0
        s[at + HU_VALUE] = -1
        if card < 0:
            continue
        rights = 0
        barred = s[at + IS_OUT] == 1 or (s[P_BAN] == 1 and s[at + BANNED] == 1)
        if s[at + KNOWN] == 1 and not barred:
            value = -1
            if origin == FROM_WALL:
                if last_card_lost(s) == 0:
                    value = hu_right(s, table, seat, card, W_OWN if seat == owner else W_OTHER)
            elif seat != owner and may_win_discard(s, seat) == 1:
                value = hu_right(s, table, seat, card, W_DISCARD)
            if value >= 0:
                s[at + HU_VALUE] = value
                rights |= R_HU
                if first_hu < 0:
                    first_hu = seat
        if (seat != owner or origin == FROM_WALL) and pao_due(s, seat, card, origin) == 1:
            tabled = (s[at + PENGS] | s[at + WEIS]) >> (2 * card) & 1 == 1
            dropped = s[P_DEAD_FORCED] == 2 and not tabled and free_cards(s, seat) == 0 and discard_due(s, seat) == 0
            dropped = dropped and s[at + N_QUADS] == 0 and s[at + QUADS] == 0
            if not dropped:
                rights |= R_PAO
        if s[at + KNOWN] == 1 and s[at + IS_OUT] == 0:
            if seat != owner and peng_right(s, seat, card) == 1:
                rights |= R_PENG
            reach = (seat == owner and origin == FROM_WALL) or (
                step == 1 and (origin == FROM_HAND or s[P_CHI_PREV_DRAW] == 1)
            )
            if reach and chi_right(s, seat, card) == 1:
                rights |= R_CHI
        s[at + RIGHTS] = rights
        s[ANY_RIGHT] |= rights
    if s[P_HU_PASS_KILLS] == 1 and first_hu >= 0:  # only the first able seat is asked, and only for 胡 (rules 12.13)
        for seat in range(s[N_SEATS]):
            at = SEAT0 + seat * SEAT_SIZE
            s[at + LOST] = s[at + RIGHTS]
            s[at + RIGHTS] = R_HU if seat == first_hu else 0


@kernel
def open_card(s: Ints, table: bytes, seat: int, card: int, origin: int) -> None:
    """A card comes to lie open before ``seat``, or is drawn and kept hidden by a forced 提/偎 (rules 3.4, 6.3, 6.5)."""
    s[OPEN] = card
    s[OPEN_SEAT] = seat
    s[ORIGIN] = origin
    s[CLAIMS] = 0
    s[HU_LOST] = 0
    s[LAST_QUAD] = -1
    s[LAST_CLAIM] = -1
    for other in range(s[N_SEATS]):
        s[SEAT0 + other * SEAT_SIZE + PASSED] = 0
    s[PHASE] = SHOWN
    at = SEAT0 + seat * SEAT_SIZE
    if origin == FROM_WALL and card >= 0:
        unit = 1 << (2 * card)
        h = copies(s[at + HAND], card)
        right = 0
        if s[at + WEIS] & unit != 0 or (s[at + KNOWN] == 1 and h == 3):
            right = R_TI
        elif s[at + KNOWN] == 1 and h == 2:
            right = R_WEI
            if s[P_DEAD_FORCED] == 2 and free_cards(s, seat) == 2 * unit and discard_due(s, seat) == 0:
                right = 0
        if right != 0:
            s[PHASE] = HIDDEN
            s[ANY_RIGHT] = right
            for other in range(s[N_SEATS]):
                s[SEAT0 + other * SEAT_SIZE + RIGHTS] = 0
                s[SEAT0 + other * SEAT_SIZE + HU_VALUE] = -1
                s[SEAT0 + other * SEAT_SIZE + LOST] = 0
            barred = s[at + IS_OUT] == 1 or (s[P_BAN] == 1 and s[at + BANNED] == 1)
            if s[at + KNOWN] == 1 and not barred and last_card_lost(s) == 0:
                s[at + HU_VALUE] = hu_right(s, table, seat, card, W_OWN)
                if s[at + HU_VALUE] >= 0:
                    if s[P_HU_PASS_KILLS] == 1:
                        s[at + LOST] = right
                        right = 0
                    right |= R_HU
            s[at + RIGHTS] = right
            return
    shown_rights(s, table)


@kernel
def draw_in(s: Ints, table: bytes, seat: int, card: int) -> None:
    """A drawn card enters the hand: the seat may win, lay a 提 with it, or discards (rules 16.4, 16.8)."""
    at = SEAT0 + seat * SEAT_SIZE
    s[OPEN] = card
    s[OPEN_SEAT] = seat
    s[ORIGIN] = FROM_WALL
    s[CLAIMS] = 0
    s[LAST_QUAD] = -1
    s[LAST_CLAIM] = -1
    s[ANY_RIGHT] = 0
    s[at + OWN_DRAWS] += 1
    s[TURN] = seat
    s[PHASE] = DRAWN
    for other in range(s[N_SEATS]):
        s[SEAT0 + other * SEAT_SIZE + RIGHTS] = 0
        s[SEAT0 + other * SEAT_SIZE + LOST] = 0
    if s[at + KNOWN] == 0 or card < 0:
        hide(s, seat)
        s[at + UNSEEN] += 1
        if card >= 0:
            s[SEEN + card] -= 1  # counted when it leaves the hidden hand
        return
    give(s, at, card)
    s[at + HU_VALUE] = hu_right(s, table, seat, -1, W_OWN)
    if s[at + HU_VALUE] >= 0:
        s[at + RIGHTS] |= R_HU
    if (s[at + QUADS] >> (2 * card)) & 1 == 1:
        s[at + RIGHTS] |= R_TI


@kernel
def after_intake(s: Ints, seat: int) -> None:
    """The seat has melded: it discards, or nothing is due and the next seat draws (rules 2.14, 3.7, 3.12).

    In `general` a 提 or 跑 is followed by a draw of the same seat (16.8, 16.9).
    """
    at = SEAT0 + seat * SEAT_SIZE
    s[at + INTAKES] += 1
    s[LAST_INTAKE] = seat
    if s[P_TO_HAND] == 1:
        s[TURN] = seat
        s[PHASE] = DUE_DISCARD if discard_due(s, seat) >= 1 else DUE_DRAW
        return
    s[TURN] = after(s, seat, 1)
    s[PHASE] = DUE_DRAW
    if discard_due(s, seat) >= 1:
        if s[at + KNOWN] == 1 and free_cards(s, seat) == 0:
            s[at + WAIVED] += 1
            if s[P_DEAD_FORCED] == 1:
                s[at + IS_OUT] = 1
        else:
            s[PHASE] = DUE_DISCARD
            s[TURN] = seat


@kernel
def lay(s: Ints, seat: int, card: int, n: int, huxi: int) -> None:
    """``n`` more cards of kind ``card`` lie on the seat's table, its exposed 胡息 grow by ``huxi``."""
    at = SEAT0 + seat * SEAT_SIZE
    s[at + TABLE] += n
    s[at + LAID] += n << (3 * card)
    s[at + XI] += huxi
    if (RED_LOW >> (2 * card)) & 1 == 1:
        s[at + RED] += n


@kernel
def lay_same(s: Ints, seat: int, card: int, action: int) -> None:
    """碰, 偎, 跑 or 提 of ``card``: cards move from the hand (or the group already on the table grows)."""
    at = SEAT0 + seat * SEAT_SIZE
    unit = 1 << (2 * card)
    column = class_of(card)
    quad = P_PAO if action == A_PAO else P_TI
    if s[at + WEIS] & unit != 0:
        s[at + WEIS] &= ~unit
        s[at + N_QUADS] += 1
        lay(s, seat, card, 1, s[quad + column] - s[P_KAN + column])
    elif s[at + PENGS] & unit != 0:
        s[at + PENGS] &= ~unit
        s[at + N_QUADS] += 1
        lay(s, seat, card, 1, s[quad + column] - s[P_PENG + column])
    else:
        for _ in range(3):
            take(s, seat, card)
        s[at + MELDS] += 1
        s[at + N_QUADS] += 1
        lay(s, seat, card, 4, s[quad + column])
    s[at + FOURS] |= unit
    s[LAST_QUAD] = seat


@kernel
def lay_triple(s: Ints, seat: int, card: int, hidden: int) -> None:
    """碰 (``hidden`` 0) or 偎/臭偎 (1): two from the hand with the card that came."""
    at = SEAT0 + seat * SEAT_SIZE
    unit = 1 << (2 * card)
    column = class_of(card)
    for _ in range(2):
        take(s, seat, card)
    s[at + MELDS] += 1
    if hidden == 1:
        s[at + WEIS] |= unit
        lay(s, seat, card, 3, s[P_KAN + column])
    else:
        s[at + PENGS] |= unit
        lay(s, seat, card, 3, s[P_PENG + column])


@kernel
def lay_dealt_quad(s: Ints, seat: int, card: int) -> None:
    """前提: four dealt cards are laid (rules 2.13, `guilin` 12.9)."""
    at = SEAT0 + seat * SEAT_SIZE
    unit = 1 << (2 * card)
    if s[at + KNOWN] == 1:
        s[at + QUADS] &= ~unit
    else:
        s[at + UNSEEN] -= 4
        s[SEEN + card] += 4
    s[at + MELDS] += 1
    s[at + N_QUADS] += 1
    s[at + FOURS] |= unit
    lay(s, seat, card, 4, s[P_TI + class_of(card)])
