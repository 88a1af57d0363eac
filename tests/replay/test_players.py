"""The reference players: what they know, who is stronger, and that they play the same way everywhere."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise, product
from math import factorial
from typing import Any

import numpy as np
import pytest

from ingest.codes import Action
from replay.arrange import GROUPS, NO_WAY, P_AT, STEP, XI_AT, one_size
from replay.fit_value import fit, text_of
from replay.kernels import features, layout, memo, reading, rounds, search, worlds
from replay.kernels.match import R_EVENTS, R_POINTS, R_WINNER
from replay.kernels.play import EVENT
from replay.kernels.policies import WEIGHT_SIZE, count_left
from replay.ladder import match, measured, seatings_of
from replay.players import PLAYERS, SCALE, VALUES, PlayerError, play_deals, play_session, player, room
from replay.rulesets import RULESETS

FITTED = sorted(path.stem for path in VALUES.glob("*.json"))


def test_each_player_is_stronger_than_the_one_before() -> None:
    at = room(RULESETS["qq"])
    names = ["random", "greedy", "steady", "value"]
    pairs = [match(at, strong, weak, 1_000, seed=8) for weak, strong in pairwise(names)]
    assert [pair.low99 > floor for pair, floor in zip(pairs, (4.5, 1.5, 0.3), strict=True)] == [True] * 3


@pytest.mark.parametrize("name", ["guilin", "bisai"])
def test_the_order_holds_elsewhere(name: str) -> None:
    at = room(RULESETS[name])
    assert match(at, "greedy", "random", 200, seed=8).low99 > 0
    assert match(at, "steady", "greedy", 500, seed=8).low99 > 0
    assert match(at, "value", "steady", 1_000, seed=8).low99 > 0


@pytest.mark.parametrize(
    ("name", "least", "most"), [("random", 0.80, 0.95), ("steady", 0.08, 0.14), ("value", 0.06, 0.12)]
)
def test_share_of_huang_is_sane(name: str, least: float, most: float) -> None:
    rows = play_deals(room(RULESETS["qq"]), 4, 2_000, [[name] * 3])
    assert least < (rows[:, 0, R_WINNER] < 0).mean() < most
    assert (rows[:, 0, R_POINTS : R_POINTS + 3].sum(axis=1) == 0).all()


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_plain_and_compiled_players_play_alike(name: str) -> None:
    who = ["random", "greedy", "steady"]
    fast, slow = (play_deals(room(RULESETS[name], jit=jit), 3, 4, [who, who[::-1]]) for jit in (True, False))
    assert (fast == slow).all()


def test_plain_and_compiled_value_and_search_play_alike() -> None:
    who = [["value", "search", "steady"]]
    first = WEIGHT_SIZE * list(PLAYERS).index("search")
    played = []
    for jit in (True, False):
        at = room(RULESETS["qq"], jit=jit)
        for i, weight in enumerate((24, 3, 10, 12, 4, 2)):  # few and short play-outs
            at.weights[first + i] = weight
        played.append(play_deals(at, 3, 2, who))
    fast, slow = played
    assert (fast == slow).all()


def test_unknown_players_are_refused() -> None:
    with pytest.raises(PlayerError, match="no player 'best'"):
        player("best", RULESETS["qq"])


@pytest.mark.parametrize("name", FITTED)
def test_fitted_numbers_are_whole_and_fit_the_network(name: str) -> None:
    kept = json.loads((VALUES / f"{name}.json").read_text(encoding="utf-8"))
    assert kept["layers"] == [features.FEATURES, features.FIRST, features.SECOND, 1]
    assert kept["version"] == PLAYERS["value"].version
    assert (kept["ruleset"], kept["scale"], len(kept["numbers"])) == (name, SCALE, features.NUMBERS)
    assert len(kept["reading"]) == reading.READING_SIZE
    assert all(isinstance(number, int) for number in kept["numbers"] + kept["reading"])
    assert min(kept["reading"]) > 0  # nothing is thought to be impossible that the rules allow
    assert text_of(kept) == (VALUES / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.slow  # compiles a part of its own, a minute
def test_fitting_again_gives_the_same_numbers() -> None:
    once = text_of(fit("qq", 1, 2, chunk=50, quiet=True))
    assert hashlib.blake2b(once.encode(), digest_size=8).hexdigest() == "ff6871bc375c2240"


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", FITTED)
def test_fitting_reproduces_the_shipped_numbers(name: str) -> None:
    assert text_of(fit(name)) == (VALUES / f"{name}.json").read_text(encoding="utf-8")


# --- the quick look at a hand ---


def _ways(counts: tuple[int, ...], groups: int, jiang: int) -> list[tuple[int, int]]:
    """Every (starts, 胡息) with which ``groups`` groups (and a 将) can be taken from the counts of small cards."""
    if groups == 0 and jiang == 0:
        return [(0, 0)]
    found = []
    runs = [(r, r + 1, r + 2) for r in range(8)] + [(1, 6, 9)]
    pieces = [((r, r), 1, 3) for r in range(10)]
    for run in runs:
        huxi = 3 if run in ((0, 1, 2), (1, 6, 9)) else 0
        pieces.append((run, 0, huxi))
        pieces += [(tuple(c for c in run if c != gone), 1, huxi) for gone in run]
    if jiang:
        for r in range(10):
            for cards, starts in (((r, r), 0), ((r,), 1)):
                rest = [n - cards.count(i) for i, n in enumerate(counts)]
                if min(rest) >= 0:
                    found += [(s + starts, h) for s, h in _ways(tuple(rest), groups, 0)]
        return found
    for cards, starts, huxi in pieces:
        rest = [n - cards.count(i) for i, n in enumerate(counts)]
        if min(rest) >= 0:
            found += [(s + starts, h + huxi) for s, h in _ways(tuple(rest), groups - 1, 0)]
    return found


def test_tables_of_one_size_hold_the_cheapest_way() -> None:
    table = one_size(0, 3, 3, (3,) * 10, 1)
    rng = np.random.default_rng(5)
    for _ in range(60):
        counts = tuple(int(n) for n in rng.choice(3, 10, p=[0.5, 0.35, 0.15]))
        hand = sum(n * 3**rank for rank, n in enumerate(counts))
        for jiang, groups in product(range(2), range(3)):
            entry = int(table[jiang, hand, groups])
            ways = _ways(counts, groups, jiang)
            told = (entry >> P_AT & 31, entry >> XI_AT)
            assert told == (min(ways, key=lambda way: way[0] * STEP - way[1]) if ways else (NO_WAY, 0))
    assert table.shape == (2, 3**10, GROUPS)


# --- what all can see ---


def walk(name: str, seed: int) -> Any:
    """Rounds event by event: the room's state after each, the events before it."""
    at = room(RULESETS[name], jit=False)
    for session in range(2):
        deals, events, spans, rows = play_session(at, seed, session, 3, ["random", "steady", "greedy"])
        for r in range(3):
            s = room(RULESETS[name], jit=False).state
            s[layout.DEAL0 : layout.DEAL0 + layout.DEAL_SIZE] = deals[layout.DEAL_SIZE * r : layout.DEAL_SIZE * (r + 1)]
            flat = [int(x) for x in events[EVENT * int(spans[r]) : EVENT * int(spans[r + 1])]]
            played = [tuple(flat[i : i + EVENT]) for i in range(0, len(flat), EVENT)]
            assert len(played) == rows[r, R_EVENTS]
            at.kernels.begin(s)
            at.kernels.remember_deal(s)
            n = 0
            while n < len(played):
                end = n + 1
                while end < len(played) and played[end][1] == Action.BI:
                    end += 1
                n = rounds.carry(s, at.table, flat, n, end)
                yield s, played[:n]


