"""Records from any format into ``.phz`` or ``.jsonl``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ingest.adapters import jsonl
from ingest.adapters.registry import Reject
from ingest.notation_write import HEADER, write_round
from ingest.reader import read_path
from ingest.record import Record

_WRITERS: dict[str, tuple[bytes, Callable[[Record], bytes]]] = {
    "phz": (HEADER.encode(), lambda record: write_round(record).encode()),
    "jsonl": (b"", jsonl.dump_line),
}
TARGETS = tuple(_WRITERS)


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], to: str) -> tuple[int, list[Reject]]:
    """Write every readable record of ``source`` to ``target``; the number written, and what could not be read.

    ``target`` is replaced only once all is written. Raises ``OSError``, and ``KeyError`` for an unknown ``to``.
    """
    head, write = _WRITERS[to]
    rejects: list[Reject] = []
    written = 0
    place = Path(target)
    part = place.with_name(f".{place.name}.part")
    try:
        with part.open("wb") as out:
            out.write(head)
            for found in read_path(source):
                if isinstance(found, Record):
                    out.write(write(found))
                    written += 1
                else:
                    rejects.append(found)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
    return written, rejects


def dumps(records: Iterable[Record], to: str) -> str:
    """The records as one text of the format ``to``."""
    head, write = _WRITERS[to]
    return (head + b"".join(map(write, records))).decode()
