"""The oracle's state machine on positions of the rules. Numbers in comments are those of the rules' test vectors."""

from __future__ import annotations

import pytest

from ingest.codes import NO_CARD, NO_SEAT, Action, Form
from tests.oracle.deals import actions, card, cards, deal, do, event, position
from tests.oracle.seats import Event, discard_due

HUNAN = ("bisai", "qq", "hu15", "ningxiang")
LOOSE = "s1 s9 s10 b1 b3"  # joins nothing that these tests play with
DISCARD, DRAW, CHI, PENG, PAO = Action.DISCARD, Action.DRAW, Action.CHI, Action.PENG, Action.PAO
WEI, CHOU_WEI, TI, TI_OPEN, HU = Action.WEI, Action.CHOU_WEI, Action.TI, Action.TI_OPEN, Action.HU
PASS, HUANG, BU = Action.PASS, Action.HUANG, Action.BU
END = Event(NO_SEAT, HUANG, NO_CARD)
HU_BEFORE = NO_CARD
READY = ("s1×3 s4 s5 s6 b3×2 s8 s9 s10 b8×2 s8", "碰 b6, 偎 b9")  # waits for 叁: 15 胡息, own draw 18


def hand(*kinds: str) -> str:
    return " ".join(kinds)


# The opening


def test_a_dealer_with_21_cards_discards_a_card_of_no_kan() -> None:
    game = deal("qq", ["s4×3", "", ""], "b4")
    assert {one.action for one in game.legal()} == {DISCARD}
    assert event(0, DISCARD, "s4") not in game.legal()
    assert event(0, DISCARD, "b4") in game.legal()


@pytest.mark.parametrize("ruleset", ["bisai", "qq", "hu15", "luzhou", "ningxiang"])
def test_dealt_quads_are_laid_before_anything_else(ruleset: str) -> None:  # 58
    """An 闲 with two of them makes no discard after the first intake, and one after the second."""
    game = deal(ruleset, ["b1 b8 s8", "s4×4 b4×4 s8×2 s1 s2 s6 s10 b1 b2 b7 b8 b9 b10", ""], "b6", "s9 s10")
    assert game.legal() == {event(1, TI_OPEN, "s4"), event(1, TI_OPEN, "b4")}
    do(game, 1, TI_OPEN, "b4")
    do(game, 1, TI_OPEN, "s4")
    assert {one.action for one in game.legal()} == {DISCARD}
    assert game.view(1)["discard_due"] == -1
    do(game, 0, DISCARD, "s8")
    do(game, 1, PENG, "s8")
    assert game.legal() == {event(2, DRAW, "s9")}
    assert game.view(1)["discard_due"] == 0


def test_the_liang_makes_a_quad_of_the_dealers_kan() -> None:
    """One quad dealt and one by the 亮张: no first discard, the next seat draws."""  # 60
    game = deal("qq", ["s4×4 b4×3", "", ""], "b4", "s9")
    do(game, 0, TI_OPEN, "s4")
    do(game, 0, TI_OPEN, "b4")
    assert game.legal() == {event(1, DRAW, "s9")}


def test_three_quads_win_at_once_in_qq() -> None:  # 59
    game = deal("qq", ["s4×4 b4×4 s8×3", "s1×4", ""], "s8")
    assert game.legal() == {Event(0, HU, HU_BEFORE)}
    game.apply(Event(0, HU, HU_BEFORE))
    result = game.result()
    assert (result["special"], sum(result["points"])) == ("tianhu_quads", 0)
    assert result["huxi"] >= 9 + 12 + 9


def test_three_quads_may_be_declined_in_hu15_and_count_nothing_in_bisai() -> None:
    game = deal("hu15", ["", "s4×4 b4×4 s8×4", ""], "s9")
    assert Event(1, HU, HU_BEFORE) in game.legal()
    assert {one.action for one in game.legal()} == {HU, TI_OPEN}
    for kind in ("s4", "b4", "s8"):
        do(game, 1, TI_OPEN, kind)
    assert {one.action for one in game.legal()} == {HU, DISCARD}
    assert game.view(1)["discard_due"] == -2
    bisai = deal("bisai", ["", "s4×4 b4×4 s8×4", ""], "s9")
    assert {one.action for one in bisai.legal()} == {TI_OPEN}