@pytest.mark.parametrize("name", ["qq", "guilin", "luzhou", "bisai"])
def test_no_hand_holds_more_than_its_bounds(name: str) -> None:
    """A hand never has more copies than what the seat did allows (docs/players.md, "Worlds")."""
    hidden_quads = RULESETS[name].ti_open == "none"
    checked = 0
    for s, _ in walk(name, 12):
        if s[layout.PHASE] == layout.OVER:
            continue
        for seat in range(3):
            at = layout.SEAT0 + seat * layout.SEAT_SIZE
            for card in range(20):
                most = s[memo.MOST + seat] >> 2 * card & 3
                held = (s[at + layout.HAND] >> 2 * card & 3) + 4 * (s[at + layout.QUADS] >> 2 * card & 1)
                dealt_quad = held == 4 and (hidden_quads or s[at + layout.INTAKES] == 0)
                assert held <= most or dealt_quad, (seat, card, held, most)
                checked += held
    assert checked > 2_000


@pytest.mark.parametrize("name", ["qq", "guilin"])
def test_what_all_have_seen_is_counted(name: str) -> None:
    for s, played in walk(name, 13):
        if s[layout.PHASE] == layout.OVER:
            continue
        open_now = s[layout.PHASE] in (layout.SHOWN, layout.DUE_DRAW, layout.DUE_DISCARD)
        if not open_now:
            continue
        hidden = sum(s[memo.HIDDEN_WEIS + seat] for seat in range(3))
        seen = [s[memo.SHOWN_CARDS] >> 3 * card & 7 for card in range(20)]
        assert max(seen) <= 4
        hands = sum(
            bin(s[at + layout.HAND]).count("1") + bin(s[at + layout.HAND] >> 1 & 0x5555555555).count("1")
            + 4 * bin(s[at + layout.QUADS]).count("1")
            for at in (layout.SEAT0 + seat * layout.SEAT_SIZE for seat in range(3))
        )  # fmt: skip
        wall = s[layout.WALL_N] - s[layout.WALL_AT]
        # The dealer's 亮张 is seen though it lies in the hand.
        assert sum(seen) == 80 - hands - wall - 3 * hidden + s[memo.LIANG_HELD], played[-3:]


