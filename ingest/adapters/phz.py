"""``.phz``: the notation of this project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ingest.adapters.registry import Adapter, Params
from ingest.notation import HEADER, read_rounds, write_round
from ingest.record import Record

_VERSION_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*phz[ \t]*=", re.MULTILINE)


def _sniff(head: bytes) -> bool:
    return _VERSION_LINE.search(head) is not None


def _write(records: Iterable[Record], _: Params) -> Iterator[bytes]:
    yield HEADER.encode()
    for record in records:
        yield write_round(record).encode()


ADAPTER = Adapter(
    name="phz",
    version=1,
    title="跑胡子牌谱 .phz",
    extensions=(".phz",),
    sniff=_sniff,
    read=lambda stream, name, _: read_rounds(stream, name),
    write=_write,
)
