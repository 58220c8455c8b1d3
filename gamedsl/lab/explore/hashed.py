"""Exploration by hash compaction: room for many more states, at a small risk of missing some.

Two states with the same 64-bit hash are taken for one, and the second's successors are missed. For n states the
probability of any collision is at most n (n - 1) / 2 / 2**64 (the birthday bound), so a claim that holds is never
reported as proved. A violation is certain: the engine replays the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from gamedsl.compiler import compile_program
from gamedsl.engine import Game, Move, State
from gamedsl.lab.base import Clock, Ints, Numbers, move_of, successors
from gamedsl.lab.explore.explore_limits import Limits, Progress, Watch, look
from gamedsl.lab.explore.kernels.hash_table import FULLEST, state_hash
from gamedsl.lab.explore.kernels.hashed_kernel import insert_hashed, rehash
from gamedsl.lab.explore.kernels.records import HashedStates
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.resizing import START, longer
from gamedsl.lab.explore.state_graph import NO_ACTION, WHOLE, Fault, Faults
from gamedsl.lab.explore.workspace import Work
from gamedsl.lab.symmetry import symmetry_steps
from gamedsl.language.source import GameDSLError, lazy_dataclass

CHUNK = 8192  # states expanded between two checks of the clock

# called with the states of each depth: their store, and the number of the first; the search ends when it returns True
Level: TypeAlias = Callable[[NativeStore, int], bool]


@lazy_dataclass()
class Hashed:
    """The findings. ``parent[i]`` and ``action[i]`` show how state i was first reached (-1 for state 0)."""

    game: Game
    start: State
    states: int
    levels: list[int]
    parent: Numbers
    action: Numbers
    stopped: str
    faults: Faults = field(default_factory=lambda: Faults.of(()))
    seconds: float = 0.0

    @property
    def odds(self) -> Fraction:
        """Upper bound on the probability that any state was missed."""
        return min(Fraction(1), Fraction(self.states * (self.states - 1), 2 << 64))

    def play(self, i: int) -> tuple[list[Move], State]:
        """Returns a shortest game to state i, and its last state."""
        numbers: list[int] = []
        while self.parent[i] >= 0:
            numbers.append(int(self.action[i]))
            i = int(self.parent[i])
        state, moves = self.start, []
        for k in reversed(numbers):
            move = move_of(state, k)
            moves.append(move)
            state = state.apply(move)
        return moves, state


def explore_hashed(
    game: Game,
    limits: Limits,
    level: Level,
    *,
    start: State | None = None,
    watch: Watch | None = None,
    clock: Clock | None = None,
) -> Hashed:
    """Examines all reachable states, level by level.

    The rules must be supported (see ``support.suits``). Raises ``GameDSLError`` if there is no first state because
    the rules fail before it.
    """
    clock = (clock or Clock()).within(limits.seconds)
    return _Search(game, limits, level, watch, clock).run(start or game.initial_state())


@lazy_dataclass()
class _Search:
    game: Game
    limits: Limits
    level: Level
    watch: Watch | None
    clock: Clock

    def __post_init__(self) -> None:
        self.began = self.clock.now()
        self.store = NativeStore(self.game, compile_program(self.game.program, self.game))
        self.work = Work.of(self.store, symmetry_steps(self.game.program, []), CHUNK, 8 * CHUNK)
        self.fresh: Ints = np.empty_like(self.store.words)
        self.hashes = np.zeros(START * 2, dtype=np.uint64)
        self.parent: Numbers = np.empty(START, dtype=np.int32)
        self.action: Numbers = np.empty(START, dtype=np.int32)
        self.faults: Ints = np.empty((START, 3), dtype=np.int64)
        self.counts = np.zeros(3, dtype=np.int64)
        self.most = self.limits.states if self.limits.states is not None else (1 << 31) - 2

    def run(self, start: State) -> Hashed:
        self._begin(start)
        levels, stopped, first = [0], WHOLE, 0
        while self.store.size and stopped == WHOLE:
            if self.level(self.store, first):
                stopped = "found"
            elif self.limits.depth is not None and len(levels) > self.limits.depth and self.store.kinds().any():
                stopped = "depth"
            else:
                stopped = self._expand(first, len(levels) - 1)
                first += self.store.size
                self.store.words, self.fresh = self.fresh, self.store.words
                self.store.size = int(self.counts[1])
                if self.store.size:
                    levels.append(first)
                    if stopped != WHOLE:
                        self.level(self.store, first)
        n = int(self.counts[0])
        found = Hashed(self.game, start, n, levels, self.parent[:n], self.action[:n], stopped)
        found.faults = Faults(self.faults[: self.counts[2]], lambda i, k: self._fault(found, i, k))
        found.seconds = self.clock.now() - self.began
        return found

    def _begin(self, start: State) -> None:
        self.store.put(0, start)
        self.store.size = 1
        self.parent[0] = self.action[0] = -1
        h = int(state_hash(self.store.words, 0)) or 1
        self.hashes[(h ^ (h >> 32)) & (self.hashes.size - 1)] = h
        self.counts[0] = 1

    def _expand(self, first: int, depth: int) -> str:
        """Generates the successors of the states in the store. Returns the limit that stopped it, else ``WHOLE``."""
        self.counts[1] = 0
        for at in range(0, self.store.size, CHUNK):
            stopped = self._look(first + at, depth)
            if stopped != WHOLE:
                return stopped
            if not self._chunk(first, at, min(self.store.size, at + CHUNK)):
                return "states"
        return WHOLE

    def _chunk(self, first: int, begin: int, end: int) -> bool:
        work = self.work
        bad = work.generate_all(begin, end)
        self._make_room(int(work.counts[: end - begin].sum()) + end - begin)
        found = HashedStates(self.hashes, self.fresh, self.parent, self.action, self.faults, self.counts)
        fine: bool = insert_hashed(found, first + begin, first + end, work.made, bad, self.most)
        return fine

    def _make_room(self, new: int) -> None:

        while self.counts[0] + new >= len(self.parent):
            self.parent, self.action = longer(self.parent), longer(self.action)
        while self.counts[1] + new >= len(self.fresh):
            self.fresh = longer(self.fresh)
        while self.counts[2] + new >= len(self.faults):
            self.faults = longer(self.faults)
        while (self.counts[0] + new) * 10 > self.hashes.size * FULLEST:
            table = np.zeros(2 * self.hashes.size, dtype=np.uint64)
            rehash(self.hashes, table)
            self.hashes = table

    def _look(self, expanded: int, depth: int) -> str:
        seconds = self.clock.now() - self.began
        return look(self.limits, self.watch, Progress(int(self.counts[0]), expanded, depth, seconds), self.clock)

    def _fault(self, found: Hashed, i: int, k: int) -> Fault:
        """Returns the rules error as the engine reports it."""
        state = found.play(i)[1]
        try:
            successor = None if k == NO_ACTION else successors(state)[k]
            if successor is not None and successor.error is not None:
                return Fault(i, k, successor.error)
            state.legal_moves()
        except GameDSLError as error:
            return Fault(i, k, error)
        raise AssertionError("the engine and the compiled rules differ about a rules error")
