"""The 桂林字牌 adapter on small logs written for this test: every push and every drift by itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ingest.adapters.guilin import ADAPTER
from ingest.adapters.registry import Reject
from ingest.cards import UNKNOWN
from ingest.codes import NO_CARD, NO_SEAT, Action, Source
from ingest.record import Group, Move, Offer, Ratio, Record, Result
from tests.ingest.guilin_logs import (
    EVERYONE,
    account,
    asked,
    bare,
    deal,
    deck,
    dumped,
    everyone,
    merged,
    one,
    play,
    read,
    refused,
    stream,
)


def test_merged_round_reads_every_part() -> None:
    record = one(merged(play()))
    wall = tuple(card - 1 for card in deck()["wall"])
    assert record.ruleset == "guilin"
    assert record.platform == "guilin-2017"
    assert record.options == {"min_huxi": 10, "zi_step": 3, "zimo": "double", "xing": ("shang", "xia")}
    assert (record.players, record.dealer, record.round_no, record.started_at) == (
        ("P0", "P1", "P2"),
        0,
        2,
        "2017-07-30",
    )
    assert record.liang == 18
    assert record.hands[0] == tuple(card - 1 for card in deck()["P0"][:20])
    assert record.wall == wall
    assert list(record.moves) == [
        Move(0, Action.DISCARD, 1, t_ms=100),
        Move(1, Action.PENG, 1, t_ms=200),
        Move(1, Action.DISCARD, 7, t_ms=300),
        Move(2, Action.CHI, 7, 8, 9, t_ms=400),
        Move(2, Action.BI, 7, 17, 17, t_ms=400),
        Move(2, Action.DISCARD, 18, t_ms=500),
        Move(NO_SEAT, Action.UNCLAIMED, 18, t_ms=501),
        Move(0, Action.DRAW, wall[0], face=2, t_ms=2601),
        Move(1, Action.HU, wall[0], t_ms=3000),
    ]
    assert record.offers == (
        Offer(0, 1, Action.PENG, 1, (1, 1)),
        Offer(2, 2, Action.CHI, 7, (8, 9, 7, 17, 17)),
        Offer(2, 2, Action.CHI, 7, (8, 9, 7, 8, 9)),
        Offer(2, 2, Action.CHI, 7, (17, 17)),
        Offer(7, 1, Action.HU, wall[0]),
    )
    assert record.visible == (0, 1, 2)
    assert record.complete
    assert record.result == Result(
        winner=1,
        card=wall[0],
        source=Source.OTHER_DRAW,
        from_seat=0,
        groups=(Group((1, 1, 1), huxi=1), Group((11, 11, 11, 11), huxi=12)),
        huxi=13,
        units=Ratio(7),
        xing=wall[1:3],
        xing_hits=5,
        hands=((0, 2), (2, 3, 4, 11, 11, 11, 11), (10,)),
        rest=(*wall[3:], *wall[1:3]),
    )
    assert record.tags["id"] == "SYN-1"
    assert record.tags["xing_each"] == "4 1"
    assert account(record) == {"deal": 1, "moves": 8, "offers": 3, "result": 2, "turns": 2}
    assert record.tags["pushes"] == "16"
    assert (record.source.file, record.source.format, record.source.line) == ("log.jsonl", "guilin", 1)


def test_stream_reads_the_same_round_without_hands() -> None:
    record = one([{"source": "x.log", "first_line": 7, "pseudonymised": True}, *stream(play())])
    other = one(merged(play()))
    assert record.hands == (None, None, None)
    assert record.options == {}
    assert record.started_at == "2017-08-16T11:37:02.000"
    assert record.tags["source"] == "x.log"
    assert record.tags["seat_order"] == "seen"
    assert (record.moves, record.offers, record.result) == (other.moves, other.offers, other.result)
    assert record.wall == other.wall  # draws, 醒 cards and the rest tell all of it


def test_seat_order_of_a_stream_comes_from_the_play() -> None:
    events = [
        deal(),
        everyone(100, "onPostCard", uid="P0", id=1),
        everyone(101, "onNoneAct", id=1),
        everyone(2300, "onCurrAutoCard", uid="P2", id=9, visible=1, remainNum=18),
    ]
    record = one(stream(events))
    assert record.players == ("P0", "P2", "P1")
    assert record.moves[-1].seat == 1
    assert one(stream(events[:3])).tags["seat_order"] == "assumed"
    events += [
        everyone(2301, "onNoneAct", id=9),
        everyone(4600, "onCurrAutoCard", uid="P0", id=9, visible=1, remainNum=17),
    ]
    refused(dumped(*stream(events)), "BAD_FIELD", "order of the seats")


def test_wall_of_a_short_log_is_unknown_where_nothing_was_drawn() -> None:
    events = [
        deal(),
        everyone(100, "onPostCard", uid="P0", id=1),
        everyone(200, "onCurrAutoCard", uid="P1", id=20, visible=0, remainNum=16),
    ]
    wall = one(merged(events, wall=[])).wall
    assert wall == (UNKNOWN, UNKNOWN, 19, *[UNKNOWN] * 16)
    assert one(merged([deal()], wall=[5])).wall == (4, *[UNKNOWN] * 18)


@pytest.mark.parametrize(
    ("codes", "action", "used"),
    [
        ((1, 5), Action.PAO, [9, 9, 9]),
        ((2, 6, 31, 32), Action.PAO, [9, 9, 9]),
        ((9, 91, 10, 101), Action.TI, [9, 9, 9]),
        ((8,), Action.WEI, [9, 9]),
        ((7,), Action.CHOU_WEI, [9, 9]),
        ((3,), Action.PENG, [9, 9]),
    ],
)
@pytest.mark.parametrize("route", ["onAutoAct", "onCardSao", "onNeverSeenBefore"])
def test_acts_go_by_type_never_by_route(codes: tuple[int, ...], action: Action, used: list[int], route: str) -> None:
    for code in codes:
        act = everyone(200, route, uid="P2", cardArr=used, type=code)
        record = one(merged([deal(), everyone(100, "onPostCard", uid="P0", id=9), act]))
        assert bare(record.moves)[1:] == [(2, action, 8, NO_CARD, NO_CARD)]
        assert record.tags.get("forced", "") == ("" if code == 3 else f"1:{code}")


def test_forced_act_may_be_offered_first() -> None:
    option = asked(101, ["P2"], {"type": 31, "cardArr": [[9, 9, 9]]})
    record = one(merged([deal(), everyone(100, "onCurrAutoCard", uid="P0", id=9, visible=1, remainNum=18), option]))
    assert record.offers == (Offer(0, 2, Action.PAO, 8, (8, 8, 8)),)


def test_quads_in_chong_zhao_are_laid_after_the_act_as_strings_or_integers() -> None:
    def record(quads: list[list[Any]]) -> Record:
        act = everyone(200, "onAutoAct", uid="P1", cardArr=[3, 3, 3], type=1, chongZhao=quads)
        return one(merged([deal(), everyone(100, "onPostCard", uid="P0", id=3), act]))

    strings, numbers = record([["12"] * 4, ["7"] * 4]), record([[12] * 4, [7] * 4])
    assert strings == numbers
    assert bare(strings.moves)[1:] == [
        (1, Action.PAO, 2, NO_CARD, NO_CARD),
        (1, Action.TI_OPEN, 11, NO_CARD, NO_CARD),
        (1, Action.TI_OPEN, 6, NO_CARD, NO_CARD),
    ]


@pytest.mark.parametrize(("route", "fields"), [("onNewThing", {"uid": "P1"}), ("onAutoAct", {"type": 77})])
def test_reading_stops_at_a_push_that_is_not_understood(route: str, fields: dict[str, Any]) -> None:
    odd = everyone(200, route, **({"uid": "P1", "cardArr": [1, 1]} | fields))
    if route == "onNewThing":
        del odd["msg"]["cardArr"]
    record = one(merged([*play()[:3], odd, *play()[4:]]))
    assert not record.complete
    assert bare(record.moves) == [(0, Action.DISCARD, 1, NO_CARD, NO_CARD)]
    assert str(fields.get("type", route)) in record.tags["stopped"]
    assert account(record) == {"deal": 1, "moves": 1, "turns": 1, "unread": len(play()) - 3}
    assert record.result is None


CHI_LISTS = [
    # no 比 due; one 比, two ways; an empty surplus key
    ({"cardArr": [[2, 3], [1, 1]]}, ["2 3", "1 1"], False),
    ({"cardArr": [[2, 3]], "xiahuo": {"0": [[1, 2, 3], [1, 11, 11]]}}, ["2 3 1 2 3", "2 3 1 11 11"], False),
    ({"cardArr": [[2, 3], [1, 11]], "xiahuo": {"1": [[1, 2, 3]], "2": []}}, ["2 3", "1 11 1 2 3"], False),
    # a second 比 after the first of each; the other order of the same two is the same choice
    (
        {
            "cardArr": [[2, 3]],
            "xiahuo": {"0": [[1, 2, 3], [1, 11, 11], [1, 1, 11]]},
            "next_xiahuo": {"0": {"0": [[1, 11, 11]], "1": [[1, 2, 3]]}},
        },
        ["2 3 1 2 3 1 11 11", "2 3 1 1 11"],
        False,
    ),
    # the builds that removed first 比 after counting: what is left needs no second, the removed one is unknown (0)
    (
        {
            "cardArr": [[2, 3]],
            "xiahuo": {"0": [[1, 1, 11]]},
            "next_xiahuo": {"0": {"0": [[1, 2, 3]]}},
        },
        ["2 3 1 1 11", "2 3 0 0 0 1 2 3"],
        True,
    ),
    # a second 比 that points past the first ones; a first 比 of no pair; a key that is no number
    (
        {"cardArr": [[2, 3]], "xiahuo": {"0": [[1, 2, 3]]}, "next_xiahuo": {"0": {"3": [[1, 2, 3]]}}},
        ["2 3 1 2 3", "2 3 0 0 0 1 2 3"],
        True,
    ),
    ({"cardArr": [[2, 3]], "xiahuo": {"4": [[1, 2, 3]]}}, ["2 3"], True),
    ({"cardArr": [[2, 3], [1, 11]], "xiahuo": {"0": [[1, 2, 3]], "P1": [[1, 2, 3]]}}, ["2 3 1 2 3", "1 11"], True),
]


@pytest.mark.parametrize(("lists", "choices", "unplaced"), CHI_LISTS)
def test_chi_lists(lists: dict[str, Any], choices: list[str], unplaced: bool) -> None:
    events = [deal(), everyone(100, "onPostCard", uid="P0", id=1), asked(101, ["P1"], {"type": 4, **lists})]
    record = one(merged(events))
    wanted = [tuple(int(card) - 1 for card in choice.split()) for choice in choices]
    assert record.offers == tuple(Offer(0, 1, Action.CHI, 0, cards) for cards in wanted)
    assert record.tags.get("bi_unplaced") == ("0:1" if unplaced else None)


def test_one_list_for_two_seats_is_two_offers() -> None:
    events = [
        deal(),
        everyone(100, "onCurrAutoCard", uid="P0", id=1, visible=1, remainNum=18),
        asked(101, ["P0", "P1"], {"type": 4, "cardArr": [[2, 3]]}),
    ]
    assert one(merged(events)).offers == (Offer(0, 0, Action.CHI, 0, (1, 2)), Offer(0, 1, Action.CHI, 0, (1, 2)))


def test_reconnect_echoes_are_counted_and_change_nothing() -> None:
    plain = one(merged(play()))
    events = play()
    option = events[3]
    echo = [
        asked(150, ["P1"], *option["msg"]),
        {"dt_ms": 150, "to": ["P1"], "msg": {"route": "onCurrPlayer", "uid": "P0", "status": "waitAct"}},
        {"dt_ms": 151, "to": ["P1"], "msg": {"route": "onShowCard", "id": 2}},
    ]
    echoed = one(merged([*events[:4], *echo, *events[4:]]))
    assert (echoed.moves, echoed.offers, echoed.result) == (plain.moves, plain.offers, plain.result)
    assert account(echoed) == account(plain) | {"echoes": 2, "turns": 3}


def test_the_same_options_for_another_card_are_new() -> None:
    option = {"type": 4, "cardArr": [[2, 3]]}
    events = [
        deal(),
        everyone(100, "onPostCard", uid="P0", id=1),
        asked(101, ["P1"], option),
        everyone(200, "onNoneAct", id=1),
        everyone(2400, "onCurrAutoCard", uid="P1", id=1, visible=1, remainNum=18),
        asked(2401, ["P1"], option),
    ]
    record = one(merged(events))
    assert [offer.seq for offer in record.offers or ()] == [0, 2]


@pytest.mark.parametrize("lag", [0, 3])
def test_two_log_files_of_one_round(lag: int) -> None:
    """Each push once for P0 and once, from another file, for the two others."""
    plain = one(merged(play()))
    first = [event | {"to": ["P0"]} for event in play() if event["to"] == EVERYONE]
    second = [
        event | {"to": EVERYONE[1:] if event["to"] == EVERYONE else event["to"], "dt_ms": event["dt_ms"] + lag}
        for event in play()
    ]
    both = sorted([*first, *second], key=lambda event: event["dt_ms"])
    record = one(merged(both))
    assert bare(record.moves) == bare(plain.moves)
    assert record.result == plain.result
    assert record.offers == plain.offers
    assert record.visible == (0, 1, 2)
    assert record.tags["xing_each"] == "4 1"
    assert account(record)["copies"] == 11
    assert sum(account(record).values()) == len(both)
    streamed = one(stream(both))
    assert bare(streamed.moves) == bare(plain.moves)


def test_equal_pushes_that_are_two_facts_stay_two() -> None:
    events = [
        deal(),
        everyone(100, "onPostCard", uid="P0", id=1),
        everyone(101, "onNoneAct", id=1),
        everyone(102, "onCurrAutoCard", uid="P1", id=1, visible=1, remainNum=18),
        everyone(103, "onNoneAct", id=1),
        everyone(3000, "onFanXing", uid="P1", id=5, xing=4, needNext=1),
        everyone(7000, "onFanXing", uid="P1", id=5, xing=4, needNext=1),
    ]
    record = one(merged(events))
    assert [move.action for move in record.moves].count(Action.UNCLAIMED) == 2
    assert record.tags["xing_each"] == "4 4"
    assert account(record) == {"deal": 1, "moves": 4, "result": 2}


def test_seats_that_missed_a_card_are_not_visible() -> None:
    events = play()
    events[4 + 1] |= {"to": ["P0", "P2"]}
    assert one(merged(events)).visible == (0, 2)
    silent = [event for event in play() if isinstance(event["msg"], dict)]
    assert (one(merged(silent)).visible, one(merged(silent)).offers) == (None, None)


def test_draws_announced_with_another_status_are_tagged() -> None:
    events = [
        deal(),
        everyone(100, "onPostCard", uid="P0", id=1),
        everyone(101, "onCurrPlayer", uid="P1", status="waitAct"),
        everyone(102, "onCurrAutoCard", uid="P1", id=1, visible=1, remainNum=18),
    ]
    assert one(merged(events)).tags["draw_status"] == "1:waitAct"


@pytest.mark.parametrize(
    ("text", "ratio"), [("3.4", Ratio(17, 5)), ("6", Ratio(6)), ("0.30", Ratio(3, 10)), ("-2.5", Ratio(-5, 2))]
)
def test_fractions_of_a_unit_stay_exact(text: str, ratio: Ratio) -> None:
    data = dumped(merged(play())).replace(b'"ziNum": 7', f'"ziNum": {text}'.encode())
    (record,) = read(data)
    assert isinstance(record, Record)
    assert record.result is not None
    assert record.result.units == ratio


def test_result_drift() -> None:
    """One 醒 card as a number, no ziNum, other hands as left and right, the card that turns a tabled group."""
    events = play()
    win, flip, settled = (event["msg"] for event in events[-3:])
    for player in EVERYONE:
        del win[player]
    win |= {"leftHandList": [1, 3], "rightHandList": [11], "outSide": win["id"]}
    flip |= {"id": -1, "xing": 0, "remainCard": []}
    del settled["ziNum"]
    settled["xing"] = 0
    record = one(merged(events))
    assert record.result is not None
    assert record.result.units is None
    assert (record.result.xing, record.result.xing_hits) == ((), 0)
    assert record.result.hands == ((0, 2), (2, 3, 4, 11, 11, 11, 11), (10,))
    assert record.tags["out_side"] == "一"  # the first card of the wall is 一


@pytest.mark.parametrize(
    ("code", "source", "fan"),
    [
        (11, Source.OTHER_DRAW, None),
        (12, Source.DISCARD, None),
        (13, Source.OWN_DRAW, None),
        (14, Source.LIANG, {"天胡": 1}),
        (15, Source.DISCARD, {"地胡": 1}),
        (16, Source.NONE, {"三龙五坎": 1}),
    ],
)
def test_kinds_of_win(code: int, source: Source, fan: dict[str, int] | None) -> None:
    events = play()
    for event in events[-3:]:
        if "type" in event["msg"]:
            event["msg"]["type"] = code
    for log in (events, events[:-2]):
        record = one(merged(log))
        assert record.complete is (log is events)
        assert record.result is not None
        assert (record.result.source, record.result.fan) == (source, fan)


def test_huang() -> None:
    record = one(merged([deal(), everyone(100, "onEndGame")]))
    assert record.moves == (Move(NO_SEAT, Action.HUANG, t_ms=100),)
    assert record.result == Result(winner=NO_SEAT)
    assert record.complete


def test_unknown_fields_are_reported() -> None:
    events = play()
    events[2]["msg"]["speed"] = 3
    events[4]["msg"]["speed"] = 3
    events[3]["msg"][0]["why"] = ""
    events[1]["lag"] = 1
    record = one(merged(events, note="x", verify={"deck": True}))
    wanted = "event.lag×1 note×1 onCardCallBack.why×1 onCardPeng.speed×1 onPostCard.speed×1"
    assert record.tags["extra_fields"] == wanted
    assert record.tags["verify"] == '{"deck": true}'


def test_open_card_that_was_not_logged_is_unknown() -> None:
    events = play()
    del events[5]
    moves = bare(one(merged(events)).moves)
    assert moves[2:4] == [(2, Action.CHI, UNKNOWN, 8, 9), (2, Action.BI, 7, 17, 17)]


def test_empty_files_and_headers_alone_are_no_rounds() -> None:
    for data in (b"", b"\n \n", dumped({"source": "x.log", "first_line": 1})):
        (found,) = read(data)
        assert isinstance(found, Reject)
        assert found.code == "EMPTY"


def test_a_bad_line_spoils_its_round_alone() -> None:
    rounds = [stream(play(), f"2017-08-16 11:3{n}:02") for n in range(3)]
    lines = [json.dumps(line).encode() for part in rounds for line in part]
    lines[20] = lines[20][:-5]
    found = read(b"\n".join(lines) + b"\n")
    assert [type(item) for item in found] == [Record, Reject, Record]
    bad = found[1]
    assert isinstance(bad, Reject)
    assert (bad.code, bad.index, bad.line) == ("SYNTAX", 1, 21)
    assert bad.byte_offset == sum(len(line) + 1 for line in lines[:16])
    third = found[2]
    assert isinstance(third, Record)
    assert (third.source.index, third.source.line) == (2, 33)
    cut = read(b"\n".join(lines[:16] + lines[32:])[:-5])
    assert isinstance(cut[1], Reject)
    assert cut[1].code == "TRUNCATED"


def test_a_fault_of_a_stream_names_its_line() -> None:
    lines = stream(play())
    lines[5]["msg"]["id"] = 99
    found = refused(b"\n" + dumped(*lines), "UNKNOWN_CARD", "line[7].msg.id")
    assert found.line == 7


def test_a_stream_without_its_deal_is_refused() -> None:
    first, second = stream(play())[1:], stream(play(), "2017-08-16 12:00:02")
    found = read(dumped(*first, *second))
    assert isinstance(found[0], Reject)
    assert "onLordSelect" in found[0].reason
    assert isinstance(found[1], Record)


def test_two_deals_that_are_equal_by_chance_are_two_rounds() -> None:
    lines = stream([deal(), everyone(1500, "onCurrPlayer", uid="P0", status="waitPost")])
    again = stream([deal()], "2017-08-16 11:38:02")
    assert len(read(dumped(*lines, *again))) == 2
    assert len(read(dumped(lines[0], lines[0], lines[1]))) == 1


def test_layouts_may_be_mixed_and_begin_with_a_mark() -> None:
    data = b"\xef\xbb\xbf" + dumped(*stream(play()), merged(play()), *stream(play()))
    found = read(data)
    assert [isinstance(item, Record) for item in found] == [True, True, True]
    assert [item.source.index for item in found if isinstance(item, Record)] == [0, 1, 2]


def test_sniff() -> None:
    assert ADAPTER.sniff(dumped(merged(play())))
    assert ADAPTER.sniff(dumped({"source": "x"}, *stream(play())))
    assert not ADAPTER.sniff(b'{"phz": 1, "tags": {"note": "has \\"onLordSelect\\" in it"}}\n')
    assert not ADAPTER.sniff(b'{ "phz":1,"platform":"onPostCard"}\n')
    assert not ADAPTER.sniff(b'phz = 1\n# "onLordSelect"\n')
    assert not ADAPTER.sniff(b'{"a": 1}\n')
    assert not ADAPTER.sniff(b"")
