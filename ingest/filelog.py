"""What the store says of each file: rows of ``sources``, ``quarantine`` and ``imports``.

A file that is read again says most of it once more. Only what differs is written, so that readers never see a file half
told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import msgspec
import polars as pl

from ingest.adapters.registry import Reject
from ingest.reports import FileReport
from ingest.schema import IMPORTS, QUARANTINE, SOURCES
from ingest.store import Change

TOLD = {name: SOURCES[name] for name in ("round_id", "account", "file_index", "line", "format")}
"""A round or score sheet that stands in a file; columns of ``sources`` but for the file itself."""
Scan = Callable[[str], pl.LazyFrame]
"""A table of the store by its name."""
_SAME = ["file_index", "round_id", "account"]
_ACCOUNT = ["round_id", "account"]


class OpenFile:
    """A file of this import: its report, what is not yet committed, and what the store says of an earlier reading."""

    def __init__(self, report: FileReport) -> None:
        self.report = report
        self.old_sources = pl.DataFrame(schema={name: SOURCES[name] for name in _SAME})
        self.old_rejects: dict[int, tuple[str, str]] = {}
        self.old_import: dict[str, Any] | None = None
        self.read = self.written = False
        self.rejects: list[Reject] = []
        self.stale_sources: list[int] = []
        self.stale_rejects: list[int] = []
        self._rows: list[tuple[str, int, int, int | None, str]] = []
        self._frames: list[pl.DataFrame] = []

    def saw(self, key: str, account: int, index: int, line: int, format: str) -> None:  # noqa: A002
        """A record is the round or score sheet ``key``."""
        self.report.seen += 1
        self.report.format = format
        self._rows.append((key, account, index, line or None, format))

    def saw_all(self, told: pl.DataFrame) -> None:
        """As ``saw`` for rows of the columns ``TOLD``, at least one."""
        self.report.seen += told.height
        self.report.format = told.item(0, "format")
        self._frames.append(told)

    def refuse(self, reject: Reject) -> None:
        """A record is refused."""
        self.report.refuse(reject)
        old = self.old_rejects.pop(reject.index, None)
        if old == (reject.code, reject.reason):
            return
        if old is not None:
            self.stale_rejects.append(reject.index)
        self.rejects.append(reject)

    def told(self) -> pl.DataFrame:
        """What was seen since the last commit, in the order of the file."""
        rows = pl.DataFrame(self._rows, schema=TOLD, orient="row")
        return pl.concat([rows, *self._frames]).sort("file_index")

    def end(self) -> None:
        """The file is read: what an earlier reading told and this one did not is stale."""
        self.read = True
        self.stale_rejects += self.old_rejects

    def new_sources(self, told: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Rows of ``sources`` that are not in the store, and what the file told when it was read before and no longer
        does: ``file_index``, ``round_id``, ``account``. ``told``: see ``told``."""
        old = self.old_sources
        again = old.join(told.select("file_index"), on="file_index", how="semi")
        withdrawn = again.join(told, on=_SAME, how="anti")
        new = told.join(old, on=_SAME, how="anti")
        self.old_sources = old.join(again, on="file_index", how="anti")
        if self.read:
            withdrawn = pl.concat([withdrawn, self.old_sources])
        self.stale_sources.extend(withdrawn["file_index"])
        name, digest = self.name
        return new.with_columns(file=pl.lit(name), file_hash=pl.lit(digest)).select(list(SOURCES)), withdrawn

    def committed(self) -> None:
        """All that was waiting is in the store."""
        for waiting in (self._rows, self._frames, self.rejects, self.stale_sources, self.stale_rejects):
            waiting.clear()
        self.written = self.read

    @property
    def name(self) -> tuple[str, str]:
        """Which file: its name, and the hash of what it holds."""
        return self.report.file, self.report.file_hash

    def import_row(self, stamp: str) -> dict[str, Any]:
        """The row of ``imports``. What the file brought is counted over all its readings."""
        report = self.report
        known = report.seen - report.quarantined
        before = self.old_import["accepted"] if self.old_import else 0
        brought = min(before + report.accepted, known)
        return {
            "file": report.file,
            "file_hash": report.file_hash,
            "format": report.format,
            "state": report.state,
            "seen": report.seen,
            "accepted": brought,
            "already_known": known - brought,
            "quarantined": report.quarantined,
            "unknown_fields": msgspec.json.encode(dict(sorted(report.unknown_fields.items()))).decode(),
            "imported_at": stamp,
        }


def recall(file: OpenFile, scan: Scan) -> None:
    """Fill in what the store says of an earlier reading of the very same file."""
    file.old_sources = scan("sources").filter(_is(file)).select(_SAME).collect()
    refused = scan("quarantine").filter(_is(file)).select("record_index", "code", "reason").collect()
    file.old_rejects = {index: (code, reason) for index, code, reason in refused.iter_rows()}


def sources_of(files: list[OpenFile], seen: Sequence[pl.DataFrame], scan: Scan) -> tuple[Change, dict[str, set[int]]]:
    """What is to be written of where the rounds stand, and the accounts of each round that no file tells any more.

    ``seen``: what each file ``told``.
    """
    found = [file.new_sources(told) for file, told in zip(files, seen, strict=True)]
    new = pl.concat([rows for rows, _ in found]).sort("file", "file_hash", "file_index")
    withdrawn = pl.concat([rows for _, rows in found])
    stale = _any([_is(f) & pl.col("file_index").is_in(f.stale_sources) for f in files if f.stale_sources])
    untold: dict[str, set[int]] = {}
    if stale is not None:
        kept = scan("sources").filter(~stale).select(_ACCOUNT).collect()
        told = pl.concat([kept, new.select(_ACCOUNT)])
        for key, account in withdrawn.join(told, on=_ACCOUNT, how="anti").select(_ACCOUNT).iter_rows():
            untold.setdefault(key, set()).add(account)
    return Change(new, stale), untold


def changes(files: list[OpenFile], stamp: str) -> dict[str, Change]:
    """What is to be written of refused records and of the files themselves since the last commit."""
    refused = [
        (*f.name, r.index, r.line, r.byte_offset, r.code, r.reason, r.raw_hash, stamp) for f in files for r in f.rejects
    ]
    done = []
    replaced = []
    for file in files:
        row = file.import_row(stamp)
        if not file.read or (file.old_import and file.old_import | {"imported_at": stamp} == row):
            continue
        done.append(row)
        if file.old_import:
            replaced.append(_is(file))
    return {
        "quarantine": Change(
            pl.DataFrame(refused, schema=QUARANTINE, orient="row").sort("file", "file_hash", "record_index"),
            _any([_is(f) & pl.col("record_index").is_in(f.stale_rejects) for f in files if f.stale_rejects]),
        ),
        "imports": Change(pl.DataFrame(done, schema=IMPORTS).sort("file", "file_hash"), _any(replaced)),
    }


def _is(file: OpenFile) -> pl.Expr:
    name, digest = file.name
    return (pl.col("file") == name) & (pl.col("file_hash") == digest)


def _any(conditions: list[pl.Expr]) -> pl.Expr | None:
    return reduce(or_, conditions) if conditions else None
