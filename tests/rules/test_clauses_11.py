"""The clauses of chapter 11 of docs/rules.md, one by one: the end of a round."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

import replay
from ingest.record import Record, Result
from replay.session import SessionReport, check_session
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import BOTH, clean, codes, faults, seen, settled
from tests.rules.legal import legal

EACH = pytest.mark.parametrize("ruleset", ["qq", "hu15", "guilin", "bisai", "luzhou", "ningxiang"])

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 short of 15."""
WON = ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"]


@EACH
@pytest.mark.parametrize("after", ["1 打 十", "0 摸 陆", "0 跑 四", "荒", "1 过"])
def test_r11_1_nothing_follows_a_win(ruleset: str, after: str) -> None:
    assert settled(deal({1: READY}, WON, ruleset=ruleset, wall_end="玖")).winner == 1
    record = deal({1: READY}, [*WON, after], ruleset=ruleset, wall_end="玖", add_missing=False)
    assert "EVENT_AFTER_END" in codes(record)


def quiet(ruleset: str) -> tuple[Record, list[str]]:
    """A whole round in which nobody takes anything; the last card is black."""
    return quiet_round(ruleset=ruleset, last="玖", options={"peng_forced": False})


@EACH
def test_r11_2_huang_when_a_draw_is_due_and_the_wall_is_empty(ruleset: str) -> None:
    record, moves = quiet(ruleset)
    whole = with_moves(record, [*moves, "荒"])
    score = settled(whole)
    assert score.winner == -1
    assert legal(with_moves(record, moves)) >= {"荒"}
    assert legal(whole) == set()
    assert seen(with_moves(record, [*moves[:-1], "荒"])) == {("FALSE_HUANG", -1)}
    drawer = (int(moves[-1][0]) + 1) % 3
    assert ("MISSED_HUANG", -1) in faults(with_moves(record, [*moves, f"{drawer} 摸 一"], wall=record.wall))


def last_card(ruleset: str) -> tuple[Record, list[str]]:
    """All but the last card gone; the last, 陆, makes a 碰 for seat 0 and a win for seat 2 before whom it is drawn."""
    ready = "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍"
    return quiet_round({2: ready, 0: "壹玖三陆陆", 1: "陆"}, ruleset=ruleset, last="陆", liang="十")


@BOTH
def test_r11_3_the_last_card_may_still_be_claimed(ruleset: str) -> None:
    record, moves = last_card(ruleset)
    assert settled(with_moves(record, [*moves, "2 胡"])).winner == 2
    start = [*moves, "2 过"]
    assert {"0 碰 陆", "荒"} <= legal(with_moves(record, start))
    clean(with_moves(record, [*start, "0 碰", "荒"]))  # without the discard that changes nothing
    throw = next(move for move in sorted(legal(with_moves(record, [*start, "0 碰"]))) if " 打 " in move)
    clean(with_moves(record, [*start, "0 碰", throw, "荒"]))
    assert legal(with_moves(record, [*start, "0 碰", throw])) == {"荒"}


@pytest.mark.parametrize("ruleset", ["guilin", "luzhou"])
def test_r11_3_where_discards_win_the_last_one_is_played(ruleset: str) -> None:
    record, moves = quiet_round(
        {0: "陆陆玖玖", 2: "捌捌"}, ruleset=ruleset, last="陆", liang="十", options={"peng_forced": False}
    )
    drawer = int(moves[-1][0])
    assert drawer != 0
    claim = [*moves, "0 碰"]
    throw = next(move for move in sorted(legal(with_moves(record, claim))) if " 打 " in move)
    assert all(" 打 " in move for move in legal(with_moves(record, claim)))
    assert "FALSE_HUANG" in codes(with_moves(record, [*claim, "荒"]))
    clean(with_moves(record, [*claim, throw, "荒"]))


@pytest.mark.parametrize("ruleset", ["qq", "hu15", "guilin", "luzhou", "ningxiang"])
def test_r11_4_huang_pays_nothing(ruleset: str) -> None:
    record, moves = quiet(ruleset)
    assert settled(with_moves(record, [*moves, "荒"])).points == (0, 0, 0)
    for points in ((2, -1, -1), (0, 0, -3)):
        told = with_moves(record, [*moves, "荒"], result=Result(winner=-1, points=points))
        assert "WRONG_SCORE" in codes(told)
    clean(with_moves(record, [*moves, "荒"], result=Result(winner=-1, points=(0, 0, 0))))


def won(dealer: int, winner: int, ruleset: str = "qq", **options: str | bool) -> Record:
    drawer, at = (winner + 2) % 3, (dealer + 1) % 3
    moves = [f"{dealer} 打 一"]
    quiet_draws = iter("八二拾")
    while at != drawer:
        moves.append(f"{at} 摸 {next(quiet_draws)}")
        at = (at + 1) % 3
    moves += [f"{drawer} 摸 四", f"{winner} 胡"]
    return deal({winner: READY}, moves, ruleset=ruleset, dealer=dealer, options=options, liang="一")


