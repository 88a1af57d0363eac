"""The grammar of ``.phz``: what each event is written as, and where the finger points when something is wrong."""

from __future__ import annotations

import msgspec
import pytest

from ingest import notation
from ingest.codes import NO_CARD, NO_SEAT
from ingest.limits import Fault
from ingest.notation_moves import (
    read_group,
    read_move,
    read_offer,
    read_penalty,
    write_group,
    write_move,
    write_offer,
    write_penalty,
)
from ingest.record import Group, Move, Offer, Penalty, Ratio, Record, Result
from tests.ingest.made import A, plain, refused, taken

EVENTS = [
    ("0 打 玖", Move(0, A.DISCARD, 18)),
    ("0 摸 五", Move(0, A.DRAW, 4)),
    ("0 摸 ?", Move(0, A.DRAW, -1)),
    ("0 摸 五 明0", Move(0, A.DRAW, 4, face=1)),
    ("0 摸 五 明1", Move(0, A.DRAW, 4, face=2)),
    ("1 吃 玖 柒捌", Move(1, A.CHI, 18, 16, 17)),
    ("1 比 玖玖九", Move(1, A.BI, 18, 18, 8)),
    ("2 碰 五", Move(2, A.PENG, 4)),
    ("2 偎 五", Move(2, A.WEI, 4)),
    ("2 臭偎 五 明1", Move(2, A.CHOU_WEI, 4, face=2)),
    ("2 跑 五 @1500", Move(2, A.PAO, 4, t_ms=1500)),
    ("2 提 五 明1 @0", Move(2, A.TI, 4, face=2, t_ms=0)),
    ("0 亮提 五", Move(0, A.TI_OPEN, 4)),
    ("1 胡", Move(1, A.HU)),
    ("1 胡 五", Move(1, A.HU, 4)),
    ("1 胡 ?", Move(1, A.HU, -1)),
    ("2 过", Move(2, A.PASS)),
    ("2 过 五", Move(2, A.PASS, 4)),
    ("荒", Move(NO_SEAT, A.HUANG)),
    ("无人要", Move(NO_SEAT, A.UNCLAIMED)),
    ("无人要 五", Move(NO_SEAT, A.UNCLAIMED, 4)),
    ("0 补 五", Move(0, A.BU, 4)),
    ("1 求 碰", Move(1, A.CLAIM, a=A.PENG)),
    ("1 求 碰 五", Move(1, A.CLAIM, 4, A.PENG)),
    ("2 逃", Move(2, A.LEAVE)),
]


@pytest.mark.parametrize(("text", "move"), EVENTS, ids=[text for text, _ in EVENTS])
def test_each_event_has_one_spelling(text, move):
    assert read_move(text, "moves", 0) == move
    assert write_move(move) == text


def test_every_action_has_an_example():
    assert {move.action for _, move in EVENTS} == set(A)


def test_ascii_names_and_free_spacing_are_read():
    assert read_move("1  吃 b9 b7b8", "moves", 0) == Move(1, A.CHI, 18, 16, 17)
    assert read_move("0 打 s10", "moves", 0) == Move(0, A.DISCARD, 9)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "BAD_MOVE"),
        ("0", "BAD_MOVE"),
        ("0 飞 五", "BAD_MOVE"),
        ("0 打", "BAD_MOVE"),
        ("0 打 五五", "BAD_MOVE"),
        ("0 打 五 六", "BAD_MOVE"),
        ("0 吃 五", "BAD_MOVE"),
        ("0 吃 五 六七八", "BAD_MOVE"),
        ("0 求 五", "BAD_MOVE"),
        ("0 打 五 明6", "UNKNOWN_CARD"),
        ("0 打 五 @", "UNKNOWN_CARD"),
        ("0 打 五 @1 明1", "UNKNOWN_CARD"),
        ("0 打 王", "UNKNOWN_CARD"),
        ("0 打 s11", "UNKNOWN_CARD"),
        ("0 打 s0", "UNKNOWN_CARD"),
        ("打 五", "BAD_SEAT"),
        ("0 荒", "BAD_SEAT"),
        ("逃", "BAD_SEAT"),
        ("0 逃 五", "BAD_MOVE"),
        ("10 打 五", "BAD_MOVE"),
    ],
)
def test_what_is_no_event_is_refused(text, code):
    with pytest.raises(Fault) as caught:
        read_move(text, "moves", 3)
    assert (caught.value.code, caught.value.path) == (code, ("moves", 3))
    assert "moves[3]" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("-1: 0 胡 -", Offer(-1, 0, A.HU, NO_CARD)),
        ("12: 1 吃 玖 柒捌 玖玖九", Offer(12, 1, A.CHI, 18, (16, 17, 18, 18, 8))),
        ("3: 2 碰 五 五五", Offer(3, 2, A.PENG, 4, (4, 4))),
        ("3: 2 过 ?", Offer(3, 2, A.PASS, -1)),
    ],
)
def test_offers(text, offer):
    assert read_offer(text, "offers", 0) == offer
    assert write_offer(offer) == text


