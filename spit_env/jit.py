"""Compiling kernels: the one place that imports numba.

`kernel` compiles a function that kernels call, `entry` one that Python calls, and caches the latter's machine code on
disk. The cache folder carries a hash of all kernel
sources and of the versions that shape the code, because Numba itself does not notice when a function that a cached
entry *calls* has changed in another file. With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python.

`verb` declares a function that every game implements for its own state record; the implementation is chosen by the
record's type, so that the race core is compiled once per game and knows none of them.
"""

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba as _numba
import numpy as np
from numba.extending import overload as _overload

# Numba's own annotations leave out half of what is used here.
numba: Any = _numba
overload: Any = _overload

P = ParamSpec("P")
R = TypeVar("R")

JIT_DISABLED = bool(numba.config.DISABLE_JIT)

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _name_by_layout(kind: Any) -> tuple[str, tuple[str, ...]]:
    """What a type adds to the names of functions that are compiled for it: its class, and a hash of all there is to it.

    Numba itself takes the number of a record type in this process, and leaves the shape of an array in a record out.
    Kernels that two processes have compiled for two games then have the same names, and a third process that loads
    both from disk runs the one in place of the other.
    """
    return type(kind).__name__, (hashlib.sha256(kind.name.encode()).hexdigest(),)


for _kind in (numba.types.Record, numba.types.NestedArray):
    _kind.mangling_args = property(_name_by_layout)


@cache
def cache_folder(package: str) -> Path:
    """The folder that holds the compiled kernels of ``package``: one for each state of its and our sources."""
    digest = hashlib.sha256()
    versions = (numba.__version__, np.__version__, sys.version, platform.machine(), str(JIT_DISABLED))
    digest.update(repr(versions).encode())
    for name in dict.fromkeys((__package__ or "spit_env", package)):
        hash_sources(digest, name)
    home = os.environ.get("SPIT_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home) / "spit-env" / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"spit-env-{os.getuid() if hasattr(os, 'getuid') else 0}" / folder.name
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def hash_sources(digest: Any, package: str) -> None:
    """Feed all sources of a package to a hash of `hashlib`; of a script none, whose file Numba watches itself."""
    spec = find_spec(package) if package != "__main__" else None
    for root in (spec.submodule_search_locations or ()) if spec else ():
        for source in sorted(Path(root).rglob("*.py")):
            digest.update(str(source.relative_to(root)).encode())
            digest.update(source.read_bytes())


def is_compiled(package: str = "spit_env") -> bool:
    """Whether an earlier run has left compiled kernels of ``package`` on this machine."""
    return JIT_DISABLED or any(cache_folder(package).rglob("*.nbi"))


def is_ready(what: str) -> bool:
    """Whether an earlier run has noted that ``what`` is compiled."""
    return JIT_DISABLED or (cache_folder(__package__ or "spit_env") / f"{what}.ready").exists()


def note_ready(what: str) -> None:
    """Note for later runs that ``what`` is compiled: Numba compiles an entry anew for each game's records."""
    (cache_folder(__package__ or "spit_env") / f"{what}.ready").touch()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` for calls from other kernels; keeps its signature for type checkers."""
    if JIT_DISABLED:
        return function
    dispatcher = _widened(numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function))
    dispatcher.__class__ = _internal(cast("Any", type(dispatcher)))
    return cast("Callable[P, R]", dispatcher)


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` for calls from Python, cached on disk together with the kernels it calls."""
    if JIT_DISABLED:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(function.__module__.partition(".")[0]))
    try:
        return cast("Callable[P, R]", _widened(numba.njit(cache=True, **_OPTIONS)(function)))
    finally:
        numba.config.CACHE_DIR = before


@cache
def _internal(base: Any) -> Any:
    """Kernels have no way in from Python, which saves compile time; say so instead of crashing."""

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"kernel {self.py_func.__qualname__} can be called from other kernels only, not from Python")

    return type(base.__name__, (base,), {"__call__": __call__})


def _widened(dispatcher: Any) -> Any:
    """Compile calls from other kernels with 64-bit integers only.

    Numba would compile a copy for each width and for each constant that is passed: twice the time for the same code.
    """
    template = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template([_widen(a) for a in args], {k: _widen(a) for k, a in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widen(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    return numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind


def verb(stub: Callable[P, R]) -> Callable[P, R]:
    """Declare ``stub`` as a verb of games: a call goes to the implementation for its first argument's record type."""
    table: dict[tuple[str, ...], Callable[..., Any]] = {}

    def call(g: Any, *args: Any) -> Any:
        return table[g.dtype.names](g, *args)

    call.__name__ = call.__qualname__ = stub.__name__
    call.__doc__ = stub.__doc__
    vars(call)["table"] = table
    if not JIT_DISABLED:
        # Numba calls this with types: a Record knows its field names, as the value's dtype does.
        overload(call, strict=False, jit_options=_OPTIONS)(lambda g, *args: table[tuple(g.fields)])
    return cast("Callable[P, R]", call)


def implement(declared: Callable[P, R], dtype: np.dtype[Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function as the implementation of a verb for state records of ``dtype``."""

    def register(function: Callable[P, R]) -> Callable[P, R]:
        vars(declared)["table"][dtype.names] = function
        return kernel(function)

    return register
