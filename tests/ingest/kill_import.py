"""Run an import and kill this process at the n-th call of one of its steps: ``kill_import.py STEP N STORE PATH…``."""

from __future__ import annotations

import os
import signal
import sys

from ingest import delta
from ingest.importer import import_paths
from ingest.store import open_store

STEPS = ("create", "write_files", "sync", "_write_entry", "_acknowledge", "restore")


def main() -> None:
    step, after, number, store, *paths = sys.argv[1:]
    real = getattr(delta, step)
    calls = 0

    def counted(*args: object) -> object:
        nonlocal calls
        calls += 1
        if after == "before" and calls == int(number):
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*args)
        if after == "after" and calls == int(number):
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(delta, step, counted)
    report = import_paths(paths, open_store(store), batch=2)
    print(report.seen, report.accepted + report.already_known, report.quarantined)


if __name__ == "__main__":
    main()
