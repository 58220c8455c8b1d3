"""Plays sought by compiled rules for what would break or show claims, and for what no play has met yet."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from gamedsl.check.base.clock import Clock, OutOfTime
from gamedsl.check.base.compile_cost import seeking_seconds
from gamedsl.check.search.guided_search import Guided
from gamedsl.check.search.random_search import Budget, Met, Target
from gamedsl.check.search.recorded_play import Play
from gamedsl.check.search.targets import Aims
from gamedsl.check.search.walker import Spot, Walker
from gamedsl.core.nodes import CoreClaim, DecideDrawing, End, Program
from gamedsl.engine.state import State

WALKS = 4  # walks for a play of the budget: they are short
COMPILE_FACTOR = 2.0  # compiling must take less than half of the time, or it is left to random plays
REPLAY_SHARE = 0.25  # of the time: in which the engine makes the plays found again


def can_seek(program: Program) -> bool:
    """Can plays be sought? (Not where players draw.)"""
    return not any(isinstance(b.end, DecideDrawing) for b in program.blocks)


def seek(
    start: State, claims: Sequence[CoreClaim], targets: Sequence[Target | None], budget: Budget, clock: Clock
) -> Met:
    """What a search from a state meets; ``targets`` (of the claims, in order) are given the first play that shows them. Making
    the rules ready counts as time of the search; where it would take most of it, nothing is sought."""
    began = clock.now()
    clock = clock.within(budget.seconds)
    aims = Aims(start.game.program, (), claims, hunting=True)
    asked = (e for q in aims.questions for e in q.at.values())
    if clock.left < COMPILE_FACTOR * seeking_seconds(aims.program, asked):
        return Met()
    walker = Walker(aims, start)
    guided = Guided(aims, walker, budget.seed)
    clock.say("seeking plays")
    guided.run(clock.left * (1 - REPLAY_SHARE), WALKS * budget.plays, clock.stopped.is_set)
    met = Met(plays=guided.reached.walks, positions=guided.reached.plies)
    _note(guided, met)
    with suppress(OutOfTime):
        _replay(guided, start, targets, met, clock)
    met.seconds = clock.now() - began
    return met


def _replay(guided: Guided, start: State, targets: Sequence[Target | None], met: Met, clock: Clock) -> None:
    """What only the engine can tell of the plays found: rules errors, claims that are shown, winners. Raises ``OutOfTime``."""
    walker, aims = guided.walker, guided.aims
    for spot, way in guided.faults:
        play = played(walker, spot, start, clock)
        play.do(walker.move(spot, way, play.end))
        if play.error is not None:
            met.faults.append(play)
    for key, hit in guided.reached.hits.items():
        aim = aims.aims[aims.numbers[key]]
        target = targets[int(aim.name)] if aim.kind == "claim" else None
        if target is not None:
            play = played(walker, hit.spot, start, clock)
            target.found = play if target.shows(play) else None
    for spot in guided.ends.values():
        met.winners.add(played(walker, spot, start, clock).end.winners)


def _note(guided: Guided, met: Met) -> None:
    """Kinds of moves, phases, results, and conditions that refused."""
    program, aims = guided.aims.base, guided.aims.aims
    for aim in (a for a in aims if a.key in guided.reached.hits):
        if aim.kind == "move":
            met.schemas |= {s.index for s in program.schemas if (s.name, s.span) == (aim.name, aim.span)}
        elif aim.kind in ("stop", "end"):
            mine = [b for b in program.blocks if b.end.span == aim.span and b.phase == aim.name]
            met.phases |= {(b.part, b.phase) for b in mine}
            met.results |= {b.index for b in mine if isinstance(b.end, End)}
        elif aim.kind == "first":
            met.refusing.add(aim.span)


def played(walker: Walker, spot: Spot, start: State, clock: Clock) -> Play:
    """The play to a spot, by the engine. Raises ``OutOfTime``."""
    play = Play.begin(start)
    for before, after in pairwise(spot.trail()):
        clock.check()
        play.do(walker.move(before, after.way, play.end))
    return play
