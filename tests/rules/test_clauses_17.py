"""The clauses of chapter 17 of docs/rules.md, one by one: 宁乡."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import replay
from ingest.record import Record
from replay.rulesets import resolve
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled
from tests.rules.legal import legal
from tests.rules.worth import worth

READY = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 15 胡 with 五, 4 red
WIN_5 = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]


def ningxiang(hands: dict[int, str], moves: Sequence[str], **more: Any) -> Record:
    return deal(hands, moves, ruleset="ningxiang", **more)


def fan(hand: str, card: str, melds: Sequence[str] = (), source: str = "other_draw") -> tuple[dict[str, int], int]:
    """番 by name, and the points of the winner in units of 5 for each 等 and loser."""
    value = worth(hand, card, source, melds, ruleset="ningxiang")
    assert value.wins
    total = sum(value.fan.values()) or 1
    assert value.payments[0] == 2 * 5 * value.deng * total
    return dict(value.fan), total


def test_r17_1_as_qq_in_play() -> None:
    clean(ningxiang({}, ["0 打 拾", "1 摸 五", "2 吃 五 四六", "2 打 十"]))
    assert ("SHAO_BI", 1) in faults(ningxiang({1: "一二三四五"}, ["0 打 三", "1 吃 三 四五", "1 打 十"]))
    assert ("ZOU_PAO", 1) in faults(ningxiang({1: "五五五"}, ["0 打 五", "1 摸 八"]))
    assert ("SHI_WEI", 1) in faults(ningxiang({1: "五五"}, ["0 打 九", "1 摸 五", "2 摸 八"]))
    thrown = ["0 打 陆", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁", "2 打 五", "1 胡"]
    assert seen(ningxiang({1: READY}, thrown)) == {("HU_SOURCE", 1)}
    laid = ["0 亮提 五", "0 亮提 柒"]
    clean(ningxiang({0: "五五五五柒柒柒"}, [*laid, "1 摸 贰"], liang="柒"))
    for ruleset in ("qq", "ningxiang"):
        value = replay.evaluate_hand(READY, (), "五", "other_draw", ruleset)
        assert (value.wins, value.huxi) == (True, 15)


@pytest.mark.parametrize(
    ("melds", "huxi", "unit"),
    [
        (("偎 壹", "偎 肆", "偎 九"), 15, 10),
        (("偎 壹", "偎 肆", "偎 九", "碰 一", "碰 八"), 17, 10),
        (("偎 壹", "偎 肆", "偎 玖"), 18, 15),
        (("偎 壹", "偎 肆", "偎 玖", "碰 一", "碰 八"), 20, 15),
        (("偎 壹", "偎 肆", "偎 玖", "偎 八"), 21, 20),
        (("偎 壹", "偎 肆", "偎 玖", "偎 捌"), 24, 25),
    ],
)
def test_r17_2_units(melds: tuple[str, ...], huxi: int, unit: int) -> None:
    rest = ("二二贰七七柒三四五", "二二贰七七柒", "二二贰")[len(melds) - 3] + "伍陆"
    value = worth(rest, "柒", "other_draw", melds, ruleset="ningxiang")
    assert (value.wins, value.huxi) == (True, huxi)
    factor = sum(value.fan.values()) or 1
    assert value.payments == (2 * unit * factor, -unit * factor, -unit * factor)


def test_r17_3_no_zimo_no_last_card_no_refused_win() -> None:
    for source in ("own_draw", "other_draw"):
        for last in (False, True):
            assert worth(READY, "五", source, ruleset="ningxiang", last=last).payments == (20, -10, -10)
    refused = ["0 打 陆", "1 摸 八", "2 摸 五", "1 过", "0 摸 二", "1 摸 叁", "2 摸 五", "1 胡"]
    assert settled(ningxiang({1: READY}, refused)).winner == 1
    three = {1: "一一一一四四四四捌捌捌捌"}
    laid = ["1 亮提 一", "1 亮提 四", "1 亮提 捌"]
    clean(ningxiang(three, [*laid, "0 打 十", "1 摸 贰"]))


def test_r17_4_passes_are_kept_apart() -> None:
    """A passed 碰 bars 碰 and makes 臭偎, not 吃; own discards bar 吃 only."""
    hands = {1: "五五伍四六"}
    passed = ["2 打 五", "1 过", "0 摸 贰", "0 吃 贰 壹叁", "0 打 五"]
    eat = ["1 吃 五 四六", "1 比 五五伍", "1 打 十"]
    for ruleset, found in (("ningxiang", set()), ("qq", {("CHOU_CHI", 1)})):
        assert seen(deal(hands, [*passed, *eat], ruleset=ruleset, dealer=2)) == found
        assert seen(deal(hands, [*passed, "1 碰"], ruleset=ruleset, dealer=2)) == {("CHOU_PENG", 1)}
    clean(ningxiang({2: "五五"}, ["0 打 五", "2 过", "1 摸 八", "2 摸 五", "2 臭偎 明1", "2 打 十"]))
    eaten = ["0 打 五", "1 过", "1 摸 捌", "2 摸 陆", "0 摸 贰", "0 吃 贰 壹叁", "0 打 五", "1 吃 五 四六"]
    assert ("CHOU_CHI", 1) in faults(ningxiang({1: "四六"}, eaten))
    own = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 捌", "0 摸 八", "0 吃 八 七九", "0 打 五"]
    assert not any(move.startswith("1 吃") for move in legal(ningxiang({1: "四六"}, own)))


LOCKED = {1: "五五壹壹壹叁叁叁肆肆肆捌捌捌一一一三三三"}


def test_r17_5_a_dead_hand_is_out() -> None:
    """After the 偎 only 坎 are left: nothing is discarded, and the seat only lays 跑 and 提 from then on."""
    wei = ["0 打 九", "1 摸 五", "1 偎"]
    clean(ningxiang(LOCKED, [*wei, "2 摸 八"]))
    clean(ningxiang(LOCKED, [*wei, "2 摸 一", "1 跑", "2 摸 八"]))
    assert ("ZOU_PAO", 1) in faults(ningxiang(LOCKED, [*wei, "2 摸 一", "0 摸 八"]))
    assert faults(ningxiang(LOCKED, [*wei, "1 打 一"])) != set()
    assert not any("胡" in move for move in legal(ningxiang(LOCKED, [*wei, "2 摸 一"])))
    assert settled(ningxiang(LOCKED, [*wei[:2], "1 胡"])).winner == 1  # the 偎 makes a win, which comes first
    assert resolve("ningxiang").dead_forced == "waive_and_out"
    # A 吃 that would leave only 坎 is not made.
    assert replay.chi_options("四六三三三", "五", ruleset="ningxiang") == []


def test_r17_6_black() -> None:
    hand = "叁叁叁捌捌捌九九九四六肆肆四伍伍五一一壹"
    assert fan(hand, "五")[0] == {"黑胡": 5}


def test_r17_7_one_red() -> None:
    hand = "叁叁叁捌捌捌九九九四六肆肆四伍陆柒一一壹"
    assert fan(hand, "五")[0] == {"点胡": 4}


def test_r17_8_three_equal_red() -> None:
    hand = "柒柒柒捌捌捌九九九四六肆肆四伍伍五一一壹"
    assert fan(hand, "五")[0] == {"三扁": 3}
    apart = "叁叁叁捌捌捌九九九四六二二贰伍伍五一一壹"
    assert fan(apart, "五")[0] == {}


def test_r17_9_four_equal_red() -> None:
    hand = "捌捌捌九九九四六肆肆四伍伍五一一"
    assert fan(hand, "五", ("提 柒",))[0] == {"四扁": 4}


def test_r17_10_two_red_groups() -> None:
    hand = "柒柒柒贰贰贰九九九四六肆肆四伍伍五一一壹"
    assert fan(hand, "五")[0] == {"双漂": 2}
    more = "柒柒柒贰贰贰九九九四六肆肆四伍陆柒一一壹"
    assert "双漂" not in worth(more, "五", "other_draw", ruleset="ningxiang").fan
    tabled = "肆肆四伍伍五一一四六九九九"
    assert fan(tabled, "五", ("跑 柒", "碰 贰"))[0] == {"双漂": 2}


@pytest.mark.parametrize(
    ("hand", "red", "value"),
    [
        ("贰贰贰柒柒柒拾拾拾一二三四六伍伍五八八捌", 10, 2),
        ("贰贰贰柒柒柒拾拾拾一二三四六伍伍五六七八", 11, 3),
        ("贰贰贰柒柒柒拾拾拾一二三四六二三四六七八", 12, 4),
        ("贰贰贰柒柒柒三三三一一壹四六伍伍五八八捌", 6, 0),
    ],
)
def test_r17_11_ten_red_and_more(hand: str, red: int, value: int) -> None:
    found = worth(hand, "五", "other_draw", ruleset="ningxiang")
    assert (found.wins, found.red, found.fan.get("十红", 0)) == (True, red, value)


@pytest.mark.parametrize(("size", "name"), [("壹贰叁肆伍陆柒捌玖拾", "十八大"), ("一二三四五六七八九十", "十八小")])
@pytest.mark.parametrize(("last", "value"), [("四六五", 5), ("三叁三", 6), ("叁三叁", 7)])
def test_r17_12_eighteen_of_a_size(size: str, name: str, last: str, value: int) -> None:
    """Five 坎 and 二七十 of one size, and a group with 0, 1 or 2 cards of that size."""
    other = "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾".replace(size, "")
    last = last.replace("叁", "大").replace("三", other[2]).replace("大", size[2])
    last = last.translate({ord(a): b for a, b in zip("四六五", (other[3], other[5], other[4]), strict=True)})
    hand = "".join(size[rank] * 3 for rank in (0, 3, 4, 7, 8)) + size[1] + size[6] + size[9] + last[:2]
    found = worth(hand, last[2], "other_draw", ruleset="ningxiang")
    assert found.wins
    assert found.fan == {name: value}


def test_r17_13_all_alike() -> None:
    hand = "壹壹壹捌捌捌九九九四四一一一肆肆"
    assert fan(hand, "四", ("提 拾",))[0]["碰碰胡"] == 5


def test_r17_14_tianhu_and_dihu() -> None:
    score = settled(ningxiang({0: READY}, ["0 胡"], liang="五"))
    assert (score.fan, score.points) == ({"天胡": 5}, (100, -50, -50))
    score = settled(ningxiang({1: READY}, ["0 打 五", "1 胡"]))
    assert (score.fan, score.points) == ({"地胡": 5}, (-50, 100, -50))
    assert seen(ningxiang({2: READY}, ["0 打 五", "2 胡"])) == {("HU_SOURCE", 2)}
    assert not any("胡" in move for move in legal(ningxiang({1: READY}, [], liang="五")))
    clean(ningxiang({1: READY}, ["0 打 五", "1 过", "1 摸 八"]))


def test_r17_15_sums() -> None:
    """黑胡, 碰碰胡 and 十八大: 15."""
    value = worth("壹壹壹叁叁叁捌捌捌玖玖玖肆肆伍伍伍一一一", "肆", "other_draw", ruleset="ningxiang")
    assert value.fan == {"黑胡": 5, "碰碰胡": 5, "十八大": 5}
    assert sum(value.fan.values()) == 15
    record, moves = quiet_round(ruleset="ningxiang")
    assert settled(with_moves(record, [*moves, "荒"])).points == (0, 0, 0)
    assert settled(ningxiang({1: READY}, WIN_5)).points == (-10, 20, -10)
