"""Rounds of a session against each other: who deals, how many 荒庄 are running, and the running totals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import msgspec
import pytest

from ingest.codes import NO_SEAT, Action
from ingest.reader import read_path
from ingest.record import Move, Record, Result
from replay import simulate
from replay.engine import engine
from replay.findings import Finding, make
from replay.replayer import replay_round
from replay.rulesets import RULESETS
from replay.session import SessionReport, check_session, session_key, sessions

A = Action


@dataclass
class Points:
    points: tuple[int, ...]


@dataclass
class Outcome:
    """What a session needs of a replay."""

    findings: tuple[Finding, ...] = ()
    score: Points | None = None


Round = tuple[Record, Outcome]


def played(no: int | None, dealer: int, end: int | str | None, **more: object) -> Round:
    """Round ``no``: ``end`` is the seat that wins, -1 荒庄, "left" 逃, "void" a void win of seat 0, None no end."""
    players = more.pop("players", ("甲", "乙", "丙"))
    assert isinstance(players, tuple)
    moves = [Move(dealer, A.DISCARD, 3)]
    findings = more.pop("findings", ())
    assert isinstance(findings, tuple)
    if end == -1:
        moves.append(Move(NO_SEAT, A.HUANG))
    elif end == "left":
        moves.append(Move(1, A.LEAVE))
    elif end == "void":
        findings = (*findings, make("ZHA_HU_XI", len(moves), 0))
        moves.append(Move(0, A.HU))
    elif isinstance(end, int):
        moves.append(Move(end, A.HU))
    score = more.pop("score", None)
    record = Record(
        ruleset="qq",
        players=players,
        dealer=dealer,
        hands=(None,) * len(players),
        liang=None,
        wall=None,
        moves=tuple(moves),
        room="r",
        round_no=no,
        complete=end is not None,
    )
    return msgspec.structs.replace(record, **more), Outcome(findings, score and Points(score))


def report(*rounds: Round) -> SessionReport:
    return check_session(rounds)


def told(*rounds: Round) -> list[list[tuple[str, str, str]]]:
    """Findings of each round: code, expected, actual."""
    return [[(f.code, f.expected, f.actual) for f in found] for found in report(*rounds).findings]


def wrong(expected: str, actual: int) -> list[tuple[str, str, str]]:
    return [("WRONG_DEALER", f"dealer {expected}", f"dealer {actual}")]


def test_r18_1_the_winner_deals_next() -> None:
    assert told(played(1, 0, 2), played(2, 2, 2), played(3, 2, 0), played(4, 0, 0)) == [[], [], [], []]
    assert told(played(1, 0, 2), played(2, 0, 1), played(3, 2, 0)) == [[], wrong("2", 0), wrong("1", 2)]


def test_r18_1_a_finding_stands_at_the_deal_and_names_the_dealer() -> None:
    (found,) = report(played(1, 0, 2), played(2, 1, 1)).findings[1]
    assert (found.seq, found.seat, found.severity, found.clause) == (-1, 1, 1, "18.1")


def test_r11_5_after_huang_the_dealer_stays() -> None:
    assert told(played(1, 1, -1), played(2, 1, -1)) == [[], []]
    assert told(played(1, 1, -1), played(2, 2, -1)) == [[], wrong("1", 2)]


def test_tv74_r11_6_the_third_huang_running_passes_the_deal() -> None:
    rounds = [played(no, 1, -1) for no in (1, 2, 3)]
    assert told(*rounds, played(4, 2, 2)) == [[], [], [], []]
    assert told(*rounds, played(4, 1, 2))[3] == wrong("2", 1)
    assert report(*rounds, played(4, 2, -1)).huang_counts == (1, 2, 3, 1)
    assert report(*rounds, played(4, 1, -1)).huang_counts == (1, 2, 3, 1)
    assert told(*[played(no, 2, -1) for no in (1, 2, 3)], played(4, 0, 0))[3] == []


def test_r18_2_the_count_begins_anew_with_a_win_and_with_a_new_dealer() -> None:
    won_between = [played(1, 1, -1), played(2, 1, -1), played(3, 1, 1), played(4, 1, -1), played(5, 1, -1)]
    assert report(*won_between).huang_counts == (1, 2, 0, 1, 2)
    assert told(*won_between, played(6, 1, 1))[5] == []
    passed = [played(no, 1 + (no > 3), -1) for no in range(1, 7)]
    assert report(*passed).huang_counts == (1, 2, 3, 1, 2, 3)
    assert told(*passed, played(7, 0, 0)) == [[]] * 7
    # A dealer who is wrong is reported once; what follows is counted from there.
    changed = [played(1, 1, -1), played(2, 1, -1), played(3, 0, -1), played(4, 0, -1), played(5, 0, -1)]
    assert report(*changed).huang_counts == (1, 2, 1, 2, 3)
    assert [bool(found) for found in told(*changed, played(6, 1, 1))] == [False, False, True, False, False, False]


def test_r18_2_without_the_option_the_deal_never_passes() -> None:
    rounds = [played(no, 1, -1, options={"huang_three": False}) for no in range(1, 6)]
    assert told(*rounds) == [[]] * 5
    assert report(*rounds).huang_counts == (1, 2, 3, 4, 5)


def test_r18_2_where_earlier_rounds_are_missing_the_third_may_come_sooner() -> None:
    for dealer in (1, 2):
        found = report(played(7, 1, -1), played(8, dealer, 0))
        assert found.dealers == (None, (1, 2))
        assert found.findings == ((), ())
        assert found.undecidable[1] == ("dealer: earlier rounds are missing",)
    assert told(played(7, 1, -1), played(8, 0, 0))[1] == wrong("1 or 2", 0)
    # Three seen under one dealer are three, whatever came before.
    seen = [played(no, 1, -1) for no in (7, 8, 9)]
    assert report(*seen).huang_counts == (None, None, 3)
    assert told(*seen, played(10, 1, 1))[3] == wrong("2", 1)


def test_r14_14_a_void_win_leaves_the_dealer_and_is_no_huang() -> None:
    rounds = [played(1, 1, -1), played(2, 1, -1), played(3, 1, "void"), played(4, 1, -1), played(5, 2, 2)]
    assert told(*rounds) == [[]] * 5
    assert report(*rounds).huang_counts == (1, 2, 2, 3, 0)
    assert told(played(1, 1, "void"), played(2, 0, 0))[1] == wrong("1", 0)


def test_r14_14_where_the_round_goes_on_its_end_decides() -> None:
    claim, end = Move(0, A.HU), Move(2, A.HU)
    first = played(1, 1, None, moves=(Move(1, A.DISCARD, 3), claim, end), findings=(make("HU_BANNED", 1, 0),))
    assert told(first, played(2, 2, 2))[1] == []
    assert told(first, played(2, 1, 1))[1] == wrong("2", 1)


def test_r14_7_the_win_of_an_offender_is_void_even_without_a_ban() -> None:
    options = {"ban": False}
    first = played(
        1, 0, 1, ruleset="bisai", options=options, players=tuple("甲乙丙"), findings=(make("ZOU_PAO", 0, 1),)
    )
    second = played(2, 1, 1, ruleset="bisai", options=options)
    assert told(first, second)[1] == wrong("0", 1)


def test_r18_1_a_missing_round_leaves_the_dealer_undecided() -> None:
    found = report(played(1, 0, 2), played(3, 1, 1), played(4, 1, 0))
    assert found.findings == ((), (), ())
    assert found.dealers == (None, None, (1,))
    assert found.undecidable == ((), ("dealer: the round before is missing",), ())


def test_r18_1_rounds_without_numbers_are_not_joined() -> None:
    found = report(played(None, 0, 2, started_at="2024-01-01"), played(None, 1, 1, started_at="2024-01-02"))
    assert found.findings == ((), ())
    assert found.undecidable == (("dealer: the round before is missing",),) * 2


def test_r18_1_the_same_number_twice_is_not_the_round_before() -> None:
    assert told(played(1, 0, 2), played(2, 2, 1), played(2, 0, 0), played(3, 0, 0)) == [[], [], [], []]


def test_r18_1_a_round_without_an_end_leaves_the_next_dealer_undecided() -> None:
    found = report(played(1, 0, None), played(2, 1, -1), played(3, 1, 2))
    assert found.findings == ((), (), ())
    assert found.undecidable[1] == ("dealer: how the round before ended is not known",)
    assert found.huang_counts == (None, 1, 0)  # another dealer: counted anew


def test_r18_1_what_the_source_reports_stands_for_an_end_that_is_not_recorded() -> None:
    assert told(played(1, 0, None, result=Result(winner=2)), played(2, 1, 1))[1] == wrong("2", 1)
    assert told(played(1, 0, None, result=Result(winner=-1)), played(2, 1, 1))[1] == wrong("0", 1)


def test_r18_4_after_somebody_left_any_dealer_may_begin() -> None:
    for dealer in range(3):
        found = report(played(1, 0, "left"), played(2, dealer, 1), played(3, 1, 1))
        assert found.findings == ((), (), ())
        assert found.dealers == (None, None, (1,))
        assert not any(found.undecidable)


def test_r18_5_other_persons_begin_a_new_session() -> None:
    others = {"players": ("甲", "乙", "丁")}
    rounds = [played(1, 0, -1), played(2, 0, -1), played(3, 0, -1, **others), played(4, 0, -1, **others)]
    assert report(*rounds).huang_counts == (1, 2, 1, 2)
    assert told(*rounds) == [[]] * 4
    assert told(played(1, 0, 2), played(2, 1, 1, **others)) == [[], []]


def test_r16_19_dice_name_any_dealer() -> None:
    general = {"ruleset": "general"}
    found = report(played(1, 0, 2, **general), played(2, 1, -1, **general), played(4, 0, 0, **general))
    assert found.findings == ((), (), ())
    assert not any(found.undecidable)


@pytest.mark.parametrize("name", ["qq", "hu15", "bisai", "luzhou", "ningxiang"])
def test_r11_5_games_with_the_same_succession(name: str) -> None:
    game = {"ruleset": name}
    rounds = [played(1, 0, 2, **game), *[played(no, 2, -1, **game) for no in (2, 3, 4)], played(5, 0, 1, **game)]
    assert told(*rounds, played(6, 1, 1, **game)) == [[]] * 6
    assert told(*rounds, played(6, 0, 1, **game))[5] == wrong("1", 0)


GUILIN = {"ruleset": "guilin"}


def test_r12_31_in_guilin_huang_gives_the_deal_back_to_whoever_opened_the_room() -> None:
    rounds = [played(1, 1, 2, **GUILIN), played(2, 2, -1, **GUILIN), played(3, 1, 0, **GUILIN)]
    assert told(*rounds, played(4, 0, 0, **GUILIN)) == [[], [], [], []]
    assert told(*rounds[:2], played(3, 2, 0, **GUILIN))[2] == wrong("1", 2)


def test_r12_31_who_opened_the_room_must_be_known() -> None:
    found = report(played(4, 1, 2, **GUILIN), played(5, 2, -1, **GUILIN), played(6, 0, 0, **GUILIN))
    assert found.findings == ((), (), ())
    assert found.undecidable[2] == ("dealer: who opened the room is not known",)


def test_r12_31_whoever_opened_the_room_stays_known_over_a_gap() -> None:
    rounds = [played(1, 1, 2, **GUILIN), played(5, 2, -1, **GUILIN), played(6, 0, 0, **GUILIN)]
    assert told(*rounds)[2] == wrong("1", 0)


def test_r12_31_early_builds_let_one_person_deal_every_round() -> None:
    early = GUILIN | {"options": {"dealer_next": "creator"}}
    assert told(played(1, 1, 2, **early), played(2, 1, -1, **early), played(3, 1, 0, **early)) == [[], [], []]
    assert told(played(7, 1, 2, **early), played(8, 2, 0, **early))[1] == wrong("1", 2)


FOUR = {"ruleset": "bisai", "players": ("甲", "乙", "丙", "丁")}


def test_r14_13_of_four_the_winner_deals_and_the_person_opposite_sits_out() -> None:
    rounds = [played(1, 0, 3, sitter=2, **FOUR), played(2, 3, -1, sitter=1, **FOUR), played(3, 3, 0, sitter=1, **FOUR)]
    assert told(*rounds, played(4, 0, 0, sitter=2, **FOUR)) == [[], [], [], []]
    assert told(played(1, 0, 3, sitter=2, **FOUR), played(2, 0, 1, sitter=2, **FOUR))[1] == wrong("3", 0)


def test_r14_13_another_sitter_is_told() -> None:
    found = report(played(1, 0, 3, sitter=1, **FOUR)).findings[0]
    assert [(f.code, f.clause, f.expected, f.actual) for f in found] == [
        ("WRONG_DEALER", "14.13", "sitter 2", "sitter 1")
    ]
    luzhou = FOUR | {"ruleset": "luzhou"}
    assert [f.clause for f in report(played(1, 0, 3, sitter=1, **luzhou)).findings[0]] == ["15.1"]
    assert told(played(1, 0, 3, sitter=2, **luzhou)) == [[]]


def test_r14_13_the_third_huang_passes_the_deal_over_the_sitter() -> None:
    rounds = [played(no, 1, -1, sitter=3, **FOUR) for no in (1, 2, 3)]
    assert told(*rounds, played(4, 2, 2, sitter=0, **FOUR)) == [[]] * 4
    three = {"ruleset": "luzhou", "sitter": 1}
    pair = [played(no, 0, -1, **three) for no in (1, 2, 3)]
    assert told(*pair, played(4, 2, 2, **three)) == [[]] * 4


def reported(points: tuple[int, ...] | None, totals: tuple[int, ...] | None) -> dict[str, object]:
    return {"result": Result(points=points, totals=totals)}


def test_r18_3_reported_totals_go_on_from_those_before() -> None:
    first = played(1, 0, 0, **reported((6, -3, -3), (106, 97, 97)))
    assert told(first, played(2, 0, 0, **reported((6, -3, -3), (112, 94, 94)))) == [[], []]
    second = played(2, 0, 0, **reported((6, -3, -3), (112, 97, 91)))
    assert told(first, second)[1] == [("WRONG_TOTAL", "totals [112, 94, 94]", "totals [112, 97, 91]")]
    (found,) = report(first, second).findings[1]
    assert (found.seq, found.seat, found.severity, found.clause) == (len(second[0].moves), -1, 1, "18.3")
    # The next is compared with what was reported, so that one fault is told once.
    assert told(first, second, played(3, 0, 0, **reported((0, 0, 0), (112, 97, 91))))[2] == []


def test_r18_3_totals_are_not_compared_over_a_gap_or_with_parts_missing() -> None:
    first = played(1, 0, 0, **reported((6, -3, -3), (6, -3, -3)))
    off = reported((6, -3, -3), (0, 0, 0))
    assert told(first, played(3, 0, 0, **off)) == [[], []]
    assert told(first, played(2, 0, 0, players=("甲", "乙", "丁"), **off)) == [[], []]
    assert told(first, played(2, 0, 0, **reported(None, (0, 0, 0)))) == [[], []]
    assert told(played(1, 0, 0), played(2, 0, 0, **off)) == [[], []]
    assert told(played(1, 0, "left", **reported((0, -24, 0), (0, -24, 0))), played(2, 0, 0, **off)) == [[], []]


def test_r18_3_points_as_recomputed_are_added_up_for_each_person() -> None:
    rounds = [
        played(1, 0, 2, score=(-3, -3, 6)),
        played(2, 2, 0, score=(12, -6, -6)),
        played(3, 0, 0),
        played(4, 0, 0, score=(2, -1, -1)),
    ]
    assert report(*rounds).totals == (
        {"甲": -3, "乙": -3, "丙": 6},
        {"甲": 9, "乙": -9, "丙": 0},
        None,
        None,
    )
    four = played(1, 0, 3, sitter=2, score=(-8, -8, 4, 12), **FOUR)
    assert report(four).totals == ({"甲": -8, "乙": -8, "丙": 4, "丁": 12},)
    assert report(played(1, 0, 0, score=(2, -1, -1), players=("", "", ""))).totals == (None,)


def test_r18_5_totals_begin_anew_with_other_persons_and_after_somebody_left() -> None:
    other = {"players": ("甲", "乙", "丁")}
    assert report(played(1, 0, 0, score=(2, -1, -1)), played(2, 0, 0, score=(4, -2, -2), **other)).totals[1] == {
        "甲": 4,
        "乙": -2,
        "丁": -2,
    }
    left = played(1, 0, "left", score=(0, -24, 0))
    assert report(left, played(2, 0, 0, score=(2, -1, -1))).totals[1] == {"甲": 2, "乙": -1, "丙": -1}


def test_rounds_are_put_in_order_whatever_order_they_come_in() -> None:
    rounds = [played(1, 0, 2), played(2, 2, 1), played(3, 0, 0)]
    for order in permutations(range(3)):
        found = report(*[rounds[place] for place in order])
        assert [order[index] for index in found.order] == [0, 1, 2]
        assert [order[index] for index, findings in enumerate(found.findings) if findings] == [2]
        assert found.dealers[order.index(2)] == (1,)


def test_nothing_is_a_session_of_no_rounds() -> None:
    assert report() == SessionReport((), (), (), (), (), ())


def test_a_session_is_a_platform_a_room_and_a_session() -> None:
    records = [
        played(1, 0, 0)[0],
        played(1, 0, 0, session="s")[0],
        played(1, 0, 0, room="")[0],
        played(2, 0, 0)[0],
        played(1, 0, 0, room="")[0],
        played(2, 0, 0, platform="p")[0],
    ]
    assert sessions(records) == [[0, 3], [1], [2], [4], [5]]
    assert session_key(records[2]) is None
    assert session_key(records[1]) == ("", "r", "s")


@pytest.mark.parametrize(("name", "persons"), [("qq", 3), ("bisai", 3), ("bisai", 4), ("luzhou", 4)])
def test_r18_1_generated_sessions_hold_with_their_replays(name: str, persons: int) -> None:
    players = [simulate.Player(name, hu=60) for name in "甲乙丙丁"][:persons]
    machine = engine(RULESETS[name])
    records = list(simulate.sessions(machine, 7, 40, players, per_session=40, persons=persons))
    assert sessions(records) == [list(range(40))]
    rounds = [(record, replay_round(record)) for record in records]
    found = check_session(rounds)
    assert not any(found.findings)
    assert not any(found.undecidable)
    assert {0, 1} <= set(found.huang_counts)
    sums = dict.fromkeys(records[0].players, 0)
    for record, totals in zip(records, found.totals, strict=True):
        for player, points in zip(record.players, record.result.points, strict=True):
            sums[player] += points
        assert totals == sums
    # Without one of its rounds the session says nothing of the dealer of the next.
    gap = check_session([*rounds[:20], *rounds[21:]])
    assert gap.undecidable[20] == ("dealer: the round before is missing",)
    assert not any(gap.findings)


def test_the_recorded_rounds_are_no_session(shared) -> None:
    """Their seats are labelled anew in every round and no room is named: nothing may be said of their dealers."""
    records = [one for one in read_path(shared / "records/guilin/complete.jsonl") if isinstance(one, Record)]
    assert len(sessions(records)) == len(records) == 105
    for record in records:
        assert report((record, Outcome())).findings == ((),)


def test_rounds_without_numbers_stand_last_by_time_and_then_as_they_came() -> None:
    late, early = ({"started_at": text} for text in ("2024-01-02", "2024-01-01"))
    rounds = [played(None, 0, 0), played(None, 1, 0), played(2, 0, 0), played(None, 0, 0, **late)]
    rounds += [played(None, 0, 0, **early), played(1, 0, 0), played(0, 0, 0)]
    assert report(*rounds).order == (6, 5, 2, 0, 1, 4, 3)


def test_r14_14_only_a_fault_of_the_winner_makes_a_win_void() -> None:
    for seat, found in ((0, wrong("1", 0)), (1, [])):
        first = played(1, 1, 0, findings=(make("ZHA_HU_XI", 1, seat),))
        assert told(first, played(2, 0, 0))[1] == found
