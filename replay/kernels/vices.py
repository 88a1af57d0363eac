"""Players that cheat on purpose, to try an audit on (docs/cheats.md): each plays like its base player, but now and
then soft-plays or feeds a partner, looks at hidden hands, or is dealt better cards."""

from __future__ import annotations

from replay.kernels.bits import RED_LOW
from replay.kernels.features import WEIGHT, about_table
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_DISCARD,
    A_PASS,
    D_HANDS,
    D_WALL,
    D_WALL_N,
    DEAL0,
    DEAL_SIZE,
    DEALER,
    DISCARDS,
    DRAWS,
    IS_OUT,
    MAX_WALL,
    MOVE,
    MOVES,
    N_SEATS,
    OPEN_SEAT,
    P_DIHU,
    P_LAST_WINS,
    P_WIN_DISCARD,
    PHASE,
    SEAT0,
    SEAT_SIZE,
    SHOWN,
    W_DISCARD,
    WALL_AT,
    WALL_N,
)
from replay.kernels.legal import legal
from replay.kernels.memo import APART, KIND, PARTNER, SAVED, STRENGTH, VICE, WEIGHTS, WORLD_SAVED
from replay.kernels.opening import begin
from replay.kernels.plans import L_WAITS, after_nothing, look
from replay.kernels.play import dealt_quads, draw_below
from replay.kernels.policies import SEARCHING, appraise, count_left, decide
from replay.kernels.rights import after, chi_right, hu_right, peng_right
from replay.kernels.search import (
    S_POINTS,
    S_SIZE,
    SUMS,
    UNDECIDED,
    chosen,
    gather_choices,
    keep_state,
    play_choice,
    search,
    winning_move,
)

HONEST, SOFT, FEED, PEEK, CLOCK, KAN, RED, WALL = range(8)
"""Ways to cheat; ``CLOCK`` plays honestly, ``KAN``, ``RED`` and ``WALL`` are in the deal."""
PEEK_MOVES, PEEK_WALLS = 4, 12
"""Moves that `peek` looks at, and walls that it plays each of them out with."""
RED_CARDS = 3
"""Black cards that a deal biased to red ones exchanges."""


@kernel
def swap_streams(s: Ints, stream: Ints) -> None:
    """What is drawn next comes from the generator of cheating; or, the second time, no more."""
    for i in range(2):
        kept = stream[i]
        stream[i] = s[APART + i]
        s[APART + i] = kept


@kernel
def strikes(s: Ints, stream: Ints, seat: int) -> int:
    """1 if the seat cheats at this chance."""
    swap_streams(s, stream)
    drawn = draw_below(stream, 1000)
    swap_streams(s, stream)
    return 1 if drawn < s[STRENGTH + seat] else 0


@kernel
def may_pass(s: Ints, seat: int, moves: int) -> int:
    """1 if the partner's card lies open and the seat may leave it."""
    if s[PHASE] != SHOWN or s[OPEN_SEAT] != s[PARTNER + seat]:
        return 0
    for i in range(moves):
        if s[MOVES + MOVE * i] == seat and s[MOVES + MOVE * i + 1] == A_PASS:
            return 1
    return 0


@kernel
def takes(s: Ints, table: bytes, seat: int, partner: int, card: int) -> int:
    """1 if the partner could take ``card`` by 碰, 吃 or 胡 when the seat throws it now."""
    if s[SEAT0 + partner * SEAT_SIZE + IS_OUT] == 1:
        return 0
    follows = after(s, seat, 1) == partner
    if peng_right(s, partner, card) == 1 or (follows and chi_right(s, partner, card) == 1):
        return 1
    first = s[P_DIHU] == 1 and s[DISCARDS] == 0 and s[DRAWS] == 0 and seat == s[DEALER] and follows
    wins = (s[P_WIN_DISCARD] == 1 or first) and hu_right(s, table, partner, card, W_DISCARD) >= 0
    return 1 if wins else 0


@kernel
def feed(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, seat: int, moves: int, move: int
) -> int:  # fmt: skip
    """The best discard among those that the partner can take; ``move`` where there is none."""
    count_left(s, seat)
    about_table(s, net, seat)
    best = move
    most = -1e18
    for i in range(moves):
        m = MOVES + MOVE * i
        if s[m] == seat and s[m + 1] == A_DISCARD and takes(s, table, seat, s[PARTNER + seat], s[m + 2]) == 1:
            value = appraise(s, plans, weights, net, seat, i)
            if value > most:
                most = value
                best = i
    return best


@kernel
def shuffle_wall(s: Ints, stream: Ints) -> None:
    """Shuffle what is left of the wall, but a last card that has its place by the rules (rules 15.3)."""
    first = D_WALL + s[WALL_AT]
    n = s[WALL_N] - s[WALL_AT] - (1 if s[P_LAST_WINS] == 0 else 0)
    for i in range(n - 1, 0, -1):
        j = draw_below(stream, i + 1)
        card = s[first + i]
        s[first + i] = s[first + j]
        s[first + j] = card


@kernel
def peek(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, moves: int
) -> int:  # fmt: skip
    """The move that pays most when all play on like the seat's base player, with the hands that the others really
    hold; only the order of the wall is not looked at."""
    at_once = winning_move(s, seat, moves)
    if at_once != UNDECIDED:
        return at_once
    choices = gather_choices(s, plans, weights, net, seat, moves, 1e18, PEEK_MOVES)
    best = 0
    if choices > 1:
        keep_state(s, SAVED, 0)
        for q in range(s[N_SEATS]):
            s[KIND + q] = s[KIND + seat]
            s[WEIGHTS + q] = s[WEIGHTS + seat]
        swap_streams(s, stream)
        for _ in range(PEEK_WALLS):
            shuffle_wall(s, stream)
            keep_state(s, WORLD_SAVED, 0)
            for i in range(choices):
                net[SUMS + S_SIZE * i + S_POINTS] += play_choice(
                    s, table, plans, weights, net, stream, seat, i, MAX_WALL
                )
                keep_state(s, WORLD_SAVED, 1)
        swap_streams(s, stream)
        keep_state(s, SAVED, 1)
        legal(s, table)
        for i in range(1, choices):
            if net[SUMS + S_SIZE * i + S_POINTS] > net[SUMS + S_SIZE * best + S_POINTS]:
                best = i
    return chosen(s, best)


