"""The numbered test vectors (TV) of the rules digest that are rounds: 天胡 and procedure."""

from __future__ import annotations

import pytest

from tests.oracle.cards import from_text
from tests.oracle.chi import chi_options
from tests.oracle.engine import engine_chi, engine_value, points_of
from tests.oracle.hands import Hand, cards_of
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled

BOTH = pytest.mark.parametrize("ruleset", ["qq", "hu15"])

# 天胡

TV54 = "一一一一四四四四捌捌捌捌二三叁伍陆九拾七"
TV56 = "一一一四四四五五五八八八九九九壹叁伍柒玖"


@pytest.mark.parametrize(("text", "huxi", "points"), [(TV54, 30, (102, -51, -51)), (TV56, 15, (126, -63, -63))])
def test_tv_54_56_three_ti_or_five_kan(text: str, huxi: int, points: tuple[int, ...]) -> None:
    hand = Hand(tuple(from_text(text)))
    expected = hand.value(tianhu=True)
    assert (expected.wins, expected.huxi, expected.points) == (True, huxi, points)
    value = engine_value(hand, tianhu=True)
    assert (value.wins, value.huxi, points_of(value)) == (True, huxi, points)


def test_tv_54_three_ti_wins_at_once_in_a_round() -> None:
    score = settled(deal({1: TV54}, ["1 胡 -"]))
    assert (score.winner, score.huxi, list(score.points)) == (1, 30, [-51, 102, -51])
    assert ("TIANHU1_MISSED", 1) in faults(deal({1: TV54}, ["0 打 十", "1 摸 贰"]))


def test_tv_54_it_may_be_declined_in_hu15() -> None:
    laid = ["1 亮提 一", "1 亮提 四", "1 亮提 捌"]
    clean(deal({1: TV54}, [*laid, "0 打 十", "1 摸 贰", "2 摸 柒"], ruleset="hu15"))


TWO_TI = {1: "五五五五柒柒柒柒三三三玖玖玖壹叁"}
TWO_TI_LAID = ["1 亮提 五", "1 亮提 柒"]


def test_tv_58_two_ti_and_two_kan_are_no_tianhu() -> None:
    value = engine_value(Hand(tuple(from_text("五五五五柒柒柒柒三三三玖玖玖壹叁十拾六捌"))), tianhu=True)
    assert not value.wins
    eat = ["0 打 贰", "1 吃 贰 壹叁"]
    clean(deal(TWO_TI, [*TWO_TI_LAID, *eat, "2 摸 八"]))
    assert ("BAKUAI_DISCARD", 1) in faults(deal(TWO_TI, [*TWO_TI_LAID, *eat, "1 打 十"]))
    assert ("SHI_TI", 1) in faults(deal(TWO_TI, [*eat, "2 摸 八"]))


def test_tv_59_the_liang_makes_the_third_ti() -> None:
    hands = {0: "五五五五柒柒柒柒三三三"}
    score = settled(deal(hands, ["0 胡"], liang="三"))
    assert score.winner == 0
    assert score.huxi >= 30
    x = (2 * score.huxi - 12) // 3 + 1
    assert score.points[0] % (6 * x) == 0
    laid = ["0 亮提 五", "0 亮提 柒", "0 亮提 三"]
    assert ("TIANHU1_MISSED", 0) in faults(deal(hands, [*laid, "1 摸 贰"], liang="三"))


def test_tv_60_the_liang_makes_the_dealers_second_ti() -> None:
    hands = {0: "五五五五柒柒柒"}
    laid = ["0 亮提 五", "0 亮提 柒"]
    clean(deal(hands, [*laid, "1 摸 贰", "2 摸 捌"], liang="柒"))
    assert ("BAKUAI_DISCARD", 0) in faults(deal(hands, [*laid, "0 打 九"], liang="柒"))


def test_tv_63_others_may_win_on_the_liang_that_makes_a_ti() -> None:
    ready = "一一一捌捌捌拾拾拾四五六七八九三四五伍陆"
    score = settled(deal({0: "肆肆肆", 1: ready}, ["1 胡"], liang="肆"))
    assert (score.winner, score.huxi, list(score.points)) == (1, 15, [-21, 42, -21])


# Procedure

EAT_0 = ["0 摸 贰", "0 吃 贰 壹叁"]


