"""Breadth-first search on compiled rules, level by level, with a hash table of state numbers.

Edges are counted, not stored (see ``graph_edges``). If a measure is known that differs between levels (see ``layers``),
the table holds one level only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

import numpy as np

from gamedsl.compiler import Native
from gamedsl.engine import Game, State
from gamedsl.lab.base import Clock, Ints, move_of
from gamedsl.lab.explore.array_file import refused
from gamedsl.lab.explore.checkpoint import FORMAT, Checkpoint, Resumed
from gamedsl.lab.explore.checkpoint_states import Recheck, strange_state
from gamedsl.lab.explore.explore_limits import Limits, Progress, Watch, look
from gamedsl.lab.explore.graph_edges import Made
from gamedsl.lab.explore.kernels.canonical import canonicalize_row
from gamedsl.lab.explore.kernels.expansion_kernel import BUFFER, FAULTS, FULL, ROOM, TABLE, UNLIKE, expand_states
from gamedsl.lab.explore.kernels.hash_table import fill
from gamedsl.lab.explore.layers import NOTHING, Measure, guessed
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.owned_search import OwnedSearch
from gamedsl.lab.explore.resizing import roomy
from gamedsl.lab.explore.state_arrays import Visited
from gamedsl.lab.explore.state_graph import NO_ACTION, WHOLE, Fault, Faults, Graph
from gamedsl.lab.explore.state_table import numbered
from gamedsl.lab.explore.threads import SHARE, Together
from gamedsl.lab.explore.workspace import Work
from gamedsl.lab.symmetry import Symmetry, symmetry_steps
from gamedsl.language.core import nodes as n
from gamedsl.language.source import FileError, GameDSLError, lazy_dataclass

CHUNK = 8192  # states expanded between two checks of the clock, at most
FIRST_CHUNK = 16  # initially this many; later, as many as take about
BETWEEN_LOOKS = 0.1  # seconds
SAVE_EVERY = 60.0  # seconds between checkpoints
GUESS_AT = 8192  # states found before guessing a measure
LATE = 10_000  # a resumed search with this many states makes no more guesses
GUESSES = 6
SAMPLE = 256  # states at the start and at the end whose successors a measure is guessed from


@lazy_dataclass()
class Search:
    """A search on compiled rules; call ``run`` once.

    ``levels``: the number of the first state at each depth. ``layered``: levels are distinguished by a measure.
    ``guesses``: how many more times a measure may be guessed. ``refuting``: edges that refuted earlier measures.
    """

    game: Game
    native: Native
    limits: Limits
    watch: Watch | None
    turns: list[Symmetry] = field(default_factory=list)
    threads: int = 1
    checkpoint: Path | None = None
    clock: Clock = field(default_factory=Clock)
    levels: list[int] = field(default_factory=lambda: [0])
    layered: bool = False
    guesses: int = GUESSES
    refuting: list[tuple[Ints, Ints]] = field(default_factory=list)
    owned: OwnedSearch | None = None  # takes over when there are many open states

    def __post_init__(self) -> None:
        self.began = self.saved = self.clock.now()
        self.threads = 1 if self.native.has_history else self.threads  # noted positions are numbered per thread
        self.store = NativeStore(self.game, self.native)
        self.steps = symmetry_steps(self.game.program, self.turns)
        most = self.limits.states if self.limits.states is not None else (1 << 31) - 2
        self.found = Visited(self.store, most, 1 << (self.threads - 1).bit_length())
        self.at_once = FIRST_CHUNK
        self.work = Work.of(self.store, self.steps)
        self.together = Together(self.found, self.steps, self.threads) if self.threads > 1 else None
        self.depth = 0
        self.end = 1  # the end of the level being expanded
        self.resumed: Resumed | None = None
        self.unsaved: FileError | None = None

    def run(self, start: State | None) -> Graph:
        """Expands level by level in chunks, starting from a checkpoint if there is one."""
        self.begun = start or self.game.initial_state()
        self._begin()
        if self.checkpoint is not None and not self._resume(self.checkpoint):
            self._save(self.checkpoint)  # a write failure should be noticed now, not after an hour
        stopped = WHOLE
        while self.found.expanded < self.found.totals[0] and stopped == WHOLE:
            if self.guesses and self.found.totals[0] >= GUESS_AT and not self.layered:
                self._guess()
            open_ = self.levels[-1] > self.found.expanded
            end = self.end = self.levels[-1] if open_ else int(self.found.totals[0])
            depth = len(self.levels) - 1 - open_
            if self.owned is not None and not open_ and self.owned.takes(self):
                stopped = self.owned.run(self)
                continue
            if self.layered:
                self._open_level(end, depth + 1)
            stopped = self._level(end, depth)
            if self.found.totals[0] > end and self.levels[-1] < end:
                self.levels.append(end)
        if self.together is not None:
            self.together.close()
        if self.checkpoint is not None:
            self._try_to_save(self.checkpoint)
        return self._graph(stopped)

    def _begin(self) -> None:
        self.store.put(0, self.begun)
        if self.turns:
            canonicalize_row(self.work.rules, self.work.symmetries, self.store.words, 0, self.work.frames)
        self.found.parent[0] = -1
        self.found.totals[0] = 1
        fill(self.found.table, self.store.words, 0, 1)

    # ------------------------------------------------------------------------------------------------- measures

    def _guess(self) -> None:
        """Distinguishes levels by a measure from now on, if one fits all states and edges found."""
        found = self._guessed()
        if found is not None and self._fits(found) and self._fits_ways(found):
            self.found.measure, self.layered = found, True
        self.guesses = self.guesses - 1 if self.layered else 0

    def _guessed(self) -> Measure | None:
        """Guesses a measure from the successors of sample states, and from those that refuted earlier measures."""
        some, others = min(SAMPLE, self.found.expanded), max(SAMPLE, self.found.expanded - SAMPLE)
        pairs = [*self._tried(0, some), *self._tried(others, self.found.expanded), *self.refuting]
        before, after = (np.concatenate(rows) for rows in zip(*pairs, strict=True)) if pairs else (NOTHING, NOTHING)
        return guessed(self.store.layout, before, after)

    def _tried(self, begin: int, end: int) -> Iterator[tuple[Ints, Ints]]:
        """Yields all edges of these states in batches: rows before and after."""
        work = self.work
        while begin < end:
            upto, bad = work.generate(begin, end)
            before = np.repeat(self.store.words[begin:upto], work.counts[: upto - begin], axis=0)
            fine = work.wrong[: len(before)] == 0 if bad else slice(None)
            yield before[fine], work.rows[: len(before)][fine].copy()
            begin = upto

    def _unlike(self) -> None:
        """Handles a state that lacks its level's measure: switches to a measure that fits all states, or enters all
        states in the table.
        """
        parent = int(self.found.totals[3])
        self.refuting += self._tried(parent, parent + 1)
        found = self._guessed() if self.guesses else None
        self.guesses -= 1
        if found is not None and self._fits(found):
            self.found.measure = found
            self._open_level(self.found.base, self.depth)
            return
        self.layered, self.guesses, self.found.measure = False, 0, Measure.none()
        self.found.base, self.found.table = 0, numbered(self.store, 0, int(self.found.totals[0]), self.found.parts)

    def _fits(self, measure: Measure) -> bool:
        """Whether every state found has its level's measure."""
        number, first = int(self.found.totals[0]), int(measure.of(self.store.words[:1])[0])
        begins = [*self.levels, self.found.base] if self.levels[-1] < self.found.base < number else self.levels
        spans = enumerate(zip(begins, [*begins[1:], number], strict=True))
        return all((measure.of(self.store.words[i:j]) == first + d * measure.step).all() for d, (i, j) in spans)

    def _fits_ways(self, measure: Measure) -> bool:
        """Whether every edge so far changes the measure by one step."""
        pairs = self._tried(0, self.found.expanded)
        return all((measure.of(after) - measure.of(before) == measure.step).all() for before, after in pairs)

    def _open_level(self, base: int, depth: int) -> None:
        """Makes the table hold only the states from ``base`` on, which have this depth."""
        found, self.depth = self.found, depth
        found.begin_at(base, base - found.expanded)
        found.level = int(found.measure.of(self.store.words[:1])[0]) + depth * found.measure.step

    # ---------------------------------------------------------------------------------------------------- states

    def _level(self, end: int, depth: int) -> str:
        if (
            self.limits.depth is not None
            and depth >= self.limits.depth
            and self.store.goes_on(self.found.expanded, end)
        ):
            return "depth"
        while self.found.expanded < end:
            stopped = self.look_around(depth)
            if stopped != WHOLE:
                return stopped
            began, expand = self.clock.now(), self._chunk if self.threads == 1 else self._shared
            if not expand(min(end, self.found.expanded + self.at_once * self.threads)):
                return "states"
            self._adapt(self.clock.now() - began)
        return WHOLE

    def _adapt(self, seconds: float) -> None:
        """Adapts the number of states between clock checks to the time that the last ones took."""
        if seconds > 2 * BETWEEN_LOOKS:
            self.at_once = max(1, self.at_once // 2)
        elif seconds < BETWEEN_LOOKS:
            self.at_once = min(CHUNK if self.threads == 1 else SHARE, 2 * self.at_once)

    def _chunk(self, end: int) -> bool:
        """Expands the next states, making room where needed. Returns False if the state limit is reached."""
        while self.found.expanded < end:
            work, found = self.work, self.found
            found.expanded, reason = expand_states(
                work.expander, found.record, found.wanted, found.expanded, end, work.made
            )
            if reason == FULL:
                return False
            self._make_room(reason)
        return True

    def _shared(self, end: int) -> bool:
        """Like ``_chunk``, with several threads."""
        assert self.together is not None
        while self.found.expanded < end:
            reason = self.together.expand(end)
            if reason == FULL:
                return False
            if reason == UNLIKE:
                self._unlike()
        return True

    def _make_room(self, reason: int) -> None:
        if reason == ROOM:
            self.found.more_states()
        elif reason == TABLE:
            self.found.more_places()
        elif reason == FAULTS:
            self.found.more_faults()
        elif reason == BUFFER:
            self.work.widen()
        elif reason == UNLIKE:
            self._unlike()

    def look_around(self, depth: int) -> str:
        """Reports the progress, and saves now and then. Returns what should stop the search, else ``WHOLE``."""
        seconds = self.clock.now() - self.began
        if self.checkpoint is not None and self.clock.now() - self.saved > SAVE_EVERY:
            self._try_to_save(self.checkpoint)
        return look(
            self.limits,
            self.watch,
            Progress(int(self.found.totals[0]), self.found.expanded, depth, seconds),
            self.clock,
        )

    # ------------------------------------------------------------------------------------------------ checkpoints

    @property
    def rules_digest(self) -> str:
        """Digest of all that a checkpoint must match: rules, options, first state, symmetries, state representation."""
        turned = sorted(t.key for t in self.turns)
        kept = hashlib.sha256(repr((FORMAT, self.store.layout)).encode()).hexdigest()[:16]
        return f"{self.game.digest} {self.begun.bits} {turned} {kept}"

    def _try_to_save(self, path: Path) -> None:
        """Saves, but keeps searching if the disk is full: a later save may succeed, and results can still be
        reported at the end.
        """
        self.unsaved = None
        try:
            self._save(path)
        except FileError as error:
            self.unsaved = error

    def _save(self, path: Path) -> None:
        number, edge_count, wrong = (int(x) for x in self.found.totals[:3])
        self.saved = self.clock.now()
        levels = [*self.levels, self.end] if self.levels[-1] < self.end < number else self.levels
        Checkpoint(
            self.rules_digest, self.store.words[:number],
            self.found.parent[:number], self.found.faults[:wrong], levels, self.found.expanded,
            edge_count,
            self.layered,
        ).write(path)  # fmt: skip

    def _resume(self, path: Path) -> bool:
        """Resumes from a file if it exists and is valid. Returns whether it exists."""
        kept = Checkpoint.read(path, self.rules_digest)
        if kept is None:
            return False
        wrong = strange_state(self.native.frame, kept.words)
        if not wrong and (kept.words[0] != self.store.words[0]).any():
            wrong = "it does not begin at the first state"
        if wrong:
            raise refused(path, wrong)
        size = len(kept)
        self.store.words, self.found.parent = roomy(kept.words, size + 2), roomy(kept.parent, size + 2)
        checked, wrong = Recheck(kept, self.store, self.steps).run()
        if wrong:
            raise refused(path, wrong)
        self.resumed = Resumed(path, size, kept.expanded, checked)
        self._take_over(kept)
        return True

    def _take_over(self, kept: Checkpoint) -> None:
        size = len(kept)
        self.found.faults = roomy(kept.faults, len(kept.faults))
        self.levels, self.found.expanded = list(kept.levels), kept.expanded
        self.found.totals[:3] = size, kept.edge_count, len(kept.faults)
        self.found.base = size
        found = self._guessed() if kept.layered else None
        self.guesses = 0 if size >= LATE else self.guesses
        if found is not None and self._fits(found):
            self.found.measure, self.layered = found, True
        else:
            self.found.base, self.found.table = 0, numbered(self.store, 0, size, self.found.parts)

    # ---------------------------------------------------------------------------------------------------- results

    def _graph(self, stopped: str) -> Graph:
        number, edge_count = int(self.found.totals[0]), int(self.found.totals[1])
        self.store.size = number
        has_chance = any(isinstance(b.end, n.Chance) for b in self.game.program.blocks)
        table = np.zeros((1, 0), dtype=np.uint32) if self.layered else self.found.table
        levels = self.levels if self.layered else None
        graph = Graph(
            self.game,
            self.store,
            self.found.expanded,
            Made(self.store, self.steps, self.found.expanded, edge_count, levels, table, has_chance, self.resumed),
            edge_count,
            self.found.parent[:number],
            self.levels,
            stopped,
            seconds=self.clock.now() - self.began,
            turns=self.turns,
            begun=self.begun,
            layered=self.layered,
            resumed=self.resumed,
            unsaved=self.unsaved,
        )
        graph.faults = Faults(self.found.faults[: self.found.totals[2]], lambda i, k: self._fault(graph, i, k))
        if self.resumed is not None:
            list(graph.faults)  # check that the faults in the file really occur
        return graph

    def _fault(self, graph: Graph, i: int, k: int) -> Fault:
        """Returns the rules error as the engine reports it."""
        state = graph.state(i)
        try:
            if k == NO_ACTION:
                state.legal_moves()
            else:
                state.apply(move_of(state, k))
        except GameDSLError as error:
            return Fault(i, k, error)
        except IndexError:
            pass  # the file names an edge that does not exist
        if self.resumed is not None:
            raise self.resumed.refused(f"the rules error that it claims for state {i} does not occur")
        raise AssertionError("the engine and the compiled rules differ about a rules error")
