"""Rounds as rows of Parquet, and back: facts in columns, events as lists, what is nested deeper as JSON."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.adapters.fields import brief, key_text, twice, unfit
from ingest.adapters.fields import decode as json_object
from ingest.adapters.parquet import MAGIC, NAME
from ingest.adapters.registry import Params, Reject, no_round
from ingest.adapters.seeking import seekable
from ingest.limits import MAX_EVENTS, MAX_ITEMS, MAX_LINE, Fault, halves
from ingest.record import Move, Offer, Option, Provenance, Record, Result
from ingest.validate import check

GROUP = 4096
"""Rounds of a row group that is written."""
MAX_GROUP = 65_536
"""Rounds, at most, of a row group that is read, and its bytes when unpacked."""
MAX_BYTES = 256 * 1024 * 1024
MAX_FOOTER = 100 * 1024 * 1024
BATCH = 64

_SMALL = pa.list_(pa.int8())
_MOVES: dict[str, pa.DataType] = {
    **dict.fromkeys(("seat", "action", "card", "a", "b", "face"), _SMALL),
    "t_ms": pa.list_(pa.int32()),
}
_TEXT, _JSON = pa.string(), frozenset({"options", "tags", "result", "offers"})
COLUMNS: dict[str, pa.DataType] = {
    "platform": _TEXT,
    "room": _TEXT,
    "session": _TEXT,
    "round_no": pa.int32(),
    "started_at": _TEXT,
    "ruleset": _TEXT,
    "options": _TEXT,
    "players": pa.list_(_TEXT),
    "sitter": pa.int8(),
    "dealer": pa.int8(),
    "hands": pa.list_(_SMALL),
    "liang": pa.int8(),
    "wall": _SMALL,
    **_MOVES,
    "result": _TEXT,
    "visible": _SMALL,
    "offers": _TEXT,
    "omits": _SMALL,
    "complete": pa.bool_(),
    "tags": _TEXT,
    "note": _TEXT,
}
"""Column → its type: the fields of ``Record``, and of its moves, each under its own name."""
REQUIRED = ("ruleset", "players", "dealer", "hands", "seat", "action", "card", "a", "b")
_TEXTS = frozenset(name for name, kind in COLUMNS.items() if kind in (_TEXT, pa.list_(_TEXT)))
_SCHEMA = pa.schema(list(COLUMNS.items()))
_FIELDS = tuple(name for name in COLUMNS if name not in _MOVES and name not in _JSON and name != "note")
_BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)

_json = msgspec.json.Encoder(order="deterministic").encode
_read_result = msgspec.json.Decoder(Result).decode
_read_offers = msgspec.json.Decoder(tuple[Offer, ...]).decode
_read_options = msgspec.json.Decoder(dict[str, Option]).decode
_read_tags = msgspec.json.Decoder(dict[str, str]).decode


class _File(NamedTuple):
    """An opened file whose schema fits: the columns that are read, and those of which nothing is known."""

    source: pq.ParquetFile
    columns: list[str]
    extra: str


def read(stream: BinaryIO, name: str, _: Params) -> Iterator[Record | Reject]:
    """Every round of the file, accepted or refused. A row group that cannot be read is one reject."""
    with seekable(stream) as whole:
        try:
            file = _open(whole)
        except Fault as fault:
            yield Reject(fault.code, fault.reason)
            return
        index = 0
        for group in range(file.source.num_row_groups):
            for found in _group(file, group):
                if isinstance(found, Fault):
                    yield Reject(found.code, found.reason, index)
                else:
                    yield msgspec.structs.replace(found, source=Provenance(name, index, NAME, found.source.note))
                index += 1
        if not index:
            yield no_round()


def _open(stream: BinaryIO) -> _File:
    """The file, its footer read and checked; no data yet. Raises ``Fault``."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - len(MAGIC)))
    if stream.read() != MAGIC or size < 3 * len(MAGIC):
        raise Fault("TRUNCATED", "Parquet 文件没有结尾", "the Parquet file lacks its end")
    try:
        source = _opened(stream, [])
        schema = source.schema_arrow
        leaves = [source.schema.column(n).path for n in range(len(source.schema))]
        # As numbers that point into a list of texts: a long text that many rows share is in memory once.
        source = _opened(stream, [leaf for leaf in leaves if leaf.split(".")[0] in _TEXTS])
    except _BROKEN as error:
        raise _broken(error) from None
    again = twice(schema.names)
    if again is not None:
        raise Fault("BAD_FIELD", f"列 {again!r:.60} 重复", f"the column {again!r:.60} is there twice")
    missing = [name for name in REQUIRED if name not in schema.names]
    if missing:
        zh, en = f"不是本程序的 Parquet：没有列 {', '.join(missing)}", f"not ours: no column {', '.join(missing)}"
        raise Fault("WRONG_FORMAT", zh, en)
    for field in schema:
        wanted = COLUMNS.get(field.name)
        if wanted is not None and _plain(field.type) != wanted:
            zh = f"列 {field.name} 应为 {wanted}，却是 {field.type!s:.80}"
            raise Fault("BAD_FIELD", zh, f"the column {field.name} is {field.type!s:.80}, not {wanted}")
    extra = sorted(key_text(name) for name in schema.names if name not in COLUMNS)
    return _File(source, [name for name in COLUMNS if name in schema.names], brief([f"{name}×1" for name in extra]))


