"""Blocks of ``.jsonl`` lines straight into rows of the event log, without a Python object a round.

What ``lines`` does not read goes line by line to ``adapters.jsonl``; both ways give the same rows.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, BinaryIO

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa

from ingest import limits
from ingest.adapters.jsonl import FORMAT, read_line
from ingest.adapters.registry import Reject, no_round
from ingest.filelog import TOLD
from ingest.limits import Fault
from ingest.record import Option, Provenance, Record
from ingest.rows import nest
from ingest.scanner import layout as f
from ingest.scanner import lines as k
from ingest.schema import ROUNDS, SCHEMA_VERSION
from ingest.validate import check_found, check_table

BLOCK = 4 * 1024 * 1024
"""Bytes that are looked at together."""
_PAD = bytes(64)
_LEAST_LINE, _LEAST_EVENT, _LEAST_OFFER, _LEAST_CARD = 60, 7, 14, 2  # bytes

Accept = Callable[[Record], Reject | None]
Array = Any
_read_options = msgspec.json.Decoder(dict[str, Option]).decode
_sorted = msgspec.json.Encoder(order="deterministic").encode


class Block(msgspec.Struct, frozen=True):
    """What a block of lines holds.

    ``rounds``: rows of ``schema.ROUNDS``; ``told``: where each stands in the file, rows of ``filelog.TOLD``;
    ``others``: the records and rejects of the lines that were read one by one, in the order of the file.
    """

    rounds: pl.DataFrame
    told: pl.DataFrame
    others: list[Record | Reject]


def read_blocks(stream: BinaryIO, file: str, accept: Accept, most: int) -> Iterator[Block]:
    """The file in blocks of whole lines, of at most ``most`` records each.

    ``accept`` is asked once for rounds that are alike in ruleset, options, number of persons and sitter, which is all
    it may judge by. Rounds that it refuses are among the others.
    """
    index = line = 0
    for raw, start in _whole_lines(stream, most):
        block, records, lines = _block(raw, start, file, index, line, accept)
        index, line = index + records, line + lines
        yield block
    if index == 0:
        yield Block(pl.DataFrame(schema=ROUNDS), pl.DataFrame(schema=TOLD), [no_round()])


def _whole_lines(stream: BinaryIO, most: int) -> Iterator[tuple[bytes, int]]:
    """Whole lines, at most ``most`` together, and the byte at which they begin; of a line too long its beginning."""
    offset = 0
    rest = b""
    while raw := stream.read(BLOCK):
        lines, newline, rest = (rest + raw).rpartition(b"\n")
        for part in _cut(lines + newline, most):
            yield part, offset
            offset += len(part)
        if len(rest) > limits.MAX_LINE:
            yield rest[: limits.MAX_LINE + 1], offset
            offset += len(rest)
            rest = b""
            while raw := stream.read(BLOCK):
                end = raw.find(b"\n") + 1
                offset += end or len(raw)
                if end:
                    rest = raw[end:]
                    break
    for part in _cut(rest, most):
        yield part, offset
        offset += len(part)


def _cut(lines: bytes, most: int) -> Iterator[bytes]:
    if lines.count(b"\n") <= most:
        if lines:
            yield lines
        return
    ends = np.flatnonzero(np.frombuffer(lines, dtype=np.uint8) == 10)[most - 1 :: most] + 1
    yield from (part for a, b in pairwise([0, *ends.tolist(), len(lines)]) if (part := lines[a:b]))


def _block(raw: bytes, start: int, file: str, index: int, line: int, accept: Accept) -> tuple[Block, int, int]:
    """The block, how many records it has and how many lines. It begins at byte ``start`` with record ``index`` and the
    line after ``line``."""
    lines = raw.count(b"\n") + (not raw.endswith(b"\n"))
    scanned = _scan(raw, lines)
    known = _judged(scanned, accept)
    slow = np.concatenate([scanned.slow, scanned.rows[~known.taken][:, [f.F_START, f.F_END, f.F_LINE]]])
    found: list[tuple[int, Record | Reject]] = []
    records = np.ones(lines, dtype=np.int64)
    for a, b, n in slow[slow[:, 2].argsort()].tolist():
        one = read_line(raw[a : b + 1], Provenance(file, 0, FORMAT, "", line + n + 1), start + a)
        records[n] = one is not None
        if one is not None:
            found.append((n, one))
    # Blank lines are no records.
    numbers = index + np.cumsum(records) - 1
    others: list[Record | Reject] = []
    for n, one in found:
        if isinstance(one, Record):
            place = msgspec.structs.replace(one.source, index=int(numbers[n]))
            one = msgspec.structs.replace(one, source=place)
            others.append(check_found(one) or one)
        else:
            others.append(msgspec.structs.replace(one, index=int(numbers[n])))
    rounds, told = _frames(scanned, known)
    told = told.with_columns(
        pl.Series("file_index", numbers[scanned.rows[:, f.F_LINE]], dtype=pl.Int32),
        pl.Series("line", line + 1 + scanned.rows[:, f.F_LINE], dtype=pl.Int32),
    ).select(list(TOLD))
    if not known.taken.all():
        rounds, told = rounds.filter(known.taken), told.filter(known.taken)
    return Block(rounds, told, others), int(records.sum()), lines


class _Scanned(msgspec.Struct, frozen=True):
    """What the kernel found: rows by the places ``layout.F_*``, lines it did not read, ends of the pools, pools."""

    b: Array
    rows: Array
    slow: Array
    ends: Array
    pools: tuple[Array, ...]


def _scan(raw: bytes, lines: int) -> _Scanned:
    ended = raw if raw.endswith(b"\n") else raw + b"\n"
    b = np.frombuffer(ended + bytes(_PAD), dtype=np.uint8)
    n, size = min(lines, len(raw) // _LEAST_LINE + 1), len(ended)
    rows = np.empty((n + 1, f.FIELDS), dtype=np.int64)
    slow = np.empty((lines, 3), dtype=np.int64)
    ends = np.zeros(k.POOLS, dtype=np.int64)
    events, offers, cards = size // _LEAST_EVENT + 8, size // _LEAST_OFFER + 8, size // _LEAST_CARD + 200
    pools = (
        np.empty(cards, np.int8),  # dealt cards
        np.empty(cards, np.int8),  # walls
        np.empty(cards, np.int8),  # omitted actions, visible seats
        np.empty((6, events), np.int8),
        np.empty(events, np.int32),  # times
        np.empty(8 * n + 16, np.int32),  # points
        np.empty((4, offers), np.int16),
        np.empty(offers, np.int64),  # how many cards each offer lays
        np.empty(cards, np.int8),  # these cards
    )
    if not _is_text(raw):
        # Somewhere is a byte that no text may hold: every line is looked at by itself.
        starts = np.flatnonzero(b[:size] == 10)
        slow[:, 0], slow[:, 1], slow[:, 2] = np.concatenate([[0], starts[:-1] + 1]), starts, np.arange(lines)
        return _Scanned(b, rows[:0], slow, ends, pools)
    read, left = k.scan(b, size, rows, slow, ends, pools)
    return _Scanned(b, rows[:read], slow[:left], ends, pools)


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Judged(msgspec.Struct, frozen=True):
    """Rounds that are alike in what ``accept`` judges by: the run of each round, and of each run its texts."""

    run: Array
    rulesets: list[str]
    options: list[str]
    taken: Array  # by round


def _judged(scanned: _Scanned, accept: Accept) -> _Judged:
    rows = scanned.rows
    first = np.empty(len(rows), dtype=np.bool_)
    k.runs(scanned.b, rows, first)
    verdicts: dict[tuple[Any, ...], tuple[str, str, bool]] = {}
    found = []
    for row in rows[first].tolist():
        ruleset, options = (scanned.b[row[field] : row[field + 1]].tobytes() for field in (f.F_RULESET, f.F_OPTIONS))
        key = (ruleset, options, row[f.F_N], row[f.F_SITTER])
        if key not in verdicts:
            verdicts[key] = _judge(*key, accept)
        found.append(verdicts[key])
    run = np.cumsum(first) - 1
    taken = np.array([one[2] for one in found], dtype=np.bool_)[run] if found else np.zeros(0, dtype=np.bool_)
    return _Judged(run, [one[0] for one in found], [one[1] for one in found], taken)


def _judge(ruleset: bytes, options: bytes, n: int, sitter: int, accept: Accept) -> tuple[str, str, bool]:
    """Ruleset and sorted options as texts, and whether such a round is taken."""
    given: dict[str, Option] = {}
    try:
        if options:
            given = _read_options(options)
            check_table("options", given)
    except (msgspec.DecodeError, Fault):
        return "", "", False
    name = ruleset.decode()
    seats = None if sitter == f.NULL else sitter
    dealer = 1 if sitter == 0 else 0  # a sitter who deals was left to the slow reader
    alike = Record(name, ("",) * n, dealer, (None,) * n, None, None, (), options=given, sitter=seats)
    taken = (not options or _sorted(given) == options) and accept(alike) is None
    return name, _sorted(given).decode(), taken


def _frames(scanned: _Scanned, known: _Judged) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of ``schema.ROUNDS``, and ``round_id`` and ``account`` of each with the format."""
    rows, ends = scanned.rows, scanned.ends
    dealt, walls, lists, events, times, points, told, lengths, laid = scanned.pools
    n = len(rows)

    def texts(field: int) -> pl.Series:
        return _texts(scanned.b, rows[:, field], rows[:, field + 1])

    def ints(field: int, known: Array | None = None) -> pl.Series:
        column = pl.Series(np.ascontiguousarray(rows[:, field]))
        return column if known is None or known.all() else _where(column, known)

    def runs(values: list[str]) -> pl.Series:
        return pl.Series(values, dtype=pl.String).gather(pl.Series(known.run, dtype=pl.UInt32))

    persons = rows[:, f.F_N]
    seats = np.arange(4) < persons[:, None]
    spans = rows[:, f.F_PLAYERS : f.F_PLAYERS + 8].reshape(n, 4, 2)[seats]
    hands = rows[:, f.F_HANDS : f.F_HANDS + 4][seats]
    count, dealt_end = rows[:, f.F_EVENTS], ends[k.P_CARDS]
    e, o = int(ends[k.P_EVENTS]), int(ends[k.P_OFFERS])
    per_round = _offsets(count)
    n_wall, n_omits, n_seen = rows[:, f.F_WALL], rows[:, f.F_OMITS], rows[:, f.F_VISIBLE]
    n_offers, n_points = rows[:, f.F_OFFERS], rows[:, f.F_POINTS]
    of_lists = _offsets(n_omits + np.maximum(n_seen, 0))[:-1]
    started, ids = texts(f.F_STARTED), _ids(scanned, known)
    dated = rows[:, f.F_STARTED + 1] > 0

    def event(part: int) -> pl.Series:
        return nest(pl.Series(events[part, :e]), per_round)

    def offer(part: int, dtype: Any) -> pl.Series:
        return _nested(pl.Series(told[part, :o], dtype=dtype), n_offers)

    when = pl.Series(times[:e])
    columns: dict[str, Any] = {
        "round_id": ids,
        "platform": texts(f.F_PLATFORM),
        "day": started.str.slice(0, 10),
        "room": texts(f.F_ROOM),
        "session": texts(f.F_SESSION),
        "round_no": ints(f.F_ROUND_NO, rows[:, f.F_NUMBERED] > 0),
        "started_at": _where(started, dated),
        "ruleset": runs(known.rulesets),
        "options": runs(known.options),
        "players": nest(_texts(scanned.b, spans[:, 0], spans[:, 1]), _offsets(persons)),
        "sitter": ints(f.F_SITTER, rows[:, f.F_SITTER] != f.NULL),
        "dealer": ints(f.F_DEALER),
        "hands": nest(nest(pl.Series(dealt[:dealt_end]), _offsets(hands)), _offsets(persons)),
        "liang": ints(f.F_LIANG, rows[:, f.F_LIANG] != f.NULL),
        "wall": _nested(pl.Series(walls[: ends[k.P_WALL]]), n_wall),
        "unknown": ints(f.F_HIDDEN),
        "n_events": ints(f.F_EVENTS),
        "e_seat": event(0),
        "e_action": event(1),
        "e_card": event(2),
        "e_a": event(3),
        "e_b": event(4),
        "e_face": _where(event(5), rows[:, f.F_FACES] > 0),
        "e_t_ms": _where(nest(when.set(when < 0, None), per_round), rows[:, f.F_TIMES] > 0),
        "omits": _nested(pl.Series(_ranges(lists, of_lists, n_omits)), n_omits),
        "visible": _nested(pl.Series(_ranges(lists, of_lists + n_omits, n_seen)), n_seen),
        "o_seq": offer(0, pl.Int16),
        "o_seat": offer(1, pl.Int8),
        "o_action": offer(2, pl.Int8),
        "o_card": offer(3, pl.Int8),
        "o_cards": _nested(nest(pl.Series(laid[: ends[k.P_LAID]]), _offsets(lengths[:o])), n_offers),
        "winner": ints(f.F_WINNER, _told(rows, f.F_WINNER)),
        "win_source": ints(f.F_SOURCE, _told(rows, f.F_SOURCE)),
        "huxi": ints(f.F_HUXI, (rows[:, f.F_REPORTED] > 0) & (rows[:, f.F_HUXI_KNOWN] > 0)),
        "points": _nested(pl.Series(points[: ends[k.P_POINTS]]), n_points),
        "result": _where(texts(f.F_RESULT), rows[:, f.F_RESULT + 1] > 0),
        "tags": texts(f.F_TAGS).replace("", "{}"),
        "note": texts(f.F_NOTE),
        "accounts": pl.repeat(1, n, eager=True),
        "schema_version": pl.repeat(SCHEMA_VERSION, n, eager=True),
    }
    memory = memoryview(scanned.b.data)
    labels = [zlib.crc32(memory[a:b]) for a, b in rows[:, [f.F_START, f.F_END]].tolist()]
    sighted = {
        "round_id": ids,
        "account": pl.Series(labels, dtype=pl.Int64),
        "format": pl.repeat(FORMAT, n, eager=True),
    }
    rounds = pl.DataFrame(columns).cast(dict(ROUNDS))  # type: ignore[arg-type]
    return rounds, pl.DataFrame(sighted)


