"""The clauses 12.1 to 12.24 of docs/rules.md, one by one: 桂林字牌."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import replay
from ingest.cards import parse, parse_one
from ingest.codes import Action, Form
from ingest.record import Group, Offer, Record, Result
from tests.rules import build
from tests.rules.build import with_moves
from tests.rules.check import clean, codes, faults, findings, seen, settled
from tests.rules.legal import barred, legal

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 or 七 short of 15."""
OTHER = "玖玖玖三三三拾拾拾五六七八九一一壹伍陆柒"
"""One 四 short of 15, too."""
WON = ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"]
FIVE_KAN = "一一一四四四五五五八八八九九九壹叁伍柒玖"
THREE_TI = "一一一一四四四四捌捌捌捌二三叁伍陆九拾七"
EAT_0 = ["0 摸 贰", "0 吃 贰 壹叁"]


def deal(hands: dict[int, str], moves: list[str], **more: Any) -> Record:
    return build.deal(hands, moves, ruleset="guilin", **more)


def value(cards: str, card: str | None = None, source: str | None = None, *melds: str, **more: Any) -> Any:
    return replay.evaluate_hand(cards, melds=melds, win_card=card, source=source, ruleset="guilin", **more)


def after(hands: dict[int, str], moves: list[str], **more: Any) -> set[str]:
    return legal(deal(hands, moves, **more))


def form_of(found: Any, card: str) -> tuple[str, int]:
    kind = parse_one(card)
    return next(
        (Form(form).name, huxi) for form, cards, huxi in found.groups if set(cards) == {kind} and len(cards) > 2
    )


def test_r12_1_the_deal() -> None:
    record = deal({}, ["0 打 拾", "1 摸 八"])
    clean(record)
    assert record.wall is not None
    assert [len(hand or ()) for hand in record.hands] == [20, 20, 20]
    assert len(record.wall) == 19
    short = with_moves(record, ["0 打 拾", "1 摸 八"], wall=record.wall[:18])
    assert "WALL_MISMATCH" in codes(short)


TWO_TI = "五五五五柒柒柒柒"


EAT_1 = ["0 打 贰", "1 吃 贰 壹叁", "1 打 十", "2 摸 八"]


def test_r12_2_an_extra_card_for_two_dealt_ti() -> None:
    whole = deal({1: TWO_TI + "壹叁十"}, EAT_1)
    extra = build.extra_card(whole, 1)
    clean(extra)  # the first intake is followed by a discard: no debt
    assert extra.wall is not None
    assert len(extra.wall) == 18
    assert any(move.startswith("1 打") for move in legal(build.extra_card(with_moves(whole, EAT_1[:2]), 1)))
    assert ("HAND_COUNT", 1) in faults(msgspec.structs.replace(extra, ruleset="qq"))


@pytest.mark.parametrize("held", [TWO_TI, "五五五五柒柒柒", ""])
def test_r12_2_neither_left_out_nor_given_to_others(held: str) -> None:
    whole = deal({1: held}, ["0 打 贰"])
    assert faults(whole if held == TWO_TI else build.extra_card(whole, 1)) == {("HAND_COUNT", 1)}


def test_r12_3_the_dealer_always_discards() -> None:
    hands = {0: "五五五五柒柒柒"}
    assert all(move.startswith("0 打") for move in after(hands, [], liang="柒"))
    start = ["0 打 九", "1 摸 八", "2 摸 捌", *EAT_0]
    clean(deal(hands, [*start, "0 打 十", "1 摸 玖"], liang="柒"))  # one card short for the round
    assert "LIANG_SKIPPED" in codes(deal(hands, ["1 摸 八"], liang="柒"))
    laid = ["0 亮提 五", "0 亮提 柒"]
    assert "1 摸" in legal(build.deal(hands, laid, liang="柒"))  # qq: no discard is due


def test_r12_4_the_dealers_tianhu() -> None:
    assert after({0: READY}, [], liang="四") == {"0 胡"}
    assert settled(deal({0: READY}, ["0 胡"], liang="四")).special == "天胡"
    assert faults(deal({0: READY}, ["0 打 拾"], liang="四"))
    assert not any("胡" in move for move in after({1: READY}, [], liang="四"))
    assert seen(deal({1: READY}, ["1 胡"], liang="四")) == {("HU_SOURCE", 1)}


@pytest.mark.parametrize("hand", [FIVE_KAN, THREE_TI])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_r12_5_three_ti_or_five_kan(hand: str, seat: int) -> None:
    assert after({seat: hand}, [], liang="十") == {f"{seat} 胡"}
    assert settled(deal({seat: hand}, [f"{seat} 胡 -"], liang="十")).special == "三提五坎"
    assert ("TIANHU1_MISSED", seat) in faults(deal({seat: hand}, ["0 打 十", "1 摸 贰"], liang="十"))


