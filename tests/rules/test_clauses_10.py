"""The clauses of chapter 10 of docs/rules.md, one by one: scoring."""

from __future__ import annotations

from typing import Any

import pytest

import replay
from ingest.cards import CHARS, RED
from ingest.record import Result
from replay.engine import engine
from replay.escape import escape_loss
from replay.rulesets import resolve
from replay.simulate import Player, sessions
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import BOTH, faults, settled

DEALT = ["qq", "hu15", "bisai", "ningxiang"]
PLAYERS = [Player("甲"), Player("乙"), Player("丙")]

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 short of 15; red: 贰 十 十 拾."""
FIVE_KAN = "一一一四四四五五五八八八九九九壹叁伍柒玖"
"""Five 坎, 15; one red card."""

WORTH = {
    15: ["偎 壹", "偎 叁", "偎 一"],
    17: ["偎 壹", "偎 叁", "偎 一", "碰 三", "碰 四"],
    18: ["偎 壹", "偎 叁", "偎 肆"],
    20: ["偎 壹", "偎 叁", "偎 肆", "碰 三", "碰 四"],
    21: ["偎 壹", "偎 叁", "偎 肆", "偎 一"],
    24: ["偎 壹", "偎 叁", "偎 肆", "偎 玖"],
    30: ["偎 壹", "偎 叁", "偎 肆", "偎 玖", "偎 伍"],
}
FILL = ["吃 五六七", "吃 六七八", "吃 七八九", "吃 陆柒捌"]


def of_huxi(huxi: int, source: str = "other_draw", **more: Any) -> Any:
    """A 平胡 of so many 胡息; the winning card makes 五六七."""
    melds = [*WORTH[huxi], *FILL[: 6 - len(WORTH[huxi])]]
    return replay.evaluate_hand("五六", melds=melds, win_card="七", source=source, **more)


BLACK = ["四五六", "肆伍陆", "九九玖", "一一壹", "八八捌", "四五六", "肆伍陆"]


def of_red(red: int, source: str = "other_draw", **more: Any) -> Any:
    """Seven groups of 吃 with so many red cards, the last card of all drawn; worth little."""
    threes = ["二七十", "贰柒拾", "二七十", "贰柒拾"][: min(red // 3, 4)]
    ones = ["二三四", "贰叁肆"][: red - 3 * len(threes)]
    groups = [*threes, *ones]
    groups += BLACK[: 7 - len(groups)]
    assert sum(CHARS.index(card) in RED for text in groups for card in text) == red
    *laid, last = groups
    more.setdefault("options", {})
    more["options"] = {"min_huxi": 0, **more["options"]}
    return replay.evaluate_hand(
        last[:2], melds=[f"吃 {group}" for group in laid], win_card=last[2], source=source, **more
    )


ALIKE = {
    0: ["跑 叁", "碰 一", "碰 三", "碰 四", "碰 壹", "碰 伍"],
    4: ["跑 贰", "碰 一", "碰 三", "碰 四", "碰 壹", "碰 伍"],
    5: ["跑 叁", "碰 二", "碰 三", "碰 四", "碰 壹", "碰 伍"],
    10: ["跑 二", "碰 七", "碰 十", "碰 四", "碰 壹", "碰 伍"],
    13: ["跑 二", "碰 七", "碰 十", "碰 贰", "碰 壹", "碰 伍"],
}


def alike(red: int, **more: Any) -> Any:
    """对对胡 with so many red cards; the winning card makes the 将."""
    jiang = "柒" if red == 5 else "玖"
    given = {"win_card": jiang, "source": "other_draw", "options": {"min_huxi": 0}} | more
    return replay.evaluate_hand(jiang, melds=ALIKE[red], **given)


@BOTH
@pytest.mark.parametrize(("huxi", "deng"), [(15, 1), (17, 1), (18, 2), (20, 2), (21, 3), (24, 4), (30, 6)])
def test_r10_1_deng(ruleset: str, huxi: int, deng: int) -> None:
    found = of_huxi(huxi, ruleset=ruleset)
    assert (found.huxi, found.wins, found.deng, found.units) == (huxi, True, deng, deng)
    for step in (1, 3, 5, 10):
        for least in (6, 10, 15):
            other = of_huxi(huxi, ruleset=ruleset, options={"zi_step": step, "min_huxi": least})
            assert other.deng == 1 + (huxi - least) // step


@BOTH
@pytest.mark.parametrize("huxi", WORTH)
def test_r10_2_zimo_is_one_deng_more_before_fan(ruleset: str, huxi: int) -> None:
    deng = (huxi - 12) // 3
    for source, added in (("other_draw", 0), ("own_draw", 1)):
        assert of_huxi(huxi, source, ruleset=ruleset).units == deng + added
    red = [of_red(10, source, ruleset=ruleset) for source in ("other_draw", "own_draw")]
    assert red[1].units - red[0].units == 2  # 红胡 doubles the one more


def test_r10_2_the_drawer_of_the_winning_card_has_it() -> None:
    other = settled(deal({1: READY}, ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"]))
    own = settled(deal({1: READY}, ["0 打 拾", "1 摸 四", "1 胡"]))
    assert (other.units, own.units) == (1, 2)


@BOTH
@pytest.mark.parametrize("red", [2, 10, 13])
def test_r10_3_other_readings_of_zimo(ruleset: str, red: int) -> None:
    f = {2: 1, 10: 2, 13: 4}[red]
    deng = of_red(red, ruleset=ruleset).deng
    assert of_red(red, ruleset=ruleset).units == deng * f
    due = {
        "plus_one": (deng + 1) * f,
        "plus_one_after_fan": deng * f + 1,
        "one_fan": deng * (f + 1 if red > 2 else 1),
        "double": deng * f * 2,
        "none": deng * f,
    }
    for zimo, units in due.items():
        assert of_red(red, "own_draw", ruleset=ruleset, options={"zimo": zimo}).units == units


@BOTH
@pytest.mark.parametrize("factor", [1, 2])
@pytest.mark.parametrize("zimo", ["all", "dealer", "nobody"])
@pytest.mark.parametrize("dealer", [False, True])
def test_r10_4_tianhu(ruleset: str, factor: int, zimo: str, dealer: bool) -> None:
    assert [resolve(name).tianhu_factor for name in ("qq", "hu15")] == [2, 1]
    options = {"tianhu_factor": factor, "tianhu_is_zimo": zimo}
    counts = zimo == "all" or (zimo == "dealer" and dealer)
    found = replay.evaluate_hand(READY, win_card="四", source="liang", dealer=dealer, ruleset=ruleset, options=options)
    assert (found.huxi, found.units) == (15, 1 + (15 * factor - 15) // 3 + counts)
    quads = replay.evaluate_hand(FIVE_KAN, tianhu=True, dealer=dealer, ruleset=ruleset, options=options)
    assert quads.units == 3 * (1 + (15 * factor - 15) // 3 + counts)  # 点胡 3


@BOTH
def test_r10_4_in_a_round(ruleset: str) -> None:
    score = settled(deal({1: FIVE_KAN}, ["1 胡 -"], ruleset=ruleset))
    assert score.units == 3 * {"qq": 7, "hu15": 2}[ruleset]
    score = settled(deal({0: READY}, ["0 胡"], liang="四", ruleset=ruleset))
    assert score.units == {"qq": 7, "hu15": 2}[ruleset]


@BOTH
@pytest.mark.parametrize(
    ("red", "fan"),
    [
        (0, {"乌胡": 5}),
        (1, {"点胡": 3}),
        (2, {}),
        (9, {}),
        (10, {"红胡": 2}),
        (11, {"红胡": 2}),
        (12, {"红胡": 2}),
        (13, {"红乌": 4}),
        (14, {"红乌": 4}),
    ],
)
def test_r10_5_the_colours(ruleset: str, red: int, fan: dict[str, int]) -> None:
    found = of_red(red, ruleset=ruleset)
    assert (found.red, found.fan) == (red, fan)
    assert found.units == found.deng * (sum(fan.values()) or 1)
    assert of_red(red, ruleset=ruleset, options={"fan_level": "base"}).fan == fan


@BOTH
def test_r10_5_all_alike_and_haidi(ruleset: str) -> None:
    assert alike(5, ruleset=ruleset).fan == {"对对胡": 4}
    broken = replay.evaluate_hand(
        "柒", melds=["跑 叁", "碰 二", "碰 三", "碰 四", "碰 壹", "吃 伍陆柒"], win_card="柒", source="other_draw",
        ruleset=ruleset, options={"min_huxi": 0},
    )  # fmt: skip
    assert broken.complete
    assert broken.fan == {}
    assert of_red(10, ruleset=ruleset, last_card=True).fan == {"红胡": 2, "海底": 2}


@BOTH
@pytest.mark.parametrize(
    ("option", "make", "value"),
    [
        ("fan_hong", lambda **more: of_red(11, **more), 2),
        ("fan_dian", lambda **more: of_red(1, **more), 3),
        ("fan_hong_wu", lambda **more: of_red(13, **more), 4),
        ("fan_wu", lambda **more: of_red(0, **more), 5),
    ],
)
def test_r10_5_the_values_are_options(ruleset: str, option: str, make: Any, value: int) -> None:
    assert getattr(resolve(ruleset), option) == value
    for other in (0, 1, 7):
        found = make(ruleset=ruleset, options={option: other})
        assert sum(found.fan.values()) == other
        assert found.units == found.deng * max(other, 1)


@BOTH
@pytest.mark.parametrize(
    ("red", "last", "f"),
    [(5, False, 4), (4, False, 4), (10, False, 6), (13, False, 8), (5, True, 6), (10, True, 8), (0, True, 12)],
)
def test_r10_6_several_fan_are_added(ruleset: str, red: int, last: bool, f: int) -> None:
    found = alike(red, ruleset=ruleset, last_card=last)
    assert sum(found.fan.values()) == f
    assert found.units == found.deng * f
    if red == 10:
        options = {"min_huxi": 0, "fan_combine": "product"}
        many = alike(red, ruleset=ruleset, last_card=last, options=options)
        assert many.units == many.deng * (16 if last else 8)


@BOTH
def test_r10_6_none_is_one(ruleset: str) -> None:
    found = of_red(5, ruleset=ruleset)
    assert (found.fan, found.units) == ({}, found.deng)


@BOTH
def test_r10_7_red_cards_of_the_whole_hand(ruleset: str) -> None:
    """Hand, table, 将, the fourth of a 跑 and the winning card count; the split does not."""
    options = {"min_huxi": 0}
    parts = ("二三四七八九贰叁肆柒捌玖十", ("跑 拾", "碰 一"))
    ten = replay.evaluate_hand(
        parts[0], melds=parts[1], win_card="十", source="other_draw", ruleset=ruleset, options=options
    )
    assert (ten.complete, ten.red, ten.fan) == (True, 10, {"红胡": 2})
    black = parts[0].replace("十", "八")
    eight = replay.evaluate_hand(
        black, melds=parts[1], win_card="八", source="other_draw", ruleset=ruleset, options=options
    )
    assert (eight.complete, eight.red, eight.fan) == (True, 8, {})


@BOTH
def test_r10_7_also_of_tianhu(ruleset: str) -> None:
    hand = "二二二七七七十十十贰贰贰柒柒柒一三五八九"
    found = replay.evaluate_hand(hand, tianhu=True, ruleset=ruleset)
    assert (found.red, found.fan) == (15, {"红乌": 4})


@BOTH
def test_r10_8_kan_and_jiang_in_all_alike(ruleset: str) -> None:
    found = replay.evaluate_hand(
        "二二二叁叁叁柒", melds=["跑 一", "碰 三", "碰 四", "偎 壹"], win_card="柒", source="other_draw",
        ruleset=ruleset, options={"min_huxi": 0},
    )  # fmt: skip
    assert (found.complete, found.fan) == (True, {"对对胡": 4})
    without = replay.evaluate_hand("叁叁叁肆肆肆二二", win_card="二", source="other_draw", ruleset=ruleset,
                                   melds=["碰 三", "碰 四", "偎 壹", "碰 陆"], options={"min_huxi": 0})  # fmt: skip
    assert (without.complete, without.fan) == (True, {"对对胡": 4})


@BOTH
def test_r10_9_black_and_all_alike_is_ten(ruleset: str) -> None:
    found = alike(0, ruleset=ruleset)
    assert (found.red, sum(found.fan.values()), found.units) == (0, 10, 10 * found.deng)
    for other, f in ((7, 7), (0, 9)):  # without a value of its own: their sum
        again = alike(0, ruleset=ruleset, options={"min_huxi": 0, "fan_wu_duidui": other})
        assert again.units == f * again.deng


@BOTH
def test_r10_10_haidi(ruleset: str) -> None:
    alone = of_red(5, ruleset=ruleset, last_card=True)
    assert (alone.fan, alone.units) == ({}, alone.deng)
    beside = of_red(1, ruleset=ruleset, last_card=True)
    assert (sum(beside.fan.values()), beside.units) == (5, 5 * beside.deng)
    two = of_red(5, ruleset=ruleset, last_card=True, options={"haidi_alone": 2})
    assert two.units == 2 * two.deng


@BOTH
def test_r10_10_only_the_last_card_of_the_wall(ruleset: str) -> None:
    ready = "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍"
    record, moves = quiet_round({2: ready, 0: "壹玖三陆陆", 1: "陆"}, last="陆", liang="十", ruleset=ruleset)
    assert settled(with_moves(record, [*moves, "2 胡"])).fan == {"乌胡": 5, "海底": 2}
    early = deal({1: ready}, ["0 打 拾", "1 摸 十", "2 摸 陆", "1 胡"], ruleset=ruleset)
    assert settled(early).fan == {"乌胡": 5}


@BOTH
def test_r10_11_the_levels(ruleset: str) -> None:
    for level, fan in (("half", {"对对胡": 4}), ("base", {}), ("none", {})):
        found = alike(5, ruleset=ruleset, options={"min_huxi": 0, "fan_level": level})
        assert (found.fan, found.units) == (fan, found.deng * (sum(fan.values()) or 1))
    for level, f in (("half", 4), ("base", 2), ("none", 1)):
        found = of_red(10, ruleset=ruleset, last_card=True, options={"fan_level": level})
        assert found.units == found.deng * f
    black = alike(0, ruleset=ruleset, options={"min_huxi": 0, "fan_level": "base"})
    assert black.fan == {"乌胡": 5}


@BOTH
def test_r10_12_zimo_and_tianhu_are_no_fan(ruleset: str) -> None:
    drawn = of_red(11, "own_draw", ruleset=ruleset)
    assert (drawn.fan, drawn.units) == ({"红胡": 2}, (drawn.deng + 1) * 2)
    plain = of_huxi(18, "own_draw", ruleset=ruleset)
    assert (plain.fan, plain.units) == ({}, 3)
    tianhu = settled(deal({1: FIVE_KAN}, ["1 胡 -"], ruleset=ruleset))
    assert (tianhu.fan, tianhu.fan_total) == ({"点胡": 3}, 3)


@BOTH
@pytest.mark.parametrize("points", [1, 2, 3, 5, 10])
@pytest.mark.parametrize("source", ["own_draw", "other_draw"])
def test_r10_13_each_loser_pays(ruleset: str, points: int, source: str) -> None:
    assert [resolve(name).base_points for name in ("qq", "hu15")] == [3, 1]
    found = of_red(11, source, ruleset=ruleset, options={"base_points": points})
    due = found.units * points
    assert (found.points, found.payments) == (2 * due, (2 * due, -due, -due))
    for winner in (0, 1, 2):
        dealer, third = (winner + 2) % 3, (winner + 1) % 3
        moves = [f"{dealer} 打 拾", f"{winner} 摸 四"]
        if source == "other_draw":
            moves = [f"{dealer} 打 拾", f"{winner} 摸 八", f"{third} 摸 四"]
        record = deal(
            {winner: READY}, [*moves, f"{winner} 胡"], ruleset=ruleset, dealer=dealer, options={"base_points": points}
        )
        score = settled(record)
        due = points * (2 if source == "own_draw" else 1)
        assert score.points == tuple(2 * due if seat == winner else -due for seat in range(3))


@pytest.mark.parametrize("ruleset", list(replay.RULESETS))
def test_r10_14_points_add_up_to_zero(ruleset: str) -> None:
    wins = 0
    for record in sessions(engine(resolve(ruleset)), 14, 60, PLAYERS):
        score = replay.replay_round(record).score
        assert score is not None
        assert sum(score.points) == 0
        wins += score.winner >= 0
    assert wins


@BOTH
@pytest.mark.parametrize("points", [(-3, 6, -2), (6, 6, 6), (-3, 5, -3)])
def test_r10_14_a_report_that_does_not_is_named(ruleset: str, points: tuple[int, ...]) -> None:
    moves = ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"]
    record = deal({1: READY}, moves, ruleset=ruleset, result=Result(winner=1, points=points))
    assert "NOT_ZERO_SUM" in {code for code, _ in faults(record)}


@pytest.mark.parametrize(
    ("huxi", "red", "own", "points"),
    [(15, False, False, 6), (18, True, True, 36), (21, True, True, 48)],
)
def test_r10_15_the_examples_of_qq(huxi: int, red: bool, own: bool, points: int) -> None:
    source = "own_draw" if own else "other_draw"
    found = of_huxi(huxi, source)
    if red:
        melds = ["吃 二七十", "吃 二七十", "吃 贰柒拾", "吃 六七八", *(["偎 一"] if huxi == 21 else [])]
        hand = "叁叁叁四五" if huxi == 21 else "叁叁叁四五九九玖"
        found = replay.evaluate_hand(hand, melds=melds, win_card="六", source=source)
    assert (found.huxi, "红胡" in found.fan) == (huxi, red)
    assert found.payments == (points, -points // 2, -points // 2)


def test_r10_15_tianhu_and_hu15() -> None:
    assert replay.evaluate_hand(READY, win_card="四", source="liang").units == 7
    melds = ["吃 二七十", "吃 二七十", "吃 贰柒拾", "吃 六七八"]
    for zimo, units in (("plus_one", 6), ("plus_one_after_fan", 5)):
        found = replay.evaluate_hand(
            "叁叁叁四五九九玖", melds=melds, win_card="六", source="own_draw", ruleset="hu15", options={"zimo": zimo}
        )
        assert (found.huxi, found.fan, found.units) == (18, {"红胡": 2}, units)


@pytest.mark.parametrize(
    ("total", "trunc", "floor"), [(12, 24, 24), (15, 27, 27), (42, 54, 54), (43, 54, 54), (10, 24, 21), (9, 21, 21)]
)
def test_r10_16_what_leaving_costs(total: int, trunc: int, floor: int) -> None:
    assert escape_loss(total, resolve("qq")) == trunc
    assert escape_loss(total, resolve("qq", {"escape": "floor"})) == floor
    assert escape_loss(total, resolve("qq", {"base_points": 1})) == trunc // 3
    assert escape_loss(total, resolve("hu15")) == 0


def test_r10_16_in_a_round() -> None:
    """The others' most 胡息: 坎 叁 6, 一二三 3, 二七十 3 and a 碰 伍 3 on the table."""
    hands = {0: "叁叁叁一二三二七十伍四四肆肆八八捌捌九九", 1: "伍伍一一五五六六陆壹壹肆玖玖八三三叁肆十"}
    record = deal(hands, ["0 打 伍", "1 碰", "1 打 八", "2 逃 -"], complete=True, liang="玖")
    outcome = replay.replay_round(record)
    assert faults(record) == set()
    assert outcome.score is not None
    assert (outcome.score.winner, outcome.score.special) == (-1, "逃跑")
    assert outcome.score.points == (0, 0, -27)  # T = 15; nobody receives it
    hidden = with_moves(
        record, ["0 打 伍", "1 碰", "1 打 八", "2 逃 -"], hands=(None, *record.hands[1:]), complete=True
    )
    assert replay.replay_round(hidden).score is None