@BOTH
def test_tv_64_a_passed_card_is_stale(ruleset: str) -> None:
    start = ["0 打 五", "1 过", "1 摸 八", "2 摸 捌", *EAT_0, "0 打 五"]
    hands = {1: "五五四六伍"}
    eat = ["1 吃 五 四六", "1 比 五五伍"]
    assert seen(deal(hands, [*start, *eat], ruleset=ruleset)) == {("CHOU_CHI", 1)}
    assert seen(deal(hands, [*start, "1 碰"], ruleset=ruleset)) == {("CHOU_PENG", 1)}
    clean(deal(hands, [*start, "1 摸 九"], ruleset=ruleset))


READY_5 = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"


@BOTH
def test_tv_64_a_stale_card_may_be_won_on(ruleset: str) -> None:
    start = ["0 打 五", "1 过", "1 摸 三"]
    score = settled(deal({1: READY_5}, [*start, "2 摸 五", "1 胡"], ruleset=ruleset))
    assert (score.winner, score.huxi) == (1, 15)
    assert seen(deal({1: READY_5}, ["0 打 五", "1 胡"], ruleset=ruleset)) == {("HU_SOURCE", 1)}


@BOTH
def test_tv_65_chou_wei_after_a_passed_peng(ruleset: str) -> None:
    start = ["0 打 五", "1 过", "1 摸 五"]
    clean(deal({1: "五五"}, [*start, "1 臭偎 明1", "1 打 十"], ruleset=ruleset))
    assert seen(deal({1: "五五"}, [*start, "1 偎 明0", "1 打 十"], ruleset=ruleset)) == {("CHOUWEI_HIDDEN", 1)}


def test_tv_66_a_pre_empted_chi_is_not_stale() -> None:
    hands = {1: "四六", 2: "五五"}
    clean(deal(hands, ["0 打 五", "2 碰", "2 打 十", *EAT_0, "0 打 五", "1 吃 五 四六", "1 打 九"]))
    assert ("WRONG_PRIORITY", 1) in faults(deal(hands, ["0 打 五", "2 求 碰", "1 吃 五 四六", "1 打 九"]))


@BOTH
def test_tv_67_an_own_discard_may_not_be_eaten(ruleset: str) -> None:
    moves = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 八", "0 摸 捌", "0 吃 捌 柒玖", "0 打 五", "1 吃 五 四六"]
    assert seen(deal(moves=moves, ruleset=ruleset)) == {("CHOU_CHI", 1)}


PENG_5 = ["0 打 五", "1 碰", "1 打 九"]


@BOTH
def test_tv_68_a_discard_makes_no_pao_of_a_tabled_peng(ruleset: str) -> None:
    moves = [*PENG_5, "2 摸 贰", "2 吃 贰 壹叁", "2 打 五"]
    clean(deal({1: "五五"}, [*moves, "0 摸 八"], ruleset=ruleset))
    assert seen(deal({1: "五五"}, [*moves, "1 跑"], ruleset=ruleset)) == {("MELD_INVALID", 1)}


@BOTH
def test_tv_69_a_drawn_card_makes_a_forced_pao_of_a_tabled_peng(ruleset: str) -> None:
    other = [*PENG_5, "2 摸 五"]
    own = [*PENG_5, "2 摸 八", "0 摸 捌", "1 摸 五"]
    for moves, after in ((other, "0 摸 玖"), (own, "2 摸 玖")):
        clean(deal({1: "五五"}, [*moves, "1 跑", "1 打 拾"], ruleset=ruleset))
        assert ("ZOU_PAO", 1) in faults(deal({1: "五五"}, [*moves, after], ruleset=ruleset))
    assert ("MELD_KIND", 1) in faults(deal({1: "五五"}, [*own, "1 提", "1 打 拾"], ruleset=ruleset))


WEI_5 = ["0 打 九", "1 摸 五", "1 偎", "1 打 玖"]


