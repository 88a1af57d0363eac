"""The second log of the 桂林字牌 server: who did what is taken from hands and names, never guessed."""

from __future__ import annotations

import io
from itertools import groupby
from pathlib import Path

import msgspec
import pytest

from ingest.adapters.guilin_log import ADAPTER, MOST, MOST_OPEN
from ingest.adapters.guilin_log_round import OMITS
from ingest.adapters.guilin_log_write import LOST
from ingest.adapters.registry import Reject
from ingest.codes import Action
from ingest.convert import dump
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.reader import read_path, read_stream
from ingest.record import Move, Record, Result
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.ingest.damage import survived
from tests.ingest.fixtures import check_fixture, cut_everywhere, refused, rounds
from tests.ingest.guilin_logs import deck
from tests.ingest.made import bare, filled, plain
from tests.ingest.memory import check_memory

FILE = "fightDetail.log"
LISTED = "guilin_log:order=listed"
A = Action
PLAYERS = [Player("甲"), Player("乙 b:", peng=90, chi=90), Player("丙", hu=80, chi=40)]


def table(**changes: object) -> Record:
    """A round with every event that the log has a line for; only well-formed, not legal.

    ``deck`` as in the pushes' tests; the dealer has two more quads in hand, and one seat was dealt an extra card.
    """
    cards = deck()
    wall = [card - 1 for card in cards.pop("wall")]
    hands = [[card - 1 for card in hand] for hand in cards.values()]
    liang = hands[0].pop()
    given = {
        "ruleset": "guilin",
        "players": ("甲", "乙 b:", "丙"),
        "dealer": 0,
        "hands": tuple(map(tuple, hands)),
        "liang": liang,
        "wall": tuple(wall),
        "platform": "guilin-2017",
        "room": "2423",
        "round_no": 3,
        "started_at": "2017-08-16T11:37:02.285",
        "complete": False,
        "omits": OMITS,
        "moves": (
            Move(0, A.DISCARD, 1, t_ms=100),
            Move(1, A.PENG, 1, t_ms=200),
            Move(1, A.DISCARD, 7, t_ms=300),
            Move(2, A.CHI, 7, 8, 9, t_ms=400),
            Move(2, A.DISCARD, 18, t_ms=500),
            Move(0, A.DRAW, wall[0], t_ms=2600),
            Move(1, A.DRAW, wall[1], t_ms=4700),
        ),
    }
    return Record(**(given | changes))


def laid(*moves: Move, hands: tuple[str, str, str], wall: str, liang: int = 0, **changes: object) -> Record:
    """A record of chosen cards: kinds as letters a..t, every hand filled up to 20 with what is left."""
    extra = [move.card for move in moves if move.action == A.BU]
    given = filled(hands, wall, 19 - len(extra), [liang, *extra])
    return table(hands=tuple(given[:3]), wall=given[3], liang=liang, moves=moves, **changes)


def every_act() -> Record:
    """Acts from hand and table, a first and a later 跑, quads laid with it, 比, 臭偎, an extra card."""
    return laid(
        Move(1, A.BU, 16),
        Move(0, A.DISCARD, 1, t_ms=1),
        Move(1, A.CHI, 1, 6, 9, t_ms=2),
        Move(1, A.BI, 1, 0, 2, t_ms=2),
        Move(1, A.BI, 1, 11, 11, t_ms=2),
        Move(1, A.DISCARD, 3, t_ms=3),
        Move(2, A.PENG, 3, t_ms=4),
        Move(2, A.DISCARD, 12, t_ms=5),
        Move(0, A.DRAW, 4, t_ms=6),
        Move(0, A.WEI, 4, t_ms=7),
        Move(0, A.DISCARD, 13, t_ms=8),
        Move(1, A.DRAW, 5, t_ms=9),
        Move(1, A.CHOU_WEI, 5, t_ms=10),
        Move(1, A.DISCARD, 14, t_ms=11),
        Move(2, A.DRAW, 3, t_ms=12),
        Move(2, A.PAO, 3, t_ms=13),
        Move(2, A.TI_OPEN, 7, t_ms=13),
        Move(2, A.TI_OPEN, 8, t_ms=13),
        Move(0, A.DRAW, 4, t_ms=14),
        Move(0, A.TI, 4, t_ms=15),
        Move(0, A.DISCARD, 15, t_ms=16),
        Move(1, A.DRAW, 17, t_ms=17),
        Move(0, A.PAO, 17, t_ms=18),
        Move(1, A.DRAW, 18, t_ms=19),
        Move(1, A.TI, 18, t_ms=20),
        Move(1, A.DISCARD, 19, t_ms=21),
        hands=("beenprrr", "gjbacblldffossst", "ddmhhhhiiii"),
        wall="efders",
        liang=10,
    )


