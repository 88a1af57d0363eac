"""Faults that other programs for this game had, as tests of the whole kind of fault; the case id is in the name."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

import replay
from ingest.cards import CHARS, RED
from ingest.validate import check_found
from tests.oracle.cards import BY_CHARACTER, CHARACTERS, KINDS, from_text, is_big, is_red, order, other_size, to_text
from tests.oracle.chi import chi_options
from tests.oracle.engine import difference, engine_chi, engine_value, engine_waits, groups_of, points_of
from tests.oracle.hand import Value
from tests.oracle.hands import Hand, as_melds, cards_of, chi_hand, complete_hand, find_hand, pads
from tests.oracle.split import SAME, TRIPLES
from tests.rules.build import deal, with_moves
from tests.rules.check import clean, faults

CITED = {
    *("B01", "B04", "B06", "B07", "B09", "B10", "B11", "B12", "B13", "B14", "B15", "B17", "B18", "B19", "B20", "B21"),
    *("B22", "B23", "B25", "B27", "B28", "B30", "B31", "B32", "B33", "B35", "B36", "B38", "B44", "N09", "N10", "N12"),
}
BOTH = pytest.mark.parametrize("ruleset", ["qq", "hu15"])
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)


def test_every_cited_case_still_exists(shared: Path) -> None:
    lines = (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} >= CITED


def agreed(hand: Hand, ruleset: str = "qq", **more: Any) -> Any:
    """The engine's value, after the oracle has said the same."""
    value = engine_value(hand, ruleset, **more)
    assert difference(value, hand.value(ruleset, **more)) == "", hand
    return value


def hand_of(text: str, card: str | None = None, source: str | None = None, *melds: str) -> Hand:
    return Hand(order(cards_of(text)), melds, card, source)


# Values


def _kept_kan(hand: Hand, value: Value) -> bool:
    return hand.cards.count(hand.win_card or "") == 3 and any(
        group.form == "坎" and group.cards[0] == hand.win_card for group in value.groups
    )


@pytest.mark.parametrize("ruleset", ["qq", "hu15", "guilin"])
@pytest.mark.parametrize("seed", range(12))
def test_b01_a_kan_stays_a_kan_when_its_fourth_card_goes_elsewhere(ruleset: str, seed: int) -> None:
    source = "discard" if ruleset == "guilin" and seed % 2 else "other_draw"
    kinds = KINDS[:10] if seed % 2 else KINDS[10:]
    hand = find_hand(
        lambda hand, value: hand.source == source and _kept_kan(hand, value), ruleset, seed, kinds=kinds, quads=0
    )
    card = hand.win_card or ""
    value = agreed(hand, ruleset)
    assert groups_of(value)[(card,) * 3, 6 if is_big(card) else 3] == 1


@pytest.mark.parametrize(("ruleset", "source"), [("guilin", "discard"), ("hu15", "other_draw"), ("qq", "other_draw")])
def test_b01_the_recorded_hand_is_worth_fifteen(ruleset: str, source: str) -> None:
    hand = hand_of("s6×3 b1×3 s7 s8 b2 b3 b4 b6×2 b8 b9 b10", "s6", source, "跑 s5")
    value = agreed(hand, ruleset)
    assert (value.huxi, value.wins) == (15, True)


def test_b04_a_quad_on_the_table_counts_once() -> None:
    hand = hand_of("s5×2 b5 s7 b7 b4×2", "b7", "other_draw", "跑 b3", "提 s9", "碰 s3", "吃 s10 b10 b10")
    assert agreed(hand).huxi == 19
    assert agreed(hand, "guilin").huxi == 19
    with pytest.raises(replay.HandError, match="九"):
        engine_value(hand._replace(cards=order([*hand.cards, *["s9"] * 4])))


@pytest.mark.parametrize("huxi", range(10, 26))
def test_b07_zi_are_whole(huxi: int) -> None:
    hand = find_hand(lambda hand, value: value.huxi == huxi and hand.source == "other_draw", "guilin")
    points = points_of(agreed(hand, "guilin"))
    zi = 1 + (huxi - 10) // 5
    assert points == (2 * zi, -zi, -zi)
    assert all(isinstance(point, int) for point in points)


