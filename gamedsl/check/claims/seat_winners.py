"""Who really wins, where one state stands for others in which the seats are exchanged.

The first position need not be alike with the one in which seats are exchanged, so a result of one player does not mean
that the other player can have it as well. Plays are followed through the graph with the seats as they really are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from gamedsl.check.base.clock import Clock
from gamedsl.check.base.successors import ways
from gamedsl.check.explore.graph import Graph
from gamedsl.check.symmetry.canonical_states import SymmetryAction
from gamedsl.check.symmetry.symmetries import Permutation
from gamedsl.engine.state import State

Winners: TypeAlias = frozenset[int]
SECONDS = 20.0


def moves_seats(graph: Graph) -> bool:
    """Are there states that stand for others with other seats?"""
    return any(turn.seats != tuple(range(len(turn.seats))) for turn in graph.turns)


def real_winners(graph: Graph, sets: set[Winners], clock: Clock | None = None) -> tuple[set[Winners], bool]:
    """The sets of winners of plays from the first position, given those of the final states of the graph; and whether they
    are all (not when time was short)."""
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
    """Plays through a graph, each state with the seats that its seats really are: a pair is met once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.turned = [SymmetryAction(graph.game.program, turn) for turn in graph.turns]
        self.same = tuple(range(graph.game.num_players))

    def seatings(self) -> set[Permutation]:
        """All that can become of the seats."""
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
        """The winners of plays that end; None for every pair from which a play goes on."""
        todo = [(0, seats) for seats in self.between(self.graph.start, self.graph.state(0))]
        known = set(todo)
        while todo:
            i, seats = todo.pop()
            state = self.graph.state(i)
            yield frozenset(seats[p] for p in state.winners) if state.is_terminal else None
            if i >= self.graph.expanded:
                continue
            for k, way in enumerate(ways(state)):
                if way.after is None:
                    continue
                j = int(self.graph.successors(i)[k])
                for inner in self.between(way.after, self.graph.state(j)):
                    pair = j, tuple(seats[p] for p in inner)
                    if pair not in known:
                        known.add(pair)
                        todo.append(pair)

    def between(self, state: State, other: State) -> set[Permutation]:
        """For a state and the one that stands for it: what the other's seats are in the first, in all ways."""
        wanted = other.slots, other.pending
        mine = (t for t in self.turned if state.block in t.turn.stops)  # elsewhere a symmetry has no meaning
        found = {_back(t.turn.seats) for t in mine if t.values(state) == wanted}
        return found | {self.same} if (state.slots, state.pending) == wanted else found


def _back(moved: Permutation) -> Permutation:
    """The permutation that takes another back."""
    found = [0] * len(moved)
    for i, j in enumerate(moved):
        found[j] = i
    return tuple(found)
