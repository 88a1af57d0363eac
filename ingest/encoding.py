"""Bytes to text, strictly UTF-8, and what other kinds of file begin with."""

from __future__ import annotations

import hashlib

from ingest.limits import both

BOM = b"\xef\xbb\xbf"
_DAMAGED = "�".encode()
# First bytes of files that people take for game records.
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"%PDF", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!", "RAR"),
    (b"SQLite format 3\x00", "SQLite"),
    (b"PAR1", "Parquet"),
    (b"ARROW1", "Arrow"),
    (b"\x7fELF", "ELF"),
    (b"\x80\x02", "pickle"),
    (b"\x80\x03", "pickle"),
    (b"\x80\x04", "pickle"),
    (b"\x80\x05", "pickle"),
)
_ARCHIVES = ("tar", "ZIP", "gzip", "Zstandard", "bzip2", "xz", "7z", "RAR")
_UTF16 = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class EncodingError(ValueError):
    """Bytes that are not UTF-8 text; ``at`` is the offset of the first bad one, ``cut`` that the end is missing."""

    def __init__(self, reason: str, at: int, cut: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at
        self.cut = cut


def decode(raw: bytes) -> str:
    """``raw`` as text. Raises ``EncodingError`` for bytes that are not UTF-8 and for U+FFFD, the mark of lost text."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        zh, en = f"字节 0x{raw[error.start]:02X} 不是 UTF-8", f"byte 0x{raw[error.start]:02X} is not UTF-8"
        if _is_gbk(raw):
            zh, en = zh + "；看来是 GBK，请先转成 UTF-8", en + "; it looks like GBK, convert it to UTF-8 first"
        cut = error.end == len(raw) and error.reason == "unexpected end of data"
        raise EncodingError(both(zh, en), error.start, cut) from None
    at = raw.find(_DAMAGED)
    if at >= 0:
        zh, en = "含有 U+FFFD，文字在此前已经损坏", "holds U+FFFD: the text was damaged before it came here"
        raise EncodingError(both(zh, en), at)
    return text


def _is_gbk(raw: bytes) -> bool:
    try:
        raw.decode("gb18030")
    except UnicodeDecodeError:
        return False
    return True


def other_kind(head: bytes) -> str | None:
    """What kind of file this is, where its first bytes say that it is no UTF-8 text; None for text."""
    for magic, kind in _MAGIC + _UTF16:
        if head.startswith(magic):
            return kind
    if head[257:262] == b"ustar":
        return "tar"
    if b"\x00" in head:
        even, odd = head[0:2000:2].count(0), head[1:2000:2].count(0)
        return "UTF-16" if max(even, odd) > 4 * min(even, odd) and max(even, odd) > len(head[:2000]) // 4 else "binary"
    return None


def is_archive(kind: str | None) -> bool:
    """True for the kinds of ``other_kind`` that hold other files."""
    return kind in _ARCHIVES


def is_utf16(kind: str) -> bool:
    """True for the kinds of ``other_kind`` that are text in another encoding."""
    return kind.startswith("UTF-")


def raw_hash(raw: bytes) -> str:
    """32 hex digits that identify the bytes of a refused record."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()