def text(record: Record) -> list[str]:
    return dump([record], "guilin_log").decode().splitlines()


def joined(lines: list[str]) -> bytes:
    return "\n".join(lines).encode() + b"\n"


def told(record: Record) -> Record:
    """What the log can carry of a record: of several 比 laid together not their order."""
    moves = [msgspec.structs.replace(m, face=0) for m in record.moves if m.action not in LOST]
    at = 0
    for is_bi, run in groupby(moves, lambda move: move.action == A.BI):
        size = len(list(run))
        if is_bi:
            whole = [msgspec.structs.replace(m, a=min(m.a, m.b), b=max(m.a, m.b)) for m in moves[at : at + size]]
            moves[at : at + size] = sorted(whole, key=lambda m: sorted((m.card, m.a, m.b)))
        at += size
    return msgspec.structs.replace(
        bare(record),
        platform="guilin-2017",
        ruleset="guilin",
        options={},
        session="",
        complete=False,
        omits=OMITS,
        moves=tuple(moves),
        started_at=None
        if record.started_at is None
        else f"{record.started_at:.<19.19}.{record.started_at[20:] or '000'}",
        result=None,
        offers=None,
        visible=None,
        tags={},
    )


def untagged(record: Record) -> Record:
    return msgspec.structs.replace(record, tags={})


def test_every_event_comes_back() -> None:
    record = every_act()
    (back,) = rounds(joined(text(record)), FILE)
    assert untagged(back) == record
    assert back.tags == {"lines": "25", "seat_order": "seen", "forced": "9:8 12:7 15:31 19:10 22:5 24:9"}
    assert {move.action for move in back.moves} == set(A) - LOST


def test_the_lines_are_those_of_the_server() -> None:
    begin = "[2017-08-16 11:37:02.385] [INFO] fightDetail - [fightHandler.js] [1] roomId:2423 currCircle:3 "
    lines = text(table())
    assert lines[4].startswith(begin + "playerName:甲 postID:2 afterPostHandList:1,1,3,4,5,")
    assert (
        lines[5]
        .split("currCircle:3 ")[1]
        .startswith("playerName:乙 b: actType:3 actCard:2,2 afterActHandList:3,3,3,4,")
    )
    assert lines[9].split("currCircle:3 ")[1] == "remainCardList:" + ",".join(
        str(card + 1) for card in table().wall[1:]
    )


def test_lines_without_clock_names_and_last_line_end() -> None:
    record = table(started_at=None, players=("seat0", "seat1", "seat2"))
    record = msgspec.structs.replace(record, moves=tuple(msgspec.structs.replace(m, t_ms=None) for m in record.moves))
    lines = text(record)
    for name in record.players:
        lines = [line.replace(f"playerName:{name} ", "") for line in lines]
    assert all(line.startswith("roomId:") and "playerName" not in line for line in lines)
    (back,) = rounds(joined(lines)[:-1], FILE)
    assert untagged(back) == record


