"""One Delta table on a local disk: create, and commit files so that neither a kill nor a power cut harms it.

The wheel never calls fsync, so the order is kept here: data files are on the disk before the log entry that names them
is made, and the log entry is on the disk before the commit is acknowledged. Every commit reloads the table first, for a
transaction number is only compared on the handle that writes.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec
import polars as pl
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable, PostCommitHookProperties, Transaction
from deltalake import Schema as DeltaSchema
from deltalake.transaction import AddAction, RemoveAction

Schema = Mapping[str, pl.DataType | type[pl.DataType]]

_CHECKPOINT_EVERY = 50
_SMALL = 32 * 1024 * 1024
_KEPT_HOURS = 7 * 24
# Checkpoints are made by hand, so that they can be brought to the disk; old log entries are kept: they are small, and
# a snapshot that is held by its version stays readable.
_NO_HOOKS = PostCommitHookProperties(create_checkpoint=False, cleanup_expired_logs=False)


class Change(msgspec.Struct, frozen=True):
    """What one commit does to a table: drop the rows for which ``drop`` is true, then add those of ``frame``."""

    frame: pl.DataFrame | None = None
    drop: pl.Expr | None = None
    everything: bool = False
    """Drop every row there is."""

    def is_empty(self) -> bool:
        """True when there is nothing to do."""
        return self.drop is None and not self.everything and (self.frame is None or self.frame.is_empty())


class StoreError(Exception):
    """The store cannot be used as it is; the message says why."""


def exists(place: Path) -> bool:
    """True where there is a table."""
    return DeltaTable.is_deltatable(str(place))


def create(place: Path, schema: Schema, partition_by: Sequence[str], description: str) -> None:
    """Make an empty table."""
    place.mkdir(parents=True, exist_ok=True)
    DeltaTable.create(
        str(place),
        schema=_delta_schema(schema),
        partition_by=list(partition_by),
        description=description,
        mode="overwrite",
    )
    _sync_log(place, DeltaTable(str(place)).version())
    sync(place)
    sync(place.parent)


def same_schema(table: DeltaTable, schema: Schema) -> bool:
    """True when the table has exactly these columns."""
    return bool(table.schema() == _delta_schema(schema))


def commit(place: Path, schema: Schema, change: Change, pins: Mapping[str, int] | None = None) -> int:
    """Do ``change`` in one commit that also records ``pins``; the version it made, safe on the disk."""
    table = DeltaTable(str(place))
    partition_by = table.metadata().partition_columns
    adds: list[AddAction] = []
    removes: list[RemoveAction] = []
    if change.everything or change.drop is not None:
        for file in _files(place, table):
            kept = None
            if change.drop is not None and not change.everything:
                rows = file.read(schema, partition_by)
                kept = rows.remove(change.drop)
                if kept.height == rows.height:
                    continue
            removes.append(RemoveAction(file.path, True, time.time_ns() // 1_000_000, file.size, file.values))
            if kept is not None and kept.height:
                adds += write_files(place, kept, partition_by)
    if change.frame is not None and change.frame.height:
        adds += write_files(place, change.frame.select(pl.col(n).cast(t) for n, t in schema.items()), partition_by)
    _write_entry(table, [*adds, *removes], partition_by, pins or {})
    # Under the lock nobody else commits, and without retries the entry is the next one or an error.
    return _acknowledge(place, table.version() + 1)


def _write_entry(
    table: DeltaTable,
    actions: list[AddAction | RemoveAction],
    partition_by: list[str],
    pins: Mapping[str, int],
) -> None:
    transactions = [Transaction(name, version) for name, version in sorted(pins.items())]
    table.create_write_transaction(
        actions,
        "append",
        table.schema(),
        partition_by,
        commit_properties=CommitProperties(app_transactions=transactions, max_commit_retries=0),
        post_commithook_properties=_NO_HOOKS,
    )


def _acknowledge(place: Path, version: int) -> int:
    _sync_log(place, version)
    if version % _CHECKPOINT_EVERY == 0:
        DeltaTable(str(place)).create_checkpoint()
        for file in (place / "_delta_log").glob(f"{version:020d}.checkpoint*"):
            sync(file)
        _sync_log(place, version)
    return version


def restore(place: Path, version: int) -> int:
    """Make the rows of an earlier version the present ones again; the version that this made."""
    table = DeltaTable(str(place))
    table.restore(version)
    return _acknowledge(place, DeltaTable(str(place)).version())


class _File(msgspec.Struct, frozen=True):
    """A data file that the present version of a table names."""

    place: Path
    path: str
    size: int
    values: dict[str, str | None]

    def read(self, schema: Schema, partition_by: Sequence[str]) -> pl.DataFrame:
        rows = pl.read_parquet(self.place / self.path, hive_partitioning=False)
        keys = [pl.lit(self.values[name] or "").cast(schema[name]).alias(name) for name in partition_by]
        return rows.with_columns(keys).select(list(schema))


def _files(place: Path, table: DeltaTable) -> list[_File]:
    actions = pl.DataFrame(table.get_add_actions())
    files = []
    for row in actions.sort("path").iter_rows(named=True):
        # The log stores a path as a URI.
        values = dict(row.get("partition") or row.get("partition_values") or {})
        files.append(_File(place, unquote(row["path"]), row["size_bytes"], values))
    return files


def compaction(place: Path, schema: Schema, many: int) -> Change | None:
    """The change that writes the small files of each partition that has ``many`` of them as one; None if none has.

    It drops and adds the same rows. Partitions with fewer small files are left alone.
    """
    table = DeltaTable(str(place))
    partition_by = table.metadata().partition_columns
    small: dict[tuple[str, ...], int] = {}
    for file in _files(place, table):
        if file.size < _SMALL:
            key = tuple(file.values[name] or "" for name in partition_by)
            small[key] = small.get(key, 0) + 1
    crowded = sorted(key for key, n in small.items() if n >= many)
    if not crowded:
        return None
    wanted = pl.lit(value=True)
    rows = pl.scan_delta(table).with_columns(pl.col(partition_by).fill_null(""))
    if partition_by:
        keys = pl.LazyFrame(crowded, schema=dict.fromkeys(partition_by, pl.String), orient="row")
        rows = rows.join(keys, on=partition_by, how="semi")
        wanted = pl.any_horizontal(
            pl.all_horizontal(pl.col(name) == value for name, value in zip(partition_by, key, strict=True))
            for key in crowded
        )
    return Change(rows.select(list(schema)).collect(), wanted)


def vacuum(place: Path) -> None:
    """Delete files that no version of the last seven days names. The caller holds the store's lock."""
    DeltaTable(str(place)).vacuum(retention_hours=_KEPT_HOURS, dry_run=False, full=True)


