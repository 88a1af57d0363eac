"""The sy599 ``playLog``: hands, entries and the wrapper, read strictly."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.adapters.sy599 import ADAPTER
from ingest.adapters.sy599_write import LOST
from ingest.codes import NO_CARD, Action, Form
from ingest.convert import dump
from ingest.encodings import ENCODINGS
from ingest.limits import Fault, both, halves
from ingest.reader import read_stream
from ingest.record import Group, Move, Offer, Ratio, Record, Result
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.ingest.damage import UNLIKELY, survived
from tests.ingest.fixtures import check_fixture, cut_everywhere, refused, rounds
from tests.ingest.made import bare, filled, plain
from tests.ingest.memory import check_memory

FILE = "sy599.json"
FORM = "sy599"
A = Action
PLAYERS = [Player("101"), Player("102", peng=90, chi=90), Player("103", hu=80, chi=40), Player("104")]


def laid(*moves: Move, hands: tuple[str, ...], wall: str, liang: int = 0, **changes: Any) -> Record:
    """A record of chosen cards: kinds as letters a..t, every hand filled up to 20 with what is left."""
    extra = [move.card for move in moves if move.action == A.BU]
    given = filled(hands, wall, 80 - 20 * len(hands) - 1 - len(extra), [liang, *extra])
    facts = {
        "ruleset": "hu15",
        "players": ("101", "102", "103")[: len(hands)],
        "dealer": 0,
        "platform": "sy599",
        "room": "561234",
        "round_no": 2,
        "started_at": "2021-09-07T20:11:12",
        "result": Result(winner=-1),
    }
    return Record(**(facts | {"hands": tuple(given[:-1]), "wall": given[-1], "liang": liang, "moves": moves} | changes))


def every_entry() -> Record:
    moves = (
        Move(0, A.TI_OPEN, 15),
        Move(0, A.BU, 16),
        Move(0, A.DISCARD, 1),
        Move(2, A.PASS, 1),
        Move(1, A.CHI, 1, 6, 9),
        Move(1, A.BI, 1, 0, 2),
        Move(1, A.BI, 1, 11, 11),
        Move(1, A.DISCARD, 3),
        Move(2, A.PENG, 3),
        Move(2, A.DISCARD, 12),
        Move(0, A.DRAW, 4),
        Move(0, A.WEI, 4),
        Move(0, A.DISCARD, 13),
        Move(1, A.DRAW, 5),
        Move(1, A.CHOU_WEI, 5),
        Move(1, A.DISCARD, 14),
        Move(2, A.DRAW, 3),
        Move(2, A.PAO, 3),
        Move(2, A.DISCARD, 0),
        Move(0, A.DRAW, 4),
        Move(0, A.TI, 4),
        Move(1, A.DRAW, 17),
        Move(0, A.PAO, 17),
        Move(1, A.DRAW, 18),
        Move(1, A.TI, 18),
        Move(2, A.PASS),
        Move(2, A.DRAW, 7),
        Move(2, A.HU, 7),
    )
    result = Result(
        winner=2,
        card=7,
        groups=(Group((3, 3, 3, 3), Form.PAO, 6), Group((7, 8, 9)), Group((10, 10), None, 0)),
        huxi=17,
        units=Ratio(1),
        points=(-2, -2, 4),
        totals=(8, -12, 4),
        hands=((1, 2), (), (7, 8)),
        rest=(11, 12),
    )
    offers = (
        Offer(-1, 0, A.TI, NO_CARD),
        Offer(2, 1, A.CHI, 1),
        Offer(2, 2, A.HU, 1),
        Offer(2, 2, A.PENG, 1),
        Offer(16, 2, A.PAO, 3),
        Offer(19, 0, A.TI, 4),
    )
    return laid(
        *moves,
        hands=("beenprrrppp", "gjbacbllffdosss", "ddma"),
        wall="efderrsh".replace("rr", "r"),
        liang=10,
        offers=offers,
        result=result,
    )


def told(record: Record) -> Record:
    """What the format can carry of a record."""
    keep, seqs = [], {}
    for seq, move in enumerate(record.moves):
        if move.action not in LOST:
            seqs[seq] = len(keep)
            card = NO_CARD if move.action in (A.PASS, A.HU) and move.card < 0 else move.card
            keep.append(msgspec.structs.replace(move, face=0, t_ms=None, card=card))
    result = record.result or Result()
    won = any(move.action == A.HU for move in keep)
    if record.complete and result.winner == -1 and not won:
        keep.append(Move(-1, A.HUANG))
    if result.winner is not None:
        result = msgspec.structs.replace(
            result,
            source=None,
            from_seat=None,
            fan=None,
            xing=None,
            xing_hits=None,
            penalties=None,
            card=result.card if result.winner >= 0 else None,
            units=result.units if result.units and result.units.den == 1 else None,
            groups=tuple(
                Group(g.cards, g.form if g.form in (4, 5, 6, 7, 8, 9) else None, g.huxi) for g in result.groups or ()
            )
            or None,
        )
    return msgspec.structs.replace(
        bare(record),
        ruleset="hu15",
        options={},
        platform="sy599",
        session="",
        omits=() if won or record.complete else (int(A.HUANG),),
        moves=tuple(keep),
        result=result if record.complete else None,
        offers=None,
        visible=None,
        tags={},
        liang=-1 if record.liang is None else record.liang,
        hands=tuple(
            (*hand, record.liang)
            if seat == record.dealer and hand and record.liang is not None and len(hand) == 20
            else hand
            for seat, hand in enumerate(record.hands)
        ),
    )


def plainly(record: Record) -> Record:
    return msgspec.structs.replace(record, tags={}, offers=None)


def wrapper(record: Record | None = None, form: str = FORM) -> dict[str, Any]:
    return json.loads(dump([record or every_entry()], form))


def dumped(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def changed(**fields: Any) -> bytes:
    return dumped(wrapper() | fields)


def played(old: str, new: str) -> bytes:
    told = wrapper()
    assert told["play"].count(old) >= 1, told["play"]
    return dumped(told | {"play": told["play"].replace(old, new, 1)})


def entry(number: int, new: str | None) -> bytes:
    """The round with its entry ``number`` (from 0) replaced, or left out."""
    told = wrapper()
    parts = told["play"].split(";")
    parts[number : number + 1] = [] if new is None else [new]
    return dumped(told | {"play": ";".join(parts)})


def closed(**fields: Any) -> bytes:
    told = wrapper()
    return dumped(told | {"closingMsg": json.dumps(json.loads(told["closingMsg"]) | fields)})


def test_every_entry_comes_back() -> None:
    record = every_entry()
    (back,) = rounds(dump([record], FORM), FILE)
    assert plainly(back) == told(record)
    assert back.offers == record.offers
    assert back.tags == {"ruleset_from": "format", "entries_moves": "26", "entries_offers": "5"}
    assert {move.action for move in back.moves} == set(A) - LOST - {A.LEAVE}


def test_the_text_is_that_of_the_server() -> None:
    play = wrapper()["play"].split(";")
    assert play[0].split(",")[:5] == ["2", "5", "15", "44", "46"]
    assert play[3] == "1_12_0,0,0,1,0,0,0"
    assert play[4].startswith("1_4_46,")
    assert play[6:9] == ["1_0_2", "2_12_0,0,0,0,1,0,0", "3_12_1,1,0,0,0,0,0"]
    assert play[10] == "2_6_2,7,10,12,11,13,22,42,52"


def test_the_bare_text() -> None:
    record = every_entry()
    text = wrapper()["play"].encode()
    for raw in (text, text + b"\n", b"\xef\xbb\xbf" + text + b"\r\n" + text + b"\r\n"):
        for back in rounds(raw, "x.playlog"):
            assert (back.players, back.result, back.complete) == (("seat0", "seat1", "seat2"), None, True)
            assert (back.moves, back.offers, back.hands) == (told(record).moves, record.offers, told(record).hands)
            assert back.wall == (*record.wall[:7], *[-1] * 11)
            assert back.liang == -1
    cut = b";".join(text.split(b";")[:9]) + b";"
    (back,) = rounds(cut, "x.playlog")
    assert not back.complete
    (back,) = rounds(b";".join(text.split(b";")[:3]) + b";\n", "x.playlog")
    assert (back.moves, back.hands) == ((), told(record).hands)


def test_one_document_over_several_lines() -> None:
    told_ = wrapper()
    (back,) = rounds(json.dumps(told_, indent=2).encode(), FILE)
    assert plainly(back) == told(every_entry())
    assert refused(json.dumps(told_, indent=2).encode()[:-200], FILE).code == "TRUNCATED"
    inside = told_ | {
        "closingMsg": json.loads(told_["closingMsg"]),
        "resList": [json.loads(p) for p in told_["resList"]],
    }
    (back,) = rounds(dumped(inside), FILE)
    assert plainly(back) == told(every_entry())


@pytest.mark.parametrize("leading", [1, 2, 3, 7])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_b34_entries_before_the_hands_shift_nothing(leading: int, place: int) -> None:
    """Whatever stands among or before the hands, be it a popup's choice, an option or 托管: the hands stay the same."""
    plain_ = rounds(dump([every_entry()], FORM), FILE)[0]
    for code, ids in ((16, "1"), (16, "0"), (16, ""), (100, "1"), (100, "0,1"), (13, "0"), (12, "0,0,0,0,0,0,0")):
        extra = [f"{1 + n % 3}_{code}_{ids}" for n in range(leading)]
        parts = wrapper()["play"].split(";")
        play = ";".join([*parts[:place], *extra, *parts[place:]])
        for raw, name in ((changed(play=play), FILE), (play.encode() + b"\n", "x.playlog")):
            (back,) = rounds(raw, name)
            assert (back.hands, back.dealer, back.moves, back.offers) == (
                plain_.hands,
                plain_.dealer,
                plain_.moves,
                plain_.offers,
            )
    # Without any hand before the moves there is nothing to shift.
    assert refused(changed(play="1_16_1;1_16_2;1_16_3;" + ";".join(parts[3:])), FILE).code == "DEAL_SIZE"


