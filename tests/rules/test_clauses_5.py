"""The clauses of chapter 5 of docs/rules.md, one by one: 吃 and 比."""

from __future__ import annotations

import random
from typing import Any

import pytest

import replay
from ingest import cards as names
from replay.timeline import timeline
from tests.rules.build import deal, with_moves
from tests.rules.check import BOTH, THREE, clean, faults, seen
from tests.rules.legal import after, barred, legal

Choice = tuple[str, tuple[str, ...]]


def eating(moves: set[str], seat: int) -> set[str]:
    """What a seat may 吃, as ``四六 比 五五伍``."""
    return {move[6:] for move in moves if move.startswith(f"{seat} 吃")}


def choices(hand: str, card: str, ruleset: str = "qq", **more: Any) -> set[Choice]:
    found = replay.chi_options(hand, card, ruleset=ruleset, **more)
    return {(names.text(option.first), tuple(sorted(names.text(bi) for bi in option.bi))) for option in found}


@THREE
@pytest.mark.parametrize(
    ("card", "pair"), [("五", "四六"), ("三", "一二"), ("八", "九十"), ("柒", "贰拾"), ("九", "玖玖"), ("九", "九玖")]
)
def test_r5_1_the_open_card_with_two_of_the_hand(ruleset: str, card: str, pair: str) -> None:
    moves = [f"0 打 {card}", f"1 吃 {card} {pair}", "1 打 陆"]
    record = deal(moves=moves, ruleset=ruleset)
    clean(record)
    assert pair in eating(legal(with_moves(record, moves[:1])), 1)
    for bad in ("五五", "五七", "伍六", "二六"):
        if bad == pair or set(bad) & set(card):
            continue
        other = deal(moves=[f"0 打 {card}", f"1 吃 {card} {bad}"], ruleset=ruleset, avoid={1: card})
        assert ("MELD_INVALID", 1) in faults(other), bad
    three = deal({1: card * 2}, [f"0 打 {card}", f"1 吃 {card} {card * 2}"], ruleset=ruleset)
    assert ("MELD_INVALID", 1) in faults(three)


@THREE
def test_r5_2_chi_may_be_left(ruleset: str) -> None:
    record = deal({1: "四六"}, ["0 打 五", "1 过", "1 摸 八"], ruleset=ruleset, avoid={1: "五"})
    clean(record)
    assert {"1 过", "1 摸", "1 吃 五 四六"} <= legal(with_moves(record, ["0 打 五"]))
    assert "chi" in barred(record, 1, "五")
    # Leaving it in silence is the same pass.
    assert "chi" in barred(with_moves(record, ["0 打 五", "1 摸 八"]), 1, "五")


@THREE
def test_r5_3_the_discard_of_the_seat_before_and_the_own_draw(ruleset: str) -> None:
    for seat, moves in ((1, ["0 打 五"]), (1, ["0 打 九", "1 摸 五"]), (2, ["0 打 贰", "1 吃 贰 壹叁", "1 打 五"])):
        eat = [f"{seat} 吃 五 四六", f"{seat} 打 十"]
        record = deal({seat: "四六"}, [*moves, *eat], ruleset=ruleset, avoid={seat: "五"})
        clean(record)
        assert "四六" in eating(legal(with_moves(record, moves)), seat)


@pytest.mark.parametrize(
    ("ruleset", "may"),
    [("qq", True), ("guilin", True), ("ningxiang", True), ("hu15", False), ("bisai", False), ("luzhou", False)],
)
def test_r5_4_the_card_that_the_seat_before_drew(ruleset: str, may: bool) -> None:
    moves = ["0 打 九", "1 摸 五"]
    hands = {2: "四六"}
    more: dict[str, Any] = {"ruleset": ruleset, "avoid": {2: "五"}, "wall_end": "八"}
    record = deal(hands, [*moves, "2 吃 五 四六", "2 打 十"], **more)
    assert (("GE_SHAN", 2) in faults(record)) != may
    for option in (None, True, False):
        options = {} if option is None else {"chi_prev_draw": option}
        found = eating(after(hands, moves, **more, options=options), 2)
        assert ("四六" in found) == (may if option is None else option)


