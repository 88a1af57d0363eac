"""The options of chapter 13 of docs/rules.md about the deal and the play: what each of their values does."""

from __future__ import annotations

import pytest

import replay
from replay.rulesets import RulesetError, resolve
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled
from tests.rules.legal import legal
from tests.rules.worth import worth

READY = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 15 胡息 with 五, 4 red
WIN_5 = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]


# The deal and who wins on it


@pytest.mark.parametrize(("least", "deng"), [(9, 3), (10, 2), (15, 1), (18, 0), (21, 0)])
def test_r13_1_least_huxi(least: int, deng: int) -> None:
    value = worth(READY, "五", "other_draw", ruleset="qq", options={"min_huxi": least})
    assert (value.wins, value.deng) == (deng > 0, deng)


THREE = {1: "一一一一四四四四捌捌捌捌"}


def test_r13_2_tianhu_by_quads() -> None:
    for value, moves in (("compulsory", {"1 胡"}), ("optional", {"1 胡", "1 亮提 一"}), ("off", {"1 亮提 一"})):
        found = legal(deal(THREE, [], options={"tianhu_quads": value}))
        assert moves <= found, value
        assert ("1 胡" in found) == (value != "off")
        assert ("1 亮提 一" in found) == (value != "compulsory")


def test_r13_3_who_wins_on_the_liang() -> None:
    for value, seats in (("all", {0, 1}), ("dealer", {0}), ("nobody", set())):
        for seat in (0, 1):
            found = legal(deal({seat: READY}, [], liang="五", options={"liang_win": value}))
            assert (f"{seat} 胡" in found) == (seat in seats), (value, seat)
    forced = {"liang_forced": True}
    assert legal(deal({0: READY}, [], liang="五", options=forced)) == {"0 胡"}
    assert "MISSING_EVENT" in {code for code, _ in faults(deal({0: READY}, ["0 打 五"], liang="五", options=forced))}
    with pytest.raises(RulesetError, match="liang_win"):
        resolve("qq", {"liang_forced": True, "liang_win": "nobody"})


def test_r13_4_whether_a_quad_counts_as_kan() -> None:
    mixed = {1: "一一一一四四四四捌捌捌五五五九九九"}
    assert legal(deal(mixed, [])) == {"1 胡"}
    assert "1 胡" not in legal(deal(mixed, [], options={"tianhu_count": "exact"}))


def test_r13_5_dihu() -> None:
    first = {"any": {1, 2}, "next": {1}, "off": set()}
    for value, seats in first.items():
        for seat in (1, 2):
            record = deal(
                {seat: READY}, ["0 打 五", f"{seat} 胡"], ruleset="luzhou", wall_end="一", options={"dihu": value}
            )
            assert ("地胡" in settled(record).fan) == (seat in seats), (value, seat)
    hand = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十肆"
    assert "地胡" in settled(deal({2: hand}, ["0 打 十", "2 胡"], ruleset="general")).fan
    forced = {"dihu": "any", "dihu_forced": True}
    assert legal(deal({2: READY}, ["0 打 五"], ruleset="luzhou", wall_end="一", options=forced)) == {"2 胡"}
    with pytest.raises(RulesetError, match="dihu_forced"):
        resolve("luzhou", {"dihu_forced": True})


def test_r13_6_huxi_of_a_tianhu() -> None:
    for factor, deng in ((1, 1), (2, 6)):
        assert settled(deal({1: READY}, ["1 胡"], liang="五", options={"tianhu_factor": factor})).deng == deng


def test_r13_7_when_dealt_quads_are_laid() -> None:
    quad = {1: "九九九九"}
    late = ["0 打 十", "1 摸 八"]
    eaten = ["0 打 贰", "1 吃 贰 壹叁", "1 打 一"]
    for value, first, second in (("first_discard", True, True), ("first_intake", False, True), ("none", False, False)):
        assert (("SHI_TI", 1) in faults(deal(quad, late, options={"ti_open": value}))) == first
        assert (("SHI_TI", 1) in faults(deal(quad, eaten, options={"ti_open": value}))) == second


def test_r13_9_a_dealer_with_two_quads() -> None:
    hands, laid = {0: "五五五五柒柒柒"}, ["0 亮提 五", "0 亮提 柒"]
    clean(deal(hands, [*laid, "1 摸 贰"], liang="柒"))
    clean(deal(hands, [*laid, "0 打 九", "1 摸 贰"], liang="柒", options={"dealer_discards": True}))


# Play


def test_r13_10_the_draw_of_prev() -> None:
    moves = ["0 打 拾", "1 摸 五", "2 吃 五 四六", "2 打 十"]
    for value, found in ((True, set()), (False, {("GE_SHAN", 2)})):
        assert faults(deal(moves=moves, options={"chi_prev_draw": value})) == found


def test_r13_12_what_a_pass_bars() -> None:
    passed = ["2 打 五", "1 过", "0 摸 贰", "0 吃 贰 壹叁", "0 打 五", "1 吃 五 四六", "1 比 五五伍", "1 打 十"]
    for value, found in (("joint", {("CHOU_CHI", 1)}), ("separate", set())):
        assert seen(deal({1: "五五伍四六"}, passed, dealer=2, options={"stale_mode": value})) == found