# --- worlds ---


def told(s: Any, net: Any, seat: int) -> int:
    count_left(s, seat)
    return worlds.count_worlds(s, net, seat)


def moments(name: str, seed: int, every: int) -> Any:
    for n, (s, _) in enumerate(walk(name, seed)):
        if n % every == 0 and s[layout.PHASE] in (layout.SHOWN, layout.DUE_DISCARD):
            yield list(s)


def test_the_count_of_worlds_is_that_of_enumeration() -> None:
    """Few cards of three kinds: every placement counted by hand, each weighed by its permutations."""
    s = room(RULESETS["qq"], jit=False).state
    net = [0.0] * (memo.WAYS + 21 * 484 * 16)
    s[layout.N_SEATS], s[layout.DEALER] = 3, 0
    unseen = {0: 2, 5: 3, 17: 1}
    for card in range(20):
        s[memo.SHOWN_CARDS] |= (4 - unseen.get(card, 0)) << 3 * card
    for seat in range(3):
        s[memo.MOST + seat] = memo.ALL_THREE
    s[memo.MOST + 1] &= ~(3 << 10) | 1 << 10  # seat 1 holds at most one 6
    s[layout.SEAT0 + layout.SEAT_SIZE + layout.HAND] = 2  # two cards each; which ones does not matter here
    s[layout.SEAT0 + 2 * layout.SEAT_SIZE + layout.HAND] = 1
    s[layout.WALL_N], s[layout.WALL_AT] = 3, 0
    assert told(s, net, 0) == 1
    expected = 0.0
    for a in product(range(3), range(2), range(2)):
        for b in product(range(3), range(4), range(2)):
            rest = [n - x - y for n, x, y in zip(unseen.values(), a, b, strict=True)]
            if sum(a) == 2 and sum(b) == 1 and min(rest) >= 0:
                term = 1.0
                for x, y, z in zip(a, b, rest, strict=True):
                    term /= factorial(x) * factorial(y) * factorial(z)
                expected += term
    assert net[worlds.ways_at(0, 0, 0, 2, 1, 0, 0)] == pytest.approx(expected)


@pytest.mark.parametrize("name", ["qq", "guilin", "bisai"])
def test_worlds_keep_what_the_seat_knows(name: str) -> None:
    net = [0.0] * (memo.WAYS + 21 * 484 * 16)
    stream = [5, 7, 1, 1]
    tried = 0
    for before in moments(name, 14, 11):
        for seat in range(3):
            s = list(before)
            if told(s, net, seat) == 0:
                continue
            tried += 1
            worlds.clear_others(s)
            worlds.draw_world(s, net, stream)
            own = layout.SEAT0 + seat * layout.SEAT_SIZE
            assert s[own : own + layout.SEAT_SIZE] == before[own : own + layout.SEAT_SIZE]
            count_left(before, seat)
            left = [features.live(before, 1 << card) for card in range(20)]
            count_left(s, seat)
            assert left == [features.live(s, 1 << card) for card in range(20)]
            copies = [0] * 20
            for q in range(3):
                at = layout.SEAT0 + q * layout.SEAT_SIZE
                sizes = [0, 0]
                for i, state in enumerate((before, s)):
                    for card in range(20):
                        held = (state[at + layout.HAND] >> 2 * card & 3) + 4 * (
                            state[at + layout.QUADS] >> 2 * card & 1
                        )
                        sizes[i] += held
                        copies[card] += held if i else 0
                assert sizes[0] == sizes[1]
                assert s[at + layout.TABLE] == before[at + layout.TABLE]
                assert bin(s[at + layout.WEIS]).count("1") == bin(before[at + layout.WEIS]).count("1")
                for card in range(20):
                    copies[card] += s[at + layout.LAID] >> 3 * card & 7
            assert max(copies) <= 4
            wall = s[layout.D_WALL + s[layout.WALL_AT] : layout.D_WALL + s[layout.WALL_N]]
            assert all(0 <= card < 20 for card in wall)
            assert all(s[layout.SEEN + card] == 4 - wall.count(card) for card in range(20))
    assert tried > 10


