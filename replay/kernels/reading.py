"""Reading hands: which of the worlds that fit the rules also fit what the others threw and let go (docs/players.md).

What a seat throws is thought to be drawn from its kinds with weights that depend on the cards beside each (a choice
model: Luce 1959); what it could have taken it lets go with fixed chances. Both are fitted to self-play. A hand only
shrinks, so the hands of the past follow from the one a world gives.
"""

from __future__ import annotations

from replay.kernels.bits import LOW, RED_LOW, SMALL, copies, kan_of, popcount
from replay.kernels.features import WEIGHT
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    D_WALL,
    DEALER,
    HAND,
    LIANG,
    OPEN,
    PHASE,
    QUADS,
    SEAT0,
    SEAT_SIZE,
    SEEN,
    SHOWN,
    WALL_AT,
    WALL_N,
)
from replay.kernels.memo import (
    LEFT_PAIR,
    LEFT_RUN,
    LIANG_HELD,
    PAST,
    PAST_CARD,
    PAST_ROOM,
    PASTS,
    READING,
    THREW,
    before_entry,
    hidden_weis,
    weis_before,
)
from replay.kernels.plans import A_HAND, A_MELDS, L_STARTS, after_nothing, look
from replay.kernels.play import draw_below
from replay.kernels.worlds import (
    FRACTION,
    W_ALL,
    W_DECK,
    W_END_ONE,
    W_END_TWO,
    W_FIRST,
    W_HAND_ONE,
    W_HAND_TWO,
    W_KEPT,
    W_KNOWN_ONE,
    W_KNOWN_TWO,
    W_OTHER,
    most_of,
)

PATTERNS = 2 * 16 * 3 * 4 * 3 * 2
"""What may lie beside a kind in a hand, see ``pattern``."""
LETS_PAIR = PATTERNS
LETS_RUN = LETS_PAIR + 1
NEAR = LETS_RUN + 6
WALLS, LAID_MELDS, STARTS = 5, 7, 8
READING_SIZE = NEAR + WALLS * LAID_MELDS * STARTS
"""Weights of the patterns; the chances of letting a card go that makes 碰, or 吃 (see ``ways_to_eat``); then how much
more often than in worlds made from these a hand is so near to a win (``nearness``)."""
UNLIKELY = 0.001
"""What the model thinks of something it does not know."""
INNER = 10
"""Exchanges between two looks at how near the hands are to a win."""
RED_RANKS = RED_LOW & SMALL


@kernel
def pattern(loose: int, held: int, card: int) -> int:
    """What lies beside ``card``: copies, neighbours up to two away, copies of the other size, 2-7-10, the edge."""
    big = 1 if card >= 10 else 0
    rank = card - 10 * big
    row = (held >> (20 * big)) & SMALL
    near = (row << 4) >> (2 * rank)
    beside = (near & 1) | (near >> 1 & 2) | (near >> 4 & 4) | (near >> 5 & 8)
    other = copies(loose, card + 10 - 20 * big)
    red = 0
    if (RED_RANKS >> (2 * rank)) & 1 == 1:
        red = 1 + popcount(row & RED_RANKS & ~(1 << (2 * rank)))
    edge = 2 if rank in (0, 9) else 1 if rank in (1, 8) else 0
    return ((((copies(loose, card) - 1) * 16 + beside) * 3 + other) * 4 + red) * 6 + 2 * edge + big


@kernel
def ways_to_eat(loose: int, held: int, card: int) -> int:
    """Which chance of letting go by 吃 counts: 0 the hand makes no 顺 or 绞 of ``card``, 1 to 3 so many (3: or more)
    without, 4 to 6 with a copy of it in hand, which 比 must use."""
    big = 1 if card >= 10 else 0
    rank = card - 10 * big
    row = (held >> (20 * big)) & SMALL
    near = (row << 4) >> (2 * rank)
    n = 0
    if near & 5 == 5:
        n += 1
    if near & 68 == 68:
        n += 1
    if near & 320 == 320:
        n += 1
    if (RED_RANKS >> (2 * rank)) & 1 == 1 and popcount(row & RED_RANKS & ~(1 << (2 * rank))) == 2:
        n += 1
    own = copies(loose, card)
    other = copies(loose, card + 10 - 20 * big)
    if other == 2:
        n += 1
    if own > 0 and other > 0:
        n += 1
    n = min(n, 3)
    return n + 3 if n > 0 and own > 0 else n


