"""Which three cards programs lay as 吃 or 比: to notice numbers read in the wrong layout, never to judge play."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.cards import is_big, rank


def is_three(cards: Sequence[int], *more: tuple[int, int, int]) -> bool:
    """A run or 二七十 of one size, or 绞, two and one of a rank. ``more``: ranks of other groups of one size."""
    three = sorted(cards)
    ranks = [rank(card) for card in three]
    if is_big(three[0]) == is_big(three[2]):
        return ranks in ([ranks[0], ranks[0] + 1, ranks[0] + 2], [2, 7, 10], *map(list, more))
    return len(set(ranks)) == 1
