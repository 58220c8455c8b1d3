"""Positions in which a seat may believe to be.

A *particle* is a whole history of a game that the seat could not distinguish from the real one; its last position
is a determinization. While there are few positions, all of them are enumerated, with their probabilities; from then
on a particle filter draws some.

Only the seat's observations are used: they are taken from the game once (``observed``), and the game is not looked
at again. The draws depend on the observations alone, so keeping earlier ones only saves time.
"""

from __future__ import annotations

import ctypes
import math
from collections import OrderedDict
from dataclasses import dataclass, replace
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.exact_kernels import Layer, enumerate_histories
from gamedsl.agents.beliefs.observation_points import with_observation_points
from gamedsl.agents.beliefs.observed_ply import MOST_OBSERVED, STOP, VIEW, played_ply
from gamedsl.agents.beliefs.particle_kernels import Particles, local_search, metropolis, propagate, replay
from gamedsl.agents.beliefs.sampling import Evidence, Scratch, longest_history
from gamedsl.agents.beliefs.step_budget import StepBudget
from gamedsl.agents.position import ARENA, NoPosition, Rules, compiled
from gamedsl.compiler import MoveCodes, Native, Words, compile_program, move_tables
from gamedsl.language.source import UsageError

if TYPE_CHECKING:
    from gamedsl.agents.position import Past
    from gamedsl.engine import Game, Move

PARTICLES = 512  # particles in a set
ROUNDS = 4  # rounds of this many draws, before the particles found so far must suffice
MOST_EXACT = 1024  # positions that are enumerated; if there are more, particles are drawn
ENUMERATION_STEPS = 30_000  # steps of the rules, to enumerate
PROPAGATION_STEPS = 100_000_000  # steps of the rules, to continue particles
METROPOLIS_STEPS = 200_000  # steps of the rules, to vary particles
SEARCH_STEPS = 1_000_000  # steps of the rules, to find particles by local search
SWEEPS = 4  # sweeps over all particles, if few were found
FEW = 16  # with fewer particles than this, the search continues as local search
KEPT = 16  # particle sets kept for a game


@dataclass(frozen=True)
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

    def copy(self) -> Belief:
        """Returns a copy that a thread may change."""
        return replace(self, particles=rows_of(self.particles, slice(None)))


@dataclass(frozen=True)
class Observations:
    """A seat's observations so far, as hashes.

    ``choices``: the index in them of each of its own actions, and their number at the end.
    """

    seat: int
    events: hashes.Hashes
    choices: tuple[int, ...]


