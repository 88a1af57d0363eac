"""The commands ``phz ingest`` and ``phz convert`` as plain functions that return the exit code.

The store's libraries are loaded only when a store is used: reading a ``.phz`` file costs none of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ingest.adapters.registry import Reject
from ingest.convert import convert as convert_file
from ingest.limits import REJECTS, both, in_lang
from ingest.record import Record
from ingest.reports import FileReport, ImportReport, Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

OK, UNREADABLE = 0, 2
SHOWN_REJECTS = 20
"""Errors printed for one file; the rest are counted, and all are in the quarantine."""


def default_store() -> str:
    """``$PHZ_STORE``, else ``data/store``."""
    return os.environ.get("PHZ_STORE") or "data/store"


def reject_text(file: str, reject: Reject, lang: str) -> str:
    """One line: where, what kind, and why. Lines count from 1, records of a file too."""
    where = file if reject.line is None else f"{file}:{reject.line}"
    title = REJECTS.get(reject.code, (reject.code, reject.code))[lang != "zh"]
    reason = in_lang(reject.reason, lang)
    if lang == "zh":
        return f"{where}: 第 {reject.index + 1} 局 {reject.code} {title}：{reason}"
    return f"{where}: record {reject.index + 1}: {reject.code} {title}: {reason}"


def ingest(
    paths: Sequence[str],
    store: str | None = None,
    format: str | None = None,  # noqa: A002
    json: bool = False,
    lang: str = "zh",
    accept: Callable[[Record], Reject | None] = lambda _: None,
) -> int:
    """Import files and folders; 0 when every record was taken or known, 2 when something was unreadable.

    The result goes to stdout (one JSON object with ``json``), errors with file, line and record to stderr.
    """
    from deltalake.exceptions import DeltaError
    from polars.exceptions import PolarsError

    from ingest.importer import import_paths
    from ingest.store import StoreError, open_store

    place = store or default_store()
    try:
        with _progress(json) as progress:
            report = import_paths(paths, open_store(place), accept, progress=progress, format=format)
    except (StoreError, ValueError, OSError, DeltaError, PolarsError) as error:
        print(f"phz ingest: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    for file in report.files:
        print_rejects(file.file, file.rejects, lang)
    if json:
        print(msgspec.json.encode(_summary(report, place)).decode())
    else:
        _print_table(report, place, lang)
    return UNREADABLE if report.quarantined or not report.files else OK


def print_rejects(file: str, rejects: Sequence[Reject], lang: str) -> None:
    """The first errors of a file on stderr, and how many more there are."""
    for reject in rejects[:SHOWN_REJECTS]:
        print(reject_text(file, reject, lang), file=sys.stderr)
    more = len(rejects) - SHOWN_REJECTS
    if more > 0:
        print(in_lang(both(f"{file}: 另有 {more} 处", f"{file}: {more} more"), lang), file=sys.stderr)


def _summary(report: ImportReport, place: str) -> dict[str, object]:
    return {
        "store": place,
        "seen": report.seen,
        "accepted": report.accepted,
        "already_known": report.already_known,
        "quarantined": report.quarantined,
        "files": report.files,
    }


def _print_table(report: ImportReport, place: str, lang: str) -> None:
    if not report.files:
        print(in_lang(both("没有找到牌谱文件", "no game records found"), lang), file=sys.stderr)
    heads = both("文件 读到 新增 已有 隔离", "file seen new known quarantined")
    labels = in_lang(heads, lang).split()
    total = in_lang(both("合计", "total"), lang)
    rows = [(file.file, *_counts(file)) for file in report.files if len(report.files) <= SHOWN_REJECTS]
    rows.append((f"{total} → {place}", report.seen, report.accepted, report.already_known, report.quarantined))
    for name, *counts in rows:
        print(f"{name}: " + ", ".join(f"{label} {count}" for label, count in zip(labels[1:], counts, strict=True)))


def _counts(file: FileReport) -> tuple[int, int, int, int]:
    return file.seen, file.accepted, file.already_known, file.quarantined


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A progress bar on stderr for a person who looks at it; None where nobody does."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(state: Progress) -> None:
            if state.file not in tasks:
                tasks[state.file] = bar.add_task(Path(state.file).name, total=state.bytes_total)
            bar.update(tasks[state.file], completed=state.bytes_done)

        yield show


def convert(
    source: str,
    target: str,
    to: str | None = None,
    format: str | None = None,  # noqa: A002
    lang: str = "zh",
) -> int:
    """Write the rounds of a file in the format ``to``, else in that which ``target`` has as extension.

    0 when every record was written, 2 when some could not be read; what could be read is written all the same.
    """
    kind = to or Path(target).suffix.lower().removeprefix(".")
    try:
        written, rejects = convert_file(source, target, kind, format)
    except (OSError, ValueError) as error:
        print(f"phz convert: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    print_rejects(source, rejects, lang)
    counts = both(
        f"写出 {written} 局，未能读取 {len(rejects)} 局", f"{written} rounds written, {len(rejects)} unreadable"
    )
    print(in_lang(counts, lang), file=sys.stderr)
    return UNREADABLE if rejects else OK
