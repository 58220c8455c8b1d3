"""A game as a WebAssembly module: its rules and its playouts, for any host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm

from gamedsl.compiler.compile.compiler import ProgramForms, without_collection
from gamedsl.compiler.compile.lowerings import new_unit
from gamedsl.compiler.compile.machine import wasm_code
from gamedsl.compiler.emit.drawing_records import Column, columns, record_size
from gamedsl.compiler.host import code_cache
from gamedsl.compiler.host.action_numbers import action_numbers
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.host.context import MOST_PLIES
from gamedsl.compiler.playouts.results import BINS
from gamedsl.compiler.transform.prepare_generic import prepare_generic
from gamedsl.compiler.wasm.module_file import module_file
from gamedsl.compiler.wasm.object_file import read_object
from gamedsl.compiler.wasm.wasm_entry_points import (
    KERNEL,
    PREFIX,
    HostMemory,
    emit_called,
    emit_entry_points,
    host_memory,
)
from gamedsl.compiler.wasm.wide_numbers import with_wide_numbers
from gamedsl.language.core import print_core
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.language.boards.drawing import Drawing
    from gamedsl.language.core import nodes as n

CALLED, CALLED_SECOND = "called.", "called second."  # begin the names of functions that kernels call
SECOND_PLACES = 1 << 20  # the numbers of errors in the second program are greater: their messages are the game's own


@lazy_dataclass(frozen=True)
class WasmModule:
    """A WebAssembly module, and what a host must know of it. ``messages``: the messages of rules errors, by their
    numbers from 1. ``lengths``: the number of words of a tally that count playouts by length. ``drawings``: those
    prepared for playouts, by their numbers; the first one is the empty paper. ``columns``: the relations of a drawing
    that the rules read, in records of ``record`` words. ``slots``: per variable, the offset of its first slot in a
    state, and the bytes of a slot."""

    code: bytes
    entries: tuple[str, ...]
    memory: HostMemory
    messages: tuple[str, ...]
    lengths: int
    drawings: tuple[Drawing, ...] = ()
    columns: tuple[Column, ...] = ()
    record: int = 0
    slots: tuple[tuple[int, int], ...] = ()


@lazy_dataclass(frozen=True)
class WasmKernels:
    """Kernels that go into a module. ``text``: their code (see ``kernel_text``), with ``names``. ``called``: the entry
    points that they call, by their indices in the table of functions from 1: first those of the game, then those of a
    ``second`` program with the same states, if there is one."""

    names: tuple[str, ...]
    text: str
    called: tuple[str, ...]
    second: n.Program | None = None
    called_second: tuple[str, ...] = ()


def compile_to_wasm(
    game: Game, plies: int = MOST_PLIES, asked: Sequence[n.Function] = (), kernels: WasmKernels | None = None
) -> WasmModule:
    """Compiles a game. ``plies``: the largest number of plies of a playout. ``asked``: functions that the host may
    evaluate at a state; their numbers follow those of the program's functions. ``kernels``: those that the host calls.
    Raises ``NativeError`` for rules whose numbers do not fit into 64 bits. The module comes from the code cache where
    possible."""
    forms = ProgramForms(game.program)
    native = Native(game.program, game, keep=False)
    words = list(native.drawings)
    memory = host_memory(new_unit(forms.program, forms.frame), plies)
    whole = print_core(_extended(game.program, asked)) if asked else forms.core
    linked = "" if kernels is None else _kernel_text(kernels)
    key = code_cache.key_of(f"{whole}\0wasm {plies} {len(asked)} {words}{linked}")
    kept = code_cache.load(key)
    if kept is None:
        kept = _compiled(forms, game, words, memory, asked, kernels)
        code_cache.save(key, *kept)
    names, _, code = kept[0].partition(b"\n")
    entries, messages = tuple(names.decode().split()), tuple(message for _, message in kept[1])
    drawings = native.pool.drawings if native.draws else ()
    found, size = columns(game.program), record_size(game.program)
    places = [forms.frame.place(v) for v in game.program.variables]
    slots = tuple((p.offset, p.stride) for p in places)
    return WasmModule(code, entries, memory, messages, BINS, drawings, found, size, slots)


def _compiled(
    forms: ProgramForms,
    game: Game,
    words: Sequence[int],
    memory: HostMemory,
    asked: Sequence[n.Function],
    kernels: WasmKernels | None,
) -> tuple[bytes, list[code_cache.KeptPlace]]:
    """The names of the entry points, a line, and the module; then the messages of its errors, as the cache keeps them."""
    with without_collection():
        unit = new_unit(forms.program, forms.frame)
        unit.has_lanes = unit.tracks_parts = True  # but no shifts by a different number in every lane
        unit.special, unit.program = forms.specialized, _with(forms, asked)
        entries = emit_entry_points(unit, action_numbers(game), words, memory, [f.index for f in asked])
        if kernels is not None:
            emit_called(unit, kernels.called, CALLED)
        text, messages = str(unit.module), [(-1, message) for _, message in unit.places]
        unit.forget()
    exports, called = {name: PREFIX + name for name in entries}, list[str]()
    if kernels is not None:
        text = _linked(text, "" if kernels.second is None else _second_text(kernels.second, kernels.called_second))
        exports |= {name: KERNEL + name for name in kernels.names}
        called = [CALLED + name for name in kernels.called] + [CALLED_SECOND + name for name in kernels.called_second]
    optimized = "" if kernels is None else kernels.text
    code = module_file(read_object(wasm_code(with_wide_numbers(text), optimized)), exports, called)
    return " ".join(entries).encode() + b"\n" + code, messages


def _kernel_text(kernels: WasmKernels) -> str:
    """What determines the code of kernels, and of what they call."""
    second = "" if kernels.second is None else print_core(kernels.second)
    return "\0".join((kernels.text, *kernels.called, second, *kernels.called_second))


def _second_text(program: n.Program, called: Sequence[str]) -> str:
    """The text of a module with entry points of a second program."""
    forms = ProgramForms(program)
    with without_collection():
        unit = new_unit(forms.program, forms.frame)
        unit.has_lanes, unit.first_place = True, SECOND_PLACES
        unit.special, unit.program = forms.specialized, forms.generic
        emit_called(unit, called, CALLED_SECOND)
        text = str(unit.module)
        unit.forget()
    return text


def _linked(text: str, second: str) -> str:
    """The text of one module made of two. Functions without a prefix belong to one of them alone."""
    with llvm.parse_assembly(text) as whole:
        other = llvm.parse_assembly(second)
        _hide(whole)
        _hide(other)
        whole.link_in(other)
        return str(whole)


def _hide(module: Any) -> None:
    for function in module.functions:
        if not function.is_declaration and not function.name.startswith((PREFIX, CALLED, CALLED_SECOND)):
            function.linkage = "internal"


def _with(forms: ProgramForms, asked: Sequence[n.Function]) -> n.Program:
    """The program with additional functions, prepared."""
    if not asked:
        return forms.generic
    return prepare_generic(_extended(forms.program, asked))


def _extended(program: n.Program, asked: Sequence[n.Function]) -> n.Program:
    return replace(program, functions=(*program.functions, *asked))