READY_20 = "s2×3 s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10"  # 二 of another: 18 胡息


def test_the_next_seat_wins_on_the_liang() -> None:  # 63, and 起手胡
    options = {"bisai": (18, (-2, 4, -2)), "qq": (18, (-27, 54, -27)), "hu15": (18, (-3, 6, -3))}
    for ruleset, (xi, points) in options.items():
        game = deal(ruleset, ["", READY_20, ""], "s2")
        assert Event(1, HU, HU_BEFORE) in game.legal()
        game.apply(Event(1, HU, HU_BEFORE))
        result = game.result()
        assert (result["special"], result["huxi"], result["points"]) == ("tianhu", xi, points)
    for ruleset in ("luzhou", "ningxiang", "guilin"):
        assert HU not in actions(deal(ruleset, ["", READY_20, ""], "s2"), 1)


def test_the_dealers_quad_does_not_stop_a_win_on_the_liang() -> None:  # 63
    ready = "s1 s2 s3 b1 b2 b3 b2 b7 b10 s8 s9 s4 s5 s6 b4×2 s4 b8×2 s8"
    game = deal("qq", ["s7×3", ready, ""], "s7")
    assert event(0, TI_OPEN, "s7") in game.legal()
    assert Event(1, HU, HU_BEFORE) in game.legal()
    do(game, 0, TI_OPEN, "s7")
    game.apply(Event(1, HU, HU_BEFORE))
    assert game.result()["huxi"] == 15


WHOLE_21 = "s1 s2 s3 b1 b2 b3 b2 b7 b10 s7 s8 s9 s4 s5 s6 b4×2 s4 b8×2"  # with 八: 3 + 6 + 6


@pytest.mark.parametrize(
    ("ruleset", "points"),
    [
        ("bisai", (4, -2, -2)),
        ("qq", (42, -21, -21)),
        ("hu15", (4, -2, -2)),
        ("luzhou", (4, -2, -2)),  # 胡息 3 + 6 + 9 = 18: one 等, 天胡 2 番
        ("ningxiang", (100, -50, -50)),  # 10 for 15 胡息, 天胡 5 番
    ],
)
def test_the_dealer_is_complete(ruleset: str, points: tuple[int, ...]) -> None:
    game = deal(ruleset, [WHOLE_21, "", ""], "s8")
    assert {one.action for one in game.legal()} == {HU, DISCARD}
    game.apply(Event(0, HU, HU_BEFORE))
    result = game.result()
    assert result["special"] == "tianhu"
    assert result["points"] == points


# Windows


@pytest.mark.parametrize("ruleset", ["bisai", "qq", "hu15", "guilin", "luzhou", "ningxiang"])
def test_who_may_eat(ruleset: str) -> None:  # 31, 32
    seats = [("s5", ""), (hand("s4 s6", LOOSE), ""), (hand("s4 s6 s5", LOOSE), "")]
    game = position(ruleset, seats, "s9 s5 s9")
    do(game, 0, DISCARD, "s5")
    assert event(1, CHI, "s5", "s4 s6") in game.legal()
    assert CHI not in actions(game, 2)
    drawn = position(ruleset, seats, "s5 b2", stage="draw")
    do(drawn, 0, DRAW, "s5")
    assert (CHI in actions(drawn, 1)) == (ruleset in ("qq", "guilin", "ningxiang"))
    own = position(ruleset, seats, "s5 b2", stage="draw", turn=1)
    do(own, 1, DRAW, "s5")
    assert event(1, CHI, "s5", "s4 s6") in own.legal()


def test_bi_is_laid_with_the_chi_or_not_at_all() -> None:  # 21, 26
    game = position("qq", [("b7", ""), (hand("b5 b6×2 b7 b8", LOOSE), ""), (LOOSE, "")], "s9")
    do(game, 0, DISCARD, "b7")
    wanted = {event(1, CHI, "b7", "b6 b8", "b5 b6 b7"), event(1, CHI, "b7", "b5 b6", "b6 b7 b8")}
    assert {one for one in game.legal() if one.action == CHI} == wanted
    do(game, 1, CHI, "b7", "b6 b8", "b5 b6 b7")
    assert [meld.form for meld in game.view(1)["melds"]] == [Form.SHUN, Form.SHUN]
    assert game.view(1)["discard_due"] < 1  # the position has fewer than 20 cards


