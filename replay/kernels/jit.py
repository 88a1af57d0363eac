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
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

F = TypeVar("F", bound=Callable[..., Any])
Ints = Any
"""A flat array of ints: a list when run as Python, an int64 array when compiled."""
Words = Any
"""A flat array of 32-bit ints that is only read: a list, or an int32 array."""
Floats = Any
"""A flat array of floats: a list, or a float64 array."""
ARRAYS = ("Ints", "bytes", "Words", "Floats")


@dataclass(frozen=True, slots=True)
class Part:
    """Kernels that are compiled together: their modules, those of ``needs`` beside them, and the entries.

    Entries are called from Python, the other kernels only from kernels.
    """

    modules: tuple[str, ...]
    entries: tuple[str, ...]
    needs: tuple[str, ...] = ()


_RULES = (
    "jit",
    "layout",
    "bits",
    "hands",
    "sentences",
    "rights",
    "opening",
    "state",
    "window",
    "claims",
    "wins",
    "step",
    "score",
    "legal",
    "audit",
    "play",
)
_PLAYERS = ("memo", "plans", "features", "policies", "rounds", "worlds", "reading", "search", "vices", "match")
PARTS = {
    "rules": Part(
        _RULES,
        (
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
        ),
    ),
    "players": Part(_PLAYERS, ("play_deals", "play_session"), _RULES),
    "fit": Part(
        ("learn", "observe"),
        ("gather", "learn", "gather_reads", "fit_throws", "gather_nearness"),
        (*_RULES, *_PLAYERS),
    ),
    "judge": Part(
        ("pieces", "fours", "steps", "outcomes", "judge"),
        ("walk_to", "list_choices", "judge_choices", "judge_known", "hand_after", "steps_to_win"),
        (*_RULES, *_PLAYERS),
    ),
    "follow": Part(("outcomes", "judge", "follow"), ("follow_deals",), (*_RULES, *_PLAYERS)),
    "luck": Part(
        ("foresee", "hindsight", "luck", "deeds", "ledger"),
        ("ledgers", "deal_values", "gather_draws", "learn_draws"),
        (*_RULES, *_PLAYERS),
    ),
    "steps": Part(("pieces", "fours", "steps"), ("steps_to_win",), _RULES),
    "survey": Part(("pieces", "fours", "steps", "survey"), ("survey_rounds",), _RULES),
}
HOW: dict[str, Any] = {"nogil": True, "_nrt": False}
"""How numba compiles: kernels allocate nothing, so they need no counting of references, a quarter of the time."""
_REGISTERED: dict[str, Callable[..., Any]] = {}


def kernel(function: F) -> F:
    """Register a kernel. Its types are those of its annotations: ``int``, ``Ints``, ``bytes`` and ``None``.

    Names must differ: a kernel finds those that it calls by name.
    """
    known = _REGISTERED.get(function.__name__)
    if known is not None and known.__module__ != function.__module__:
        raise NameError(f"two kernels {function.__name__}: in {known.__module__} and {function.__module__}")
    _REGISTERED[function.__name__] = function
    return function


def source_hash(part: str) -> str:
    """Hash of the part's sources. Numba does not notice an edited helper in another module; the cache folder does."""
    digest = hashlib.blake2b(digest_size=8)
    for module in (*PARTS[part].needs, *PARTS[part].modules):
        digest.update(Path(__file__).with_name(f"{module}.py").read_bytes())
    return digest.hexdigest()


def _sources(part: str) -> str:
    """Hash of where the part's sources lie and when they were written: by these numba finds what it has compiled."""
    digest = hashlib.blake2b(digest_size=8)
    for module in (*PARTS[part].needs, *PARTS[part].modules):
        path = Path(__file__).with_name(f"{module}.py")
        digest.update(f"{path} {path.stat().st_mtime_ns}\0".encode())
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
        nb.Array(kinds[k].dtype, 1, "C", readonly=k in ("bytes", "Words")) if k in ARRAYS else kinds[k]
        for k in names.values()
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


@contextmanager
def _linked_only() -> Iterator[None]:
    """Compile helpers to what their callers link, no further.

    Numba optimises each function together with all that it calls and makes machine code of it, so a kernel at the
    bottom of ten calls is optimised ten times: minutes. Only the entries are called, so only they are finished; there
    LLVM sees everything at once. Some methods of numba's classes stand back meanwhile (numba is pinned).
    """
    from numba.core.codegen import JITCodeLibrary as Library
    from numba.core.codegen import JITCPUCodegen

    def finish(library: Any) -> None:
        library._finalize_dynamic_globals()
        library._verify_declare_only_symbols()
        library._final_module.__library = weakref.proxy(library)
        library._finalized = True

    names = ("_optimize_final_module", "_finalize_final_module", "get_pointer_to_function")
    stand_ins = (lambda _library: None, finish, lambda _library, _name: 0)
    with ExitStack() as stack:
        stack.enter_context(patch.object(JITCPUCodegen, "set_env", lambda _codegen, _name, _env: None))
        for name, stand_in in zip(names, stand_ins, strict=True):
            stack.enter_context(patch.object(Library, name, stand_in))
        yield


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


def _load(part: str) -> None:
    for module in (*PARTS[part].needs, *PARTS[part].modules):
        importlib.import_module(f"replay.kernels.{module}")


@cache
def compiled(part: str = "rules") -> types.SimpleNamespace:
    """The entries of a part compiled. The first call on a machine takes a while; later processes read a cache."""
    base = Path(os.environ.get("PHZ_CACHE", Path.home() / ".cache" / "paohuzi-replay"))
    place = base / source_hash(part)
    # Nothing here is a loop over floats: the vectorisers only cost compile time.
    os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
    os.environ.setdefault("NUMBA_SLP_VECTORIZE", "0")
    import numba

    setattr(numba.config, "CACHE_DIR", str(place))  # noqa: B010 - not declared in its types
    kinds = {
        "int": numba.int64,
        "float": numba.float64,
        "bool": numba.boolean,
        "Ints": numba.types.CPointer(numba.int64),  # type: ignore[no-untyped-call]
        "bytes": numba.types.CPointer(numba.uint8),  # type: ignore[no-untyped-call]
        "Words": numba.types.CPointer(numba.int32),  # type: ignore[no-untyped-call]
        "Floats": numba.types.CPointer(numba.float64),  # type: ignore[no-untyped-call]
        "None": numba.types.void,
    }
    _load(part)
    marker = place / f"complete-{numba.__version__}-{_sources(part)}"
    warm = marker.exists()
    done: dict[str, Any] = {"popcount": _popcount()}
    with _linked_only():
        for name in PARTS[part].entries:
            _build(name, kinds, done, warm)
    entries = {name: _entry(name, kinds, done[name]) for name in PARTS[part].entries}
    if not warm:
        place.mkdir(parents=True, exist_ok=True)
        marker.touch()
    return types.SimpleNamespace(**entries)


@cache
def plain(part: str = "rules") -> types.SimpleNamespace:
    """The same kernels as plain Python functions."""
    _load(part)
    return types.SimpleNamespace(**_REGISTERED)
