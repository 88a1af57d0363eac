"""What everybody at the table can know, and the players' own memory, behind the state of the round."""

from __future__ import annotations

from replay.kernels.bits import copies
from replay.kernels.jit import Ints, kernel
from replay.kernels.layout import (
    A_BI,
    A_CHI,
    A_CHOU_WEI,
    A_DISCARD,
    A_DRAW,
    A_HU,
    A_HUANG,
    A_PAO,
    A_PENG,
    A_TI,
    A_TI_OPEN,
    A_WEI,
    DEALER,
    FROM_HAND,
    HAND,
    HIDDEN,
    LIANG,
    N_SEATS,
    OPEN,
    OPEN_SEAT,
    ORIGIN,
    P_CHI_PREV_DRAW,
    P_CHOU_WEI_HIDDEN,
    P_PENG_FORCED,
    P_STALE_SEPARATE,
    PHASE,
    QUADS,
    SEAT0,
    SEAT_SIZE,
    SHOWN,
    STATE_SIZE,
    WEIS,
)
from replay.kernels.rights import after, turns_to

MEMO = STATE_SIZE
SHOWN_CARDS, LIANG_HELD = MEMO, MEMO + 1
"""Copies of each kind that all have seen (three bits a kind); whether the dealer holds the 亮张."""
MOST = MEMO + 3
"""For each seat: the most copies of each kind its hand can hold, two bits a kind (docs/players.md, "Worlds")."""
PENG_PAST, CHI_PAST = MEMO + 6, MEMO + 9
"""For each seat: kinds that it let go by and could have had, had it the cards (one bit a kind)."""
HIDDEN_WEIS = MEMO + 12
"""For each seat: 偎 that lie face down."""
KIND, WEIGHTS = MEMO + 15, MEMO + 18
"""For each seat: which player it is, and where that player's weights begin."""
ANSWER = MEMO + 21
"""For each seat: the move it would make in the open window, -1 none of them, ``UNASKED``: it has not been asked."""
UNASKED = -2
PASTS = MEMO + 24
"""For each seat: entries of its past, see ``PAST``."""
REMEMBERED = 27
"""Ints of the memory that play changes."""
AFTER = MEMO + 28
"""A hand after a move thought of, see ``plans``."""
LOOK = MEMO + 40
"""What ``plans.look`` found."""
STACK = MEMO + 56
"""Room for the ways across both sizes, four ints each."""
LEFT = STACK + 256
"""Three bit planes of the copies of each kind that the seat has not seen."""
EXPLORE, NOTED, CLIP = LEFT + 4, LEFT + 5, LEFT + 6
"""Of a thousand decisions so many are drawn; positions noted so far in this round, -1: none are; what payment counts 1
in the fitted value."""
SAVED, WORLD_SAVED = LEFT + 8, LEFT + 8 + 300
"""The state and the memory before the play-outs of a search, and before one play-out (``search.keep_state``)."""
WORLD = WORLD_SAVED + 300
"""What a world is drawn from, see ``worlds``."""
CHOICES = WORLD + 200
"""What a searching player chooses from, see ``search``."""
PLAYED = (CHOICES + 200) // 5 * 5
"""Room for the events of a play-out."""
KEPT_SLOTS = 1 << 14
KEPT = PLAYED + 5 * 430
"""Looks taken before, two ints each: what was looked at and what was seen (``plans.look``)."""
PAST = KEPT + 2 * KEPT_SLOTS
"""For each seat: what it did and let go, in order, for who reads its hand from it (``reading``). An entry: the loose
cards that left the hand, then which card it was about (``PAST_CARD``) and what happened (flags)."""
PAST_ROOM = 72
PAST_CARD = 40
THREW, TOOK_PAIR, TOOK_RUN, LAID_HIDDEN, TURNED, LEFT_PAIR, LEFT_RUN = (1 << (45 + i) for i in range(7))
"""It threw the card; took it by 碰 or by 吃; laid two of an unknown kind (偎), and one such is now known to be of this
one; could have taken the card by 碰, by 吃."""
VICE = PAST + 3 * PAST_ROOM
STRENGTH, PARTNER = VICE + 3, VICE + 6
"""For each seat: how it cheats (``vices``; 0: not at all), at how many of a thousand chances, and for which seat."""
APART = VICE + 9
"""The generator that cheating draws from, so that honest play draws the same numbers beside it."""
DRAW_SAVED = VICE + 12
"""The state and the memory before a draw that is tried out (``outcomes``)."""
MEMO_END = DRAW_SAVED + 300

