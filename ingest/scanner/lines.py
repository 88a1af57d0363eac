"""The lines of a block of ``.jsonl`` one by one, and the bytes that make each round the round it is."""

from __future__ import annotations

import numpy as np

from ingest.cards import COPIES, DECK, KINDS
from ingest.limits import MAX_LINE, MAX_TEXT
from ingest.naming import ABSENT
from ingest.record import HAND
from ingest.rows import EARLY_BIT, LIANG_BIT, RESULT_BIT, WALL_BIT
from ingest.scanner.jit import Array, kernel
from ingest.scanner.layout import (
    BU,
    COMPLETE,
    DEALER,
    F_COMPLETE,
    F_DEALER,
    F_END,
    F_EVENT0,
    F_EVENTS,
    F_HAND0,
    F_HANDS,
    F_HIDDEN,
    F_LIANG,
    F_LINE,
    F_MORE,
    F_N,
    F_NOTE,
    F_NUMBERED,
    F_OFFERS,
    F_OMITS,
    F_OPTIONS,
    F_PLATFORM,
    F_PLAYERS,
    F_POINTS,
    F_REPORTED,
    F_RESULT,
    F_ROOM,
    F_ROUND_NO,
    F_RULESET,
    F_SESSION,
    F_SITTER,
    F_START,
    F_STARTED,
    F_TAGS,
    F_VISIBLE,
    F_WALL,
    F_WALL0,
    HANDS,
    LIANG,
    MAX_PLATFORM,
    MOVES,
    N_ACTIONS,
    NOTE,
    NULL,
    NULL_WORD,
    OFFERS,
    OMITS,
    OPTIONS,
    PHZ,
    PLATFORM,
    PLAYERS,
    RESULT,
    ROOM,
    ROUND_NO,
    SESSION,
    SITTER,
    STARTED,
    TAGS,
    VISIBLE,
    WALL,
)
from ingest.scanner.parts import (
    at,
    cards,
    date,
    moves,
    number,
    offers,
    result,
    same,
    span,
    table,
    text,
)

# The end of what each pool holds so far.
P_CARDS, P_WALL, P_LISTS, P_EVENTS, P_POINTS, P_OFFERS, P_LAID, POOLS = range(8)
NOWHERE = 0xFE


@kernel
def name(b: Array, i: int, key: int, row: Array, field: int, most: int) -> int:
    """The place behind an optional text that is not empty; ``i`` where it is absent, -1 where it is wrong."""
    row[field] = row[field + 1] = 0
    j = at(b, i, key)
    if j < 0:
        return i
    i = text(b, j, most)
    if i < 0 or i - j == 2:
        return -1
    row[field], row[field + 1] = j + 1, i - 1
    return i


@kernel
def maybe(b: Array, i: int, key: int, row: Array, field: int) -> int:
    """As ``name`` for a number."""
    row[field] = NULL
    j = at(b, i, key)
    if j < 0:
        return i
    i, row[field] = number(b, j)
    return -1 if row[field] == NULL else i


