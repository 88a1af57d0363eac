"""Which format a file is in, by its first bytes and its extension, and what to say where that does not decide it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from ingest import limits
from ingest.adapters import adapters
from ingest.adapters.registry import Adapter
from ingest.encoding import BOM, is_archive, is_utf16, other_kind
from ingest.limits import Fault

if TYPE_CHECKING:
    from typing_extensions import Buffer

SHOWN = 60
"""Characters of a file that a message shows."""


def peeked(stream: BinaryIO) -> tuple[BinaryIO, bytes]:
    """A stream that gives the same bytes, and the first of them, as many as sniffing looks at."""
    head = b"".join(_pieces(stream, limits.SNIFF_BYTES))
    if stream.seekable():
        stream.seek(0)
        return stream, head
    return io.BufferedReader(_After(head, stream)), head


class _After(io.RawIOBase):
    """Bytes already read, then the rest of the stream."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self.head = memoryview(head)
        # Not more than is there: a stream that fails later must not take with it what it gave before.
        self.more = getattr(rest, "read1", rest.read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        into = memoryview(buffer)
        data = self.head[: len(into)] or self.more(len(into))
        self.head = self.head[len(into) :]
        into[: len(data)] = data
        return len(data)


def _pieces(stream: BinaryIO, size: int) -> Iterator[bytes]:
    while size and (data := stream.read(size)):
        size -= len(data)
        yield data


def find_adapter(head: bytes, extension: str, text_only: bool = False) -> Adapter:
    """The adapter that could have written a file that begins with ``head``; ``Fault`` for none or several.

    ``extension`` decides only where the content speaks for no format at all: a file whose beginning is damaged.
    """
    if not head.strip():
        raise Fault("EMPTY", "文件是空的", "the file is empty")
    kind = other_kind(head)
    asked = [adapter for adapter in adapters() if adapter.text or not text_only]
    fits = [adapter for adapter in asked if (kind is None or not adapter.text) and adapter.sniff(head)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise _several(fits, extension)
    if kind is not None:
        raise _other(kind)
    named = [adapter for adapter in asked if extension in adapter.extensions]
    if len(named) == 1:
        return named[0]  # it says what is wrong with the file
    raise _none(head, extension, asked, named)


def _several(fits: list[Adapter], extension: str) -> Fault:
    zh = "；".join(f"{one.name}（{_why(one, extension)[0]}）" for one in fits)
    en = "; ".join(f"{one.name} ({_why(one, extension)[1]})" for one in fits)
    return Fault(
        "WRONG_FORMAT",
        f"内容同时像几种格式：{zh}。请用 --format 指定",
        f"the content fits several formats: {en}. Name one with --format",
    )


def _why(adapter: Adapter, extension: str) -> tuple[str, str]:
    if extension in adapter.extensions:
        return f"内容和扩展名 {extension}", f"content and extension {extension}"
    return "内容", "content"


def _other(kind: str) -> Fault:
    if is_utf16(kind):
        return Fault("NOT_UTF8", f"文件是 {kind}，请先转成 UTF-8", f"the file is {kind}: convert it to UTF-8 first")
    zh, en = f"这是 {kind} 文件，不是牌谱", f"this is a {kind} file, not a game record"
    if is_archive(kind):
        zh += "；能直接读的压缩文件以 .gz、.zst 或 .zip 结尾"
        en += "; compressed files that can be read end in .gz, .zst or .zip"
    return Fault("WRONG_FORMAT", zh, en)


def _none(head: bytes, extension: str, asked: list[Adapter], named: list[Adapter]) -> Fault:
    tried = [adapter.name for adapter in asked]
    zh = f"内容不像任何一种格式（试过 {'、'.join(tried)}"
    en = f"the content fits none of the formats (tried {', '.join(tried)}"
    if named:
        several = [adapter.name for adapter in named]
        zh += f"；扩展名 {extension} 属于 {'、'.join(several)}，请用 --format 指定"
        en += f"; the extension {extension} is that of {', '.join(several)}: name one with --format"
    looks = beginning(head)
    return Fault("WRONG_FORMAT", f"{zh}）；文件开头是 {looks}", f"{en}); the file begins {looks}")


def beginning(raw: bytes, most: int = SHOWN) -> str:
    """The first characters, quoted, in a form that is safe to print anywhere: what is not plainly visible is escaped.

    Bytes that are not UTF-8 are shown as ``\\x..``.
    """
    text = raw.removeprefix(BOM)[: 4 * most].decode("utf-8", "backslashreplace")
    cut = len(text) > most or len(raw) > 4 * most
    # ／ parts the two languages of a message (limits.both).
    shown = safe(text[:most]).replace("／", "\\uff0f")
    return f'"{shown}{"…" if cut else ""}"'


def safe(text: str) -> str:
    """``text`` with everything escaped that a terminal or a page could take for more than a character."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
