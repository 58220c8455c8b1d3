"""The default claim about conditions: each is the first to refuse some move.

Kinds of moves that the options disable (one of their conditions is always false) are ignored.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from gamedsl.lab.base import Clock, OutOfTime
from gamedsl.lab.explore import Graph
from gamedsl.lab.search import Refusals
from gamedsl.language.core import nodes as n

SAMPLES = 40  # arguments sampled per state, before all are tried
MOST_TRIES = 3_000_000  # arguments times states, at most, for an exhaustive trial
SECONDS = 10.0


class Tried(NamedTuple):
    """The result of trying moves.

    ``idle``: the conditions that refuse nothing in any state. ``undecided``: those undecided because there are too
    many moves to try or the time is up. ``total``: the number of conditions. ``states``: the number of states in
    which moves were tried.
    """

    idle: list[n.CoreGuard]
    undecided: list[n.CoreGuard]
    total: int
    states: int


def idle_guards(graph: Graph, clock: Clock | None = None) -> Tried:
    """Tries moves in the states of a graph and returns the conditions that refused nothing."""
    refusals = Refusals(graph.game)
    clock = (clock or Clock()).within(SECONDS)
    states, is_done = _try_in_all_states(refusals, graph, SAMPLES, clock)
    tries = sum(w.width for w in refusals.watched.values() if w.left) * len(graph)
    if is_done and tries <= MOST_TRIES and _try_in_all_states(refusals, graph, MOST_TRIES, clock)[1]:
        return Tried(refusals.idle(), [], refusals.total, states)
    return Tried([], refusals.idle(), refusals.total, states)


def _try_in_all_states(refusals: Refusals, graph: Graph, most: int, clock: Clock) -> tuple[int, bool]:
    """Tries moves in every state of a graph, until every condition has refused one.

    Returns the number of states tried, and whether the time sufficed.
    """
    rng = Random("arguments")
    for i in range(len(graph)):
        if not refusals.left:
            return i, True
        try:
            clock.check()
            refusals.look(graph.state(i), most, rng, clock)
        except OutOfTime:
            return i, False
    return len(graph), True
