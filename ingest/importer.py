"""Files of recorded rounds into the store, exactly once: however often, in whatever order, and after any kill.

A round is known by what ``naming.round_id`` says. Accounts of one round that differ are merged (``merge``): the store
keeps each of them, so that the order of import does not matter; ``sources`` names every place where the round stands.
"""

from __future__ import annotations

import datetime
import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import polars as pl

from ingest import filelog, rows
from ingest.adapters.registry import Found, Reject, placed
from ingest.encoding import raw_hash
from ingest.filelog import OpenFile, recall
from ingest.limits import both
from ingest.merge import in_order, merge
from ingest.naming import account, round_id, sheet_id
from ingest.reader import adapter_named, files_under, is_jsonl, read_stream
from ingest.record import Provenance, Record, Sheet
from ingest.reports import DONE, FileReport, ImportReport, Progress
from ingest.schema import ACCOUNTS, CONFLICTS, ROUNDS
from ingest.sniffing import peeked
from ingest.store import LEADER, Change, Store, begin_import, commit_batch, tidy
from ingest.unpack import Member, Spoiled, digest, members, position

BATCH = 25_000
"""Records read between two commits."""
_SLICE = 2_000
"""Records that are whole in memory at a time."""
_KEY = {"round_id": pl.String}
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Record).decode

SCANNED_FROM = 8 * 1024 * 1024
"""Bytes of a ``.jsonl`` file from which on it is worth loading the compiled reader."""

Accept = Callable[[Record], Reject | None]
Identity = Callable[[Found], Found]
Untold = Mapping[str, set[int]]
"""Round or score sheet → the accounts of it that no file tells any more."""


