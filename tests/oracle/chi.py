"""吃 with complete 比 chains, by plain recursion; rules B.6 and, for the dead hand, B.3 and J.10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.oracle.split import TRIPLES_WITH

Option = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def chi_options(hand: Iterable[str], card: str, ruleset: str = "qq", discard_due: bool = True) -> set[Option]:
    """Options as (first group, sorted 比 groups). Cards of a 坎 or 提 are never used."""
    held = Counter(hand)
    if held[card] >= 3:
        return set()
    free = Counter({kind: n for kind, n in held.items() if n < 3})
    found: set[Option] = set()
    dead: set[Option] = set()
    for first in TRIPLES_WITH[card]:
        need = Counter(first.cards) - Counter((card,))
        if not need <= free:
            continue
        for groups in _bi(free - need, card):
            option = first.cards, tuple(sorted(groups))
            used = need + Counter(used_card for group in groups for used_card in group)
            left = held - used
            has_discard = any(n < 3 for n in left.values())
            (found if has_discard or not discard_due else dead).add(option)
    if ruleset == "guilin" and dead:
        return set()
    return found


def _bi(free: Counter[str], card: str) -> list[list[tuple[str, ...]]]:
    """Every chain of groups that clears the hand of ``card``."""
    if not free[card]:
        return [[]]
    chains = []
    for triple in TRIPLES_WITH[card]:
        need = Counter(triple.cards)
        if need <= free:
            chains += [[triple.cards, *rest] for rest in _bi(free - need, card)]
    return chains
