"""One Delta table: create it, and change it by commits that neither a kill, a power cut nor another writer can harm.

Data files are on the disk before the log entry that names them, and the log entry is on the disk before the commit is
acknowledged. Every commit loads the table anew, compares its version on the very handle that writes, and is refused
when somebody else has made the next version meanwhile.
"""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec
import polars as pl
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable, PostCommitHookProperties, Transaction
from deltalake import Schema as DeltaSchema
from deltalake.fs import DeltaStorageHandler
from deltalake.transaction import AddAction, RemoveAction

from ingest.places import COPY, Place, busy, log_copy, make_folder, sync, told, writing

Schema = Mapping[str, pl.DataType | type[pl.DataType]]

_CHECKPOINT_EVERY = 50
_SMALL = 32 * 1024 * 1024
_FULL = 128 * 1024 * 1024
_KEPT_HOURS = 7 * 24
# Checkpoints are made by hand, so that they can be brought to the disk; old log entries are kept: they are small, and
# a snapshot that is held by its version stays readable.
_NO_HOOKS = PostCommitHookProperties(create_checkpoint=False, cleanup_expired_logs=False)


class File(msgspec.Struct, frozen=True):
    """A data file that a version of a table names."""

    place: Place
    path: str
    size: int
    values: dict[str, str | None]

    def read(self, schema: Schema, partition_by: Sequence[str]) -> pl.DataFrame:
        """Its rows, with the partition columns."""
        source = self.place.below(self.path)
        rows = pl.read_parquet(
            source.folder or source.url,
            hive_partitioning=False,
            storage_options=source.options or None,
        )
        keys = [pl.lit(self.values[name] or "").cast(schema[name]).alias(name) for name in partition_by]
        return rows.with_columns(keys).select(list(schema))


class Change(msgspec.Struct, frozen=True):
    """What one commit does to a table: drop the rows for which ``drop`` is true, then add those of ``frame``."""

    frame: pl.DataFrame | None = None
    drop: pl.Expr | None = None
    everything: bool = False
    """Drop every row there is, and take the columns of the schema."""
    merge: tuple[tuple[File, ...], ...] = ()
    """Files to write as one; nothing else may be changed in the same commit."""

    def is_empty(self) -> bool:
        """True when there is nothing to do."""
        nothing = self.frame is None or self.frame.is_empty()
        return nothing and self.drop is None and not self.everything and not self.merge


def exists(place: Place) -> bool:
    """True where there is a table."""
    with told(place):
        return bool(DeltaTable.is_deltatable(place.url, place.options or None))


def create(place: Place, schema: Schema, partition_by: Sequence[str], description: str) -> None:
    """Make an empty table; ``StoreError`` when somebody else makes it at the same time."""
    with told(place), log_copy(place) as copied:
        if exists(copied):
            raise busy(place)
        DeltaTable.create(
            copied.url,
            schema=_delta_schema(schema),
            partition_by=list(partition_by),
            description=description,
            mode="error",
            storage_options=copied.options or None,
            post_commithook_properties=_NO_HOOKS,
        )


def same_schema(table: DeltaTable, schema: Schema) -> bool:
    """True when the table has exactly these columns."""
    return bool(table.schema() == _delta_schema(schema))


def commit(
    place: Place,
    schema: Schema,
    change: Change,
    pins: Mapping[str, int] | None = None,
    expected: int | None = None,
    step: Callable[[], object] = lambda: None,
) -> int:
    """Do ``change`` in one commit that also records ``pins``; the version it made, safe on the disk.

    ``StoreError`` when the table is not at the version ``expected``, or when somebody else commits meanwhile.
    ``step`` is called after each group of files that were merged.
    """
    with writing(place) as table:
        before = table.version()
        if expected is not None and before != expected:
            raise busy(place)
        partition_by = table.metadata().partition_columns
        adds: list[AddAction] = []
        removes: list[RemoveAction] = []
        for group in change.merge:
            rows = pl.concat([file.read(schema, partition_by) for file in group])
            adds += write_files(place, rows, partition_by, data_change=False)
            removes += [_removed(file, data_change=False) for file in group]
            step()
        if change.drop is not None and not change.everything:
            for file in files(place, table):
                rows = file.read(schema, partition_by)
                kept = rows.remove(change.drop)
                if kept.height == rows.height:
                    continue
                removes.append(_removed(file))
                if kept.height:
                    adds += write_files(place, kept, partition_by)
        if change.frame is not None and change.frame.height:
            adds += write_files(place, change.frame.select(pl.col(n).cast(t) for n, t in schema.items()), partition_by)
        new_schema = _delta_schema(schema) if change.everything else table.schema()
        mode = "overwrite" if change.everything else "append"
        _write_entry(table, mode, [*adds, *removes], new_schema, partition_by, pins or {})
    return _acknowledge(place, before + 1)


def _write_entry(
    table: DeltaTable,
    mode: str,
    actions: list[AddAction | RemoveAction],
    schema: DeltaSchema,
    partition_by: list[str],
    pins: Mapping[str, int],
) -> None:
    # Without retries the entry is the next one or an error: a library that tries again would not compare again.
    table.create_write_transaction(
        actions,
        mode,
        schema,
        partition_by,
        commit_properties=CommitProperties(
            app_transactions=[Transaction(name, version) for name, version in sorted(pins.items())],
            max_commit_retries=0,
        ),
        post_commithook_properties=_NO_HOOKS,
    )


