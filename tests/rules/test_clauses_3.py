"""The clauses of chapter 3 of docs/rules.md, one by one: turns."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import replay
from ingest import cards as names
from ingest.record import Record, Result
from replay.timeline import timeline
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import BOTH, THREE, clean, faults, seen
from tests.rules.legal import after, barred, legal

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 or 七 short of 15 胡息."""
QUADS = {1: "五五五伍伍伍"}
SECOND_PAO = ["0 打 五", "1 跑", "1 打 十", "2 摸 伍", "1 跑"]

DEAD = "伍伍伍四四六六八八九九五五壹叁柒玖拾"
FIVE_PENG = [
    *("0 打 四", "1 碰", "1 打 壹", "2 摸 六", "1 碰", "1 打 叁", "2 摸 八", "1 碰", "1 打 柒"),
    *("2 摸 九", "1 碰", "1 打 玖", "2 摸 五", "1 碰", "1 打 拾"),
]
"""With DEAD and two cards more these leave 伍伍伍 and the two in hand, at most 14 胡息 in all."""
QUIET_15 = {"min_huxi": 15}


def last(record: Record) -> dict[str, Any]:
    """The last frame of the viewer's timeline."""
    frame: dict[str, Any] = timeline(record)["frames"][-1]
    return frame


@THREE
def test_r3_1_only_the_seat_that_is_due_discards(ruleset: str) -> None:
    assert {move[:3] for move in after({}, [], ruleset=ruleset)} == {"0 打"}
    for moves, seat in ((["1 打 九"], 1), (["0 打 九", "0 打 八"], 0), (["0 打 九", "1 打 八"], 1)):
        assert ("WRONG_TURN", seat) in faults(deal({}, moves, ruleset=ruleset))
    eaten = ["0 打 贰", "1 吃 贰 壹叁"]
    assert {move[:3] for move in after({}, eaten, ruleset=ruleset)} == {"1 打"}
    assert ("WRONG_TURN", 2) in faults(deal({}, [*eaten, "2 打 十"], ruleset=ruleset))


@THREE
def test_r3_2_no_card_of_a_kan_or_ti_is_discarded(ruleset: str) -> None:
    start = ["0 打 贰", "1 吃 贰 壹叁"]
    record = deal({1: "五五五"}, [*start, "1 打 五"], ruleset=ruleset)
    assert seen(record) == {("CHAI_KAN", 1)}
    assert [found.clause for found in replay.replay_round(record).findings] == ["3.2"]
    assert "1 打 五" not in legal(with_moves(record, start))
    clean(deal({1: "五五"}, [*start, "1 打 五"], ruleset=ruleset))
    if ruleset != "hu15":
        assert ("CHAI_TI", 1) in faults(deal({1: "五五五五"}, [*start, "1 打 五"], ruleset=ruleset))


@THREE
def test_r3_3_a_drawn_card_never_enters_the_hand(ruleset: str) -> None:
    record = deal({}, ["0 打 九", "1 摸 八", "2 摸 捌"], ruleset=ruleset)
    clean(record)
    hands = [timeline(with_moves(record, ["0 打 九", *more]))["frames"][-1]["hands"] for more in ([], ["1 摸 八"])]
    assert hands[0] == hands[1]
    thrown = deal({}, ["0 打 九", "1 摸 八", "1 打 八"], add_missing=False, avoid={1: "八"}, ruleset=ruleset)
    assert seen(thrown) == {("WRONG_TURN", 1)}


