"""The Huyoo binary replay: every message, what is refused, the round trip, damage, memory."""

from __future__ import annotations

import io
import struct
from typing import Any

import msgspec
import pytest

from ingest.adapters import huyoo_codes as codes
from ingest.adapters.huyoo import ADAPTER, CHOICES
from ingest.adapters.registry import Reject
from ingest.codes import NO_CARD, NO_SEAT, Action, Form, Source
from ingest.convert import dump
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.reader import read_stream
from ingest.record import Group, Move, Offer, Ratio, Record, Result
from replay.replayer import replay_round
from tests.ingest.damage import survived
from tests.ingest.fixtures import check_fixture, cut_everywhere, refused, rounds
from tests.ingest.legal import events, legal, unknown_card, with_moves
from tests.ingest.made import bare, deck, plain
from tests.ingest.memory import check_memory

A = Action
LOST = (A.PASS, A.UNCLAIMED, A.CLAIM)
SAME = {A.CHOU_WEI: A.WEI}
CARDS = deck(3)


def byte(kind: int) -> int:
    return ENCODINGS["nibble"].encode(kind)


def raw(cards: Any) -> bytes:
    return bytes(map(byte, cards))


def message(sub: int, *values: Any, main: int = 100, payload: bytes | None = None, long: int = 4) -> bytes:
    body = codes.layouts(long)[sub].pack(*values) if payload is None else payload
    return codes.HEADER.pack(7, len(body), main, sub) + body


def start(seat: int, hand: Any = None, dealer: int = 0, wild: int = 0, long: int = 4) -> bytes:
    hand = CARDS[20 * seat : 20 * seat + 20] if hand is None else hand
    if seat == dealer and len(hand) == 20:
        hand = [*hand, CARDS[60]]
    return message(codes.START, dealer, dealer, 5, raw(hand), wild, seat, long=long)


DEAL = b"".join(start(seat) for seat in range(3))


def end(**fields: Any) -> bytes:
    given: dict[str, Any] = {
        "reason": 0,
        "hu": 0,
        "winner": 0xFFFF,
        "provider": 0xFFFF,
        "type": 0,
        "fan": 0,
        "huxi": 0,
        "tun": 0,
        "rate": 0,
        "tax": 0,
        "scores": (0, 0, 0, 0),
        "left": b"",
        "counts": b"",
        "held": b"",
        "wild": b"",
        "xing": b"",
        "eye": 0,
        "hand_huxi": 0,
        "count": 0,
        "weaves": b"",
        "current": 0,
        "wild_data": b"",
        "wild_eye": 0,
        "written": (0, 0, 0, 0),
        "dummy": 0,
    } | fields
    flat: list[Any] = []
    for key, value in given.items():
        flat += [len(value), value] if key == "left" else value if isinstance(value, tuple) else [value]
    return message(codes.END, *flat)


def weave(kind: int, *cards: int) -> bytes:
    return bytes((kind, len(cards), byte(cards[0]))) + raw(cards).ljust(4, b"\0")