def test_two_players_of_one_name_are_told_apart_by_their_hands() -> None:
    record = every_act()
    record = msgspec.structs.replace(record, players=("甲", "甲", "丙"))
    (back,) = rounds(joined(text(record)), FILE)
    assert untagged(back) == record


def test_a_hand_that_could_be_of_two_seats_is_refused() -> None:
    """Both hold the same cards, so that the line without a name fits both."""
    record = laid(
        Move(0, A.DISCARD, 0),
        Move(1, A.DISCARD, 1),
        hands=("abcdefghijklmnopqrst", "abcdefghijklmnopqrst", ""),
        wall="",
        liang=0,
        started_at=None,
        players=("seat0", "seat1", "seat2"),
    )
    lines = text(record)
    rounds(joined(lines), FILE)
    found = refused(joined([line.replace("playerName:seat1 ", "") for line in lines]), FILE)
    assert (found.code, found.line) == ("BAD_FIELD", len(lines))
    assert "more than one hand" in found.reason


def test_a_seat_order_that_does_not_show() -> None:
    """Without draws no event depends on it; with one, nobody knows who drew, unless the user does."""
    first = table().moves[0]
    (back,) = rounds(joined(text(table(moves=(first,)))), FILE)
    assert (back.tags["seat_order"], back.players) == ("assumed", table().players)
    record = table(moves=(first, Move(1, A.DRAW, table().wall[0])))
    found = refused(joined(text(record)), FILE)
    assert (found.code, "order=listed" in found.reason) == ("BAD_SEAT", True)
    (back,) = rounds(joined(text(record)), FILE, LISTED)
    assert (untagged(back), back.tags["seat_order"]) == (record, "listed")
    assert refused(joined(text(record)), FILE, "guilin_log:order=left").code == "BAD_FIELD"


def test_hands_listed_against_the_turn() -> None:
    """The order of the hands is that of coming to the table; the play shows the turn."""
    lines = text(every_act())
    turned = [lines[0], lines[1], lines[3], lines[2], *lines[4:]]
    (back,) = rounds(joined(turned), FILE)
    assert (untagged(back), back.tags["seat_order"]) == (every_act(), "seen")
    assert refused(joined(turned), FILE, LISTED).code == "BAD_FIELD"


def test_rooms_are_mixed_and_a_room_plays_on() -> None:
    one, two = text(every_act()), [line.replace("roomId:2423", "roomId:7") for line in text(table())]
    again = [line.replace("currCircle:3", "currCircle:4") for line in text(table())]
    mixed = [line for pair in zip(one, two + [None] * len(one), strict=False) for line in pair if line]
    found = list(read_all(joined([*mixed, *again])))
    assert [(one.room, one.round_no, one.source.line) for one in found] == [
        ("2423", 3, 1),
        ("7", 3, 2),
        ("2423", 4, 37),
    ]
    assert [one.moves for one in found] == [every_act().moves, table().moves, table().moves]
    assert [one.source.index for one in found] == [0, 1, 2]


def read_all(raw: bytes) -> list[Record]:
    return [one for one in read_stream(io.BytesIO(raw), FILE) if isinstance(one, Record)]


def changed(at: int, old: str, new: str, record: Record | None = None) -> bytes:
    lines = text(record or every_act())
    assert old in lines[at], lines[at]
    lines[at] = lines[at].replace(old, new, 1)
    return joined(lines)