@pytest.mark.parametrize("text", ["", "1 吃 玖 柒捌", "3: 吃 玖", "3: 1 吃", "3: 1 吃 玖玖", "x: 1 胡 -"])
def test_what_is_no_offer_is_refused(text):
    with pytest.raises(Fault):
        read_offer(text, "offers", 0)


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("二七十", Group((1, 6, 9))),
        ("二七十 3", Group((1, 6, 9), huxi=3)),
        ("二七十 二七十 3", Group((1, 6, 9), 2, 3)),
        ("碰 五五五", Group((4, 4, 4), 4)),
        ("将 五五 0", Group((4, 4), 10, 0)),
    ],
)
def test_groups(text, group):
    assert read_group(text) == group
    assert write_group(group) == text


@pytest.mark.parametrize("text", ["", "3", "杠 五五五", "碰 五五五 1 2", "碰 五 五 五"])
def test_what_is_no_group_is_refused(text):
    with pytest.raises(Fault):
        read_group(text)


@pytest.mark.parametrize(
    ("text", "penalty"),
    [
        ("0 C -9 3 3 3", Penalty(0, "C", (-9, 3, 3, 3))),
        ("2 A 10 10 -30", Penalty(2, "A", (10, 10, -30))),
    ],
)
def test_penalties(text, penalty):
    assert read_penalty(text) == penalty
    assert write_penalty(penalty) == text


@pytest.mark.parametrize(
    "text", ["", "0 C", "C -9 3 3", "0 c -9 3 3", "0 CC -9 3 3", "0 C -9 3 x", "0 -9 3 3", "0 C 03 3"]
)
def test_what_is_no_penalty_is_refused(text):
    with pytest.raises(Fault) as caught:
        read_penalty(text, "result", "penalties", 1)
    assert (caught.value.code, caught.value.path) == ("BAD_FIELD", ("result", "penalties", 1))


def changed(old: str, new: str) -> str:
    """A file of three rounds, the second of which has ``old`` replaced by ``new``."""
    one = notation.dumps([plain(1)])
    assert one.count(old) == 1, old
    round_text = one.removeprefix(notation.dumps([]))
    return one + round_text.replace(old, new) + round_text


def line_of(text: str, piece: str) -> int:
    return text[: text.index(piece)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("dealer = 0", "dealr = 0", "BAD_FIELD", "dealr"),
        ("dealer = 0", 'dealer = "0"', "BAD_FIELD", "dealer"),
        ("dealer = 0", "dealer = true", "BAD_FIELD", "dealer"),
        ("dealer = 0", "dealer = 3", "BAD_SEAT", "dealer"),
        ("dealer = 0", "dealer = 0\ndealer = 1", "SYNTAX", "overwrite"),
        ("dealer = 0", "dealer = ", "SYNTAX", "value"),
        ("result.winner = 0", "result.winer = 0", "BAD_FIELD", "result.winer"),
        ("result.winner = 0", "result.winner = 4", "BAD_SEAT", "result.winner"),
        ('ruleset = "qq"', 'ruleset = ""', "UNKNOWN_RULESET", "ruleset"),
        ('"1 吃', '"1 口', "BAD_MOVE", "moves[1]"),
        ('started_at = "2024-03-02T20:00:00"', 'started_at = "2024-02-30"', "BAD_FIELD", "started_at"),
        ('started_at = "2024-03-02T20:00:00"', "started_at = 2024-03-02", "BAD_FIELD", "started_at"),
    ],
)
def test_a_fault_costs_its_own_round_and_names_its_line(old, new, code, said):
    text = changed(old, new)
    found = list(notation.loads(text, "x.phz"))
    assert [isinstance(one, Record) for one in found] == [True, False, True]
    (reject,) = refused(found)
    assert (reject.code, reject.index) == (code, 1)
    assert said in reject.reason
    second = text.index("[[round]]", text.index("[[round]]") + 1)
    assert reject.line == text[: text.index(new, second)].count("\n") + 1 + new.count("\n")
    assert reject.raw_hash


