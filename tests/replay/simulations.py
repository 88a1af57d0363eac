"""Simulated sessions for tests, and who deals next told once more, from the records alone."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from ingest.record import Record
from replay.rulesets import resolve
from replay.simulated import Run, session
from replay.workers import lines, sessions

MIXED = ("random", "greedy", "steady", "greedy")


def run_of(
    ruleset: str = "qq",
    persons: int = 3,
    rounds: int = 40,
    seed: int = 1,
    *,
    players: tuple[str, ...] = (),
    **options: object,
) -> Run:
    """A run of ``players``, by default of one of each kind."""
    return Run(
        resolve(ruleset, options),
        players or MIXED[:persons],
        rounds,
        seed,
        options=tuple(sorted(options.items())),  # type: ignore[arg-type]
    )


@lru_cache(maxsize=32)
def records_of(run: Run) -> list[list[Record]]:
    """The records of each session of the run."""
    return [session(run, part) for part in range(run.sessions)]


def data_of(run: Run) -> bytes:
    """The run as ``.jsonl``."""
    return b"".join(played.data for played in sessions(run, 1, lines))


def hash_of(run: Run) -> str:
    """A short hash of the run as ``.jsonl``."""
    return hashlib.blake2b(data_of(run), digest_size=8).hexdigest()


def won(record: Record) -> int:
    """Who won the round by its result, -1 荒庄."""
    assert record.result is not None
    assert record.result.winner is not None
    return record.result.winner


def huang_running(rounds: list[Record]) -> list[int]:
    """荒庄 of one dealer running after each round, by the records alone (rules 11.6)."""
    counts: list[int] = []
    for number, record in enumerate(rounds):
        before = counts[-1] if number and rounds[number - 1].dealer == record.dealer else 0
        counts.append(0 if won(record) >= 0 else before % 3 + 1)
    return counts