@pytest.mark.parametrize(
    ("raw", "code", "says", "line"),
    [
        (changed(4, "postID:2 ", "postID:21 "), "UNKNOWN_CARD", "postID", 5),
        (changed(0, "RemainCard:", "RemainCard:0,"), "UNKNOWN_CARD", "wall", 1),
        (changed(5, "actType:4", "actType:33"), "BAD_MOVE", "33", 6),
        (changed(5, "actType:4", "actType:11"), "BAD_MOVE", "11", 6),
        (changed(5, "actCard:7,10", "actCard:7"), "BAD_FIELD", "two hand cards", 6),
        (changed(7, "actCard:4,4", "actCard:4,5"), "BAD_FIELD", "copies of one card", 8),
        (changed(7, "actCard:4,4", "actCard:"), "BAD_FIELD", "copies of one card", 8),
        (changed(5, "playerName:乙 b:", "playerName:丁"), "BAD_SEAT", "丁", 6),
        (changed(5, "playerName:乙 b:", "playerName:甲"), "BAD_FIELD", "no hand", 6),
        (changed(5, "playerName:乙 b: act", "playerName:乙 b: new:1 act"), "BAD_SEAT", "new:1", 6),
        (changed(4, "currCircle:3", "currCircle:2"), "BAD_FIELD", "round 3", 5),
        (changed(4, "2017-08-16", "2017-13-16"), "BAD_FIELD", "no such time", 5),
        (changed(4, "2017-08-16", "2016-08-16"), "BAD_FIELD", "within a day", 5),
        (changed(4, " postID", " throwID"), "SYNTAX", "not a line", 5),
        (changed(4, " postID", " throwID")[:-1], "SYNTAX", "not a line", 5),
        (joined(text(every_act())[1:]), "BAD_FIELD", "missing", 1),
        (joined([*text(every_act())[:3], *text(every_act())[4:]]), "DEAL_SIZE", "three hands", 3),
        (joined([*text(every_act())[:6], *text(every_act())[1:]]), "BAD_FIELD", "second deal", 7),
        (joined([*text(every_act())[:4], *text(every_act())[5:]]), "BAD_MOVE", "no card is open", 5),
        (joined([*text(every_act())[:9], *text(every_act())[10:]]), "BAD_FIELD", "wall", 12),
        (b"roomId:1 currCircle:1 afterLorderRemainCard:1,2\n" * 1, "DEAL_SIZE", "three hands", 1),
    ],
)
def test_refusals_name_code_and_line(raw: bytes, code: str, says: str, line: int) -> None:
    found = refused(raw, FILE)
    assert (found.code, found.line) == (code, line), found
    assert says in found.reason
    assert len(found.raw_hash) == 32


def test_a_line_that_is_lost_is_never_read_over() -> None:
    """Whatever line is missing, the rest is refused, or all but that line is told as it was."""
    record = every_act()
    lines = text(record)
    read = set()
    for lost in range(len(lines) - 1):
        (found,) = read_stream(io.BytesIO(joined(lines[:lost] + lines[lost + 1 :])), FILE)
        if isinstance(found, Record):
            left = {move.t_ms for move in found.moves}
            assert found.moves == tuple(move for move in record.moves if move.t_ms in left)
            read.add(lost)
        else:
            assert found.code in {"BAD_FIELD", "BAD_MOVE", "DEAL_SIZE", "BAD_SEAT"}, lost
    # The last discard of a seat, and a quad of its last act.
    assert len(read) <= 3


@pytest.mark.parametrize("name", ["0..19", "nibble", "rank+100", "100+200", "1..80 by kind", "1..80 by copy"])
def test_another_encoding_is_refused(name: str) -> None:
    """Every deal names all cards, so that numbers of another encoding show at once."""
    code = ENCODINGS[name]
    lines = []
    for line in text(table()):
        head, _, cards = line.rpartition(":")
        lines.append(f"{head}:" + ",".join(str(code.encode(int(card) - 1)) for card in cards.split(",")))
    assert refused(joined(lines), FILE).code in {"UNKNOWN_CARD", "FIFTH_COPY"}


def test_test_decks_and_wrong_decks() -> None:
    lines = text(table())
    short = [lines[0].split("Card:")[0] + "Card:1,2,3", *lines[1:]]
    assert refused(joined(short), FILE).code == "DEBUG_DECK"
    assert refused(joined([lines[0] + ",1", *lines[1:]]), FILE).code == "DEAL_SIZE"
    assert refused(joined([lines[0][: lines[0].rindex(",")] + ",1", *lines[1:]]), FILE).code == "FIFTH_COPY"
    moved = lines[2][: lines[2].rindex(",")]
    assert (
        refused(joined([lines[0], lines[1] + lines[2][lines[2].rindex(",") :], moved, *lines[3:]]), FILE).code
        == "DEAL_SIZE"
    )
    assert refused(joined([lines[0] + ",1" * 80, *lines[1:]]), FILE).code == "LIMIT"