@THREE
@pytest.mark.parametrize("how", ["打", "摸"])
def test_r5_5_never_a_card_of_the_next_seat(ruleset: str, how: str) -> None:
    moves = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五"] if how == "打" else ["0 打 九", "1 摸 五"]
    hands = {0: "四六"}
    record = deal(hands, [*moves, "0 吃 五 四六", "0 打 十"], ruleset=ruleset, avoid={0: "五"})
    assert seen(record) == {("GE_SHAN", 0)}
    assert eating(legal(with_moves(record, moves)), 0) == set()


@THREE
def test_r5_6_no_card_of_a_kan_for_chi_or_bi(ruleset: str) -> None:
    hands = {1: "四四四五六"}
    for moves in (["1 吃 五 四六", "1 比 五五伍"], ["1 吃 五 五伍"]):
        record = deal({1: "四四四五六五伍"}, ["0 打 五", *moves, "1 打 十"], ruleset=ruleset)
        assert (("CHAI_KAN", 1) in faults(record)) == ("四" in moves[0])
    assert not any("四" in choice for choice in eating(after(hands, ["0 打 五"], ruleset=ruleset), 1))
    bi = deal({1: "四四四五六七五"}, ["0 打 五", "1 吃 五 六七", "1 比 五四三", "1 打 十"], ruleset=ruleset)
    assert ("CHAI_KAN", 1) in faults(bi)


@pytest.mark.parametrize("ruleset", ["qq", "guilin"])
def test_r5_6_no_card_of_a_ti(ruleset: str) -> None:
    record = deal({1: "四四四四六"}, ["0 打 五", "1 吃 五 四六", "1 打 十"], ruleset=ruleset, avoid={1: "五"})
    assert ("CHAI_TI", 1) in faults(record)


def test_r5_6_no_card_of_a_ti_that_should_have_been_laid() -> None:
    record = deal({1: "四四四四六"}, ["0 打 五", "1 吃 五 四六", "1 打 十"], ruleset="hu15", avoid={1: "五"})
    assert ("CHAI_TI", 1) in faults(record)


@BOTH
def test_r5_7_chi_and_bi_lie_face_up(ruleset: str) -> None:
    moves = ["0 打 五", "1 吃 五 四六 明3", "1 比 五五伍 明3", "1 打 十"]
    record = deal({1: "五五"}, moves, ruleset=ruleset)
    clean(record)
    for place, bad in ((1, "1 吃 五 四六 明2"), (2, "1 比 五五伍 明0")):
        hidden = [bad if number == place else move for number, move in enumerate(moves)]
        assert seen(with_moves(record, hidden)) == {("WRONG_REVEAL", 1)}
    table = timeline(record)["frames"][-1]["melds"][1]
    assert [sorted(meld["cards"]) for meld in table] == [[3, 4, 5], [4, 4, 14]]


@THREE
def test_r5_8_no_copy_stays_in_hand(ruleset: str) -> None:
    hands = {1: "一二三四五"}
    start = ["0 打 三"]
    whole = deal(hands, [*start, "1 吃 三 四五", "1 比 三一二", "1 打 十"], ruleset=ruleset)
    clean(whole)
    found = eating(legal(with_moves(whole, start)), 1)
    assert {"四五 比 一二三", "一二 比 三四五"} <= found
    assert "四五" not in found
    assert seen(with_moves(whole, [*start, "1 吃 三 四五", "1 打 十"])) == {("SHAO_BI", 1)}
    # Two copies: one 比 with one of them is not enough.
    hands = {1: "二二一一三三七十"}
    start = ["0 打 二", "1 吃 二 一三", "1 比 二一三"]
    assert seen(deal(hands, [*start, "1 打 陆"], ruleset=ruleset)) == {("SHAO_BI", 1)}
    clean(deal(hands, [*start, "1 比 二七十", "1 打 陆"], ruleset=ruleset))