PLAY = [
    message(codes.OUT_NOTIFY, 1, 0),
    message(codes.OUT, 0, byte(4)),
    message(codes.NOTIFY, 1, byte(4), 0x20 | 0x80 | 0x100, 0),
    message(codes.PENG, 1, byte(4)),
    message(codes.OUT, 1, byte(0)),
    message(codes.CHI, 2, byte(0), 3, raw((0, 1, 2, 10, 0, 0, 10, 10, 0))),
    message(codes.SEND, byte(7), 0, 0),
    message(codes.WEI, 0, byte(7)),
    message(codes.SEND, byte(8), 0, 0),
    message(codes.TI, 0, byte(8), 3),
    message(codes.TI, 0, byte(9), 4),
    message(codes.TI, 0, byte(7), 1),
    message(codes.SEND, byte(4), 1, 2),
    message(codes.PAO, 1, byte(4), 1),
    message(codes.SEND, byte(19), 1, 2),
]
OVER = end(
    hu=byte(19),
    winner=1,
    provider=2,
    type=0x21,
    fan=3,
    huxi=18,
    tun=2,
    rate=1,
    tax=4,
    scores=(-6, 12, -6, 0),
    left=raw((1, 2, 3)),
    counts=bytes((1, 2, 0)),
    held=raw((5, 6, 6)),
    xing=bytes((byte(3), 2)),
    eye=byte(6),
    hand_huxi=17,
    count=4,
    weaves=weave(0x2, 4, 4, 4, 4) + weave(0x4, 1, 1, 1) + weave(0x20, 0, 1, 2) + weave(0x80, 9, 9, 9),
    current=byte(19),
    written=(-60, 120, -60, 0),
    dummy=9,
)
SEATED = b"".join(
    codes.HEADER.pack(0, 317 + 4, 2, 100) + struct.pack("<IH", person, seat) + bytes(315)
    for seat, person in ((0, 77), (2, 99))
)
TABLE = codes.HEADER.pack(0, 5 + 64, 2, 131) + struct.pack("<HH", 8, 3) + bytes(65)
CONFIG = codes.HEADER.pack(0, 22, 100, 1001) + bytes(range(22))
TALK = codes.HEADER.pack(0, 4, 100, 500) + b"\1\0\2\0"
WHOLE = CONFIG + SEATED + TABLE + DEAL + b"".join(PLAY) + TALK + OVER


def one(data: bytes, form: str = "huyoo") -> Record:
    (record,) = rounds(data, "x", form)
    return record


def chunks(body: bytes, size: int = 500, kind: int = 31, md5: bytes = b"0123456789abcdef" * 2) -> bytes:
    places = range(0, len(body), size)
    return b"".join(
        codes.CHUNK.pack(kind, len(body), at, len(body[at : at + size]), md5) + body[at : at + size] for at in places
    )


def test_every_message_is_read() -> None:
    record = one(WHOLE)
    assert [(m.seat, m.action, m.card, m.a, m.b, m.face) for m in record.moves] == [
        (0, A.DISCARD, 4, -2, -2, 0),
        (1, A.PENG, 4, -2, -2, 0),
        (1, A.DISCARD, 0, -2, -2, 0),
        (2, A.CHI, 0, 1, 2, 0),
        (2, A.BI, 0, 10, 0, 0),
        (2, A.BI, 0, 10, 10, 0),
        (0, A.DRAW, 7, -2, -2, 1),
        (0, A.WEI, 7, -2, -2, 0),
        (0, A.DRAW, 8, -2, -2, 1),
        (0, A.TI, 8, -2, -2, 0),
        (0, A.TI_OPEN, 9, -2, -2, 0),
        (0, A.TI, 7, -2, -2, 0),
        (2, A.DRAW, 4, -2, -2, 2),
        (1, A.PAO, 4, -2, -2, 0),
        (2, A.DRAW, 19, -2, -2, 2),
        (1, A.HU, 19, -2, -2, 0),
    ]
    assert record.result == Result(
        winner=1,
        card=19,
        source=Source.OTHER_DRAW,
        from_seat=2,
        groups=(
            Group((4, 4, 4, 4), Form.PAO),
            Group((1, 1, 1)),
            Group((0, 1, 2)),
            Group((9, 9, 9), Form.PENG),
            Group((6, 6), Form.JIANG),
        ),
        huxi=18,
        units=Ratio(2),
        points=(-6, 12, -6),
        xing=(3,),
        hands=((5,), (6, 6), ()),
        rest=(1, 2, 3),
    )
    assert record.players == ("77", "seat1", "99")
    assert (record.platform, record.ruleset, record.round_no, record.dealer) == ("huyoo", "hu15", 3, 0)
    assert record.hands == (tuple(CARDS[:20]), tuple(CARDS[20:40]), tuple(CARDS[40:60]))
    assert (record.liang, record.wall) == (CARDS[60], (7, 8, 4, 19, *[-1] * 15))
    assert (record.complete, record.omits, record.offers) == (True, (A.CHOU_WEI,), None)
    assert record.tags == {
        "ruleset_from": "format",
        "liang_from": "place 21",
        "config": bytes(range(22)).hex(),
        "session_rounds": "8",
        "cell_score": "5",
        "notified": "0:1:0x1a0",
        "removed": "9:3 10:4 11:1 13:1",
        "type_bits": "0x0021",
        "fan_count": "3",
        "rate": "1",
        "tax": "4",
        "xing_counts": "2",
        "hand_huxi": "17",
        "current_card": "拾",
        "written": "-60 120 -60 0",
        "dummy": "9",
        "other_messages": "100/1001×1 100/500×1 turns×1",
        "identifiers": "7",
    }


