"""docs/operations.md does what it says: its commands are run, its numbers are those of the program and the tests."""

from __future__ import annotations

import inspect
import re
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ingest import delta, store
from ingest.compact import compact
from ingest.importer import import_paths
from ingest.limits import StoreError
from ingest.schema import TABLES
from ingest.store import open_store
from replay import tables as results
from tests.ingest import test_crash, test_power_cut
from tests.ingest.kill_import import POINTS
from tests.ingest.made import plain
from tests.ingest.stores import adds_up, content, is_whole, tables, write

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
(BACKUP,), OBJECTS, UPGRADE = (block.splitlines() for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL))


def test_the_numbers_are_those_of_the_program():
    for number, text in [
        (delta._CHECKPOINT_EVERY, "a summary every {} versions"),
        (delta._SMALL // 1024**2, "(below {} MB)"),
        (inspect.signature(store.tidy).parameters["many"].default, "{} small files or more"),
        (len(POINTS), "killed at {} named moments"),
        (3 * test_power_cut.CUTS, "the power is cut at {} moments"),
        (test_crash.RANDOM, "and at {} random ones"),
    ]:
        assert text.format(number) in TEXT
    assert delta._KEPT_HOURS == 7 * 24


def test_every_table_is_named_and_every_test_exists():
    layout = TEXT.split("```text\n")[1].split("```")[0]
    assert {*TABLES, *results.TABLES} <= set(re.findall(r"(\w+)/", layout))
    named = re.findall(r"`(tests/[\w./]+)`", TEXT)
    assert len(named) == 8
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.skipif(not shutil.which("flock"), reason="needs the command flock")
def test_a_copy_made_under_the_lock_is_whole(tmp_path):
    """While an importer is at work; and the copy is completed by importing everything again."""
    paths = [write(tmp_path / f"{n}.jsonl", [plain(n), plain(n + 1)]) for n in range(6)]
    place = tmp_path / "data" / "store"
    import_paths(paths[:1], open_store(place))

    def work() -> None:
        for path in paths[1:]:
            import_paths([path], open_store(place), batch=1)
            compact(open_store(place))

    thread = threading.Thread(target=work)
    thread.start()
    subprocess.run(shlex.split(BACKUP), cwd=tmp_path, check=True)
    thread.join()
    copy = open_store(tmp_path / "data" / "backup")
    found = tables(copy)
    assert is_whole(found)
    assert adds_up(found)
    import_paths(paths, copy)
    assert content(copy) == content(open_store(place))


def test_a_store_of_another_version_is_left_as_it_is(tmp_path, monkeypatch):
    path = write(tmp_path / "a.jsonl", [plain(1)])
    old, new = open_store(tmp_path / "old"), open_store(tmp_path / "new")
    import_paths([path], old)
    before, versions = content(old, set()), old.snapshot()
    with monkeypatch.context() as patch:
        patch.setitem(TABLES, "imports", {**TABLES["imports"], "more": TABLES["imports"]["seen"]})
        with pytest.raises(StoreError, match="another version of this program") as told:
            import_paths([path], old)
        assert "导入到一个新的牌谱库" in str(told.value)
    assert old.snapshot() == versions
    assert content(old, set()) == before
    import_paths([path], new)
    assert new.scan("rounds").collect().height == 1


@pytest.mark.parametrize("line", [OBJECTS[1], *UPGRADE])
def test_the_commands_are_those_of_the_program(line):
    words = shlex.split(line)
    done = subprocess.run(
        [sys.executable, str(ROOT / "phz.py"), words[1], "--help"], capture_output=True, text=True, check=True
    )
    assert words[0] == "phz"
    assert all(word in done.stdout for word in words if word.startswith("--"))
