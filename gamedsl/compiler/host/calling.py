"""Calls of compiled entry points from numba kernels, by address, so that a kernel is compiled once and not once per
game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from gamedsl.compiler.emit.splitmix import mixed
from gamedsl.compiler.host.kernel_cache import KernelCache
from gamedsl.compiler.host.kernel_parts import dispatcher

F = TypeVar("F", bound=Callable[..., Any])
Words: TypeAlias = npt.NDArray[np.int64]
Reals: TypeAlias = npt.NDArray[np.float64]


def kernel(function: F) -> F:
    """Compiles a function that releases the GIL, and caches the code where possible. The function must not be
    recursive, nor raise or print anything: it is compiled into those that call it (see ``kernel_parts``). It must not
    make arrays either, because the code does not count references to any: every array belongs to the caller outside.
    (Counting takes two thirds of the time of a kernel whose functions hand each other tuples of arrays.) One that makes
    arrays is an ``allocating_kernel``."""
    return _compiled(function, _nrt=False)


def allocating_kernel(function: F) -> F:
    """Compiles a function that makes arrays, like ``kernel``. It must not call a ``kernel`` that returns arrays."""
    return _compiled(function, _nrt=True)  # or numba would take it from the caller


def _compiled(function: F, **options: bool) -> F:
    made = dispatcher(function, **options)
    made._cache = KernelCache(function)
    return cast(F, made)


def _emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    word = ir.IntType(64)
    callee = ir.FunctionType(word, [word] * (len(args) - 1))
    return builder.call(builder.inttoptr(args[0], callee.as_pointer()), args[1:])


def _words(arguments: int) -> Any:
    return types.int64(*[types.int64] * arguments)


def _two(typing: Any, address: Any, a: Any, b: Any) -> Any:
    return _words(3), _emit


def _three(typing: Any, address: Any, a: Any, b: Any, c: Any) -> Any:
    return _words(4), _emit


def _four(typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return _words(5), _emit


def _five(typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    return _words(6), _emit


def _load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.load(builder.inttoptr(args[0], ir.IntType(64).as_pointer()))


def _store(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    builder.store(args[1], builder.inttoptr(args[0], ir.IntType(64).as_pointer()))
    return args[1]


def _prefetch(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    callee = builder.module.declare_intrinsic(
        "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, number, number, number])
    )
    read, near, data = ir.Constant(number, 0), ir.Constant(number, 3), ir.Constant(number, 1)
    builder.call(callee, [builder.inttoptr(args[0], byte), read, near, data])
    return args[0]


def _popcount(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


def _load_half(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    half = builder.load(builder.inttoptr(args[0], ir.IntType(32).as_pointer()))
    return builder.zext(half, ir.IntType(64))


def _store_half(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    half = ir.IntType(32)
    builder.store(builder.trunc(args[1], half), builder.inttoptr(args[0], half.as_pointer()))
    return args[1]


def _peek(typing: Any, address: Any) -> Any:
    return _words(1), _load


def _fetch(typing: Any, address: Any) -> Any:
    return _words(1), _prefetch


def _ones(typing: Any, word: Any) -> Any:
    return _words(1), _popcount


def _peek_half(typing: Any, address: Any) -> Any:
    return _words(1), _load_half


def _poke_half(typing: Any, address: Any, word: Any) -> Any:
    return _words(2), _store_half


def _poke(typing: Any, address: Any, word: Any) -> Any:
    return _words(2), _store


# calls the entry point at an address; all arguments are 64-bit integers, pointers as addresses
call2: Callable[[int, int, int], int] = cast(Any, intrinsic(_two))
call3: Callable[[int, int, int, int], int] = cast(Any, intrinsic(_three))
call4: Callable[[int, int, int, int, int], int] = cast(Any, intrinsic(_four))
call5: Callable[[int, int, int, int, int, int], int] = cast(Any, intrinsic(_five))
# reads and writes the word at an address
peek: Callable[[int], int] = cast(Any, intrinsic(_peek))
poke: Callable[[int, int], int] = cast(Any, intrinsic(_poke))
# the same for the lower half of a word, as an unsigned number
peek_half: Callable[[int], int] = cast(Any, intrinsic(_peek_half))
poke_half: Callable[[int, int], int] = cast(Any, intrinsic(_poke_half))
# prefetches an address, and returns it
prefetch: Callable[[int], int] = cast(Any, intrinsic(_fetch))
# the number of bits set in a word
popcount: Callable[[int], int] = cast(Any, intrinsic(_ones))
# the finalizer of SplitMix64
mix64: Callable[[Any], Any] = kernel(mixed)