def test_r13_13_own_discards_and_peng() -> None:
    """Seat 1 throws one 五 of three (a 拆坎) and could 碰 the fourth."""
    moves = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 捌", "0 摸 五"]
    for value in (True, False):
        record = deal({1: "五五五"}, moves, options={"own_bars_peng": value})
        assert ("1 碰 五" in legal(record)) != value


@pytest.mark.parametrize("value", [True, False])
def test_r13_14_chouhu(value: bool) -> None:
    moves = ["0 打 陆", "1 摸 八", "2 摸 五", "1 过", "0 摸 二", "1 摸 叁", "2 摸 五", "1 胡"]
    assert faults(deal({1: READY}, moves, options={"chouhu": value})) == ({("CHOU_HU", 1)} if value else set())


@pytest.mark.parametrize("value", [True, False])
def test_r13_15_a_declined_win(value: bool) -> None:
    moves = ["0 打 陆", "1 摸 八", "2 摸 五", "1 过"]
    found = legal(deal({1: READY, 0: "五五"}, moves, options={"hu_pass_kills": value}))
    assert ("0 碰 五" in found) != value


@pytest.mark.parametrize("value", [True, False])
def test_r13_16_wins_on_discards(value: bool) -> None:
    record = deal({1: READY}, ["0 打 五", "1 胡"], options={"win_discard": value})
    assert faults(record) == (set() if value else {("HU_SOURCE", 1)})


@pytest.mark.parametrize("value", [True, False])
def test_r13_17_one_dead_choice(value: bool) -> None:
    """五 with 四六 leaves 坎 only after 比; with 三四 a card is left."""
    found = replay.chi_options("三四六贰贰贰", "五", ruleset="qq", options={"dead_chi_all": value})
    assert len(found) == 2
    found = replay.chi_options("四六伍伍五贰贰贰", "五", ruleset="qq", options={"dead_chi_all": value})
    whole = replay.chi_options("四六伍伍五贰贰贰", "五", ruleset="qq", discard_due=False)
    assert len(whole) > len(replay.chi_options("四六伍伍五贰贰贰", "五", ruleset="qq"))
    assert (found == []) == value


LOCKED = {1: "五五壹壹壹叁叁叁肆肆肆捌捌捌一一一三三三"}


@pytest.mark.parametrize("value", ["waive", "waive_and_out", "dropped"])
def test_r13_18_a_forced_group_that_leaves_nothing(value: str) -> None:
    wei = ["0 打 九", "1 摸 五", "1 偎", "2 摸 八"]
    assert faults(deal(LOCKED, wei, ruleset="bisai", options={"dead_forced": value})) == set()
    assert resolve("qq", {"dead_forced": value}).dead_forced == value


@pytest.mark.parametrize("value", [True, False])
def test_r13_19_the_face_of_chou_wei(value: bool) -> None:
    moves = ["0 打 五", "1 过", "1 摸 五", "1 偎 明0", "1 打 十"]
    assert ("CHOUWEI_HIDDEN", 1) in faults(deal({1: "五五"}, moves))
    hidden = ["0 打 五", "1 过", "1 摸 五", "1 臭偎 明0", "1 打 十"]
    found = faults(deal({1: "五五"}, hidden, options={"chou_wei_hidden": value}))
    assert bool(found) != value


@pytest.mark.parametrize("value", [True, False])
def test_r13_20_ban(value: bool) -> None:
    """走跑, then a whole hand."""
    record = deal({1: READY}, ["0 打 九", "1 摸 八", "2 摸 五", "1 胡"], options={"ban": value})
    assert (("HU_BANNED", 1) in faults(record)) == value


@pytest.mark.parametrize("value", [True, False])
def test_r13_29_compulsory_peng(value: bool) -> None:
    found = legal(deal({1: "五五"}, ["0 打 五"], options={"peng_forced": value}))
    assert ("1 过" in found) != value
    assert "1 碰 五" in found


@pytest.mark.parametrize("value", [True, False])
def test_r13_30_the_last_card(value: bool) -> None:
    ready = "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍"
    record, moves = quiet_round(
        {2: ready, 0: "壹玖三陆陆", 1: "陆"}, last="陆", liang="十", options={"last_wins": value}
    )
    assert faults(with_moves(record, [*moves, "2 胡"])) == (set() if value else {("HU_SOURCE", 2)})


@pytest.mark.parametrize(
    ("option", "value"),
    [("xing", 5), ("letters", 5), ("base_points", 2.0), ("base_points", True), ("quad_units", True), ("zimo", 1)],
)
def test_a_value_of_another_type_is_refused(option: str, value: object) -> None:
    with pytest.raises(RulesetError, match=option):
        resolve("bisai", {option: value})


def test_numbers_stay_numbers_and_stand_for_yes_and_no_where_those_are_meant() -> None:
    rules = resolve("general", {"quad_units": 1, "ban": 1, "void_ends": False})
    assert (rules.quad_units, rules.ban, rules.void_ends) == (1, True, False)
    assert [type(value) for value in (rules.quad_units, rules.ban)] == [int, bool]
