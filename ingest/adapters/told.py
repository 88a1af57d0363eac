"""What the messages of one round tell, one after the other, until they make a record or a refusal."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ingest.adapters.fields import brief, counted
from ingest.adapters.registry import Reject
from ingest.codes import NO_CARD, Action
from ingest.limits import MAX_EVENTS, MAX_ITEMS, MAX_OFFERS, Fault
from ingest.record import Move, Offer, Record

_MORE = "…"
_MOST_NOTES = 400


def count(counts: Counter[str], *keys: str) -> None:
    """Each key once more. A file may have any number of them: those beyond ``MAX_ITEMS`` are counted together."""
    for key in keys:
        counts[key if key in counts or len(counts) < MAX_ITEMS else _MORE] += 1


@dataclass
class ToldRound:
    """What every format tells. ``at``: byte offset of the first message; ``line``: its line, where there are lines."""

    at: int
    line: int | None = None
    moves: list[Move] = field(default_factory=list)
    draws: int = 0
    """How many of the events are draws."""
    offers: list[Offer] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)
    extras: Counter[str] = field(default_factory=Counter)
    ended: bool = False
    fault: Fault | None = None
    fault_place: tuple[int | None, int] = (None, 0)
    """Line and byte offset of the first fault."""
    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))
    opened_at: int | None = None
    """The last event that turned or discarded a card."""

    def move(self, seat: int, action: int, card: int = NO_CARD, *hand: int, face: int = 0) -> None:
        """One more event; an event of a seat that cannot be is left to the checks of the whole record."""
        if len(self.moves) >= MAX_EVENTS:
            raise Fault("LIMIT", f"超过 {MAX_EVENTS} 个事件", f"more than {MAX_EVENTS} events")
        if action in (Action.DRAW, Action.DISCARD):
            self.opened_at = len(self.moves)
            self.draws += action == Action.DRAW
        a, b = hand or (NO_CARD, NO_CARD)
        self.moves.append(Move(seat, int(action), card, a, b, face))

    def opened(self) -> Move | None:
        """The last card turned or discarded."""
        return None if self.opened_at is None else self.moves[self.opened_at]

    def offer(self, seat: int, action: int, card: int) -> None:
        """One more option, pushed after the last event."""
        if len(self.offers) >= MAX_OFFERS:
            raise Fault("LIMIT", f"超过 {MAX_OFFERS} 个选项", f"more than {MAX_OFFERS} offers")
        self.offers.append(Offer(len(self.moves) - 1, seat, int(action), card))

    def note(self, kind: str, text: str) -> None:
        """One more item of a list that becomes a tag."""
        items = self.notes.setdefault(kind, [])
        if len(items) < _MOST_NOTES:
            items.append(text)

    def texts(self) -> dict[str, str]:
        """The lists and the counts as tags, those with anything in them."""
        lists = {kind: brief(items) for kind, items in self.notes.items()}
        counts = {"other_messages": counted(self.others), "extra_fields": counted(self.extras)}
        return lists | {key: text for key, text in counts.items() if text}

    def refuse(self, fault: Fault, at: int, line: int | None = None) -> None:
        """The round cannot be taken; the first fault is kept."""
        if self.fault is None:
            self.fault, self.fault_place = fault, (line, at)

    def finish(self, index: int, make: Callable[[], Record]) -> Record | Reject:
        """The record that ``make`` gives, unless there was a fault before or is one in the making."""
        fault, place = self.fault, self.fault_place
        if fault is None:
            try:
                return make()
            except Fault as error:
                fault, place = error, (self.line, self.at)
        return Reject(fault.code, fault.reason, index, *place, self.digest.hexdigest())