@THREE
def test_r5_9_at_most_two_bi_and_all_copies_gone(ruleset: str) -> None:
    rng = random.Random(5)
    most = 0
    for _ in range(60):
        card = rng.randrange(20)
        near = [kind for kind in range(20) if abs(kind % 10 - card % 10) < 3 or kind % 10 in (1, 6, 9)]
        hand = [kind for kind in near for _ in range(rng.choice((1, 1, 2, 2)))]
        held = hand.count(card)
        for option in replay.chi_options(hand, card, ruleset=ruleset):
            laid = [*option.first, *(each for bi in option.bi for each in bi)]
            assert laid.count(card) == held + 1
            assert len(option.bi) <= 2
            most = max(most, len(option.bi))
    assert most == 2
    # One 绞 clears two copies, as 比 or as the first group.
    assert choices("二二贰七十伍", "二", ruleset) == {("二七十", ("二二贰",)), ("二二贰", ("二七十",))}
    assert choices("九玖五", "九", ruleset) == {("九九玖", ())}


@THREE
def test_r5_10_no_chi_without_its_bi(ruleset: str) -> None:
    record = deal({1: "一二三玖"}, ["0 打 一", "1 吃 一 二三", "1 打 十"], ruleset=ruleset, avoid={1: "壹二三七"})
    assert choices("一二三玖伍", "一", ruleset) == set()
    assert eating(legal(with_moves(record, ["0 打 一"])), 1) == set()
    assert "1 过" not in legal(with_moves(record, ["0 打 一"]))
    assert seen(record) == {("SHAO_BI", 1)}
    assert choices("二三玖伍", "一", ruleset) == {("一二三", ())}


@THREE
def test_r5_11_a_recorded_shao_bi_stands(ruleset: str) -> None:
    moves = ["0 打 五", "1 吃 五 四六", "1 打 十", "2 摸 八"]
    record = deal({1: "五五伍"}, moves, ruleset=ruleset)
    assert seen(record) == {("SHAO_BI", 1)}
    frame = timeline(record)["frames"][-1]
    assert [sorted(meld["cards"]) for meld in frame["melds"][1]] == [[3, 4, 5]]
    assert frame["hands"][1].count(4) == 2
    won = faults(deal({1: "五五伍"}, [*moves, "1 胡"], ruleset=ruleset))
    assert (("HU_BANNED", 1) in won) == (ruleset != "guilin")
    assert not any(choice == "四六" for choice in eating(legal(with_moves(record, moves[:1])), 1))


@THREE
def test_r5_12_the_order_of_the_bi_does_not_matter(ruleset: str) -> None:
    hands = {1: "一一二二三三七十"}
    start = ["0 打 二", "1 吃 二 一三"]
    bi = ["1 比 二一三", "1 比 二七十"]
    record = deal(hands, [*start, *bi, "1 打 陆"], ruleset=ruleset)
    clean(record)
    clean(with_moves(record, [*start, *bi[::-1], "1 打 陆"]))
    found = [choice.split(" 比 ") for choice in eating(legal(with_moves(record, start[:1])), 1)]
    told = [(first, *sorted(rest)) for first, *rest in found]
    assert len(set(told)) == len(told)
    assert ("一三", "一二三", "二七十") in told


@THREE
def test_r5_13_every_group_holds_the_eaten_kind(ruleset: str) -> None:
    hands = {1: "五七八九"}
    other = deal(hands, ["0 打 五", "1 吃 五 四六", "1 比 七八九", "1 打 十"], ruleset=ruleset)
    assert ("MELD_INVALID", 1) in faults(other)
    no_group = deal({1: "五五伍"}, ["0 打 五", "1 吃 五 四六", "1 比 五五捌", "1 打 十"], ruleset=ruleset)
    assert ("MELD_INVALID", 1) in faults(no_group)
    wrong_card = deal({1: "四五六"}, ["0 打 八", "1 吃 五 四六"], ruleset=ruleset)
    assert seen(wrong_card) == {("CLOSED_CLAIM", 1)}
    alone = deal({1: "五五伍"}, ["0 打 八", "1 比 五五伍"], ruleset=ruleset)
    assert seen(alone) == {("CLOSED_CLAIM", 1)}