@kernel
def head(b: Array, i: int, row: Array, lists: Array, m: int, keys: Array) -> tuple[int, int]:
    """Everything before the hands: the place behind it or -1, and the end of the pool of lists."""
    i = at(b, i, PHZ)
    if i < 0:
        return -1, m
    j = text(b, i, MAX_TEXT)
    if j < 0 or j - i == 2:
        return -1, m
    row[F_RULESET], row[F_RULESET + 1] = i + 1, j - 1
    i = j
    row[F_OPTIONS] = row[F_OPTIONS + 1] = 0
    j = at(b, i, OPTIONS)
    if j >= 0:
        i = span(b, j) if b[j] == 123 and b[j + 1] != 125 else -1
        if i < 0:
            return -1, m
        row[F_OPTIONS], row[F_OPTIONS + 1] = j, i
    for key, field, most in (
        (PLATFORM, F_PLATFORM, MAX_PLATFORM),
        (ROOM, F_ROOM, MAX_TEXT),
        (SESSION, F_SESSION, MAX_TEXT),
    ):
        i = name(b, i, key, row, field, most)
        if i < 0:
            return -1, m
    row[F_NUMBERED] = 1 if at(b, i, ROUND_NO) >= 0 else 0
    i = maybe(b, i, ROUND_NO, row, F_ROUND_NO)
    if i < 0:
        return -1, m
    i = name(b, i, STARTED, row, F_STARTED, MAX_TEXT)
    if i < 0 or (row[F_STARTED] and not date(b, row[F_STARTED], row[F_STARTED + 1])):
        return -1, m
    i = at(b, i, PLAYERS)
    n = 0
    while True:
        if i < 0 or n == 4:
            return -1, m
        j = text(b, i, MAX_TEXT)
        if j < 0:
            return -1, m
        row[F_PLAYERS + 2 * n], row[F_PLAYERS + 2 * n + 1] = i + 1, j - 1
        n += 1
        i = j + 1
        if b[j] == 93:
            break
        if b[j] != 44:
            return -1, m
    row[F_N] = n
    i = maybe(b, i, SITTER, row, F_SITTER)
    if i < 0 or at(b, i, DEALER) < 0:
        return -1, m
    i = maybe(b, i, DEALER, row, F_DEALER)
    sitter, dealer = row[F_SITTER], row[F_DEALER]
    playing = n if sitter == NULL else n - 1
    if i < 0 or playing < 2 or playing > 3 or dealer < 0 or dealer >= n or dealer == sitter:
        return -1, m
    if sitter != NULL and (sitter < 0 or sitter >= n):
        return -1, m
    row[F_COMPLETE] = 1
    j = at(b, i, COMPLETE)
    if j >= 0:
        row[F_COMPLETE], i = 0, j
    row[F_OMITS] = 0
    j = at(b, i, OMITS)
    if j >= 0:
        i, end = cards(b, j, lists, m, N_ACTIONS)
        if i < 0 or end == m or lists[m] < 1 or lists[end - 1] >= N_ACTIONS:
            return -1, m
        for k in range(m + 1, end):
            if lists[k] <= lists[k - 1]:
                return -1, m
        row[F_OMITS], m = end - m, end
    row[F_TAGS] = row[F_TAGS + 1] = 0
    j = at(b, i, TAGS)
    if j >= 0:
        i = table(b, j, keys, False)
        if i < 0 or i == j + 1:
            return -1, m
        row[F_TAGS], row[F_TAGS + 1] = j - 1, i
    j = i
    i = name(b, i, NOTE, row, F_NOTE, MAX_TEXT)
    if i < 0:
        return -1, m
    if i > j:
        if b[i] != 125:
            return -1, m
        i += 1
    return i, m


