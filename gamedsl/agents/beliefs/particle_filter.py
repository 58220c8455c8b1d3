"""Positions in which a seat may believe to be.

A *particle* is a whole history of a game that the seat could not distinguish from the real one; its last position
is a determinization. While there are few positions, all of them are enumerated, with their probabilities; from then
on a particle filter draws some.

Only the seat's observations are used: they are taken from the game once (``observed``), and the game is not looked
at again. The draws depend on the observations alone, so keeping earlier ones only saves time.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from dataclasses import replace
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from gamedsl.agents.array_shapes import buffers_of, zeros
from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.belief_steps import (
    BEGUN,
    EXACT,
    FIRST_MARK,
    IS_EXACT,
    MOST_EXACT,
    MOST_STEPS,
    NOTHING_FITS,
    ROWS,
    Room,
    add_shares,
    replay_all,
    take_phase,
)
from gamedsl.agents.beliefs.exact_kernels import Layer
from gamedsl.agents.beliefs.observation_points import with_observation_points
from gamedsl.agents.beliefs.observed_ply import MOST_OBSERVED, first_view, play_ply
from gamedsl.agents.beliefs.particle_kernels import Particles
from gamedsl.agents.beliefs.sampling import Evidence, Scratch, longest_history
from gamedsl.agents.beliefs.step_budget import StepBudget
from gamedsl.agents.position import ARENA, NoPosition, Rules, compiled
from gamedsl.compiler import MoveCodes, Native, Words, compile_program, move_tables
from gamedsl.language.source import UsageError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.position import Past
    from gamedsl.engine import Game, Move

KEPT = 16  # particle sets kept for a game


@lazy_dataclass(frozen=True)
class Belief:
    """A seat's belief: histories, with the logarithms of their probabilities as weights.

    ``is_exact``: they end in all possible positions, each of which occurs once.
    """

    particles: Particles
    is_exact: bool

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The probability of each history."""
        found: npt.NDArray[np.float64] = np.exp(self.particles.weights[:, 0])
        return found

    @property
    def until(self) -> npt.NDArray[np.float64]:
        """The sum of the probabilities up to each history."""
        found = np.zeros(len(self.particles.weights))
        add_shares(self.particles, found)
        return found

    def copy(self) -> Belief:
        """Returns a copy that a thread may change."""
        return replace(self, particles=rows_of(self.particles, slice(None)))


@lazy_dataclass(frozen=True)
class Observations:
    """A seat's observations so far, as hashes.

    ``choices``: the index in them of each of its own actions, and their number at the end.
    """

    seat: int
    events: hashes.Hashes
    choices: tuple[int, ...]


@lazy_dataclass(frozen=True)
class Observed:
    """A game as observed so far: its moves, a seat's observations of them, the position, and the last thing it saw."""

    past: Past
    known: Observations
    state: Words
    last: hashes.Hashes


class ObservedGame:
    """A game with its rules with observation points, and the beliefs and observed games that are kept for later
    searches.
    """

    def __init__(self, game: Game) -> None:
        reason = hashes.why_unobservable(game)
        if reason is not None:
            raise UsageError(
                f"what the players of {game.program.title or game.program.name} see cannot be searched: {reason}"
            )
        observable = with_observation_points(game.program)
        self.game, self.origin = game, observable.origin
        self.tables = move_tables(game.program, game.notation, MoveCodes(game.program))
        self.native: Native = compile_program(observable.program)
        self.kept_beliefs: OrderedDict[tuple[int, bytes, bool], Belief] = OrderedDict()
        self.kept_games: list[Observed] = []
        self.lock = Lock()
        self.is_loaded = False

    def kept(self, key: tuple[int, bytes], hurried: bool) -> Belief | None:
        """Returns the belief for an observation sequence if it is still kept, else None.

        ``hurried``: accept one that was drawn in less time than it should have had.
        """
        with self.lock:
            found = self.kept_beliefs.get((*key, False))
            if found is None and hurried:
                found = self.kept_beliefs.get((*key, True))
            return None if found is None else found.copy()

    def keep(self, key: tuple[int, bytes], belief: Belief, hurried: bool) -> None:
        """Keeps the belief for an observation sequence."""
        with self.lock:
            self.kept_beliefs[(*key, hurried)] = belief.copy()
            while len(self.kept_beliefs) > KEPT:
                self.kept_beliefs.popitem(last=False)

    def observed_before(self, past: Past, seat: int) -> Observed | None:
        """Returns the longest known beginning of a game as observed by a seat; None if there is none."""
        with self.lock:
            known = list(self.kept_games)
        fit = (g for g in known if g.known.seat == seat and past[: len(g.past)] == g.past)
        return max(fit, key=lambda g: len(g.past), default=None)

    def keep_observed(self, before: Observed | None, now: Observed) -> None:
        """Keeps what a seat has observed of a game, and drops the beginning from which it was made."""
        with self.lock:
            self.kept_games = [now, *(g for g in self.kept_games if g is not before)][:KEPT]


