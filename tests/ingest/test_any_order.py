"""All samples and fixtures of every format into a store: in any order, in any batches, by one importer or by four at
once, the tables are the same, and the ledger adds up."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.importer import import_paths
from ingest.reader import files_under
from ingest.store import Store, open_store
from replay.accept import accept
from tests.conftest import ROOT
from tests.ingest.stores import CLOCK, HISTORY, content, is_whole

IMPORT = (
    "import sys\n"
    "from ingest.importer import import_paths\n"
    "from ingest.store import open_store\n"
    "from replay.accept import accept\n"
    "report = import_paths(sys.argv[3:], open_store(sys.argv[1]), accept, batch=int(sys.argv[2]))\n"
    "print(report.seen, report.accepted, report.already_known, report.quarantined)\n"
)


@pytest.fixture(scope="module")
def files(shared: Path) -> list[str]:
    found = [str(path) for path in files_under(ROOT / "data")]
    return found + [str(path) for path in files_under(shared / "records" / "guilin")]


def adds_up(store: Store) -> tuple[str, ...]:
    """The tables as hashes; asserts that they fit each other and that each file's counts add up."""
    assert is_whole(store)
    ledger = store.scan("imports").collect()
    assert (ledger["seen"] == ledger["accepted"] + ledger["already_known"] + ledger["quarantined"]).all()
    assert ledger["quarantined"].sum() == store.scan("quarantine").collect().height
    known = store.scan("rounds").collect().height + store.scan("sheets").collect().height
    assert ledger["accepted"].sum() == known
    assert (ledger["seen"].sum() - ledger["quarantined"].sum()) == store.scan("sources").collect().height
    return tuple(content(store, CLOCK | HISTORY).values())


def test_order_batches_and_number_of_importers_do_not_matter(files, tmp_path):
    dice = random.Random(1)
    tables = set()
    orders = [(files, 10**6), (files[::-1], 211), (dice.sample(files, len(files)), 1000)]
    for number, (order, batch) in enumerate(orders):
        store = open_store(tmp_path / f"one{number}")
        report = import_paths(order, store, accept, batch=batch)
        assert report.seen == report.accepted + report.already_known + report.quarantined
        assert len(report.files) >= len(files)
        tables.add(adds_up(store))
    assert report.accepted > 400
    assert report.quarantined > 20

    together = tmp_path / "four"
    words = [sys.executable, "-c", IMPORT, str(together)]
    running = [
        subprocess.Popen(
            [*words, str(batch), *dice.sample(files, len(files))], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for batch in (100, 500, 1000, 10**6)
    ]
    counts = []
    for process in running:
        out, _ = process.communicate(timeout=500)
        assert process.returncode == 0
        counts.append([int(word) for word in out.split()])
    assert all(seen == new + known + refused for seen, new, known, refused in counts)
    assert {count[0] for count in counts} == {report.seen}
    assert sum(count[1] for count in counts) == report.accepted
    tables.add(adds_up(open_store(together)))
    assert len(tables) == 1