def test_b09_the_recorded_hand_wins_before_the_pao() -> None:
    hand = hand_of("s3×3 s4×3 s5×3 s6×3 s8×3 s9×2", "s1", "other_draw", "碰 s1")
    value = agreed(hand, "hu15")
    assert (value.huxi, value.wins) == (21, True)


def test_b09_discards_make_no_pao_of_a_peng() -> None:
    hand = hand_of("s3×3 s4×3 s5×3 s6×3 s8×3 s9×2", "s1", "discard", "碰 s1")
    assert not agreed(hand, "guilin").complete


@EVERY_KIND
def test_b10_five_copies_on_table_and_hand_are_refused(kind: str) -> None:
    near = [other for other in KINDS if other != kind]
    hand = Hand(order([kind, kind, *near[:15]]), (f"碰 {kind}",))
    with pytest.raises(replay.HandError, match=CHARACTERS[kind]):
        engine_value(hand)
    with pytest.raises(replay.HandError, match=CHARACTERS[kind]):
        engine_value(hand_of(" ".join([kind] * 4), kind, "other_draw"))
    with pytest.raises(replay.HandError):
        engine_waits(hand.cards, hand.melds)
    with pytest.raises(replay.HandError):
        engine_chi([kind] * 5, near[0])


def test_b10_the_recorded_hand_is_refused() -> None:
    with pytest.raises(replay.HandError, match="五"):
        engine_value(hand_of("s5×2 b8×2 s9 s8 s10 b2 b7 b10", None, None, "跑 b9", "碰 s5", "碰 s7"))


@pytest.mark.parametrize("bad", ["一二三X", "1W", "一二三东", "s11", "b0"])
def test_b10_a_wrong_card_is_named(bad: str) -> None:
    with pytest.raises(replay.HandError):
        replay.evaluate_hand(bad, ruleset="qq")
    with pytest.raises(replay.HandError):
        replay.evaluate_hand("一二三", melds=["碰 " + bad], ruleset="qq")


def test_b11_complete_hands_are_complete() -> None:
    hand = hand_of("s9×2 b7 b8 b9", None, None, "吃 s6 s7 s8", "碰 s1", "偎 s3", "跑 b3", "碰 b10")
    value = agreed(hand)
    assert (value.complete, value.huxi) == (True, 16)
    rng = random.Random(3)
    tried = 0
    while tried < 300:
        whole = complete_hand(rng)
        if whole is not None and whole.source is None and max(Counter(whole.cards).values(), default=0) <= 2:
            tried += 1
            assert agreed(whole).complete, whole


@EVERY_KIND
@pytest.mark.parametrize(("form", "source"), [("偎", "other_draw"), ("臭偎", "own_draw"), ("碰", "own_draw")])
def test_b12_a_raised_meld_is_replaced_not_added(kind: str, form: str, source: str) -> None:
    """偎 and 碰 of the winning card become 跑 or 提: the value is the quad's alone."""
    padding = pads([kind] * 4, 2, False)
    used = {card for group in padding for card in group.cards} | {kind}
    spare = next(one for one in KINDS if one not in used)
    value = agreed(Hand((spare, spare), (f"{form} {kind}", *as_melds(padding)), kind, source))
    worth = SAME["跑" if source == "other_draw" or form == "碰" else "提"][is_big(kind)]
    assert groups_of(value)[(kind,) * 4, worth] == 1
    assert value.huxi == worth + sum(group.huxi for group in padding)


def test_b12_the_recorded_melds() -> None:
    rest = ["b2", "s9"]
    padding = as_melds(pads([*rest * 4, "b5", "b5"], 3, False))
    value = agreed(Hand(("b5", "b5"), ("碰 b2", "偎 s9", *padding), "s9", "other_draw"))
    assert sum(huxi for (cards, huxi), _ in groups_of(value).items() if cards[0] in rest) == 9


