"""罚则 letter by letter, what becomes of a void win, reported penalties, and the price of leaving."""

from __future__ import annotations

import itertools

import pytest

from ingest.cards import parse
from ingest.codes import Form
from ingest.record import Penalty, Result
from replay.escape import escape_loss, escape_points, most_huxi
from replay.findings import Finding
from replay.penalties import LETTERS, TARIFF, Charge, charged, is_void, misapplied, penalties
from replay.rulesets import Ruleset, resolve
from replay.violations import VIOLATIONS

BISAI = resolve("bisai", {})
QQ = resolve("qq", {})


def offence(code: str, seat: int = 0, seq: int = 5, actual: str = "", root: int | None = None) -> Finding:
    return Finding(seq, code, seat, 2, "", "", actual, root)


def letters(*findings: Finding, ruleset: Ruleset = BISAI) -> list[tuple[int, str]]:
    return [(charge.seat, charge.letter) for charge in penalties(findings, ruleset)]


def banned(void_win: str, *earlier: Finding) -> list[tuple[int, str]]:
    return letters(*earlier, offence("HU_BANNED", seq=9), ruleset=resolve("bisai", {"void_win": void_win}))


def test_tv83_each_letter_is_paid_in_full_to_three_others() -> None:
    paid = {letter: charged((0, 0, 0, 0), [Charge(1, letter, 0)]) for letter in TARIFF}
    assert paid == {
        "A": (10, -30, 10, 10),
        "B": (5, -15, 5, 5),
        "C": (3, -9, 3, 3),
        "D": (2, -6, 2, 2),
        "E": (1, -3, 1, 1),
    }


@pytest.mark.parametrize(("code", "letter"), sorted(LETTERS.items()))
def test_r14_6_each_offence_has_its_letter(code: str, letter: str) -> None:
    assert letters(offence(code)) == [(0, letter)]
    assert letters(offence(code, actual="0 胡 五")) == [(0, "A" if code in ("CHAI_KAN", "CHAI_TI") else letter)]
    assert VIOLATIONS[code].severity == 2


def test_r14_6_without_a_xing_jia_the_offender_pays_for_two() -> None:
    assert charged((0, 0, 0), [Charge(2, "A", 0)]) == (10, 10, -20)
    assert charged((1, -1), [Charge(0, "E", 0)]) == (0, 0)


def test_r14_6_offences_add_up_each_time_they_occur() -> None:
    charges = penalties([offence("CHOU_CHI", 1, 8), offence("ZOU_PAO", 0, 4), offence("CHOU_CHI", 1, 6)], BISAI)
    assert charges == (Charge(0, "B", 4), Charge(1, "E", 6), Charge(1, "E", 8))
    assert charged((0, 0, 0, 0), charges) == (-15 + 2, 5 - 6 + 0, 5 + 2, 5 + 2)


def test_r14_6_a_broken_kan_costs_only_when_a_win_shows_it() -> None:
    assert letters(offence("CHAI_KAN", actual="0 打 五")) == []
    assert letters(offence("CHAI_KAN", actual="0 胡 五")) == [(0, "A")]
    assert letters(offence("CHAI_TI", actual="0 胡 五")) == [(0, "A")]


def test_r14_6_only_offences_of_players_that_stand_for_themselves_count() -> None:
    assert letters(offence("ZOU_PAO", root=0)) == []
    assert letters(offence("ZOU_PAO", seat=-1)) == []
    assert letters(Finding(3, "ZOU_PAO", 0, 3, "", "", "")) == []


@pytest.mark.parametrize("name", ["qq", "hu15", "guilin", "luzhou"])
def test_r14_6_other_games_have_no_penalties(name: str) -> None:
    assert letters(offence("ZOU_PAO"), ruleset=resolve(name, {})) == []


def test_tv05_r14_8_a_missed_ti_is_added_to_the_win_of_another() -> None:
    """Seats: dealer 0, 下家 1, 醒家 2, 上家 3, who wins 18 戏 自摸红胡."""
    charges = penalties([offence("SHI_TI", 0)], BISAI)
    assert charged((-8, -8, 4, 12), charges) == (-17, -5, 7, 15)
    assert not is_void(charges, 3)


