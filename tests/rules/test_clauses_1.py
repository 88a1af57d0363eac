"""The clauses of chapter 1 of docs/rules.md, one by one: cards and terms."""

from __future__ import annotations

from collections import Counter

import pytest

import replay
from ingest import cards as names
from ingest.codes import Action
from ingest.record import Record
from ingest.validate import check_found
from replay.engine import engine, hand_cards
from replay.replayer import steps
from replay.rulesets import resolve
from replay.seating import seated
from tests.rules.build import deal, with_moves
from tests.rules.check import THREE, clean, faults, seen
from tests.rules.legal import legal

SIX = "一二三四五六七八九壹贰叁肆伍陆柒捌玖"
"""Six 顺: a seventh group makes the hand complete."""


def complete(cards: str, *melds: str, ruleset: str = "qq") -> bool:
    return bool(replay.evaluate_hand(cards, melds=melds, ruleset=ruleset).complete)


def eats(hand: str, card: str, ruleset: str) -> set[str]:
    """What the group with the eaten card may be."""
    return {names.text(option.first) for option in replay.chi_options(hand, card, ruleset=ruleset)}


def copies_in_play(record: Record) -> list[Counter[int]]:
    """All cards in hands, on tables, lying open and in the wall, after the deal and after each event."""
    ruleset = resolve(record.ruleset, record.options)
    machine = engine(ruleset)
    assert record.wall is not None
    drawn = 0
    found = []
    for seq, table in steps(seated(record, ruleset), machine):
        drawn += seq >= 0 and record.moves[seq].action == Action.DRAW
        every = Counter(record.wall[drawn:])
        for seat in range(3):
            every.update(hand_cards(machine, seat) or [])
            every.update(card for meld in table.melds[seat] for card in meld.cards)
            every.update(pile.card for pile in table.discards[seat] if not pile.claimed)
        found.append(every)
    return found


ACTS = [
    *("0 打 五", "1 碰", "1 打 九", "2 摸 伍", "2 偎", "2 打 一", "0 摸 贰", "0 吃 贰 壹叁", "0 打 八", "1 摸 六"),
    *("2 摸 伍", "2 提", "2 打 拾", "0 摸 三", "0 吃 三 二四", "0 比 三一二", "0 打 十", "1 摸 五", "1 跑", "1 打 捌"),
]


@THREE
def test_r1_1_four_copies_of_twenty_kinds_at_every_moment(ruleset: str) -> None:
    record = deal({1: "五五", 2: "伍伍"}, ACTS, ruleset=ruleset)
    clean(record)
    found = copies_in_play(record)
    assert len(found) == len(ACTS) + 1
    assert all(every == dict.fromkeys(range(20), 4) for every in found)
    assert record.wall is not None
    spoiled = with_moves(record, ACTS, wall=(record.wall[0], record.wall[0], *record.wall[2:]))
    refused = check_found(spoiled)
    assert "FIFTH_COPY" in {found.code for found in replay.replay_round(spoiled).findings}
    assert refused is not None
    assert refused.code == "FIFTH_COPY"


@THREE
def test_r1_2_a_kind_is_a_size_and_a_rank(ruleset: str) -> None:
    start = ["0 打 五"]
    assert "1 碰 五" in legal(deal({1: "五五"}, start, ruleset=ruleset))
    assert "1 碰 五" not in legal(deal({1: "伍伍"}, start, ruleset=ruleset))
    assert ("CARD_NOT_IN_HAND", 1) in faults(deal({1: "伍伍"}, [*start, "1 碰"], ruleset=ruleset))
    assert ("CARD_NOT_IN_HAND", 0) in faults(deal({0: "伍"}, ["0 打 五"], avoid={0: "五"}, add_missing=False))


@THREE
def test_r1_3_ranks_two_seven_and_ten_are_red(ruleset: str) -> None:
    black = ["吃 四五六", "吃 四五六", "吃 八八捌", "吃 九九玖", "吃 三三叁"]
    total = 0
    for kind, text in enumerate(names.CHARS):
        quad = "提 陆" if text == "伍" else "提 伍"
        value = replay.evaluate_hand(text * 2, melds=[quad, *black], ruleset=ruleset)
        assert value.complete
        assert value.red == (2 if kind % 10 + 1 in (2, 7, 10) else 0), text
        total += 2 * value.red
    assert total == 24