@pytest.mark.parametrize("seed", range(15))
def test_b15_b23_every_card_counts_for_the_colour(seed: int) -> None:
    """将, quads and tabled groups too: hands right at the boundary of 10 or 13 red cards."""
    boundary, f = ((10, 2), (13, 4))[seed % 2]

    def wanted(hand: Hand, value: Value) -> bool:
        red_pair = any(group.form == "将" and is_red(group.cards[0]) for group in value.groups)
        red_quad = any(group.form in "跑提" and is_red(group.cards[0]) for group in value.groups)
        return value.wins and value.red == boundary and not value.duidui and (red_pair or red_quad)

    kinds = cards_of("s1 s2 s3 s7 s8 s10 b1 b2 b3 b6 b7 b10")
    hand = find_hand(wanted, seed=seed, kinds=kinds, quads=1)
    value = agreed(hand)
    assert points_of(value)[0] == 6 * hand.value().units * f


def test_b15_the_pair_makes_the_tenth_red_card() -> None:
    melds = ("跑 b4", "吃 s2 s7 s10", "吃 b2 b7 b10", "吃 s7 s8 s9", "吃 b7 b8 b9")
    for ruleset in ("qq", "hu15"):
        value = agreed(hand_of("s3 s4 s2×2", "s5", "other_draw", *melds), ruleset)
        assert (value.huxi, value.fan) == (18, {"红胡": 2})


def test_b23_tabled_groups_count_three_or_four() -> None:
    rest = "s10×3 s4 s5 s6 b4 b5 b6 b9×2"
    ten = agreed(hand_of(rest, None, None, "碰 b1", "碰 b2", "跑 s7"))
    assert (ten.huxi, ten.fan) == (15, {"红胡": 2})
    six = agreed(hand_of(rest, None, None, "碰 b1", "碰 b2", "跑 s8"))
    assert (six.huxi, six.fan) == (15, {})


@pytest.mark.parametrize("group", TRIPLES, ids=lambda group: to_text(group.cards))
def test_b18_b32_what_a_group_of_three_is_worth(group: Any) -> None:
    ranks = sorted(int(card[1:]) for card in group.cards)
    expected = (6 if is_big(group.cards[0]) else 3) if ranks in ([1, 2, 3], [2, 7, 10]) else 0
    around = pads(group.cards, 1, False)
    padding, rest = as_melds(around), sum(one.huxi for one in around)
    for cards in (group.cards, group.cards[::-1], group.cards[1:] + group.cards[:1]):
        laid = agreed(Hand((), ("吃 " + " ".join(cards), *padding)))
        assert (laid.complete, laid.huxi) == (True, rest + expected)
    held = agreed(Hand(group.cards, tuple(padding)))
    assert (held.complete, held.huxi) == (True, rest + expected)


def test_b31_six_kinds_are_red() -> None:
    assert {KINDS[number] for number in RED} == set(cards_of("s2 s7 s10 b2 b7 b10")) == set(filter(is_red, KINDS))
    assert [CHARS[number] for number in sorted(RED)] == list("二七十贰柒拾")


@EVERY_KIND
def test_b31_the_colour_of_every_kind(kind: str) -> None:
    """One card of the kind among black ones: 点胡 when it is red, 乌胡 when it is not."""
    kinds = [one for one in KINDS if not is_red(one) or one == kind]
    hand = find_hand(
        lambda hand, value: value.wins and value.red == is_red(kind) and not value.duidui and kind in _all_cards(hand),
        kinds=kinds,
    )
    assert agreed(hand).fan == ({"点胡": 3} if is_red(kind) else {"乌胡": 5})


def _all_cards(hand: Hand) -> set[str]:
    return {*hand.cards, hand.win_card or "", *(card for text in hand.melds for card in text.split()[1:])}


def test_b33_a_fifth_copy_is_refused_not_mended() -> None:
    cards = "s5×5 b1 b2 b3 b4 b6 b7 b8 b9 b10 s1 s2 s3 s6 s7 s8 s9"
    with pytest.raises(replay.HandError, match="五"):
        engine_value(hand_of(cards))
    record = deal({1: "五五五五"}, ["0 打 九"], liang="四")
    mended = with_moves(record, ["0 打 九"], liang=CHARS.index("五"))
    refused = check_found(mended)
    assert refused is not None
    assert refused.code == "FIFTH_COPY"
    assert "五" in refused.reason


