"""The clauses of chapter 15 of docs/rules.md, one by one: 泸州."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

import replay
from ingest.cards import CHARS
from ingest.codes import Action
from ingest.record import Move, Record
from tests.docs.tables import ROOT, rows
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled
from tests.rules.legal import legal
from tests.rules.seats import for_two, with_sitter
from tests.rules.worth import worth

READY = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 24 胡 with 五
BLACK = "壹壹壹五六八八捌九九玖叁叁三肆伍陆"  # with 碰 捌 and 四: 12 胡, no red


def luzhou(hands: dict[int, str], moves: Sequence[str], **more: Any) -> Record:
    """A deal whose bottom card is black."""
    return deal(hands, moves, ruleset="luzhou", **({"wall_end": "一"} | more))


def test_r15_1_the_person_who_sits_out() -> None:
    record = with_sitter(luzhou({1: READY}, ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]))
    assert settled(record).points == (-2, 4, 0, -2)
    acted = with_sitter(luzhou({}, ["0 打 九", "1 摸 捌"]), extra=[Move(2, Action.DRAW, 3)])
    assert faults(acted) == {("XING_ACTED", 2)}
    two = for_two(luzhou({1: READY}, ["0 打 陆", "1 摸 八", "0 摸 五", "1 胡"]))
    assert settled(two).points == (-2, 2)


def test_r15_2_the_dealers_card_is_no_liang() -> None:
    """Nobody is offered it; a record may leave it in the dealer's hand."""
    record = luzhou({1: READY}, [], liang="五")
    assert not any(move.startswith("1") for move in legal(record))
    assert record.hands[0] is not None
    assert record.liang is not None
    whole = (record.hands[0] + (record.liang,), *record.hands[1:])
    assert legal(msgspec.structs.replace(record, hands=whole, liang=None)) == legal(record)
    two = for_two(luzhou({}, ["0 打 九"]))
    assert two.wall is not None
    assert len(two.wall) == 39
    clean(two)
    assert faults(msgspec.structs.replace(two, wall=two.wall[1:])) == {("WALL_MISMATCH", -1)}


def test_r15_3_the_bottom_card_may_be_taken_but_not_won() -> None:
    """The last draw is of seat 1; seat 2 is whole with it."""
    ready, options = "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍", {"peng_forced": False}
    record, moves = quiet_round({2: ready}, ruleset="luzhou", last="陆", liang="十", options=options)
    assert moves[-1] == "1 摸 陆"
    assert "2 胡" not in legal(with_moves(record, moves, complete=False))
    assert seen(with_moves(record, [*moves, "2 胡"])) == {("HU_SOURCE", 2)}
    record = luzhou({1: "叁叁叁"}, ["0 打 十"], wall_end="叁")
    assert record.wall is not None
    turns = [f"{(1 + place) % 3} 摸 {CHARS[card]}" for place, card in enumerate(record.wall)]
    last = msgspec.structs.replace(with_moves(record, ["0 打 十", *turns]), complete=False)
    assert legal(last) == {"1 提 叁"}


@pytest.mark.parametrize(("option", "value"), [("huxi_peng", (3, 6)), ("huxi_kan", (3, 6))])
def test_r15_4_the_table_is_an_option(option: str, value: tuple[int, int]) -> None:
    hand, meld = "捌捌捌玖玖玖四四肆一一壹八九", "碰 柒" if option == "huxi_peng" else "偎 柒"
    plain = replay.evaluate_hand(hand, [meld, "碰 陆"], "十", "other_draw", "luzhou")
    other = worth(hand, "十", "other_draw", [meld, "碰 陆"], ruleset="luzhou", options={option: value})
    assert plain.huxi - other.huxi == {"huxi_peng": (9 - 6) + (3 - 6), "huxi_kan": (12 - 6) + 2 * (9 - 6)}[option]


def test_r15_5_nine_is_too_little() -> None:
    nine = {1: "壹壹壹二三四三四五六七八六七八伍陆柒捌玖"}
    assert seen(luzhou(nine, ["0 打 十", "1 摸 一", "2 摸 拾", "1 胡"])) == {("ZHA_HU_XI", 1)}
    options = {"min_huxi": 9}
    assert settled(luzhou(nine, ["0 打 十", "1 摸 一", "2 摸 拾", "1 胡"], options=options)).huxi == 9


