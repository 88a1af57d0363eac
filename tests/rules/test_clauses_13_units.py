"""The options of chapter 13 of docs/rules.md about units, 番 and payment: what each of their values does."""

from __future__ import annotations

import pytest

import replay
from replay.rulesets import OPTIONS, RULESETS, RulesetError, allowed, resolve
from tests.rules.build import deal
from tests.rules.check import settled
from tests.rules.worth import worth

READY = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 15 胡息 with 五, 4 red
WIN_5 = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]


# Units


@pytest.mark.parametrize(("step", "deng"), [(1, 6), (3, 2), (5, 2), (10, 1)])
def test_r13_22_step(step: int, deng: int) -> None:
    value = worth(READY, "五", "other_draw", ruleset="qq", options={"zi_step": step, "min_huxi": 10})
    assert value.deng == deng


def test_r13_24_zimo() -> None:
    red = "七七七贰贰贰拾拾拾一二三四五六肆伍陆捌八"  # 18, 红胡 2: 2 等
    due = {"plus_one": 6, "plus_one_after_fan": 5, "one_fan": 6, "double": 8, "none": 4}
    assert set(due) == set(allowed("zimo"))
    for zimo, units in due.items():
        value = worth(red, "八", "own_draw", ruleset="hu15", options={"zimo": zimo})
        assert value.units == units, zimo
    for value_of, seats in (("all", {0, 1}), ("dealer", {0}), ("nobody", set())):
        for seat in (0, 1):
            options = {"tianhu_is_zimo": value_of, "tianhu_factor": 1}
            score = settled(deal({seat: READY}, [f"{seat} 胡"], liang="五", options=options))
            assert score.units == (2 if seat in seats else 1), (value_of, seat)


def test_r13_25_levels() -> None:
    duidui = "叁叁叁捌捌捌九九九四四伍伍伍二二"  # one red pair
    for level, names in (("none", set()), ("base", set()), ("half", {"对对胡"})):
        value = worth(duidui, "四", "other_draw", ["提 一"], ruleset="qq", options={"fan_level": level})
        assert set(value.fan) == names
    for level, names in (("none", set()), ("base", {"乌胡"}), ("half", {"乌胡"})):
        black = "叁叁叁捌捌捌九九九四六肆肆四伍伍五一一壹"
        assert set(worth(black, "五", "other_draw", ruleset="qq", options={"fan_level": level}).fan) == names


@pytest.mark.parametrize(
    ("turned", "hits"), [("十", {"shang": 0, "zhong": 2, "xia": 3}), ("四", {"shang": 1, "zhong": 1, "xia": 0})]
)
def test_r13_26_xing_kinds(turned: str, hits: dict[str, int]) -> None:
    """READY with 五: 上 names the next rank (一 after 十), 中 the card itself, 下 the rank below."""
    for kinds in ((), ("shang",), ("zhong",), ("xia",), ("shang", "xia"), ("zhong", "shang", "xia")):
        record = deal({1: READY}, WIN_5, wall_front="八五" + turned, options={"xing": kinds})
        assert settled(record).xing_hits == sum(hits[kind] for kind in kinds), kinds


@pytest.mark.parametrize("d", [1, 2, 3, 5, 10])
def test_r13_27_points_per_unit(d: int) -> None:
    value = worth(READY, "五", "other_draw", ruleset="qq", options={"base_points": d})
    assert value.payments == (2 * d, -d, -d)


@pytest.mark.parametrize(
    ("pay", "points"), [("all", (4, -2, -2)), ("discarder_for_all", (4, -4, 0)), ("discarder_alone", (2, -2, 0))]
)
def test_r13_28_who_pays_a_discard(pay: str, points: tuple[int, ...]) -> None:
    value = worth(READY, "五", "discard", ruleset="luzhou", options={"pay_discard": pay})
    assert value.payments == points
    with pytest.raises(RulesetError, match="win_discard"):
        resolve("qq", {"pay_discard": "discarder_alone"})


def test_r13_31_shape() -> None:
    hand = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"
    for shape, spare, triple in (("sentences", True, True), ("seven_sentences", False, True)):
        options = {"shape": shape}
        assert replay.evaluate_hand(hand, (), "贰", "own_draw", "general", options=options).wins == spare
        assert replay.evaluate_hand(hand, (), "十", "own_draw", "general", options=options).wins == triple
    for ruleset, shape in (("general", "seven"), ("qq", "sentences")):
        with pytest.raises(RulesetError, match="shape"):
            resolve(ruleset, {"shape": shape})


REST = "四五六八八捌玖玖玖三四五"