def _told(rows: Array, field: int) -> Array:
    return (rows[:, f.F_REPORTED] > 0) & (rows[:, field] != f.NULL)


def _ids(scanned: _Scanned, known: _Judged) -> pl.Series:
    """``naming.round_id`` of every round."""
    rows, n = scanned.rows, len(scanned.rows)
    options = [text.encode() for text in known.options]
    ends = _offsets(np.array(list(map(len, options)), dtype=np.int64))
    option_ends = np.stack([ends[known.run], ends[known.run + 1]], axis=1)
    buffer = np.frombuffer(b"".join(options) + bytes(1), dtype=np.uint8)
    most = int(
        (rows[:, f.F_EVENTS] * 5 + 4 * limits.MAX_TEXT + 200).sum() + (rows[:, f.F_END] - rows[:, f.F_START]).sum()
    )
    most += int((option_ends[:, 1] - option_ends[:, 0]).sum())
    out, offsets = np.empty(most, dtype=np.uint8), np.empty(n + 1, dtype=np.int64)
    k.facts(scanned.b, rows, scanned.pools, buffer, option_ends, out, offsets)
    memory = memoryview(out.data)
    digests = [hashlib.blake2b(memory[a:b], digest_size=16).digest() for a, b in pairwise(offsets.tolist())]
    named = np.frombuffer(b"".join(digests).hex().encode(), dtype=np.uint8)
    return _strings(named, np.arange(n + 1, dtype=np.int64) * 32)


