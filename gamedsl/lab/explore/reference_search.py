"""Breadth-first search on the engine: supports any rules and any symmetries, and is the reference for the compiled
search.
"""

from __future__ import annotations

from array import array
from dataclasses import field
from typing import Any, TypeAlias

import numpy as np

from gamedsl.engine import Game, State
from gamedsl.lab.base import DRAWING, Bytes, Clock, Ints, Successor, drawings, each_successor, kind_of, seat_of
from gamedsl.lab.explore.explore_limits import Limits, Progress, Watch, look
from gamedsl.lab.explore.graph_edges import Kept
from gamedsl.lab.explore.state_graph import NO_ACTION, WHOLE, Fault, Faults, Graph
from gamedsl.lab.symmetry import Canonicalizer, Symmetry
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass

Key: TypeAlias = tuple[int, tuple[Any, ...], tuple[Any, ...]]


class EngineStore:
    """Engine states by number, stored as their values."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.keys: list[Key] = []
        self._kinds = array("b")
        self._seats = array("b")

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, state: State) -> None:
        self.keys.append((state.block, state.slots, state.pending))
        self._kinds.append(kind_of(state))
        self._seats.append(seat_of(state))

    def state(self, i: int) -> State:
        block, slots, pending = self.keys[i]
        return self.game.make_state(block, slots, pending)

    def blocks(self) -> Ints:
        return np.array([block for block, _, _ in self.keys], dtype=np.int64)

    def kinds(self) -> Bytes:
        return np.array(self._kinds, dtype=np.int8)

    def seats(self) -> Bytes:
        return np.array(self._seats, dtype=np.int8)

    def returns(self, i: int) -> tuple[int, ...]:
        return self.state(i).returns


@lazy_dataclass()
class ReferenceSearch:
    """A resumable search: ``run`` stops at a limit, and continues from there when called again."""

    game: Game
    start: State
    turns: list[Symmetry]
    drawings: int = 4
    seed: int = 0
    watch: Watch | None = None
    first: array[int] = field(default_factory=lambda: array("q", (0,)))
    target: array[int] = field(default_factory=lambda: array("q"))
    weight: array[int] = field(default_factory=lambda: array("q"))
    parent: array[int] = field(default_factory=lambda: array("q"))
    levels: list[int] = field(default_factory=lambda: [0])
    faults: list[Fault] = field(default_factory=list)
    known: dict[Key, int] = field(default_factory=dict)
    sampled: bool = False
    stopped: str = ""

    def __post_init__(self) -> None:
        self.store = EngineStore(self.game)
        self.canonical = Canonicalizer(self.game.program, self.turns) if self.turns else None
        self.limits, self.clock = Limits(), Clock()
        self.seconds = 0.0
        self._number(self.start, -1)

    @property
    def expanded(self) -> int:
        return len(self.first) - 1

    def run(self, limits: Limits, clock: Clock) -> str:
        """Expands level by level within the limits and the clock. Returns what stopped the search."""
        self.limits, self.clock, self.began = limits, clock, clock.now() - self.seconds
        self.stopped = WHOLE
        while self.expanded < len(self.store) and self.stopped == WHOLE:
            is_open = self.levels[-1] > self.expanded  # part of the next level has already been found
            end = self.levels[-1] if is_open else len(self.store)
            self.stopped = self._level(end, len(self.levels) - 1 - is_open)
            if len(self.store) > end and self.levels[-1] < end:
                self.levels.append(end)
        if self.stopped == WHOLE and self.sampled:
            self.stopped = "drawings"
        self.seconds = clock.now() - self.began
        return self.stopped

    def _level(self, end: int, depth: int) -> str:
        if self.limits.depth is not None and depth >= self.limits.depth:
            if any(kind != 0 for kind in self.store.kinds()[self.expanded : end]):
                return "depth"
        while self.expanded < end:
            stopped = self._look()
            if stopped == WHOLE:
                stopped = self._expand(self.expanded)
            if stopped != WHOLE:
                return stopped
        return WHOLE

    def _look(self) -> str:
        progress = Progress(len(self.store), self.expanded, len(self.levels) - 1, self.clock.now() - self.began)
        return look(self.limits, self.watch, progress, self.clock)

    def _expand(self, i: int) -> str:
        """Expands a state. Returns the limit reached on the way, if any; then its edges are not recorded."""
        faults: list[Fault] = []
        targets: list[int] = []
        weights: list[int] = []
        found = self._ways(i, faults)
        if found is None:
            return self._look()
        for k, successor in enumerate(found):
            after = -1 if successor.after is None else self._number(successor.after, i)
            if after is None:
                return "states"
            if successor.error is not None:
                faults.append(Fault(i, k, successor.error))
            targets.append(after)
            weights.append(successor.weight)
        self.faults += faults
        self.target.extend(targets)
        self.weight.extend(weights)
        self.first.append(len(self.target))
        return WHOLE

    def _ways(self, i: int, faults: list[Fault]) -> list[Successor] | None:
        """Returns all successors of a state; None if the time runs out on the way.

        (One state can have many successors, each of which takes long.)
        """
        state = self.store.state(i)
        if kind_of(state) == DRAWING:
            self.sampled = True
            return drawings(state, self.seed, self.drawings)
        found: list[Successor] = []
        try:
            for successor in each_successor(state):
                found.append(successor)
                if self.clock.is_over:
                    return None
        except GameDSLError as error:
            faults.append(Fault(i, NO_ACTION, error))
            return []
        return found

    def _number(self, state: State, parent: int) -> int | None:
        """Returns the number of a state, adding it if it is new; None if there is no room."""
        if self.canonical is not None:
            state = self.canonical(state)
        key = (state.block, state.slots, state.pending)
        number = self.known.get(key)
        if number is not None:
            return number
        if self.limits.states is not None and len(self.store) >= self.limits.states:
            return None
        number = self.known[key] = len(self.store)
        self.store.add(state)
        self.parent.append(parent)
        return number

    def graph(self) -> Graph:
        """Returns the graph found so far."""
        chance = any(isinstance(b.end, n.Chance) for b in self.game.program.blocks)
        return Graph(
            self.game,
            self.store,
            self.expanded,
            Kept(_ints(self.first), _ints(self.target), _ints(self.weight) if chance else None),
            len(self.target),
            _ints(self.parent),
            self.levels,
            self.stopped,
            Faults.of(self.faults),
            self.seconds,
            self.seed,
            self.turns,
            self.start,
        )


def _ints(values: array[int]) -> Ints:
    return np.array(values, dtype=np.int64)