@dataclass(frozen=True)
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
        self.observable = hashes.rules_of(game, self.of.native, rules.context.pointer, self.of.origin, False)
        self.buffers = hashes.buffers_of(self.observable)
        self.words = int(self.observable.shape[hashes.SIZE])
        self.initial = np.zeros(self.words + 1, np.int64)
        begun = compiled(game).initial(rules.context)
        ctypes.memmove(self.initial.ctypes.data, begun, len(begun))
        self.first_mark = rules.context.used
        self.budget = StepBudget(None)
        self.layers: tuple[Layer, Layer, Layer] | None = None
        self.scratch = Scratch(
            draws=np.zeros(1, np.uint64),
            steps=np.zeros(1, np.int64),
            barred=np.zeros(1, np.int64),
            order=np.zeros(hashes.CODES, np.int64),
            chances=np.zeros(hashes.CODES),
            observed=np.zeros(MOST_OBSERVED, np.uint64),
            last=np.zeros(2, np.uint64),
            at=np.zeros((2, 3), np.int64),
            instead=np.zeros(2, np.uint64),
        )
        if not self.of.is_loaded:
            self._load_kernels()
            self.of.is_loaded = True

    def _load_kernels(self) -> None:
        """Compiles the kernels, so that searches need not wait for them."""
        known, nobody = Observations(0, np.zeros(0, np.uint64), (0,)), np.zeros(0, np.int64)
        some, scratch = self._beginning(0).particles, self._scratch(self._key(known, 0))
        evidence = self._evidence(known, 0)
        limits, rules, buffers = np.array([ARENA // 2, -1]), self.observable, self.buffers
        enumerate_histories(rules, buffers, evidence, some, self._layers(longest_history(0)), limits, scratch)
        self._metropolis(known, evidence, some, nobody, scratch)
        propagate(rules, buffers, evidence, some, nobody, some, 0, limits, scratch)
        local_search(rules, buffers, evidence, some, some, some, some, np.zeros(2, np.int64), limits, scratch)

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
        n, buffer = sum(map(len, events)), np.zeros(MOST_OBSERVED, np.uint64)
        with self.rules.context.temporary():
            while todo:
                move = self._next(state, todo)
                count, is_own = played_ply(self.observable, self.buffers, state.ctypes.data, move, seat, last, buffer)
                if is_own:
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
        at, last = self.initial.ctypes.data, np.zeros(2, np.uint64)
        last[VIEW] = hashes.view_hash(self.observable, at, seat)
        last[STOP] = hashes.stop_hash(self.observable, self.buffers, at, seat)
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

    def _scratch(self, key: tuple[int, bytes]) -> Scratch:
        found = self.scratch
        found.draws[:], found.steps[:] = np.frombuffer(key[1][:8], np.uint64), 0
        return found

    def _evidence(self, known: Observations, explained: int) -> Evidence:
        return Evidence(known.events, np.array([known.seat, explained], np.int64))

    def _empty_like(self, particles: Particles, rows: int) -> Particles:
        return self._room(rows, particles.histories.shape[1])

    def _empty(self, rows: int, explained: int) -> Particles:
        return self._room(rows, longest_history(explained))

    def _room(self, rows: int, longest: int) -> Particles:
        return Particles(
            np.zeros((rows, self.words + 1), np.int64),
            np.zeros((rows, longest), np.uint64),
            np.zeros((rows, longest), np.uint8),
            np.zeros((rows, 2), np.int64),
            np.zeros((rows, 2), np.uint64),
            np.zeros((rows, 2)),
        )

    def _beginning(self, seat: int) -> Belief:
        particles = self._empty(1, 0)
        particles.states[0], particles.lasts[0] = self.initial, self._last(seat)
        return Belief(particles, True)

    def _layers(self, longest: int) -> tuple[Layer, Layer, Layer]:
        """Returns room to enumerate histories of at most ``longest`` plies."""
        known = self.layers
        if known is None or known[0].particles.histories.shape[1] < longest:
            known = self.layers = (self._layer(longest), self._layer(longest), self._layer(longest))
        return known

    def _layer(self, longest: int) -> Layer:
        keys, table = np.zeros(MOST_EXACT + 1, np.uint64), np.zeros(4 * MOST_EXACT, np.int64)
        return Layer(self._room(MOST_EXACT, 2 * longest), keys, table, np.zeros(hashes.CODES, np.uint64))

    def _step(self, known: Observations, explained: int, before: Belief) -> Belief:
        """Continues a belief to the next decision of the seat."""
        scratch = self._scratch(self._key(known, explained))
        if before.is_exact:
            found = self._enumerate(known, explained, before.particles, scratch)
            if found is not None:
                return found
            picks, _ = _resampled(before.particles.weights[:, 0], scratch)
            before = Belief(rows_of(before.particles, picks), False)
        before.particles.weights[:, 0] = 0.0
        return self._propagated(known, explained, before.particles, scratch)

    def _enumerate(self, known: Observations, explained: int, before: Particles, scratch: Scratch) -> Belief | None:
        """Enumerates everything that the seat may believe; None if it is too much."""
        evidence, layers = self._evidence(known, explained), self._layers(longest_history(explained))
        mark, limits = self.rules.context.used, self.budget.limits(scratch, ENUMERATION_STEPS)
        n = enumerate_histories(self.observable, self.buffers, evidence, before, layers, limits, scratch)
        if n == 0:
            raise NoPosition
        if n < 0:
            self.rules.context.used = mark
            return None
        self.budget.settle(scratch)
        found = self._trimmed(layers[-1].particles, n, explained)
        weights = found.weights[:, 0]
        weights -= weights.max() + math.log(np.exp(weights - weights.max()).sum())
        return Belief(found, True)

    def _trimmed(self, particles: Particles, n: int, explained: int) -> Particles:
        """Returns a copy of the first n rows of a particle set, with as much room for histories as a new one."""
        longest = longest_history(explained)
        narrow = particles._replace(histories=particles.histories[:, :longest], opens=particles.opens[:, :longest])
        return rows_of(narrow, slice(n))

    def _propagated(self, known: Observations, explained: int, before: Particles, scratch: Scratch) -> Belief:
        """Continues particles to the next decision of the seat."""
        evidence = self._evidence(known, explained)
        found, rows = self._empty(2 * PARTICLES, explained), 0
        earlier = self._evidence(known, int(before.counts[0, 1]))
        everyone = np.arange(PARTICLES)
        for again in range(ROUNDS):
            if again > 1:
                self._metropolis(known, earlier, before, np.arange(len(before.states)), scratch)
            picks = everyone % len(before.states)
            limits = self.budget.limits(scratch, PROPAGATION_STEPS)
            rows = propagate(self.observable, self.buffers, evidence, before, picks, found, rows, limits, scratch)
            if rows >= PARTICLES // 2:
                break
        if rows < FEW:
            rows = self._local_search(known, evidence, before, found, rows, scratch)
        if rows == 0:
            raise NoPosition
        picks, repeated = _resampled(found.weights[:rows, 0], scratch)
        chosen = rows_of(found, picks)
        chosen.weights[:, 0] = -math.log(len(picks))
        if len(repeated) > PARTICLES // 4:
            self._metropolis(known, evidence, chosen, repeated, scratch)
            if rows < PARTICLES // 4:
                self._metropolis(known, evidence, chosen, np.concatenate([everyone] * SWEEPS), scratch)
        self.budget.settle(scratch)
        if self.rules.context.used > ARENA // 4:
            self._replay(known, explained, chosen)
        return Belief(chosen, False)

    def _local_search(
        self, known: Observations, evidence: Evidence, before: Particles, found: Particles, rows: int, scratch: Scratch
    ) -> int:
        start, spare = self._room_for(known.seat, found), self._empty_like(found, 2)
        wanted, limits = np.array([rows, FEW]), self.budget.limits(scratch, SEARCH_STEPS)
        return local_search(
            self.observable, self.buffers, evidence, start, spare, before, found, wanted, limits, scratch
        )

    def _metropolis(
        self, known: Observations, evidence: Evidence, particles: Particles, which: Words, scratch: Scratch
    ) -> None:
        start, spare = self._room_for(known.seat, particles), self._empty_like(particles, 1)
        limits = self.budget.limits(scratch, METROPOLIS_STEPS)
        metropolis(self.observable, self.buffers, evidence, start, spare, particles, which, limits, scratch)

    def _room_for(self, seat: int, particles: Particles) -> Particles:
        """Returns the beginning of the game, with room for histories as long as those of a particle set."""
        longest = particles.histories.shape[1]
        return self._beginning(seat).particles._replace(
            histories=np.zeros((1, longest), np.uint64), opens=np.zeros((1, longest), np.uint8)
        )

    def _replay(self, known: Observations, explained: int, particles: Particles) -> None:
        """Replays the particles in this thread's context, whose memory for noted positions is emptied first."""
        self.rules.context.used = self.first_mark
        scratch = self._scratch(self._key(known, explained))
        evidence = self._evidence(known, explained)
        start, spare = self._room_for(known.seat, particles), self._empty_like(particles, 1)
        if not replay(self.observable, self.buffers, evidence, start, spare, particles, scratch):
            raise NoPosition


def _resampled(weights: Any, scratch: Scratch) -> tuple[Words, Words]:
    """Returns the rows to keep (systematic resampling by the logarithms of weights), and the indices of repetitions."""
    shares = np.exp(weights - weights.max())
    steps = np.cumsum(shares) / shares.sum() * PARTICLES
    offset = float(scratch.draws[0] >> np.uint64(11)) / (1 << 53)
    picks = np.minimum(np.searchsorted(steps, np.arange(PARTICLES) + offset, side="right"), len(weights) - 1)
    repeated = np.flatnonzero(np.diff(picks, prepend=-1) == 0)
    return picks.astype(np.int64), repeated.astype(np.int64)
