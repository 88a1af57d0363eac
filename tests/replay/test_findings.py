"""What a finding says: its event in the notation, its numbers, its clause, and which finding it follows from."""

from __future__ import annotations

import random

import pytest

from ingest.codes import Action
from replay.findings import Finding, event_text, from_rows, link, make
from replay.kernels.bits import class_of, copies, kan_of, popcount, size_of
from replay.kernels.window import event_code
from replay.violations import BY_NUMBER

NUMBER_OF = {violation.code: number for number, violation in BY_NUMBER.items()}


@pytest.mark.parametrize(
    ("action", "card", "seat", "text"),
    [
        (Action.PENG, 4, 1, "1 碰 五"),
        (Action.DISCARD, 19, 0, "0 打 拾"),
        (Action.DRAW, -2, 2, "2 摸"),
        (Action.DRAW, -1, 2, "2 摸 ?"),
        (Action.HUANG, -2, -1, "荒"),
        (0, 0, 2, "2 一"),
        (0, -2, 1, "1"),
        (0, 10, -1, "壹"),
    ],
)
def test_an_event_is_told_as_in_the_notation(action: int, card: int, seat: int, text: str) -> None:
    assert event_text(event_code(action, card, seat)) == text


def test_nothing_is_told_of_no_event() -> None:
    assert event_text(0) == ""


def test_seats_are_told_as_persons_of_the_record() -> None:
    def person(seat: int) -> int:
        return (3, 0, 2)[seat] if seat >= 0 else seat

    assert event_text(event_code(Action.PENG, 4, 0), person) == "3 碰 五"
    row = [7, NUMBER_OF["ZOU_PAO"], 1, event_code(Action.PAO, 4, 1), event_code(Action.DRAW, 5, 2)]
    assert from_rows(row, person) == [Finding(7, "ZOU_PAO", 0, 2, "6.10", "0 跑 五", "2 摸 六")]


@pytest.mark.parametrize(
    ("code", "expected", "actual", "texts"),
    [
        ("ZHA_HU_XI", 15, 9, ("15", "9")),
        ("FIFTH_COPY", 4, 5, ("4", "5")),
        ("SHAO_BI", 1, event_code(Action.CHI, 5, 0), ("0", "1")),
        ("CHOU_HU", 0, event_code(Action.HU, 5, 0), ("", "0 胡 六")),
    ],
)
def test_some_codes_tell_numbers(code: str, expected: int, actual: int, texts: tuple[str, str]) -> None:
    (found,) = from_rows([3, NUMBER_OF[code], 0, expected, actual])
    assert (found.code, found.expected, found.actual) == (code, *texts)


@pytest.mark.parametrize(
    ("code", "expected", "actual", "clause"),
    [
        ("SHI_TI", Action.TI_OPEN, 0, "2.13"),
        ("SHI_TI", Action.TI, 0, "6.10"),
        ("CHAI_KAN", 0, Action.DISCARD, "3.2"),
        ("CHAI_KAN", 0, Action.CHI, "5.6"),
        ("CHAI_TI", 0, Action.DISCARD, "3.2"),
        ("CHAI_TI", 0, Action.BI, "5.6"),
        ("WRONG_TURN", 0, Action.DISCARD, "3.1"),
    ],
)
def test_one_code_for_offences_of_two_clauses(code: str, expected: int, actual: int, clause: str) -> None:
    (found,) = from_rows([3, NUMBER_OF[code], 0, expected and event_code(expected, 5, 0), event_code(actual, 5, 0)])
    assert found.clause == clause


def follows(*findings: Finding) -> list[tuple[str, int | None]]:
    return [(found.code, found.follows_from) for found in link(findings)]


def test_after_a_log_that_cannot_be_true_all_is_its_echo() -> None:
    lie, fault, note = make("WRONG_TURN", 4, 1), make("CHOU_CHI", 6, 2), make("UNDERCLAIM", 9, 1)
    assert follows(fault, lie, note, make("DRAW_ORDER", 8)) == [
        ("WRONG_TURN", None),
        ("CHOU_CHI", 0),
        ("DRAW_ORDER", 0),
        ("UNDERCLAIM", None),
    ]
    sums = make("WRONG_XI", 9, 1), make("WRONG_SCORE", 9, 1, "units 3")
    assert follows(fault, lie, *sums)[2:] == [("WRONG_XI", 0), ("WRONG_SCORE", 0)]
    assert follows(fault, make("WRONG_TURN", 9)) == [("CHOU_CHI", None), ("WRONG_TURN", None)]


@pytest.mark.parametrize(
    ("cause", "expected", "echo"),
    [
        (make("WRONG_XI", 9, 1, "15", "18"), "units 3", True),
        (make("WRONG_FAN", 9, 1), "units 3", True),
        (make("WRONG_XI", 9, 1, "15", "18"), "points [4, -2, -2]", True),
        (make("NOT_ZERO_SUM", 9), "points [4, -2, -2]", True),
        (make("NOT_ZERO_SUM", 9), "units 3", False),
        (make("WRONG_XI", 8, 1, "15", "18"), "units 3", False),
        (make("UNDERCLAIM", 9, 1, "18", "15"), "units 3", False),
    ],
)
def test_units_and_points_are_wrong_where_what_they_count_is(cause: Finding, expected: str, echo: bool) -> None:
    first, score = make("CHOU_CHI", 2, 1), make("WRONG_SCORE", 9, 1, expected, "units 4")
    assert follows(first, cause, score)[2] == ("WRONG_SCORE", 1 if echo else None)


def test_only_wrong_scores_follow_from_wrong_huxi() -> None:
    xi, fan = make("WRONG_XI", 9, 1, "15", "18"), make("WRONG_FAN", 9, 1)
    assert follows(xi, fan, make("WRONG_SCORE", 9, 1, "units 3")) == [
        ("WRONG_XI", None),
        ("WRONG_FAN", None),
        ("WRONG_SCORE", 0),
    ]


def test_r1_1_counts_of_packed_cards() -> None:
    rng = random.Random(5)
    for _ in range(300):
        counts = [rng.randrange(4) for _ in range(20)]
        hand = sum(n << 2 * kind for kind, n in enumerate(counts))
        assert popcount(hand) == sum(n > 1 for n in counts) + sum(n % 2 for n in counts)
        assert size_of(hand) == sum(counts)
        assert [copies(hand, kind) for kind in range(20)] == counts
        assert kan_of(hand) == sum(1 << 2 * kind for kind, n in enumerate(counts) if n == 3)
    red = [1, 6, 9]
    assert [class_of(kind) for kind in range(20)] == [
        (1 if kind >= 10 else 0) + (2 if kind % 10 in red else 0) for kind in range(20)
    ]
