"""The examined part of a ruleset's state space, with cached answers to the questions of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from gamedsl.engine import Game
from gamedsl.lab.base import CHANCE, TOGETHER, Clock, Evidence, Ints, OutOfTime, Status, holds_in
from gamedsl.lab.claims.compiled_claims import AT_ONCE, Asker
from gamedsl.lab.claims.random import Sampled, sample_claims
from gamedsl.lab.explore import Edges, Graph, Limits, Made, Mask, NativeStore, costs, explore
from gamedsl.lab.search import Budget
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

# the finding: status, explanation, and a game that demonstrates it
Found: TypeAlias = tuple[Status, str, Evidence | None]


DEFAULT_LIMITS = Limits(states=6000, seconds=2.0)  # for the comparison with the default options
DEFAULT_BUDGET = Budget(plays=100, seconds=3.0)
DEFAULT_SECONDS = 8.0
COMPARED_PLAYS = 20  # fewer games do not show what is unused with the ruleset's own options


@lazy_dataclass()
class StateSpace:
    """The explored states as a graph, with cached answers to the questions of claims, and games beyond the graph.

    Raises ``OutOfTime`` if something takes longer than ``clock`` allows.
    """

    graph: Graph
    sampled: Sampled | None = None
    clock: Clock = field(default_factory=Clock)
    budget: Budget = field(default_factory=Budget)
    default_game: Callable[[], Game | None] = lambda: None
    unmet: dict[str, set[str]] = field(default_factory=dict)  # what did not occur, by default claim

    def __post_init__(self) -> None:
        if isinstance(self.graph.links, Made):
            self.graph.links.clock = self.clock

    @cached_property
    def by_default(self) -> StateSpace | None:
        """A few states of the same ruleset with its own options, if others were chosen here, else None.

        Something unused with the chosen options need not be a fault.
        """
        game = self.default_game()
        if game is None or game.options == self.graph.game.options:
            return None
        clock = self.clock.within(min(DEFAULT_SECONDS, self.clock.left))
        clock.say("comparing with the ruleset's own options")
        graph = explore(game, DEFAULT_LIMITS, clock=clock)
        sampled = None if graph.whole else sample_claims(graph.start, [], DEFAULT_BUDGET, clock)
        return StateSpace(graph, sampled, clock.within(DEFAULT_SECONDS))

    @property
    def seen_enough(self) -> bool:
        """Whether enough was examined to assume that what did not occur never occurs."""
        return self.graph.whole or (self.sampled is not None and self.sampled.met.plays >= COMPARED_PLAYS)

    @cached_property
    def cost(self) -> Ints:
        return costs(self.graph, self.clock)

    @cached_property
    def steps_are_plies(self) -> bool:
        """Whether every action is a ply."""
        kinds = self.graph.kinds()
        return CHANCE not in kinds and TOGETHER not in kinds

    @cached_property
    def edges(self) -> Edges:
        return Edges.of(self.graph, None, self.clock)

    @cached_property
    def first_moves(self) -> tuple[Ints, bool]:
        """For each kind of move the first state where one is legal, and whether all states were examined (compiled
        rules only).
        """
        assert isinstance(self.graph.store, NativeStore)
        return self.graph.store.first_moves(self.clock.within(60.0 if self.graph.whole else 5.0))

    @cached_property
    def parts(self) -> Ints:
        """The part being played in each state."""
        parts = np.array([b.part for b in self.graph.game.program.blocks], dtype=np.int64)
        return parts[self.graph.blocks()]

    def inside(self, part: int) -> Mask:
        """Returns a mask of the states in which a game of a part is being played, also those of parts inside it."""
        played = self.graph.game.parts_played
        return np.array([part in parts for parts in played], dtype=bool)[self.parts]

    @cached_property
    def extent(self) -> str:
        """The explored states in words, and how far they reach if they are not all."""
        count, depth = len(self.graph), self.graph.complete_depth
        states = f"{count:,} state{'s' if count != 1 else ''}"
        if self.graph.whole or not depth:
            return states
        return f"{states} (all of the first {depth} step{'s' if depth != 1 else ''})"

    @property
    def everything(self) -> str:
        """The same in the form used after `in` or `from`."""
        return f"all {self.extent}" if self.graph.whole else self.extent

    @property
    def games(self) -> str:
        """The games that went beyond the explored states, in words; empty if there were none."""
        plays = 0 if self.sampled is None else self.sampled.met.plays
        return f"{plays:,} random game{'s' if plays != 1 else ''}" if plays else ""

    def examined(self, states: str = "") -> str:
        """Describes the explored states (or those that ``states`` describes) and the games beyond them."""
        return " and ".join(filter(None, [states or self.extent, self.games]))

    @property
    def kept(self) -> Status:
        """The status of a condition that holds in every state of the graph: proved if the graph is whole, else merely
        holds.
        """
        return Status.PROVED if self.graph.whole else Status.HOLDS

    def states(self, part: int) -> Ints:
        """Returns the states in which a part, or one that it plays, is being played; all for the top level (0)."""
        if part == 0:
            return np.arange(len(self.graph), dtype=np.int64)
        return np.flatnonzero(self.inside(part))

    def answers(self, e: n.Expr, part: int) -> Iterator[tuple[Ints, Mask]]:
        """Yields batches of states in which a part is being played, in order, each with a mask of those where a
        condition holds.

        Raises ``GameDSLError`` if evaluation fails.
        """
        chosen = self.states(part)
        asker = Asker(self.graph.store, e) if isinstance(self.graph.store, NativeStore) else None
        for at in range(0, len(chosen), AT_ONCE):
            self.clock.check()
            some = chosen[at : at + AT_ONCE]
            if asker is None:
                yield some, np.array([holds_in(self.graph.state(int(i)), e) for i in some], dtype=bool)
                continue
            found, wrong = asker.answers(some)
            if wrong >= 0:
                yield some[:wrong], found[:wrong] != 0
                holds_in(self.graph.state(int(some[wrong])), e)
            yield some, found != 0

    def play_to(self, i: int) -> Evidence | None:
        """Returns a shortest game to state i; None if there is no time left to construct it."""
        return self.play_along(i, [])

    def play_along(self, i: int, rest: list[int], loop: list[int] | None = None) -> Evidence | None:
        """Returns a shortest game to state i, continued through the states ``rest`` and around ``loop``.

        ``loop`` lists its states in order; the first is the last of ``rest``, or i. The game goes around it once,
        or with symmetries until an identical position recurs. None if there is no time left to construct it.
        """
        try:
            return self._play_along(i, rest, loop)
        except OutOfTime:
            return None

    def _play_along(self, i: int, rest: list[int], loop: list[int] | None) -> Evidence:
        graph = self.graph
        before = [*(j for j, _ in graph.path(i)), i][1:] + rest
        if loop is None:
            return Evidence(graph.start, tuple(graph.moves_along(before, self.clock)[0]))
        numbers = list(before)
        while True:
            numbers += [*loop[1:], loop[0]]
            moves, states = graph.moves_along(numbers, self.clock)
            every = [graph.start, *states]
            for at in range(len(before), len(every) - 1, len(loop)):
                if every[at] == every[-1]:
                    return Evidence(graph.start, tuple(moves), at)


def states_where(space: StateSpace, e: n.Expr, part: int) -> Mask:
    """Returns a mask of the states in which a condition holds."""
    found = np.zeros(len(space.graph), dtype=bool)
    for states, held in space.answers(e, part):
        found[states] = held
    return found


def after_steps(space: StateSpace, i: int) -> str:
    depth = space.graph.depth(i)
    return f"after {depth} step{'s' if depth != 1 else ''}; there is no shorter game" if depth else "at the very start"


def status_of_search(space: StateSpace, found: int | None, what: str = "it holds") -> Found:
    """Returns the finding for a search that sought a state, given the state it found, or None."""
    if found is not None:
        return Status.PROVED, f"{what} {after_steps(space, found)}".replace("; there is no shorter game", ""), None
    status = Status.VIOLATED if space.graph.whole else Status.UNKNOWN
    return status, f"in none of {space.extent}", None
