"""The groups behind a number: how a hand splits for the best 胡息, itemised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ingest.codes import Form
from replay.kernels.bits import class_of
from replay.kernels.hands import FIRST_2710, FIRST_JIAO, GROUPS
from replay.kernels.rights import PACKED
from replay.ruleset import Ruleset

Item = tuple[int, tuple[int, ...], int]
"""A group: ``Form``, its cards, its 胡息."""


_INDEX = {tuple(sorted(cards)): group for group, cards in enumerate(GROUPS)}


def triple_index(cards: Iterable[int]) -> int:
    """Index in ``GROUPS`` of the triple that three cards make, or -1 (rules 1.7 to 1.9)."""
    return _INDEX.get(tuple(sorted(cards)), -1)


def form_of(group: int) -> int:
    """Form of a triple of ``GROUPS``."""
    if group < FIRST_2710:
        return Form.SHUN
    return Form.SHUN_2710 if group < FIRST_JIAO else Form.JIAO


def triple(group: int, ruleset: Ruleset) -> Item:
    """A triple of ``GROUPS`` with its 胡息."""
    huxi = {
        0: ruleset.huxi_123[0],
        8: ruleset.huxi_123[1],
        16: ruleset.huxi_2710[0],
        17: ruleset.huxi_2710[1],
    }.get(group, 0)
    return (form_of(group), GROUPS[group], huxi)


def same(form: int, card: int, ruleset: Ruleset) -> Item:
    """A group of equal cards with its 胡息."""
    columns = {
        Form.PENG: ruleset.huxi_peng,
        Form.KAN: ruleset.huxi_kan,
        Form.WEI: ruleset.huxi_kan,
        Form.CHOU_WEI: ruleset.huxi_kan,
        Form.PAO: ruleset.huxi_pao,
        Form.TI: ruleset.huxi_ti,
        Form.JIANG: (0, 0, 0, 0),
    }[Form(form)]
    size = {Form.PAO: 4, Form.TI: 4, Form.JIANG: 2}.get(Form(form), 3)
    return (form, (card,) * size, columns[class_of(card)])


@lru_cache(maxsize=4096)
def _splits(loose: int, jiang: bool) -> tuple[tuple[tuple[int, ...], int], ...]:
    if loose == 0:
        return () if jiang else (((), -1),)
    found = []
    low = 0
    while not loose >> 2 * low & 3:
        low += 1
    for group in range(len(GROUPS)):
        if low in GROUPS[group] and _holds(loose, PACKED[group]):
            for rest, pair in _splits(loose - PACKED[group], jiang):
                found.append((tuple(sorted((group, *rest))), pair))
    if jiang and loose >> 2 * low & 3 >= 2:
        for rest, _ in _splits(loose - (2 << 2 * low), False):
            found.append((rest, low))
    return tuple(sorted(set(found)))


def _holds(hand: int, part: int) -> bool:
    return all(hand >> 2 * kind & 3 >= part >> 2 * kind & 3 for kind in range(20))


def splits(loose: int, jiang: bool, ruleset: Ruleset) -> Iterator[tuple[int, list[Item]]]:
    """Every split of packed loose cards into triples (and one pair iff ``jiang``): its 胡息 and groups."""
    for groups, pair in _splits(loose, jiang):
        items = [triple(group, ruleset) for group in groups]
        if pair >= 0:
            items.append(same(Form.JIANG, pair, ruleset))
        yield sum(item[2] for item in items), items


def best_split(loose: int, jiang: bool, ruleset: Ruleset) -> list[Item] | None:
    """The groups of the best split, or None; the first in table order where several are equal."""
    best: tuple[int, list[Item]] | None = None
    for huxi, items in splits(loose, jiang, ruleset):
        if best is None or huxi > best[0]:
            best = (huxi, items)
    return None if best is None else best[1]


def best_partial(loose: int, ruleset: Ruleset) -> list[Item]:
    """Disjoint 一二三 and 二七十 of the most 胡息 among loose cards, the rest left out (rules 9.6)."""
    best: list[Item] = []
    for size in (0, 1):
        run, reds = 8 * size, FIRST_2710 + size
        options = [
            [triple(run, ruleset)] * n + [triple(reds, ruleset)] * m
            for n in range(4)
            for m in range(4)
            if _holds_fields(loose, n * PACKED[run], m * PACKED[reds], 10 * size)
        ]
        best += max(options, key=lambda items: sum(item[2] for item in items))
    return best


def _holds_fields(hand: int, runs: int, reds: int, first: int) -> bool:
    return all(
        hand >> 2 * kind & 3 >= (runs >> 2 * kind & 3) + (reds >> 2 * kind & 3) for kind in range(first, first + 10)
    )


def _sentences(counts: list[int], alike: bool) -> list[Item] | None:
    """Counts of 20 kinds as 顺 and triples, ``alike``: as triples alone; None where they are none."""
    left = list(counts)
    items: list[Item] = []
    for kind in range(20):
        begin = 0 if alike else left[kind] % 3
        if begin and kind % 10 > 7:
            return None
        for _ in range(begin):
            items.append((Form.SHUN, (kind, kind + 1, kind + 2), 0))
            for step in range(3):
                left[kind + step] -= 1
        if left[kind] == 3:
            left[kind] = 0
            items.append((Form.KAN, (kind,) * 3, 0))
        if left[kind] or min(left) < 0:
            return None
    return items


def sentence_groups(hand: Sequence[int], card: int, must_use: bool, alike: bool, one_size: bool, n: int) -> list[Item]:
    """The 句 and the 将 of a `general` win from its concealed cards; a spare card is left out (rules 16.11).

    ``card``: the winning card among ``hand``, which ``must_use`` 1 keeps in the shape; ``n``: 句 that are due.
    """
    counts = [hand.count(kind) for kind in range(20)]
    spares: list[int] = [-1] if len(hand) <= 3 * n + 2 else [kind for kind in range(20) if counts[kind]]
    for spare in spares:
        if must_use and spare == card and counts[card] == 1:
            continue
        if spare >= 0:
            counts[spare] -= 1
        sizes = {kind >= 10 for kind in range(20) if counts[kind]}
        for jiang in [kind for kind in range(20) if counts[kind] >= 2] if len(hand) != 3 * n else [-1]:
            if one_size and len(sizes) > 1:
                break
            if jiang >= 0:
                counts[jiang] -= 2
            found = _sentences(counts, alike)
            if jiang >= 0:
                counts[jiang] += 2
            if found is not None:
                return found + ([(Form.JIANG, (jiang, jiang), 0)] if jiang >= 0 else [])
        if spare >= 0:
            counts[spare] += 1
    return []
