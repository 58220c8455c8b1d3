"""Liveness on a state graph: termination and response."""

from __future__ import annotations

import numpy as np

from gamedsl.engine import evaluate_at
from gamedsl.lab.base import Evidence, Ints, Status, most_plies
from gamedsl.lab.claims.state_space import Found, StateSpace, states_where
from gamedsl.lab.explore import Edges, Mask, cycle, must_come, peel
from gamedsl.language.core import nodes as n

# the states of a part do not tell whether they belong to its game or to the next one, if that follows at once
ONE_AFTER_ANOTHER: Found = (Status.UNKNOWN, "its games follow each other without a decision between them", None)


def judge_ends(space: StateSpace, claim: n.Ends) -> Found:
    graph = space.graph
    within = None if claim.part == 0 else space.inside(claim.part)
    bound = None if claim.bound is None else evaluate_at(graph.state(0), claim.bound)
    if graph.layered and within is None and space.steps_are_plies:
        deepest = len(graph.levels) - 1
        if bound is None or deepest <= bound:
            return space.kept, _no_longer(space, deepest), None
    edges = space.edges if within is None else Edges.of(graph, within, space.clock, leaving=True)
    height, stays = peel(edges, space.cost)
    if stays.any():
        loop = cycle(edges, stays)
        found = round_trip(space, loop)
        if within is not None and not _stays(found, claim.part):
            return ONE_AFTER_ANOTHER
        return Status.VIOLATED, f"a game can go around forever, through {len(loop)} states", found
    longest = height if within is None else height[within]
    most = int(longest.max()) if len(longest) else 0
    if bound is None or most <= bound:
        return space.kept, _no_longer(space, most), None
    start = (
        int(np.flatnonzero(height == most)[0]) if within is None else int(np.flatnonzero(within & (height == most))[0])
    )
    rest = _longest(space, edges, height, start)
    longest_found = space.play_along(start, rest)
    if within is not None:
        most = 0 if longest_found is None else most_plies(longest_found.states(), claim.part)
        if most <= bound:
            return ONE_AFTER_ANOTHER
    return Status.VIOLATED, f"a game can have {most} plies", longest_found


def _stays(found: Evidence | None, part: int) -> bool:
    """Whether no game of a part begins anew on the way around a loop."""
    if found is None or found.loop is None:
        return False
    return not any(part in state.entered for state in list(found.states())[found.loop + 1 :])


def _no_longer(space: StateSpace, most: int) -> str:
    whole = space.graph.whole
    return f"the longest game has {most} plies" if whole else f"no game goes around in {space.everything}"


def round_trip(space: StateSpace, loop: list[int]) -> Evidence | None:
    """Returns a shortest game that leads to a cycle and goes once around it."""
    return space.play_along(loop[0], [], loop)


def _longest(space: StateSpace, edges: Edges, height: Ints, start: int) -> list[int]:
    """Returns the states of a longest game from a state, without that state."""
    begins, targets = edges.rows
    found: list[int] = []
    here = start
    while height[here] > 0 and begins[here] < begins[here + 1]:
        after = targets[begins[here] : begins[here + 1]]
        here = int(after[np.argmax(height[after])])
        found.append(here)
    return found


def judge_leads_to(space: StateSpace, claim: n.LeadsTo) -> Found:
    if claim.part != 0:
        return Status.UNKNOWN, "not judged in a ruleset that is played inside another: run it by itself", None
    goals = states_where(space, claim.then, 0)
    good = must_come(space.graph, goals, space.edges)
    broken = np.flatnonzero(states_where(space, claim.condition, 0) & ~good)
    if not len(broken):
        return space.kept, f"in {space.everything}", None
    return Status.VIOLATED, "a game does not get there", _avoiding(space, int(broken[0]), good)


def _avoiding(space: StateSpace, start: int, good: Mask) -> Evidence | None:
    """Returns a game that avoids the states in ``good``, to its end or around a cycle forever."""
    trail, met = [start], {start: 0}
    while True:
        space.clock.check()
        after = next((int(j) for j in space.graph.successors(trail[-1]) if j >= 0 and not good[j]), None)
        if after is None:
            return space.play_along(start, trail[1:])
        if after in met:
            return space.play_along(start, trail[1 : met[after] + 1], trail[met[after] :])
        met[after] = len(trail)
        trail.append(after)
