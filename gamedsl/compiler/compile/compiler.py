"""Compiles a program of the Core to LLVM modules with its entry points."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TypeAlias

from llvmlite import ir

from gamedsl.compiler.compile import machine
from gamedsl.compiler.compile.lowerings import new_unit
from gamedsl.compiler.emit import action_code, apply
from gamedsl.compiler.emit.entries import drawn_move
from gamedsl.compiler.emit.entries import module_entries as entries
from gamedsl.compiler.emit.entries import python_api as api
from gamedsl.compiler.emit.entries import utility_entries as utilities
from gamedsl.compiler.emit.llvm_module import Unit
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.emit.successors import packed_states as rows
from gamedsl.compiler.emit.successors import packed_successors as expand
from gamedsl.compiler.native_errors import NativeError
from gamedsl.compiler.playouts import counted, perft
from gamedsl.compiler.playouts import generic as playouts
from gamedsl.compiler.playouts.lockstep import why_not as why_not_lockstep
from gamedsl.compiler.transform.pipeline import SpecializedProgram, specialize_for_playouts
from gamedsl.compiler.transform.prepare_generic import prepare_generic
from gamedsl.language.core import limits, print_core
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass

Emit: TypeAlias = Callable[[Unit], ir.Function]

# The entry points by the modules they are compiled in. A module is compiled when one of them is first needed.
MODULES: dict[str, dict[str, Emit]] = {
    "rules": {
        "initial": entries.initial, "kind": entries.kind, "seat": entries.seat, "returns": entries.returns,
        "step": entries.step, "error": entries.errors, "block": entries.block, "open": entries.still,
        "count": action_code.count, "move": action_code.move, "do": apply.apply, "weight": action_code.weight,
        "scores": utilities.scores,
        "legal": api.legal, "after": api.after, "actors": api.actors, "payoffs": api.payoffs,
    },
    "successors": {
        "expand": expand.expand, "pack": rows.pack, "unpack": rows.unpack, "outcome_bounds": utilities.outcome_bounds_entry,
    },
    "perft": {"perft": perft.perft},
    "draws": {"draw": drawn_move.draw},
    "playouts": {"playout": playouts.playout, "batch": playouts.batch},
    playouts.QUICK: {playouts.QUICK: playouts.quick},
    counted.COUNTED: {counted.COUNTED: counted.counted},
    counted.COUNTED_GENERIC: {counted.COUNTED_GENERIC: counted.counted_generic},
    counted.RECORDED: {counted.RECORDED: counted.recorded},
    counted.RECORDED_GENERIC: {counted.RECORDED_GENERIC: counted.recorded_generic},
    playouts.GENERIC_PLAYOUT: {playouts.GENERIC_PLAYOUT: playouts.generic_playout},
}  # fmt: skip
ENTRY_POINTS: dict[str, Emit] = {name: emit for entries in MODULES.values() for name, emit in entries.items()}
MODULE_OF = {entry: module for module, entries in MODULES.items() for entry in entries}
SPECIALIZED = frozenset({"playouts", playouts.QUICK, counted.COUNTED, counted.RECORDED, playouts.GENERIC_PLAYOUT})
WITHOUT_PICKS = frozenset({"rules", "successors", "perft", "draws"})
PLACES = 1 << 20  # numbers available for the errors of a module


@lazy_dataclass(frozen=True)
class Wanted:
    """A module to be compiled. ``baseline``: as fast as possible, without any pass that can be left out. ``only``: with no
    other entry points than these; empty: with all of them."""

    module: str
    baseline: bool = False
    only: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(name for name in MODULES[self.module] if not self.only or name in self.only)

    @property
    def specialized(self) -> bool:
        """Whether the module is compiled from the specialized program, if there is one."""
        return self.module in SPECIALIZED and not self.baseline

    @property
    def level(self) -> int:
        """LLVM's optimization level."""
        return 0 if self.baseline else machine.SPEED

    @property
    def first_place(self) -> int:
        """The number before that of the module's first error. Errors of different modules have different numbers."""
        return list(MODULES).index(self.module) * PLACES

    def __str__(self) -> str:
        return " ".join([self.module, *["baseline"] * self.baseline, *(sorted(self.entries) if self.only else ())])


@lazy_dataclass(frozen=True)
class Text:
    """The LLVM text of a module, and the spans and messages of its errors."""

    ir: str
    places: tuple[tuple[Span, str], ...]


class ProgramForms:
    """A program in the forms from which its modules are compiled. Each is computed once, when it is first needed."""

    def __init__(self, program: n.Program) -> None:
        """Raises ``NativeError`` for numbers that do not fit into 64 bits."""
        _check_numbers(program)
        self.program = program
        self.frame = Frame(program)

    @cached_property
    def specialized(self) -> SpecializedProgram | None:
        return specialize_for_playouts(self.program)

    @cached_property
    def generic(self) -> n.Program:
        return prepare_generic(self.program)

    @cached_property
    def why_not_lockstep(self) -> str | None:
        """The reason why playouts cannot run in lockstep, or None if they can."""
        return why_not_lockstep(self.specialized, new_unit(self.program, self.frame))

    @cached_property
    def core(self) -> str:
        """The printed Core."""
        return print_core(self.program)


def write(forms: ProgramForms, wanted: Wanted) -> Text:
    """The LLVM text of a module."""
    with without_collection():
        return _written(forms, wanted)


@contextmanager
def without_collection() -> Iterator[None]:
    """Suspends garbage collection: nearly all objects stay alive until the end, and collection takes a fifth of the
    time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _written(forms: ProgramForms, wanted: Wanted) -> Text:
    unit = new_unit(forms.program, forms.frame)
    unit.has_deposit = machine.has_cpu_feature("bmi2")
    unit.has_lanes = unit.has_lane_shifts = machine.has_cpu_feature("avx2")
    unit.first_place = wanted.first_place
    unit.special = forms.specialized if wanted.specialized else None
    if unit.special is None and not wanted.baseline:
        unit.program = forms.generic
    unit.generic_apart, unit.picks = True, wanted.module not in WITHOUT_PICKS
    unit.in_lockstep = wanted.specialized and why_not_lockstep(unit.special, unit) is None
    for name in wanted.entries:
        MODULES[wanted.module][name](unit)
    unit.write_all()
    text = Text(str(unit.module), tuple(unit.places))
    unit.forget()
    return text


def _check_numbers(program: n.Program) -> None:
    """Raises ``NativeError`` for numbers that do not fit into 64 bits."""
    for var in program.variables:
        t = var.type.inner if isinstance(var.type, n.StackT) else var.type
        if isinstance(t, n.SingleT):
            low, high = limits(t)
            if not -(1 << 62) <= low <= high < 1 << 62:
                raise NativeError(f"{var.name} ranges over {low}..{high}: too wide for machine code")
