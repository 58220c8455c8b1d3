"""Playouts of a game too large to explore, biased toward what is not covered yet, and their evidence on claims.

A playout begins at the start or from a position where an earlier one met something new: a pair of places in the
rules passed in sequence, a value of a variable, a condition that refused, a result. Everything is determined by the
seed, except that the time limit also decides where the search stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from math import inf
from random import Random
from time import perf_counter
from typing import Any, TypeAlias

from gamedsl.engine import Game, Move, State
from gamedsl.lab.base import Clock
from gamedsl.lab.search.recorded_play import Play
from gamedsl.lab.search.redundant_conditions import Refusals
from gamedsl.lab.search.shrink import Shows
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, Span, lazy_dataclass

Feature: TypeAlias = tuple[Any, ...]
LONGEST = 2000  # moves per playout
ARGUMENTS = 6  # moves tried per position and kind, to see whether conditions refuse
MOST_KEPT = 2000  # positions kept as starting points


@lazy_dataclass(frozen=True)
class Budget:
    """The budget: number of playouts, time limit in seconds, seed."""

    plays: int = 500
    seconds: float = 20.0
    seed: int = 0


@lazy_dataclass()
class Target:
    """Something that games may demonstrate.

    ``found``: the first game that did. ``is_witness``: it proves a claim of possibility.
    """

    shows: Shows
    found: Play | None = None
    is_witness: bool = False


@lazy_dataclass()
class PlayFindings:
    """Findings of games: kinds of moves, phases, results (blocks), refusing conditions, sets of winners, faults."""

    schemas: set[int] = field(default_factory=set)
    phases: set[tuple[int, str]] = field(default_factory=set)
    results: set[int] = field(default_factory=set)
    winners: set[frozenset[int]] = field(default_factory=set)
    faults: list[Play] = field(default_factory=list)
    plays: int = 0
    positions: int = 0
    unfinished: int = 0
    longest: list[Play] = field(default_factory=list)  # games that were not over after ``LONGEST`` moves
    seconds: float = 0.0
    refusals: Refusals | None = None
    refusing: set[Span] = field(default_factory=set)  # the places of conditions that refused something

    def add(self, other: PlayFindings) -> None:
        """Merges other findings into these."""
        self.schemas |= other.schemas
        self.phases |= other.phases
        self.results |= other.results
        self.winners |= other.winners
        self.refusing |= other.refusing
        self.faults += other.faults
        self.plays += other.plays
        self.positions += other.positions
        self.longest += other.longest
        self.seconds += other.seconds


class RandomSearch:
    """Playouts from a state. ``targets`` are checked after every move. ``known``: earlier findings. ``tries_refused``: also
    tries moves that a condition may refuse."""

    def __init__(
        self,
        start: State,
        targets: list[Target],
        budget: Budget,
        known: PlayFindings | None = None,
        tries_refused: bool = True,
    ) -> None:
        self.start = start
        self.game: Game = start.game
        self.targets = targets
        self.budget = budget
        self.rng = Random(f"search {budget.seed}")
        self.refusals = Refusals(self.game)
        self.met = PlayFindings(refusals=self.refusals)
        self._features: set[Feature] = set()
        self._kept: list[Play] = []
        self._watched = _small_variables(self.game)
        self._faults: set[tuple[str, str]] = set()
        self._tries_refused = tries_refused
        if known is not None:
            self.know(known)

    def know(self, known: PlayFindings) -> None:
        """Takes over earlier findings, so that they are not sought again."""
        self.refusals.discard(known.refusing)
        self._faults |= {fault_key(play) for play in known.faults}

    @property
    def is_waiting(self) -> bool:
        """Whether a claim of possibility is still without a witness."""
        return any(t.is_witness and t.found is None for t in self.targets)

    def run_plain(self, plays: int, clock: Clock, tell: Callable[[], None]) -> None:
        """Makes up to ``plays`` uniformly random playouts from the start, until every claim of possibility has a
        witness.

        Calls ``tell`` after each.
        """
        for number in range(plays):
            if clock.is_over or not self.is_waiting:
                break
            clock.say(f"random games: {number:,}")
            play = Play.begin(self.start)
            self._ask(play)
            while self.is_waiting and not play.is_over and len(play.moves) < LONGEST and not clock.is_over:
                self._move(play, self._proposed)
                self._ask(play)
            self._end(play)
            tell()

    def run(self, clock: Clock | None = None, plies: float = inf) -> PlayFindings:
        """Makes playouts until the budget or the time is used up, or they have this many plies."""
        began = perf_counter()
        clock = (clock or Clock()).within(self.budget.seconds)
        while self.met.plays < self.budget.plays and self.met.positions < plies and not clock.is_over:
            clock.say(f"random games: {self.met.plays:,}, {self.met.positions:,} positions")
            self._play(clock)
            self.met.seconds = perf_counter() - began
        return self.met

    def _play(self, clock: Clock) -> None:
        play = self._beginning()
        self._ask(play)
        while not play.is_over and len(play.moves) < LONGEST and not clock.is_over:
            self._move(play, self._chosen)
            self._look(play)
            self._ask(play)
        self._end(play)

    def _end(self, play: Play) -> None:
        """Records how a playout ended."""
        self.met.plays += 1
        if play.error is not None:
            self._fault(play)
        elif play.end.is_terminal:
            self.met.winners.add(play.end.winners)
            self.met.results.add(play.end.block)
        else:
            self.met.unfinished += 1
            if len(play.moves) >= LONGEST:
                self.met.longest.append(play)

    def _beginning(self) -> Play:
        if self._kept and self.rng.random() < 0.6:
            kept = self.rng.choice(self._kept[-200:] if self.rng.random() < 0.5 else self._kept)
            return kept.cut(len(kept.moves))
        return Play.begin(self.start)

    def _move(self, play: Play, chosen: Callable[[State], Move]) -> None:
        try:
            move = chosen(play.end)
        except GameDSLError as error:
            play.error = error
            return
        if move.kind == "move" and move.schema is not None:
            self.met.schemas.add(move.schema)
            self.refusals.remember(move)
        play.do(move)
        self.met.positions += 1

    def _proposed(self, state: State) -> Move:
        return state.propose(self.rng)

    def _chosen(self, state: State) -> Move:
        """Chooses a kind of move, then a move of that kind, so that rare kinds are tried as often as common ones; half
        the time any move.
        """
        if state.kind != "player" or self.rng.random() < 0.5:
            return state.propose(self.rng)
        moves = state.legal_moves()
        kinds = sorted({(m.kind, m.name) for m in moves})
        kind = self.rng.choice(kinds)
        return self.rng.choice([m for m in moves if (m.kind, m.name) == kind])

    def _look(self, play: Play) -> None:
        """Keeps the playout so far if it met something new."""
        new = [f for f in self._met_at(play) if f not in self._features]
        self._features.update(new)
        if (
            (new or (self._tries_refused and self._refused(play.end)))
            and not play.is_over
            and len(self._kept) < MOST_KEPT
        ):
            self._kept.append(play.cut(len(play.moves)))

    def _met_at(self, play: Play) -> Iterator[Feature]:
        here = play.end
        if play.moves:
            yield "edge", play.states[-2].block, play.moves[-1].name, here.block
        yield "phase", here.part, here.phase
        self.met.phases.add((here.part, here.phase))
        for slot in self._watched:
            yield "value", slot, here.slots[slot]

    def _refused(self, state: State) -> bool:
        near = self.refusals.look_closely(state, ARGUMENTS, self.rng)
        return self.refusals.look(state, ARGUMENTS, self.rng) or near

    def _ask(self, play: Play) -> None:
        for target in self.targets:
            if target.found is None and target.shows(play):
                target.found = Play(list(play.states), list(play.moves), play.failing, play.error)

    def _fault(self, play: Play) -> None:
        key = fault_key(play)
        if key not in self._faults:
            self._faults.add(key)
            self.met.faults.append(play)


def fault_key(play: Play) -> tuple[str, str]:
    """Returns the place and the message of the rules error that ends a game."""
    assert play.error is not None
    diagnostic = play.error.diagnostics[0]
    return str(diagnostic.span), diagnostic.message


def _small_variables(game: Game) -> list[int]:
    """Returns the slots of plain variables and small maps with small values; they guide the search."""
    found: list[int] = []
    for var in game.program.variables:
        if isinstance(var.type, n.SingleT) and var.slots <= 32:
            found.extend(range(game.code.offsets[var.index], game.code.offsets[var.index + 1]))
    return found
