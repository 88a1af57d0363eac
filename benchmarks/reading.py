"""Text records to the log: how fast, beside what libraries need for the same file, and how many bytes on disk."""

from __future__ import annotations

import io
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgspec
import polars as pl
import pyarrow.parquet as pq

from benchmarks.timing import best_of
from ingest.adapters.jsonl import dump_line
from ingest.importer import import_paths
from ingest.reader import read_stream
from ingest.record import Record
from ingest.scanner.blocks import read_blocks
from ingest.schema import TABLES
from ingest.store import Store, open_store
from replay.accept import accept
from replay.bulk import replay_store

DEAL = ("hands", "wall", "liang")


def importing(rows: list[str], records: list[Record]) -> None:
    """``.jsonl`` to columns and to the store, with every check; then a replay of that store, and the bytes on disk."""
    n = len(records)
    # One day of one platform: one partition of the store.
    records = [msgspec.structs.replace(one, started_at=f"2026-01-01{(one.started_at or '')[10:]}") for one in records]
    raw = b"".join(map(dump_line, records))
    lines = raw.splitlines()

    def scanned() -> None:
        blocks = list(read_blocks(io.BytesIO(raw), "x.jsonl", accept, n))
        assert sum(block.told.height for block in blocks) == n

    scanned()  # compiled, or read from the cache
    loads = best_of(3, lambda: [json.loads(line) for line in lines]) / n
    few = raw[: raw.index(b"\n", len(raw) // 10) + 1]
    jobs = {
        "`json.loads` of each line, no check": loads,
        "msgspec, untyped, no check": best_of(3, lambda: [msgspec.json.decode(line) for line in lines]) / n,
        "Polars `read_ndjson`, no check": best_of(3, lambda: pl.read_ndjson(io.BytesIO(raw))) / n,
        "the reader that explains (msgspec, typed), every check": best_of(
            2, lambda: [accept(one) for one in read_stream(io.BytesIO(few), "x.jsonl") if isinstance(one, Record)]
        )
        / few.count(b"\n"),
        "text → columns of the log, every check": best_of(5, scanned) / n,
    }
    size = f"{len(raw) / n:.0f} bytes a round"
    for name, each in jobs.items():
        rows.append(f"| {name} | {1 / each:,.0f} rounds/s | {loads / each:.2f}× `json.loads` | {size} |")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "rounds.jsonl"
        source.write_bytes(raw)
        whole = min(_import(source, Path(folder) / name, n) for name in ("a", "b"))
        rows.append(f"| import `.jsonl` → store, wall time, fsync included | {n / whole:,.0f} rounds/s | | |")
        store = open_store(Path(folder) / "a")
        replay_store(store)
        replayed = best_of(2, lambda: replay_store(store)) / n
        rows.append(f"| replay a store, whole path | {1 / replayed:,.0f} rounds/s | | |")
        _sizes(rows, store, records)


def _import(source: Path, place: Path, n: int) -> float:
    start = time.perf_counter()
    report = import_paths([str(source)], open_store(place), accept)
    assert report.accepted == n
    return time.perf_counter() - start


def _sizes(rows: list[str], store: Store, records: list[Record]) -> None:
    n, events = len(records), sum(len(record.moves) for record in records)
    sizes: Counter[str] = Counter()
    for file in (Path(store.path) / "rounds").rglob("*.parquet"):
        meta = pq.ParquetFile(file).metadata
        for group in range(meta.num_row_groups):
            for column in range(meta.num_columns):
                chunk = meta.row_group(group).column(column)
                sizes[chunk.path_in_schema.split(".")[0]] += chunk.total_compressed_size
    of_events = sum(size for name, size in sizes.items() if name.startswith("e_"))
    of_deal = sum(sizes[name] for name in DEAL)
    whole = sum(file.stat().st_size for table in TABLES for file in (Path(store.path) / table).rglob("*.parquet"))
    rows.append(f"| events on disk | {of_events / events:.2f} bytes an event | | |")
    rows.append(f"| deals on disk | {of_deal / n:.0f} bytes a deal | | |")
    rows.append(
        f"| `round_id` and all else of a round | {(sum(sizes.values()) - of_events - of_deal) / n:.0f} bytes | | |"
    )
    rows.append(f"| all tables of the log, `sources` included | {whole / n:.0f} bytes a round | | |")
