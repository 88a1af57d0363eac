"""Cards of the oracle: strings ``s1..s10`` (一..十) and ``b1..b10`` (壹..拾). Written from the rules text alone."""

from __future__ import annotations

from collections.abc import Iterable

KINDS = tuple(f"{size}{rank}" for size in "sb" for rank in range(1, 11))
PLACE = {kind: place for place, kind in enumerate(KINDS)}
CHARACTERS = dict(zip(KINDS, "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾", strict=True))
BY_CHARACTER = {character: kind for kind, character in CHARACTERS.items()}
RED_RANKS = (2, 7, 10)


def rank(card: str) -> int:
    return int(card[1:])


def is_big(card: str) -> bool:
    return card[0] == "b"


def is_red(card: str) -> bool:
    return rank(card) in RED_RANKS


def other_size(card: str) -> str:
    return ("s" if is_big(card) else "b") + card[1:]


def order(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=PLACE.__getitem__))


def to_text(cards: Iterable[str]) -> str:
    """The characters that the public interface reads."""
    return "".join(CHARACTERS[card] for card in cards)


def from_text(text: str) -> list[str]:
    return [BY_CHARACTER[character] for character in text if character != " "]


def from_numbers(numbers: Iterable[int]) -> tuple[str, ...]:
    """Kinds 0..19 of the public interface as oracle cards."""
    return order(KINDS[number] for number in numbers)
