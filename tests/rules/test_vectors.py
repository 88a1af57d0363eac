"""The numbered test vectors (TV) of the rules digest for ``qq`` and ``hu15``: oracle first, then the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import replay
from tests.oracle.cards import is_red
from tests.oracle.chi import chi_options
from tests.oracle.engine import difference, engine_chi, engine_value, engine_waits, points_of
from tests.oracle.hands import Hand, cards_of, find_hand, hand_with_reds, red_palette
from tests.oracle.waits import waits
from tests.rules.build import deal
from tests.rules.check import clean, faults, seen, settled

BOTH = pytest.mark.parametrize("ruleset", ["qq", "hu15"])


def judge(text: str, card: str, source: str | None, melds: Sequence[str] = (), ruleset: str = "qq", **more: Any) -> Any:
    """The engine's value, after the oracle has said the same."""
    hand = Hand(tuple(cards_of(text)), tuple(melds), card or None, source)
    value = engine_value(hand, ruleset, **more)
    assert difference(value, hand.value(ruleset, **more)) == ""
    return value


def factor(hand: Hand, **more: Any) -> int:
    """f as the points show it: winner 2·x·f·3 in qq."""
    value = engine_value(hand, **more)
    expected = hand.value(**more)
    assert difference(value, expected) == ""
    f, rest = divmod(points_of(value)[0], 6 * expected.units)
    assert rest == 0
    return f


# Scoring


@BOTH
@pytest.mark.parametrize(("huxi", "deng"), [(14, 0), (15, 1), (17, 1), (18, 2), (20, 2), (21, 3), (24, 4), (30, 6)])
def test_tv_01_deng(ruleset: str, huxi: int, deng: int) -> None:
    hand = find_hand(lambda hand, value: value.huxi == huxi and value.f == 1 and hand.source == "other_draw", ruleset)
    value = engine_value(hand, ruleset)
    assert (value.complete, value.huxi, value.wins) == (True, huxi, deng > 0)
    if deng:
        assert value.deng == deng
        d = 3 if ruleset == "qq" else 1
        assert points_of(value) == (2 * deng * d, -deng * d, -deng * d)


@pytest.mark.parametrize(
    ("number", "huxi", "source", "reds", "points"),
    [
        (9, 15, "other_draw", range(2, 10), (6, -3, -3)),
        (10, 21, "own_draw", range(10, 13), (48, -24, -24)),
        (11, 18, "own_draw", range(10, 13), (36, -18, -18)),
    ],
)
def test_tv_09_10_11_points(number: int, huxi: int, source: str, reds: range, points: tuple[int, ...]) -> None:
    hand = find_hand(
        lambda hand, value: value.huxi == huxi and value.red in reds and hand.source == source and not value.duidui,
        kinds=red_palette(reds[0]),
    )
    value = engine_value(hand)
    assert difference(value, hand.value()) == ""
    assert points_of(value) == points


def test_tv_12_eighteen_zimo_honghu_is_six_di() -> None:
    hand = find_hand(
        lambda hand, value: value.huxi == 18 and value.red in range(10, 13) and hand.source == "own_draw",
        kinds=red_palette(10),
    )
    assert points_of(engine_value(hand, "hu15")) == (12, -6, -6)


@pytest.mark.parametrize(("red", "f"), [(0, 5), (1, 3), (2, 1), (9, 1), (10, 2), (12, 2), (13, 4), (14, 4)])
def test_tv_13_colour_factors(red: int, f: int) -> None:
    hand = find_hand(lambda hand, value: value.wins and value.red == red and not value.duidui, kinds=red_palette(red))
    assert factor(hand) == f


# One red card cannot be had in 对对胡: its groups hold 2, 3 or 4 of a kind. So 7 of the vector is arithmetic only.
@pytest.mark.parametrize(("red", "f"), [(5, 4), (0, 10), (10, 6), (13, 8)])
def test_tv_14_duidui_adds_to_the_colour(red: int, f: int) -> None:
    hand = find_hand(
        lambda hand, value: value.wins and value.red == red and value.duidui,
        kinds=red_palette(red) if red else [kind for kind in red_palette(0) if not is_red(kind)],
        same_only=True,
    )
    assert factor(hand) == f