def rows_of(particles: Particles, rows: Any) -> Particles:
    """Returns a copy of some rows of a particle set."""
    return Particles(*(np.array(a[rows]) for a in cast("tuple[Any, ...]", particles)))


_making = Lock()


def observed_game(game: Game) -> ObservedGame:
    """Returns the game as its seats observe it, made once."""
    with _making:
        known: ObservedGame | None = vars(game).get("observed_game")
        if known is None:
            known = vars(game)["observed_game"] = ObservedGame(game)
        return known


class ParticleFilter:
    """The kernels' working memory for one thread. ``rules``: of the thread, whose context holds noted positions."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.of = observed_game(game)
        self.rules = rules
        entry = [rules.context.pointer, *map(self.of.native.address, hashes.OBSERVING)]
        self.observable = hashes.rules_of(game, self.of.native, entry, self.of.origin)
        self.buffers = buffers_of(self.observable)
        self.words = self.buffers.spare.shape[1]  # of an array that holds a position
        self.initial = np.zeros(self.words, np.int64)
        begun = compiled(game).initial(rules.context)
        ctypes.memmove(self.initial.ctypes.data, begun, len(begun))
        self.first_mark = rules.context.used
        self.budget = StepBudget(None)
        self.layers: tuple[Layer, Layer, Layer] | None = None
        self.scratch = zeros(Scratch, {})
        if not self.of.is_loaded:
            self._load_kernels()
            self.of.is_loaded = True

    def _load_kernels(self) -> None:
        """Compiles the kernels, so that searches need not wait for them."""
        evidence, limits = self._evidence(Observations(0, np.zeros(0, np.uint64), (0,)), 0), np.array([ARENA // 2, -1])
        room, layers = self._room(0, self._beginning(0), 0), self._layers(longest_history(0))
        take_phase(self.observable, self.buffers, (evidence, evidence), room, layers, limits, self.scratch)
        replay_all(self.observable, self.buffers, evidence, room, self.scratch)

    # ------------------------------------------------------------------------------------------------ the observations

    def observed(self, past: Past, seat: int) -> Observations:
        """Returns what a seat notices of a game. Simultaneous choices count as made in the order of the players.

        Raises ``RulesError``.
        """
        before = self.of.observed_before(past, seat)
        if before is None:
            state, last, events, choices, todo = self.initial.copy(), self._last(seat), [], [], list(past)
        else:
            state, last, events = before.state.copy(), before.last.copy(), [before.known.events]
            choices, todo = list(before.known.choices[:-1]), list(past[len(before.past) :])
        n, buffer, own = sum(map(len, events)), np.zeros(MOST_OBSERVED, np.uint64), np.zeros(1, np.int64)
        with self.rules.context.temporary():
            while todo:
                move = self._next(state, todo)
                count = play_ply(self.observable, self.buffers, state, move, seat, last, buffer, own)
                if own[0]:
                    choices.append(n)
                if count < 0:
                    raise self.of.native.error(self.rules.context)
                events.append(buffer[:count].copy())
                n += count
        whole = np.concatenate(events) if events else np.zeros(0, np.uint64)
        known = Observations(seat, whole, (*choices, n))
        if not self.rules.native.has_history:
            self.of.keep_observed(before, Observed(past, known, state, last))
        return known

    def _next(self, state: Words, todo: list[Move | int]) -> Words:
        """Removes the next action from ``todo`` and returns it: its number, or -1 and its code."""
        if isinstance(todo[0], int):
            return np.array([todo.pop(0)], np.int64)
        block = int(state[0]) & 0xFFFFFFFF
        code = self.of.tables[block].code(self._take_next(todo, state, block))
        return np.array([-1, *(code if isinstance(code, tuple) else (code,))], np.int64)

    def _take_next(self, todo: list[Move | int], state: Words, block: int) -> Move:
        """Removes the next move from ``todo`` and returns it; among simultaneous choices, that of the first player to
        act.
        """
        together = self.of.game.kinds[block] == "together"
        acts = int(self.buffers.actors[0]) if together and self._acting(state) else -1
        made = next(m for m in todo if not isinstance(m, int) and (not together or m.player == acts))
        todo.remove(made)
        return made

    def _acting(self, state: Words) -> int:
        return hashes.acting(self.observable, self.buffers, state.ctypes.data)

    def _last(self, seat: int) -> hashes.Hashes:
        last = np.zeros(2, np.uint64)
        first_view(self.observable, self.buffers, self.initial, seat, last)
        return last

    # ----------------------------------------------------------------------------------------------- the particles

    def belief(self, known: Observations, deadline: float | None = None) -> Belief:
        """Returns a seat's belief after these observations.

        ``deadline``: a time (``time.monotonic``) after which the positions found so far must suffice. Raises
        ``NoPosition`` if none was found.
        """
        self.budget = StepBudget(deadline)
        todo: list[int] = []
        found = self._beginning(known.seat)
        for explained in reversed(known.choices):
            kept = self.of.kept(self._key(known, explained), deadline is not None)
            if kept is not None:
                found = kept
                if self.rules.native.has_history:
                    self._replay(known, explained, found.particles)
                break
            todo.append(explained)
        for parts in range(len(todo), 0, -1):
            explained = todo[parts - 1]
            self.budget.begin(parts)
            found = self._step(known, explained, found)
            self.of.keep(self._key(known, explained), found, self.budget.is_cut)
        return found

    def _key(self, known: Observations, explained: int) -> tuple[int, bytes]:
        return known.seat, blake2b(known.events[:explained].tobytes(), digest_size=16).digest()

    def _evidence(self, known: Observations, explained: int) -> Evidence:
        return Evidence(known.events, np.array([known.seat, explained], np.int64))

    def _room(self, seat: int, before: Belief, explained: int) -> Room:
        """Returns what a step works with that continues a belief."""
        longest = longest_history(explained)
        given = {"before": before.particles, "start": self._start(seat, longest)}
        room = zeros(Room, {"words": self.words, "longest": longest}, given)
        room.at[IS_EXACT], room.at[FIRST_MARK] = before.is_exact, self.first_mark
        return room

    def _start(self, seat: int, longest: int) -> Particles:
        """Returns the beginning of the game as the only particle of a set."""
        particles = zeros(Particles, {"rows": 1, "words": self.words, "longest": longest})
        particles.states[0], particles.lasts[0] = self.initial, self._last(seat)
        return particles

    def _beginning(self, seat: int) -> Belief:
        return Belief(self._start(seat, longest_history(0)), True)

    def _layers(self, longest: int) -> tuple[Layer, Layer, Layer]:
        """Returns room to enumerate histories of at most ``longest`` plies."""
        known = self.layers
        if known is None or known[0].particles.histories.shape[1] < longest:
            known = self.layers = (self._layer(longest), self._layer(longest), self._layer(longest))
        return known

    def _layer(self, longest: int) -> Layer:
        return zeros(Layer, {"rows": MOST_EXACT, "words": self.words, "longest": 2 * longest})

    def _step(self, known: Observations, explained: int, before: Belief) -> Belief:
        """Continues a belief to the next decision of the seat."""
        scratch, room, layers = (
            self.scratch,
            self._room(known.seat, before, explained),
            self._layers(longest_history(explained)),
        )
        earlier = int(before.particles.counts[0, 1])
        evidence, phase = (self._evidence(known, explained), self._evidence(known, earlier)), BEGUN
        scratch.steps[0] = 0
        while phase < EXACT:
            limits = self.budget.limits(scratch, MOST_STEPS[phase])
            phase = take_phase(self.observable, self.buffers, evidence, room, layers, limits, scratch)
        self.budget.settle(scratch)
        if phase == NOTHING_FITS:
            raise NoPosition
        if phase == EXACT:
            return Belief(self._trimmed(layers[-1].particles, int(room.at[ROWS]), explained), True)
        return Belief(room.chosen, False)

    def _trimmed(self, particles: Particles, n: int, explained: int) -> Particles:
        """Returns a copy of the first n rows of a particle set, with as much room for histories as a new one."""
        longest = longest_history(explained)
        narrow = particles._replace(histories=particles.histories[:, :longest], opens=particles.opens[:, :longest])
        return rows_of(narrow, slice(n))

    def _replay(self, known: Observations, explained: int, particles: Particles) -> None:
        """Replays the particles in this thread's context, whose memory for noted positions is emptied first."""
        room = self._room(known.seat, Belief(particles, False), explained)._replace(chosen=particles)
        if not replay_all(self.observable, self.buffers, self._evidence(known, explained), room, self.scratch):
            raise NoPosition
