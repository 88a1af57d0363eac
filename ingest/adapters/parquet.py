"""Parquet of our own: a row a round, its events as lists. For the command line only. See docs/formats.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ingest.adapters.registry import Adapter, Params, Reject
from ingest.record import Record

NAME = "parquet"
MAGIC = b"PAR1"

# pyarrow is loaded when a file of this format is read or written: others should not pay for it.


def _read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    from ingest.adapters.parquet_file import read

    return read(stream, name, params)


def _write(records: Iterable[Record], params: Params) -> Iterator[bytes]:
    from ingest.adapters.parquet_file import write

    return write(records, params)


ADAPTER = Adapter(
    NAME,
    1,
    "Parquet",
    (".parquet",),
    lambda head: head.startswith(MAGIC),
    _read,
    _write,
    text=False,
)
