"""听: every (card, source) that wins, by trying each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.oracle.cards import KINDS
from tests.oracle.hand import Value, evaluate, meld

SOURCES = ("own_draw", "other_draw", "discard")


def waits(hand: Iterable[str], melds: Iterable[str] = (), ruleset: str = "qq") -> dict[tuple[str, str], Value]:
    hand, melds = list(hand), list(melds)
    seen = Counter(hand) + Counter(card for text in melds for card in meld(text).cards)
    found = {}
    for card in KINDS:
        if seen[card] < 4:
            for source in SOURCES:
                value = evaluate(hand, melds, card, source, ruleset)
                if value.wins:
                    found[card, source] = value
    return found