B35 = "b5×2 b7×3 s1 b1×2 s3 s4 s5 s6 s7 s8×2 s9 s10"


@BOTH
def test_b35_the_source_of_the_third_card_decides(ruleset: str) -> None:
    other, own = (agreed(hand_of(B35, "b5", source, "碰 b9"), ruleset) for source in ("other_draw", "own_draw"))
    assert (other.huxi, other.wins) == (12, False)
    assert (own.huxi, own.wins) == (15, True)


@pytest.mark.parametrize("seed", range(10))
def test_b35_peng_and_wei_differ_by_two_or_three(seed: int) -> None:
    def wanted(hand: Hand, value: Value) -> bool:
        return hand.source == "other_draw" and any(
            group.form == "碰" and f"碰 {group.cards[0]}" not in hand.melds for group in value.groups
        )

    hand = find_hand(wanted, seed=seed, kinds=KINDS[:10] if seed % 2 else KINDS[10:])
    other, own = agreed(hand), agreed(hand._replace(source="own_draw"))
    assert own.huxi - other.huxi == (3 if is_big(hand.win_card or "") else 2)


# 吃 options


def test_b13_the_recorded_options() -> None:
    for ruleset in ("qq", "hu15", "guilin"):
        found = engine_chi(cards_of("s1 s2 s3 s4 s5 s9 b9"), "s3", ruleset)
        low, high = tuple(cards_of("s1 s2 s3")), tuple(cards_of("s3 s4 s5"))
        assert found == {(low, (high,)), (high, (low,))}
    hands = {1: "一二三四五九玖"}
    start = ["0 打 三", "1 吃 三 一二", "1 比 三四五"]
    clean(deal(hands, [*start, "1 打 九"], ruleset="hu15"))
    for gone in "一四五三":
        record = deal(hands, [*start, f"1 打 {gone}"], ruleset="hu15", add_missing=False, avoid={1: "一二三四五"})
        assert ("CARD_NOT_IN_HAND", 1) in faults(record)


@pytest.mark.parametrize("seed", range(24))
def test_b13_every_chi_with_its_bi_can_be_laid(seed: int) -> None:
    rng = random.Random(seed)
    while True:
        hand, card = chi_hand(rng)
        options = [option for option in sorted(chi_options(hand, card)) if option[1]]
        if options and len(hand) <= 14 and max(Counter(hand).values()) <= 2:
            break
    first, bi = rng.choice(options)
    pair = list(first)
    pair.remove(card)
    moves = [f"0 打 {CHARACTERS[card]}", f"1 吃 {CHARACTERS[card]} {to_text(pair)}"]
    for group in bi:
        rest = list(group)
        rest.remove(card)
        moves.append(f"1 比 {to_text([card, *rest])}")
    left = Counter(hand) - Counter(pair) - Counter(one for group in bi for one in group)
    moves.append(f"1 打 {CHARACTERS[min(left, key=KINDS.index)]}")
    clean(deal({1: to_text(hand)}, moves))


@EVERY_KIND
def test_b22_one_own_copy_and_one_of_the_other_size(kind: str) -> None:
    other = other_size(kind)
    spare = [one for one in KINDS if one[1:] != kind[1:] and abs(int(one[1:]) - int(kind[1:])) > 3][:1]
    mixed, single = order((kind, kind, other)), order((kind, other, other))
    assert (mixed, ()) in engine_chi([kind, other, *spare], kind)
    assert engine_chi([other, other, *spare], kind) == {(single, ())}


def test_b25_no_run_wraps_round_or_mixes_sizes() -> None:
    """Every pair of hand cards with every card: only the groups of the rules."""
    legal = {group.cards for group in TRIPLES}
    for pair in combinations_with_replacement(KINDS, 2):
        for card in KINDS:
            found = engine_chi(pair, card, discard_due=False)
            cards = order((*pair, card))
            expected = {(cards, ())} if cards in legal else set()
            assert found == expected, (pair, card)


