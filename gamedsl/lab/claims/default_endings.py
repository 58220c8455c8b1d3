"""Default claims: games end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gamedsl.lab.base import Evidence, Status, Verdict
from gamedsl.lab.claims.default_names import ENDING, ENDLESS, ENDS, default_verdict
from gamedsl.lab.claims.default_unmet import compared_with_defaults, met_in_plays
from gamedsl.lab.claims.liveness_claims import round_trip
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.explore import cycle, peel, reaches

ENOUGH = 3  # games abandoned after very many moves


def judge_ends(space: StateSpace) -> Iterator[Verdict]:
    """Reports very long games if no game has ended, for rulesets that cannot be explored completely."""
    met = met_in_plays(space)
    if len(met.longest) < ENOUGH or _some_play_ended(space):
        return
    status, why = compared_with_defaults(space, _some_play_ended)
    status = (
        Status.UNKNOWN if status == Status.VIOLATED else status
    )  # games that did not end do not prove that none can
    play = min(met.longest, key=lambda p: len(p.moves))
    lasted = f"{len(met.longest)} lasted {len(play.moves):,} moves"
    detail = f"none of {met.plays:,} games ended, including those that looked for an end; {lasted}{why}"
    yield default_verdict(ENDS, status, detail, Evidence(play.states[0], tuple(play.moves)))


def _some_play_ended(space: StateSpace) -> bool:
    met = met_in_plays(space)
    return bool(met.results or met.winners) or any(True for _ in space.graph.terminals())


def judge_ending(space: StateSpace) -> Iterator[Verdict]:
    graph = space.graph
    stays = np.zeros(0, dtype=bool) if graph.layered else peel(space.edges)[1]
    if not stays.any():
        yield default_verdict(ENDLESS, space.kept, f"in {space.everything}")
        return
    edges = space.edges
    ends = graph.kinds() == 0
    ends[graph.expanded :] = True
    ends[graph.faults.states] = True
    trapped = np.flatnonzero(~reaches(edges, ends))
    loop = cycle(edges, stays)
    if len(trapped):
        evidence = space.play_to(int(trapped[0]))
        yield default_verdict(ENDING, Status.VIOLATED, "from here on the game can never end", evidence)
    else:
        yield default_verdict(ENDING, space.kept, f"from {space.everything}")
        yield default_verdict(ENDLESS, Status.NOTED, f"one can, through {len(loop)} states", round_trip(space, loop))
