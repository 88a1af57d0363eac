"""The persons of a record and the seats that play, and a deal in its one form (rules 2.3, 14.1, 15.1)."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from ingest.cards import UNKNOWN
from ingest.codes import NO_SEAT
from ingest.record import HAND, Move, Record, dealt, wall_size
from replay.kernels.layout import SITTER
from replay.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Seating:
    """``record``: the round as its players see it, seats 0.. in the order of play, a sitter's events at ``SITTER``;
    what was reported of its end stays by person.

    ``persons``: the person of each seat that plays; ``sitter``: the person who does not play, or None, ``paid`` where
    the rules pay that person. ``liang_fault``: the 亮张 is not where it must be, as (expected, actual), or None.
    """

    record: Record
    persons: tuple[int, ...]
    sitter: int | None
    paid: bool
    liang_fault: tuple[str, str] | None = None

    @property
    def order(self) -> tuple[int, ...]:
        """The persons as ``timeline`` numbers them: those that play, by seat, then who sits out."""
        return self.persons if self.sitter is None else (*self.persons, self.sitter)

    def person(self, seat: int) -> int:
        """The person of the record who sits at a seat; NO_SEAT stays."""
        if seat == NO_SEAT or (seat == SITTER and self.sitter is None):
            return seat
        return self.sitter if seat == SITTER and self.sitter is not None else self.persons[seat]

    def points(self, points: tuple[int, ...]) -> tuple[int, ...]:
        """Points of the seats 0, 1, 2 and ``SITTER`` as points of each person of the record."""
        n = len(self.persons) + (self.sitter is not None)
        spread = [0] * n
        for seat, person in enumerate(self.persons):
            spread[person] = points[seat]
        if self.sitter is not None:
            spread[self.sitter] = points[SITTER]
        return tuple(spread)


def seated(record: Record, ruleset: Ruleset) -> Seating:
    """The round as its players see it, with the deal in its one form: 20 cards a hand, the 亮张 apart."""
    record, fault = _one_deal(record, ruleset)
    everybody = tuple(range(len(record.players)))
    if record.sitter is None:
        return Seating(record, everybody, None, False, fault)
    sitter = record.sitter
    persons = tuple(person for person in everybody if person != sitter)
    seat_of = {person: seat for seat, person in enumerate(persons)} | {sitter: SITTER, NO_SEAT: NO_SEAT}

    def moved(move: Move) -> Move:
        return msgspec.structs.replace(move, seat=seat_of.get(move.seat, move.seat))

    changed = msgspec.structs.replace(
        record,
        players=tuple(record.players[person] for person in persons),
        dealer=seat_of[record.dealer],
        hands=tuple(record.hands[person] for person in persons),
        moves=tuple(moved(move) for move in record.moves),
        offers=None
        if record.offers is None
        else tuple(msgspec.structs.replace(offer, seat=seat_of[offer.seat]) for offer in record.offers),
        visible=None if record.visible is None else tuple(seat_of[person] for person in record.visible),
        sitter=None,
    )
    return Seating(changed, persons, sitter, ruleset.sitter == "xing", fault)


def _one_deal(record: Record, ruleset: Ruleset) -> tuple[Record, tuple[str, str] | None]:
    """The deal in its one form, and what is wrong with the 亮张. Where none is shown the last of the dealer's 21
    cards is as good as any; where it is not told which of them was shown, the hand counts as not known."""
    hands, liang, wall = dealt(record)
    hand = hands[record.dealer]
    fault = None
    if hand is not None and len(hand) == HAND + 1:
        if liang in (None, UNKNOWN) and not ruleset.liang_shown:
            liang = hand[-1]
            hands = (*hands[: record.dealer], hand[:-1], *hands[record.dealer + 1 :])
        elif liang == UNKNOWN:
            hands = (*hands[: record.dealer], None, *hands[record.dealer + 1 :])
        elif liang is not None and UNKNOWN not in (liang, *hand):
            fault = ("亮张 among the dealer's 21", "not there")
    if wall is not None and len(wall) == wall_size(record) + 1 and UNKNOWN not in (liang, wall[0]):
        fault = fault or ("a wall that lists the 亮张 first", "another card")
    if (hands, liang, wall) != (record.hands, record.liang, record.wall):
        record = msgspec.structs.replace(record, hands=hands, liang=liang, wall=wall)
    return record, fault
