"""Any sequence of imports, crashes, imports again, compactions and looks back, against a dictionary."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from ingest import delta, places
from ingest.compact import compact
from ingest.importer import import_paths
from ingest.naming import round_id
from ingest.store import Store, open_store
from tests.ingest.kill_import import POINTS, watch
from tests.ingest.made import plain
from tests.ingest.stores import adds_up, is_whole, tables, write

Rows = dict[tuple[str, int], str]
"""File and number of a record → the round it tells, or why it was refused."""

NUMBERS = [(0,), (1, 2), (2, 3), (3, 0, 4), (4,), (5, 5)]
"""The rounds of each file; of the files with odd numbers the last record is told otherwise, and one is refused."""


class Crash(BaseException):
    """The power goes off."""


def crash() -> None:
    raise Crash


class Files:
    """Files that share rounds, and what a store is to say of each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths: list[str] = []
        self.told: dict[str, Rows] = {}
        for number, rounds in enumerate(NUMBERS):
            records = [plain(n) for n in rounds]
            if number % 2:
                records[-1] = plain(rounds[-1], tags={"more": "told"})
            path = write(folder / f"{number}.jsonl", records)
            rows = {(str(path), index): round_id(record) for index, record in enumerate(records)}
            if number % 2:
                path.write_bytes(path.read_bytes() + b"{}\n")
                rows[str(path), len(records)] = "WRONG_FORMAT"
            self.paths.append(str(path))
            self.told[str(path)] = rows


def rows_of(store: Store, versions: dict[str, int] | None = None) -> Rows:
    """What the store says of each record; whole, and adding up."""
    found = tables(store, versions)
    assert is_whole(found)
    assert adds_up(found)
    sources = found["sources"].select("file", "file_index", "round_id").iter_rows()
    refused = found["quarantine"].select("file", "record_index", "code").iter_rows()
    return {(file, index): told for part in (sources, refused) for file, index, told in part}


class StoreMachine(RuleBasedStateMachine):
    """A store and the dictionary of what it must hold."""

    files: Files

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp(dir=self.files.folder)
        self.store = open_store(Path(self.folder) / "store")
        self.rows: Rows = {}
        self.held: list[tuple[dict[str, int], Rows]] = []

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    some = st.lists(st.integers(0, len(NUMBERS) - 1), min_size=1, max_size=2, unique=True)
    batches = st.integers(2, 6)

    @rule(numbers=some, batch=batches)
    def ingest(self, numbers: list[int], batch: int) -> None:
        paths = [self.files.paths[number] for number in numbers]
        report = import_paths(paths, self.store, batch=batch)
        for path in paths:
            self.rows |= self.files.told[path]
        assert report.seen == sum(len(self.files.told[path]) for path in paths)
        assert rows_of(self.store) == self.rows

    @rule(numbers=some, batch=batches, point=st.sampled_from(sorted(POINTS)), number=st.integers(1, 12))
    def ingest_and_crash(self, numbers: list[int], batch: int, point: str, number: int) -> None:
        """What was there stays; of the files there may be more than before, and nothing else."""
        paths = [self.files.paths[number] for number in numbers]
        undo = watch(point, number, {}, crash)
        rmtree = places.shutil.rmtree
        places.shutil.rmtree = lambda *_, **__: None
        try:
            import_paths(paths, self.store, batch=batch)
        except Crash:
            pass
        finally:
            undo()
            places.shutil.rmtree = rmtree
        rows = rows_of(self.store)
        most = dict(self.rows)
        for path in paths:
            most |= self.files.told[path]
        assert self.rows.items() <= rows.items() <= most.items()
        self.rows = rows

    @precondition(lambda self: self.rows)
    @rule(batch=batches)
    def ingest_again(self, batch: int) -> None:
        """Every file of which there is something: it is completed, and a second time nothing changes."""
        paths = sorted({path for path, _ in self.rows})
        import_paths(paths, self.store, batch=batch)
        for path in paths:
            self.rows |= self.files.told[path]
        versions = self.store.snapshot()
        assert import_paths(paths, self.store).accepted == 0
        assert self.store.snapshot() == versions
        assert rows_of(self.store) == self.rows

    @precondition(lambda self: self.rows)
    @rule(many=st.integers(2, 3))
    def compact(self, many: int) -> None:
        lost = self.store.path / "rounds" / "lost.parquet"
        lost.write_bytes(b"left by nobody")
        os.utime(lost, (time.time() - 8 * 86400,) * 2)
        compact(self.store, many)
        assert not lost.exists()
        assert rows_of(self.store) == self.rows

    @rule()
    def hold(self) -> None:
        self.held.append((self.store.snapshot(), dict(self.rows)))

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        versions, rows = data.draw(st.sampled_from(self.held))
        assert rows_of(self.store, versions) == rows


@pytest.fixture
def files(tmp_path, monkeypatch) -> Iterator[Files]:
    """In memory where there is one, and without waiting for the disk: what is synced is tested elsewhere."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(delta, "_CHECKPOINT_EVERY", 4)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else tmp_path) as folder:
        yield Files(Path(folder))


@pytest.mark.parametrize(
    ("examples", "steps"),
    [(6, 30), pytest.param(2000, 60, marks=[pytest.mark.slow, pytest.mark.timeout(100_000)])],
)
def test_any_sequence(files, examples, steps):
    StoreMachine.files = files
    run_state_machine_as_test(
        StoreMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            phases=set(Phase) - {Phase.explain},
            suppress_health_check=list(HealthCheck),
        ),
    )
