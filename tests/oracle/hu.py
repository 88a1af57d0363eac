"""Complete hands of the rulesets with 胡息: rules C.3, B.2, B.8."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ingest.codes import Form, Source
from tests.oracle.groups import QUADS, Counts, Meld, at_most, cards_of, equal, free, huxi, partial, split
from tests.oracle.rules import Rules

MENZI = 7
HIDDEN = (Form.WEI, Form.CHOU_WEI)


class Shape(NamedTuple):
    """One way in which a winner's cards are laid out."""

    huxi: int
    groups: tuple[Meld, ...]
    cards: tuple[int, ...]  # all the cards that colour and size are counted over


def locked(held: Counts) -> list[Meld]:
    """坎 and 提 in the hand."""
    return [equal(Form.KAN if n == 3 else Form.TI, kind) for kind, n in enumerate(held) if n >= 3]


def ways(held: Counts, table: Sequence[Meld], card: int | None, source: Source) -> Iterator[tuple[list[Meld], Counts]]:
    """C.3: how the winning card may be used, as the groups that are then fixed and the loose cards.

    ``card`` None: the hand is whole as it is (the dealer with the 亮张). The 亮张 is to another seat like another's
    draw. What is forced on the drawer (偎, 提) leaves one way only (B.8).
    """
    loose = free(held)
    if card is None:
        yield [*table, *locked(held)], loose
        return
    own = source == Source.OWN_DRAW
    tabled = next((meld for meld in table if meld.cards == (card, card, card)), None)
    others = [meld for meld in table if meld is not tabled]
    if held[card] == 3:
        rest = [meld for meld in locked(held) if meld.cards[0] != card]
        yield [*table, *rest, equal(Form.TI if own else Form.PAO, card)], loose
        if own:
            return
    elif tabled is not None and tabled.form in HIDDEN:
        yield [*others, *locked(held), equal(Form.TI if own else Form.PAO, card)], loose
        if own:
            return
    elif tabled is not None and source != Source.DISCARD:
        yield [*others, *locked(held), equal(Form.PAO, card)], loose
    elif held[card] == 2:
        rest_loose = tuple(0 if kind == card else n for kind, n in enumerate(loose))
        yield [*table, *locked(held), equal(Form.WEI if own else Form.PENG, card)], rest_loose
        if own:
            return
    yield [*table, *locked(held)], tuple(n + (kind == card) for kind, n in enumerate(loose))


def shapes(rules: Rules, held: Counts, table: Sequence[Meld], card: int | None, source: Source) -> list[Shape]:
    """C.3.2 and 3: the winning layouts, the best of each way of using the card; empty if it is no win.

    Seven groups, with exactly one 将 if there is a quad and none otherwise, and enough 胡息.
    """
    found = []
    for fixed, loose in ways(held, table, card, source):
        jiang = any(meld.form in QUADS for meld in fixed)
        if sum(loose) != 3 * (MENZI - len(fixed) - jiang) + 2 * jiang:
            continue
        xi = sum(huxi(rules, meld) for meld in fixed)
        if xi + at_most(rules, loose) < rules["min_huxi"]:
            continue
        best = split(loose, jiang, rules["huxi_123"], rules["huxi_2710"])
        if best is not None and xi + best[0] >= rules["min_huxi"]:
            found.append(whole(xi + best[0], (*fixed, *best[1])))
    return found


def whole(xi: int, groups: tuple[Meld, ...]) -> Shape:
    return Shape(xi, groups, tuple(card for meld in groups for card in meld.cards))


def counts_for_tianhu(rules: Rules, dealt: Counts) -> bool:
    """B.2.2, J slwk: three 提 or five 坎 among the dealt cards."""
    quads = sum(n == 4 for n in dealt)
    kans = sum(n == 3 for n in dealt)
    if rules["tianhu_count"] == "ti_counts_as_kan":
        kans += quads
    return quads >= 3 or kans >= 5


def tianhu_shape(rules: Rules, dealt: Counts) -> Shape:
    """C.3: 胡息 of a 天胡 by count, which needs no shape; its groups are the 坎 and 提 only."""
    fixed = tuple(locked(dealt))
    return Shape(sum(huxi(rules, meld) for meld in fixed) + partial(rules, free(dealt)), fixed, cards_of(dealt))
