"""Records as rows of the event log, and back."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from typing import Any

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa

from ingest.cards import UNKNOWN
from ingest.record import HAND, Cards, Move, Offer, Option, Provenance, Record, Result, Sheet, wall_size
from ingest.schema import EVENTS, OFFERS, ROUNDS, SCHEMA_VERSION, SHEETS

WALL_BIT, LIANG_BIT, EARLY_BIT, RESULT_BIT = 8, 9, 10, 11

_json = msgspec.json.Encoder().encode
_sorted_json = msgspec.json.Encoder(order="deterministic").encode
_read_options = msgspec.json.Decoder(dict[str, Option]).decode
_read_tags = msgspec.json.Decoder(dict[str, str]).decode
_read_result = msgspec.json.Decoder(Result).decode
_COLUMNS_OF_RESULT = ("winner", "source", "huxi", "points")


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


def frame(batch: Iterable[tuple[str, Record, int]]) -> pl.DataFrame:
    """Rows of ``rounds`` from (``round_id``, record, number of accounts)."""
    batch = list(batch)
    plain = [record for _, record, _ in batch]
    results = [record.result for record in plain]
    moves = [record.moves for record in plain]
    offers = [record.offers for record in plain]
    columns: dict[str, Any] = {
        "round_id": [key for key, _, _ in batch],
        "platform": [record.platform for record in plain],
        "day": [day(record) for record in plain],
        "room": [record.room for record in plain],
        "session": [record.session for record in plain],
        "round_no": [record.round_no for record in plain],
        "started_at": [record.started_at for record in plain],
        "ruleset": [record.ruleset for record in plain],
        "options": [_sorted_json(record.options).decode() for record in plain],
        "players": _name_lists([record.players for record in plain]),
        "sitter": [record.sitter for record in plain],
        "dealer": [record.dealer for record in plain],
        "hands": _nested(_bytes([h or () for record in plain for h in record.hands]), [r.hands for r in plain]),
        "liang": [record.liang for record in plain],
        "wall": _bytes([record.wall for record in plain]),
        "unknown": [unknown_bits(record) for record in plain],
        "n_events": [len(events) for events in moves],
        "e_seat": _bytes([[move.seat for move in events] for events in moves]),
        "e_action": _bytes([[move.action for move in events] for events in moves]),
        "e_card": _bytes([[move.card for move in events] for events in moves]),
        "e_a": _bytes([[move.a for move in events] for events in moves]),
        "e_b": _bytes([[move.b for move in events] for events in moves]),
        "e_face": _bytes([faces if any(faces := [m.face for m in events]) else None for events in moves]),
        "e_t_ms": _times([[move.t_ms for move in events] for events in moves]),
        "omits": _bytes([record.omits for record in plain]),
        "visible": _bytes([record.visible for record in plain]),
        "o_seq": _lists([_each(told, lambda o: o.seq) for told in offers], pl.Int16, "h"),
        "o_seat": _bytes([_each(told, lambda o: o.seat) for told in offers]),
        "o_action": _bytes([_each(told, lambda o: o.action) for told in offers]),
        "o_card": _bytes([_each(told, lambda o: o.card) for told in offers]),
        "o_cards": _known(_nested(_bytes([o.cards for told in offers for o in told or ()]), offers), offers),
        "winner": [result and result.winner for result in results],
        "win_source": [result and result.source for result in results],
        "huxi": [result and result.huxi for result in results],
        "points": _lists([result.points if result else None for result in results], pl.Int32, "i"),
        "result": [_rest_of(result) for result in results],
        "tags": [_json(record.tags).decode() for record in plain],
        "note": [record.source.note for record in plain],
        "accounts": [n for _, _, n in batch],
        "schema_version": [SCHEMA_VERSION] * len(batch),
    }
    return pl.DataFrame(columns, schema=ROUNDS, strict=True)


def _each(offers: tuple[Offer, ...] | None, part: Callable[[Offer], int]) -> list[int] | None:
    return None if offers is None else list(map(part, offers))


def _rest_of(result: Result | None) -> str | None:
    """The result as JSON where it tells more than the columns ``winner``, ``win_source``, ``huxi`` and ``points``."""
    if result is None or all(
        value is None or name in _COLUMNS_OF_RESULT for name, value in msgspec.structs.asdict(result).items()
    ):
        return None
    return _json(result).decode()


def records(rounds: pl.DataFrame) -> Iterator[Record]:
    """The records of rows of ``rounds``, in the order of the rows, all columns needed."""
    for row in rounds.select(list(ROUNDS)).iter_rows():
        yield _record(dict(zip(ROUNDS, row, strict=True)))


def _record(row: dict[str, Any]) -> Record:
    events = (row[name] for name in ("e_seat", "e_action", "e_card", "e_a", "e_b"))
    faces, times = row["e_face"] or repeat(0), row["e_t_ms"] or repeat(None)
    offers = None
    if row["o_seq"] is not None:
        parts = (row[name] for name in ("o_seq", "o_seat", "o_action", "o_card"))
        offers = tuple(map(Offer, *parts, map(tuple, row["o_cards"])))
    return Record(
        ruleset=row["ruleset"],
        players=tuple(row["players"]),
        dealer=row["dealer"],
        hands=tuple(tuple(hand) or None for hand in row["hands"]),
        liang=row["liang"],
        wall=_maybe(row["wall"]),
        moves=tuple(map(Move, *events, faces, times)),
        options=_read_options(row["options"]) if row["options"] != "{}" else {},
        result=_result(row),
        offers=offers,
        visible=_maybe(row["visible"]),
        platform=row["platform"],
        room=row["room"],
        session=row["session"],
        round_no=row["round_no"],
        started_at=row["started_at"],
        sitter=row["sitter"],
        complete=not row["unknown"] >> EARLY_BIT & 1,
        omits=tuple(row["omits"]),
        tags=_read_tags(row["tags"]) if row["tags"] != "{}" else {},
        source=Provenance(note=row["note"]),
    )


def _result(row: dict[str, Any]) -> Result | None:
    if row["unknown"] >> RESULT_BIT & 1:
        return None
    if row["result"] is not None:
        return _read_result(row["result"])
    return Result(winner=row["winner"], source=row["win_source"], huxi=row["huxi"], points=_maybe(row["points"]))


def _maybe(items: list[int] | None) -> Cards | None:
    return None if items is None else tuple(items)


def sheet_frame(batch: Iterable[tuple[str, Sheet]]) -> pl.DataFrame:
    """Rows of ``sheets`` from (``sheet_id``, sheet)."""
    rows = [
        {
            "sheet_id": key,
            "platform": sheet.platform,
            "room": sheet.room,
            "session": sheet.session,
            "started_at": sheet.started_at,
            "n_rounds": sheet.rounds,
            "players": sheet.players,
            "points": sheet.points,
            "raw": sheet.raw,
            "tags": _json(sheet.tags).decode(),
            "note": sheet.source.note,
        }
        for key, sheet in batch
    ]
    return pl.DataFrame(rows, schema=SHEETS)


def events(rounds: pl.LazyFrame) -> pl.LazyFrame:
    """The events of ``rounds``, a row each."""
    n = pl.col("n_events")
    lists = rounds.filter(n > 0).select(
        "round_id",
        "platform",
        "day",
        pl.int_ranges(0, n, dtype=pl.Int16).alias("seq"),
        *(pl.col(f"e_{name}").alias(name) for name in ("seat", "action", "card", "a", "b")),
        pl.coalesce("e_face", pl.lit(0, pl.Int8).repeat_by(n)).alias("flags"),
        pl.coalesce("e_t_ms", pl.lit(None, pl.Int32).repeat_by(n)).alias("t_ms"),
    )
    return lists.explode(list(EVENTS)[3:]).select(list(EVENTS))


def offers(rounds: pl.LazyFrame) -> pl.LazyFrame:
    """The offers of ``rounds``, a row each."""
    lists = rounds.filter(pl.col("o_seq").list.len() > 0).select(
        "round_id",
        "platform",
        "day",
        *(pl.col(f"o_{name}").alias(name) for name in ("seq", "seat", "action", "card", "cards")),
    )
    return lists.explode(list(OFFERS)[3:]).select(list(OFFERS))


def _lists(lists: Sequence[Sequence[int] | None], dtype: type[pl.DataType], code: str) -> pl.Series:
    """A column of lists of whole numbers; what ``pl.Series`` makes of them, in a fraction of the time."""
    flat = np.frombuffer(array(code, chain.from_iterable(part or () for part in lists)), dtype=np.dtype(code))
    return _known(_nested(pl.Series(flat, dtype=dtype), lists), lists)


def _bytes(lists: Sequence[Sequence[int] | None]) -> pl.Series:
    return _lists(lists, pl.Int8, "b")


def _times(lists: list[list[int | None]]) -> pl.Series:
    """Times of events; a list without a single one is null."""
    known = [times if any(t is not None for t in times) else None for times in lists]
    flat = pl.Series([t for times in known for t in times or ()], dtype=pl.Int32)
    return _known(_nested(flat, known), known)


def _name_lists(names: Sequence[Sequence[str]]) -> pl.Series:
    return _nested(pl.Series(list(chain.from_iterable(names)), dtype=pl.String), names)


def _nested(items: pl.Series, lists: Sequence[Sequence[Any] | None]) -> pl.Series:
    """The items in lists of the lengths of ``lists``."""
    return nest(items, array("q", accumulate((len(part or ()) for part in lists), initial=0)))


def nest(items: pl.Series, offsets: Any) -> pl.Series:
    """The items in lists; ``offsets``: int64, where each begins, and the end of the last."""
    ends = pa.Array.from_buffers(pa.int64(), len(offsets), [None, pa.py_buffer(offsets)])
    column = pl.from_arrow(pa.LargeListArray.from_arrays(ends, items.to_arrow()))
    assert isinstance(column, pl.Series)
    return column


def _known(column: pl.Series, lists: Sequence[Sequence[Any] | None]) -> pl.Series:
    """The column with null where ``lists`` has None."""
    known = pl.Series([part is not None for part in lists], dtype=pl.Boolean)
    return column if known.all() else pl.select(pl.when(known).then(column)).to_series()
