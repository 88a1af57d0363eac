"""Fitting the player `value`: ``python -m replay.fit_value RULESET`` plays against itself and writes its numbers.

First `steady` plays, then the network itself, which after every chunk of rounds goes on with what it has learned from
it (TD(λ), Sutton 1988; Adam, Kingma and Ba 2015). Every number follows from ``SEED``: the streams, the order of the
positions and each sum are our own and fixed, so the same numbers come out on any machine, bit for bit.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

from replay.fit_reading import fit_reading
from replay.kernels import features, learn
from replay.kernels.jit import compiled
from replay.kernels.match import R_POINTS
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.kernels.policies import FITTED, WEIGHED, WEIGHT_SIZE
from replay.players import PLAYERS, SCALE, VALUES, Room, play_deals, room, stream_of
from replay.rulesets import RULESETS

SEED = 20261130
CHUNK = 2_000
"""Rounds played between two passes over their positions."""
TEACHER, SELF = 40, 280
"""Chunks played by `steady`, then by the network itself."""
EXPLORE = 30
"""Of a thousand decisions so many are drawn at random."""
TRUST = 0.7
BATCH = 128
RATE, LAST_RATE = 1e-3, 1e-5
POSITIONS = 60 * CHUNK


def first_numbers(stream: Any) -> Any:
    """Small numbers to begin with: uniform, scaled by how many come into each sum."""
    layers = (
        (features.W1, features.FEATURES, features.FIRST, 1.0),
        (features.W2, features.FIRST, features.SECOND, 1.0),
        (features.W3, features.SECOND, 1, 0.3),
    )
    numbers = np.zeros(features.NUMBERS)
    bits = np.random.SeedSequence([int(n) for n in stream]).generate_state(features.NUMBERS, np.uint32)
    uniform = bits.astype(np.float64) / 2.0**31 - 1.0
    for begin, before, after, scale in layers:
        part = slice(begin, begin + before * after)
        numbers[part] = uniform[part] * float(np.sqrt(3.0 / before)) * scale
    return numbers


def clip_of(at: Room) -> int:
    """Payments beyond this count as it: what one of a hundred rounds of `steady` pays or more."""
    rows = play_deals(at, SEED, CHUNK, [["steady"] * at.seats])[:, 0, R_POINTS : R_POINTS + at.seats]
    return int(np.sort(np.abs(rows).max(axis=1))[-CHUNK // 100])


def fit(
    ruleset: str, teacher: int = TEACHER, own: int = SELF, *, chunk: int = CHUNK, quiet: bool = False
) -> dict[str, Any]:
    """The fitted numbers of a ruleset as ``values/*.json`` keeps them."""
    at, kernels = room(RULESETS[ruleset]), compiled("fit")
    clip = clip_of(at)
    stream = stream_of(SEED, 1)
    net = first_numbers(stream)
    moments = np.zeros(2 * features.NUMBERS + 2)
    moments[-2:] = 1.0
    grad, hidden = np.zeros(features.NUMBERS), np.zeros(features.FIRST + features.SECOND)
    notes, order = np.zeros(learn.SAMPLE * POSITIONS), np.zeros(POSITIONS, dtype=np.int64)
    events = np.zeros(EVENT * (MOST_EVENTS + 8), dtype=np.int64)
    steady = WEIGHT_SIZE * list(PLAYERS).index("steady")
    began = time.monotonic()
    for number in range(teacher + own):
        taught = number < teacher
        at.net[: features.NUMBERS] = net
        count = kernels.gather(
            at.state, at.table, at.plans, at.weights, at.net, stream, chunk, WEIGHED if taught else FITTED,
            steady if taught else 0, EXPLORE, at.seats, at.paid, int(at.ruleset.two_ti_extra), clip,
            1.0 if number < teacher // 2 else TRUST, events, notes, POSITIONS,
        )  # fmt: skip
        if count < 0:
            raise RuntimeError("a round does not end")
        rate = RATE * (1 - number / (teacher + own)) + LAST_RATE
        error = kernels.learn(net, moments, grad, hidden, notes, order, stream, count, BATCH, rate)
        if not quiet and number % 20 == 19:
            done = time.monotonic() - began
            print(
                f"{ruleset} {number + 1}/{teacher + own}: error {error:.5f}, {done:.0f} s", file=sys.stderr, flush=True
            )
    kept = [round(float(number) * SCALE) for number in net]
    at.net[: features.NUMBERS] = np.array(kept) / SCALE
    reads = fit_reading(at, stream_of(SEED, 2), *((chunk, chunk) if chunk < CHUNK else ()))
    return {
        "ruleset": ruleset,
        "version": PLAYERS["value"].version,
        "layers": [features.FEATURES, features.FIRST, features.SECOND, 1],
        "clip": clip,
        "scale": SCALE,
        "numbers": kept,
        "reading": [round(float(number) * SCALE) for number in reads],
    }


def text_of(kept: dict[str, Any]) -> str:
    """The file's text: one line for each field, the numbers twenty a line."""
    parts = []
    for key, value in kept.items():
        text = json.dumps(value)
        if isinstance(value, list) and len(value) > 20:
            lines = [", ".join(map(str, value[i : i + 20])) for i in range(0, len(value), 20)]
            text = "[\n    " + ",\n    ".join(lines) + "\n  ]"
        parts.append(f'  "{key}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(names: list[str]) -> None:
    """Fit the named rulesets, all of them without a name, and write their files."""
    VALUES.mkdir(exist_ok=True)
    for name in names or list(RULESETS):
        (VALUES / f"{name}.json").write_text(text_of(fit(name)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