@pytest.mark.parametrize("size", ["s", "b"])
@pytest.mark.parametrize("missing", ["2", "7", "10"])
def test_b44_each_card_of_two_seven_ten_can_be_eaten(size: str, missing: str) -> None:
    group = [f"{size}{rank}" for rank in ("2", "7", "10")]
    hand = [card for card in group if card[1:] != missing]
    assert engine_chi([*hand, "b4", "s5"], size + missing) == {(order(group), ())}
    padding = pads(group, 1, False)
    value = agreed(Hand(tuple(hand), tuple(as_melds(padding)), size + missing, "other_draw"))
    assert value.huxi - sum(one.huxi for one in padding) == (6 if size == "b" else 3)


def test_b38_a_claim_may_not_leave_a_kan_only() -> None:
    for ruleset in ("qq", "hu15", "guilin"):
        assert engine_chi(cards_of("b5×3 s1 s2"), "s3", ruleset) == set()
        assert len(engine_chi(cards_of("b5×3 s1 s2"), "s3", ruleset, discard_due=False)) == 1
        assert len(engine_chi(cards_of("b5×3 s1 s2 s9"), "s3", ruleset)) == 1
        assert engine_chi(cards_of("s1 s2"), "s3", ruleset) == set()


# Waits


def test_b27_a_kan_is_not_split_for_a_wait() -> None:
    part = cards_of("b1×3 s1×2 s2 b2×2 s3 b3×2")
    found = engine_waits(part, ["偎 b8", "偎 b9", "偎 s9"])
    near = set(cards_of("s1 s2 s3 s4 b1 b2 b3 b4"))
    for wanted in ("own_draw", "other_draw"):
        assert {card for card, source in found if source == wanted} & near == {"s1", "b1"}


def test_b30_no_wait_reaches_the_minimum() -> None:
    hand = cards_of("s2 b7 s7 s5 b1 b2 s1 s2 b8 b1 b9 b10 s6 b7 s3 s9")
    for ruleset in ("qq", "hu15"):
        assert engine_waits(hand, ["跑 b6"], ruleset) == {}


@pytest.mark.parametrize("seed", range(20))
def test_n10_waits_are_what_trying_every_card_finds(seed: int) -> None:
    ruleset = ("qq", "hu15", "guilin")[seed % 3]
    hand = find_hand(lambda hand, value: value.wins and hand.win_card is not None, ruleset, seed)
    found = {key: value for key, value in engine_waits(hand.cards, hand.melds, ruleset).items() if key[1] != "liang"}
    seen_cards = Counter(hand.cards) + Counter(card for text in hand.melds for card in _meld_cards(text))
    tried = {}
    for card in KINDS:
        if seen_cards[card] < 4:
            for source in ("own_draw", "other_draw", "discard"):
                value = engine_value(Hand(hand.cards, hand.melds, card, source), ruleset)
                if value.wins:
                    tried[card, source] = value
    assert {key: value.huxi for key, value in found.items()} == {key: value.huxi for key, value in tried.items()}


def _meld_cards(text: str) -> list[str]:
    form, *cards = text.split()
    return cards if form == "吃" else cards * (4 if form in "跑提" else 3)


def test_b28_reading_a_hand_in_any_order_and_spelling() -> None:
    text = "s1 s2 s3 b1 b2 b3 s7 s8 s9 b7 b8 b9 s4 s5 s6 b2 b7 b10 s2 s7 s10"
    cards = cards_of(text)
    first = engine_value(hand_of(text))
    rng = random.Random(1)
    for _ in range(20):
        rng.shuffle(cards)
        for written in (to_text(cards), " ".join(cards), "".join(cards)):
            again = replay.evaluate_hand(written, ruleset="qq")
            assert (again.complete, again.huxi) == (first.complete, first.huxi) == (True, 18)
    assert BY_CHARACTER["二"] == "s2"
    assert from_text("一拾") == ["s1", "b10"]
