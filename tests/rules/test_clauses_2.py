"""The clauses of chapter 2 of docs/rules.md, one by one: seats, deal, opening."""

from __future__ import annotations

import msgspec
import pytest

import replay
from ingest import cards as names
from ingest.codes import Form
from ingest.record import Record
from replay.engine import engine, hand_cards
from replay.replayer import replay_round, steps
from replay.rulesets import resolve
from replay.seating import seated
from replay.session import check_session
from tests.rules.build import deal, extra_card, with_moves
from tests.rules.check import BOTH, THREE, clean, faults, findings, seen, settled
from tests.rules.legal import after, legal

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 or 七 short of 15 胡息."""
TWO = {1: "五五五五柒柒柒柒"}
TWO_LAID = ["1 亮提 五", "1 亮提 柒"]


def codes(record: Record) -> set[str]:
    """Codes of all findings, also where the deal itself is wrong."""
    return {found.code for found in replay.replay_round(record).findings}


def owned(record: Record, seat: int) -> int:
    """Cards of the seat, in hand and on the table, after the last event."""
    ruleset = resolve(record.ruleset, record.options)
    machine = engine(ruleset)
    tables = [table for _, table in steps(seated(record, ruleset), machine)]
    return len(hand_cards(machine, seat) or ()) + sum(len(meld.cards) for meld in tables[-1].melds[seat])


@THREE
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_r2_1_the_seats_are_a_ring(ruleset: str, dealer: int) -> None:
    second, third = (dealer + 1) % 3, (dealer + 2) % 3
    moves = [f"{dealer} 打 九", f"{second} 摸 八", f"{third} 摸 捌", f"{dealer} 摸 陆", f"{second} 摸 肆"]
    clean(deal({}, moves, dealer=dealer, ruleset=ruleset))
    back = [moves[0], f"{third} 摸 八"]
    assert seen(deal({}, back, dealer=dealer, ruleset=ruleset)) == {("DRAW_ORDER", third)}
    # 下家 may 吃 what was played, 上家 may not.
    hands = {second: "五七", third: "五七"}
    found = after(hands, [f"{dealer} 打 六"], dealer=dealer, ruleset=ruleset)
    assert {move.split()[0] for move in found if "吃" in move} == {str(second)}


@BOTH
def test_r2_2_any_first_dealer(ruleset: str) -> None:
    for dealer in range(3):
        record = deal({}, [f"{dealer} 打 九"], dealer=dealer, ruleset=ruleset)
        clean(record)
        for number, expected in ((1, False), (2, True)):
            won = deal({1: READY}, ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"], ruleset=ruleset)
            before = msgspec.structs.replace(won, session="s", round_no=1)
            later = msgspec.structs.replace(record, session="s", round_no=number)
            rounds = [later] if number == 1 else [before, later]
            report = check_session([(each, replay_round(each)) for each in rounds])
            wrong = "WRONG_DEALER" in str(report)
            assert wrong == (expected and dealer != 1)


@THREE
def test_r2_3_twenty_cards_each_and_nineteen_in_the_wall(ruleset: str) -> None:
    record = deal({}, ["0 打 九", "1 摸 八"], ruleset=ruleset)
    clean(record)
    first, second, third = record.hands
    assert second is not None
    assert record.wall is not None
    one_less = msgspec.structs.replace(record, hands=(first, second[1:], third))
    assert codes(one_less) == {"HAND_COUNT"}
    short = msgspec.structs.replace(record, wall=record.wall[:-1])
    assert codes(short) == {"WALL_MISMATCH"}
    # The dealer owns one card more than the others.
    dealt = with_moves(record, [])
    assert [owned(dealt, seat) for seat in range(3)] == [21, 20, 20]


@THREE
def test_r2_4_the_liang_enters_the_dealers_hand(ruleset: str) -> None:
    clean(deal({}, ["0 打 七", "1 摸 八"], liang="七", ruleset=ruleset, avoid={0: "七"}, add_missing=False))
    for held, code in (("五五", "CHAI_KAN"), ("五五五", "CHAI_TI")):
        record = deal({0: held}, [], liang="五", ruleset=ruleset)
        assert not any(move.startswith("0 偎") for move in legal(record))
        assert ("0 亮提 五" in legal(record)) == (code == "CHAI_TI" and ruleset != "guilin")
        assert (code, 0) in faults(with_moves(record, ["0 打 五"]))
        assert owned(record, 0) == 21
    assert ("BAD_PASS", 0) in faults(deal({}, ["0 过", "0 打 九"], liang="七", ruleset=ruleset))
    record = deal({}, ["0 打 九"], liang="七", ruleset=ruleset)
    first, *others = record.hands
    assert first is not None
    told = msgspec.structs.replace(record, hands=((*first, names.parse_one("七")), *others))
    assert codes(told) == set()
    lost = next(
        kind for kind in range(20) if kind not in (6, 8) and sum(hand.count(kind) for hand in told.hands if hand) < 4
    )
    wrong = msgspec.structs.replace(record, hands=((*first, lost), *others))
    assert "LIANG_MISMATCH" in codes(wrong)


@THREE
@pytest.mark.parametrize(("held", "claim"), [("五五", "碰"), ("五五五", "跑"), ("四六", "吃 五 四六")])
def test_r2_5_nobody_takes_the_liang(ruleset: str, held: str, claim: str) -> None:
    record = deal({1: held}, [], liang="五", ruleset=ruleset)
    assert {move[:3] for move in legal(record)} == {"0 打"}
    assert ("CLOSED_CLAIM", 1) in faults(with_moves(record, [f"1 {claim}"]))
    announced = claim.split()[0]
    assert ("CLOSED_CLAIM", 1) in faults(with_moves(record, [f"1 求 {announced} 五"]))
    assert not faults(with_moves(record, ["1 求 胡"]))


@BOTH
def test_r2_6_the_order_of_the_opening(ruleset: str) -> None:
    hands = {0: "玖玖玖玖", 1: READY}
    record = deal(hands, [], liang="四", ruleset=ruleset)
    assert legal(record) == {"1 胡", "0 亮提 玖"}
    laid = ["0 亮提 玖"]
    assert {move[:3] for move in legal(with_moves(record, laid))} == {"1 胡", "0 打"}
    clean(with_moves(record, [*laid, "0 打 一"]))
    assert ("HU_SOURCE", 1) in faults(with_moves(record, [*laid, "0 打 一", "1 胡"]))
    assert ("SHI_TI", 0) in faults(with_moves(record, ["0 打 一", "0 亮提 玖"]))
    assert ("LIANG_SKIPPED", 0) in faults(deal(hands, [*laid, "1 摸 八"], liang="四", ruleset=ruleset))


KINDS = "一三五八伍捌"
PLENTY = {
    "3 提": (3, 0, True, True),
    "2 提 3 坎": (2, 3, True, False),
    "1 提 4 坎": (1, 4, True, False),
    "5 坎": (0, 5, True, True),
    "2 提 2 坎": (2, 2, False, False),
    "4 坎": (0, 4, False, False),
    "1 提 3 坎": (1, 3, False, False),
}


def plenty(quads: int, kan: int, less: int = 0) -> str:
    text = "".join(kind * 4 for kind in KINDS[:quads]) + "".join(kind * 3 for kind in KINDS[quads : quads + kan])
    return text[: len(text) - less]


@THREE
@pytest.mark.parametrize("name", PLENTY)
@pytest.mark.parametrize("dealer", [0, 1])
def test_r2_7_three_ti_or_five_kan(ruleset: str, name: str, dealer: int) -> None:
    quads, kan, wins, exact = PLENTY[name]
    if ruleset == "guilin":  # 12.5
        wins = exact
    # Of the dealer's cards the 亮张 is one.
    liang = plenty(quads, kan)[-1] if dealer == 1 else "柒"
    record = deal({1: plenty(quads, kan, less=int(dealer == 1))}, [], liang=liang, dealer=dealer, ruleset=ruleset)
    offered = "1 胡" in legal(record)
    assert offered == wins
    won = with_moves(record, ["1 胡 -"])
    if ruleset == "guilin" and quads - (quads == 3 and dealer) == 2:  # two 提 in 20 cards: one card more (12.2)
        won = extra_card(won, 1)
    if not wins:
        assert {"ZHA_HU_SHAPE", "HU_SOURCE"} & codes(won)
    else:
        assert settled(won).winner == 1
        assert (legal(record) == {"1 胡"}) == (ruleset != "hu15")
        laid = [f"1 亮提 {kind}" for kind in KINDS[:quads]]
        missed = deal({1: plenty(quads, kan)}, [*laid, "0 打 贰"], liang="柒", ruleset=ruleset)
        assert ("TIANHU1_MISSED" in codes(missed)) == (ruleset != "hu15")


@BOTH
def test_r2_8_three_ti_win_without_being_laid(ruleset: str) -> None:
    hands = {1: plenty(3, 0)}
    score = settled(deal(hands, ["1 胡 -"], ruleset=ruleset))
    assert sorted(group[2] for group in score.groups if group[0] == Form.TI) == [9, 9, 9]
    assert ("1 亮提 一" in after(hands, [], ruleset=ruleset)) == (ruleset == "hu15")


@THREE
def test_r2_9_dealer_then_next_then_previous(ruleset: str) -> None:
    first, second = plenty(3, 0), "二二二二九九九九玖玖玖玖"
    for dealer in range(3):
        for one, other in ((0, 1), (0, 2), (1, 2)):
            record = deal({one: first, other: second}, [], dealer=dealer, liang="柒", ruleset=ruleset)
            ahead, behind = sorted((one, other), key=lambda seat: (seat - dealer) % 3)
            clean(with_moves(record, [f"{ahead} 胡 -"]))
            if ruleset != "hu15":
                assert legal(record) == {f"{ahead} 胡"}
                assert ("WRONG_PRIORITY", behind) in faults(with_moves(record, [f"{behind} 胡 -"]))
            else:
                claimed = [f"{ahead} 求 胡", f"{behind} 胡 -"]
                assert ("WRONG_PRIORITY", behind) in faults(with_moves(record, claimed))


def test_r2_9_compulsory_kan_go_before_a_complete_hand() -> None:
    hands = {0: READY, 2: "二二二二三三三三玖玖玖玖"}
    record = deal(hands, [], liang="四")
    assert legal(record) == {"2 胡"}
    clean(with_moves(record, ["2 胡 -"]))
    assert seen(with_moves(record, ["0 胡"])) == {("WRONG_PRIORITY", 0)}


def test_r2_9_optional_kan_go_before_a_complete_hand_too() -> None:
    hands = {0: READY, 2: "二二二二三三三三玖玖玖玖"}
    record = deal(hands, [], liang="四", ruleset="hu15")
    clean(with_moves(record, ["0 求 胡", "2 胡 -"]))
    assert seen(with_moves(record, ["2 求 胡", "0 胡"])) == {("WRONG_PRIORITY", 0)}


@THREE
@pytest.mark.parametrize("winner", [0, 1, 2])
def test_r2_10_a_win_on_the_liang(ruleset: str, winner: int) -> None:
    record = deal({winner: READY}, [], liang="四", ruleset=ruleset)
    may = ruleset != "guilin" or winner == 0
    assert (f"{winner} 胡" in legal(record)) == may
    won = with_moves(record, [f"{winner} 胡"])
    if not may:
        assert seen(won) == {("HU_SOURCE", winner)}
        return
    score = settled(won)
    assert (score.winner, score.huxi) == (winner, 15)
    assert score.special == "天胡"
    if ruleset != "guilin":  # (30 − 12) / 3 + 1 in qq, 1 and one for 自摸 in hu15
        assert score.units == {"qq": 7, "hu15": 2}[ruleset]
    # Elsewhere than in guilin it may be declined.
    assert ("MISSING_EVENT" in codes(with_moves(record, ["0 打 六"]))) == (ruleset == "guilin")


LIANG_GROUPS = {
    # the hand without the 亮张 伍; form and 胡息 of the group of 伍 for the dealer and for another
    "pair": ("一二三四四肆陆柒捌叁叁叁玖玖九八八捌伍伍", ("KAN", 6), ("PENG", 3)),
    "坎": ("一二三四四肆陆柒捌叁叁叁捌玖拾伍伍伍八八", ("TI", 12), ("PAO", 9)),
}


@BOTH
@pytest.mark.parametrize("name", LIANG_GROUPS)
def test_r2_11_what_the_liang_makes(ruleset: str, name: str) -> None:
    hand, own, other = LIANG_GROUPS[name]
    for dealer, expected in ((True, own), (False, other)):
        value = replay.evaluate_hand(hand, (), "伍", "liang", ruleset, {"min_huxi": 6}, dealer=dealer)
        assert value.complete
        found = [(Form(form).name, huxi) for form, cards, huxi in value.groups if set(cards) == {14}]
        assert found == [expected]


@BOTH
def test_r2_11_another_may_break_the_pao_the_dealer_may_not(ruleset: str) -> None:
    hand = "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"
    assert replay.evaluate_hand(hand, (), "二", "liang", ruleset).huxi == 18
    assert not replay.evaluate_hand(hand, (), "二", "liang", ruleset, dealer=True).complete
    for dealer, wins in ((0, True), (1, False)):
        assert ("1 胡" in after({1: hand}, [], liang="二", dealer=dealer, ruleset=ruleset)) == wins


@THREE
def test_r2_12_the_dealers_ti_does_not_shut_out_the_others(ruleset: str) -> None:
    ready = "一一一捌捌捌拾拾拾四五六七八九三四五伍陆"
    found = after({0: "肆肆肆", 2: ready}, [], liang="肆", ruleset=ruleset)
    assert ("2 胡" in found) == (ruleset != "guilin")
    if ruleset != "guilin":
        assert settled(deal({0: "肆肆肆", 2: ready}, ["2 胡"], liang="肆", ruleset=ruleset)).winner == 2


@BOTH
def test_r2_13_the_dealer_lays_before_the_first_discard(ruleset: str) -> None:
    hands = {0: "五五五五"}
    clean(deal(hands, ["0 亮提 五", "0 打 九", "1 摸 八"], ruleset=ruleset))
    assert seen(deal(hands, ["0 打 九", "1 摸 八"], ruleset=ruleset)) == {("SHI_TI", 0)}


@pytest.mark.parametrize(("ruleset", "late"), [("qq", True), ("hu15", False), ("guilin", False)])
def test_r2_13_when_the_others_must_have_laid(ruleset: str, late: bool) -> None:
    start = ["0 打 贰", "1 摸 八", "2 摸 捌"]
    # The unclaimed draw is no intake.
    laid = deal({1: "五五五五"}, [*start, "1 亮提 五", "0 摸 陆", "1 摸 肆"], ruleset=ruleset)
    if ruleset == "guilin":
        assert "SHI_TI" not in codes(laid)
    else:
        assert faults(laid) == ({("SHI_TI", 1)} if late else set())
    eaten = deal({1: "五五五五"}, ["0 打 贰", "1 吃 贰 壹叁", "1 打 十"], ruleset=ruleset)
    assert (("SHI_TI", 1) in faults(eaten)) == (ruleset != "guilin")
    legal_first = {move.split()[1] for move in after({1: "五五五五"}, [], ruleset=ruleset)}
    assert legal_first == ({"打"} if ruleset == "guilin" else {"亮提"})


DUE = {
    "dealer": ({}, [], 0, 1),
    "dealer, one 提": ({0: "五五五五"}, ["0 亮提 五"], 0, 1),
    "dealer, two 提": ({0: "五五五五伍伍伍伍"}, ["0 亮提 五", "0 亮提 伍"], 0, 0),
    "吃": ({}, ["0 打 贰", "1 吃 贰 壹叁"], 1, 1),
    "first 跑": ({1: "五五五"}, ["0 打 五", "1 跑"], 1, 1),
    "first 提": ({1: "五五五"}, ["0 打 九", "1 摸 五", "1 提"], 1, 1),
    "跑 after 提": ({1: "五五五五伍伍伍"}, ["1 亮提 五", "0 打 伍", "1 跑"], 1, 0),
    "吃 after two 提": (TWO, [*TWO_LAID, "0 打 贰", "1 吃 贰 壹叁"], 1, 0),
    "跑 after two 提": ({1: TWO[1] + "九九九"}, [*TWO_LAID, "0 打 九", "1 跑"], 1, -1),
}


@BOTH
@pytest.mark.parametrize("name", DUE)
def test_r2_14_when_a_discard_is_due(ruleset: str, name: str) -> None:
    hands, moves, seat, due = DUE[name]
    record = deal(hands, moves, ruleset=ruleset)
    clean(record)
    acts = {move.split()[1] for move in legal(record)}
    assert acts == ({"打"} if due == 1 else {"摸"})
    quads = sum("提" in move or "跑" in move for move in moves if move.startswith(str(seat)))
    assert owned(record, seat) - 20 - max(0, quads - 1) == due


REST = {
    "nothing": ({}, ["0 打 九", "1 摸 八"], 20),
    "one quad": ({1: "五五五"}, ["0 打 五", "1 跑", "1 打 十"], 20),
    "two quads": ({1: "五五五伍伍伍"}, ["0 打 五", "1 跑", "1 打 十", "2 摸 伍", "1 跑"], 21),
    "debt": (TWO, [*TWO_LAID, "0 打 九"], 20),
    "debt paid": (TWO, [*TWO_LAID, "0 打 贰", "1 吃 贰 壹叁"], 21),
    "debt paid, one more": (
        TWO,
        [*TWO_LAID, "0 打 贰", "1 吃 贰 壹叁", "2 摸 八", "0 摸 四", "1 摸 捌", "1 吃 捌 玖拾", "1 打 十"],
        21,
    ),
}


@BOTH
@pytest.mark.parametrize("name", REST)
def test_r2_15_how_many_cards_one_owns_at_rest(ruleset: str, name: str) -> None:
    hands, moves, number = REST[name]
    record = deal(hands, moves, ruleset=ruleset)
    clean(record)
    assert owned(record, 1) == number


@THREE
def test_r2_16_the_dealer_discards_first(ruleset: str) -> None:
    record = deal({0: "五五五五"}, [], ruleset=ruleset)
    laid = [] if ruleset == "guilin" else ["0 亮提 五"]
    found = legal(with_moves(record, laid))
    assert found
    assert all(move.startswith("0 打") for move in found)
    assert seen(deal({}, ["1 摸 八"], ruleset=ruleset)) == {("LIANG_SKIPPED", 0)}
    assert ("WRONG_TURN", 1) in faults(deal({}, ["1 打 八"], ruleset=ruleset))


@THREE
@pytest.mark.parametrize(("held", "liang"), [("五五五五伍伍伍伍", "七"), ("五五五五伍伍伍", "伍")])
def test_r2_17_a_dealer_with_two_ti_does_not_discard(ruleset: str, held: str, liang: str) -> None:
    laid = [] if ruleset == "guilin" else ["0 亮提 五", "0 亮提 伍"]
    draws = deal({0: held}, [*laid, "1 摸 八", "2 摸 捌"], liang=liang, ruleset=ruleset)
    throws = deal({0: held}, [*laid, "0 打 九", "1 摸 八"], liang=liang, ruleset=ruleset)
    if ruleset == "guilin":  # 12.3
        if liang == "七":  # 12.2
            draws = extra_card(draws, 0)
        assert ("LIANG_SKIPPED", 0) in faults(draws)
        assert liang == "七" or faults(throws) == set()
        return
    clean(draws)
    assert ("WRONG_TURN", 1) in faults(deal({0: held, 1: "十"}, [*laid, "1 打 十"], liang=liang, ruleset=ruleset))
    assert seen(throws) == {("BAKUAI_DISCARD", 0)}


FREE = {
    "吃": ("", ["0 打 贰", "1 吃 贰 壹叁"]),
    "碰": ("九九", ["0 打 九", "1 碰"]),
    "偎": ("九九", ["0 打 贰", "1 摸 九", "1 偎"]),
}


@BOTH
@pytest.mark.parametrize("act", FREE)
def test_r2_18_the_first_intake_is_free(ruleset: str, act: str) -> None:
    held, moves = FREE[act]
    hands = {1: TWO[1] + held}
    clean(deal(hands, [*TWO_LAID, *moves, "2 摸 八"], ruleset=ruleset))
    assert seen(deal(hands, [*TWO_LAID, *moves, "1 打 十"], ruleset=ruleset)) == {("BAKUAI_DISCARD", 1)}
    # The second intake is not.
    more = [*TWO_LAID, *moves, "2 摸 八", "0 摸 四", "1 摸 捌", "1 吃 捌 玖拾"]
    clean(deal(hands, [*more, "1 打 十"], ruleset=ruleset))
    assert seen(deal(hands, [*more, "2 摸 一"], ruleset=ruleset)) == {("MISSING_DISCARD", 1)}


@BOTH
@pytest.mark.parametrize(("act", "moves"), [("跑", ["0 打 九", "1 跑"]), ("提", ["0 打 贰", "1 摸 九", "1 提"])])
def test_r2_18_a_quad_leaves_the_debt_standing(ruleset: str, act: str, moves: list[str]) -> None:
    hands = {1: TWO[1] + "九九九"}
    start = [*TWO_LAID, *moves, "2 摸 八", "0 摸 四", "1 摸 捌", "1 吃 捌 玖拾"]
    clean(deal(hands, [*start, "2 摸 一"], ruleset=ruleset))
    assert seen(deal(hands, [*start, "1 打 十"], ruleset=ruleset)) == {("BAKUAI_DISCARD", 1)}


@pytest.mark.parametrize(("dealer", "debt"), [(0, 2), (1, 1)])
def test_r2_18_the_debt_of_three_ti(dealer: int, debt: int) -> None:
    hands = {1: "五五五五柒柒柒柒九九九九"}
    start = ["0 打 一"] if dealer == 0 else ["2 摸 八", "0 摸 一"]
    moves = [*TWO_LAID, "1 亮提 九", *start, "1 摸 贰", "1 吃 贰 壹叁"]
    moves += ["2 摸 六", "0 摸 四", "1 摸 捌", "1 吃 捌 玖拾"]
    if debt == 1:
        missing = deal(hands, [*moves, "2 摸 十"], dealer=dealer, ruleset="hu15")
        assert seen(missing) == {("MISSING_DISCARD", 1)}
        return
    clean(deal(hands, [*moves, "2 摸 十"], dealer=dealer, ruleset="hu15"))
    assert seen(deal(hands, [*moves, "1 打 十"], dealer=dealer, ruleset="hu15")) == {("BAKUAI_DISCARD", 1)}


@BOTH
def test_r2_19_no_win_by_shape_in_debt(ruleset: str) -> None:
    assert replay.waits("一二三六七八贰叁肆四四陆", ["提 九", "提 拾"], ruleset) == {}
    # The free intake brings the card that is missing.
    paid = replay.waits("一二三六七八四四伍陆", ["提 九", "提 拾", "吃 贰叁肆"], ruleset)
    assert {card for card, _ in paid} == {"肆", "柒"}
    hands = {1: TWO[1] + "一二三六七八贰叁肆四四陆"}
    drawn = [*TWO_LAID, "0 打 壹", "1 摸 九", "2 摸 陆", "1 胡"]
    assert seen(deal(hands, drawn, ruleset=ruleset)) == {("ZHA_HU_SHAPE", 1)}


@BOTH
def test_r2_19_no_win_on_the_liang_with_two_ti(ruleset: str) -> None:
    hands = {0: "五五五五柒柒柒柒一二三六七八贰叁四四肆肆"}
    record = deal(hands, [], liang="陆", ruleset=ruleset)
    assert "0 胡" not in legal(record)
    assert seen(with_moves(record, ["0 胡"])) == {("ZHA_HU_SHAPE", 0)}
    quads = deal({0: "五五五五柒柒柒柒九九九"}, ["0 胡"], liang="九", ruleset=ruleset)
    assert settled(quads).winner == 0


def test_r2_20_who_leaves_tianhu_plays_on_with_the_debt() -> None:
    hands = {1: "五五五五柒柒柒柒九九九九"}
    laid = [*TWO_LAID, "1 亮提 九"]
    record = deal(hands, ["1 过", *laid, "0 打 贰", "1 吃 贰 壹叁", "2 摸 八"], ruleset="hu15")
    clean(record)
    assert ("SHI_TI", 1) in faults(deal(hands, ["1 过", "0 打 贰", "1 吃 贰 壹叁"], ruleset="hu15"))
    discard = [*laid, "0 打 贰", "1 吃 贰 壹叁", "1 打 十"]
    assert seen(deal(hands, discard, ruleset="hu15")) == {("BAKUAI_DISCARD", 1)}
    kan = deal({1: plenty(0, 5)}, ["1 过", "0 打 贰", "1 吃 贰 壹叁", "1 打 十"], ruleset="hu15")
    clean(kan)
    assert "TIANHU1_MISSED" not in {found.code for found in findings(kan)}


@BOTH
def test_r2_4_a_wall_that_lists_the_liang_tells_it(ruleset: str) -> None:
    record = deal({1: "四六"}, ["0 打 五", "1 吃 五 四六", "1 打 十"], ruleset=ruleset, avoid={1: "五"}, complete=False)
    assert record.liang is not None
    assert record.wall is not None
    listed = msgspec.structs.replace(record, liang=None, wall=(record.liang, *record.wall))
    told, plain = (replay.replay_round(one) for one in (listed, record))
    assert told.undecidable == plain.undecidable == ("record stops after event 2",)
    assert told.findings == plain.findings == ()
    unknown = msgspec.structs.replace(record, liang=None)
    assert "亮张 is unknown" in replay.replay_round(unknown).undecidable
