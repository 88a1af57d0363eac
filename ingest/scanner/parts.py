"""Parts of a line: numbers, texts, cards, tables, results, events, offers.

A line that is in any way different, or breaks any check of ``validate``, is left to the slow reader, which explains
what is wrong with it or takes it after all. So this code may be strict and must never be lenient. Written for numba:
ints, flat arrays, no objects; bytes behind the last line are zero, so that a look past the end finds nothing.
"""

from __future__ import annotations

from ingest.cards import KINDS
from ingest.codes import NO_CARD
from ingest.limits import INT32, MAX_EVENTS, MAX_ITEMS, MAX_LINE, MAX_OFFERS, MAX_TEXT
from ingest.scanner.jit import Array, kernel
from ingest.scanner.layout import (
    ASKED,
    END,
    F_EVENT0,
    F_EVENTS,
    F_FACES,
    F_HUXI,
    F_HUXI_KNOWN,
    F_MORE,
    F_N,
    F_OFFER0,
    F_OFFERS,
    F_POINTS,
    F_REPORTED,
    F_SITTER,
    F_SOURCE,
    F_TIMES,
    F_WINNER,
    G_CARDS,
    G_FORM,
    G_HUXI,
    KEY,
    MAX_KEYS,
    MONTH,
    N_ACTIONS,
    N_FORMS,
    N_SOURCES,
    NOBODY,
    NULL,
    NULL_WORD,
    R_CARD,
    R_FAN,
    R_FROM,
    R_GROUPS,
    R_HANDS,
    R_HITS,
    R_HUXI,
    R_POINTS,
    R_REST,
    R_SOURCE,
    R_TOTALS,
    R_UNITS,
    R_WINNER,
    SHAPE,
)
from ingest.validate import FACES


@kernel
def at(b: Array, i: int, key: int) -> int:
    """The place behind the key that stands at ``i``; -1 where it does not."""
    first = int(END[key])
    n = int(END[key + 1]) - first
    for k in range(n):
        if b[i + k] != KEY[first + k]:
            return -1
    return i + n


@kernel
def number(b: Array, i: int) -> tuple[int, int]:
    """A whole number of 32 bits, written the one way: (place behind it or -1, number)."""
    negative = b[i] == 45
    if negative:
        i += 1
    first = b[i] - 48
    if first < 0 or first > 9:
        return -1, 0
    value = int(first)
    i += 1
    if value == 0:
        return (-1 if negative else i), 0
    for _ in range(10):
        digit = b[i] - 48
        if digit < 0 or digit > 9:
            break
        value = value * 10 + digit
        i += 1
    if value > INT32:
        return -1, 0
    return i, (-value if negative else value)


@kernel
def text(b: Array, i: int, most: int) -> int:
    """The place behind a string that begins at ``i``, without escapes and of at most ``most`` bytes; -1 otherwise."""
    if b[i] != 34:
        return -1
    start = i + 1
    i = start
    while b[i] != 34:
        if b[i] < 32 or b[i] == 92 or b[i] == 127:
            return -1
        if b[i] == 0xEF and b[i + 1] == 0xBF and b[i + 2] == 0xBD:  # U+FFFD
            return -1
        i += 1
    return i + 1 if i - start <= most else -1


@kernel
def date(b: Array, s: int, e: int) -> bool:
    """An ISO day, with a time of whole seconds or without."""
    n = e - s
    if n != 10 and n != 19:
        return False
    for k in range(n):
        c = b[s + k]
        if k == 4 or k == 7:
            right = c == 45
        elif k == 10:
            right = c == 84
        elif k == 13 or k == 16:
            right = c == 58
        else:
            right = 48 <= c <= 57
        if not right:
            return False
    year = (b[s] - 48) * 1000 + (b[s + 1] - 48) * 100 + two(b, s + 2)
    month, day = two(b, s + 5), two(b, s + 8)
    if year < 1 or month < 1 or month > 12 or day < 1:
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > MONTH[month] + (1 if leap else 0):
        return False
    return n == 10 or (two(b, s + 11) < 24 and two(b, s + 14) < 60 and two(b, s + 17) < 60)


@kernel
def two(b: Array, i: int) -> int:
    """A number of two digits."""
    return int(b[i] - 48) * 10 + int(b[i + 1] - 48)


@kernel
def cards(b: Array, i: int, pool: Array, to: int, most: int) -> tuple[int, int]:
    """Cards and the bracket behind them, ``i`` being behind the opening one: (place behind or -1, end in the pool)."""
    if b[i] == 93:
        return i + 1, to
    start = to
    while True:
        i, card = number(b, i)
        if i < 0 or card < -1 or card >= KINDS or to - start >= most:
            return -1, start
        pool[to] = card
        to += 1
        if b[i] == 93:
            return i + 1, to
        if b[i] != 44:
            return -1, start
        i += 1


