"""Packed bytes as a stream of unpacked ones that is counted while it is read and never held whole."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, BinaryIO

from ingest import limits
from ingest.encoding import is_archive, other_kind
from ingest.limits import both

if TYPE_CHECKING:
    from typing_extensions import Buffer

CHUNK = 16 * 1024
_ZSTD_CHUNK = 512
"""A block of Zstandard makes 128 KiB of four bytes, and the library gives all that its input makes: 16 MiB of these."""


class Spoiled(OSError):  # noqa: N818 - a verdict on a file, not on the program
    """A packed file that cannot or must not be unpacked (further): a code of ``limits.REJECTS`` and the reason.

    An ``OSError`` because to its reader it is what a failing disk is.
    """

    def __init__(self, code: str, zh: str, en: str) -> None:
        self.code = code
        self.reason = both(zh, en)
        super().__init__(self.reason)


class Feed:
    """The packed bytes from where ``source`` stands, ``left`` of them or all; ``count`` says how many were read."""

    def __init__(self, source: BinaryIO, left: int | None = None) -> None:
        self.source, self.left, self.count = source, left, 0

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes, none at the end."""
        if self.left is not None:
            size = min(size, self.left - self.count)
        data = self.source.read(size)
        self.count += len(data)
        return data


class Unpacked(io.RawIOBase):
    """The stream; not seekable. ``most`` limits its bytes. Reading raises ``Spoiled``."""

    def __init__(
        self,
        source: BinaryIO,
        unpack: Callable[[Feed], Iterator[bytes]],
        left: int | None = None,
        most: int | None = None,
    ) -> None:
        self.source, self.feed, self.most = source, Feed(source, left), most
        self.count = 0
        self._pieces = unpack(self.feed)
        self._piece = memoryview(b"")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Fill a part of ``buffer``; 0 at the end."""
        while not self._piece:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._count(piece)
            self._piece = memoryview(piece)
        into = memoryview(buffer)
        size = min(len(into), len(self._piece))
        into[:size] = self._piece[:size]
        self._piece = self._piece[size:]
        return size

    def tell(self) -> int:
        """Unpacked bytes so far."""
        return self.count

    def close(self) -> None:
        """Close the packed file too."""
        if not self.closed:
            self.source.close()
        super().close()

    def _count(self, piece: bytes) -> None:
        if self.count == 0 and is_archive(kind := other_kind(piece)):
            raise Spoiled("ARCHIVE", f"压缩包里又是压缩包（{kind}）", f"an archive inside an archive ({kind})")
        self.count += len(piece)
        if self.most is not None and self.count > self.most:
            raise too_big(self.most)
        check_ratio(self.count, self.feed.count)


def too_big(most: int) -> Spoiled:
    """More unpacked bytes than allowed."""
    return Spoiled("LIMIT", f"解开后超过 {most} 字节", f"more than {most} bytes unpacked")


def check_ratio(unpacked: int, packed: int) -> None:
    """Raise ``Spoiled`` where this many unpacked bytes come of this many packed ones."""
    if unpacked > limits.RATIO_FROM and unpacked > limits.MAX_RATIO * packed:
        times = limits.MAX_RATIO
        raise Spoiled("LIMIT", f"压缩比超过 {times}，疑为炸弹", f"unpacks to more than {times} times its size: a bomb")


def cut() -> Spoiled:
    """The packed file stops too early."""
    return Spoiled("TRUNCATED", "压缩文件不完整", "the packed file is cut short")


def damaged(zh: str, en: str) -> Spoiled:
    """The packed file is not as it was made."""
    return Spoiled("ARCHIVE", f"压缩文件已损坏：{zh}", f"the packed file is damaged: {en}")


def stored(feed: Feed) -> Iterator[bytes]:
    """Bytes that are not packed at all."""
    while data := feed.read(CHUNK):
        yield data


def inflate(feed: Feed) -> Iterator[bytes]:
    """Raw deflate, to its end and no further."""
    if (yield from _inflate(feed, feed.read(CHUNK), -15)) or feed.read(1):
        raise damaged("数据之后还有东西", "something follows the data")


def gunzip(feed: Feed) -> Iterator[bytes]:
    """gzip: one member after another, then perhaps zeros. Checksums are checked."""
    data = feed.read(CHUNK)
    while data:
        rest = yield from _inflate(feed, data, 31)
        data = rest or feed.read(CHUNK)
        while data and not data.strip(b"\0"):
            data = feed.read(CHUNK)
        data = data.lstrip(b"\0")


def _inflate(feed: Feed, data: bytes, wbits: int) -> Generator[bytes, None, bytes]:
    """One stream of zlib's; returns what was read beyond its end."""
    one = zlib.decompressobj(wbits)
    while not one.eof:
        data = data or feed.read(CHUNK)
        try:
            piece = one.decompress(data, CHUNK)
        except zlib.error as error:
            raise damaged(str(error), str(error)) from None
        if piece:
            yield piece
        elif not data:  # not even what zlib still held back
            raise cut()
        data = one.unconsumed_tail
    return one.unused_data


def unzstd(feed: Feed) -> Iterator[bytes]:
    """Zstandard: one frame after another. Checksums are checked where there are any."""
    from zstandard import ZstdDecompressor, ZstdError

    context = ZstdDecompressor(max_window_size=limits.MAX_WINDOW)  # made anew for each frame it would cost seconds
    data = feed.read(_ZSTD_CHUNK)
    while data:
        one = context.decompressobj()
        while not one.eof:
            data = data or feed.read(_ZSTD_CHUNK)
            if not data:
                raise cut()
            try:
                piece = one.decompress(data)
            except ZstdError as error:
                if "memory" in str(error):
                    most = limits.MAX_WINDOW
                    zh, en = f"压缩窗口超过 {most} 字节", f"a window of more than {most} bytes"
                    raise Spoiled("LIMIT", zh, en) from None
                raise damaged(str(error), str(error)) from None
            data = b""
            if piece:
                yield piece
        data = one.unused_data or feed.read(_ZSTD_CHUNK)
