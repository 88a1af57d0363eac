"""Packed hands: two bits a kind, kind ``k`` at bits ``2k`` and ``2k+1``, so 0..3 copies; four alike live apart."""

from __future__ import annotations

from replay.kernels.jit import kernel

LOW = 0x5555555555
"""The low bit of every kind."""
SMALL = 0xFFFFF
RED_LOW = (1 << 2) | (1 << 12) | (1 << 18) | (1 << 22) | (1 << 32) | (1 << 38)
"""Low bits of the red kinds: ranks 2, 7, 10 of both sizes (rules 1.3)."""

SMALL_BLACK, BIG_BLACK, SMALL_RED, BIG_RED = (
    half & LOW & colour for colour in (~RED_LOW, RED_LOW) for half in (SMALL, SMALL << 20)
)
"""Low bits of the small black, big black, small red and big red kinds."""


@kernel
def popcount(x: int) -> int:
    """Set bits of a non-negative number; compiled to one instruction (``jit``)."""
    return x.bit_count()


@kernel
def size_of(hand: int) -> int:
    """Cards in a packed hand."""
    return popcount(hand) + popcount((hand >> 1) & LOW)


@kernel
def kan_of(hand: int) -> int:
    """Low bits of the kinds held three times: the locked 坎 (rules 1.5)."""
    return hand & (hand >> 1) & LOW


@kernel
def lowest(kinds: int) -> int:
    """The first kind of a packed hand or of low bits that are not empty."""
    card = 0
    while (kinds >> (2 * card)) & 3 == 0:
        card += 1
    return card


@kernel
def copies(hand: int, card: int) -> int:
    """Copies of ``card`` in a packed hand, 0..3."""
    return (hand >> (2 * card)) & 3


@kernel
def class_of(card: int) -> int:
    """0 small black, 1 big black, 2 small red, 3 big red: the columns of the 胡息 of equal cards (rules 9.1)."""
    return (1 if card >= 10 else 0) + 2 * ((RED_LOW >> (2 * card)) & 1)
