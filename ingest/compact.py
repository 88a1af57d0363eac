"""Housekeeping of a store: many small files become few, and files that nobody can still be reading are deleted."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ingest import delta
from ingest.limits import StoreError, both
from ingest.schema import TABLES
from ingest.store import LEADER, Store, begin_import, commit_group, compactions, snapshot


class TableReport(msgspec.Struct):
    """What became of one table: its data files and their bytes before and after, and what was deleted."""

    files_before: int
    bytes_before: int
    files_after: int = 0
    bytes_after: int = 0
    deleted: int = 0
    bytes_deleted: int = 0


def compact(
    store: Store,
    many: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, TableReport]:
    """Merge the small files of each partition that has ``many``, then delete files unused for seven days; by table.

    Rows stay the same, and snapshots of the last seven days stay readable. Takes the lock. ``progress(done, total)``
    counts groups of files and tables. ``StoreError`` where there is no store, or when another writer came between.
    """
    if not delta.exists(store.place(LEADER)):
        url = store.root.url
        raise StoreError(both(f"{url}：这里没有牌谱库", f"{url}: there is no store here"))
    with store.lock():
        begin_import(store)
        versions = snapshot(store)
        reports = {name: TableReport(*_size(store, name, version)) for name, version in versions.items()}
        changes = compactions(store, many)
        total = sum(len(change.merge) for change in changes.values()) + len(reports)
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            if progress:
                progress(done, total)

        if changes:
            commit_group(store, LEADER, changes, TABLES, step)
            versions = snapshot(store)
        for name, report in reports.items():
            # What a group's leader names is kept, too: a killed writer may have left its table further on.
            report.deleted, report.bytes_deleted = delta.vacuum(store.place(name), versions[name])
            report.files_after, report.bytes_after = _size(store, name, versions[name])
            step()
    return reports


def _size(store: Store, name: str, version: int) -> tuple[int, int]:
    place = store.place(name)
    files = delta.files(place, place.open(version))
    return len(files), sum(file.size for file in files)
