"""Files of recorded rounds into the store, exactly once: however often, in whatever order, and after any kill.

A round is known by its content (``record.round_id``). Of several copies that differ in what does not belong to the
round itself (tags, clock, offers, result) the store keeps the one that tells most, so that the order of import does not
matter; ``sources`` names every place where the round stands.
"""

from __future__ import annotations

import datetime
import errno
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
import polars as pl

from ingest import filelog, rows
from ingest.adapters.registry import Found, Reject
from ingest.encoding import raw_hash
from ingest.filelog import OpenFile, recall
from ingest.limits import both
from ingest.reader import adapter_named, files_under, read_stream
from ingest.record import Record, round_id
from ingest.reports import DONE, FileReport, ImportReport, Progress
from ingest.store import Change, Store, begin_import, commit_batch, tidy

BATCH = 5_000
"""Records read between two commits."""

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
        self.pending: dict[str, tuple[bytes, Record]] = {}
        self.waiting = 0
        self.versions = store.snapshot()
        self.known = store.scan("rounds", self.versions).select("round_id").collect()
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
        report.quarantined, report.rejects = twin.quarantined, twin.rejects
        return True

    def _read_records(self, file: OpenFile, stream: BinaryIO) -> None:
        report = file.report
        size = os.fstat(stream.fileno()).st_size
        for found in _found(stream, report.file, self.format):
            if isinstance(found, Record):
                self._take(file, found)
            elif isinstance(found, Reject):
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
        packed = rows.pack(record)
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
        file.saw(key, source.index, source.line, source.format)
        other = self.pending.get(key)
        if other is None or _tells_more(packed, other[0]):
            self.pending[key] = (packed, record)

    def flush(self) -> None:
        """Commit all that was read since the last commit, as one change of the store."""
        self.waiting = 0
        fresh = [file for file in self.files if not file.written]
        if not fresh:
            return
        keys = pl.DataFrame({"round_id": list(self.pending)}, schema={"round_id": pl.String})
        old = set(keys.join(self.known, on="round_id", how="semi")["round_id"])
        better = self._better(old)
        self._settle_counts(fresh, old)
        taken = sorted(key for key in self.pending if key not in old or key in better)
        rounds, events, offers = rows.frames((key, *self.pending[key]) for key in taken)
        replaced = pl.col("round_id").is_in(sorted(better)) if better else None
        changes = {
            "events": Change(events, replaced),
            "offers": Change(offers, replaced),
            "rounds": Change(rounds, replaced),
            **filelog.changes(fresh, self.stamp),
        }
        changes = {name: change for name, change in changes.items() if not change.is_empty()}
        if changes:
            commit_batch(self.store, changes)
        self.known = pl.concat([self.known, rounds.select("round_id").filter(~pl.col("round_id").is_in(sorted(old)))])
        self.pending.clear()
        for file in fresh:
            file.committed()

    def _better(self, old: set[str]) -> set[str]:
        """Which of the known rounds are told more fully by the copy just read."""
        if not old:
            return set()
        stored = self.store.scan("rounds").filter(pl.col("round_id").is_in(sorted(old))).select("round_id", "record")
        return {key for key, packed in stored.collect().iter_rows() if _tells_more(self.pending[key][0], packed)}

    def _settle_counts(self, fresh: list[OpenFile], old: set[str]) -> None:
        brought: set[str] = set()
        for file in fresh:
            for sighting in file.sightings:
                if sighting.key in old or sighting.key in brought:
                    file.report.already_known += 1
                else:
                    brought.add(sighting.key)
                    file.report.accepted += 1
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


def _tells_more(packed: bytes, other: bytes) -> bool:
    """A total order of the copies of one round: the longer tells more, and of two equally long the bytes decide."""
    return (len(packed), packed) > (len(other), other)