@kernel
def line(b: Array, i: int, row: Array, ends: Array, pools: tuple[Array, ...], keys: Array, counts: Array) -> int:
    """The place behind one round, with its row filled; -1 for a line that the slow reader must look at."""
    dealt, walls, lists, events, times, points, told, lengths, laid = pools
    first = i
    i, m = head(b, i, row, lists, ends[P_LISTS], keys)
    if i < 0:
        return -1
    n, sitter = row[F_N], row[F_SITTER]
    counts[:] = 0
    hidden = 0
    i = at(b, i, HANDS)
    c = ends[P_CARDS]
    row[F_HAND0] = c
    for seat in range(n):
        if i < 0:
            return -1
        j = at(b, i, NULL_WORD)
        row[F_HANDS + seat] = 0
        if j < 0:
            # A dealer's hand of 21 cards is for the slow reader.
            if b[i] != 91 or seat == sitter:
                return -1
            start = c
            j, c = cards(b, i + 1, dealt, c, HAND)
            if j < 0 or c - start != HAND:
                return -1
            row[F_HANDS + seat] = HAND
            for k in range(start, c):
                if dealt[k] < 0:
                    hidden |= 1 << seat
                else:
                    counts[dealt[k]] += 1
        elif seat != sitter:
            hidden |= 1 << seat
        if b[j] != (93 if seat == n - 1 else 44):
            return -1
        i = j + 1
    i = maybe(b, i, LIANG, row, F_LIANG)
    liang = row[F_LIANG]
    if i < 0 or (liang != NULL and (liang < -1 or liang >= KINDS)):
        return -1
    if liang >= 0:
        counts[liang] += 1
    else:
        hidden |= 1 << LIANG_BIT
    w = ends[P_WALL]
    row[F_WALL], row[F_WALL0] = -1, w
    j = at(b, i, WALL)
    if j >= 0:
        i, w = cards(b, j, walls, w, DECK)
        if i < 0:
            return -1
        row[F_WALL] = w - row[F_WALL0]
        for k in range(row[F_WALL0], w):
            if walls[k] < 0:
                hidden |= 1 << WALL_BIT
            else:
                counts[walls[k]] += 1
    for kind in range(KINDS):
        if counts[kind] > COPIES:
            return -1
    row[F_REPORTED], row[F_POINTS] = 0, -1
    row[F_RESULT] = row[F_RESULT + 1] = 0
    p = ends[P_POINTS]
    j = at(b, i, RESULT)
    if j >= 0:
        i = result(b, j, n, row, points, p, laid, ends[P_LAID], keys)
        if i < 0:
            return -1
        if row[F_MORE]:
            row[F_RESULT], row[F_RESULT + 1] = j - 1, i
        if row[F_POINTS] >= 0:
            p += n
    else:
        hidden |= 1 << RESULT_BIT
    row[F_VISIBLE] = -1
    j = at(b, i, VISIBLE)
    if j >= 0:
        i, end = cards(b, j, lists, m, 4)
        if i < 0:
            return -1
        for k in range(m, end):
            if lists[k] < 0 or lists[k] >= n:
                return -1
            for other in range(m, k):
                if lists[other] == lists[k]:
                    return -1
        row[F_VISIBLE], m = end - m, end
    row[F_OFFERS], latest, c2 = -1, -1, ends[P_LAID]
    j = at(b, i, OFFERS)
    if j >= 0:
        i, c2, latest = offers(b, j, row, told, lengths, ends[P_OFFERS], laid, c2)
        if i < 0:
            return -1
    i = at(b, i, MOVES)
    if i < 0:
        return -1
    i = moves(b, i, n, row, events, times, ends[P_EVENTS])
    if i < 0 or b[i] != 125 or b[i + 1] != 10 or latest >= row[F_EVENTS] or i + 1 - first > MAX_LINE:
        return -1
    extra = 0
    for e in range(row[F_EVENT0], row[F_EVENT0] + row[F_EVENTS]):
        if events[1, e] == BU:
            extra += 1
    behind = DECK - HAND * (n if sitter == NULL else n - 1) - 1 - extra
    # A wall that begins with the 亮张 is for the slow reader.
    if row[F_WALL] > behind:
        return -1
    if row[F_WALL] < behind:
        hidden |= 1 << WALL_BIT
    if not row[F_COMPLETE]:
        hidden |= 1 << EARLY_BIT
    row[F_HIDDEN] = hidden
    ends[P_CARDS], ends[P_WALL], ends[P_LISTS], ends[P_POINTS], ends[P_LAID] = c, w, m, p, c2
    ends[P_EVENTS] += row[F_EVENTS]
    if row[F_OFFERS] > 0:
        ends[P_OFFERS] += row[F_OFFERS]
    return i + 1


@kernel
def scan(b: Array, end: int, rows: Array, slow: Array, ends: Array, pools: tuple[Array, ...]) -> tuple[int, int]:
    """Read the lines of ``b[:end]``, each ended by a newline; (rounds read, lines left to the slow reader).

    ``rows`` gets a row a round; ``slow`` start, end and number of each line that was not read; ``ends`` and ``pools``
    what belongs to the rounds: dealt cards, walls, omits and visible seats, events (6 × n), their times, points, offers
    (4 × n), how many cards each offer lays, and these cards.
    """
    keys, counts = np.zeros(64, np.int64), np.zeros(KINDS, np.int64)
    n = left = count = i = 0
    while i < end:
        row = rows[n]
        j = line(b, i, row, ends, pools, keys, counts)
        if j >= 0:
            row[F_START], row[F_END], row[F_LINE] = i, j, count
            n += 1
        else:
            j = i
            while b[j] != 10:
                j += 1
            slow[left, 0], slow[left, 1], slow[left, 2] = i, j, count
            left += 1
        count += 1
        i = j + 1
    return n, left


@kernel
def put(b: Array, s: int, e: int, out: Array, o: int) -> int:
    """Copy a text and set a zero byte behind it."""
    for k in range(s, e):
        out[o] = b[k]
        o += 1
    out[o] = 0
    return o + 1


