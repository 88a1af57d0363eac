"""Files of recorded rounds into the store, exactly once: however often, in whatever order, and after any kill.

A round is known by what ``naming.round_id`` says. Accounts of one round that differ are merged (``merge``): the store
keeps each of them, so that the order of import does not matter; ``sources`` names every place where the round stands.
"""

from __future__ import annotations

import datetime
import errno
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import polars as pl

from ingest import filelog, rows
from ingest.adapters.registry import Found, Reject
from ingest.encoding import raw_hash
from ingest.filelog import OpenFile, recall
from ingest.limits import both
from ingest.merge import in_order, merge
from ingest.naming import account, round_id, sheet_id
from ingest.reader import adapter_named, files_under, read_stream
from ingest.record import Provenance, Record, Sheet
from ingest.reports import DONE, FileReport, ImportReport, Progress
from ingest.schema import ACCOUNTS, CONFLICTS
from ingest.store import Change, Store, begin_import, commit_batch, tidy

BATCH = 20_000
"""Records read between two commits."""
_SLICE = 2_000
"""Records that are whole in memory at a time."""
_KEY = {"round_id": pl.String}
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Record).decode

Accept = Callable[[Record], Reject | None]


def import_paths(
    paths: Iterable[str | os.PathLike[str]],
    store: Store,
    accept: Accept = lambda _: None,
    batch: int = BATCH,
    progress: Callable[[Progress], None] | None = None,
    format: str | None = None,  # noqa: A002
    now: str | None = None,
) -> ImportReport:
    """Read the files, and those below folders, into the store; every ``batch`` records are committed together.

    ``accept`` may refuse a record that is whole and valid (an unknown ruleset); ``now`` is what ``imported_at`` gets.
    A file that cannot be opened is reported with ``UNREADABLE`` and leaves nothing in the store.
    """
    if format:
        adapter_named(format)
    stamp = now or datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with store.lock():
        begin_import(store)
        session = _Session(store, accept, batch, stamp, progress, format)
        for path in paths:
            for file in files_under(path):
                session.read(file)
        session.flush()
        tidy(store)
    return ImportReport([file.report for file in session.files])