@THREE
def test_r1_4_a_pair_is_free_and_may_be_split(ruleset: str) -> None:
    clean(deal({0: "五五"}, ["0 打 五", "1 摸 八"], ruleset=ruleset))
    clean(deal({1: "五五伍"}, ["0 打 六", "1 吃 六 四五", "1 打 十"], ruleset=ruleset))
    assert complete(SIX + "十十拾", ruleset=ruleset)
    assert complete(SIX[3:] + "一二二三三四", ruleset=ruleset)


@THREE
def test_r1_5_a_kan_is_locked(ruleset: str) -> None:
    for hands, liang in (({0: "五五五"}, None), ({0: "五五"}, "五")):
        record = deal(hands, ["0 打 五", "1 摸 八"], liang=liang, ruleset=ruleset)
        assert seen(record) == {("CHAI_KAN", 0)}
        assert "0 打 五" not in legal(with_moves(record, []))
    eat = ["0 打 四", "1 吃 四 五六", "1 打 十"]
    assert seen(deal({1: "五五五"}, eat, ruleset=ruleset)) == {("CHAI_KAN", 1)}
    clean(deal({1: "五五"}, eat, ruleset=ruleset))
    for copies in ("五五", "五五五"):
        found = legal(deal({1: copies + "六"}, eat[:1], ruleset=ruleset))
        assert any("五" in move for move in found) == (copies == "五五")


@THREE
def test_r1_6_four_of_a_kind_in_hand_are_a_ti_and_locked(ruleset: str) -> None:
    for hands, liang in (({0: "五五五五"}, None), ({0: "五五五"}, "五")):
        record = deal(hands, ["0 打 五", "1 摸 八"], liang=liang, ruleset=ruleset)
        assert ("CHAI_TI", 0) in faults(record)
        assert ("CHAI_KAN", 0) not in faults(record)
        assert "0 打 五" not in legal(with_moves(record, []))
    held = replay.evaluate_hand("五五五五" + SIX[:3] + SIX[6:] + "十十", ruleset=ruleset)
    assert [group[2] for group in held.groups if len(group[1]) == 4] == [9]


@THREE
def test_r1_7_a_shun_is_three_ranks_of_one_size(ruleset: str) -> None:
    for start in range(8):
        for size in (names.SMALL, names.BIG):
            run = size[start : start + 3]
            other = names.BIG if size == names.SMALL else names.SMALL
            loose = other[(start + 4) % 10] + other[(start + 6) % 10]
            for card in run:
                assert eats(run.replace(card, "") + loose, card, ruleset) == {run}
    for hand, card in (("九十", "一"), ("十一", "二"), ("一二", "叁"), ("一叁", "二"), ("四六", "七"), ("玖拾", "十")):
        assert eats(hand + "伍伍", card, ruleset) == set()
        record = deal(moves=[f"0 打 {card}", f"1 吃 {card} {hand}", "1 打 陆"], ruleset=ruleset)
        assert seen(record) == {("MELD_INVALID", 1)}
    assert complete(SIX[:9] + "八九十" + SIX[9:], ruleset=ruleset)
    assert not complete(SIX[:9] + "九十一" + SIX[9:], ruleset=ruleset)


@THREE
def test_r1_8_two_seven_ten_of_one_size(ruleset: str) -> None:
    for group in ("二七十", "贰柒拾"):
        for card in group:
            assert eats(group.replace(card, "") + "四伍", card, ruleset) == {group}
        assert complete(SIX + group, ruleset=ruleset)
    for other in ("二七拾", "贰柒十", "二柒十"):
        assert eats(other[:2] + "四伍", other[2], ruleset) == set()
        assert not complete(SIX + other, ruleset=ruleset)


