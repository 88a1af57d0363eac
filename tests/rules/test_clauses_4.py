"""The clauses of chapter 4 of docs/rules.md, one by one: priority of claims."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from ingest.record import Record
from ingest.validate import check_found
from tests.rules.build import deal, with_moves
from tests.rules.check import BOTH, THREE, clean, faults, seen, settled
from tests.rules.legal import after, barred, legal

CHI_DRAW = pytest.mark.parametrize("ruleset", ["qq", "guilin"])
"""Where the draw of 上家 may be eaten."""

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 or 七 short of 15 胡息."""
OTHER = "玖玖玖三三三拾拾拾五六七八九一一壹伍陆柒"
"""One 四 or 七 short of 15, too."""
WAITS_5 = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"
"""One 五 short of 15."""


@THREE
@pytest.mark.parametrize(("held", "act"), [("五五", "偎"), ("五五五", "提")])
def test_r4_1_the_drawers_hidden_group_goes_first(ruleset: str, held: str, act: str) -> None:
    start = ["0 打 一", "1 摸 五"]
    hands = {1: held, 2: WAITS_5}
    record = deal(hands, [*start, f"1 {act}"], ruleset=ruleset)
    clean(record)
    assert legal(with_moves(record, start)) == {f"1 {act} 五"}
    assert ("HU_SOURCE", 2) in faults(with_moves(record, [*start, "2 胡"]))
    assert "2 胡" in after({2: WAITS_5}, start, ruleset=ruleset)
    assert not faults(with_moves(record, [*start, "2 求 胡", f"1 {act}"]))


CLAIMS = {
    "跑": ({0: "四四四", 2: READY}, "0 跑"),
    "碰": ({0: "四四", 2: READY}, "0 碰"),
    "吃": ({1: "三五", 2: READY}, "1 吃 四 三五"),
}


@BOTH
@pytest.mark.parametrize("act", CLAIMS)
def test_r4_2_hu_goes_before_everything(ruleset: str, act: str) -> None:
    hands, claim = CLAIMS[act]
    start = ["0 打 一", "1 摸 四"]
    more: dict[str, Any] = {"ruleset": ruleset, "avoid": {1: "四"}}
    seat = int(claim[0])
    late = deal(hands, [*start, "2 求 胡", claim], **more)
    assert ("WRONG_PRIORITY", seat) in faults(late)
    assert "2 胡" in after(hands, start, **more)
    assert settled(deal(hands, [*start, f"{seat} 求 {act}", "2 胡"], **more)).winner == 2


@THREE
def test_r4_3_pao_before_chi(ruleset: str) -> None:
    hands = {1: "四六", 2: "五五五"}
    record = deal(hands, ["0 打 五", "2 跑", "2 打 十"], ruleset=ruleset)
    clean(record)
    found = legal(with_moves(record, ["0 打 五"]))
    assert "2 跑 五" in found
    assert not any("吃" in move for move in found)
    assert ("WRONG_PRIORITY", 1) in faults(with_moves(record, ["0 打 五", "1 吃 五 四六", "1 打 十"]))


@THREE
def test_r4_3_peng_before_chi(ruleset: str) -> None:
    hands = {1: "四六", 2: "五五"}
    eat = ["1 吃 五 四六", "1 打 十"]
    record = deal(hands, ["0 打 五", "2 求 碰", *eat], ruleset=ruleset)
    assert seen(record) == {("WRONG_PRIORITY", 1)}
    clean(with_moves(record, ["0 打 五", "1 求 吃", "2 碰", "2 打 十"]))
    clean(with_moves(record, ["0 打 五", "2 过", *eat]))
    assert not any("碰" in move for move in legal(with_moves(record, ["0 打 五", "2 过"])))


@THREE
def test_r4_4_peng_and_pao_of_two_seats_cannot_meet(ruleset: str) -> None:
    met = set()
    for one, other in product(range(4), repeat=2):
        if one + other > 3:
            continue
        held = {1: "五" * one, 2: "五" * other}
        avoid = dict.fromkeys(range(3), "五")
        found = after(held, ["0 打 五"], avoid=avoid, ruleset=ruleset)
        taking = {move for move in found if move.split()[1] in ("碰", "跑")}
        met |= taking
        assert len(taking) <= 1, (one, other)
    assert met == {"1 碰 五", "2 碰 五", "1 跑 五", "2 跑 五"}
    two = deal({1: "五五", 2: "五"}, ["0 打 五"], ruleset=ruleset)
    hand = two.hands[2]
    assert hand is not None
    assert 4 in hand
    assert hand[0] != 4
    five = with_moves(two, ["0 打 五"], hands=(*two.hands[:2], (4, *hand[1:])))
    refused = check_found(five)
    assert refused is not None
    assert refused.code == "FIFTH_COPY"


