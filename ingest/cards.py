"""The 80 cards: 20 kinds, four copies of each, and the ways of writing them.

Inside the program a card is its *kind*, a small int: ``0..9`` for 小字 一..十 and ``10..19`` for 大字 壹..拾.
``UNKNOWN`` (-1) stands for a card that exists but was not recorded.
"""

from __future__ import annotations

from collections.abc import Iterable

KINDS = 20
COPIES = 4
DECK = KINDS * COPIES
UNKNOWN = -1

SMALL = "一二三四五六七八九十"
BIG = "壹贰叁肆伍陆柒捌玖拾"
CHARS = SMALL + BIG
ASCII_NAMES = tuple(f"{size}{rank}" for size in "sb" for rank in range(1, 11))
RED = frozenset({1, 6, 9, 11, 16, 19})
"""Kinds of the red ranks 2, 7 and 10 in both sizes (rules 1.3)."""

UNKNOWN_CHAR = "?"
# Traditional and variant characters that players and other programs write for the same cards.
VARIANTS = {"貳": "贰", "貮": "贰", "叄": "叁", "參": "叁", "参": "叁", "陸": "陆", "两": "二"}

_BY_NAME = {name: kind for kind, name in enumerate(CHARS)}
_BY_NAME |= {name: kind for kind, name in enumerate(ASCII_NAMES)}
_BY_NAME |= {variant: _BY_NAME[plain] for variant, plain in VARIANTS.items()}
_BY_NAME[UNKNOWN_CHAR] = UNKNOWN


class CardError(ValueError):
    """A text that should name cards does not; says which piece, and where."""


def rank(card: int) -> int:
    """Rank 1..10 of a known card."""
    return card % 10 + 1


def is_big(card: int) -> bool:
    """True for 大字."""
    return card >= 10


def name(card: int) -> str:
    """The card's character; ``?`` when unknown."""
    return UNKNOWN_CHAR if card == UNKNOWN else CHARS[card]


def ascii_name(card: int) -> str:
    """``s1..s10`` / ``b1..b10``; ``?`` when unknown."""
    return UNKNOWN_CHAR if card == UNKNOWN else ASCII_NAMES[card]


def text(cards: Iterable[int]) -> str:
    """Cards as a run of characters, in the order given."""
    return "".join(map(name, cards))


def parse(source: str) -> list[int]:
    """Read cards written as characters or ASCII names, mixed and spaced as one likes.

    Raises ``CardError`` naming the first piece that is no card and its 1-based place.
    """
    cards: list[int] = []
    at = 0
    while at < len(source):
        char = source[at]
        if char in " \t,，、":
            at += 1
            continue
        size = 1
        if char in "sbSB":
            size = 3 if source[at + 1 : at + 3] == "10" else 2
        piece = source[at : at + size]
        kind = _BY_NAME.get(piece.lower())
        if kind is None:
            raise CardError(
                f"no such card {piece!r} at character {at + 1} of {source!r}; "
                f"cards are {CHARS}, s1..s10, b1..b10 or {UNKNOWN_CHAR}"
            )
        cards.append(kind)
        at += size
    return cards


def parse_one(source: str) -> int:
    """Read exactly one card; ``CardError`` otherwise."""
    cards = parse(source)
    if len(cards) != 1:
        raise CardError(f"expected one card, found {len(cards)} in {source!r}")
    return cards[0]


def counts(cards: Iterable[int]) -> list[int]:
    """Copies of each of the 20 kinds; unknown cards are not counted."""
    totals = [0] * KINDS
    for card in cards:
        if card != UNKNOWN:
            totals[card] += 1
    return totals


def over_copied(cards: Iterable[int]) -> list[int]:
    """Kinds with more than four copies among ``cards``, ascending."""
    return [kind for kind, n in enumerate(counts(cards)) if n > COPIES]
