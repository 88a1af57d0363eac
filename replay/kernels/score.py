"""What a win is worth: 胡息 → 等/底/子 → 番 → payments (rules chapters 9, 10, 12)."""

from __future__ import annotations

from replay.kernels.bits import RED_LOW, copies, kan_of, popcount
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    D_HANDS,
    D_PAID_SITTER,
    D_WALL,
    DEALER,
    DIHU,
    FOURS,
    FROM_WALL,
    HAND,
    HUXI_AT,
    KNOWN,
    LAID,
    LEAVER,
    LIANG,
    N_QUADS,
    N_SEATS,
    O_BIG,
    O_DENG,
    O_FAN,
    O_FAN_TOTAL,
    O_HITS,
    O_HUXI,
    O_POINTS,
    O_RED,
    O_SMALL,
    O_TURNED,
    O_UNITS,
    O_ZIMO,
    OPEN_SEAT,
    ORIGIN,
    OVER,
    P_BASE_POINTS,
    P_FAN,
    P_FAN_MORE,
    P_FAN_PRODUCT,
    P_HAIDI_ALONE,
    P_HUANG_FEE,
    P_KAN,
    P_MIN_HUXI,
    P_PAY_DISCARD,
    P_QIANTI_BONUS,
    P_QUAD_UNITS,
    P_RUN_123,
    P_RUN_2710,
    P_SPECIAL_DOUBLE,
    P_TI,
    P_TIANHU_FACTOR,
    P_TIANHU_IS_ZIMO,
    P_TO_HAND,
    P_UNIT_BASE,
    P_UNIT_CAP,
    P_UNIT_STEP,
    P_XING,
    P_XING_FEE,
    P_ZIMO_ADD,
    P_ZIMO_AFTER_FAN,
    P_ZIMO_DOUBLE,
    PENGS,
    PHASE,
    QUADS,
    RED,
    SCORE0,
    SCORE_SIZE,
    SEAT0,
    SEAT_SIZE,
    SITTER,
    TIANHU_BY_LIANG,
    TIANHU_BY_QUADS,
    VALUE_DUIDUI,
    VALUE_FORCED,
    VALUE_QING,
    W_DISCARD,
    W_LIANG,
    W_OWN,
    WALL_AT,
    WALL_N,
    WEIS,
    WIN_CARD,
    WIN_SOURCE,
    WIN_SPECIAL,
    WIN_VALUE,
    WINNER,
    XI,
)
from replay.kernels.rights import big_cards, owned_of, red_cards, same_huxi

(
    F_HONG, F_DIAN, F_HONG_WU, F_WU, F_DUIDUI, F_WU_DUIDUI, F_HAIDI, F_SHIHONG, F_TIANHU, F_DIHU, F_SANBIAN, F_SIBIAN,
    F_SHUANGPIAO, F_SHIBA_DA, F_SHIBA_XIAO, F_QINGYISE, F_ZIMO,
) = range(17)  # fmt: skip
FANS = 17


@kernel
def partial_runs(s: Ints, loose: int) -> int:
    """Most 胡息 of disjoint 一二三 and 二七十 among loose cards, the rest counting nothing (rules 9.6)."""
    total = 0
    for size in range(2):
        at = 10 * size
        twos = copies(loose, at + 1)
        runs = min(copies(loose, at), twos, copies(loose, at + 2))
        reds = min(copies(loose, at + 6), twos, copies(loose, at + 9))
        best = 0
        for n in range(runs + 1):
            m = min(reds, twos - n)
            best = max(best, n * s[P_RUN_123 + size] + m * s[P_RUN_2710 + size])
        total += best
    return total


@kernel
def tianhu_huxi(s: Ints, seat: int) -> int:
    """胡息 of a 天胡 by 提 and 坎, whose other cards need no shape (rules 9.6)."""
    at = SEAT0 + seat * SEAT_SIZE
    hand = s[at + HAND]
    kan = kan_of(hand)
    quads = s[at + QUADS]
    xi = s[at + XI] + partial_runs(s, hand - 3 * kan)
    return xi + same_huxi(s, P_KAN, kan) + same_huxi(s, P_TI, quads)


@kernel
def red_groups(s: Ints, seat: int, card: int, forced: int) -> int:
    """Groups of three and of four equal red cards of the seat, as ``threes | fours << 4`` (rules 17.8 to 17.10).

    ``card``: the winning card where it is not in the hand, else -1; ``forced`` 1: it joined equal cards.
    """
    at = SEAT0 + seat * SEAT_SIZE
    three = (s[at + PENGS] | s[at + WEIS] | kan_of(s[at + HAND])) & RED_LOW
    four = (s[at + FOURS] | s[at + QUADS]) & RED_LOW
    if card >= 0 and forced == 1:
        unit = (1 << (2 * card)) & RED_LOW
        four |= three & unit
        three ^= unit  # a pair becomes three, three become four
    return popcount(three) | popcount(four) << 4


@kernel
def played(s: Ints, fan: int, pattern: int) -> int:
    """``fan`` with the pattern, if the ruleset plays it: its value is not 0."""
    return fan | 1 << pattern if s[P_FAN + pattern] > 0 else fan


