"""The clauses of chapter 7 of docs/rules.md, one by one: passed cards, own discards, refused wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import replay
from ingest.record import Record
from replay.timeline import timeline
from tests.rules.build import deal, with_moves
from tests.rules.check import BOTH, THREE, clean, faults, seen, settled
from tests.rules.legal import after, barred, legal

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 or 七 short of 15 胡息."""
WAITS_5 = "捌捌捌壹壹壹叁叁叁伍陆柒七八九十十拾四六"
"""One 五 short of 18 胡息; it stays so when 十 is laid as 偎 or 碰, or 肆 is eaten with 伍陆."""
EAT_0 = ["0 摸 贰", "0 吃 贰 壹叁"]


@THREE
def test_r7_1_a_passed_kind_is_barred(ruleset: str) -> None:
    start = ["0 打 五", "1 过", "1 摸 八", "2 摸 捌", *EAT_0, "0 打 五"]
    hands = {1: "四六"}
    record = deal(hands, [*start, "1 吃 五 四六", "1 打 十"], ruleset=ruleset, avoid={1: "五"})
    assert seen(record) == {("CHOU_CHI", 1)}
    assert not any(move.startswith("1 吃") for move in legal(with_moves(record, start)))
    # Another kind is not barred, nor is the kind for the others.
    other = deal(
        {1: "四六肆陆"}, [*start[:-1], "0 打 伍", "1 吃 伍 肆陆", "1 打 十"], ruleset=ruleset, avoid={1: "五伍"}
    )
    clean(other)
    others = {1: "四六", 2: "四六"}
    found = after(others, [*start[:3], "2 摸 五"], ruleset=ruleset, avoid={1: "五", 2: "五"})
    assert "2 吃 五 四六" in found


@pytest.mark.parametrize(("ruleset", "mode"), [("qq", "joint"), ("hu15", "joint"), ("guilin", "separate")])
def test_r7_2_which_acts_a_pass_bars(ruleset: str, mode: str) -> None:
    for option in (None, "joint", "separate"):
        options = {} if option is None else {"stale_mode": option}
        separate = (option or mode) == "separate"
        more: dict[str, Any] = {"ruleset": ruleset, "options": options}
        chi = deal({1: "四六"}, ["0 打 五", "1 摸 八"], avoid={1: "五"}, **more)
        assert barred(chi, 1, "五") == ({"chi"} if separate else {"chi", "peng"})
        peng = deal({2: "五五"}, ["0 打 五", "1 摸 八"], **more)
        assert barred(peng, 2, "五") == ({"peng"} if separate else {"chi", "peng"})
        # In a round: the 碰 was passed, the 吃 comes later.
        moves = ["0 打 五", "2 过", "1 摸 贰", "1 吃 贰 壹叁", "1 打 五", "2 吃 五 四六", "2 比 五五伍", "2 打 十"]
        found = seen(deal({2: "五五伍"}, moves, **more))
        assert found == (set() if separate else {("CHOU_CHI", 2)})


@THREE
def test_r7_3_a_card_that_another_took_first_is_not_passed(ruleset: str) -> None:
    for hands, moves, seat in (
        ({1: "四六", 2: "五五"}, ["0 打 五", "2 碰", "2 打 十"], 1),
        ({1: "四六", 2: "五五五"}, ["0 打 五", "2 跑", "2 打 十"], 1),
        ({1: "四六", 2: "四六"}, ["0 打 九", "1 摸 五", "1 吃 五 四六", "1 打 十"], 2),
    ):
        record = deal(hands, moves, ruleset=ruleset, avoid={1: "五", 2: "五"})
        clean(record)
        assert barred(record, seat, "五") == set()
    # Beside a forced 跑 there was no 吃 to pass, whatever was said.
    said = deal({1: "四六", 2: "五五五"}, ["0 打 五", "1 过", "2 跑", "2 打 十"], ruleset=ruleset, avoid={1: "五"})
    assert barred(said, 1, "五") == set()
    # So the next 五 may be eaten.
    again = ["0 打 九", "1 摸 五", "1 吃 五 四六", "1 打 十", "2 摸 五", "2 吃 五 四六", "2 打 拾"]
    clean(deal({1: "四六", 2: "四六"}, again, ruleset=ruleset, avoid={1: "五", 2: "五"}))