def test_r12_5_a_ti_is_no_kan_and_the_order() -> None:
    four_and_one = "一一一四四四五五五八八八九九九九壹叁伍柒"
    assert after({1: four_and_one}, [], liang="十") != {"1 胡"}
    assert legal(build.deal({1: four_and_one}, [], liang="十")) == {"1 胡"}  # qq
    both = {1: FIVE_KAN, 2: "陆陆陆捌捌捌贰贰贰二二二七七七三六十拾肆"}
    assert after(both, [], liang="拾") == {"1 胡"}
    assert after(both, [], liang="拾", dealer=2) == {"2 胡"}
    dealer_first = {0: READY.replace("九九九", "三三三"), 2: "一一一五五五八八八九九九陆陆陆贰柒七二玖"}
    assert after(dealer_first, [], liang="四") == {"0 胡"}


def test_r12_6_dihu() -> None:
    for seat in (1, 2):
        assert after({seat: READY}, ["0 打 四"]) == {f"{seat} 胡"}
        score = settled(deal({seat: READY}, ["0 打 四", f"{seat} 胡"]))
        assert (score.special, score.points[0], score.points[seat]) == ("地胡", -score.points[seat], score.points[seat])
        assert faults(deal({seat: READY}, ["0 打 四", "1 摸 八"]))
    later = ["0 打 拾", "1 摸 八", *[move.replace("0 ", "2 ") for move in EAT_0], "2 打 四", "1 胡"]
    assert settled(deal({1: READY}, later)).special == ""


@pytest.mark.parametrize("least", [10, 15])
def test_r12_7_the_least_huxi(least: int) -> None:
    hand = READY.replace("九九九", "七八九")
    assert replay.RULESETS["guilin"].min_huxi == 10
    found = value(hand, "四", "other_draw", options={"min_huxi": least})
    assert (found.huxi, found.wins) == (12, least == 10)
    record = deal({1: hand}, ["0 打 一", *WON[1:]], options={"min_huxi": least})
    assert faults(record) == (set() if least == 10 else {("ZHA_HU_XI", 1)})


def test_r12_8_dealt_ti_stay_in_hand() -> None:
    hands = {0: "五五五五", 1: "柒柒柒柒"}
    assert not any("亮提" in move for move in after(hands, []))
    clean(deal(hands, ["0 打 九", "1 摸 八", "1 吃 八 六七", "1 打 十", "2 摸 玖"]))
    found = value("五五五五一二三壹贰叁柒捌玖七八九四四肆十十")
    assert form_of(found, "五") == ("TI", 9)
    # The 提 in hand counts for 2.14: its owner wins with 21 cards and the 将.
    won = deal({1: "五五五五一二三壹贰叁柒捌玖七八九四四肆十"}, ["0 打 拾", "1 摸 十", "1 胡"])
    assert settled(won).huxi == 9 + 3 + 6


def test_r12_9_the_first_pao_brings_the_ti_along() -> None:
    hands = {1: "五五五柒柒柒柒"}
    start = ["0 打 五", "1 跑"]
    assert after(hands, start) == {"1 亮提 柒"}
    clean(deal(hands, [*start, "1 亮提 柒", "2 摸 八"]))
    assert ("BAKUAI_DISCARD", 1) in faults(deal(hands, [*start, "1 亮提 柒", "1 打 十"]))
    clean(deal({1: "五五五"}, [*start, "1 打 十", "2 摸 八"]))


def test_r12_9_not_laying_it_is_a_fault() -> None:
    assert faults(deal({1: "五五五柒柒柒柒"}, ["0 打 五", "1 跑", "2 摸 八", "0 摸 九"]))


LATER = ["0 打 拾", "1 摸 八", *[move.replace("0 ", "2 ") for move in EAT_0]]


def test_r12_10_discards_may_be_won() -> None:
    assert "1 胡" in after({1: READY}, [*LATER, "2 打 四"])
    score = settled(deal({1: READY}, [*LATER, "2 打 四", "1 胡"]))
    assert (score.winner, score.source, score.from_seat) == (1, 3, 2)


