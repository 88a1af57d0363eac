"""Records as rows of the event log, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import polars as pl

from ingest.cards import DECK, UNKNOWN
from ingest.codes import Action
from ingest.record import Cards, Provenance, Record
from ingest.schema import EVENTS, OFFERS, ROUNDS, SCHEMA_VERSION
from ingest.validate import HAND

WALL_BIT, LIANG_BIT, EARLY_BIT, RESULT_BIT = 8, 9, 10, 11

_packed = msgspec.msgpack.Encoder().encode
_unpacked = msgspec.msgpack.Decoder(Record).decode
_json = msgspec.json.Encoder(order="deterministic").encode


def pack(record: Record) -> bytes:
    """The whole record but for the place where it was read."""
    note = record.source.note
    return _packed(msgspec.structs.replace(record, source=Provenance(note=note)))


def unpack(packed: bytes) -> Record:
    """The record that ``pack`` packed."""
    return _unpacked(packed)


def records(rounds: pl.DataFrame) -> Iterator[Record]:
    """The records of rows of ``rounds``, in the order of the rows; only the column ``record`` is needed."""
    return map(_unpacked, rounds["record"])


def day(record: Record) -> str:
    """ISO date on which the round began, "" when unknown."""
    return (record.started_at or "")[:10]


def unknown_bits(record: Record) -> int:
    """What is not known: bit p the hand of seat p, then the wall, the 亮张, the end and the result (see ``schema``)."""
    bits = 0
    playing = 0
    for seat, hand in enumerate(record.hands):
        if seat != record.sitter:
            playing += 1
            bits |= _hidden(hand) << seat
    extra = sum(1 for move in record.moves if move.action == Action.BU)
    full = DECK - HAND * playing - 1 - extra
    bits |= (_hidden(record.wall) or len(record.wall or ()) < full) << WALL_BIT
    bits |= (record.liang is None or record.liang == UNKNOWN) << LIANG_BIT
    bits |= (not record.complete) << EARLY_BIT
    bits |= (record.result is None) << RESULT_BIT
    return bits


def _hidden(cards: Cards | None) -> bool:
    return cards is None or UNKNOWN in cards


def frames(batch: Iterable[tuple[str, bytes, Record]]) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Frames of ``rounds``, ``events`` and ``offers`` of (``round_id``, packed record, record)."""
    batch = list(batch)
    return _rounds(batch), _events(batch), _offers(batch)


def _rounds(batch: list[tuple[str, bytes, Record]]) -> pl.DataFrame:
    plain = [record for _, _, record in batch]
    results = [record.result for record in plain]
    columns: dict[str, list[Any]] = {
        "round_id": [key for key, _, _ in batch],
        "platform": [record.platform for record in plain],
        "day": [day(record) for record in plain],
        "room": [record.room for record in plain],
        "session": [record.session for record in plain],
        "round_no": [record.round_no for record in plain],
        "started_at": [record.started_at for record in plain],
        "ruleset": [record.ruleset for record in plain],
        "options": [_json(record.options).decode() for record in plain],
        "players": [record.players for record in plain],
        "dealer": [record.dealer for record in plain],
        "hands": [[hand or () for hand in record.hands] for record in plain],
        "liang": [record.liang for record in plain],
        "wall": [record.wall for record in plain],
        "unknown": [unknown_bits(record) for record in plain],
        "n_events": [len(record.moves) for record in plain],
        "winner": [result and result.winner for result in results],
        "win_source": [result and result.source for result in results],
        "huxi": [result and result.huxi for result in results],
        "points": [result and result.points for result in results],
        "record": [packed for _, packed, _ in batch],
        "schema_version": [SCHEMA_VERSION] * len(batch),
    }
    return pl.DataFrame(columns, schema=ROUNDS, strict=True)


def _events(batch: list[tuple[str, bytes, Record]]) -> pl.DataFrame:
    moves = [move for _, _, record in batch for move in record.moves]
    columns = _keys([(key, len(record.moves), record) for key, _, record in batch]) | {
        "seq": [seq for _, _, record in batch for seq in range(len(record.moves))],
        "seat": [move.seat for move in moves],
        "action": [move.action for move in moves],
        "card": [move.card for move in moves],
        "a": [move.a for move in moves],
        "b": [move.b for move in moves],
        "flags": [move.face for move in moves],
        "t_ms": [move.t_ms for move in moves],
    }
    return pl.DataFrame(columns, schema=EVENTS, strict=True)


def _offers(batch: list[tuple[str, bytes, Record]]) -> pl.DataFrame:
    offers = [offer for _, _, record in batch for offer in record.offers or ()]
    columns = _keys([(key, len(record.offers or ()), record) for key, _, record in batch]) | {
        "seq": [offer.seq for offer in offers],
        "seat": [offer.seat for offer in offers],
        "action": [offer.action for offer in offers],
        "card": [offer.card for offer in offers],
        "cards": [offer.cards for offer in offers],
    }
    return pl.DataFrame(columns, schema=OFFERS, strict=True)


def _keys(counted: list[tuple[str, int, Record]]) -> dict[str, Any]:
    """The columns that name the round of each of its ``n`` rows."""
    keys: list[str] = []
    platforms: list[str] = []
    days: list[str] = []
    for key, n, record in counted:
        keys += [key] * n
        platforms += [record.platform] * n
        days += [day(record)] * n
    return {"round_id": keys, "platform": platforms, "day": days}
