"""The command ``phz compact`` as a plain function that returns the exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from ingest import progress
from ingest.cli import OK, UNREADABLE, default_store
from ingest.limits import StoreError, both, in_lang

if TYPE_CHECKING:
    from ingest.compact import TableReport


def compact(store: str | None = None, json: bool = False, lang: str = "zh") -> int:
    """Merge small files and delete unused ones; 0, or 2 when the store cannot be used.

    The summary goes to stdout, one line a table (one JSON object with ``json``).
    """
    from ingest.compact import compact as run
    from ingest.store import open_store

    place = store or default_store()
    try:
        with progress.one("compact", json) as shown:
            reports = run(open_store(place), progress=shown)
    except StoreError as error:
        print(f"phz compact: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    if json:
        print(msgspec.json.encode({"store": place, "tables": reports}).decode())
    else:
        _print(reports, place, lang)
    return OK


def _print(reports: dict[str, TableReport], place: str, lang: str) -> None:
    for name, r in reports.items():
        files = both(
            f"文件 {r.files_before} → {r.files_after}，{_size(r.bytes_after)}",
            f"files {r.files_before} → {r.files_after}, {_size(r.bytes_after)}",
        )
        deleted = both(
            f"；删除旧文件 {r.deleted} 个，{_size(r.bytes_deleted)}",
            f"; {r.deleted} old files deleted, {_size(r.bytes_deleted)}",
        )
        print(f"{name}: {in_lang(files, lang)}{in_lang(deleted, lang) if r.deleted else ''}")
    freed = _size(sum(report.bytes_deleted for report in reports.values()))
    print(
        in_lang(
            both(
                f"{place}：腾出 {freed}。被合并的文件七天后再运行时才删除，其间旧的快照照样可读",
                f"{place}: {freed} freed. Merged files are deleted by a run seven days later; until then readers of "
                "older snapshots still find them",
            ),
            lang,
        )
    )


def _size(n: int) -> str:
    """Bytes for people."""
    return f"{n / 1e6:.1f} MB" if n >= 100_000 else f"{n / 1e3:.1f} kB"