def _opened(stream: BinaryIO, dictionaries: list[str]) -> pq.ParquetFile:
    stream.seek(0)
    return pq.ParquetFile(
        stream,
        read_dictionary=dictionaries,
        pre_buffer=False,
        buffer_size=64 * 1024,
        page_checksum_verification=True,
        thrift_string_size_limit=MAX_FOOTER,
        thrift_container_size_limit=1_000_000,
    )


def _broken(error: Exception) -> Fault:
    said = " ".join(str(error).split())
    said = said if len(said) <= 200 else said[:197] + "..."
    return Fault("SYNTAX", f"Parquet 读不出：{said}", f"the Parquet cannot be read: {said}")


def _plain(kind: pa.DataType) -> pa.DataType:
    """A type as we write it: long lists and texts are lists and texts too."""
    if pa.types.is_large_string(kind):
        return _TEXT
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(_plain(kind.value_type))
    return kind


def _group(file: _File, group: int) -> Iterator[Record | Fault]:
    done = 0
    try:
        told = file.source.metadata.row_group(group)
        # Not its columns: to ask for one of a damaged file ends the process (pyarrow 26).
        if told.num_rows > MAX_GROUP or told.total_byte_size > MAX_BYTES:
            zh, en = "请写成每组不超过 4096 局", "write groups of at most 4096 rounds"
            yield Fault("LIMIT", f"第 {group + 1} 组行太大；{zh}", f"row group {group + 1} is too big: {en}")
            return
        for batch in file.source.iter_batches(BATCH, [group], file.columns, use_threads=False):
            for row in _rows(batch):
                done += 1
                yield row if isinstance(row, Fault) else _record(row, file.extra)
    except _BROKEN as error:
        fault = _broken(error)
        zh, en = halves(fault.reason)
        zh, en = f"第 {group + 1} 组第 {done + 1} 行起：{zh}", f"row group {group + 1} from its row {done + 1} on: {en}"
        yield Fault(fault.code, zh, en)


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any] | Fault]:
    """The rows as Python values; of a row with a longer list or text than a record may have, only that."""
    fits = pa.array([True] * batch.num_rows)
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if pa.types.is_dictionary(column.type):
            fits = pc.and_(fits, _short(column))
        elif pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
            small = pc.less_equal(pc.list_value_length(column), MAX_EVENTS if name in _MOVES else MAX_ITEMS)
            fits = pc.and_(fits, pc.fill_null(small, True))
            if pa.types.is_dictionary(column.type.value_type):
                long = pc.invert(_short(column.flatten()))
                rows = set(pc.filter(pc.list_parent_indices(column), long).to_pylist())
                fits = pc.and_(fits, pa.array([n not in rows for n in range(batch.num_rows)]))
    if pc.all(fits).as_py():
        yield from batch.to_pylist()
        return
    for n, right in enumerate(fits.to_pylist()):
        if right:
            yield from batch.slice(n, 1).to_pylist()
        else:
            yield Fault("LIMIT", f"有一项太长（至多 {MAX_EVENTS} 个事件）", f"too long ({MAX_EVENTS} events at most)")


