"""The engine against the oracle on seeded random hands. Both must say the same, whatever the hand."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement

import pytest

import replay
import replay.hands
from tests.oracle.cards import CHARACTERS, KINDS, to_text
from tests.oracle.chi import chi_options
from tests.oracle.engine import difference, engine_chi, engine_value, engine_waits, groups_of, points_of
from tests.oracle.hands import Hand, chi_hand, complete_hand, meld_text, near_complete_hand, random_hand
from tests.oracle.split import best_of_counts
from tests.oracle.waits import waits

RULESETS = ("qq", "hu15", "guilin")
BATCHES = 12
BATCH = 2_500


@pytest.mark.parametrize("batch", range(BATCHES))
def test_hands(batch: int) -> None:
    rng = random.Random(20_260_000 + batch)
    wrong = []
    seen: Counter[tuple[str | None, bool, bool]] = Counter()
    for number in range(BATCH):
        hand = random_hand(rng) if number % 8 == 0 else near_complete_hand(rng)
        ruleset = RULESETS[number % 3]
        options = {"dealer": rng.random() < 0.5} if hand.source == "liang" else {}
        if hand.source in ("own_draw", "other_draw") and ruleset != "guilin":
            options["last_card"] = rng.random() < 0.2
        expected = hand.value(ruleset, **options)
        found = difference(engine_value(hand, ruleset, **options), expected)
        seen[hand.source, expected.complete, expected.wins] += 1
        if found:
            wrong.append(f"{ruleset} {hand} {options}: {found}")
    assert not wrong, f"{len(wrong)} of {BATCH} differ:\n" + "\n".join(wrong[:10])
    # Every source must have been tried with complete and incomplete hands, otherwise the test says little.
    for source in ("own_draw", "other_draw", "discard", None):
        assert seen[source, False, False] > 50
        assert seen[source, True, True] > 20


@pytest.mark.parametrize(("size", "jiang"), [(3, False), (6, False), (2, True), (5, True)])
def test_every_small_multiset(size: int, jiang: bool) -> None:
    """All multisets of so many loose cards; of six there are 176,700.

    Four of a kind are never loose (坎 and 提 are locked), and the splitter refuses them.
    """
    wrong = []
    tried = 0
    for places in combinations_with_replacement(range(len(KINDS)), size):
        counts = [0] * len(KINDS)
        for place in places:
            counts[place] += 1
        if max(counts) > 4:
            continue
        tried += 1
        if max(counts) == 4:
            with pytest.raises(replay.HandError):
                replay.hands.best_split(counts, jiang)
            continue
        best = best_of_counts(tuple(counts), jiang)
        expected = -1 if best is None else best[0]
        found = replay.hands.best_split(counts, jiang)
        if found != expected:
            wrong.append((counts, found, expected))
    assert not wrong, f"{len(wrong)} of {tried} differ, first {wrong[:5]}"
    assert tried == {3: 1_540, 6: 176_700, 2: 210, 5: 42_484}[size]


def test_a_wrong_number_of_cards_never_splits() -> None:
    assert replay.hands.best_split([1, 1, 1, 1] + [0] * 16, False) == -1
    assert replay.hands.best_split([1, 1, 1] + [0] * 17, True) == -1


def test_larger_loose_hands() -> None:
    rng = random.Random(7)
    wrong = []
    for _ in range(8_000):
        triples = rng.randint(2, 6)
        kinds = rng.sample(KINDS, rng.randint(4, 10))
        pool = [kind for kind in kinds for _ in range(3)]
        jiang = rng.random() < 0.5
        size = 3 * triples + 2 * jiang
        if size > len(pool):
            continue
        held = Counter(rng.sample(pool, size))
        counts = [held[kind] for kind in KINDS]
        best = best_of_counts(tuple(counts), jiang)
        expected = -1 if best is None else best[0]
        found = replay.hands.best_split(counts, jiang)
        if found != expected:
            wrong.append((counts, jiang, found, expected))
    assert not wrong, f"{len(wrong)} differ, first {wrong[:5]}"


def test_chi_options() -> None:
    rng = random.Random(11)
    wrong = []
    chains: Counter[int] = Counter()
    for number in range(12_000):
        hand, card = chi_hand(rng)
        ruleset = RULESETS[number % 3]
        discard_due = number % 4 != 0
        expected = chi_options(hand, card, ruleset, discard_due)
        found = engine_chi(hand, card, ruleset, discard_due)
        chains.update(len(bi) for _, bi in expected)
        if found != expected:
            wrong.append(f"{ruleset} {to_text(hand)} 吃 {CHARACTERS[card]} due={discard_due}: {found ^ expected}")
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])
    assert min(chains[0], chains[1], chains[2]) > 100


def test_waits() -> None:
    rng = random.Random(13)
    wrong = []
    ready = 0
    for number in range(450):
        hand = near_complete_hand(rng)
        ruleset = RULESETS[number % 3]
        expected = waits(hand.cards, hand.melds, ruleset)
        found = {
            wait: value for wait, value in engine_waits(hand.cards, hand.melds, ruleset).items() if wait[1] != "liang"
        }
        ready += bool(expected)
        if found.keys() != expected.keys():
            wrong.append(f"{ruleset} {hand}: {sorted(found.keys() ^ expected.keys())}")
        else:
            wrong += [f"{ruleset} {hand} {wait}" for wait in found if difference(found[wait], expected[wait])]
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])
    assert ready > 100


def shuffled(rng: random.Random, hand: Hand) -> tuple[str, list[str]]:
    cards, melds = list(hand.cards), [meld_text(text) for text in hand.melds]
    rng.shuffle(cards)
    rng.shuffle(melds)
    melds = [text[:2] + "".join(rng.sample(text[2:], len(text) - 2)) if text[0] == "吃" else text for text in melds]
    return to_text(cards), melds


def test_the_order_of_cards_and_melds_does_not_matter_case_b28() -> None:
    """A solver of another program said 24 for one order of 21 cards and 27 for another."""
    rng = random.Random(17)
    tried = 0
    while tried < 200:
        hand = complete_hand(rng)
        if hand is None:
            continue
        tried += 1
        first = engine_value(hand)
        for _ in range(5):
            cards, melds = shuffled(rng, hand)
            card = CHARACTERS[hand.win_card] if hand.win_card else None
            again = replay.evaluate_hand(cards, melds=melds, win_card=card, source=hand.source, ruleset="qq")
            assert (again.complete, again.wins, again.huxi) == (first.complete, first.wins, first.huxi), hand
            assert again.fan == first.fan, hand
            assert groups_of(again) == groups_of(first), hand


def test_the_order_of_a_hand_to_eat_with_does_not_matter() -> None:
    rng = random.Random(19)
    for _ in range(300):
        hand, card = chi_hand(rng)
        mixed = list(hand)
        rng.shuffle(mixed)
        assert engine_chi(mixed, card) == engine_chi(hand, card)


def test_tianhu_by_count() -> None:
    """三提五坎: the best 胡息 over partial groupings, for players and for the dealer with the 亮张."""
    rng = random.Random(23)
    wrong = []
    won = 0
    for number in range(1_500):
        same = rng.sample(KINDS, rng.randint(3, 6))
        cards = [kind for kind in same for _ in range(rng.choice((3, 3, 4)))][:20]
        rest = [kind for kind in KINDS if kind not in same for _ in range(2)]
        cards += rng.sample(rest, 20 - len(cards))
        ruleset = RULESETS[number % 2]
        hand = Hand(tuple(cards))
        options = {"tianhu": True}
        if number % 3 == 0:
            liang = rng.choice([kind for kind in KINDS if cards.count(kind) < 4])
            hand = hand._replace(win_card=liang, source="liang")
            options["dealer"] = True
        expected = hand.value(ruleset, **options)
        if expected.complete:
            continue
        found = engine_value(hand, ruleset, **options)
        won += expected.wins
        ours = (found.wins, found.huxi, points_of(found)) if found.wins else (False,)
        theirs = (True, expected.huxi, expected.points) if expected.wins else (False,)
        if ours != theirs:
            wrong.append(f"{ruleset} {hand} {options}: engine {ours}, oracle {theirs}")
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:5])
    assert won > 300
