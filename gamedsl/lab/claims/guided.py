"""Plain walks and guided search on compiled rules for games that refute or witness claims, or cover something new."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from itertools import pairwise
from math import inf

from gamedsl.engine import State
from gamedsl.lab.base import Clock, OutOfTime, seeking_seconds
from gamedsl.lab.search import (
    Budget,
    CoverageGoal,
    GoalProgram,
    GuidedSearch,
    Key,
    Play,
    PlayFindings,
    SearchNode,
    Target,
    Walker,
    coverage_goals,
    fault_key,
)
from gamedsl.language.core import nodes as n

WALKS = 4  # walks per game of the budget: they are short
COMPILE_FACTOR = 2.0  # compiling must take less than half of the time left; otherwise only playouts on the engine run
PLAIN_WALKS = 300  # playouts to the end, before any guided walk
PLAIN_TURN = 25  # playouts between two checks whether the search is done
PLAIN_SHARE = 0.7  # share of the time
TURN = 1.0  # seconds of search between two checks whether it is done
REPLAY_SHARE = 0.25  # share of the time for replaying the games found on the engine


def can_seek(program: n.Program) -> bool:
    """Whether games can be searched for (not if players draw)."""
    return not any(isinstance(b.end, n.DecideDrawing) for b in program.blocks)


class Seeking:
    """Plain walks and a guided search from a state, each on rules that are compiled when it first runs.

    The rules for plain walks measure distances to claims only, so they compile in a fraction of the time. Each of
    ``targets`` (parallel to the claims) receives the first game that demonstrates it. ``met``: what was found so
    far. ``only_claims``: guided walks use the rules of the plain ones, so they approach claims and nothing else.
    """

    def __init__(
        self,
        start: State,
        claims: Sequence[n.CoreClaim],
        targets: Sequence[Target | None],
        budget: Budget,
        only_claims: bool = False,
    ) -> None:
        self.start, self.claims, self.targets, self.budget = start, claims, targets, budget
        self.only_claims = only_claims
        self.met = PlayFindings()
        self._plain: GuidedSearch | None = None
        self._guided: GuidedSearch | None = None
        self._faults: dict[GuidedSearch, int] = {}  # faults replayed so far, by search,
        self._ends: dict[GuidedSearch, int] = {}  # and ends

    def run_plain(self, clock: Clock, done: Callable[[], bool] = lambda: False) -> None:
        """Runs the remaining playouts, within the time of a clock, until ``done``.

        Compile time counts; if compiling would take most of the time, nothing is done.
        """
        began = clock.now()
        most = min(PLAIN_WALKS, self.budget.plays)
        if self._plain is None and most:
            self._plain = self._compiled(clock, {goal.key for goal in coverage_goals(self.start.game.program)})
        plain = self._plain
        until = clock.within(clock.left * (1 - REPLAY_SHARE))
        while plain is not None and plain.open and plain.reached.plain < most and not until.is_over and not done():
            clock.say(f"random games on compiled rules: {plain.reached.plain:,}")
            plain.run_plain(until.left, min(PLAIN_TURN, most - plain.reached.plain), clock.stopped.is_set)
            self._note_found(plain, clock)
        self.met.seconds += clock.now() - began

    def run(self, clock: Clock, done: Callable[[], bool] = lambda: False) -> None:
        """Searches within the time of a clock, until ``done``: the remaining plain walks, then guided ones.

        Compile time counts; if compiling would take most of the time, nothing is searched.
        """
        self.run_plain(clock.within(PLAIN_SHARE * clock.left), done)
        began = clock.now()
        if self._guided is None and not done():
            self._guided = self._plain if self.only_claims else self._compiled(clock)
        guided = self._guided
        if guided is None:
            return
        clock.say("looking for games")
        until = clock.within(clock.left * (1 - REPLAY_SHARE))
        while guided.open and not until.is_over and not done():
            walks = WALKS * self.budget.plays - guided.reached.walks
            if walks <= 0:
                break
            guided.run(min(TURN, until.left), walks, clock.stopped.is_set)
            if any(t is not None and t.is_witness and t.found is None for t in self.targets):
                self._note_found(guided, clock)
        self._note_found(guided, clock)
        self.met.seconds += clock.now() - began

    def run_counted(
        self, plain: tuple[GuidedSearch, int], guided: tuple[GuidedSearch, int], stopped: Callable[[], bool]
    ) -> None:
        """Makes this many plain walks, then this many guided ones, whatever time they take."""
        (self._plain, playouts), (self._guided, walks) = plain, guided
        self._plain.run_plain(inf, playouts, stopped)
        self._note_found(self._plain, Clock())
        self._guided.run(inf, walks, stopped)
        self._note_found(self._guided, Clock())

    def _compiled(self, clock: Clock, known: Collection[Key] = ()) -> GuidedSearch | None:
        """Compiles the rules, without distances to the goals ``known``; returns None if that would take most of the
        time.
        """
        goals = GoalProgram(self.start.game.program, known, self.claims, hunting=True)
        asked = (e for q in goals.questions for e in q.at.values())
        if clock.left < COMPILE_FACTOR * seeking_seconds(goals.program, asked):
            return None
        clock.say("compiling the rules for games")
        return GuidedSearch(goals, Walker(goals, self.start), self.budget.seed, known if self.only_claims else ())

    def _note_found(self, guided: GuidedSearch, clock: Clock) -> None:
        reached = [search.reached for search in {self._plain, self._guided} if search is not None]
        self.met.plays = sum(r.walks + r.plain for r in reached)
        self.met.positions = sum(r.plies for r in reached)
        _note(guided, self.met)
        with suppress(OutOfTime):
            self._replay(guided, clock)

    def _replay(self, guided: GuidedSearch, clock: Clock) -> None:
        """Replays the games found on the engine, which alone determines rules errors, demonstrated claims and winners.

        Raises ``OutOfTime``.
        """
        walker, goals = guided.walker, guided.goals
        for key, hit in guided.reached.hits.items():
            for target in self._targets_of(goals.goals[goals.numbers[key]]):
                if target.found is None:
                    play = played(walker, hit.node, self.start, clock)
                    target.found = play if target.shows(play) else None
        for node, action in guided.faults[self._faults.get(guided, 0) :]:
            play = played(walker, node, self.start, clock)
            play.do(walker.move(node, action, play.end))
            self._faults[guided] = self._faults.get(guided, 0) + 1
            if play.error is not None and fault_key(play) not in map(fault_key, self.met.faults):
                self.met.faults.append(play)
        for node in list(guided.ends.values())[self._ends.get(guided, 0) :]:
            self.met.winners.add(played(walker, node, self.start, clock).end.winners)
            self._ends[guided] = self._ends.get(guided, 0) + 1

    def _targets_of(self, goal: CoverageGoal) -> list[Target]:
        """Returns the targets that a game which reaches a goal may demonstrate."""
        if goal.kind == "claim":
            mine = [self.targets[int(goal.name)]]
        elif goal.kind == "move":
            pairs = zip(self.claims, self.targets, strict=True)
            mine = [t for claim, t in pairs if isinstance(claim, n.Used) and claim.moves == (goal.name,)]
        else:
            mine = []
        return [t for t in mine if t is not None]


def _note(guided: GuidedSearch, met: PlayFindings) -> None:
    """Records kinds of moves, phases, results, and conditions that refused."""
    program, goals = guided.goals.base, guided.goals.goals
    for goal in (a for a in goals if a.key in guided.reached.hits):
        if goal.kind == "move":
            met.schemas |= {s.index for s in program.schemas if (s.name, s.span) == (goal.name, goal.span)}
        elif goal.kind in ("stop", "end"):
            mine = [b for b in program.blocks if b.end.span == goal.span and b.phase == goal.name]
            met.phases |= {(b.part, b.phase) for b in mine}
            met.results |= {b.index for b in mine if isinstance(b.end, n.End)}
        elif goal.kind == "first":
            met.refusing.add(goal.span)


def played(walker: Walker, node: SearchNode, start: State, clock: Clock) -> Play:
    """Returns the game that leads to a node, replayed on the engine. Raises ``OutOfTime``."""
    play = Play.begin(start)
    for before, after in pairwise(node.trail()):
        clock.check()
        play.do(walker.move(before, after.action, play.end))
    return play
