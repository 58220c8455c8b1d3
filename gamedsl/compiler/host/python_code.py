"""Machine code that makes and reads CPython objects, whose layout it knows.

Where that is in doubt (another Python, one without a global lock, a debug build), Python code is used instead.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Sequence

import llvmlite.binding as llvm
from llvmlite import ir

from gamedsl.compiler.compile.machine import SPEED, Code, object_code
from gamedsl.compiler.emit.methods.method_words import BYTES
from gamedsl.compiler.host import code_cache

POINTER = ctypes.sizeof(ctypes.c_void_p)
HEADER = 4 * POINTER  # of a bytes object: count of references, type, length, hash


class Definition(ctypes.Structure):
    """``PyMethodDef`` of the C API."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def word(address: int) -> int:
    """The word at an address."""
    return ctypes.c_ssize_t.from_address(address).value


def is_known_python(functions: Iterable[str]) -> bool:
    """Whether this is a Python whose object layout the code knows, with these functions of the C API."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    plain = sys.implementation.name == "cpython" and not hasattr(sys, "gettotalrefcount") and POINTER == 8
    return plain and locked and BYTES == HEADER and all(hasattr(ctypes.pythonapi, name) for name in functions)


def code_of(module: ir.Module, functions: Iterable[str], entries: Sequence[str]) -> Code:
    """The machine code of a module that calls these functions of the C API; cached on disk."""
    for name in functions:
        llvm.add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    text = str(module)
    key = code_cache.key_of(f"{module.name}\0{text}")
    kept = code_cache.load(key)
    if kept is None:
        kept = object_code(text, SPEED), []
        code_cache.save(key, *kept)
    return Code(kept[0], entries, closed=False)
