"""Faults of other programs in playing a round, as tests of the whole kind of fault; the case id is in the name."""

from __future__ import annotations

import pytest

from ingest.record import Result
from tests.oracle.cards import CHARACTERS, KINDS
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, findings, seen, settled

BOTH = pytest.mark.parametrize("ruleset", ["qq", "hu15"])
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)

TV39 = {1: "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"}
WON = ["0 打 拾", "1 摸 捌", "2 摸 二", "1 胡"]


def test_b04_a_reported_quad_twice_is_named() -> None:
    groups = settled(deal(TV39, WON)).groups
    assert sum(group[2] for group in groups) == 18
    for huxi, points in ((21, (-6, 12, -6)), (18, (-9, 18, -9)), (18, (-6, 12, -3))):
        found = faults(deal(TV39, WON, result=Result(winner=1, huxi=huxi, points=points)))
        assert found, (huxi, points)
        assert {code for code, _ in found} <= {"WRONG_XI", "WRONG_SCORE", "NOT_ZERO_SUM"}
    clean(deal(TV39, WON, result=Result(winner=1, huxi=18, points=(-6, 12, -6))))


# A win that is declined: by 坎 or by tabled 碰, on another's or on the own draw.
REFUSED = {
    "坎": ({1: "叁叁叁拾拾一二三四五六伍陆柒七七七九九玖"}, ["0 打 八", "1 摸 捌", "2 摸 叁"], "1 打 拾", 15),
    "碰": (
        {1: "壹壹柒柒柒伍伍伍玖玖玖四五六八八捌十十肆"},
        ["0 打 壹", "1 碰", "1 打 肆", "2 摸 壹"],
        "1 打 十",
        27,
    ),
    "碰 own": (
        {1: "壹壹柒柒柒伍伍伍玖玖玖四五六八八捌十十肆"},
        ["0 打 壹", "1 碰", "1 打 肆", "2 摸 九", "0 摸 二", "1 摸 壹"],
        "1 打 十",
        27,
    ),
}


@BOTH
@pytest.mark.parametrize("form", REFUSED)
def test_b06_b09_declining_the_win_does_not_waive_the_pao(ruleset: str, form: str) -> None:
    hands, start, throw, huxi = REFUSED[form]
    assert settled(deal(hands, [*start, "1 胡"], ruleset=ruleset)).huxi == huxi
    clean(deal(hands, [*start, "1 过", "1 跑", throw], ruleset=ruleset))
    after = "2 摸 陆" if form == "碰 own" else "0 摸 陆"
    assert ("ZOU_PAO", 1) in faults(deal(hands, [*start, "1 过", after], ruleset=ruleset))


def test_b06_guilin_lets_the_card_lie_after_a_refused_win() -> None:
    hands, start, _, _ = REFUSED["碰"]
    record = deal(hands, [*start, "1 过", "0 摸 陆"], ruleset="guilin")
    assert faults(record) == set()
    assert "LOST_BY_REFUSED_HU" in {found.code for found in findings(record)}


# Five 碰 leave 坎 and two cards: eating with the two would leave nothing to discard.
DEAD = {1: "伍伍伍一二四四六六八八肆肆陆陆七九壹柒玖"}
DEAD_MOVES = [
    *("0 打 四", "1 碰", "1 打 七", "2 摸 六", "1 碰", "1 打 九", "2 摸 八", "1 碰", "1 打 壹"),
    *("2 摸 肆", "1 碰", "1 打 柒", "2 摸 陆", "1 碰", "1 打 玖", "2 摸 拾", "0 摸 三"),
]


def test_b38_a_dead_chi_in_a_round() -> None:
    assert ("DEAD_CLAIM", 1) in faults(deal(DEAD, [*DEAD_MOVES, "1 吃 三 一二", "2 摸 捌"]))
    clean(deal(DEAD, [*DEAD_MOVES, "1 摸 叁"]))


# Procedure


SECOND_QUAD = {
    "坎, discard": ({1: "五五五五伍伍伍"}, ["1 亮提 五", "0 打 伍", "1 跑"]),
    "坎, draw of another": ({1: "五五五五伍伍伍"}, ["1 亮提 五", "0 打 九", "1 摸 八", "2 摸 伍", "1 跑"]),
    "坎, own draw": ({1: "五五五五伍伍伍"}, ["1 亮提 五", "0 打 九", "1 摸 伍", "1 提"]),
    "偎": ({1: "五五五五伍伍"}, ["1 亮提 五", "0 打 九", "1 摸 伍", "1 偎", "1 打 十", "2 摸 伍", "1 跑"]),
    "碰": ({1: "五五五五伍伍"}, ["1 亮提 五", "0 打 伍", "1 碰", "1 打 十", "2 摸 伍", "1 跑"]),
}


