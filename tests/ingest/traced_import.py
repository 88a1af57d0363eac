"""An import for ``strace``: ``traced_import.py STORE PATH…``. A call of ``access`` marks what is acknowledged."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable

from ingest import delta
from ingest import store as stores
from ingest.importer import import_paths
from ingest.places import Place
from ingest.store import open_store

MARK = "/acknowledged"


def marked(real: Callable[..., int | None]) -> Callable[..., int | None]:
    """The function, and a mark with table and version when it has returned."""

    @functools.wraps(real)
    def call(place: Place, *words: object, **more: object) -> int | None:
        version = real(place, *words, **more)
        os.access(f"{MARK}/{place.url.rsplit('/', 1)[1]}/{version or 0}", os.F_OK)
        return version

    return call


def main() -> None:
    store, *paths = sys.argv[1:]
    for name in ("create", "commit", "restore"):
        setattr(delta, name, marked(getattr(delta, name)))
    delta._CHECKPOINT_EVERY = 3
    stores.tidy.__defaults__ = (2,)
    import_paths(paths, open_store(store), batch=2)


if __name__ == "__main__":
    main()