def import_paths(
    paths: Iterable[str | os.PathLike[str]],
    store: Store,
    accept: Accept = lambda _: None,
    batch: int = BATCH,
    progress: Callable[[Progress], None] | None = None,
    format: str | None = None,  # noqa: A002
    now: str | None = None,
    identity: Identity | None = None,
) -> ImportReport:
    """Read the files, and those below folders, into the store; every ``batch`` records are committed together.

    ``accept`` may refuse a record that is whole and valid (an unknown ruleset); it may judge by ruleset, options,
    number of persons and sitter only. ``identity`` (``ingest.identity``) may rename who played. ``now`` is what
    ``imported_at`` gets. A file that cannot be opened is reported with ``UNREADABLE`` and leaves nothing in the store.
    """
    if format:
        adapter_named(format)
    stamp = now or datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with store.lock():
        begin_import(store)
        session = _Session(store, accept, batch, stamp, progress, format, identity)
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
        identity: Identity | None,
    ) -> None:
        self.store, self.accept, self.batch, self.stamp = store, accept, batch, stamp
        self.progress, self.format, self.identity = progress, format, identity
        self.files: list[OpenFile] = []
        self.read_now: dict[tuple[str, str], FileReport] = {}
        self.pending: dict[str, set[bytes]] = {}  # rounds: their packed accounts
        self.sheets: dict[str, Sheet] = {}
        self.scanned: list[pl.DataFrame] = []  # rounds that were read by the block
        self.waiting = 0
        self.known = self._ids()
        earlier = self._scan("imports").collect()
        self.earlier = {(row["file"], row["file_hash"]): row for row in earlier.iter_rows(named=True)}
        # A killed import leaves rows of a file that ``imports`` does not name.
        self.begun = {
            name
            for table in ("sources", "quarantine")
            for name in self._scan(table).select("file", "file_hash").unique().collect().iter_rows()
        }

    def _scan(self, table: str) -> pl.LazyFrame:
        """A table as this importer left it; nobody else writes, so that no new snapshot is needed."""
        return self.store.scan(table, self.store.bases[LEADER])

    def _ids(self) -> pl.DataFrame:
        """Ids of the rounds and score sheets of the store."""
        return pl.concat(
            [self._scan("rounds").select("round_id"), self._scan("sheets").select(round_id="sheet_id")]
        ).collect()

    def read(self, path: Path) -> None:
        """Read one file, or each of those in it if it is packed; commits whenever a batch is full."""
        if path.exists() and not path.is_file():
            file = self._opened(str(path))
            file.report.refuse(_unreadable(OSError(errno.EINVAL, "not a regular file")))
            file.written = True
            return
        for member in members(path):
            self._read_member(member, self._opened(member.name))

    def _opened(self, name: str) -> OpenFile:
        file = OpenFile(FileReport(name))
        self.files.append(file)
        return file

    def _read_member(self, member: Member, file: OpenFile) -> None:
        report = file.report
        try:
            report.file_hash = digest(member)
        except Spoiled as error:
            # What is in it cannot be told: it has a name but no hash, and may be tried again.
            self._begin(file)
            file.refuse(Reject(error.code, error.reason))
            file.end()
            return
        except OSError as error:
            report.refuse(_unreadable(error))
            file.written = True
            return
        if self._is_done(report) or self._is_twin(report):
            file.written = True
            return
        self._begin(file)
        with member.open() as stream:
            self._read_records(file, member, stream)
        file.end()

    def _begin(self, file: OpenFile) -> None:
        self.read_now[file.name] = file.report
        file.old_import = self.earlier.get(file.name)
        if file.name in self.begun:
            recall(file, self._scan)

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
        report.quarantined, report.codes, report.rejects = twin.quarantined, twin.codes, twin.rejects
        return True

    def _read_records(self, file: OpenFile, member: Member, stream: BinaryIO) -> None:
        report = file.report
        size = member.size or os.fstat(stream.fileno()).st_size

        def tell() -> None:
            if self.progress:
                self.progress(Progress(report.file, min(size, position(stream)), size, report.seen))

        scanned, whole = False, stream
        if self.identity is None and size >= SCANNED_FROM:
            whole, head = peeked(stream)
            scanned = is_jsonl(head, member.extension, self.format)
        if scanned:
            found = self._scanned(file, whole, tell)
        else:
            found = _found(whole, report.file, self.format, member.extension)
        for one in found:
            if isinstance(one, Reject):
                file.refuse(one)
            else:
                self._take(file, one)
            self.waiting += 1
            if report.seen % 200 == 0:
                tell()
            if self.waiting >= self.batch:
                self.flush()
        if self.progress:
            self.progress(Progress(report.file, size, size, report.seen))

    def _scanned(self, file: OpenFile, stream: BinaryIO, tell: Callable[[], None]) -> Iterator[Found]:
        """Take the rounds of ``.jsonl`` lines by the block; what has to be looked at by itself is yielded."""
        from ingest.scanner.blocks import read_blocks  # costs half a second

        count = 0
        try:
            for block in read_blocks(stream, file.report.file, self.accept, self.batch):
                if block.told.height:
                    file.saw_all(block.told)
                    self.scanned.append(block.rounds)
                    self.waiting += block.told.height
                    tell()
                yield from block.others
                count += block.told.height + len(block.others)
                if self.waiting >= self.batch:
                    self.flush()
        except OSError as error:
            yield msgspec.structs.replace(_unreadable(error), index=count)

    def _take(self, file: OpenFile, found: Record | Sheet) -> None:
        named = self.identity(found) if self.identity else found
        if isinstance(named, Reject):
            file.refuse(named)
        elif isinstance(named, Sheet):
            self._take_sheet(file, named)
        else:
            self._take_round(file, named)

    def _take_round(self, file: OpenFile, record: Record) -> None:
        source = record.source
        told = msgspec.structs.replace(record, source=Provenance(note=source.note))
        packed = _pack(told)
        refused = self.accept(told)
        if refused is not None:
            raw = refused.raw_hash or raw_hash(packed)
            file.refuse(msgspec.structs.replace(placed(refused, source), raw_hash=raw))
            return
        key = round_id(record)
        file.saw(key, account(told), source.index, source.line, source.format)
        file.report.note_unknown(record.tags, source.format)
        self.pending.setdefault(key, set()).add(packed)

    def _take_sheet(self, file: OpenFile, sheet: Sheet) -> None:
        key, source = sheet_id(sheet), sheet.source
        file.saw(key, 0, source.index, source.line, source.format)
        file.report.note_unknown(sheet.tags, source.format)
        self.sheets[key] = sheet

    def flush(self) -> None:
        """Commit all that was read since the last commit, as one change of the store."""
        self.waiting = 0
        fresh = [file for file in self.files if not file.written]
        if not fresh:
            return
        seen = [file.told() for file in fresh]
        told = pl.concat([each.with_columns(file=pl.lit(n)) for n, each in enumerate(seen)])
        first = pl.col("round_id").is_first_distinct().alias("first")
        new = told.with_columns(first).filter("first").join(self.known, on="round_id", how="anti")
        _settle_counts(fresh, told, new)
        sources, untold = filelog.sources_of(fresh, seen, self._scan)
        changes = self._rounds(new, untold) | self._sheets(new, untold) | {"sources": sources}
        changes |= filelog.changes(fresh, self.stamp)
        changes = {name: change for name, change in changes.items() if not change.is_empty()}
        if changes:
            commit_batch(self.store, changes)
        self.known = self._ids() if untold else pl.concat([self.known, new.select("round_id")])
        self.pending.clear()
        self.sheets.clear()
        self.scanned.clear()
        for file in fresh:
            file.committed()

    def _sheets(self, new: pl.DataFrame, untold: Untold) -> dict[str, Change]:
        keys = set(new["round_id"])
        frame = rows.sheet_frame((k, s) for k, s in sorted(self.sheets.items()) if k in keys)
        return {"sheets": Change(frame, pl.col("sheet_id").is_in(sorted(untold)) if untold else None)}

    def _rounds(self, new: pl.DataFrame, untold: Untold) -> dict[str, Change]:
        """What is to be written of the rounds: the new ones, and those whose accounts have changed."""
        ready = self._set_apart()
        fresh = set(new["round_id"]) if self.pending else set()
        changed = sorted({*self.pending, *untold})
        stored = self._stored([key for key in changed if key not in fresh])
        frames = [ready]
        accounts: list[tuple[str, int, bytes]] = []
        conflicts: list[tuple[Any, ...]] = []
        again: list[str] = []
        batch: list[tuple[str, Record, int]] = []
        for key in changed:
            before = stored.get(key, set())
            packed = before | self.pending.get(key, set())
            if key in untold:
                packed = {one for one in packed if account(_unpack(one)) not in untold[key]}
            if packed == before:
                continue
            if before:
                again.append(key)
            if not packed:
                continue
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

    def _set_apart(self) -> pl.DataFrame:
        """The rounds read by the block that can be stored as they are: nobody else tells them."""
        if not self.scanned:
            return pl.DataFrame(schema=ROUNDS)
        scanned = pl.concat(self.scanned)
        others = pl.DataFrame({"round_id": list(self.pending)}, schema=_KEY)
        known = pl.concat([self.known, others])
        alone = ~pl.col("round_id").is_duplicated()
        ready = scanned.filter(alone).join(known, on="round_id", how="anti")
        if ready.height < scanned.height:
            told_twice = scanned.join(ready.select("round_id"), on="round_id", how="anti")
            for key, record in zip(told_twice["round_id"], rows.records(told_twice), strict=True):
                self.pending.setdefault(key, set()).add(_pack(record))
        return ready

    def _stored(self, keys: list[str]) -> dict[str, set[bytes]]:
        """The packed accounts that the store has of those of the rounds that it knows."""
        found: dict[str, set[bytes]] = {}
        if not keys:
            return found
        wanted = pl.DataFrame({"round_id": keys}, schema=_KEY).lazy()
        rounds = self._scan("rounds").join(wanted, on="round_id", how="semi").collect()
        single = rounds.filter(pl.col("accounts") == 1)
        for key, record in zip(single["round_id"], rows.records(single), strict=True):
            found[key] = {_pack(record)}
        several = self._scan("accounts").join(wanted, on="round_id", how="semi").select("round_id", "packed").collect()
        for key, packed in several.iter_rows():
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


def _found(stream: BinaryIO, name: str, format: str | None, extension: str | None = None) -> Iterator[Found]:  # noqa: A002
    """What the reader finds; a disk that fails in the middle is one more reject."""
    count = 0
    try:
        for found in read_stream(stream, name, format, extension):
            yield found
            count += 1
    except OSError as error:
        yield msgspec.structs.replace(_unreadable(error), index=count)


def _unreadable(error: OSError) -> Reject:
    return Reject("UNREADABLE", both(f"读不出来：{error.strerror}", f"cannot be read: {error.strerror}"))
