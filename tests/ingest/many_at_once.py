"""One of many processes at work on a store: ``many_at_once.py ROLE STORE SEED SECONDS PATH…``; prints what it did."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path

from ingest.compact import compact
from ingest.importer import import_paths
from ingest.store import Store, open_store
from tests.ingest.stores import adds_up, is_whole, tables


def importer(store: Store, dice: random.Random, until: float, paths: list[str]) -> list[str]:
    """Import files in any order, one or some at a time, again and again; the files that were imported."""
    done: list[str] = []
    while time.monotonic() < until:
        some = dice.sample(paths, dice.randint(1, 4))
        report = import_paths(some, store, batch=dice.randint(2, 12))
        for file in report.files:
            assert file.seen == file.accepted + file.already_known + file.quarantined
        done += some
        time.sleep(dice.uniform(0, 0.1))  # a lock is not given out in turn
    return sorted(set(done))


def reader(store: Store, dice: random.Random, until: float, _: list[str]) -> list[int]:
    """Look, and look back at earlier moments; how many looks, and the rounds of the last."""
    held: list[tuple[dict[str, int], list[str]]] = []
    before: dict[str, int] = {}
    looks = rounds = 0
    while time.monotonic() < until:
        versions = store.snapshot()
        assert all(versions[name] >= version for name, version in before.items()), "a reader went back in time"
        before = versions
        found = tables(store, versions)
        assert is_whole(found)
        assert adds_up(found)
        assert found["rounds"].height >= rounds
        rounds = found["rounds"].height
        held.append((versions, sorted(found["rounds"]["round_id"])))
        then, keys = dice.choice(held)
        assert sorted(store.scan("rounds", then).collect()["round_id"]) == keys
        looks += 1
    return [looks, rounds]


def compactor(store: Store, dice: random.Random, until: float, _: list[str]) -> list[int]:
    """Merge and vacuum; how often, how many files were merged away, and how many deleted."""
    times = merged = deleted = 0
    while time.monotonic() < until:
        if "rounds" not in store.snapshot():
            time.sleep(0.01)
            continue
        lost = Path(store.path) / "rounds" / f"lost{times}.parquet"
        lost.write_bytes(b"left by nobody")
        os.utime(lost, (time.time() - 8 * 86400,) * 2)
        reports = compact(store, many=dice.randint(2, 6))
        assert not lost.exists(), "a compactor or an importer has deleted it"
        times += 1
        merged += sum(report.files_before - report.files_after for report in reports.values())
        deleted += sum(report.deleted for report in reports.values())
        time.sleep(dice.uniform(0, 0.5))
    return [times, merged, deleted]


def main() -> None:
    role, store, seed, seconds, *paths = sys.argv[1:]
    work = {"importer": importer, "reader": reader, "compactor": compactor}[role]
    print(json.dumps(work(open_store(store), random.Random(int(seed)), time.monotonic() + float(seconds), paths)))


if __name__ == "__main__":
    main()
