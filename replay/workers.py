"""The sessions of a run by one process or several, in their order, few of them in memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass

import msgspec

from ingest.adapters.jsonl import dump_line
from ingest.record import Record
from replay.simulated import Run, session

ONE_PROCESS = 20_000
"""Rounds up to which other processes take longer to begin than this one to play."""
_AHEAD = 4
"""Sessions for each process that are asked for before they are needed."""

Pack = Callable[[list[Record]], bytes]


@dataclass(frozen=True, slots=True)
class Played:
    """A session that was played: its records as bytes, events, rounds without a winner, points by person."""

    data: bytes
    rounds: int
    events: int
    huang: int
    points: tuple[int, ...]


def lines(records: list[Record]) -> bytes:
    """The records as ``.jsonl``."""
    return b"".join(map(dump_line, records))


def packed(records: list[Record]) -> bytes:
    """The records for ``unpacked``."""
    return msgspec.msgpack.encode(records)


unpacked = msgspec.msgpack.Decoder(list[Record]).decode


def processes(rounds: int) -> int:
    """How many processes play so many rounds where nobody says: one for each core, or only this one."""
    if rounds <= ONE_PROCESS:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play(run: Run, part: int, pack: Pack) -> Played:
    """Play one session."""
    records = session(run, part)
    results = [record.result for record in records if record.result is not None]
    totals = results[-1].totals
    return Played(
        pack(records),
        len(records),
        sum(len(record.moves) for record in records),
        sum(result.winner == -1 for result in results),
        totals or (),
    )


def sessions(run: Run, jobs: int, pack: Pack) -> Iterator[Played]:
    """Every session of the run in order; the same for any number of processes."""
    jobs = min(jobs, run.sessions)
    if jobs <= 1:
        for part in range(run.sessions):
            yield play(run, part, pack)
        return
    session(run, run.sessions - 1)  # what has to be compiled is compiled once, before the others look for it
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        jobs, context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        waiting: deque[Future[Played]] = deque()
        try:
            for part in range(run.sessions):
                waiting.append(pool.submit(play, run, part, pack))
                if len(waiting) >= _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
