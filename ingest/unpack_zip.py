"""The table of contents of a ZIP, read strictly: what a well-made archive never has is refused, not interpreted.

Written out because the names, sizes and places that an archive tells are an enemy's words: here nothing of them is
trusted before it is checked, and the names are not used at all.
"""

from __future__ import annotations

import re
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

import msgspec

from ingest import limits
from ingest.unpack_streams import Feed, Spoiled, Unpacked, check_ratio, cut, damaged, inflate, stored, too_big

_SIGN = b"PK\x05\x06"
_END = struct.Struct("<4s4H2LH")
_END64_PLACE = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_EXTENSION = re.compile(rb"\.([A-Za-z0-9]{1,10})\Z")
_METHODS: dict[int, Callable[[Feed], Iterator[bytes]]] = {0: stored, 8: inflate}
_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13
_PATCH = 1 << 5
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF
_ZIP64 = 0x0001


class Entry(msgspec.Struct, frozen=True):
    """A member: where its local header begins, where its ``packed`` bytes do, and what is to come of them."""

    extension: str
    method: int
    flags: int
    crc: int
    packed: int
    size: int
    mode: int
    at: int
    start: int = 0

    @property
    def is_folder(self) -> bool:
        """Whether it holds nothing and is none."""
        return self.size == 0 and stat.S_ISDIR(self.mode)

    def open(self, source: BinaryIO) -> Unpacked:
        """Its bytes, checked; raises ``Spoiled`` for a member that must not be read."""
        if self.flags & _ENCRYPTED:
            raise Spoiled("ARCHIVE", "成员有密码", "an encrypted member")
        if self.method not in _METHODS or self.flags & _PATCH:
            method = self.method
            raise Spoiled("ARCHIVE", f"不支持的压缩方法 {method}", f"compression method {method} is not supported")
        if stat.S_IFMT(self.mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise Spoiled("ARCHIVE", "成员不是普通文件（链接或设备）", "a member that is no file but a link or device")
        check_ratio(self.size, self.packed)
        source.seek(self.start)
        return Unpacked(source, self._pieces, self.packed)

    def _pieces(self, feed: Feed) -> Iterator[bytes]:
        count = crc = 0
        for piece in _METHODS[self.method](feed):
            count += len(piece)
            crc = zlib.crc32(piece, crc)
            if count > self.size:
                raise damaged("比目录所说的长", "longer than its directory says")
            yield piece
        if feed.count < self.packed:
            raise cut()
        if (count, crc) != (self.size, self.crc):
            raise damaged("长度或校验和不符", "wrong length or checksum")


def entries(source: BinaryIO, most: int | None = None) -> list[Entry]:
    """The members that are files, in the order of the table; ``most`` limits the sum of their sizes.

    Raises ``Spoiled`` for an archive of which nothing must be read.
    """
    size = source.seek(0, 2)
    told, place, length = _end(source, size)
    if told > limits.MAX_MEMBERS:
        raise Spoiled("LIMIT", f"成员超过 {limits.MAX_MEMBERS} 个", f"more than {limits.MAX_MEMBERS} members")
    if length > limits.MAX_DIRECTORY:
        zh, en = f"目录超过 {limits.MAX_DIRECTORY} 字节", f"a directory of more than {limits.MAX_DIRECTORY} bytes"
        raise Spoiled("LIMIT", zh, en)
    raw = _read(source, place, length)
    at, found = 0, []
    for _ in range(told):
        entry, at = _entry(raw, at)
        found.append(entry)
    if at != len(raw):
        raise damaged("目录长度不符", "a directory of another length")
    placed = _placed(source, found, place)
    if most is not None and sum(entry.size for entry in placed) > most:
        raise too_big(most)
    return [entry for entry in placed if not entry.is_folder]


def _end(source: BinaryIO, size: int) -> tuple[int, int, int]:
    """Number of entries, place and length of the table, from the record that must end the file."""
    tail = _read(source, max(0, size - _END.size - _FULL16), min(size, _END.size + _FULL16))
    at = tail.rfind(_SIGN, 0, len(tail) - _END.size + len(_SIGN))
    while at >= 0 and _END.unpack_from(tail, at)[7] != len(tail) - at - _END.size:  # the length of the comment
        at = tail.rfind(_SIGN, 0, at + len(_SIGN) - 1)
    if at < 0:
        raise cut()
    end = size - len(tail) + at
    _, disk, start, here, told, length, place, _ = _END.unpack_from(tail, at)
    if _FULL16 in (here, told) or _FULL32 in (length, place):
        sign, disk, where, disks = _END64_PLACE.unpack(_read(source, end - _END64_PLACE.size, _END64_PLACE.size))
        if sign != b"PK\x06\x07" or disk or disks > 1:
            raise damaged("没有 ZIP64 目录", "no ZIP64 directory")
        end = where
        sign, _, _, _, disk, start, here, told, length, place = _END64.unpack(_read(source, where, _END64.size))
        if sign != b"PK\x06\x06":
            raise damaged("没有 ZIP64 目录", "no ZIP64 directory")
    if disk or start or here != told:
        raise Spoiled("ARCHIVE", "分卷压缩包", "an archive of several volumes")
    if place + length != end:
        raise damaged("目录不在它该在的地方", "the directory is not where it should be")
    return told, place, length


def _read(source: BinaryIO, place: int, length: int) -> bytes:
    if place < 0:
        raise cut()
    # A place beyond what a file can have is no place in this one.
    source.seek(min(place, 2**62))
    data = source.read(length)
    if len(data) != length:
        raise cut()
    return data


def _entry(raw: bytes, at: int) -> tuple[Entry, int]:
    """One entry of the table, and where the next one begins."""
    if len(raw) - at < _ENTRY.size:
        raise damaged("目录不完整", "a directory cut short")
    sign, _, _, flags, method, _, _, crc, packed, size, names, extras, notes, _, _, mode, place = _ENTRY.unpack_from(
        raw, at
    )
    end = at + _ENTRY.size + names + extras + notes
    if sign != b"PK\x01\x02" or end > len(raw):
        raise damaged("目录条目不对", "a bad entry in the directory")
    name = raw[at + _ENTRY.size :][:names]
    extra = raw[at + _ENTRY.size + names :][:extras]
    size, packed, place = _long(extra, size, packed, place)
    told = mode >> 16
    if name.endswith(b"/") and not stat.S_IFMT(told):
        told |= stat.S_IFDIR
    kind = _EXTENSION.search(name)
    return Entry(
        extension=kind[0].decode().lower() if kind else "",
        method=method,
        flags=flags,
        crc=crc,
        packed=packed,
        size=size,
        mode=told,
        at=place,
    ), end


def _long(extra: bytes, *short: int) -> list[int]:
    """The values of an entry that stand in its ZIP64 field, in the order in which they may stand there."""
    wide = b""
    at = 0
    while len(extra) - at >= 4:
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == _ZIP64:
            wide = extra[at + 4 : at + 4 + length]
        at += 4 + length
    values = []
    for value in short:
        if value == _FULL32:
            if len(wide) < 8:
                raise damaged("缺 ZIP64 字段", "a ZIP64 field is missing")
            value, wide = int.from_bytes(wide[:8], "little"), wide[8:]
        values.append(value)
    return values


def _placed(source: BinaryIO, found: list[Entry], end: int) -> list[Entry]:
    """The entries with the place of their bytes; no two may share a byte, nor any reach into the table at ``end``."""
    starts = {}
    free = 0
    for entry in sorted(found, key=lambda entry: entry.at):
        if entry.at < free:
            raise Spoiled("ARCHIVE", "成员互相重叠", "members overlap")
        sign, _, flags, method, *_, names, extras = _LOCAL.unpack(_read(source, entry.at, _LOCAL.size))
        if sign != b"PK\x03\x04" or method != entry.method or (flags ^ entry.flags) & _ENCRYPTED:
            raise damaged("成员与目录不符", "a member is not as the directory says")
        start = entry.at + _LOCAL.size + names + extras
        free = start + entry.packed
        starts[entry.at] = start
    if free > end:
        raise Spoiled("ARCHIVE", "成员与目录重叠", "members reach into the directory")
    return [msgspec.structs.replace(entry, start=starts[entry.at]) for entry in found]
