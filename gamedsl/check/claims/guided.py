"""Guided search on compiled rules for plays that refute or witness claims, or cover something new."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from gamedsl.check.base import Clock, OutOfTime, seeking_seconds
from gamedsl.check.search import Budget, GoalProgram, GuidedSearch, Play, PlayFindings, SearchNode, Target, Walker
from gamedsl.core.nodes import CoreClaim, DecideDrawing, End, Program
from gamedsl.engine import State

WALKS = 4  # walks per play of the budget: they are short
COMPILE_FACTOR = 2.0  # compiling must take less than half of the time; otherwise only random plays run
REPLAY_SHARE = 0.25  # of the time: for the engine to replay the plays found


def can_seek(program: Program) -> bool:
    """Can plays be searched for? (Not where players draw.)"""
    return not any(isinstance(b.end, DecideDrawing) for b in program.blocks)


def seek(
    start: State, claims: Sequence[CoreClaim], targets: Sequence[Target | None], budget: Budget, clock: Clock
) -> PlayFindings:
    """Searches from a state. Each of ``targets`` (parallel to the claims) receives the first play that shows it.
    Compiling counts toward the search time; if it would take most of it, nothing is searched.
    """
    began = clock.now()
    clock = clock.within(budget.seconds)
    goals = GoalProgram(start.game.program, (), claims, hunting=True)
    asked = (e for q in goals.questions for e in q.at.values())
    if clock.left < COMPILE_FACTOR * seeking_seconds(goals.program, asked):
        return PlayFindings()
    walker = Walker(goals, start)
    guided = GuidedSearch(goals, walker, budget.seed)
    clock.say("seeking plays")
    guided.run(clock.left * (1 - REPLAY_SHARE), WALKS * budget.plays, clock.stopped.is_set)
    met = PlayFindings(plays=guided.reached.walks, positions=guided.reached.plies)
    _note(guided, met)
    with suppress(OutOfTime):
        _replay(guided, start, targets, met, clock)
    met.seconds = clock.now() - began
    return met


def _replay(
    guided: GuidedSearch, start: State, targets: Sequence[Target | None], met: PlayFindings, clock: Clock
) -> None:
    """Replays the plays found on the engine, which alone determines rules errors, shown claims and winners. Raises
    ``OutOfTime``.
    """
    walker, goals = guided.walker, guided.goals
    for node, action in guided.faults:
        play = played(walker, node, start, clock)
        play.do(walker.move(node, action, play.end))
        if play.error is not None:
            met.faults.append(play)
    for key, hit in guided.reached.hits.items():
        goal = goals.goals[goals.numbers[key]]
        target = targets[int(goal.name)] if goal.kind == "claim" else None
        if target is not None:
            play = played(walker, hit.node, start, clock)
            target.found = play if target.shows(play) else None
    for node in guided.ends.values():
        met.winners.add(played(walker, node, start, clock).end.winners)


def _note(guided: GuidedSearch, met: PlayFindings) -> None:
    """Adds kinds of moves, phases, results, and conditions that refused."""
    program, goals = guided.goals.base, guided.goals.goals
    for goal in (a for a in goals if a.key in guided.reached.hits):
        if goal.kind == "move":
            met.schemas |= {s.index for s in program.schemas if (s.name, s.span) == (goal.name, goal.span)}
        elif goal.kind in ("stop", "end"):
            mine = [b for b in program.blocks if b.end.span == goal.span and b.phase == goal.name]
            met.phases |= {(b.part, b.phase) for b in mine}
            met.results |= {b.index for b in mine if isinstance(b.end, End)}
        elif goal.kind == "first":
            met.refusing.add(goal.span)


def played(walker: Walker, node: SearchNode, start: State, clock: Clock) -> Play:
    """Returns the play to a node, replayed on the engine. Raises ``OutOfTime``."""
    play = Play.begin(start)
    for before, after in pairwise(node.trail()):
        clock.check()
        play.do(walker.move(before, after.action, play.end))
    return play
