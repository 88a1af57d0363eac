"""The bytes of a binary file that are looked at, a few blocks at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

BLOCK = 1 << 16


class Window:
    """The bytes of a stream from ``at`` on, their offset. ``held``: bytes that were read already."""

    def __init__(self, stream: BinaryIO | None, held: bytes = b"", at: int = 0) -> None:
        self.stream = stream
        self.held = held
        self.place = 0
        self.at = at

    def peek(self, size: int) -> bytes:
        """The next bytes, fewer where the stream ends."""
        if len(self.held) - self.place < size and self.stream is not None:
            parts = [self.held[self.place :]]
            missing = size - len(parts[0])
            while missing > 0 and (part := self.stream.read(max(missing, BLOCK))):
                parts.append(part)
                missing -= len(part)
            self.held, self.place = b"".join(parts), 0
        return self.held[self.place : self.place + size]

    def take(self, size: int) -> bytes:
        """The next bytes, and go on behind them."""
        taken = self.peek(size)
        self.place += len(taken)
        self.at += len(taken)
        return taken

    def skip_to(self, mark: bytes, before: int, fits: Callable[[bytes], bool] = lambda _: True) -> bytes:
        """Pass over a byte and what follows, up to ``before`` bytes before the next ``mark``; that byte.

        ``fits`` is asked about those ``before`` bytes. Where there is no such mark, all is passed over.
        """
        first = self.take(1)
        least = before + len(mark)
        while len(piece := self.peek(BLOCK)) >= least:
            found = piece.find(mark, before)
            while found >= 0 and not fits(piece[found - before : found]):
                found = piece.find(mark, found + 1)
            if found >= 0:
                self.take(found - before)
                return first
            self.take(len(piece) - least + 1)
        self.take(len(piece))
        return first