def test_tv07_r14_8_a_missed_pao_is_added_to_the_win_of_another() -> None:
    points = charged((-2, -2, 2, 2), penalties([offence("ZOU_PAO", 1)], BISAI))
    assert points == (3, -17, 7, 7)
    assert sum(points) == 0


def test_tv04_r14_8_huang_and_penalties_are_added() -> None:
    assert charged((-2, 0, 2, 0), ()) == (-2, 0, 2, 0)
    assert charged((-2, 0, 2, 0), penalties([offence("ZOU_PAO", 3)], BISAI)) == (3, 5, 7, -15)


def test_tv08_r14_7_a_win_of_too_little_is_void_and_pays_letter_a() -> None:
    charges = penalties([offence("ZHA_HU_XI", 0)], BISAI)
    assert is_void(charges, 0)
    assert charged((0, 0, 0, 0), charges) == (-30, 10, 10, 10)


def test_r14_9_a_banned_win_pays_what_the_option_says() -> None:
    missed = offence("ZOU_PAO", seq=4)
    assert banned("specific", missed) == [(0, "B")]
    assert banned("A", missed) == [(0, "A")]
    assert banned("max", missed) == [(0, "A")]
    assert banned("both", missed) == [(0, "B"), (0, "A")]


def test_r14_9_the_dearer_of_several_offences_and_of_the_false_win() -> None:
    missed = [offence("ZOU_PAO", seq=seq) for seq in (2, 4)]
    assert banned("max", *missed) == [(0, "A")]
    assert banned("max", *missed, offence("CHOU_CHI", seq=5)) == [(0, "B"), (0, "B"), (0, "E")]
    assert banned("A", *missed, offence("CHOU_CHI", seq=5)) == [(0, "A")]


def test_r14_9_others_and_what_comes_after_are_left_alone() -> None:
    other, later = offence("SHI_TI", seat=1, seq=3), offence("SHAO_BI", seq=11)
    assert banned("A", other, offence("ZOU_PAO", seq=4), later) == [(1, "C"), (0, "A"), (0, "D")]


def test_r14_9_an_offence_without_letter_makes_a_false_win_only_where_a_kan_was_broken() -> None:
    assert banned("specific", offence("SHI_WEI", seq=4)) == []
    assert banned("specific", offence("CHAI_KAN", seq=4, actual="0 打 五")) == [(0, "A")]
    assert banned("specific", offence("CHAI_KAN", seat=1, seq=4, actual="1 打 五")) == []
    assert banned("both", offence("SHI_WEI", seq=4)) == [(0, "A")]


def test_r14_9_with_play_going_on_each_claim_counts() -> None:
    for void_win, due in (("A", ["A", "A"]), ("both", ["B", "A", "A"]), ("specific", ["B"])):
        ruleset = resolve("bisai", {"void_win": void_win, "void_ends": False})
        claims = (offence("ZOU_PAO", seq=1), offence("HU_BANNED", seq=5), offence("HU_BANNED", seq=9))
        assert [letter for _, letter in letters(*claims, ruleset=ruleset)] == due


def test_r14_10_offences_without_a_letter_get_the_one_that_is_named() -> None:
    bare = ("SHI_WEI", "GE_SHAN", "BAKUAI_DISCARD", "CHOUWEI_HIDDEN", "DEAD_CLAIM")
    assert [letters(offence(code)) for code in bare] == [[]] * len(bare)
    ruleset = resolve("bisai", {"letters": ("SHI_WEI=C", "CHAI_KAN=E")})
    assert letters(offence("SHI_WEI"), ruleset=ruleset) == [(0, "C")]
    assert letters(offence("CHAI_KAN", actual="0 打 五"), offence("HU_BANNED", seq=9), ruleset=ruleset) == [(0, "E")]
    assert letters(offence("GE_SHAN"), ruleset=ruleset) == []


DUE = (Charge(0, "C", 5), Charge(1, "E", 7))