@THREE
@pytest.mark.parametrize(("held", "act"), [("五五", "偎"), ("五五五", "提")])
def test_r3_4_hidden_groups_come_before_the_showing(ruleset: str, held: str, act: str) -> None:
    drawn = ["0 打 九", "1 摸 五"]
    record = deal({1: held, 2: "四六"}, [*drawn, f"1 {act}"], ruleset=ruleset)
    clean(record)
    assert legal(with_moves(record, drawn)) == {f"1 {act} 五"}
    code = {"偎": "SHI_WEI", "提": "SHI_TI"}[act]
    assert (code, 1) in faults(with_moves(record, [*drawn, "2 吃 五 四六", "2 打 十"]))
    if ruleset != "guilin":
        clean(with_moves(record, ["0 打 九", "1 摸 五 明0", f"1 {act}"]))
        shown = with_moves(record, ["0 打 九", "1 摸 五 明1", f"1 {act}"])
        assert seen(shown) == {("WRONG_REVEAL", 1)}


@THREE
def test_r3_4_a_tabled_wei_too(ruleset: str) -> None:
    moves = ["0 打 九", "1 摸 五", "1 偎", "1 打 十", "2 摸 八", "0 摸 捌", "1 摸 五"]
    assert after({1: "五五"}, moves, ruleset=ruleset) == {"1 提 五"}


@pytest.mark.parametrize("ruleset", ["qq", "guilin"])
def test_r3_5_a_shown_draw_is_open_to_all_three(ruleset: str) -> None:
    found = after({0: "五五", 1: "四六", 2: "四六"}, ["0 打 九", "1 摸 五"], ruleset=ruleset, avoid={1: "五", 2: "五"})
    assert {"0 碰 五", "1 吃 五 四六", "2 吃 五 四六"} <= found
    # Each may win on it, the drawer too; where one wins only the first is asked (12.13).
    for seat in range(3):
        winner = after({seat: READY}, ["0 打 一", "1 摸 四"], liang="一", ruleset=ruleset)
        assert f"{seat} 胡" in winner


@THREE
def test_r3_6_a_discard_is_open_to_the_other_two(ruleset: str) -> None:
    hands = {0: "五五四六", 1: "四六"}
    record = deal(hands, ["0 打 五"], ruleset=ruleset, avoid={1: "五"})
    assert "1 吃 五 四六" in legal(record)
    assert not any(move.startswith("0") for move in legal(record))
    for claim in ("0 吃 五 四六", "0 碰"):
        assert ("CLOSED_CLAIM", 0) in faults(with_moves(record, ["0 打 五", claim]))
    # Not even where a broken 提 leaves three of the kind in hand.
    broken = deal({0: "五五五五"}, ["0 打 五", "1 摸 八"], ruleset=ruleset)
    assert ("ZOU_PAO", 0) not in faults(broken)
    assert {"2 碰 五"} <= after({2: "五五"}, ["0 打 五"], ruleset=ruleset)
    assert {"1 碰 五"} <= after({1: "五五"}, ["0 打 五"], ruleset=ruleset)


@THREE
@pytest.mark.parametrize(
    ("held", "moves"),
    [
        ("四六", ["0 打 五", "1 吃 五 四六"]),
        ("五五", ["0 打 五", "1 碰"]),
        ("五五", ["0 打 九", "1 摸 五", "1 偎"]),
        ("五五五", ["0 打 五", "1 跑"]),
    ],
)
def test_r3_7_a_discard_follows_an_intake(ruleset: str, held: str, moves: list[str]) -> None:
    clean(deal({1: held}, [*moves, "1 打 十", "2 摸 八"], ruleset=ruleset))
    assert seen(deal({1: held}, [*moves, "2 摸 八"], ruleset=ruleset)) == {("MISSING_DISCARD", 1)}


@THREE
def test_r3_7_or_the_next_seat_draws_where_none_is_due(ruleset: str) -> None:
    record = deal(QUADS, [*SECOND_PAO, "2 摸 八"], ruleset=ruleset)
    clean(record)
    assert legal(with_moves(record, SECOND_PAO)) == {"2 摸"}


