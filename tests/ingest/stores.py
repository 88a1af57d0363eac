"""What a store holds, in a form that can be compared."""

from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl

from ingest.adapters.jsonl import dump_line
from ingest.record import Record
from ingest.schema import TABLES
from ingest.store import Store

ORDER = {
    "rounds": ["round_id"],
    "sheets": ["sheet_id"],
    "accounts": ["round_id", "account"],
    "conflicts": ["round_id", "account", "field"],
    "sources": ["file", "file_hash", "file_index"],
    "quarantine": ["file", "file_hash", "record_index"],
    "imports": ["file", "file_hash"],
}
CLOCK = {"imported_at"}
HISTORY = {"accepted", "already_known"}
"""Which of two files brought a round that is in both depends on which came first."""


def tables(store: Store, versions: dict[str, int] | None = None) -> dict[str, pl.DataFrame]:
    """All rows of each table, all of one snapshot."""
    versions = store.snapshot() if versions is None else versions
    return {name: store.scan(name, versions).collect() for name in TABLES}


def content(store: Store | dict[str, pl.DataFrame], without: set[str] = CLOCK) -> dict[str, str]:
    """A hash of the sorted rows of each table, all of one snapshot."""
    found = store if isinstance(store, dict) else tables(store)
    hashes = {}
    for name, schema in TABLES.items():
        frame = found[name].select(sorted(set(schema) - without)).sort(ORDER[name])
        hashes[name] = hashlib.sha256(repr(frame.rows()).encode()).hexdigest()
    return hashes


def is_whole(store: Store | dict[str, pl.DataFrame]) -> bool:
    """Whether the rows of one snapshot fit each other: each round once, its accounts, and the files they are from."""
    found = store if isinstance(store, dict) else tables(store)
    rounds = found["rounds"].select("round_id", "accounts")
    sheets = found["sheets"]["sheet_id"]
    sources = found["sources"]
    told = sources.group_by("round_id").agg(pl.col("account").n_unique().cast(pl.Int16).alias("accounts"))
    accounts = found["accounts"].group_by("round_id").agg(pl.len().cast(pl.Int16).alias("accounts"))
    return (
        bool(rounds["round_id"].is_unique().all() and sheets.is_unique().all())
        and set(sources["round_id"]) == {*rounds["round_id"], *sheets}
        and rounds.join(told, on=["round_id", "accounts"], how="anti").is_empty()
        and rounds.filter(pl.col("accounts") > 1).sort("round_id").equals(accounts.sort("round_id"))
        and bool(sources.select("file", "file_hash", "file_index").is_unique().all())
    )


def adds_up(store: Store | dict[str, pl.DataFrame]) -> bool:
    """Whether the store's own account of every file is right: what was seen is what became of it, row by row."""
    found = store if isinstance(store, dict) else tables(store)
    imports = found["imports"]
    name = ["file", "file_hash"]
    refused = dict.fromkeys(imports.select(name).iter_rows(), 0)
    told = dict(refused)
    for table, counts in (("quarantine", refused), ("sources", told)):
        for *key, n in found[table].group_by(name).len().iter_rows():
            counts[tuple(key)] = n
    return bool(imports.select(name).is_unique().all()) and all(
        row["seen"] == row["accepted"] + row["already_known"] + row["quarantined"]
        and row["quarantined"] == refused[row["file"], row["file_hash"]]
        and row["accepted"] + row["already_known"] == told[row["file"], row["file_hash"]]
        for row in imports.iter_rows(named=True)
    )


def write(path: Path, records: list[Record]) -> Path:
    path.write_bytes(b"".join(map(dump_line, records)))
    return path
