"""Every part of a reported result that can be wrong, and what is then said of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import replay
from ingest import cards
from ingest.codes import Source
from ingest.record import Group, Ratio, Record, Result
from replay.engine import hand_cards
from replay.kernels import layout
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, settled
from tests.rules.legal import played
from tests.rules.seats import with_sitter

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 short of 15 胡息."""
WON = ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"]


def held(record: Record) -> list[tuple[int, ...]]:
    """The hands that the play left."""
    machine = played(record)
    return [tuple(hand_cards(machine, seat) or ()) for seat in range(int(machine.state[layout.N_SEATS]))]


def truth(record: Record) -> Result:
    """All that a source may report of the round, as the rules have it."""
    score = replay.replay_round(record).score
    assert score is not None
    assert record.wall is not None
    return Result(
        winner=score.winner,
        card=score.card,
        source=score.source,
        from_seat=score.from_seat,
        groups=tuple(Group(items, huxi=huxi) for _, items, huxi in score.groups),
        huxi=score.huxi,
        fan=dict(score.fan),
        units=Ratio(score.units),
        points=score.points,
        xing=score.xing or None,
        xing_hits=score.xing_hits,
        hands=tuple(held(record)),
        rest=record.wall[2:],
    )


def told(record: Record, **changes: Any) -> list[tuple[str, int, str, str]]:
    """What is found at the end where these parts are reported wrongly: code, seat, expected, actual."""
    result = msgspec.structs.replace(truth(record), **changes)
    found = replay.replay_round(msgspec.structs.replace(record, result=result)).findings
    assert all(finding.seq == len(record.moves) for finding in found)
    return [(finding.code, finding.seat, finding.expected, finding.actual) for finding in found]


def won(ruleset: str = "qq", **more: Any) -> Record:
    return deal({1: READY}, WON, ruleset=ruleset, **more)


@pytest.mark.parametrize("ruleset", ["qq", "hu15", "guilin", "bisai", "ningxiang"])
def test_nothing_is_found_in_a_true_result(ruleset: str) -> None:
    record = won(ruleset)
    assert told(record) == []
    assert settled(record).special == ""
    clean(msgspec.structs.replace(record, result=Result()))


WRONG: dict[str, tuple[str, dict[str, Any], list[tuple[str, int, str, str]]]] = {
    "winner": ("qq", {"winner": 2}, [("WRONG_RESULT", -1, "winner 1", "winner 2")]),
    "荒庄": ("qq", {"winner": -1}, [("WRONG_RESULT", -1, "winner 1", "winner -1")]),
    "card": ("qq", {"card": 4}, [("WRONG_RESULT", 1, "四", "五")]),
    "source": ("qq", {"source": Source.OWN_DRAW}, [("WRONG_RESULT", 1, "source 2", "source 1")]),
    "from": ("qq", {"from_seat": 0}, [("WRONG_RESULT", 1, "from 2", "from 0")]),
    "胡息": ("qq", {"groups": None, "huxi": 18}, [("WRONG_XI", 1, "15", "18")]),
    "番": ("qq", {"fan": {"红胡": 2}}, [("WRONG_FAN", 1, "平胡", "红胡 2")]),
    "units": ("qq", {"units": Ratio(7)}, [("WRONG_SCORE", 1, "units 1", "units 7")]),
    "a fraction": ("qq", {"units": Ratio(7, 2)}, [("WRONG_SCORE", 1, "units 1", "units 7/2")]),
    "points": ("qq", {"points": (-2, 4, -2)}, [("WRONG_SCORE", -1, "points [-3, 6, -3]", "points [-2, 4, -2]")]),
    "no zero sum": (
        "qq",
        {"points": (-3, 6, -2)},
        [("NOT_ZERO_SUM", -1, "0", "1"), ("WRONG_SCORE", -1, "points [-3, 6, -3]", "points [-3, 6, -2]")],
    ),
    "醒": ("guilin", {"xing": (3,)}, [("WRONG_SCORE", -1, "醒 一", "醒 四")]),
    "醒 hits": ("guilin", {"xing_hits": 3}, [("WRONG_SCORE", 1, "醒 2", "醒 3")]),
    "rest": (
        "qq",
        {"rest": tuple(cards.parse("一一二二三三四五六七八贰伍陆柒玖玖"))},
        [("WALL_MISMATCH", -1, "一一二二三三四五六七八贰伍陆柒玖拾", "一一二二三三四五六七八贰伍陆柒玖玖")],
    ),
}


@pytest.mark.parametrize("part", WRONG)
def test_one_part_is_wrong(part: str) -> None:
    ruleset, changes, found = WRONG[part]
    assert told(won(ruleset), **changes) == found


@pytest.mark.parametrize(
    "changes",
    [
        {"source": Source.NONE},
        {"card": cards.UNKNOWN},
        {"fan": {"平胡": 1}},
        {"units": Ratio(2, 2)},
        {"groups": (), "huxi": None},
        {"hands": (None, None, None)},
        {"rest": (cards.UNKNOWN,) * 17},
    ],
)
def test_one_part_is_told_in_another_way_or_not_at_all(changes: dict[str, Any]) -> None:
    assert told(won(), **changes) == []


def test_r9_1_the_groups_do_not_make_the_sum() -> None:
    assert told(won(), huxi=16) == [
        ("WRONG_XI", 1, "sum of the groups 15", "total 16"),
        ("WRONG_XI", 1, "15", "16"),
    ]
    # Groups that do not tell their 胡息 make no sum.
    bare = tuple(Group(group.cards) for group in truth(won()).groups or ())
    assert told(won(), groups=bare) == []


