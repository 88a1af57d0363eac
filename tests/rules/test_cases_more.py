"""Faults that other programs had, in the rulesets beside qq, hu15 and guilin; and that each case has its test.

The case id is in the name, as in ``test_cases`` and ``test_cases_play``.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

import replay
from ingest.cards import CHARS, parse, parse_one
from ingest.codes import Form
from ingest.record import Ratio, Record, Result
from replay.timeline import timeline
from tests.oracle.cards import CHARACTERS, KINDS
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled

TESTS = Path(__file__).resolve().parent.parent

OTHERS = pytest.mark.parametrize("ruleset", ["bisai", "luzhou", "ningxiang"])
"""luzhou shows no 亮张 and its bottom card is black."""
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)


def names() -> set[str]:
    """The ids in the names of all tests: ``test_b06_b09_declining`` is of B06 and B09."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update(one.upper() for one in re.findall(r"(?<=_)[bn]\d\d(?=_|$)", node.name))
    return found


def test_every_case_has_a_test(shared: Path) -> None:
    lines = (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {json.loads(line)["id"] for line in lines}
    assert len(cases) == len(lines) >= 41
    assert cases - names() == set()


def value(cards: str, card: str | None, source: str | None, *melds: str, ruleset: str, **more: Any) -> Any:
    return replay.evaluate_hand(cards, melds=melds, win_card=card, source=source, ruleset=ruleset, **more)


def play(hands: dict[int, str], moves: list[str], ruleset: str, **more: Any) -> Record:
    """A deal whose last wall card is black."""
    return deal(hands, moves, ruleset=ruleset, **({"wall_end": "玖"} | more))


# Values


def worth(found: Any, card: str) -> list[tuple[str, int]]:
    kind = parse_one(card)
    return [(Form(form).name, huxi) for form, cards, huxi in found.groups if len(cards) > 2 and set(cards) == {kind}]


@OTHERS
def test_b01_a_kan_stays_a_kan(ruleset: str) -> None:
    found = value("六六六壹壹壹七八贰叁肆陆陆捌玖拾", "六", "other_draw", "跑 五", ruleset=ruleset)
    assert found.complete
    assert worth(found, "六") == [("KAN", 6 if ruleset == "luzhou" else 3)]


def test_b07_fractions_of_zi_are_reported() -> None:
    """12 胡息 with 2 醒 are 3 子, not 3.4."""
    hand = "壹壹壹捌捌捌七八九五六贰叁肆肆伍陆十十拾"  # 12 with the 四
    options = {"xing": ("zhong",), "zi_step": 5}
    won = ["0 打 一", "1 摸 八", "2 摸 四", "1 胡"]

    def told(result: Result | None) -> Record:  # 肆 is turned: two hits
        return deal({1: hand}, won, ruleset="guilin", options=options, wall_front="八四肆", result=result)

    right = settled(told(None))
    assert (right.huxi, right.xing_hits, right.units) == (12, 2, 3)
    clean(told(Result(winner=1, huxi=12, units=Ratio(12, 4))))
    assert faults(told(Result(winner=1, huxi=12, units=Ratio(17, 5)))) == {("WRONG_SCORE", 1)}


@OTHERS
def test_b09_the_win_comes_before_the_pao(ruleset: str) -> None:
    found = value("三三三四四四五五五六六六八八八九九", "一", "other_draw", "碰 一", ruleset=ruleset)
    assert (found.complete, worth(found, "一")[0][0]) == (True, "PAO")


@pytest.mark.parametrize("ruleset", list(replay.RULESETS))
def test_b10_five_copies_are_refused(ruleset: str) -> None:
    for cards, card, melds in (("五五捌捌贰柒拾", None, ["碰 五"]), ("五五五五", "五", []), ("五五五五五", None, [])):
        with pytest.raises(replay.HandError, match="五"):
            value(cards, card, "own_draw" if card else None, *melds, ruleset=ruleset)


def exposed(record: Record, seat: int) -> list[int]:
    return [frame["huxi"][seat] for frame in timeline(record)["frames"]]


@pytest.mark.parametrize(("ruleset", "steps"), [("hu15", (3, 6, 9)), ("bisai", (3, 6, 9)), ("luzhou", (9, 15, 18))])
def test_b12_the_total_on_the_table_after_a_pao(ruleset: str, steps: tuple[int, ...]) -> None:
    """碰 贰 and 偎 九, then 跑 九: the 偎 is replaced, the total is that of both groups."""
    moves = ["0 打 贰", "1 碰", "1 打 一", "2 摸 十", "0 摸 八", "1 摸 九", "1 偎", "1 打 拾", "2 摸 九", "1 跑"]
    record = play({1: "贰贰九九"}, moves, ruleset, options={"peng_forced": False})
    assert seen(record) == set()
    found = exposed(record, 1)
    assert [found[3], found[9], found[-1]] == list(steps)


@OTHERS
@pytest.mark.parametrize("kind", [kind for kind in KINDS if int(kind[1:]) < 9])
def test_b18_what_a_run_of_three_is_worth_on_the_table(ruleset: str, kind: str) -> None:
    card = CHARACTERS[kind]
    rank = int(kind[1:])
    row = CHARS[:10] if card in CHARS[:10] else CHARS[10:]
    at = row.index(card)
    moves = [f"0 打 {card}", f"1 吃 {card} {row[at + 1]}{row[at + 2]}"]
    record = play({1: ""}, moves, ruleset, wall_end="玖" if card not in "柒捌玖" else "六")
    assert exposed(record, 1)[-1] == (0 if rank > 1 else 6 if kind[0] == "b" else 3)


@OTHERS
def test_b23_every_copy_of_a_group_counts_for_the_colour(ruleset: str) -> None:
    rest = "十十十四五六肆伍陆玖玖"
    assert value(rest, None, None, "碰 壹", "碰 贰", "跑 七", ruleset=ruleset).red == 10
    assert value(rest, None, None, "碰 壹", "碰 贰", "跑 八", ruleset=ruleset).red == 6


@pytest.mark.parametrize("ruleset", list(replay.RULESETS))
def test_b25_b32_b44_which_threes_are_groups(ruleset: str) -> None:
    plain = ruleset == "general"  # only 顺 there
    for laid, card, legal in (
        ("九十", "壹", False),
        ("十贰", "壹", False),
        ("八九", "壹", False),
        ("九十", "一", False),
        ("壹壹", "一", not plain),
        ("二七", "十", not plain),
        ("贰柒", "拾", not plain),
        ("八九", "十", True),
        ("贰叁", "壹", True),
    ):
        assert bool(replay.chi_options(laid + "四肆", card, ruleset=ruleset)) == legal, (laid, card)


@OTHERS
def test_b35_the_third_card_of_another_is_no_kan(ruleset: str) -> None:
    hand = "伍伍柒柒柒一壹壹三四五六七八八九十"
    other, own = (value(hand, "伍", source, "碰 玖", ruleset=ruleset) for source in ("other_draw", "own_draw"))
    assert (worth(other, "伍")[0][0], worth(own, "伍")[0][0]) == ("PENG", "WEI")
    gain = 6 if ruleset == "luzhou" else 3
    assert own.huxi - other.huxi == gain
    if ruleset != "luzhou":
        assert ((other.huxi, other.wins), (own.huxi, own.wins)) == ((12, False), (15, True))


# 吃


@OTHERS
def test_b13_b22_options_with_own_copies(ruleset: str) -> None:
    found = {(one.first, one.bi) for one in replay.chi_options("一二三四五九玖", "三", ruleset=ruleset)}
    low, high = tuple(parse("一二三")), tuple(parse("三四五"))
    assert found == {(low, (high,)), (high, (low,))}
    (only,) = replay.chi_options("五伍捌", "五", ruleset=ruleset)
    assert only.first == tuple(sorted(parse("五五伍")))


@OTHERS
def test_b38_no_dead_chi(ruleset: str) -> None:
    assert replay.chi_options("伍伍伍一二", "三", ruleset=ruleset) == []
    assert len(replay.chi_options("伍伍伍一二", "三", ruleset=ruleset, discard_due=False)) == 1
    assert len(replay.chi_options("伍伍伍一二九", "三", ruleset=ruleset)) == 1


def test_b38_general_has_no_locked_kan() -> None:
    assert len(replay.chi_options("伍伍伍一二", "三", ruleset="general")) == 1


# Play


KEPT = {1: "壹壹柒柒柒伍伍伍玖玖玖四五六八八捌十十肆"}
DECLINED = ["0 打 壹", "1 碰", "1 打 肆", "2 摸 壹", "1 过"]


@OTHERS
def test_b06_declining_the_win_does_not_waive_the_pao(ruleset: str) -> None:
    assert ("ZOU_PAO", 1) in faults(play(KEPT, [*DECLINED, "0 摸 陆"], ruleset, wall_end="叁"))
    assert seen(play(KEPT, [*DECLINED, "1 跑", "1 打 十"], ruleset, wall_end="叁")) == set()


@OTHERS
@pytest.mark.parametrize("way", ["discard", "draw of another", "own draw"])
def test_b14_no_discard_after_the_second_quad(ruleset: str, way: str) -> None:
    start = {
        "discard": ["1 亮提 五", "0 打 伍", "1 跑"],
        "draw of another": ["1 亮提 五", "0 打 九", "1 摸 八", "2 摸 伍", "1 跑"],
        "own draw": ["1 亮提 五", "0 打 九", "1 摸 伍", "1 提"],
    }[way]
    hands = {1: "五五五五伍伍伍"}
    clean(play(hands, [*start, "2 摸 捌", "0 摸 陆"], ruleset))
    assert ("BAKUAI_DISCARD", 1) in faults(play(hands, [*start, "1 打 十"], ruleset))


@OTHERS
@EVERY_KIND
def test_b19_a_kan_is_found_wherever_it_stands(ruleset: str, kind: str) -> None:
    card = CHARACTERS[kind]
    first, drawn = [c for c in "四六肆陆" if c != card][:2]
    end = "叁" if card != "叁" else "伍"
    for start in ([f"0 打 {card}"], [f"0 打 {first}", f"1 摸 {drawn}", f"2 摸 {card}"]):
        throw = next(c for c in "八捌" if c != card)
        clean(play({1: card * 3}, [*start, "1 跑", f"1 打 {throw}"], ruleset, wall_end=end))
        after = f"1 摸 {throw}" if len(start) == 1 else f"0 摸 {throw}"
        assert seen(play({1: card * 3}, [*start, after], ruleset, wall_end=end)) == {("ZOU_PAO", 1)}


@OTHERS
def test_b20_no_chi_before_a_forced_pao(ruleset: str) -> None:
    hands, start = {1: "陆柒", 2: "伍伍伍"}, ["0 打 九", "1 摸 伍"]
    assert ("WRONG_PRIORITY", 1) in faults(play(hands, [*start, "1 吃 伍 陆柒", "1 打 十"], ruleset))
    clean(play(hands, [*start, "2 跑", "2 打 十"], ruleset))


@pytest.mark.parametrize("ruleset", ["bisai", "luzhou"])
def test_b21_a_card_that_lay_elsewhere_is_not_stale(ruleset: str) -> None:
    moves = ["0 打 九", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁", "2 打 五", "0 摸 五", "1 摸 捌", "2 摸 陆"]
    moves += ["0 摸 肆", "0 吃 肆 伍陆", "0 打 五", "1 吃 五 三四", "1 打 十"]
    clean(play({1: "三四"}, moves, ruleset))


@OTHERS
def test_b36_an_own_discard_bars_the_own_draw_but_no_win(ruleset: str) -> None:
    moves = ["0 打 三", "1 摸 八", "2 摸 柒", "0 摸 三"]
    assert seen(play({0: "二四"}, [*moves, "0 吃 三 二四"], ruleset)) == {("CHOU_CHI", 0)}
    ready = "壹壹壹捌捌捌九九九二四贰叁肆肆伍陆十十三"
    won = settled(play({0: ready}, [*moves, "0 胡"], ruleset, liang="拾"))
    assert won.winner == 0


@OTHERS
def test_n09_what_may_be_discarded_after_a_chi(ruleset: str) -> None:
    hands, start = {1: "一二三四叁叁叁"}, ["0 打 五", "1 吃 五 三四"]
    for card, fault in (("一", None), ("二", None), ("叁", "CHAI_KAN"), ("三", "CARD_NOT_IN_HAND")):
        record = play(hands, [*start, f"1 打 {card}"], ruleset, add_missing=False, avoid={1: "一二三四"})
        assert seen(record) == ({(fault, 1)} if fault else set())


@pytest.mark.parametrize("ruleset", ["bisai", "luzhou", "ningxiang", "guilin"])
def test_n12_nothing_of_a_won_round_is_left_in_huang(ruleset: str) -> None:
    hand = {1: "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"}
    won = play(hand, ["0 打 拾", "1 摸 捌", "2 摸 二", "1 胡"], ruleset)
    record, moves = quiet_round(ruleset=ruleset, last="玖", options={"peng_forced": False})
    drawn = with_moves(record, [*moves, "荒"])
    first = settled(won).points
    assert any(first)
    for _ in range(2):
        assert settled(drawn).points == (0, 0, 0)
        assert settled(won).points == first
