"""Imports in processes that can be killed at a named moment: a server that has loaded everything and forks for each.

It reads one JSON object a line from stdin and answers each with one on stdout. Nothing is computed in the server
itself: neither Polars nor the store's library survives a fork once its own threads run.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from ingest import delta, places
from ingest import store as stores
from ingest.adapters import adapters
from ingest.importer import import_paths
from ingest.store import open_store


class Call(msgspec.Struct):
    """A function to watch: its owner and name, when, and for which arguments; what is passed is a text."""

    owner: Any
    name: str
    when: str
    of: Callable[..., bool] = lambda *_, **__: True


def _path(handle: int) -> str:
    return os.readlink(f"/proc/self/fd/{handle}")


def _is_data(path: str) -> bool:
    return path.endswith(".parquet") and "/_delta_log/" not in path


def _is_leader(place: places.Place, *_: object, **__: object) -> bool:
    return place.url.endswith("/rounds")


def _is_merge(place: places.Place, schema: object, change: delta.Change, *_: object, **__: object) -> bool:
    return bool(change.merge)


BEFORE, AFTER, MIDDLE = "before", "after", "middle"
POINTS = {
    "after a batch is read": Call(stores, "commit_group", BEFORE),
    "while a table is made": Call(delta, "create", AFTER),
    "before a data file is written": Call(pq, "write_table", BEFORE),
    "in the middle of a data file": Call(pq, "write_table", MIDDLE),
    "before a data file is synced": Call(os, "fsync", BEFORE, lambda handle: _is_data(_path(handle))),
    "after a data file is synced": Call(os, "fsync", AFTER, lambda handle: _is_data(_path(handle))),
    "before a log entry is made": Call(delta, "_write_entry", BEFORE),
    "before a log entry is synced": Call(delta, "_write_entry", AFTER),
    "before a log entry is linked": Call(os, "link", BEFORE, lambda _, to: str(to).count(places.COPY) == 0),
    "after a log entry is linked": Call(os, "link", AFTER, lambda _, to: str(to).count(places.COPY) == 0),
    "after a log is synced": Call(os, "fsync", AFTER, lambda handle: _path(handle).endswith("/_delta_log")),
    "between two followers": Call(delta, "commit", AFTER, lambda *w, **m: not _is_leader(*w, **m)),
    "between followers and leader": Call(delta, "commit", BEFORE, _is_leader),
    "after the leader": Call(delta, "commit", AFTER, _is_leader),
    "before a table is taken back": Call(delta, "restore", BEFORE),
    "after a table is taken back": Call(delta, "restore", AFTER),
    "before a checkpoint": Call(delta, "checkpoint", BEFORE),
    "after a checkpoint": Call(delta, "checkpoint", AFTER),
    "before a checkpoint is named": Call(os, "replace", BEFORE),
    "while files are merged": Call(delta.File, "read", AFTER),
    "after a table's files are merged": Call(delta, "commit", AFTER, _is_merge),
    "before a vacuum": Call(delta, "vacuum", BEFORE),
    "in the middle of a vacuum": Call(Path, "unlink", AFTER, lambda path, *_: _is_data(str(path))),
}
"""The moments at which an import can be killed."""


class Job(msgspec.Struct):
    """One import in a process of its own; killed at the ``number``-th time of ``point``, or after ``seconds``.

    With ``count`` it only counts how often each moment comes.
    """

    store: str
    paths: list[str]
    batch: int = 4
    point: str = ""
    number: int = 0
    count: bool = False
    hasty: bool = True
    """Merge files, make checkpoints and vacuum far more often than else, so that all of it happens."""
    seconds: float | None = None


Counts = list[tuple[int, int, int, int]]
"""By file: seen, accepted, already known, quarantined."""


class Done(msgspec.Struct):
    """How the process ended; ``counts`` by file when it ended by itself, and how often each moment came."""

    signal: int
    code: int
    seconds: float
    counts: Counts = []
    calls: dict[str, int] = {}


def kill() -> None:
    """End this process as a power switch would."""
    os.kill(os.getpid(), signal.SIGKILL)


def watch(point: str, number: int, calls: dict[str, int], die: Callable[[], object] = kill) -> Callable[[], None]:
    """Count how often a moment comes and ``die`` at the ``number``-th time; what takes the watch away again."""
    call = POINTS[point]
    calls[point] = 0
    real = getattr(call.owner, call.name)

    @functools.wraps(real)
    def watched(*words: Any, **more: Any) -> Any:
        if not call.of(*words, **more):
            return real(*words, **more)
        calls[point] += 1
        now = calls[point] == number
        if now and call.when == BEFORE:
            die()
        result = real(*words, **more)
        if now and call.when == MIDDLE:
            os.truncate(words[1], os.path.getsize(words[1]) // 2)
        if now and call.when != BEFORE:
            die()
        return result

    setattr(call.owner, call.name, watched)
    return lambda: setattr(call.owner, call.name, real)


def run(job: Job) -> tuple[Counts, dict[str, int]]:
    """The import itself."""
    if job.hasty:
        delta._CHECKPOINT_EVERY = 3
        stores.tidy.__defaults__ = (2,)
    calls: dict[str, int] = {}
    for point in POINTS if job.count else [job.point] * bool(job.point):
        watch(point, job.number, calls)
    report = import_paths(job.paths, open_store(job.store), batch=job.batch)
    return [(file.seen, file.accepted, file.already_known, file.quarantined) for file in report.files], calls


def _forked(job: Job) -> Done:
    reading, writing = os.pipe()
    begun = time.perf_counter()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            os.write(writing, msgspec.json.encode(run(job)))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    if job.seconds is not None:
        time.sleep(job.seconds)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - begun
    done = Done(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, os.waitstatus_to_exitcode(status), seconds)
    if told:
        done.counts, done.calls = msgspec.json.decode(told, type=tuple[Counts, dict[str, int]])
    return done


FEW_THREADS = dict.fromkeys(("POLARS_MAX_THREADS", "TOKIO_WORKER_THREADS", "RAYON_NUM_THREADS"), "1")
"""Every fork starts its own; the imports are too small to use more than one."""


class Server:
    """The server as a test uses it: ``with Server() as server: server.run(job)``."""

    def __enter__(self) -> Server:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | FEW_THREADS,
        )
        return self

    def run(self, job: Job) -> Done:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(job) + b"\n")
        self.process.stdin.flush()
        return msgspec.json.decode(self.process.stdout.readline(), type=Done)

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=60)


def main() -> None:
    # What an import loads late is loaded here, once.
    adapters()
    for name in ("pyarrow.compute", "numpy.ma"):
        importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(msgspec.to_builtins(_forked(msgspec.json.decode(line, type=Job)))), flush=True)


if __name__ == "__main__":
    main()