def test_a_kan_is_not_taken_apart() -> None:  # 28
    game = position("qq", [("s5", ""), (hand("s4×3 s6", LOOSE), ""), ("", "")], "s9")
    do(game, 0, DISCARD, "s5")
    assert CHI not in actions(game, 1)


@pytest.mark.parametrize("ruleset", HUNAN)
def test_passed_kinds(ruleset: str) -> None:  # 64, 65, 67, 87
    """Seat 1 may 碰 and 吃 小五 and passes; later it may do neither (宁乡 too: both were passed), and 偎s openly."""
    mine = hand("s5×2 b5 s4 s6", LOOSE)
    game = position(ruleset, [("s5×2", ""), (mine, ""), (LOOSE, "")], "s9 s5 b9")
    do(game, 0, DISCARD, "s5")
    assert actions(game, 1) == {CHI, PENG, PASS, DRAW}
    do(game, 1, DRAW, "s9")
    assert game.view(1)["peng_passed"] == {card("s5")}
    assert game.view(1)["stale_chi"] == game.view(1)["stale_peng"] == {card("s5")}
    again = position(ruleset, [("s5", ""), (mine, ""), (LOOSE, "")], "s9")
    again.seats[1].stale_chi, again.seats[1].stale_peng = {card("s5")}, {card("s5")}
    do(again, 0, DISCARD, "s5")
    assert again.legal() == {event(1, DRAW, "s9")}
    third = position(ruleset, [("", ""), (mine, ""), (LOOSE, "")], "s5 b9", stage="draw", turn=1)
    third.seats[1].peng_passed = {card("s5")}
    do(third, 1, DRAW, "s5")
    assert third.legal() == {event(1, CHOU_WEI, "s5")}


def test_passing_is_told_apart_in_ningxiang_and_guilin() -> None:
    """Only 吃 was possible, so 碰 of that kind stays open there; jointly stale elsewhere."""
    for ruleset, barred in (("qq", True), ("ningxiang", False), ("guilin", False)):
        game = position(ruleset, [("s5", ""), (hand("s4 s6", LOOSE), ""), (LOOSE, "")], "b9")
        do(game, 0, DISCARD, "s5")
        do(game, 1, PASS, "s5")
        assert game.legal() == {event(1, DRAW, "b9")}
        do(game, 1, DRAW, "b9")
        assert game.view(1)["stale_chi"] == {card("s5")}
        assert (game.view(1)["stale_peng"] == {card("s5")}) == barred


def test_own_discards() -> None:  # 67
    for ruleset, peng in (("qq", False), ("bisai", False), ("ningxiang", True), ("guilin", True)):
        game = position(ruleset, [("s5", ""), (hand("s5×2 s4 s6", LOOSE), ""), (LOOSE, "")], "b9")
        game.seats[1].own_discards = {card("s5")}
        do(game, 0, DISCARD, "s5")
        assert CHI not in actions(game, 1)
        assert (PENG in actions(game, 1)) == peng


def test_a_card_that_another_takes_first_was_not_passed() -> None:  # 66, 85
    seats = [("s5", ""), (hand("s4 s6", LOOSE), ""), (hand("s5×2", "b1 b9"), "")]
    game = position("qq", seats, "b9")
    do(game, 0, DISCARD, "s5")
    do(game, 2, PENG, "s5")
    assert game.view(1)["stale_chi"] == frozenset()
    game = position("qq", seats, "b9")
    do(game, 0, DISCARD, "s5")
    do(game, 1, CHI, "s5", "s4 s6")
    assert game.view(2)["stale_chi"] == game.view(2)["peng_passed"] == {card("s5")}
    assert game.view(1)["stale_chi"] == frozenset()


