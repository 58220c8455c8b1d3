"""Proof-number search on compiled rules: finds a position's value by asking whether the first player can secure at
least a given value.

It supports two players, zero sum, no chance, no secret choices, no repetition.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence

import numpy as np

from gamedsl.compiler import Rows, compile_program, utility_levels
from gamedsl.engine import State
from gamedsl.lab.base import Ints
from gamedsl.lab.explore import Rules, stop_kinds, suits
from gamedsl.lab.solve import proof_number_kernel as kernel
from gamedsl.lab.solve.depth_search import Bounds, Depth, line_of
from gamedsl.lab.solve.game_graph import By, Number, refuse_drawings
from gamedsl.lab.symmetry import exchanges, kept_seats
from gamedsl.language.core import limits, utility_bounds
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError

DEEPEST = 2000
MOST_SUCCESSORS = 4096
ROWS = 1 << 16  # rows for the successors of all positions on the current path
PATIENCE = 20_000  # positions between two checks of the clock
MEMORY = 3 << 29  # bytes of one question's table
TABLES = 2  # questions whose tables are kept
REFUSALS = {
    kernel.AGAIN: "positions repeat in this game, which proof-number search does not support",
    kernel.DEEP: f"games of more than {DEEPEST} plies are too long for proof-number search",
    kernel.WIDE: f"a position has more than {MOST_SUCCESSORS} moves, or too many in all, for proof-number search",
    kernel.OTHER: "there is chance, several players choose at once, or one player's gain is not the other's loss",
    kernel.FAULT: "a game runs into a rules error; `gamedsl verify` shows it",
}


def proved(state: State, by: By, limit: int, seconds: float | None = None) -> Depth:
    """Solves a state and returns the result for the first player.

    Raises ``UsageError`` if the search does not support the rules.
    """
    refuse_drawings(state)
    if state.game.num_players != 2 or not suits(state.game.program):
        raise UsageError("proof-number search does not support these rules", help="use `--method graph`")
    search = ProofSearch(state, by, limit, None if seconds is None else time.monotonic() + seconds)
    solved = search.solve(state)
    actions = () if state.is_terminal else tuple((str(m), search.bounds(state.apply(m))) for m in state.legal_moves())
    line = line_of(search, state) if solved else ()
    return Depth(search.bounds(state), actions, line, search.positions, search.payoffs)


class ProofSearch:
    """A search with one table of proof and disproof numbers per question.

    One entry represents all positions that are equal up to a symmetry of the board, or that differ only in which
    exchangeable set owns an element. When memory runs short, entries that took the least work are replaced.
    """

    def __init__(self, start: State, by: By, limit: int, deadline: float | None = None) -> None:
        program = start.game.program
        self.native = compile_program(program, start.game)
        self.context = self.native.context()
        self.by, self.deadline, self.limit = by, deadline, limit
        self.levels = _levels(program, by)
        entries = np.array([self.native.address(name) for name in kernel.ENTRIES], dtype=np.int64)
        self.rules = Rules(entries, self.context.pointer, stop_kinds(program))
        words, packed = -(-self.native.state_size // 8), Rows.of(self.native.frame).words
        self.equal = kernel.Equal(kept_seats(program), exchanges(program), _words(2, words))
        self.path = kernel.Positions(
            _words(ROWS, words), _words(ROWS, words), _words(ROWS, 2), np.zeros(ROWS, dtype=np.uint64),
            _words(MOST_SUCCESSORS + 1, packed),
        )  # fmt: skip
        self.totals = _words(kernel.TOTALS)
        self.search = kernel.Search(
            _words(DEEPEST, kernel.FIELDS), self.totals, np.zeros(max(4, start.game.num_players))
        )
        self.tables: dict[int, Ints] = {}
        self.found: dict[State, tuple[int, int]] = {}
        self.totals[kernel.LIMIT] = limit
        self.totals[kernel.BY_SCORE] = by == "score"
        self.totals[kernel.BOUNDED] = self._is_bounded(start)

    def _is_bounded(self, state: State) -> int:
        """Whether the rules bound the outcomes that are still reachable."""
        block = self.native.pack(state, self.context)
        out = self.search.utilities.ctypes.data
        return self.native.entry("outcome_bounds")(
            self.context.pointer, ctypes.addressof(block), int(self.by == "score"), out
        )

    @property
    def positions(self) -> int:
        return int(self.totals[kernel.POSITIONS])

    @property
    def payoffs(self) -> frozenset[Number]:
        return frozenset(self.levels)

    # ---------------------------------------------------------------------------------------------------- questions

    def solve(self, state: State) -> bool:
        """Asks until the value is known. Returns False if the limit or the time is reached first."""
        while True:
            low, high = self._known(state)
            if low == high:
                return True
            wanted = self._next(low, high)
            if self.ask(state, wanted) is None:
                return False

    def _next(self, low: int, high: int) -> int:
        """Returns the next threshold to ask about: the highest of up to two levels, the middle one of more."""
        between = [number for number in self.levels if low < number <= high]
        return between[-1] if len(between) < 3 else between[len(between) // 2]

    def bounds(self, state: State) -> Bounds:
        """Returns the known bounds of a state's value."""
        return self._known(state)

    def _known(self, state: State) -> tuple[int, int]:
        if state.is_terminal:
            value = self._end(state)
            return value, value
        low, high = self.found.get(state, (self.levels[0], self.levels[-1]))
        if not self.tables:
            return low, high
        self._put(state)
        keys, h = self.path.keys, self.path.hashes[0]
        for wanted, table in self.tables.items():
            at = kernel.found(table, keys, 0, h)
            if at >= 0 and table[at, -3] == 0:
                low = max(low, wanted)
            elif at >= 0 and table[at, -2] == 0:
                high = min(high, self._below(wanted))
        return low, high

    def _end(self, state: State) -> int:
        if self.by == "score":
            return int(state.scores[0] - state.scores[1])
        return state.returns[0]

    def _put(self, state: State) -> None:
        """Stores the state in the first row, with its key."""
        block = bytes(self.native.pack(state, self.context))
        raw = self.path.raw
        raw[0] = np.frombuffer(block[: raw.shape[1] * 8], dtype=np.int64)
        kernel.make_key(self.equal, self.path, 0)

    def ask(self, state: State, wanted: int) -> bool | None:
        """Returns whether the first player can secure at least this value (one of ``self.levels``).

        None: unknown, because the limit or the time was reached. Raises ``UsageError`` if the search does not
        support the game.
        """
        low, high = self._known(state)
        self._put(state)
        totals = self.totals
        totals[kernel.WANTED], totals[kernel.REASON], totals[kernel.DEPTH] = wanted, kernel.BEGIN, 0
        totals[kernel.ASKS_BEST] = totals[kernel.BOUNDED] and wanted == self.levels[-1]
        totals[kernel.ASKS_WORST] = totals[kernel.BOUNDED] and wanted == self.levels[1]
        table = self._table(wanted)
        while totals[kernel.REASON] == kernel.BEGIN or (totals[kernel.REASON] == kernel.DONE and totals[kernel.DEPTH]):
            if self.deadline is not None and time.monotonic() > self.deadline:
                return None
            kernel.run(self.rules, self.equal, self.path, table, self.search, PATIENCE)
        reason = int(totals[kernel.REASON])
        if reason in REFUSALS:
            raise UsageError(REFUSALS[reason], help="use `--method graph`")
        if reason == kernel.ENOUGH:
            return None
        sure = bool(totals[kernel.START_PROOF] == 0)
        self.found[state] = (wanted, high) if sure else (low, self._below(wanted))
        return sure

    def _below(self, wanted: int) -> int:
        return max(number for number in self.levels if number < wanted)

    def _table(self, wanted: int) -> Ints:
        """Returns the table of a question, evicting that of the question asked longest ago."""
        table = self.tables.pop(wanted, None)
        if table is None:
            if len(self.tables) >= TABLES:
                del self.tables[next(iter(self.tables))]
            width = self.path.raw.shape[1] + 3
            size = 1 << 12
            while size < 32 * self.limit and 16 * size * width <= MEMORY:
                size *= 2
            table = _words(size, width)
        self.tables[wanted] = table
        return table


def _words(*shape: int) -> Ints:
    return np.zeros(shape, dtype=np.int64)


def _levels(program: n.Program, by: By) -> list[int]:
    """Returns the possible terminal values for the first player in ascending order, at least two."""
    found: Sequence[int] | None = utility_levels(program, by == "score")
    if found is None and by == "score":
        pairs = [(limits(b.end.scores[0].type), limits(b.end.scores[1].type)) for b in program.blocks
                 if isinstance(b.end, n.End) and len(b.end.scores) == 2]  # fmt: skip
        if not pairs or any(isinstance(b.end, n.End) and len(b.end.scores) != 2 for b in program.blocks):
            raise UsageError("this game has no scores of two players to compare", help="omit `--score`")
        found = range(min(a[0] - b[1] for a, b in pairs), max(a[1] - b[0] for a, b in pairs) + 1)
    low, high = utility_bounds(program, 0)
    known = sorted(set(found if found is not None else range(low, high + 1)))
    if not known[0] <= 0 <= known[-1]:
        known = sorted({0, *known})  # an endless game is worth 0
    return known if len(known) > 1 else [known[0] - 1, *known]