def _acknowledge(place: Place, version: int) -> int:
    if version % _CHECKPOINT_EVERY == 0:
        with writing(place) as table:
            checkpoint(table)
    return version


def checkpoint(table: DeltaTable) -> None:
    """Sum the log up in one file, so that a reader need not read all of it."""
    table.create_checkpoint()


def restore(place: Place, version: int) -> int:
    """Make the rows of an earlier version the present ones again; the version that this made."""
    with writing(place, version) as table:
        made = int(table.version()) + 1
        properties = CommitProperties(max_commit_retries=0)
        # The files are not beside the copy of the log; nothing deletes a file that this version names.
        table.restore(
            version,
            ignore_missing_files=True,
            commit_properties=properties,
            post_commithook_properties=_NO_HOOKS,
        )
    return _acknowledge(place, made)


def _removed(file: File, data_change: bool = True) -> RemoveAction:
    return RemoveAction(file.path, data_change, time.time_ns() // 1_000_000, file.size, file.values)


def files(place: Place, table: DeltaTable) -> list[File]:
    """The data files of a table, sorted by path."""
    found = []
    for row in pl.DataFrame(table.get_add_actions()).sort("path").iter_rows(named=True):
        values = dict(row.get("partition") or row.get("partition_values") or {})
        # The log stores a path as a URI.
        found.append(File(place, unquote(row["path"]), row["size_bytes"], values))
    return found


def compaction(place: Place, many: int) -> Change | None:
    """The change that writes the small files of each partition that has ``many`` of them as one; None if none has.

    No file becomes much larger than 128 MB, and no more than that is read at once.
    """
    table = place.open()
    small: dict[tuple[str, ...], list[File]] = {}
    for file in files(place, table):
        if file.size < _SMALL:
            small.setdefault(tuple(value or "" for value in file.values.values()), []).append(file)
    groups: list[tuple[File, ...]] = []
    for _, crowd in sorted(small.items()):
        if len(crowd) < many:
            continue
        group: list[File] = []
        for file in crowd:
            if sum(one.size for one in group) + file.size > _FULL:
                groups.append(tuple(group))
                group = []
            group.append(file)
        groups.append(tuple(group))
    merge = tuple(group for group in groups if len(group) > 1)
    return Change(merge=merge) if merge else None


def vacuum(place: Place, pinned: int) -> tuple[int, int]:
    """Delete the files that neither a version of the last seven days names nor ``pinned``; how many, and their bytes.

    What is younger than seven days stays, whoever wrote it. The caller holds the store's lock where there is one.
    """
    with told(place):
        table = place.open()
        # The library's own vacuum would add two entries to the log, of which no leader knows.
        unused = table.vacuum(retention_hours=_KEPT_HOURS, dry_run=True, full=True, keep_versions=[pinned])
        folder = place.folder
        if folder is None:
            handler = DeltaStorageHandler(place.url, place.options)
            size = sum(info.size or 0 for info in handler.get_file_info(unused)) if unused else 0
            for path in unused:
                handler.delete_file(path)
            return len(unused), size
        size = 0
        for path in unused:
            size += (folder / path).stat().st_size
            (folder / path).unlink()
        for copy in folder.glob(f"{COPY}*"):
            if copy.stat().st_mtime < time.time() - _KEPT_HOURS * 3600:
                shutil.rmtree(copy)
        return len(unused), size


def write_files(
    place: Place, frame: pl.DataFrame, partition_by: Sequence[str], data_change: bool = True
) -> list[AddAction]:
    """Write a Parquet file for each partition of ``frame`` and bring it to the disk; nothing refers to it yet."""
    if partition_by:
        parts = frame.partition_by(partition_by, as_dict=True, include_key=False, maintain_order=True)
    else:
        parts = {(): frame}
    adds = []
    folders: set[Path] = set()
    for key, part in sorted(parts.items(), key=lambda item: item[0]):
        values = dict(zip(partition_by, key, strict=True))
        # Polars takes partition values from the path, not from the log.
        path = "".join(f"{name}={quote(value, safe='')}/" for name, value in values.items())
        path += f"{uuid.uuid4().hex}.parquet"
        if place.folder is None:
            size = _put(place, path, part)
        else:
            target = place.folder / path
            make_folder(target.parent)
            pq.write_table(part.to_arrow(), target, compression="zstd")
            sync(target)
            folders.add(target.parent)
            size = target.stat().st_size
        # Delta has no empty partition value: it is written as null and read back as "".
        stored = {name: value or None for name, value in values.items()}
        stats = json.dumps({"numRecords": part.height})
        adds.append(AddAction(path, size, stored, time.time_ns() // 1_000_000, data_change, stats))
    for made in sorted(folders):
        sync(made)
    return adds


def _put(place: Place, path: str, part: pl.DataFrame) -> int:
    part.write_parquet(
        place.below(path).url, compression="zstd", compression_level=3, storage_options=place.options or None
    )
    (info,) = DeltaStorageHandler(place.url, place.options).get_file_info([path])
    return int(info.size)


def _delta_schema(schema: Schema) -> DeltaSchema:
    return DeltaSchema.from_arrow(pl.DataFrame(schema=dict(schema)).to_arrow().schema)
