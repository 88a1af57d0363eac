"""What a woaiwyhty client was told of a round so far, and the single fields of its events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ingest.adapters.fields import Fields, Where, array, bad, decode, integer, obj
from ingest.adapters.told import ToldRound
from ingest.cards import COPIES, DECK, UNKNOWN
from ingest.codes import NO_SEAT, Action, Form
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.record import HAND, Result

NAME = "woaiwyhty"
SEATS = 3
DEALER = 0
"""The server deals the 21st card to this seat in every round."""
WALL = DECK - SEATS * HAND - 1
MOST_ROUNDS = 1_000_000
BACK = "back"
_CARDS = ENCODINGS["x/d"]

LAID = {"ti": Action.TI, "wei": Action.WEI, "pao": Action.PAO, "peng": Action.PENG}
SIZES = {"ti": 4, "pao": 4, "wei": 3, "peng": 3}
WISHES = {"peng": Action.PENG, "chi": Action.CHI, "hu": Action.HU}
FORMS: dict[str, Form | None] = {
    "ti": Form.TI,
    "pao": Form.PAO,
    "wei": None,  # 偎, or three equal cards held
    "peng": Form.PENG,
    "chi": None,
    "jiang": Form.JIANG,
}


@dataclass
class Session:
    """What is told between rounds, and holds for the rounds that follow."""

    me: int | None = None
    room: str = ""
    players: dict[int, str] = field(default_factory=dict)
    name: str = ""
    """The own user name, where the login was recorded."""


@dataclass
class Told(ToldRound):
    """What the events of one round have told so far."""

    session: Session = field(default_factory=Session)
    start: Fields | None = None
    hand: tuple[int, ...] | None = None
    liang: int | None = None
    seen: set[int] = field(default_factory=set)
    """Seats of others, as events to others name them."""
    own_turn: bool = False
    """The own discard is due and was not told."""
    result: Result | None = None
    stopped: bool = False

    def discarded(self, card: int) -> None:
        """The own discard, where it was due and the client's own message is not in the file."""
        if self.own_turn:
            self.own_turn = False
            self.move(NO_SEAT, Action.DISCARD, card)  # the own seat may not be known yet
            self.note("own_discards", f"{len(self.moves) - 1}")


def me_of(told: Told) -> int | None:
    """The own seat; the one left over where events named both others."""
    if told.session.me is not None:
        return told.session.me
    others = set(range(SEATS)) - told.seen
    return others.pop() if len(others) == 1 else None


def card(value: Any, where: Where) -> int:
    """The kind of a card that must be told."""
    return _CARDS.decode(value, *where)


def card_or_back(value: Any, where: Where) -> int:
    """The kind of a card, or ``UNKNOWN`` for one that shows its back."""
    return UNKNOWN if value == BACK else card(value, where)


def seat(value: Any, where: Where) -> int:
    """A seat of the three."""
    if type(value) is not int or not 0 <= value < SEATS:
        raise Fault("BAD_SEAT", f"没有座位 {value!r:.40}", f"there is no seat {value!r:.40}", *where)
    return value


def body_of(value: Any, where: Where) -> Fields:
    """The fields of an event: an object, or one as a text, as clients send it; nothing at all is no field."""
    if isinstance(value, str) and value:
        return decode(value.encode(), last=False)
    return obj({} if value in (None, "") else value, where)


def hand_of(value: Any, where: Where) -> tuple[int, ...]:
    """The cards of pairs of card and number."""
    cards: list[int] = []
    seen: set[int] = set()
    for place, pair in enumerate(array(value, where)):
        at: Where = (*where, place)
        if len(array(pair, at)) != 2:
            raise bad(at, "应是牌和张数", "expected a card and how many")
        kind = card(pair[0], at)
        if kind in seen:
            raise bad(at, "同一张牌写了两次", "a card stands twice")
        seen.add(kind)
        cards += [kind] * integer(pair[1], at, 0, COPIES + 1)
    return tuple(cards)
