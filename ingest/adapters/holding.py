"""Cards held and laid in the course of a round, for formats that tell them and not only the events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.limits import Fault
from ingest.record import Move, Record

_TRIPLES = {Action.PENG, Action.WEI, Action.CHOU_WEI}


class Holding:
    """The hands and the triples on the table. A seat whose hand is not known holds nothing."""

    def __init__(self, hands: Sequence[Sequence[int] | None]) -> None:
        self.hands = [Counter(hand or ()) for hand in hands]
        self.known = [hand is not None and UNKNOWN not in hand for hand in hands]
        self.triples: list[dict[int, int]] = [{} for _ in hands]

    def take(self, move: Move, seq: int) -> int:
        """Carry an event out; how many cards left the hand. ``Fault`` when a known hand does not have them."""
        action, card = move.action, move.card
        used: tuple[int, ...] = ()
        if action == Action.DISCARD:
            used = (card,)
        elif action == Action.CHI:
            used = (move.a, move.b)
        elif action == Action.BI:
            used = (card, move.a, move.b)
        elif action in _TRIPLES:
            used = (card, card)
            self.triples[move.seat][card] = action
        elif action in (Action.PAO, Action.TI):
            used = () if self.triples[move.seat].pop(card, None) else (card,) * 3
        elif action == Action.TI_OPEN:
            used = (card,) * 4
        elif action == Action.BU:
            self.hands[move.seat][card] += 1
        if used and self.known[move.seat]:
            hand = self.hands[move.seat]
            hand.subtract(used)
            if min(hand[one] for one in used) < 0:
                zh, en = f"第 {seq} 个事件用的牌不在手里", f"event {seq} uses a card that is not in the hand"
                raise Fault("BAD_MOVE", zh, en, "moves", seq)
        return len(used)

    def hand(self, seat: int) -> tuple[int, ...] | None:
        """The cards a seat holds, ascending; None when it is not known."""
        return tuple(sorted(self.hands[seat].elements())) if self.known[seat] else None


def no_unknown(record: Record) -> None:
    """Raise ``Fault`` where an event has a card that was not recorded: most formats have no way to say so."""
    for seq, move in enumerate(record.moves):
        if UNKNOWN in (move.card, move.a, move.b):
            raise Fault("UNKNOWN_CARD", "这个格式写不出未知的牌", "the format cannot say an unknown card", "moves", seq)
