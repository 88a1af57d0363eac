"""The groups that a winner is reported to have laid: what is locked must lie together (rules 5.6, 8.13)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ingest import cards
from ingest.record import Group, Record, Result
from replay import replay_round
from tests.rules.build import deal

# 四四四五五五六六六 are three 坎 and could be three 顺; 7 groups, 18 胡息 and more either way.
HAND = "四四四五五五六六六壹贰叁壹贰叁伍伍伍捌玖"
REST = ("伍伍伍", "壹贰叁", "壹贰叁", "捌玖拾")


def won(ruleset: str, groups: tuple[str, ...]) -> Record:
    record = deal(
        {1: HAND},
        ["0 打 一", "1 摸 拾", "1 胡"],
        ruleset=ruleset,
        wall_end="三",
        avoid={0: "拾二三四五六", 2: "拾一二三四五六"},
    )
    laid = tuple(Group(tuple(cards.parse(text))) for text in groups)
    return msgspec.structs.replace(record, result=Result(winner=1, groups=laid))


@pytest.mark.parametrize("ruleset", ["qq", "hu15", "bisai", "luzhou", "ningxiang"])
def test_r5_6_a_kan_lies_together_in_the_laid_hand(ruleset: str) -> None:
    whole = replay_round(won(ruleset, ("四四四", "五五五", "六六六", *REST)))
    assert [f.code for f in whole.findings if f.severity] == []
    broken = replay_round(won(ruleset, ("四五六", "四五六", "四五六", *REST)))
    assert [(f.seq, f.code, f.seat, f.follows_from) for f in broken.findings if f.severity] == [
        (2, "CHAI_KAN", 1, None)
    ]
    assert broken.verdict == "violations"


def test_r14_7_a_laid_hand_that_breaks_a_kan_is_no_win() -> None:
    score = replay_round(won("bisai", ("四五六", "四五六", "四五六", *REST))).score
    assert score is not None
    assert (score.winner, score.special) == (-1, "作废")
    assert [(charge.seat, charge.letter) for charge in score.charges] == [(1, "A")]
    assert score.points == (10, -20, 10)


def test_r5_6_groups_of_other_cards_say_nothing_of_the_hand() -> None:
    other = replay_round(won("qq", ("四五六", "四五六", "四五六", "伍伍伍", "壹贰叁", "壹贰叁", "柒捌玖")))
    assert "CHAI_KAN" not in [f.code for f in other.findings]


TI_HU = "五五伍伍壹壹壹七八九一二三柒捌玖贰叁肆拾"
"""Without 拾 complete by a 提 of 五, or by 五五五 and 五伍伍 if the 提 could be split."""
TI_MOVES = ["0 打 十", "1 摸 五", "1 偎", "1 打 拾", "2 摸 八", "0 摸 六", "1 摸 五", "1 胡"]
WEI_HU = "五五六六七七壹壹壹捌捌捌一二三柒捌玖十十"


def forced(hand: str, moves: list[str], groups: str, **more: Any) -> list[tuple[int, str, int]]:
    """What is found in a win, laid in these groups."""
    record = deal({1: hand}, moves, avoid={0: "五", 1: "十八六拾", 2: "五"}, **more)
    laid = tuple(Group(tuple(cards.parse(text))) for text in groups.split())
    told = msgspec.structs.replace(record, result=Result(winner=1, groups=laid))
    return [(f.seq, f.code, f.seat) for f in replay_round(told).findings if f.severity]


def test_r8_13_what_a_draw_forces_lies_together_in_the_laid_hand() -> None:
    rest = "壹壹壹 七八九 一二三 柒捌玖 贰叁肆"
    assert forced(TI_HU, TI_MOVES, f"五五五五 伍伍 {rest}") == []
    assert forced(TI_HU, TI_MOVES, f"五五五 五伍伍 {rest}") == [(7, "PO_TI", 1)]