def test_r9_4_the_same_groups_with_other_values() -> None:
    right = truth(won()).groups or ()
    values = {"九九九": 6, "壹壹壹": 3, "十十拾": 0}
    changed = tuple(Group(g.cards, huxi=values.get(cards.text(sorted(g.cards)), g.huxi)) for g in right)
    assert told(won(), groups=changed) == [
        ("WRONG_XI", 1, "九九九 3", "九九九 6"),
        ("WRONG_XI", 1, "壹壹壹 6", "壹壹壹 3"),
    ]
    # Other groups of the same sum are judged as a whole, not one by one.
    other = (*right[:-2], Group((13, 14, 9), huxi=0), Group((15, 9, 19), huxi=0))
    assert told(won(), groups=other) == []


def test_r1_1_five_alike_in_the_groups() -> None:
    five = tuple(Group(tuple(cards.parse(text))) for text in ("五五五", "五五伍"))
    assert told(won(), groups=five, huxi=None) == [("FIFTH_COPY", 1, "4", "5 五 in the groups")]
    assert told(won(), groups=five, huxi=None, winner=None) == [("FIFTH_COPY", -1, "4", "5 五 in the groups")]


def test_r11_8_a_hand_at_the_end() -> None:
    first, second, third = truth(won()).hands or ()
    assert first is not None
    assert second is not None
    assert third is not None
    assert told(won(), hands=(first, (*second, 3), third)) == []  # with the winning card
    assert told(won(), hands=(first, (*second, 4), third)) == [("FINAL_HAND", 1, "without 四", "with 五")]
    assert told(won(), hands=(first[1:], second, third)) == [("FINAL_HAND", 0, "without 一", "")]
    assert told(won(), hands=(first, second, (*third, 3))) == [("FINAL_HAND", 2, "", "with 四")]
    assert told(won(), hands=((*first[1:], cards.UNKNOWN), second, None)) == []


def test_r11_4_after_huang_nobody_pays() -> None:
    record = deal({}, ["0 打 拾", "荒"])
    points = msgspec.structs.replace(record, result=Result(winner=-1, points=(2, -1, -1)))
    found = [(f.code, f.seat, f.expected, f.actual) for f in replay.replay_round(points).findings]
    assert ("WRONG_SCORE", -1, "points all 0 (荒庄)", "points [2, -1, -1]") in found


def test_r14_5_after_huang_the_dealer_pays_the_xing_jia() -> None:
    record, texts = quiet_round({}, ruleset="bisai")
    huang = with_sitter(with_moves(record, [*texts, "荒"], result=Result(winner=-1)))
    points = msgspec.structs.replace(huang, result=Result(winner=-1, points=(0, 0, 0, 0)))
    found = [(f.code, f.seat, f.expected, f.actual) for f in replay.replay_round(points).findings]
    assert found == [("WRONG_SCORE", -1, "points [-2, 0, 2, 0]", "points [0, 0, 0, 0]")]


CLAIMED = "一二三壹壹贰贰叁叁捌捌捌五六七十十拾伍陆"
LESS = {"一壹壹": 0, "二贰贰": 0, "三叁叁": 0, "捌捌捌": 6, "五六七": 0, "十十拾": 0, "伍陆柒": 0}


def test_r9_8_who_claims_less_is_paid_for_less() -> None:
    record = deal({1: CLAIMED}, ["0 打 玖", "1 摸 八", "2 摸 柒", "1 胡"], options={"min_huxi": 6})
    less = tuple(Group(tuple(cards.parse(text)), huxi=huxi) for text, huxi in LESS.items())
    assert told(record, groups=less, huxi=6, units=Ratio(1), points=(-3, 6, -3)) == [("UNDERCLAIM", 1, "21", "6")]
    assert told(record, groups=less, huxi=6) == [
        ("UNDERCLAIM", 1, "21", "6"),
        ("WRONG_SCORE", 1, "units 1", "units 6"),
        ("WRONG_SCORE", -1, "points [-3, 6, -3]", "points [-18, 36, -18]"),
    ]
    assert told(record, groups=less, huxi=9, units=None, points=None) == [
        ("WRONG_XI", 1, "sum of the groups 6", "total 9"),
        ("WRONG_XI", 1, "21", "9"),
    ]
    # Without its groups nobody can see whether the hand could be laid so.
    assert told(record, groups=None, huxi=6, units=None, points=None) == [("WRONG_XI", 1, "21", "6")]


UNDECIDED = {
    "before the end": ["0 打 拾", "1 摸 八", "2 摸 四"],
    "somebody left": ["0 打 拾", "1 摸 八", "2 逃"],
    "a void win": ["0 打 拾", "1 摸 八", "2 摸 五", "1 胡"],
}


@pytest.mark.parametrize("moves", UNDECIDED.values(), ids=UNDECIDED)
def test_the_kernels_pay_nothing_for_what_has_no_end(moves: list[str]) -> None:
    record = with_sitter(deal({0: "三三三三", 1: READY}, moves, ruleset="bisai", options={"qianti_bonus": 2}))
    machine = played(record)
    machine.kernels.settle(machine.state, -1)
    assert list(machine.state[layout.SCORE0 : layout.SCORE0 + layout.SCORE_SIZE]) == [0] * layout.SCORE_SIZE