def test_the_drawer_eats_before_the_next_seat() -> None:
    seats = [(hand("s4 s6", LOOSE), ""), (hand("s3 s4", LOOSE), ""), ("", "")]
    game = position("qq", seats, "s5 b9", stage="draw")
    do(game, 0, DRAW, "s5")
    do(game, 1, CHI, "s5", "s3 s4")
    assert (game.view(0)["stale_chi"], game.view(1)["stale_chi"]) == ({card("s5")}, frozenset())
    game = position("qq", seats, "s5 b9", stage="draw")
    do(game, 0, DRAW, "s5")
    do(game, 0, CHI, "s5", "s4 s6")
    assert (game.view(0)["stale_chi"], game.view(1)["stale_chi"]) == (frozenset(), frozenset())


@pytest.mark.parametrize("ruleset", ["bisai", "qq", "hu15", "guilin", "luzhou", "ningxiang"])
def test_pao_and_ti(ruleset: str) -> None:  # 68, 69, 70
    rest = hand("s4 s6", LOOSE)
    tabled = [("s5", ""), (rest, ""), ("b1 b2", "碰 s5")]
    game = position(ruleset, tabled, "b9")
    do(game, 0, DISCARD, "s5")
    assert PAO not in actions(game, 2)
    for turn in (0, 2):
        game = position(ruleset, tabled, "s5 b9", stage="draw", turn=turn)
        do(game, turn, DRAW, "s5")
        assert game.legal() - {event(1, PASS, "s5")} == {event(2, PAO, "s5")}
    for mine in (("b1 b2", "偎 s5"), ("b1 b2", "臭偎 s5"), ("s5×3 b1 b2", "")):
        game = position(ruleset, [("s5", ""), (rest, ""), mine], "b9")
        do(game, 0, DISCARD, "s5")
        assert game.legal() - {event(1, PASS, "s5")} == {event(2, PAO, "s5")}
        game = position(ruleset, [("", ""), (rest, ""), mine], "s5 b9", stage="draw", turn=2)
        do(game, 2, DRAW, "s5")
        assert game.legal() == {event(2, TI, "s5")}
        do(game, 2, TI, "s5")
        assert game.view(2)["melds"][0].form == Form.TI


@pytest.mark.parametrize("ruleset", HUNAN)
def test_no_discard_after_a_second_quad(ruleset: str) -> None:  # 71, 84
    mine = ("s3×3 b1 b2 b4 b5 b7 b9 s1 s5 s9", "碰 s2, 吃 b8 b9 b10")
    game = position(ruleset, [("s6", ""), mine, ("s3", "")], "s2 b3 b6", stage="draw")
    game.seats[1].held[card("s7")] += 1
    game.seats[1].held[card("s10")] += 1
    assert discard_due(game.rules, game.seats[1]) == 0
    do(game, 0, DRAW, "s2")
    do(game, 1, PAO, "s2")
    assert actions(game, 1) == {DISCARD}
    do(game, 1, DISCARD, "b4")
    do(game, 2, DRAW, "b3")
    do(game, 0, DRAW, "b6")
    game.wall += cards("s3 s8")
    game.stage, game.turn, game._legal = "draw", 0, None
    do(game, 0, DRAW, "s3")
    do(game, 1, PAO, "s3")
    assert game.legal() == {event(2, DRAW, "s8")}


def test_who_wins_first() -> None:  # 73, 76
    game = position("qq", [(LOOSE, ""), READY, READY], "b3 s10", stage="draw")
    do(game, 0, DRAW, "b3")
    assert {event(1, HU, "b3"), event(2, HU, "b3")} < game.legal()
    do(game, 1, HU, "b3")
    assert game.result()["winner"] == 1
    for ruleset in (*HUNAN, "luzhou"):
        game = position(ruleset, [("b3", ""), READY, READY], "s10")
        do(game, 0, DISCARD, "b3")
        assert (HU in actions(game, 1)) == (ruleset == "luzhou")


def test_a_drawn_pair_is_laid_or_wins() -> None:
    game = position("qq", [READY, READY, (LOOSE, "")], "b3 s10", stage="draw")
    do(game, 0, DRAW, "b3")
    assert game.legal() == {event(0, WEI, "b3"), event(0, HU, "b3")}
    do(game, 0, WEI, "b3")
    assert game.view(0)["discard_due"] == 1


