"""Any file of recorded rounds as records and rejects: finds the format, streams, says where each record stood."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from ingest import limits
from ingest.adapters import adapters
from ingest.adapters.registry import Adapter, Found, Params, Reject
from ingest.encoding import is_utf16, other_kind, raw_hash
from ingest.limits import Fault, both
from ingest.record import Provenance, Record, Sheet
from ingest.validate import check_found


_DELTA_LOG = "_delta_log"


def read_path(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Record | Reject]:  # noqa: A002
    """The rounds of one file in their order, each whole and valid or a ``Reject`` with code, reason, index and line.

    ``format`` is the name of an adapter; None finds it from the first bytes. Raises ``OSError`` when the file cannot be
    opened and ``ValueError`` when no adapter bears the name.
    """
    name = os.fspath(path)
    with open(path, "rb") as stream:
        for found in read_stream(stream, name, format):
            if isinstance(found, Sheet):
                reason = both("积分表里没有牌局", "a score sheet holds no round")
                yield Reject("WRONG_FORMAT", reason, found.source.index, found.source.line or None)
            else:
                yield found


def read_stream(stream: BinaryIO, name: str, format: str | None = None) -> Iterator[Found]:  # noqa: A002
    """As ``read_path``, score sheets included, from a seekable binary stream.

    ``name`` goes into the provenance and tells the extension.
    """
    head = stream.read(limits.SNIFF_BYTES)
    stream.seek(0)
    try:
        adapter, params = adapter_named(format) if format else (find_adapter(head, name), {})
    except Fault as fault:
        yield Reject(fault.code, fault.reason, 0, 1, 0, raw_hash(head))
        return
    for index, found in enumerate(adapter.read(stream, name, {**adapter.params, **params})):
        if not isinstance(found, Reject):
            old = found.source
            source = Provenance(name, index, adapter.name, old.note, old.line)
            whole = found if old == source else msgspec.structs.replace(found, source=source)
            yield check_found(whole) or whole
        else:
            yield found if found.index == index else msgspec.structs.replace(found, index=index)


def adapter_named(format: str) -> tuple[Adapter, Params]:  # noqa: A002
    """The adapter of ``name`` or ``name:key=value,key=value``, and all its parameters.

    Raises ``ValueError`` that lists the names or the parameters there are.
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
                params[key] = value
            return adapter, params
    names = ", ".join(adapter.name for adapter in adapters())
    raise ValueError(both(f"没有格式 {format!r}；格式有 {names}", f"no format {format!r}; formats are {names}"))


def find_adapter(head: bytes, name: str) -> Adapter:
    """The adapter that could have written a file that begins with ``head``; ``Fault`` for none or several."""
    if not head.strip():
        raise Fault("EMPTY", "文件是空的", "the file is empty")
    kind = other_kind(head)
    if kind is not None:
        if is_utf16(kind):
            zh, en = f"文件是 {kind}，请先转成 UTF-8", f"the file is {kind}: convert it to UTF-8 first"
            raise Fault("NOT_UTF8", zh, en)
        raise Fault("WRONG_FORMAT", f"这是 {kind} 文件，不是牌谱", f"this is a {kind} file, not a game record")
    fits = [adapter for adapter in adapters() if adapter.sniff(head)]
    if not fits:
        # A file whose beginning is damaged: its name may still tell, and the adapter then says what is wrong with it.
        fits = [adapter for adapter in adapters() if Path(name).suffix.lower() in adapter.extensions]
        if len(fits) == 1:
            return fits[0]
        tried = "、".join(adapter.name for adapter in adapters())
        zh, en = f"内容不像任何一种格式（{tried}）", f"the content fits none of the formats {tried}"
        raise Fault("WRONG_FORMAT", zh, en)
    if len(fits) > 1:
        names = "、".join(adapter.name for adapter in fits)
        zh = f"内容同时像几种格式（{names}），请用 --format 指定"
        raise Fault("WRONG_FORMAT", zh, f"the content fits several formats ({names}): name one with --format")
    return fits[0]


def files_under(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The file itself, or every file below a folder that has the extension of a format, in a fixed order.

    The tables of a store are no game records: a folder with a Delta log is left out.
    """
    place = Path(path)
    if not place.is_dir():
        yield place
        return
    known = {extension for adapter in adapters() for extension in adapter.extensions}
    found = []
    for folder, folders, files in os.walk(place):
        if _DELTA_LOG in folders:
            folders.clear()
        else:
            found += [Path(folder, file) for file in files if Path(file).suffix.lower() in known]
    yield from sorted(found, key=lambda file: file.parts)