def test_two_extra_cards_show_the_dealer_by_the_first_discard() -> None:
    record = laid(Move(0, A.BU, 1), Move(0, A.DISCARD, 3), hands=("d", "", ""), wall="", liang=2, started_at=None)
    (back,) = rounds(joined(text(record)), FILE)
    assert untagged(back) == record
    equal = laid(Move(1, A.BU, 1), hands=("d", "", ""), wall="", liang=2, started_at=None)
    assert refused(joined(text(equal)), FILE).code == "DEAL_SIZE"


def test_a_second_bi_that_may_be_made_in_two_ways_is_refused() -> None:
    """Six cards beside a 吃: one way to make two 比 of them that the server could have offered, or none."""
    one = (Move(0, A.DISCARD, 1), Move(1, A.CHI, 1, 11, 11), Move(1, A.BI, 1, 0, 2), Move(1, A.BI, 1, 6, 9))
    record = laid(*one, hands=("b", "llbbacgj", ""), wall="", liang=0)
    (back,) = rounds(joined(text(record)), FILE)
    assert back.moves == record.moves
    two = (*one[:2], Move(1, A.BI, 1, 0, 2), Move(1, A.BI, 1, 2, 3), Move(1, A.DISCARD, 5))
    record = laid(*two, hands=("b", "llbbaccdf", ""), wall="", liang=0)
    assert rounds(joined(text(record)), FILE)[0].moves == record.moves
    odd = (*one[:2], Move(1, A.BI, 1, 0, 6), Move(1, A.BI, 1, 2, 9), Move(1, A.DISCARD, 5))
    record = laid(*odd, hands=("b", "llbbacgjf", ""), wall="", liang=0)
    # The same cards as in the first case: they can only be read as the server could have meant them.
    assert rounds(joined(text(record)), FILE)[0].moves[2:4] == one[2:]
    none = (*one[:2], Move(1, A.BI, 1, 4, 6), Move(1, A.BI, 1, 8, 14), Move(1, A.DISCARD, 5))
    record = laid(*none, hands=("b", "llbbegiof", ""), wall="", liang=0)
    found = refused(joined(text(record)), FILE)
    assert (found.code, found.line, "one way" in found.reason) == ("BAD_FIELD", 6, True)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (plain(players=("a", "b"), hands=plain().hands[:2]), "BAD_SEAT"),
        (plain(sitter=1, hands=(plain().hands[0], None, plain().hands[2])), "BAD_SEAT"),
        (table(hands=(None, *table().hands[1:])), "DEAL_SIZE"),
        (table(liang=None), "DEAL_SIZE"),
        (table(wall=table().wall[:-1]), "DEAL_SIZE"),
        (table(wall=(*table().wall[:-1], -1)), "DEAL_SIZE"),
        (table(players=("a\nb", "", "")), "BAD_FIELD"),
        (table(moves=(Move(0, A.DISCARD, 11),)), "BAD_MOVE"),
        (table(moves=(Move(2, A.DRAW, table().wall[0]),)), "BAD_MOVE"),
        (table(moves=(Move(1, A.DRAW, table().wall[1] + 1),)), "BAD_MOVE"),
        (table(moves=(Move(0, A.TI_OPEN, 3),)), "BAD_MOVE"),
        (table(moves=(Move(0, A.BI, 3, 3, 3),)), "BAD_MOVE"),
        (table(moves=(Move(0, A.DISCARD, 1), Move(1, A.PENG, 1), Move(1, A.TI, 1))), "BAD_MOVE"),
        (table(moves=(Move(1, A.PENG, 1), Move(1, A.TI_OPEN, 11))), "BAD_MOVE"),
        (table(moves=(Move(0, A.DISCARD, 1), Move(0, A.TI_OPEN, 11))), "BAD_MOVE"),
        (table(moves=(Move(2, A.PASS), Move(2, A.BI, 1, 0, 2))), "BAD_MOVE"),
    ],
)
def test_what_the_log_cannot_carry(record: Record, code: str) -> None:
    with pytest.raises(Fault) as caught:
        dump([record], "guilin_log")
    assert caught.value.code == code


