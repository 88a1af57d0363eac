"""The columns of the event log. Contract 2 of the architecture; docs/event-log.md explains each."""

from __future__ import annotations

import polars as pl

SCHEMA_VERSION = 3

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
    "unknown": pl.Int32,  # bits: see rows.py
    "n_events": pl.Int16,
    "e_seat": _CARDS,  # the events, one list a column; the table ``events`` is these lists as rows
    "e_action": _CARDS,
    "e_card": _CARDS,
    "e_a": _CARDS,
    "e_b": _CARDS,
    "e_face": _CARDS,  # null = no event's face was recorded
    "e_t_ms": pl.List(pl.Int32),  # null = no event's time was recorded
    "omits": _CARDS,  # actions that the source never tells
    "visible": _CARDS,  # seats all of whose options were recorded; null = the source logs none
    "o_seq": pl.List(pl.Int16),  # the offers alike; null = the source logs none
    "o_seat": _CARDS,
    "o_action": _CARDS,
    "o_card": _CARDS,
    "o_cards": pl.List(_CARDS),
    "winner": pl.Int8,  # reported; -1 荒庄; null not reported
    "win_source": pl.Int8,
    "huxi": pl.Int32,
    "points": pl.List(pl.Int32),
    "result": pl.String,  # the whole result as JSON; null when the four columns before say it all
    "tags": pl.String,  # JSON object
    "note": pl.String,
    "accounts": pl.Int16,  # how many different accounts of the round were merged
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
SHEETS: dict[str, pl.DataType | type[pl.DataType]] = {
    "sheet_id": pl.String,
    "platform": pl.String,
    "room": pl.String,
    "session": pl.String,
    "started_at": pl.String,
    "n_rounds": pl.Int32,
    "players": pl.List(pl.String),
    "points": pl.List(pl.Int32),
    "raw": pl.List(pl.Int32),  # null = the sheet has no raw points
    "tags": pl.String,  # JSON object
    "note": pl.String,
}
ACCOUNTS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "account": pl.Int64,
    "packed": pl.Binary,  # the record that one source told, msgpack
}
CONFLICTS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "field": pl.String,
    "kept": pl.String,
    "told": pl.String,
    "account": pl.Int64,  # which account tells it
}
SOURCES: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,  # of a score sheet, its sheet_id
    "account": pl.Int64,  # which account of the round the file gives
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
    "unknown_fields": pl.String,  # JSON object: field → times
    "imported_at": pl.String,
}
TABLES = {
    "rounds": ROUNDS,
    "sheets": SHEETS,
    "accounts": ACCOUNTS,
    "conflicts": CONFLICTS,
    "sources": SOURCES,
    "quarantine": QUARANTINE,
    "imports": IMPORTS,
}
VIEWS = {"events": EVENTS, "offers": OFFERS}
"""Tables that are not stored: the lists of ``rounds`` as rows."""
PARTITIONS = {"rounds": ["platform", "day"]}
