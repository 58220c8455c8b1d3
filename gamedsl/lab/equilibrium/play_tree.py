"""The tree of all histories of a game, in flat arrays, with the information sets of every seat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedsl.engine import Game, Noticed, State, key_after
from gamedsl.lab.base import Bytes, Ints, Numbers
from gamedsl.lab.equilibrium.expansion import END, Results, StateGraph, state_graph, utilities
from gamedsl.lab.equilibrium.kernels import unfold as k
from gamedsl.lab.explore import Watch
from gamedsl.language.source import lazy_dataclass

HISTORIES = 5_000_000  # at most, unless a limit is given
FIRST_ROOM = 1 << 12  # classes


@lazy_dataclass(frozen=True)
class InformationSets:
    """The information sets of all seats, each after those of its seat that precede it.

    int32, shape (sets,): ``seat``; ``actions``: the number of actions; ``sequence``: the first of the seat's
    sequences that end here, one for each action; ``parent``: the seat's last sequence before (0: none); ``known``:
    the class of what the seat knows; ``node``: the first node.
    """

    seat: Numbers
    actions: Numbers
    sequence: Numbers
    parent: Numbers
    known: Numbers
    node: Numbers

    def __len__(self) -> int:
        return len(self.seat)


@lazy_dataclass(frozen=True)
class GameTree:
    """A game with perfect recall as a tree. Node 0 is the start; nodes are numbered in breadth-first order.

    Shape (nodes,): ``state`` int32, the state in ``graph``; ``parent`` int32 (-1 for the start); ``first_child``
    int64: the children of node i are ``first_child[i]`` to ``first_child[i] + count(i)``, in ascending order of
    their actions; ``chance`` float64: the probability of the chance events that lead there; ``information_set``
    int32 (-1 if no seat acts). ``sequences``: int32, shape (nodes, seats): the seat's last sequence (0: it has not
    acted; see ``sets``).

    Simultaneous choices are made in turn; a seat that chooses later does not see the earlier choices. Classes
    describe what a seat knows: ``class_parent`` and ``class_fact``, int32, shape (classes,): a class is its parent
    plus one of the facts ``graph.noticed``. The first class of each seat is its number + 1, and has no facts.
    Histories have the same class exactly when the keys of ``State.information_state`` are equal.
    """

    game: Game
    start: State
    graph: StateGraph
    state: Numbers
    parent: Numbers
    first_child: Ints
    chance: npt.NDArray[np.float64]
    information_set: Numbers
    sequences: Numbers
    sets: InformationSets
    sequence_counts: Ints  # per seat, including the empty sequence
    class_parent: Numbers
    class_fact: Numbers

    def __len__(self) -> int:
        return len(self.state)

    @property
    def players(self) -> int:
        return self.game.num_players

    @cached_property
    def seats(self) -> Bytes:
        """The seat that acts at every node; ``CHANCE`` or ``END`` if no seat does."""
        return self.graph.seats[self.state]

    @cached_property
    def ends(self) -> Ints:
        """The nodes where the game is over."""
        return np.flatnonzero(self.seats == END)

    @cached_property
    def set_counts(self) -> list[int]:
        """The number of information sets of every seat."""
        return [int(n) for n in np.bincount(self.sets.seat, minlength=self.players)]

    def actions(self, information_set: int) -> list[int]:
        """The numbers of the actions of an information set, ascending."""
        state = self.state[self.sets.node[information_set]]
        return [int(a) for a in self.graph.action[self.graph.first[state] : self.graph.first[state + 1]]]

    def facts(self, known: int) -> list[Noticed]:
        """The facts of a class, in the order in which the seat noticed them."""
        found = []
        while known > self.players:
            found.append(self.graph.noticed[self.class_fact[known]])
            known = int(self.class_parent[known])
        return found[::-1]

    def text(self, information_set: int) -> str:
        """The facts that a seat knows in an information set, in words (``InformationState.text``)."""
        return "\n".join(fact.line for fact in self.facts(int(self.sets.known[information_set])))

    @cached_property
    def keys(self) -> list[str]:
        """The key of every information set (``InformationState.key``)."""
        found: dict[int, str] = dict.fromkeys(range(1, self.players + 1), self.game.digest)
        return [self._key(int(c), found) for c in self.sets.known]

    def _key(self, known: int, found: dict[int, str]) -> str:
        missing = []
        while known not in found:
            missing.append(known)
            known = int(self.class_parent[known])
        for c in reversed(missing):
            found[c] = key_after(found[int(self.class_parent[c])], self.graph.noticed[self.class_fact[c]])
        return found[missing[0]] if missing else found[known]

    def action_numbers(self, node: int) -> list[int]:
        """The actions that lead from the start to a node."""
        found: list[int] = []
        while node > 0:
            parent = int(self.parent[node])
            edge = self.graph.first[self.state[parent]] + node - self.first_child[parent]
            found.append(int(self.graph.action[edge]))
            node = parent
        return found[::-1]

    def position(self, node: int) -> State:
        """The state of a node, with its history."""
        state = self.start
        for action in self.action_numbers(node):
            state = state.apply_action(action)
        return state


def game_tree(
    start: State,
    *,
    limit: int = HISTORIES,
    seconds: float | None = None,
    results: Results = utilities,
    watch: Watch | None = None,
) -> GameTree:
    """The tree of all histories from a state on; every seat knows the start as far as the rules show it.

    ``limit``: number of histories. ``seconds``: time to expand the states. ``results``: the utilities of a finished
    game. Raises ``UsageError`` if players draw, and ``GameDSLError`` (E0525) if there are too many histories,
    before memory is used for them.
    """
    graph = state_graph(start, limit=limit, seconds=seconds, results=results, watch=watch)
    return _Unfolding(start, graph).tree()


class _Unfolding:
    def __init__(self, start: State, graph: StateGraph) -> None:
        self.start, self.graph = start, graph
        n, players = graph.histories, start.game.num_players
        lengths = np.diff(graph.label_first)[graph.labels].sum(axis=1) if len(graph.labels) else np.zeros(0, np.int64)
        sums = np.concatenate([[0], np.cumsum(lengths)])
        need = sums[graph.first[1:]] - sums[graph.first[:-1]]
        self.edges = k.Edges(
            graph.seats, graph.first, graph.target, graph.odds, graph.labels, graph.label_first, graph.label_facts, need
        )
        shapes: list[tuple[Any, Any]] = [
            (n, np.int32), (n, np.int32), (n, np.int64), (n, np.float64), (n, np.int32), ((n, players), np.int32),
            ((n, players), np.int32),
        ]  # fmt: skip
        self.nodes = k.Nodes(*(np.zeros(shape, kind) for shape, kind in shapes))
        self.nodes.information_set[:] = -1
        self.classes, self.sets = _new_classes(FIRST_ROOM + int(need.max(initial=0)) + players + 1, players)
        self.totals = np.array([1, players + 1, 0], np.int64)

    def tree(self) -> GameTree:
        nodes, players = self.nodes, self.start.game.num_players
        nodes.parent[0], nodes.chance[0] = -1, 1.0
        for p, facts in enumerate(self.graph.at_first):
            nodes.classes[0, p] = self._begun(p + 1, facts)
        at, reason = 0, k.ROOM
        while reason != k.DONE:
            at, reason = k.unfold(self.edges, nodes, self.classes, self.sets, self.totals, at)
            assert reason != k.UNLIKE, "histories that a seat cannot tell apart have the same actions"
            if reason == k.ROOM:
                self._grow()
        m, c = int(self.totals[k.SETS]), int(self.totals[k.CLASSES])
        s = self.sets
        sets = InformationSets(*(a[:m].copy() for a in (s.seat, s.actions, s.sequence, s.parent, s.known, s.node)))
        return GameTree(
            self.start.game, self.start, self.graph, nodes.state, nodes.parent, nodes.first_child, nodes.chance,
            nodes.information_set, nodes.sequences, sets, s.counts[:players].copy(), self.classes.parent[:c].copy(),
            self.classes.fact[:c].copy(),
        )  # fmt: skip

    def _begun(self, known: int, facts: Sequence[int]) -> int:
        """Returns the class of a seat that knows these facts at the start, adding it."""
        for fact in facts:
            new = int(self.totals[k.CLASSES])
            if new == len(self.classes.parent):
                self._grow()
            self.classes.parent[new], self.classes.fact[new] = known, fact
            k.fill(self.classes, new, new + 1)
            self.totals[k.CLASSES] += 1
            known = new
        return known

    def _grow(self) -> None:
        """Doubles the room for classes and information sets."""
        old, sets = self.classes, self.sets
        self.classes, self.sets = _new_classes(2 * len(old.parent), len(sets.counts))
        for new, before in zip((*self.classes[1:], *self.sets), (*old[1:], *sets), strict=True):
            new[: len(before)] = before
        k.fill(self.classes, len(sets.counts) + 1, int(self.totals[k.CLASSES]))


def _new_classes(room: int, players: int) -> tuple[k.Classes, k.Sets]:
    def array() -> Numbers:
        return np.zeros(room, np.int32)

    table = np.zeros(1 << (2 * room - 1).bit_length(), np.int32)
    sets = k.Sets(array(), array(), array(), array(), array(), array(), np.ones(players, np.int64))
    return k.Classes(table, array(), array(), np.full(room, -1, np.int32)), sets
