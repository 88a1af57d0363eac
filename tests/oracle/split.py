"""All ways of laying loose cards out as 顺, 二七十 and 绞, with exactly one pair (将) or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from tests.oracle.cards import KINDS, PLACE, is_big, order, other_size


class Group(NamedTuple):
    form: str  # 顺 二七十 绞 碰 坎 偎 臭偎 跑 提 将 吃
    cards: tuple[str, ...]
    huxi: int


SAME = {"碰": (1, 3), "坎": (3, 6), "偎": (3, 6), "臭偎": (3, 6), "跑": (6, 9), "提": (9, 12), "将": (0, 0)}
SIZE = {"碰": 3, "坎": 3, "偎": 3, "臭偎": 3, "跑": 4, "提": 4, "将": 2}


def same(form: str, card: str) -> Group:
    """A group of equal cards, with its 胡息 (small, big)."""
    return Group(form, (card,) * SIZE[form], SAME[form][is_big(card)])


def _triples() -> list[Group]:
    found = []
    for size in "sb":
        for low in range(1, 9):
            worth = (6 if size == "b" else 3) if low == 1 else 0
            found.append(Group("顺", tuple(f"{size}{low + step}" for step in range(3)), worth))
        found.append(Group("二七十", (f"{size}2", f"{size}7", f"{size}10"), 6 if size == "b" else 3))
    return found + [Group("绞", order((kind, kind, other_size(kind))), 0) for kind in KINDS]


TRIPLES = _triples()
TRIPLES_WITH = {kind: [triple for triple in TRIPLES if kind in triple.cards] for kind in KINDS}


def chi_group(cards: Iterable[str]) -> Group | None:
    """The 顺, 二七十 or 绞 that these three cards are, or None."""
    wanted = order(cards)
    return next((triple for triple in TRIPLES if triple.cards == wanted), None)


def all_splits(loose: Iterable[str], jiang: bool) -> set[tuple[Group, ...]]:
    """Every way, each as a sorted tuple of groups. Slow; for small hands and for looking closer."""
    return {tuple(sorted(split)) for split in _splits(Counter(loose), jiang)}


def _splits(left: Counter[str], jiang: bool) -> Iterator[list[Group]]:
    card = next((kind for kind in KINDS if left[kind]), None)
    if card is None:
        if not jiang:
            yield []
        return
    if jiang and left[card] >= 2:
        for rest in _splits(left - Counter((card, card)), False):
            yield [same("将", card), *rest]
    for triple in TRIPLES_WITH[card]:
        need = Counter(triple.cards)
        if all(left[kind] >= n for kind, n in need.items()):
            for rest in _splits(left - need, jiang):
                yield [triple, *rest]


def best_split(loose: Iterable[str], jiang: bool) -> tuple[int, tuple[Group, ...]] | None:
    """The way with most 胡息, with its groups; None if there is none."""
    held = [0] * len(KINDS)
    for card in loose:
        held[PLACE[card]] += 1
    return best_of_counts(tuple(held), jiang)


_NEED_WITH = [
    [(triple, sorted(Counter(PLACE[card] for card in triple.cards).items())) for triple in TRIPLES_WITH[kind]]
    for kind in KINDS
]


@cache
def best_of_counts(held: tuple[int, ...], jiang: bool) -> tuple[int, tuple[Group, ...]] | None:
    if sum(held) % 3 != (2 if jiang else 0):
        return None
    first = next((place for place, n in enumerate(held) if n), None)
    if first is None:
        return 0, ()
    best: tuple[int, tuple[Group, ...]] | None = None
    if jiang and held[first] >= 2:
        rest = best_of_counts((*held[:first], held[first] - 2, *held[first + 1 :]), False)
        if rest is not None:
            best = rest[0], (same("将", KINDS[first]), *rest[1])
    for triple, need in _NEED_WITH[first]:
        if all(held[place] >= n for place, n in need):
            left = list(held)
            for place, n in need:
                left[place] -= n
            rest = best_of_counts(tuple(left), jiang)
            if rest is not None and (best is None or rest[0] + triple.huxi > best[0]):
                best = rest[0] + triple.huxi, (triple, *rest[1])
    return best


def best_partial(loose: Iterable[str]) -> int:
    """Most 胡息 from disjoint 一二三 / 二七十 groups, the other cards being worth nothing (天胡 by count, C.3)."""
    worth = [triple for triple in TRIPLES if triple.huxi]

    def most(left: Counter[str], start: int) -> int:
        best = 0
        for place in range(start, len(worth)):
            need = Counter(worth[place].cards)
            if all(left[kind] >= n for kind, n in need.items()):
                best = max(best, worth[place].huxi + most(left - need, place))
        return best

    return most(Counter(loose), 0)
