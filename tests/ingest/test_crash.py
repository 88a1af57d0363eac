"""An import killed at any moment leaves a readable store, and running it again completes it with nothing doubled."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ingest.store import open_store
from tests.ingest.kill_import import POINTS, Job, Server
from tests.ingest.made import plain
from tests.ingest.stores import CLOCK, HISTORY, adds_up, content, is_whole, tables, write

BAD = b'{"phz":1}\n'
RANDOM = 60
"""Kills at random moments in a quick run."""
EMPTY = {"while a table is made"}
"""Moments that come only in a store that is not there yet."""


class Case(msgspec.Struct):
    """The inputs, a store to begin with, what it is to hold in the end, and how long that takes."""

    paths: list[str]
    begun: Path
    wanted: dict[str, str]
    seconds: float
    calls: dict[str, int]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory) -> Iterator[Path]:
    """A folder in memory where there is one: a kill harms no disk, so that none need be waited for."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path_factory.mktemp("stores")
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture
def place(in_memory) -> Path:
    return in_memory / uuid.uuid4().hex


@pytest.fixture(scope="module")
def case(in_memory, server) -> Case:
    """A store with one file in it, half a batch of a killed importer, and files that nothing names any more."""
    folder = in_memory / "case"
    folder.mkdir()
    old = write(folder / "old.jsonl", [plain(8), plain(9)])
    one = write(folder / "a.jsonl", [plain(n) for n in range(3)])
    one.write_bytes(one.read_bytes() + BAD)
    two = write(folder / "b.jsonl", [plain(2, tags={"more": "told"}), plain(7), plain(8)])
    paths = [str(one), str(two), str(old)]
    begun = folder / "begun"
    assert server.run(Job(str(begun), [str(old)])).code == 0
    for table in ("rounds", "sources"):
        for n in range(3):
            lost = begun / table / f"lost{n}.parquet"
            lost.write_bytes(b"left by nobody")
            os.utime(lost, (time.time() - 8 * 86400,) * 2)
    half = server.run(Job(str(begun), paths, point="between followers and leader", number=1))
    assert half.signal == signal.SIGKILL
    fresh = server.run(Job(str(folder / "fresh"), paths, count=True))
    shutil.copytree(begun, folder / "counted")
    counted = server.run(Job(str(folder / "counted"), paths, count=True))
    shutil.copytree(begun, folder / "timed")
    timed = server.run(Job(str(folder / "timed"), paths))
    ends = [content(open_store(folder / name), CLOCK | HISTORY) for name in ("fresh", "counted", "timed")]
    assert ends[0] == ends[1] == ends[2]
    assert not list((folder / "timed").glob("*/lost*"))
    calls = counted.calls | {point: fresh.calls[point] for point in EMPTY}
    return Case(paths, begun, ends[0], timed.seconds, calls)


def test_every_moment_occurs(case):
    assert len(POINTS) >= 12
    assert not [point for point in POINTS if not case.calls[point]]


def killed_then_completed(server: Server, case: Case, place: Path, job: Job) -> None:
    ended = server.run(job)
    assert ended.signal == signal.SIGKILL or (not job.point and ended.code == 0), "the moment did not come"
    store = open_store(place)
    found = tables(store)
    assert is_whole(found)
    assert adds_up(found)
    again = server.run(Job(str(place), case.paths, batch=1000, hasty=False))
    assert again.code == 0
    counts = [(seen, accepted + known, refused) for seen, accepted, known, refused in again.counts]
    assert counts == [(4, 3, 1), (3, 3, 0), (2, 2, 0)]
    found = tables(store)
    assert is_whole(found)
    assert adds_up(found)
    assert content(found, CLOCK | HISTORY) == case.wanted


def spread(calls: int, wanted: int) -> list[int]:
    """``wanted`` call numbers of 1 … ``calls``, first and last among them; a number again where there are fewer."""
    return [1 + round(n * (calls - 1) / max(1, wanted - 1)) for n in range(wanted)]


@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_named_moment(place, server, case, point, kills):
    for number in sorted(set(spread(case.calls[point], kills))):
        if point not in EMPTY:
            shutil.copytree(case.begun, place)
        killed_then_completed(server, case, place, Job(str(place), case.paths, point=point, number=number))
        shutil.rmtree(place)


@pytest.mark.parametrize("kills", [RANDOM, pytest.param(1000, marks=pytest.mark.slow)])
def test_killed_at_random_times(place, server, case, kills):
    dice = random.Random(7)
    for _ in range(kills):
        shutil.copytree(case.begun, place)
        seconds = dice.uniform(0, case.seconds)
        killed_then_completed(server, case, place, Job(str(place), case.paths, seconds=seconds))
        shutil.rmtree(place)


def test_killed_again_while_it_takes_back_the_rest_of_a_killed_batch(place, server, case):
    shutil.copytree(case.begun, place)
    for point in ("after a table is taken back", "before a table is taken back", "after a table is taken back"):
        job = Job(str(place), case.paths, point=point, number=1)
        assert server.run(job).signal == signal.SIGKILL
        assert is_whole(open_store(place))
    killed_then_completed(server, case, place, Job(str(place), case.paths, point="after the leader", number=1))
