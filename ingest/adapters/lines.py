"""A file as numbered lines, never more than one of them in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO, ClassVar, Generic, NamedTuple, TypeVar

from ingest.adapters.registry import Reject
from ingest.encoding import BOM, EncodingError, decode, raw_hash
from ingest.limits import MAX_ITEMS, MAX_LINE, Fault, both, halves
from ingest.record import Record, Sheet

Told = TypeVar("Told", bound=Record | Sheet)
Parts = TypeVar("Parts")


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


def text_of(raw: bytes, *, last: bool) -> str:
    """The bytes as text. ``last``: nothing, not even an end of line, follows, so that half a character is a cut."""
    try:
        return decode(raw)
    except EncodingError as error:
        code = "TRUNCATED" if error.cut and last else "NOT_UTF8"
        zh, en = halves(error.reason)
        raise Fault(code, f"第 {error.at + 1} 个字节：{zh}", f"byte {error.at + 1}: {en}") from error


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


def documents_read(stream: BinaryIO, read: Callable[[Line, int], Told]) -> Iterator[Told | Reject]:
    """What each document of the file says, by its place in the file, or why ``read`` could not take it."""
    for index, line in enumerate(documents(stream)):
        yield guarded(partial(read, line, index), index, line.number, line.offset, line.raw)


def guarded(build: Callable[[], Told], index: int, line: int, offset: int, raw: bytes) -> Told | Reject:
    """What ``build`` makes of those bytes of a file, or why it could not."""
    try:
        return build()
    except Fault as fault:
        return Reject(fault.code, fault.reason, index, line, offset, raw_hash(raw))
    except RecursionError:
        return Reject("LIMIT", both("嵌套太深", "nested too deep"), index, line, offset, raw_hash(raw))


def or_nothing(found: Iterable[Told | Reject], nothing: Reject) -> Iterator[Told | Reject]:
    """All that was found, or ``nothing`` where that is nothing."""
    empty = True
    for one in found:
        empty = False
        yield one
    if empty:
        yield nothing


@dataclass
class RoundLines(Generic[Parts]):
    """The lines of one round while they come in; the first one that cannot be read spoils the whole round."""

    line: int
    offset: int
    told: list[tuple[int, Parts]] = field(default_factory=list)
    fault: Fault | None = None
    fault_line: int = 0
    last: int = 0
    open_end: bool = False
    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    most: ClassVar[int] = MAX_ITEMS
    """Lines that a round may have."""

    def add(self, line: Line, found: Parts | Fault) -> None:
        """Take one more line, read or not."""
        self.digest.update(line.raw)
        self.last, self.open_end = line.number, line.open_end
        if self.fault is not None:
            return
        if len(self.told) >= self.most:
            found = Fault("LIMIT", f"一局超过 {self.most} 行", f"a round of more than {self.most} lines")
        if isinstance(found, Fault):
            self.fault, self.fault_line = found, line.number
        else:
            self.told.append((line.number, found))

    def hash(self) -> str:
        """32 hex digits that identify the bytes of the round."""
        return str(self.digest.hexdigest())