def write_files(place: Path, frame: pl.DataFrame, partition_by: Sequence[str]) -> list[AddAction]:
    """Write a Parquet file for each partition of ``frame`` and bring it to the disk; nothing refers to it yet."""
    if partition_by:
        parts = frame.partition_by(partition_by, as_dict=True, include_key=False, maintain_order=True)
    else:
        parts = {(): frame}
    adds = []
    folders: set[Path] = set()
    for key, part in sorted(parts.items(), key=lambda item: item[0]):
        values = dict(zip(partition_by, key, strict=True))
        folder = "/".join(f"{name}={quote(value, safe='')}" for name, value in values.items())
        path = f"{folder}/{uuid.uuid4().hex}.parquet" if folder else f"{uuid.uuid4().hex}.parquet"
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(part.to_arrow(), target, compression="zstd")
        sync(target)
        folders.update(target.parents[: len(values) + 1])
        # Delta has no empty partition value: it is written as null and read back as "".
        stored = {name: value or None for name, value in values.items()}
        stats = json.dumps({"numRecords": part.height})
        adds.append(AddAction(path, target.stat().st_size, stored, time.time_ns() // 1_000_000, True, stats))
    for made in sorted(folders):
        sync(made)
    return adds


def _delta_schema(schema: Schema) -> DeltaSchema:
    return DeltaSchema.from_arrow(pl.DataFrame(schema=dict(schema)).to_arrow().schema)


def _sync_log(place: Path, version: int) -> None:
    sync(place / "_delta_log" / f"{version:020d}.json")
    sync(place / "_delta_log")


def sync(path: Path) -> None:
    """Bring a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