def test_b34_options_and_tuoguan_are_no_moves() -> None:
    """Options between any two entries are offers of their place; 托管, refresh and the rest are counted only."""
    record = told(every_entry())
    parts = wrapper()["play"].split(";")
    for place in range(3, len(parts)):
        more = ["2_12_0,1,0,0,0,0,0", "3_100_1", "1_13_", "1_14_", "2_108_5", "3_109_2"]
        (back,) = rounds(changed(play=";".join([*parts[:place], *more, *parts[place:]])), FILE)
        assert back.moves == record.moves
        assert len(back.offers) == len(every_entry().offers) + 1
        assert back.tags["other_entries"] == "100×1 108×1 109×1 13×1 14×1"


def test_what_is_no_card() -> None:
    """An empty draw, a 过 with 0, a 胡 with several ids."""
    parts = wrapper()["play"].split(";")
    parts = ["3_101_0" if part.startswith("3_101_2") else part for part in parts]
    play = ";".join([*parts[:-2], "3_9_0", "3_9_", "1_15_0", "3_1_28,8"]) + ";"
    (back,) = rounds(changed(play=play), FILE)
    assert [m for m in back.moves if m.action in (A.PASS, A.HU)] == [
        Move(2, A.PASS),
        Move(2, A.PASS),
        Move(2, A.HU),
    ]
    assert back.tags["entries_empty"] == "3"
    assert rounds(played("3_101_2;", "3_5_2;"), FILE)[0].moves == told(every_entry()).moves
    assert rounds(played("3_101_2;", "3_101_2_9;"), FILE)[0].moves == told(every_entry()).moves


