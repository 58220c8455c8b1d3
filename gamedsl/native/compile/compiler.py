"""Compiles a program of the Core to an LLVM module with its entry points."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gamedsl.core import limits
from gamedsl.core.nodes import BoolT, ElemT, IntT, OptT, Program, StackT
from gamedsl.native.compile import machine
from gamedsl.native.compile.lowerings import new_unit, write_all
from gamedsl.native.emit import actions, apply
from gamedsl.native.emit.entries import entry_points as entries
from gamedsl.native.emit.entries import python_api as api
from gamedsl.native.emit.entries import utilities as utilities
from gamedsl.native.emit.state_layout import Frame
from gamedsl.native.emit.successors import packed_states as rows
from gamedsl.native.emit.successors import packed_successors as expand
from gamedsl.native.errors import NativeError
from gamedsl.native.playouts import counted, perft
from gamedsl.native.playouts import generic as playouts
from gamedsl.native.playouts.lockstep import why_not as why_not_lockstep
from gamedsl.native.transform.pipeline import specialize_for_playouts
from gamedsl.native.transform.prepare_generic import prepare_generic
from gamedsl.source import Span

ENTRIES = {
    "initial": entries.initial, "kind": entries.kind, "seat": entries.seat, "returns": entries.returns,
    "step": entries.step, "error": entries.errors,
    "block": entries.block, "open": entries.still, "count": actions.count, "move": actions.move, "do": apply.apply,
    "weight": actions.weight, "playout": playouts.playout, "batch": playouts.batch, "perft": perft.perft,
    "lockstep": playouts.lockstep_batch, "in_lockstep": playouts.in_lockstep, "expand": expand.expand,
    "pack": rows.pack, "unpack": rows.unpack,
    "scores": utilities.scores, "outcome_bounds": utilities.outcome_bounds_entry,
    "legal": api.legal, "after": api.after, "actors": api.actors, "payoffs": api.payoffs,
}  # fmt: skip
PLAYS = frozenset({"playout", "batch", "lockstep", "in_lockstep"})  # playouts: they take longest to compile
# Each in a module of its own, with nothing else but errors; those in GENERIC without a specialized program.
ALONE = {
    playouts.QUICK: playouts.quick,
    counted.COUNTED: counted.counted, counted.COUNTED_GENERIC: counted.counted_generic,
    counted.RECORDED: counted.recorded, counted.RECORDED_GENERIC: counted.recorded_generic,
}  # fmt: skip
GENERIC = frozenset({counted.COUNTED_GENERIC, counted.RECORDED_GENERIC})


@dataclass(frozen=True)
class Wanted:
    """The entry points of a module: the rules', with or without playouts and their lockstep form, or ``only`` one of
    ``ALONE``. ``prompt``: compiled as fast as possible, by no pass that could be left out."""

    plays: bool = True
    lockstep: bool = True
    only: str = ""
    prompt: bool = False

    @property
    def emitted(self) -> tuple[str, ...]:
        if self.only:
            return (self.only, "error")
        return tuple(name for name in ENTRIES if name not in self._left_out)

    @property
    def _left_out(self) -> frozenset[str]:
        if not self.plays:
            return PLAYS
        return frozenset() if self.lockstep else frozenset({"lockstep"})

    @property
    def names(self) -> tuple[str, ...]:
        """All public functions."""
        return (*self.emitted, "path_words")

    @property
    def specialized(self) -> bool:
        """Are plays made by code for the specialized program, if there is one?"""
        if self.prompt:
            return False
        return self.only not in GENERIC if self.only else self.plays

    @property
    def level(self) -> int:
        """LLVM's optimization level."""
        return 0 if self.prompt else machine.SPEED

    @property
    def key(self) -> str:
        """Tells the codes of a program apart."""
        return (
            f"{self.only} prompt" if self.prompt else self.only if self.only else "" if self.plays else "without plays"
        )


@dataclass(frozen=True)
class Text:
    """The module's text, and the spans and messages of its errors, numbered from 1."""

    ir: str
    places: tuple[tuple[Span, str], ...]


def write(program: Program, frame: Frame, wanted: Wanted = Wanted()) -> Text:
    """The LLVM text of a program with these entry points."""
    _check(program)
    with _without_collection():
        return _written(program, frame, wanted)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Suspends garbage collection: nearly all objects stay alive until the end, and collecting takes a fifth of the
    time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _written(program: Program, frame: Frame, wanted: Wanted) -> Text:
    unit = new_unit(program, frame)
    unit.has_deposit, unit.has_lanes = machine.has_cpu_feature("bmi2"), machine.has_cpu_feature("avx2")
    unit.special = specialize_for_playouts(program) if wanted.specialized else None
    if unit.special is None and not wanted.prompt:
        unit.program = prepare_generic(program)
    unit.in_lockstep = wanted.specialized and why_not_lockstep(unit.special, unit) is None
    for name in wanted.emitted:
        (ALONE if name in ALONE else ENTRIES)[name](unit)
    write_all(unit)
    text = Text(str(unit.module), tuple(unit.places))
    unit.forget()
    return text


def _check(program: Program) -> None:
    """Raises ``NativeError`` for numbers that do not fit into 64 bits."""
    for var in program.variables:
        t = var.type.inner if isinstance(var.type, StackT) else var.type
        if isinstance(t, BoolT | IntT | ElemT | OptT):
            low, high = limits(t)
            if not -(1 << 62) <= low <= high < 1 << 62:
                raise NativeError(f"{var.name} ranges over {low}..{high}: too wide for machine code")
