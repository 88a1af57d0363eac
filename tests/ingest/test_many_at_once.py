"""Importers, readers and a compactor at once: in the end the store is what was put in, each round once."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.importer import import_paths
from ingest.store import open_store
from tests.ingest.made import plain
from tests.ingest.stores import CLOCK, HISTORY, adds_up, content, is_whole, tables, write

SCRIPT = Path(__file__).with_name("many_at_once.py")
ROLES = ["importer"] * 4 + ["reader"] * 2 + ["compactor"]


def files(folder: Path, many: int) -> list[str]:
    """Files that share most of their rounds, some told otherwise, some with a record that is refused."""
    dice = random.Random(5)
    paths = []
    for number in range(many):
        records = [plain(dice.randrange(3 * many)) for _ in range(dice.randint(1, 9))]
        if dice.random() < 0.3:
            records.append(plain(dice.randrange(3 * many), tags={"log": str(dice.randrange(3))}))
        path = write(folder / f"{number}.jsonl", records)
        if dice.random() < 0.2:
            path.write_bytes(path.read_bytes() + b"{}\n")
        paths.append(str(path))
    return paths


@pytest.mark.parametrize(
    "seconds", [30, pytest.param(1200, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])], ids=str
)
def test_everybody_at_once(tmp_path, seconds):
    paths = files(tmp_path, 5 * seconds)
    store = tmp_path / "store"
    running = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT), role, str(store), str(seed), str(seconds), *paths],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed, role in enumerate(ROLES)
    ]
    told = [process.communicate() for process in running]
    assert not any(error for _, error in told), "\n".join(error for _, error in told)
    assert [process.returncode for process in running] == [0] * len(ROLES)
    answers = [json.loads(out) for out, _ in told]
    imported = sorted({path for answer in answers[:4] for path in answer})
    looks, housekeeping = [answer[0] for answer in answers[4:6]], answers[6]
    assert all(answers[:4])
    assert min(looks) > 3
    assert min(housekeeping) > 1
    found = tables(open_store(store))
    assert is_whole(found)
    assert adds_up(found)
    once = open_store(tmp_path / "once")
    import_paths(imported, once)
    assert content(found, CLOCK | HISTORY) == content(once, CLOCK | HISTORY)
    print(f"{len(imported)} files, {found['rounds'].height} rounds, looks {looks}, housekeeping {housekeeping}")
