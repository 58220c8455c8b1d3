"""Symmetries for the compiled explorer: permuting the bytes of a state by steps and lookup tables.

A step is six numbers: its kind, target byte, source byte, size in bytes, start of its table, and for a set the
number of bytes that can hold members. ``COPY`` copies; ``ELEMENT`` maps a code through the table; ``SET`` unites
the table entries of all bytes of the set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Frame
from gamedsl.lab.base import Ints
from gamedsl.lab.symmetry.canonical_states import slots_moved
from gamedsl.lab.symmetry.symmetries import NoSymmetry, Symmetry, symmetries
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n

COPY, ELEMENT, SET = range(3)  # kinds of steps


def acts_on_compiled_states(program: n.Program, turns: Sequence[Symmetry]) -> bool:
    """Whether these symmetries can act on compiled states (not with open choices, nor stacks of permuted elements)."""
    if turns and any(isinstance(b.end, n.DecideTogether) for b in program.blocks):
        return False
    stacked = {
        v.type.inner.domain
        for v in program.variables
        if isinstance(v.type, n.StackT) and isinstance(v.type.inner, n.ElemT)
    }
    return not any(t.moves(d) for t in turns for d in stacked)


class SymmetrySteps(NamedTuple):
    """Symmetries as steps, in the form that the loops take.

    ``steps``: int64, shape (steps, 6); ``starts``: int64, shape (blocks, symmetries + 1): for each block the start
    of each symmetry's steps, and the end of the last; shape (1, 1) without symmetries; ``maps``: uint64, the lookup
    tables of the steps.
    """

    steps: Ints
    starts: Ints
    maps: npt.NDArray[np.uint64]


def symmetry_steps(program: n.Program, turns: list[Symmetry]) -> SymmetrySteps:
    """Returns these symmetries of a program as steps. Raises ``NoSymmetry`` if they do not act on compiled states."""
    if not acts_on_compiled_states(program, turns):
        raise NoSymmetry("symmetries of compiled states do not support open choices and stacks")
    return _StepBuilder(program).build(turns)


class _StepBuilder:
    """Collects the steps of symmetries, and the lookup tables that they share."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self._maps: list[int] = [0]
        self._known: dict[tuple[int, object], tuple[int, int]] = {}

    @cached_property
    def frame(self) -> Frame:
        return Frame(self.program)

    def build(self, turns: list[Symmetry]) -> SymmetrySteps:
        rows: list[tuple[int, ...]] = []
        starts = [self._block(turns, b.index, rows) for b in self.program.blocks] if turns else [[0]]
        return SymmetrySteps(
            np.array(rows, dtype=np.int64).reshape(-1, 6),
            np.array(starts, dtype=np.int64),
            np.array(self._maps, dtype=np.uint64),
        )

    def _block(self, turns: list[Symmetry], block: int, rows: list[tuple[int, ...]]) -> list[int]:
        """Adds the steps for states at the end of a block. Returns the start of each symmetry's steps, and the end of
        the last.
        """
        starts = [len(rows)]
        for number, turn in enumerate(turns):
            if block in turn.stops:
                for var in turn.program.variables:
                    if var.index not in turn.resting[block]:
                        rows.extend(self._variable(number, turn, var))
            starts.append(len(rows))
        return starts

    def _variable(self, number: int, turn: Symmetry, var: n.Var) -> Iterator[tuple[int, ...]]:
        place, target = self.frame.place(var), self.frame.places[turn.variables[var.index]]
        kind, size, table, members = self._value(number, turn, var)
        for here, there in enumerate(slots_moved(turn, var)):
            to, at = target.offset + there * target.stride, place.offset + here * place.stride
            if to != at or kind != COPY:
                yield kind, to, at, size, table, members

    def _value(self, number: int, turn: Symmetry, var: n.Var) -> tuple[int, int, int, int]:
        """Returns kind, size, table and member bytes of the step for one slot."""
        place = self.frame.place(var)
        inner = var.type.inner if isinstance(var.type, n.OptT | n.StackT) else var.type
        if not isinstance(inner, n.ElemT | n.SetT) or not turn.moves(inner.domain):
            return COPY, place.stride, 0, 0
        key = (number, var.type)
        if key not in self._known:
            self._known[key] = len(self._maps), self._table(turn, var)
        table, members = self._known[key]
        return SET if isinstance(var.type, n.SetT) else ELEMENT, place.cell.size, table, members

    def _table(self, turn: Symmetry, var: n.Var) -> int:
        """Adds the table of a type. Returns the number of bytes that can hold members of a set, or 0."""
        t = var.type
        if not isinstance(t, n.SetT):
            low, high = limits(t)
            self._maps += [turn.value(t, code) - low for code in range(low, high + 1)]
            return 0
        size, moved = t.domain.size, turn.of(t.domain)
        words = -(-self.frame.place(var).cell.size // 8)
        for b in range(-(-size // 8)):
            for byte in range(256):
                found = sum(1 << moved[8 * b + i] for i in range(8) if byte >> i & 1 and 8 * b + i < size)
                self._maps += [found >> 64 * w & (1 << 64) - 1 for w in range(words)]
        return -(-size // 8)


def kept_seats(program: n.Program) -> SymmetrySteps:
    """Returns the symmetries that fix the players, as steps; none if they do not act on compiled states."""
    try:
        return symmetry_steps(program, symmetries(program, seats=False))
    except NoSymmetry:
        return symmetry_steps(program, [])