@THREE
def test_r7_4_an_own_discard_is_not_eaten(ruleset: str) -> None:
    start = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 八", "0 摸 捌", "0 吃 捌 柒玖", "0 打 五"]
    record = deal({1: "四六"}, [*start, "1 吃 五 四六", "1 打 十"], ruleset=ruleset, avoid={1: "五"})
    assert seen(record) == {("CHOU_CHI", 1)}
    assert not any(move.startswith("1 吃") for move in legal(with_moves(record, start)))
    assert barred(with_moves(record, start[:3]), 1, "五") == ({"chi"} if ruleset == "guilin" else {"chi", "peng"})


@THREE
@pytest.mark.parametrize("option", [None, True, False])
def test_r7_4_nor_taken_by_peng(ruleset: str, option: bool | None) -> None:
    # A 坎 was broken: only so can two copies be left of a kind that one has discarded.
    options = {} if option is None else {"own_bars_peng": option}
    moves = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 八", "0 摸 五", "1 碰", "1 打 十"]
    found = faults(deal({1: "五五五"}, moves, ruleset=ruleset, options=options))
    bars = option if option is not None else ruleset != "guilin"
    assert (("CHOU_PENG", 1) in found) == bars


@THREE
def test_r7_5_a_passed_kind_may_be_won_and_laid(ruleset: str) -> None:
    start = ["0 打 一", "1 摸 八", "2 摸 三", *EAT_0, "0 打 四", "1 过", "1 摸 二"]
    passed = deal({1: READY}, [*start, "2 摸 四", "1 胡"], liang="一", ruleset=ruleset)
    # In guilin a refused win leaves nothing passed (12.15).
    assert barred(with_moves(passed, start), 1, "四") == (set() if ruleset == "guilin" else {"chi", "peng"})
    assert settled(passed).winner == 1
    # 偎 of a kind whose 吃 and 碰 were passed.
    wei = ["0 打 五", "1 过", "1 摸 五", "1 臭偎", "1 打 十"]
    clean(deal({1: "五五四六伍"}, wei, ruleset=ruleset))
    # An own discard may be won.
    hand = "捌捌捌九九九陆陆陆七七七十十拾四六壹叁五"
    own = deal({1: hand}, ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 八", "0 摸 五", "1 胡"], ruleset=ruleset)
    if ruleset == "guilin":  # the eaten 贰 was to be won or left (12.15)
        assert seen(own) == {("CLOSED_CLAIM", 1)}
        return
    assert settled(own).winner == 1
    assert "chi" in barred(with_moves(own, ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 八"]), 1, "五")


@pytest.mark.parametrize("mode", ["joint", "separate"])
def test_r7_6_a_declined_peng_is_remembered(mode: str) -> None:
    for ruleset in ("qq", "hu15", "guilin"):
        more: dict[str, Any] = {"ruleset": ruleset, "options": {"stale_mode": mode}}
        start = ["0 打 五", "1 过", "1 摸 八", "2 摸 捌", "0 摸 陆", "1 摸 五"]
        assert after({1: "五五"}, start, **more) == {"1 臭偎 五"}
        # A 吃 that was passed leaves no such mark.
        mixed = ["0 打 九", "1 摸 五"]
        assert after({1: "五五"}, mixed, **more) == {"1 偎 五"}


@THREE
def test_r7_7_the_drawer_passes_its_own_draw(ruleset: str) -> None:
    start = ["0 打 九", "1 摸 五", "2 摸 八", "0 摸 捌"]
    record = deal({1: "四六"}, [*start, "1 摸 五", "1 吃 五 四六", "1 打 十"], ruleset=ruleset, avoid={1: "五"})
    assert seen(record) == {("CHOU_CHI", 1)}
    assert barred(with_moves(record, start), 1, "五") == ({"chi"} if ruleset == "guilin" else {"chi", "peng"})
    nothing = deal({}, start, ruleset=ruleset, avoid={1: "三四五六七伍"})
    assert barred(nothing, 1, "五") == set()


@THREE
def test_r7_8_who_took_the_card_has_passed_nothing(ruleset: str) -> None:
    moves = ["0 打 五", "1 吃 五 四六", "1 比 五五伍", "1 打 十", "2 摸 八", "0 摸 捌"]
    hands = {1: "五五伍三四"}
    assert "1 碰 五" in after(hands, moves[:1], ruleset=ruleset)
    record = deal(hands, [*moves, "1 摸 五", "1 吃 五 三四", "1 打 拾"], ruleset=ruleset)
    clean(record)
    assert barred(with_moves(record, moves), 1, "五") == set()


@THREE
def test_r7_9_a_chi_without_its_bi_is_no_option(ruleset: str) -> None:
    moves = ["0 打 九", "1 摸 五", "2 摸 八", "0 摸 捌", "1 摸 六", "1 吃 六 四五", "1 打 十", "2 摸 陆", "0 摸 肆"]
    hands, avoid = {1: "三四四五"}, {1: "二三五六七伍"}
    record = deal(hands, [*moves, "1 摸 五", "1 吃 五 三四", "1 打 拾"], ruleset=ruleset, avoid=avoid)
    clean(record)
    assert not any(move.startswith(("1 吃", "1 过")) for move in legal(with_moves(record, moves[:2])))
    assert ("BAD_PASS", 1) in faults(with_moves(record, [*moves[:2], "1 过"]))
    assert barred(with_moves(record, moves[:3]), 1, "五") == set()


FIRST = ["0 打 一", "1 摸 二", "2 摸 五"]
"""Seat 1 may win on the 五."""


def refused(between: Sequence[str], claim: Sequence[str] = (), ruleset: str = "qq", **more: Any) -> Record:
    return deal({1: WAITS_5}, [*FIRST, "1 过", *between, *claim], liang="一", ruleset=ruleset, **more)


@THREE
def test_r7_10_a_refused_win(ruleset: str) -> None:
    assert settled(deal({1: WAITS_5}, [*FIRST, "1 胡"], liang="一", ruleset=ruleset)).winner == 1
    again = refused(["0 摸 五"], ["1 胡"], ruleset)
    assert seen(again) == ({("CHOU_HU", 1)} if ruleset == "qq" else set())
    offered = "1 胡" in legal(refused(["0 摸 五"], (), ruleset))
    assert offered == (ruleset != "qq")
    # Another kind may be won, and so may the same one when the 胡息 on the table differ.
    other = deal({1: READY}, ["0 打 一", "1 摸 二", "2 摸 四", "1 过", "0 摸 七", "1 胡"], liang="一", ruleset=ruleset)
    assert settled(other).winner == 1
    changed = refused(["0 摸 十", "1 碰", "1 打 拾", "2 摸 五"], ["1 胡"], ruleset)
    assert settled(changed).winner == 1


@pytest.mark.parametrize("value", [True, False])
def test_r7_10_the_option(value: bool) -> None:
    for ruleset in ("qq", "hu15"):
        found = seen(refused(["0 摸 五"], ["1 胡"], ruleset, options={"chouhu": value}))
        assert found == ({("CHOU_HU", 1)} if value else set())


def test_r7_11_a_hidden_wei_counts_in_full() -> None:
    wei = ["0 摸 三", "1 摸 十", "1 偎", "1 打 拾"]
    record = refused(wei, ["2 摸 五", "1 胡"])
    assert settled(record).huxi == 21
    assert timeline(record)["frames"][-1]["huxi"][1] == 3


def test_r7_11_groups_without_huxi_change_nothing() -> None:
    eat = ["0 摸 三", "1 摸 肆", "1 吃 肆 伍陆", "1 打 柒"]
    assert seen(refused(eat, ["2 摸 五", "1 胡"])) == {("CHOU_HU", 1)}


def test_r7_11_the_last_refusal_counts() -> None:
    wei = ["0 摸 三", "1 摸 十", "1 偎", "1 打 拾", "2 摸 五"]
    assert "1 胡" in legal(refused(wei))
    assert seen(refused([*wei, "1 过", "0 摸 五"], ["1 胡"])) == {("CHOU_HU", 1)}


def test_r7_11_a_refused_win_on_the_liang_counts() -> None:
    moves = ["0 打 一", "1 摸 二", "2 摸 五", "1 胡"]
    assert "1 胡" in after({1: WAITS_5}, [], liang="五")
    assert seen(deal({1: WAITS_5}, moves, liang="五")) == {("CHOU_HU", 1)}
    clean(deal({1: WAITS_5}, moves, liang="五", ruleset="hu15"))


@BOTH
def test_r7_12_a_win_may_be_declined(ruleset: str) -> None:
    assert {"1 胡", "1 过", "0 摸"} <= after({1: WAITS_5}, FIRST, liang="一", ruleset=ruleset)
    clean(refused(["0 摸 陆"], (), ruleset))
    clean(deal({1: WAITS_5}, ["1 过", "0 打 一", "1 摸 二"], liang="五", ruleset=ruleset))
    three = {1: "五五五五柒柒柒柒九九九九"}
    laid = ["1 亮提 五", "1 亮提 柒", "1 亮提 九", "0 打 一"]
    found = seen(deal(three, laid, ruleset=ruleset))
    assert found == ({("TIANHU1_MISSED", 1)} if ruleset == "qq" else set())


BANS = {
    "走跑": ("五五五", ["0 打 五", "1 摸 八"], "ZOU_PAO"),
    "失提 of dealt cards": ("五五五五", ["0 打 贰", "1 吃 贰 壹叁", "1 打 十"], "SHI_TI"),
    "失提": ("五五五", ["0 打 九", "1 摸 五"], "SHI_TI"),
    "失偎": ("五五", ["0 打 九", "1 摸 五"], "SHI_WEI"),
    "烧比": ("五五", ["0 打 五", "1 吃 五 四六", "1 打 十"], "SHAO_BI"),
    "吃 of a barred card": (
        "四六",
        ["0 打 九", "1 摸 五", "2 摸 捌", "0 摸 陆", "1 摸 五", "1 吃 五 四六", "1 打 十"],
        "CHOU_CHI",
    ),
    "碰 of a barred card": ("五五", ["0 打 五", "1 过", "1 摸 八", "2 摸 五", "1 碰", "1 打 十"], "CHOU_PENG"),
    "隔山": ("四六", ["0 打 一", "1 摸 八", "2 摸 五", "1 吃 五 四六", "1 打 十"], "GE_SHAN"),
    "拆坎": ("五五五", ["0 打 贰", "1 吃 贰 壹叁", "1 打 五"], "CHAI_KAN"),
    "拆提": ("五五五五", ["0 打 贰", "1 吃 贰 壹叁", "1 打 五"], "CHAI_TI"),
    "八块打牌": ("五五五伍伍伍", ["0 打 五", "1 跑", "1 打 十", "2 摸 伍", "1 跑", "1 打 拾"], "BAKUAI_DISCARD"),
    "hidden 臭偎": ("五五", ["0 打 五", "1 过", "1 摸 五", "1 偎 明0", "1 打 十"], "CHOUWEI_HIDDEN"),
}


@BOTH
@pytest.mark.parametrize("offence", BANS)
def test_r7_13_an_offender_may_not_win(ruleset: str, offence: str) -> None:
    held, moves, code = BANS[offence]
    avoid = {1: "五"} if code in ("CHOU_CHI", "GE_SHAN") else {}
    more: dict[str, Any] = {"ruleset": ruleset, "avoid": avoid}
    record = deal({1: held}, [*moves, "2 摸 肆", "1 胡"], **more)
    assert {(code, 1), ("HU_BANNED", 1)} <= faults(record)
    free = deal({1: held}, [*moves, "2 摸 肆", "1 胡"], **more, options={"ban": False})
    assert ("HU_BANNED", 1) not in faults(free)
    # Nobody else is banned.
    assert ("HU_BANNED", 0) not in faults(deal({1: held}, [*moves, "2 摸 肆", "0 胡"], **more))


def test_r7_13_a_declined_compulsory_peng() -> None:
    options = {"peng_forced": True}
    record = deal({1: "五五"}, ["0 打 五", "1 过", "1 摸 八", "2 摸 肆", "1 胡"], options=options)
    assert {("PENG_DECLINED", 1), ("HU_BANNED", 1)} <= faults(record)


@BOTH
def test_r7_13_a_whole_hand_is_not_offered_a_win(ruleset: str) -> None:
    # 走跑 of the 坎, then the card that would complete the hand by breaking no group.
    moves = ["0 打 捌", "1 摸 二", "2 摸 五"]
    assert "1 胡" not in after({1: WAITS_5}, moves, liang="一", ruleset=ruleset)
    assert "1 胡" in after({1: WAITS_5}, moves, liang="一", ruleset=ruleset, options={"ban": False})
    assert seen(deal({1: WAITS_5}, [*moves, "1 胡"], liang="一", ruleset=ruleset)) >= {("HU_BANNED", 1)}


def test_r7_13_guilin_bans_nobody() -> None:
    moves = ["0 打 捌", "1 摸 二", "2 摸 五", "1 胡"]
    assert ("HU_BANNED", 1) not in faults(deal({1: WAITS_5}, moves, liang="一", ruleset="guilin"))


@THREE
def test_r7_13_bookkeeping_bans_nobody(ruleset: str) -> None:
    moves = ["0 打 一", "1 过", "1 摸 二", "2 摸 五", "1 胡"]
    record = deal({1: WAITS_5}, moves, liang="一", ruleset=ruleset)
    assert faults(record) == {("BAD_PASS", 1)}


@pytest.mark.parametrize("ruleset", ["qq", "hu15", "bisai"])
def test_r7_14_no_points_for_offences(ruleset: str) -> None:
    # Seat 2 fails to 跑, seat 1 wins.
    moves = ["0 打 一", "1 摸 二", "2 摸 三", "0 摸 玖", "1 摸 六", "2 摸 五", "1 胡"]
    plain, offence = ({1: WAITS_5, 2: held} for held in ("玖玖", "玖玖玖"))
    outcomes = [replay.replay_round(deal(hands, moves, liang="一", ruleset=ruleset)) for hands in (plain, offence)]
    assert [{found.code for found in outcome.findings} for outcome in outcomes] == [set(), {"ZOU_PAO"}]
    scores = [outcome.score for outcome in outcomes]
    assert scores[0] is not None
    assert scores[1] is not None
    assert (scores[0].points == scores[1].points) == (ruleset != "bisai")
    assert bool(scores[1].charges) == (ruleset == "bisai")
    # A banned player's win pays nothing.
    banned = replay.replay_round(
        deal({1: WAITS_5}, ["0 打 捌", "1 摸 二", "2 摸 五", "1 胡"], liang="一", ruleset=ruleset)
    )
    assert "HU_BANNED" in {found.code for found in banned.findings}
    assert (banned.score is None) == (ruleset != "bisai")
