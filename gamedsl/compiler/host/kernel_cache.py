"""Machine code of kernels in the code cache, under a digest of everything that it is compiled from.

A kernel is called from Python; everything that it calls is compiled into it. The digest therefore covers its file and,
transitively, the files of all functions and types of the package that it names, and imported constants by their values.
It holds no paths: every copy of the same source finds the same code. numba's own cache considers the kernel's own file
only, at its place, and loads whatever lies there.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import llvmlite
import numba
import numpy as np
from numba.core import serialize
from numba.core.compiler import CompileResult

from gamedsl.compiler.host import code_cache

FORMAT = "gamedsl kernel 1"
PLAIN = (bool, int, float, str, bytes, np.generic)
ALWAYS = ("calling.py", "kernel_cache.py", "kernel_parts.py")  # how kernels are compiled


class KernelCache:
    """What a numba dispatcher asks of its cache."""

    cache_path = None  # shown among its statistics

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled kernel for arguments of these types; None if it is not in the cache."""
        target.refresh()
        key = self._key(signature, target.codegen())
        kept = code_cache.load(key) if key else None
        if kept is None:
            return None
        try:
            found = cast(Any, CompileResult)._rebuild(target, *pickle.loads(kept[0]))
        except (pickle.PickleError, AttributeError, ImportError, LookupError, TypeError, ValueError, RuntimeError):
            return None
        return found if found.signature.args == tuple(signature) else None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Caches a compiled kernel, unless it holds addresses of this process."""
        key = self._key(signature, compiled.codegen)
        if key and not compiled.library.has_dynamic_globals:
            code_cache.save(key, cast(Any, serialize).dumps(compiled._reduce()), [])

    def flush(self) -> None:
        """numba asks for this before it compiles everything anew; an older entry is overwritten."""

    def _key(self, signature: Any, codegen: Any) -> str:
        """The key of the code for arguments of these types on this machine; empty if it cannot be cached."""
        if self.function.__closure__ is not None:
            return ""  # what it encloses may be anything
        try:
            source = digest(self.function)
        except OSError:
            return ""  # its source is not a file
        versions = numba.__version__, llvmlite.__version__, np.__version__, sys.version
        what = self.function.__qualname__, str(signature), str(codegen.magic_tuple())
        return hashlib.sha256("\0".join((FORMAT, *versions, *what, source)).encode()).hexdigest()


def digest(function: Callable[..., Any]) -> str:
    """A digest of everything that may be compiled into a function."""
    parts = {_contents(str(Path(__file__).with_name(name))) for name in ALWAYS}
    _gather(function, parts, set())
    return hashlib.sha256("\0".join(sorted(parts)).encode()).hexdigest()


def _gather(function: Any, parts: set[str], known: set[object]) -> None:
    """Adds to the parts what a function is made of, and what it names."""
    if function in known:
        return
    known.add(function)
    package = function.__module__.partition(".")[0]
    parts.add(_contents(function.__code__.co_filename))
    names = set(_names(function.__code__))
    spaces = [(function.__module__, function.__globals__)]
    for module, space in spaces:
        for name in names & space.keys():
            value = space[name]
            if isinstance(value, ModuleType):
                if _is_own(value.__name__, package):
                    spaces.append((value.__name__, vars(value)))
            elif _is_constant(value):
                parts.add(f"{module}.{name}={_text(value)}")
            elif isinstance(getattr(value, "py_func", None), FunctionType):
                _gather(value.py_func, parts, known)
            elif _is_own(getattr(value, "__module__", None), package):
                parts.add(_contents(str(sys.modules[value.__module__].__file__)))


def _names(code: CodeType) -> Iterator[str]:
    """All names that a function's code uses, including those of attributes."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_own(module: object, package: str) -> bool:
    """Whether a module belongs to the function's package or to this one. The versions of others are part of the key."""
    return isinstance(module, str) and module.partition(".")[0] in (package, "gamedsl") and module in sys.modules


@cache
def _contents(file: str) -> str:
    """A digest of a file; cached, because many kernels are compiled from the same files."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _is_constant(value: object) -> bool:
    return isinstance(value, (*PLAIN, np.ndarray)) or (isinstance(value, tuple) and all(map(_is_constant, value)))


def _text(value: Any) -> str:
    """A text that differs where a constant differs."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    return f"({','.join(map(_text, value))})" if isinstance(value, tuple) else repr(value)