@kernel
def same(b: Array, s: int, t: int, n: int) -> bool:
    """Whether the same ``n`` bytes stand at both places."""
    k = 0
    while k < n and b[s + k] == b[t + k]:
        k += 1
    return k == n


@kernel
def table(b: Array, i: int, keys: Array, numbers: bool) -> int:
    """The place behind an object of texts, or of numbers, ``i`` being behind its brace; -1 for a key twice."""
    n = 0
    if b[i] == 125:
        return i + 1
    while True:
        s = i
        i = text(b, i, MAX_TEXT)
        if i < 0 or b[i] != 58 or n == MAX_KEYS:
            return -1
        for k in range(n):
            if keys[2 * k + 1] == i - s and same(b, keys[2 * k], s, i - s):
                return -1
        keys[2 * n], keys[2 * n + 1] = s, i - s
        n += 1
        if numbers:
            i, _ = number(b, i + 1)
        else:
            i = text(b, i + 1, MAX_TEXT)
        if i < 0:
            return -1
        if b[i] == 125:
            return i + 1
        if b[i] != 44:
            return -1
        i += 1


@kernel
def span(b: Array, i: int) -> int:
    """The place behind an object that is looked at elsewhere; -1 where it does not end on this line."""
    depth = 0
    while True:
        c = b[i]
        if c == 34:
            i = text(b, i, MAX_LINE)
            if i < 0:
                return -1
            continue
        if c < 32:
            return -1
        if c == 123:
            depth += 1
        elif c == 125:
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1


@kernel
def numbers(b: Array, i: int, n: int, pool: Array, to: int) -> int:
    """The place behind ``n`` numbers and their bracket, the numbers in the pool; -1 otherwise."""
    for k in range(n):
        i, pool[to + k] = number(b, i)
        if i < 0 or b[i] != (93 if k == n - 1 else 44):
            return -1
        i += 1
    return i


@kernel
def result(b: Array, i: int, n: int, row: Array, points: Array, p: int, pool: Array, c: int, keys: Array) -> int:
    """The place behind a result, ``i`` being behind its brace, or -1; fills the row, and ``points`` from ``p`` on.

    ``pool`` from ``c`` on is used for cards that are only looked at.
    """
    row[F_REPORTED] = 1
    row[F_WINNER], row[F_SOURCE], row[F_HUXI_KNOWN], row[F_POINTS], row[F_MORE] = NULL, NULL, 0, -1, 0
    last = R_WINNER - 1
    if b[i] == 125:
        return i + 1
    while True:
        key = last + 1
        j = -1
        while key <= R_REST:
            j = at(b, i, key)
            if j >= 0:
                break
            key += 1
        if j < 0:
            return -1
        last, i = key, j
        if key == R_WINNER:
            i, v = number(b, i)
            if v < -1 or v >= n:
                return -1
            row[F_WINNER] = v
        elif key == R_SOURCE:
            i, v = number(b, i)
            if v < 0 or v >= N_SOURCES:
                return -1
            row[F_SOURCE] = v
        elif key == R_HUXI:
            i, row[F_HUXI] = number(b, i)
            row[F_HUXI_KNOWN] = 1
        elif key == R_POINTS:
            i = numbers(b, i, n, points, p)
            row[F_POINTS] = n
        else:
            row[F_MORE] = 1
            if key == R_CARD:
                i, v = number(b, i)
                if v < -1 or v >= KINDS:
                    return -1
            elif key == R_FROM:
                i, v = number(b, i)
                if v < 0 or v >= n:
                    return -1
            elif key == R_GROUPS:
                i = groups(b, i, pool, c)
            elif key == R_FAN:
                i = table(b, i, keys, True)
            elif key == R_UNITS:
                i, _ = number(b, i)
                if i < 0 or b[i] != 44:
                    return -1
                i, v = number(b, i + 1)
                if i < 0 or v < 1 or b[i] != 93:
                    return -1
                i += 1
            elif key == R_TOTALS:
                i = numbers(b, i, n, points, p + 4)
            elif key == R_HITS:
                i, _ = number(b, i)
            elif key == R_HANDS:
                for k in range(n):
                    j = at(b, i, NULL_WORD)
                    if j < 0:
                        if b[i] != 91:
                            return -1
                        j, _ = cards(b, i + 1, pool, c, MAX_ITEMS)
                    if j < 0 or b[j] != (93 if k == n - 1 else 44):
                        return -1
                    i = j + 1
            else:  # xing, rest
                i, _ = cards(b, i, pool, c, MAX_ITEMS)
        if i < 0:
            return -1
        if b[i] == 125:
            return i + 1
        if b[i] != 44:
            return -1
        i += 1


