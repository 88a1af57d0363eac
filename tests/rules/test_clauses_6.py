"""The clauses of chapter 6 of docs/rules.md, one by one: 碰, 偎, 臭偎, 跑, 提."""

from __future__ import annotations

from typing import Any

import pytest

from replay.timeline import timeline
from tests.rules.build import deal, with_moves
from tests.rules.check import BOTH, THREE, clean, faults, seen, settled
from tests.rules.legal import after, legal

WAITS_5 = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"
"""One 五 short of 15 胡息."""
EAT_2 = ["2 摸 贰", "2 吃 贰 壹叁"]
WEI = ["0 打 九", "1 摸 五", "1 偎", "1 打 玖"]
PENG = ["0 打 五", "1 碰", "1 打 玖"]
NONE = ["0 打 九", "1 摸 六"]


def of(seat: int, moves: set[str]) -> set[str]:
    """The seat's moves but draws, without the seat."""
    return {move[2:] for move in moves if move.startswith(f"{seat} ") and move[2] != "摸"}


@THREE
@pytest.mark.parametrize(("copies", "code"), [(1, "CARD_NOT_IN_HAND"), (2, None), (3, "MELD_KIND")])
def test_r6_1_peng_with_exactly_two(ruleset: str, copies: int, code: str | None) -> None:
    record = deal({1: "五" * copies}, ["0 打 五", "1 碰", "1 打 十"], ruleset=ruleset, avoid={1: "五"})
    assert seen(record) == (set() if code is None else {(code, 1)})
    assert ("1 碰 五" in legal(with_moves(record, ["0 打 五"]))) == (copies == 2)


@THREE
@pytest.mark.parametrize("opener", [0, 2])
@pytest.mark.parametrize("how", ["打", "摸"])
def test_r6_1_whoever_else_played_or_drew_it(ruleset: str, opener: int, how: str) -> None:
    before = "二" if how == "摸" else "五"
    moves = [f"{opener if how == '打' else (opener - 1) % 3} 打 {before}"]
    moves += [f"{opener} 摸 五"] if how == "摸" else []
    dealer = int(moves[0][0])
    liang = "二" if dealer == 1 else None
    record = deal({1: "五五"}, [*moves, "1 碰", "1 打 十"], dealer=dealer, liang=liang, ruleset=ruleset)
    clean(record)
    assert "碰 五" in of(1, legal(with_moves(record, moves)))


@THREE
def test_r6_2_peng_may_be_declined(ruleset: str) -> None:
    record = deal({2: "五五"}, ["0 打 五", "2 过", "1 摸 八"], ruleset=ruleset)
    clean(record)
    assert {"碰 五", "过"} == of(2, legal(with_moves(record, ["0 打 五"])))
    clean(with_moves(record, ["0 打 五", "1 摸 八"]))


@THREE
def test_r6_3_wei_is_forced(ruleset: str) -> None:
    start = ["0 打 九", "1 摸 五"]
    record = deal({1: "五五"}, [*start, "1 偎", "1 打 十"], ruleset=ruleset)
    clean(record)
    assert legal(with_moves(record, start)) == {"1 偎 五"}
    assert seen(with_moves(record, [*start, "2 摸 八"], wall=None)) == {("SHI_WEI", 1)}
    single = after({1: "五"}, start, avoid={1: "五"}, ruleset=ruleset)
    assert not any("偎" in move for move in single)


@BOTH
def test_r6_4_chou_wei_after_a_declined_peng(ruleset: str) -> None:
    declined = ["0 打 五", "1 过", "1 摸 五"]
    fresh = ["0 打 九", "1 摸 五"]
    assert after({1: "五五"}, declined, ruleset=ruleset) == {"1 臭偎 五"}
    clean(deal({1: "五五"}, [*declined, "1 臭偎", "1 打 十"], ruleset=ruleset))
    assert seen(deal({1: "五五"}, [*declined, "1 偎", "1 打 十"], ruleset=ruleset)) == {("CHOUWEI_HIDDEN", 1)}
    assert seen(deal({1: "五五"}, [*fresh, "1 臭偎", "1 打 十"], ruleset=ruleset)) == {("CHOUWEI_SPURIOUS", 1)}
    assert seen(deal({1: "五五"}, [*declined, "2 摸 八"], ruleset=ruleset)) == {("SHI_WEI", 1)}


