"""The event log on disk: a folder of Delta tables that readers see change all at once, batch by batch.

Tables that belong together have a leader. A batch is committed to the followers first and to the leader last, and the
leader's commit records the version of each follower that belongs to it. Readers take these versions, never the newest,
so that half a batch is never seen; what a killed writer left in the followers is taken back by the next one.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import polars as pl
from deltalake import DeltaTable

from ingest import delta, rows
from ingest.delta import Change, Schema, StoreError
from ingest.schema import PARTITIONS, TABLES, VIEWS

__all__ = ["Change", "Store", "StoreError", "append_table", "open_store", "replace_table", "snapshot"]

LEADER = "rounds"
_FOLLOWS = "follows "


class Store(msgspec.Struct, frozen=True):
    """A store at a folder; nothing is read or made before it is asked for."""

    path: Path

    def place(self, table: str) -> Path:
        """The folder of a table."""
        return self.path / table

    def tables(self) -> list[str]:
        """Names of the tables there are, sorted."""
        if not self.path.is_dir():
            return []
        return sorted(entry.name for entry in self.path.iterdir() if (entry / "_delta_log").is_dir())

    def snapshot(self) -> dict[str, int]:
        """See ``snapshot``."""
        return snapshot(self)

    def scan(self, table: str, versions: Mapping[str, int] | None = None, schema: Schema | None = None) -> pl.LazyFrame:
        """The rows of a table at ``versions`` (default: now), columns in the order of its schema, rows in no order.

        Several tables that are to fit each other must be read with one ``snapshot``. A table that is not there is
        empty, with the columns of ``schema`` (known for the tables of ``ingest.schema``); ``KeyError`` without one.
        """
        if table in VIEWS:
            view = rows.events if table == "events" else rows.offers
            return view(self.scan("rounds", versions))
        version = (snapshot(self) if versions is None else versions).get(table)
        if version is None:
            return pl.LazyFrame(schema=dict(schema or TABLES[table]))
        source = DeltaTable(str(self.place(table)), version=version)
        return pl.scan_delta(source).with_columns(pl.col(source.metadata().partition_columns).fill_null(""))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the right to write; waits for another process that holds it."""
        self.path.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def open_store(path: str | os.PathLike[str]) -> Store:
    """The store at ``path``; it need not exist yet."""
    return Store(Path(path))


def snapshot(store: Store) -> dict[str, int]:
    """Table → version, all of one moment: what readers must use."""
    handles = {}
    for name in store.tables():
        # A table whose first commit is not there yet has only its folder.
        if delta.exists(store.place(name)):
            handles[name] = DeltaTable(str(store.place(name)))
    leaders = {name: _leader_of(handle) for name, handle in handles.items()}
    # A leader is read again only after its followers' names are known, and all pins come from that one handle.
    versions = {name: handle.version() for name, handle in handles.items() if leaders[name] is None}
    for name, leader in leaders.items():
        if leader in versions:
            versions[name] = _pinned(handles[leader], name)
    return dict(sorted(versions.items()))


def _leader_of(table: DeltaTable) -> str | None:
    description = table.metadata().description or ""
    return description.removeprefix(_FOLLOWS) if description.startswith(_FOLLOWS) else None


def _pinned(leader: DeltaTable, follower: str) -> int:
    return leader.transaction_version(follower) or 0


def begin_group(
    store: Store,
    leader: str,
    schemas: Mapping[str, Schema],
    partitions: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Make the tables of a group ready for ``commit_group``: create those that are missing, and take back what a killed
    writer left in followers without its leader's commit. The caller holds ``store.lock()`` from here on.
    """
    followers = [name for name in schemas if name != leader]
    for name in (*followers, leader):
        description = "" if name == leader else _FOLLOWS + leader
        _prepare(store, name, schemas[name], (partitions or {}).get(name, ()), description)
    handle = DeltaTable(str(store.place(leader)))
    pins = {}
    for name in followers:
        pinned = _pinned(handle, name)
        if DeltaTable(str(store.place(name))).version() > pinned:
            pins[name] = delta.restore(store.place(name), pinned)
    if pins:
        delta.commit(store.place(leader), schemas[leader], Change(), pins)


def commit_group(store: Store, leader: str, changes: Mapping[str, Change], schemas: Mapping[str, Schema]) -> None:
    """Change several tables as one: a reader sees all of it or nothing. Only after ``begin_group``, under its lock."""
    pins = {}
    for name in schemas:
        if name != leader and name in changes:
            pins[name] = delta.commit(store.place(name), schemas[name], changes[name])
    delta.commit(store.place(leader), schemas[leader], changes.get(leader, Change()), pins)


def _prepare(store: Store, name: str, schema: Schema, partition_by: Sequence[str], description: str) -> None:
    place = store.place(name)
    if not delta.exists(place):
        delta.create(place, schema, partition_by, description)
    elif not delta.same_schema(DeltaTable(str(place)), schema):
        raise StoreError(
            f"table {name} at {place} has other columns: it was written by another version of this program"
        )


def begin_import(store: Store) -> None:
    """``begin_group`` for the tables of the event log."""
    begin_group(store, LEADER, TABLES, PARTITIONS)


def commit_batch(store: Store, changes: Mapping[str, Change]) -> None:
    """``commit_group`` for the tables of the event log."""
    commit_group(store, LEADER, changes, TABLES)


def tidy(store: Store, many: int = 64) -> bool:
    """Write many small files of a partition as one, and delete what no reader can still be using; True if it did.

    Called under ``begin_import``'s lock, after the last batch. Rows stay the same.
    """
    changes = {}
    for name, schema in TABLES.items():
        change = delta.compaction(store.place(name), schema, many)
        if change is not None:
            changes[name] = change
    if not changes:
        return False
    commit_batch(store, changes)
    for name in TABLES:
        delta.vacuum(store.place(name))
    return True


def append_table(store: Store, name: str, frame: pl.DataFrame, schema: Schema, partition_by: Sequence[str] = ()) -> int:
    """Add rows to a table of its own (made at need) in one commit; the new version. Takes the lock."""
    with store.lock():
        _prepare(store, name, schema, partition_by, "")
        return delta.commit(store.place(name), schema, Change(frame))


def replace_table(
    store: Store, name: str, frame: pl.DataFrame, schema: Schema, partition_by: Sequence[str] = ()
) -> int:
    """Make ``frame`` the whole content of a table of its own in one commit; the new version. Takes the lock.

    Results that are computed anew: a table with other columns is made anew too.
    """
    with store.lock():
        place = store.place(name)
        if not delta.exists(place) or not delta.same_schema(DeltaTable(str(place)), schema):
            delta.create(place, schema, partition_by, "")
        return delta.commit(place, schema, Change(frame, everything=True))


def replace_tables(
    store: Store, leader: str, frames: Mapping[str, pl.DataFrame], schemas: Mapping[str, Schema]
) -> None:
    """As ``replace_table`` for several unpartitioned tables at once; readers see all of them change together."""
    with store.lock():
        for name, schema in schemas.items():
            place = store.place(name)
            if delta.exists(place) and not delta.same_schema(DeltaTable(str(place)), schema):
                delta.create(place, schema, (), "" if name == leader else _FOLLOWS + leader)
        begin_group(store, leader, schemas)
        commit_group(store, leader, {name: Change(frame, everything=True) for name, frame in frames.items()}, schemas)
