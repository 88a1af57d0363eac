"""Two writers without a lock between them, as on an object store: the later one is stopped, and nothing is harmed."""

from __future__ import annotations

import random
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from ingest import delta, places, store
from ingest.importer import import_paths
from ingest.limits import StoreError
from ingest.store import Change, Store, open_store, replace_tables
from tests.ingest.made import plain
from tests.ingest.stores import CLOCK, HISTORY, content, is_whole, write
from tests.ingest.test_store import GROUP, numbers, small

SEAMS = [
    (delta, "exists"),
    (delta, "write_files"),
    (delta, "restore"),
    (places, "_copied"),
    (places, "_publish"),
    (store, "commit_group"),
]
"""Functions before which a writer may be overtaken by another: all that reads or writes a table's log."""
MOMENTS = 18
"""Of the moments of an import, how many are tried in a quick run; they lie evenly."""


@contextmanager
def unlocked(_: Store) -> Iterator[None]:
    yield


@pytest.fixture
def at_each_step(monkeypatch) -> Iterator[list[Callable[[], None]]]:
    """No locks, no waiting for the disk; what is put in the list is called at every step of every writer."""
    listeners: list[Callable[[], None]] = []

    def watched(real):
        def call(*words, **more):
            for listener in listeners:
                listener()
            return real(*words, **more)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(Store, "lock", unlocked)
        patch.setattr("os.fsync", lambda _: None)
        for owner, name in SEAMS:
            patch.setattr(owner, name, watched(getattr(owner, name)))
        yield listeners


def files(folder: Path) -> tuple[list[str], list[str]]:
    """What two importers are given: they share rounds, and each has a record that is refused."""
    first = write(folder / "a.jsonl", [plain(n) for n in range(3)])
    second = write(folder / "b.jsonl", [plain(2, tags={"more": "told"}), plain(3), plain(0)])
    third = write(folder / "c.jsonl", [plain(4)])
    for path in (first, second):
        path.write_bytes(path.read_bytes() + b"{}\n")
    return [str(first), str(third)], [str(second), str(third)]


def again(step: Callable[[], object]) -> int:
    """Do it until it succeeds, as a person would; how often it was stopped by another writer."""
    stopped = 0
    while True:
        try:
            step()
        except StoreError as error:
            if "another writer is at work" not in str(error) or stopped > 20:
                raise
            stopped += 1
        else:
            return stopped


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> tuple[Path, dict[str, str]]:
    """A folder of inputs with a store that has something already, and what the store is to hold in the end."""
    folder = tmp_path_factory.mktemp("two")
    files(folder)
    old = write(folder / "old.jsonl", [plain(2), plain(9)])
    import_paths([old], open_store(folder / "store"))
    shutil.copytree(folder / "store", folder / "end")
    end = open_store(folder / "end")
    for paths in files(folder):
        import_paths(paths, end)
    return folder, content(end, CLOCK | HISTORY)


def two(base: Path, place: Path) -> tuple[Callable[[], object], Callable[[], object], Store]:
    shutil.copytree(base / "store", place, dirs_exist_ok=True)
    jobs = [partial(lambda paths: import_paths(paths, open_store(place)), paths) for paths in files(base)]
    return (*jobs, open_store(place))


def moments(total: int, tried: int) -> list[int]:
    """``tried`` of ``total`` moments, first and last among them."""
    return sorted({round(n * (total - 1) / (tried - 1)) for n in range(tried)})


class Overtaking:
    """A listener that lets another writer do its whole work at the n-th step of the first."""

    def __init__(self, listeners: list[Callable[[], None]], other: Callable[[], object], moment: int = -1) -> None:
        self.listeners, self.other, self.moment = listeners, other, moment
        self.count = 0

    def __call__(self) -> None:
        self.count += 1
        if self.count == self.moment + 1:
            self.listeners.clear()
            again(self.other)
            self.listeners.append(self)