def test_r6_4_in_guilin_both_are_hidden() -> None:
    declined = ["0 打 五", "1 过", "1 摸 五"]
    clean(deal({1: "五五"}, [*declined, "1 臭偎 明0", "1 打 十"], ruleset="guilin"))
    found = seen(deal({1: "五五"}, [*declined, "1 偎", "1 打 十"], ruleset="guilin"))
    assert found == {("CHOUWEI_SPURIOUS", 1)}


@THREE
@pytest.mark.parametrize(("held", "before"), [("五五五", ["0 打 九"]), ("五五", [*WEI, "2 摸 八", "0 摸 捌"])])
def test_r6_5_ti_is_forced(ruleset: str, held: str, before: list[str]) -> None:
    drawn = [*before, "1 摸 五"]
    record = deal({1: held}, [*drawn, "1 提", "1 打 十"], ruleset=ruleset)
    clean(record)
    assert legal(with_moves(record, drawn)) == {"1 提 五"}
    left = deal({1: held}, [*drawn, "2 摸 陆"], ruleset=ruleset)
    assert seen(left) == {("SHI_TI", 1)}


def arrivals(opener: int) -> dict[str, tuple[int, list[str]]]:
    """A 五 that the seat discards as dealer, or draws: dealer and moves."""
    return {
        "打": (opener, [f"{opener} 打 五"]),
        "摸": ((opener - 1) % 3, [f"{(opener - 1) % 3} 打 二", f"{opener} 摸 五"]),
    }


@THREE
@pytest.mark.parametrize("how", ["打", "摸"])
@pytest.mark.parametrize("opener", [0, 2])
def test_r6_6_who_has_a_kan_must_pao(ruleset: str, how: str, opener: int) -> None:
    dealer, moves = arrivals(opener)[how]
    more: dict[str, Any] = {"dealer": dealer, "ruleset": ruleset, "liang": "二" if how == "摸" else "五"}
    record = deal({1: "五五五"}, [*moves, "1 跑", "1 打 十"], **more)
    clean(record)
    found = legal(with_moves(record, moves))
    assert of(1, found) == {"跑 五"}
    assert not any(move.endswith("摸") for move in found)
    assert seen(deal({1: "五五五"}, [*moves, f"{(opener + 1) % 3} 摸 八"], **more)) == {("ZOU_PAO", 1)}


@THREE
@pytest.mark.parametrize("arrival", [["2 摸 五"], [*EAT_2, "2 打 五"], ["2 摸 八", "0 摸 五"]])
def test_r6_7_who_has_a_wei_must_pao(ruleset: str, arrival: list[str]) -> None:
    moves = [*WEI, *arrival]
    record = deal({1: "五五"}, [*moves, "1 跑", "1 打 拾"], ruleset=ruleset)
    clean(record)
    assert of(1, legal(with_moves(record, moves))) == {"跑 五"}
    after_it = (int(arrival[-1][0]) + 1) % 3
    assert seen(deal({1: "五五"}, [*moves, f"{after_it} 摸 陆"], ruleset=ruleset)) == {("ZOU_PAO", 1)}


@THREE
@pytest.mark.parametrize("drawer", [2, 0, 1])
def test_r6_8_a_drawn_card_makes_a_pao_of_a_peng(ruleset: str, drawer: int) -> None:
    draws = ["2 摸 八", "0 摸 捌"][: (drawer - 2) % 3]
    moves = [*PENG, *draws, f"{drawer} 摸 五"]
    record = deal({1: "五五"}, [*moves, "1 跑", "1 打 拾"], ruleset=ruleset)
    clean(record)
    assert of(1, legal(with_moves(record, moves))) == {"跑 五"}
    missed = deal({1: "五五"}, [*moves, f"{(drawer + 1) % 3} 摸 陆"], ruleset=ruleset)
    assert seen(missed) == {("ZOU_PAO", 1)}


@THREE
def test_r6_9_a_discard_does_not(ruleset: str) -> None:
    moves = [*PENG, *EAT_2, "2 打 五"]
    record = deal({1: "五五"}, [*moves, "0 摸 八"], ruleset=ruleset)
    clean(record)
    assert of(1, legal(with_moves(record, moves))) == set()
    assert ("MELD_INVALID", 1) in faults(with_moves(record, [*moves, "1 跑"]))


