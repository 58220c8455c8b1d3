"""Compiles LLVM text to machine code for this machine, and finds the addresses of functions."""

from __future__ import annotations

import atexit
import platform
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from gamedsl.compiler import cutoffs
from gamedsl.compiler.compile.memory_functions import with_memory_functions

SPEED = 2  # LLVM's optimization level of code that is kept
QUICK_PASSES = 1  # the level of the passes for code that somebody waits for; see ``_optimize``
IS_X86 = platform.machine().lower() in ("x86_64", "amd64")
# Every browser has had these since 2023. Copying and clearing memory are instructions, so that no library is needed.
WASM_FEATURES = "+bulk-memory,+bulk-memory-opt,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"


@cache
def _ready() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    atexit.register(_keep_threads_out)


def _keep_threads_out() -> None:
    """Waits for who is inside LLVM, and lets nobody in any more: its own objects are freed when the process ends, also while a
    daemon thread uses them, which then reads freed memory."""
    llvm.ffi.lib._lock.__enter__()


@cache
def features() -> str:
    """The features of this processor, in LLVM's syntax."""
    _ready()
    return str(llvm.get_host_cpu_features().flatten())


def has_cpu_feature(feature: str) -> bool:
    return f"+{feature}" in features().split(",")


def description() -> str:
    """A description of what machine code depends on besides its text: the compiler and the processor."""
    version = ".".join(str(n) for n in llvm.llvm_version_info)
    return f"llvmlite {llvmlite.__version__} llvm {version} {llvm.get_host_cpu_name()} {features()}"


def _target(level: int) -> Any:
    _ready()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features(), opt=level, reloc="pic", codemodel="default"
    )


def object_code(text: str, level: int = SPEED) -> bytes:
    """Compiles a module to optimized machine code for this machine, as an object file."""
    if IS_X86:
        text = with_memory_functions(text)
    with _target(min(1, level) * SPEED) as machine:
        return compiled(text, machine, min(level, QUICK_PASSES))


def wasm_code(text: str, optimized: str = "") -> bytes:
    """Compiles a module to optimized WebAssembly, as an object file. ``optimized``: another module that is a part of it and
    is optimized already."""
    with _wasm_target() as machine:
        return compiled(text, machine, SPEED, optimized)


def optimize_for_wasm(module: Any, prefix: str) -> None:
    """Optimizes a module for WebAssembly, to be linked. Functions whose names begin differently are for it alone."""
    with _wasm_target() as machine:
        for function in module.functions:
            if not function.is_declaration and not function.name.startswith(prefix):
                function.linkage = "internal"
        _optimize(module, machine, SPEED, large=False)


def _wasm_target() -> Any:
    _ready()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown")
    return target.create_target_machine(
        cpu="generic", features=WASM_FEATURES, opt=SPEED, reloc="static", codemodel="default"
    )


def compiled(text: str, machine: Any, level: int, optimized: str = "") -> bytes:
    """The object file of a module, and of another one that is optimized already. LLVM inlines fewer functions in a large
    module, to compile faster.

    LLVM's objects are freed in reverse order, even after an error. Left to Python, they might be freed at exit.
    """
    with llvm.parse_assembly(text) as module:
        _optimize(module, machine, level, text.count("\n") > cutoffs.LARGE_MODULE)
        if optimized:
            module.link_in(llvm.parse_assembly(optimized))
        return bytes(machine.emit_object(module))


def _optimize(module: Any, machine: Any, level: int, large: bool) -> None:
    """Optimizes a module for a machine. The passes of the first level take four fifths of the time of the second's. What their
    code lacks is jump threading, which is added: with it, playouts are as fast."""
    module.triple = machine.triple
    with machine.target_data as layout:
        module.data_layout = str(layout)
    with llvm.create_pipeline_tuning_options(speed_level=level) as options:
        options.loop_vectorization = False
        options.slp_vectorization = False
        if large:
            options.inlining_threshold = cutoffs.LARGE_MODULE_INLINING
        with llvm.create_pass_builder(machine, options) as builder, builder.getModulePassManager() as passes:
            if level == QUICK_PASSES:
                passes.add_jump_threading_pass()
                passes.add_simplify_cfg_pass()
            passes.run(module, builder)


class Code:
    """Machine code in this process. The addresses are valid as long as this object lives.

    Code that is ``closed`` refers to nothing outside itself, and llvmlite's memory manager loads it into one reserved
    piece of memory. LLVM's own manager may put code and its tables into gaps of the address space that are farther
    apart than the 2 GB that an instruction can reach.
    """

    def __init__(self, code: bytes, names: Sequence[str], closed: bool = IS_X86) -> None:
        with ExitStack() as made:
            manager = True if closed else None
            compiler = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target(SPEED), use_lmm=manager)
            engine = made.enter_context(compiler)
            _add(engine, code)
            engine.finalize_object()
            self.addresses: dict[str, int] = {name: engine.get_function_address(name) for name in names}
            missing = [name for name, at in self.addresses.items() if not at]
            if missing:
                raise ValueError(f"the code lacks {', '.join(missing)}")
            made.pop_all()  # keep the engine
        self._engine = engine


def _add(engine: Any, code: bytes) -> None:
    """Adds machine code to an engine. Raises ``ValueError`` if the bytes are not machine code."""
    file = llvm.ObjectFileRef.from_data(code)
    if not file:
        file.detach()  # there is nothing to free
        raise ValueError("this is not machine code")
    with file:
        engine.add_object_file(file)
