"""Which cards programs lay as 吃 or 比, and what with them: for reading and writing logs, never to judge play."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.cards import is_big, rank
from ingest.codes import Action
from ingest.record import Move


def is_three(cards: Sequence[int], *more: tuple[int, int, int]) -> bool:
    """A run or 二七十 of one size, or 绞, two and one of a rank. ``more``: ranks of other groups of one size."""
    three = sorted(cards)
    ranks = [rank(card) for card in three]
    if is_big(three[0]) == is_big(three[2]):
        return ranks in ([ranks[0], ranks[0] + 1, ranks[0] + 2], [2, 7, 10], *map(list, more))
    return len(set(ranks)) == 1


def laid_with(moves: Sequence[Move], seq: int, *, quads: bool = False) -> Sequence[Move]:
    """The 比 right behind a 吃, of the same seat; with ``quads`` also the 亮提 right behind a 跑 or 提."""
    move, end = moves[seq], seq + 1
    with_it = Action.BI if move.action == Action.CHI else None
    if quads and move.action in (Action.PAO, Action.TI):
        with_it = Action.TI_OPEN
    while end < len(moves) and moves[end].action == with_it and moves[end].seat == move.seat:
        end += 1
    return moves[seq + 1 : end]
