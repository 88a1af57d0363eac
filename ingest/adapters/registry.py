"""What a source format must offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO

import msgspec

from ingest.limits import both
from ingest.record import Provenance, Record, Sheet


class Reject(msgspec.Struct, frozen=True):
    """A record that was not accepted: one clear reason, and where it stands in its file."""

    code: str
    reason: str
    index: int = 0
    line: int | None = None
    byte_offset: int | None = None
    raw_hash: str = ""


def no_round(line: int | None = None) -> Reject:
    """What is said of a file without a single round."""
    return Reject("EMPTY", both("文件里没有对局", "there is no round in the file"), line=line)


def placed(reject: Reject, source: Provenance) -> Reject:
    """The reject of a record that could be read, at the place of that record."""
    return msgspec.structs.replace(reject, index=source.index, line=reject.line or source.line or None)


Found = Record | Sheet | Reject
"""What a file holds, one after the other."""
Params = Mapping[str, str]


class Adapter(msgspec.Struct, frozen=True):
    """One source format.

    ``sniff`` sees the first 64 KiB of a file and says whether this format could have written it; ``read`` yields one
    ``Record``, ``Sheet`` or ``Reject`` for each record of the file, in file order, and never raises for bad content.
    Fields that the format is not known to have are named in the tag ``extra_fields``, as ``name×times``, so that the
    import can report them. ``write``: the bytes of rounds, piece by piece; ``Fault`` for a round that the format cannot
    carry; None where nothing writes the format. ``params``: what has to be told about a file because it does not say it
    itself (``--format name:key=value``), with its default; ``choices``: the values of those that are not free.
    ``text``: false for binary formats, which nobody may upload.
    """

    name: str
    version: int
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[BinaryIO, str, Params], Iterator[Found]]
    write: Callable[[Iterable[Record], Params], Iterator[bytes]] | None = None
    params: Params = {}
    text: bool = True
    choices: Mapping[str, tuple[str, ...]] = {}