def test_notices_are_offers_only_where_the_file_is_said_to_name_the_asked() -> None:
    notices = [
        message(codes.NOTIFY, 2, byte(4), 0x1 | 0x2 | 0x4, 0),
        message(codes.NOTIFY, 1, byte(4), 0x20 | 0x40 | 0x80 | 0x100 | 0x200, 5),
        message(codes.NOTIFY, 0, 0, 0x100, 0),
    ]
    data = DEAL + PLAY[1] + b"".join(notices)
    record = one(data, "huyoo:asked=resume")
    wanted = [(2, A.TI, 4), (2, A.PAO, 4), (2, A.WEI, 4), (1, A.CHI, 4), (1, A.PENG, 4), (1, A.HU, 4), (0, A.HU, -2)]
    assert record.offers == tuple(Offer(0, seat, action, card) for seat, action, card in wanted)
    assert record.visible is None
    assert one(data).offers is None
    assert record.tags["notified"] == one(data).tags["notified"] == "0:2:0x7 0:1:0x3e0:0x5 0:0:0x100"


@pytest.mark.parametrize(
    ("shown", "provider", "source"),
    [
        (message(codes.OUT, 2, byte(19)), 2, Source.DISCARD),
        (message(codes.SEND, byte(19), 1, 1), 1, Source.OWN_DRAW),
        (message(codes.SEND, byte(19), 1, 2), 2, Source.OTHER_DRAW),
        (message(codes.SEND, byte(18), 1, 2), 2, None),
        (message(codes.SEND, byte(19), 1, 0), 2, None),
        (b"", 0, None),
    ],
)
def test_whence_the_winning_card_came_is_told_only_where_the_play_shows_it(shown, provider, source) -> None:
    result = one(DEAL + shown + end(hu=byte(19), winner=1, provider=provider)).result
    assert result is not None
    assert (result.source, result.from_seat) == (source, provider)


def test_the_last_card_of_the_dealer_need_not_be_taken_for_the_liang() -> None:
    record = one(WHOLE, "huyoo:liang=none")
    assert (record.liang, record.hands[0]) == (-1, (*CARDS[:20], CARDS[60]))
    assert "liang_from" not in record.tags


def test_a_round_without_a_winner_and_one_that_stops() -> None:
    record = one(DEAL + end(scores=(1, -1, 0, 0)))
    assert record.moves == (Move(NO_SEAT, A.HUANG),)
    assert record.result == Result(winner=-1, points=(1, -1, 0), rest=())
    stopped = one(DEAL + b"".join(PLAY[:3]))
    assert not stopped.complete
    assert stopped.result is None
    card = one(DEAL + end(winner=2)).moves[0]
    assert card == Move(2, A.HU, NO_CARD)


def test_the_person_who_sits_out_has_no_deal() -> None:
    deal = start(0) + start(1, CARDS[20:40]) + start(3, CARDS[40:60])
    record = one(deal + end(scores=(1, 2, 3, -6), counts=b"\1\0\0\0", held=raw((5,))))
    assert (record.sitter, record.players[2]) == (2, "seat2")
    assert record.result == Result(winner=-1, points=(1, 2, 3, -6), hands=((5,), (), None, ()), rest=())
    fourth = codes.HEADER.pack(0, 317 + 4, 2, 100) + struct.pack("<IH", 0, 3) + bytes(315)
    assert one(fourth + DEAL + PLAY[1]).sitter == 3
    assert refused(DEAL + start(3, CARDS[60:80]) + PLAY[1], "x", "huyoo").code == "BAD_SEAT"


