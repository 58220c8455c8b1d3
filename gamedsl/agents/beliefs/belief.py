"""Positions that a seat may believe to be in, drawn by a particle filter over courses of play.

Nothing but what the seat has noticed goes in: its record is made from the play once (``noticed``), and the play is not looked at
again. The draws depend on the record alone, so keeping earlier ones only saves time.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from gamedsl.agents.beliefs import sight
from gamedsl.agents.beliefs.clouds import Cloud, climb, follow, play_on, vary
from gamedsl.agents.beliefs.pauses import with_pauses
from gamedsl.agents.beliefs.tracing import NOTHING, Bench, Record
from gamedsl.agents.beliefs.watching import MOST_NOTICED, STAND, VIEW, ply
from gamedsl.agents.position import ARENA, NoPosition, Rules, compiled
from gamedsl.native import MoveCodes, Native, Words, compile_program, move_tables
from gamedsl.source import UsageError

if TYPE_CHECKING:
    from gamedsl.agents.position import Past
    from gamedsl.engine import Game, Move

COURSES = 512  # in a cloud
ROUNDS = 4  # of as many draws, before as many courses as were found must do
VARYING, CLIMBING = 200_000, 1_000_000  # steps of the rules to vary courses, and to find some where few are found
SWEEPS = 4  # over all courses, where few were found
FEW = 16  # courses; with fewer, the search goes on by hill climbing
SILENT, SILENT_AT_FIRST = 8, 256  # a course has at most so many plies for each thing noticed, and besides
KEPT = 16  # clouds of a game that are kept


@dataclass(frozen=True)
class Noticed:
    """What a seat has noticed up to now, as hashes; ``choices``: where in them its own actions are, and their number at
    the end."""

    seat: int
    events: sight.Hashes
    choices: tuple[int, ...]


class Watched:
    """A game whose plays can be watched by its seats: its rules with pauses, and clouds drawn before."""

    def __init__(self, game: Game) -> None:
        reason = sight.why_unseen(game)
        if reason is not None:
            raise UsageError(
                f"what the players of {game.program.title or game.program.name} see can't be searched: {reason}"
            )
        paused = with_pauses(game.program)
        self.game, self.origin = game, paused.origin
        self.tables = move_tables(game.program, game.notation, MoveCodes(game.program))
        self.native: Native = compile_program(paused.program)
        self.clouds: OrderedDict[tuple[int, bytes], Cloud] = OrderedDict()
        self.lock = Lock()

    def kept(self, key: tuple[int, bytes]) -> Cloud | None:
        """The cloud for a record, if it is still known."""
        with self.lock:
            found = self.clouds.get(key)
            return None if found is None else rows_of(found, slice(None))

    def keep(self, key: tuple[int, bytes], cloud: Cloud) -> None:
        """Remembers the cloud for a record."""
        with self.lock:
            self.clouds[key] = rows_of(cloud, slice(None))
            while len(self.clouds) > KEPT:
                self.clouds.popitem(last=False)


def rows_of(cloud: Cloud, rows: Any) -> Cloud:
    """A copy of some rows of a cloud."""
    return Cloud(*(np.array(a[rows]) for a in cast("tuple[Any, ...]", cloud)))


_making = Lock()


def watched(game: Game) -> Watched:
    """The game as its seats watch it, made once."""
    with _making:
        known: Watched | None = vars(game).get("watched")
        if known is None:
            known = vars(game)["watched"] = Watched(game)
        return known


class Watch:
    """The kernels' working memory for one thread. ``rules``: those of the thread, whose context holds noted positions."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.of = watched(game)
        self.rules = rules
        self.paused = sight.rules_of(game, self.of.native, rules.context.pointer, self.of.origin, False)
        self.room = sight.room_of(self.paused)
        self.words = int(self.paused.shape[sight.SIZE])
        self.initial = np.zeros(self.words + 1, np.int64)
        begun = compiled(game).initial(rules.context)
        ctypes.memmove(self.initial.ctypes.data, begun, len(begun))
        self.first_mark = rules.context.used

    # ------------------------------------------------------------------------------------------------ the record

    def noticed(self, past: Past, seat: int) -> Noticed:
        """What a seat notices of a play. Simultaneous choices count as made in the order of the players. Raises
        ``RulesError``."""
        state, last = self.initial.copy(), self._last(seat)
        events: list[sight.Hashes] = []
        choices, n, room, todo = [], 0, np.zeros(MOST_NOTICED, np.uint64), list(past)
        while todo:
            k, own = self._next(state, todo, seat)
            if own != NOTHING:
                choices.append(n)
            count = ply(self.paused, self.room, state.ctypes.data, k, own, seat, last, room)
            if count < 0:
                raise self.of.native.error(self.rules.context)
            events.append(room[:count].copy())
            n += count
        self.rules.context.used = self.first_mark
        whole = np.concatenate(events) if events else np.zeros(0, np.uint64)
        return Noticed(seat, whole, (*choices, n))

    def _next(self, state: Words, todo: list[Move | int], seat: int) -> tuple[int, np.uint64]:
        """Takes what is played next from ``todo``: the number of the action, and its hash if it is the seat's own."""
        at, block = state.ctypes.data, int(state[0]) & 0xFFFFFFFF
        acts = int(self.room.actors[0]) if sight.acting(self.paused, self.room, at) else -1
        made = todo[0]
        if isinstance(made, int):
            del todo[0]
            sight.actions(self.paused, self.room, at, -1)
            k = made
        else:
            k = self._number(self._taken(todo, acts, block), at, block)
        return k, np.uint64(sight.code_hash(self.paused, self.room, k) if acts == seat else 0)

    def _taken(self, todo: list[Move | int], acts: int, block: int) -> Move:
        """Takes the next move from ``todo``; among simultaneous choices, that of the player who is first."""
        together = self.of.game.kinds[block] == "together"
        made = next(m for m in todo if not isinstance(m, int) and (not together or m.player == acts))
        todo.remove(made)
        return made

    def _number(self, made: Move, at: int, block: int) -> int:
        """The number of the action that a move is, at the block of memory at this address."""
        n, words = sight.actions(self.paused, self.room, at, -1), int(self.paused.shape[sight.CODE_WORDS])
        codes = self.room.codes[: n * words].reshape(n, words)
        return int(np.flatnonzero((codes == np.array(self.of.tables[block].code(made))).all(axis=1))[0])

    def _last(self, seat: int) -> sight.Hashes:
        at, last = self.initial.ctypes.data, np.zeros(2, np.uint64)
        last[VIEW] = sight.view(self.paused, at, seat)
        last[STAND] = sight.place(self.paused, self.room, at, seat)
        return last

    # ----------------------------------------------------------------------------------------------- the courses

    def cloud(self, known: Noticed) -> Cloud:
        """Courses of play that fit what a seat has noticed, equally weighted. Raises ``NoPosition`` if none was found."""
        todo: list[int] = []
        found = self._beginning(known.seat)
        for explained in reversed(known.choices):
            kept = self.of.kept(self._key(known, explained))
            if kept is not None:
                found = kept
                if self.rules.native.has_history:
                    self._follow(known, explained, found)
                break
            todo.append(explained)
        for explained in reversed(todo):
            found = self._step(known, explained, found)
            self.of.keep(self._key(known, explained), found)
        return found

    def _key(self, known: Noticed, explained: int) -> tuple[int, bytes]:
        return known.seat, blake2b(known.events[:explained].tobytes(), digest_size=16).digest()

    def _bench(self, key: tuple[int, bytes]) -> Bench:
        draws = np.frombuffer(key[1][:8], np.uint64).copy()
        return Bench(
            draws,
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros(sight.CODES, np.int64),
            np.zeros(sight.CODES),
            np.zeros(MOST_NOTICED, np.uint64),
            np.zeros(2, np.uint64),
        )

    def _record(self, known: Noticed, explained: int) -> Record:
        return Record(known.events, np.array([known.seat, explained], np.int64))

    def _empty(self, rows: int, explained: int) -> Cloud:
        longest = SILENT * explained + SILENT_AT_FIRST
        return Cloud(
            np.zeros((rows, self.words + 1), np.int64),
            np.zeros((rows, longest), np.uint64),
            np.zeros((rows, 2), np.int64),
            np.zeros((rows, 2), np.uint64),
            np.zeros((rows, 2)),
        )

    def _beginning(self, seat: int) -> Cloud:
        cloud = self._empty(1, 0)
        cloud.states[0], cloud.lasts[0] = self.initial, self._last(seat)
        return cloud

    def _step(self, known: Noticed, explained: int, before: Cloud) -> Cloud:
        """Plays courses on to the next decision of the seat."""
        key = self._key(known, explained)
        bench, record = self._bench(key), self._record(known, explained)
        found, rows = self._empty(2 * COURSES, explained), 0
        earlier = self._record(known, int(before.counts[0, 1]))
        everyone = np.arange(COURSES)
        for again in range(ROUNDS):
            if again > 1:
                self._vary(known, earlier, before, np.arange(len(before.states)), bench)
            picks = everyone % len(before.states)
            rows = play_on(self.paused, self.room, record, before, picks, found, rows, ARENA // 2, bench)
            if rows >= COURSES // 2:
                break
        if rows < FEW:
            rows = self._climb(known, record, before, found, rows, bench)
        if rows == 0:
            raise NoPosition
        picks, repeated = _resampled(found.weights[:rows, 0], bench)
        chosen = rows_of(found, picks)
        chosen.weights[:, 0] = 0.0
        if len(repeated) > COURSES // 4:
            self._vary(known, record, chosen, repeated, bench)
            if rows < COURSES // 4:
                self._vary(known, record, chosen, np.concatenate([everyone] * SWEEPS), bench)
        if self.rules.context.used > ARENA // 4:
            self._follow(known, explained, chosen)
        return chosen

    def _climb(self, known: Noticed, record: Record, before: Cloud, found: Cloud, rows: int, bench: Bench) -> int:
        start = self._room_for(known.seat, found)
        wanted, limits = np.array([rows, FEW]), np.array([ARENA // 2, int(bench.steps[0]) + CLIMBING])
        return climb(self.paused, self.room, record, start, before, found, wanted, limits, bench)

    def _vary(self, known: Noticed, record: Record, cloud: Cloud, which: Words, bench: Bench) -> None:
        start = self._room_for(known.seat, cloud)
        limits = np.array([ARENA // 2, int(bench.steps[0]) + VARYING])
        vary(self.paused, self.room, record, start, cloud, which, limits, bench)

    def _room_for(self, seat: int, cloud: Cloud) -> Cloud:
        """The beginning of the play, with room for trails as long as those of a cloud."""
        return self._beginning(seat)._replace(trails=np.zeros((1, cloud.trails.shape[1]), np.uint64))

    def _follow(self, known: Noticed, explained: int, cloud: Cloud) -> None:
        """Plays the courses again in this thread's context, whose memory for noted positions is empty then."""
        self.rules.context.used = self.first_mark
        bench = self._bench(self._key(known, explained))
        record = self._record(known, explained)
        if not follow(self.paused, self.room, record, self._room_for(known.seat, cloud), cloud, bench):
            raise NoPosition


def _resampled(weights: Any, bench: Bench) -> tuple[Words, Words]:
    """Which rows to keep (systematic resampling by the logarithms of weights), and which of those are repetitions."""
    shares = np.exp(weights - weights.max())
    steps = np.cumsum(shares) / shares.sum() * COURSES
    offset = float(bench.draws[0] >> np.uint64(11)) / (1 << 53)
    picks = np.minimum(np.searchsorted(steps, np.arange(COURSES) + offset, side="right"), len(weights) - 1)
    repeated = np.flatnonzero(np.diff(picks, prepend=-1) == 0)
    return picks.astype(np.int64), repeated.astype(np.int64)
