"""The result of an exploration: states in breadth-first order, the edges between them, how each was first reached."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from gamedsl.engine import Game, Move, State
from gamedsl.lab.base import Bytes, Clock, Ints, Numbers, move_of, numbered_drawing, successors
from gamedsl.lab.explore.checkpoint import Resumed
from gamedsl.lab.symmetry import Canonicalizer, Symmetry
from gamedsl.language.source import FileError, GameDSLError

WHOLE = "whole"  # nothing stopped it
NO_ACTION = -1  # in place of an action number: the successors cannot even be listed


class Store(Protocol):
    """Storage of states by number."""

    def __len__(self) -> int: ...

    def state(self, i: int) -> State:
        """Returns the state with this number."""

    def blocks(self) -> Ints:
        """Returns the number of the block at whose end each state is."""

    def kinds(self) -> Bytes:
        """Returns the kind of stop of every state (see ``successor_list.KINDS``)."""

    def seats(self) -> Bytes:
        """Returns the player to act in every state; -1 for chance and at the end."""

    def returns(self, i: int) -> tuple[int, ...]:
        """Returns the players' utilities in a terminal state."""


class Links(Protocol):
    """The edges of a graph; see ``Graph``."""

    @property
    def first(self) -> Numbers: ...

    @property
    def target(self) -> Numbers: ...

    @property
    def weight(self) -> Ints | None: ...

    def action(self, i: int, j: int) -> int:
        """Returns the number of the first action from state i to state j; -1 if there is none."""


@dataclass(frozen=True)
class Fault:
    """A rules error: its state and action (``NO_ACTION``: the successors cannot be listed)."""

    state: int
    action: int
    error: GameDSLError


@dataclass(frozen=True)
class Faults:
    """Rules errors, by state and action.

    ``rows``, shape (n, 3): state, action, and an id of place and message; faults with the same id differ only in
    numbers within the message. ``describe`` returns one as the engine reports it, which takes long for many.
    """

    rows: Ints
    describe: Callable[[int, int], Fault]

    @staticmethod
    def of(faults: Sequence[Fault]) -> Faults:
        """Wraps faults that are already known."""
        known = {(f.state, f.action): f for f in faults}
        numbers: dict[tuple[str, str], int] = {}
        keys = [(str(f.error.diagnostics[0].span), f.error.diagnostics[0].message) for f in faults]
        rows = [(f.state, f.action, numbers.setdefault(k, len(numbers))) for f, k in zip(faults, keys, strict=True)]
        return Faults(np.array(rows, dtype=np.int64).reshape(-1, 3), lambda state, action: known[state, action])

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Fault]:
        return (self.describe(state, action) for state, action, _ in self.rows.tolist())

    def __getitem__(self, i: int) -> Fault:
        return self.describe(int(self.rows[i, 0]), int(self.rows[i, 1]))

    @property
    def states(self) -> Ints:
        """The state of each."""
        return self.rows[:, 0]

    @property
    def distinct(self) -> list[Fault]:
        """The first fault of each place and message, by state."""
        first = np.unique(self.rows[:, 2], return_index=True)[1]
        return sorted((self[int(i)] for i in first), key=lambda f: f.state)


