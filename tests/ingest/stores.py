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
    "events": ["round_id", "seq"],
    "offers": ["round_id", "seq", "seat", "action", "card", "cards"],
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
    """Whether the rows of one snapshot fit each other: events and offers of exactly the rounds, each once."""
    versions = store.snapshot()
    rounds = dict(store.scan("rounds", versions).select("round_id", "n_events").collect().iter_rows())
    seqs: dict[str, list[int]] = {key: [] for key in rounds}
    for key, seq in store.scan("events", versions).select("round_id", "seq").sort("seq").collect().iter_rows():
        seqs[key].append(seq)
    offers = store.scan("offers", versions).select("round_id").collect()["round_id"]
    sources = store.scan("sources", versions).collect()
    return (
        store.scan("rounds", versions).select(pl.len()).collect().item() == len(rounds)
        and all(seqs[key] == list(range(n)) for key, n in rounds.items())
        and set(offers) <= set(rounds)
        and set(sources["round_id"]) == set(rounds)
        and bool(sources.select("file", "file_hash", "file_index").is_unique().all())
    )


def write(path: Path, records: list[Record]) -> Path:
    path.write_bytes(b"".join(map(dump_line, records)))
    return path
