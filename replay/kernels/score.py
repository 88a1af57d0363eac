"""What a win is worth: 胡息 → 等/底/子 → 番 → payments (rules chapters 9, 10, 12)."""

from __future__ import annotations

from replay.kernels.bits import SMALL, copies, kan_of, popcount
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    D_WALL,
    DEALER,
    DIHU,
    FROM_WALL,
    HAND,
    KNOWN,
    LAID,
    O_DENG,
    O_FAN,
    O_FAN_TOTAL,
    O_HITS,
    O_HUXI,
    O_POINTS,
    O_RED,
    O_TURNED,
    O_UNITS,
    O_ZIMO,
    OPEN_SEAT,
    ORIGIN,
    P_BASE_POINTS,
    P_DISCARD_PAYS_ALL,
    P_FAN_DIAN,
    P_FAN_DUIDUI,
    P_FAN_HAIDI,
    P_FAN_HONG,
    P_FAN_HONG_WU,
    P_FAN_WU,
    P_FAN_WU_DUIDUI,
    P_KAN_S,
    P_RUN_123_S,
    P_RUN_2710_S,
    P_SPECIAL_DOUBLE,
    P_TI_S,
    P_TIANHU_FACTOR,
    P_TIANHU_IS_ZIMO,
    P_UNIT_BASE,
    P_UNIT_START,
    P_UNIT_STEP,
    P_XING,
    P_ZIMO_ADD,
    P_ZIMO_AFTER_FAN,
    P_ZIMO_DOUBLE,
    QUADS,
    RED,
    SCORE0,
    SCORE_SIZE,
    SEAT0,
    SEAT_SIZE,
    SEATS,
    TIANHU_BY_QUADS,
    W_DISCARD,
    W_LIANG,
    W_OWN,
    WALL_AT,
    WALL_N,
    WIN_CARD,
    WIN_SOURCE,
    WIN_SPECIAL,
    WIN_VALUE,
    WINNER,
    XI,
)
from replay.kernels.rights import red_cards

F_HONG, F_DIAN, F_HONG_WU, F_WU, F_DUIDUI, F_WU_DUIDUI, F_HAIDI = 1, 2, 4, 8, 16, 32, 64


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
            best = max(best, n * s[P_RUN_123_S + size] + m * s[P_RUN_2710_S + size])
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
    xi += popcount(kan & SMALL) * s[P_KAN_S] + popcount(kan >> 20) * s[P_KAN_S + 1]
    return xi + popcount(quads & SMALL) * s[P_TI_S] + popcount(quads >> 20) * s[P_TI_S + 1]


@kernel
def fan_of(s: Ints, red: int, duidui: int, haidi: int, any_shape: int) -> int:
    """The 番 patterns as bits (rules 10.5 to 10.11); a pattern whose value is 0 is not played."""
    fan = 0
    if 10 <= red <= 12 and s[P_FAN_HONG] > 0:
        fan |= F_HONG
    if red == 1 and s[P_FAN_DIAN] > 0:
        fan |= F_DIAN
    if red >= 13 and s[P_FAN_HONG_WU] > 0:
        fan |= F_HONG_WU
    if red == 0 and s[P_FAN_WU] > 0:
        fan |= F_WU
    if duidui == 1 and any_shape == 0 and s[P_FAN_DUIDUI] > 0:
        fan |= F_DUIDUI
    if fan & F_WU != 0 and fan & F_DUIDUI != 0 and s[P_FAN_WU_DUIDUI] > 0:
        fan = (fan & ~(F_WU | F_DUIDUI)) | F_WU_DUIDUI
    if haidi == 1 and fan != 0 and s[P_FAN_HAIDI] > 0:
        fan |= F_HAIDI
    return fan


@kernel
def fan_total(s: Ints, fan: int) -> int:
    """Sum of the 番 of the patterns in ``fan``; 1 when there is none (rules 10.6)."""
    total = 0
    for i in range(7):
        if (fan >> i) & 1 == 1:
            total += s[P_FAN_HONG + i]
    return max(total, 1)


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
def settle(s: Ints, hits: int) -> None:
    """Score the round that is over in ``s``. ``hits``: 醒 hits where they are given, -1 to turn the wall's cards.

    A void or undecided win scores nothing. Writes ``SCORE_SIZE`` ints at ``SCORE0``.
    """
    for i in range(SCORE_SIZE):
        s[SCORE0 + i] = 0
    winner = s[WINNER]
    if winner < 0 or s[WIN_VALUE] < 0:
        return
    at = SEAT0 + winner * SEAT_SIZE
    if s[at + KNOWN] == 0:
        return
    special = s[WIN_SPECIAL]
    source = s[WIN_SOURCE]
    xi = tianhu_huxi(s, winner) if special == TIANHU_BY_QUADS else s[WIN_VALUE] >> 2
    dealt = special != 0 and special != DIHU
    card = s[WIN_CARD]
    in_hand = special == TIANHU_BY_QUADS or (source == W_LIANG and winner == s[DEALER])
    if hits >= 0:
        s[O_HITS] = hits
    elif s[P_XING] != 0:
        turn_xing(s, -1 if in_hand else card)
    red = s[at + RED] + red_cards(s, winner)
    if not in_hand and card >= 0:
        rank = card % 10
        if rank == 1 or rank == 6 or rank == 9:
            red += 1
    haidi = 1 if not dealt and s[ORIGIN] == FROM_WALL and s[WALL_N] >= 0 and s[WALL_AT] == s[WALL_N] else 0
    fan = fan_of(s, red, (s[WIN_VALUE] >> 1) & 1, haidi, 1 if special == TIANHU_BY_QUADS else 0)
    f = fan_total(s, fan)
    zimo = 1 if source == W_OWN or (dealt and s[P_TIANHU_IS_ZIMO] == 1) else 0
    factor = s[P_TIANHU_FACTOR] if dealt else 1
    deng = (xi * factor - s[P_UNIT_START]) // s[P_UNIT_STEP] + s[P_UNIT_BASE]
    deng += max(s[O_HITS], 0)
    added = zimo * s[P_ZIMO_ADD]
    units = deng * f + added if s[P_ZIMO_AFTER_FAN] == 1 else (deng + added) * f
    if zimo == 1 and s[P_ZIMO_DOUBLE] == 1:
        units *= 2
    if special != 0 and s[P_SPECIAL_DOUBLE] == 1:
        units *= 2
    s[O_HUXI] = xi
    s[O_DENG] = deng
    s[O_FAN] = fan
    s[O_FAN_TOTAL] = f
    s[O_UNITS] = units
    s[O_ZIMO] = zimo
    s[O_RED] = red
    pay = units * s[P_BASE_POINTS]
    s[O_POINTS + winner] = 2 * pay
    if source == W_DISCARD and s[P_DISCARD_PAYS_ALL] == 1:
        s[O_POINTS + s[OPEN_SEAT]] = -2 * pay
    else:
        for seat in range(SEATS):
            if seat != winner:
                s[O_POINTS + seat] = -pay
