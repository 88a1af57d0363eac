"""A stream in which one can go back, for formats that are not read from front to end."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


@contextmanager
def seekable(stream: BinaryIO) -> Iterator[BinaryIO]:
    """The stream itself, or a copy of it on the disk where it cannot seek."""
    if stream.seekable():
        yield stream
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(stream, copy)
        copy.seek(0)
        yield copy
