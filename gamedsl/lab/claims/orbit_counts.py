"""The exact number of reachable states that the states of a reduced graph represent.

Let G be the symmetries in use, and H those of them that are valid at the first state and map it to itself. H maps
the set of reachable states to itself. If H = G, the reachable states equivalent to a representative are its whole
orbit, and the orbit has |G| / |stabilizer| members (the orbit-stabilizer theorem). Otherwise an orbit may hold
states that no game reaches, for example if only a later phase treats both players alike. In that case the reachable
members of every orbit are found by following the graph, one state for each orbit under H.
"""

from __future__ import annotations

from typing import TypeAlias

from gamedsl.engine import Choice, State
from gamedsl.lab.base import Clock, OutOfTime, successors
from gamedsl.lab.explore import Graph
from gamedsl.lab.symmetry import Canonicalizer, SymmetryAction

Values: TypeAlias = tuple[tuple[object, ...], tuple[Choice, ...]]
MOST_COUNTED = 200_000  # states of a graph
SECONDS = 10.0


def reachable_count(graph: Graph, clock: Clock | None = None) -> int | None:
    """Return how many reachable states the states of a graph with symmetries represent.

    None if there are too many, counting takes too long, or the symmetries in use do not form a group.
    """
    alike, clock = Canonicalizer(graph.game.program, graph.turns), (clock or Clock()).within(SECONDS)
    if len(graph) > MOST_COUNTED or not all(alike.is_group_at(int(b)) for b in set(graph.blocks().tolist())):
        return None
    fixing = _fixing(graph)
    try:
        if len(fixing) < len(graph.turns):
            return _Unfolding(graph, fixing).count(clock)
        return _sum_of_orbits(graph, alike, clock)
    except OutOfTime:
        return None


def _sum_of_orbits(graph: Graph, alike: Canonicalizer, clock: Clock) -> int:
    total = 0
    for i in range(len(graph)):
        clock.check()
        total += alike.likes(graph.state(i))
    return total


def _fixing(graph: Graph) -> list[SymmetryAction]:
    """Return the symmetries that are valid at the first state and map it to itself."""
    start = graph.start
    actions = (SymmetryAction(graph.game.program, t) for t in graph.turns)
    return [a for a in actions if start.block in a.turn.stops and a.values(start) == _values(start)]


def _values(state: State) -> Values:
    return state.slots, state.pending


class _Unfolding:
    """The reachable states of every orbit, found through the graph of their representatives."""

    def __init__(self, graph: Graph, fixing: list[SymmetryAction]) -> None:
        self.graph, self.fixing = graph, fixing
        self.actions = [SymmetryAction(graph.game.program, t) for t in graph.turns]
        self.met: list[set[Values]] = [set() for _ in range(len(graph))]
        self.open: list[tuple[int, State]] = []

    def count(self, clock: Clock) -> int:
        self._meet(0, self.graph.start)
        while self.open:
            clock.check()
            i, state = self.open.pop()
            if i < self.graph.expanded:
                self._expand(i, state)
        return sum(map(len, self.met))

    def _meet(self, i: int, state: State) -> None:
        """Record a state of orbit i, with its images under the symmetries of the first state."""
        if _values(state) not in self.met[i]:
            self.met[i] |= {_values(state), *(a.values(state) for a in self.fixing)}
            self.open.append((i, state))

    def _expand(self, i: int, state: State) -> None:
        """Record the successors of a state of orbit i: the images of its representative's successors."""
        original = self.graph.state(i)
        action = self._between(original, state)
        for k, successor in enumerate(successors(original)):
            if successor.after is not None:
                image = successor.after if action is None else action.state(successor.after)
                self._meet(int(self.graph.successors(i)[k]), image)

    def _between(self, original: State, image: State) -> SymmetryAction | None:
        """Return the symmetry that maps a representative to a state of its orbit; None if they are the same."""
        if _values(original) == _values(image):
            return None
        valid = (a for a in self.actions if original.block in a.turn.stops)
        return next(a for a in valid if a.values(original) == _values(image))
