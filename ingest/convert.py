"""Records from any format into any format that can be written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ingest.adapters import adapters
from ingest.adapters.registry import Found, Params, Reject
from ingest.limits import both
from ingest.reader import adapter_named, read_path
from ingest.record import Record


def targets() -> tuple[str, ...]:
    """The formats that can be written."""
    return tuple(adapter.name for adapter in adapters() if adapter.write is not None)


Write = Callable[[Iterable[Record], Params], Iterator[bytes]]


def writer(to: str) -> tuple[str, Write, Params]:
    """How the format ``to`` (parameters as for ``read_path``) is written: its name, what writes it, its parameters.

    Raises ``ValueError`` for a format that is not known or not written.
    """
    adapter, params = adapter_named(to)
    if adapter.write is None:
        names = ", ".join(targets())
        zh, en = f"不能写 {adapter.name}；能写的有 {names}", f"{adapter.name} cannot be written; {names} can"
        raise ValueError(both(zh, en))
    return adapter.name, adapter.write, params


def format_of(target: str | os.PathLike[str], to: str | None) -> str:
    """The format ``to``, else that which ``target`` has as extension."""
    return to or Path(target).suffix.lower().removeprefix(".")


def write_pieces(target: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write a file piece by piece; what was there is replaced only once all is written."""
    place = Path(target)
    part = place.with_name(f".{place.name}.part")
    try:
        with part.open("wb") as out:
            for piece in pieces:
                out.write(piece)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    to: str,
    format: str | None = None,  # noqa: A002
    change: Callable[[Found], Found] = lambda found: found,
) -> tuple[int, list[Reject]]:
    """Write every readable round of ``source`` to ``target``; the number written, and what could not be read.

    ``format`` is that of the source, as for ``read_path``; ``to`` may carry parameters in the same way.
    ``change`` is done to each before it is written (``ingest.identity``). ``target`` is replaced only once all is
    written. Raises ``OSError``, ``ValueError`` for a format that is not known or not written, and ``Fault``, a
    ``ValueError`` too, for a round that the format cannot carry.
    """
    _, write, params = writer(to)
    rejects: list[Reject] = []
    written = 0

    def rounds() -> Iterator[Record]:
        nonlocal written
        for found in map(change, read_path(source, format)):
            if isinstance(found, Record):
                written += 1
                yield found
            elif isinstance(found, Reject):
                rejects.append(found)

    write_pieces(target, write(rounds(), params))
    return written, rejects


def dump(records: Iterable[Record], to: str) -> bytes:
    """The records as one file of the format ``to``."""
    _, write, params = writer(to)
    return b"".join(write(records, params))


def dumps(records: Iterable[Record], to: str) -> str:
    """As ``dump``, for a text format."""
    return dump(records, to).decode()
