"""The default claim about conditions: each is the first to refuse some move.

Kinds of moves that the options disable (a condition is always false) are ignored.
"""

from __future__ import annotations

from random import Random

from gamedsl.check.base import Clock, OutOfTime
from gamedsl.check.explore import Graph
from gamedsl.check.search import Refusals
from gamedsl.core.nodes import CoreGuard

SAMPLES = 40  # arguments sampled per state before trying all
MOST_TRIES = 3_000_000  # arguments times states, for an exhaustive trial
SECONDS = 10.0


def idle_guards(graph: Graph, clock: Clock | None = None) -> tuple[list[CoreGuard], list[CoreGuard], int]:
    """Returns the conditions that refuse nothing in any state; those undecided because there are too many moves to
    try or the time is up; and the total number of conditions.
    """
    refusals = Refusals(graph.game)
    clock = (clock or Clock()).within(SECONDS)
    some = _try_in_all_states(refusals, graph, SAMPLES, clock)
    tries = sum(w.width for w in refusals.watched.values() if w.left) * len(graph)
    if some and tries <= MOST_TRIES and _try_in_all_states(refusals, graph, MOST_TRIES, clock):
        return refusals.idle(), [], refusals.total
    return [], refusals.idle(), refusals.total


def _try_in_all_states(refusals: Refusals, graph: Graph, most: int, clock: Clock) -> bool:
    """Tries moves in every state of a graph. Returns False if the time is up."""
    rng = Random("arguments")
    for i in range(len(graph)):
        if not refusals.left:
            break
        try:
            clock.check()
            refusals.look(graph.state(i), most, rng, clock)
        except OutOfTime:
            return False
    return True