def test_r12_11_what_a_discard_makes() -> None:
    pair = "八八一二三伍陆柒捌玖拾四五六九九玖贰贰贰"
    assert form_of(value(pair, "八", "discard"), "八") == ("PENG", 1)
    kan = "叁叁叁拾拾一二三四五六伍陆柒七七七九九玖"
    assert form_of(value(kan, "叁", "discard"), "叁") == ("PAO", 9)
    rest = "拾拾一二三四五六伍陆柒七七七九九玖"
    for form in ("偎", "臭偎"):
        assert form_of(value(rest, "叁", "discard", f"{form} 叁"), "叁") == ("PAO", 9)
    assert not value(rest, "叁", "discard", "碰 叁").complete
    assert value(rest, "叁", "other_draw", "碰 叁").complete
    broken = "四五六壹壹一八九十一三柒柒柒伍伍伍二二二"
    assert form_of(value(broken, "二", "discard"), "二") == ("KAN", 3)
    assert value(READY, "四", "discard").complete


WEI_HU = "伍伍伍一二三八八柒捌玖五六七九九玖四四四"


def test_r12_12_the_order_of_a_window() -> None:
    drawn = ["0 打 十", "1 摸 八"]
    assert {move for move in after({1: WEI_HU}, drawn) if "过" not in move} >= {"1 胡"}
    assert after({1: "八八"}, drawn) == {"1 偎 八"}
    assert after({1: "八八", 2: READY}, ["0 打 拾", "1 摸 八"]) == {"1 偎 八"}
    # 胡 before the one forced 跑, and 跑 before 吃: nothing else is asked.
    held = {1: READY, 0: "四四四", 2: "二三"}
    shown = ["0 打 拾", "1 摸 八", "2 摸 四"]
    asked = after(held, shown)
    assert "1 胡" in asked
    assert not any("吃" in move or "碰" in move for move in asked)
    forced = after({0: "四四四", 2: "二三"}, shown)
    assert "0 跑 四" in forced
    assert not any("吃" in move or "胡" in move for move in forced)
    # Otherwise 碰 and 吃 go to all.
    everyone = after({0: "四四", 2: "二三"}, shown, avoid={2: "四"})
    assert {"0 碰 四", "2 吃 四 二三"} <= everyone


def test_r12_13_only_the_first_who_could_win_is_asked() -> None:
    hands = {0: READY, 1: OTHER}
    start = ["2 打 二", "0 摸 二", "1 摸 八", "2 摸 四"]
    assert after(hands, start, dealer=2) == {"0 胡", "0 过", "0 摸"}  # 摸 where passes are not recorded
    clean(deal(hands, [*start, "0 胡"], dealer=2))
    assert seen(deal(hands, [*start, "1 胡"], dealer=2)) == {("WRONG_PRIORITY", 1)}


def test_r12_14_choices_and_what_happens_by_itself() -> None:
    for start in (["0 打 拾", "1 摸 四"], ["0 打 拾", "1 摸 八", "2 摸 四"], [*LATER, "2 打 四"]):
        assert {"1 胡", "1 过"} <= after({1: READY}, start)
        clean(deal({1: READY}, [*start, "1 过"]))
    for hands, moves, liang in (({0: READY}, [], "四"), ({1: FIVE_KAN}, [], "十"), ({1: READY}, ["0 打 四"], None)):
        (only,) = after(hands, moves, liang=liang)
        assert only.endswith("胡")
    again = ["0 打 拾", "1 摸 八", "2 摸 四", "1 过", "0 摸 二", "1 摸 四", "1 胡"]
    assert settled(deal({1: READY}, again)).winner == 1  # no 臭胡


def test_r12_15_a_declined_win_closes_the_window() -> None:
    hands, shown = {1: READY, 0: "四四四", 2: "二三"}, ["0 打 拾", "1 摸 八", "2 摸 四", "1 过"]
    assert after(hands, shown) == {"0 摸"}
    lost = deal(hands, [*shown, "0 摸 二"])
    assert faults(lost) == set()
    assert [(found.seat, found.severity) for found in findings(lost) if found.code == "LOST_BY_REFUSED_HU"] == [(0, 0)]
    # Nothing is passed: where it is a plain pass, the kind is barred from then on.
    held = {1: READY, 2: "二三"}
    start = ["0 打 拾", "1 摸 八", "2 摸 四"]
    assert barred(deal(held, [*start, "1 过", "0 摸 二"], avoid={2: "四"}), 2, "四") == set()
    assert barred(deal({2: "二三"}, [*start, "2 过", "0 摸 二"], avoid={2: "四"}), 2, "四") == {"chi"}