@THREE
def test_r1_9_a_jiao_is_one_rank_in_both_sizes(ruleset: str) -> None:
    for rank, (small, big) in enumerate(zip(names.SMALL, names.BIG, strict=True)):
        spare = "五伍" if rank < 2 else "一壹"
        assert eats(big + big + spare, small, ruleset) == {small + big + big}
        assert small + small + big in eats(small + big + spare, small, ruleset)
        assert eats(small + names.BIG[(rank + 4) % 10] + spare, small, ruleset) == set()
    assert complete(SIX + "十十拾", ruleset=ruleset)
    assert complete(SIX + "十拾拾", ruleset=ruleset)
    assert not complete(SIX + "十九拾", ruleset=ruleset)


@THREE
def test_r1_10_each_kind_of_group_is_one_menzi(ruleset: str) -> None:
    for meld in ("吃 十十拾", "吃 二七十", "碰 十", "偎 十", "臭偎 十"):
        assert complete(SIX, meld, ruleset=ruleset), meld
        assert not complete(SIX[3:], meld, ruleset=ruleset), meld
        assert not complete(SIX + "拾拾", meld, ruleset=ruleset), meld
    for meld in ("跑 十", "提 十"):  # the 将 is one of the seven
        assert complete(SIX[3:] + "拾拾", meld, ruleset=ruleset), meld
        assert not complete(SIX, meld, ruleset=ruleset), meld
        assert not complete(SIX + "拾拾", meld, ruleset=ruleset), meld
    assert complete(SIX + "十十十", ruleset=ruleset)
    assert complete(SIX[3:] + "十十十十拾拾", ruleset=ruleset)


@THREE
def test_r1_11_a_wall_card_is_not_a_discard(ruleset: str) -> None:
    hands = {0: "五五", 1: "四六"}
    start = ["2 打 五", "0 碰", "0 打 九"]
    thrown = [*start, "1 摸 捌", "1 吃 捌 柒玖", "1 打 五"]
    drawn = [*start, "1 摸 五"]
    for moves, pao in ((thrown, False), (drawn, True)):
        assert ("0 跑 五" in legal(deal(hands, moves, dealer=2, ruleset=ruleset))) == pao
    # One may take what one drew, never what one threw.
    mine = {1: "柒玖"}
    own = legal(deal(mine, ["0 打 九", "1 摸 捌"], ruleset=ruleset))
    assert "1 过" in own
    assert any(move.startswith("1 吃 捌") for move in own)
    threw = legal(deal(mine, ["0 打 五", "1 吃 五 四六", "1 打 捌"], ruleset=ruleset))
    assert not any(move.startswith("1 ") for move in threw)


INTAKES = {
    "吃": ({1: "四六"}, ["0 打 五", "1 吃 五 四六"], "2"),
    "碰": ({1: "五五"}, ["0 打 五", "1 碰"], "2"),
    "偎": ({1: "五五"}, ["0 打 九", "1 摸 五", "1 偎"], "2"),
    "臭偎": ({1: "五五"}, ["0 打 五", "1 过", "1 摸 五", "1 臭偎"], "2"),
    "跑": ({1: "五五五"}, ["0 打 五", "1 跑"], "2"),
    "提": ({1: "五五五"}, ["0 打 九", "1 摸 五", "1 提"], "2"),
}


@THREE
@pytest.mark.parametrize("act", INTAKES)
def test_r1_12_an_intake_is_followed_by_a_discard(ruleset: str, act: str) -> None:
    hands, moves, after = INTAKES[act]
    record = deal(hands, [*moves, "1 打 十", f"{after} 摸 叁"], ruleset=ruleset)
    clean(record)
    due = legal(with_moves(record, moves))
    assert due
    assert all(move.startswith("1 打") for move in due)


@pytest.mark.parametrize("ruleset", ["qq", "hu15"])
def test_r1_12_laying_a_dealt_ti_is_no_intake(ruleset: str) -> None:
    laid = ["1 亮提 五"]
    record = deal({1: "五五五五"}, [*laid, "0 打 九"], ruleset=ruleset)
    clean(record)
    assert all(move.startswith("0 打") for move in legal(with_moves(record, laid)))
    assert ("WRONG_TURN", 1) in faults(deal({1: "五五五五"}, [*laid, "1 打 九"], ruleset=ruleset))
