"""What a round says to a writer: cards held and laid in its course, whole hands, numbers that reading put in tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ingest.cards import UNKNOWN
from ingest.codes import FACE_UNKNOWN, Action
from ingest.limits import INT32, Fault
from ingest.record import HAND, Cards, Move, Record, dealt

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

    def triple(self, move: Move) -> int | None:
        """The action with which the seat of an event laid three of its card; None where none lie there."""
        return self.triples[move.seat].get(move.card) if move.seat >= 0 else None

    def shows(self, move: Move) -> bool:
        """Whether a draw was shown to all: as told, else unless the seat takes the card at once, as 偎 or 提."""
        if move.face != FACE_UNKNOWN:
            return move.face > 1
        return self.hands[move.seat][move.card] < 2 and self.triple(move) in (None, Action.PENG)


def known(move: Move, seq: int) -> int:
    """The card of an event; ``Fault`` where one was not recorded: most formats have no way to say so."""
    if UNKNOWN in (move.card, move.a, move.b):
        raise Fault("UNKNOWN_CARD", "这个格式写不出未知的牌", "the format cannot say an unknown card", "moves", seq)
    return move.card


def no_unknown(record: Record) -> None:
    """Raise ``Fault`` where an event has a card that was not recorded."""
    for seq, move in enumerate(record.moves):
        known(move, seq)


def three_seats(record: Record) -> None:
    """Raise ``Fault`` unless three persons play and nobody sits out."""
    if len(record.players) != 3 or record.sitter is not None:
        raise Fault("BAD_SEAT", "只有三人", "three persons only", "players")


def whole_hands(record: Record) -> list[Cards | None]:
    """The hand of each seat, the dealer's with the 亮张 where both are told."""
    deal = dealt(record)
    hands = list(deal.hands)
    hand = hands[record.dealer]
    if hand is not None and deal.liang is not None and len(hand) == HAND:
        hands[record.dealer] = (*hand, deal.liang)
    return hands


def whole_hand(record: Record, seat: int) -> Cards:
    """The 20 cards of a seat, the dealer's 21; ``Fault`` where they are not all known."""
    hand = whole_hands(record)[seat]
    if hand is None or UNKNOWN in hand or len(hand) != HAND + (seat == record.dealer):
        zh, en = f"座位 {seat} 的手牌不全", f"the hand of seat {seat} is not known"
        raise Fault("DEAL_SIZE", zh, en, "hands", seat)
    return hand


def tag_numbers(record: Record, platform: str, key: str, least: int = -INT32 - 1, most: int = INT32) -> list[int]:
    """The numbers that the reader of that platform put in a tag; none where it did not, or they are no such numbers."""
    text = record.tags.get(key, "") if record.platform == platform else ""
    try:
        numbers = [int(word, 0) for word in text.split()]
    except ValueError:
        return []
    return numbers if all(least <= number <= most for number in numbers) else []


def tag_number(record: Record, platform: str, key: str, absent: int = 0, **bounds: int) -> int:
    """The first of ``tag_numbers``, or ``absent``."""
    return next(iter(tag_numbers(record, platform, key, **bounds)), absent)
