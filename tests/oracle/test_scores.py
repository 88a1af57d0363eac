"""The oracle's hands and scores against printed values. Numbers in comments are those of the rules' test vectors."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ingest.codes import Form, Source
from tests.oracle import general, scoring
from tests.oracle.cards import PLACE
from tests.oracle.chi import chi_options
from tests.oracle.deals import card, cards, melds
from tests.oracle.groups import chains, counts_of, equal, huxi
from tests.oracle.hand import evaluate
from tests.oracle.hands import chi_hand, near_complete_hand
from tests.oracle.hu import Shape, counts_for_tianhu, shapes, tianhu_shape
from tests.oracle.rules import RULESETS, rules_of
from tests.oracle.scoring import Win
from tests.oracle.seats import Seat

SELF, OTHER, LAID = Source.OWN_DRAW, Source.OTHER_DRAW, Source.DISCARD


def value(
    ruleset: str, hand: str, table: str, kind: str, source: Source, *, seat: int = 2, sitter: bool = False, **more: Any
) -> dict[str, Any] | None:
    """The result of seat ``seat`` of three winning; None if it does not. Seat 0 deals."""
    options = more.pop("options", None)
    rules = rules_of(ruleset, options)
    found = shapes(rules, tuple(counts_of(cards(hand))), melds(table), card(kind), source)
    if not found:
        return None
    return scoring.score(rules, 3, 0, sitter, Win(seat, source, tuple(found), **more))


def plain(ruleset: str, xi: int, red: int = 5, duidui: bool = False, zimo: bool = False, **more: Any) -> dict[str, Any]:
    """A made-up win of seat 2 with so many 胡息 and red cards, without groups that any 番 looks at."""
    options, sitter, rest = more.pop("options", None), more.pop("sitter", False), more.pop("rest", ())
    held = tuple([card("s2")] * red + [card("s4"), card("b4")] * 10)[:21]
    form = Form.KAN if duidui else Form.SHUN
    groups = tuple(
        equal(Form.KAN, kind)._replace(form=form, cards=(kind, 30, 31)) for kind in (3, 4, 5, 13, 14, 15, 12)
    )
    win = Win(2, SELF if zimo else OTHER, (Shape(xi, groups, held),), **more)
    return scoring.score(rules_of(ruleset, options), 3, 0, sitter, win, rest)


@pytest.mark.parametrize(("xi", "units"), [(15, 1), (17, 1), (18, 2), (20, 2), (21, 3), (24, 4), (30, 6)])
def test_deng(xi: int, units: int) -> None:  # 01
    assert plain("qq", xi)["units"] == plain("hu15", xi)["units"] == units


def test_bisai_pays_the_sitter() -> None:  # 02, 03, 04, 06 and 05 without its penalty
    assert plain("bisai", 15, sitter=True)["points"] == (-2, -2, 2, 2)
    assert plain("bisai", 21, sitter=True)["points"] == (-4, -4, 6, 2)
    assert plain("bisai", 18, sitter=True)["points"] == (-3, -3, 4, 2)
    assert plain("bisai", 18, red=10, zimo=True, sitter=True)["points"] == (-8, -8, 12, 4)
    assert plain("bisai", 15)["points"] == (-1, -1, 2)
    rules = rules_of("bisai")
    assert scoring.huang(rules, 3, 1, True, False)["points"] == (0, -2, 0, 2)
    assert scoring.huang(rules, 3, 1, False, False)["points"] == (0, 0, 0)


def test_qq_and_hu15_pay() -> None:  # 09–12
    assert plain("qq", 15)["points"] == (-3, -3, 6)
    assert plain("qq", 21, red=10, zimo=True)["points"] == (-24, -24, 48)
    assert plain("qq", 18, red=10, zimo=True)["points"] == (-18, -18, 36)
    assert plain("hu15", 18, red=10, zimo=True)["points"] == (-6, -6, 12)
    assert plain("hu15", 18, red=10, zimo=True, options={"zimo": "plus_one_after_fan"})["points"] == (-5, -5, 10)


@pytest.mark.parametrize(("red", "f"), [(0, 5), (1, 3), (2, 1), (9, 1), (10, 2), (12, 2), (13, 4), (14, 4)])
def test_colours(red: int, f: int) -> None:  # 13
    assert plain("qq", 15, red)["factor"] == f


def duidui(red: int, last: bool = False, **options: Any) -> int:
    win = Win(2, OTHER, (Shape(15, (), ()),), last=last)
    blacks = [3, 4, 5, 7, 13, 14, 15]
    reds = [1, 6, 9, 11, 16, 19]
    kinds = reds[: red // 3] + blacks[red // 3 :]
    shape = Shape(15, tuple(equal(Form.KAN, kind) for kind in kinds), ())
    held = [one for group in shape.groups for one in group.cards]
    for place in range(red % 3):  # the count of red cards alone is looked at here
        held[-1 - place] = 1
    return scoring.fan_of(rules_of("qq", options), win, shape._replace(cards=tuple(held)), 0)[1]


def test_duidui_and_haidi() -> None:  # 14, 15, 16
    assert [duidui(red) for red in (5, 0, 1, 10, 13)] == [4, 10, 7, 6, 8]
    assert plain("qq", 15, last=True)["factor"] == 1
    assert plain("qq", 15, 10, last=True)["factor"] == 4
    assert (duidui(5, last=True), duidui(0, last=True)) == (6, 12)
    assert duidui(5, fan_level="base") == duidui(5, last=True, fan_level="base") == 1


GENERAL_DUIDUI = "b1×3 b2×3 b3×3 b4×3 b5×3 b6×2"


def general_value(hand: str, table: str = "", *, source: Source = SELF, special: str = "", quads: int = 0) -> int:
    """Points of the winner over three seats, when one pays."""
    found = general.shapes(Seat(counts_of(cards(hand)), melds(table)), None)
    assert found
    win = Win(1, source, tuple(found), special, 0 if source == LAID else -1, False, quads)
    points = scoring.score(rules_of("general"), 3, 0, False, win)["points"]
    assert sum(points) == 0
    return -int(points[0])


def test_general_scores() -> None:  # 18, 19
    assert general_value(GENERAL_DUIDUI + " b7×3 s1") == 8
    assert general_value("b1×3 b4×3 b5×3 b6×2 s1", "提 b2, 跑 b3, 跑 b9", quads=3) == 11
    mixed = "s1 s2 s3 s4 s5 s6 s7 s8 s9 b1×3 b5 b6 b7 b9×3 s10×2 b2"
    assert general_value(mixed) == 2
    assert general_value(mixed, source=LAID) == 1
    assert general_value(mixed, source=Source.LIANG, special="tianhu") == 4
    small = "s1 s2 s3 s4 s5 s6 s7 s8 s9 s1 s2 s3 s4 s5 s6 s10×2"
    assert general_value(small + " b2", "提 s7", source=Source.LIANG, special="tianhu", quads=1) == 9


def test_general_shapes() -> None:  # 78
    def wins(text: str, claimed: str | None = None) -> bool:
        held = cards(text)
        return bool(general.shapes(Seat(counts_of(held)), None if claimed is None else card(claimed)))

    rest = " s4 s5 s6 s7 s8 s9 b1×3 b5 b6 b7 b9×3 s10×2 b2"
    assert wins("s1 s2 s3" + rest)
    assert not wins("s2 s7 s10" + rest)
    assert not wins("s4 b4 b4" + rest)
    # A claimed discard must be part of the shape: 贰 is not, 十 is.
    assert not wins(("s1 s2 s3" + rest).removesuffix(" b2"), "b2")
    assert wins("s1 s2 s3 s4 s5 s6 s7 s8 s9 b1×3 b5 b6 b7 b9×3 s10 b2", "s10")


def test_luzhou_huxi() -> None:  # 20
    rules = rules_of("luzhou")
    named = "碰 s5, 碰 b7, 坎 s5, 坎 b5, 坎 s7, 坎 b7, 跑 b7, 提 b5, 提 b7"
    assert [huxi(rules, meld) for meld in melds(named)] == [1, 9, 6, 9, 9, 12, 15, 15, 18]


def test_luzhou_scores() -> None:
    assert plain("luzhou", 10)["points"] == (-1, -1, 2)
    assert plain("luzhou", 19)["units"] == 1
    assert plain("luzhou", 20)["units"] == 2
    assert plain("luzhou", 33, 0)["points"] == (-12, -12, 24)
    assert plain("luzhou", 20, 15, zimo=True)["points"] == (-4, -4, 8)
    assert plain("luzhou", 20, 10, special="tianhu")["points"] == (-8, -8, 16)
    found = shapes(rules_of("luzhou"), tuple(counts_of(cards(HANDS_53[0]))), melds(HANDS_53[1]), card("s9"), LAID)
    result = scoring.score(rules_of("luzhou"), 3, 0, False, Win(2, LAID, tuple(found), "", 1))
    assert (result["huxi"], result["points"]) == (30, (0, -6, 6))


def test_guilin_scores() -> None:
    assert plain("guilin", 10)["points"] == (-1, -1, 2)
    assert plain("guilin", 14, options={"zi_step": 3})["units"] == 2
    assert plain("guilin", 22, zimo=True, options={"zimo": "double"})["units"] == 6
    # A recorded 地胡: 子 6 = 2 × (1 + 0 + 2), all paid by the discarder.
    zhong = {"xing": ("zhong",)}
    result = plain("guilin", 10, 2, options=zhong, rest=(1,), special="dihu", discarder=0)
    assert (result["units"], result["points"]) == (6, (-12, 0, 12))
    # A further card is turned only after four hits in one kind.
    four = Shape(10, (), tuple(cards("b5×4 b3 b4×3 s9")))
    assert scoring.xing_hits(rules_of("guilin", zhong), four, cards("b5 b3 b4")) == 5
    assert scoring.xing_hits(rules_of("guilin", {"xing": ("zhong", "xia")}), four, cards("b4 b3")) == 4
    assert scoring.xing_hits(rules_of("guilin", {"xing": ("shang",)}), four, cards("b2 b8")) == 1
    assert scoring.xing_hits(rules_of("guilin", {"xing": ("shang",)}), four, []) == 0


def ningxiang(table: str, hand: str = "", xi: int = 15, special: str = "") -> dict[str, int]:
    groups = tuple(melds(table)) + tuple(equal(Form.JIANG, kind) for kind in cards(hand))
    held = tuple(one for group in groups for one in group.cards)
    win = Win(2, OTHER, (Shape(xi, groups, held),), special)
    result = scoring.score(rules_of("ningxiang"), 3, 0, False, win)
    assert result["points"][2] == -2 * result["points"][0]
    return dict(result["fan_names"])


def test_ningxiang() -> None:
    assert plain("ningxiang", 15)["points"] == (-10, -10, 20)
    assert plain("ningxiang", 20, zimo=True)["points"] == (-15, -15, 30)
    assert plain("ningxiang", 21)["points"] == (-20, -20, 40)
    blacks = "碰 b1, 碰 b3, 碰 b4, 碰 b5, 碰 b6, 碰 b8"
    assert ningxiang(blacks + ", 碰 s1") == {"乌胡": 5, "对对胡": 5, "十八大": 5}
    runs = "吃 s3 s4 s5, 吃 s3 s4 s5, 吃 b3 b4 b5, 吃 b3 b4 b5, 吃 b4 b5 b6"
    assert ningxiang("碰 b2, 碰 s8, " + runs) == {"三扁": 3}
    assert ningxiang("跑 b2, 碰 s8, " + runs.removesuffix(", 吃 b4 b5 b6"), "s6") == {"四扁": 4}
    assert ningxiang("碰 b2, 坎 s7, " + runs) == {"双漂": 2}
    assert ningxiang("跑 b2, 坎 s7, " + runs.removesuffix(", 吃 b4 b5 b6"), "s10") == {}
    assert ningxiang("吃 s1 s2 s3, 碰 s8, " + runs) == {"点胡": 4}
    reds = "吃 s2 s7 s10, 吃 s2 s7 s10, 吃 b2 b7 b10, 碰 b2"
    assert ningxiang(reds + ", 吃 s3 s4 s5, 吃 s3 s4 s5, 吃 b3 b4 b5") == {"十红": 4}
    smalls = "吃 s2 s3 s4, 吃 s4 s5 s6, 吃 s6 s7 s8, 碰 s9, 碰 s1, 吃 s3 s4 s5"
    assert ningxiang(smalls + ", 吃 s5 s6 s7") == {"十八小": 8}
    assert ningxiang(smalls + ", 吃 s5 s5 b5", special="tianhu") == {"十八小": 7, "天胡": 5}


WINS = [
    # hand, melds, card, source, 胡息 or None: 33–42
    ("b5×3 s1 s2 s3 s8×2 b7 b8 b9 s5 s6 s7 s9×2 b9", "偎 s4", "s8", OTHER, None),
    ("b5×3 s1 s2 s3 s8×2 b7 b8 b9 s5 s6 s7 s9×2 b9", "偎 s4", "s8", SELF, 15),
    ("s1 s2 s3 b7 b8 b9 s5 s6 s7 b4×3 b1×2 s1 s9", "提 b2", "s8", OTHER, None),
    ("s1 s2 s3 b7 b8 b9 s5 s6 s7 b4×3 b1×2 s1 s9", "提 b2", "s9", OTHER, 21),
    ("b3×3 b10×2 s1 s2 s3 s4 s5 s6 b5 b6 b7 s7×3 s9×2 b9", "", "b3", SELF, 18),
    ("b3×3 b10×2 s1 s2 s3 s4 s5 s6 b5 b6 b7 s7×3 s9×2 b9", "", "b3", OTHER, 15),
    ("s2×3 s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10", "", "s2", OTHER, 18),
    ("s2×3 s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10", "", "s2", SELF, None),
    ("s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10", "碰 s2", "s2", SELF, 16),
    ("s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10", "碰 s2", "s2", OTHER, 16),
    ("s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10", "偎 s2", "s2", SELF, None),
    ("s1 s3 b7×3 b5×3 s4 s5 s6 b1×2 s1 s8 s9 s10", "偎 s2", "s2", OTHER, 18),
]


@pytest.mark.parametrize(("hand", "table", "kind", "source", "xi"), WINS)
def test_wins(hand: str, table: str, kind: str, source: Source, xi: int | None) -> None:
    result = value("qq", hand, table, kind, source)
    assert (result and result["huxi"]) == xi


HANDS_53 = ("b5×3 s3 s4 s5 s9 b9", "吃 s2 s7 s10, 吃 s2 s7 s10, 吃 b2 b7 b10, 吃 s6 s7 s8")


def test_whole_hands() -> None:  # 34, 48, 49, 51, 53
    drawn = value("qq", WINS[0][0], WINS[0][1], "s8", SELF)
    assert drawn is not None
    assert drawn["units"] == 2
    hand = "s3 s4 s5 s6 b7 b8 b9 b4×3 s1×2 b1 s9×2 b9"
    waits = {}
    for kind in range(20):
        found = shapes(rules_of("qq"), tuple(counts_of(cards(hand))), melds("提 b2"), kind, OTHER)
        if found and counts_of(cards(hand))[kind] < 4:
            waits[kind] = max(found).huxi
    assert waits == {card("s3"): 18, card("s6"): 18}
    all_same = value("qq", "s1×3 b9×3 s4", "提 b5, 碰 s3, 碰 b6, 偎 s8", "s4", OTHER)
    assert all_same is not None
    assert (all_same["huxi"], all_same["red"], all_same["factor"], all_same["units"]) == (28, 0, 10, 5)
    assert all_same["points"] == (-150, -150, 300)
    other, own = (
        value("qq", "s1×3 s4 s5 s6 b3×2 s8 s9 s10 b8×2 s8", "碰 b6, 偎 b9", "b3", source) for source in (OTHER, SELF)
    )
    assert other is not None
    assert own is not None
    assert (other["huxi"], other["red"], other["points"]) == (15, 1, (-9, -9, 18))
    assert (own["huxi"], own["units"], own["points"]) == (18, 3, (-27, -27, 54))
    fifth = value("bisai", *HANDS_53, "s9", SELF, sitter=True)
    assert fifth is not None
    assert (fifth["huxi"], fifth["red"], fifth["points"]) == (18, 10, (-8, -8, 12, 4))
    luzhou = value("luzhou", *HANDS_53, "s9", SELF)
    assert luzhou is not None
    assert luzhou["huxi"] == 30


@pytest.mark.parametrize(
    ("hand", "xi", "units", "points"),
    [
        ("s1×4 s4×4 b8×4 s2 s3 b3 b5 b6 s9 b10 s7", 30, 17, (-51, -51, 102)),
        ("s1×3 s4×3 s5×3 s8×3 s9×3 b1 b3 b5 b7 b9", 15, 7, (-63, -63, 126)),
    ],
)
def test_tianhu_by_count(hand: str, xi: int, units: int, points: tuple[int, ...]) -> None:  # 54, 56
    rules = rules_of("qq")
    held = tuple(counts_of(cards(hand)))
    assert counts_for_tianhu(rules, held)
    result = scoring.score(rules, 3, 0, False, Win(2, Source.LIANG, (tianhu_shape(rules, held),), "tianhu_quads"))
    assert (result["huxi"], result["units"], result["points"]) == (xi, units, points)


def test_what_counts_for_tianhu() -> None:  # 58; J slwk
    def counts(ruleset: str, text: str) -> bool:
        return counts_for_tianhu(rules_of(ruleset), tuple(counts_of(cards(text))))

    assert not counts("qq", "s1×4 s4×4 b8×3 b9×3")
    assert counts("qq", "s1×4 s4×4 b8×3 b9×3 b1×3")
    assert not counts("guilin", "s1×4 s4×4 b8×3 b9×3 b1×3")
    assert counts("guilin", "s1×4 s4×4 b8×4")


CHI = [
    # hand, eaten, every complete 吃 as (hand cards; 比 ...): 21–30
    ("b5 b6 b7 b6 b8", "b7", {"b6 b8; b5 b6 b7", "b5 b6; b6 b7 b8"}),
    ("s1×2 s2×2 s3×2 s7 s10", "s2", {"s1 s3; s1 s2 s3; s2 s7 s10", "s7 s10; s1 s2 s3; s1 s2 s3"}),
    (
        "s1 s2×2 s3×2 s4 b2×2",
        "s2",
        {
            "b2 b2; s1 s2 s3; s2 s3 s4",
            "s1 s3; s2 s2 b2",
            "s1 s3; s2 b2 b2; s2 s3 s4",
            "s2 b2; s1 s2 s3",
            "s2 b2; s2 s3 s4",
            "s3 s4; s2 s2 b2",
            "s3 s4; s1 s2 s3; s2 b2 b2",
        },
    ),
    ("s1 s2 s3 b1×2", "s1", {"s2 s3; s1 b1 b1", "b1 b1; s1 s2 s3", "s1 b1"}),
    ("s1×2 s2 s3 b1", "s1", {"s2 s3; s1 s1 b1", "s1 b1; s1 s2 s3"}),
    ("s1 s2 s3 b9", "s1", set()),
    ("s1 s2 s3 s4 s5", "s3", {"s4 s5; s1 s2 s3", "s1 s2; s3 s4 s5"}),
    ("s4×3 s6", "s5", set()),
    ("s2×2 s7 s10 b2", "s2", {"s7 s10; s2 s2 b2", "s2 b2; s2 s7 s10"}),
    ("b9 s9", "s9", {"s9 b9"}),
]


@pytest.mark.parametrize(("hand", "eaten", "expected"), CHI)
def test_chi(hand: str, eaten: str, expected: set[str]) -> None:
    wanted = set()
    for text in expected:
        first, *bi = [tuple(sorted(cards(group))) for group in text.split(";")]
        wanted.add((first, *sorted(bi)))
    assert chains(tuple(counts_of(cards(hand))), card(eaten)) == wanted


def test_the_earlier_oracle_says_the_same() -> None:
    """An evaluator of single hands was written from the rules before this one, with other code throughout."""
    rng = random.Random(3)
    sources = {"own_draw": SELF, "other_draw": OTHER, "discard": LAID}
    for number in range(3_000):
        hand = near_complete_hand(rng)
        if hand.source not in sources or hand.win_card is None:
            continue
        ruleset = ("qq", "hu15", "guilin")[number % 3]
        theirs = evaluate(hand.cards, hand.melds, hand.win_card, hand.source, ruleset)
        source = sources[hand.source]
        more: dict[str, Any] = {"discarder": 0} if source == LAID else {}
        ours = value(ruleset, " ".join(hand.cards), ", ".join(hand.melds), hand.win_card, source, **more)
        if source == LAID and not RULESETS[ruleset]["win_discard"]:
            continue
        assert (ours is not None) == theirs.wins, hand
        if ours is not None:
            assert (ours["huxi"], ours["factor"], ours["units"]) == (theirs.huxi, theirs.f, theirs.units), hand
            assert ours["points"][2] == theirs.points[0], hand


def test_the_earlier_oracle_lists_the_same_chi() -> None:
    rng = random.Random(4)
    for _ in range(3_000):
        hand, eaten = chi_hand(rng)
        theirs = set()
        for first, bi in chi_options(hand, eaten, discard_due=False):
            pair = [PLACE[one] for one in first]
            pair.remove(PLACE[eaten])
            theirs.add((tuple(sorted(pair)), *sorted(tuple(PLACE[one] for one in group) for group in bi)))
        assert chains(tuple(counts_of(PLACE[one] for one in hand)), PLACE[eaten]) == theirs
