"""The clauses of chapter 18 of docs/rules.md, one by one: the rounds of a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

import replay
from ingest.codes import Action
from ingest.record import Move, Record, Result
from replay.session import SessionReport, check_session
from tests.rules.build import deal, quiet_round, with_moves

READY = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 15 胡息 with 五
QQ: dict[str, Any] = {"ruleset": "qq"}


def won(winner: int, dealer: int, **more: Any) -> Record:
    """A round that a seat wins on its own draw; the dealer throws first and each draws once or twice."""
    turns = [(dealer + 1 + place) % 3 for place in range(6)]
    own = turns.index(winner, 1)
    draws = [f"{seat} 摸 {card}" for seat, card in zip(turns[:own], "八二陆玖三", strict=False)]
    moves = [f"{dealer} 打 七", *draws, f"{winner} 摸 五", f"{winner} 胡"]
    return deal({winner: READY}, moves, dealer=dealer, liang="七", **(QQ | more))


def drawn(dealer: int, **more: Any) -> Record:
    record, moves = quiet_round(dealer=dealer, **(QQ | more))
    return msgspec.structs.replace(with_moves(record, [*moves, "荒"]), complete=True)


def checked(records: Sequence[Record], first: int = 1) -> SessionReport:
    """The session of these rounds, numbered from ``first``."""
    told = [
        msgspec.structs.replace(record, session="甲", round_no=number) for number, record in enumerate(records, first)
    ]
    return check_session([(record, replay.replay_round(record)) for record in told])


def wrong(records: Sequence[Record], first: int = 1) -> list[list[str]]:
    return [[finding.code for finding in found] for found in checked(records, first).findings]


def test_r18_1_r11_5_the_winner_deals() -> None:
    assert wrong([won(1, 0), won(2, 1), drawn(2), drawn(2)]) == [[], [], [], []]
    assert wrong([won(1, 0), drawn(0)]) == [[], ["WRONG_DEALER"]]
    assert wrong([drawn(0), drawn(1)]) == [[], ["WRONG_DEALER"]]
    assert wrong([won(1, 0)]) == [[]]  # the first dealer is any


def test_r18_1_a_missing_round_leaves_the_dealer_open() -> None:
    first, later = won(1, 0), drawn(0)
    told = [
        msgspec.structs.replace(record, session="甲", round_no=number) for record, number in ((first, 1), (later, 3))
    ]
    report = check_session([(record, replay.replay_round(record)) for record in told])
    assert report.findings == ((), ())
    assert report.undecidable[1] != ()
    stopped = msgspec.structs.replace(first, moves=first.moves[:-1], complete=False)
    assert wrong([stopped, drawn(2)]) == [[], []]


@pytest.mark.parametrize(("dealer_next", "dealers"), [("winner", {1}), ("dice", {0, 1, 2}), ("creator", {0})])
def test_r13_68_who_deals_after_a_win(dealer_next: str, dealers: set[int]) -> None:
    options = {"dealer_next": dealer_next}
    for dealer in range(3):
        found = wrong([won(1, 0, options=options), drawn(dealer, options=options)])
        assert found == [[], [] if dealer in dealers else ["WRONG_DEALER"]], dealer


@pytest.mark.parametrize(("huang_next", "dealers"), [("keep", {1}), ("next", {2}), ("creator", {0})])
def test_r13_69_who_deals_after_huang(huang_next: str, dealers: set[int]) -> None:
    options = {"huang_next": huang_next}
    for dealer in range(3):
        found = wrong([won(1, 0, options=options), drawn(1, options=options), drawn(dealer, options=options)])
        assert found == [[], [], [] if dealer in dealers else ["WRONG_DEALER"]], dealer


def test_r12_31_the_creator_of_a_guilin_room() -> None:
    options = {"dealer_next": "creator"}
    rounds = [drawn(0, ruleset="guilin", options=options), drawn(0, ruleset="guilin", options=options)]
    assert wrong(rounds) == [[], []]
    assert wrong([rounds[0], drawn(1, ruleset="guilin", options=options)]) == [[], ["WRONG_DEALER"]]
    now = [won(1, 0, ruleset="guilin"), drawn(1, ruleset="guilin"), drawn(0, ruleset="guilin")]
    assert wrong(now) == [[], [], []]
    assert wrong([*now[:2], drawn(1, ruleset="guilin")]) == [[], [], ["WRONG_DEALER"]]


@pytest.mark.parametrize("three", [True, False])
def test_r18_2_r11_6_r13_70_three_huang_pass_the_deal(three: bool) -> None:
    options = {"huang_three": three}
    rounds = [drawn(0, options=options) for _ in range(3)]
    assert wrong([*rounds, drawn(1, options=options)])[3] == ([] if three else ["WRONG_DEALER"])
    assert wrong([*rounds, drawn(0, options=options)])[3] == (["WRONG_DEALER"] if three else [])


def test_r18_2_a_win_and_a_new_dealer_begin_the_count_anew() -> None:
    report = checked([drawn(0), drawn(0), won(0, 0), drawn(0), drawn(0), drawn(0), drawn(1)])
    assert report.huang_counts == (1, 2, 0, 1, 2, 3, 1)
    assert [len(found) for found in report.findings] == [0] * 7
    # After a gap the count is not known: 下家 may deal, and so may the same dealer.
    for dealer in (0, 1):
        assert wrong([drawn(0), drawn(dealer)], first=5)[1] == []


def test_r18_3_running_totals() -> None:
    one, two = won(1, 0), won(2, 1)
    points = [replay.replay_round(record).score for record in (one, two)]
    assert points[0] is not None
    assert points[1] is not None
    sums = tuple(a + b for a, b in zip(points[0].points, points[1].points, strict=True))
    told = [
        msgspec.structs.replace(one, result=Result(winner=1, points=points[0].points, totals=points[0].points)),
        msgspec.structs.replace(two, result=Result(winner=2, points=points[1].points, totals=sums)),
    ]
    assert wrong(told) == [[], []]
    for totals in (points[1].points, (sums[0] + 1, sums[1] - 1, sums[2]), sums[::-1]):
        off = msgspec.structs.replace(two, result=Result(winner=2, points=points[1].points, totals=totals))
        assert wrong([told[0], off]) == [[], ["WRONG_TOTAL"]], totals


def test_r18_4_r11_7_who_leaves_ends_round_and_session() -> None:
    record = deal(moves=["0 打 八", "1 摸 八"], liang="八", **QQ)
    left = msgspec.structs.replace(record, moves=(*record.moves, Move(2, Action.LEAVE)), complete=True)
    outcome = replay.replay_round(left)
    assert outcome.verdict == "clean"
    assert outcome.score is not None
    assert outcome.score.winner == -1
    assert outcome.score.points[:2] == (0, 0)
    assert outcome.score.points[2] < 0
    for dealer in range(3):
        assert wrong([left, drawn(dealer)]) == [[], []]
    after = msgspec.structs.replace(left, moves=(*left.moves, Move(0, Action.DRAW, 3)))
    assert "EVENT_AFTER_END" in {finding.code for finding in replay.replay_round(after).findings}
    other = msgspec.structs.replace(left, ruleset="hu15")
    assert replay.replay_round(other).verdict == "undecidable"
    assert replay.replay_round(other).score is None


def test_r18_5_r11_7_other_persons() -> None:
    first = won(1, 0)
    others = msgspec.structs.replace(drawn(0), players=("甲", "乙", "戊"))
    assert wrong([first, others]) == [[], []]
    assert checked([drawn(0), drawn(0), others]).huang_counts == (1, 2, 1)
    told = Result(winner=-1, points=(0, 0, 0), totals=(7, 0, -7))
    totals = msgspec.structs.replace(others, result=told)
    assert wrong([msgspec.structs.replace(first, result=Result(winner=1, totals=(-3, 6, -3))), totals]) == [[], []]