@pytest.mark.parametrize("tried", [MOMENTS, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_writer_that_is_overtaken_at_any_step_is_stopped(tmp_path, base, at_each_step, tried):
    folder, wanted = base
    one, other, _ = two(folder, tmp_path / "counted")
    counting = Overtaking(at_each_step, other)
    at_each_step[:] = [counting]
    one()
    assert counting.count >= MOMENTS  # so the moments tried are all different
    stopped = 0
    for moment in moments(counting.count, min(tried, counting.count)):
        one, other, looked_at = two(folder, tmp_path / str(moment))
        at_each_step[:] = [Overtaking(at_each_step, other, moment)]
        stopped += again(one)
        at_each_step.clear()
        assert is_whole(looked_at)
        again(other)
        assert content(looked_at, CLOCK | HISTORY) == wanted, moment
    assert stopped > 3, "once it has looked at the store, nobody may come before it"


@pytest.mark.parametrize("seed", range(6))
def test_two_writers_taking_turns(tmp_path, base, at_each_step, seed):
    """Both go a few steps at a time, whoever is stopped begins again; a reader looks in between."""
    folder, wanted = base
    one, other, looked_at = two(folder, tmp_path / "store")
    dice = random.Random(seed)
    turn, left = 0, 3
    changed = threading.Condition()
    running = {0, 1}
    numbers_of: dict[int, int] = {}

    def step() -> None:
        nonlocal turn, left
        me = numbers_of.get(threading.get_ident())
        if me is None:
            return
        with changed:
            left -= 1
            if left <= 0:
                turn, left = dice.choice(sorted(running)), dice.randint(1, 25)
                changed.notify_all()
            assert changed.wait_for(lambda: turn == me, timeout=60)

    stops = {}

    def work(me: int, job: Callable[[], object]) -> None:
        nonlocal turn
        numbers_of[threading.get_ident()] = me
        try:
            with changed:
                changed.wait_for(lambda: turn == me, timeout=60)
            stops[me] = again(job)
        finally:
            with changed:
                running.discard(me)
                turn = 1 - me
                changed.notify_all()

    at_each_step.append(step)
    threads = [threading.Thread(target=work, args=(me, job)) for me, job in enumerate((one, other))]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert is_whole(looked_at)
    for thread in threads:
        thread.join()
    assert len(stops) == 2
    assert is_whole(looked_at)
    assert content(looked_at, CLOCK | HISTORY) == wanted


@pytest.mark.parametrize("tried", [MOMENTS, pytest.param(10_000, marks=pytest.mark.slow)])
def test_two_writers_that_make_the_same_store(tmp_path, at_each_step, tried):
    """The first writers of a store that is not there yet; overtaken at each step of making its tables."""

    def batch(place: Path, n: int) -> None:
        own = open_store(place)
        store.begin_group(own, "lead", GROUP)
        if n not in numbers(own, "lead"):
            store.commit_group(own, "lead", {name: Change(small(n)) for name in GROUP}, GROUP)

    counting = Overtaking(at_each_step, lambda: None)
    at_each_step[:] = [counting]
    batch(tmp_path / "counted", 1)
    assert counting.count > 15
    for moment in moments(counting.count, min(tried, counting.count)):
        place = tmp_path / str(moment)
        at_each_step[:] = [Overtaking(at_each_step, partial(batch, place, 2), moment)]
        again(partial(batch, place, 1))
        at_each_step.clear()
        assert [numbers(open_store(place), name) for name in GROUP] == [[1, 2]] * 3, moment


def test_a_follower_that_moved_on_is_not_written(tmp_path):
    place, other = open_store(tmp_path), open_store(tmp_path)
    store.begin_group(place, "lead", GROUP)
    store.begin_group(other, "lead", GROUP)
    delta.commit(place.place("one"), GROUP["one"], Change(small(1)))
    before = other.place("one").open().version()
    with pytest.raises(StoreError, match="another writer is at work"):
        store.commit_group(other, "lead", {"one": Change(small(2))}, GROUP)
    assert other.place("one").open().version() == before
    store.begin_group(other, "lead", GROUP)
    assert numbers(other, "one") == []
    with pytest.raises(StoreError, match="another writer is at work"):
        store.commit_group(place, "lead", {"lead": Change(small(3))}, GROUP)
    assert numbers(place, "lead") == []


def test_a_leader_that_names_a_version_that_is_lost(tmp_path):
    place = open_store(tmp_path)
    replace_tables(place, "lead", {name: small(1) for name in GROUP}, GROUP)
    (tmp_path / "one" / "_delta_log" / f"{1:020d}.json").unlink()
    with pytest.raises(StoreError, match="version 1 is missing"):
        replace_tables(place, "lead", {name: small(1) for name in GROUP}, GROUP)