def _texts(b: Array, starts: Array, ends: Array) -> pl.Series:
    out, offsets = np.empty(int((ends - starts).sum()), dtype=np.uint8), np.empty(len(starts) + 1, dtype=np.int64)
    k.gather(b, np.ascontiguousarray(starts), np.ascontiguousarray(ends), out, offsets)
    return _strings(out, offsets)


def _strings(data: Array, offsets: Array) -> pl.Series:
    array = pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))
    column = pl.from_arrow(array)
    assert isinstance(column, pl.Series)
    return column


def _offsets(lengths: Array) -> Array:
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _ranges(pool: Array, starts: Array, lengths: Array) -> Array:
    """The items of ``lengths`` from each of ``starts`` on, one behind the other; none where a length is negative."""
    lengths = np.maximum(lengths, 0)
    ends = _offsets(lengths)
    return pool[np.repeat(starts - ends[:-1], lengths) + np.arange(ends[-1])]


def _nested(items: pl.Series, lengths: Array) -> pl.Series:
    """The items in lists of these lengths; null where the length is negative."""
    return _where(nest(items, _offsets(np.maximum(lengths, 0))), lengths >= 0)


def _where(column: pl.Series, known: Array) -> pl.Series:
    """The column with null where it is not known."""
    if known.all():
        return column
    return pl.select(pl.when(pl.Series(known)).then(column)).to_series()
