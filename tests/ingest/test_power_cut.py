"""A power cut: what was acknowledged had been synced before, and what a cut leaves is a whole store at any moment."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from ingest.importer import import_paths
from ingest.store import open_store
from tests.ingest.made import plain
from tests.ingest.power import STRACE, Call, Disk, calls
from tests.ingest.stores import CLOCK, HISTORY, adds_up, content, is_whole, tables, write
from tests.ingest.traced_import import MARK

CUTS = 30
"""Moments of the cut in a quick run, for each way to lose what is not safe."""
SCRIPT = Path(__file__).with_name("traced_import.py")


@pytest.fixture(scope="module")
def traced(tmp_path_factory) -> tuple[Path, list[str], list[Call]]:
    """A store, the files that were imported, and the calls of the import that made it."""
    if not shutil.which("strace"):
        if os.environ.get("CI"):
            pytest.fail("strace is not installed")
        pytest.skip("needs strace")
    folder = tmp_path_factory.mktemp("traced")
    one = write(folder / "a.jsonl", [plain(n, platform="甲") for n in range(3)])
    one.write_bytes(one.read_bytes() + b"{}\n")
    two = write(folder / "b.jsonl", [plain(2, platform="甲", tags={"more": "told"}), plain(7), plain(8)])
    paths = [str(one), str(two)]
    trace = folder / "trace"
    command = [*STRACE, str(trace), sys.executable, str(SCRIPT), str(folder / "new" / "store"), *paths]
    subprocess.run(command, check=True, timeout=300)
    return folder, paths, list(calls(trace))


def added(entry: Path) -> list[str]:
    """The data files that a log entry adds."""
    lines = [json.loads(line) for line in entry.read_text(encoding="utf-8").splitlines()]
    return [str(entry.parent.parent / unquote(line["add"]["path"])) for line in lines if "add" in line]


def is_entry(path: str) -> bool:
    return path.endswith(".json") and os.path.dirname(path).endswith("/_delta_log") and "_copy_" not in path


def test_what_is_acknowledged_was_synced_before(traced):
    """And data files before the log entry that names them, and the log entry before it has its name."""
    folder, _, made = traced
    store = folder / "new" / "store"
    disk = Disk(folder)
    acknowledged: dict[str, int] = {}
    entries = data = 0
    for call in made:
        if call.name == "link" and is_entry(call.paths[1]) and "_copy_" in call.paths[0]:
            entries += 1
            assert disk.files[call.paths[0]].synced, "a log entry has its name before its bytes are on the disk"
            for path in added(Path(call.paths[1])):
                data += 1
                assert disk.is_safe(path), path
        disk.take(call)
        if call.name == "access" and call.paths[0].startswith(MARK):
            table, version = call.paths[0].split("/")[-2:]
            assert int(version) == acknowledged.get(table, -1) + 1
            acknowledged[table] = int(version)
            log = store / table / "_delta_log"
            assert disk.is_safe(str(log / f"{int(version):020d}.json")), call.paths[0]
            for path in added(log / f"{int(version):020d}.json"):
                assert disk.is_safe(path), path
    assert acknowledged == open_store(store).snapshot()
    assert entries == sum(acknowledged.values()) + len(acknowledged)
    assert entries > 20
    assert data > 10
    left = [str(Path(parent) / name) for parent, _, names in os.walk(store) for name in names if name != ".lock"]
    assert [path for path in left if not disk.is_safe(path)] == []


def leaves(disk: Disk, store: Path, place: Path, dice: random.Random | None) -> None:
    """Make ``place`` what a power cut leaves of ``store``: all that is safe, and with ``dice`` some of the rest."""
    for path in disk.files:
        if not path.startswith(f"{store}/"):
            continue
        target = place / os.path.relpath(path, store)
        # Bytes that were synced are there wherever a name of them is; of others nothing is sure.
        perhaps = ("lost", "whole" if disk.files[path].synced else "empty")
        how = "whole" if disk.is_safe(path) else dice.choice(perhaps) if dice else "lost"
        if how == "lost":
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        # What is gone in the end was of no table.
        if how == "whole" and os.path.exists(path) and not path.endswith("_last_checkpoint"):
            shutil.copyfile(path, target)
        else:
            target.write_bytes(b"")


@pytest.mark.parametrize("cuts", [CUTS, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_what_a_power_cut_leaves_is_whole(tmp_path, traced, cuts, seed):
    """Cut after a call: what is not safe is lost; or, with a seed, some of it is lost, some empty, some there."""
    folder, paths, made = traced
    store = folder / "new" / "store"
    wanted = content(open_store(store), CLOCK | HISTORY)
    dice = None if seed is None else random.Random(seed)
    disk = Disk(folder)
    changing = [n for n, call in enumerate(made) if any(path.startswith(str(store)) for path in call.paths)]
    cuts = min(cuts, len(changing))
    chosen = {changing[round(n * (len(changing) - 1) / (cuts - 1))] for n in range(cuts)}
    leader, seen = -1, set()
    for number, call in enumerate(made):
        disk.take(call)
        if call.name == "access" and call.paths[0].startswith(f"{MARK}/rounds/"):
            leader = int(call.paths[0].rsplit("/", 1)[1])
        if number not in chosen:
            continue
        place = tmp_path / str(number)
        leaves(disk, store, place, dice)
        found = tables(open_store(place))
        assert is_whole(found)
        assert adds_up(found)
        version = open_store(place).snapshot().get("rounds", -1)
        assert version >= leader, "an acknowledged batch is lost"
        if version not in seen:
            seen.add(version)
            import_paths(paths, open_store(place), batch=2)
            found = tables(open_store(place))
            assert adds_up(found)
            assert content(found, CLOCK | HISTORY) == wanted
        shutil.rmtree(place, ignore_errors=True)
    assert len(seen) > 3
