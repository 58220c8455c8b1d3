"""The explorer on compiled rules: the same graph as on the engine, many times faster."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gamedsl.check.checkpoint import Checkpoint
from gamedsl.check.explore_graph import NO_WAY, WHOLE, Bytes, Fault, Graph, Ints, Numbers
from gamedsl.check.explore_limits import Limits, Progress, Watch, memory_used
from gamedsl.check.explore_ways import END, KIND_OF, MOVE, TOGETHER, move_of
from gamedsl.core.nodes import Chance, DecideDrawing, HistoryT, Program
from gamedsl.core.traverse import is_stop
from gamedsl.engine.game import Game
from gamedsl.engine.state import State
from gamedsl.source.diagnostic import GameDSLError

if TYPE_CHECKING:
    from gamedsl.check.symmetry import Turn
    from gamedsl.native import Native
    from gamedsl.native.binding import Context

CHUNK = 8192  # states expanded between two looks at the clock
FEW_AT_ONCE = 256
START = 1 << 12
RESERVED = 1 << 27  # bytes of address space for states at first
MOST_AT_FIRST = 1 << 22
SAVE_EVERY = 60.0  # seconds between two checkpoints


def suits(program: Program, turns: Sequence[Turn] = ()) -> bool:
    """Can the compiled explorer take these rules? (Not with drawings, nor with noted positions, which lie elsewhere; and
    some symmetries can't be used there.)"""
    from gamedsl.check.symmetry import NoSymmetry
    from gamedsl.check.symmetry_native import Steps

    drawn = any(isinstance(b.end, DecideDrawing) for b in program.blocks)
    if drawn or any(isinstance(v.type, HistoryT) for v in program.variables):
        return False
    try:
        return not turns or bool(len(Steps(program, list(turns)).starts))
    except NoSymmetry:
        return False


def stop_kinds(program: Program) -> Bytes:
    """The kind of stop at the end of every block (0 also where there is no stop)."""
    return np.array([KIND_OF[type(b.end)] if is_stop(b) else END for b in program.blocks], dtype=np.int8)


class NativeStore:
    """States as rows of words, by number."""

    def __init__(self, game: Game, native: Native) -> None:
        self.game, self.native = game, native
        self.context = native.context()
        self.stops = stop_kinds(game.program)
        words = -(-native.state_size // 8)
        # memory that is not written to is not taken: much room from the first spares copying
        self.words: Ints = np.empty((max(START, min(MOST_AT_FIRST, RESERVED // (8 * words))), words), dtype=np.int64)
        self.size = 0

    def __len__(self) -> int:
        return self.size

    @property
    def rows(self) -> Ints:
        return self.words[: self.size]

    def state(self, i: int) -> State:
        return self.native.unpack(self.words[i].tobytes(), self.context)

    def blocks(self) -> Ints:
        """The block at whose end each state stands."""
        return self.rows[:, 0] & 0xFFFFFFFF

    def kinds(self) -> Bytes:
        return self.stops[self.blocks()]

    def seats(self) -> Bytes:
        from gamedsl.check.explore_kernel import ask_two

        out = np.empty(self.size, dtype=np.int64)
        every = np.arange(self.size, dtype=np.int64)
        ask_two(self.native.address("seat"), self.context.pointer, self.words, every, out)
        return out.astype(np.int8)

    def still_open(self) -> Ints:
        """Per state how many of those who choose at once have still to choose; 0 at other stops."""
        from gamedsl.check.explore_kernel import ask_two

        out = np.zeros(self.size, dtype=np.int64)
        ask_two(self.native.address("open"), self.context.pointer, self.words, np.arange(self.size), out)
        return out

    def first_moves(self, seconds: float) -> tuple[Ints, bool]:
        """Per kind of move the first state in which one is legal; -1 where there is none (nor where only by mistake).
        And whether all states were looked at, in so many seconds."""
        from gamedsl.check.explore_kernel import first_moves

        kinds, until = self.kinds(), time.perf_counter() + seconds
        chosen = np.flatnonzero((kinds == MOVE) | (kinds == TOGETHER))
        offered = {a.schema for b in self.game.program.blocks for a in getattr(b.end, "alternatives", ())}
        found = np.full(len(self.game.program.schemas), -1, dtype=np.int64)
        possible = [k for k in offered if not self.game.program.schemas[k].mistake]
        record = np.zeros(self.native.move_size + 2, dtype=np.int64)
        entries = np.array([self.native.address("count"), self.native.address("move")], dtype=np.int64)
        for at in range(0, len(chosen), FEW_AT_ONCE):
            if (found[possible] >= 0).all():
                break
            if time.perf_counter() > until:
                return found, False
            first_moves(entries, self.context.pointer, self.words, chosen[at : at + FEW_AT_ONCE], record, found)
        return found, True

    def returns(self, i: int) -> tuple[Fraction, ...]:
        return self.state(i).returns


def explore_native(
    game: Game,
    native: Native,
    limits: Limits,
    *,
    start: State | None = None,
    turns: Sequence[Turn] = (),
    threads: int = 1,
    checkpoint: Path | None = None,
    watch: Watch | None = None,
) -> Graph:
    """As ``explore``; the rules and symmetries must suit."""
    return _Search(game, native, limits, watch, list(turns), threads, checkpoint).run(start)


@dataclass
class _Search:
    game: Game
    native: Native
    limits: Limits
    watch: Watch | None
    turns: list[Turn] = field(default_factory=list)
    threads: int = 1
    checkpoint: Path | None = None
    levels: list[int] = field(default_factory=lambda: [0])

    def __post_init__(self) -> None:
        from gamedsl.check.explore_kernel import ENTRIES
        from gamedsl.check.symmetry_native import Steps

        self.began = time.perf_counter()
        self.store = NativeStore(self.game, self.native)
        self.entries = np.array([self.native.address(name) for name in ENTRIES], dtype=np.int64)
        self.has_chance = any(isinstance(b.end, Chance) for b in self.game.program.blocks)
        self.most = self.limits.states if self.limits.states is not None else (1 << 31) - 2
        self.counts = np.zeros(4, dtype=np.int64)
        self.table = np.zeros(START * 2, dtype=np.uint32)
        room = self.store.words.shape[0]
        self.parent = np.empty(room, dtype=np.int32)
        self.first = np.zeros(room + 1, dtype=np.int64)
        self.target = np.empty(room * 4, dtype=np.int32)
        self.weight = np.empty(room * 4 if self.has_chance else 0, dtype=np.int32)
        self.spare = np.zeros((2, self.store.words.shape[1]), dtype=np.int64)
        self.steps = Steps(self.game.program, self.turns)
        self.faults = np.empty((START, 3), dtype=np.int64)
        self.expanded = 0
        self.saved = self.began
        self._contexts: dict[int, Context] = {}

    def run(self, start: State | None) -> Graph:
        """Level by level, each in chunks; from a checkpoint if there is one."""
        self.begun = start or self.game.initial_state()
        if self.checkpoint is not None and self.checkpoint.exists():
            self._resume(Checkpoint.read(self.checkpoint, self._rules))
        else:
            self._begin(self.begun)
        stopped = WHOLE
        while self.expanded < self.counts[0] and stopped == WHOLE:
            open_ = self.levels[-1] > self.expanded
            end = self.levels[-1] if open_ else int(self.counts[0])
            stopped = self._level(end, len(self.levels) - 1 - open_)
            if self.counts[0] > end and self.levels[-1] < end:
                self.levels.append(end)
        if self.checkpoint is not None:
            self._save(self.checkpoint)
        return self._graph(stopped)

    @property
    def _rules(self) -> str:
        turned = sorted(f"{t.matrix} {t.seats}" for t in self.turns)
        return f"{self.game.digest} {self.begun.bits} {turned}"

    def _save(self, path: Path) -> None:
        n, edges, wrong = (int(x) for x in self.counts[:3])
        self.saved = time.perf_counter()
        weight = self.weight[:edges] if self.has_chance else self.weight
        Checkpoint(
            self._rules, self.store.words[:n], self.parent[:n], self.first[: self.expanded + 1], self.target[:edges],
            weight, self.faults[:wrong], self.levels, self.expanded,
        ).write(path)  # fmt: skip

    def _resume(self, kept: Checkpoint) -> None:
        from gamedsl.check.explore_kernel import FULLEST, fill

        n = len(kept.words)
        self.store.words = _roomy(kept.words, n + 2)
        self.parent, self.first = _roomy(kept.parent, n + 2), _roomy(kept.first, n + 3)
        self.target = _roomy(kept.target, len(kept.target))
        self.weight = _roomy(kept.weight, len(kept.weight)) if self.has_chance else self.weight
        self.faults = _roomy(kept.faults, len(kept.faults))
        self.levels, self.expanded = list(kept.levels), kept.expanded
        self.counts[:3] = n, len(kept.target), len(kept.faults)
        size = self.table.size
        while n * 10 > size * FULLEST:
            size *= 2
        self.table = np.zeros(size, dtype=np.uint32)
        fill(self.table, self.store.words, n)

    def _begin(self, start: State) -> None:
        from gamedsl.check.explore_kernel import fill, settle_on_one

        block = bytes(self.native.pack(start, self.store.context))
        self.store.words[0] = np.frombuffer(block[: self.store.words.shape[1] * 8], dtype=np.int64)
        if self.turns:
            settle_on_one(self.store.words, 0, self.spare, self.steps.steps, self.steps.starts, self.steps.maps)
        self.parent[0] = -1
        self.counts[0] = 1
        fill(self.table, self.store.words, 1)

    def _level(self, end: int, depth: int) -> str:
        if self.limits.depth is not None and depth >= self.limits.depth:
            blocks = self.store.words[self.expanded : end, 0] & 0xFFFFFFFF
            if self.store.stops[blocks].any():
                return "depth"
        while self.expanded < end:
            stopped = self._look(depth)
            if stopped != WHOLE:
                return stopped
            chunk = self._chunk if self.threads == 1 else self._together
            if not chunk(min(end, self.expanded + CHUNK * self.threads)):
                return "states"
        return WHOLE

    def _chunk(self, end: int) -> bool:
        """Expands the next states, making room where it is needed. False: there are as many states as allowed."""
        from gamedsl.check.explore_kernel import FULL, expand

        while self.expanded < end:
            self.expanded, reason = expand(
                self.entries, self.store.context.pointer, self.store.stops, self.store.words, self.table, self.parent,
                self.first, self.target, self.weight, self.faults, self.spare,
                self.steps.steps, self.steps.starts, self.steps.maps, self.counts, self.expanded, end, self.most,
            )  # fmt: skip
            if reason == FULL:
                return False
            self._make_room(reason)
        return True

    def _together(self, end: int) -> bool:
        """As ``_chunk``: threads try the ways on, each from a share of the states; then all are numbered in order."""
        from gamedsl.check.explore_kernel import EDGES, FAULTS, FULL, FULLEST, ROOM, TABLE
        from gamedsl.check.explore_kernel_batches import insert

        share = -(-(end - self.expanded) // self.threads)
        begins = range(self.expanded, end, share)
        with ThreadPoolExecutor(self.threads) as pool:
            batches = list(pool.map(lambda b: self._batch(b, min(end, b + share), b // share), begins))
        for batch in batches:
            new = int(batch.ways.sum())
            while self.counts[0] + new + 1 >= self.store.words.shape[0]:
                self._make_room(ROOM)
            while self.counts[1] + new > self.target.size:
                self._make_room(EDGES)
            while self.counts[2] + new + len(batch.ways) >= self.faults.shape[0]:
                self._make_room(FAULTS)
            while (self.counts[0] + new) * 10 > self.table.size * FULLEST:
                self._make_room(TABLE)
            self.expanded, reason = insert(
                self.store.words, self.table, self.parent, self.first, self.target, self.weight, self.faults,
                self.counts, batch.begin, batch.begin + len(batch.ways), self.most,
                batch.rows, batch.weights, batch.wrong, batch.ways, batch.stuck,
            )  # fmt: skip
            if reason == FULL:
                return False
        return True

    def _batch(self, begin: int, end: int, number: int) -> Batch:
        """The ways on from a share of the states."""
        from gamedsl.check.explore_kernel_batches import generate

        room, words = 8 * (end - begin) + 64, self.store.words.shape[1]
        context = self._contexts.setdefault(number % self.threads, self.native.context())
        while True:
            batch = Batch.of(begin, end, room, words, self.has_chance)
            spare = np.zeros((2, words), dtype=np.int64)
            reached = generate(
                self.entries, context.pointer, self.store.stops, self.store.words, spare, self.steps.steps,
                self.steps.starts, self.steps.maps, begin, end, batch.rows, batch.weights, batch.wrong, batch.ways, batch.stuck,
            )  # fmt: skip
            if reached == end:
                return batch
            room *= 2

    def _make_room(self, reason: int) -> None:
        from gamedsl.check.explore_kernel import EDGES, FAULTS, ROOM, TABLE, fill

        n = int(self.counts[0])
        if reason == ROOM:
            self.store.words = longer(self.store.words)
            self.parent, self.first = longer(self.parent), longer(self.first)
        elif reason == EDGES:
            self.target = longer(self.target)
            self.weight = longer(self.weight) if self.has_chance else self.weight
        elif reason == FAULTS:
            self.faults = longer(self.faults)
        elif reason == TABLE:
            self.table = np.zeros(self.table.size * 2, dtype=np.uint32)
            fill(self.table, self.store.words, n)

    def _look(self, depth: int) -> str:
        seconds = time.perf_counter() - self.began
        if self.checkpoint is not None and time.perf_counter() - self.saved > SAVE_EVERY:
            self._save(self.checkpoint)
        if self.watch is not None:
            self.watch(Progress(int(self.counts[0]), self.expanded, depth, seconds))
        if self.limits.seconds is not None and seconds > self.limits.seconds:
            return "time"
        if self.limits.memory is not None and memory_used() > self.limits.memory:
            return "memory"
        return WHOLE

    def _graph(self, stopped: str) -> Graph:
        n, edges = int(self.counts[0]), int(self.counts[1])
        self.store.size = n
        graph = Graph(
            self.game,
            self.store,
            self.expanded,
            self.first[: self.expanded + 1],
            self.target[:edges],
            self.weight[:edges].astype(np.int64) if self.has_chance else None,
            self.parent[:n],
            self.levels,
            stopped,
            seconds=time.perf_counter() - self.began,
            turns=self.turns,
            begun=self.begun,
        )
        graph.faults = [self._fault(graph, int(i), int(k)) for i, k, _ in self.faults[: self.counts[2]]]
        return graph

    def _fault(self, graph: Graph, i: int, k: int) -> Fault:
        """The rules error in the engine's words."""
        state = graph.state(i)
        try:
            if k == NO_WAY:
                state.legal_moves()
            else:
                state.apply(move_of(state, k))
        except GameDSLError as error:
            return Fault(i, k, error)
        raise AssertionError("the engine and the compiled rules differ about a rules error")


@dataclass(frozen=True)
class Batch:
    """The ways on from the states from ``begin`` on; see ``explore_kernel.generate``."""

    begin: int
    rows: Ints
    weights: Numbers
    wrong: Ints
    ways: Ints
    stuck: Ints

    @staticmethod
    def of(begin: int, end: int, room: int, words: int, weights: bool) -> Batch:
        return Batch(
            begin,
            np.empty((room, words), dtype=np.int64),
            np.empty(room if weights else 0, dtype=np.int32),
            np.empty(room, dtype=np.int64),
            np.zeros(end - begin, dtype=np.int64),
            np.zeros(end - begin, dtype=np.int64),
        )


def _roomy(array: Numbers, least: int) -> Numbers:
    """The same with room for more."""
    longer = np.empty((max(START, 2 * least), *array.shape[1:]), dtype=array.dtype)
    longer[: array.shape[0]] = array
    return longer


def longer(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same with twice the room."""
    longer = np.empty((2 * array.shape[0], *array.shape[1:]), dtype=array.dtype)
    longer[: array.shape[0]] = array
    return longer