def test_what_the_log_loses() -> None:
    more = (Move(-1, A.UNCLAIMED, table().wall[1]), Move(2, A.PASS), Move(2, A.HU, 3), Move(1, A.CLAIM, 3, int(A.PENG)))
    record = table(moves=(*table().moves, *more), result=Result(winner=2), session="s", complete=True, options={"a": 1})
    (back,) = rounds(joined(text(record)), FILE)
    assert untagged(back) == told(record) == table()


def test_generated_rounds_come_back() -> None:
    made = list(sessions(engine(RULESETS["guilin"], compiled()), 11, 330, PLAYERS))
    raw = dump(made, "guilin_log")
    back = rounds(raw, FILE, LISTED)
    by_key = {(one.room, one.round_no): one for one in map(told, made)}
    assert {(one.room, one.round_no): untagged(one) for one in back} == by_key
    seen = read_all(raw)
    assert len(seen) > 250
    assert all(untagged(one) == by_key[one.room, one.round_no] for one in map(bare, seen))


def test_recorded_rounds_told_by_this_log_are_the_same_rounds(shared: Path) -> None:
    """105 rounds of the live server, written as its second log would have told them, and read."""
    found = list(read_path(shared / "records" / "guilin" / "complete.jsonl"))
    records = [one for one in found if isinstance(one, Record)]
    assert len(records) == 105
    outcomes = {"seen": 0, "assumed": 0, "refused": 0}
    for record in records:
        raw = dump([record], "guilin_log")
        (back,) = rounds(raw, FILE, LISTED)
        assert pairs(back) == pairs(told(record)), record.tags["id"]
        assert (back.players, back.dealer, back.wall) == (record.players, record.dealer, record.wall)
        assert back.liang == record.liang
        seen = read_all(raw)
        outcomes[seen[0].tags["seat_order"] if seen else "refused"] += 1
        assert not seen or seen[0].moves == back.moves
    assert outcomes == {"seen": 89, "assumed": 3, "refused": 13}


def pairs(record: Record) -> list[tuple[int, ...]]:
    return [(m.seat, m.action, m.card, *sorted((m.a, m.b)), m.t_ms or 0) for m in record.moves]


def test_fixture() -> None:
    second = msgspec.structs.replace(table(), round_no=4, started_at="2017-08-16T11:44:16.763")
    check_fixture("guilin_log.log", dump([every_act(), second], "guilin_log"))


def test_sniff() -> None:
    assert ADAPTER.sniff(joined(text(table())))
    assert ADAPTER.sniff(b"roomId:1 currCircle:1 remainCardList:\n")
    assert ADAPTER.sniff(b"\xef\xbb\xbfroomId:1 currCircle:1 postID:1 afterPostHandList:\n")
    assert not ADAPTER.sniff(b'{"note":"roomId:1 currCircle:1 remainCardList:"}\n')
    assert not ADAPTER.sniff(b"roomId:1 currCircle:1 other:\n")


def test_cut_at_every_byte() -> None:
    outcomes = cut_everywhere(joined(text(every_act())), FILE)
    assert outcomes.keys() <= {"record", "TRUNCATED", "EMPTY", "WRONG_FORMAT", "DEAL_SIZE"}, outcomes
    assert outcomes["TRUNCATED"] > 1_000
    assert outcomes["record"] > 10


