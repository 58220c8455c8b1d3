"""Plays sought by compiled rules for what would break or show claims, and for what no play has met yet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter

from gamedsl.check.base.clock import Clock
from gamedsl.check.search.guided_search import Guided
from gamedsl.check.search.random_search import Budget, Met, Target
from gamedsl.check.search.recorded_play import Play
from gamedsl.check.search.targets import Aims
from gamedsl.check.search.walker import Spot, Walker
from gamedsl.core.nodes import CoreClaim, DecideDrawing, End, Program
from gamedsl.engine.state import State

WALKS = 4  # walks for a play of the budget: they are short


def can_seek(program: Program) -> bool:
    """Can plays be sought? (Not where players draw.)"""
    return not any(isinstance(b.end, DecideDrawing) for b in program.blocks)


def seek(
    start: State, claims: Sequence[CoreClaim], targets: Sequence[Target | None], budget: Budget, clock: Clock
) -> Met:
    """What a search from a state meets; ``targets`` (of the claims, in order) are given the first play that shows them. Making
    the rules ready counts as time of the search."""
    began = perf_counter()
    clock = clock.within(budget.seconds)
    aims = Aims(start.game.program, (), claims, hunting=True)
    walker = Walker(aims, start)
    guided = Guided(aims, walker, budget.seed)
    clock.say("seeking plays")
    guided.run(clock.left, WALKS * budget.plays, clock.stopped.is_set)
    reached = guided.reached
    met = Met(plays=reached.walks, positions=reached.plies)
    for key, hit in reached.hits.items():
        aim = aims.aims[aims.numbers[key]]
        if aim.kind == "claim":
            target = targets[int(aim.name)]
            if target is not None:
                play = played(walker, hit.spot, start)
                target.found = play if target.shows(play) else None
        elif aim.kind == "first":
            met.refusing.add(aim.span)
    _count(guided, met)
    for spot, way in guided.faults:
        play = played(walker, spot, start)
        play.do(walker.move(spot, way, play.end))
        if play.error is not None:
            met.faults.append(play)
    met.seconds = perf_counter() - began
    return met


def _count(guided: Guided, met: Met) -> None:
    """Kinds of moves, phases, results and winners."""
    program, aims = guided.aims.base, guided.aims.aims
    for aim in (a for a in aims if a.key in guided.reached.hits):
        if aim.kind == "move":
            met.schemas |= {s.index for s in program.schemas if (s.name, s.span) == (aim.name, aim.span)}
        elif aim.kind in ("stop", "end"):
            mine = [b for b in program.blocks if b.end.span == aim.span and b.phase == aim.name]
            met.phases |= {(b.part, b.phase) for b in mine}
            met.results |= {b.index for b in mine if isinstance(b.end, End)}
    met.winners |= {play.end.winners for play in _ends(guided)}


def _ends(guided: Guided) -> list[Play]:
    return [played(guided.walker, spot, guided.walker.begun) for spot in guided.ends.values()]


def played(walker: Walker, spot: Spot, start: State) -> Play:
    """The play to a spot, by the engine."""
    play = Play.begin(start)
    for before, after in pairwise(spot.trail()):
        play.do(walker.move(before, after.way, play.end))
    return play