def test_parts_of_the_wrapper() -> None:
    told_ = wrapper()
    closing = json.loads(told_["closingMsg"])
    people = [json.loads(person) for person in told_["resList"]]
    people[1] |= {"userId": 102, "name": "乙", "point": "-2", "strange": 1}
    more = {"generalExt": '{"roomName":"x"}', "playType": 38, "time": "2021-09-07 20:11:12.0", "odd": [1]}
    closing |= {"fanTypes": [3, 3, 5], "ext": ["561234"], "chouCards": [1], "intParams": [1], "new": 2}
    raw = dumped(told_ | more | {"resList": people[::-1], "closingMsg": json.dumps(closing)})
    (back,) = rounds(raw, FILE)
    assert back.players == ("101", "102", "103")
    assert back.result == msgspec.structs.replace(every_entry().result, fan={"3": 2, "5": 1})
    assert back.started_at == "2021-09-07T20:11:12"
    assert back.tags["names"] == "乙"
    assert back.tags["sy599_generalExt"] == '{"roomName":"x"}'
    assert (back.tags["sy599_playType"], back.tags["closing_ext"]) == ("38", '["561234"]')
    assert back.tags["extra_fields"] == "closingMsg.new×1 odd×1 resList.strange×1"


def test_the_wall() -> None:
    record = every_entry()
    closing = json.loads(wrapper()["closingMsg"])
    start = closing.pop("startLeftCards")
    (back,) = rounds(changed(closingMsg=json.dumps(closing)), FILE)
    assert back.wall == (*record.wall[:7], *[-1] * 11)
    closing["leftCards"] = start[8:]
    (back,) = rounds(changed(closingMsg=json.dumps(closing)), FILE)
    assert back.wall == record.wall
    closing["startLeftCards"] = start[::-1]
    (back,) = rounds(changed(closingMsg=json.dumps(closing)), FILE)
    assert back.wall == (*record.wall[:7], *[-1] * 11)
    assert "not in the order" in back.tags["wall_order"]


