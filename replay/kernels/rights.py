"""What a seat may do with a card: the one source of legality."""

from __future__ import annotations

from replay.kernels.bits import (
    BIG_BLACK,
    BIG_RED,
    LOW,
    RED_LOW,
    SMALL_BLACK,
    SMALL_RED,
    class_of,
    copies,
    kan_of,
    popcount,
    size_of,
)
from replay.kernels.hands import FIRST_2710, GROUPS, split
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    CHI,
    CHOUHU,
    DEALER,
    DISCARDS,
    DRAWS,
    FROM_HAND,
    FROM_WALL,
    GROUP,
    HAND,
    HUXI_AT,
    KNOWN,
    LAID,
    MELDS,
    N_QUADS,
    N_SEATS,
    NEED,
    NEED_TWICE,
    OFFSET,
    OPEN_SEAT,
    ORIGIN,
    OWN,
    P_CHOUHU,
    P_DEAD_CHI_ALL,
    P_DIHU,
    P_KAN,
    P_LAST_WINS,
    P_MIN_HUXI,
    P_OWN_BARS_PENG,
    P_PAO,
    P_PENG,
    P_RUN_123,
    P_RUN_123_B,
    P_RUN_2710,
    P_RUN_2710_B,
    P_SENTENCES,
    P_TI,
    P_TO_HAND,
    P_WIN_DISCARD,
    PACK,
    PENGS,
    QUADS,
    RUNS,
    SEAT0,
    SEAT_SIZE,
    STALE_CHI,
    STALE_PENG,
    TABLE,
    UNSEEN,
    VALUE_DUIDUI,
    VALUE_FORCED,
    W_DISCARD,
    W_OWN,
    WAIVED,
    WALL_AT,
    WALL_N,
    WEIS,
    XI,
)
from replay.kernels.sentences import sentences_value

PACKED = tuple(sum(1 << (2 * card) for card in cards) for cards in GROUPS)