@pytest.mark.parametrize(
    ("option", "value", "meld", "huxi"),
    [
        pytest.param("huxi_peng", (2, 4), "碰 一", 2, marks=pytest.mark.clause("13.32")),
        pytest.param("huxi_peng", (2, 4, 5, 7), "碰 贰", 7, marks=pytest.mark.clause("13.32")),
        pytest.param("huxi_kan", (4, 6), "偎 一", 4, marks=pytest.mark.clause("13.33")),
        pytest.param("huxi_kan", (3, 6, 8, 9), "臭偎 二", 8, marks=pytest.mark.clause("13.33")),
        pytest.param("huxi_pao", (7, 9), "跑 一", 7, marks=pytest.mark.clause("13.34")),
        pytest.param("huxi_pao", (6, 9, 9, 15), "跑 贰", 15, marks=pytest.mark.clause("13.34")),
        pytest.param("huxi_ti", (9, 14), "提 壹", 14, marks=pytest.mark.clause("13.35")),
        pytest.param("huxi_ti", (9, 12, 15, 18), "提 贰", 18, marks=pytest.mark.clause("13.35")),
        pytest.param("huxi_123", (0, 3), "吃 壹贰叁", 3, marks=pytest.mark.clause("13.36")),
        pytest.param("huxi_123", (9, 3), "吃 一二三", 9, marks=pytest.mark.clause("13.36")),
        pytest.param("huxi_2710", (0, 3), "吃 贰柒拾", 3, marks=pytest.mark.clause("13.37")),
        pytest.param("huxi_2710", (12, 3), "吃 二七十", 12, marks=pytest.mark.clause("13.37")),
    ],
)
def test_r13_huxi_of_groups(option: str, value: tuple[int, ...], meld: str, huxi: int) -> None:
    quad = meld[0] in "跑提"
    hand, card = (REST + "叁", "叁") if quad else (REST + "伍陆", "柒")
    found = replay.evaluate_hand(hand, [meld, "吃 六七八"], card, "other_draw", "hu15", options={option: value})
    assert found.complete
    assert found.huxi == huxi + 6


def test_r13_38_a_cap_on_deng() -> None:
    for cap, deng in ((0, 6), (2, 2)):
        value = worth(READY, "五", "other_draw", ruleset="qq", options={"min_huxi": 10, "zi_step": 1, "deng_cap": cap})
        assert value.deng == deng


@pytest.mark.parametrize("each", [0, 1])
def test_r13_39_units_of_quads(each: int) -> None:
    hand = "四五六七八九壹壹壹伍陆柒十十"
    value = worth(hand, "肆", "own_draw", ["提 叁", "跑 一"], ruleset="general", options={"quad_units": each})
    assert value.units == 2 + 2 * each


# 番

RED_10 = "贰贰贰柒柒柒拾拾拾一二三四六伍伍五八八捌"
RED_15 = "贰贰贰柒柒柒拾拾拾二七十二七十四六伍伍五"
RED_1 = "叁叁叁捌捌捌九九九四六肆肆四伍陆柒一一壹"
RED_0 = "叁叁叁捌捌捌九九九四六肆肆四伍伍五一一壹"
ALIKE = "叁叁叁捌捌捌九九九四四伍伍伍一一一肆肆六"
BIG = "壹壹壹肆肆肆伍伍伍捌捌捌玖玖玖贰柒拾四六"
SMALL = BIG.translate({ord(a): b for a, b in zip("壹贰叁肆伍陆柒捌玖拾四六", "一二三四五六七八九十肆陆", strict=True)})
FANS = {
    "fan_hong": (RED_10, "五", (), {}),
    "fan_dian": (RED_1, "五", (), {}),
    "fan_hong_wu": (RED_15, "五", (), {}),
    "fan_wu": (RED_0, "五", (), {}),
    "fan_duidui": ("叁叁叁捌捌捌九九九四四伍伍伍二二", "四", ("提 一",), {}),
    "fan_wu_duidui": ("叁叁叁捌捌捌九九九四四伍伍伍六六", "四", ("提 一",), {}),
    "fan_haidi": (RED_1, "五", (), {"last": True}),
    "fan_shihong": (RED_10, "五", (), {}),
    "fan_tianhu": (READY, "五", (), {"source": "liang", "dealer": True, "special": "tianhu"}),
    "fan_dihu": (READY, "五", (), {"source": "discard", "special": "dihu"}),
    "fan_sanbian": ("柒柒柒捌捌捌九九九四六肆肆四伍伍五一一壹", "五", (), {}),
    "fan_sibian": ("捌捌捌九九九四六肆肆四伍伍五一一", "五", ("提 柒",), {}),
    "fan_shuangpiao": ("柒柒柒贰贰贰九九九四六肆肆四伍伍五一一壹", "五", (), {}),
    "fan_shiba_da": (BIG, "五", (), {}),
    "fan_shiba_xiao": (SMALL, "伍", (), {}),
    "fan_qingyise": (BIG[:15] + "贰柒拾贰柒", "拾", (), {}),
    "fan_zimo": (READY, "五", (), {"source": "own_draw"}),
}


