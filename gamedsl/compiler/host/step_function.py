"""The step of many games at once, as a function in machine code (``emit/methods/lane_step.py``)."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gamedsl.compiler.compile.machine import Code
from gamedsl.compiler.emit.methods.lane_step import API, DATA, DESCRIPTION, DIMENSIONS, FLAGS, SHAPE, STEP, lane_step
from gamedsl.compiler.host.binding import LaneStep
from gamedsl.compiler.host.python_code import Definition, code_of, is_known_python, word

T = TypeVar("T", bound=tuple[Any, ...])
ONE_ARGUMENT = 0x8  # METH_O


def step_function(
    step: LaneStep,
    run: int,
    actions: NDArray[np.int64],
    check: int,
    slowly: Callable[[Any], T],
    finish: Callable[[int], T],
    told: T,
) -> Callable[[Any], T] | None:
    """A function that carries out the actions of all lanes and returns ``told``; None if machine code cannot be used.
    ``run``: the address of the run; ``check``: as for the entry point. ``slowly`` is called for any argument other than
    a contiguous array of int64; ``finish`` is called with the answer of compiled code if it is not -1."""
    if not is_known_python(API) or not _knows_arrays():
        return None
    words = struct.pack("5q", step.address, run, actions.ctypes.data, len(actions), check)
    held = words, slowly, finish, told, np.ndarray, np.dtype(np.int64), step, actions
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    made: Callable[[Any], T] = new(ctypes.addressof(_code()[1]), held, __name__)
    return made


@cache
def _code() -> tuple[Code, Definition]:
    """The code, and the definition of the function; both stay alive forever."""
    code = code_of(lane_step(), API, [STEP])
    return code, Definition(STEP.encode(), code.addresses[STEP], ONE_ARGUMENT, None)


def _knows_arrays() -> bool:
    """Whether the fields of arrays are at the offsets where machine code reads them."""
    made = np.arange(6, dtype=np.int64).reshape(2, 3)
    at, number = id(made), np.dtype(np.int64)
    numbers = [ctypes.c_int32.from_address(at + field).value for field in (DIMENSIONS, FLAGS)]
    shape = word(at + SHAPE)
    return (
        numbers == [2, made.flags.num]
        and word(at + DATA) == made.ctypes.data
        and [word(shape), word(shape + 8)] == [2, 3]
        and word(at + DESCRIPTION) == id(number) == id(made.dtype)
    )
