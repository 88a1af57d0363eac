"""桂林字牌 server pushes: merged rounds (a round a line) and event streams (a push a line). See docs/formats.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from ingest.adapters import guilin_merged, guilin_stream
from ingest.adapters.fields import Fields, bad, brief, decode, key_text
from ingest.adapters.guilin_record import NAME
from ingest.adapters.guilin_stream import StreamRound
from ingest.adapters.lines import Line, check_length, lines
from ingest.adapters.registry import Adapter, Params, Reject, no_round
from ingest.encoding import BOM, raw_hash
from ingest.limits import Fault
from ingest.record import Provenance, Record

_OWN = re.compile(rb'\{\s*"phz"\s*:')
_PUSH = re.compile(rb'"on(LordSelect|PostCard|CurrPlayer|CurrAutoCard)"')


def sniff(head: bytes) -> bool:
    """True for a file of this server's pushes; our own ``.jsonl`` (first key ``phz``) is not one."""
    text = head.removeprefix(BOM).lstrip()
    return text.startswith(b"{") and _OWN.match(text) is None and _PUSH.search(text) is not None


def read(stream: BinaryIO, name: str, _: Params) -> Iterator[Record | Reject]:
    """Every round of the file, accepted or refused, in file order."""
    index = 0
    header: Fields = {}
    current: StreamRound | None = None
    for line in lines(stream):
        found = _found(line)
        merged = not isinstance(found, Fault) and _is_merged(found)
        if not isinstance(found, Fault) and _is_header(found):
            header = found
            continue
        if current and not isinstance(found, Fault) and (merged or guilin_stream.opens_another(found, current)):
            yield _finish(current, header, name, index)
            index, current = index + 1, None
        if merged or (current is None and isinstance(found, Fault)):
            yield _single(found, line, name, index)
            index += 1
        else:
            current = current or StreamRound(line.number, line.offset)
            current.add(line, found)
    if current is not None:
        yield _finish(current, header, name, index)
    elif index == 0:
        yield no_round()


def _found(line: Line) -> Fields | Fault:
    try:
        check_length(line)
        fields = decode(line.raw, last=line.open_end)
        if not fields.keys() & (guilin_merged.FIELDS | guilin_stream.FIELDS | guilin_stream.HEADER):
            there = brief([key_text(key) for key in fields], ", ")
            raise bad((), f"既不是一局也不是一条推送：{there}", f"neither a round nor a push: {there}")
    except Fault as fault:
        return fault
    return fields


def _is_merged(fields: Fields) -> bool:
    return len(guilin_merged.FIELDS & fields.keys()) > 1


def _is_header(fields: Fields) -> bool:
    return bool(fields) and fields.keys() <= guilin_stream.HEADER


def _single(found: Fields | Fault, line: Line, name: str, index: int) -> Record | Reject:
    """A merged round, or a line that nothing can be made of."""

    def build() -> Record:
        if isinstance(found, Fault):
            raise found
        return guilin_merged.merged_round(found, Provenance(name, index, NAME, line=line.number))

    return _guarded(build, index, line.number, line.offset, raw_hash(line.raw))


def _finish(done: StreamRound, header: Fields, name: str, index: int) -> Record | Reject:
    def build() -> Record:
        return guilin_stream.stream_round(done, header, Provenance(name, index, NAME, line=done.line))

    return _guarded(build, index, done.fault_line or done.line, done.offset, done.hash())


def _guarded(build: Callable[[], Record], index: int, line: int, offset: int, digest: str) -> Record | Reject:
    try:
        return build()
    except Fault as fault:
        # A fault of a stream names its own line.
        at = fault.path[1] if fault.path[:1] == ("line",) else line
        return Reject(fault.code, fault.reason, index, int(at), offset, digest)
    except RecursionError:
        deep = Fault("LIMIT", "嵌套太深", "nested too deep")
        return Reject(deep.code, deep.reason, index, line, offset, digest)


ADAPTER = Adapter(NAME, 1, "桂林字牌 server pushes", (".jsonl",), sniff, read)
