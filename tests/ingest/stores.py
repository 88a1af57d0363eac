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


def content(store: Store, without: set[str] = CLOCK) -> dict[str, str]:
    """A hash of the sorted rows of each table, all of one snapshot."""
    versions = store.snapshot()
    hashes = {}
    for name, schema in TABLES.items():
        frame = store.scan(name, versions).select(sorted(set(schema) - without)).collect().sort(ORDER[name])
        hashes[name] = hashlib.sha256(repr(frame.rows()).encode()).hexdigest()
    return hashes


def is_whole(store: Store) -> bool:
    """Whether the rows of one snapshot fit each other: each round once, its accounts, and the files they are from."""
    versions = store.snapshot()
    rounds = store.scan("rounds", versions).select("round_id", "accounts").collect()
    sheets = store.scan("sheets", versions).select("sheet_id").collect()["sheet_id"]
    sources = store.scan("sources", versions).collect()
    told = sources.group_by("round_id").agg(pl.col("account").n_unique().cast(pl.Int16).alias("accounts"))
    accounts = store.scan("accounts", versions).group_by("round_id").agg(pl.len().cast(pl.Int16).alias("accounts"))
    return (
        bool(rounds["round_id"].is_unique().all() and sheets.is_unique().all())
        and set(sources["round_id"]) == {*rounds["round_id"], *sheets}
        and rounds.join(told, on=["round_id", "accounts"], how="anti").is_empty()
        and rounds.filter(pl.col("accounts") > 1).sort("round_id").equals(accounts.collect().sort("round_id"))
        and bool(sources.select("file", "file_hash", "file_index").is_unique().all())
    )


def write(path: Path, records: list[Record]) -> Path:
    path.write_bytes(b"".join(map(dump_line, records)))
    return path
