"""Whether the condition of a claim `results may tell NAMES when F` has a value at the ends of games."""

from __future__ import annotations

from gamedsl.engine import evaluate_at
from gamedsl.lab.base import Status
from gamedsl.lab.claims.default_leaks import judge_may_tell
from gamedsl.lab.claims.state_space import Found, StateSpace
from gamedsl.language.core import can_fail
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

MOST_ENDS = 5_000  # ends at which the condition is evaluated


def judge_telling(space: StateSpace, claim: n.MayTell) -> Found:
    """Returns the finding on a claim that moves or results may tell something. It is violated if its condition fails at an
    explored end of a game: then nothing is shown there, which the author cannot have meant."""
    status, detail = judge_may_tell(space.graph.start, claim)
    if claim.when is None or not can_fail(claim.when, space.graph.game.program.functions):
        return status, detail, None
    ends = list(space.graph.terminals())
    some = ends[:: max(1, -(-len(ends) // MOST_ENDS))]
    for i in some:
        space.clock.check()
        failure = _failure(space, claim, i)
        if failure:
            found = f"its condition cannot be evaluated at the end of this game, so nothing is shown: {failure}"
            return Status.VIOLATED, found, space.play_to(i)
    if len(some) == len(ends) and space.graph.whole:
        return status, f"{detail}; its condition has a value at all {len(ends):,} ends", None
    looked = f"{detail}; its condition has a value at the {len(some):,} ends that were looked at"
    return max(status, Status.HOLDS, key=_doubt), looked, None


def _failure(space: StateSpace, claim: n.MayTell, i: int) -> str:
    """The message of the rules error that the condition makes at an end, for any owner; empty if it makes none."""
    assert claim.when is not None
    state, program = space.graph.state(i), space.graph.game.program
    parts = {program.variables[index].part for index in claim.hidden}
    owners = range(max(program.parts[part].players.size for part in parts))
    try:
        for known in [{claim.owner.id: owner} for owner in owners] if claim.owner else [None]:
            evaluate_at(state, claim.when, known)
    except GameDSLError as error:
        return error.diagnostics[0].message
    return ""


def _doubt(status: Status) -> int:
    return [Status.PROVED, Status.NOTED, Status.HOLDS].index(status)
