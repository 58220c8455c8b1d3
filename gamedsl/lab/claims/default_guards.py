"""The default claim about conditions: each is the first to refuse some move.

Kinds of moves that the options disable (a condition is always false) are ignored.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from gamedsl.lab.base import Clock, OutOfTime
from gamedsl.lab.explore import Graph
from gamedsl.lab.search import Refusals
from gamedsl.language.core import nodes as n

SAMPLES = 40  # arguments sampled per state before trying all
MOST_TRIES = 3_000_000  # arguments times states, for an exhaustive trial
SECONDS = 10.0


class Tried(NamedTuple):
    """The conditions that refuse nothing in any state; those undecided because there are too many moves to try or the time is
    up; the total number of conditions; and in how many states moves were tried.
    """

    idle: list[n.CoreGuard]
    undecided: list[n.CoreGuard]
    total: int
    states: int


def idle_guards(graph: Graph, clock: Clock | None = None) -> Tried:
    """Tries moves in the states of a graph."""
    refusals = Refusals(graph.game)
    clock = (clock or Clock()).within(SECONDS)
    states, is_done = _try_in_all_states(refusals, graph, SAMPLES, clock)
    tries = sum(w.width for w in refusals.watched.values() if w.left) * len(graph)
    if is_done and tries <= MOST_TRIES and _try_in_all_states(refusals, graph, MOST_TRIES, clock)[1]:
        return Tried(refusals.idle(), [], refusals.total, states)
    return Tried([], refusals.idle(), refusals.total, states)


def _try_in_all_states(refusals: Refusals, graph: Graph, most: int, clock: Clock) -> tuple[int, bool]:
    """Tries moves in every state of a graph. Returns in how many, and whether there was time for all that were needed."""
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