@pytest.mark.parametrize(
    ("hands", "claim"),
    [
        ({0: "四四四"}, ["0 跑", "0 打 一"]),
        ({0: "四四"}, ["0 碰", "0 打 一"]),
        ({2: "二三"}, ["2 吃 四 二三", "2 打 一"]),
    ],
)
def test_r12_15_a_claim_after_it_is_a_fault(hands: dict[int, str], claim: list[str]) -> None:
    for said in (["1 过"], []):  # a seat that was not heard has declined as well (12.34)
        start = ["0 打 拾", "1 摸 八", "2 摸 四", *said]
        found = seen(deal({1: READY, **hands}, [*start, *claim], avoid={2: "四"}))
        assert found == {("CLOSED_CLAIM", int(claim[0][0]))}


def test_r12_16_where_one_may_eat_from() -> None:
    for start in (["0 打 五"], ["0 打 八", "1 摸 五"], ["2 打 八", "0 摸 五"]):
        dealer = int(start[0][0])
        clean(deal({1: "四六"}, [*start, "1 吃 五 四六", "1 打 十"], dealer=dealer))
    assert "GE_SHAN" in codes(deal({1: "四六"}, ["0 打 八", "1 摸 九", "2 摸 五", "1 吃 五 四六"]))
    # The drawer's 吃 is served first, 碰 before 吃.
    drawn = ["0 打 八", "1 摸 五"]
    hands = {1: "四六", 2: "六七"}
    assert ("WRONG_PRIORITY", 2) in faults(deal(hands, [*drawn, "1 求 吃", "2 吃 五 六七", "2 打 十"]))
    clean(deal(hands, [*drawn, "1 过", "2 吃 五 六七", "2 打 十"]))
    waiting = {1: "四六", 2: "五五"}
    assert ("WRONG_PRIORITY", 1) in faults(deal(waiting, ["0 打 五", "2 求 碰", "1 吃 五 四六", "1 打 十"]))
    clean(deal(waiting, ["0 打 五", "2 过", "1 吃 五 四六", "1 打 十"]))


PASS_5 = ["0 打 五", "1 过", "1 摸 八", "2 摸 捌", *EAT_0]


@pytest.mark.parametrize("ruleset", ["guilin", "qq"])
def test_r12_17_passes_count_apart(ruleset: str) -> None:
    apart = ruleset == "guilin"

    def left(hand: str, moves: list[str]) -> set[str]:
        return barred(build.deal({1: hand}, moves, ruleset=ruleset, avoid={1: "三四五六七伍"}), 1, "五")

    passed = ["0 打 五", "1 过", "1 摸 八", "2 摸 捌"]
    assert left("四六", passed) == ({"chi"} if apart else {"chi", "peng"})
    assert left("五五", passed) == ({"peng"} if apart else {"chi", "peng"})
    own = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五", "2 摸 八", "0 摸 捌"]
    assert left("", own) == ({"chi"} if apart else {"chi", "peng"})


def test_r12_17_the_claims() -> None:
    start = [*PASS_5, "0 打 五"]
    assert seen(deal({1: "四六"}, [*start, "1 吃 五 四六"])) == {("CHOU_CHI", 1)}
    assert seen(deal({1: "五五"}, [*start, "1 碰"])) == {("CHOU_PENG", 1)}


def test_r12_18_preempted_is_neither_passed_nor_surely_kept() -> None:
    hands = {1: "四六", 2: "五五"}
    taken = ["0 打 五", "2 碰", "2 打 十", *EAT_0, "0 打 五"]
    for following in (["1 吃 五 四六", "1 打 九"], ["1 摸 八"]):
        clean(deal(hands, [*taken, *following]))
    # Offered again, or not offered: both are explained.
    at = len(taken) - 1
    offered = Offer(at, 1, Action.CHI, parse_one("五"), tuple(parse("四六")))
    for offers in ((offered,), ()):
        record = deal(hands, taken, avoid={1: "五三七"})
        told = msgspec.structs.replace(record, offers=offers, visible=(1,))
        assert not {found for found in findings(told) if found.seq == at and found.severity > 0}


LAST_FIVE = "一二三叁叁"


def test_r12_19_one_dead_choice_takes_all() -> None:
    cards = LAST_FIVE + "捌捌捌"
    assert replay.chi_options(cards, "三", ruleset="guilin") == []
    (left,) = replay.chi_options(cards, "三", ruleset="guilin", options={"dead_chi_all": False})
    assert (left.first, left.bi) == (tuple(sorted(parse("三三叁"))), ())
    assert len(replay.chi_options(cards + "十", "三", ruleset="guilin")) > 1
    assert len(replay.chi_options(cards, "三", ruleset="guilin", discard_due=False)) > 1