def test_the_last_card() -> None:  # 74, 75
    game = position("qq", [(LOOSE, ""), READY, (LOOSE, "")], "b3", stage="draw")
    do(game, 0, DRAW, "b3")
    assert END in game.legal()
    do(game, 1, HU, "b3")
    assert game.result()["fan_names"] == {"点胡": 3, "海底": 2}
    luzhou = position("luzhou", [(LOOSE, ""), READY, (LOOSE, "")], "b3", stage="draw")
    do(luzhou, 0, DRAW, "b3")
    assert HU not in actions(luzhou, 1)
    game = position("bisai", [(LOOSE, ""), ("", ""), (LOOSE, "")], "b3", stage="draw", sitter=True)
    do(game, 0, DRAW, "b3")
    assert game.legal() == {END}
    game.apply(END)
    assert game.result()["points"] == (-2, 0, 0, 2)


def test_a_refused_win_bars_until_the_exposed_huxi_changes() -> None:
    seats = [(LOOSE, ""), READY, (LOOSE, "")]
    game = position("qq", seats, "b3 s10 b3 s8", stage="draw")
    do(game, 0, DRAW, "b3")
    do(game, 1, DRAW, "s10")
    assert game.seats[1].chouhu == {card("b3"): 9}
    do(game, 2, DRAW, "b3")
    assert HU not in actions(game, 1)
    game.seats[1].melds[0] = game.seats[1].melds[0]._replace(form=Form.KAN)
    game.options, game._legal = {}, None
    game._open(2, card("b3"), game.open_source)
    assert HU in actions(game, 1)
    for ruleset in ("bisai", "hu15", "ningxiang"):
        game = position(ruleset, seats, "b3 s10 b3 s8", stage="draw")
        do(game, 0, DRAW, "b3")
        do(game, 1, DRAW, "s10")
        do(game, 2, DRAW, "b3")
        assert HU in actions(game, 1)


SIX = "吃 s1 s2 s3, 吃 s1 s2 s3, 吃 s4 s5 s6, 吃 s4 s5 s6, 吃 b4 b5 b6, 吃 b4 b5 b6"


@pytest.mark.parametrize("ruleset", ["bisai", "qq", "hu15", "ningxiang", "luzhou"])
def test_dead_hands(ruleset: str) -> None:
    """Two cards left: they are not laid with a third, unless the seat's own draw forces it."""
    game = position(ruleset, [("b9", ""), ("b9×2", SIX), (LOOSE, "")], "s9 s10")
    do(game, 0, DISCARD, "b9")
    assert game.legal() - {event(1, PASS, "b9")} == {event(1, DRAW, "s9")} or ruleset == "luzhou"
    assert PENG not in actions(game, 1)
    game = position(ruleset, [("", ""), ("b9×2", SIX), (LOOSE, "")], "b9 s9", stage="draw", turn=1)
    do(game, 1, DRAW, "b9")
    assert game.legal() - {event(1, HU, "b9")} == {event(1, WEI, "b9")}
    do(game, 1, WEI, "b9")
    assert game.legal() == {event(2, DRAW, "s9")}
    assert game.view(1)["discard_due"] == 0
    assert game.view(1)["out"] == (ruleset == "ningxiang")


def test_luzhou_must_peng() -> None:
    seats = [("s5", ""), (hand("s4 s6", LOOSE), ""), (hand("s5×2", LOOSE), "")]
    game = position("luzhou", seats, "s9")
    do(game, 0, DISCARD, "s5")
    assert game.legal() == {event(2, PENG, "s5"), event(1, PASS, "s5")}
    game.seats[2].stale_peng = {card("s5")}
    game._open(0, card("s5"), game.open_source)
    game._legal = None
    assert event(1, CHI, "s5", "s4 s6") in game.legal()


def test_dihu() -> None:
    """Who may win on the dealer's first discard, and for how much."""
    rest = "b8 b9 s10"
    for ruleset, next_may, prev_may in (("qq", 0, 0), ("luzhou", 1, 1), ("ningxiang", 1, 0), ("guilin", 1, 1)):
        for seat, may in ((1, next_may), (2, prev_may)):
            hands = ["", "", ""]
            hands[seat] = READY_20
            game = deal(ruleset, hands, "s2", rest)
            do(game, 0, DISCARD, "s2")
            assert (event(seat, HU, "s2") in game.legal()) == bool(may), (ruleset, seat)
            if not may:
                continue
            game.apply(event(seat, HU, "s2"))
            result = game.result()
            special = "" if (ruleset, seat) == ("luzhou", 2) else "dihu"
            assert result["special"] == special
    assert game.legal() == set()


