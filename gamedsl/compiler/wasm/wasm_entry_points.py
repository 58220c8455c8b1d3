"""The functions of a module, with types that every host has: addresses and numbers of 32 bits.

A host gets memory at ``heap``: first the context, which ``prepare`` fills, then anything else it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.compile.compiler import ENTRY_POINTS
from gamedsl.compiler.emit.action_code import count
from gamedsl.compiler.emit.entries import module_entries as entries
from gamedsl.compiler.emit.entries.python_api import actors, answer, payoffs
from gamedsl.compiler.emit.entries.utility_entries import scores
from gamedsl.compiler.emit.lanes.lane_tables import ActionNumbers
from gamedsl.compiler.emit.lanes.legal_numbers import legal_numbers
from gamedsl.compiler.emit.lanes.numbered_actions import act, draw
from gamedsl.compiler.emit.llvm_module import (
    CTX_ARENA,
    CTX_CAPACITY,
    CTX_DRAWINGS,
    CTX_ENDED,
    CTX_ENTERED,
    CTX_LAST_STATES,
    CTX_PLAY_COUNTERS,
    CTX_PLIES,
    CTX_SHIFT,
    CTX_STAMP,
    CTX_USED,
    CTX_WAYS,
    I32,
    I64,
    MOST_ENDED,
    PTR,
    Fn,
    Unit,
    const,
)
from gamedsl.compiler.emit.memory import context_field
from gamedsl.compiler.emit.noted_counters import STEP
from gamedsl.compiler.emit.random_numbers import seeded
from gamedsl.compiler.playouts.generic import batch, playout
from gamedsl.compiler.wasm.wasm_questions import ask
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

PREFIX, KERNEL = "export.", "kernel."  # begin the names of functions, and of kernels
FIELDS = 17  # of the context
COUNTERS = 1 << 13  # counters of noted positions in a table: a power of two


@lazy_dataclass(frozen=True)
class HostMemory:
    """The memory that a host must provide, in bytes. ``state``: the size of a state. ``values``: the first bytes of a
    state, which decide whether two states are equal, apart from noted positions and drawings. ``drawing``: the offset
    of the number of a state's drawing (-1: nobody draws). ``context``: the size of the context without noted positions;
    ``ended``: the offset in it of the number of parts that have ended since the host last set it to 0; ``last``: the
    offset of their last states, each after the number of its block."""

    state: int
    values: int
    drawing: int
    context: int
    notes: bool
    plies: int
    ended: int
    last: int


def host_memory(unit: Unit, plies: int) -> HostMemory:
    notes = any(type(v.type).__name__ == "HistoryT" for v in unit.program.variables)
    table = 2 * COUNTERS if notes else 0
    size = unit.frame.size + -unit.frame.size % 8
    drawing = next((unit.frame.place(v).offset for v in unit.program.variables if isinstance(v.type, n.DrawingT)), -1)
    last = 8 * (FIELDS + cutoffs.PATH_WORDS) + table
    context = last + MOST_ENDED * (8 + size)
    return HostMemory(size, unit.frame.value_size, drawing, context, notes, plies, 8 * CTX_ENDED, last)


def emit_entry_points(
    unit: Unit, numbers: ActionNumbers, drawings: Sequence[int], memory: HostMemory, asked: Sequence[int] = ()
) -> tuple[str, ...]:
    """Emits all entry points; returns their names. ``drawings``: the records of prepared drawings, as words. ``asked``:
    functions that a host may evaluate."""
    inner = {
        "initial": entries.initial(unit), "kind": entries.kind(unit), "block": entries.block(unit),
        "actors": actors(unit), "open": entries.still(unit), "legal": _legal(unit, numbers), "act": act(unit, numbers),
        "count": count(unit), "step": entries.step(unit), "chance": _chance(unit), "payoffs": payoffs(unit),
        "scores": scores(unit), "error": entries.errors(unit), "playout": playout(unit), "batch": batch(unit),
        "prepare": _prepare(unit, drawings, memory), "entered": _entered(unit),
    }  # fmt: skip
    if asked:
        inner["ask"] = ask(unit, asked)
    unit.write_all()
    for name, function in inner.items():
        function.linkage = "internal"
        _export(unit, name, function)
    return tuple(inner)


def emit_called(unit: Unit, names: Sequence[str], prefix: str) -> None:
    """Emits entry points that kernels call by their index: ``prefix`` and the name, with 64-bit numbers alone."""
    inner = {name: ENTRY_POINTS[name](unit) for name in names}
    unit.write_all()
    for name, function in inner.items():
        function.linkage = "internal"
        types = function.function_type.args
        outer = ir.Function(unit.module, ir.FunctionType(I64, [I64] * len(types)), prefix + name)
        b = ir.IRBuilder(outer.append_basic_block("entry"))
        values = [a if a.type == t else b.inttoptr(a, t) for a, t in zip(outer.args, types, strict=True)]
        b.ret(b.call(function, values))


def _export(unit: Unit, name: str, function: ir.Function) -> None:
    """Exports a function with 32-bit numbers in place of 64-bit ones."""
    types = [I32 if t == I64 else t for t in function.function_type.args]
    outer = ir.Function(unit.module, ir.FunctionType(I32, types), PREFIX + name)
    b = ir.IRBuilder(outer.append_basic_block("entry"))
    values = [b.sext(a, I64) if a.type == I32 else a for a in outer.args]
    b.ret(b.trunc(b.call(function, values), I32))


def _legal(unit: Unit, numbers: ActionNumbers) -> ir.Function:
    """``legal(ctx, s, out, most) -> n``: writes the numbers of the first ``most`` legal actions of the first player who
    is to act, or of the outcomes of chance, 32 bits each. n is their total number; negative after a rules error, which
    is cleared."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        used = f.alloca(I64)
        f.builder.store(const(0), used)
        f.builder.call(legal_numbers(unit, numbers), [f.ctx, f.s, values[0], used, values[1]])
        f.builder.ret(answer(f, f.builder.load(used)))

    return unit.function("legal 32", "legal", I64, [PTR, I64], body)


