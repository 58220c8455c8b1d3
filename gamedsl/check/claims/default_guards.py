"""The default claim about conditions: for each, is there a move that it is the first to refuse?

A kind of move that the options disable (one of its conditions is always false) is left out.
"""

from __future__ import annotations

from random import Random

from gamedsl.check.base.clock import Clock, OutOfTime
from gamedsl.check.explore.graph import Graph
from gamedsl.check.search.refusals import Refusals
from gamedsl.core.nodes import CoreGuard

SAMPLES = 40  # arguments sampled per state before all are tried
MOST_TRIES = 3_000_000  # arguments times states, for a complete trial
SECONDS = 10.0


def idle_guards(graph: Graph, clock: Clock | None = None) -> tuple[list[CoreGuard], list[CoreGuard], int]:
    """The conditions that refuse nothing in any state; those left undecided because there are too many moves to try
    or the time is up; and the number of all conditions."""
    refusals = Refusals(graph.game)
    clock = (clock or Clock()).within(SECONDS)
    some = _try_in_all_states(refusals, graph, SAMPLES, clock)
    tries = sum(w.width for w in refusals.watched.values() if w.left) * len(graph)
    if some and tries <= MOST_TRIES and _try_in_all_states(refusals, graph, MOST_TRIES, clock):
        return refusals.idle(), [], refusals.total
    return [], refusals.idle(), refusals.total


def _try_in_all_states(refusals: Refusals, graph: Graph, most: int, clock: Clock) -> bool:
    """Tries moves in every state of a graph. False when the time is up."""
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