def test_a_cut_round_never_tells_what_was_not_there() -> None:
    raw = joined(text(every_act()))
    whole = every_act().moves
    for size in range(len(raw)):
        for one in read_all(raw[:size]):
            assert one.moves == whole[: len(one.moves)]
            assert one.hands == every_act().hands


NASTY = [
    b"roomId:1 currCircle:99999999999999999999 remainCardList:1\n",
    b"roomId:1 currCircle:1 postID:" + b"9" * 500 + b" afterPostHandList:1\n",
    b"roomId:1 currCircle:1 postID:-1 afterPostHandList:1\n",
    b"roomId:1 currCircle:1 remainCardList:" + b"1," * 400 + b"\n",
    b"roomId:1 currCircle:1 remainCardList:" + b"1," * 4000 + b"\n",
    b"roomId: currCircle:1 remainCardList:,\n",
    b"roomId:\x001 currCircle:1 remainCardList:1\n",
    b"roomId:1 currCircle:1 playerName:\xed\xa0\x80 afterLorderHandList:1\n",
    b"roomId:1 currCircle:1 afterLorderRemainCard:\n" * 5,
    "roomId:1 currCircle:１ remainCardList:1\n".encode(),
    b"[2017-02-30 00:00:00.000] [INFO] fightDetail - roomId:1 currCircle:1 afterLorderRemainCard:1\n",
]


@pytest.mark.parametrize("raw", NASTY)
def test_nasty_lines_are_refused(raw: bytes) -> None:
    found = list(read_stream(io.BytesIO(raw), FILE, "guilin_log"))
    assert found
    assert not [one for one in found if isinstance(one, Record)]


def test_the_room_that_was_silent_longest_is_closed_first() -> None:
    """Room 0 speaks before the other rooms, 2423 after it: both are closed to make room, in this order."""

    def said(room: int) -> str:
        return f"roomId:{room} currCircle:1 remainCardList:1"

    lines = text(table())
    others = [said(room) for room in range(1, MOST_OPEN)]
    found = list(read_stream(io.BytesIO(joined([*lines[:4], said(0), *lines[4:], *others, said(0)])), FILE))
    first, whole, *rest = found
    assert isinstance(first, Reject)
    assert isinstance(whole, Record)
    assert (first.line, untagged(bare(whole))) == (5, table())
    assert [one.line for one in rest if isinstance(one, Reject)] == [*range(13, 13 + MOST_OPEN)]
    assert [one.source.index if isinstance(one, Record) else one.index for one in found] == [*range(MOST_OPEN + 2)]


def test_limits_bound_what_is_kept() -> None:
    many = b"".join(b"roomId:%d currCircle:1 remainCardList:1\n" % n for n in range(3 * MOST_OPEN))
    assert len(list(read_stream(io.BytesIO(many), FILE))) == 3 * MOST_OPEN
    long = text(table())[:4] + [text(table())[0].split("after")[0] + "remainCardList:1"] * 500
    assert refused(joined(long), FILE).code == "LIMIT"
    assert refused(b"roomId:1 currCircle:1 remainCardList:" + b"1" * MOST + b"\n", FILE).code == "LIMIT"


def test_damage_is_told_never_thrown() -> None:
    raw = joined(text(every_act()) + [line.replace("2423", "7") for line in text(table())])
    outcomes = survived(raw, FILE, 5_000, 1, "guilin_log")
    assert min(outcomes.values()) > 500, outcomes


@pytest.mark.slow
def test_much_damage_is_told_never_thrown() -> None:
    raw = joined(text(every_act()) + [line.replace("2423", "7") for line in text(table())])
    outcomes = survived(raw, FILE, 100_000, 2, "guilin_log")
    assert min(outcomes.values()) > 10_000, outcomes


def test_a_large_file_needs_little_memory(tmp_path: Path) -> None:
    check_memory(tmp_path, joined(text(every_act())), "guilin_log")
