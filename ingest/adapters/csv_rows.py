"""Rows of CSV and TSV files, one at a time, each with the place where it stands.

A row is as many lines as it takes to close its quotes, so that what is wrong with one row costs the lines of that row.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from ingest.adapters.fields import twice
from ingest.adapters.lines import text_of
from ingest.encoding import BOM
from ingest.limits import MAX_LINE, Fault

# The limit of the module, of a cell, is below that of a row here; the moves of a round may stand in one cell.
csv.field_size_limit(MAX_LINE)

NO_QUOTES = ""


class Row(NamedTuple):
    """``cells`` is the fault where the row cannot be read; ``line`` counts from 1, ``offset`` bytes from 0.

    ``ended``: an end of line follows; without one, the file may have been cut inside the row.
    """

    line: int
    offset: int
    raw: bytes
    ended: bool
    cells: list[str] | Fault


def delimiter_of(head: bytes) -> str:
    """What separates the columns where nothing tells it: tabs where the first line has one, else commas."""
    return "\t" if b"\t" in head.split(b"\n", 1)[0] else ","


def rows(stream: BinaryIO, delimiter: str, quote: str = '"') -> Iterator[Row]:
    """The rows that say something; empty lines and rows of empty cells are left out.

    ``quote`` is the sign around a cell, or ``NO_QUOTES``. Holds one row of at most ``MAX_LINE`` bytes.
    """
    line = offset = 0
    while True:
        start_line, start = line + 1, offset
        raw = bytearray()
        size = quotes = 0
        ended = False
        while part := stream.readline(MAX_LINE):
            size += len(part)
            ended = part.endswith(b"\n")
            line += ended
            if size <= MAX_LINE:
                raw += part
            if quote:
                quotes += part.count(quote.encode())
            if ended and (quotes % 2 == 0 or size > MAX_LINE):
                break
        if not size:
            return
        offset += size
        if start == 0 and raw.startswith(BOM):
            raw = raw[len(BOM) :]
        cells = _cells(bytes(raw), size, quotes, ended, delimiter, quote)
        if isinstance(cells, Fault) or any(cells):
            yield Row(start_line, start, bytes(raw), ended, cells)


def _cells(raw: bytes, size: int, quotes: int, ended: bool, delimiter: str, quote: str) -> list[str] | Fault:
    if size > MAX_LINE:
        return Fault("LIMIT", f"一行超过 {MAX_LINE} 字节", f"a row of more than {MAX_LINE} bytes")
    if quotes % 2:
        return Fault("TRUNCATED", "引号到文件末尾仍未关闭", "a quote is still open at the end of the file")
    try:
        text = text_of(raw, last=not ended)
        if not quote:
            return text.rstrip("\r\n").split(delimiter)
        return next(csv.reader([text], delimiter=delimiter, quotechar=quote, strict=True), [])
    except Fault as fault:
        return fault
    except csv.Error as error:
        return Fault("SYNTAX", f"不是 CSV：{error}", f"not CSV: {error}")


def fit(row: Row, width: int) -> list[str] | Fault:
    """The cells of a row that has as many as the header, else the fault."""
    if isinstance(row.cells, Fault) or len(row.cells) == width:
        return row.cells
    found = len(row.cells)
    cut = not row.ended and found < width
    zh, en = f"应有 {width} 格，而有 {found} 格", f"{width} cells expected, found {found}"
    return Fault("TRUNCATED" if cut else "BAD_FIELD", zh, en)


def check_header(cells: list[str]) -> None:
    """Raise ``Fault`` for a first row that has the name of a column twice."""
    name = twice(cells)
    if name is not None:
        zh, en = f"列名 {name!r:.60} 重复", f"the column {name!r:.60} stands twice in the header"
        raise Fault("BAD_FIELD", zh, en)
