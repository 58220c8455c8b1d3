"""Guided search on compiled rules for plays that refute or witness claims, or cover something new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

from gamedsl.check.base import Clock, OutOfTime, seeking_seconds
from gamedsl.check.search import Budget, GoalProgram, GuidedSearch, Play, PlayFindings, SearchNode, Target, Walker
from gamedsl.core.nodes import CoreClaim, DecideDrawing, End, Program
from gamedsl.engine import State

WALKS = 4  # walks per play of the budget: they are short
COMPILE_FACTOR = 2.0  # compiling must take less than half of the time; otherwise only random plays run
TURN = 1.0  # seconds of search between two looks at whether it is done
REPLAY_SHARE = 0.25  # of the time: for the engine to replay the plays found


def can_seek(program: Program) -> bool:
    """Can plays be searched for? (Not where players draw.)"""
    return not any(isinstance(b.end, DecideDrawing) for b in program.blocks)


class Seeking:
    """A guided search from a state, on rules that are compiled once, when it runs first. Each of ``targets`` (parallel to the
    claims) receives the first play that shows it. ``met``: what was found so far.
    """

    def __init__(
        self, start: State, claims: Sequence[CoreClaim], targets: Sequence[Target | None], budget: Budget
    ) -> None:
        self.start, self.claims, self.targets, self.budget = start, claims, targets, budget
        self.met = PlayFindings()
        self._guided: GuidedSearch | None = None
        self._faults = 0  # faults replayed so far,
        self._ends = 0  # and ends

    def run(self, clock: Clock, done: Callable[[], bool] = lambda: False) -> None:
        """Searches within the time of a clock, until ``done``. Compiling counts; if it would take most of the time, nothing is
        searched."""
        began = clock.now()
        guided = self._prepared(clock)
        if guided is None:
            return
        clock.say("seeking plays")
        turn = REPLAY_SHARE * clock.left
        until = clock.within(clock.left - turn)
        while guided.open and not until.is_over and not done():
            walks = WALKS * self.budget.plays - guided.reached.walks
            if walks <= 0:
                break
            guided.run(min(TURN, until.left), walks, clock.stopped.is_set)
            if any(t is not None and t.is_witness and t.found is None for t in self.targets):
                self._found(guided, clock)
        self._found(guided, clock)
        self.met.seconds += clock.now() - began

    def _prepared(self, clock: Clock) -> GuidedSearch | None:
        if self._guided is None:
            goals = GoalProgram(self.start.game.program, (), self.claims, hunting=True)
            asked = (e for q in goals.questions for e in q.at.values())
            if clock.left < COMPILE_FACTOR * seeking_seconds(goals.program, asked):
                return None
            clock.say("compiling the rules for plays")
            self._guided = GuidedSearch(goals, Walker(goals, self.start), self.budget.seed)
        return self._guided

    def _found(self, guided: GuidedSearch, clock: Clock) -> None:
        self.met.plays, self.met.positions = guided.reached.walks, guided.reached.plies
        _note(guided, self.met)
        with suppress(OutOfTime):
            self._replay(guided, clock)

    def _replay(self, guided: GuidedSearch, clock: Clock) -> None:
        """Replays the plays found on the engine, which alone determines rules errors, shown claims and winners. Raises
        ``OutOfTime``.
        """
        walker, goals = guided.walker, guided.goals
        for key, hit in guided.reached.hits.items():
            goal = goals.goals[goals.numbers[key]]
            target = self.targets[int(goal.name)] if goal.kind == "claim" else None
            if target is not None and target.found is None:
                play = played(walker, hit.node, self.start, clock)
                target.found = play if target.shows(play) else None
        for node, action in guided.faults[self._faults :]:
            play = played(walker, node, self.start, clock)
            play.do(walker.move(node, action, play.end))
            self._faults += 1
            if play.error is not None:
                self.met.faults.append(play)
        for node in list(guided.ends.values())[self._ends :]:
            self.met.winners.add(played(walker, node, self.start, clock).end.winners)
            self._ends += 1


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