def test_rounds_one_after_the_other_and_what_stands_between_them() -> None:
    found = rounds(WHOLE + CONFIG + DEAL + PLAY[1] + DEAL + OVER + TALK, "x", "huyoo")
    assert [one.complete for one in found] == [True, False, True]
    assert [one.tags.get("other_messages") for one in found] == [
        "100/1001×1 100/500×1 turns×1",
        "100/1001×1",
        "100/500×1",
    ]
    assert "config" in found[1].tags


def test_answers_of_the_server_are_put_together() -> None:
    data = chunks(WHOLE) + chunks(WHOLE, 2000, kind=33)
    first, second = rounds(data, "x")
    assert [bare(one).moves for one in (first, second)] == [one_.moves for one_ in [one(WHOLE)] * 2]
    assert (first.tags["kind"], second.tags["kind"]) == ("31", "33")
    assert first.tags["md5"] == "0123456789abcdef" * 2
    swapped = chunks(WHOLE)[: 44 + 500] + codes.CHUNK.pack(31, len(WHOLE), 9, 5, b"0123456789abcdef" * 2) + b"12345"
    assert refused(swapped, "x", "huyoo").code == "BAD_FIELD"
    for size in (44 + 20, 44 + 500, 44 + 500 + 10, 44 + 500 + 44 + 3):
        assert refused(chunks(WHOLE)[:size], "x", "huyoo").code == "TRUNCATED"


@pytest.mark.parametrize(("long", "other"), [(4, 8), (8, 4)])
def test_the_wrong_width_is_refused_whole(long: int, other: int) -> None:
    data = dump(legal("hu15", 20), f"huyoo:long={long}")
    reject = refused(data, "x", f"huyoo:long={other}")
    assert reject.code == "BAD_FIELD"
    assert f"long={long},size=payload" in reject.reason
    assert len(rounds(data, "x", f"huyoo:long={long}")) == 20
    counted = dump(legal("hu15", 20), f"huyoo:long={long},size=message")
    assert "size" in refused(counted, "x", f"huyoo:long={long}").reason
    first = DEAL if long == 4 else b"".join(start(seat, long=8) for seat in range(3))
    refusals = refused(first, "x", f"huyoo:long={other},size=message")
    assert f"long={long},size=payload" in refusals.reason
    assert rounds(counted, "x", f"huyoo:long={long},size=message") == rounds(data, "x", f"huyoo:long={long}")
    assert ADAPTER.sniff(data)
    assert ADAPTER.sniff(counted)


