"""How the code of this folder is compiled: by numba, at the first call, into a folder that knows its sources."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

# Nothing here gains from the vectorisers; they only cost compile time.
os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
os.environ.setdefault("NUMBA_SLP_VECTORIZE", "0")
import numba

Array = Any
_CONSTANTS_OF = ("cards", "codes", "limits", "naming", "record", "rows", "validate")
"""Modules whose constants are compiled in."""
F = TypeVar("F", bound=Callable[..., Any])


def _cache() -> Path:
    """A folder for compiled code. Numba does not notice an edited helper in another module; this folder's name does."""
    base = Path(os.environ.get("PHZ_CACHE", Path.home() / ".cache" / "paohuzi-replay"))
    digest = hashlib.blake2b(digest_size=8)
    here = Path(__file__).parent
    for path in sorted([*here.glob("*.py"), *(here.parent / f"{name}.py" for name in _CONSTANTS_OF)]):
        digest.update(path.read_bytes())
    return base / f"scan-{digest.hexdigest()}"


_CACHE = _cache()


def kernel(function: F) -> F:
    """The function compiled at its first call; later processes read the cache."""
    # Where numba keeps the code is decided when a function is declared; other kernels have a folder of their own.
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_CACHE)
    try:
        return cast("F", numba.njit(cache=True, nogil=True)(function))
    finally:
        config.CACHE_DIR = before
