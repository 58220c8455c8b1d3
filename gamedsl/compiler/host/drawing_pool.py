"""The drawing pool: drawings made by the generator, as records that compiled rules read.

They are kept in the code cache. Record 0 is the empty paper. The actions from a record, at a stop where a player draws, are its successors.
"""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from random import Random
from typing import TYPE_CHECKING, Any

from gamedsl.compiler.emit.drawing_records import Column, columns, record_size
from gamedsl.compiler.host.code_cache import cached_data
from gamedsl.engine import arranged
from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE, GameDSLError

if TYPE_CHECKING:
    from gamedsl.engine import Game, State


class Pool:
    """The drawings: ``drawing(handle)`` and ``handle(drawing)``."""

    def __init__(self, program: n.Program, game: Game, rng: Random, size: int) -> None:
        self.program = program
        self._drawings: list[tuple[Any, ...]] = [()]
        self._successors: list[tuple[int, int]] = [(0, 0)]
        self._words: Any = None
        for start in _first_drawers(game) if size else []:
            name = f"drawings {size} {rng.getstate()} {version('shapely')}"  # generating them takes seconds
            make = partial(self._grown, start, rng, size)
            self._drawings, self._successors = pickle.loads(cached_data(program, name, ("language", "engine"), make))

    def _grown(self, start: State, rng: Random, size: int) -> bytes:
        self._grow(0, start, rng, size)
        return pickle.dumps((self._drawings, self._successors))

    def _grow(self, handle: int, state: State, rng: Random, size: int) -> None:
        """Adds ``size`` random drawings that extend the record, and one extension for each further drawing decision."""
        after = [state.apply(state.propose(rng)) for _ in range(size)]
        first = len(self._drawings)
        self._successors[handle] = (first, len(after))
        for s in after:
            self._drawings.append(_drawing(s))
            self._successors.append((0, 0))
        for i, s in enumerate(after):
            if isinstance(s.terminator, n.DecideDrawing):
                self._grow(first + i, s, rng, 1)

    @property
    def drawings(self) -> tuple[tuple[Any, ...], ...]:
        """All drawings, by their handles."""
        return tuple(self._drawings)

    def drawing(self, handle: int) -> tuple[Any, ...]:
        return self._drawings[handle]

    def handle(self, drawing: tuple[Any, ...]) -> int:
        """The record of a drawing. A new drawing gets a new record."""
        if drawing not in self._drawings:
            self._drawings.append(drawing)
            self._successors.append((0, 0))
            self._words = None
        return self._drawings.index(drawing)

    def finished(self) -> list[tuple[Any, ...]]:
        """The prepared drawings that are complete, in the order that playouts choose from."""
        found: list[tuple[Any, ...]] = []

        def add(handle: int) -> None:
            first, number = self._successors[handle]
            if not number and handle:
                found.append(self._drawings[handle])
            for i in range(number):
                add(first + i)

        add(0)
        return found

    def records(self) -> Any:
        """All records, as words."""
        if self._words is None:
            program = self.program
            size, found = record_size(program), columns(program)
            words = (ctypes.c_int64 * (size * len(self._drawings)))()
            for i, drawing in enumerate(self._drawings):
                words[i * size], words[i * size + 1] = self._successors[i]
                for column in found:
                    for k, w in enumerate(self._column(column, drawing)):
                        words[i * size + column.offset + k] = w - (1 << 64) if w >> 63 else w
            self._words = words
        return self._words

    def _column(self, column: Column, drawing: tuple[Any, ...]) -> Iterator[int]:
        var = self.program.variables[column.variable]
        assert isinstance(var.type, n.DrawingT)
        for i in range(column.size):
            try:
                value = arranged(drawing, var.type.plan, column.relation, (i,), NOWHERE) if drawing else 0  # type: ignore[arg-type]
            except (GameDSLError, IndexError):
                value = 0
            yield from ((value >> 64 * k) & (1 << 64) - 1 for k in range(column.width))


def _first_drawers(game: Game) -> list[State]:
    """The initial state in a list if a player draws there, else an empty list (then the pool contains only drawings of
    given states)."""
    start = game.initial_state()
    return [start] if isinstance(start.terminator, n.DecideDrawing) else []


def _drawing(state: State) -> tuple[Any, ...]:
    program = state.game.program
    var = next(v for v in program.variables if isinstance(v.type, n.DrawingT))
    found: tuple[Any, ...] = state.slots[state.game.code.offsets[var.index]]
    return found
