"""The commands ``phz ingest`` and ``phz convert`` as plain functions that return the exit code.

The store's libraries are loaded only when a store is used: reading a ``.phz`` file costs none of them.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from ingest import progress
from ingest.adapters.registry import Found, Reject
from ingest.convert import convert as convert_file
from ingest.convert import format_of
from ingest.identity import identity
from ingest.limits import StoreError, both, in_lang, reject_title
from ingest.record import Record
from ingest.reports import FileReport, ImportReport
from ingest.sniffing import safe

OK, UNREADABLE = 0, 2
SHOWN_REJECTS = 20
"""Errors printed for one file; the rest are counted, and all are in the quarantine."""
SHOWN_FILES = 20
"""Files of one import that are told one by one."""
_COUNTS = ("seen", "accepted", "already_known", "quarantined")
Accept = Callable[[Record], Reject | None]


def default_store() -> str:
    """``$PHZ_STORE``, else ``data/store``."""
    return os.environ.get("PHZ_STORE") or "data/store"


def reject_text(file: str, reject: Reject, lang: str) -> str:
    """One line: where, what kind, and why. Lines count from 1, records of a file too."""
    where = safe(file) if reject.line is None else f"{safe(file)}:{reject.line}"
    title = reject_title(reject.code, lang, reject.code)
    reason = safe(in_lang(reject.reason, lang))
    if lang == "zh":
        return f"{where}: 第 {reject.index + 1} 局 {reject.code} {title}：{reason}"
    return f"{where}: record {reject.index + 1}: {reject.code} {title}: {reason}"


def ingest(
    paths: Sequence[str],
    store: str | None = None,
    format: str | None = None,  # noqa: A002
    json: bool = False,
    lang: str = "zh",
    accept: Accept = lambda _: None,
    watch: float | None = None,
    aliases: str | None = None,
    anonymise: str | None = None,
) -> int:
    """Import files and folders; 0 when every record was taken or known, 2 when something was unreadable.

    The result goes to stdout (one JSON object with ``json``), errors with file, line and record to stderr. ``watch``:
    seconds between two looks at the folders, until somebody interrupts; then a line (an object) a file, and the sums.
    ``aliases`` and ``anonymise`` name the files of ``ingest.identity``.
    """
    from deltalake.exceptions import DeltaError
    from polars.exceptions import PolarsError

    from ingest.importer import import_paths
    from ingest.store import open_store

    place = store or default_store()
    try:
        who = identity(aliases, anonymise) if aliases or anonymise else None
        if watch is None:
            with progress.by_file(json) as shown:
                report = import_paths(paths, open_store(place), accept, progress=shown, format=format, identity=who)
        else:
            return _watch(paths, place, format, json, lang, accept, watch, who)
    except (StoreError, ValueError, OSError, DeltaError, PolarsError) as error:
        print(f"phz ingest: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    for file in report.files:
        print_rejects(file.file, file.rejects, lang, file.quarantined)
    if json:
        print(msgspec.json.encode(summary(report, place)).decode())
    else:
        if not report.files:
            print(in_lang(both("没有找到牌谱文件", "no game records found"), lang), file=sys.stderr)
        print_report(report, place, lang)
    return UNREADABLE if report.quarantined or not report.files else OK


def _watch(
    paths: Sequence[str],
    place: str,
    format: str | None,  # noqa: A002
    json: bool,
    lang: str,
    accept: Accept,
    interval: float,
    who: Callable[[Found], Found] | None,
) -> int:
    from ingest.importer import import_paths
    from ingest.reader import adapter_named
    from ingest.store import open_store
    from ingest.watch import watch

    if format:
        adapter_named(format)
    for path in paths:
        os.stat(path)
    total, refused = FileReport(_total(place, lang)), Counter[str]()
    unknown = Counter[str]()

    def read(files: Sequence[Path]) -> ImportReport:
        return import_paths(files, open_store(place), accept, format=format, identity=who)

    def told(file: FileReport) -> None:
        print_rejects(file.file, file.rejects, lang, file.quarantined)
        if json:
            print(msgspec.json.encode(_of_file(file)).decode(), flush=True)
        else:
            more = safe(_counted(codes_of([file]) | unknown_of([file])))
            print(_counts(file.file, file, lang) + (f" ({more})" if more else ""), flush=True)
        # Sums only: one who watches for months must not remember each file.
        refused.update(codes_of([file]))
        unknown.update(file.unknown_fields)
        for name in _COUNTS:
            setattr(total, name, getattr(total, name) + getattr(file, name))

    started = both(f"守着 {', '.join(paths)}，Ctrl-C 结束", f"watching {', '.join(paths)}; Ctrl-C ends")
    print(in_lang(started, lang), file=sys.stderr)
    try:
        watch(paths, read, interval, told)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    if json:
        print(msgspec.json.encode(_sums(total, refused, unknown, place)).decode())
    else:
        if refused:
            print(_refused(_most_first(refused), lang))
        print(_counts(total.file, total, lang))
    return UNREADABLE if total.quarantined else OK


def print_rejects(file: str, rejects: Sequence[Reject], lang: str, total: int | None = None) -> None:
    """The first errors of a file on stderr, and how many more of ``total`` (default: of those given) there are."""
    for reject in rejects[:SHOWN_REJECTS]:
        print(reject_text(file, reject, lang), file=sys.stderr)
    more = (len(rejects) if total is None else total) - min(len(rejects), SHOWN_REJECTS)
    if more > 0:
        name = safe(file)
        print(in_lang(both(f"{name}: 另有 {more} 处", f"{name}: {more} more"), lang), file=sys.stderr)


def summary(report: ImportReport, place: str) -> dict[str, object]:
    """An import as one JSON object: sums, codes of what was refused, and all of it file by file."""
    sums = _sums(report, codes_of(report.files), unknown_of(report.files), place)
    return {**sums, "files": [_of_file(file) for file in report.files]}


def codes_of(files: Iterable[FileReport]) -> dict[str, int]:
    """How often records were refused with each code, the most frequent first."""
    total = Counter[str]()
    for file in files:
        total.update(file.codes)
    return _most_first(total)


def unknown_of(files: Iterable[FileReport]) -> dict[str, int]:
    """How often fields were met that the formats are not known to have, the most frequent first."""
    return _most_first(sum((Counter(file.unknown_fields) for file in files), Counter[str]()))


def _most_first(times: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(times.items(), key=lambda item: (-item[1], item[0])))


def _sums(
    of: FileReport | ImportReport, codes: Mapping[str, int], unknown: Mapping[str, int], place: str
) -> dict[str, object]:
    counts = {name: getattr(of, name) for name in _COUNTS}
    return {"store": place, **counts, "codes": dict(codes), "unknown_fields": dict(unknown)}


def _of_file(file: FileReport) -> dict[str, object]:
    return {**msgspec.to_builtins(file), "codes": codes_of([file])}


def print_report(report: ImportReport, place: str, lang: str) -> None:
    """What became of each file (unless they are many), and of all together."""
    if len(report.files) <= SHOWN_FILES:
        for file in report.files:
            print(_counts(file.file, file, lang))
            _print_details("  ", [file], lang)
    if len(report.files) != 1:
        _print_details("", report.files, lang)
    print(_counts(_total(place, lang), report, lang))


def _print_details(indent: str, files: Sequence[FileReport], lang: str) -> None:
    if codes := codes_of(files):
        print(indent + _refused(codes, lang))
    if unknown := unknown_of(files):
        print(indent + in_lang(both("未知字段", "unknown fields"), lang) + ": " + safe(_counted(unknown)))


def _total(place: str, lang: str) -> str:
    return f"{in_lang(both('合计', 'total'), lang)} → {place}"


def _counts(name: str, of: FileReport | ImportReport, lang: str) -> str:
    labels = in_lang(both("读到 新增 已有 隔离", "seen new known quarantined"), lang).split()
    counts = [getattr(of, name) for name in _COUNTS]
    return f"{safe(name)}: " + ", ".join(f"{label} {count}" for label, count in zip(labels, counts, strict=True))


def _refused(codes: Mapping[str, int], lang: str) -> str:
    return in_lang(both("隔离原因", "refused"), lang) + ": " + _counted(codes)


def _counted(times: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in times.items())


def convert(
    source: str,
    target: str,
    to: str | None = None,
    format: str | None = None,  # noqa: A002
    lang: str = "zh",
    aliases: str | None = None,
    anonymise: str | None = None,
) -> int:
    """Write the rounds of a file in the format ``to``, else in that which ``target`` has as extension.

    ``aliases`` and ``anonymise`` name the files of ``ingest.identity``. 0 when every record was written, 2 when some
    could not be read; what could be read is written all the same.
    """
    try:
        written, rejects = convert_file(source, target, format_of(target, to), format, identity(aliases, anonymise))
    except (OSError, ValueError) as error:
        print(f"phz convert: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    print_rejects(source, rejects, lang)
    counts = both(
        f"写出 {written} 局，未能读取 {len(rejects)} 局", f"{written} rounds written, {len(rejects)} unreadable"
    )
    print(in_lang(counts, lang), file=sys.stderr)
    return UNREADABLE if rejects else OK
