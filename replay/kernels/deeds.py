"""Which move of ``legal`` was made in a recorded round, and who departed for it from what a player would do."""

from __future__ import annotations

from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import A_CHI, A_DRAW, A_HU, A_HUANG, A_TI_OPEN, A_UNCLAIMED, MOVE, MOVES, PACK
from replay.kernels.memo import ANSWER
from replay.kernels.play import EVENT
from replay.kernels.rounds import agreed, decided


@kernel
def cards_of(events: Ints, i: int) -> int:
    """The three cards of a 吃 or 比, packed."""
    at = EVENT * i
    return (1 << (2 * events[at + 2])) + (1 << (2 * events[at + 3])) + (1 << (2 * events[at + 4]))


@kernel
def same_chi(s: Ints, code: int, events: Ints, i: int, end: int) -> bool:
    """Is the 吃 of ``legal``'s code that of the events ``i..end-1``, its 比 in any order?"""
    if s[PACK + (code & 63)] != cards_of(events, i):
        return False
    one = ((code >> 6) & 63) - 1
    two = ((code >> 12) & 63) - 1
    if end - i != 1 + (1 if one >= 0 else 0) + (1 if two >= 0 else 0):
        return False
    if one < 0:
        return True
    a = cards_of(events, i + 1)
    if two < 0:
        return s[PACK + one] == a
    b = cards_of(events, i + 2)
    return (s[PACK + one] == a and s[PACK + two] == b) or (s[PACK + one] == b and s[PACK + two] == a)


@kernel
def move_of(s: Ints, moves: int, events: Ints, i: int, end: int) -> int:
    """Which of the moves at ``MOVES`` the events ``i..end-1`` are; -1: none of them."""
    at = EVENT * i
    action = events[at + 1]
    for k in range(moves):
        m = MOVES + MOVE * k
        if action == A_UNCLAIMED and s[m + 1] in (A_DRAW, A_HUANG):
            return k
        if s[m + 1] != action or (s[m] != events[at] and action != A_HUANG):
            continue
        if action in (A_HUANG, A_HU):
            return k
        if s[m + 2] == events[at + 2] and (action != A_CHI or same_chi(s, s[m + 3], events, i, end)):
            return k
    return -1


@kernel
def next_change(
    s: Ints, plans: Words, weights: Ints, net: Floats, stream: Ints, moves: int, real: int, actor: int
) -> int:  # fmt: skip
    """Make one seat answer as it really did where that is another thing than what the reference player does; returns
    the seat, -1 when what really happened is what happens, -2 when it cannot be brought about."""
    move = decided(s, plans, weights, net, stream, moves)
    open_now = s[MOVES + MOVE * move + 1] == A_TI_OPEN and real >= 0 and s[MOVES + MOVE * real + 1] == A_TI_OPEN
    if move == real or open_now:
        return -1
    if real < 0:
        return -2
    mover = s[MOVES + MOVE * move] if s[MOVES + MOVE * move + 1] != A_DRAW else -1
    chosen = s[MOVES + MOVE * real + 1] not in (A_DRAW, A_HUANG)
    if chosen:
        before = s[ANSWER + actor]
        s[ANSWER + actor] = real
        now = agreed(s, moves)
        if now == real or now < 0 or mover == actor or mover < 0:
            return actor if before != real else -2
        s[ANSWER + actor] = before
    if mover < 0 or s[ANSWER + mover] < 0:
        return -2
    s[ANSWER + mover] = -1
    return mover