@BOTH
def test_tv_70_pao_or_ti_of_a_tabled_wei(ruleset: str) -> None:
    other = [*WEI_5, "2 摸 贰", "2 吃 贰 壹叁", "2 打 五"]
    clean(deal({1: "五五"}, [*other, "1 跑", "1 打 拾"], ruleset=ruleset))
    assert ("ZOU_PAO", 1) in faults(deal({1: "五五"}, [*other, "0 摸 八"], ruleset=ruleset))
    own = [*WEI_5, "2 摸 八", "0 摸 捌", "1 摸 五"]
    clean(deal({1: "五五"}, [*own, "1 提", "1 打 拾"], ruleset=ruleset))
    assert ("MELD_KIND", 1) in faults(deal({1: "五五"}, [*own, "1 跑", "1 打 拾"], ruleset=ruleset))
    assert ("SHI_TI", 1) in faults(deal({1: "五五"}, [*own, "2 摸 陆"], ruleset=ruleset))


@BOTH
def test_tv_71_no_discard_after_the_second_pao(ruleset: str) -> None:
    hands = {1: "五五五伍伍伍"}
    moves = ["0 打 五", "1 跑", "1 打 十", "2 摸 伍", "1 跑"]
    clean(deal(hands, [*moves, "2 摸 八", "0 摸 捌"], ruleset=ruleset))
    assert ("BAKUAI_DISCARD", 1) in faults(deal(hands, [*moves, "1 打 拾"], ruleset=ruleset))
    assert ("MISSING_DISCARD", 1) in faults(deal(hands, ["0 打 五", "1 跑", "2 摸 九"], ruleset=ruleset))


READY_A = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
READY_B = "玖玖玖三三三拾拾拾五六七八九一一壹伍陆柒"


def test_tv_73_of_several_winners_the_nearest() -> None:
    hands = {0: READY_A, 1: READY_B}
    for text in hands.values():
        assert Hand(tuple(from_text(text)), (), "s4", "other_draw").value().wins
    start = ["2 打 二", "0 摸 二", "1 摸 八"]
    for claims, fault in ((["0 求 胡", "1 胡"], True), (["1 求 胡", "0 胡"], False), (["0 胡"], False)):
        found = faults(deal(hands, [*start, "2 摸 四", *claims], dealer=2))
        assert found == ({("WRONG_PRIORITY", 1)} if fault else set())
    for claims, fault in ((["0 求 胡", "1 胡"], True), (["1 求 胡", "0 胡"], False)):
        found = faults(deal(hands, ["2 打 二", "0 摸 四", *claims], dealer=2))
        assert found == ({("WRONG_PRIORITY", 1)} if fault else set())


@BOTH
def test_tv_74_huang(ruleset: str) -> None:
    record, moves = quiet_round(ruleset=ruleset)
    score = settled(with_moves(record, [*moves, "荒"]))
    assert score.winner == -1
    assert list(score.points) == [0, 0, 0]
    assert {code for code, _ in faults(with_moves(record, [*moves[:-1], "荒"]))} == {"FALSE_HUANG"}


def test_tv_75_the_last_wall_card_is_haidi() -> None:
    ready = "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍"
    # No earlier 陆: a win that was refused on it would make the last one 臭胡.
    record, moves = quiet_round({2: ready, 0: "壹玖三陆陆", 1: "陆"}, last="陆", liang="十")
    score = settled(with_moves(record, [*moves, "2 胡"]))
    assert (score.winner, score.huxi) == (2, 15)
    assert list(score.points) == [-21, -21, 42]
    assert score.fan == {"乌胡": 5, "海底": 2}


@BOTH
def test_tv_76_no_win_on_a_discard(ruleset: str) -> None:
    assert seen(deal({1: READY_A}, ["0 打 四", "1 胡"], ruleset=ruleset)) == {("HU_SOURCE", 1)}


@BOTH
def test_tv_77_a_kan_may_not_be_discarded_from(ruleset: str) -> None:
    hands = {0: "壹壹壹玖玖玖三三三七七七柒五六贰叁肆肆伍"}
    record = deal(hands, ["0 打 七", "1 摸 四"], liang="陆", ruleset=ruleset)
    assert seen(record) == {("CHAI_KAN", 0)}
    found = faults(deal(hands, ["0 打 七", "1 摸 四", "0 胡"], liang="陆", ruleset=ruleset))
    assert {("CHAI_KAN", 0), ("HU_BANNED", 0)} <= found