def _short(texts: pa.DictionaryArray) -> pa.Array:
    """Which texts are no longer than may be."""
    small = pc.less_equal(pc.binary_length(texts.dictionary), MAX_LINE)
    return pc.fill_null(pc.take(small, texts.indices), True)


def _record(row: Mapping[str, Any], extra: str) -> Record | Fault:
    try:
        fields = {name: row[name] for name in _FIELDS if row.get(name) is not None}
        fields |= {name: _json_cell(name, row[name]) for name in _JSON if row.get(name) is not None}
        fields["moves"] = _moves(row)
        fields["source"] = Provenance(note=row.get("note") or "")
        fields.setdefault("liang", None)
        fields.setdefault("wall", None)
        if extra:
            fields["tags"] = {**fields.get("tags", {}), "extra_fields": extra}
        return msgspec.convert(fields, Record)
    except Fault as fault:
        return fault
    except msgspec.ValidationError as error:
        return unfit(str(error))


def _json_cell(name: str, text: str) -> Any:
    try:
        if name == "offers":
            return _read_offers(text)
        json_object(text.encode("utf-8", "surrogatepass"), last=False)
        return {"result": _read_result, "options": _read_options, "tags": _read_tags}[name](text)
    except Fault as fault:
        raise Fault(fault.code, *halves(fault.reason), name) from None
    except RecursionError:
        raise Fault("LIMIT", "嵌套太深", "nested too deep", name) from None
    except msgspec.ValidationError as error:
        found = unfit(str(error))
        raise Fault(found.code, *halves(found.reason), name) from None
    except ValueError as error:
        raise Fault("SYNTAX", f"不是 JSON：{error}", f"not JSON: {error}", name) from None


def _moves(row: Mapping[str, Any]) -> tuple[Move, ...]:
    """The events of the lists, which are equally long where they are there."""
    lists: list[Sequence[Any]] = []
    size = len(row["seat"] or ())
    for name, default in zip(_MOVES, (None, None, None, None, None, 0, None), strict=True):
        values = row.get(name)
        if values is None and name in REQUIRED and size:
            raise Fault("BAD_FIELD", "没有写明", "not told", name)
        values = [default] * size if values is None else values
        if len(values) != size:
            zh, en = f"应有 {size} 项，而有 {len(values)} 项", f"{size} entries expected, found {len(values)}"
            raise Fault("BAD_FIELD", zh, en, name)
        if name != "t_ms" and None in values:
            raise Fault("BAD_FIELD", "列表里有空值", "an empty entry in the list", name)
        lists.append(values)
    return tuple(Move(*parts) for parts in zip(*lists, strict=True))


class _Sink(io.RawIOBase):
    """Takes what is written and hands it out in pieces."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.pieces.append(bytes(data))
        return len(self.pieces[-1])

    def take(self) -> bytes:
        pieces, self.pieces = self.pieces, []
        return b"".join(pieces)


def write(records: Iterable[Record], _: Params) -> Iterator[bytes]:
    """One file, a row group of at most ``GROUP`` rounds at a time. Raises ``Fault`` for a record that is not valid."""
    sink = _Sink()
    left = iter(records)
    with pq.ParquetWriter(sink, _SCHEMA, compression="zstd", write_page_checksum=True) as writer:
        while batch := list(islice(left, GROUP)):
            for record in batch:
                check(record)
            writer.write_table(_table(batch), row_group_size=GROUP)
            yield sink.take()
    yield sink.take()


def _table(records: Sequence[Record]) -> pa.Table:
    columns: dict[str, list[Any]] = {name: [getattr(record, name) for record in records] for name in _FIELDS}
    for name in _MOVES:
        columns[name] = [[getattr(move, name) for move in record.moves] for record in records]
    for name in _JSON:
        values = (getattr(record, name) for record in records)
        columns[name] = [None if value is None else _json(value).decode() for value in values]
    columns["note"] = [record.source.note for record in records]
    return pa.table({name: columns[name] for name in COLUMNS}, schema=_SCHEMA)