def test_worlds_are_drawn_evenly() -> None:
    """The same few cards as above, drawn many times: each placement as often as its weight says."""
    s = room(RULESETS["qq"], jit=False).state
    net = [0.0] * (memo.WAYS + 21 * 484 * 16)
    s[layout.N_SEATS], s[layout.DEALER] = 3, 0
    unseen = {0: 2, 5: 2}
    for card in range(20):
        s[memo.SHOWN_CARDS] |= (4 - unseen.get(card, 0)) << 3 * card
    for seat in range(3):
        s[memo.MOST + seat] = memo.ALL_THREE
    hands = (layout.SEAT0 + layout.SEAT_SIZE + layout.HAND, layout.SEAT0 + 2 * layout.SEAT_SIZE + layout.HAND)
    s[hands[0]], s[hands[1]] = 1, 1
    s[layout.WALL_N], s[layout.WALL_AT] = 2, 0
    assert told(s, net, 0) == 1
    stream = [11, 13, 1, 1]
    found: dict[tuple[int, int], int] = {}
    for _ in range(6_000):
        s[hands[0]] = s[hands[1]] = 0
        worlds.draw_world(s, net, stream)
        key = (s[hands[0]], s[hands[1]])
        found[key] = found.get(key, 0) + 1
    # Two cards of each kind, one to each hand: alike in 1 of 6 orders for each kind, unlike in 1 of 3 each.
    same, other = 1, 1 << 10
    expected = {(same, same): 1 / 6, (other, other): 1 / 6, (same, other): 1 / 3, (other, same): 1 / 3}
    assert set(found) == set(expected)
    for key, share in expected.items():
        assert abs(found[key] / 6_000 - share) < 0.02


def test_only_clear_losers_get_no_more_play_outs() -> None:
    """Three moves, a hundred play-outs each with a standard error of 0.4: 1.5 errors of a difference are 0.85."""
    at = room(RULESETS["qq"], jit=False)
    s, net = at.state, at.net
    for i, mean in enumerate((2.0, 3.0, 2.2)):
        s[memo.CHOICES + search.C_SIZE * i + search.C_PLAYED] = 100
        s[memo.CHOICES + search.C_SIZE * i + search.C_ALIVE] = 1
        sums = search.SUMS + search.S_SIZE * i
        net[sums + search.S_POINTS] = 100 * mean
        net[sums + search.S_SQUARES] = 100 * (mean * mean + 16.0)
        net[sums + search.S_VALUE] = (1.0, 0.0, 0.0)[i]
    assert search.drop_clear(s, net, 3, 0) == 2
    assert [s[memo.CHOICES + search.C_SIZE * i + search.C_ALIVE] for i in range(3)] == [0, 1, 1]
    assert search.best_choice(s, net, 3, 0) == 1
    s[memo.CHOICES + search.C_ALIVE] = 1
    assert search.best_choice(s, net, 3, 1_000_000) == 0  # where the fitted value counts for nearly all
    s[memo.CHOICES + search.C_ALIVE] = 0
    assert search.best_choice(s, net, 3, 1_000_000) == 1  # what was dropped is out


def test_a_match_is_measured_by_deals() -> None:
    rows = play_deals(room(RULESETS["qq"]), 5, 50, seatings_of("steady", "greedy"))
    pair = measured("steady", "greedy", rows)
    lone = np.mean([rows[:, i, R_POINTS + i % 3] for i in range(3)])
    assert pair.lone_strong == pytest.approx(lone)
    assert pair.low99 < pair.advantage
    assert pair.deals == 50


@pytest.mark.parametrize("name", sorted({"qq", "guilin", "bisai", "hu15", "luzhou", "ningxiang"}))
def test_there_is_always_a_world(name: str) -> None:
    """What really is can never be excluded, so the worlds are never none, but for more hidden 偎 than are counted."""
    net = [0.0] * (memo.WAYS + 21 * 484 * 16)
    for s in moments(name, 15, 23):
        for seat in range(3):
            weis = [s[memo.HIDDEN_WEIS + q] for q in range(3) if q != seat]
            assert told(list(s), net, seat) == (max(weis) <= worlds.MOST_WEIS), (seat, weis)