NOTES = 4096
"""Where the positions noted of a round begin in the array of floats."""
READING = 12_000
"""Where the numbers begin in it by which a hand is read from what its seat did, see ``reading``."""
WAYS = 16_000
"""Where the counts of worlds begin in it, see ``worlds``."""

NOBODY_CLOSES = 99
ALL_THREE = (1 << 40) - 1


@kernel
def seen_of(packed: int, card: int) -> int:
    """Copies of a kind in three bits a kind."""
    return (packed >> (3 * card)) & 7


@kernel
def lower(packed: int, card: int, most: int, less: int) -> int:
    """A seat's bounds with that of ``card`` at most ``most``, then ``less`` lower (not below 0)."""
    now = min(copies(packed, card), most) - less
    return (packed & ~(3 << (2 * card))) | (max(now, 0) << (2 * card))


@kernel
def note_past(s: Ints, seat: int, card: int, what: int) -> None:
    """One more entry of the seat's past."""
    n = s[PASTS + seat]
    if n < PAST_ROOM:
        s[PAST + PAST_ROOM * seat + n] = what | card << PAST_CARD
        s[PASTS + seat] = n + 1


@kernel
def show(s: Ints, seat: int, card: int, n: int) -> None:
    """``n`` copies of ``card`` come to be seen by all, out of the seat's hand (-1: from the wall)."""
    more = n
    if seat == s[DEALER] and s[LIANG_HELD] == 1 and card == s[LIANG]:
        s[LIANG_HELD] = 0
        more -= 1
    now = min(4, seen_of(s[SHOWN_CARDS], card) + more)
    s[SHOWN_CARDS] = (s[SHOWN_CARDS] & ~(7 << (3 * card))) | (now << (3 * card))


@kernel
def remember_deal(s: Ints) -> None:
    """The round has begun: all know the 亮张, and that nobody holds four of a kind but who lays them (rules 2.13)."""
    s[SHOWN_CARDS] = 1 << (3 * s[LIANG])
    s[LIANG_HELD] = 1
    for seat in range(3):
        s[MOST + seat] = ALL_THREE
        s[PENG_PAST + seat] = 0
        s[CHI_PAST + seat] = 0
        s[HIDDEN_WEIS + seat] = 0
        s[PASTS + seat] = 0


@kernel
def let_go(s: Ints, seat: int, action: int) -> None:
    """The window on the open card is closed by a claim of the seat or by the next draw: who let the card go by (rules
    7.1, 7.3)? Who draws next did too."""
    card = s[OPEN]
    claimer = -1 if action in (A_DRAW, A_HUANG) else seat
    bit = 1 << card
    owner = s[OPEN_SEAT]
    closing = NOBODY_CLOSES
    if action == A_PAO:
        closing = 10
    elif action == A_PENG:
        closing = 20
    elif action == A_CHI:
        closing = 30 + turns_to(s, owner, seat)
    for away in range(s[N_SEATS]):
        q = after(s, owner, away)
        if q == claimer or (away == 0 and s[ORIGIN] == FROM_HAND):
            continue
        reach = away == 0 or (away == 1 and (s[ORIGIN] == FROM_HAND or s[P_CHI_PREV_DRAW] == 1))
        peng = away != 0 and closing > 20
        chi = reach and closing > 30 + away and not (action == A_PENG and s[P_PENG_FORCED] == 1)
        if peng or chi:
            note_past(s, q, card, (LEFT_PAIR if peng else 0) | (LEFT_RUN if chi else 0))
        if s[P_STALE_SEPARATE] == 0 and (peng or chi):
            peng = True
            chi = True
        if peng:
            s[PENG_PAST + q] |= bit
        if chi:
            s[CHI_PAST + q] |= bit


@kernel
def hidden_wei(s: Ints, seat: int, card: int) -> int:
    """1 if the seat has a 偎 of ``card`` that lies face down."""
    lies = (s[SEAT0 + seat * SEAT_SIZE + WEIS] >> (2 * card)) & 1 == 1
    return 1 if lies and seen_of(s[SHOWN_CARDS], card) < 3 else 0


@kernel
def hidden_weis(s: Ints, seat: int) -> int:
    """Low bits of the kinds of the seat's 偎 that lie face down."""
    kinds = 0
    left = s[SEAT0 + seat * SEAT_SIZE + WEIS]
    card = 0
    while left != 0:
        if left & 1 == 1:
            kinds |= hidden_wei(s, seat, card) << (2 * card)
        left >>= 2
        card += 1
    return kinds


