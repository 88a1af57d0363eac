"""A file as numbered lines, never more than one of them in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from ingest.adapters.registry import Reject
from ingest.encoding import BOM, raw_hash
from ingest.limits import MAX_LINE, Fault, both
from ingest.record import Record


class Line(NamedTuple):
    """A line that is not blank: its number from 1, where it begins, its bytes, and whether nothing ends it.

    ``open_end``: no end of line follows, so that a text that is not finished means a file cut short.
    """

    number: int
    offset: int
    raw: bytes
    open_end: bool


def lines(stream: BinaryIO, most: int = MAX_LINE) -> Iterator[Line]:
    """The lines of the file that are not blank, without a byte order mark.

    A line of more than ``most`` bytes comes cut to one byte more than that; see ``check_length``.
    """
    number = offset = 0
    while raw := stream.readline(most + 1):
        number += 1
        start, offset = offset, offset + len(raw)
        ended = raw.endswith(b"\n")
        while not ended and (rest := stream.readline(most)):
            offset += len(rest)
            ended = rest.endswith(b"\n")
        if number == 1:
            raw = raw.removeprefix(BOM)
        if raw.strip():
            yield Line(number, start, raw, not ended)


def check_length(line: Line, most: int = MAX_LINE) -> None:
    """Raise ``Fault`` for a line that was too long."""
    if len(line.raw) > most:
        raise Fault("LIMIT", f"一行超过 {most} 字节", f"a line of more than {most} bytes")


def documents(stream: BinaryIO) -> Iterator[Line]:
    """The JSON documents of a file: one a line, or the whole file as one that stands over several lines.

    The file is one document where its first line does not end in ``}`` and its second does not begin with ``{``. Text
    before the first ``{`` of a line is no JSON, so that such files have a document a line.
    """
    found = lines(stream)
    first = next(found, None)
    second = next(found, None)
    if first is None:
        return
    over_lines = (
        first.raw.lstrip().startswith(b"{")
        and not first.raw.rstrip().endswith(b"}")
        and second is not None
        and not second.raw.startswith(b"{")
    )
    if not over_lines:
        yield first
        if second is not None:
            yield second
        yield from found
        return
    whole = bytearray(first.raw)
    rest = second
    while rest is not None and len(whole) <= MAX_LINE:
        whole += rest.raw
        rest = next(found, None)
    for _ in found:
        pass
    yield Line(first.number, first.offset, bytes(whole[: MAX_LINE + 1]), True)


def documents_read(stream: BinaryIO, read: Callable[[Line, int], Record]) -> Iterator[Record | Reject]:
    """The round of each document of the file, by its place in the file, or why ``read`` could not take it."""
    index = -1
    for index, line in enumerate(documents(stream)):
        try:
            yield read(line, index)
        except Fault as fault:
            yield Reject(fault.code, fault.reason, index, line.number, line.offset, raw_hash(line.raw))
        except RecursionError:
            deep = both("嵌套太深", "nested too deep")
            yield Reject("LIMIT", deep, index, line.number, line.offset, raw_hash(line.raw))
    if index < 0:
        yield Reject("EMPTY", both("文件里没有对局", "there is no round in the file"))