def test_huang_and_a_round_broken_off() -> None:
    record = laid(Move(0, A.DISCARD, 1), hands=("b", "", ""), wall="")
    (back,) = rounds(dump([record], FORM), FILE)
    assert (back.result, back.complete, back.omits) == (Result(winner=-1), True, ())
    assert back.moves == (Move(0, A.DISCARD, 1), Move(-1, A.HUANG))
    broken = msgspec.structs.replace(record, result=Result())
    (back,) = rounds(dump([broken], FORM), FILE)
    assert (back.result, back.complete, back.omits, len(back.moves)) == (Result(), False, (), 1)
    (back,) = rounds(dump([msgspec.structs.replace(record, complete=False)], FORM), FILE)
    assert (back.result, back.complete, back.omits) == (None, False, (A.HUANG,))


def test_a_dealer_of_21_whose_liang_is_not_known() -> None:
    (back,) = rounds(wrapper()["play"].encode(), "x.playlog")
    assert (back.liang, len(back.hands[0] or ())) == (-1, 21)
    again = rounds(dump([back], FORM), FILE)[0]
    assert (again.hands, again.liang, again.moves, again.wall) == (back.hands, -1, back.moves, back.wall)


def test_two_and_four_persons() -> None:
    two = laid(Move(0, A.DISCARD, 1), hands=("b", ""), wall="")
    (back,) = rounds(dump([two], FORM), FILE)
    assert plainly(back) == told(two)
    three = laid(Move(0, A.DISCARD, 1), hands=("b", "", ""), wall="")
    hands = (*three.hands[:2], None, three.hands[2])
    four = msgspec.structs.replace(three, players=("1", "2", "3", "4"), hands=hands, sitter=2)
    (back,) = rounds(dump([four], FORM), FILE)
    assert plainly(back) == told(four)
    (back,) = rounds(wrapper(four)["play"].encode(), "x.playlog")
    assert back.sitter == 2


