"""Records of 2, 3 and 4 persons, and the places where a source may list the 亮张: kept as recorded, one id."""

from __future__ import annotations

import io

import msgspec
import pytest

from ingest import notation
from ingest.adapters.jsonl import dump_line, read_lines
from ingest.limits import Fault
from ingest.naming import round_id
from ingest.record import Move, Penalty, Record, Result, dealt
from ingest.validate import check_found
from tests.ingest.made import A, plain, taken

THREE = plain()
LIANG = THREE.liang
HANDS = THREE.hands
WALL = THREE.wall or ()
WHOLE = (*(HANDS[0] or ()), LIANG)
TWO = plain(players=("甲", "乙"), hands=HANDS[:2], wall=(*WALL, *(HANDS[2] or ())), moves=(), result=None)
FOUR = plain(
    players=("甲", "醒", "乙", "丙"),
    sitter=1,
    hands=(HANDS[0], None, *HANDS[1:]),
    moves=(Move(0, A.DISCARD, 3), Move(3, A.LEAVE)),
    result=Result(winner=0, points=(-9, 3, 3, 3), totals=(-9, 3, 3, 3), penalties=(Penalty(0, "C", (-9, 3, 3, 3)),)),
)
TWO_OF_THREE = msgspec.structs.replace(TWO, players=("甲", "乙", "闲"), hands=(*HANDS[:2], None), sitter=2)


def there_and_back(record: Record) -> None:
    assert check_found(record) is None
    text = notation.dumps([record])
    assert taken(list(notation.loads(text))) == [record]
    assert taken(list(read_lines(io.BytesIO(dump_line(record)), ""))) == [record]


def with_(record: Record, **fields: object) -> Record:
    return msgspec.structs.replace(record, **fields)


def listings(record: Record) -> list[Record]:
    """The same round with the 亮张 listed in the hand, in the wall, and in both."""
    whole = ((*(record.hands[0] or ()), record.liang), *record.hands[1:])
    wall = (record.liang, *(record.wall or ()))
    return [record, with_(record, hands=whole), with_(record, wall=wall), with_(record, hands=whole, wall=wall)]


@pytest.mark.parametrize("record", [TWO, THREE, FOUR, TWO_OF_THREE], ids=["2", "3", "4", "2 of 3"])
def test_any_number_of_persons_and_any_listing_is_kept_as_it_is(record):
    for one in listings(record):
        there_and_back(one)
        assert dealt(one) == (record.hands, record.liang, record.wall)


@pytest.mark.parametrize("record", [TWO, THREE, FOUR, TWO_OF_THREE], ids=["2", "3", "4", "2 of 3"])
def test_one_round_has_one_id_wherever_the_liang_is_listed(record):
    assert {round_id(one) for one in listings(record)} == {round_id(record)}


def test_the_sitter_belongs_to_the_round():
    other = with_(TWO_OF_THREE, hands=(HANDS[0], None, HANDS[1]), sitter=1)
    unknown = with_(TWO_OF_THREE, hands=(None, None, None))
    ids = {round_id(one) for one in (TWO, TWO_OF_THREE, other, unknown, with_(unknown, sitter=1))}
    assert len(ids) == 5


def test_sitter_and_penalties_are_written_in_words():
    text = notation.dumps([FOUR])
    assert "\nsitter = 1\n" in text
    assert '\nresult.penalties = ["0 C -9 3 3 3"]\n' in text
    assert '"3 逃"' in text
    assert '"?"' in text


def test_no_liang_with_21_cards_in_hand_is_a_deal_that_shows_none():
    shown_to_nobody = with_(THREE, hands=(WHOLE, *HANDS[1:]), liang=None)
    there_and_back(shown_to_nobody)
    assert dealt(shown_to_nobody) == (shown_to_nobody.hands, None, WALL)


@pytest.mark.parametrize("liang", [None, -1])
def test_a_wall_of_twenty_tells_the_liang_where_nothing_else_does(liang):
    record = with_(THREE, liang=liang, wall=(LIANG, *WALL))
    there_and_back(record)
    assert dealt(record) == dealt(THREE)
    assert round_id(record) == round_id(THREE)


def test_an_unrecorded_first_card_of_a_wall_of_twenty_is_the_liang():
    record = with_(THREE, wall=(-1, *WALL))
    there_and_back(record)
    assert dealt(record) == dealt(THREE)


def test_of_two_copies_the_one_dealt_last_is_the_liang():
    hand = (LIANG, *[card for card in HANDS[0] or () if card != LIANG][:19])
    known = with_(THREE, hands=((*hand, LIANG), None, None), wall=None)
    assert dealt(known).hands[0] == hand


def test_an_extra_card_makes_the_wall_shorter():
    record = with_(THREE, moves=(Move(1, A.BU, WALL[0]),), wall=(LIANG, *WALL[1:]))
    there_and_back(record)
    assert dealt(record) == (HANDS, LIANG, WALL[1:])


def test_what_cannot_be_the_liang_is_left_to_the_replay():
    other = next(card for card in WHOLE if card not in (LIANG, WALL[0]))
    without = tuple(card for card in WHOLE if card != LIANG)[:20]
    for record in (
        with_(THREE, liang=other, wall=(LIANG, *WALL)),
        with_(THREE, hands=((*without, *[other] * (21 - len(without))), None, None), wall=None),
    ):
        there_and_back(record)
        assert dealt(record) == (record.hands, record.liang, record.wall)


def test_a_fifth_copy_is_found_wherever_the_liang_is_listed():
    copies = [(0,) * 4 + (-1,) * 16, (0,) * 4 + (-1,) * 17]
    for hand, liang, wall, place in (
        (copies[0], 1, (1, 0), "wall"),
        (copies[0], None, (0,) * 1 + (-1,) * 19, "wall"),
        (copies[1], 1, (0,), "wall"),
        (copies[0], 0, None, "liang"),
    ):
        reject = check_found(with_(THREE, hands=(hand, None, None), liang=liang, wall=wall))
        assert reject is not None
        assert reject.code == "FIFTH_COPY"
        assert place in reject.reason
    assert check_found(with_(THREE, hands=(copies[1], None, None), liang=0, wall=None)) is None


def test_a_wall_that_is_too_long_is_refused_with_its_line():
    text = notation.dumps([THREE]).replace('wall = "', 'wall = "??')
    (reject,) = notation.loads(text)
    assert (reject.code, reject.line) == ("DEAL_SIZE", text[: text.index("wall =")].count("\n") + 1)
    with pytest.raises(Fault):
        notation.dumps([with_(THREE, wall=(-1,) * 21)])