class _Session:
    """One import, under the store's lock."""

    def __init__(
        self,
        store: Store,
        accept: Accept,
        batch: int,
        stamp: str,
        progress: Callable[[Progress], None] | None,
        format: str | None,  # noqa: A002
    ) -> None:
        self.store, self.accept, self.batch, self.stamp = store, accept, batch, stamp
        self.progress, self.format = progress, format
        self.files: list[OpenFile] = []
        self.read_now: dict[tuple[str, str], FileReport] = {}
        self.pending: dict[str, set[bytes]] = {}  # rounds: their packed accounts
        self.sheets: dict[str, Sheet] = {}
        self.waiting = 0
        self.versions = store.snapshot()
        rounds = store.scan("rounds", self.versions).select("round_id")
        sheets = store.scan("sheets", self.versions).select(round_id="sheet_id")
        self.known = pl.concat([rounds, sheets]).collect()
        earlier = store.scan("imports", self.versions).collect()
        self.earlier = {(row["file"], row["file_hash"]): row for row in earlier.iter_rows(named=True)}
        # A killed import leaves rows of a file that ``imports`` does not name.
        self.begun = {
            name
            for table in ("sources", "quarantine")
            for name in store.scan(table, self.versions).select("file", "file_hash").unique().collect().iter_rows()
        }

    def read(self, path: Path) -> None:
        """Read one file; commits whenever a batch is full."""
        file = OpenFile(FileReport(str(path)))
        report = file.report
        self.files.append(file)
        try:
            if path.exists() and not path.is_file():
                raise OSError(errno.EINVAL, "not a regular file")
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16))
        except OSError as error:
            report.rejects.append(_unreadable(error))
            report.seen = report.quarantined = 1
            file.written = True
            return
        report.file_hash = digest.hexdigest()
        if self._is_done(report) or self._is_twin(report):
            file.written = True
            return
        self.read_now[file.name] = report
        file.old_import = self.earlier.get(file.name)
        if file.name in self.begun:
            recall(file, self.store, self.versions)
        with path.open("rb") as stream:
            self._read_records(file, stream)
        file.end()

    def _is_done(self, report: FileReport) -> bool:
        """True when this very file was imported and nothing of it was refused: reading it again could add nothing."""
        row = self.earlier.get((report.file, report.file_hash))
        if row is None or row["state"] != DONE or row["quarantined"] or self.format not in (None, row["format"]):
            return False
        report.state, report.format = DONE, row["format"]
        report.seen = report.already_known = row["seen"]
        return True

    def _is_twin(self, report: FileReport) -> bool:
        """True when this import has read this very file already."""
        twin = self.read_now.get((report.file, report.file_hash))
        if twin is None:
            return False
        self.flush()
        report.state, report.format, report.seen = twin.state, twin.format, twin.seen
        report.already_known = twin.accepted + twin.already_known
        report.unknown_fields = twin.unknown_fields
        report.quarantined, report.rejects = twin.quarantined, twin.rejects
        return True

    def _read_records(self, file: OpenFile, stream: BinaryIO) -> None:
        report = file.report
        size = os.fstat(stream.fileno()).st_size
        for found in _found(stream, report.file, self.format):
            if isinstance(found, Record):
                self._take(file, found)
            elif isinstance(found, Sheet):
                self._take_sheet(file, found)
            else:
                file.refuse(found)
            self.waiting += 1
            if self.progress and report.seen % 200 == 0:
                self.progress(Progress(report.file, min(size, stream.tell()), size, report.seen))
            if self.waiting >= self.batch:
                self.flush()
        if self.progress:
            self.progress(Progress(report.file, size, size, report.seen))

    def _take(self, file: OpenFile, record: Record) -> None:
        source = record.source
        told = msgspec.structs.replace(record, source=Provenance(note=source.note))
        packed = _pack(told)
        refused = self.accept(record)
        if refused is not None:
            refused = Reject(
                refused.code,
                refused.reason,
                source.index,
                refused.line or source.line or None,
                refused.byte_offset,
                refused.raw_hash or raw_hash(packed),
            )
            file.refuse(refused)
            return
        key = round_id(record)
        file.saw(key, account(told), source.index, source.line, source.format)
        file.report.note_unknown(record.tags)
        self.pending.setdefault(key, set()).add(packed)

    def _take_sheet(self, file: OpenFile, sheet: Sheet) -> None:
        key, source = sheet_id(sheet), sheet.source
        file.saw(key, 0, source.index, source.line, source.format)
        file.report.note_unknown(sheet.tags)
        self.sheets[key] = sheet

    def flush(self) -> None:
        """Commit all that was read since the last commit, as one change of the store."""
        self.waiting = 0
        fresh = [file for file in self.files if not file.written]
        if not fresh:
            return
        told = pl.concat([file.told().with_columns(file=pl.lit(n)) for n, file in enumerate(fresh)])
        first = pl.col("round_id").is_first_distinct().alias("first")
        new = told.with_columns(first).filter("first").join(self.known, on="round_id", how="anti")
        _settle_counts(fresh, told, new)
        changes = self._rounds(new) | self._sheets(new) | filelog.changes(fresh, self.stamp)
        changes = {name: change for name, change in changes.items() if not change.is_empty()}
        if changes:
            commit_batch(self.store, changes)
        self.known = pl.concat([self.known, new.select("round_id")])
        self.pending.clear()
        self.sheets.clear()
        for file in fresh:
            file.committed()

    def _sheets(self, new: pl.DataFrame) -> dict[str, Change]:
        keys = set(new["round_id"])
        return {"sheets": Change(rows.sheet_frame((k, s) for k, s in sorted(self.sheets.items()) if k in keys))}

    def _rounds(self, new: pl.DataFrame) -> dict[str, Change]:
        """What is to be written of the rounds: the new ones, and those of which a new account was read."""
        fresh = set(new["round_id"])
        stored = self._stored([key for key in self.pending if key not in fresh])
        frames: list[pl.DataFrame] = []
        accounts: list[tuple[str, int, bytes]] = []
        conflicts: list[tuple[Any, ...]] = []
        again: list[str] = []
        batch: list[tuple[str, Record, int]] = []
        for key in sorted(self.pending):
            before = stored.get(key, set())
            packed = before | self.pending[key]
            if len(packed) == len(before):
                continue
            if before:
                again.append(key)
            record, others = merge(told := in_order(map(_unpack, packed)))
            if len(told) > 1:
                labels = [account(one) for one in told]
                accounts += [(key, label, _pack(one)) for label, one in zip(labels, told, strict=True)]
                conflicts += [(key, c.field, c.kept, c.told, labels[c.other]) for c in others]
            batch.append((key, record, len(told)))
            if len(batch) == _SLICE:
                frames.append(rows.frame(batch))
                batch = []
        frames.append(rows.frame(batch))
        replaced = pl.col("round_id").is_in(again) if again else None
        return {
            "rounds": Change(pl.concat(frames), replaced),
            "accounts": Change(pl.DataFrame(accounts, schema=ACCOUNTS, orient="row"), replaced),
            "conflicts": Change(pl.DataFrame(conflicts, schema=CONFLICTS, orient="row"), replaced),
        }

    def _stored(self, keys: list[str]) -> dict[str, set[bytes]]:
        """The packed accounts that the store has of those of the rounds that it knows."""
        found: dict[str, set[bytes]] = {}
        if not keys:
            return found
        wanted = pl.DataFrame({"round_id": keys}, schema=_KEY).lazy()
        rounds = self.store.scan("rounds").join(wanted, on="round_id", how="semi").collect()
        single = rounds.filter(pl.col("accounts") == 1)
        for key, record in zip(single["round_id"], rows.records(single), strict=True):
            found[key] = {_pack(record)}
        for key, packed in (
            self.store.scan("accounts")
            .join(wanted, on="round_id", how="semi")
            .select("round_id", "packed")
            .collect()
            .iter_rows()
        ):
            found.setdefault(key, set()).add(packed)
        return found


def _settle_counts(files: list[OpenFile], told: pl.DataFrame, new: pl.DataFrame) -> None:
    total = dict(told.group_by("file").len().iter_rows())
    brought = dict(new.group_by("file").len().iter_rows())
    for n, file in enumerate(files):
        file.report.accepted += brought.get(n, 0)
        file.report.already_known += total.get(n, 0) - brought.get(n, 0)
        if file.report.accepted + file.report.already_known:
            file.report.state = DONE


def _found(stream: BinaryIO, name: str, format: str | None) -> Iterator[Found]:  # noqa: A002
    """What the reader finds; a disk that fails in the middle is one more reject."""
    count = 0
    try:
        for found in read_stream(stream, name, format):
            yield found
            count += 1
    except OSError as error:
        yield msgspec.structs.replace(_unreadable(error), index=count)


def _unreadable(error: OSError) -> Reject:
    return Reject("UNREADABLE", both(f"读不出来：{error.strerror}", f"cannot be read: {error.strerror}"))