@pytest.mark.parametrize(
    ("raw", "code", "says"),
    [
        (entry(6, "1_0_81"), "UNKNOWN_CARD", "play[6]"),
        (entry(6, "1_0_x"), "BAD_FIELD", "play[6]"),
        (entry(6, "1_0_2,3"), "BAD_MOVE", "one card expected"),
        (entry(6, "1_0_"), "BAD_MOVE", "one card expected"),
        (entry(6, "4_0_2"), "BAD_SEAT", "outside 1..3"),
        (entry(6, "0_0_2"), "BAD_SEAT", "outside 1..3"),
        (entry(6, "1_77_2"), "BAD_MOVE", "unknown action 77"),
        (entry(6, "1_8_2"), "BAD_MOVE", "unknown action 8"),
        (entry(6, "1_18_2"), "BAD_MOVE", "unknown action 18"),
        (entry(6, "1"), "SYNTAX", "seat_action_ids"),
        (entry(6, "1_0_2_3_4"), "SYNTAX", "seat_action_ids"),
        (entry(6, "-1_0_2"), "SYNTAX", "seat_action_ids"),
        (entry(6, ""), "SYNTAX", "seat_action_ids"),
        (entry(3, "1_12_1,1"), "BAD_FIELD", "zeros and ones"),
        (entry(3, "1_12_1,1,0,0,0,0,2"), "BAD_FIELD", "zeros and ones"),
        (entry(10, "2_6_2,7"), "BAD_MOVE", "吃 of 2"),
        (entry(10, "2_6_3,7,10"), "BAD_MOVE", "open card"),
        (entry(10, "2_6_2,7,9"), "BAD_MOVE", "another layout"),
        (entry(10, "2_2_3,13,23"), "BAD_MOVE", "open card"),
        (entry(10, "2_2_2,12,13"), "BAD_MOVE", "another layout"),
        (entry(10, "2_4_2,12,22"), "BAD_MOVE", "four cards"),
        (entry(2, "1,2,3"), "FIFTH_COPY", "there twice"),
        (entry(2, "1_0_5"), "DEAL_SIZE", "3 hands"),
        (entry(0, ""), "DEAL_SIZE", "without cards"),
        (changed(play=5), "BAD_FIELD", "play"),
        (changed(play=""), "DEAL_SIZE", "0 hands"),
        (changed(play="1,2;" * 5000), "LIMIT", "entries"),
        (changed(resList=[]), "BAD_SEAT", "seats"),
        (changed(resList=["{}", "{}"]), "BAD_FIELD", "seat"),
        (changed(resList=['{"seat":1}', '{"seat":1}', '{"seat":3}']), "BAD_SEAT", "[1, 1, 3]"),
        (changed(resList=['{"seat":1', "{}", "{}"]), "SYNTAX", "resList[0]"),
        (changed(resList=['{"seat":1,"seat":1}', "{}", "{}"]), "SYNTAX", "stands twice"),
        (changed(resList=[1, 2, 3]), "BAD_FIELD", "object"),
        (changed(closingMsg="[]"), "SYNTAX", "closingMsg"),
        (changed(closingMsg=7), "BAD_FIELD", "closingMsg"),
        (changed(closingMsg="{"), "SYNTAX", "closingMsg: the JSON inside: not JSON"),
        (changed(time="yesterday"), "BAD_FIELD", "no date"),
        (changed(playCount="2"), "BAD_FIELD", "playCount"),
        (closed(huSeat=4), "BAD_FIELD", "huSeat"),
        (closed(huCard=99), "UNKNOWN_CARD", "huCard"),
        (closed(firstCard=99), "UNKNOWN_CARD", "firstCard"),
        (closed(huxi="x"), "BAD_FIELD", "huxi"),
        (closed(huxi=10**30), "BAD_FIELD", "huxi"),
        (closed(startLeftCards=[1] * 19), "FIFTH_COPY", "there twice"),
        (closed(startLeftCards=list(range(1, 81))), "FIFTH_COPY", "there twice"),
        (closed(cards=[{"cards": [1, 2, 3], "action": 2}]), "BAD_FIELD", "another layout"),
        (changed().replace(b'"tableId"', b'"play":"","tableId"', 1), "SYNTAX", "stands twice"),
        (
            changed().replace(b'"playCount":2', b'"playCount": NaN').replace(b'"playCount": 2', b'"playCount": NaN'),
            "SYNTAX",
            "NaN",
        ),
        (changed(tableId="\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace")), "NOT_UTF8", "U+FFFD"),
        (b'{"play":"\\ud800","resList":[]}\n', "NOT_UTF8", "UTF-16"),
        (b'{"play":"","resList":' + b"[" * 5000 + b"\n", "LIMIT", "deep"),
        (b'{"play":"' + b"1" * 1_000_001 + b'","resList":[]}', "LIMIT", "1000000"),
    ],
)
def test_refusals_name_the_fault(raw: bytes, code: str, says: str) -> None:
    found = refused(raw, FILE, FORM)
    assert (found.code, found.line) == (code, 1), found
    assert says in found.reason, found
    assert found.reason == both(*halves(found.reason))


