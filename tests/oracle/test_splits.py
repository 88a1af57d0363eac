"""The kernels' splitters against the oracle's, on random hands of every splitting rule."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from ingest.cards import parse
from replay.engine import Engine, engine
from replay.kernels import layout
from replay.kernels.hands import GROUPS, run_table, split
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from tests.oracle import general, groups

RULES = {"qq": ((3, 6), (3, 6)), "luzhou": ((3, 6), (6, 9))}
"""胡息 of 一二三 and of 二七十, small and big; bisai, hu15, guilin and ningxiang split as qq."""


def loose_hands(rng: random.Random, n: int) -> Iterator[tuple[list[int], bool]]:
    """Counts of loose cards, at most two alike or three, and whether a 将 is due; half of them made of groups."""
    deck = [kind for kind in range(20) for _ in range(4)]
    for number in range(n):
        jiang = rng.random() < 0.5
        triples = rng.randrange(2, 8 - jiang)
        counts = [0] * 20
        if number % 2:
            chosen = [*(card for _ in range(triples) for card in GROUPS[rng.randrange(len(GROUPS))])]
            chosen += [rng.randrange(20)] * 2 if jiang else []
        else:
            chosen = rng.sample(deck, 3 * triples + 2 * jiang)
        for card in chosen:
            counts[card] += 1
        if max(counts) <= 3:
            yield counts, jiang


def check_seven(rule: str, n: int, seed: int) -> tuple[int, int]:
    """Compare ``split``; returns how many hands were compared and how many of them split."""
    (h123, h2710), split = RULES[rule], compiled().split
    table = np.frombuffer(run_table(h123[0], h2710[0], h123[1], h2710[1]), dtype=np.uint8)
    scratch = np.zeros(80, dtype=np.int64)
    compared = whole = 0
    for counts, jiang in loose_hands(random.Random(seed), n):
        packed = sum(copies << 2 * kind for kind, copies in enumerate(counts))
        found = groups.split(tuple(counts), jiang, h123, h2710)
        assert split(packed, int(jiang), table, scratch) == (-1 if found is None else found[0]), (counts, jiang)
        compared += 1
        whole += found is not None
    return compared, whole


def concealed(rng: random.Random, n: int) -> Iterator[list[int]]:
    """Counts of 21 concealed cards; two in three near 6 句 and a 将."""
    deck = [kind for kind in range(20) for _ in range(4)]
    sentences = [tuple(GROUPS[i]) for i in range(16)] + [(kind,) * 3 for kind in range(20)]
    for number in range(n):
        if number % 3:
            chosen = [card for _ in range(6) for card in sentences[rng.randrange(len(sentences))]]
            chosen += [rng.randrange(20)] * 2 + [rng.randrange(20)]
        else:
            chosen = rng.sample(deck, 21)
        counts = [chosen.count(kind) for kind in range(20)]
        if max(counts) <= 4:
            yield counts


def lay(machine: Engine, counts: list[int]) -> None:
    state = machine.state
    for slot in range(layout.STATE0, layout.STATE_END):
        state[slot] = 0
    state[layout.SEAT0 + layout.HAND] = sum(n << 2 * kind for kind, n in enumerate(counts) if n < 4)
    state[layout.SEAT0 + layout.QUADS] = sum(1 << 2 * kind for kind, n in enumerate(counts) if n == 4)
    state[layout.SEAT0 + layout.KNOWN] = 1


def with_a_spare(counts: list[int]) -> bool:
    """The oracle: some card left out, the others are 6 句 and a 将."""
    for spare in range(20):
        if counts[spare]:
            rest = [n - (kind == spare) for kind, n in enumerate(counts)]
            if any(True for _ in general.sentences(tuple(rest))):
                return True
    return False


def check_sentences(n: int, seed: int) -> tuple[int, int]:
    machine = engine(RULESETS["general"], compiled())
    compared = whole = 0
    for counts in concealed(random.Random(seed), n):
        lay(machine, counts)
        value = machine.kernels.hu_value(machine.state, machine.table, 0, -1, layout.W_OWN)
        expected = with_a_spare(counts)
        assert (value >= 0) == expected, counts
        compared += 1
        whole += expected
    return compared, whole


@pytest.mark.parametrize("rule", RULES)
def test_seven_groups_split_as_the_oracle_says(rule: str) -> None:
    compared, whole = check_seven(rule, 30_000, 3)
    assert compared > 15_000
    assert whole > 5_000


def test_sentences_split_as_the_oracle_says() -> None:
    compared, whole = check_sentences(6_000, 4)
    assert compared > 2_500
    assert whole > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("rule", [*RULES, "sentences"])
def test_a_million_hands_split_as_the_oracle_says(rule: str, part: int) -> None:
    compared = 0
    for seed in range(100):
        compared += (check_sentences if rule == "sentences" else lambda n, s: check_seven(rule, n, s))(
            20_000, 1_000 * part + seed
        )[0]
        groups.split.cache_clear()
        general.one_size.cache_clear()
        if compared >= 250_000:
            break
    assert compared >= 250_000


ONE_SIZE = (0b11 << 2 | 0b11 << 12 | 0b11 << 18, 0b111111, 0b11 << 18 | 0b11 << 16 | 0b11 << 14)
"""Three 二七十, three 一二三, three 八九十."""


@pytest.mark.parametrize("rule", RULES)
def test_the_table_of_one_size_says_what_the_oracle_says(rule: str) -> None:
    (h123, h2710), rng = RULES[rule], random.Random(6)
    run_table.cache_clear()
    table = run_table(h123[0], h2710[0], h123[1], h2710[1])
    runs = [GROUPS[i] for i in (*range(8), 16)]
    hands = [*ONE_SIZE, *(rng.randrange(1 << 20) for _ in range(300))]
    for _ in range(1_500):
        counts = [0] * 10
        for card in [*(card for _ in range(rng.randrange(1, 7)) for card in rng.choice(runs)), rng.randrange(10)]:
            counts[card] += 1
        counts[counts.index(max(counts))] += rng.randrange(2)
        if max(counts) <= 3:
            hands.append(sum(n << 2 * kind for kind, n in enumerate(counts)))
    whole = 0
    for hand in hands:
        counts = [hand >> 2 * kind & 3 for kind in range(10)]
        for big in (0, 1):
            full = tuple([*([0] * 10), *counts] if big else [*counts, *([0] * 10)])
            for jiang in (0, 1):
                found = groups.split(full, bool(jiang), h123, h2710)
                said = table[big << 20 | hand] >> 4 * jiang & 15
                assert said == (0 if found is None else 1 + found[0] // 3), (counts, big, jiang)
                whole += found is not None
    assert whole > 300


@pytest.mark.parametrize("rank", range(10))
def test_three_small_and_three_big_of_one_rank(rank: int) -> None:
    """Two 绞, beside which the rest must stand by itself."""
    table, scratch = run_table(3, 3, 6, 6), [0] * 80
    both = 3 << 2 * rank | 3 << 2 * (rank + 10)
    assert split(both, 0, table, scratch) == 0


@pytest.mark.parametrize("upper", [0, 10])
@pytest.mark.parametrize(
    ("loose", "jiang"),
    [
        ("三三六七八九叁叁叁伍陆柒", 0),  # two of the one size and three of the other: one 绞 only
        ("一二三五五壹壹贰贰叁肆", 1),  # a 将 and a 顺 beside cards that lie in 顺 but cannot be parted into them
        ("一二三五五", 1),
        ("五五壹贰叁", 1),
    ],
)
def test_both_sizes_must_be_parted(loose: str, jiang: int, upper: int) -> None:
    counts = [0] * 20
    for card in parse(loose):
        counts[(card + upper) % 20] += 1
    packed = sum(copies << 2 * kind for kind, copies in enumerate(counts))
    found = groups.split(tuple(counts), bool(jiang), (3, 6), (3, 6))
    assert split(packed, jiang, run_table(3, 3, 6, 6), [0] * 80) == (-1 if found is None else found[0])