@kernel
def fan_of(s: Ints, red: int, groups: int, duidui: int, haidi: int, qing: int, zimo: int) -> int:
    """The 番 patterns of the win as bits (rules 10.5 to 10.11, chapters 15 to 17).

    ``groups``: see ``red_groups``; big and small cards are counted in ``O_BIG``, ``O_SMALL``.
    """
    fan = 0
    if 10 <= red <= 12:
        fan = played(s, fan, F_HONG)
    if red == 1:
        fan = played(s, fan, F_DIAN)
    if red >= 13:
        fan = played(s, fan, F_HONG_WU)
    if red == 0:
        fan = played(s, fan, F_WU)
    if duidui == 1:
        fan = played(s, fan, F_DUIDUI)
    both = 1 << F_WU | 1 << F_DUIDUI
    if fan & both == both and s[P_FAN + F_WU_DUIDUI] > 0:
        fan = (fan & ~both) | 1 << F_WU_DUIDUI
    if red >= 10:
        fan = played(s, fan, F_SHIHONG)
    if s[WIN_SPECIAL] == TIANHU_BY_QUADS or s[WIN_SPECIAL] == TIANHU_BY_LIANG:
        fan = played(s, fan, F_TIANHU)
    if s[WIN_SPECIAL] == DIHU:
        fan = played(s, fan, F_DIHU)
    if groups == 1 and red == 3:
        fan = played(s, fan, F_SANBIAN)
    if groups == 1 << 4 and red == 4:
        fan = played(s, fan, F_SIBIAN)
    threes = groups & 15
    fours = groups >> 4
    if threes + fours == 2 and red == 3 * threes + 4 * fours:
        fan = played(s, fan, F_SHUANGPIAO)
    if s[O_BIG] >= 18:
        fan = played(s, fan, F_SHIBA_DA)
    if s[O_SMALL] >= 18:
        fan = played(s, fan, F_SHIBA_XIAO)
    if qing == 1:
        fan = played(s, fan, F_QINGYISE)
    if zimo == 1:
        fan = played(s, fan, F_ZIMO)
    if haidi == 1 and (fan != 0 or s[P_HAIDI_ALONE] == 2):
        fan = played(s, fan, F_HAIDI)
    return fan


@kernel
def fan_total(s: Ints, fan: int, red: int) -> int:
    """The 番 of the patterns in ``fan`` together; 1 when there is none (rules 10.6, 16.13)."""
    total = 0
    product = 1
    for i in range(FANS):
        if (fan >> i) & 1 == 1:
            value = s[P_FAN + i]
            if s[P_FAN_MORE] == 1:
                if i == F_SHIHONG:
                    value += red - 10
                elif i == F_SHIBA_DA:
                    value += s[O_BIG] - 18
                elif i == F_SHIBA_XIAO:
                    value += s[O_SMALL] - 18
            total += value
            product *= value
    return product if s[P_FAN_PRODUCT] == 1 else max(total, 1)


@kernel
def copies_of(s: Ints, seat: int, card: int) -> int:
    """Copies of ``card`` among all of a seat's cards, without the winning card."""
    at = SEAT0 + seat * SEAT_SIZE
    held = copies(s[at + HAND], card) + ((s[at + LAID] >> (3 * card)) & 7)
    return held + 4 * ((s[at + QUADS] >> (2 * card)) & 1)


@kernel
def turn_xing(s: Ints, extra: int) -> None:
    """Turn wall cards for 醒 (rules 12.28, 12.29): hits and cards turned; hits -1 when a needed card is unknown.

    ``extra``: the winning card where it is not among the winner's cards yet, else -1.
    """
    at = s[WALL_AT]
    while at < s[WALL_N]:
        card = s[D_WALL + at]
        if card < 0:
            s[O_HITS] = -1
            return
        at += 1
        s[O_TURNED] += 1
        again = 0
        for i in range(3):
            if (s[P_XING] >> i) & 1 == 1:
                hit = card // 10 * 10 + (card % 10 + 1 - i) % 10
                n = copies_of(s, s[WINNER], hit) + (1 if hit == extra else 0)
                s[O_HITS] += n
                if n >= 4:
                    again = 1
        if again == 0:
            return
    if s[WALL_N] < 0:
        s[O_HITS] = -1


@kernel
def pay_sitter(s: Ints, seat: int, points: int) -> None:
    """The seat pays the fourth person, where there is one who is paid (rules 14.4, 14.5, 14.12)."""
    if s[D_PAID_SITTER] == 1:
        s[O_POINTS + seat] -= points
        s[O_POINTS + SITTER] += points


@kernel
def dealt_quad(s: Ints) -> int:
    """1 if the dealer was dealt a 提, the 亮张 included (rules 14.12)."""
    for card in range(20):
        n = 1 if s[LIANG] == card else 0
        for i in range(20):
            if s[D_HANDS + 20 * s[DEALER] + i] == card:
                n += 1
        if n == 4:
            return 1
    return 0


