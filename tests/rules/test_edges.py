"""Single points at the edges of the clauses: the second of two cards, the last of several, what is not known."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import replay
from ingest.record import Record
from replay.engine import hand_cards
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, findings, settled
from tests.rules.legal import after, barred, played
from tests.rules.seats import with_sitter
from tests.rules.worth import worth

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 or 七 short of 15."""


def said(record: Record) -> list[tuple[int, str, int, str, str]]:
    """All findings: event, code, seat, expected, actual."""
    return [(f.seq, f.code, f.seat, f.expected, f.actual) for f in findings(record)]


def held(record: Record, seat: int) -> int:
    """Cards in a seat's hand after the last event."""
    return len(hand_cards(played(record), seat) or ())


@pytest.mark.parametrize("card", "一二三十玖")
def test_r2_5_nothing_lies_open_before_the_first_discard(card: str) -> None:
    found = said(with_moves(deal({1: card * 2}, [], liang=card), [f"1 碰 {card}"]))
    assert found[0] == (0, "CLOSED_CLAIM", 1, "?", f"1 碰 {card}")


@pytest.mark.parametrize("cards", ["四六", "六四"])
@pytest.mark.parametrize(("held", "code"), [("六六六", "CHAI_KAN"), ("六六六六", "CHAI_TI")])
def test_r5_6_either_card_of_a_chi_may_break_a_kan(cards: str, held: str, code: str) -> None:
    record = deal({1: "四" + held}, ["0 打 五", f"1 吃 五 {cards}"], add_missing=False, ruleset="guilin")
    assert (1, code, 1, "", "1 吃 五") in said(record)


def test_r5_6_a_bi_that_breaks_two_kan_is_one_fault() -> None:
    record = deal({1: "三四五六六六七七七"}, ["0 打 五", "1 吃 五 三四", "1 比 五六七"])
    assert said(record) == [(2, "CHAI_KAN", 1, "", "1 比 五")]


@pytest.mark.parametrize("act", ["吃 五 四六", "碰 五", "跑 五"])
def test_r6_10_beside_a_claim_that_cannot_be_no_omission_is_told(act: str) -> None:
    record = deal({2: "五五五"}, ["0 打 五", f"1 {act}"], add_missing=False, avoid={1: "四五六"})
    assert [code for _, code, *_ in said(record)] == ["CARD_NOT_IN_HAND"]


def test_r10_5_haidi_is_the_last_card_of_the_wall_itself() -> None:
    """The last card is eaten, and the discard that follows is won on: that is no 海底."""
    options = {"win_discard": True, "haidi_alone": 2}
    record, moves = quiet_round(
        {1: "二三四", 2: READY}, ruleset="hu15", last="一", options=options, avoid={0: "四", 1: "一四"}
    )
    eaten = settled(with_moves(record, [*moves, "1 吃 一 二三", "1 打 四", "2 胡"]))
    assert (eaten.winner, eaten.fan) == (2, {})
    record, moves = quiet_round({2: READY}, ruleset="hu15", last="四", options=options)
    drawn = settled(with_moves(record, [*moves, "2 胡"]))
    assert (drawn.winner, set(drawn.fan)) == (2, {"海底"})


def test_r12_19_a_dead_choice_takes_a_living_one_with_it() -> None:
    hand = "五伍伍四六一一一二二二捌捌捌玖玖玖九九十"  # 五四六 and 五伍伍 would use all; 五五伍 would not
    moves = ["0 打 九", "1 碰", "1 打 十", "2 摸 七", "0 摸 五"]
    more: dict[str, Any] = {"avoid": {0: "五三七"}, "add_missing": False, "options": {"min_huxi": 21}}
    for ruleset, due in (("qq", {"1 吃 五 五伍", "1 过", "1 摸"}), ("guilin", {"1 摸"})):
        found = after({0: "九", 1: hand}, moves, ruleset=ruleset, **more)
        assert {move for move in found if move.startswith("1")} == due