def test_a_bad_round_costs_the_others_nothing() -> None:
    raw = changed() + entry(6, "1_77_2") + b"{\n" + changed()
    found = list(read_stream(io.BytesIO(raw), FILE, FORM))
    assert [getattr(one, "code", "record") for one in found] == ["record", "BAD_MOVE", "SYNTAX", "record"]


def test_dealer_that_does_not_show() -> None:
    told_ = wrapper()
    parts = told_["play"].split(";")
    parts[0] = parts[0].rsplit(",", 1)[0]
    assert refused(dumped(told_ | {"play": ";".join(parts)}), FILE).code == "DEAL_SIZE"


@pytest.mark.parametrize("name", ["1..80 by kind", "1..20", "rank+100", "0..19", "nibble"])
def test_a_wrong_encoding_is_refused(name: str) -> None:
    """Rounds with at least one claim, written in another encoding than the one they are read in."""
    made = [
        record
        for record in sessions(engine(RULESETS["hu15"], compiled()), 3, 120, PLAYERS)
        if any(move.action in (A.PENG, A.WEI, A.CHI, A.PAO, A.TI) for move in record.moves)
    ]
    assert len(made) > 100
    found = list(read_stream(io.BytesIO(dump(made, f"{FORM}:cards={name}")), FILE))
    assert not [one for one in found if isinstance(one, Record)]
    assert {one.code for one in found} <= {"UNKNOWN_CARD", "FIFTH_COPY", "BAD_MOVE", "BAD_FIELD"}


def test_other_encodings_by_name() -> None:
    for name, code in ENCODINGS.items():
        form = f"{FORM}:cards={name}"
        if "," in name or isinstance(code.names[0][0], str):
            continue
        (back,) = rounds(dump([every_entry()], form), FILE, form)
        assert plainly(back) == told(every_entry())
    assert refused(changed(), FILE, f"{FORM}:cards=x/d").code == "BAD_FIELD"
    assert rounds(changed(), FILE, f"{FORM}:ruleset=qq")[0].ruleset == "qq"


@pytest.mark.parametrize("ruleset", ["hu15", "luzhou", "bisai", "guilin"])
def test_generated_rounds_come_back(ruleset: str) -> None:
    rules = RULESETS[ruleset]
    for persons in rules.persons:
        made = list(sessions(engine(rules, compiled()), 7, 300 if ruleset == "hu15" else 100, PLAYERS, persons=persons))
        made = [record for record in made if record.liang is not None or len(record.hands[record.dealer] or ()) == 21]
        back = rounds(dump(made, FORM), FILE)
        assert [plainly(one) for one in back] == list(map(told, made))


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (plain(hands=(None, *plain().hands[1:])), "DEAL_SIZE"),
        (plain(liang=None), "DEAL_SIZE"),
        (laid(Move(0, A.DISCARD, 19), hands=("b" * 4, "", ""), wall="tttt"), "BAD_MOVE"),
        (laid(Move(0, A.DRAW, 3), hands=("b", "", ""), wall="e"), "BAD_MOVE"),
        (laid(Move(0, A.PENG, 3), hands=("b", "", ""), wall="e"), "BAD_MOVE"),
        (laid(Move(0, A.DISCARD, 1), Move(1, A.LEAVE), hands=("b", "", ""), wall="e"), "BAD_MOVE"),
        (laid(hands=("", "", ""), wall="", result=Result(winner=0, rest=(-1,))), "BAD_FIELD"),
    ],
)
def test_what_the_format_cannot_carry(record: Record, code: str) -> None:
    with pytest.raises(Fault) as caught:
        dump([record], FORM)
    assert caught.value.code == code


