"""Progress bars on stderr for a person who looks at it; None where nobody does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.reports import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

Shown = Callable[[int, int], None]
"""Is told how much of how much is done."""


@contextmanager
def _bar(quiet: bool) -> Iterator[Bar | None]:
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        yield bar


@contextmanager
def one(what: str, quiet: bool) -> Iterator[Shown | None]:
    """A bar that is told how much of how much is done."""
    with _bar(quiet) as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task(what)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def by_file(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A bar for each file that is read."""
    with _bar(quiet) as bar:
        if bar is None:
            yield None
            return
        tasks = {}

        def show(state: Progress) -> None:
            if state.file not in tasks:
                tasks[state.file] = bar.add_task(Path(state.file).name, total=state.bytes_total)
            bar.update(tasks[state.file], completed=state.bytes_done)

        yield show
