"""The ``.phz`` notation: TOML with the characters that players write. docs/notation.md has the grammar.

A file is cut at its ``[[round]]`` lines and each piece is read by itself, so that a fault in one round costs that round
only and its line is known.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from ingest import limits
from ingest.adapters.registry import Reject
from ingest.encoding import BOM, EncodingError, decode, raw_hash
from ingest.limits import Fault, both
from ingest.notation_read import read_round
from ingest.notation_write import HEADER, dumps, write_round
from ingest.record import Provenance, Record
from ingest.validate import check

__all__ = ["HEADER", "VERSION", "dotted_line", "dumps", "loads", "read_rounds", "write_round"]

VERSION = 1

_ROUND_LINE = re.compile(rb"[ \t]*\[\[[ \t]*round[ \t]*\]\][ \t]*(#.*)?\r?\n?")
_VERSION_LINE = re.compile(r"^[ \t]*phz[ \t]*=[ \t]*1[ \t]*(#.*)?\r?$", re.MULTILINE)
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
# Strings, those over several lines first, and comments; what is left of a line are keys and plain values.
_NOT_KEYS = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?(?:"{3,5}|\Z)|'{3}.*?(?:'{3,5}|\Z)|"(?:\\[^\n]|[^"\\\n])*+"?|'[^'\n]*+'?|#[^\n]*+""",
    re.DOTALL,
)
_ITEM = re.compile(r""""(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|(\])""")


class _Piece(msgspec.Struct):
    """The lines of one round, or those before the first."""

    line: int
    offset: int
    raw: bytearray
    whole: bool = True
    last: bool = False


def loads(text: str, file: str = "") -> Iterator[Record | Reject]:
    """The rounds of a ``.phz`` text in their order, each a ``Record`` or the ``Reject`` that says why not."""
    return read_rounds(io.BytesIO(text.encode("utf-8", "surrogatepass")), file)


def read_rounds(stream: BinaryIO, file: str = "") -> Iterator[Record | Reject]:
    """As ``loads``, from a binary stream that is read a round at a time."""
    pieces = _pieces(stream)
    head = next(pieces)
    index = 0
    for found in _read_head(head):
        if found is None:
            return
        yield _placed(found, head, file, index)
        index += 1
    for piece in pieces:
        yield _placed(_read_piece(piece), piece, file, index)
        index += 1


def _placed(found: Record | Reject, piece: _Piece, file: str, index: int) -> Record | Reject:
    if isinstance(found, Reject):
        return msgspec.structs.replace(found, index=index)
    source = Provenance(file, index, "phz", found.source.note, piece.line)
    return msgspec.structs.replace(found, source=source)


def _pieces(stream: BinaryIO) -> Iterator[_Piece]:
    """First the lines before the first round (perhaps none), then each round with its own ``[[round]]`` line."""
    piece = _Piece(1, 0, bytearray())
    line, offset = 1, 0
    fresh = True
    while part := stream.readline(limits.MAX_LINE):
        if offset == 0 and part.startswith(BOM):
            part = b" " * len(BOM) + part[len(BOM) :]
        if fresh and _ROUND_LINE.fullmatch(part):
            yield piece
            piece = _Piece(line, offset, bytearray())
        if len(piece.raw) + len(part) > limits.MAX_LINE:
            piece.whole = False
        else:
            piece.raw += part
        offset += len(part)
        fresh = part.endswith(b"\n")
        line += fresh
    piece.last = True
    yield piece


def _read_head(piece: _Piece) -> Iterator[Record | Reject | None]:
    """What stands before the first round: a fault, a single round, or nothing. None: read no further."""
    try:
        table = _parse(piece)
    except _PieceError as error:
        yield error.reject
        if not _VERSION_LINE.search(bytes(piece.raw).decode("utf-8", "replace")):
            yield None
        return
    version = table.pop("phz", None)
    if type(version) is not int or version != VERSION:
        zh, en = "开头应写 phz = 1", "a file begins with `phz = 1`"
        if version is not None:
            zh, en = f"不认识版本 {version!r:.40}；{zh}", f"version {version!r:.40} is not known; {en}"
        yield _reject(piece, "WRONG_FORMAT", both(zh, en), _line_of(piece, ("phz",)))
        yield None
    elif table and not piece.last:
        zh, en = "第一个 [[round]] 之前只能有 phz = 1", "only `phz = 1` may stand before the first [[round]]"
        yield _reject(piece, "BAD_FIELD", both(zh, en), _line_of(piece, (next(iter(table)),)))
    elif table:
        yield _read_table(table, piece)
    elif piece.last:
        yield _reject(piece, "EMPTY", both("没有 [[round]]", "there is no [[round]]"))