@kernel
def groups(b: Array, i: int, pool: Array, c: int) -> int:
    """The place behind the groups of a hand; -1 otherwise."""
    if b[i] == 93:
        return i + 1
    for _ in range(MAX_ITEMS):
        i = at(b, i, G_CARDS)
        if i < 0:
            return -1
        i, end = cards(b, i, pool, c, MAX_ITEMS)
        if i < 0 or end == c:
            return -1
        j = at(b, i, G_FORM)
        if j >= 0:
            i, v = number(b, j)
            if i < 0 or v < 1 or v > N_FORMS:
                return -1
        j = at(b, i, G_HUXI)
        if j >= 0:
            i, _ = number(b, j)
            if i < 0:
                return -1
        if b[i] != 125:
            return -1
        i += 1
        if b[i] == 93:
            return i + 1
        if b[i] != 44:
            return -1
        i += 1
    return -1


@kernel
def fits(value: int, shape: int) -> bool:
    """Whether a part of an event may have this value (``validate.SHAPES``)."""
    if shape == 1:
        return -1 <= value < KINDS
    if shape == 2:
        return NO_CARD <= value < KINDS
    if shape == 3:
        return 0 < value < N_ACTIONS and ASKED[value]
    return shape == 0 and value == NO_CARD


@kernel
def moves(b: Array, i: int, n: int, row: Array, events: Array, times: Array, e: int) -> int:
    """The place behind the events, ``i`` being behind their bracket; -1 otherwise. Fills the pools from ``e`` on."""
    first = e
    row[F_EVENT0], row[F_FACES], row[F_TIMES] = e, 0, 0
    if b[i] == 93:
        row[F_EVENTS] = 0
        return i + 1
    while True:
        if b[i] != 91:
            return -1
        i, seat = number(b, i + 1)
        if i < 0 or b[i] != 44:
            return -1
        i, action = number(b, i + 1)
        if i < 0 or action < 1 or action >= N_ACTIONS:
            return -1
        card, one, two_, face, t = NO_CARD, NO_CARD, NO_CARD, 0, -1
        told = True  # what stands last is something
        if b[i] == 44:
            i, card = number(b, i + 1)
            told = card != NO_CARD
            if i >= 0 and b[i] == 44:
                i, one = number(b, i + 1)
                told = one != NO_CARD
                if i >= 0 and b[i] == 44:
                    i, two_ = number(b, i + 1)
                    told = two_ != NO_CARD
                    if i >= 0 and b[i] == 44:
                        i, face = number(b, i + 1)
                        told = face != 0
                        if i >= 0 and b[i] == 44:
                            i, t = number(b, i + 1)
                            told = t >= 0
                            row[F_TIMES] = 1
        if i < 0 or b[i] != 93 or not told or face < 0 or face >= FACES or e - first == MAX_EVENTS:
            return -1
        if (seat != -1) if NOBODY[action] else (seat < 0 or seat >= n):
            return -1
        if not (fits(card, SHAPE[action, 0]) and fits(one, SHAPE[action, 1]) and fits(two_, SHAPE[action, 2])):
            return -1
        events[0, e], events[1, e], events[2, e] = seat, action, card
        events[3, e], events[4, e], events[5, e] = one, two_, face
        times[e] = t
        if face:
            row[F_FACES] = 1
        e += 1
        i += 1
        if b[i] == 93:
            row[F_EVENTS] = e - first
            return i + 1
        if b[i] != 44:
            return -1
        i += 1


@kernel
def offers(
    b: Array, i: int, row: Array, pool: Array, lengths: Array, o: int, laid: Array, c: int
) -> tuple[int, int, int]:
    """The place behind the offers or -1, the end of their cards, and the latest event they name."""
    first, latest = o, -1
    row[F_OFFER0] = o
    if b[i] == 93:
        row[F_OFFERS] = 0
        return i + 1, c, latest
    while True:
        if b[i] != 91:
            return -1, c, 0
        i, seq = number(b, i + 1)
        if i < 0 or b[i] != 44 or seq < -1 or seq >= MAX_EVENTS or o - first == MAX_OFFERS:
            return -1, c, 0
        i, seat = number(b, i + 1)
        if i < 0 or b[i] != 44 or seat < 0 or seat >= row[F_N] or seat == row[F_SITTER]:
            return -1, c, 0
        i, action = number(b, i + 1)
        if i < 0 or b[i] != 44 or action < 1 or action >= N_ACTIONS or not ASKED[action]:
            return -1, c, 0
        i, card = number(b, i + 1)
        if i < 0 or b[i] != 44 or b[i + 1] != 91 or not fits(card, 2):
            return -1, c, 0
        start = c
        i, c = cards(b, i + 2, laid, c, MAX_ITEMS)
        if i < 0 or b[i] != 93:
            return -1, c, 0
        pool[0, o], pool[1, o], pool[2, o], pool[3, o] = seq, seat, action, card
        lengths[o] = c - start
        latest = max(latest, seq)
        o += 1
        i += 1
        if b[i] == 93:
            row[F_OFFERS] = o - first
            return i + 1, c, latest
        if b[i] != 44:
            return -1, c, 0
        i += 1
