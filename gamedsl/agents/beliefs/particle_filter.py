"""Positions that a seat may believe to be in, drawn by a particle filter. A *particle* is a whole history of play that the seat
could not tell from the real one; its last position is a determinization.

Nothing but what the seat has observed goes in: its observations are taken from the play once (``observed``), and the play is not
looked at again. The draws depend on the observations alone, so keeping earlier ones only saves time.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.observation_points import with_observation_points
from gamedsl.agents.beliefs.observed_ply import MOST_OBSERVED, STOP, VIEW, ply
from gamedsl.agents.beliefs.particle_kernels import Particles, local_search, metropolis, propagate, replay
from gamedsl.agents.beliefs.sampling import NOTHING, Evidence, Scratch
from gamedsl.agents.beliefs.step_budget import StepBudget
from gamedsl.agents.position import ARENA, NoPosition, Rules, compiled
from gamedsl.native import MoveCodes, Native, Words, compile_program, move_tables
from gamedsl.source import UsageError

if TYPE_CHECKING:
    from gamedsl.agents.position import Past
    from gamedsl.engine import Game, Move

PARTICLES = 512  # in a set
ROUNDS = 4  # of as many draws, before as many particles as were found must do
PROPAGATION_STEPS = 100_000_000  # of the rules, to play particles on
METROPOLIS_STEPS = 200_000  # of the rules, to vary particles
SEARCH_STEPS = 1_000_000  # of the rules, to find particles by local search
SWEEPS = 4  # over all particles, where few were found
FEW = 16  # particles; with fewer, the search goes on by local search
SILENT, SILENT_AT_FIRST = 8, 256  # a particle has at most so many plies for each thing observed, and besides
KEPT = 16  # particle sets of a game that are kept


@dataclass(frozen=True)
class Observations:
    """What a seat has observed up to now, as hashes; ``choices``: where in them its own actions are, and their number at
    the end."""

    seat: int
    events: hashes.Hashes
    choices: tuple[int, ...]


class ObservedGame:
    """A game whose plays can be observed by its seats: its rules with observation points, and particle sets drawn before."""

    def __init__(self, game: Game) -> None:
        reason = hashes.why_unobservable(game)
        if reason is not None:
            raise UsageError(
                f"what the players of {game.program.title or game.program.name} see can't be searched: {reason}"
            )
        observable = with_observation_points(game.program)
        self.game, self.origin = game, observable.origin
        self.tables = move_tables(game.program, game.notation, MoveCodes(game.program))
        self.native: Native = compile_program(observable.program)
        self.kept_sets: OrderedDict[tuple[int, bytes, bool], Particles] = OrderedDict()
        self.lock = Lock()
        self.is_loaded = False

    def kept(self, key: tuple[int, bytes], hurried: bool) -> Particles | None:
        """The particles for an observation sequence, if they are still known. ``hurried``: also those that were drawn in less time
        than they should have had."""
        with self.lock:
            found = self.kept_sets.get((*key, False))
            if found is None and hurried:
                found = self.kept_sets.get((*key, True))
            return None if found is None else rows_of(found, slice(None))

    def keep(self, key: tuple[int, bytes], particles: Particles, hurried: bool) -> None:
        """Remembers the particles for an observation sequence."""
        with self.lock:
            self.kept_sets[(*key, hurried)] = rows_of(particles, slice(None))
            while len(self.kept_sets) > KEPT:
                self.kept_sets.popitem(last=False)


def rows_of(particles: Particles, rows: Any) -> Particles:
    """A copy of some rows of a particle set."""
    return Particles(*(np.array(a[rows]) for a in cast("tuple[Any, ...]", particles)))


_making = Lock()


def observed_game(game: Game) -> ObservedGame:
    """The game as its seats observe it, made once."""
    with _making:
        known: ObservedGame | None = vars(game).get("observed_game")
        if known is None:
            known = vars(game)["observed_game"] = ObservedGame(game)
        return known


class ParticleFilter:
    """The kernels' working memory for one thread. ``rules``: those of the thread, whose context holds noted positions."""

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
        if not self.of.is_loaded:
            self._load_kernels()
            self.of.is_loaded = True

    def _load_kernels(self) -> None:
        """Compiles the kernels, so that no search has to wait for them."""
        known, nobody = Observations(0, np.zeros(0, np.uint64), (0,)), np.zeros(0, np.int64)
        some, scratch = self._beginning(0), self._scratch(self._key(known, 0))
        evidence = self._evidence(known, 0)
        self._metropolis(known, evidence, some, nobody, scratch)
        limits = np.array([ARENA // 2, -1])
        propagate(self.observable, self.buffers, evidence, some, nobody, some, 0, limits, scratch)
        local_search(self.observable, self.buffers, evidence, some, some, some, np.zeros(2, np.int64), limits, scratch)

    # ------------------------------------------------------------------------------------------------ the observations

    def observed(self, past: Past, seat: int) -> Observations:
        """What a seat notices of a play. Simultaneous choices count as made in the order of the players. Raises
        ``RulesError``."""
        state, last = self.initial.copy(), self._last(seat)
        events: list[hashes.Hashes] = []
        choices, n, buffers, todo = [], 0, np.zeros(MOST_OBSERVED, np.uint64), list(past)
        with self.rules.context.temporary():
            while todo:
                k, own = self._next(state, todo, seat)
                if own != NOTHING:
                    choices.append(n)
                count = ply(self.observable, self.buffers, state.ctypes.data, k, own, seat, last, buffers)
                if count < 0:
                    raise self.of.native.error(self.rules.context)
                events.append(buffers[:count].copy())
                n += count
        whole = np.concatenate(events) if events else np.zeros(0, np.uint64)
        return Observations(seat, whole, (*choices, n))

    def _next(self, state: Words, todo: list[Move | int], seat: int) -> tuple[int, np.uint64]:
        """Takes what is played next from ``todo``: the number of the action, and its hash if it is the seat's own."""
        at, block = state.ctypes.data, int(state[0]) & 0xFFFFFFFF
        acts = int(self.buffers.actors[0]) if hashes.acting(self.observable, self.buffers, at) else -1
        made = todo[0]
        if isinstance(made, int):
            del todo[0]
            hashes.actions(self.observable, self.buffers, at, -1)
            k = made
        else:
            k = self._number(self._taken(todo, acts, block), at, block)
        return k, np.uint64(hashes.code_hash(self.observable, self.buffers, k) if acts == seat else 0)

    def _taken(self, todo: list[Move | int], acts: int, block: int) -> Move:
        """Takes the next move from ``todo``; among simultaneous choices, that of the player who is first."""
        together = self.of.game.kinds[block] == "together"
        made = next(m for m in todo if not isinstance(m, int) and (not together or m.player == acts))
        todo.remove(made)
        return made

    def _number(self, made: Move, at: int, block: int) -> int:
        """The number of the action that a move is, at the block of memory at this address."""
        n, words = hashes.actions(self.observable, self.buffers, at, -1), int(self.observable.shape[hashes.CODE_WORDS])
        codes = self.buffers.codes[: n * words].reshape(n, words)
        return int(np.flatnonzero((codes == np.array(self.of.tables[block].code(made))).all(axis=1))[0])

    def _last(self, seat: int) -> hashes.Hashes:
        at, last = self.initial.ctypes.data, np.zeros(2, np.uint64)
        last[VIEW] = hashes.view_hash(self.observable, at, seat)
        last[STOP] = hashes.stop_hash(self.observable, self.buffers, at, seat)
        return last

    # ----------------------------------------------------------------------------------------------- the particles

    def particles(self, known: Observations, deadline: float | None = None) -> Particles:
        """Particles that fit what a seat has observed, equally weighted. ``deadline``: a time (``time.monotonic``) after which
        those that were found must do. Raises ``NoPosition`` if none was found."""
        self.budget = StepBudget(deadline)
        todo: list[int] = []
        found = self._beginning(known.seat)
        for explained in reversed(known.choices):
            kept = self.of.kept(self._key(known, explained), deadline is not None)
            if kept is not None:
                found = kept
                if self.rules.native.has_history:
                    self._replay(known, explained, found)
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
        draws = np.frombuffer(key[1][:8], np.uint64).copy()
        return Scratch(
            draws,
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros(hashes.CODES, np.int64),
            np.zeros(hashes.CODES),
            np.zeros(MOST_OBSERVED, np.uint64),
            np.zeros(2, np.uint64),
        )

    def _evidence(self, known: Observations, explained: int) -> Evidence:
        return Evidence(known.events, np.array([known.seat, explained], np.int64))

    def _empty(self, rows: int, explained: int) -> Particles:
        longest = SILENT * explained + SILENT_AT_FIRST
        return Particles(
            np.zeros((rows, self.words + 1), np.int64),
            np.zeros((rows, longest), np.uint64),
            np.zeros((rows, longest), np.uint8),
            np.zeros((rows, 2), np.int64),
            np.zeros((rows, 2), np.uint64),
            np.zeros((rows, 2)),
        )

    def _beginning(self, seat: int) -> Particles:
        particles = self._empty(1, 0)
        particles.states[0], particles.lasts[0] = self.initial, self._last(seat)
        return particles

    def _step(self, known: Observations, explained: int, before: Particles) -> Particles:
        """Plays particles on to the next decision of the seat."""
        key = self._key(known, explained)
        scratch, evidence = self._scratch(key), self._evidence(known, explained)
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
        chosen.weights[:, 0] = 0.0
        if len(repeated) > PARTICLES // 4:
            self._metropolis(known, evidence, chosen, repeated, scratch)
            if rows < PARTICLES // 4:
                self._metropolis(known, evidence, chosen, np.concatenate([everyone] * SWEEPS), scratch)
        self.budget.settle(scratch)
        if self.rules.context.used > ARENA // 4:
            self._replay(known, explained, chosen)
        return chosen

    def _local_search(
        self, known: Observations, evidence: Evidence, before: Particles, found: Particles, rows: int, scratch: Scratch
    ) -> int:
        start = self._room_for(known.seat, found)
        wanted, limits = np.array([rows, FEW]), self.budget.limits(scratch, SEARCH_STEPS)
        return local_search(self.observable, self.buffers, evidence, start, before, found, wanted, limits, scratch)

    def _metropolis(
        self, known: Observations, evidence: Evidence, particles: Particles, which: Words, scratch: Scratch
    ) -> None:
        start = self._room_for(known.seat, particles)
        limits = self.budget.limits(scratch, METROPOLIS_STEPS)
        metropolis(self.observable, self.buffers, evidence, start, particles, which, limits, scratch)

    def _room_for(self, seat: int, particles: Particles) -> Particles:
        """The beginning of the play, with room for histories as long as those of a particle set."""
        longest = particles.histories.shape[1]
        return self._beginning(seat)._replace(
            histories=np.zeros((1, longest), np.uint64), opens=np.zeros((1, longest), np.uint8)
        )

    def _replay(self, known: Observations, explained: int, particles: Particles) -> None:
        """Plays the particles again in this thread's context, whose memory for noted positions is empty then."""
        self.rules.context.used = self.first_mark
        scratch = self._scratch(self._key(known, explained))
        evidence = self._evidence(known, explained)
        if not replay(
            self.observable, self.buffers, evidence, self._room_for(known.seat, particles), particles, scratch
        ):
            raise NoPosition


def _resampled(weights: Any, scratch: Scratch) -> tuple[Words, Words]:
    """Which rows to keep (systematic resampling by the logarithms of weights), and which of those are repetitions."""
    shares = np.exp(weights - weights.max())
    steps = np.cumsum(shares) / shares.sum() * PARTICLES
    offset = float(scratch.draws[0] >> np.uint64(11)) / (1 << 53)
    picks = np.minimum(np.searchsorted(steps, np.arange(PARTICLES) + offset, side="right"), len(weights) - 1)
    repeated = np.flatnonzero(np.diff(picks, prepend=-1) == 0)
    return picks.astype(np.int64), repeated.astype(np.int64)
