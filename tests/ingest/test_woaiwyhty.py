"""The socket.io events of woaiwyhty: every event, both builds, what is refused, the round trip, damage, memory."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest

from ingest.adapters.registry import Reject
from ingest.adapters.woaiwyhty import ADAPTER
from ingest.cards import UNKNOWN
from ingest.codes import NO_CARD, NO_SEAT, Action, Form
from ingest.convert import dump
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.reader import read_stream
from ingest.record import Group, Move, Ratio, Record, Result
from replay.inject.session import turned
from replay.replayer import replay_round
from tests.ingest.damage import survived
from tests.ingest.fixtures import check_fixture, cut_everywhere, refused, rounds
from tests.ingest.legal import events, legal, unknown_card, with_moves
from tests.ingest.made import deck, plain
from tests.ingest.memory import check_memory

A = Action
CARDS = deck(3)
NAMES = [ENCODINGS["x/d"].encode(kind) for kind in range(20)]
REST = [4, 6, 9, 11, 12, 14, 14, 15, 16, 17, 18, 18, 19, 6, 9]
HELD = [5, 5, 5, 5, 7, 8, 12, 13, 13, 2, 0, 0, 1, 1, 3, 3, 3, 16, 16, 17]
"""The hand with which ``WHOLE`` is played."""
Event = tuple[str, dict[str, Any]]


def names(*cards: int) -> list[str]:
    return [NAMES[card] for card in cards]


def on_hand(cards: Any) -> list[list[Any]]:
    return [[NAMES[kind], list(cards).count(kind)] for kind in range(20)]


def lines(*told: Event) -> bytes:
    return b"".join(json.dumps({"event": name, "data": data}).encode() + b"\n" for name, data in told)


def event(name: str, **data: Any) -> Event:
    return name, {"errcode": 0, **data}


def start(cards: Any = CARDS[20:40], **more: Any) -> Event:
    given = {"number_of_wang": 2, "current_played_games": 3, "total_games": 8, "tianHuResult": {"status": False}}
    return event("game_start", **{**given, "cardsOnHand": on_hand(cards), **more})


def act(seat: int, kind: str, **more: Any) -> Event:
    return event("other_player_action", **{"op_seat_id": seat, "type": kind, "xi": 4, **more})


def mine(kind: str, **more: Any) -> Event:
    return event("self_action_result", **{"op_seat_id": 1, "type": kind, "xi": 9, **more})


def shoot(seat: int, card: int, **more: Any) -> Event:
    return event("other_player_shoot", op_seat_id=seat, type="onHand", opCard=NAMES[card], sessionKey=4, **more)


def dealt(seat: int, card: int, forced: Any = None, **more: Any) -> Event:
    result = {"status": False} if forced is None else {"status": True, **forced}
    return event("dealed_card", op_seat_id=seat, dealed_card=NAMES[card], ti_wei_pao_result=result, **more)


def need(seat: int) -> Event:
    return event("need_shoot", op_seat_id=seat)


def sent(name: str, **data: Any) -> Event:
    return name, data


LOGIN = [
    sent("login", username="u_one", token="t", room_id=12345),
    event(
        "login_result",
        relogin=False,
        room_id=12345,
        seat_id=1,
        other_players=[{"username": "u_zero", "nickname": "甲", "seat_id": 0, "ip": "::1"}],
    ),
    ("new_player_entered_room", {"username": "u_two", "nickname": "丙", "seat_id": 2, "score": 0}),
]
PLAY = [
    act(0, "ti", cards=["back", "back", "back", "d10"], needsHide=True, from_wei_or_peng=0),
    sent("ti", opCard="x6", cards=["back", "back", "back", "x6"], needsHide=True, from_wei_or_peng=0),
    event("check_dihu", card21st="d1", sessionKey=1),
    sent("guo", opCard=None, sessionKey=1),
    need(0),
    shoot(0, 4),
    sent("guo", isDoneByUser=True),
    act(2, "peng", cards=names(4, 4, 4), from_wei_or_peng=0),
    need(2),
    shoot(2, 0),
    event("discarded_dealed_card", opCard="x1", op_seat_id=2),
    dealt(0, 7, sessionKey=5),
    act(0, "chi", opCard="x8", manyCards=[names(6, 7, 8), names(7, 17, 17)]),
    need(0),
    shoot(0, 9),
    sent("chi", manyCards=[names(7, 8, 9)]),
    mine("chi", opCard="x10", manyCards=[names(7, 8, 9)]),
    need(1),
    sent("shootCard", opCard="d3", type="onHand"),
    act(2, "pao", cards=names(12, 12, 12, 12), opCard="d3", from_wei_or_peng=0),
    need(2),
    shoot(2, 13),
    sent("peng", opCard="d4"),
    mine("peng", cards=names(13, 13, 13), from_wei_or_peng=0),
    need(1),
    event("timer_passed", type="shoot_card", action="shoot", opCard="x3"),
    event("timer_passed", type="operation", action="guo", opCard="x3"),
    event("discarded_dealed_card", opCard="x3", op_seat_id=1),
    dealt(2, 15, {"type": "wei", "op_seat_id": 2, "opCard": "d6", "cards": ["back", "back", "d6"]}, xi=6),
    need(2),
    shoot(2, 5, paoResult={"op_seat_id": 0, "opCard": "x6", "type": "pao", "cards": names(5, 5, 5, 5), "from_wei": 1}),
    dealt(1, 13, {"type": "ti", "op_seat_id": 1, "cards": names(13) * 4, "from_wei_or_peng": 2}),
    sent("ti", opCard="d4", from_wei_or_peng=2),
    dealt(2, 11, sessionKey=9),
    sent("hu", sessionKey=9),
]
WON = {
    "cardsGroups": [
        {"type": "ti", "cards": ["back", "back", "back", "d4"], "xi": 12},
        {"type": "wei", "cards": names(3, 3, 3), "xi": 3},
        {"type": "chi", "cards": names(7, 8, 9), "xi": 0},
        {"type": "peng", "cards": ["back", "back", "back"]},
        {"type": "jiang", "cards": names(2, 2), "xi": 0},
    ],
    "xi": 18,
    "fan": 6,
    "tun": 2,
    "loseMark": 12,
    "afterScore": [-20, 40, -20],
    "nicknames": ["甲", "乙", "丙"],
    "huInfo": ["点胡", "自摸"],
    "holeCards": names(*REST),
    "lastGame": True,
}
BESIDE = [event("askGameReady"), sent("game_ping"), ("game_pong", {}), event("request_shoot")]
WHOLE = lines(*LOGIN, start(HELD), *PLAY, *BESIDE, mine("hu", **WON))


def one(data: bytes) -> Record:
    (record,) = rounds(data, "x", "woaiwyhty")
    return record


def moves(*told: Event, deal: Event | None = None) -> list[tuple[int, ...]]:
    record = one(lines(*LOGIN, deal or start(), *told))
    return [(m.seat, m.action, m.card, m.a, m.b) for m in record.moves]


def test_every_event_is_read() -> None:
    record = one(WHOLE)
    assert [(m.seat, m.action, m.card, m.a, m.b) for m in record.moves] == [
        (0, A.TI_OPEN, 19, -2, -2),
        (1, A.TI_OPEN, 5, -2, -2),
        (0, A.DISCARD, 4, -2, -2),
        (1, A.PASS, -2, -2, -2),
        (2, A.PENG, 4, -2, -2),
        (2, A.DISCARD, 0, -2, -2),
        (-1, A.UNCLAIMED, 0, -2, -2),
        (0, A.DRAW, 7, -2, -2),
        (0, A.CHI, 7, 6, 8),
        (0, A.BI, 7, 17, 17),
        (0, A.DISCARD, 9, -2, -2),
        (1, A.CLAIM, -2, A.CHI, -2),
        (1, A.CHI, 9, 7, 8),
        (1, A.DISCARD, 12, -2, -2),
        (2, A.PAO, 12, -2, -2),
        (2, A.DISCARD, 13, -2, -2),
        (1, A.CLAIM, -2, A.PENG, -2),
        (1, A.PENG, 13, -2, -2),
        (1, A.DISCARD, 2, -2, -2),
        (1, A.PASS, -2, -2, -2),
        (-1, A.UNCLAIMED, 2, -2, -2),
        (2, A.DRAW, 15, -2, -2),
        (2, A.WEI, 15, -2, -2),
        (2, A.DISCARD, 5, -2, -2),
        (0, A.PAO, 5, -2, -2),
        (1, A.DRAW, 13, -2, -2),
        (1, A.TI, 13, -2, -2),
        (2, A.DRAW, 11, -2, -2),
        (1, A.CLAIM, -2, A.HU, -2),
        (1, A.HU, -2, -2, -2),
    ]
    assert record.result == Result(
        winner=1,
        groups=(
            Group((13, 13, 13, 13), Form.TI, 12),
            Group((3, 3, 3), None, 3),
            Group((7, 8, 9), None, 0),
            Group((-1, -1, -1), Form.PENG),
            Group((2, 2), Form.JIANG, 0),
        ),
        huxi=18,
        units=Ratio(2),
        points=(-12, 24, -12),
        totals=(-20, 40, -20),
        rest=tuple(REST),
    )
    assert (record.players, record.room, record.round_no) == (("u_zero", "u_one", "u_two"), "12345", 3)
    assert record.hands == (None, tuple(sorted(HELD)), None)
    assert (record.dealer, record.liang, record.complete) == (0, 10, True)
    assert record.wall == (7, 15, 13, 11, *REST)
    assert (record.platform, record.omits, record.offers) == ("woaiwyhty", (A.CHOU_WEI,), None)
    assert record.tags == {
        "ruleset_from": "format",
        "self_seat": "1",
        "huang_before": "2",
        "session_rounds": "8",
        "xi": "0:4 4:4 9:4 12:9 14:4 17:9 22:6",
        "timer": "18 19",
        "from": "24:1 26:2",
        "fan": "6",
        "hu_info": "点胡 自摸",
        "nicknames": "甲 乙 丙",
        "last_game": "true",
        "other_messages": ("askGameReady×1 auto_passes×1 echoes×1 game_ping×1 game_pong×1 request_shoot×1 turns×7"),
    }


@pytest.mark.parametrize("form", ["object", "list", "packet", "text"])
def test_ways_of_writing_an_event(form: str) -> None:
    written = []
    for line in WHOLE.splitlines():
        told = json.loads(line)
        if form == "text":
            told["data"] = json.dumps(told["data"])
        pair = [told["event"], told["data"]]
        text = json.dumps(told if form in ("object", "text") else pair)
        written.append(("42" if form == "packet" else "") + text)
    data = "\n".join(written).encode()
    assert one(data) == one(WHOLE)
    assert ADAPTER.sniff(data[data.find(b"game_start") - 40 :])


def test_own_discards_of_a_file_without_sent_messages() -> None:
    """They are told where nobody takes them or someone lays equal cards, else they are unknown."""
    chi = [need(1), act(2, "chi", manyCards=[names(1, 2, 3)])]
    opened = [need(1), act(2, "chi", opCard="x2", manyCards=[names(1, 2, 3), names(1, 11, 11)])]
    assert moves(need(1), event("discarded_dealed_card", opCard="x5", op_seat_id=1)) == [
        (1, A.DISCARD, 4, -2, -2),
        (-1, A.UNCLAIMED, 4, -2, -2),
    ]
    assert moves(need(1), act(2, "peng", cards=names(4, 4, 4)))[0] == (1, A.DISCARD, 4, -2, -2)
    assert moves(*chi) == [(1, A.DISCARD, -1, -2, -2), (2, A.CHI, -1, -1, -1)]
    assert moves(*opened) == [(1, A.DISCARD, 1, -2, -2), (2, A.CHI, 1, 2, 3), (2, A.BI, 1, 11, 11)]
    assert moves(need(1), dealt(2, 9))[0] == (1, A.DISCARD, -1, -2, -2)
    assert moves(need(1), shoot(2, 9))[0] == (1, A.DISCARD, -1, -2, -2)
    assert moves(need(1), event("other_player_hu", op_seat_id=2, type="hu"))[0] == (1, A.DISCARD, -1, -2, -2)
    assert moves(need(1), event("wang_hu", op_seat_id=-1, type="wang_hu", holeCards=[]))[0][:3] == (1, A.DISCARD, -1)
    assert moves(need(0), dealt(2, 9)) == [(2, A.DRAW, 9, -2, -2)]
    record = one(lines(*LOGIN, start(), *chi))
    assert (record.tags["own_discards"], record.tags["chi_groups"]) == ("0", "1:1")


def test_who_one_is_may_be_told_late_or_follow_from_the_others() -> None:
    told = [start(), dealt(0, 3), sent("shootCard", opCard="x5"), mine("peng", cards=names(4, 4, 4))]
    assert one(lines(*told)).moves[1].seat == 1
    record = one(lines(start(), sent("shootCard", opCard="x5"), shoot(0, 3), shoot(2, 4)))
    assert (record.moves[0].seat, record.tags["self_seat"], record.players) == (1, "1", ("seat0", "seat1", "seat2"))
    assert refused(lines(start(), shoot(0, 3)), "x", "woaiwyhty").code == "BAD_SEAT"
    assert refused(lines(start(), sent("wei", opCard="x5")), "x", "woaiwyhty").code == "BAD_SEAT"
    nobody = one(lines(("game_start", {}), shoot(0, 3)))
    assert nobody.hands == (None, None, None)


def test_the_hand_of_the_dealer_and_of_the_older_build() -> None:
    login = [("login_result", {"seat_id": 0})]
    record = one(lines(*login, start(CARDS[:21]), ("check_dihu", {"card21st": ""})))
    assert (len(record.hands[0] or ()), record.liang) == (21, -1)
    hand = event("cardsOnHand_result", cardsOnHand=on_hand(CARDS[:20]), card21st="x1")
    older = [("login_result", {"seat_id": 2}), event("game_start"), hand]
    again = event("cardsOnHand_result", cardsOnHand=on_hand(CARDS[:17]))
    record = one(lines(*older, shoot(0, 3), again))
    assert (record.hands[2], record.liang, record.round_no) == (tuple(sorted(CARDS[:20])), 0, None)
    assert one(lines(older[0], older[2])).hands[2] == tuple(sorted(CARDS[:20]))


def test_acts_told_twice_are_one() -> None:
    forced = {"type": "wei", "op_seat_id": 1, "opCard": "x5", "cards": ["back", "back", "x5"]}
    assert len(moves(dealt(1, 4, forced), sent("wei", opCard="x5"))) == 2
    assert len(moves(dealt(1, 4), sent("wei", opCard="x5"))) == 2
    pao = {"type": "pao", "op_seat_id": 2, "cards": names(4, 4, 4, 4)}
    assert len(moves(shoot(0, 4, paoResult=pao), act(2, "pao", cards=names(4, 4, 4, 4)))) == 2
    ti = {"type": "ti", "op_seat_id": 2, "cards": ["back", "back", "back", "x5"]}
    assert [m[1] for m in moves(dealt(2, 4, ti), act(2, "ti", cards=["back"] * 3 + ["x5"]))] == [A.DRAW, A.TI]
    assert [m[1] for m in moves(dealt(2, 4), act(2, "ti", cards=["back"] * 3 + ["x6"]))] == [A.DRAW, A.TI_OPEN]
    assert moves(dealt(2, 4), act(2, "wei", cards=["back"] * 3))[1] == (2, A.WEI, 4, -2, -2)
    assert moves(act(2, "guo"))[0] == (2, A.PASS, -2, -2, -2)


def test_a_round_without_a_winner_and_one_that_stops() -> None:
    over = event("wang_hu", op_seat_id=-1, type="wang_hu", afterScore=[1, 2, -3], holeCards=[], lastGame=False)
    record = one(lines(*LOGIN, start(), over))
    assert record.result == Result(winner=-1, totals=(1, 2, -3), rest=())
    assert record.moves == (Move(NO_SEAT, A.HUANG),)
    assert record.wall == (UNKNOWN,) * 19
    assert not one(lines(*LOGIN, start(), shoot(0, 4))).complete


def test_a_client_that_was_away_reads_no_further() -> None:
    again = event("login_result", relogin=True, seat_id=1, room_id=12345, playersInfo=[None])
    record = one(lines(*LOGIN, start(), shoot(0, 4), again, shoot(2, 5), mine("hu")))
    assert (len(record.moves), record.complete, record.tags["stopped"]) == (1, False, "login")
    assert "unread×2" in record.tags["other_messages"]


def test_rounds_of_a_session_and_errors() -> None:
    failed = ("dealed_card", {"errcode": -1})
    data = WHOLE + lines(start(current_played_games=4), failed, shoot(0, 4), start(current_played_games=5), shoot(0, 4))
    found = rounds(data, "x", "woaiwyhty")
    assert [one.complete for one in found] == [True, False, False]
    assert found[1].tags["other_messages"] == "errors×1"
    assert {one.players for one in found} == {("u_zero", "u_one", "u_two")}
    assert [one.round_no for one in found] == [3, 4, 5]


def test_another_session_does_not_change_the_rounds_before_it() -> None:
    other = [sent("login", username="u_new"), event("login_result", seat_id=2, room_id="77777", other_players=[])]
    found = rounds(WHOLE + lines(*other, start(), shoot(0, 4)), "x", "woaiwyhty")
    assert [(one.room, one.players) for one in found] == [
        ("12345", ("u_zero", "u_one", "u_two")),
        ("77777", ("seat0", "seat1", "u_new")),
    ]


def test_unknown_fields_are_reported() -> None:
    told = [
        start(speed=1),
        shoot(0, 4, speed=1, paoResult={"op_seat_id": 2, "type": "pao", "cards": names(4, 4, 4, 4), "speed": 2}),
        sent("guo", why=1),
    ]
    data = lines(*LOGIN, *told).replace(b'{"event": "guo"', b'{"lag": 3, "event": "guo"')
    wanted = "game_start.speed×1 guo.line.lag×1 guo.why×1 other_player_shoot.speed×1 paoResult.speed×1"
    assert one(data).tags["extra_fields"] == wanted


BEGUN = [*LOGIN, start()]
REFUSED = [
    ([*BEGUN, event("new_thing")], "BAD_MOVE"),
    ([*BEGUN, shoot(3, 4)], "BAD_SEAT"),
    ([*BEGUN, shoot(1, 4)], "BAD_SEAT"),
    ([*BEGUN, event("other_player_shoot", op_seat_id=True, opCard="x1")], "BAD_SEAT"),
    ([*BEGUN, event("self_action_result", op_seat_id=2, type="peng")], "BAD_SEAT"),
    ([*BEGUN, event("other_player_shoot", op_seat_id=0)], "BAD_FIELD"),
    ([*BEGUN, event("other_player_shoot", op_seat_id=0, opCard="x11")], "UNKNOWN_CARD"),
    ([*BEGUN, event("other_player_shoot", op_seat_id=0, opCard="back")], "UNKNOWN_CARD"),
    ([*BEGUN, event("other_player_shoot", op_seat_id=0, opCard=5)], "UNKNOWN_CARD"),
    ([*BEGUN, event("dealed_card", op_seat_id=0, dealed_card="w")], "UNKNOWN_CARD"),
    ([*BEGUN, act(0, "gang", cards=[])], "BAD_MOVE"),
    ([*BEGUN, act(0, "peng", cards=names(4, 4))], "BAD_MOVE"),
    ([*BEGUN, act(0, "peng", cards=names(4, 4, 5))], "BAD_MOVE"),
    ([*BEGUN, act(0, "peng", cards=names(4, 4, 4), opCard="x1")], "BAD_MOVE"),
    ([*BEGUN, act(0, "pao", cards=names(4, 4, 4, 4), from_wei_or_peng=3)], "BAD_FIELD"),
    ([*BEGUN, act(0, "chi", opCard="x1", manyCards=[])], "BAD_MOVE"),
    ([*BEGUN, act(0, "chi", opCard="x1", manyCards=[names(0, 1)])], "BAD_MOVE"),
    ([*BEGUN, act(0, "chi", opCard="x1", manyCards=[names(1, 2, 3)])], "BAD_MOVE"),
    ([*BEGUN, event("timer_passed", action="x")], "BAD_MOVE"),
    ([*BEGUN, mine("hu", cardsGroups=[{"type": "x", "cards": []}])], "BAD_FIELD"),
    ([*BEGUN, mine("hu", cardsGroups=[{"type": "ti", "cards": []}])], "BAD_FIELD"),
    ([*BEGUN, mine("hu", afterScore=[1, 2])], "BAD_FIELD"),
    ([*BEGUN, mine("hu", xi=10**30)], "BAD_FIELD"),
    ([shoot(0, 4)], "BAD_MOVE"),
    ([*LOGIN, start(CARDS[:19]), shoot(0, 4)], "DEAL_SIZE"),
    ([*LOGIN, start(CARDS[:21]), shoot(0, 4)], "DEAL_SIZE"),
    ([*LOGIN, start([0] * 5 + [*range(1, 16)])], "FIFTH_COPY"),
    ([*LOGIN, event("game_start", cardsOnHand=[["x1", 6]])], "BAD_FIELD"),
    ([*LOGIN, event("game_start", cardsOnHand=[["x1", 1], ["x1", 1]])], "BAD_FIELD"),
    ([*LOGIN, event("game_start", cardsOnHand=[["x1"]])], "BAD_FIELD"),
    ([*LOGIN, event("game_start", cardsOnHand=[["x1", 1]] * 300)], "LIMIT"),
    ([*BEGUN, *[shoot(0, 4)] * 2001], "LIMIT"),
    (LOGIN, "EMPTY"),
    ([("login_result", {"seat_id": 5})], "BAD_SEAT"),
]


@pytest.mark.parametrize(("told", "code"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_refused(told: list[Event], code: str) -> None:
    assert refused(lines(*told), "x", "woaiwyhty").code == code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "EMPTY"),
        (b"\xff\n", "NOT_UTF8"),
        (b"{}\n", "BAD_FIELD"),
        (b"[]\n", "BAD_FIELD"),
        (b'["game_start",{},3]\n', "BAD_FIELD"),
        (b'["game_start"],"event":[1]\n', "SYNTAX"),
        (b'["game_start",{"a":1,"a":2}]\n', "SYNTAX"),
        (b'["game_start",{"a":NaN}]\n', "SYNTAX"),
        (b'["game_start","{"]\n', "SYNTAX"),
        (b'["game_start",[1]]\n', "BAD_FIELD"),
        (b'["game_start",{"a":"\\ud800"}]\n', "NOT_UTF8"),
        (b"[" * 100_000 + b"\n", "LIMIT"),
        (b"42" + b"[" * 2_000_000, "LIMIT"),
        (b'["game_start",{"a":1', "TRUNCATED"),
        (b'["game_start"', "TRUNCATED"),
        (b'{"event":"game_start","data":', "TRUNCATED"),
        (b'{"event":7}\n', "BAD_FIELD"),
        (b"null\n", "SYNTAX"),
    ],
)
def test_lines_that_are_no_events(data: bytes, code: str) -> None:
    assert refused(data, "x", "woaiwyhty").code == code


def test_a_bad_round_costs_the_rounds_beside_it_nothing() -> None:
    good = lines(start(), *PLAY, mine("hu"))
    for bad in (lines(start(), shoot(0, 4))[:-9] + b"\n", lines(start(), event("new_thing")), lines(start([1] * 7))):
        found = list(read_stream(io.BytesIO(lines(*LOGIN) + good + bad + good), "x", "woaiwyhty"))
        assert [type(one) for one in found] == [Record, Reject, Record]
        assert found[1].byte_offset == len(lines(*LOGIN)) + len(good)


def dealt_by_seat_0(record: Record) -> Record:
    """The record with the dealer as seat 0, which this server always has."""
    by = record.dealer
    players = (*record.players[by:], *record.players[:by])
    return msgspec.structs.replace(turned(record, [(seat - by) % 3 for seat in range(3)]), players=players)


LEGAL = [dealt_by_seat_0(record) for record in legal("hu15", 300)]


@pytest.mark.parametrize("me", [0, 1, 2])
def test_generated_rounds_come_back(me: int) -> None:
    back = rounds(dump(LEGAL, f"woaiwyhty:seat={me}"), "x", "woaiwyhty")
    assert len(back) == 300
    for record, found in zip(LEGAL, back, strict=True):
        kept = with_moves(record, *(m for m in record.moves if m.action != A.PASS or m.seat == me))
        wanted = events(kept, same={A.CHOU_WEI: A.WEI})
        told = [(e[0], e[1], -2, -2, -2) if e[1] in (A.PASS, A.HU) else e for e in wanted]
        assert events(found) == told
        hand = record.hands[me]
        assert hand is not None
        mine_ = sorted((*hand, record.liang) if me == 0 else hand)
        assert [held and sorted(held) for held in found.hands] == [mine_ if seat == me else None for seat in range(3)]
        assert (found.liang, found.wall, found.players) == (record.liang, record.wall, record.players)
        assert (found.room, found.round_no, found.dealer) == (record.room, record.round_no, 0)
        was, got = record.result, found.result
        assert was is not None
        assert got is not None
        assert (got.winner, got.huxi, got.units) == (was.winner, was.huxi, was.units)
        assert got.points == (None if was.winner == -1 else was.points)


def test_the_replay_finds_nothing_wrong_with_what_a_client_saw() -> None:
    """Rounds without 臭偎, which the format does not tell from 偎."""
    for me in (0, 2):
        plain_ones = [record for record in LEGAL[:80] if A.CHOU_WEI not in {move.action for move in record.moves}]
        for record in rounds(dump(plain_ones, f"woaiwyhty:seat={me}"), "x", "woaiwyhty"):
            found = [one for one in replay_round(record).findings if one.severity]
            assert not found, (record, found)


def test_what_was_read_is_written_again() -> None:
    first = dump(LEGAL[:60], "woaiwyhty:seat=2")
    assert dump(rounds(first, "x", "woaiwyhty"), "woaiwyhty:seat=2") == first
    record = one(WHOLE)
    assert record.result is not None
    groups = tuple(group for group in record.result.groups or () if UNKNOWN not in group.cards)
    record = msgspec.structs.replace(record, result=msgspec.structs.replace(record.result, groups=groups))
    again = one(dump([record], "woaiwyhty:seat=1"))
    assert again.moves == record.moves
    assert again.result == record.result


def won(**fields: Any) -> Record:
    return with_moves(plain(result=Result(winner=0, **fields)), Move(0, A.HU))


CANNOT = [
    (plain(players=("甲", "乙"), hands=plain().hands[:2]), "BAD_SEAT"),
    (plain(dealer=1), "BAD_SEAT"),
    (plain(sitter=2), "BAD_SEAT"),
    (plain(hands=(None, *plain().hands[1:])), "DEAL_SIZE"),
    (with_moves(plain(), unknown_card(plain().moves[0])), "UNKNOWN_CARD"),
    (with_moves(plain(), Move(0, A.LEAVE)), "BAD_MOVE"),
    (with_moves(plain(), Move(0, A.BU, 3)), "BAD_MOVE"),
    (with_moves(plain(), Move(0, A.CLAIM, NO_CARD, A.PAO)), "BAD_MOVE"),
    (with_moves(plain(), Move(0, A.HU, 3), plain().moves[0]), "BAD_MOVE"),
    (won(units=Ratio(1, 2)), "BAD_FIELD"),
    (won(points=(3, -1, -2)), "BAD_FIELD"),
    (won(points=(-1, 2, -1)), "BAD_FIELD"),
]


@pytest.mark.parametrize(("record", "code"), CANNOT, ids=lambda value: value if isinstance(value, str) else "")
def test_what_cannot_be_written(record: Record, code: str) -> None:
    with pytest.raises(Fault) as fault:
        dump([record], "woaiwyhty")
    assert fault.value.code == code


def test_a_seat_that_is_no_choice_is_refused() -> None:
    for seat in ("5", "-1", "x", ""):
        with pytest.raises(ValueError, match="seat") as error:
            dump([plain()], f"woaiwyhty:seat={seat}")
        assert "0, 1, 2" in str(error.value)


def test_numbers_in_tags_come_back_whole() -> None:
    end = {"result": Result(winner=0), "platform": "woaiwyhty"}
    tags = {"session_rounds": "1000000", "huang_before": "7", "fan": "-3"}
    record = with_moves(plain(tags=tags, **end), Move(0, A.HU))
    assert one(dump([record], "woaiwyhty")).tags.items() >= tags.items()
    record = with_moves(
        plain(tags={"session_rounds": "1000001", "huang_before": "-7", "fan": "²"}, **end), Move(0, A.HU)
    )
    assert not one(dump([record], "woaiwyhty")).tags.keys() & tags.keys()


@pytest.mark.parametrize("encoding", ["0..19", "1..20", "nibble", "s/b", "characters"])
def test_another_encoding_is_refused(encoding: str) -> None:
    data = dump(LEGAL[:10], "woaiwyhty").decode()
    for kind in range(19, -1, -1):
        data = data.replace(f'"{NAMES[kind]}"', json.dumps(f"#{kind}#"))
    for kind in range(20):
        data = data.replace(json.dumps(f"#{kind}#"), json.dumps(ENCODINGS[encoding].encode(kind)))
    found = list(read_stream(io.BytesIO(data.encode()), "x", "woaiwyhty"))
    assert {one.code for one in found} == {"UNKNOWN_CARD"}


def fixture() -> bytes:
    """A session: a round made by hand with every event, two legal ones."""
    return WHOLE + dump(LEGAL[:2], "woaiwyhty:seat=2")


def test_the_fixture() -> None:
    check_fixture("woaiwyhty.jsonl", fixture())


def test_a_file_cut_anywhere() -> None:
    outcomes = cut_everywhere(WHOLE[: len(lines(*LOGIN, start(), *PLAY[:3]))], "x", "woaiwyhty")
    assert set(outcomes) == {"record", "TRUNCATED", "EMPTY"}


SHORT = lines(LOGIN[1], start(HELD), *PLAY[4:8], *PLAY[10:13], *PLAY[28:32], mine("hu", **WON))


def test_damaged_files() -> None:
    outcomes = survived(SHORT, "x", 4500, 1, "woaiwyhty")
    assert min(outcomes.values()) > 100
    survived(WHOLE, "x", 500, 2, "woaiwyhty")


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_damaged_files() -> None:
    survived(SHORT, "x", 80_000, 3, "woaiwyhty")
    survived(WHOLE, "x", 20_000, 4, "woaiwyhty")


def test_memory(tmp_path) -> None:
    check_memory(tmp_path, WHOLE, "woaiwyhty")
