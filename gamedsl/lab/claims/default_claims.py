"""The default claims, judged for every ruleset: nobody is stuck, no rule fails, nothing is unused, games end, every
result and every winner is possible, secrets stay secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gamedsl.lab.base import OutOfTime, Status, Verdict
from gamedsl.lab.claims.default_choices import judge_choices
from gamedsl.lab.claims.default_endings import judge_ending, judge_ends
from gamedsl.lab.claims.default_faults import faults
from gamedsl.lab.claims.default_leaks import LEAKS, check_leaks
from gamedsl.lab.claims.default_names import (
    ENDING,
    ENDS,
    GUARDS,
    MOVES,
    PHASES,
    RESULTS,
    SECRET,
    WINNERS,
    WRONG,
    default_verdict,
)
from gamedsl.lab.claims.default_redraw import REDRAWN, check_redraws
from gamedsl.lab.claims.default_secrets import PRIVATE, check_secret_parameters
from gamedsl.lab.claims.default_unmet import judge_guards, judge_moves, judge_phases, judge_results, judge_winners
from gamedsl.lab.claims.graph_verdicts import TIME_IS_UP
from gamedsl.lab.claims.state_space import StateSpace


def check_defaults(space: StateSpace, use: bool = True, only_faults: bool = False) -> Iterator[Verdict]:
    """Yields the verdicts on all default claims in a fixed order, one per problem.

    ``use``: include the claims that everything declared is used. ``only_faults``: omit those of them that are expensive and
    cannot be violated, because states are unknown.
    """
    judges: list[tuple[str, Callable[[StateSpace], Iterator[Verdict]]]] = [(WRONG, faults)]
    if use and (space.graph.whole or not only_faults):
        judges += [(MOVES, judge_moves), (GUARDS, judge_guards), (PHASES, judge_phases)]
    if use:
        judges += [(RESULTS, judge_results), (WINNERS, judge_winners)]
    judges += [(ENDS, judge_ends), (ENDING, judge_ending), (SECRET, judge_choices)]
    judges += [(PRIVATE, _secret_parameters), (LEAKS, _leaks), (REDRAWN, _redraws)]
    for claim, judge in judges:
        yield from _in_time(space, claim, judge)


def _in_time(space: StateSpace, claim: str, judge: Callable[[StateSpace], Iterator[Verdict]]) -> Iterator[Verdict]:
    """Yields a judge's verdicts and, if the time runs out first, one that says so."""
    space.clock.say(f"judging: {claim}")
    try:
        yield from judge(space)
    except OutOfTime:
        yield default_verdict(claim, Status.UNKNOWN, TIME_IS_UP)


def _secret_parameters(space: StateSpace) -> Iterator[Verdict]:
    return check_secret_parameters(space.graph.start, space.clock)


def _leaks(space: StateSpace) -> Iterator[Verdict]:
    graph = space.graph
    every = (graph.state(i) for i in range(len(graph))) if graph.whole else None
    return check_leaks(graph.start, space.clock, every=every)


def _redraws(space: StateSpace) -> Iterator[Verdict]:
    return check_redraws(space.graph.start, space.clock)
