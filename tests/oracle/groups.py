"""Groups of cards and how loose cards fall into them; kinds are 0..19. rules B.6, C.1, C.2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from ingest.cards import KINDS, RED, is_big
from ingest.codes import Form
from tests.oracle.rules import Rules

Counts = tuple[int, ...]  # copies of each of the 20 kinds
Pair = tuple[int, int]
Chain = tuple[tuple[int, ...], ...]  # 吃: the two hand cards, then each 比


class Meld(NamedTuple):
    form: Form
    cards: tuple[int, ...]


QUADS = (Form.PAO, Form.TI)
EQUAL = {Form.PENG: 3, Form.KAN: 3, Form.WEI: 3, Form.CHOU_WEI: 3, Form.PAO: 4, Form.TI: 4, Form.JIANG: 2}


def equal(form: Form, kind: int) -> Meld:
    return Meld(form, (kind,) * EQUAL[form])


def _triples() -> list[Meld]:
    """C.1: 顺 without wrapping round, 二七十, 绞."""
    found = []
    for base in (0, 10):
        found += [Meld(Form.SHUN, (low, low + 1, low + 2)) for low in range(base, base + 8)]
        found.append(Meld(Form.SHUN_2710, (base + 1, base + 6, base + 9)))
    for small in range(10):
        found.append(Meld(Form.JIAO, (small, small, small + 10)))
        found.append(Meld(Form.JIAO, (small, small + 10, small + 10)))
    return found


TRIPLES = _triples()
SHUNS = [triple for triple in TRIPLES if triple.form == Form.SHUN]
WITH = [[triple for triple in TRIPLES if kind in triple.cards] for kind in range(KINDS)]
SHUNS_WITH = [[triple for triple in SHUNS if kind in triple.cards] for kind in range(KINDS)]
FORM_OF = {triple.cards: triple.form for triple in TRIPLES}


def huxi(rules: Rules, meld: Meld) -> int:
    """C.2."""
    kind = meld.cards[0]
    if meld.form == Form.SHUN:
        return int(rules["huxi_123"][is_big(kind)]) if kind % 10 == 0 else 0
    if meld.form == Form.SHUN_2710:
        return int(rules["huxi_2710"][is_big(kind)])
    if meld.form in (Form.JIAO, Form.JIANG):
        return 0
    names = {Form.PENG: "huxi_peng", Form.PAO: "huxi_pao", Form.TI: "huxi_ti"}
    table = rules[names.get(meld.form, "huxi_kan")]
    return int(table[is_big(kind) + 2 * (len(table) == 4 and kind in RED)])


def counts_of(cards: Iterable[int]) -> list[int]:
    counts = [0] * KINDS
    for card in cards:
        counts[card] += 1
    return counts


def cards_of(counts: Iterable[int]) -> tuple[int, ...]:
    return tuple(kind for kind, n in enumerate(counts) for _ in range(n))


def without(counts: Counts, cards: Iterable[int]) -> Counts | None:
    """The counts less these cards; None if they are not all there."""
    left = list(counts)
    for card in cards:
        left[card] -= 1
        if left[card] < 0:
            return None
    return tuple(left)


@lru_cache(maxsize=200_000)
def split(loose: Counts, jiang: bool, h123: Pair, h2710: Pair) -> tuple[int, tuple[Meld, ...]] | None:
    """Loose cards as triples with exactly one pair (将) or none: the way with most 胡息, None if there is none.

    Never a group of equal cards beside the 将: three equal cards are a 坎 (locked) or were melded before.
    """
    first = next((kind for kind in range(KINDS) if loose[kind]), None)
    if first is None:
        return None if jiang else (0, ())
    best: tuple[int, tuple[Meld, ...]] | None = None
    pair = without(loose, (first, first)) if jiang else None
    if pair is not None:
        rest = split(pair, False, h123, h2710)
        if rest is not None:
            best = rest[0], (equal(Form.JIANG, first), *rest[1])
    for triple in WITH[first]:
        left = without(loose, triple.cards)
        rest = split(left, jiang, h123, h2710) if left is not None else None
        if rest is not None:
            worth = huxi({"huxi_123": h123, "huxi_2710": h2710}, triple) + rest[0]
            if best is None or worth > best[0]:
                best = worth, (triple, *rest[1])
    return best


def partial(rules: Rules, loose: Counts) -> int:
    """C.3: most 胡息 from disjoint 一二三 and 二七十, the other cards being worth nothing (天胡 by count)."""
    worth = [(triple, huxi(rules, triple)) for triple in TRIPLES if huxi(rules, triple)]

    def most(left: Counts, start: int) -> int:
        best = 0
        for place in range(start, len(worth)):
            rest = without(left, worth[place][0].cards)
            if rest is not None:
                best = max(best, worth[place][1] + most(rest, place))
        return best

    return most(loose, 0)


def at_most(rules: Rules, loose: Counts) -> int:
    """A bound on the 胡息 of loose cards: every 一二三 and 二七十 as often as its cards would allow by itself."""
    bound = 0
    for base, big in ((0, 0), (10, 1)):
        bound += min(loose[base], loose[base + 1], loose[base + 2]) * rules["huxi_123"][big]
        bound += min(loose[base + 1], loose[base + 6], loose[base + 9]) * rules["huxi_2710"][big]
    return int(bound)


def free(held: Counts) -> Counts:
    """The hand without its 坎 and 提, which may not be taken apart (A, C.3)."""
    return tuple(n if n < 3 else 0 for n in held)


@cache
def pairs_with(card: int, shun_only: bool) -> tuple[Pair, ...]:
    """The pairs of hand cards that make a group with ``card``."""
    found = set()
    for triple in SHUNS_WITH[card] if shun_only else WITH[card]:
        rest = list(triple.cards)
        rest.remove(card)
        found.add((rest[0], rest[1]))
    return tuple(sorted(found))


def chains(held: Counts, card: int) -> set[Chain]:
    """B.6: every complete 吃 of ``card`` with its 比, as the groups of an event."""
    if held[card] >= 3:
        return set()
    found: set[Chain] = set()
    start = free(held)
    for pair in pairs_with(card, False):
        left = without(start, pair)
        if left is not None:
            found |= {(pair, *sorted(bi)) for bi in _bi(left, card)}
    return found


def _bi(left: Counts, card: int) -> Iterator[Chain]:
    if not left[card]:
        yield ()
        return
    for triple in WITH[card]:
        rest = without(left, triple.cards)
        if rest is not None:
            for more in _bi(rest, card):
                yield (triple.cards, *more)
