"""The commands ``phz quarantine list``, ``show`` and ``retry`` as plain functions that return the exit code.

A refused record is named by ``FILE:RECORD`` (counted from 1, as in messages) or by an id made of the same.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

import msgspec
import polars as pl
from deltalake.exceptions import DeltaError
from polars.exceptions import PolarsError

from ingest import limits
from ingest.adapters.registry import Reject
from ingest.cli import OK, UNREADABLE, Accept, default_store, print_report, reject_text, summary
from ingest.identity import identity
from ingest.importer import import_paths
from ingest.limits import StoreError, both, in_lang, reject_title
from ingest.reports import FileReport
from ingest.sniffing import beginning, safe
from ingest.store import Store, open_store
from ingest.unpack import Spoiled, digest, find, place_of

PER_PAGE = 50
SHOWN = 400
"""Characters of a refused record's line that ``show`` prints."""
SHOWN_FAULT = 60
Row = dict[str, Any]
ERRORS = (StoreError, ValueError, OSError, DeltaError, PolarsError)


def reject_id(row: Row) -> str:
    """12 hex digits for the file, what it held, and the record in it."""
    told = "\0".join((row["file"], row["file_hash"], str(row["record_index"])))
    return hashlib.blake2b(told.encode(), digest_size=6).hexdigest()