# guilin


def test_guilin_hands_win_by_themselves() -> None:
    game = deal("guilin", [WHOLE_21, "", ""], "s8")
    assert game.legal() == {Event(0, HU, HU_BEFORE)}
    game.apply(Event(0, HU, HU_BEFORE))
    assert (game.result()["units"], game.result()["points"]) == (4, (8, -4, -4))
    game = deal("guilin", ["", READY_20, ""], "s2", "b8 b9")
    do(game, 0, DISCARD, "s2")
    assert game.legal() == {event(1, HU, "s2")}
    game.apply(event(1, HU, "s2"))
    assert game.result()["points"] == (-8, 8, 0)  # 1 + 8 // 5 = 2 子, doubled, twice, by the dealer alone
    game = deal("guilin", ["", "s4×4 b4×4 s8×4", ""], "s9")
    assert game.legal() == {Event(1, HU, HU_BEFORE)}


def test_guilin_deals_an_extra_card_for_two_quads() -> None:
    game = deal("guilin", ["s4×4 b4×4", "s8×4 b8×4", ""], "s9", "b1 b2 b3")
    for seat, kind in ((0, "b1"), (1, "b2")):
        assert game.legal() == {event(seat, BU, kind)}
        do(game, seat, BU, kind)
    assert {one.action for one in game.legal()} == {DISCARD}
    assert [game.view(seat)["discard_due"] for seat in range(3)] == [1, 0, 0]


def test_guilins_dealer_discards_even_with_a_second_quad() -> None:
    game = deal("guilin", ["s4×4 b4×3", "", ""], "b4", "s9")
    assert actions(game, 0) == {DISCARD}
    game.apply(min(game.legal()))
    assert sum(game.view(0)["hand"]) == 20
    assert game.view(0)["discard_due"] == 0


def test_guilin_lays_dealt_quads_with_the_first_pao() -> None:
    mine = ("b4×4 s3×3 b1 b2 b5 b7 b9 s1 s5 s9 s6 s7", "吃 b8 b9 b10")
    game = position("guilin", [("s3", ""), mine, ("s2", "")], "b6 b8")
    do(game, 0, DISCARD, "s3")
    assert game.legal() == {event(1, PAO, "s3")}
    do(game, 1, PAO, "s3")
    assert game.legal() == {event(1, TI_OPEN, "b4")}
    do(game, 1, TI_OPEN, "b4")
    assert game.legal() == {event(2, DRAW, "b6")}


def test_a_refused_win_kills_a_window_of_guilin() -> None:
    """The first able seat alone is asked; after its refusal nobody takes the card, not even to 跑, nor passes it."""
    kan = (hand("s5×2 s7 b3×2", LOOSE), "")
    game = position("guilin", [("b3", ""), READY, kan], "s10")
    do(game, 0, DISCARD, "b3")
    assert game.legal() == {event(1, HU, "b3"), event(1, PASS, "b3"), event(1, DRAW, "s10")}
    do(game, 1, PASS, "b3")
    assert game.legal() == {event(1, DRAW, "s10")}
    do(game, 1, DRAW, "s10")
    assert game.view(2)["stale_peng"] == frozenset()
    own = position("guilin", [READY, READY, kan], "b3 s10", stage="draw")
    do(own, 0, DRAW, "b3")
    assert own.legal() == {event(0, HU, "b3"), event(0, PASS, "b3"), event(1, DRAW, "s10")}


def test_guilin_drops_dead_acts() -> None:
    game = position("guilin", [("", ""), ("b9×2", SIX), (LOOSE, "")], "b9 s9", stage="draw", turn=1)
    game.seats[1].melds[0] = game.seats[1].melds[2]  # too few 胡息 to win
    game.seats[1].melds[1] = game.seats[1].melds[2]
    do(game, 1, DRAW, "b9")
    assert game.legal() == {event(2, DRAW, "s9")}
    # One of two 吃 would leave nothing to discard: neither is offered.
    five = "吃 s4 s5 s6, 吃 s4 s5 s6, 吃 b4 b5 b6, 吃 b4 b5 b6, 吃 b1 b2 b3"
    seats = [("s2", ""), ("s1 s2 s3 b2×2", five), (LOOSE, "")]
    for ruleset, offered in (("qq", {event(1, CHI, "s2", "s2 b2")}), ("guilin", set())):
        game = position(ruleset, seats, "s9")
        do(game, 0, DISCARD, "s2")
        assert {one for one in game.legal() if one.action == CHI} == offered