def test_r15_6_a_peng_is_due_unless_barred_dead_or_lost_to_a_win() -> None:
    assert legal(luzhou({1: "五五"}, ["0 打 五"])) == {"1 碰 五"}
    assert seen(luzhou({1: "五五"}, ["0 打 五", "1 过"])) == {("PENG_DECLINED", 1)}
    assert seen(luzhou({1: "五五"}, ["0 打 五", "1 过", "1 碰", "1 打 九"])) == {("PENG_DECLINED", 1)}
    assert seen(luzhou({1: "五五四六"}, ["0 打 五", "1 吃 五 四六"])) >= {("PENG_DECLINED", 1)}
    eaten = luzhou({2: "五五", 1: "四六"}, ["0 打 五", "1 吃 五 四六", "1 打 九"])
    assert seen(eaten) == {("PENG_DECLINED", 2)}  # who eats is not to blame: nothing was announced (4.8)
    # 跑 and 胡 go first.
    clean(luzhou({1: "五五", 2: READY}, ["0 打 五", "2 胡"]))
    # A kind that the seat declined before is barred, and not due again.
    again = ["0 打 五", "1 过", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁", "2 打 五", "0 摸 捌"]
    assert [code for code, _ in seen(luzhou({1: "五五"}, again))] == ["PENG_DECLINED"]
    # So is one's own discard.
    own = ["0 打 九", "1 摸 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 陆", "0 摸 贰", "0 吃 贰 柒拾", "0 打 五"]
    assert "1 碰 五" not in legal(luzhou({1: "五"}, own))
    # It costs the right to win.
    banned = ["0 打 三", "1 过", "1 摸 八", "2 摸 五", "1 胡"]
    hand = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆三三叁"
    assert ("HU_BANNED", 1) in faults(luzhou({1: hand}, banned))
    assert settled(luzhou({1: hand}, ["0 打 十", "1 摸 八", "2 摸 五", "1 胡"])).winner == 1


def test_r15_7_a_discard_makes_no_pao_of_a_tabled_peng() -> None:
    start = ["0 打 五", "1 碰", "1 打 九", "2 摸 贰", "2 吃 贰 壹叁", "2 打 五"]
    clean(luzhou({1: "五五"}, [*start, "0 摸 捌"]))
    assert seen(luzhou({1: "五五"}, [*start, "1 跑"])) == {("MELD_INVALID", 1)}
    rest = "壹壹壹捌捌捌玖玖玖四肆肆十十拾六陆"
    assert not replay.evaluate_hand(rest, ["碰 五"], "五", "discard", "luzhou").wins


def test_r15_8_the_dealers_whole_hand_is_a_choice() -> None:
    record = luzhou({0: READY}, [], liang="五")
    assert "0 胡" in legal(record)
    clean(luzhou({0: READY}, ["0 打 五"], liang="五"))
    five = {0: "一一一四四四八八八玖玖玖叁叁叁"}
    assert "0 胡" not in legal(luzhou(five, [], liang="六"))  # 五坎 alone is nothing


def test_r15_9_dihu_is_of_the_next_seat_on_the_first_discard() -> None:
    assert settled(luzhou({1: READY}, ["0 打 五", "1 胡"])).fan == {"地胡": 2}
    assert settled(luzhou({2: READY}, ["0 打 五", "2 胡"])).fan == {}
    later = ["0 打 陆", "1 摸 八", "2 摸 二", "0 摸 贰", "0 吃 贰 壹叁", "0 打 五", "1 胡"]
    assert settled(luzhou({1: "壹壹壹捌捌捌九九九四六肆肆四伍陆柒十十拾"}, later)).fan == {}


@pytest.mark.parametrize(
    ("options", "deng"),
    [({}, (1, 2, 2)), ({"zi_step": 1}, (3, 12, 15)), ({"zi_step": 1, "deng_cap": 2}, (2, 2, 2))],
)
def test_r15_10_readings_of_deng(options: dict[str, int], deng: tuple[int, ...]) -> None:
    """Hands of 12, 21 and 24 胡."""
    hands: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        (BLACK, "四", ("碰 捌",)),
        (BLACK, "四", ("偎 贰",)),
        (READY, "五", ()),
    )
    found = [worth(hand, card, "other_draw", melds, ruleset="luzhou", options=options) for hand, card, melds in hands]
    assert [value.huxi for value in found] == [12, 21, 24]
    assert tuple(value.deng for value in found) == deng


@pytest.mark.parametrize(("level", "units"), [("half", 4), ("base", 4), ("none", 1)])
def test_r15_11_only_deng(level: str, units: int) -> None:
    value = worth(BLACK, "四", "other_draw", ["碰 捌"], ruleset="luzhou", options={"fan_level": level})
    assert (value.huxi, value.units) == (12, units)


@pytest.mark.parametrize(
    ("pay", "points"), [("discarder_alone", (0, 2, -2)), ("discarder_for_all", (0, 4, -4)), ("all", (-2, 4, -2))]
)
def test_r15_12_who_pays_a_discard(pay: str, points: tuple[int, ...]) -> None:
    moves = ["0 打 陆", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁", "2 打 五", "1 胡"]
    assert settled(luzhou({1: READY}, moves, options={"pay_discard": pay})).points == points
    record, turns = quiet_round(ruleset="luzhou", last="陆", options={"peng_forced": False})
    assert settled(with_moves(record, [*turns, "荒"])).points == (0, 0, 0)


def test_r15_13_words_of_the_region() -> None:
    words = {cells[0]: cells[2] for cells in rows(ROOT / "docs" / "glossary.md", columns=6)}
    assert "泸州 一列" in words["顺"]
    assert "泸州 壠" in words["提"]
    assert "泸州 招" in words["跑"]


def test_r15_14_what_may_be_eaten() -> None:
    clean(luzhou({}, ["0 打 五", "1 吃 五 四六", "1 打 十"]))
    clean(luzhou({}, ["0 打 拾", "1 摸 五", "1 吃 五 四六", "1 打 十"]))
    assert ("GE_SHAN", 2) in faults(luzhou({}, ["0 打 拾", "1 摸 五", "2 吃 五 四六", "2 打 十"]))
    assert ("SHAO_BI", 1) in faults(luzhou({1: "一二三四五"}, ["0 打 三", "1 吃 三 四五", "1 打 十"]))


def test_r15_15_hu_pao_peng_chi() -> None:
    start = ["0 打 五"]
    assert ("WRONG_PRIORITY", 1) in faults(luzhou({1: "四六", 2: "五五"}, [*start, "2 求 碰", "1 吃 五 四六"]))
    assert ("WRONG_PRIORITY", 1) in faults(luzhou({1: "四六", 2: "五五五"}, [*start, "1 吃 五 四六", "1 打 十"]))
    second = "玖玖玖三三三一一一四六拾拾十二二贰伍陆柒"
    record = luzhou({1: READY, 2: second}, [*start, "1 求 胡", "2 胡"])
    assert ("WRONG_PRIORITY", 2) in faults(record)
