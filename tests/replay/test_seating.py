"""The persons of a record and the seats that play, and a deal in its one form."""

from __future__ import annotations

import msgspec
import pytest

from ingest import cards
from ingest.codes import NO_SEAT, Action
from ingest.record import Move, Offer, Record
from replay.kernels.layout import SITTER
from replay.rulesets import RULESETS
from replay.seating import Seating, seated
from tests.rules.build import deal
from tests.rules.seats import with_sitter

MOVES = ["0 打 九", "1 摸 八"]


def four(sitter: int) -> Record:
    """A round of three among four persons, with options offered to persons 0 and 3 or those beside the sitter."""
    record = with_sitter(deal({}, MOVES, ruleset="bisai", dealer=0), sitter=sitter)
    others = [person for person in range(4) if person != sitter]
    offers = tuple(Offer(seq, person, Action.PENG, 8, (8, 8)) for seq, person in enumerate(others))
    extra = (*record.moves, Move(sitter, Action.PASS), Move(NO_SEAT, Action.UNCLAIMED), Move(7, Action.PASS))
    return msgspec.structs.replace(record, offers=offers, visible=(others[2], others[1]), moves=extra)


@pytest.mark.parametrize("sitter", range(4))
def test_r14_1_persons_and_seats(sitter: int) -> None:
    record = four(sitter)
    others = tuple(person for person in range(4) if person != sitter)
    seating = seated(record, RULESETS["bisai"])
    played = seating.record
    assert (seating.persons, seating.sitter, seating.paid, seating.liang_fault) == (others, sitter, True, None)
    assert played.players == tuple(record.players[person] for person in others)
    assert played.hands == tuple(record.hands[person] for person in others)
    assert (played.dealer, played.sitter) == (others.index(record.dealer), None)
    # A seat that nobody has stays as it is told.
    assert [move.seat for move in played.moves] == [0, 1, SITTER, NO_SEAT, 7]
    assert [offer.seat for offer in played.offers or ()] == [0, 1, 2]
    assert played.visible == (2, 1)
    assert [seating.person(seat) for seat in (0, 1, 2, SITTER, NO_SEAT)] == [*others, sitter, NO_SEAT]
    spread = seating.points((1, 2, 3, 9))
    assert [spread[person] for person in (*others, sitter)] == [1, 2, 3, 9]


def test_without_offers_there_are_none() -> None:
    record = msgspec.structs.replace(four(1), offers=None, visible=None)
    played = seated(record, RULESETS["bisai"]).record
    assert (played.offers, played.visible) == (None, None)


def test_r15_1_whether_the_sitter_is_paid() -> None:
    assert [seated(four(2), RULESETS[name]).paid for name in ("bisai", "luzhou")] == [True, False]


def test_three_who_all_play() -> None:
    record = deal({}, MOVES)
    seating = seated(record, RULESETS["qq"])
    assert seating == Seating(record, (0, 1, 2), None, False, None)
    assert [seating.person(seat) for seat in (NO_SEAT, 0, 2, SITTER)] == [NO_SEAT, 0, 2, SITTER]
    assert seating.points((4, -2, -2, 0)) == (4, -2, -2)


def fault_of(record: Record, ruleset: str = "qq") -> tuple[str, str] | None:
    return seated(record, RULESETS[ruleset]).liang_fault


@pytest.mark.parametrize("sitter", [None, 1])
def test_r2_4_the_liang_is_not_where_it_must_be(sitter: int | None) -> None:
    plain = deal({}, ["0 打 九"], ruleset="bisai", liang="七", avoid={0: "七"}, add_missing=False)
    record = plain if sitter is None else with_sitter(plain, sitter=sitter)
    first, *others = record.hands
    assert first is not None
    assert record.wall is not None
    other = 7
    replaced = msgspec.structs.replace
    assert fault_of(replaced(record, hands=((*first, 6), *others))) is None
    assert fault_of(replaced(record, hands=((*first, other), *others))) == ("亮张 among the dealer's 21", "not there")
    assert fault_of(replaced(record, hands=((*first, cards.UNKNOWN), *others))) is None
    assert fault_of(replaced(record, hands=((*first, other), *others), liang=None)) is None
    assert fault_of(replaced(record, wall=(6, *record.wall))) is None
    listed = ("a wall that lists the 亮张 first", "another card")
    assert fault_of(replaced(record, wall=(other, *record.wall))) == listed
    assert fault_of(replaced(record, wall=(cards.UNKNOWN, *record.wall))) is None
    assert fault_of(replaced(record, wall=(other, *record.wall), liang=cards.UNKNOWN)) is None
    both = replaced(record, hands=((*first, other), *others), wall=(other, *record.wall))
    assert fault_of(both) == ("亮张 among the dealer's 21", "not there")


def test_r16_2_of_21_cards_any_may_stand_for_the_liang() -> None:
    record = deal({}, ["0 打 九"], ruleset="general")
    first, *others = record.hands
    assert first is not None
    assert record.liang is not None
    whole = msgspec.structs.replace(record, hands=((*first, record.liang), *others), liang=None)
    played = seated(whole, RULESETS["general"]).record
    assert (played.hands, played.liang) == (record.hands, record.liang)
    # Where a 亮张 is shown, 21 cards without one stay as they are.
    shown = seated(msgspec.structs.replace(whole, ruleset="qq"), RULESETS["qq"]).record
    assert (shown.hands, shown.liang) == (whole.hands, None)
    # Where it is not told which of them was shown, nothing that depends on the hand can be judged.
    untold = msgspec.structs.replace(whole, liang=cards.UNKNOWN)
    assert seated(untold, RULESETS["general"]).record == played
    hidden = seated(msgspec.structs.replace(untold, ruleset="qq"), RULESETS["qq"]).record
    assert (hidden.hands, hidden.liang) == ((None, *others), cards.UNKNOWN)