@THREE
def test_r3_8_an_unclaimed_card_lies_before_its_player(ruleset: str) -> None:
    record = deal({}, ["0 打 九", "1 摸 八", "2 摸 捌", "0 摸 陆"], ruleset=ruleset)
    clean(record)
    piles = last(record)["discards"]
    assert [[entry["card"] for entry in pile] for pile in piles] == [
        [names.parse_one("九"), names.parse_one("陆")],
        [names.parse_one("八")],
        [names.parse_one("捌")],
    ]
    for moves, seat in (
        (["0 打 九", "2 摸 八"], 2),
        (["0 打 九", "0 摸 八"], 0),
        (["0 打 九", "1 摸 八", "0 摸 捌"], 0),
    ):
        assert ("DRAW_ORDER", seat) in faults(deal({}, moves, ruleset=ruleset))


@THREE
def test_r3_9_who_draws_next(ruleset: str) -> None:
    # After a discard, an unclaimed draw, and an intake without discard: always 下家.
    clean(deal({2: "五五"}, ["0 打 五", "2 碰", "2 打 九", "0 摸 八", "1 摸 捌"], ruleset=ruleset))
    assert ("DRAW_ORDER", 1) in faults(deal({2: "五五"}, ["0 打 五", "2 碰", "2 打 九", "1 摸 八"], ruleset=ruleset))
    # Seat 2 draws, seat 1 makes its second 跑 of the card, seat 2 draws again.
    clean(deal(QUADS, [*SECOND_PAO, "2 摸 八", "0 摸 捌"], ruleset=ruleset))
    assert ("DRAW_ORDER", 0) in faults(deal(QUADS, [*SECOND_PAO, "0 摸 八"], ruleset=ruleset))
    twice = deal({}, ["0 打 九", "1 摸 八", "1 摸 捌"], ruleset=ruleset)
    assert seen(twice) == {("DOUBLE_DRAW", 1)}


@THREE
def test_r3_10_only_the_open_card_and_only_once(ruleset: str) -> None:
    earlier = deal({1: "四六"}, ["0 打 五", "1 摸 八", "1 吃 五 四六"], ruleset=ruleset)
    assert seen(earlier) == {("CLOSED_CLAIM", 1)}
    twice = deal({1: "四六", 2: "五五"}, ["0 打 五", "2 碰", "1 吃 五 四六"], ruleset=ruleset)
    assert ("DOUBLE_CLAIM", 1) in faults(twice)
    own = deal({0: "四六五"}, ["0 打 五", "0 吃 五 四六"], ruleset=ruleset)
    assert ("CLOSED_CLAIM", 0) in faults(own)
    stranger = deal({1: "五"}, ["0 打 九", "1 摸 五", "1 碰"], avoid={1: "五"}, ruleset=ruleset)
    assert seen(stranger) == {("CLOSED_CLAIM", 1)}


@THREE
def test_r3_10_the_drawer_has_no_peng(ruleset: str) -> None:
    start = ["0 打 九", "1 摸 五"]
    assert after({1: "五五"}, start, ruleset=ruleset) == {"1 偎 五"}
    assert ("CLOSED_CLAIM", 1) in faults(deal({1: "五五"}, [*start, "1 碰"], ruleset=ruleset))


@THREE
def test_r3_11_a_claim_that_leaves_nothing_to_discard(ruleset: str) -> None:
    """碰 of the last pair; 吃 with the last two cards."""
    for two, card, claim in (("三三", "三", "碰"), ("一二", "三", "吃 三 一二")):
        start = [*FIVE_PENG, "2 摸 拾", "0 摸 三"]
        if claim.startswith("吃"):
            start = [*FIVE_PENG, "2 摸 拾", "0 摸 十", "1 摸 三"]
        record = deal({1: DEAD + two}, start, ruleset=ruleset, options=QUIET_15)
        assert not any(move.startswith(("1 碰", "1 吃", "1 过")) for move in legal(record))
        assert ("DEAD_CLAIM", 1) in faults(with_moves(record, [*start, f"1 {claim}"]))
        gone = [*start, "1 摸 捌" if claim == "碰" else "2 摸 捌"]
        assert barred(with_moves(record, gone, wall=None), 1, card) == set()
        assert ("BAD_PASS", 1) in faults(with_moves(record, [*start, "1 过"]))