@pytest.mark.parametrize(
    ("reds", "duidui", "f"), [((2, 9), False, 1), ((10, 12), False, 4), ((2, 9), True, 6), ((0, 0), True, 12)]
)
def test_tv_15_haidi_counts_beside_another_name_only(reds: tuple[int, int], duidui: bool, f: int) -> None:
    hand = hand_with_reds(reds, duidui)
    assert factor(hand, last_card=True) == f


DUIDUI = {1: "壹壹壹叁叁叁四四四六六六二二八八九九伍拾"}
DUIDUI_MOVES = ["0 打 八", "1 碰", "1 打 伍", "2 摸 九", "1 碰", "1 打 拾", "2 摸 二", "1 胡"]


@pytest.mark.parametrize(("level", "f"), [("base", 1), ("half", 4)])
def test_tv_16_duidui_is_no_name_at_base_level(level: str, f: int) -> None:
    record = deal(DUIDUI, DUIDUI_MOVES, options={"fan_level": level})
    score = settled(record)
    assert score.huxi == 21
    assert list(score.points) == [-9 * f, 18 * f, -9 * f]


# 吃 and 比

SPARE = "b9 s5"


def eats(text: str, card: str, spare: str = "") -> set[Any]:
    """All options with the dead-hand rule, after oracle and engine agree with and without it."""
    hand = cards_of(text) + cards_of(spare)
    for due in (True, False):
        for ruleset in ("qq", "hu15"):
            assert engine_chi(hand, card, ruleset, due) == chi_options(hand, card, ruleset, due)
    return engine_chi(hand, card)


def option(first: str, *bi: str) -> Any:
    return tuple(cards_of(first)), tuple(sorted(tuple(cards_of(group)) for group in bi))


def test_tv_21_bi_with_the_other_copy() -> None:
    found = eats("b5 b6×2 b7 b8", "b7", "s1 s9")
    assert option("b6 b7 b8", "b5 b6 b7") in found
    assert all(bi for _, bi in found)


def test_tv_21_without_the_bi_it_is_shao_bi() -> None:
    hands = {1: "伍陆陆柒捌"}
    clean(deal(hands, ["0 打 柒", "1 吃 柒 陆捌", "1 比 柒伍陆", "1 打 十"], ruleset="hu15"))
    assert ("SHAO_BI", 1) in faults(deal(hands, ["0 打 柒", "1 吃 柒 陆捌", "1 打 十"], ruleset="hu15"))


def test_tv_22_one_chi_two_bi() -> None:
    found = eats("s1×2 s2×2 s3×2 s7 s10", "s2", "b5 b8")
    run, red = "s1 s2 s3", "s2 s7 s10"
    assert found == {option(run, run, red), option(red, run, run)}


def test_tv_23_exactly_seven_options() -> None:
    found = eats("s1 s2×2 s3×2 s4 b2×2", "s2", "b6 b9")
    big, small, low, high = "s2 b2 b2", "s2 s2 b2", "s1 s2 s3", "s2 s3 s4"
    assert found == {
        option(big, low, high),
        option(low, small),
        option(low, big, high),
        option(small, low),
        option(small, high),
        option(high, small),
        option(high, low, big),
    }


def test_tv_24_25_26_the_other_one_must_go_too() -> None:
    assert eats("s1 s2 s3 b1×2", "s1", "b5 b9") == {
        option("s1 s2 s3", "s1 b1 b1"),
        option("s1 b1 b1", "s1 s2 s3"),
        option("s1 s1 b1"),
    }
    assert eats("s1×2 s2 s3 b1", "s1", "b5 b9") == {
        option("s1 s2 s3", "s1 s1 b1"),
        option("s1 s1 b1", "s1 s2 s3"),
    }
    assert eats("s1 s2 s3 b9", "s1", "b5") == set()


def test_tv_27_one_to_five_eat_three() -> None:
    found = eats("s1 s2 s3 s4 s5", "s3", "b6 b9")
    assert option("s3 s4 s5", "s1 s2 s3") in found
    assert option("s1 s2 s3", "s3 s4 s5") in found
    assert all(bi for _, bi in found)
    assert ("SHAO_BI", 1) in faults(deal({1: "一二三四五"}, ["0 打 三", "1 吃 三 四五", "1 打 十"], ruleset="hu15"))


