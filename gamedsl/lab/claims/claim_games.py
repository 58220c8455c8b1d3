"""Searched and random games in shards: as many as are asked for, whatever time they take, on any number of machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from math import ceil, inf
from random import Random
from threading import Event
from typing import Any, NamedTuple

from gamedsl.engine import State
from gamedsl.lab.base import Clock, claim_text
from gamedsl.lab.claims.guided import PLAIN_WALKS, WALKS, Seeking, can_seek
from gamedsl.lab.claims.random import Sampled, shows_same_fault, target_of
from gamedsl.lab.examples import read_move
from gamedsl.lab.search import (
    Budget,
    GoalProgram,
    GuidedSearch,
    Play,
    PlayFindings,
    RandomSearch,
    Shows,
    Target,
    Walker,
    coverage_goals,
    fault_key,
    shrunk,
)
from gamedsl.lab.shards import Question, ShardRunner
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass

AT_ONCE = 25  # games of an item
PLAIN_AT_ONCE = PLAIN_WALKS * AT_ONCE // Budget().plays  # and as many random games on compiled rules
EXPANDED = 2000  # states that are expanded to shorten a game
PLIES = 2_000  # of random games on the engine: an item begins no further game after this many
ASKED = 40_000  # and no further guided walk after this many questions how far a position is from a goal
MOST_FAULTS = 50  # of an item


class Line(NamedTuple):
    """A game as its moves in notation. ``fails``: a rule fails at the last one, or, if there is none to make, after it."""

    moves: Sequence[str] = ()
    fails: bool = False

    @staticmethod
    def of(play: Play) -> Line:
        return Line([str(move) for move in play.tried], play.error is not None)

    def replayed(self, start: State) -> Play | None:
        """Returns the game; None if it is not one."""
        play = Play.begin(start)
        try:
            for text in self.moves:
                if play.is_over:
                    return None
                play.do(read_move(play.end, text))
        except GameDSLError:
            return None
        if self.fails and play.error is None:
            try:
                play.end.legal_moves()
            except GameDSLError as error:
                play.error = error
        return play if self.fails == (play.error is not None) else None


class FoundGames(NamedTuple):
    """What the games of an item met; see ``PlayFindings``. ``shown``: for each claim, by its place, the shortest game that
    decides it. ``refusing``: the kinds of moves with those of their conditions that refused something. ``lasting``: how many games
    were not over, and one of them."""

    schemas: Sequence[int]
    phases: Sequence[tuple[int, str]]
    results: Sequence[int]
    winners: Sequence[Sequence[int]]
    plays: int
    positions: int
    unfinished: int
    lasting: tuple[int, Line | None]
    refusing: Sequence[tuple[int, int]]
    faults: Sequence[Line]
    shown: Mapping[int, Line]


@lazy_dataclass(frozen=True)
class ClaimGames(Question[list[FoundGames]]):
    """Games from a state that seek what claims are about. An item is ``AT_ONCE`` random games, and guided ones before
    them; fewer where games are long or have many choices (``PLIES``, ``ASKED``)."""

    start: State
    claims: Sequence[n.CoreClaim]
    seed: int

    @property
    def about(self) -> Mapping[str, Any]:
        game = self.start.game
        start = None if self.start == game.initial_state() else self.start.serialize()
        claims = [f"{claim_text(claim)} {claim.part}" for claim in self.claims]
        return {
            "question": "games that decide claims", "digest": game.digest, "options": game.options, "start": start,
            "claims": claims, "seed": self.seed, "work": (PLIES, ASKED),
        }  # fmt: skip

    @cached_property
    def guides(self) -> list[tuple[GoalProgram, Walker]]:
        """The compiled rules for random games, and for guided ones; none if players draw."""
        program = self.start.game.program
        if not can_seek(program):
            return []
        known = {goal.key for goal in coverage_goals(program)}
        goals = [GoalProgram(program, keys, self.claims, hunting=True) for keys in (known, ())]
        return [(each, Walker(each, self.start)) for each in goals]

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[FoundGames]:
        found = (self._item(number, stopped) for number in range(first, first + count))
        return list(takewhile(lambda _: not stopped(), found))

    def size(self, answer: list[FoundGames]) -> int:
        for found in answer:
            lines = [*found.faults, *found.shown.values(), *filter(None, [found.lasting[1]])]
            if not all(text.isprintable() for line in lines for text in line.moves):
                raise ValueError("a string cannot be printed")
            if not all(0 <= number < len(self.claims) for number in found.shown):
                raise ValueError("it is about other claims")
            if min(found.plays, found.positions, found.unfinished, found.lasting[0]) < 0:
                raise ValueError("a number of games is negative")
        return len(answer)

    def _item(self, number: int, stopped: Callable[[], bool]) -> FoundGames:
        seed = Random(f"{self.seed} {number}").getrandbits(60)
        budget = Budget(AT_ONCE, inf, seed)
        targets = [target_of(self.start, claim) for claim in self.claims]
        search = RandomSearch(self.start, [t for t in targets if t is not None], budget)
        met = PlayFindings()
        if self.guides:
            seeking = Seeking(self.start, self.claims, targets, budget)
            for _, walker in self.guides:
                walker.again([])  # its memory is as it was at the beginning
            plain, guided = (GuidedSearch(goals, walker, seed) for goals, walker in self.guides)
            walker = self.guides[1][1]
            most = walker.asked + ASKED
            seeking.run_counted(
                (plain, PLAIN_AT_ONCE), (guided, WALKS * AT_ONCE), lambda: stopped() or walker.asked > most
            )
            search.know(seeking.met)
            met.add(seeking.met)
        clock = Clock(stopped=_Stop(stopped))
        met.add(search.run(clock, PLIES))
        return self._kept(met, search, targets, clock)

    def _kept(
        self, met: PlayFindings, search: RandomSearch, targets: Sequence[Target | None], clock: Clock
    ) -> FoundGames:
        """Returns what an item found, with games that were shortened by a number of tries."""

        def short(play: Play, shows: Shows) -> Line:
            return Line.of(shrunk(play, shows, clock, states=EXPANDED))

        faults = [short(play, shows_same_fault(play)) for play in met.faults[:MOST_FAULTS]]
        found = {k: short(t.found, t.shows) for k, t in enumerate(targets) if t is not None and t.found is not None}
        lasting = Line.of(met.longest[0]) if met.longest else None
        return FoundGames(
            sorted(met.schemas), sorted(met.phases), sorted(met.results), sorted(map(sorted, met.winners)), met.plays,
            met.positions, met.unfinished, (len(met.longest), lasting), search.refusals.refused(), faults, found,
        )  # fmt: skip


class _Stop(Event):
    """A request to stop, in the form that a clock has."""

    def __init__(self, asked: Callable[[], bool]) -> None:
        super().__init__()
        self._asked = asked

    def is_set(self) -> bool:
        return self._asked()


def play_counted(start: State, claims: list[n.CoreClaim], budget: Budget, runner: ShardRunner, clock: Clock) -> Sampled:
    """Plays the games of a budget, whose time does not matter, and returns what they show: of all games that decide a
    claim the shortest, of equally short ones the first."""
    question = ClaimGames(start, claims, budget.seed)
    items = ceil(budget.plays / AT_ONCE)
    merged = _Merged(start, [target_of(start, claim) for claim in claims])
    clock.say("random games")
    for found in runner.items(question, items, clock.stopped.is_set):
        merged.add(found)
        clock.say(f"random games: {merged.met.plays:,}, {merged.met.positions:,} positions")
    return Sampled(merged.met, claims, merged.targets, budget.seed, is_short=True)


class _Merged:
    """The findings of several items."""

    def __init__(self, start: State, targets: list[Target | None]) -> None:
        self.start, self.targets = start, targets
        self.search = RandomSearch(start, [], Budget(0))
        self.met = PlayFindings(refusals=self.search.refusals)

    def add(self, found: FoundGames) -> None:
        met, start = self.met, self.start
        met.schemas.update(found.schemas)
        met.phases.update(found.phases)
        met.results.update(found.results)
        met.winners.update(map(frozenset, found.winners))
        met.plays += found.plays
        met.positions += found.positions
        met.unfinished += found.unfinished
        many, lasting = found.lasting
        if many and lasting is not None and (play := self._lasting(lasting)) is not None:
            met.longest += [play] * many
        self.search.refusals.add(found.refusing)
        for line in found.faults:
            self._add_fault(line.replayed(start))
        for number, line in found.shown.items():
            target, play = self.targets[number], line.replayed(start)
            if target is not None and play is not None and target.shows(play):
                if target.found is None or len(play.tried) < len(target.found.tried):
                    target.found = play

    def _lasting(self, line: Line) -> Play | None:
        """Returns a game that did not end; one is enough."""
        return self.met.longest[0] if self.met.longest else line.replayed(self.start)

    def _add_fault(self, play: Play | None) -> None:
        """Keeps the shortest game of each fault."""
        if play is None or play.error is None:
            return
        for k, known in enumerate(self.met.faults):
            if fault_key(known) == fault_key(play):
                if len(play.tried) < len(known.tried):
                    self.met.faults[k] = play
                return
        self.met.faults.append(play)