@kernel
def settle(s: Ints, hits: int) -> None:
    """Score the round that is over in ``s``. ``hits``: 醒 hits where they are given, -1 to turn the wall's cards.

    A void or undecided win scores nothing. Writes ``SCORE_SIZE`` ints at ``SCORE0``.
    """
    for i in range(SCORE_SIZE):
        s[SCORE0 + i] = 0
    winner = s[WINNER]
    if s[PHASE] != OVER or s[LEAVER] >= 0 or (winner >= 0 and s[WIN_VALUE] < 0):
        return
    if s[P_QIANTI_BONUS] > 0 and dealt_quad(s) == 1:
        pay_sitter(s, s[DEALER], s[P_QIANTI_BONUS])
    if winner < 0:
        pay_sitter(s, s[DEALER], s[P_HUANG_FEE])
        return
    at = SEAT0 + winner * SEAT_SIZE
    if s[at + KNOWN] == 0:
        return
    special = s[WIN_SPECIAL]
    source = s[WIN_SOURCE]
    value = s[WIN_VALUE]
    xi = tianhu_huxi(s, winner) if special == TIANHU_BY_QUADS else value >> HUXI_AT
    dealt = special in (TIANHU_BY_QUADS, TIANHU_BY_LIANG)
    card = s[WIN_CARD]
    in_hand = special == TIANHU_BY_QUADS or (source == W_LIANG and winner == s[DEALER])
    if in_hand or (s[P_TO_HAND] == 1 and source == W_OWN):
        card = -1
    if hits >= 0:
        s[O_HITS] = hits
    elif s[P_XING] != 0:
        turn_xing(s, card)
    red = s[at + RED] + red_cards(s, winner)
    big = big_cards(s, winner)
    all_cards = owned_of(s, winner)
    if card >= 0:
        red += (RED_LOW >> (2 * card)) & 1
        big += 1 if card >= 10 else 0
        all_cards += 1
    s[O_RED] = red
    s[O_BIG] = big
    s[O_SMALL] = all_cards - big
    haidi = 1 if not dealt and s[ORIGIN] == FROM_WALL and s[WALL_N] >= 0 and s[WALL_AT] == s[WALL_N] else 0
    qing = value & VALUE_QING != 0 or (s[P_TO_HAND] == 0 and (big == 0 or big == all_cards))
    own = source == W_OWN
    groups = red_groups(s, winner, card, value & VALUE_FORCED)
    duidui = 1 if value & VALUE_DUIDUI != 0 and special != TIANHU_BY_QUADS else 0
    zimo = 1 if own or (dealt and dealt_is_zimo(s, winner) == 1) else 0
    fan = fan_of(s, red, groups, duidui, haidi, 1 if qing else 0, zimo)
    f = fan_total(s, fan, red)
    factor = s[P_TIANHU_FACTOR] if dealt else 1
    deng = (xi * factor - s[P_MIN_HUXI]) // s[P_UNIT_STEP] + s[P_UNIT_BASE]
    if s[P_UNIT_CAP] > 0:
        deng = min(deng, s[P_UNIT_CAP])
    deng += max(s[O_HITS], 0)
    added = zimo * s[P_ZIMO_ADD]
    units = deng * f + added if s[P_ZIMO_AFTER_FAN] == 1 else (deng + added) * f
    if zimo == 1 and s[P_ZIMO_DOUBLE] == 1:
        units *= 2
    if special != 0 and s[P_SPECIAL_DOUBLE] == 1:
        units *= 2
    units += s[P_QUAD_UNITS] * s[at + N_QUADS]
    s[O_HUXI] = xi
    s[O_DENG] = deng
    s[O_FAN] = fan
    s[O_FAN_TOTAL] = f
    s[O_UNITS] = units
    s[O_ZIMO] = zimo
    pay(s, winner, units * s[P_BASE_POINTS], f)


@kernel
def dealt_is_zimo(s: Ints, winner: int) -> int:
    """1 if a win on the dealt cards counts as 自摸 (rules 10.4, 14.3)."""
    return 1 if s[P_TIANHU_IS_ZIMO] == 2 or (s[P_TIANHU_IS_ZIMO] == 1 and winner == s[DEALER]) else 0


@kernel
def pay(s: Ints, winner: int, share: int, f: int) -> None:
    """Who pays what (rules 10.13, 12.30, 14.4, 15.12, 16.17); ``share``: points of one loser."""
    losers = s[N_SEATS] - 1
    fee = f if s[P_XING_FEE] == 1 else 1
    for seat in range(s[N_SEATS]):
        if seat == winner:
            continue
        points = share
        if s[WIN_SOURCE] == W_DISCARD and s[P_PAY_DISCARD] != 0:
            points = share * losers if s[P_PAY_DISCARD] == 1 else share
            if seat != s[OPEN_SEAT]:
                points = 0
        s[O_POINTS + seat] -= points
        s[O_POINTS + winner] += points
        if s[P_XING_FEE] != 0:
            pay_sitter(s, seat, fee * s[P_BASE_POINTS])