@BOTH
@pytest.mark.parametrize(
    ("held", "start", "code", "clause"),
    [
        ("五五五", ["2 打 一", "0 摸 五"], "ZOU_PAO", "6.10"),
        ("五五五", ["2 打 一", "0 摸 八", "1 摸 五"], "SHI_TI", "6.10"),
        ("五五", ["2 打 一", "0 摸 八", "1 摸 五"], "SHI_WEI", "6.10"),
    ],
)
def test_r6_10_a_forced_act_that_is_not_made(ruleset: str, held: str, start: list[str], code: str, clause: str) -> None:
    after_it = (int(start[-1][0]) + 1) % 3
    record = deal({1: held}, [*start, f"{after_it} 摸 陆"], dealer=2, ruleset=ruleset)
    assert seen(record) == {(code, 1)}
    assert {found["clause"] for found in timeline(record)["findings"]} == {clause}


@BOTH
def test_r6_10_where_a_win_takes_the_card_nothing_is_missing(ruleset: str) -> None:
    start = ["0 打 一", "1 摸 八", "2 摸 五"]
    assert settled(deal({1: "五五五", 2: WAITS_5}, [*start, "2 胡"], ruleset=ruleset)).winner == 2
    assert ("ZOU_PAO", 1) in faults(deal({1: "五五五", 2: WAITS_5}, [*start, "0 摸 陆"], ruleset=ruleset))


MAKES = {
    # what seat 1 holds: cards in hand and moves before; what 五 makes when discarded, drawn by another, drawn by 1
    "two in hand": ("五五", NONE, {"碰 五", "过"}, {"碰 五", "过"}, {"偎 五"}),
    "坎 in hand": ("五五五", NONE, {"跑 五"}, {"跑 五"}, {"提 五"}),
    "偎 on the table": ("五五", WEI, {"跑 五"}, {"跑 五"}, {"提 五"}),
    "碰 on the table": ("五五", PENG, set(), {"跑 五"}, {"跑 五"}),
}


@THREE
@pytest.mark.parametrize("held", MAKES)
@pytest.mark.parametrize("source", [0, 1, 2])
def test_r6_11_the_table_of_what_a_card_makes(ruleset: str, held: str, source: int) -> None:
    hand, moves, *made = MAKES[held]
    arrival = ([*EAT_2, "2 打 五"], ["2 摸 五"], ["2 摸 八", "0 摸 捌", "1 摸 五"])[source]
    assert of(1, after({1: hand}, [*moves, *arrival], ruleset=ruleset)) == made[source]


SECOND = {
    "坎, discard": ("五五五伍伍伍", ["0 打 五", "1 跑", "1 打 十", "2 摸 伍", "1 跑"]),
    "坎, own draw": ("五五五伍伍伍", ["0 打 五", "1 跑", "1 打 十", "2 摸 八", "0 摸 捌", "1 摸 伍", "1 提"]),
    "偎": (
        "五五五伍伍",
        ["0 打 五", "1 跑", "1 打 十", "2 摸 八", "0 摸 捌", "1 摸 伍", "1 偎", "1 打 拾", "2 摸 伍", "1 跑"],
    ),
    "碰": ("五五五伍伍", ["0 打 五", "1 跑", "1 打 十", "2 摸 伍", "1 碰", "1 打 拾", "2 摸 伍", "1 跑"]),
}


@THREE
@pytest.mark.parametrize("way", SECOND)
def test_r6_12_no_discard_after_the_second_quad(ruleset: str, way: str) -> None:
    hand, moves = SECOND[way]
    record = deal({1: hand}, [*moves, "2 摸 陆"], ruleset=ruleset)
    clean(record)
    assert legal(with_moves(record, moves)) == {"2 摸"}
    assert seen(deal({1: hand}, [*moves, "1 打 九"], ruleset=ruleset)) == {("BAKUAI_DISCARD", 1)}


@THREE
def test_r6_12_and_after_the_third(ruleset: str) -> None:
    third = [*SECOND["坎, discard"][1], "2 摸 一", "1 跑"]
    record = deal({1: "五五五伍伍伍一一一"}, [*third, "2 摸 陆"], ruleset=ruleset)
    clean(record)
    assert legal(with_moves(record, third)) == {"2 摸"}
    dealt = ["0 打 伍", "1 跑"]
    laid = ["1 亮提 五"]
    moves = [*dealt, *laid] if ruleset == "guilin" else [*laid, *dealt]
    clean(deal({1: "五五五五伍伍伍"}, [*moves, "2 摸 陆"], ruleset=ruleset))


FIRST = {
    "跑": ("五五五", ["0 打 五", "1 跑"]),
    "提": ("五五五", ["0 打 九", "1 摸 五", "1 提"]),
    "偎": ("五五", ["0 打 九", "1 摸 五", "1 偎"]),
    "碰": ("五五", ["0 打 五", "1 碰"]),
    "吃": ("四六", ["0 打 五", "1 吃 五 四六"]),
    "偎 made 跑": ("五五", [*WEI, "2 摸 五", "1 跑"]),
    "碰 made 跑": ("五五", [*PENG, "2 摸 五", "1 跑"]),
    "吃 after a 跑": ("一一一", ["0 打 一", "1 跑", "1 打 玖", "2 摸 八", "0 摸 捌", "1 摸 五", "1 吃 五 四六"]),
}


