"""Kernels for WebAssembly: the same functions that numba compiles for this machine, as one module of LLVM.

A kernel's function takes the address of a block of words: first room for its result, then its arguments as numba hands
them on. An array is seven or nine words: two that stay 0, the number of elements, the bytes of one, its address, its
lengths, and the bytes from one row to the next. Addresses of entry points of rules are indices into the table of functions.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import llvmlite
import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import typeof

from gamedsl.compiler.compile import machine
from gamedsl.compiler.host import code_cache
from gamedsl.compiler.host.kernel_cache import digest
from gamedsl.compiler.wasm.wasm_entry_points import KERNEL

I8, I32, I64, F64 = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
SHIPPED, WRITTEN_BY = Path(__file__).with_name("kernels"), "; LLVM "
Kernels = Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]]


def kernel_text(kernels: Kernels) -> str:
    """Returns the text of a module with these kernels, compiled for arguments of the types of those given.

    It is shipped for the kernels of this package, because compiling them takes up to 15 seconds. It is compiled where the
    sources are not those that it was compiled from, or where LLVM is too old to read it.
    """
    return _shipped_text(kernels) or _cached_text(kernels)


def shipped_file(kernels: Kernels) -> Path:
    """The file of a shipped text: its name is the digest of all that determines it, except for the versions of libraries."""
    return SHIPPED / f"{_digest(kernels)[:32]}.ll.xz"


def compile_kernels(kernels: Kernels) -> str:
    """Compiles the text. Its first line names the version of LLVM that wrote it."""
    with llvm.parse_assembly("") as module:
        _link(module, kernels)
        machine.optimize_for_wasm(module, KERNEL)
        return f"{WRITTEN_BY}{llvm.llvm_version_info[0]}\n{module}"


def _shipped_text(kernels: Kernels) -> str:
    """The text shipped for these kernels; empty if there is none that LLVM here can read."""
    try:
        text = lzma.decompress(shipped_file(kernels).read_bytes()).decode()
    except FileNotFoundError:
        return ""
    version = text.partition("\n")[0].removeprefix(WRITTEN_BY)
    return text if int(version) <= llvm.llvm_version_info[0] else ""


def _cached_text(kernels: Kernels) -> str:
    """The text from the code cache, or compiled."""
    made_of = ("wasm kernels", numba.__version__, llvmlite.__version__, _digest(kernels))
    key = hashlib.sha256("\0".join(made_of).encode()).hexdigest()
    kept = code_cache.load(key)
    if kept is not None:
        return kept[0].decode()
    text = compile_kernels(kernels)
    code_cache.save(key, text.encode(), [])
    return text


def _digest(kernels: Kernels) -> str:
    """A digest of the sources and the types of kernels, and of how they are compiled."""
    parts = [f"{name} {digest(_source(k))} {_types(given)}" for name, (k, given) in kernels.items()]
    sources = [Path(file).read_text("utf-8") for file in (__file__, machine.__file__)]
    return hashlib.sha256("\0".join((*sources, *parts)).encode()).hexdigest()


def _link(module: Any, kernels: Kernels) -> None:
    """Adds all kernels, and everything that they call, to a module."""
    libraries: dict[int, Any] = {}
    wrappers = ir.Module(name="kernels")
    _define_square_root(wrappers)
    for name, (kernel, given) in kernels.items():
        types, part = _types(given), cast(Any, kernel).part
        part.compile(types)
        compiled = part.overloads[types]
        _gather(compiled.library, libraries)
        _wrap(wrappers, name, compiled)
    module.link_in(llvm.parse_assembly(str(wrappers)))
    for library in libraries.values():
        module.link_in(_portable(library._final_module))


def _types(given: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(cast(Any, typeof)(one) for one in given)


def _source(kernel: Any) -> Callable[..., Any]:
    found: Callable[..., Any] = kernel.py_func
    return found


def _portable(module: Any) -> Any:
    """A copy without what belongs to this machine. Symbols that several files may define are no part of WebAssembly."""
    found = llvm.parse_bitcode(module.as_bitcode())
    found.triple = found.data_layout = ""
    for variable in found.global_variables:
        if variable.linkage == llvm.Linkage.common:
            variable.linkage = llvm.Linkage.linkonce_any
    return found


def _gather(library: Any, found: dict[int, Any]) -> None:
    """Adds a library and all that it needs."""
    if id(library) not in found:
        found[id(library)] = library
        for other in library._linking_libraries:
            _gather(other, found)


def _define_square_root(module: ir.Module) -> None:
    """Adds the function of a library that older versions of numba call for a square root: in WebAssembly it is an instruction."""
    function = ir.Function(module, ir.FunctionType(F64, [F64]), "sqrt")
    b = ir.IRBuilder(function.append_basic_block("entry"))
    b.ret(b.call(module.declare_intrinsic("llvm.sqrt", [F64]), function.args))


def _wrap(module: ir.Module, name: str, compiled: Any) -> None:
    """Adds the function that takes the arguments of a kernel from a block of words."""
    context, types = compiled.target_context, compiled.fndesc
    inner_type = context.call_conv.get_function_type(types.restype, types.argtypes)
    inner = ir.Function(module, inner_type, types.llvm_func_name)
    outer = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64.as_pointer()]), KERNEL + name)
    b = ir.IRBuilder(outer.append_basic_block("entry"))
    (block,) = outer.args
    result, error = b.alloca(I64), b.alloca(I8.as_pointer())
    b.store(I64(0), result)
    first = [b.bitcast(x, t) for x, t in zip((result, error), inner_type.args, strict=False)]
    b.call(inner, [*first, *_arguments(b, block, inner_type.args[2:])])
    b.store(b.load(result), block)
    b.ret_void()


def _arguments(b: ir.IRBuilder, block: ir.Value, types: tuple[ir.Type, ...]) -> Iterator[ir.Value]:
    for i, t in enumerate(types):
        word = b.load(b.gep(block, [I32(i + 1)]))
        if isinstance(t, ir.PointerType):
            yield b.inttoptr(word, t)
        else:
            yield word if t == I64 else b.bitcast(word, t) if t == F64 else b.trunc(word, t)
