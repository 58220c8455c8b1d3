"""A graph of states that is expanded where samples reach it, in arrays for the compiled loops."""

from __future__ import annotations

import numpy as np

from gamedsl.engine import State
from gamedsl.lab.equilibrium.expansion import Results, StateExpander
from gamedsl.lab.equilibrium.kernels.graph_sampling import UNKNOWN, World
from gamedsl.lab.explore import longer

START = 1 << 10  # initial number of rows


class GrowingGraph:
    """The states met so far.

    ``world`` holds them for the kernels; ``order``: the states that were expanded, in order.
    """

    def __init__(self, start: State, results: Results) -> None:
        self.states = StateExpander(start, results)
        players = len(self.states.players)
        self.world = World(
            np.full(START, UNKNOWN, np.int8), np.zeros(START, np.int64), np.zeros(START, np.int32),
            np.zeros(START, np.int32), np.zeros(START), np.zeros((START, players), np.int32),
            np.zeros((START, players)), np.zeros(START, np.int64), np.zeros(START, np.int32),
        )  # fmt: skip
        self.action = np.zeros(START, np.int64)  # by edge
        self.edges = self.labels = self.label_facts = 0
        self.order: list[int] = []

    def __len__(self) -> int:
        """The number of states, including those not expanded."""
        return len(self.states)

    def expand(self, number: int) -> None:
        """Expands a state. Raises the errors of the rules."""
        found = self.states
        found.expand(number)
        self.order.append(number)
        edges, labels = found.edges[number], found.labels[number]
        found.edges[number], found.labels[number] = [], []
        self._make_room(len(edges))
        self._add_labels()
        world, first = self.world, self.edges
        world.seat[number], world.first[number], world.degree[number] = found.seats[number], first, len(edges)
        world.results[number] = found.worth[number]
        for i, ((target, action, odds), seen) in enumerate(zip(edges, labels, strict=True), first):
            world.target[i], world.odds[i], world.labels[i], self.action[i] = target, odds, seen, action
        self.edges += len(edges)

    def actions(self, number: int) -> list[int]:
        """The numbers of the actions of an expanded state, ascending."""
        first = int(self.world.first[number])
        return [int(a) for a in self.action[first : first + int(self.world.degree[number])]]

    def _make_room(self, edges: int) -> None:
        w, states = self.world, len(self)
        while states > len(w.seat):
            old = len(w.seat)
            w = w._replace(
                seat=longer(w.seat), first=longer(w.first), degree=longer(w.degree), results=longer(w.results)
            )
            w.seat[old:] = UNKNOWN
        while self.edges + edges > len(w.target):
            w = w._replace(target=longer(w.target), odds=longer(w.odds), labels=longer(w.labels))
            self.action = longer(self.action)
        self.world = w

    def _add_labels(self) -> None:
        """Adds the lists of facts that are new since the last call."""
        for facts in self.states.facts.rows[self.labels :]:
            w = self.world
            while self.labels + 1 >= len(w.label_first):
                w = w._replace(label_first=longer(w.label_first))
            while self.label_facts + len(facts) > len(w.label_facts):
                w = w._replace(label_facts=longer(w.label_facts))
            end = self.label_facts + len(facts)
            w.label_facts[self.label_facts : end] = facts
            w.label_first[self.labels + 1] = end
            self.world, self.label_facts, self.labels = w, end, self.labels + 1
