"""Fitting the evaluator of the luck ledger: ``python -m replay.fit_luck RULESET…`` writes ``foresights/*.json``.

A network learns, from rounds between the reference players, what every position before a draw paid in the end; then
fresh deals say what the dealer and those after it may expect. Every number follows from ``SEED``, as in ``fit_value``.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from replay.fit_value import clip_of, text_of
from replay.kernels import foresee, hindsight
from replay.kernels.jit import compiled
from replay.kernels.luck import MICRO
from replay.kernels.match import R_POINTS
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.luck import (
    DEALS,
    FORESIGHTS,
    REFERENCE,
    SEED,
    VERSION,
    bare_books,
    evaluator_hash,
    expectations,
    reference,
    table_key,
)
from replay.players import PLAYERS, SCALE, Room, play_deals, room, stream_of
from replay.ruleset import Ruleset
from replay.rulesets import RULESETS

CHUNK = 4_000
"""Rounds played between two passes over their positions."""
CHUNKS = 80
PASSES = 3
PLAYED_BY = ("steady", "value", "steady", "greedy")
"""Who sits at a seat is drawn from these for each round."""
BATCH = 128
RATE, LAST_RATE = 1e-3, 1e-5
POSITIONS = 60 * CHUNK


def tables_of(ruleset: Ruleset) -> list[tuple[int, bool]]:
    """Seats that play, and whether a fourth person is paid."""
    return [(seats, False) for seats in ruleset.seats] + ([(3, True)] if ruleset.sitter == "xing" else [])


def begun(stream: Any) -> Any:
    """Small numbers to begin with: uniform, scaled by how many come into each sum."""
    layers = (
        (foresee.N_W1, foresee.SEEN_AT_ALL, foresee.WIDE, 1.0),
        (foresee.N_W2, foresee.WIDE, foresee.NARROW, 1.0),
        (foresee.N_W3, foresee.NARROW, 1, 0.3),
    )
    numbers = np.zeros(foresee.MIND_SIZE)
    bits = np.random.SeedSequence([int(n) for n in stream]).generate_state(foresee.MIND_SIZE, np.uint32)
    uniform = bits.astype(np.float64) / 2.0**31 - 1.0
    for begin, before, after, scale in layers:
        part = slice(begin, begin + before * after)
        numbers[part] = uniform[part] * float(np.sqrt(3.0 / before)) * scale
    return numbers


def learned(rooms: list[Room], clip: int, chunks: int, chunk: int, *, quiet: bool) -> list[int]:
    """The numbers of the network after ``chunks`` chunks, played at the rooms in turn."""
    kernels = compiled("luck")
    stream = stream_of(SEED, 1)
    mind = np.zeros(foresee.FORESIGHT)
    mind[: foresee.MIND_SIZE] = begun(stream)
    moments, grad = np.zeros(2 * foresee.MIND_SIZE + 2), np.zeros(foresee.MIND_SIZE)
    moments[-2:] = 1.0
    notes, order = np.zeros(hindsight.SAMPLE * POSITIONS), np.zeros(POSITIONS, dtype=np.int64)
    events = np.zeros(EVENT * (MOST_EVENTS + 8), dtype=np.int64)
    players = np.array([number for name in PLAYED_BY for number in reference(name)], dtype=np.int64)
    began = time.monotonic()
    for number in range(chunks):
        at = rooms[number % len(rooms)]
        count = kernels.gather_draws(
            at.state, at.table, at.plans, at.weights, at.net, mind, stream, chunk, players, len(PLAYED_BY), 0,
            at.seats, at.paid, int(at.ruleset.two_ti_extra), clip, events, notes, POSITIONS,
        )  # fmt: skip
        if count < 0:
            raise RuntimeError("a round does not end")
        rate = RATE * (1 - number / chunks) + LAST_RATE
        for _ in range(PASSES):
            error = kernels.learn_draws(mind, moments, grad, notes, order, stream, count, BATCH, rate)
        if not quiet and number % 20 == 19:
            aims = notes[: hindsight.SAMPLE * count].reshape(count, hindsight.SAMPLE)[:, -1]
            told, done = 1 - error / aims.var(), time.monotonic() - began
            print(f"{at.ruleset.name} {number + 1}/{chunks}: R² {told:.3f}, {done:.0f} s", file=sys.stderr, flush=True)
    return [round(float(number) * SCALE) for number in mind[: foresee.MIND_SIZE]]


def sum_paid(at: Room, rounds: int) -> int:
    """What the seats that play get together in a round, in millionths: less than 0 where a fourth person is paid."""
    if not at.paid:
        return 0
    rows = play_deals(at, SEED, rounds, [[REFERENCE] * at.seats])[:, 0, R_POINTS : R_POINTS + at.seats]
    return MICRO * int(rows.sum()) // rounds


def fit_luck(
    name: str, chunks: int = CHUNKS, *, chunk: int = CHUNK, deals: int = DEALS, quiet: bool = False
) -> dict[str, Any]:
    """What ``foresights/*.json`` keeps of a ruleset."""
    ruleset = RULESETS[name]
    rooms = [room(ruleset, seats, paid=paid) for seats, paid in tables_of(ruleset)]
    # Two of three chunks at the largest table, where there are several.
    turns = [at for at in rooms if at.seats == 3 and not at.paid] * len(rooms) + rooms if len(rooms) > 1 else rooms
    clip = clip_of(next(at for at in rooms if at.seats == 3))
    numbers = learned(turns, clip, chunks, chunk, quiet=quiet)
    kept: dict[str, Any] = {
        "ruleset": name,
        "version": VERSION,
        "reference": REFERENCE,
        "reference_version": PLAYERS[REFERENCE].version,
        "layers": [foresee.SEEN_AT_ALL, foresee.WIDE, foresee.NARROW, 1],
        "clip": clip,
        "scale": SCALE,
    }
    kept["sums"] = {table_key(at.seats, at.paid): sum_paid(at, deals // 10) for at in rooms}
    kept["evaluator"] = evaluator_hash(kept | {"numbers": numbers})
    kept["seed"], kept["deals"] = SEED, deals
    found = {}
    for at in rooms:
        means, errors = expectations(bare_books(at, kept | {"numbers": numbers}), deals)
        found[table_key(at.seats, at.paid)] = list(means)
        if not quiet:
            told = ", ".join(f"{m / 1e6:+.3f} ± {1.96 * e / 1e6:.3f}" for m, e in zip(means, errors, strict=True))
            print(f"{name}, {table_key(at.seats, at.paid)} seats: {told}", file=sys.stderr, flush=True)
    return kept | {"expectations": found, "numbers": numbers}


def main(names: list[str]) -> None:
    """Fit the named rulesets, all of them without a name, and write their files."""
    FORESIGHTS.mkdir(exist_ok=True)
    for name in names or list(RULESETS):
        (FORESIGHTS / f"{name}.json").write_text(text_of(fit_luck(name)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