@kernel
def facts(
    b: Array, rows: Array, pools: tuple[Array, ...], options: Array, option_ends: Array, out: Array, offsets: Array
) -> None:
    """The bytes of ``naming.facts`` of each round, one behind the other; where each begins, and the end of the last.

    ``options`` holds the sorted JSON of the options of each round, ``option_ends`` where each begins and ends.
    """
    dealt, walls, _, events, _, _, _, _, _ = pools
    o = 0
    for r in range(len(rows)):
        row = rows[r]
        offsets[r] = o
        with_session = row[F_SESSION + 1] > row[F_SESSION]
        placed = with_session or (row[F_ROOM + 1] > row[F_ROOM] and row[F_STARTED + 1] > row[F_STARTED])
        named = placed and row[F_PLATFORM + 1] > row[F_PLATFORM] and row[F_NUMBERED] == 1
        out[o] = 1 if named else 0
        o += 1
        for field in (F_PLATFORM, F_ROOM, F_SESSION):
            o = put(b, row[field], row[field + 1], out, o)
        if named:
            day = row[F_STARTED]
            o = put(b, day, day if with_session else day + 10, out, o)
        else:
            o = put(b, row[F_RULESET], row[F_RULESET + 1], out, o)
            o = put(options, option_ends[r, 0], option_ends[r, 1], out, o)
            for seat in range(row[F_N]):
                o = put(b, row[F_PLAYERS + 2 * seat], row[F_PLAYERS + 2 * seat + 1], out, o)
        out[o] = 0
        numbered = row[F_NUMBERED]
        out[o + 1] = numbered
        for k in range(4):
            out[o + 2 + k] = (row[F_ROUND_NO] >> 8 * k) & 0xFF if numbered else 0
        o += 6
        if not named:
            out[o] = NOWHERE if row[F_SITTER] == NULL else row[F_SITTER]
            o += 1
        out[o] = row[F_DEALER]
        out[o + 1] = NOWHERE if row[F_LIANG] < 0 else row[F_LIANG]
        o += 2
        if not named:
            o = deal(row, dealt, walls, out, o)
            for e in range(row[F_EVENT0], row[F_EVENT0] + row[F_EVENTS]):
                low, high = min(events[3, e], events[4, e]), max(events[3, e], events[4, e])
                out[o], out[o + 1], out[o + 2] = events[0, e] & 0xFF, events[1, e], events[2, e] & 0xFF
                out[o + 3], out[o + 4] = low & 0xFF, high & 0xFF
                o += 5
    offsets[len(rows)] = o


@kernel
def deal(row: Array, dealt: Array, walls: Array, out: Array, o: int) -> int:
    """The hands, each in ascending order, and the wall in its own."""
    c = row[F_HAND0]
    for seat in range(row[F_N]):
        size = row[F_HANDS + seat]
        out[o] = size if size else ABSENT
        o += 1
        if size:
            for kind in range(-1, KINDS):
                for k in range(c, c + size):
                    if dealt[k] == kind:
                        out[o] = kind & 0xFF
                        o += 1
            c += size
    size = row[F_WALL]
    out[o] = ABSENT if size < 0 else size
    o += 1
    for k in range(row[F_WALL0], row[F_WALL0] + max(size, 0)):
        out[o] = walls[k] & 0xFF
        o += 1
    return o


@kernel
def gather(b: Array, starts: Array, ends: Array, out: Array, offsets: Array) -> None:
    """Copy the texts one behind the other; where each begins, and the end of the last."""
    o = 0
    for r in range(len(starts)):
        offsets[r] = o
        for k in range(starts[r], ends[r]):
            out[o] = b[k]
            o += 1
    offsets[len(starts)] = o


@kernel
def runs(b: Array, rows: Array, first: Array) -> None:
    """Whether a round differs from the one before it in ruleset, options, number of persons or sitter."""
    for r in range(len(rows)):
        row, before = rows[r], rows[r - 1]
        alike = r > 0
        for field in (F_N, F_SITTER):
            alike = alike and row[field] == before[field]
        for field in (F_RULESET, F_OPTIONS):
            s, t, n = row[field], before[field], row[field + 1] - row[field]
            alike = alike and before[field + 1] - t == n and same(b, s, t, n)
        first[r] = not alike
