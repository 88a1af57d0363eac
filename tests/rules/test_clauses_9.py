"""The clauses of chapter 9 of docs/rules.md, one by one: 胡息."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import replay
from ingest.cards import KINDS, name, parse
from ingest.codes import Form
from ingest.record import Group, Record, Result
from replay.timeline import timeline
from tests.rules.build import deal
from tests.rules.check import BOTH, clean, faults, findings, settled

TABLE = pytest.mark.parametrize("ruleset", ["qq", "hu15", "guilin", "bisai", "ningxiang"])

WORTH = {"碰": (1, 3), "坎": (3, 6), "偎": (3, 6), "臭偎": (3, 6), "跑": (6, 9), "提": (9, 12)}
"""小, 大."""
LATE = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 short of 15."""


def value(cards: str, card: str | None = None, source: str | None = None, *melds: str, **more: Any) -> Any:
    return replay.evaluate_hand(cards, melds=melds, win_card=card, source=source, **more)


def worth(found: Any, cards: str) -> list[int]:
    """胡息 of every group of just these cards."""
    wanted = sorted(parse(cards))
    return [huxi for _, group, huxi in found.groups if sorted(group) == wanted]


def filled(kind: int, cards: int) -> tuple[str, list[str]]:
    """Concealed cards and 吃 that make seven groups with one group of ``kind``, far from it and worth nothing."""
    far = "壹贰叁肆伍陆柒捌玖拾" if kind < 10 else "一二三四五六七八九十"
    plain = [far[1:4], far[4:7], far[7:10], far[2:5], far[5:8]]
    spare = far[0]
    return (spare * 2 if cards == 4 else ""), [f"吃 {group}" for group in plain] + (
        [] if cards == 4 else [f"吃 {far[6:9]}"]
    )


@TABLE
@pytest.mark.parametrize("kind", range(KINDS), ids=name)
@pytest.mark.parametrize("form", WORTH)
def test_r9_1_equal_copies(ruleset: str, kind: int, form: str) -> None:
    size = 4 if form in ("跑", "提") else 3
    hand, melds = filled(kind, size)
    if form == "坎":
        hand += name(kind) * 3
    else:
        melds = [*melds, f"{form} {name(kind)}"]
    found = value(hand, None, None, *melds, ruleset=ruleset)
    assert found.complete
    assert found.huxi == WORTH[form][kind >= 10]


SCORING = {"一二三": 3, "壹贰叁": 6, "二七十": 3, "贰柒拾": 6}
PLAIN = ["二三四", "七八九", "八九十", "贰叁肆", "捌玖拾", "一一壹", "一壹壹", "七七柒", "十拾拾"]


@TABLE
@pytest.mark.parametrize("group", [*SCORING, *PLAIN])
@pytest.mark.parametrize("laid", [False, True])
def test_r9_1_groups_of_three(ruleset: str, group: str, laid: bool) -> None:
    melds = [
        "吃 四五六",
        "吃 肆伍陆",
        "吃 三四五",
        "吃 叁肆伍",
        "吃 六陆陆",
        "吃 五伍伍",
    ]
    found = value("" if laid else group, None, None, *melds, *([f"吃 {group}"] if laid else []), ruleset=ruleset)
    assert (found.complete, found.huxi) == (True, SCORING.get(group, 0))


@TABLE
def test_r9_1_the_jiang_is_worth_nothing(ruleset: str) -> None:
    melds = ["吃 三四五", "吃 四五六", "吃 叁肆伍", "吃 肆伍陆", "吃 捌玖拾"]
    for kind in "一壹十拾":
        found = value(kind * 2, None, None, "跑 九", *melds, ruleset=ruleset)
        assert (found.huxi, worth(found, kind * 2)) == (6, [0])


@pytest.mark.parametrize("ruleset", [name for name, rules in replay.RULESETS.items() if not rules.draw_to_hand])
@pytest.mark.parametrize("kind", range(KINDS), ids=name)
def test_r9_2_a_kan_is_worth_a_wei(ruleset: str, kind: int) -> None:
    hand, melds = filled(kind, 3)
    held = value(hand + name(kind) * 3, None, None, *melds, ruleset=ruleset)
    laid = {
        form: value(hand, None, None, *melds, f"{form} {name(kind)}", ruleset=ruleset) for form in ("偎", "臭偎", "碰")
    }
    assert held.huxi == laid["偎"].huxi == laid["臭偎"].huxi > laid["碰"].huxi