@kernel
def before_entry(hand: int, entry: int, weis: int) -> int:
    """The loose cards of a hand before an entry of its past; two of the first kind of ``weis`` where it says 偎."""
    hand += entry & ((1 << PAST_CARD) - 1)
    return hand + 2 * (weis & -weis) if entry & LAID_HIDDEN != 0 else hand


@kernel
def weis_before(weis: int, entry: int) -> int:
    """The kinds of 偎 that were laid face down before an entry, ``weis`` being those after it."""
    if entry & LAID_HIDDEN != 0:
        return weis & (weis - 1)
    return weis | 1 << (2 * ((entry >> PAST_CARD) & 31)) if entry & TURNED != 0 else weis


@kernel
def remember_before(s: Ints, seat: int, action: int) -> None:
    """Before an event: it may close the window on the open card."""
    if action in (A_PAO, A_TI) and hidden_wei(s, seat, s[OPEN]) == 1:
        s[HIDDEN_WEIS + seat] -= 1
        note_past(s, seat, s[OPEN], TURNED)
    if s[PHASE] == SHOWN and action in (A_DRAW, A_HUANG, A_CHI, A_PENG, A_PAO):
        let_go(s, seat, action)
        if action != A_PAO:  # nobody else can hold three of it (rules 6.6)
            for q in range(s[N_SEATS]):
                s[MOST + q] = lower(s[MOST + q], s[OPEN], 2, 0)


@kernel
def remember(s: Ints, seat: int, action: int, card: int, a: int, b: int) -> None:
    """After an event: what all have seen of it, and what it says about the hand it came from."""
    if action >= A_HU and action != A_TI_OPEN:
        return
    bound = MOST + seat
    if action == A_DRAW:
        if s[PHASE] != HIDDEN:
            show(s, -1, card, 1)
            s[bound] = lower(s[bound], card, 1, 0)  # else it were a 提 or 偎 (rules 6.3, 6.5)
    elif action == A_DISCARD:
        show(s, seat, card, 1)
        s[bound] = lower(s[bound], card, 2, 1)
        note_past(s, seat, card, THREW | 1 << (2 * card))
    elif action == A_CHI:
        show(s, seat, a, 1)
        show(s, seat, b, 1)
        s[bound] = lower(s[bound], a, 2, 1)
        s[bound] = lower(s[bound], b, 2, 1)
        s[bound] = lower(s[bound], card, 0, 0)  # all copies are in the 比 (rules 5.8)
        note_past(s, seat, card, TOOK_RUN | ((1 << (2 * a)) + (1 << (2 * b))))
    elif action == A_BI:
        for x in (card, a, b):
            show(s, seat, x, 1)
            s[bound] = lower(s[bound], x, 2, 1)
        note_past(s, seat, card, (1 << (2 * card)) + (1 << (2 * a)) + (1 << (2 * b)))
    elif action == A_PENG:
        show(s, seat, card, 2)
        s[bound] = lower(s[bound], card, 0, 0)
        note_past(s, seat, card, TOOK_PAIR | 2 << (2 * card))
    elif action == A_WEI or (action == A_CHOU_WEI and s[P_CHOU_WEI_HIDDEN] == 1):
        s[HIDDEN_WEIS + seat] += 1
        note_past(s, seat, 0, LAID_HIDDEN)
    else:
        show(s, seat, card, 3 if action == A_CHOU_WEI else 4)
        s[bound] = lower(s[bound], card, 0, 0)
        if action == A_CHOU_WEI:
            note_past(s, seat, card, 2 << (2 * card))


@kernel
def visible(s: Ints, seat: int) -> int:
    """Copies of each kind that the seat can see, three bits a kind: on the table, thrown, in its hand, its own 偎."""
    at = SEAT0 + seat * SEAT_SIZE
    packed = s[SHOWN_CARDS]
    for card in range(20):
        own = copies(s[at + HAND], card) + 4 * ((s[at + QUADS] >> (2 * card)) & 1)
        own += 3 * hidden_wei(s, seat, card)
        if s[LIANG_HELD] == 1 and seat == s[DEALER] and card == s[LIANG]:
            own -= 1
        now = min(4, seen_of(packed, card) + own)
        packed = (packed & ~(7 << (3 * card))) | (now << (3 * card))
    return packed