@kernel
def answer(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, moves: int
) -> int:  # fmt: skip
    """Which of the moves at ``MOVES`` the seat makes, as ``policies.decide``, where it may search or cheat."""
    vice = s[VICE + seat]
    if vice == SOFT and may_pass(s, seat, moves) == 1 and strikes(s, stream, seat) == 1:
        return -1
    if vice == PEEK and strikes(s, stream, seat) == 1:
        return peek(s, table, plans, weights, net, stream, seat, moves)
    if s[KIND + seat] == SEARCHING:
        move = search(s, table, plans, weights, net, stream, seat, moves)
    else:
        move = decide(s, plans, weights, net, stream, seat, moves)
    if vice == FEED and move >= 0 and s[MOVES + MOVE * move + 1] == A_DISCARD and strikes(s, stream, seat) == 1:
        return feed(s, table, plans, weights, net, seat, moves, move)
    return move


# The deal


@kernel
def in_hand(s: Ints, seat: int, card: int) -> int:
    """Copies of ``card`` that the seat is dealt."""
    n = 0
    for i in range(20):
        n += 1 if s[D_HANDS + 20 * seat + i] == card else 0
    return n


@kernel
def elsewhere(seat: int, seats: int, i: int) -> int:
    """Where the ``i``-th card stands that the seat is not dealt: the other hands, then the wall."""
    others = 20 * (seats - 1)
    if i < others:
        return D_HANDS + (20 * (seat + 1) + i) % (20 * seats)
    return D_WALL + i - others


@kernel
def exchange(s: Ints, a: int, b: int, seats: int) -> int:
    """Exchange two dealt cards; 0 and nothing is done where that would change how many 提 a seat is dealt (12.2)."""
    before = 0
    for seat in range(seats):
        before = 8 * before + dealt_quads(s, seat)
    card = s[a]
    s[a] = s[b]
    s[b] = card
    now = 0
    for seat in range(seats):
        now = 8 * now + dealt_quads(s, seat)
    if now == before:
        return 1
    s[b] = s[a]
    s[a] = card
    return 0


@kernel
def bring(s: Ints, stream: Ints, seat: int, seats: int, card: int) -> int:
    """Bring the seat a copy of ``card`` (-1: any red card) for a black card of which it has but one; 1 if it could."""
    pool = 20 * (seats - 1) + s[D_WALL_N] - (1 if s[P_LAST_WINS] == 0 else 0)
    start = draw_below(stream, 20)
    begins = draw_below(stream, pool)
    for i in range(20):
        own = D_HANDS + 20 * seat + (start + i) % 20
        if (RED_LOW >> (2 * s[own])) & 1 == 1 or in_hand(s, seat, s[own]) != 1:
            continue
        for j in range(pool):
            other = elsewhere(seat, seats, (begins + j) % pool)
            fits = s[other] == card if card >= 0 else (RED_LOW >> (2 * s[other])) & 1 == 1
            if fits and exchange(s, own, other, seats) == 1:
                return 1
    return 0


@kernel
def third_copy(s: Ints, stream: Ints, seat: int, seats: int) -> None:
    """One of the seat's pairs becomes a 坎."""
    start = draw_below(stream, 20)
    for i in range(20):
        card = (start + i) % 20
        if in_hand(s, seat, card) == 2 and bring(s, stream, seat, seats, card) == 1:
            return


@kernel
def needs_first(s: Ints, plans: Words, seat: int) -> None:
    """What the seat waits for moves from the wall's second half to the front of the first."""
    begin(s)
    after_nothing(s, seat)
    look(s, plans, WEIGHT)
    needed = s[L_WAITS]
    end = s[D_WALL_N] - (1 if s[P_LAST_WINS] == 0 else 0)
    half = end // 2
    to = 0
    for i in range(half, end):
        card = s[D_WALL + i]
        if (needed >> card) & 1 == 1:
            while to < half and (needed >> s[D_WALL + to]) & 1 == 1:
                to += 1
            if to < half:
                s[D_WALL + i] = s[D_WALL + to]
                s[D_WALL + to] = card


@kernel
def bias_deal(s: Ints, plans: Words, stream: Ints, seats: int) -> None:
    """After the deal: begin the generator of cheating, from the cards as they were shuffled, and bias the deal."""
    vices = 0
    for seat in range(seats):
        vices |= s[VICE + seat]
    if vices == 0:
        return
    one = 0
    two = 0
    for i in range(DEAL_SIZE):
        one = (one * 40014 + s[DEAL0 + i] + 2) % 2147483562
        two = (two * 40692 + s[DEAL0 + i] + 2) % 2147483398
    s[APART] = one + 1
    s[APART + 1] = two + 1
    for seat in range(seats):
        vice = s[VICE + seat]
        if vice < KAN or strikes(s, stream, seat) == 0:
            continue
        if vice == WALL:
            needs_first(s, plans, seat)
            continue
        swap_streams(s, stream)
        if vice == KAN:
            third_copy(s, stream, seat, seats)
        else:
            for _ in range(RED_CARDS):
                bring(s, stream, seat, seats, -1)
        swap_streams(s, stream)