@kernel
def chance_of_throw(net: Floats, loose: int, card: int) -> float:
    """How likely ``card`` is thrown of these loose cards."""
    held = (loose | loose >> 1) & LOW
    total = 0.0
    own = 0.0
    left = held
    other = 0
    while left != 0:
        if left & 1 == 1:
            weight = net[READING + pattern(loose, held, other)]
            total += weight
            if other == card:
                own = weight
        left >>= 2
        other += 1
    return own / total if own > 0.0 else UNLIKELY


@kernel
def fits(s: Ints, net: Floats, seat: int, hand: int, least: float) -> float:
    """How likely the seat did and let go what it did, if ``hand`` is what it holds now; 0 if not above ``least``."""
    # Who holds three of the open card has made 跑 of it before anybody is asked (rules 6.6).
    chance = UNLIKELY if s[PHASE] == SHOWN and copies(hand, s[OPEN]) == 3 else 1.0
    weis = hidden_weis(s, seat)
    for i in range(s[PASTS + seat] - 1, -1, -1):
        if chance <= least:
            return 0.0
        entry = s[PAST + PAST_ROOM * seat + i]
        card = (entry >> PAST_CARD) & 31
        hand = before_entry(hand, entry, weis)
        weis = weis_before(weis, entry)
        if entry & THREW != 0:
            chance *= chance_of_throw(net, hand - 3 * kan_of(hand), card)
        elif entry & (LEFT_PAIR | LEFT_RUN) != 0:
            loose = hand - 3 * kan_of(hand)
            if entry & LEFT_PAIR != 0 and copies(loose, card) == 2:
                chance *= net[READING + LETS_PAIR]
            if entry & LEFT_RUN != 0:
                ways = ways_to_eat(loose, (loose | loose >> 1) & LOW, card)
                if ways > 0:
                    chance *= net[READING + LETS_RUN + ways - 1]
    return chance if chance > least else 0.0


@kernel
def room_for(s: Ints, seat: int, hand: int, known: int, card: int) -> bool:
    """May the seat's hand, ``known`` being the 亮张 in it, hold one more of ``card``? Four alike are not made."""
    return copies(hand + known, card) < 3 and copies(hand, card) < most_of(s, seat, card)