@pytest.mark.parametrize(
    "option",
    [
        pytest.param("fan_hong", marks=pytest.mark.clause("13.40")),
        pytest.param("fan_dian", marks=pytest.mark.clause("13.41")),
        pytest.param("fan_hong_wu", marks=pytest.mark.clause("13.42")),
        pytest.param("fan_wu", marks=pytest.mark.clause("13.43")),
        pytest.param("fan_duidui", marks=pytest.mark.clause("13.44")),
        pytest.param("fan_wu_duidui", marks=pytest.mark.clause("13.45")),
        pytest.param("fan_haidi", marks=pytest.mark.clause("13.46")),
        pytest.param("fan_shihong", marks=pytest.mark.clause("13.47")),
        pytest.param("fan_tianhu", marks=pytest.mark.clause("13.48")),
        pytest.param("fan_dihu", marks=pytest.mark.clause("13.49")),
        pytest.param("fan_sanbian", marks=pytest.mark.clause("13.50")),
        pytest.param("fan_sibian", marks=pytest.mark.clause("13.51")),
        pytest.param("fan_shuangpiao", marks=pytest.mark.clause("13.52")),
        pytest.param("fan_shiba_da", marks=pytest.mark.clause("13.53")),
        pytest.param("fan_shiba_xiao", marks=pytest.mark.clause("13.54")),
        pytest.param("fan_qingyise", marks=pytest.mark.clause("13.55")),
        pytest.param("fan_zimo", marks=pytest.mark.clause("13.56")),
    ],
)
def test_r13_value_of_a_fan(option: str) -> None:
    hand, card, melds, more = FANS[option]
    flags = dict(more)
    source = str(flags.pop("source", "other_draw"))
    totals = {}
    for value in (0, 7, 20):
        found = worth(hand, card, source, melds, ruleset="ningxiang", options={option: value}, **flags)
        assert found.wins
        totals[value] = found.units // found.deng
    rest = sum(worth(hand, card, source, melds, ruleset="ningxiang", options={option: 0}, **flags).fan.values())
    if option == "fan_wu_duidui":  # in the place of both
        assert totals == {0: 10, 7: 7, 20: 20}
    else:
        assert totals == {0: rest or 1, 7: rest + 7, 20: rest + 20}


def test_r13_57_each_card_above_the_bound() -> None:
    for more, value in ((0, 5), (1, 7)):
        found = worth(BIG[:18] + "叁三", "叁", "other_draw", ruleset="ningxiang", options={"fan_more": more})
        assert found.fan["十八大"] == value


def test_r13_58_sum_or_product() -> None:
    for combine, units in (("sum", 2 + 2 + 2), ("product", 2 * 2 * 2)):
        hand = "壹壹壹叁叁叁伍伍伍柒柒柒玖玖玖捌捌捌陆陆"
        assert worth(hand, "肆", "own_draw", ruleset="general", options={"fan_combine": combine}).units == units


@pytest.mark.parametrize("alone", [1, 2])
def test_r13_59_the_last_card_alone(alone: int) -> None:
    assert worth(READY, "五", "other_draw", ruleset="qq", last=True, options={"haidi_alone": alone}).units == alone
    assert worth(RED_1, "五", "other_draw", ruleset="qq", last=True, options={"haidi_alone": alone}).units % 5 == 0


# What only whole rounds or sessions show


def test_r13_60_r13_61_r13_62_need_a_counter() -> None:
    for option, value in (("xing_fee", "flat"), ("huang_fee", 2), ("qianti_bonus", 1)):
        assert getattr(resolve("bisai", {option: value}), option) == value
        with pytest.raises(RulesetError, match="醒家"):
            resolve("qq", {option: value})


def test_r13_65_r13_66_need_penalties() -> None:
    for option, value in (("letters", ("SHI_WEI=C",)), ("void_win", "A")):
        assert getattr(resolve("bisai", {option: value}), option) == value
        with pytest.raises(RulesetError, match="penalties"):
            resolve("qq", {option: value})
    for wrong in ("SHI_WEI", "SHI_WEI=F", "WRONG_TURN=A", "NOTHING=A"):
        with pytest.raises(RulesetError, match="letters"):
            resolve("bisai", {"letters": (wrong,)})


@pytest.mark.parametrize("value", [True, False])
def test_r13_64_penalties(value: bool) -> None:
    record = deal(
        {1: READY, 2: "玖玖玖"},
        ["0 打 玖", "1 摸 八", "2 摸 五", "1 胡"],
        ruleset="bisai",
        options={"penalties": value},
    )
    score = replay.replay_round(record).score
    assert score is not None
    assert score.points == ((4, 7, -11) if value else (-1, 2, -1))


def test_no_other_option() -> None:
    """Every option is looked at above, in the other chapters, or in the tests of sessions."""
    assert set(FANS) == {option for option in OPTIONS if option.startswith("fan_")} - {
        "fan_level",
        "fan_more",
        "fan_combine",
    }
    for ruleset in RULESETS:
        for option in OPTIONS:
            with pytest.raises(RulesetError, match=option):
                resolve(ruleset, {option: "no such value"})
