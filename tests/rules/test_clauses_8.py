"""The clauses of chapter 8 of docs/rules.md, one by one: winning."""

from __future__ import annotations

from typing import Any

import pytest

import replay
from ingest.cards import CHARS, parse_one
from ingest.codes import Form
from ingest.record import Result
from replay.engine import engine
from replay.rulesets import resolve
from replay.simulate import Player, sessions
from tests.rules.build import deal
from tests.rules.check import BOTH, clean, faults, findings, seen, settled
from tests.rules.legal import legal

SEVEN = ["qq", "hu15", "guilin", "bisai", "luzhou", "ningxiang"]
EACH = pytest.mark.parametrize("ruleset", SEVEN)
WALL = ("own_draw", "other_draw")

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 short of 15 胡息."""
BREAKS = "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"
"""One 二 short of 18 胡息, the 坎 of 二 kept; a 跑 or 提 of it leaves no whole hand."""
BARE = {"laid": "四五六壹壹一八九十一三柒柒柒伍伍伍", "held": "四五六壹壹一八九十一三柒柒柒伍伍伍二二二"}


def value(cards: str, card: str | None = None, source: str | None = None, *melds: str, **more: Any) -> Any:
    return replay.evaluate_hand(cards, melds=melds, win_card=card, source=source, **more)


def group(found: Any, card: str) -> tuple[str, int]:
    """The form and 胡息 of the one group of equal copies of a card, 将 left out."""
    kind = parse_one(card)
    same = [(Form(form).name, huxi) for form, cards, huxi in found.groups if set(cards) == {kind} and len(cards) > 2]
    assert len(same) <= 1
    return same[0] if same else ("", 0)


def test_r8_1_a_win_takes_the_open_card_and_ends_the_round() -> None:
    won = ["0 打 拾", "1 摸 捌", "2 摸 二"]
    record = deal({1: BREAKS}, won)
    assert "1 胡" in legal(record)
    score = settled(deal({1: BREAKS}, [*won, "1 胡"]))
    assert (score.winner, CHARS[score.card], score.from_seat) == (1, "二", 2)
    assert legal(deal({1: BREAKS}, [*won, "1 胡"])) == set()
    assert ("CLOSED_CLAIM", 1) in faults(deal({1: BREAKS}, [*won, "0 摸 陆", "1 胡 二"]))


@pytest.mark.parametrize("ruleset", list(replay.RULESETS))
def test_r8_2_only_some_rulesets_let_a_discard_be_won(ruleset: str) -> None:
    may = ruleset in ("guilin", "luzhou", "general")
    assert replay.RULESETS[ruleset].win_discard == may
    if ruleset == "general":
        return
    for source, wins in (("own_draw", True), ("other_draw", True), ("discard", may)):
        assert value(READY, "四", source, ruleset=ruleset).wins == wins
    thrown = ["0 打 十", "1 摸 八", "2 摸 捌", "2 吃 捌 柒玖", "2 打 四"]
    record = deal({1: READY.replace("十十拾", "七七柒")}, [*thrown, "1 胡"], ruleset=ruleset, avoid={1: "捌"})
    assert ("HU_SOURCE" in {code for code, _ in faults(record)}) == (not may)


@EACH
def test_r8_3_seven_groups_no_more_no_fewer(ruleset: str) -> None:
    six = "一二三四五六七八九壹贰叁肆伍陆柒捌玖"
    assert not value(six, ruleset=ruleset).complete
    assert value(six + "十十拾", ruleset=ruleset).complete
    assert not value(six + "十十拾七八九", ruleset=ruleset).complete
    assert not value(six + "十十捌", ruleset=ruleset).complete
    for source in WALL:  # a group of equal cards with the winning card counts as the others do
        assert value(six + "十十", "十", source, ruleset=ruleset).complete
        assert not value(six[3:] + "十十", "十", source, ruleset=ruleset).complete
        assert not value(six + "七八九十十", "十", source, ruleset=ruleset).complete


@EACH
def test_r8_4_a_jiang_exactly_with_a_quad(ruleset: str) -> None:
    five = "一二三四五六七八九壹贰叁肆伍陆"
    assert value(five + "十十", None, None, "跑 捌", ruleset=ruleset).complete
    assert value(five + "十十", None, None, "提 捌", ruleset=ruleset).complete
    assert not value(five + "十拾", None, None, "跑 捌", ruleset=ruleset).complete  # 掉将
    assert not value(five + "十十拾", None, None, "跑 捌", ruleset=ruleset).complete
    assert not value(five + "柒柒", None, None, "碰 捌", ruleset=ruleset).complete
    assert not value(five[:-3] + "十十柒柒", None, None, "跑 捌", "跑 玖", ruleset=ruleset).complete


@pytest.mark.parametrize("least", [6, 9, 10, 15, 18, 21])
def test_r8_5_the_least_huxi(least: int) -> None:
    for ruleset, usual in (("qq", 15), ("hu15", 15), ("guilin", 10), ("luzhou", 10)):
        assert replay.RULESETS[ruleset].min_huxi == usual
    for cards, card, huxi in ((READY, "四", 15), (BREAKS, "二", 18)):
        found = value(cards, card, "other_draw", options={"min_huxi": least})
        assert (found.complete, found.huxi, found.wins) == (True, huxi, huxi >= least)
    record = deal({1: READY}, ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"], options={"min_huxi": least})
    assert faults(record) == (set() if least <= 15 else {("ZHA_HU_XI", 1)})


@EACH
def test_r8_6_kan_and_ti_in_hand_are_never_split(ruleset: str) -> None:
    rest = "四五六七八九肆伍陆柒捌玖"
    assert not value("一一二二二三三贰贰" + rest, ruleset=ruleset).complete  # 一二三 一二三 二贰贰
    assert value("一一二二三三贰贰贰" + rest, ruleset=ruleset).complete
    kept = value("二二二壹贰叁一三四五六七八九肆伍陆捌玖拾", "二", "other_draw", ruleset=ruleset)
    assert (kept.complete, group(kept, "二")[0]) == (True, "KAN")
    ti = value("五五五五四六四六伍肆肆壹贰叁柒捌玖七八九十十", ruleset=ruleset)
    assert not ti.complete  # 四五六 四五六 五五伍
    laid = value("五五五五一二三壹贰叁柒捌玖七八九四四肆十十", ruleset=ruleset)
    assert (laid.complete, group(laid, "五")[0]) == (True, "TI")


@EACH
def test_r8_7_groups_on_the_table_stay(ruleset: str) -> None:
    rest = "壹贰叁肆伍陆柒捌玖七八九十十拾"
    assert value("一二六" + rest, "三", "own_draw", ruleset=ruleset).complete is False
    assert value("一二三四五六" + rest, ruleset=ruleset).complete
    # The same cards, but 三四五 lies on the table and 一二六 are left.
    assert not value("一二六" + rest, None, None, "吃 三四五", ruleset=ruleset).complete
    # A tabled 碰 gives no card to a 顺.
    assert value("一二二二三七八九" + rest[:12], ruleset=ruleset).complete is False
    assert not value("一三" + rest + "八", None, None, "碰 二", ruleset=ruleset).complete


@EACH
def test_r8_8_what_the_card_makes_of_a_pair(ruleset: str) -> None:
    cards = "五五五八八一二三伍陆柒捌玖拾五六七九九玖".replace("五六七", "四五六").replace("五五五", "贰贰贰")
    for source, form in (("own_draw", "WEI"), ("other_draw", "PENG")):
        assert group(value(cards, "八", source, ruleset=ruleset), "八")[0] == form
    spread = "四四六六五五伍伍壹贰叁柒捌玖七八九十十拾"
    other = value(spread, "五", "other_draw", ruleset=ruleset)  # 四五六 四五六 五伍伍
    assert (other.complete, group(other, "五")) == (True, ("", 0))
    assert not value(spread, "五", "own_draw", ruleset=ruleset).complete


@EACH
@pytest.mark.parametrize("laid", ["", "偎", "臭偎"])
def test_r8_9_the_fourth_of_a_kan_or_wei(ruleset: str, laid: str) -> None:
    rest = "一二三四五六陆柒捌七八九玖玖" + "伍伍伍"
    melds = (f"{laid} 叁",) if laid else ()
    for source, form in (("own_draw", "TI"), ("other_draw", "PAO")):
        found = value(rest + ("" if laid else "叁叁叁"), "叁", source, *melds, ruleset=ruleset)
        assert (found.complete, group(found, "叁")[0]) == (True, form)


@EACH
def test_r8_10_a_tabled_peng_becomes_pao_from_the_wall_only(ruleset: str) -> None:
    rest = "一二三四五六陆柒捌七八九玖玖伍伍伍"
    for source in WALL:
        assert group(value(rest, "叁", source, "碰 叁", ruleset=ruleset), "叁")[0] == "PAO"
    assert not value(rest, "叁", "discard", "碰 叁", ruleset=ruleset).complete


@EACH
@pytest.mark.parametrize(
    ("part", "card", "group_cards"),
    [
        ("四五十十", "六", "四五六"),
        ("二七四四", "十", "二七十"),
        ("四肆十十", "四", "四四肆"),
        ("四五六十", "十", "十十"),
    ],
)
@pytest.mark.parametrize("source", WALL)
def test_r8_11_otherwise_the_card_is_free(ruleset: str, part: str, card: str, group_cards: str, source: str) -> None:
    found = value(part + "壹贰叁肆伍陆柒捌玖一三二", card, source, "跑 拾", ruleset=ruleset)
    texts = ["".join(sorted(CHARS[c] for c in cards)) for _, cards, _ in found.groups]
    assert found.complete
    assert "".join(sorted(group_cards)) in texts


@EACH
@pytest.mark.parametrize("form", ["坎", "偎", "臭偎", "碰"])
def test_r8_12_a_shown_card_may_break_the_own_pao(ruleset: str, form: str) -> None:
    hand, melds = (BARE["held"], ()) if form == "坎" else (BARE["laid"], (f"{form} 二",))
    found = value(hand, "二", "other_draw", *melds, ruleset=ruleset)
    assert (found.complete, group(found, "二")[0]) == (
        True,
        {"坎": "KAN", "偎": "WEI", "臭偎": "CHOU_WEI"}.get(form, "PENG"),
    )


@EACH
def test_r8_12_a_win_goes_before_the_pao_of_another(ruleset: str) -> None:
    hands, start = {0: "四四四", 1: READY}, ["0 打 拾", "1 摸 八", "2 摸 四"]
    assert "1 胡" in legal(deal(hands, start, ruleset=ruleset))
    assert settled(deal(hands, [*start, "1 胡"], ruleset=ruleset, wall_end="玖")).winner == 1


@pytest.mark.clause("4.8")
@BOTH
def test_r8_12_a_pao_over_an_announced_win_is_out_of_order(ruleset: str) -> None:
    hands, start = {0: "四四四", 1: READY}, ["0 打 拾", "1 摸 八", "2 摸 四"]
    assert ("WRONG_PRIORITY", 0) in faults(deal(hands, [*start, "1 求 胡", "0 跑", "0 打 九"], ruleset=ruleset))


@EACH
def test_r8_13_an_own_draw_breaks_no_kan_no_wei_no_pair(ruleset: str) -> None:
    assert not value(BARE["held"], "二", "own_draw", ruleset=ruleset).complete
    for form in ("偎", "臭偎"):
        assert not value(BARE["laid"], "二", "own_draw", f"{form} 二", ruleset=ruleset).complete
    found = value(BARE["laid"], "二", "own_draw", "碰 二", ruleset=ruleset)  # 跑 may be broken
    assert (found.complete, group(found, "二")[0]) == (True, "PENG")


@BOTH
def test_r8_13_the_claim_is_an_offence(ruleset: str) -> None:
    assert seen(deal({1: BREAKS}, ["0 打 拾", "1 摸 二", "1 胡"], ruleset=ruleset)) == {("PO_TI", 1)}
    pair = "四四六六五五伍伍壹贰叁柒柒柒捌捌捌拾拾拾"
    assert value(pair, "五", "other_draw", ruleset=ruleset).wins
    assert seen(deal({1: pair}, ["0 打 九", "1 摸 五", "1 胡"], ruleset=ruleset)) == {("PO_WEI", 1)}


TI_HU = "叁叁叁拾拾一二三四五六伍陆柒七七七九九玖"  # 18 with the 提, 15 with the 跑
WEI_HU = "伍伍伍一二三八八柒捌玖五六七九九玖四四四"  # 15 with the 偎


@BOTH
@pytest.mark.parametrize(("cards", "card", "form", "huxi"), [(TI_HU, "叁", "提", 18), (WEI_HU, "八", "偎", 15)])
def test_r8_14_the_own_ti_or_wei_may_be_won_and_else_is_laid(
    ruleset: str, cards: str, card: str, form: str, huxi: int
) -> None:
    start = ["0 打 十", f"1 摸 {card}"]
    score = settled(deal({1: cards}, [*start, "1 胡"], ruleset=ruleset))
    assert (score.winner, score.huxi) == (1, huxi)
    assert {"1 胡", f"1 {form} {card}"} <= legal(deal({1: cards}, start, ruleset=ruleset))
    throw = "1 打 玖"
    clean(deal({1: cards}, [*start, f"1 {form}", throw], ruleset=ruleset))
    for moves in ([*start, "2 摸 陆"], [*start, "1 过", "2 摸 陆"]):
        missed = {"提": "SHI_TI", "偎": "SHI_WEI"}[form]
        assert (missed, 1) in faults(deal({1: cards}, moves, ruleset=ruleset))


@BOTH
@pytest.mark.parametrize(("held", "act"), [("四四", "偎"), ("四四四", "提")])
def test_r8_15_nobody_wins_on_anothers_ti_or_wei(ruleset: str, held: str, act: str) -> None:
    hands = {1: READY, 2: held}
    start = ["0 打 拾", "1 摸 八", "2 摸 四"]
    assert legal(deal(hands, start, ruleset=ruleset)) == {f"2 {act} 四"}
    assert ("HU_SOURCE", 1) in faults(deal(hands, [*start, "1 胡"], ruleset=ruleset))
    assert ("CLOSED_CLAIM", 1) in faults(deal(hands, [*start, f"2 {act}", "1 胡 四"], ruleset=ruleset))


def test_r8_15_the_liang_of_the_dealers_ti_excepted() -> None:
    score = settled(deal({0: "四四四", 1: READY}, ["1 胡"], liang="四"))
    assert (score.winner, score.source) == (1, 4)


@EACH
def test_r8_16_passed_and_own_discarded_kinds_may_be_won(ruleset: str) -> None:
    hand = {1: READY.replace("伍陆", "伍四")}
    own = ["0 打 陆", "1 吃 陆 肆伍", "1 打 四", "2 摸 八", "0 摸 七"]
    won = deal(hand, [*own, "1 摸 四", "1 胡"], ruleset=ruleset, wall_end="玖")
    if ruleset == "guilin":  # the eaten 陆 was to be won or left (12.15)
        assert seen(won) == {("CLOSED_CLAIM", 1)}
        return
    assert settled(won).winner == 1
    eaten = deal(hand, [*own, "1 摸 四", "1 吃 四 五六", "1 打 十"], ruleset=ruleset, wall_end="玖")
    assert ("CHOU_CHI", 1) in faults(eaten)
    passed = ["0 打 四", "1 过", "1 摸 八", "2 摸 四", "1 胡"]
    assert settled(deal({1: READY}, passed, ruleset=ruleset, wall_end="玖")).winner == 1


BEST = "一二三壹壹贰贰叁叁捌捌捌五六七十十拾伍陆"


@EACH
def test_r8_17_the_split_of_the_most_huxi_counts(ruleset: str) -> None:
    found = value(BEST, "柒", "other_draw", ruleset=ruleset)
    kan = {"luzhou": 9}.get(ruleset, 6)
    assert found.huxi == 3 + 2 * 6 + kan  # 一二三 and twice 壹贰叁; not 一壹壹 二贰贰 三叁叁


def test_r8_17_among_equals_the_one_with_more_fan() -> None:
    melds = ("跑 捌", "偎 玖", "偎 二", "偎 四", "碰 九")
    # 碰 五 with the 将 伍, or 五伍伍 with the 将 五: worth the same where a 碰 is worth nothing.
    found = value("五五伍伍", "五", "other_draw", *melds, options={"huxi_peng": (0, 0)})
    assert (found.huxi, group(found, "五")) == (21, ("PENG", 0))
    assert "对对胡" in found.fan


@pytest.mark.parametrize("least", [15, 21])
def test_r8_18_tianhu_needs_neither_shape_nor_minimum(least: int) -> None:
    five = "一一一四四四五五五八八八九九九壹叁伍柒玖"
    assert not value(five, ruleset="qq").complete
    found = value(five, tianhu=True, options={"min_huxi": least})
    assert (found.wins, found.huxi) == (True, 15)
    score = settled(deal({1: five}, ["1 胡 -"], options={"min_huxi": least}))
    assert (score.winner, score.huxi) == (1, 15)


@EACH
@pytest.mark.parametrize("held", ["坎", "偎", "碰"])
def test_r8_19_the_second_quad_never_completes(ruleset: str, held: str) -> None:
    # Owning 20 with a quad laid; the fourth 五 would make seven groups but for one card.
    cards = "一二三七八九壹贰叁肆伍陆拾" + ("五五五" if held == "坎" else "")
    melds = ("提 捌",) + (() if held == "坎" else (f"{held} 五",))
    for source in WALL:
        assert not value(cards, "五", source, *melds, ruleset=ruleset).complete
        assert not value(cards.replace("拾", ""), "五", source, *melds, ruleset=ruleset).complete


@pytest.mark.parametrize("ruleset", SEVEN)
def test_r8_20_how_many_cards_a_win_has(ruleset: str) -> None:
    players = [Player("甲"), Player("乙"), Player("丙")]
    wins = quads_seen = 0
    for record in sessions(engine(resolve(ruleset)), 8, 120, players):
        score = replay.replay_round(record).score
        if score is None or score.winner < 0 or score.special == "三提五坎":
            continue
        quads = sum(len(cards) == 4 for _, cards, _ in score.groups)
        assert sum(len(cards) for _, cards, _ in score.groups) == (20 + quads if quads else 21)
        assert len(score.groups) == 7
        wins, quads_seen = wins + 1, quads_seen + (quads > 0)
    assert wins >= 3


def test_r8_20_a_card_more_or_less_is_no_hand() -> None:
    whole = "一二三四五六七八九壹贰叁肆伍陆十十"
    assert value(whole, None, None, "跑 捌").complete
    for wrong in (whole[:-1], whole + "玖", whole + "玖玖玖"):
        assert not value(wrong, None, None, "跑 捌").complete


VOID = {
    "ZHA_HU_SHAPE": ({1: READY}, ["0 打 拾", "1 摸 八", "2 摸 二", "1 胡"]),
    "ZHA_HU_XI": ({1: WEI_HU}, ["0 打 拾", "1 摸 十", "2 摸 八", "1 胡"]),
    "HU_SOURCE": ({1: READY}, ["0 打 四", "1 胡"]),
    "PO_TI": ({1: BREAKS}, ["0 打 拾", "1 摸 二", "1 胡"]),
}


@BOTH
@pytest.mark.parametrize("code", VOID)
def test_r8_21_a_void_win_pays_nothing_and_ends_the_round(ruleset: str, code: str) -> None:
    hands, moves = VOID[code]
    told = Result(winner=1, points=(-6, 12, -6))
    record = deal(hands, moves, ruleset=ruleset, result=told)
    assert (code, 1) in seen(record)
    outcome = replay.replay_round(record)
    assert outcome.verdict == "violations"
    assert outcome.score is None or not any(outcome.score.points)
    assert legal(record) == set()
    assert "EVENT_AFTER_END" in {found.code for found in findings(deal(hands, [*moves, "0 摸 陆"], ruleset=ruleset))}