def test_r3_11_choice_by_choice() -> None:
    hand = "伍伍伍一二三叁叁"
    live = replay.chi_options(hand, "三", "qq")
    assert [(names.text(option.first), option.bi) for option in live] == [("三三叁", ())]
    assert len(replay.chi_options(hand, "三", "qq", discard_due=False)) > 1
    assert replay.chi_options(hand, "三", "guilin") == []
    assert replay.chi_options(hand, "三", "qq", options={"dead_chi_all": True}) == []


FORCED = [*FIVE_PENG, "2 摸 拾", "0 摸 十", "1 摸 三"]


@pytest.mark.parametrize(("ruleset", "options"), [("qq", {}), ("hu15", {}), ("qq", {"dead_forced": "waive_and_out"})])
def test_r3_12_a_forced_wei_that_leaves_nothing(ruleset: str, options: dict[str, Any]) -> None:
    record = deal({1: DEAD + "三三"}, [*FORCED, "1 偎", "2 摸 捌"], ruleset=ruleset, options=options)
    clean(record)
    assert legal(with_moves(record, FORCED)) == {"1 偎 三"}
    assert legal(with_moves(record, [*FORCED, "1 偎"])) == {"2 摸"}
    assert ("SHI_WEI", 1) in faults(with_moves(record, [*FORCED, "2 摸 捌"]))
    # Its discard is dropped for good: a later 跑 of the 坎 is laid, and nothing is due again.
    later = [*FORCED, "1 偎", "2 摸 伍", "1 跑", "2 摸 捌"]
    clean(deal({1: DEAD + "三三"}, later, ruleset=ruleset, options=options))
    thrown = deal({1: DEAD + "三三"}, [*FORCED, "1 偎", "1 打 伍"], ruleset=ruleset, options=options)
    assert ("BAKUAI_DISCARD", 1) in faults(thrown)


def test_r3_12_guilin_drops_the_forced_wei() -> None:
    record = deal({1: DEAD + "三三"}, [*FORCED, "2 摸 捌"], ruleset="guilin", options=QUIET_15)
    assert faults(record) == set()


def test_r3_13_who_is_out_takes_no_part() -> None:
    options = {"dead_forced": "waive_and_out"}
    hands = {1: DEAD + "三三", 0: "七九"}
    tried = 0
    for card in names.CHARS:
        moves = [*FORCED, "1 偎", f"2 摸 {card}"]
        try:
            record = deal(hands, moves, options=options)
        except AssertionError:  # no such card is left
            continue
        tried += 1
        acts = {move.split()[1] for move in legal(record) if move.startswith("1 ")}
        assert acts <= {"跑"}, card
    assert tried > 12
    assert ("ZHA_HU_SHAPE", 1) in faults(deal(hands, [*FORCED, "1 偎", "2 摸 捌", "1 胡"], options=options))


NOT_HELD = {
    "打": ("", ["0 打 五"], 0),
    "吃": ("四", ["0 打 五", "1 吃 五 四六"], 1),
    "吃 twice": ("伍", ["0 打 五", "1 吃 五 伍伍"], 1),
    "比": ("四六五", ["0 打 五", "1 吃 五 四六", "1 比 五七六"], 1),
    "碰": ("五", ["0 打 五", "1 碰"], 1),
    "跑": ("五五", ["0 打 五", "1 跑"], 1),
    "偎": ("五", ["0 打 九", "1 摸 五", "1 偎"], 1),
    "提": ("五五", ["0 打 九", "1 摸 五", "1 提"], 1),
}


@THREE
@pytest.mark.parametrize("act", NOT_HELD)
def test_r3_14_only_cards_that_one_holds(ruleset: str, act: str) -> None:
    held, moves, seat = NOT_HELD[act]
    hands = {seat: held} if held else {0: "十"}
    record = deal(hands, moves, add_missing=False, avoid={seat: "四五六七伍"}, ruleset=ruleset)
    assert ("CARD_NOT_IN_HAND", seat) in faults(record)