FIVE_PENG = [
    *("0 打 四", "1 碰", "1 打 七", "2 摸 六", "1 碰", "1 打 九", "2 摸 八", "1 碰", "1 打 壹"),
    *("2 摸 肆", "1 碰", "1 打 柒", "2 摸 陆", "1 碰", "1 打 玖", "2 摸 拾", "0 摸 十"),
]
KAN_AND_PAIR = {1: "伍伍伍一一四四六六八八肆肆陆陆七九壹柒玖"}
"""After five 碰 a 坎 and a pair are left."""


@pytest.mark.parametrize("ruleset", ["guilin", "qq"])
def test_r12_20_dead_peng_and_wei_are_dropped(ruleset: str) -> None:
    dropped = ruleset == "guilin"
    more: Any = {"ruleset": ruleset, "options": {"min_huxi": 21}}  # no win with it
    own = build.deal(KAN_AND_PAIR, [*FIVE_PENG, "1 摸 一"], **more)
    assert ("1 偎 一" in legal(own)) == (not dropped)
    assert ("2 摸" in legal(own)) == dropped
    let = build.deal(KAN_AND_PAIR, [*FIVE_PENG, "1 摸 一", "2 摸 二"], **more)
    assert seen(let) == (set() if dropped else {("SHI_WEI", 1)})
    other = build.deal(KAN_AND_PAIR, [*FIVE_PENG, "1 摸 二", "2 摸 一"], **more)
    assert not any("碰" in move for move in legal(other))
    # With free cards left nothing is dropped: the fifth 碰 has not come.
    free = build.deal(KAN_AND_PAIR, [*FIVE_PENG[:-5], "2 摸 拾", "0 摸 十", "1 摸 一"], **more)
    assert "1 偎 一" in legal(free)


def test_r12_21_the_face_of_a_chou_wei_is_not_checked() -> None:
    start = ["0 打 五", "1 过", "1 摸 五"]
    for face in ("明0", "明1", "明3"):
        clean(deal({1: "五五"}, [*start, f"1 臭偎 {face}", "1 打 十"]))
    assert seen(build.deal({1: "五五"}, [*start, "1 臭偎 明0", "1 打 十"])) != set()
    assert seen(deal({1: "五五"}, [*start, "1 偎", "1 打 十"])) == {("CHOUWEI_SPURIOUS", 1)}
    unpassed = ["0 打 九", "1 摸 五", "1 臭偎", "1 打 十"]
    assert seen(deal({1: "五五"}, unpassed)) == {("CHOUWEI_SPURIOUS", 1)}


@pytest.mark.parametrize("ruleset", ["guilin", "qq"])
def test_r12_22_no_act_costs_the_right_to_win(ruleset: str) -> None:
    moves = ["0 打 捌", "1 摸 八", "2 摸 拾", "0 摸 四", "1 胡"]  # 跑 of 捌 is left out
    record = build.deal({1: READY}, moves, ruleset=ruleset)
    found = {code for code, _ in faults(record)}
    assert "ZOU_PAO" in found
    assert ("HU_BANNED" in found) == (ruleset == "qq")
    score = replay.replay_round(record).score
    assert (score is not None and score.winner == 1) == (ruleset == "guilin")


def test_r12_23_what_the_winning_card_is_worth() -> None:
    pair = "八八一二三伍陆柒捌玖拾四五六九九玖贰贰贰"
    for source, worth in (("own_draw", ("WEI", 3)), ("other_draw", ("PENG", 1)), ("discard", ("PENG", 1))):
        assert form_of(value(pair, "八", source), "八") == worth
    assert form_of(value(pair, "八", "liang", dealer=True), "八")[1] == 3
    broken = "四五六壹壹一八九十一三柒柒柒伍伍伍"
    assert form_of(value(broken + "二二二", "二", "other_draw"), "二") == ("KAN", 3)
    assert form_of(value("五五五五一二三壹贰叁柒捌玖七八九四四肆十十"), "五") == ("TI", 9)


CLAIMED = "一二三壹壹贰贰叁叁捌捌捌玖玖玖十十拾伍陆"
SMALLER = {"一壹壹": 0, "二贰贰": 0, "三叁叁": 0, "捌捌捌": 6, "玖玖玖": 6, "十十拾": 0, "伍陆柒": 0}


def test_r12_24_the_first_split_or_none() -> None:
    won = ["0 打 四", "1 摸 八", "2 摸 柒", "1 胡"]
    split = tuple(Group(tuple(parse(text)), huxi=huxi) for text, huxi in SMALLER.items())
    under = deal({1: CLAIMED}, won, result=Result(winner=1, huxi=12, groups=split))
    assert codes(under) == {"UNDERCLAIM"}
    assert faults(under) == set()
    wrong = deal({1: CLAIMED}, won, result=Result(winner=1, huxi=13, groups=split))
    assert ("WRONG_XI", 1) in faults(wrong)