def list_refused(
    store: str | None = None,
    code: str | None = None,
    file: str | None = None,
    page: int = 1,
    per_page: int = PER_PAGE,
    json: bool = False,
    lang: str = "zh",
) -> int:
    """Print a page of the refused records by file and record; 0, or 2 where the store cannot be read.

    ``file`` is a part of the file's name.
    """
    try:
        rows = _rows(store)
        if code is not None:
            rows = rows.filter(pl.col("code") == code.upper())
        if file is not None:
            rows = rows.filter(pl.col("file").str.contains(file, literal=True))
        codes = dict(rows.group_by("code").len().sort("len", "code", descending=[True, False]).iter_rows())
        pages = max(1, -(-rows.height // per_page))
        shown = [_with_id(row) for row in rows.slice((page - 1) * per_page, per_page).iter_rows(named=True)]
        if json:
            answer = {"total": rows.height, "page": page, "pages": pages, "codes": codes, "records": shown}
            print(msgspec.json.encode(answer).decode())
            return OK
        for row in shown:
            print(f"{row['id']} {reject_text(row['file'], _reject(row), lang)}")
        zh = f"共 {rows.height} 条，第 {page} / {pages} 页"
        en = f"{rows.height} in all, page {page} of {pages}"
        print(in_lang(both(zh, en), lang))
        if codes:
            print(", ".join(f"{name} {n}" for name, n in codes.items()))
    except ERRORS as error:
        return _failed("list", error, lang)
    return OK


def show_refused(wanted: str, store: str | None = None, json: bool = False, lang: str = "zh") -> int:
    """Print all that is known of one refused record, and how it begins where its file is still as it was.

    ``wanted`` is ``FILE:RECORD`` or (the beginning of) an id. 2 where there is no such record, or more than one.
    """
    try:
        row = _with_id(_wanted(_rows(store), wanted))
        raw = _raw(row)
        if json:
            print(msgspec.json.encode({**row, "raw": raw}).decode())
            return OK
        title = reject_title(row["code"], lang, row["code"])
        lines = {
            both("编号", "id"): row["id"],
            both("文件", "file"): safe(row["file"]),
            both("文件哈希", "file hash"): row["file_hash"],
            both("第几局", "record"): row["record_index"] + 1,
            both("行", "line"): row["line"],
            both("字节位置", "byte offset"): row["byte_offset"],
            both("代码", "code"): f"{row['code']} {title}",
            both("原因", "reason"): safe(in_lang(row["reason"], lang)),
            both("原文哈希", "hash of the record"): row["raw_hash"] or None,
            both("导入时间", "imported at"): row["imported_at"],
            both("原文", "as it stands"): raw["line"],
            both("出错处", "at the fault"): raw["fault"],
        }
        for label, value in lines.items():
            if value is not None:
                print(f"{in_lang(label, lang)}: {value}")
        if raw["why"]:
            print(in_lang(raw["why"], lang))
    except ERRORS as error:
        return _failed("show", error, lang)
    return OK


def retry_refused(
    files: Sequence[str] = (),
    store: str | None = None,
    format: str | None = None,  # noqa: A002
    json: bool = False,
    lang: str = "zh",
    accept: Accept = lambda _: None,
    aliases: str | None = None,
    anonymise: str | None = None,
) -> int:
    """Import again the files that have refused records (all, or those named), from where they were.

    ``aliases`` and ``anonymise`` as for the first import. 0 when nothing of them is refused any more, 2 otherwise.
    """
    try:
        rows = _rows(store)
        names = rows["file"].unique(maintain_order=True).to_list()
        wanted = [name for name in names if not files or name in files or str(place_of(name)) in files]
        for name in files:
            if name not in wanted and name not in {str(place_of(one)) for one in wanted}:
                raise ValueError(both(f"{safe(name)} 没有隔离的记录", f"{safe(name)} has no refused records"))
        places = list(dict.fromkeys(place_of(name) for name in wanted))
        if not places:
            if json:
                print(msgspec.json.encode({"before": {}}).decode())
            else:
                print(in_lang(both("没有隔离的记录", "nothing is refused"), lang))
            return OK
        before: dict[str, int] = dict(rows.filter(pl.col("file").is_in(wanted)).group_by("file").len().iter_rows())
        place = store or default_store()
        who = identity(aliases, anonymise) if aliases or anonymise else None
        report = import_paths(places, open_store(place), accept, format=format, identity=who)
        if json:
            print(msgspec.json.encode({**summary(report, place), "before": before}).decode())
        else:
            for done in report.files:
                print(_outcome(done, before.get(done.file, 0), lang))
            print_report(report, place, lang)
        return UNREADABLE if report.quarantined else OK
    except ERRORS as error:
        return _failed("retry", error, lang)


def _outcome(file: FileReport, before: int, lang: str) -> str:
    gone = any(reject.code == "UNREADABLE" for reject in file.rejects)
    if gone:
        told = both("文件不在原处，隔离的记录照旧", "the file is not where it was; its refused records stay")
    else:
        now = file.quarantined
        told = both(f"隔离 {before} → {now}，新增 {file.accepted}", f"refused {before} → {now}, new {file.accepted}")
    return f"{safe(file.file)}: {in_lang(told, lang)}"


def _failed(command: str, error: Exception, lang: str) -> int:
    print(f"phz quarantine {command}: {in_lang(str(error), lang)}", file=sys.stderr)
    return UNREADABLE


def _rows(store: str | None) -> pl.DataFrame:
    opened: Store = open_store(store or default_store())
    return opened.scan("quarantine").collect().sort("file", "file_hash", "record_index")


def _with_id(row: Row) -> Row:
    return {"id": reject_id(row), **row}


def _reject(row: Row) -> Reject:
    return Reject(row["code"], row["reason"], row["record_index"], row["line"], row["byte_offset"], row["raw_hash"])


def _wanted(rows: pl.DataFrame, wanted: str) -> Row:
    name, _, number = wanted.rpartition(":")
    if name and number.isdecimal():
        named = rows.filter((pl.col("file") == name) & (pl.col("record_index") == int(number) - 1))
        found = list(named.iter_rows(named=True))
    elif wanted:
        found = [row for row in rows.iter_rows(named=True) if reject_id(row).startswith(wanted)]
    else:
        found = []
    if not found:
        raise ValueError(both(f"没有隔离的记录 {safe(wanted)}", f"no refused record {safe(wanted)}"))
    if len(found) > 1:
        ids = ", ".join(reject_id(row) for row in found[:5])
        raise ValueError(both(f"{safe(wanted)} 不止一条：{ids}", f"{safe(wanted)} is more than one: {ids}"))
    return found[0]


def _raw(row: Row) -> dict[str, str | None]:
    """``line``: how the record's line begins, ``fault``: the bytes from the fault on, both escaped; or ``why`` not."""
    raw: dict[str, str | None] = dict.fromkeys(("line", "fault", "why"))
    try:
        member = find(row["file"])
        if member is None:
            return raw | {"why": both("文件不在原处", "the file is not where it was")}
        if digest(member) != row["file_hash"]:
            return raw | {"why": both("文件已经变了", "the file has changed since")}
        at = row["byte_offset"]
        with member.open() as stream:
            line, start = _line(stream, row["line"]) if row["line"] else (_bytes(stream, at or 0), at or 0)
        raw["line"] = beginning(line, SHOWN)
        if at is not None and at > start:
            with member.open() as stream:
                raw["fault"] = beginning(_bytes(stream, at), SHOWN_FAULT)
    except Spoiled as error:
        return raw | {"why": error.reason}
    except OSError as error:
        return raw | {"why": both(f"文件读不出来：{error}", f"the file cannot be read: {error}")}
    return raw


def _line(stream: BinaryIO, wanted: int) -> tuple[bytes, int]:
    """How the line of that number (from 1) begins, and its offset."""
    number, offset = 1, 0
    while raw := stream.readline(limits.MAX_LINE):
        if number == wanted:
            return raw, offset
        offset += len(raw)
        number += raw.endswith(b"\n")
    return b"", offset


def _bytes(stream: BinaryIO, at: int) -> bytes:
    """The rest of the line from an offset on."""
    while at and (data := stream.read(min(at, 65_536))):
        at -= len(data)
    return stream.readline(limits.MAX_LINE)