@BOTH
def test_r3_14_a_ti_of_dealt_cards_needs_four(ruleset: str) -> None:
    assert ("CARD_NOT_IN_HAND", 1) in faults(deal({1: "五五五"}, ["1 亮提 五", "0 打 九"], ruleset=ruleset))


@THREE
def test_r3_15_cards_come_in_the_order_of_the_wall(ruleset: str) -> None:
    moves = ["0 打 九", "1 摸 八", "2 摸 捌"]
    clean(deal({}, moves, wall_front="八捌", ruleset=ruleset))
    for wall in ("捌八", "八陆捌"):
        assert "WALL_MISMATCH" in {code for code, _ in faults(deal({}, moves, wall_front=wall, ruleset=ruleset))}
    won = deal({1: READY}, ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"], ruleset=ruleset)
    assert won.wall is not None
    for rest, fault in ((won.wall[2:], False), (won.wall[3:], True), (won.wall[1:], True)):
        told = msgspec.structs.replace(won, result=Result(winner=1, rest=rest))
        assert ("WALL_MISMATCH" in {code for code, _ in faults(told)}) == fault, rest


@THREE
def test_r3_16_who_has_nothing_to_pass(ruleset: str) -> None:
    assert seen(deal({}, ["0 打 十", "2 过"], avoid={2: "十"}, ruleset=ruleset)) == {("BAD_PASS", 2)}
    forced = deal({2: "五五五"}, ["0 打 五", "2 过"], ruleset=ruleset)
    assert seen(forced) == {("BAD_PASS", 2)}
    hidden = deal({1: "五五"}, ["0 打 十", "1 摸 五", "1 过"], ruleset=ruleset, avoid={1: "十"})
    assert seen(hidden) == {("BAD_PASS", 1)}
    may = deal({2: "五五"}, ["0 打 五", "2 过"], ruleset=ruleset)
    clean(may)
    assert "2 过" in legal(with_moves(may, ["0 打 五"]))
    assert seen(with_moves(may, ["0 打 五", "2 过", "2 过"])) == {("BAD_PASS", 2)}
    assert seen(deal({}, ["1 过"], ruleset=ruleset)) == {("BAD_PASS", 1)}


@THREE
@pytest.mark.parametrize(("held", "claim"), [("五五", "碰"), ("四六", "吃 五 四六"), ("四六五五", "碰")])
def test_r3_16_who_passed_has_no_claim_left(ruleset: str, held: str, claim: str) -> None:
    record = deal({1: held}, ["0 打 五", f"1 {claim}"], ruleset=ruleset, avoid={1: "五"})
    clean(record)
    assert f"1 {claim}" not in legal(with_moves(record, ["0 打 五", "1 过"]))
    assert seen(with_moves(record, ["0 打 五", "1 过", f"1 {claim}"])) == {("CLOSED_CLAIM", 1)}


@THREE
def test_r3_16_nor_a_win(ruleset: str) -> None:
    record = deal({1: READY}, ["0 打 二", "1 摸 四", "1 过", "1 胡"], ruleset=ruleset)
    assert seen(record) == {("CLOSED_CLAIM", 1)}


@THREE
def test_r3_17_a_step_that_is_missing_is_reported(ruleset: str) -> None:
    record, moves = quiet_round(ruleset=ruleset)
    clean(with_moves(record, [*moves, "荒"]))
    for gone in (0, 5, len(moves) - 1):
        assert faults(with_moves(record, [*moves[:gone], *moves[gone + 1 :], "荒"])), gone
    cut = with_moves(record, moves[:5])
    assert replay.replay_round(cut).verdict == "undecidable"
    assert "MISSING_EVENT" in {code for code, _ in faults(msgspec.structs.replace(cut, complete=True))}
