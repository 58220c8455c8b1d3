"""The real winners in a graph whose states represent others with permuted seats.

The first position need not be symmetric under a permutation of seats, so a result of one player does not imply that
another can have it too. Games are followed through the graph with their real seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from gamedsl.engine import State
from gamedsl.lab.base import Clock, successors
from gamedsl.lab.explore import Graph
from gamedsl.lab.symmetry import Permutation, SymmetryAction

Winners: TypeAlias = frozenset[int]
SECONDS = 20.0


def moves_seats(graph: Graph) -> bool:
    """Whether there are states that represent others with permuted seats."""
    return any(turn.seats != tuple(range(len(turn.seats))) for turn in graph.turns)


def real_winners(graph: Graph, sets: set[Winners], clock: Clock | None = None) -> tuple[set[Winners], bool]:
    """Returns the sets of winners of games from the first position, and whether they are complete (not if time ran
    out).

    ``sets``: the sets of winners of the graph's terminal states.
    """
    walk = _Walk(graph)
    possible = {frozenset(s[p] for p in winners) for winners in sets for s in walk.seatings()}
    met: set[Winners] = set()
    clock = (clock or Clock()).within(SECONDS)
    for winners in walk.results():
        if winners is not None:
            met.add(winners)
        if met == possible:
            return met, True
        if clock.is_over:
            return met, False
    return met, graph.whole


class _Walk:
    """A walk through a graph that pairs each state with its real seating and visits each pair once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.turned = [SymmetryAction(graph.game.program, turn) for turn in graph.turns]
        self.same = tuple(range(graph.game.num_players))

    def seatings(self) -> set[Permutation]:
        """Returns all possible seatings."""
        makers = {t.turn.seats for t in self.turned}
        found, todo = {self.same}, [self.same]
        while todo:
            here = todo.pop()
            for m in makers:
                there = tuple(m[p] for p in here)
                if there not in found:
                    found.add(there)
                    todo.append(there)
        return found

    def results(self) -> Iterator[Winners | None]:
        """Yields the winners of games that end, and None for every pair from which the game continues."""
        todo = [(0, seats) for seats in self.between(self.graph.start, self.graph.state(0))]
        known = set(todo)
        while todo:
            i, seats = todo.pop()
            state = self.graph.state(i)
            yield frozenset(seats[p] for p in state.winners) if state.is_terminal else None
            if i >= self.graph.expanded:
                continue
            for k, successor in enumerate(successors(state)):
                if successor.after is None:
                    continue
                j = int(self.graph.successors(i)[k])
                for inner in self.between(successor.after, self.graph.state(j)):
                    pair = j, tuple(seats[p] for p in inner)
                    if pair not in known:
                        known.add(pair)
                        todo.append(pair)

    def between(self, state: State, other: State) -> set[Permutation]:
        """Returns every mapping from the seats of the representative ``other`` to those of a state."""
        wanted = other.slots, other.pending
        mine = (t for t in self.turned if state.block in t.turn.stops)  # elsewhere a symmetry has no meaning
        found = {_back(t.turn.seats) for t in mine if t.values(state) == wanted}
        return found | {self.same} if (state.slots, state.pending) == wanted else found


def _back(moved: Permutation) -> Permutation:
    """Returns the inverse permutation."""
    found = [0] * len(moved)
    for i, j in enumerate(moved):
        found[j] = i
    return tuple(found)
