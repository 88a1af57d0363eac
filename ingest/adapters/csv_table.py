"""CSV and TSV tables of any platform, read by a mapping of their columns. See docs/formats.md."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO, NamedTuple

import msgspec

from ingest.adapters import csv_cells, csv_write
from ingest.adapters.csv_events import Round
from ingest.adapters.csv_mapping import Mapping, check_columns, find_mapping, no_mapping, parse_mapping, used_columns
from ingest.adapters.csv_record import extras, record_of, translate
from ingest.adapters.csv_rows import NO_QUOTES, Row, check_header, delimiter_of, fit, rows
from ingest.adapters.fields import need
from ingest.adapters.lines import guarded, or_nothing
from ingest.adapters.registry import Adapter, Params, Reject, no_round
from ingest.adapters.seeking import seekable
from ingest.encoding import BOM, raw_hash
from ingest.limits import Fault
from ingest.notation_moves import read_move
from ingest.record import Provenance, Record
from ingest.sniffing import peeked

NAME = "csv"
MAX_ROUNDS = 500_000
"""Rounds of one file with a row an event: their names are remembered, so that one that comes back is noticed."""


class _Table(NamedTuple):
    """A file whose header and mapping fit together."""

    mapping: Mapping
    header: list[str]
    extra: frozenset[str]
    facts: frozenset[str]
    delimiter: str
    quote: str


def sniff(head: bytes) -> bool:
    """True for a table that this program wrote; other tables are known by their extension."""
    return _own(head) is not None


def _own(head: bytes) -> str | None:
    first = head.removeprefix(BOM).split(b"\n", 1)[0].rstrip(b"\r")
    return next((text for layout, text in csv_write.MAPPINGS.items() if first == csv_write.header(layout)), None)


def read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    """Every round of the table, accepted or refused, in the order of their first rows."""
    stream, head = peeked(stream)
    with seekable(stream) as whole:
        yield from _read(whole, head, name, params)


def _read(stream: BinaryIO, head: bytes, name: str, params: Params) -> Iterator[Record | Reject]:
    line, offset, digest = 1, 0, raw_hash(head)
    try:
        mapping = find_mapping(params["mapping"], name)
        own = _own(head)
        if mapping is None and own is not None:
            mapping = parse_mapping(own.encode(), csv_write.NAME)
        delimiter = delimiter_of(head) if mapping is None or mapping.delimiter is None else mapping.delimiter
        quote = NO_QUOTES if mapping is not None and not mapping.quote else '"'
        first = next(rows(stream, delimiter, quote), None)
        if first is None:
            yield no_round(line)
            return
        line, offset, digest = first.line, first.offset, raw_hash(first.raw)
        if isinstance(first.cells, Fault):
            raise first.cells
        if mapping is None:
            raise no_mapping(name, first.cells)
        check_header(first.cells)
        check_columns(mapping, first.cells)
        extra = frozenset(first.cells) - used_columns(mapping)
        table = _Table(mapping, first.cells, extra, frozenset(mapping.facts()), delimiter, quote)
        split = _split(stream, table) if mapping.event else frozenset()
    except Fault as fault:
        yield Reject(fault.code, fault.reason, 0, line, offset, digest)
        return
    found = _events(stream, table, name, split) if mapping.event else _rounds(stream, table, name)
    yield from or_nothing(found, no_round(line))


def _body(
    stream: BinaryIO, table: _Table, only: frozenset[str] | None = None
) -> Iterator[tuple[Row, dict[str, str] | Fault]]:
    """The rows below the header, each with its cells by column, empty ones left out, or with what is wrong.

    ``only``: the columns that are wanted, where not all are.
    """
    places = [(place, column) for place, column in enumerate(table.header) if only is None or column in only]
    stream.seek(0)
    found = rows(stream, table.delimiter, table.quote)
    next(found)
    for row in found:
        cells = fit(row, len(table.header))
        if isinstance(cells, Fault):
            yield row, cells
            continue
        named = {column: cells[place] for place, column in places if cells[place]}
        translate(table.mapping, named)
        yield row, named


def _rounds(stream: BinaryIO, table: _Table, name: str) -> Iterator[Record | Reject]:
    """A row a round."""
    mapping = table.mapping
    column = str(mapping.round["moves"])

    def one(row: Row, cells: dict[str, str] | Fault, index: int) -> Record:
        if isinstance(cells, Fault):
            raise cells
        moves = csv_cells.said(need(cells, column, ()), column, read_move)
        tags = extras(dict.fromkeys(table.extra & cells.keys(), 1))
        return _placed(record_of(mapping, cells, moves, {}, None, tags), name, index, row.line)

    for index, (row, cells) in enumerate(_body(stream, table)):
        yield guarded(partial(one, row, cells, index), index, row.line, row.offset, row.raw)


def _placed(record: Record, name: str, index: int, line: int) -> Record:
    return msgspec.structs.replace(record, source=Provenance(name, index, NAME, record.source.note, line))


def _events(stream: BinaryIO, table: _Table, name: str, split: frozenset[bytes]) -> Iterator[Record | Reject]:
    """A row an event: the rows of a round stand together.

    A row that cannot be read may belong to the round before it or to the one behind it: both are refused, unless both
    are one.
    """
    index = 0
    keys = table.mapping.keys()
    current: Round | None = None
    key: bytes | None = None
    bad: tuple[Fault, Row] | None = None
    for row, cells in _body(stream, table):
        if isinstance(cells, Fault):
            bad = bad or (cells, row)
            continue
        found = _key(keys, cells)
        if current is None or found != key:
            if current is not None:
                yield _finish(current, bad, name, index)
                index += 1
            current, key = Round(table.mapping, table.facts, row), found
            if found in split:
                zh, en = "这一局的行不在一起", "the rows of this round do not stand together"
                current.spoil(Fault("BAD_FIELD", zh, en), row.line)
            if not found and keys:
                zh, en = "没有写明是哪一局", "it is not told which round the row belongs to"
                current.spoil(Fault("BAD_FIELD", zh, en), row.line)
        if bad is not None:
            current.spoil(bad[0], bad[1].line)
            bad = None
        current.add(row, cells, sorted(table.extra & cells.keys()))
    if current is not None:
        yield _finish(current, bad, name, index)
    elif bad is not None:
        fault, row = bad
        yield Reject(fault.code, fault.reason, 0, row.line, row.offset, raw_hash(row.raw))


def _finish(done: Round, bad: tuple[Fault, Row] | None, name: str, index: int) -> Record | Reject:
    if bad is not None:
        done.spoil(bad[0], bad[1].line)
    try:
        return _placed(done.record(), name, index, done.line)
    except Fault as fault:
        line = done.line if done.fault is None else done.fault_line
        return Reject(fault.code, fault.reason, index, line, done.offset, done.digest.hexdigest())


def _key(columns: Sequence[str], cells: dict[str, str]) -> bytes:
    """What tells rounds apart, 8 bytes; empty where every cell of it is."""
    found = [cells.get(column, "") for column in columns]
    if not any(found):
        return b""
    return hashlib.blake2b("\0".join(found).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _split(stream: BinaryIO, table: _Table) -> frozenset[bytes]:
    """The rounds whose rows do not stand together, found by going through the file once before it is read."""
    seen: set[bytes] = set()
    split = set()
    last: bytes | None = None
    columns = table.mapping.keys()
    for _, cells in _body(stream, table, frozenset(columns)):
        if isinstance(cells, Fault):
            continue
        key = _key(columns, cells)
        if key != last and key in seen:
            split.add(key)
        seen.add(key)
        if len(seen) > MAX_ROUNDS:
            zh, en = f"超过 {MAX_ROUNDS} 局，请分成几个文件", f"more than {MAX_ROUNDS} rounds: split the file"
            raise Fault("LIMIT", zh, en)
        last = key
    return frozenset(split)


ADAPTER = Adapter(
    NAME,
    1,
    "表格 CSV, TSV",
    (".csv", ".tsv"),
    sniff,
    read,
    csv_write.write,
    params={"mapping": "", "layout": csv_write.ROUNDS},
)