def test_the_line_of_an_event_in_a_long_list_is_found():
    record = plain(moves=tuple(Move(n % 3, A.DISCARD, n % 20) for n in range(100)))
    text = notation.dumps([record, record])
    at = text.rindex('"0 打 拾"')
    text = text[:at] + '"0 打 鬼"' + text[at + len('"0 打 拾"') :]
    (reject,) = refused(list(notation.loads(text)))
    assert (reject.code, reject.index, reject.line) == ("UNKNOWN_CARD", 1, line_of(text, "鬼"))


def test_a_single_round_may_stand_at_the_top():
    text = notation.dumps([plain()]).replace("[[round]]\n", "")
    assert taken(list(notation.loads(text))) == [plain()]


def test_keys_before_the_first_round_are_refused_and_the_rounds_read():
    text = notation.dumps([plain()]).replace("phz = 1\n", 'phz = 1\nplatform = "x"\n')
    first, second = notation.loads(text)
    assert isinstance(second, Record)
    assert second.source.index == 1
    assert (first.code, first.line) == ("BAD_FIELD", 2)


def test_a_table_outside_its_round_is_refused():
    text = notation.dumps([plain(result=None)]) + "[result]\nwinner = 1\n"
    (reject,) = notation.loads(text)
    assert (reject.code, reject.line) == ("BAD_FIELD", line_of(text, "[result]"))
    assert "[round.result]" in reject.reason


@pytest.mark.parametrize(
    ("head", "line"), [("", 1), ("# 注\nphz = 2\n", 2), ("phz = true\n", 1), ('phz = "1"\n', 1), ("phz = 1.0\n", 1)]
)
def test_a_file_of_another_version_is_refused_as_a_whole(head, line):
    text = head + notation.dumps([plain()]).removeprefix("phz = 1\n")
    (reject,) = notation.loads(text)
    assert (reject.code, reject.line) == ("WRONG_FORMAT", line)


def test_every_cut_of_a_file_is_noticed():
    record = plain(result=Result(winner=0, huxi=15), tags={"k": "v"}, offers=(Offer(0, 1, A.PENG, 3, (3, 3)),))
    text = notation.dumps([record])
    for end in range(len(text) - 1):
        found = list(notation.loads(text[:end]))
        assert len(found) == 1, end
        assert refused(found), end
        if end > text.index("ruleset"):
            assert found[0].code == "TRUNCATED", (end, found[0])


def test_fractions_of_a_unit():
    for ratio, said in ((Ratio(17, 5), '"17/5"'), (Ratio(3), "3"), (Ratio(6, 2), '"6/2"')):
        text = notation.dumps([plain(result=Result(units=ratio))])
        assert f"result.units = {said}\n" in text
        assert taken(list(notation.loads(text)))[0].result.units == ratio
    text = text.replace('"6/2"', '"6/0"')
    assert refused(list(notation.loads(text)))[0].code == "BAD_FIELD"


def test_a_record_that_cannot_be_stored_cannot_be_written():
    with pytest.raises(Fault) as caught:
        notation.dumps([msgspec.structs.replace(plain(), dealer=7)])
    assert caught.value.code == "BAD_SEAT"


@pytest.mark.parametrize(
    "text",
    [
        "phz = 1\nx = " + "[" * 5000,
        "phz = 1\n" + "a." * 5000 + "a = 1\n",
        "phz = 1\nx = { " + '"a".' * 5000 + "a = 1 }\n",
        "phz = 1\n[[round]]\nwall = '" + "一" * 500_000 + "'\n",
        "phz = 1\nx = " + "9" * 5000 + "\n",
        "phz = 1\nruleset = " + '"\\"' * 100_000 + "\n",
        "phz = 1\n" + "[[round]]\n" * 2000,
        "phz = 1\n[[round]]\n" + "\n".join(f"k{n} = {n}" for n in range(20_000)),
    ],
    ids=["deep", "dots", "quoted dots", "long", "digits", "quotes", "empty rounds", "many keys"],
)
@pytest.mark.timeout(20)
def test_hostile_text_is_refused_quickly(text):
    found = list(notation.loads(text))
    assert found
    assert refused(found) == found
