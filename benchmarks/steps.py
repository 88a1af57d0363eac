"""Exact steps to a win: how fast, and how often the players' quick estimate is the exact number.

``python -m benchmarks.steps`` prints the shares of agreement; the speed is a part of ``benchmarks/run.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.timing import best_of
from replay.arrange import arrangements
from replay.engine import engine
from replay.fronts import fronts
from replay.kernels.jit import compiled
from replay.kernels.layout import SEAT0, SEAT_SIZE, TABLE
from replay.kernels.memo import MEMO_END
from replay.kernels.pieces import WORK_SIZE
from replay.kernels.plans import DEAD, L_FEWEST, L_STARTS, after_nothing, look
from replay.kernels.rights import discard_due
from replay.rulesets import QQ, RULESETS
from tests.replay.moments import Block, moments, put_block
from tests.replay.steps_brute import Search, seat_of


def steps_many(kernels: object) -> Callable[..., int]:
    """A compiled loop over seats, so that the call from Python is not what is timed."""
    import numba

    steps = kernels.steps_to_win  # type: ignore[attr-defined]

    @numba.njit(nogil=True)
    def loop(blocks: np.ndarray, state: np.ndarray, rows: np.ndarray, work: np.ndarray, found: np.ndarray) -> None:
        for i in range(len(blocks)):
            for j in range(SEAT_SIZE):
                state[SEAT0 + j] = blocks[i, j]
            found[i] = steps(state, rows, work, 0)

    return loop


def exact(ruleset: Any, blocks: list[Block]) -> tuple[Any, float]:
    """Steps of every seat and the seconds that one takes."""
    machine, rows = engine(ruleset, compiled()), fronts(ruleset)
    array, found = np.array(blocks, dtype=np.int64), np.zeros(len(blocks), dtype=np.int64)
    job = partial(steps_many(compiled("steps")), array, machine.state, rows, np.zeros(WORK_SIZE, dtype=np.int64), found)
    job()
    return found, best_of(5, job) / len(blocks)


def steps(rows: list[str]) -> None:
    """One core; yardstick: the brute force of the tests, in plain Python."""
    dealt = [[int(slot) for slot in block] for block in moments(QQ, 3, 5_000)]
    for name, blocks in (
        ("dealt 20 cards", [block for block in dealt if block[TABLE] == 0]),
        ("random moments", dealt),
    ):
        _, seconds = exact(QQ, blocks)
        some = [seat_of(block, QQ) for block in blocks[:100]]
        brute = best_of(1, lambda some=some: [Search(QQ).steps(seat) for seat in some]) / len(some)
        rows.append(
            f"| steps to a win, {name} | {seconds * 1e6:.1f} µs | brute force {brute / seconds:.0f}× slower | |"
        )


def agreement(name: str, n: int, weight: int) -> tuple[Counter[tuple[str, int]], int]:
    """How the quick estimate differs from the exact steps of ``n`` seats that owe no discard.

    ``weight``: what a missing 胡息 costs, in thousandths of a step. Counts of ``(estimate, difference)``; 99 where only
    one of the two says that the hand is dead.
    """
    ruleset = RULESETS[name]
    machine = engine(ruleset)
    machine.state.extend([0] * (MEMO_END - len(machine.state)))
    plans = arrangements(ruleset, weight).tolist()
    blocks = moments(ruleset, 77, n)
    found, _ = exact(ruleset, blocks)
    differ: Counter[tuple[str, int]] = Counter()
    seen = 0
    for block, steps_ in zip(blocks, found.tolist(), strict=True):
        put_block(machine, block)
        if discard_due(machine.state, 0) > 0:
            continue
        seen += 1
        after_nothing(machine.state, 0)
        look(machine.state, plans, weight)
        for estimate, slot in (("fewest", L_FEWEST), ("starts", L_STARTS)):
            guess = machine.state[slot]
            if guess >= DEAD or steps_ < 0:
                differ[estimate, 0 if guess >= DEAD and steps_ < 0 else 99] += 1
            else:
                differ[estimate, guess - steps_] += 1
    return differ, seen


def main() -> None:
    """Print for each ruleset and estimate the share of hands by the difference."""
    for name in ("qq", "guilin", "luzhou"):
        for weight in (100, 250):
            differ, seen = agreement(name, 12_000, weight)
            for estimate in ("fewest", "starts"):
                shares = {d: n for (which, d), n in sorted(differ.items()) if which == estimate}
                told = ", ".join(f"{d:+d}: {100 * n / seen:.1f} %" for d, n in shares.items())
                print(f"{name}, weight {weight}, {seen} hands, {estimate}: {told}", flush=True)


if __name__ == "__main__":
    main()
