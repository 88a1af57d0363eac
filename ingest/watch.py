"""Folders that are watched: what comes to lie in them is imported once it no longer changes.

Polling and nothing else, so that it works on every file system, shared ones too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from ingest.reader import files_under
from ingest.reports import FileReport, ImportReport

Look = tuple[int, int, int]
"""Size, time of change in ns, and inode: the same file with the same look was not written to."""


class Watched(msgspec.Struct):
    """What is known of the files of some folders between two looks at them."""

    paths: Sequence[str | os.PathLike[str]]
    before: dict[Path, Look] = {}
    tried: dict[Path, Look] = {}

    def ready(self) -> list[Path]:
        """Files that look as at the last call and were not handed out looking so; they are handed out by this call."""
        now = dict(_looks(self.paths))
        found = [path for path, look in now.items() if self.before.get(path) == look != self.tried.get(path)]
        self.tried = {path: look for path, look in self.tried.items() if path in now}
        self.tried |= {path: now[path] for path in found}
        self.before = now
        return found


def _looks(paths: Sequence[str | os.PathLike[str]]) -> Iterator[tuple[Path, Look]]:
    for path in paths:
        for file in files_under(path):
            try:
                told = file.stat()
            except OSError:
                continue  # gone since the folder was listed
            yield file, (told.st_size, told.st_mtime_ns, told.st_ino)


def watch(
    paths: Sequence[str | os.PathLike[str]],
    read: Callable[[list[Path]], ImportReport],
    interval: float,
    report: Callable[[FileReport], None],
    sleep: Callable[[float], None] = time.sleep,
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Import files with ``read`` once they kept still for ``interval`` seconds, until ``stop``; ``report`` each.

    A file is read again only when it changes, whatever became of it the first time.
    """
    watched = Watched(paths)
    while True:
        ready = watched.ready()
        if ready:
            for file in read(ready).files:
                report(file)
        if stop():
            return
        sleep(interval)
