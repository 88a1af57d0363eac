"""Reading hands: the past is told back rightly, and worlds are drawn as likely as they fit it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from replay.kernels import layout, memo, reading, worlds
from replay.kernels.bits import LOW, copies
from replay.players import Room, room
from replay.rulesets import RULESETS
from tests.replay.test_players import moments, told, walk

RED_RANKS = (1, 6, 9)
SHRINKING = sorted(name for name, rules in RULESETS.items() if not rules.draw_to_hand)
"""Rulesets in which a drawn card never enters the hand (rules 3.3)."""
QUICK = ("guilin", "qq")
"""Those tried in every run of the tests."""
TRIED = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SHRINKING if name not in QUICK)]


def loose_of(cards: list[int]) -> int:
    """A packed hand."""
    return sum(1 << (2 * card) for card in cards)


def held_of(loose: int) -> int:
    return (loose | loose >> 1) & LOW


def partners(card: int) -> list[tuple[int, int]]:
    """The two other kinds of every 顺 and 绞 of ``card`` (rules 5.1 to 5.3), by definition."""
    base, rank = card // 10 * 10, card % 10
    runs = [(r, r + 1, r + 2) for r in range(8)] + [RED_RANKS]
    found = [tuple(base + r for r in run if r != rank) for run in runs if rank in run]
    mate = (card + 10) % 20
    return [*found, (card, mate), (mate, mate)]  # type: ignore[list-item]


def test_ways_to_eat_are_those_of_the_definition() -> None:
    """Every hand of up to four of some kinds that matter, for every card."""
    kinds = [0, 1, 2, 3, 6, 9, 11, 12, 16, 19]
    for size in range(5):
        for cards in combinations(sorted(kinds * 2), size):
            hand = list(cards)
            loose = loose_of(hand)
            for card in (0, 1, 2, 6, 9, 12):
                if hand.count(card) == 2 and (card + 10) % 20 in hand:
                    continue  # one 绞 of two kinds is counted once
                n = 0
                for a, b in partners(card):
                    left = hand.copy()
                    for one in (a, b):
                        if one in left:
                            left.remove(one)
                    n += len(left) == len(hand) - 2
                found = reading.ways_to_eat(loose, held_of(loose), card)
                own = card in hand
                assert found == (min(n, 3) + (3 if own else 0) if n else 0), (hand, card)


def test_patterns_tell_hands_apart_by_what_lies_beside() -> None:
    def seen(cards: list[int], card: int) -> int:
        loose = loose_of(cards)
        found = reading.pattern(loose, held_of(loose), card)
        assert 0 <= found < reading.PATTERNS
        return found

    alone = seen([3], 3)
    different = [[2, 3], [3, 4], [1, 3], [3, 5], [3, 3], [3, 13], [3, 13, 13], [2, 3, 4]]
    assert len({alone, *(seen(cards, 3) for cards in different)}) == len(different) + 1
    assert seen([3, 7], 3) == seen([3, 10], 3) == alone  # too far away, or of the other size
    assert seen([9], 9) != seen([9, 6], 9) != seen([9, 6, 1], 9)  # 2-7-10
    assert seen([0, 19], 19) == seen([19], 19) == seen([19, 0], 19)  # the end of one size is not beside the other's


@pytest.mark.parametrize("name", TRIED)
def test_the_past_leads_back_to_the_deal(name: str) -> None:
    """What is left of a hand and what left it are the loose cards that were dealt; each card thrown was among them."""
    checked = thrown = 0
    for s, _ in walk(name, 21):
        for seat in range(3):
            at = layout.SEAT0 + seat * layout.SEAT_SIZE
            weis = memo.hidden_weis(s, seat)
            hand = s[at + layout.HAND]
            for i in range(s[memo.PASTS + seat] - 1, -1, -1):
                entry = s[memo.PAST + memo.PAST_ROOM * seat + i]
                hand = memo.before_entry(hand, entry, weis)
                weis = memo.weis_before(weis, entry)
                if entry & memo.THREW:
                    thrown += 1
                    assert copies(hand, entry >> memo.PAST_CARD & 31) in (1, 2)
            assert weis == 0
            dealt = [0] * 20
            for i in range(20):
                card = s[layout.D_HANDS + 20 * seat + i]
                if card >= 0:
                    dealt[card] += 1
            if s[layout.DEALER] == seat:
                dealt[s[layout.LIANG]] += 1
            for card in range(20):
                if dealt[card] <= 2:
                    assert copies(hand, card) == dealt[card], (seat, card)
            checked += 1
    assert checked > 300
    assert thrown > 300


def small_table(beside: float) -> tuple[Room, Any, Any]:
    """Two other seats with one card each, two kinds twice unseen, a wall of two; seat 1 has thrown a 1."""
    at = room(RULESETS["qq"], jit=False)
    s, net = at.state, at.net
    s[layout.N_SEATS], s[layout.DEALER] = 3, 0
    for card in range(20):
        s[memo.SHOWN_CARDS] |= (4 - (2 if card in (1, 5) else 0)) << 3 * card
    for seat in range(3):
        s[memo.MOST + seat] = memo.ALL_THREE
    s[layout.SEAT0 + layout.SEAT_SIZE + layout.HAND] = s[layout.SEAT0 + 2 * layout.SEAT_SIZE + layout.HAND] = 1
    s[layout.WALL_N], s[layout.WALL_AT] = 2, 0
    for i in range(reading.READING_SIZE):
        net[memo.READING + i] = 1.0
    memo.note_past(s, 1, 0, memo.THREW | 1)
    both = loose_of([0, 1])  # with a 2 in hand: it threw the 1 from beside it
    net[memo.READING + reading.pattern(both, held_of(both), 0)] = beside
    assert told(s, net, 0) == 1
    return at, s, net


def test_a_hand_fits_by_the_choice_model() -> None:
    _, s, net = small_table(0.25)
    assert reading.fits(s, net, 1, loose_of([1]), 0.0) == pytest.approx(0.25 / 1.25)
    assert reading.fits(s, net, 1, loose_of([5]), 0.0) == pytest.approx(1 / 2)
    assert reading.fits(s, net, 2, loose_of([5]), 0.0) == 1.0
    net[memo.READING + reading.LETS_PAIR] = 0.3
    memo.note_past(s, 2, 5, memo.LEFT_PAIR | memo.LEFT_RUN)
    assert reading.fits(s, net, 2, loose_of([5, 5]), 0.0) == pytest.approx(0.3)
    net[memo.READING + reading.LETS_RUN] = 0.7
    assert reading.fits(s, net, 2, loose_of([4, 6]), 0.0) == pytest.approx(0.7)
    assert reading.fits(s, net, 2, loose_of([4, 7]), 0.0) == 1.0
    assert reading.fits(s, net, 2, loose_of([4, 6]), 0.7) == 0.0  # not above what is asked for


def test_worlds_come_as_often_as_they_fit() -> None:
    """All placements of four cards, weighed by hand by the choice model; all are as near to a win."""
    at, s, net = small_table(0.2)
    hands = (layout.SEAT0 + layout.SEAT_SIZE + layout.HAND, layout.SEAT0 + 2 * layout.SEAT_SIZE + layout.HAND)
    near = reading.nearness(s, at.plans, 1, loose_of([5]))
    assert near == reading.nearness(s, at.plans, 1, loose_of([1]))
    expected = {}
    for one in (1, 5):
        for two in (1, 5):
            orders = 1 if one == two else 2
            expected[loose_of([one]), loose_of([two])] = orders * (0.2 / 1.2 if one == 1 else 0.5)
    total = sum(expected.values())
    stream = [11, 13, 1, 1]
    found = dict.fromkeys(expected, 0)
    s[hands[0]] = s[hands[1]] = 0
    worlds.draw_world(s, net, stream)
    for _ in range(3_000):
        reading.stir(s, at.plans, net, stream, 1)
        found[s[hands[0]], s[hands[1]]] += 1
    for key, weight in expected.items():
        assert abs(found[key] / 3_000 - weight / total) < 0.04, key


def test_worlds_come_as_often_as_hands_are_so_near() -> None:
    """With six groups laid a pair lacks one card and two kinds are dead: a pair four times as often as it would be."""
    at, s, net = small_table(1.0)
    one, two = (layout.SEAT0 + seat * layout.SEAT_SIZE for seat in (1, 2))
    s[memo.PASTS + 1] = 0
    s[one + layout.MELDS], s[one + layout.XI] = 6, 15
    s[one + layout.HAND], s[two + layout.HAND] = loose_of([1, 5]), 0
    assert told(s, net, 0) == 1
    s[one + layout.HAND] = 0
    near, far = (reading.nearness(s, at.plans, 1, loose_of(cards)) for cards in ([1, 1], [1, 5]))
    assert near == reading.nearness(s, at.plans, 1, loose_of([5, 5])) != far
    net[memo.READING + near] = 4.0
    stream = [11, 13, 1, 1]
    worlds.draw_world(s, net, stream)
    found = {loose_of([1, 1]): 0, loose_of([5, 5]): 0, loose_of([1, 5]): 0}
    for _ in range(3_000):
        reading.stir(s, at.plans, net, stream, 1)
        found[s[one + layout.HAND]] += 1
    # Of six pairs of the four cards two are alike, four are not: 4 + 4 against 4.
    assert [abs(n / 3_000 - 1 / 3) < 0.04 for n in found.values()] == [True] * 3


@pytest.mark.parametrize("name", ["qq", "guilin", "bisai"])
def test_stirred_worlds_keep_what_the_seat_knows(name: str) -> None:
    at = room(RULESETS[name], jit=False)
    net, stream = at.net, [5, 7, 1, 1]
    tried = changed = 0
    for before in moments(name, 14, 17):
        for seat in range(3):
            s = list(before)
            if told(s, net, seat) == 0:
                continue
            worlds.clear_others(s)
            worlds.draw_world(s, net, stream)
            drawn = list(s)
            reading.stir(s, at.plans, net, stream, 3)
            tried += 1
            changed += s != drawn
            own = layout.SEAT0 + seat * layout.SEAT_SIZE
            assert s[own : own + layout.SEAT_SIZE] == before[own : own + layout.SEAT_SIZE]
            cards = []
            for state in (drawn, s):
                counts = [0] * 20
                for q in range(3):
                    hand = state[layout.SEAT0 + q * layout.SEAT_SIZE + layout.HAND]
                    for card in range(20):
                        counts[card] += copies(hand, card)
                        if q != seat and state is s:
                            held = copies(hand, card)
                            held -= s[memo.LIANG_HELD] == 1 and q == s[layout.DEALER] and card == s[layout.LIANG]
                            assert held <= worlds.most_of(s, q, card)
                wall = state[layout.D_WALL + state[layout.WALL_AT] : layout.D_WALL + state[layout.WALL_N]]
                for card in wall:
                    counts[card] += 1
                assert all(state[layout.SEEN + card] == 4 - wall.count(card) for card in range(20))
                cards.append(counts)
            assert cards[0] == cards[1]
    assert tried > 10
    assert changed > tried / 2
