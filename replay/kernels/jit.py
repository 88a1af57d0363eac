"""One kernel source, two ways to run it.

A kernel is an ordinary function over ints and flat int arrays. Called directly it runs as plain Python (small jobs,
debugging, mutation tests; neither numba nor numpy is imported). ``compiled()`` gives the same functions compiled by
numba. Kernels are iterative: a cached self-recursive function crashes the second process that loads it.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import types
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
Ints = Any
"""A flat array of ints: a list when run as Python, an int64 array when compiled."""

MODULES = ("bits", "hands", "rights", "state", "window", "claims", "step", "score", "legal", "audit")
_REGISTERED: dict[str, tuple[Callable[..., Any], str]] = {}

def kernel(signature: str) -> Callable[[F], F]:
    """Register a kernel. ``signature``: result, then arguments, a letter each.

    ``i`` int64; ``I`` int64[:] written to; ``J`` int64[:] read only; ``B`` uint8[:] read only; ``v`` nothing.
    """

    def register(function: F) -> F:
        _REGISTERED[function.__name__] = (function, signature)
        return function

    return register

def source_hash() -> str:
    """Hash of all kernel sources. Numba does not notice an edited helper in another module; the cache folder does."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()

@cache
def compiled() -> types.SimpleNamespace:
    """All kernels compiled, by name. The first call on a machine takes some seconds; later processes read a cache."""
    base = Path(os.environ.get("PHZ_CACHE", Path.home() / ".cache" / "paohuzi-replay"))
    os.environ.setdefault("NUMBA_CACHE_DIR", str(base / source_hash()))
    import numba

    numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]
    kinds = {
        "i": numba.int64,
        "I": numba.types.Array(numba.int64, 1, "C"),
        "J": numba.types.Array(numba.int64, 1, "C", readonly=True),
        "B": numba.types.Array(numba.uint8, 1, "C", readonly=True),
        "v": numba.types.void,
    }
    for module in MODULES:
        importlib.import_module(f"replay.kernels.{module}")
    done: dict[str, Any] = {}

    def build(name: str) -> None:
        if name in done:
            return
        function, signature = _REGISTERED[name]
        for called in function.__code__.co_names:
            if called in _REGISTERED:
                build(called)
        result, *arguments = (kinds[letter] for letter in signature)
        scope = {**function.__globals__, **done}

        twin = types.FunctionType(function.__code__, scope, name, function.__defaults__)
        twin.__module__ = function.__module__
        twin.__qualname__ = function.__qualname__
        done[name] = numba.njit(result(*arguments), cache=True, nogil=True)(twin)

    for name in _REGISTERED:
        build(name)
    return types.SimpleNamespace(**done)

def plain() -> types.SimpleNamespace:
    """The same kernels as plain Python functions."""
    for module in MODULES:
        importlib.import_module(f"replay.kernels.{module}")
    return types.SimpleNamespace(**{name: function for name, (function, _) in _REGISTERED.items()})

def ints(values: Sequence[int], kernels: types.SimpleNamespace) -> Ints:
    """``values`` as the array type that ``kernels`` work on."""
    if kernels is plain_cached():
        return list(values)
    import numpy as np

    return np.array(values, dtype=np.int64)

@cache
def plain_cached() -> types.SimpleNamespace:
    """The one shared namespace of plain kernels."""
    return plain()