def test_tv_28_a_kan_is_not_split_to_eat() -> None:
    assert eats("s4×3 s6", "s5", "b9 b2") == set()
    assert ("CHAI_KAN", 1) in faults(deal({1: "四四四六"}, ["0 打 五", "1 吃 五 四六", "1 打 十"]))


def test_tv_29_one_bi_clears_both_copies() -> None:
    assert eats("s2×2 s7 s10 b2", "s2", "b5 b9") == {
        option("s2 s7 s10", "s2 s2 b2"),
        option("s2 s2 b2", "s2 s7 s10"),
    }


def test_tv_30_jiao_with_the_own_copy_needs_no_bi() -> None:
    assert eats("b9 s9", "s9", "b5 s2") == {option("s9 s9 b9")}


def test_tv_31_the_draw_of_the_previous_seat() -> None:
    moves = ["0 打 拾", "1 摸 五", "2 吃 五 四六", "2 打 十"]
    clean(deal(moves=moves, ruleset="qq"))
    assert ("GE_SHAN", 2) in faults(deal(moves=moves, ruleset="hu15"))


@BOTH
def test_tv_32_the_next_seat_is_behind_the_mountain(ruleset: str) -> None:
    start = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五"]
    found = faults(deal({0: "四六"}, [*start, "0 吃 五 四六", "0 打 十"], ruleset=ruleset))
    assert ("GE_SHAN", 0) in found
    clean(deal({0: "五五"}, [*start, "0 碰", "0 打 十"], ruleset=ruleset))


# Wins

TV33 = "b5×3 s1 s2 s3 s8×2 b7 b8 b9 s5 s6 s7 s9×2 b9"
TV35 = "s1 s2 s3 b7 b8 b9 s5 s6 s7 b4×3 b1×2 s1 s9"
TV37 = "b3×3 b10×2 s1 s2 s3 s4 s5 s6 b5 b6 b7 s7×3 s9×2 b9"
TV39 = "s2×3 s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10"
TV41 = "s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10"


@BOTH
def test_tv_33_peng_hu_of_thirteen_is_no_win(ruleset: str) -> None:
    value = judge(TV33, "s8", "other_draw", ["偎 s4"], ruleset)
    assert (value.complete, value.huxi, value.wins) == (True, 13, False)


@BOTH
def test_tv_33_claiming_it_is_zha_hu(ruleset: str) -> None:
    hands = {1: "伍伍伍一二三八八柒捌玖五六七九九玖四四拾"}
    start = ["0 打 十", "1 摸 四", "1 偎", "1 打 拾"]
    assert seen(deal(hands, [*start, "2 摸 八", "1 胡"], ruleset=ruleset)) == {("ZHA_HU_XI", 1)}
    score = settled(deal(hands, [*start, "2 摸 陆", "0 摸 肆", "1 摸 八", "1 胡"], ruleset=ruleset))
    assert (score.winner, score.huxi) == (1, 15)


@BOTH
def test_tv_34_wei_hu_of_fifteen_wins(ruleset: str) -> None:
    value = judge(TV33, "s8", "own_draw", ["偎 s4"], ruleset)
    assert (value.huxi, value.wins) == (15, True)
    d = 3 if ruleset == "qq" else 1
    assert points_of(value) == (4 * d, -2 * d, -2 * d)


@BOTH
def test_tv_35_two_singles_no_pair(ruleset: str) -> None:
    value = judge(TV35, "s8", "other_draw", ["提 b2"], ruleset)
    assert (value.complete, value.wins) == (False, False)
    hands = {1: "贰贰贰贰一二三柒捌玖五六七肆肆肆壹壹一九"}
    moves = ["1 亮提 贰", "0 打 十", "1 摸 三", "2 摸 八", "1 胡"]
    assert seen(deal(hands, moves, ruleset=ruleset)) == {("ZHA_HU_SHAPE", 1)}


def test_tv_36_dan_diao() -> None:
    value = judge(TV35, "s9", "other_draw", ["提 b2"])
    assert (value.huxi, value.wins) == (21, True)