@TABLE
@pytest.mark.parametrize("kind", range(KINDS), ids=name)
@pytest.mark.parametrize(
    ("laid", "source", "becomes"),
    [
        ("碰", "own_draw", "跑"),
        ("碰", "other_draw", "跑"),
        ("偎", "other_draw", "跑"),
        ("偎", "own_draw", "提"),
        ("臭偎", "other_draw", "跑"),
        ("臭偎", "own_draw", "提"),
    ],
)
def test_r9_3_a_raised_group_counts_once(ruleset: str, kind: int, laid: str, source: str, becomes: str) -> None:
    hand, melds = filled(kind, 4)
    found = value(hand, name(kind), source, *melds, f"{laid} {name(kind)}", ruleset=ruleset)
    assert (found.complete, found.huxi) == (True, WORTH[becomes][kind >= 10])


RAISED = {
    "碰": (["0 打 五", "1 碰", "1 打 九"], 1),
    "偎": (["0 打 九", "1 摸 五", "1 偎", "1 打 玖"], 3),
}


@BOTH
@pytest.mark.parametrize(
    ("laid", "own", "huxi"), [("碰", False, 6), ("碰", True, 6), ("偎", False, 6), ("偎", True, 9)]
)
def test_r9_3_in_a_round(ruleset: str, laid: str, own: bool, huxi: int) -> None:
    start, before = RAISED[laid]
    moves = [*start, *(["2 摸 八", "0 摸 捌", "1 摸 五"] if own else ["2 摸 五"])]
    act = "提" if (laid, own) == ("偎", True) else "跑"
    record = deal({1: "五五"}, [*moves, f"1 {act}", "1 打 拾"], ruleset=ruleset)
    clean(record)
    assert exposed(record)[1][len(start)] == before
    assert exposed(record)[1][-1] == huxi


@TABLE
def test_r9_4_the_hand_is_worth_the_sum_of_its_groups(ruleset: str) -> None:
    moves = ["0 打 三", "1 碰", "1 打 玖", "2 摸 四", "1 胡"]
    hand = {1: LATE.replace("九九九", "三三玖")}
    score = settled(deal(hand, moves, ruleset=ruleset, options={"min_huxi": 6}))
    assert score.huxi == sum(huxi for _, _, huxi in score.groups) == 1 + 6 + 6
    assert [huxi for form, _, huxi in score.groups if form == Form.PENG] == [1]
    assert sorted(huxi for form, _, huxi in score.groups if form == Form.KAN) == [6, 6]


def test_r9_5_what_the_winning_card_makes() -> None:
    pair = "八八一二三伍陆柒捌玖拾四五六九九玖贰贰贰"
    for source, huxi in (("own_draw", 3), ("other_draw", 1)):
        assert worth(value(pair, "八", source), "八八八") == [huxi]
    kan = "叁叁叁拾拾一二三四五六伍陆柒七七七九九玖"
    for source, huxi in (("own_draw", 12), ("other_draw", 9)):
        assert worth(value(kan, "叁", source), "叁叁叁叁") == [huxi]
    broken = "四五六壹壹一八九十一三柒柒柒伍伍伍"
    assert worth(value(broken + "二二二", "二", "other_draw"), "二二二") == [3]
    for form, huxi in (("偎", 3), ("碰", 1)):
        assert worth(value(broken, "二", "other_draw", f"{form} 二"), "二二二") == [huxi]


@BOTH
@pytest.mark.parametrize(
    ("rest", "more"),
    [
        ("二三叁伍陆玖拾十", 0),
        ("七三九伍陆玖拾七", 0),
        ("一二三伍陆玖拾七", 3),
        ("二七十伍陆玖拾七", 3),
        ("壹贰叁贰柒拾五七", 12),
    ],
)
def test_r9_6_tianhu_counts_what_scores(ruleset: str, rest: str, more: int) -> None:
    quads = "六六六六八八八八捌捌捌捌"
    found = value(quads + rest, tianhu=True, ruleset=ruleset)
    assert (found.wins, found.huxi) == (True, 9 + 9 + 12 + more)
    record = deal({1: quads + rest}, ["1 胡 -"], ruleset=ruleset)
    assert settled(record).huxi == 30 + more


def test_r9_6_the_scoring_groups_are_disjoint() -> None:
    quads = "六六六六八八八八捌捌捌捌"
    for rest, more in (
        ("一二三七十五伍玖", 3),
        ("一二二三七十伍玖", 6),
        ("壹贰叁柒拾五伍玖", 6),
        ("一二三一二三伍玖", 6),
    ):
        assert value(quads + rest, tianhu=True).huxi == 30 + more


