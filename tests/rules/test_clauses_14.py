"""The clauses of chapter 14 of docs/rules.md, one by one: the competition rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

import replay
from ingest.codes import Action
from ingest.record import Move, Penalty, Record, Result
from replay.session import check_session
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen
from tests.rules.seats import with_sitter
from tests.rules.worth import worth

READY = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 15 戏 with 五
SHORT = "壹壹壹九九九三三三四六贰叁肆肆伍陆十十拾"  # 12 戏 with 五
WIN_5 = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]


def three(hands: dict[int, str], moves: Sequence[str], **more: Any) -> Record:
    return deal(hands, moves, ruleset="bisai", **more)


def match(hands: dict[int, str], moves: Sequence[str], **more: Any) -> Record:
    """Four persons, the 醒家 in seat 2; the players 0, 1, 2 of the deal are the persons 0, 1, 3."""
    return with_sitter(three(hands, moves, **more))


def points(record: Record) -> tuple[int, ...]:
    score = replay.replay_round(record).score
    assert score is not None
    return score.points


def test_r14_1_three_or_four_persons() -> None:
    moves = ["0 打 九", "1 摸 捌", "2 摸 陆", "0 摸 贰", "0 吃 贰 壹叁", "0 打 十"]
    clean(three({}, moves))
    clean(match({}, moves))
    assert match({}, moves).sitter == 2
    assert points(three({1: READY}, WIN_5)) == (-1, 2, -1)
    assert points(match({1: READY}, WIN_5)) == (-2, 2, 2, -2)


@pytest.mark.parametrize("action", [Action.PASS, Action.DRAW, Action.PENG, Action.HU, Action.DISCARD])
def test_r14_2_the_counter_does_not_play(action: Action) -> None:
    record = with_sitter(three({}, ["0 打 九", "1 摸 捌", "2 摸 陆"]), extra=[Move(2, action, 17)])
    assert faults(record) == {("XING_ACTED", 2)}


def test_r14_3_win_on_the_liang() -> None:
    for dealer, zimo in ((0, True), (1, False)):
        record = with_sitter(deal({0: READY}, ["0 胡"], liang="五", ruleset="bisai", dealer=dealer))
        gain = 2 if zimo else 1  # e: 1 等, and 自摸 for the dealer
        assert points(record)[0] == 2 * gain
    clean(match({1: READY, 0: "四六"}, ["1 过", "0 打 四", "1 摸 二"], liang="五"))
    three_ti = {1: "一一一一四四四四捌捌捌捌"}
    assert faults(match(three_ti, ["1 胡 -"]))  # 三提五坎 is not played
    laid = ["1 亮提 一", "1 亮提 四", "1 亮提 捌"]
    clean(match(three_ti, [*laid, "0 打 十", "1 摸 贰"]))


@pytest.mark.parametrize(("fee", "sitter"), [("per_fan", 4), ("flat", 2), ("none", 0)])
def test_r14_4_the_fee_of_the_counter(fee: str, sitter: int) -> None:
    """18 戏 自摸红胡: e = 3, f = 2."""
    hand = "七七七贰贰贰拾拾拾一二三四五六肆伍陆捌八"
    value = worth(hand, "八", "own_draw", ruleset="bisai", sitter=True, options={"xing_fee": fee})
    loss = -6 - sitter // 2
    assert value.payments == (12, loss, loss, sitter)


def test_r14_5_huang_with_and_without_a_counter() -> None:
    record, moves = quiet_round(ruleset="bisai")
    whole = with_moves(record, [*moves, "荒"])
    assert points(with_sitter(whole)) == (-2, 0, 2, 0)
    assert points(whole) == (0, 0, 0)
    free = msgspec.structs.replace(with_sitter(whole), options={"huang_fee": 0})
    assert points(free) == (0, 0, 0, 0)


def test_r14_6_shares_with_and_without_a_counter() -> None:
    moves = ["0 打 玖", "1 摸 八", "2 摸 陆", "0 摸 五", "2 胡"]
    hands = {1: "玖玖玖", 2: READY}
    assert points(match(hands, moves)) == (-2 + 5, -2 - 15, 2 + 5, 2 + 5)
    assert points(three(hands, moves)) == (-1 + 5, -1 - 10, 2 + 5)
    twice = ["0 打 玖", "1 摸 八", "2 摸 三", "0 摸 五", "2 胡"]
    assert points(match({1: "玖玖玖三三三", 2: READY}, twice)) == (-2 + 10, -2 - 30, 2 + 10, 2 + 10)
    both = ["0 打 玖", "1 摸 伍", "2 摸 陆", "0 摸 五", "2 胡"]
    assert points(match({1: "玖玖玖伍伍", 2: READY}, both)) == (-2 + 5, -2 - 15, 2 + 5, 2 + 5)  # 失偎 has no letter


def test_r14_6_a_broken_kan_is_a_false_win_once_one_is_claimed() -> None:
    hands = {0: "壹壹壹捌捌捌九九九七七七四六贰叁肆肆伍十"}
    moves = ["0 打 七", "1 摸 八", "2 摸 二", "0 摸 五", "0 胡"]
    record = match(hands, moves, liang="陆")
    assert {"CHAI_KAN", "HU_BANNED"} <= {code for code, _ in faults(record)}
    assert points(record) == (-30, 10, 10, 10)
    assert replay.replay_round(match(hands, moves[:4], liang="陆")).score is None


def test_r14_7_a_win_of_an_offender_is_void() -> None:
    """走跑 and then a whole hand of 15 戏: no 戏 is paid."""
    moves = ["0 打 九", "1 摸 八", "2 摸 五", "1 胡"]
    record = match({1: READY}, moves)
    assert {"ZOU_PAO", "HU_BANNED"} == {code for code, _ in faults(record)}
    assert points(record) == (5, -15, 5, 5)


def test_r14_8_an_offence_of_another_is_added() -> None:
    moves = ["0 打 玖", "1 摸 八", "2 摸 陆", "0 摸 五", "2 胡"]
    assert points(match({1: "玖玖玖", 2: READY}, moves)) == (3, -17, 7, 7)
    # 荒庄: the fee and the letter
    record, turns = quiet_round({0: "九九九九"}, ruleset="bisai")
    assert points(with_sitter(with_moves(record, [*turns, "荒"]))) == (-2 - 9, 3, 2 + 3, 3)


@pytest.mark.parametrize(("void_win", "share"), [("specific", 5), ("A", 10), ("max", 10), ("both", 15)])
def test_r14_9_r13_66_what_a_banned_win_costs(void_win: str, share: int) -> None:
    record = match({1: READY}, ["0 打 九", "1 摸 八", "2 摸 五", "1 胡"], options={"void_win": void_win})
    assert points(record) == (share, -3 * share, share, share)


@pytest.mark.parametrize(
    ("code", "hand", "moves"),
    [
        ("SHI_WEI", "五五", ["0 打 九", "1 摸 五", "2 摸 八"]),
        ("GE_SHAN", "", ["0 打 拾", "1 摸 八", "2 摸 五", "1 吃 五 四六", "1 打 十", "2 摸 八"]),
        ("CHAI_KAN", "五五五陆", ["0 打 四", "1 吃 四 五六", "1 打 十", "2 摸 八"]),
        ("BAKUAI_DISCARD", "五五五四四四", ["0 打 五", "1 跑", "1 打 十", "2 摸 四", "1 跑", "1 打 拾", "2 摸 八"]),
        ("CHOUWEI_HIDDEN", "五五", ["0 打 五", "1 过", "1 摸 五", "1 偎 明0", "1 打 十", "2 摸 八"]),
    ],
)
def test_r14_10_offences_without_a_letter(code: str, hand: str, moves: list[str]) -> None:
    end = ["0 摸 二", "1 摸 三", "2 摸 陆", "2 胡"]
    ready = "壹壹壹捌捌捌玖玖玖叁叁三贰贰二柒柒七肆伍"
    for letters, share in (((), 0), ((f"{code}=E",), 1)):
        record = match({1: hand, 2: ready}, [*moves, *end], options={"letters": letters})
        assert (code, 1) in seen(record)
        plain = points(match({2: ready}, ["0 打 九", "1 摸 三", "2 摸 陆", "2 胡"]))
        changes = tuple(ours - other for ours, other in zip(points(record), plain, strict=True))
        assert changes == (share, -3 * share, share, share)


def test_r14_11_reported_penalties_are_checked() -> None:
    record = match({1: "玖玖玖", 2: READY}, ["0 打 玖", "1 摸 八", "2 摸 陆", "0 摸 五", "2 胡"])
    right = Penalty(1, "B", (5, -15, 5, 5))

    def told(*penalties: Penalty) -> set[str]:
        result = Result(winner=3, points=(3, -17, 7, 7), penalties=penalties)
        return {code for code, _ in faults(msgspec.structs.replace(record, result=result))} - {"ZOU_PAO"}

    assert told(right) == set()
    wrong = (
        (),
        (Penalty(1, "C", (3, -9, 3, 3)),),
        (Penalty(1, "B", (5, -10, 0, 5)),),
        (Penalty(0, "B", (-15, 5, 5, 5)),),
        (Penalty(1, "B", (-5, 15, -5, -5)),),
        (right, right),
    )
    for penalties in wrong:
        assert told(*penalties) == {"PENALTY_MISAPPLIED"}, penalties


@pytest.mark.parametrize("bonus", [0, 2])
def test_r14_12_the_bonus_of_a_dealers_quad(bonus: int) -> None:
    options = {"qianti_bonus": bonus}
    moves = ["0 亮提 三", "0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]
    record = match({0: "三三三三", 1: READY}, moves, options=options)
    assert points(record) == (-2 - bonus, 2, 2 + bonus, -2)
    # A later 提, another's 提 and a table without a 醒家 cost nothing.
    late = ["0 打 陆", "1 摸 八", "2 摸 一", "0 摸 三", "0 提", "0 打 七", "1 摸 一", "2 摸 五", "1 胡"]
    assert points(match({0: "三三三", 1: READY}, late, options=options)) == (-2, 2, 2, -2)
    others = ["2 亮提 三", *WIN_5]
    assert points(match({2: "三三三三", 1: READY}, others, options=options)) == (-2, 2, 2, -2)
    assert points(three({0: "三三三三", 1: READY}, moves, options=options)) == (-1, 2, -1)


def rounds(*records: Record) -> list[set[str]]:
    """Codes of what the session finds in each round, numbered from 1."""
    told = [msgspec.structs.replace(record, session="甲", round_no=number) for number, record in enumerate(records, 1)]
    report = check_session([(record, replay.replay_round(record)) for record in told])
    return [{finding.code for finding in found} for found in report.findings]


def test_r14_13_the_winner_deals_and_the_opposite_counts() -> None:
    first = match({1: READY}, WIN_5)  # person 1 wins
    following = with_sitter(deal({}, ["1 打 九"], ruleset="bisai", dealer=1), sitter=3)
    assert rounds(first, following) == [set(), set()]
    same_dealer = match({}, ["0 打 九"])
    assert rounds(first, same_dealer) == [set(), {"WRONG_DEALER"}]
    beside = with_sitter(deal({}, ["0 打 九"], ruleset="bisai", dealer=0), sitter=1)
    assert "WRONG_DEALER" in rounds(beside)[0]


def test_r14_14_r13_67_after_a_void_win() -> None:
    moves = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]
    void = match({1: SHORT}, moves)
    assert points(void) == (10, -30, 10, 10)
    assert rounds(void, match({}, ["0 打 九"])) == [set(), set()]
    more = [*moves, "0 摸 二"]
    assert "EVENT_AFTER_END" in {code for code, _ in faults(match({1: SHORT}, more))}
    assert faults(match({1: SHORT}, more, options={"void_ends": False})) == {("ZHA_HU_XI", 1)}


def test_r14_15_sums_over_a_match() -> None:
    first = match({1: READY}, WIN_5)
    second = with_sitter(
        deal({2: READY}, ["1 打 陆", "2 摸 八", "0 摸 五", "2 胡"], ruleset="bisai", dealer=1), sitter=3
    )
    told = [
        msgspec.structs.replace(record, players=("甲", "乙", "丙", "丁"), session="甲", round_no=number)
        for number, record in enumerate((first, second), 1)
    ]
    report = check_session([(record, replay.replay_round(record)) for record in told])
    one, two = points(told[0]), points(told[1])
    assert report.totals[1] == {name: one[i] + two[i] for i, name in enumerate(told[0].players)}
