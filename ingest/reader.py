"""Any file of recorded rounds as records and rejects: finds the format, streams, says where each record stood."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from ingest.adapters import adapters
from ingest.adapters.jsonl import FORMAT as JSONL
from ingest.adapters.registry import Adapter, Found, Params, Reject, placed
from ingest.encoding import raw_hash
from ingest.limits import Fault, both
from ingest.record import Provenance, Record, Sheet
from ingest.sniffing import find_adapter, peeked
from ingest.unpack import PACKED, Member, Spoiled, members, verify
from ingest.validate import check_found

_DELTA_LOG = "_delta_log"


def read_path(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Record | Reject]:  # noqa: A002
    """The rounds of one file in their order, each whole and valid or a ``Reject`` with code, reason, index and line.

    Of a compressed file, those of each file in it (``ingest.unpack``). ``format`` is the name of an adapter; None finds
    it from the first bytes. Raises ``OSError`` when the file cannot be opened and ``ValueError`` when no adapter bears
    the name.
    """
    for member in members(path):
        yield from _rounds(member, format)


def read_paths(
    paths: Iterable[str | os.PathLike[str]],
    format: str | None = None,  # noqa: A002
) -> Iterator[tuple[str, Record | Reject]]:
    """As ``read_path`` for files and those below folders, each with the name of the file, or of the one in it."""
    for path in paths:
        for file in files_under(path):
            for member in members(file):
                for found in _rounds(member, format):
                    yield member.name, found


def _rounds(member: Member, format: str | None) -> Iterator[Record | Reject]:  # noqa: A002
    for found in read_member(member, format):
        if isinstance(found, Sheet):
            reason = both("积分表里没有牌局", "a score sheet holds no round")
            yield placed(Reject("WRONG_FORMAT", reason), found.source)
        else:
            yield found


def read_member(member: Member, format: str | None = None, text_only: bool = False) -> Iterator[Found]:  # noqa: A002
    """As ``read_path``, score sheets included, one file of those that are in a file; ``text_only`` refuses binary ones.

    Of a packed file that is damaged, nothing is read.
    """
    try:
        verify(member)
        with member.open() as stream:
            yield from read_stream(stream, member.name, format, member.extension, text_only)
    except Spoiled as error:
        yield Reject(error.code, error.reason)


def read_stream(
    stream: BinaryIO,
    name: str,
    format: str | None = None,  # noqa: A002
    extension: str | None = None,
    text_only: bool = False,
) -> Iterator[Found]:
    """As ``read_member``, from a binary stream that stands at its beginning; it need not seek.

    ``name`` goes into the provenance; ``extension`` counts where the content does not tell the format (default: the
    one of ``name``). A stream that raises ``Spoiled`` ends in one more reject.
    """
    extension = Path(name).suffix.lower() if extension is None else extension
    count = 0
    try:
        stream, head = peeked(stream)
        try:
            adapter, params = adapter_named(format) if format else (find_adapter(head, extension, text_only), {})
        except Fault as fault:
            yield Reject(fault.code, fault.reason, 0, 1, 0, raw_hash(head))
            return
        for found in _numbered(adapter, adapter.read(stream, name, {**adapter.params, **params}), name):
            yield found
            count += 1
    except Spoiled as error:
        yield Reject(error.code, error.reason, count)


def _numbered(adapter: Adapter, all_found: Iterator[Found], name: str) -> Iterator[Found]:
    for index, found in enumerate(all_found):
        if not isinstance(found, Reject):
            old = found.source
            source = Provenance(name, index, adapter.name, old.note, old.line)
            whole = found if old == source else msgspec.structs.replace(found, source=source)
            yield check_found(whole) or whole
        else:
            yield found if found.index == index else msgspec.structs.replace(found, index=index)


def is_jsonl(head: bytes, extension: str, format: str | None) -> bool:  # noqa: A002
    """Whether a file that begins with ``head`` is read as ``.jsonl``."""
    try:
        adapter = adapter_named(format)[0] if format else find_adapter(head, extension)
    except Fault:
        return False
    return adapter.name == JSONL


def adapter_named(format: str) -> tuple[Adapter, Params]:  # noqa: A002
    """The adapter of ``name`` or ``name:key=value,key=value``, and all its parameters.

    Raises ``ValueError`` that lists the names, the parameters or the values there are.
    """
    wanted, _, given = format.partition(":")
    for adapter in adapters():
        if adapter.name == wanted:
            params = dict(adapter.params)
            for part in filter(None, given.split(",")):
                key, equals, value = part.partition("=")
                if not equals or key not in params:
                    keys = ", ".join(params) or "-"
                    zh, en = f"{wanted} 没有参数 {key!r}；有 {keys}", f"{wanted} has no parameter {key!r}, but {keys}"
                    raise ValueError(both(zh, en))
                allowed = adapter.choices.get(key, (value,))
                if value not in allowed:
                    zh, en = "、".join(allowed), ", ".join(allowed)
                    zh = f"{wanted} 的参数 {key} 不能是 {value!r}，应是 {zh} 之一"
                    raise ValueError(both(zh, f"{wanted} has no {key} {value!r}; there are {en}"))
                params[key] = value
            return adapter, params
    names = ", ".join(adapter.name for adapter in adapters())
    raise ValueError(both(f"没有格式 {format!r}；格式有 {names}", f"no format {format!r}; formats are {names}"))


def files_under(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The file itself, or every file below a folder that has the extension of a format, in a fixed order.

    Compressed ones too: ``.zip``, and ``.gz`` and ``.zst`` after the extension of a format. The tables of a store are
    no game records: a folder with a Delta log is left out.
    """
    place = Path(path)
    if not place.is_dir():
        yield place
        return
    known = extensions()

    def wanted(name: str) -> bool:
        last = Path(name).suffix.lower()
        return last in known or last == ".zip" or (last in PACKED and Path(Path(name).stem).suffix.lower() in known)

    found = []
    for folder, folders, files in os.walk(place):
        if _DELTA_LOG in folders:
            folders.clear()
        else:
            found += [Path(folder, file) for file in files if wanted(file)]
    yield from sorted(found, key=lambda file: file.parts)


def extensions(text_only: bool = False) -> frozenset[str]:
    """The extensions of all formats, or of those that are text."""
    return frozenset(one for adapter in adapters() if adapter.text or not text_only for one in adapter.extensions)