def _read_piece(piece: _Piece) -> Record | Reject:
    try:
        tables = _parse(piece)
    except _PieceError as error:
        return error.reject
    table = tables.pop("round")[0]
    if tables:
        stray = next(iter(tables))
        zh, en = f"[{stray}] 应写作 [round.{stray}]", f"[{stray}] should be [round.{stray}]"
        return _reject(piece, "BAD_FIELD", both(zh, en), _line_of(piece, (stray,)))
    return _read_table(table, piece)


def _read_table(table: dict[str, Any], piece: _Piece) -> Record | Reject:
    try:
        record = read_round(table)
        check(record)
    except RecursionError:
        return _reject(piece, "LIMIT", _too_deep())
    except Fault as error:
        # The moves are written last: a round without them at the end of a file was cut.
        cut = piece.last and not error.path and "moves" not in table
        return _reject(piece, "TRUNCATED" if cut else error.code, error.reason, _line_of(piece, error.path))
    return record


def dotted_line(text: str) -> int | None:
    """The first line of a TOML text with more dots, strings and comments apart, than keys may have; None without one.

    The time that tomllib takes grows with the square of the dots in a key, so that they are counted first.
    """
    keys = _NOT_KEYS.sub(lambda found: "\n" * found[0].count("\n"), text)
    dotted = (number for number, line in enumerate(keys.split("\n"), 1) if line.count(".") > limits.MAX_DEPTH)
    return next(dotted, None)


class _PieceError(Exception):
    def __init__(self, reject: Reject) -> None:
        super().__init__(reject.reason)
        self.reject = reject


def _parse(piece: _Piece) -> dict[str, Any]:
    raw = bytes(piece.raw)
    if not piece.whole:
        zh, en = f"一局超过 {limits.MAX_LINE} 字节", f"a round of more than {limits.MAX_LINE} bytes"
        raise _PieceError(_reject(piece, "LIMIT", both(zh, en)))
    try:
        text = decode(raw)
        if dotted_line(text) is not None:
            raise RecursionError
        return tomllib.loads(text)
    except EncodingError as error:
        code = "TRUNCATED" if error.cut and piece.last else "NOT_UTF8"
        reject = _reject(piece, code, error.reason, 1 + raw.count(b"\n", 0, error.at))
        raise _PieceError(msgspec.structs.replace(reject, byte_offset=piece.offset + error.at)) from None
    except RecursionError:
        raise _PieceError(_reject(piece, "LIMIT", _too_deep())) from None
    except ValueError as error:  # not only TOMLDecodeError: a number of 5,000 digits is a plain ValueError
        raise _PieceError(_syntax(piece, raw, str(error))) from None


def _too_deep() -> str:
    return both(f"嵌套超过 {limits.MAX_DEPTH} 层", f"nested more than {limits.MAX_DEPTH} deep")


def _syntax(piece: _Piece, raw: bytes, message: str) -> Reject:
    place = _TOML_PLACE.search(message)
    what = message[: place.start()] if place else message
    if place is None:
        return _reject(piece, "SYNTAX", both(f"TOML 语法错误：{what}", f"TOML syntax: {what}"))
    if place[1]:
        zh, en = f"TOML 语法错误（第 {place[2]} 列）：{what}", f"TOML syntax, column {place[2]}: {what}"
        return _reject(piece, "SYNTAX", both(zh, en), int(place[1]))
    zh, en = f"到结尾仍不完整：{what}", f"incomplete at its end: {what}"
    last = raw.count(b"\n") + (not raw.endswith(b"\n"))
    return _reject(piece, "TRUNCATED" if piece.last else "SYNTAX", both(zh, en), last)


def _reject(piece: _Piece, code: str, reason: str, line: int = 1) -> Reject:
    """A reject at the ``line``-th line of the piece."""
    return Reject(code, reason, 0, piece.line + line - 1, piece.offset, raw_hash(bytes(piece.raw)))


def _line_of(piece: _Piece, path: tuple[str | int, ...]) -> int:
    """The line of the piece on which the part named by ``path`` stands; its first line when that cannot be told."""
    text = bytes(piece.raw).decode("utf-8")
    names = [re.escape(step) for step in path if isinstance(step, str)]
    for name in dict.fromkeys((r"\.".join(names), *reversed(names))):
        key = re.search(rf"""^[ \t]*(?:\[\[?[ \t]*)?(?:round\.)?["']?{name}["']?[ \t]*[=.\]]""", text, re.MULTILINE)
        if name and key:
            break
    else:
        return 1
    at = key.start()
    place = next((step for step in path if isinstance(step, int)), None)
    if place is not None:
        strings = (item for item in _ITEM.finditer(text, key.end()) if not item[0].startswith("#"))
        for count, item in enumerate(strings):
            if item[1]:
                break
            if count == place:
                at = item.start()
                break
    return 1 + text.count("\n", 0, at)