REFUSED = [
    (DEAL + start(0), "BAD_SEAT"),
    (start(0) + start(1, dealer=1) + start(2), "BAD_SEAT"),
    (start(0, dealer=5) + start(1, dealer=5) + PLAY[1], "BAD_SEAT"),
    (start(0) + PLAY[1], "BAD_FIELD"),
    (DEAL[:-1], "TRUNCATED"),
    (DEAL, "TRUNCATED"),
    (start(0, wild=1) + start(1), "UNKNOWN_CARD"),
    (start(0) + start(1, CARDS[20:41]) + start(2) + PLAY[1], "DEAL_SIZE"),
    (start(0) + start(1, CARDS[20:39]) + start(2) + PLAY[1], "DEAL_SIZE"),
    (start(0) + start(1, CARDS[:20]) + start(2) + PLAY[1], "FIFTH_COPY"),
    (DEAL + message(codes.OUT, 0, 0x21), "UNKNOWN_CARD"),
    (DEAL + message(codes.OUT, 0, 0), "UNKNOWN_CARD"),
    (DEAL + message(codes.OUT, 0, 0x0B), "UNKNOWN_CARD"),
    (DEAL + message(codes.OUT, 0, 0x1B), "UNKNOWN_CARD"),
    (DEAL + message(codes.OUT, 3, 1), "BAD_SEAT"),
    (DEAL + message(codes.TI, 0, 1, 5), "BAD_FIELD"),
    (DEAL + message(codes.CHI, 0, 1, 0, b""), "BAD_MOVE"),
    (DEAL + message(codes.CHI, 0, 1, 4, b"\1" * 9), "BAD_MOVE"),
    (DEAL + message(codes.CHI, 0, 1, 1, b"\2\3\4"), "BAD_MOVE"),
    (DEAL + message(codes.CHI, 0, 1, 2, b"\1\2\3\4\5\6"), "BAD_MOVE"),
    (DEAL + message(codes.NOTIFY, 0, 1, 0x8, 0), "BAD_MOVE"),
    (DEAL + message(codes.NOTIFY, 0, 1, 0x8000, 0), "BAD_FIELD"),
    (DEAL + codes.HEADER.pack(0, 4, 100, 111) + bytes(4), "BAD_MOVE"),
    (DEAL + codes.HEADER.pack(0, 4, 100, 116) + bytes(4), "BAD_MOVE"),
    (DEAL + end() + end(), "BAD_MOVE"),
    (DEAL + end(wild=b"\1"), "UNKNOWN_CARD"),
    (DEAL + end(wild_eye=1), "UNKNOWN_CARD"),
    (DEAL + end(scores=(0, 0, 0, 1)), "BAD_SEAT"),
    (DEAL + end(counts=b"\0\0\0\1", held=b"\1"), "BAD_SEAT"),
    (DEAL + end(counts=b"\xff\xff\xff\xff"), "BAD_FIELD"),
    (DEAL + end(left=b"\1" * 84).replace(b"\x54\1\1", b"\xff\1\1"), "BAD_FIELD"),
    (DEAL + end(count=8), "BAD_FIELD"),
    (DEAL + end(count=1, weaves=b"\3\3\1\1\1\1"), "BAD_FIELD"),
    (DEAL + end(winner=3), "BAD_SEAT"),
    (DEAL + PLAY[1] * 2001, "LIMIT"),
    (b"", "EMPTY"),
    (b"phz = 1\n", "SYNTAX"),
    (DEAL + b"\0\0\0", "TRUNCATED"),
    (DEAL + PLAY[1][:-1], "TRUNCATED"),
]