@THREE
@pytest.mark.parametrize("opener", [0, 1, 2])
def test_r4_5_of_several_winners_the_nearest(ruleset: str, opener: int) -> None:
    """The drawer, then 下家, then 上家 of the drawer."""
    dealer = (opener - 1) % 3
    start = [f"{dealer} 打 二", f"{opener} 摸 四"]
    near, far = (opener + 1) % 3, (opener + 2) % 3
    for first, second in ((opener, near), (opener, far), (near, far)):
        hands = {first: READY, second: OTHER}
        more: dict[str, Any] = {"dealer": dealer, "ruleset": ruleset, "liang": "二"}
        assert settled(deal(hands, [*start, f"{first} 胡"], **more)).winner == first
        late = deal(hands, [*start, f"{first} 求 胡", f"{second} 胡"], **more)
        assert seen(late) == {("WRONG_PRIORITY", second)}
        both = deal(hands, [*start, f"{first} 胡", f"{second} 胡"], **more)
        assert ("EVENT_AFTER_END", second) in faults(both)
        found = legal(deal(hands, start, **more))
        assert f"{first} 胡" in found
        assert (f"{second} 胡" in found) == (ruleset != "guilin")  # 12.13


@CHI_DRAW
def test_r4_6_the_drawer_eats_before_the_next_seat(ruleset: str) -> None:
    hands = {1: "四六", 2: "四六"}
    more: dict[str, Any] = {"ruleset": ruleset, "avoid": {1: "五", 2: "五"}}
    start = ["0 打 九", "1 摸 五"]
    next_eats, drawer_eats = ["2 吃 五 四六", "2 打 十"], ["1 吃 五 四六", "1 打 十"]
    assert seen(deal(hands, [*start, "1 求 吃", *next_eats], **more)) == {("WRONG_PRIORITY", 2)}
    clean(deal(hands, [*start, "2 求 吃", *drawer_eats], **more))
    clean(deal(hands, [*start, "1 过", *next_eats], **more))
    assert ("GE_SHAN", 2) in faults(deal(hands, [*start, *next_eats], ruleset="hu15", avoid={1: "五", 2: "五"}))


def binding(ruleset: str, claims: Sequence[str]) -> Record:
    """Seat 1 eats its draw after seat 2, who may 吃 and 碰 it, has announced these claims."""
    hands = {1: "四六", 2: "五五六七伍"}
    moves = ["0 打 九", "1 摸 五", *(f"2 求 {claim}" for claim in claims), "1 吃 五 四六", "1 打 十"]
    return deal(hands, moves, ruleset=ruleset, avoid={1: "五"})


@CHI_DRAW
def test_r4_7_the_first_claim_counts(ruleset: str) -> None:
    clean(binding(ruleset, ["吃"]))
    assert seen(binding(ruleset, ["碰"])) == {("WRONG_PRIORITY", 1)}
    assert seen(binding(ruleset, ["碰", "吃"])) == {("WRONG_PRIORITY", 1)}


@CHI_DRAW
def test_r4_7_a_later_claim_counts_for_nothing(ruleset: str) -> None:
    clean(binding(ruleset, ["吃", "碰"]))


@THREE
def test_r4_8_an_option_that_nobody_claimed_is_no_claim(ruleset: str) -> None:
    hands = {1: "四六", 2: "五五"}
    eat = ["1 吃 五 四六", "1 打 十"]
    clean(deal(hands, ["0 打 五", *eat], ruleset=ruleset))
    assert seen(deal(hands, ["0 打 五", "2 求 碰", *eat], ruleset=ruleset)) == {("WRONG_PRIORITY", 1)}
    # A 跑 need not be announced: it is forced.
    assert ("WRONG_PRIORITY", 1) in faults(deal({1: "四六", 2: "五五五"}, ["0 打 五", *eat], ruleset=ruleset))
    # What ranks lower may be announced.
    clean(deal({1: "五五", 2: "四六"}, ["0 打 五", "2 求 吃", "1 碰", "1 打 十"], ruleset=ruleset))


@THREE
def test_r4_9_what_an_unrecorded_pass_means(ruleset: str) -> None:
    hands = {1: "四六", 2: "五五"}
    both = {"chi", "peng"}
    # The 吃 that closed the window ranks below the 碰: the 碰 was refused.
    refused = deal(hands, ["0 打 五", "1 吃 五 四六", "1 打 十"], ruleset=ruleset)
    clean(refused)
    assert barred(refused, 2, "五") == ({"peng"} if ruleset == "guilin" else both)
    assert "2 臭偎 五" in after(hands, ["0 打 五", "1 吃 五 四六", "1 打 十", "2 摸 五"], ruleset=ruleset)
    # The 碰 ranks above the 吃: it was pre-empted.
    taken = deal(hands, ["0 打 五", "2 碰", "2 打 十"], ruleset=ruleset)
    assert barred(taken, 1, "五") == set()
    # Nobody took the card: both were refused.
    left = deal(hands, ["0 打 五", "1 摸 八"], ruleset=ruleset)
    assert barred(left, 2, "五") == ({"peng"} if ruleset == "guilin" else both)
    assert barred(left, 1, "五") == ({"chi"} if ruleset == "guilin" else both)


@BOTH
def test_r4_9_a_win_pre_empts_all(ruleset: str) -> None:
    record = deal({1: WAITS_5, 0: "五五"}, ["2 打 一", "0 摸 八", "1 摸 五", "1 胡"], dealer=2, ruleset=ruleset)
    clean(record)
    assert barred(record, 0, "五") == set()