@BOTH
def test_tv_79_impossible_draws(ruleset: str) -> None:
    assert ("DOUBLE_DRAW", 1) in faults(deal(moves=["0 打 九", "1 摸 八", "1 摸 捌"], ruleset=ruleset))
    record = deal({1: "柒柒"}, ["0 打 九", "1 摸 八", "2 摸 捌"], wall_front="八玖", ruleset=ruleset)
    assert "WALL_MISMATCH" in {code for code, _ in faults(record)}
    four = deal({0: "柒", 1: "柒柒", 2: "柒"}, ["0 打 九", "1 摸 八"], ruleset=ruleset)
    fifth = with_moves(four, ["0 打 九", "1 摸 八", "2 摸 柒"], wall=None)
    assert "FIFTH_COPY" in {code for code, _ in faults(fifth)}


@BOTH
def test_tv_82_one_ti_and_three_ordinary_intakes(ruleset: str) -> None:
    moves = [
        "1 亮提 五",
        "0 打 贰",
        "1 吃 贰 壹叁",
        "1 打 十",
        "2 摸 六",
        "0 摸 四",
        "1 摸 捌",
        "1 吃 捌 柒玖",
        "1 打 拾",
    ]
    moves += ["2 摸 陆", "0 摸 肆", "1 摸 八", "1 吃 八 七九", "1 打 一", "2 摸 伍"]
    clean(deal({1: "五五五五"}, moves, ruleset=ruleset))
    without = [move for move in moves if move != "1 打 拾"]
    assert ("MISSING_DISCARD", 1) in faults(deal({1: "五五五五拾"}, without, ruleset=ruleset))


def test_tv_84_pao_two_then_pao_three() -> None:
    hands = {1: "二二二三三三"}
    moves = ["0 打 二", "1 跑", "1 打 十", "2 摸 三", "1 跑"]
    clean(deal(hands, [*moves, "2 摸 八"], ruleset="hu15"))
    assert ("BAKUAI_DISCARD", 1) in faults(deal(hands, [*moves, "1 打 拾"], ruleset="hu15"))


@BOTH
def test_tv_85_peng_goes_before_the_drawers_chi(ruleset: str) -> None:
    hands = {0: "伍伍", 1: "陆柒"}
    start = ["0 打 九", "1 摸 伍"]
    eat = ["1 吃 伍 陆柒", "1 打 十"]
    assert ("WRONG_PRIORITY", 1) in faults(deal(hands, [*start, "0 求 碰", *eat], ruleset=ruleset))
    passed = [*start, "0 过", *eat]
    clean(deal(hands, passed, ruleset=ruleset))
    again = [*passed, "2 摸 贰", "2 吃 贰 壹叁", "2 打 伍", "0 碰"]
    assert seen(deal(hands, again, ruleset=ruleset)) == {("CHOU_PENG", 0)}
    drawn = [*passed, "2 摸 八", "0 摸 伍"]
    clean(deal(hands, [*drawn, "0 臭偎 明1", "0 打 拾"], ruleset=ruleset))
    assert seen(deal(hands, [*drawn, "0 偎 明0", "0 打 拾"], ruleset=ruleset)) == {("CHOUWEI_HIDDEN", 0)}


@BOTH
def test_tv_86_sizes_do_not_mix_in_a_run(ruleset: str) -> None:
    clean(deal(moves=["0 打 柒", "1 吃 柒 陆捌", "1 打 十"], ruleset=ruleset))
    assert ("MELD_INVALID", 1) in faults(deal(moves=["0 打 二", "1 吃 二 壹叁", "1 打 十"], ruleset=ruleset))
    hand = cards_of("b1 b3 b9 s5")
    assert engine_chi(hand, "s2", ruleset) == chi_options(hand, "s2", ruleset) == set()


@BOTH
def test_tv_87_the_passed_two(ruleset: str) -> None:
    hands = {1: "一二二三贰"}
    start = ["0 打 二", "1 过"]
    again = [*start, "1 摸 八", "2 摸 捌", "0 摸 陆", "0 吃 陆 伍柒", "0 打 二"]
    assert seen(deal(hands, [*again, "1 碰"], ruleset=ruleset)) == {("CHOU_PENG", 1)}
    eat = ["1 吃 二 一三", "1 比 二二贰"]
    assert seen(deal(hands, [*again, *eat], ruleset=ruleset)) == {("CHOU_CHI", 1)}
    clean(deal(hands, [*start, "1 摸 二", "1 臭偎 明1", "1 打 十"], ruleset=ruleset))