@pytest.mark.parametrize(("data", "code"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_refused(data: bytes, code: str) -> None:
    assert refused(data, "x", "huyoo").code == code


def test_a_parameter_that_is_no_choice_is_refused() -> None:
    for key, value in {"long": "5", "size": "x", "asked": "me", "liang": "first"}.items():
        for use in (lambda form: dump([plain()], form), lambda form: list(read_stream(io.BytesIO(WHOLE), "x", form))):
            with pytest.raises(ValueError, match=f"huyoo has no {key} '{value}'; there are {', '.join(CHOICES[key])}"):
                use(f"huyoo:{key}={value}")


def test_a_bad_round_costs_the_rounds_beside_it_nothing() -> None:
    good = DEAL + OVER
    for bad in (
        DEAL + message(codes.OUT, 0, 0x21) + OVER,
        DEAL + b"\xff" * 100,
        DEAL + PLAY[1] + codes.HEADER.pack(0, 9, 100, codes.OUT) + OVER,
        DEAL + codes.HEADER.pack(0, 60_000, 2, 130),
    ):
        found = list(read_stream(io.BytesIO(good + bad + good), "x", "huyoo"))
        assert [type(one) for one in found] == [Record, Reject, Record]
        assert len(good) <= found[1].byte_offset < len(good) + len(bad)


def test_the_end_of_the_last_message_may_be_missing_where_it_means_nothing() -> None:
    for size in range(1, 5):
        assert one(WHOLE[:-size]).result == one(WHOLE).result
    assert refused(WHOLE[:-5], "x", "huyoo").code == "TRUNCATED"
    found = list(read_stream(io.BytesIO(WHOLE + TALK[:-1]), "x", "huyoo"))
    assert isinstance(found[0], Record)
    assert [one.code for one in found[1:]] == ["TRUNCATED"]


@pytest.mark.parametrize("encoding", ["0..19", "1..20", "rank+100", "1..10,21..30"])
def test_another_encoding_is_never_read_as_another_round(encoding: str) -> None:
    for record in legal("hu15", 30):
        data = dump([record], "huyoo")
        place = {byte(kind): ENCODINGS[encoding].encode(kind) for kind in range(20)}
        other, at = bytearray(data), 0
        while at < len(data):
            _, size, main, sub = codes.HEADER.unpack_from(data, at)
            cards = {100: range(8, 29), 108: [2], 109: [0], 103: [2], 104: [2], 101: [2], 102: [2]}.get(sub, ())
            for where in cards if main == 100 else ():
                other[at + 8 + where] = place.get(data[at + 8 + where], 0)
            at += 8 + size
        found = list(read_stream(io.BytesIO(bytes(other)), "x", "huyoo"))
        assert all(isinstance(one, Reject) for one in found), record


def test_generated_rounds_come_back() -> None:
    seen: set[int] = set()
    for ruleset, persons in (("hu15", 3), ("bisai", 4), ("luzhou", 2), ("qq", 3)):
        records = legal(ruleset, 100, persons)
        for form in (f"huyoo:ruleset={ruleset}", f"huyoo:ruleset={ruleset},long=8"):
            found = rounds(dump(records, form), "x", form)
            assert len(found) == 100
            for record, back in zip(records, found, strict=True):
                _compare(record, back)
                seen |= {move.action for move in back.moves}
    assert seen == set(A) - {A.CHOU_WEI, A.PASS, A.UNCLAIMED, A.CLAIM, A.BU, A.LEAVE}


def _compare(record: Record, back: Record) -> None:
    win = record.moves[-1]
    if win.action == A.HU and win.card == NO_CARD and record.result is not None and record.result.card is not None:
        win = msgspec.structs.replace(win, card=record.result.card)
    assert events(back) == events(with_moves(record, *record.moves[:-1], win), *LOST, same=SAME)
    assert (back.hands, back.liang) == (record.hands, record.liang)
    assert (back.players, back.dealer, back.sitter) == (record.players, record.dealer, record.sitter)
    assert (back.ruleset, back.round_no, back.complete) == (record.ruleset, record.round_no, True)
    drawn = sum(move.action == A.DRAW for move in record.moves)
    assert record.wall is not None
    assert back.wall == (*record.wall[:drawn], *[-1] * (len(record.wall) - drawn))
    told, was = back.result, record.result
    assert told is not None
    assert was is not None
    for field in ("winner", "points"):
        assert getattr(told, field) == getattr(was, field)
    if was.winner != -1:
        assert (told.huxi, told.units, told.card) == (was.huxi, was.units, was.card)
        assert told.source in (was.source, None)
        assert (told.source is None) == (was.source in (Source.LIANG, Source.NONE))
    assert told.rest == record.wall[drawn:]


def test_what_was_read_is_written_again_byte_for_byte() -> None:
    first = dump(legal("bisai", 50, 4), "huyoo:ruleset=bisai")
    whole = rounds(first, "x", "huyoo:ruleset=bisai")
    assert dump(whole, "huyoo:ruleset=bisai") == first


def test_the_replay_finds_nothing_wrong_with_a_legal_round_from_a_file() -> None:
    """Rounds without 臭偎, which the format does not tell from 偎."""
    plain_ones = [record for record in legal("hu15", 60) if A.CHOU_WEI not in {move.action for move in record.moves}]
    assert len(plain_ones) > 30
    for record in rounds(dump(plain_ones, "huyoo"), "x", "huyoo"):
        found = [one for one in replay_round(record).findings if one.severity]
        assert not found, (record, found)


def won(**fields: Any) -> Record:
    given = {"winner": 0, "huxi": 15, "units": Ratio(1), "points": (0, 0, 0), "rest": ()} | fields
    return with_moves(plain(result=Result(**given)), Move(0, A.HU))


CANNOT = [
    (plain(hands=(None, plain().hands[1], plain().hands[2])), "DEAL_SIZE"),
    (plain(liang=None), "DEAL_SIZE"),
    (with_moves(plain(), unknown_card(plain().moves[0])), "UNKNOWN_CARD"),
    (with_moves(plain(), Move(0, A.LEAVE)), "BAD_MOVE"),
    (with_moves(plain(), Move(0, A.BU, 3)), "BAD_MOVE"),
    (with_moves(plain(), Move(0, A.HU, 3), plain().moves[0]), "BAD_MOVE"),
    (with_moves(plain(result=None), Move(0, A.HU, 3)), "BAD_FIELD"),
    (with_moves(plain(), Move(0, A.TI_OPEN, CARDS[0])), "BAD_MOVE"),
    (won(huxi=70_000), "BAD_FIELD"),
    (won(huxi=None), "BAD_FIELD"),
    (won(units=Ratio(17, 5)), "BAD_FIELD"),
    (won(points=None), "BAD_FIELD"),
    (won(xing=(1, 2, 3)), "BAD_FIELD"),
    (won(groups=(Group((1, 1), Form.JIANG), Group((2, 2), Form.JIANG))), "BAD_FIELD"),
    (won(groups=(Group((1, 1, 1)),) * 8), "BAD_FIELD"),
    (with_moves(plain(result=Result(winner=-1), wall=None), Move(-1, A.HUANG)), "BAD_FIELD"),
    (plain(round_no=70_000), "BAD_FIELD"),
]


@pytest.mark.parametrize(("record", "code"), CANNOT, ids=lambda value: value if isinstance(value, str) else "")
def test_what_cannot_be_written(record: Record, code: str) -> None:
    with pytest.raises(Fault) as fault:
        dump([record], "huyoo")
    assert fault.value.code == code


def test_a_bi_is_written_only_behind_its_chi() -> None:
    mine = plain().hands[0]
    assert mine is not None
    bi = Move(0, A.BI, *mine[:3])
    for moves in ((bi,), (Move(0, A.DISCARD, mine[5]), bi), (Move(1, A.DRAW, mine[5]), bi)):
        with pytest.raises(Fault, match="a 比 without its 吃") as fault:
            dump([with_moves(plain(), *moves)], "huyoo")
        assert fault.value.code == "BAD_MOVE"


def fixture() -> bytes:
    """A round made by hand with every message, and two legal ones."""
    return WHOLE + dump(legal("hu15", 2), "huyoo")


def test_the_fixture() -> None:
    check_fixture("huyoo.huyoo", fixture())


def test_a_file_cut_anywhere() -> None:
    outcomes = cut_everywhere(WHOLE, "x", "huyoo")
    assert set(outcomes) == {"record", "TRUNCATED", "EMPTY"}


def test_damaged_files() -> None:
    outcomes = survived(WHOLE, "x", 4000, 1, "huyoo")
    assert min(outcomes.values()) > 100
    survived(chunks(WHOLE), "x", 1500, 2, "huyoo")


@pytest.mark.slow
def test_many_damaged_files() -> None:
    survived(WHOLE, "x", 80_000, 3, "huyoo")
    survived(chunks(WHOLE), "x", 20_000, 4, "huyoo")


def test_memory(tmp_path) -> None:
    check_memory(tmp_path, WHOLE, "huyoo")


def test_nasty_files() -> None:
    for data in (
        b"\0" * 100_000,
        b"\xff" * 100_000,
        codes.HEADER.pack(0xFFFF, 0xFFFF, 2, 0xFFFF) + bytes(0xFFFF),
        DEAL + codes.HEADER.pack(0, 0xFFFF, 101, 1) * 1000,
        DEAL + PLAY[1] + TALK * 5000,
        (DEAL + end()) * 3 + DEAL[:9],
    ):
        assert list(read_stream(io.BytesIO(data), "x", "huyoo"))
