"""What lies on the table: melds and discards of each seat, kept as the events say, whether legal or not."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.codes import NO_SEAT, Action, Form, Source
from ingest.record import Move
from replay.explain import Item, best_split, same, triple, triple_index
from replay.kernels.bits import kan_of
from replay.ruleset import Ruleset


@dataclass(slots=True)
class Meld:
    """A group on the table; ``claimed`` is the card that was not from the hand, ``source`` the seat it lay before."""

    form: int
    cards: tuple[int, ...]
    huxi: int
    source: int | None = None
    claimed: int | None = None


@dataclass(slots=True)
class Discard:
    """A card that lay open before a seat."""

    card: int
    drawn: bool
    claimed: bool = False


@dataclass(slots=True)
class Table:
    """Melds and discards of all seats, and the card now open."""

    melds: list[list[Meld]] = field(default_factory=lambda: [[], [], []])
    discards: list[list[Discard]] = field(default_factory=lambda: [[], [], []])
    open: tuple[int, int, bool] | None = None  # card, seat, drawn

    def _claim(self) -> int | None:
        if self.open is None:
            return None
        card, seat, drawn = self.open
        pile = self.discards[seat]
        if pile and pile[-1].card == card and pile[-1].drawn == drawn:
            pile[-1].claimed = True
        self.open = None
        return seat


_SAME = {
    Action.PENG: Form.PENG,
    Action.WEI: Form.WEI,
    Action.CHOU_WEI: Form.CHOU_WEI,
    Action.PAO: Form.PAO,
    Action.TI: Form.TI,
    Action.TI_OPEN: Form.TI,
}


def put(table: Table, move: Move, ruleset: Ruleset) -> None:
    """Carry one event out on the table."""
    action = move.action
    if not 0 <= move.seat < len(table.melds) and move.seat != NO_SEAT:
        return
    if action == Action.DRAW and ruleset.draw_to_hand:
        table.open = None
        return
    if action in (Action.DISCARD, Action.DRAW):
        table.open = (move.card, move.seat, action == Action.DRAW)
        table.discards[move.seat].append(Discard(move.card, action == Action.DRAW))
        return
    if action == Action.UNCLAIMED:
        table.open = None
        return
    if action in (Action.CHI, Action.BI):
        source = table._claim() if action == Action.CHI else None
        cards = (move.card, move.a, move.b)
        group = triple_index(cards)
        form, _, huxi = triple(group, ruleset) if group >= 0 else (Form.SHUN, cards, 0)
        claimed = move.card if action == Action.CHI else None
        table.melds[move.seat].append(Meld(form, cards, huxi, source, claimed))
        return
    if action not in _SAME or move.card < 0:
        return
    form = _SAME[Action(action)]
    item = same(form, move.card, ruleset)
    melds = table.melds[move.seat]
    source = None if action == Action.TI_OPEN else table._claim()
    if form in (Form.PAO, Form.TI):
        for i, meld in enumerate(melds):
            if meld.form in (Form.PENG, Form.WEI, Form.CHOU_WEI) and meld.cards[0] == move.card:
                melds[i] = Meld(form, item[1], item[2], source, move.card)
                return
    melds.append(Meld(form, item[1], item[2], source, None if action == Action.TI_OPEN else move.card))


def fixed_groups(
    ruleset: Ruleset, hand: int, quads: int, tabled: list[Meld], card: int, source: int, forced: bool
) -> tuple[list[Item], int]:
    """The groups of a win that leave no choice, and the packed loose cards that remain to be split.

    ``hand`` packed, ``quads`` packed low bits; ``card`` -1: already in the hand; ``forced``: the card makes a group
    with equal cards (bit 0 of ``hu_value``), otherwise it is a loose card.
    """
    items: list[Item] = [(meld.form, meld.cards, meld.huxi) for meld in tabled]
    kan = kan_of(hand)
    loose = hand - 3 * kan
    own = source == Source.OWN_DRAW
    quad = Form.TI if own else Form.PAO
    if card >= 0 and forced:
        unit = 1 << 2 * card
        on_table = [
            i for i, item in enumerate(items) if item[0] in (Form.PENG, Form.WEI, Form.CHOU_WEI) and item[1][0] == card
        ]
        if on_table:
            was_peng = items[on_table[0]][0] == Form.PENG
            items[on_table[0]] = same(Form.PAO if was_peng else quad, card, ruleset)
        elif kan & unit:
            kan &= ~unit
            items.append(same(quad, card, ruleset))
        else:
            loose -= 2 * unit
            items.append(same(Form.WEI if own else Form.PENG, card, ruleset))
    elif card >= 0:
        loose += 1 << 2 * card
    for kind in range(20):
        if kan >> 2 * kind & 1:
            items.append(same(Form.KAN, kind, ruleset))
        if quads >> 2 * kind & 1:
            items.append(same(Form.TI, kind, ruleset))
    return items, loose


def needs_jiang(items: list[Item]) -> bool:
    """A 将 is needed exactly when there is a 跑 or 提 (rules 8.4)."""
    return any(item[0] in (Form.PAO, Form.TI) for item in items)


def winning_groups(
    ruleset: Ruleset, hand: int, quads: int, tabled: list[Meld], card: int, source: int, forced: bool
) -> list[Item]:
    """All groups of a win with the best split of its loose cards; empty when no split exists. See ``fixed_groups``."""
    items, loose = fixed_groups(ruleset, hand, quads, tabled, card, source, forced)
    rest = best_split(loose, needs_jiang(items), ruleset)
    return [] if rest is None else items + rest
