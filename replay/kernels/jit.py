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
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
Ints = Any
"""A flat array of ints: a list when run as Python, an int64 array when compiled."""
ARRAYS = ("Ints", "bytes")

MODULES = (
    "bits",
    "hands",
    "sentences",
    "rights",
    "state",
    "window",
    "claims",
    "step",
    "score",
    "legal",
    "audit",
    "play",
)
ENTRIES = (
    "audit_rounds",
    "summarise",
    "begin",
    "step",
    "finish",
    "finish_chi",
    "settle",
    "legal",
    "chi_options",
    "free_cards",
    "quads_tianhu",
    "split",
    "hu_value",
    "random_rounds",
)
"""Kernels that are called from Python; the others only from kernels."""
HOW: dict[str, Any] = {"nogil": True, "_nrt": False}
"""How numba compiles: kernels allocate nothing, so they need no counting of references, a quarter of the time."""
_REGISTERED: dict[str, Callable[..., Any]] = {}


def kernel(function: F) -> F:
    """Register a kernel. Its types are those of its annotations: ``int``, ``Ints``, ``bytes`` and ``None``."""
    _REGISTERED[function.__name__] = function
    return function


def source_hash() -> str:
    """Hash of all kernel sources. Numba does not notice an edited helper in another module; the cache folder does."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _entry(name: str, kinds: dict[str, Any], inner: Any) -> Any:
    """A kernel for Python to call: it takes arrays and hands on where their memory begins.

    Inside, an array is one plain pointer: cheaper to pass on, and no index is checked for counting from the end.
    """
    import numba
    from numba.core import types as nb
    from numba.extending import intrinsic

    @intrinsic
    def start(_typing: Any, array: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.make_array(signature.args[0])(context, builder, args[0]).data

        return nb.CPointer(array.dtype)(array), codegen  # type: ignore[no-untyped-call]

    function = _REGISTERED[name]
    names = dict(function.__annotations__)
    result = kinds[names.pop("return")]
    arguments = [
        nb.Array(kinds[k].dtype, 1, "C", readonly=k == "bytes") if k in ARRAYS else nb.int64 for k in names.values()
    ]
    passed = ", ".join(f"start({one})" if kind in ARRAYS else one for one, kind in names.items())
    source = f"def {name}({', '.join(names)}):\n    return inner({passed})\n"
    scope = {"inner": inner, "start": start, "__name__": function.__module__}
    exec(compile(source, function.__code__.co_filename, "exec"), scope)  # noqa: S102 - one text for every arity
    return numba.njit(result(*arguments), cache=True, **HOW)(scope[name])


def _popcount() -> Any:
    """The instruction that counts set bits."""
    from numba.core import types as nb
    from numba.extending import intrinsic

    @intrinsic
    def popcount(_typing: Any, _x: Any) -> Any:
        return nb.int64(nb.int64), lambda _context, builder, _signature, args: builder.ctpop(args[0])

    return popcount


def _build(name: str, kinds: dict[str, Any], done: dict[str, Any], warm: bool) -> None:
    """Compile one kernel after those it calls. ``warm``: the entries are in the cache, their helpers need no work."""
    import numba

    if name in done:
        return
    function = _REGISTERED[name]
    for called in function.__code__.co_names:
        if called in _REGISTERED:
            _build(called, kinds, done, warm)
    twin = types.FunctionType(function.__code__, {**function.__globals__, **done}, name, function.__defaults__)
    twin.__module__ = function.__module__
    twin.__qualname__ = function.__qualname__
    names = dict(function.__annotations__)
    result = kinds[names.pop("return")]
    arguments = [kinds[kind] for kind in names.values()]
    how = HOW if warm else HOW | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    types_of = () if warm else (result(*arguments),)
    done[name] = numba.njit(*types_of, **how)(twin)


@cache
def compiled() -> types.SimpleNamespace:
    """The kernels of ``ENTRIES`` compiled. The first call on a machine takes a while; later processes read a cache."""
    base = Path(os.environ.get("PHZ_CACHE", Path.home() / ".cache" / "paohuzi-replay"))
    place = base / source_hash()
    # Nothing here is a loop over floats: the vectorisers only cost compile time.
    os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
    os.environ.setdefault("NUMBA_SLP_VECTORIZE", "0")
    import numba

    setattr(numba.config, "CACHE_DIR", str(place))  # noqa: B010 - not declared in its types
    kinds = {
        "int": numba.int64,
        "Ints": numba.types.CPointer(numba.int64),  # type: ignore[no-untyped-call]
        "bytes": numba.types.CPointer(numba.uint8),  # type: ignore[no-untyped-call]
        "None": numba.types.void,
    }
    for module in MODULES:
        importlib.import_module(f"replay.kernels.{module}")
    marker = place / f"complete-{numba.__version__}"
    warm = marker.exists()
    done: dict[str, Any] = {"popcount": _popcount()}
    for name in ENTRIES:
        _build(name, kinds, done, warm)
    entries = {name: _entry(name, kinds, done[name]) for name in ENTRIES}
    if not warm:
        place.mkdir(parents=True, exist_ok=True)
        marker.touch()
    return types.SimpleNamespace(**entries)


@cache
def plain() -> types.SimpleNamespace:
    """The same kernels as plain Python functions."""
    for module in MODULES:
        importlib.import_module(f"replay.kernels.{module}")
    return types.SimpleNamespace(**_REGISTERED)