@BOTH
@pytest.mark.parametrize("way", SECOND_QUAD)
def test_b14_no_discard_after_the_second_quad(ruleset: str, way: str) -> None:
    hands, moves = SECOND_QUAD[way]
    clean(deal(hands, [*moves, "2 摸 捌", "0 摸 陆"], ruleset=ruleset))
    assert ("BAKUAI_DISCARD", 1) in faults(deal(hands, [*moves, "1 打 拾"], ruleset=ruleset))


READY_A = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
READY_B = "玖玖玖三三三拾拾拾五六七八九一一壹伍陆柒"


def test_b17_the_liang_goes_to_the_dealer_then_next_then_previous() -> None:
    score = settled(deal({0: READY_A, 1: READY_B}, ["0 胡"], dealer=2, liang="四"))
    assert (score.winner, list(score.points)) == (0, [42, -21, -21])
    for dealer in (2, 0):
        both = {0: READY_A, 1: READY_B}
        late = deal(both, ["0 求 胡", "1 胡"], dealer=dealer, liang="四")
        assert seen(late) == {("WRONG_PRIORITY", 1)}
        clean(deal(both, ["1 求 胡", "0 胡"], dealer=dealer, liang="四"))


@EVERY_KIND
@BOTH
def test_b19_a_kan_is_found_wherever_it_stands(ruleset: str, kind: str) -> None:
    card = CHARACTERS[kind]
    first, drawn = [c for c in "四六肆陆" if c != card][:2]
    throw = next(c for c in "八捌" if c != card)
    for start in ([f"0 打 {card}"], [f"0 打 {first}", f"1 摸 {drawn}", f"2 摸 {card}"]):
        clean(deal({1: card * 3}, [*start, "1 跑", f"1 打 {throw}"], ruleset=ruleset))
        after = f"1 摸 {throw}" if len(start) == 1 else f"0 摸 {throw}"
        assert seen(deal({1: card * 3}, [*start, after], ruleset=ruleset)) == {("ZOU_PAO", 1)}


@BOTH
def test_b20_no_chi_before_a_forced_pao(ruleset: str) -> None:
    hands = {1: "陆柒", 2: "伍伍伍"}
    start = ["0 打 九", "1 摸 伍"]
    assert ("WRONG_PRIORITY", 1) in faults(deal(hands, [*start, "1 吃 伍 陆柒", "1 打 十"], ruleset=ruleset))
    clean(deal(hands, [*start, "2 跑", "2 打 十"], ruleset=ruleset))


def test_b21_a_card_seen_but_never_offered_is_not_stale() -> None:
    moves = ["0 打 九", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁", "2 打 五", "0 摸 五", "1 摸 捌", "2 摸 陆"]
    moves += ["0 摸 肆", "0 吃 肆 伍陆", "0 打 五", "1 吃 五 三四", "1 打 十"]
    clean(deal({1: "三四"}, moves, ruleset="hu15"))
    # Where the previous seat's draw may be eaten, leaving it is a pass.
    assert seen(deal({1: "三四"}, moves[:-1], ruleset="qq")) == {("CHOU_CHI", 1)}


@BOTH
def test_b36_an_own_discard_bars_the_own_draw(ruleset: str) -> None:
    moves = ["0 打 三", "1 摸 八", "2 摸 柒", "0 摸 三", "0 吃 三 二四"]
    assert seen(deal({0: "二四"}, moves, ruleset=ruleset)) == {("CHOU_CHI", 0)}
    ready = "壹壹壹捌捌捌九九九二四贰叁肆肆伍陆十十三"
    won = settled(deal({0: ready}, [*moves[:-1], "0 胡"], liang="拾", ruleset=ruleset))
    assert (won.winner, won.huxi) == (0, 15)


@BOTH
def test_n09_what_may_be_discarded_after_a_chi(ruleset: str) -> None:
    hands = {1: "一二三四叁叁叁"}
    start = ["0 打 五", "1 吃 五 三四"]
    for card, fault in (("一", None), ("二", None), ("叁", "CHAI_KAN"), ("三", "CARD_NOT_IN_HAND")):
        record = deal(hands, [*start, f"1 打 {card}"], ruleset=ruleset, add_missing=False, avoid={1: "一二三四"})
        assert seen(record) == ({(fault, 1)} if fault else set())


@BOTH
def test_n12_nothing_of_a_won_round_leaks_into_huang(ruleset: str) -> None:
    won = deal(TV39, WON, ruleset=ruleset)
    record, moves = quiet_round(ruleset=ruleset)
    drawn = with_moves(record, [*moves, "荒"])
    first = list(settled(won).points)
    for _ in range(2):
        assert list(settled(drawn).points) == [0, 0, 0]
        assert list(settled(won).points) == first
    false = with_moves(record, [*moves, "荒"], result=Result(winner=-1, points=tuple(first)))
    assert {code for code, _ in faults(false)} <= {"WRONG_SCORE", "NOT_ZERO_SUM"}
    assert faults(false)