def test_what_the_format_loses() -> None:
    more = (Move(-1, A.UNCLAIMED), Move(1, A.CLAIM, 1, int(A.PENG)), Move(-1, A.HUANG))
    record = laid(
        Move(0, A.DISCARD, 1, face=2, t_ms=5), *more, hands=("b", "", ""), wall="", session="s", tags={"a": "b"}
    )
    (back,) = rounds(dump([record], FORM), FILE)
    assert plainly(back) == told(record)
    assert len(back.moves) == 2


def test_fixtures() -> None:
    second = laid(Move(0, A.DISCARD, 1), hands=("b", ""), wall="", round_no=3)
    raw = dump([every_entry(), second], FORM)
    check_fixture("sy599.json", raw)
    check_fixture("sy599_bare.playlog", b"2_16_1;" + wrapper()["play"].encode() + b"\n")


def test_sniff() -> None:
    assert ADAPTER.sniff(changed())
    assert ADAPTER.sniff(wrapper()["play"].encode())
    assert ADAPTER.sniff(b"2_16_1;1_16_0;" + wrapper()["play"].encode())
    assert not ADAPTER.sniff(b'{"phz":1,"tags":{"a":"\\"resList\\" \\"play\\""}}')
    assert not ADAPTER.sniff(b"1,2,3;4,5,6;1_0_1;")
    assert not ADAPTER.sniff(b"")


def test_cut_at_every_byte() -> None:
    outcomes = cut_everywhere(wrapper()["play"].encode(), "x.playlog", FORM)
    assert outcomes.keys() <= {"record", "TRUNCATED", "EMPTY", "DEAL_SIZE"}, outcomes
    assert outcomes["record"] < 40
    outcomes = cut_everywhere(changed()[:-1], FILE, FORM)
    assert outcomes.keys() <= {"TRUNCATED", "EMPTY", "SYNTAX"}
    assert outcomes["SYNTAX"] < 10


NASTY = [*UNLIKELY, "[1", "{}"]


@pytest.mark.parametrize(
    "field", ["play", "resList", "closingMsg", "generalExt", "time", "playCount", "tableId", "odd"]
)
def test_nasty_fields_are_refused_or_kept_as_tags(field: str) -> None:
    for value in NASTY:
        for one in read_stream(io.BytesIO(changed(**{field: value})), FILE, FORM):
            assert one.source.line == 1 if isinstance(one, Record) else one.code
    for name in (
        "huSeat",
        "huCard",
        "firstCard",
        "cards",
        "fanTypes",
        "leftCards",
        "startLeftCards",
        "tun",
        "ext",
        "isBreak",
    ):
        for value in NASTY:
            assert list(read_stream(io.BytesIO(closed(**{name: value})), FILE, FORM))


def test_damage_is_told_never_thrown() -> None:
    raw = changed() + wrapper()["play"].encode() + b"\n"
    outcomes = survived(raw, FILE, 5_000, 1, FORM)
    assert min(outcomes.values()) > 300, outcomes


@pytest.mark.slow
def test_much_damage_is_told_never_thrown() -> None:
    raw = changed() + wrapper()["play"].encode() + b"\n"
    outcomes = survived(raw, FILE, 100_000, 2, FORM)
    assert min(outcomes.values()) > 6_000, outcomes


def test_a_large_file_needs_little_memory(tmp_path: Path) -> None:
    check_memory(tmp_path, changed(), FORM)