def test_r12_28_a_card_to_be_turned_that_is_not_known() -> None:
    record = deal({1: READY}, ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"], ruleset="guilin")
    assert record.wall is not None
    assert settled(record).xing_hits == 2
    for wall in (None, (*record.wall[:2], -1, *record.wall[3:])):
        outcome = replay.replay_round(msgspec.structs.replace(record, wall=wall))
        assert outcome.score is None
        assert outcome.undecidable[-1] == "score: the card turned for 醒 is unknown"
    without = replay.replay_round(msgspec.structs.replace(record, wall=None, options={"xing": ()}))
    assert without.score is not None
    assert without.score.xing_hits == 0


def test_r14_12_the_card_of_the_opening_counts_for_the_dealers_quad() -> None:
    moves = ["0 亮提 三", "0 打 陆", "1 摸 八", "2 摸 四", "1 胡"]
    record = deal({0: "三三三", 1: READY}, moves, liang="三", ruleset="bisai", options={"qianti_bonus": 2})
    other = deal({0: "三三三三", 1: READY}, moves, ruleset="bisai", options={"qianti_bonus": 2})
    points = [settled(with_sitter(one)).points for one in (record, other)]
    assert points[0] == points[1]


def test_r16_9_a_discard_is_laid_as_pao() -> None:
    record = deal({1: "五五五"}, ["0 打 五", "1 提 五"], ruleset="general")
    assert said(record) == [(1, "MELD_KIND", 1, "1 跑 五", "1 提 五")]


def test_r16_14_four_pairs_may_be_runs() -> None:
    runs = "一一二二三三伍伍伍捌捌捌玖玖玖拾拾拾十十"
    assert "对对胡" not in worth(runs, "四", "own_draw", ruleset="general").fan
    alike = "一一一二二二伍伍伍捌捌捌玖玖玖拾拾拾十十"
    assert "对对胡" in worth(alike, "四", "own_draw", ruleset="general").fan


def test_r16_20_three_alike_lock_nothing() -> None:
    assert "1 吃 五 四六" in after({1: "五五五四六"}, ["0 打 五"], ruleset="general")


def test_r16_20_a_wei_is_no_group_but_its_cards_are_gone() -> None:
    record = deal({1: "五五"}, ["0 打 九", "1 摸 五", "1 偎"], ruleset="general")
    assert said(record) == [(2, "MELD_INVALID", 1, "", "1 偎 五")]
    assert held(record, 1) == 18


def test_r17_12_a_quad_of_the_hand_counts_four() -> None:
    hand = "壹贰叁壹贰叁肆伍陆捌玖二二柒捌玖"
    inside = worth(hand + "拾拾拾拾", "柒", "other_draw", ruleset="ningxiang")
    laid = worth(hand, "柒", "other_draw", ("提 拾",), ruleset="ningxiang")
    assert inside.fan == laid.fan
    assert inside.fan == {"十八大": 5 + 1, "十红": 2}


def test_r7_3_beside_a_compulsory_peng_no_chi_is_passed() -> None:
    moves = ["0 打 五", "1 过", "2 碰", "2 打 十"]
    hands = {1: "四六", 2: "五五"}
    assert "chi" in barred(deal(hands, moves, ruleset="luzhou", options={"peng_forced": False}, wall_end="一"), 1, "五")
    assert barred(deal(hands, moves, ruleset="luzhou", wall_end="一"), 1, "五") == set()


@pytest.mark.parametrize(("ruleset", "may"), [("guilin", True), ("qq", False)])
def test_r12_22_an_offender_wins_by_its_own_wei(ruleset: str, may: bool) -> None:
    hand = "玖玖玖捌捌捌九九九四五六十十一二肆伍陆叁"
    moves = ["0 打 三", "1 吃 三 一二", "1 打 陆", "2 摸 八", "0 摸 贰", "0 吃 贰 壹叁", "0 打 陆"]
    moves += ["1 吃 陆 肆伍", "1 打 叁", "2 摸 七", "0 摸 柒", "1 摸 十"]
    more: dict[str, Any] = {"ruleset": ruleset, "avoid": {0: "三贰十", 1: "十", 2: "三陆叁十"}}
    assert ("CHOU_CHI", 1) in [(f.code, f.seat) for f in findings(deal({1: hand}, moves, **more))]
    assert ("1 胡" in after({1: hand}, moves, **more)) == may


@pytest.mark.parametrize(
    ("hand", "red", "fan"),
    [
        ("壹壹壹捌捌捌玖玖玖四五六肆伍陆叁肆伍二二", 3, {"三扁": 3}),
        ("壹壹壹捌捌捌玖玖玖四五六叁肆伍八八二二二", 4, {"四扁": 4}),
        ("壹壹壹捌捌捌玖玖玖四五六肆伍陆叁肆伍一三", 1, {"点胡": 4}),
    ],
)
def test_r17_8_r17_9_the_winning_card_makes_the_red_group(hand: str, red: int, fan: dict[str, int]) -> None:
    found = worth(hand, "二", "other_draw", ruleset="ningxiang")
    assert (found.red, found.fan) == (red, fan)


def test_r17_9_a_peng_that_became_a_pao_is_four() -> None:
    hand = "二二壹壹壹捌捌捌玖玖玖四五六八八肆伍一三"
    moves = ["0 打 二", "1 碰", "1 打 一", "2 摸 二", "1 跑", "1 打 三", "2 摸 九", "0 摸 陆", "1 胡"]
    won = settled(deal({1: hand}, moves, ruleset="ningxiang", avoid={0: "二九陆三一", 2: "二九陆三一"}))
    assert (won.winner, won.fan) == (1, {"四扁": 4})


def seven(counts: list[int]) -> bool:
    """Do the cards fall into 顺 and triples?"""
    if not any(counts):
        return True
    first = next(kind for kind, n in enumerate(counts) if n)
    takes = [(first,) * 3] + ([(first, first + 1, first + 2)] if first % 10 < 8 else [])
    for take in takes:
        left = list(counts)
        for kind in take:
            left[kind] -= 1
        if min(left) >= 0 and seven(left):
            return True
    return False


def test_r16_11_seven_sentences_and_nothing_else() -> None:
    rng = random.Random(9)
    triples = [(kind,) * 3 for kind in range(20)]
    every = triples + [(low, low + 1, low + 2) for low in range(18) if low % 10 < 8]
    small = [group for group in every if max(group) < 10]
    whole = 0
    for number in range(240):
        pool = (every, triples, small)[number % 3]
        chosen = [card for _ in range(7) for card in rng.choice(pool)]
        if number % 4 == 0:
            chosen[rng.randrange(21)] = rng.randrange(20)
        counts = [chosen.count(kind) for kind in range(20)]
        if max(counts) > 4:
            continue
        found = replay.evaluate_hand(chosen, ruleset="general", options={"shape": "seven_sentences"})
        assert found.complete == seven(counts), counts
        if found.complete:
            whole += 1
            assert len(found.groups) == 7
            alike, one_size = all(n in (0, 3) for n in counts), not any(counts[:10]) or not any(counts[10:])
            assert ("对对胡" in found.fan, "清一色" in found.fan) == (alike, one_size)
    assert whole > 50


def test_r4_3_what_is_forced_stays_after_a_pass() -> None:
    assert after({1: "玖玖玖"}, ["0 打 玖", "1 过"]) == {"1 跑 玖"}
    luzhou = after({1: "玖玖"}, ["0 打 玖", "1 过"], ruleset="luzhou", wall_end="一")
    assert luzhou == {"1 碰 玖"}


@pytest.mark.parametrize(("ruleset", "due"), [("guilin", {"1 胡", "1 过", "2 摸"}), ("qq", {"1 胡", "1 偎 十"})])
def test_r12_15_who_is_asked_to_win_by_a_wei_may_leave_the_card(ruleset: str, due: set[str]) -> None:
    hand = "玖玖玖捌捌捌九九九四五六贰叁肆肆伍陆十十"
    assert after({1: hand}, ["0 打 一", "1 摸 十"], ruleset=ruleset) == due
    laid = deal({1: hand}, ["0 打 一", "1 摸 十", "1 过", "1 偎"], ruleset="guilin")
    assert said(laid) == [(3, "CLOSED_CLAIM", 1, "", "1 偎 十")]


def test_r5_8_a_bi_is_no_choice_of_its_own() -> None:
    record = deal({1: "三四五六七八"}, ["0 打 五", "1 吃 五 三四", "1 比 五六七", "1 打 八"])
    decisions = replay.replay_round(record).decisions
    assert [(one.seq, one.seat) for one in decisions] == [(0, 0), (1, 1), (3, 1)]


@pytest.mark.parametrize(("value", "seats"), [("nobody", ""), ("dealer", "0"), ("all", "01")])
def test_r13_3_who_may_win_on_the_liang(value: str, seats: str) -> None:
    options = {"liang_win": value}
    dealer = after({0: READY}, [], liang="四", options=options)
    other = after({1: READY}, [], liang="四", options=options)
    assert ("0 胡" in dealer, "1 胡" in other) == ("0" in seats, "1" in seats)


def test_r3_9_the_first_draw_is_of_the_wrong_seat_not_a_second_one() -> None:
    assert [code for _, code, *_ in said(deal({}, ["0 摸 九"]))] == ["DRAW_ORDER"]


def test_r12_9_a_dealt_ti_is_not_owed_before_the_first_pao() -> None:
    for seat in range(3):
        clean(deal({seat: "五五五五"}, ["0 打 九"], ruleset="guilin"))


def test_r5_11_what_follows_a_chi_without_its_bi_is_judged_as_well() -> None:
    record = deal({1: "三四五"}, ["0 打 三", "1 吃 三 四五", "2 碰 三"])
    assert [(code, seat) for _, code, seat, *_ in said(record)] == [("SHAO_BI", 1), ("DOUBLE_CLAIM", 2)]


def test_r6_15_nobody_makes_a_wei_of_an_own_discard() -> None:
    record = deal({0: "五五五"}, ["0 打 五", "0 偎 五"], ruleset="guilin")
    assert ("MELD_KIND", 0) in [(code, seat) for _, code, seat, *_ in said(record)]


def test_r8_21_a_void_win_that_is_passed_over_is_a_pass() -> None:
    moves = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡", "1 碰 五"]
    record = deal({1: "五五"}, moves, ruleset="hu15", options={"void_ends": False})
    assert [code for _, code, *_ in said(record)] == ["ZHA_HU_SHAPE", "CLOSED_CLAIM"]


def test_r9_6_a_tianhu_by_kan_lists_them_and_the_runs_beside() -> None:
    hand = "一一一四四四五五五八八八九九九二三壹伍玖"
    won = settled(deal({1: hand}, ["1 胡"], ruleset="guilin"))
    assert sorted(cards for _, cards, _ in won.groups) == [(kind,) * 3 for kind in (0, 3, 4, 7, 8)]
    beside = settled(deal({1: hand.replace("壹伍玖", "二七十")}, ["1 胡"], ruleset="guilin"))
    assert len(beside.groups) == 6
    assert beside.huxi == won.huxi + 3


def test_r2_9_an_own_announcement_is_no_earlier_win() -> None:
    clean(deal({1: READY}, ["1 求 胡", "1 胡"], liang="四"))
    dealt = "一一一一四四四五五五八八八九九九壹叁伍柒"
    clean(deal({1: dealt}, ["1 求 胡", "1 胡"]))


@pytest.mark.parametrize(("hand", "act"), [("五五", "碰 五"), ("四六", "吃 五 四六"), ("五五五", "跑 五")])
def test_r4_8_an_own_announcement_is_no_higher_claim(hand: str, act: str) -> None:
    clean(deal({1: hand}, ["0 打 五", "1 求 胡", f"1 {act}"], avoid={1: "五"}))


def test_r2_13_beside_a_late_ti_the_event_is_judged_too() -> None:
    record = deal({1: "玖玖玖玖"}, ["0 打 五", "1 碰 五"], ruleset="hu15", avoid={1: "五"}, add_missing=False)
    assert [code for _, code, *_ in said(record)] == ["SHI_TI", "CARD_NOT_IN_HAND"]


@pytest.mark.parametrize(("ruleset", "found"), [("qq", []), ("guilin", [("FALSE_HUANG", -1, "1 打", "荒")])])
def test_r11_3_the_last_discard_may_be_left_out_where_it_cannot_be_won(ruleset: str, found: list[Any]) -> None:
    record, moves = quiet_round({0: "壹壹", 1: "贰叁", 2: "壹"}, ruleset=ruleset, last="壹")
    told = with_moves(record, [*moves, "1 吃 壹 贰叁", "荒"])
    assert [one[1:] for one in said(told)] == found


def test_r12_4_a_complete_hand_comes_before_three_ti_that_are_announced() -> None:
    record = deal({0: READY, 2: "二二二二三三三三玖玖玖玖"}, [], liang="四", ruleset="guilin")
    clean(with_moves(record, ["2 求 胡", "0 胡"]))
    for moves in (["2 胡 -"], ["0 求 胡", "2 胡 -"]):
        assert [one[1:3] for one in said(with_moves(record, moves))] == [("WRONG_PRIORITY", 2)]


def test_r12_4_a_complete_hand_comes_before_five_kan() -> None:
    hand = "一一一四四四五五五八八八九九九壹贰叁伍陆"
    won = settled(deal({0: hand}, ["0 胡"], liang="柒", ruleset="guilin"))
    assert len(won.groups) == 7
    assert len(settled(deal({0: hand}, ["0 胡"], liang="拾", ruleset="guilin")).groups) == 6


def test_r16_8_a_dealt_quad_is_not_laid() -> None:
    for moves in (["0 打 五", "1 跑", "1 亮提 一"], ["0 打 九", "1 摸 十", "1 亮提 一"]):
        record = deal({1: "五五五一一一一"}, moves, ruleset="general")
        assert [code for _, code, *_ in said(record)] == ["MELD_KIND"]


def test_r16_11_the_groups_of_a_win_with_some_on_the_table() -> None:
    hand = "四六一二三七八九壹壹壹伍陆柒玖玖玖十十捌"
    moves = ["0 打 五", "1 吃 五 四六", "1 打 捌", "2 摸 拾", "2 打 拾", "0 摸 肆", "0 打 肆", "1 摸 肆", "1 胡"]
    won = settled(deal({1: hand}, moves, ruleset="general", avoid={2: "肆"}))
    assert (won.from_seat, len(won.groups)) == (None, 7)


def test_r16_11_seven_sentences_in_play() -> None:
    hand = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"
    moves = ["0 打 九", "1 摸 十", "1 胡"]
    won = settled(deal({1: hand}, moves, ruleset="general", options={"shape": "seven_sentences"}))
    assert len(won.groups) == 7
