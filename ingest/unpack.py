"""Compressed files: each file that is in them is read as a file of its own.

A ``.gz`` or ``.zst`` holds one file and lends it its name. The members of a ``.zip`` are called ``ARCHIVE.zip!1``,
``ARCHIVE.zip!2`` … after their place in it: a name told by an archive is never used, but for its extension.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from ingest import unpack_zip
from ingest.unpack_streams import CHUNK, Spoiled, Unpacked, gunzip, unzstd

__all__ = ["PACKED", "Member", "Spoiled", "digest", "find", "members", "members_of", "place_of", "position", "verify"]

_STREAMS = {".gz": (b"\x1f\x8b", gunzip), ".zst": (b"\x28\xb5\x2f\xfd", unzstd)}
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
PACKED = (*_STREAMS, ".zip")
"""Extensions of compressed files."""
_IN_ZIP = re.compile(r"(.+\.zip)!\d+\Z", re.IGNORECASE | re.DOTALL)
_HASHED = 128 * 1024

Opener = Callable[[], BinaryIO]


class Member(msgspec.Struct, frozen=True):
    """A file to be read: plain, unpacked from another, or one that is refused.

    ``open`` gives its bytes from the beginning each time, as a stream that need not be seekable, and raises
    ``OSError``; a refusal is a ``Spoiled``, raised by ``open`` or while reading. ``extension`` is in lower case.
    ``size``: bytes on disk of a packed one, for ``position``.
    """

    name: str
    extension: str
    open: Opener
    packed: bool = False
    size: int = 0


def members(path: str | os.PathLike[str], most: int | None = None) -> Iterator[Member]:
    """The files in the file at ``path``, in order: one, unless it is an archive. Never raises, and never yields none.

    ``most`` limits the unpacked bytes of all together.
    """
    return members_of(os.fspath(path), lambda: Path(path).open("rb"), most)


def members_of(name: str, opened: Opener, most: int | None = None) -> Iterator[Member]:
    """As ``members`` for anything that can be opened, any number of times, as a seekable stream."""
    extension = Path(name).suffix.lower()
    plain = Member(name, extension, opened)
    if extension not in PACKED:
        yield plain
        return
    try:
        with opened() as source:
            head = source.read(4)
            size = source.seek(0, 2)
            if extension in _STREAMS:
                magic, unpack = _STREAMS[extension]
                inner = Path(Path(name).stem).suffix.lower()
                packed = Member(name, inner, partial(_stream, opened, unpack, most), packed=True, size=size)
                yield packed if head.startswith(magic) else plain
                return
            if head not in _ZIP:
                yield plain
                return
            found = unpack_zip.entries(source, most)
            if not found:
                raise Spoiled("EMPTY", "压缩包是空的", "the archive is empty")
    except OSError as error:
        yield Member(name, "", partial(_refused, error), packed=True)
        return
    for number, entry in enumerate(found, 1):
        at = partial(_entry, opened, entry)
        yield Member(f"{name}!{number}", entry.extension, at, packed=True, size=entry.packed)


def place_of(name: str) -> Path:
    """The file on disk of a member's name."""
    path = Path(name)
    archive = _IN_ZIP.match(name)
    return Path(archive[1]) if archive and not path.exists() else path


def find(name: str) -> Member | None:
    """The member of that name, if its file is there."""
    place = place_of(name)
    return next((member for member in members(place) if member.name == name), None) if place.is_file() else None


def verify(member: Member) -> None:
    """Unpack a packed file once to its end, so that nothing is taken from one that turns out to be damaged.

    Raises ``OSError``.
    """
    if member.packed:
        digest(member)


def digest(member: Member) -> str:
    """32 hex digits that identify the bytes of a member, unpacked to their end; raises ``OSError``."""
    found = hashlib.blake2b(digest_size=16)
    with member.open() as stream:
        while data := stream.read(_HASHED):
            found.update(data)
    return found.hexdigest()


def position(stream: BinaryIO) -> int:
    """How many bytes on disk were read of a member's stream."""
    raw = getattr(stream, "raw", None)
    return raw.feed.count if isinstance(raw, Unpacked) else stream.tell()


def _stream(opened: Opener, unpack: Callable[..., Iterator[bytes]], most: int | None) -> BinaryIO:
    return io.BufferedReader(Unpacked(opened(), unpack, most=most), CHUNK)


def _entry(opened: Opener, entry: unpack_zip.Entry) -> BinaryIO:
    source = opened()
    try:
        return io.BufferedReader(entry.open(source), CHUNK)
    except BaseException:
        source.close()
        raise


def _refused(error: OSError) -> BinaryIO:
    raise error
