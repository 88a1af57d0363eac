"""Speed as ratios in one run: each job beside its yardstick, on the same inputs, in the same process.

``python benchmarks/run.py`` prints a Markdown table; ``--rounds N`` sets the size. Absolute figures depend on the
machine; the ratios are the claims (benchmarks/README.md).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.judging import judging  # noqa: E402
from benchmarks.playing import playing  # noqa: E402
from benchmarks.reading import importing  # noqa: E402
from benchmarks.steps import steps  # noqa: E402
from benchmarks.timing import best_of  # noqa: E402
from ingest.record import Record  # noqa: E402
from replay.bulk import audit_arrays, run_audit  # noqa: E402
from replay.engine import engine  # noqa: E402
from replay.kernels.audit import SUMMARY_SIZE, audit_rounds  # noqa: E402
from replay.kernels.bits import LOW  # noqa: E402
from replay.kernels.hands import run_table  # noqa: E402
from replay.kernels.hands import split as plain_split  # noqa: E402
from replay.kernels.jit import compiled, plain  # noqa: E402
from replay.kernels.layout import HAND, SEAT0, W_OTHER  # noqa: E402
from replay.replayer import replay_round  # noqa: E402
from replay.rulesets import QQ  # noqa: E402
from replay.seating import seated  # noqa: E402
from replay.simulate import Player, Stream, sessions  # noqa: E402
from tests.oracle.split import best_of_counts  # noqa: E402

PLAYERS = [Player("a"), Player("b", peng=90), Player("c", chi=40), Player("d", lone=95)]


def hands(n: int, near: bool) -> list[int]:
    """Packed loose hands of 21 cards without 坎: random ones, or built of groups with up to two cards changed."""
    from replay.kernels.rights import PACKED

    stream = Stream(7)
    made: list[int] = []
    while len(made) < n:
        counts = [0] * 20
        if near:
            for _ in range(7):
                group = stream.below(len(PACKED))
                for kind in range(20):
                    counts[kind] += PACKED[group] >> 2 * kind & 3
            for _ in range(stream.below(3)):
                kind = stream.below(20)
                if counts[kind]:
                    counts[kind] -= 1
                    counts[stream.below(20)] += 1
        else:
            for card in stream.shuffled(range(80))[:21]:
                counts[card // 4] += 1
        if max(counts) <= 3:
            made.append(sum(c << 2 * kind for kind, c in enumerate(counts)))
    return made


def each(items: Sequence[object], job: Callable[..., object]) -> None:
    """Call ``job`` on every item."""
    for item in items:
        job(item)


def split_many(kernels: object) -> Callable[..., int]:
    """A compiled loop over hands, so that the call from Python is not what is timed."""
    import numba

    split = kernels.split  # type: ignore[attr-defined]

    @numba.njit(nogil=True)
    def loop(packed: np.ndarray, table: np.ndarray, stack: np.ndarray) -> int:
        total = 0
        for hand in packed:
            total += split(hand, 0, table, stack)
        return total

    return loop


def splitter(rows: list[str]) -> None:
    """One core; yardsticks: the same source as plain Python, and the independent plain-Python oracle."""
    kernels = compiled()
    table = run_table(3, 3, 6, 6)
    fast_table = np.frombuffer(table, dtype=np.uint8)
    loop = split_many(kernels)
    for name, near in (("random 21 cards", False), ("near-complete 21 cards", True)):
        packed = hands(100_000, near)
        array, stack = np.array(packed, dtype=np.int64), np.zeros(80, dtype=np.int64)
        some, few = packed[:3000], [tuple(hand >> 2 * kind & 3 for kind in range(20)) for hand in packed[:300]]
        loop(array, fast_table, stack)
        fast = best_of(5, partial(loop, array, fast_table, stack)) / len(packed)
        plain = best_of(3, partial(each, some, partial(plain_split, jiang=0, table=table, stack=[0] * 80))) / len(some)
        oracle = best_of(1, partial(each, few, partial(best_of_counts, jiang=False))) / len(few)
        slower = f"oracle {oracle / fast:.0f}× slower | un-jitted {plain / fast:.0f}× slower"
        rows.append(f"| split, {name} | {fast * 1e9:.0f} ns | {slower} |")


def ting_many(kernels: object) -> Callable[..., int]:
    """A compiled loop over hands: every card of the 20 kinds that a hand could win on, drawn by another."""
    import numba

    value = kernels.hu_value  # type: ignore[attr-defined]

    @numba.njit(nogil=True)
    def loop(packed: np.ndarray, state: np.ndarray, table: np.ndarray) -> int:
        total = 0
        for hand in packed:
            state[SEAT0 + HAND] = hand
            for card in range(20):
                total += value(state, table, 0, card, W_OTHER) >= 0
        return total

    return loop


def ting(rows: list[str]) -> None:
    """听: for each of the 20 kinds whether it completes a hand of 20 cards, with its 胡息; one core."""
    machine, slow = engine(QQ, compiled()), engine(QQ)
    loop = ting_many(machine.kernels)
    for name, near in (("random 20 cards", False), ("one card from 21 of 7 groups", True)):
        packed = [hand - (held & -held) for hand in hands(20_000, near) for held in [(hand | hand >> 1) & LOW]]
        array = np.array(packed, dtype=np.int64)
        loop(array, machine.state, machine.table)
        fast = best_of(5, partial(loop, array, machine.state, machine.table)) / len(packed)

        def slowly(few: list[int]) -> None:
            for hand in few:
                slow.state[SEAT0 + HAND] = hand
                for card in range(20):
                    slow.kernels.hu_value(slow.state, slow.table, 0, card, W_OTHER)

        plain = best_of(2, partial(slowly, packed[:300])) / 300
        rows.append(f"| 听, {name} | {fast * 1e9:.0f} ns | un-jitted {plain / fast:.0f}× slower | |")


def audit(rows: list[str], records: list[Record]) -> None:
    """Audit kernel, one core; yardstick: the same source as plain Python."""
    fast = engine(QQ, compiled())
    arrays = audit_arrays([seated(record, QQ) for record in records])
    run_audit(fast, *arrays)
    seconds = best_of(5, lambda: run_audit(fast, *arrays)) / len(records)
    some = records[:200]
    slow = engine(QQ, plain())
    plain_arrays = [list(map(int, part)) for part in audit_arrays([seated(record, QQ) for record in some])]

    def slowly() -> None:
        summaries = [0] * (SUMMARY_SIZE * len(some))
        audit_rounds(slow.state, slow.table, len(some), 1, *plain_arrays, summaries, [0] * 6)

    unjitted = best_of(3, slowly) / len(some)
    events = sum(len(record.moves) for record in records) / len(records)
    rows.append(
        f"| audit kernel, a round of {events:.0f} events | {seconds * 1e6:.2f} µs = {1 / seconds:,.0f} rounds/s | "
        f"un-jitted {unjitted / seconds:.0f}× slower | |"
    )
    one = best_of(3, lambda: [replay_round(record) for record in records[:50]]) / 50
    rows.append(f"| `replay_round`, un-jitted, with decisions and settlement | {one * 1e3:.1f} ms | | |")


def main() -> None:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    rounds = parser.parse_args().rounds
    records = list(sessions(engine(QQ, compiled()), 11, rounds, PLAYERS))
    rows: list[str] = []
    splitter(rows)
    ting(rows)
    steps(rows)
    audit(rows, records)
    playing(rows, rounds)
    judging(rows, rounds)
    importing(rows, records)
    print("| job | figure | yardstick | |\n|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