HANDS = [
    (LATE, "四", "other_draw", ()),
    ("一二三壹壹贰贰叁叁捌捌捌五六七十十拾伍陆", "柒", "other_draw", ()),
    ("四五六壹壹一八九十一三柒柒柒伍伍伍", "二", "other_draw", ("偎 二",)),
    ("九九柒捌玖", None, None, ("吃 六七八", "碰 一", "偎 三", "跑 叁", "碰 拾")),
]


@TABLE
@pytest.mark.parametrize(("cards", "card", "source", "melds"), HANDS)
def test_r9_7_the_order_of_the_cards_is_nothing(
    ruleset: str, cards: str, card: str | None, source: str | None, melds: tuple[str, ...]
) -> None:
    first = value(cards, card, source, *melds, ruleset=ruleset)
    assert first.complete
    rng = random.Random(97)
    for _ in range(25):
        mixed = "".join(rng.sample(cards, len(cards)))
        laid = rng.sample(melds, len(melds))
        again = value(mixed, card, source, *laid, ruleset=ruleset)
        assert (again.complete, again.wins, again.huxi, again.fan) == (True, first.wins, first.huxi, first.fan)
        assert Counter(map(str, again.groups)) == Counter(map(str, first.groups))


@BOTH
def test_r9_7_nor_the_order_in_which_they_were_drawn(ruleset: str) -> None:
    first = ["0 打 三", "1 碰", "1 打 玖", "2 摸 十", "0 摸 贰", "1 吃 贰 壹叁", "1 打 拾"]
    hands = {1: "三三壹叁"}
    if ruleset == "hu15":  # where the previous seat's draw may not be eaten
        first = ["0 打 三", "1 碰", "1 打 玖", "2 摸 十", "0 摸 九", "1 摸 贰", "1 吃 贰 壹叁", "1 打 拾"]
    other = ["0 打 玖", "1 摸 贰", "1 吃 贰 壹叁", "1 打 拾", "2 摸 三", "1 碰", "1 打 玖"]
    ends = []
    for moves in (first, other):
        record = deal(hands, moves, ruleset=ruleset, avoid={1: "贰"})
        clean(record)
        ends.append(exposed(record)[1][-1])
    assert ends == [7, 7]


CLAIMED = "一二三壹壹贰贰叁叁捌捌捌五六七十十拾伍陆"


def groups(texts: dict[str, int]) -> tuple[Group, ...]:
    return tuple(Group(tuple(parse(text)), huxi=huxi) for text, huxi in texts.items())


LESS = {"一壹壹": 0, "二贰贰": 0, "三叁叁": 0, "捌捌捌": 6, "五六七": 0, "十十拾": 0, "伍陆柒": 0}


@BOTH
def test_r9_8_a_smaller_true_split_is_information(ruleset: str) -> None:
    won = ["0 打 玖", "1 摸 八", "2 摸 柒", "1 胡"]
    options = {"min_huxi": 6}
    best = settled(deal({1: CLAIMED}, won, ruleset=ruleset, options=options))
    assert best.huxi == 21
    told = Result(winner=1, huxi=6, groups=groups(LESS))
    record = deal({1: CLAIMED}, won, ruleset=ruleset, options=options, result=told)
    found = [one for one in findings(record) if one.code == "UNDERCLAIM"]
    assert [(one.severity, one.seat) for one in found] == [(0, 1)]
    assert faults(record) == set()
    for wrong in (Result(winner=1, huxi=7), Result(winner=1, huxi=24), Result(winner=1, huxi=9, groups=groups(LESS))):
        assert ("WRONG_XI", 1) in faults(deal({1: CLAIMED}, won, ruleset=ruleset, options=options, result=wrong))


def exposed(record: Record) -> list[list[int]]:
    """Exposed 胡息 of each seat, after the deal and after each event."""
    frames = timeline(record)["frames"]
    return [[frame["huxi"][seat] for frame in frames] for seat in range(3)]


def test_r9_9_the_exposed_huxi_is_that_of_the_table() -> None:
    moves = ["1 亮提 五", "0 打 伍", "1 碰", "1 打 十", "2 摸 八", "0 摸 捌", "1 摸 玖", "1 偎", "1 打 拾"]
    record = deal({1: "五五五五伍伍玖玖叁叁叁"}, moves)
    clean(record)
    # 提 9, then 碰 3, then the hidden 偎 6 at full value; the 坎 in hand counts nothing.
    assert exposed(record)[1] == [0, 9, 9, 12, 12, 12, 12, 12, 18, 18]
    assert exposed(record)[0] == exposed(record)[2] == [0] * 10