@THREE
@pytest.mark.parametrize("act", FIRST)
def test_r6_13_a_discard_after_everything_else(ruleset: str, act: str) -> None:
    hand, moves = FIRST[act]
    record = deal({1: hand}, [*moves, "1 打 十", "2 摸 陆"], ruleset=ruleset)
    clean(record)
    due = legal(with_moves(record, moves))
    assert {move[:3] for move in due} == {"1 打"}
    assert seen(deal({1: hand}, [*moves, "2 摸 陆"], ruleset=ruleset)) == {("MISSING_DISCARD", 1)}


FACES = {
    "吃": ("四六", ["0 打 五"], "1 吃 五 四六", 3),
    "碰": ("五五", ["0 打 五"], "1 碰", 3),
    "跑": ("五五五", ["0 打 五"], "1 跑", 4),
    "偎": ("五五", ["0 打 九", "1 摸 五"], "1 偎", 0),
    "臭偎": ("五五", ["0 打 五", "1 过", "1 摸 五"], "1 臭偎", 1),
    "提": ("五五五", ["0 打 九", "1 摸 五"], "1 提", 1),
    "亮提": ("五五五五", [], "1 亮提 五", 1),
}


@BOTH
@pytest.mark.parametrize("act", FACES)
def test_r6_14_how_many_cards_lie_face_up(ruleset: str, act: str) -> None:
    hand, start, move, up = FACES[act]
    for face in range(5):
        found = faults(deal({1: hand}, [*start, f"{move} 明{face}"], ruleset=ruleset))
        assert found == (set() if face == up else {("WRONG_REVEAL", 1)}), face


@BOTH
def test_r6_14_the_draw_itself(ruleset: str) -> None:
    for hand, face in (("五五", 0), ("五五五", 0), ("五", 1)):
        for told in (0, 1):
            record = deal({1: hand}, ["0 打 九", f"1 摸 五 明{told}"], avoid={1: "五"}, ruleset=ruleset)
            assert faults(record) == (set() if told == face else {("WRONG_REVEAL", 1)})


MISNAMED = {
    "提 of a discard": ("五五五", ["0 打 五", "1 提"]),
    "提 of another's draw": ("五五五", ["0 打 九", "1 摸 八", "2 摸 五", "1 提"]),
    "偎 of a discard": ("五五", ["0 打 五", "1 偎"]),
    "臭偎 of another's draw": ("五五", ["0 打 五", "1 过", "1 摸 八", "2 摸 五", "1 臭偎"]),
    "跑 of the own draw": ("五五五", ["0 打 九", "1 摸 五", "1 跑"]),
    "跑 of the own draw on 偎": ("五五", [*WEI, "2 摸 八", "0 摸 捌", "1 摸 五", "1 跑"]),
    "提 of a 碰": ("五五", [*PENG, "2 摸 八", "0 摸 捌", "1 摸 五", "1 提"]),
    "碰 with three": ("五五五", ["0 打 五", "1 碰"]),
    "偎 with three": ("五五五", ["0 打 九", "1 摸 五", "1 偎"]),
}


@THREE
@pytest.mark.parametrize("act", MISNAMED)
def test_r6_15_every_act_by_its_name(ruleset: str, act: str) -> None:
    hand, moves = MISNAMED[act]
    assert ("MELD_KIND", 1) in faults(deal({1: hand}, moves, ruleset=ruleset))


@THREE
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize(("copies", "act"), [(2, "碰"), (3, "跑")])
def test_r6_16_any_seat_may(ruleset: str, seat: int, copies: int, act: str) -> None:
    for opener in range(3):
        if opener == seat:
            continue
        dealer, moves = arrivals(opener)["打"]
        record = deal({seat: "五" * copies}, [*moves, f"{seat} {act}", f"{seat} 打 十"], dealer=dealer, ruleset=ruleset)
        clean(record)
        assert f"{act} 五" in of(seat, legal(with_moves(record, moves)))


def test_r6_16_a_chi_may_not() -> None:
    assert ("GE_SHAN", 2) in faults(deal({2: "四六"}, ["0 打 五", "2 吃 五 四六"], avoid={2: "五"}))
