"""The explorer: every distinct state that can be reached, breadth first; small games on the engine, others compiled."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gamedsl.check.base.arrays import Bytes, Ints
from gamedsl.check.base.clock import Clock
from gamedsl.check.base.successors import DRAWING, Way, drawings, each_way, kind_of, seat_of
from gamedsl.check.explore.compiled import explore_native, explores, suits
from gamedsl.check.explore.edges import Kept
from gamedsl.check.explore.graph import NO_WAY, WHOLE, Fault, Graph
from gamedsl.check.explore.limits import Limits, Progress, Watch, look
from gamedsl.check.symmetry.canonical_states import Canonical
from gamedsl.check.symmetry.symmetries import Turn
from gamedsl.core.nodes import Chance
from gamedsl.engine.game import Game
from gamedsl.engine.state import State
from gamedsl.native import compile_program
from gamedsl.source.diagnostic import GameDSLError, UsageError

__all__ = ["Limits", "Progress", "Watch", "explore"]

Key: TypeAlias = tuple[int, tuple[Any, ...], tuple[Any, ...]]
FEW = 6000  # states that the engine has explored before rules are compiled
FEW_SECONDS = 1.5
LEAST_SECONDS = 0.5  # for compiled rules, however long they took to compile


def explore(
    game: Game,
    limits: Limits | None = None,
    *,
    start: State | None = None,
    turns: Sequence[Turn] = (),
    native: bool | None = None,
    threads: int = 1,
    checkpoint: Path | None = None,
    watch: Watch | None = None,
    clock: Clock | None = None,
) -> Graph:
    """The graph of the states that can be reached from ``start`` (the first state if None), as far as the limits allow.

    ``turns`` are symmetries (see ``symmetry.symmetries``): one state stands for all that are alike. ``native``: on compiled
    rules, on the engine, or (None) compiled when there are many states and the rules suit; the graph is the same, but
    for which state stands for its likes. ``threads`` share the work on compiled rules; ``checkpoint`` is a file to go on
    from if it is there, and to write at the end and now and then (compiled rules only). ``watch`` is told now and then
    how far it is. ``clock`` bounds the time as well: what is compiled is counted, and somebody may ask to stop.

    Raises ``GameDSLError`` when there is no first state, as the rules go wrong before it.
    """
    limits, start, clock = limits or Limits(), start or game.initial_state(), clock or Clock()
    clock = clock.within(limits.seconds)
    limits = replace(limits, stopped=clock.stopped)
    can = explores(game.program, turns)
    if checkpoint is not None and (native is False or not suits(game.program, turns)):
        raise UsageError(
            "a checkpoint is only for rules that are explored compiled and note no positions", code="E0001"
        )
    if native is False or not can:
        return _Search(game, limits, list(turns), watch).run(start)
    first = None if native or checkpoint else _few(game, limits, start, list(turns), watch)
    if first is not None and _is_enough(first, limits):
        return first
    clock.say("compiling the rules")
    native_rules = compile_program(game.program, game, plays=False)
    if first is not None and clock.left < LEAST_SECONDS:
        return replace(first, stopped="time")
    clock.say("preparing the search")
    if limits.seconds is not None:
        limits = replace(limits, seconds=max(LEAST_SECONDS, clock.left))
    return explore_native(
        game, native_rules, limits, start=start, turns=turns, threads=threads, checkpoint=checkpoint, watch=watch
    )


def _is_enough(graph: Graph, limits: Limits) -> bool:
    """Is there nothing more to find for compiled rules, or no time for them?"""
    return _in_short(limits) or graph.stopped not in ("states", "time")


def _in_short(limits: Limits) -> bool:
    """Are so few states or seconds allowed that the engine is as good as compiled rules?"""
    few_states = limits.states is not None and limits.states <= FEW
    return few_states or (limits.seconds is not None and limits.seconds <= FEW_SECONDS)


def _few(game: Game, limits: Limits, start: State, turns: list[Turn], watch: Watch | None) -> Graph:
    """The graph of the first states: small ones are explored before rules could be compiled."""
    if _in_short(limits):
        return _Search(game, limits, turns, watch).run(start)
    soon = FEW_SECONDS if limits.seconds is None else min(FEW_SECONDS, limits.seconds)
    return _Search(game, replace(limits, states=FEW, seconds=soon), turns, None).run(start)


class EngineStore:
    """States of the engine by number, as their values."""

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
        return State(self.game, block, slots, pending)

    def blocks(self) -> Ints:
        return np.array([block for block, _, _ in self.keys], dtype=np.int64)

    def kinds(self) -> Bytes:
        return np.array(self._kinds, dtype=np.int8)

    def seats(self) -> Bytes:
        return np.array(self._seats, dtype=np.int8)

    def returns(self, i: int) -> tuple[int, ...]:
        return self.state(i).returns


@dataclass
class _Search:
    game: Game
    limits: Limits
    turns: list[Turn]
    watch: Watch | None
    first: array[int] = field(default_factory=lambda: array("q", (0,)))
    target: array[int] = field(default_factory=lambda: array("q"))
    weight: array[int] = field(default_factory=lambda: array("q"))
    parent: array[int] = field(default_factory=lambda: array("q"))
    levels: list[int] = field(default_factory=lambda: [0])
    faults: list[Fault] = field(default_factory=list)
    known: dict[Key, int] = field(default_factory=dict)
    sampled: bool = False

    def __post_init__(self) -> None:
        self.store = EngineStore(self.game)
        self.began = time.perf_counter()
        self.canonical = Canonical(self.game.program, self.turns) if self.turns else None

    def run(self, start: State) -> Graph:
        """Level by level: all states one step further than those before."""
        self.begun = start
        self._number(start, -1)
        begin, stopped = 0, WHOLE
        while begin < len(self.store) and stopped == WHOLE:
            end = len(self.store)
            stopped = self._level(begin, end)
            if len(self.store) > end:
                self.levels.append(end)
            begin = end
        if stopped == WHOLE and self.sampled:
            stopped = "drawings"
        return self._graph(stopped)

    @property
    def expanded(self) -> int:
        return len(self.first) - 1

    def _level(self, begin: int, end: int) -> str:
        if self.limits.depth is not None and len(self.levels) > self.limits.depth:
            return "depth" if any(kind != 0 for kind in self.store.kinds()[begin:end]) else self._expand_all(begin, end)
        return self._expand_all(begin, end)

    def _expand_all(self, begin: int, end: int) -> str:
        for i in range(begin, end):
            stopped = self._look()
            if stopped == WHOLE:
                stopped = self._expand(i)
            if stopped != WHOLE:
                return stopped
        return WHOLE

    def _look(self) -> str:
        seconds = time.perf_counter() - self.began
        return look(self.limits, self.watch, Progress(len(self.store), self.expanded, len(self.levels) - 1, seconds))

    def _expand(self, i: int) -> str:
        """Adds the ways on from a state. Where a limit is reached meanwhile, says which one; only states are added then."""
        faults: list[Fault] = []
        targets: list[int] = []
        weights: list[int] = []
        found = self._ways(i, faults)
        if found is None:
            return self._look()
        for k, way in enumerate(found):
            after = -1 if way.after is None else self._number(way.after, i)
            if after is None:
                return "states"
            if way.error is not None:
                faults.append(Fault(i, k, way.error))
            targets.append(after)
            weights.append(way.weight)
        self.faults += faults
        self.target.extend(targets)
        self.weight.extend(weights)
        self.first.append(len(self.target))
        return WHOLE

    def _is_over(self) -> bool:
        """Is the time up, or has somebody asked to stop? (A single state can have many ways on, each of which takes long.)"""
        asked = self.limits.stopped is not None and self.limits.stopped.is_set()
        late = self.limits.seconds is not None and time.perf_counter() - self.began > self.limits.seconds
        return asked or late

    def _ways(self, i: int, faults: list[Fault]) -> list[Way] | None:
        """All ways on from a state; None when the time is up meanwhile."""
        state = self.store.state(i)
        if kind_of(state) == DRAWING:
            self.sampled = True
            return drawings(state, self.limits.seed, self.limits.drawings)
        found: list[Way] = []
        try:
            for way in each_way(state):
                found.append(way)
                if self._is_over():
                    return None
        except GameDSLError as error:
            faults.append(Fault(i, NO_WAY, error))
            return []
        return found

    def _number(self, state: State, parent: int) -> int | None:
        """The number of a state, a new one if need be; None when there is no room for it."""
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

    def _graph(self, stopped: str) -> Graph:
        chance = any(isinstance(b.end, Chance) for b in self.game.program.blocks)
        return Graph(
            self.game,
            self.store,
            self.expanded,
            Kept(_ints(self.first), _ints(self.target), _ints(self.weight) if chance else None),
            len(self.target),
            _ints(self.parent),
            self.levels,
            stopped,
            self.faults,
            time.perf_counter() - self.began,
            self.limits.seed,
            self.turns,
            self.begun,
        )


def _ints(values: array[int]) -> Ints:
    return np.array(values, dtype=np.int64)
