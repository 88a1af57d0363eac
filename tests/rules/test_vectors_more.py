"""The numbered test vectors (TV) of the rules digest for the competition, 泸州 and the general rules, and 逃跑."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

import replay
from ingest.codes import Action
from ingest.record import Move, Record
from replay.escape import escape_loss
from replay.rulesets import resolve
from tests.oracle.cards import from_text
from tests.oracle.engine import engine_value, points_of
from tests.oracle.hands import Hand
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled
from tests.rules.seats import with_sitter
from tests.rules.worth import worth

# 15 戏 with 五, 21 戏 with 五, 12 戏 with 五, 18 戏 with an own 八 (10 red); dealer 0, next 1, 醒家 2, prev 3.
READY_15 = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"
READY_18 = "壹壹壹捌捌捌玖玖玖四六贰叁肆肆伍陆十十拾"
READY_21 = "壹壹壹捌捌捌玖玖玖九九九四六贰叁肆十十拾"
READY_12 = "壹壹壹九九九三三三四六贰叁肆肆伍陆十十拾"
RED_18 = "七七七贰贰贰拾拾拾一二三四五六肆伍陆捌八"


def match(hands: dict[int, str], moves: Sequence[str], **more: str) -> Record:
    """A round of four persons: seats of the three players in, the 醒家 between 1 and 2."""
    return with_sitter(deal(hands, moves, ruleset="bisai", **more))


def points(record: Record) -> tuple[int, ...]:
    score = replay.replay_round(record).score
    assert score is not None
    assert sum(score.points) == 0
    return score.points


# Scoring


@pytest.mark.parametrize(
    ("hand", "expected"), [(READY_15, (-2, 2, 2, -2)), (READY_21, (-4, 6, 2, -4)), (READY_18, (-3, 4, 2, -3))]
)
@pytest.mark.clause("10.1", "14.4")
def test_tv_02_03_06_plain_wins(hand: str, expected: tuple[int, ...]) -> None:
    assert settled(match({1: hand}, ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"])).points == expected
    value = worth(hand, "五", "other_draw", ruleset="bisai", sitter=True)
    assert value.payments == (expected[1], expected[0], expected[3], expected[2])


@pytest.mark.clause("14.5")
def test_tv_04_huang() -> None:
    record, moves = quiet_round(ruleset="bisai")
    assert settled(with_sitter(with_moves(record, [*moves, "荒"]))).points == (-2, 0, 2, 0)
    assert settled(with_moves(record, [*moves, "荒"])).points == (0, 0, 0)


@pytest.mark.clause("14.4", "14.8")
def test_tv_05_shi_ti_and_eighteen_zimo_red() -> None:
    record = match({0: "九九九九", 2: RED_18}, ["0 打 叁", "1 摸 十", "2 摸 八", "2 胡"])
    assert seen(record) == {("SHI_TI", 0)}
    assert points(record) == (-17, -5, 7, 15)
    value = worth(RED_18, "八", "own_draw", ruleset="bisai", sitter=True)
    assert (value.huxi, value.red, value.payments) == (18, 10, (12, -8, -8, 4))


@pytest.mark.clause("14.6", "14.8")
def test_tv_07_zou_pao_of_next_and_a_win_of_prev() -> None:
    record = match({1: "玖玖玖", 2: READY_15}, ["0 打 玖", "1 摸 八", "2 摸 陆", "0 摸 五", "2 胡"])
    assert seen(record) == {("ZOU_PAO", 1)}
    assert points(record) == (3, -17, 7, 7)


@pytest.mark.clause("14.6", "14.7")
def test_tv_08_a_false_win_of_the_dealer() -> None:
    record = match({0: READY_12}, ["0 打 捌", "1 摸 八", "2 摸 陆", "0 摸 五", "0 胡"], liang="捌")
    assert seen(record) == {("ZHA_HU_XI", 0)}
    assert points(record) == (-30, 10, 10, 10)


def test_tv_12_eighteen_zimo_after_fan() -> None:
    """hu15: 6 units with the one 等 before 番, 5 with it after."""
    for zimo, units in (("plus_one", 6), ("plus_one_after_fan", 5)):
        value = worth(RED_18, "八", "own_draw", ruleset="hu15", options={"zimo": zimo})
        assert (value.units, value.payments) == (units, (2 * units, -units, -units))


@pytest.mark.parametrize(
    ("total", "trunc", "floor"), [(12, 24, 24), (15, 27, 27), (42, 54, 54), (43, 54, 54), (10, 24, 21)]
)
@pytest.mark.clause("10.16")
def test_tv_17_escape(total: int, trunc: int, floor: int) -> None:
    for escape, loss in (("trunc", trunc), ("floor", floor), ("off", 0)):
        assert escape_loss(total, resolve("qq", {"escape": escape})) == loss


@pytest.mark.clause("10.16", "18.4")
def test_tv_17_escape_in_a_round() -> None:
    """T = 42: five 坎 of big cards and four, with nothing else that counts."""
    hands = {0: "壹壹壹叁叁叁肆肆肆伍伍伍", 1: "陆陆陆捌捌捌玖玖玖"}
    record = deal(hands, ["0 打 八", "1 摸 八"], liang="八", avoid={0: "二贰七柒", 1: "二贰七柒"})
    left = msgspec.structs.replace(record, moves=(*record.moves, Move(2, Action.LEAVE)), complete=True)
    outcome = replay.replay_round(left)
    assert outcome.verdict == "clean"
    assert outcome.score is not None
    assert outcome.score.points == (0, 0, -54)


BIG = "壹壹壹叁叁叁伍伍伍柒柒柒玖玖玖捌捌捌陆陆"


RUNS = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"


@pytest.mark.parametrize(
    ("hand", "melds", "source", "score"),
    [
        (BIG, (), "own_draw", 8),
        ("玖玖玖捌捌捌叁叁叁陆陆", ("提 壹", "跑 伍", "跑 柒"), "own_draw", 11),  # TV18
        (RUNS, (), "own_draw", 2),
        (RUNS, (), "liang", 4),
        # As arithmetic: in play no 提 can be laid before a 天胡.
        ("一二三一二三四五六四五六七八九八八", ("提 十",), "liang", 4 * 2 + 1),  # TV19
    ],
)
@pytest.mark.clause("16.13", "16.14", "16.15")
def test_tv_18_19_general_scores(hand: str, melds: Sequence[str], source: str, score: int) -> None:
    value = replay.evaluate_hand(hand, melds, "肆", source, "general", dealer=source == "liang")
    assert (value.wins, value.units) == (True, score)


@pytest.mark.parametrize(
    ("meld", "huxi"),
    [
        *[("碰 五", 1), ("碰 柒", 9), ("偎 五", 6), ("偎 伍", 9), ("偎 七", 9), ("偎 柒", 12)],
        *[("跑 柒", 15), ("提 伍", 15), ("提 柒", 18)],
    ],
)
@pytest.mark.clause("15.4")
def test_tv_20_luzhou_huxi(meld: str, huxi: int) -> None:
    quad = meld[0] in "跑提"
    hand, card = ("捌捌捌玖玖玖四四肆一一壹八", "八") if quad else ("捌捌捌玖玖玖四四肆一一壹八九", "十")
    assert worth(hand, card, "other_draw", [meld, "碰 陆"], ruleset="luzhou").huxi == huxi + 9 + 9 + 3


@pytest.mark.clause("15.4", "15.5", "15.11")
def test_tv_53_the_red_hand_in_luzhou_and_in_a_match() -> None:
    melds = ["吃 二七十", "吃 二七十", "吃 贰柒拾", "吃 六七八"]
    value = worth("伍伍伍三四五九玖", "九", "own_draw", melds, ruleset="luzhou")
    assert (value.huxi, value.red) == (30, 10)
    value = worth("伍伍伍三四五九玖", "九", "own_draw", melds, ruleset="bisai", sitter=True)
    assert (value.huxi, value.payments) == (18, (12, -8, -8, 4))


# Play


@pytest.mark.clause("5.8", "5.11")
def test_tv_21_22_27_bi_in_a_match() -> None:
    hands = {1: "伍陆陆柒捌"}
    clean(match(hands, ["0 打 柒", "1 吃 柒 陆捌", "1 比 柒伍陆", "1 打 十"]))
    record = match(hands, ["0 打 柒", "1 吃 柒 陆捌", "1 打 十"])
    assert seen(record) == {("SHAO_BI", 1)}
    assert [len(one.bi) for one in replay.chi_options("一一二二三三七十伍捌", "二", ruleset="bisai")] == [2, 2]


@pytest.mark.clause("5.4", "5.5")
def test_tv_31_the_draw_of_prev_is_not_eaten_in_a_match() -> None:
    record = match({}, ["0 打 拾", "1 摸 五", "2 吃 五 四六", "2 打 十"])
    assert seen(record) == {("GE_SHAN", 3)}


@pytest.mark.parametrize(("ruleset", "hand"), [("luzhou", READY_15), ("general", BIG.replace("陆陆", "陆二"))])
@pytest.mark.clause("15.7", "16.12")
def test_tv_76_a_discard_is_won_on(ruleset: str, hand: str) -> None:
    card = "五" if ruleset == "luzhou" else "陆"
    record = deal({1: hand}, [f"0 打 {card}", "1 胡"], ruleset=ruleset, wall_end="一")
    score = settled(record)
    assert (score.winner, score.points[2]) == (1, 0)
    assert faults(deal({1: READY_15}, ["0 打 五", "1 胡"], ruleset="bisai")) == {("HU_SOURCE", 1)}


@pytest.mark.clause("16.3", "16.11")
def test_tv_78_throwing_the_twenty_first_card() -> None:
    hand = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"
    assert worth(hand, "贰", "own_draw", ruleset="general").wins
    for three in ("二七十", "一一壹"):
        assert not worth(three + hand[3:], "贰", "own_draw", ruleset="general").wins


WINNER = "贰贰贰捌捌捌拾拾拾叁叁三五六七八九十四肆"
LETTERS = {
    "A": (READY_12, ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"], 10),
    "B": ("玖玖玖", ["0 打 玖", "1 摸 八"], 5),
    "C": ("玖玖玖", ["0 打 八", "1 摸 玖", "2 摸 陆"], 3),
    "D": ("伍陆陆柒捌", ["0 打 柒", "1 吃 柒 陆捌", "1 打 六"], 2),
    "E": (
        "陆陆",
        ["0 打 陆", "1 过", "1 摸 八", "2 摸 壹", "0 摸 一", "0 吃 一 二三", "0 打 陆", "1 碰", "1 打 六"],
        1,
    ),
}


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.clause("14.6", "14.8")
def test_tv_83_five_letters(letter: str) -> None:
    """Each round ends with a win of seat 2 on its own draw (A: with the void win); the rest is the letter's points."""
    hand, moves, share = LETTERS[letter]
    if letter == "A":
        assert points(match({1: hand}, moves)) == (share, -3 * share, share, share)
        return
    turn = [] if letter == "C" else ["2 摸 三"]
    record = match({1: hand, 2: WINNER}, [*moves, *turn, "0 摸 一", "1 摸 二", "2 摸 四", "2 胡"])
    plain = points(match({2: WINNER}, ["0 打 陆", "1 摸 一", "2 摸 四", "2 胡"]))
    changes = tuple(ours - without for ours, without in zip(points(record), plain, strict=True))
    assert changes == (share, -3 * share, share, share)