def _chance(unit: Unit) -> ir.Function:
    """``chance(ctx, s, seed, index) -> status``: lets chance decide, by its weights, from the index-th random numbers
    of a seed."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        f.builder.ret(f.builder.call(draw(unit), [f.ctx, f.s, seeded(f.builder, *values)]))

    return unit.function("chance 32", "chance", I64, [I64, I64], body)


def _entered(unit: Unit) -> ir.Function:
    """``entered(ctx, _) -> parts``: the parts of the program that were entered since the last call, as bits."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        at = context_field(f, CTX_ENTERED)
        found = f.builder.load(at)
        f.builder.store(const(0), at)
        f.builder.ret(found)

    return unit.function("entered", "entered", I64, [], body)


def _prepare(unit: Unit, drawings: Sequence[int], memory: HostMemory) -> ir.Function:
    """``prepare(ctx, arena, capacity) -> 0``: fills the context. ``arena``: room for ``capacity`` words of noted
    positions."""
    table = unit.numbers("drawings", drawings, 64)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        (capacity,) = values
        base = f.builder.ptrtoint(f.ctx, I64)
        paths = f.builder.add(base, const(8 * FIELDS))
        counters = f.builder.add(paths, const(8 * cutoffs.PATH_WORDS))
        fields = {
            CTX_ARENA: f.builder.ptrtoint(f.s, I64), CTX_CAPACITY: capacity, CTX_USED: const(1),
            CTX_PLIES: const(memory.plies), CTX_DRAWINGS: f.builder.ptrtoint(table, I64), CTX_WAYS: paths,
            CTX_STAMP: const(STEP), CTX_SHIFT: const(65 - COUNTERS.bit_length()),
            CTX_PLAY_COUNTERS: counters if memory.notes else const(0),
            CTX_LAST_STATES: f.builder.add(base, const(memory.last)),
        }  # fmt: skip
        for field in range(FIELDS):
            f.builder.store(fields.get(field, const(0)), context_field(f, field))
        f.builder.ret(const(0))

    return unit.function("prepare", "prepare", I64, [I64], body)
