"""What a source format must offer, and the list of those there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

import msgspec

from ingest.record import Record


class Reject(msgspec.Struct, frozen=True):
    """A record that was not accepted: one clear reason, and where it stands in its file."""

    code: str
    reason: str
    index: int = 0
    line: int | None = None
    byte_offset: int | None = None
    raw_hash: str = ""


class Adapter(msgspec.Struct, frozen=True):
    """One source format.

    ``sniff`` sees the first 64 KiB of a file and says whether this format could have written it; ``read`` yields one
    ``Record`` or ``Reject`` for each record of the file, in file order, and never raises for bad content.
    """

    name: str
    version: int
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[BinaryIO, str], Iterator[Record | Reject]]
