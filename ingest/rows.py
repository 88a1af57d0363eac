"""Records as rows of the event log, and back."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa

from ingest.cards import UNKNOWN
from ingest.record import HAND, Cards, Provenance, Record, wall_size
from ingest.schema import EVENTS, OFFERS, ROUNDS, SCHEMA_VERSION

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
    for seat, hand in enumerate(record.hands):
        if seat != record.sitter:
            bits |= _hidden(hand) << seat
    size = wall_size(record)
    bits |= (_hidden(record.wall) or len(record.wall or ()) < size) << WALL_BIT
    bits |= _no_liang(record, size) << LIANG_BIT
    bits |= (not record.complete) << EARLY_BIT
    bits |= (record.result is None) << RESULT_BIT
    return bits


def _no_liang(record: Record, size: int) -> bool:
    """True when nothing tells the dealer's last card: not itself, nor 21 known cards in hand, nor the wall's first."""
    if record.liang is not None:
        return record.liang == UNKNOWN
    hand, wall = record.hands[record.dealer], record.wall
    if hand is not None and len(hand) > HAND:
        return UNKNOWN in hand
    return wall is None or len(wall) <= size or wall[0] == UNKNOWN


def _hidden(cards: Cards | None) -> bool:
    return cards is None or UNKNOWN in cards


def frames(batch: Iterable[tuple[str, bytes, Record]]) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Frames of ``rounds``, ``events`` and ``offers`` of (``round_id``, packed record, record)."""
    batch = list(batch)
    return _rounds(batch), _events(batch), _offers(batch)


def _rounds(batch: list[tuple[str, bytes, Record]]) -> pl.DataFrame:
    plain = [record for _, _, record in batch]
    results = [record.result for record in plain]
    columns: dict[str, Any] = {
        "round_id": [key for key, _, _ in batch],
        "platform": [record.platform for record in plain],
        "day": [day(record) for record in plain],
        "room": [record.room for record in plain],
        "session": [record.session for record in plain],
        "round_no": [record.round_no for record in plain],
        "started_at": [record.started_at for record in plain],
        "ruleset": [record.ruleset for record in plain],
        "options": [_json(record.options).decode() for record in plain],
        "players": _name_lists([record.players for record in plain]),
        "sitter": [record.sitter for record in plain],
        "dealer": [record.dealer for record in plain],
        "hands": _hand_lists([record.hands for record in plain]),
        "liang": [record.liang for record in plain],
        "wall": _card_lists([record.wall for record in plain]),
        "unknown": [unknown_bits(record) for record in plain],
        "n_events": [len(record.moves) for record in plain],
        "winner": [result and result.winner for result in results],
        "win_source": [result and result.source for result in results],
        "huxi": [result and result.huxi for result in results],
        "points": _lists([result.points if result else None for result in results], pl.Int32, "i"),
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
        "cards": _card_lists([offer.cards for offer in offers]),
    }
    return pl.DataFrame(columns, schema=OFFERS, strict=True)


def _keys(counted: list[tuple[str, int, Record]]) -> dict[str, Any]:
    """The columns that name the round of each of its ``n`` rows."""
    place = pl.Series(np.repeat(np.arange(len(counted), dtype=np.uint32), [n for _, n, _ in counted]))
    names = {
        "round_id": [key for key, _, _ in counted],
        "platform": [record.platform for _, _, record in counted],
        "day": [day(record) for _, _, record in counted],
    }
    return {name: pl.Series(values, dtype=pl.String).gather(place) for name, values in names.items()}


def _lists(lists: Sequence[Sequence[int] | None], dtype: type[pl.DataType], code: str) -> pl.Series:
    """A column of lists of whole numbers; what ``pl.Series`` makes of them, in a fraction of the time."""
    flat = np.frombuffer(array(code, chain.from_iterable(part or () for part in lists)), dtype=np.dtype(code))
    column = _nested(pl.Series(flat, dtype=dtype), lists)
    known = pl.Series([part is not None for part in lists], dtype=pl.Boolean)
    return column if known.all() else pl.select(pl.when(known).then(column)).to_series()


def _card_lists(lists: Sequence[Cards | None]) -> pl.Series:
    return _lists(lists, pl.Int8, "b")


def _hand_lists(hands: Sequence[Sequence[Cards | None]]) -> pl.Series:
    """A column of lists of hands; an unknown hand is an empty list."""
    return _nested(_card_lists([hand or () for seats in hands for hand in seats]), hands)


def _name_lists(names: Sequence[Sequence[str]]) -> pl.Series:
    return _nested(pl.Series(list(chain.from_iterable(names)), dtype=pl.String), names)


def _nested(items: pl.Series, lists: Sequence[Sequence[Any] | None]) -> pl.Series:
    """The items in lists of the lengths of ``lists``."""
    offsets = array("q", accumulate((len(part or ()) for part in lists), initial=0))
    ends = pa.Array.from_buffers(pa.int64(), len(offsets), [None, pa.py_buffer(offsets)])
    column = pl.from_arrow(pa.LargeListArray.from_arrays(ends, items.to_arrow()))
    assert isinstance(column, pl.Series)
    return column