@pytest.mark.parametrize(
    ("reported", "pairs"),
    [
        (((0, "C", (-9, 3, 3, 3)), (1, "E", (1, -3, 1, 1))), []),
        (((1, "E", (1, -3, 1, 1)), (0, "C", (-9, 3, 3, 3))), []),
        (((0, "C", (-9, 3, 3, 3)),), [("1 E 1 -3 1 1", "")]),
        (((0, "C", (-6, 3, 3, 0)), (1, "E", (1, -3, 1, 1))), [("0 C -9 3 3 3", "0 C -6 3 3 0")]),
        (((0, "B", (-15, 5, 5, 5)), (1, "E", (1, -3, 1, 1))), [("0 C -9 3 3 3", "0 B -15 5 5 5")]),
        (((3, "C", (3, 3, 3, -9)), (1, "E", (1, -3, 1, 1))), [("", "3 C 3 3 3 -9"), ("0 C -9 3 3 3", "")]),
        (((1, "E", (1, -3, 1, 1)),) * 2, [("", "1 E 1 -3 1 1"), ("0 C -9 3 3 3", "")]),
        ((), [("0 C -9 3 3 3", ""), ("1 E 1 -3 1 1", "")]),
    ],
)
def test_r14_11_reported_penalties_are_compared(
    reported: tuple[tuple[int, str, tuple[int, ...]], ...], pairs: list[tuple[str, str]]
) -> None:
    result = Result(penalties=tuple(Penalty(*penalty) for penalty in reported))
    assert misapplied(result, DUE, 4) == pairs


def test_r14_11_nothing_is_said_where_no_penalties_were_reported() -> None:
    assert misapplied(Result(points=(0, 0, 0, 0)), DUE, 4) == []


def test_r15_1_the_person_who_sits_out_has_no_part_in_payments() -> None:
    assert charged((0, 0, 0, 0), [Charge(0, "E", 0)], idle=2) == (-2, 1, 0, 1)
    assert misapplied(Result(penalties=()), [Charge(0, "E", 0)], 4, idle=2) == [("0 E -2 1 0 1", "")]


# 逃跑


@pytest.mark.parametrize(("total", "loss"), [(12, 24), (15, 27), (42, 54), (43, 54), (10, 24), (9, 21), (0, 12)])
def test_tv17_r10_16_what_the_leaver_loses(total: int, loss: int) -> None:
    assert escape_loss(total, QQ) == loss


def test_r10_16_the_quotient_may_be_cut_downwards() -> None:
    floor = resolve("qq", {"escape": "floor"})
    assert [escape_loss(total, floor) for total in (9, 10, 11, 12, 43)] == [21, 21, 21, 24, 54]
    assert escape_loss(40, resolve("hu15", {})) == 0
    assert escape_loss(12, resolve("qq", {"base_points": 1})) == 8


def test_r10_16_only_the_leaver_pays_and_nobody_receives() -> None:
    assert escape_points(1, 3, (9, 6), QQ) == (0, -27, 0)


def test_r9_6_unfinished_cards_count_their_best_groups() -> None:
    melds = [(Form.PENG, (4, 4, 4), 1), (Form.SHUN, (2, 3, 4), 0)]
    assert most_huxi(parse("一二三五六"), [], QQ) == 3
    assert most_huxi(parse("一二三二七十壹贰叁"), [], QQ) == 12
    assert most_huxi(parse("一二三七十"), [], QQ) == 3  # one 二 makes one group
    assert most_huxi(parse("伍伍伍玖玖玖玖四四"), melds, QQ) == 1 + 6 + 12
    assert most_huxi(parse("二二二一三"), [], QQ) == 3  # a 坎 is not broken for 一二三
    assert most_huxi([], [], QQ) == 0


def test_r9_6_no_grouping_of_loose_cards_is_worth_more() -> None:
    """Against every choice of disjoint triples among some hands."""
    groups = [parse(text) for text in ("一二三", "二七十", "壹贰叁", "贰柒拾")]
    worth = (3, 3, 6, 6)
    for text in ("一一二二三三七七十十", "一二二三七十壹贰贰叁柒拾", "贰贰壹叁叁柒拾拾", "二七十一三"):
        hand = parse(text)
        best = 0
        for times in itertools.product(range(3), repeat=4):
            used = [card for group, n in zip(groups, times, strict=True) for card in group * n]
            if all(used.count(card) <= hand.count(card) for card in used):
                best = max(best, sum(n * huxi for n, huxi in zip(times, worth, strict=True)))
        assert most_huxi(hand, [], QQ) == best