def _constants() -> list[int]:
    """The ints from ``layout.GROUP`` on: for each kind its triples (at most 6) and what they need beside it."""
    with_ = [[g for g, cards in enumerate(GROUPS) if kind in cards] for kind in range(20)]
    groups = [found[i] if i < len(found) else -1 for found in with_ for i in range(6)]
    rest = [PACKED[g] - (1 << 2 * (n // 6)) if g >= 0 else 0 for n, g in enumerate(groups)]
    return [*groups, *((r | r >> 1) & LOW for r in rest), *((r >> 1) & LOW for r in rest), *PACKED]


CONSTANTS = _constants()


@kernel
def after(s: Ints, seat: int, n: int) -> int:
    """The ``n``-th seat after ``seat`` in turn, ``n`` below the number of seats (a division would cost much more)."""
    at = seat + n
    return at - s[N_SEATS] if at >= s[N_SEATS] else at


@kernel
def turns_to(s: Ints, seat: int, other: int) -> int:
    """How many turns after ``seat`` the other one sits."""
    n = other - seat
    return n + s[N_SEATS] if n < 0 else n


@kernel
def holds(hand: int, part: int) -> int:
    """1 if every kind of packed ``part`` is in ``hand`` at least as often."""
    # Per kind: part <= hand on two bits, compared without borrowing across kinds.
    high_h = (hand >> 1) & LOW
    low_h = hand & LOW
    high_p = (part >> 1) & LOW
    low_p = part & LOW
    more = (high_p & ~high_h) | (~(high_p ^ high_h) & low_p & ~low_h)
    return 1 if more & LOW == 0 else 0


@kernel
def owned_of(s: Ints, seat: int) -> int:
    """Cards a seat owns: hand and table."""
    at = SEAT0 + seat * SEAT_SIZE
    return size_of(s[at + HAND]) + 4 * popcount(s[at + QUADS]) + s[at + UNSEEN] + s[at + TABLE]


@kernel
def excused(s: Ints, seat: int) -> int:
    """Cards that the seat owns above 20 without owing a discard (rules 2.14; `general` 16.5)."""
    at = SEAT0 + seat * SEAT_SIZE
    if s[P_TO_HAND] == 1:
        return s[at + N_QUADS] + s[at + WAIVED]
    return max(0, s[at + N_QUADS] + popcount(s[at + QUADS]) - 1) + s[at + WAIVED] - s[at + OFFSET]


@kernel
def discard_due(s: Ints, seat: int) -> int:
    """Discards the seat owes now (rules 2.14): 1 it must, 0 or less it must not."""
    return owned_of(s, seat) - 20 - excused(s, seat)


@kernel
def free_cards(s: Ints, seat: int) -> int:
    """Packed cards that the seat may discard or lay: its hand without 坎 and 提; `general` locks nothing (16.20)."""
    at = SEAT0 + seat * SEAT_SIZE
    hand = s[at + HAND]
    if s[P_TO_HAND] == 1:
        return hand + 3 * s[at + QUADS]
    return hand - 3 * kan_of(hand)


@kernel
def same_huxi(s: Ints, form: int, kinds: int) -> int:
    """胡息 of groups of equal cards of these kinds (low bits); ``form``: P_PENG, P_KAN, P_PAO or P_TI (rules 9.1)."""
    huxi = popcount(kinds & SMALL_BLACK) * s[form] + popcount(kinds & BIG_BLACK) * s[form + 1]
    return huxi + popcount(kinds & SMALL_RED) * s[form + 2] + popcount(kinds & BIG_RED) * s[form + 3]


@kernel
def fixed_huxi(s: Ints, at: int, kan: int) -> int:
    """胡息 of the table and of the 坎 (low bits) and 提 in hand."""
    return s[at + XI] + same_huxi(s, P_KAN, kan) + same_huxi(s, P_TI, s[at + QUADS])


@kernel
def hu_value(s: Ints, table: bytes, seat: int, card: int, source: int) -> int:
    """Best way to win on ``card`` from ``source``; ``card`` -1: the hand is already complete.

    Result: 胡息 above the bits ``VALUE_FORCED`` (the card was used in its forced group), ``VALUE_DUIDUI`` (no 顺 or
    绞) and ``VALUE_QING`` (6 句 of one size); -1 when no legal shape exists (rules 8.3, 8.4, 8.6 to 8.13, 16.11).
    The minimum is not applied.
    """
    if s[P_SENTENCES] != 0:
        return sentences_value(s, seat, card, source)
    at = SEAT0 + seat * SEAT_SIZE
    hand = s[at + HAND]
    kan = kan_of(hand)
    held = s[at + QUADS]
    loose = hand - 3 * kan
    groups = s[at + MELDS] + popcount(kan) + popcount(held)
    quads = s[at + N_QUADS] + popcount(held)
    best = -1
    runs = s[at + RUNS]
    if card < 0:
        size = size_of(loose)
        jiang = 1 if quads > 0 else 0
        if groups + jiang + (size - 2 * jiang) // 3 == 7:
            value = split(loose, jiang, table, s)
            if value >= 0:
                best = value << HUXI_AT | (VALUE_DUIDUI if runs == 0 and size == 2 * jiang else 0)
                best += fixed_huxi(s, at, kan) << HUXI_AT
        return best
    column = class_of(card)
    unit = 1 << (2 * card)
    h = (hand >> (2 * card)) & 3
    forced = 0  # 1: the card makes a group with what is already together
    gain = 0
    more_quads = 0
    more_groups = 0
    rest = loose
    if s[at + WEIS] & unit != 0:
        forced = 1
        more_quads = 1
        gain = s[(P_TI if source == W_OWN else P_PAO) + column] - s[P_KAN + column]
    elif s[at + PENGS] & unit != 0:
        if source != W_DISCARD:
            forced = 1
            more_quads = 1
            gain = s[P_PAO + column] - s[P_PENG + column]
    elif h == 3:
        forced = 1
        more_quads = 1
        gain = s[(P_TI if source == W_OWN else P_PAO) + column] - s[P_KAN + column]
    elif h == 2:
        forced = 1
        more_groups = 1
        gain = s[(P_KAN if source == W_OWN else P_PENG) + column]
        rest = loose - 2 * unit
    if forced == 1:
        jiang = 1 if quads + more_quads > 0 else 0
        size = size_of(rest)
        if groups + more_groups + jiang + (size - 2 * jiang) // 3 == 7:
            value = split(rest, jiang, table, s)
            if value >= 0:
                best = (gain + value) << HUXI_AT | (VALUE_DUIDUI if runs == 0 and size == 2 * jiang else 0)
                best |= VALUE_FORCED
    # The card used freely: never where its group is forced on the drawer (rules 8.13).
    must = source == W_OWN and (h >= 2 or s[at + WEIS] & unit != 0)
    if not must and (held >> (2 * card)) & 1 == 0:
        rest = loose + unit
        size = size_of(rest)
        jiang = 1 if quads > 0 else 0
        if groups + jiang + (size - 2 * jiang) // 3 == 7:
            value = split(rest, jiang, table, s)
            if value >= 0:
                best = max(best, value << HUXI_AT | (VALUE_DUIDUI if runs == 0 and size == 2 * jiang else 0))
    return best if best < 0 else best + (fixed_huxi(s, at, kan) << HUXI_AT)


@kernel
def hu_right(s: Ints, table: bytes, seat: int, card: int, source: int) -> int:
    """``hu_value`` where the seat may really win with it: the minimum and 臭胡 hold; -1 otherwise."""
    value = hu_value(s, table, seat, card, source)
    if value < 0 or value >> HUXI_AT < s[P_MIN_HUXI]:
        return -1
    at = SEAT0 + seat * SEAT_SIZE
    if s[P_CHOUHU] == 1 and card >= 0 and s[at + CHOUHU + card] == 1 + s[at + XI]:
        return -1
    return value


@kernel
def first_discard(s: Ints) -> int:
    """1 if the open card is the dealer's first discard, before any draw (rules 12.6, 15.9)."""
    first = s[ORIGIN] == FROM_HAND and s[DISCARDS] == 1 and s[DRAWS] == 0
    return 1 if first and s[OPEN_SEAT] == s[DEALER] else 0


@kernel
def may_win_discard(s: Ints, seat: int) -> int:
    """1 if the seat may win on the discard that lies open (rules 8.2; 15.9: at least on the dealer's first one)."""
    if s[P_WIN_DISCARD] == 1:
        return 1
    return 1 if s[P_DIHU] == 1 and first_discard(s) == 1 and seat == after(s, s[DEALER], 1) else 0


@kernel
def last_card_lost(s: Ints) -> int:
    """1 if the open card is the wall's last one and may not be won on (rules 15.3)."""
    last = s[ORIGIN] == FROM_WALL and s[WALL_N] >= 0 and s[WALL_AT] == s[WALL_N]
    return 1 if s[P_LAST_WINS] == 0 and last else 0


@kernel
def chi_options(s: Ints, seat: int, card: int, enough: int) -> int:
    """Every complete 吃 of ``card`` by ``seat``, with its 比 (rules 5.1, 5.8 to 5.10); dead choices left out (3.11).

    Writes codes ``group | (1 + 比) << 6 | (1 + 比) << 12`` at ``CHI`` and returns their number,
    which stops at ``enough`` (0: all).
    The order of two 比 does not matter and is ascending.
    """
    free = free_cards(s, seat)
    at = SEAT0 + seat * SEAT_SIZE
    plain = s[P_TO_HAND] == 1  # 顺 only, and no 比 (rules 16.6)
    if not plain and (copies(s[at + HAND], card) == 3 or (s[at + QUADS] >> (2 * card)) & 1 == 1):
        return 0
    unit = 1 << (2 * card)
    n = 0
    dead = 0
    held = (free | free >> 1) & LOW
    twice = (free >> 1) & LOW
    for i in range(6):
        at = GROUP + 6 * card + i
        first = s[at]
        if (
            first < 0
            or (plain and first >= FIRST_2710)
            or s[at + NEED - GROUP] & ~held != 0
            or s[at + NEED_TWICE - GROUP] & ~twice != 0
        ):
            continue
        left = free - (s[PACK + first] - unit)
        if plain or copies(left, card) == 0:
            if left == 0 and discard_due(s, seat) == 0:  # the eaten card makes it 1
                dead = 1
            else:
                s[CHI + n] = first
                n += 1
                if n == enough:
                    return n
            continue
        for j in range(6):
            second = s[GROUP + 6 * card + j]
            if second < 0 or not holds(left, s[PACK + second]):
                continue
            left2 = left - s[PACK + second]
            if copies(left2, card) == 0:
                if left2 == 0 and discard_due(s, seat) == 0:
                    dead = 1
                else:
                    s[CHI + n] = first | (1 + second) << 6
                    n += 1
                    if n == enough:
                        return n
                continue
            for k in range(j, 6):
                third = s[GROUP + 6 * card + k]
                if third < 0 or not holds(left2, s[PACK + third]):
                    continue
                left3 = left2 - s[PACK + third]
                if copies(left3, card) == 0:
                    if left3 == 0 and discard_due(s, seat) == 0:
                        dead = 1
                    else:
                        s[CHI + n] = first | (1 + second) << 6 | (1 + third) << 12
                        n += 1
                        if n == enough:
                            return n
    if dead == 1 and s[P_DEAD_CHI_ALL] == 1:
        return 0
    return n


@kernel
def peng_right(s: Ints, seat: int, card: int) -> int:
    """1 if the seat may 碰 ``card``: a pair, not 过张, and a card left to discard (rules 6.1, 7.1, 7.4, 3.11)."""
    at = SEAT0 + seat * SEAT_SIZE
    hand = s[at + HAND]
    bit = 1 << card
    if copies(hand, card) != 2 or s[at + STALE_PENG] & bit != 0:
        return 0
    if s[P_OWN_BARS_PENG] == 1 and s[at + OWN] & bit != 0:
        return 0
    if free_cards(s, seat) == 2 << (2 * card) and discard_due(s, seat) == 0:
        return 0
    return 1


@kernel
def chi_right(s: Ints, seat: int, card: int) -> int:
    """1 if the seat may 吃 ``card`` in at least one way and it is no 过张 (rules 7.1, 7.2, 7.4)."""
    at = SEAT0 + seat * SEAT_SIZE
    if (s[at + STALE_CHI] | s[at + OWN]) & (1 << card) != 0:
        return 0
    # Where one dead choice removes them all, every choice must be looked at.
    return 1 if chi_options(s, seat, card, 0 if s[P_DEAD_CHI_ALL] == 1 else 1) > 0 else 0


@kernel
def pao_due(s: Ints, seat: int, card: int, origin: int) -> int:
    """1 if the arriving card makes a 跑 (or the drawer's own 跑 of a tabled 碰) for ``seat`` (rules 6.6 to 6.9)."""
    at = SEAT0 + seat * SEAT_SIZE
    unit = 1 << (2 * card)
    if s[P_TO_HAND] == 1:  # of a 坎 in hand only, and only a discard (rules 16.9)
        return 1 if s[at + KNOWN] == 1 and copies(s[at + HAND], card) == 3 and origin == FROM_HAND else 0
    if origin != FROM_HAND and s[at + PENGS] & unit != 0:
        return 1
    return 1 if s[at + KNOWN] == 1 and (copies(s[at + HAND], card) == 3 or s[at + WEIS] & unit != 0) else 0


@kernel
def red_cards(s: Ints, seat: int) -> int:
    """Red cards in the hand (the table's are counted as they are laid)."""
    at = SEAT0 + seat * SEAT_SIZE
    hand = s[at + HAND]
    reds = popcount(hand & RED_LOW) + 2 * popcount((hand >> 1) & RED_LOW)
    return reds + 4 * popcount(s[at + QUADS] & RED_LOW)


@kernel
def big_cards(s: Ints, seat: int) -> int:
    """Big cards of the seat, in hand and on the table."""
    at = SEAT0 + seat * SEAT_SIZE
    big = size_of(s[at + HAND] >> 20) + 4 * popcount(s[at + QUADS] >> 20)
    for card in range(10, 20):
        big += (s[at + LAID] >> (3 * card)) & 7
    return big


@kernel
def group_of(s: Ints, card: int, a: int, b: int) -> int:
    """Index of the triple that the three cards make, or -1 (rules 1.7 to 1.9)."""
    if card < 0 or a < 0 or b < 0:
        return -1
    packed = (1 << (2 * card)) + (1 << (2 * a)) + (1 << (2 * b))
    for i in range(6):
        group = s[GROUP + 6 * card + i]
        if group >= 0 and s[PACK + group] == packed:
            return group
    return -1


@kernel
def group_huxi(s: Ints, group: int) -> int:
    """胡息 of a triple from ``GROUPS`` (rules 9.1)."""
    if group == 0:
        return s[P_RUN_123]
    if group == 8:
        return s[P_RUN_123_B]
    if group == 16:
        return s[P_RUN_2710]
    if group == 17:
        return s[P_RUN_2710_B]
    return 0