# general


def test_general_draws_into_the_hand() -> None:
    game = deal("general", ["s4×4", "", ""], "b9", "b1 b2")
    assert TI_OPEN not in {one.action for one in game.legal()}
    assert event(0, DISCARD, "s4") in game.legal()
    do(game, 0, DISCARD, "b9")
    do(game, 1, DRAW, "b1")
    assert actions(game, 1) - {HU} == {DISCARD}
    assert game.view(1)["discard_due"] == 1


def test_general_makes_up_for_a_quad() -> None:
    mine = "s4×3 b4×3 b1 b3 b6 b8 b10 s1 s3 s6 s8 s10 s7 s7 b9 b10"
    game = position("general", [("b4", ""), (mine, ""), ("", "")], "s4 b2 b5", stage="draw", turn=1)
    do(game, 1, DRAW, "s4")
    assert event(1, TI, "s4") in game.legal()
    do(game, 1, TI, "s4")
    assert game.legal() == {event(1, DRAW, "b2")}
    do(game, 1, DRAW, "b2")
    assert actions(game, 1) == {DISCARD}
    do(game, 1, DISCARD, "b2")
    game.stage, game.turn, game._legal = "discard", 0, None
    do(game, 0, DISCARD, "b4")
    assert actions(game, 1) == {PAO, PASS, DRAW}
    do(game, 1, PAO, "b4")
    assert game.legal() == {event(1, DRAW, "b5")}
    assert game.view(1)["discard_due"] == 0


def test_general_claims() -> None:
    """吃 by the next seat and of 顺 only; nothing is barred, not even an own discard; a 坎 may be used."""
    mine = "s4×3 s6 s2 s7 s10 b5×2 b1"
    game = position("general", [("s5 s2", ""), (mine, ""), ("s4 s6 s5×2", "")], "s9")
    game.seats[1].own_discards = {card("s5")}
    do(game, 0, DISCARD, "s5")
    chi = {one for one in game.legal() if one.action == CHI}
    assert chi == {event(1, CHI, "s5", "s4 s6")} | {event(1, CHI, "s5", "s6 s7")}
    assert actions(game, 2) == {PENG, PASS}
    do(game, 2, PASS, "s5")
    do(game, 1, PASS, "s5")
    assert game.legal() == {event(1, DRAW, "s9")}
    game = position("general", [("s2", ""), (mine, ""), ("", "")], "s9")
    do(game, 0, DISCARD, "s2")
    assert CHI not in actions(game, 1)


def test_general_wins() -> None:
    ready = "s1 s2 s3 s4 s5 s6 s7 s8 s9 b1×3 b5 b6 b7 b9×3 s10 b2"
    for seats in (2, 3):
        hands = [("s10", ""), (ready, ""), ("", "")][:seats]
        game = position("general", hands, "s10 b3")
        do(game, 0, DISCARD, "s10")
        game.seats[1].turns = 2
        game._open(0, card("s10"), game.open_source)
        game._legal = None
        do(game, 1, HU, "s10")
        assert game.result()["points"] == (-1, 1, 0)[:seats]
        game = position("general", hands, "s10 b3", stage="draw", turn=1)
        do(game, 1, DRAW, "s10")
        do(game, 1, HU, "s10")
        result = game.result()
        assert (result["special"], result["factor"]) == ("dihu", 8)  # 自摸 2 × 地胡 4
        assert sum(result["points"]) == 0


def test_general_ends_without_a_card_to_make_up() -> None:
    game = position("general", [("b4", ""), ("b4×3 b1 b2", ""), ("", "")])
    do(game, 0, DISCARD, "b4")
    do(game, 1, PAO, "b4")
    assert game.legal() == {END}
    game.apply(END)
    assert game.result()["points"] == (0, 0, 0)
