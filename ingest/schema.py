"""The columns of the event log. Contract 2 of the architecture; docs/event-log.md explains each."""

from __future__ import annotations

import polars as pl

SCHEMA_VERSION = 2

_CARD = pl.Int8
_CARDS = pl.List(pl.Int8)

ROUNDS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "platform": pl.String,
    "day": pl.String,  # ISO date of started_at, "" when unknown; partition key with platform
    "room": pl.String,
    "session": pl.String,
    "round_no": pl.Int32,
    "started_at": pl.String,
    "ruleset": pl.String,
    "options": pl.String,  # canonical JSON object
    "players": pl.List(pl.String),
    "sitter": pl.Int8,  # seat of the person who does not play; null = nobody
    "dealer": pl.Int8,
    "hands": pl.List(_CARDS),  # per seat 20 cards, the dealer's perhaps 21; empty list = unknown hand, or the sitter's
    "liang": _CARD,
    "wall": _CARDS,  # null = unknown
    "unknown": pl.Int32,  # bit p: hand of seat p; bit 8: wall; bit 9: 亮张; bit 10: record stops early; bit 11: result
    "n_events": pl.Int32,
    "winner": pl.Int8,  # reported; -1 荒庄; null not reported
    "win_source": pl.Int8,
    "huxi": pl.Int32,
    "points": pl.List(pl.Int32),
    "record": pl.Binary,  # the whole record, msgpack: nothing that the source told is lost
    "schema_version": pl.Int32,
}
EVENTS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "platform": pl.String,
    "day": pl.String,
    "seq": pl.Int16,
    "seat": pl.Int8,
    "action": pl.Int8,
    "card": _CARD,
    "a": _CARD,
    "b": _CARD,
    "flags": pl.Int8,  # face: 0 unknown, else 1 + cards face up
    "t_ms": pl.Int32,
}
OFFERS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "platform": pl.String,
    "day": pl.String,
    "seq": pl.Int16,
    "seat": pl.Int8,
    "action": pl.Int8,
    "card": _CARD,
    "cards": _CARDS,
}
SOURCES: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "file": pl.String,  # as it was named to the importer
    "file_hash": pl.String,
    "file_index": pl.Int32,  # 0-based record of the file
    "line": pl.Int32,  # 1-based; null where the format has none
    "format": pl.String,
}
QUARANTINE: dict[str, pl.DataType | type[pl.DataType]] = {
    "file": pl.String,
    "file_hash": pl.String,
    "record_index": pl.Int32,  # 0-based record of the file
    "line": pl.Int32,  # 1-based, where the format has lines
    "byte_offset": pl.Int64,
    "code": pl.String,
    "reason": pl.String,
    "raw_hash": pl.String,
    "imported_at": pl.String,
}
IMPORTS: dict[str, pl.DataType | type[pl.DataType]] = {
    "file": pl.String,
    "file_hash": pl.String,
    "format": pl.String,
    "state": pl.String,  # done | failed (nothing accepted nor known: a later try is allowed)
    "seen": pl.Int64,
    "accepted": pl.Int64,
    "already_known": pl.Int64,
    "quarantined": pl.Int64,
    "imported_at": pl.String,
}
TABLES = {
    "rounds": ROUNDS,
    "events": EVENTS,
    "offers": OFFERS,
    "sources": SOURCES,
    "quarantine": QUARANTINE,
    "imports": IMPORTS,
}
PARTITIONS = {"rounds": ["platform", "day"], "events": ["platform", "day"], "offers": ["platform", "day"]}
