"""The size of a tree of histories, estimated by random probes.

D. E. Knuth, "Estimating the Efficiency of Backtrack Programs", Mathematics of Computation 29, 1975. A probe is a
random game. The sum, over its plies, of the product of the numbers of actions up to that ply has the number of
histories as its mean.
"""

from __future__ import annotations

from random import Random

from gamedsl.engine import State
from gamedsl.lab.base import Clock, successors
from gamedsl.language.source import GameDSLError

PROBES = 32
SECONDS = 1.0
ENORMOUS = 10**12  # histories: a probe that reaches this many stops


def estimated_histories(start: State, seed: int = 0) -> int:
    """Return an estimate of the number of histories from a state on; 0 if there was no time for a single probe."""
    rng, clock = Random(f"probes {seed}"), Clock().within(SECONDS)
    total, probes = 0, 0
    while probes < PROBES and not clock.is_over:
        total += _probe(start, rng)
        probes += 1
    return total // max(1, probes)


def _probe(state: State, rng: Random) -> int:
    total, width = 1, 1
    while not state.is_terminal and total < ENORMOUS:
        try:
            after = [s.after for s in successors(state)]
        except GameDSLError:
            break
        width *= len(after)
        total += width
        chosen = rng.choice(after) if after else None
        if chosen is None:
            break
        state = chosen
    return total