def test_tv_37_ti_hu_and_pao_hu() -> None:
    assert judge(TV37, "b3", "own_draw").huxi == 18
    assert judge(TV37, "b3", "other_draw").huxi == 15


@BOTH
def test_tv_39_po_pao_hu(ruleset: str) -> None:
    value = judge(TV39, "s2", "other_draw", ruleset=ruleset)
    assert (value.huxi, value.wins) == (18, True)
    hands = {1: "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"}
    assert settled(deal(hands, ["0 打 拾", "1 摸 捌", "2 摸 二", "1 胡"], ruleset=ruleset)).huxi == 18


@BOTH
def test_tv_40_an_own_draw_must_be_ti(ruleset: str) -> None:
    value = judge(TV39, "s2", "own_draw", ruleset=ruleset)
    assert (value.complete, value.wins) == (False, False)
    hands = {1: "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"}
    start = ["0 打 拾", "1 摸 二"]
    assert seen(deal(hands, [*start, "1 胡"], ruleset=ruleset)) == {("PO_TI", 1)}
    clean(deal(hands, [*start, "1 提", "1 打 十"], ruleset=ruleset))


@pytest.mark.parametrize("source", ["own_draw", "other_draw"])
def test_tv_41_a_tabled_peng_may_be_broken(source: str) -> None:
    assert judge(TV41, "s2", source, ["碰 s2"]).huxi == 16


def test_tv_42_a_tabled_wei_is_not_broken_by_the_own_draw() -> None:
    own, other = (judge(TV41, "s2", source, ["偎 s2"]) for source in ("own_draw", "other_draw"))
    assert (own.complete, own.wins) == (False, False)
    assert (other.huxi, other.wins) == (18, True)


@BOTH
def test_tv_48_liang_tou_hu(ruleset: str) -> None:
    hand = cards_of("s3 s4 s5 s6 b7 b8 b9 b4×3 s1×2 b1 s9×2 b9")
    found = engine_waits(hand, ["提 b2"], ruleset)
    assert {card for card, _ in found} == {"s3", "s6"} == {card for card, _ in waits(hand, ["提 b2"], ruleset)}
    assert {source for _, source in found} >= {"own_draw", "other_draw"}
    assert {value.huxi for value in found.values()} == {18}


def test_tv_49_wu_hu_and_duidui_make_ten() -> None:
    value = judge("s1×3 b9×3 s4", "s4", "other_draw", ["提 b5", "碰 s3", "碰 b6", "偎 s8"])
    assert value.huxi == 28
    assert points_of(value) == (300, -150, -150)
    assert {"乌胡", "对对胡"} <= set(value.fan) or any("乌" in name for name in value.fan)


def test_tv_51_dian_hu() -> None:
    hand = "s1×3 s4 s5 s6 b3×2 s8 s9 s10 b8×2 s8"
    other, own = (judge(hand, "b3", source, ["碰 b6", "偎 b9"]) for source in ("other_draw", "own_draw"))
    assert (other.huxi, points_of(other)[0]) == (15, 18)
    assert (own.huxi, points_of(own)[0]) == (18, 54)
    assert other.fan == {"点胡": 3}


def test_tv_53_hong_hu_from_tabled_cards() -> None:
    melds = ["吃 s2 s7 s10", "吃 s2 s7 s10", "吃 b2 b7 b10", "吃 s6 s7 s8"]
    value = judge("b5×3 s3 s4 s5 s9 b9", "s9", "own_draw", melds)
    assert (value.huxi, value.fan) == (18, {"红胡": 2})


def test_tv_70_what_pao_and_ti_are_worth() -> None:
    rest = "s1 s2 s3 b1 b2 b3 b6 b7 b8 b9×2 s9 s10"
    for meld, huxi in (("跑 s5", 6), ("提 s5", 9)):
        value = judge(rest, "s10", "other_draw", [meld, "碰 b10"])
        assert value.huxi == huxi + 3 + 6 + 3


def test_the_engine_offers_its_public_names() -> None:
    for name in ("evaluate_hand", "waits", "chi_options", "replay_round", "RULESETS"):
        assert hasattr(replay, name), name
