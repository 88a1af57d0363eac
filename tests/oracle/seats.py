"""A seat's cards and what is remembered about it: rules B.0, B.9, B.12."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.codes import Action, Form
from tests.oracle.groups import QUADS, Chain, Counts, Meld, equal, free, huxi
from tests.oracle.rules import Rules

Groups = Chain  # empty but for a 吃


class Event(NamedTuple):
    """``groups`` only for CHI: the two hand cards, then each 比, sorted."""

    seat: int
    action: int
    card: int
    groups: Groups = ()


@dataclass
class Seat:
    held: list[int]  # copies of each kind in the hand
    melds: list[Meld] = field(default_factory=list)
    stale_chi: set[int] = field(default_factory=set)  # kinds passed, barred to 吃
    stale_peng: set[int] = field(default_factory=set)  # ... to 碰
    own_discards: set[int] = field(default_factory=set)
    peng_passed: set[int] = field(default_factory=set)  # a later 偎 is a 臭偎
    chouhu: dict[int, int] = field(default_factory=dict)  # kind to the exposed 胡息 when its win was refused
    waived: int = 0
    out: bool = False  # may no longer win, 吃 or 碰 (dead_forced waive_and_out)
    turns: int = 0

    def counts(self) -> Counts:
        return tuple(self.held)

    def take(self, cards: Iterable[int]) -> None:
        for card in cards:
            self.held[card] -= 1
            assert self.held[card] >= 0

    def meld_of(self, card: int) -> Meld | None:
        """The meld of three equal ``card``, if there is one."""
        return next((meld for meld in self.melds if meld.cards == (card, card, card)), None)

    def lay_quad(self, form: Form, card: int) -> None:
        """跑 or 提 with a card that arrives: from a 坎 in the hand or from three equal cards on the table."""
        tabled = self.meld_of(card)
        if tabled is not None:
            self.melds[self.melds.index(tabled)] = equal(form, card)
        else:
            self.take((card,) * 3)
            self.melds.append(equal(form, card))


def owned(seat: Seat) -> int:
    return sum(seat.held) + sum(len(meld.cards) for meld in seat.melds)


def laid_quads(seat: Seat) -> int:
    return sum(meld.form in QUADS for meld in seat.melds)


def discard_due(rules: Rules, seat: Seat) -> int:
    """B.0; general (B.14): only laid quads count, each of them."""
    if rules["draw_to_hand"]:
        return owned(seat) - 20 - laid_quads(seat)
    quads = laid_quads(seat) + seat.held.count(4)
    return owned(seat) - 20 - max(0, quads - 1) - seat.waived


def discards(rules: Rules, counts: Counts) -> list[int]:
    """Kinds that may be discarded: all but those of a 坎 or 提; in general any (C.3)."""
    loose = counts if rules["draw_to_hand"] else free(counts)
    return [kind for kind, n in enumerate(loose) if n]


def exposed(rules: Rules, seat: Seat) -> int:
    """B.12, G22: 胡息 of the melds on the table, hidden 偎 at face value."""
    return sum(huxi(rules, meld) for meld in seat.melds)


def dead(rules: Rules, seat: Seat, left: Counts) -> bool:
    """B.3: after a further card is taken in and only ``left`` is held, a discard is due that cannot be made.

    For takings after which no further quad is there.
    """
    return discard_due(rules, seat) + 1 >= 1 and not discards(rules, left)


ACTION_OF_FORM = {Form.WEI: Action.WEI, Form.CHOU_WEI: Action.CHOU_WEI, Form.TI: Action.TI}