@kernel
def nearness(s: Ints, plans: Words, seat: int, hand: int) -> int:
    """Which number of ``NEAR`` goes with the hand: by the wall left, what the seat has laid and the cards it lacks."""
    after_nothing(s, seat)
    s[A_HAND] = hand
    look(s, plans, WEIGHT)
    wall = min((s[WALL_N] - s[WALL_AT]) // 4, WALLS - 1)
    laid = min(s[A_MELDS], LAID_MELDS - 1)
    return NEAR + (wall * LAID_MELDS + laid) * STARTS + min(s[L_STARTS], STARTS - 1)


@kernel
def exchange_cards(s: Ints, net: Floats, stream: Ints, steps: int) -> None:
    """So many exchanges of two cards between the hands and the wall at ``W_DECK``, each kept as likely as the hands fit
    what the seats did (Metropolis et al. 1953)."""
    one = s[W_FIRST]
    two = s[W_OTHER]
    end_one = s[W_END_ONE]
    end_two = s[W_END_TWO]
    n = s[W_ALL]
    of_one = s[W_KNOWN_ONE]
    of_two = s[W_KNOWN_TWO]
    first = s[W_HAND_ONE]
    second = s[W_HAND_TWO]
    fit_one = fits(s, net, one, first + of_one, 0.0)
    fit_two = fits(s, net, two, second + of_two, 0.0) if two >= 0 else 1.0
    for _ in range(steps):
        i = draw_below(stream, n)
        j = draw_below(stream, n)
        if i > j:
            i, j = j, i
        from_i = 0 if i < end_one else 1 if i < end_two else 2
        from_j = 0 if j < end_one else 1 if j < end_two else 2
        x = s[W_DECK + i]
        y = s[W_DECK + j]
        if from_i == from_j or x == y:
            continue
        new_one = first
        new_two = second
        may = True
        if from_i == 0:
            new_one -= 1 << (2 * x)
            may = room_for(s, one, new_one, of_one, y)
            new_one += 1 << (2 * y)
            if from_j == 1:
                new_two -= 1 << (2 * y)
                may = may and room_for(s, two, new_two, of_two, x)
                new_two += 1 << (2 * x)
        else:
            new_two -= 1 << (2 * x)
            may = room_for(s, two, new_two, of_two, y)
            new_two += 1 << (2 * y)
        if not may:
            continue
        least = fit_one * fit_two * draw_below(stream, FRACTION) / FRACTION
        fit_first = fits(s, net, one, new_one + of_one, least) if from_i == 0 else fit_one
        if fit_first <= 0.0:
            continue
        fit_second = fit_two
        if from_i == 1 or from_j == 1:
            fit_second = fits(s, net, two, new_two + of_two, least / fit_first)
        if fit_first * fit_second > least:
            s[W_DECK + i] = y
            s[W_DECK + j] = x
            first = new_one
            second = new_two
            fit_one = fit_first
            fit_two = fit_second
    s[W_HAND_ONE] = first
    s[W_HAND_TWO] = second


@kernel
def near_both(s: Ints, plans: Words, net: Floats) -> float:
    """How much more often hands as near to a win as those at ``W_HAND_ONE`` are met than the exchanges make them."""
    one = s[W_FIRST]
    two = s[W_OTHER]
    near = net[READING + nearness(s, plans, one, s[W_HAND_ONE] + s[W_KNOWN_ONE])]
    if two >= 0:
        near *= net[READING + nearness(s, plans, two, s[W_HAND_TWO] + s[W_KNOWN_TWO])]
    return near


@kernel
def stir(s: Ints, plans: Words, net: Floats, stream: Ints, rounds: int) -> None:
    """Exchange cards between the hands and the wall of the world that lies in ``s``, so that it comes to be drawn as
    likely as it fits what the others did.

    After every ``INNER`` exchanges they are kept or taken back as the nearness of the hands to a win asks for
    (surrogate transitions: Liu 2001).
    """
    one = s[W_FIRST]
    two = s[W_OTHER]
    known = 1 << (2 * s[LIANG]) if s[LIANG_HELD] == 1 else 0
    known &= ~s[SEAT0 + s[DEALER] * SEAT_SIZE + QUADS]  # with four alike it lies there
    s[W_KNOWN_ONE] = known if one == s[DEALER] else 0
    s[W_KNOWN_TWO] = known if two == s[DEALER] else 0
    s[W_HAND_ONE] = s[SEAT0 + one * SEAT_SIZE + HAND] - s[W_KNOWN_ONE]
    s[W_HAND_TWO] = s[SEAT0 + two * SEAT_SIZE + HAND] - s[W_KNOWN_TWO] if two >= 0 else 0
    n = 0
    for i in range(2):
        for card in range(20):
            for _ in range(copies(s[W_HAND_ONE + i], card)):
                s[W_DECK + n] = card
                n += 1
        s[W_END_ONE + i] = n
    wall = s[WALL_N] - s[WALL_AT]
    for i in range(wall):
        s[W_DECK + n] = s[D_WALL + s[WALL_AT] + i]
        n += 1
    s[W_ALL] = n
    near = near_both(s, plans, net)
    for _ in range(rounds):
        for i in range(n):
            s[W_KEPT + i] = s[W_DECK + i]
        first = s[W_HAND_ONE]
        second = s[W_HAND_TWO]
        exchange_cards(s, net, stream, INNER)
        now = near_both(s, plans, net)
        if draw_below(stream, FRACTION) * near < FRACTION * now:
            near = now
        else:
            for i in range(n):
                s[W_DECK + i] = s[W_KEPT + i]
            s[W_HAND_ONE] = first
            s[W_HAND_TWO] = second
    s[SEAT0 + one * SEAT_SIZE + HAND] = s[W_HAND_ONE] + s[W_KNOWN_ONE]
    if two >= 0:
        s[SEAT0 + two * SEAT_SIZE + HAND] = s[W_HAND_TWO] + s[W_KNOWN_TWO]
    for i in range(20):
        s[SEEN + i] = 4
    for i in range(wall):
        s[D_WALL + s[WALL_AT] + i] = s[W_DECK + s[W_END_TWO] + i]
        s[SEEN + s[W_DECK + s[W_END_TWO] + i]] -= 1