@dataclass(repr=False, eq=False)
class Graph:
    """The states found in breadth-first order: state 0 is the first, and depth never decreases.

    ``expanded``: this many states, the first ones, have been expanded, with ``edge_count`` edges.
    ``first[i]:first[i + 1]`` are the edges of state i in the canonical order of its actions, so an action's number
    is its edge minus ``first[i]``; ``target[e]`` is where edge e leads (-1: to a rules error, listed in
    ``faults``); ``weight`` has an integer per edge (1 except for chance), or is None if there is no chance. These
    three may be computed on demand, which takes about as long as exploring: see ``graph_edges``.

    ``parent[i]`` is the state from which state i was first reached (-1 for state 0). ``levels[d]`` is the number of
    the first state at depth d; a step is one action: a choice of one player or one chance outcome. ``layered``:
    every edge is known to lead from one level to the next. ``stopped``: ``WHOLE``, or what cut the search short:
    "states", "depth", "time", "memory", "stopped" (by request), "drawings" (only some of those possible were
    tried). ``turns``: the symmetries, if each state represents its orbit; ``begun`` is the first state as it was
    given, before symmetries are applied. ``resumed``: what was loaded from a file; ``unsaved``: why it could not be
    written to one.
    """

    game: Game
    store: Store
    expanded: int
    links: Links
    edge_count: int
    parent: Numbers
    levels: list[int]
    stopped: str
    faults: Faults = field(default_factory=lambda: Faults.of(()))
    seconds: float = 0.0
    drawing_seed: int = 0
    turns: list[Symmetry] = field(default_factory=list)
    begun: State | None = None
    layered: bool = False
    resumed: Resumed | None = None
    unsaved: FileError | None = None

    def __len__(self) -> int:
        return len(self.store)

    def __repr__(self) -> str:
        return f"Graph({self.game.program.name!r}, {len(self)} states, {self.stopped})"

    @property
    def whole(self) -> bool:
        """Whether the graph contains every reachable state, with all its successors."""
        return self.stopped == WHOLE

    @property
    def complete_depth(self) -> int:
        """The depth up to which every state has been found."""
        return self.depth(min(self.expanded, len(self) - 1))

    def state(self, i: int) -> State:
        return self.store.state(i)

    def blocks(self) -> Ints:
        """Returns the number of the block at whose end each state is."""
        return self.store.blocks()

    def kinds(self) -> Bytes:
        """Returns the kind of stop of every state: 0 end, 1 move, 2 choose a value, 3 chance, 4 together, 5 drawing."""
        return self.store.kinds()

    def seats(self) -> Bytes:
        """Returns the player to act in every state (the first one still to choose in a simultaneous choice); -1 for
        chance and at the end.
        """
        return self.store.seats()

    def returns(self, i: int) -> tuple[int, ...]:
        """Returns the players' utilities in the terminal state i."""
        return self.store.returns(i)

    @property
    def first(self) -> Numbers:
        return self.links.first

    @property
    def target(self) -> Numbers:
        return self.links.target

    @property
    def weight(self) -> Ints | None:
        return self.links.weight

    def depth(self, i: int) -> int:
        """Returns the depth of state i."""
        return bisect_right(self.levels, i) - 1

    def successors(self, i: int) -> Numbers:
        """Returns the successors of state i in canonical order (state i must be expanded)."""
        return self.target[self.first[i] : self.first[i + 1]]

    def edge_sources(self) -> Ints:
        """Returns the state that each edge leaves."""
        return np.repeat(np.arange(self.expanded, dtype=np.int64), np.diff(self.first))

    def move(self, i: int, action: int) -> Move:
        """Returns an action of state i as a move."""
        state = self.state(i)
        return numbered_drawing(state, self.drawing_seed, action) if state.kind == "drawing" else move_of(state, action)

    def path(self, i: int) -> list[tuple[int, int]]:
        """Returns a shortest game to state i, as (state, number of the action taken), from state 0 on."""
        found: list[tuple[int, int]] = []
        while self.parent[i] >= 0:
            before = int(self.parent[i])
            found.append((before, self.action_between(before, i)))
            i = before
        return found[::-1]

    def action_between(self, i: int, j: int) -> int:
        """Returns the number of the first action from state i to state j. Raises ``ValueError`` if there is none."""
        found = self.links.action(i, j)
        if found < 0:
            raise self._unlinked(i, j)
        return found

    def _unlinked(self, i: int, j: int) -> Exception:
        if self.resumed is None:
            return ValueError(f"no action leads from state {i} to state {j}")
        return self.resumed.refused(f"state {j} is not a successor of state {i}")

    def moves(self, i: int) -> list[Move]:
        """Returns the moves of a shortest game to state i (with symmetries: to a state in its orbit)."""
        return self.moves_along([*[j for j, _ in self.path(i)][1:], i] if i else [])[0]

    @property
    def start(self) -> State:
        """The first state."""
        return self.begun or self.state(0)

    def moves_along(self, numbers: list[int], clock: Clock | None = None) -> tuple[list[Move], list[State]]:
        """Returns the moves that lead from the first state through states with these numbers (up to symmetry), and the
        states they reach.

        Raises ``OutOfTime`` when the clock runs out.
        """
        state, here, moves, states = self.start, 0, [], []
        clock = clock or Clock()
        for j in numbers:
            clock.check()
            move, state = self._move_towards(state, here, j)
            moves.append(move)
            states.append(state)
            here = j
        return moves, states

    def _move_towards(self, state: State, i: int, j: int) -> tuple[Move, State]:
        if not self.turns:
            move = self.move(i, self.action_between(i, j))
            return move, self.state(j)
        wanted = self._alike(self.state(j))
        for k, found in enumerate(successors(state)):
            after = found.after
            if after is not None and after.block == self.state(j).block and self._alike(after) == wanted:
                return move_of(state, k), after
        raise self._unlinked(i, j)  # a symmetry maps actions to actions

    @cached_property
    def _alike(self) -> Canonicalizer:
        return Canonicalizer(self.game.program, self.turns)

    def failing(self, fault: Fault) -> tuple[list[Move], Move | None]:
        """Returns a shortest game to a rules error: the legal moves, and the move that ends in the error.

        The latter is None if the successors cannot even be listed.
        """
        if not self.turns or fault.action == NO_ACTION:
            return self.moves(fault.state), None if fault.action == NO_ACTION else self.move(fault.state, fault.action)
        moves, states = self.moves_along(
            [*[j for j, _ in self.path(fault.state)][1:], fault.state] if fault.state else []
        )
        state = states[-1] if states else self.start
        where = fault.error.diagnostics[0].span
        found = (
            k for k, w in enumerate(successors(state)) if w.error is not None and w.error.diagnostics[0].span == where
        )
        return moves, move_of(state, next(found))

    def terminals(self) -> Iterator[int]:
        """Yields the states in which the game is over."""
        return (int(i) for i in np.flatnonzero(self.kinds() == 0))
