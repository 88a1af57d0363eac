"""An import killed at any step leaves a readable store, and running it again completes it with nothing doubled."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ingest import delta
from ingest.importer import import_paths
from ingest.store import open_store
from tests.ingest.made import plain
from tests.ingest.stores import CLOCK, HISTORY, content, is_whole, write

SCRIPT = Path(__file__).with_name("kill_import.py")
BAD = b'{"phz":1}\n'


def files(folder: Path) -> list[str]:
    one = write(folder / "a.jsonl", [plain(n) for n in range(5)])
    one.write_bytes(one.read_bytes() + BAD)
    two = write(folder / "b.jsonl", [plain(4, tags={"more": "told"}), plain(7), plain(8)])
    return [str(one), str(two)]


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, words)], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="module")
def wanted(tmp_path_factory) -> tuple[list[str], dict[str, str]]:
    folder = tmp_path_factory.mktemp("wanted")
    paths = files(folder)
    store = open_store(folder / "store")
    import_paths(paths, store, batch=2)
    return paths, content(store, CLOCK | HISTORY)


KILLS = [
    ("create", "after", 3),
    ("write_files", "before", 2),
    ("write_files", "after", 9),
    ("sync", "before", 70),
    ("_write_entry", "before", 1),
    ("_write_entry", "after", 2),
    ("_write_entry", "after", 4),
    ("_write_entry", "before", 8),
    ("_write_entry", "after", 8),
    ("_acknowledge", "after", 7),
]


@pytest.mark.parametrize(("step", "when", "number"), KILLS)
def test_killed_at_a_step(tmp_path, wanted, step, when, number):
    paths, content_wanted = wanted
    store = open_store(tmp_path / "store")
    done = run(step, when, number, store.path, *paths)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert is_whole(store)
    import_paths(paths, store, batch=2)
    assert is_whole(store)
    assert content(store, CLOCK | HISTORY) == content_wanted


def test_killed_again_while_it_takes_back_the_rest_of_a_killed_batch(tmp_path, wanted):
    paths, content_wanted = wanted
    store = open_store(tmp_path / "store")
    assert run("_write_entry", "after", 5, store.path, *paths).returncode == -signal.SIGKILL
    for when in ("after", "before", "after"):
        assert run("restore", when, 1, store.path, *paths).returncode == -signal.SIGKILL
        assert is_whole(store)
    import_paths(paths, store, batch=2)
    assert content(store, CLOCK | HISTORY) == content_wanted


def test_killed_at_random_times(tmp_path, wanted):
    paths, content_wanted = wanted
    dice = random.Random(7)
    store = open_store(tmp_path / "store")
    for _ in range(6):
        process = subprocess.Popen(
            [sys.executable, str(SCRIPT), "create", "before", "0", str(store.path), *paths],
            stdout=subprocess.DEVNULL,
        )
        time.sleep(dice.uniform(0.3, 1.5))
        process.kill()
        process.wait()
        assert is_whole(store)
    import_paths(paths, store, batch=2)
    assert content(store, CLOCK | HISTORY) == content_wanted


def test_what_a_commit_acknowledges_is_on_the_disk(tmp_path, wanted, monkeypatch):
    """Every file of the store was synced after its last change, data before the log entry that names it."""
    synced: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    entries: list[int] = []
    write_entry = delta._write_entry

    def entry(table, actions, *rest):
        root = table.table_uri.removeprefix("file://").rstrip("/")
        for action in actions:
            if hasattr(action, "stats"):
                assert f"{root}/{action.path}" in synced
        entries.append(len(actions))
        write_entry(table, actions, *rest)

    monkeypatch.setattr(delta, "_write_entry", entry)
    place = tmp_path / "store"
    import_paths(wanted[0], open_store(place), batch=2)
    assert sum(entries) > 10
    for folder, _, names in os.walk(place):
        for name in names:
            if name != ".lock":
                assert f"{folder}/{name}" in synced, name
                assert folder in synced
    for table in (path for path in place.iterdir() if path.is_dir()):
        log = f"{table}/_delta_log"
        last = max(name for name in os.listdir(log) if name.endswith(".json"))
        assert log in synced[synced.index(f"{log}/{last}") :]


def test_a_full_disk_is_a_clean_error_and_the_next_import_completes(tmp_path, wanted):
    paths, content_wanted = wanted
    store = open_store(tmp_path / "store")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000));"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from ingest.cli import ingest; sys.exit(ingest(sys.argv[2:], sys.argv[1], lang='en'))"
    )
    words = [sys.executable, "-c", code, str(store.path), *paths]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("phz ingest: ")
    assert "Traceback" not in done.stderr
    assert is_whole(store)
    import_paths(paths, store, batch=2)
    assert content(store, CLOCK | HISTORY) == content_wanted


def test_several_importers_at_once(tmp_path, wanted):
    paths, content_wanted = wanted
    store = open_store(tmp_path / "store")
    orders = (paths, paths[::-1], paths[:1])
    words = [[sys.executable, str(SCRIPT), "create", "before", "0", str(store.path), *order] for order in orders]
    running = [subprocess.Popen(each, stdout=subprocess.PIPE, text=True) for each in words]
    looks = 0
    while any(process.poll() is None for process in running):
        assert is_whole(store)
        looks += 1
    assert looks > 3
    assert [process.communicate()[0].split() for process in running] == [["9", "8", "1"]] * 2 + [["6", "5", "1"]]
    assert content(store, CLOCK | HISTORY) == content_wanted
