"""``.jsonl``: one round a line, the fields of ``record.Record`` under their own names (docs/notation.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Literal

import msgspec

from ingest import limits
from ingest.adapters.fields import unfit
from ingest.adapters.registry import Adapter, Reject, no_round
from ingest.codes import FACE_UNKNOWN, NO_CARD
from ingest.encoding import BOM, EncodingError, decode, raw_hash
from ingest.limits import Fault, both
from ingest.record import Cards, Move, Offer, Option, Provenance, Record, Result


class _Note(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    note: str = ""


class _Line(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the file: ``Record`` with the version first and, of its provenance, the note only."""

    phz: Literal[1]
    ruleset: str
    options: dict[str, Option] = {}
    platform: str = ""
    room: str = ""
    session: str = ""
    round_no: int | None = None
    started_at: str | None = None
    players: tuple[str, ...]
    sitter: int | None = None
    dealer: int
    complete: bool = True
    omits: tuple[int, ...] = ()
    tags: dict[str, str] = {}
    source: _Note | msgspec.UnsetType = msgspec.UNSET
    hands: tuple[Cards | None, ...]
    liang: int | None = None
    wall: Cards | None = None
    result: Result | None = None
    visible: Cards | None = None
    offers: tuple[Offer, ...] | None = None
    moves: tuple[Move, ...]


class _Written(_Line, frozen=True, omit_defaults=True, kw_only=True):
    """As ``_Line``, its events without what they end with that is nothing."""

    moves: list[list[int | None]]  # type: ignore[assignment]


FORMAT = "jsonl"
_FIELDS = tuple(name for name in _Line.__struct_fields__ if name not in ("phz", "source", "moves"))
_NOTHING = (NO_CARD, NO_CARD, NO_CARD, FACE_UNKNOWN, None)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Line).decode
_VERSION_KEY = re.compile(rb'^[ \t]*(?:\xef\xbb\xbf)?\{[^\n]*"phz"[ \t]*:', re.MULTILINE)


def dump_line(record: Record) -> bytes:
    """One line, newline included."""
    fields = {name: getattr(record, name) for name in _FIELDS}
    if len(record.options) > 1:
        fields["options"] = dict(sorted(record.options.items()))
    note = record.source.note
    source = _Note(note) if note else msgspec.UNSET
    return _encode(_Written(phz=1, source=source, moves=[_event(move) for move in record.moves], **fields)) + b"\n"


def _event(move: Move) -> list[int | None]:
    parts = [move.seat, move.action, move.card, move.a, move.b, move.face, move.t_ms]
    while len(parts) > 2 and parts[-1] == _NOTHING[len(parts) - 3]:
        parts.pop()
    return parts


def dumps(records: Iterable[Record]) -> str:
    """The records as one ``.jsonl`` text."""
    return b"".join(map(dump_line, records)).decode()


def read_lines(stream: BinaryIO, file: str) -> Iterator[Record | Reject]:
    """The rounds of the file in their order; lines of white space are passed over."""
    index = line = offset = 0
    while raw := stream.readline(limits.MAX_LINE + 1):
        line += 1
        start, offset = offset, offset + len(raw)
        if not raw.endswith(b"\n") and len(raw) > limits.MAX_LINE:
            offset += _skip_line(stream)
        found = read_line(raw, Provenance(file, index, FORMAT, "", line), start)
        if found is not None:
            yield found
            index += 1
    if index == 0:
        yield no_round()


def _skip_line(stream: BinaryIO) -> int:
    size = 0
    while part := stream.readline(limits.MAX_LINE):
        size += len(part)
        if part.endswith(b"\n"):
            break
    return size


def read_line(raw: bytes, source: Provenance, start: int) -> Record | Reject | None:
    """The round of a line that begins at byte ``start``; None for white space. A line too long may be its beginning."""
    whole = raw.endswith(b"\n")
    if len(raw) > limits.MAX_LINE + whole:
        zh, en = f"一行超过 {limits.MAX_LINE} 字节", f"a line of more than {limits.MAX_LINE} bytes"
        raw = raw[: limits.MAX_LINE + 1]
        return Reject("LIMIT", both(zh, en), source.index, source.line, start, raw_hash(raw))
    if start == 0:
        raw = raw.removeprefix(BOM)
    return _read_line(raw, whole, source, start) if raw.strip() else None


def _read_line(raw: bytes, whole: bool, source: Provenance, start: int) -> Record | Reject:
    def reject(code: str, reason: str, at: int = 0) -> Reject:
        return Reject(code, reason, source.index, source.line, start + at, raw_hash(raw))

    try:
        text = decode(raw)
        line = _decode(text)
        record = _record(line, source)
        # Of two equal keys msgspec keeps the last. What we wrote ourselves comes out the same and has none.
        if dump_line(record)[:-1] != raw.rstrip(b"\r\n"):
            _refuse_repeated_keys(text)
    except EncodingError as error:
        return reject("TRUNCATED" if error.cut and not whole else "NOT_UTF8", error.reason, error.at)
    except RecursionError:
        return reject("LIMIT", _too_deep())
    except Fault as error:
        return reject(error.code, error.reason)
    except msgspec.ValidationError as error:
        if _depth(text) > limits.MAX_DEPTH:
            return reject("LIMIT", _too_deep())
        return reject(*_explain(str(error)))
    except msgspec.DecodeError as error:
        message = str(error)
        if "truncated" in message and not whole:
            return reject("TRUNCATED", both("最后一行不完整", "the last line is incomplete"))
        return reject("SYNTAX", both(f"JSON 语法错误：{message}", f"JSON syntax: {message}"))
    except ValueError as error:  # a number of thousands of digits
        return reject("SYNTAX", both(f"JSON 语法错误：{error}", f"JSON syntax: {error}"))
    return record


def _record(line: _Line, source: Provenance) -> Record:
    fields: dict[str, Any] = {name: getattr(line, name) for name in _FIELDS}
    if isinstance(line.source, _Note) and line.source.note:
        source = msgspec.structs.replace(source, note=line.source.note)
    return Record(**fields, moves=line.moves, source=source)


def _refuse_repeated_keys(text: str) -> None:
    def pairs(items: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in items:
            if key in seen:
                raise Fault("SYNTAX", f"字段 {key!r:.80} 重复", f"the key {key!r:.80} stands twice in one object")
            seen.add(key)

    json.loads(text, object_pairs_hook=pairs)


def _too_deep() -> str:
    return both(f"嵌套超过 {limits.MAX_DEPTH} 层", f"nested more than {limits.MAX_DEPTH} deep")


def _depth(text: str) -> int:
    """The deepest nesting of brackets outside strings."""
    depth = deepest = 0
    for mark in re.findall(r'[\[{]|[\]}]|"(?:\\.|[^"\\])*+"?', text):
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    return deepest


def _explain(message: str) -> tuple[str, str]:
    """Code and reason of a line that is JSON but no round."""
    fault = unfit(message)
    if fault.path == ("phz",) or "required field `phz`" in message:
        return "WRONG_FORMAT", both('每行应有 "phz": 1', 'each line has `"phz": 1`')
    return fault.code, fault.reason


def _sniff(head: bytes) -> bool:
    return _VERSION_KEY.search(head) is not None


ADAPTER = Adapter(
    name=FORMAT,
    version=1,
    title="跑胡子牌谱 .jsonl",
    extensions=(".jsonl",),
    sniff=_sniff,
    read=lambda stream, name, _: read_lines(stream, name),
    write=lambda records, _: map(dump_line, records),
)