def huang(dealer: int, ruleset: str = "qq", **options: str | bool) -> Record:
    record, moves = quiet_round(ruleset=ruleset, dealer=dealer, options=options)
    return with_moves(record, [*moves, "荒"])


def session(records: Sequence[Record]) -> SessionReport:
    """The rounds as one session, numbered in this order."""
    numbered = [msgspec.structs.replace(record, room="甲", round_no=n) for n, record in enumerate(records, 1)]
    return check_session([(record, replay.replay_round(record)) for record in numbered])


def wrong(records: Sequence[Record]) -> list[bool]:
    """For each round: is it dealt by another than it should be?"""
    return [any(found.code == "WRONG_DEALER" for found in told) for told in session(records).findings]


@BOTH
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_r11_5_the_winner_deals_next_and_after_huang_the_same(ruleset: str, dealer: int) -> None:
    for winner in (1, 2):
        last = won(dealer, winner, ruleset)
        clean(last)
        for following in range(3):
            assert wrong([last, huang(following, ruleset)]) == [False, following != winner]
    for following in range(3):
        assert wrong([huang(dealer, ruleset), huang(following, ruleset)]) == [False, following != dealer]


def test_r11_5_other_rules_are_options() -> None:
    for following in range(3):
        passed = [huang(0, huang_next="next"), huang(following, huang_next="next")]
        assert wrong(passed) == [False, following != 1]
        diced = [won(0, 1, dealer_next="dice"), huang(following, dealer_next="dice")]
        assert wrong(diced) == [False, False]


@BOTH
def test_r11_6_the_third_huang_running_passes_the_deal(ruleset: str) -> None:
    three = [huang(2, ruleset)] * 3
    for following in range(3):
        assert wrong([*three, huang(following, ruleset)]) == [False, False, False, following != 0]
        assert wrong([*three[:2], huang(following, ruleset)]) == [False, False, following != 2]
    # The count starts again: with the new dealer, and with a win.
    assert wrong([*three, *[huang(0, ruleset)] * 3, huang(1, ruleset)]) == [False] * 7
    between = [huang(2, ruleset), huang(2, ruleset), won(2, 1, ruleset), huang(1, ruleset), huang(1, ruleset)]
    assert wrong([*between, huang(1, ruleset)]) == [False] * 6
    assert wrong([*between, huang(2, ruleset)]) == [False] * 5 + [True]
    assert session(three).huang_counts == (1, 2, 3)


def test_r11_6_not_where_the_option_is_off() -> None:
    four = [huang(2, huang_three=False) for _ in range(4)]
    assert wrong(four) == [False] * 4


@BOTH
def test_r11_7_when_a_player_leaves_a_new_session_starts(ruleset: str) -> None:
    left = deal({}, ["0 打 拾", "1 摸 八", "2 逃 -"], ruleset=ruleset, complete=True)
    for following in range(3):
        assert wrong([won(0, 1, ruleset), left, huang(following, ruleset)])[2] is False
        other = msgspec.structs.replace(huang(following, ruleset), players=("甲", "乙", "戊"))
        assert wrong([won(0, 1, ruleset), other]) == [False, False]
    # Nothing is counted across.
    three = [
        huang(0, ruleset),
        huang(0, ruleset),
        msgspec.structs.replace(huang(0, ruleset), players=("甲", "乙", "戊")),
    ]
    same = msgspec.structs.replace(huang(0, ruleset), players=("甲", "乙", "戊"))
    assert wrong([*three, same]) == [False] * 4


@BOTH
def test_r11_8_final_hands_and_groups_are_what_the_play_left(ruleset: str) -> None:
    record = deal({1: READY}, WON, ruleset=ruleset)
    hands = [list(hand or ()) for hand in record.hands]
    hands[0].append(record.liang or 0)
    hands[0].remove(record.moves[0].card)
    right = tuple(tuple(sorted(hand)) for hand in hands)
    clean(msgspec.structs.replace(record, result=Result(winner=1, hands=right)))
    clean(msgspec.structs.replace(record, result=Result(winner=1, hands=(None, right[1], None))))
    swapped = (right[0], right[2], right[1])
    told = msgspec.structs.replace(record, result=Result(winner=1, hands=swapped))
    assert {("FINAL_HAND", 1), ("FINAL_HAND", 2)} <= faults(told)
    short = msgspec.structs.replace(record, result=Result(winner=1, hands=(right[0][1:], right[1], right[2])))
    assert faults(short) == {("FINAL_HAND", 0)}