@pytest.mark.clause("4.3", "4.8", "7.1")
def test_tv_85_peng_before_the_drawers_chi_in_a_match() -> None:
    hands = {0: "伍伍", 1: "陆柒"}
    eat = ["1 吃 伍 陆柒", "1 打 十"]
    assert ("WRONG_PRIORITY", 1) in faults(match(hands, ["0 打 九", "1 摸 伍", "0 求 碰", *eat]))
    passed = ["0 打 九", "1 摸 伍", "0 过", *eat]
    clean(match(hands, passed))
    assert seen(match(hands, [*passed, "2 摸 贰", "2 吃 贰 壹叁", "2 打 伍", "0 碰"])) == {("CHOU_PENG", 0)}


@pytest.mark.clause("8.12", "8.13")
def test_tv_39_40_breaking_a_pao_but_not_a_ti_in_a_match() -> None:
    hand = "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"
    given = Hand(tuple(from_text(hand)), (), "s2", "other_draw")
    assert engine_value(given, "bisai").huxi == 18
    assert points_of(engine_value(given, "bisai")) == (4, -2, -2)
    assert seen(match({1: hand}, ["0 打 拾", "1 摸 二", "1 胡"])) == {("PO_TI", 1)}
    assert points(match({1: hand}, ["0 打 拾", "1 摸 二", "1 胡"])) == (10, -30, 10, 10)
