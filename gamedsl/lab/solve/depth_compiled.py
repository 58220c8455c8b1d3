"""Depth-first solving on compiled rules: many times as fast as on the engine."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import MoveCodes, compile_program
from gamedsl.engine import State
from gamedsl.lab.base import Ints
from gamedsl.lab.explore import canonicalize
from gamedsl.lab.solve import depth_kernel as kernel
from gamedsl.lab.solve.game_graph import WIDEST, By, Number
from gamedsl.lab.symmetry import SymmetrySteps, canonicalize_scores, kept_seats, score_offsets_of
from gamedsl.language.source import UsageError

OPEN = 1 << 40  # a bound that excludes nothing
DEEPEST = 2000
NO_ORDER = kernel.Order(np.zeros(0, np.int64), np.zeros((0, 256), np.int32))  # by history alone
PATIENCE = 2_000  # positions between two checks of the clock
START = 1 << 14
REFUSALS = {
    kernel.AGAIN: "positions repeat in this game, which depth search does not support",
    kernel.DEEP: f"games of more than {DEEPEST} plies are too long for depth search",
    kernel.WIDE: f"a position has more than {kernel.WIDEST} moves: too many for depth search",
    kernel.OTHER: "there is chance, several players choose at once, or one player's gain is not the other's loss",
    kernel.FAULT: "a game runs into a rules error; `gamedsl verify` shows it",
}


class NativeSearch:
    """A search with a transposition table.

    One entry represents all positions that are equal up to a symmetry of the board, or that differ only in which
    exchangeable set owns an element; for scores, also those that differ in the points already won
    (``score_offsets``). Values are integers: utilities of the first player, or points. ``order``: which moves are tried
    first; ``symmetries``: those that ``kept_seats`` returns for the program, if they are known.
    """

    def __init__(
        self,
        start: State,
        by: By,
        limit: int,
        deadline: float | None,
        order: kernel.Order = NO_ORDER,
        symmetries: SymmetrySteps | None = None,
    ) -> None:
        self.native = compile_program(start.game.program, start.game)
        self.context = self.native.context()
        self.by = by
        self.range = (start.game.min_utility, start.game.max_utility)
        entries = np.array([self.native.address(name) for name in kernel.ENTRIES], dtype=np.int64)
        coded = MoveCodes(start.game.program).words == 1
        self.rules = kernel.Rules(entries, self.context.pointer, coded, order)
        words = -(-self.native.state_size // 8)
        self.table = kernel.Bounds(
            np.zeros(2 * START, dtype=np.uint32), _words(START, words), _words(START), _words(START),
            np.zeros(START, dtype=np.bool_),
        )  # fmt: skip
        self.stack = kernel.Stack(
            _words(DEEPEST, kernel.FIELDS), _words(DEEPEST + 1, words),
            np.zeros((DEEPEST, kernel.WIDEST), dtype=np.int32), _words(DEEPEST, kernel.WIDEST),
            _words(DEEPEST, kernel.WIDEST), _words(2 * kernel.HISTORY),
        )  # fmt: skip
        self.scratch = kernel.Scratch(
            _words(max(8, self.native.move_size)), np.zeros(max(2, start.game.num_players)), _words(2, words)
        )
        least, most = (-OPEN, OPEN) if by == "score" else self.range
        self.totals = np.array([0, 0, 0, limit, by == "score", least, most], dtype=np.int64)
        self.deadline = deadline
        self.symmetries = kept_seats(start.game.program) if symmetries is None else symmetries
        self.offsets = score_offsets_of(start.game.program, by == "score")

    @property
    def positions(self) -> int:
        return int(self.totals[kernel.POSITIONS])

    @property
    def payoffs(self) -> frozenset[Number]:
        """The possible terminal values for the first player: 1, 0 and -1, or the ends of a wider range; empty for
        scores, which are not bounded.
        """
        if self.by == "score":
            return frozenset()
        return frozenset({-1, 0, 1} if self.range == (-1, 1) else self.range)

    def bounds(self, state: State) -> tuple[Number, Number]:
        """Returns the known bounds of a state's value."""
        if state.is_terminal:
            value = state.scores[0] - state.scores[1] if self.by == "score" else state.returns[0]
            value = self._number(value)
            return value, value
        return self.block_bounds(self._block(state))

    def block_bounds(self, block: Ints) -> tuple[Number, Number]:
        """Returns the known bounds of the value of a compiled state that is not at its end."""
        number, won = self._entry(block)
        return self._number(int(self.table.low[number] + won)), self._number(int(self.table.high[number] + won))

    def _number(self, n: int) -> Number:
        return n if abs(n) < OPEN // 2 else WIDEST if n > 0 else -WIDEST

    def _entry(self, block: Ints) -> tuple[int, int]:
        """Returns the number of a state's entry, and the first player's lead in points that the entry omits."""
        if self.totals[kernel.ENTRIES_USED] + 4 >= len(self.table.known):
            self._grow()
        known, new = self.table.known, int(self.totals[kernel.ENTRIES_USED])
        known[new] = block
        won = int(canonicalize_scores(known[new].view(np.uint8), self.offsets))
        if self.symmetries.starts.size > 1:
            canonicalize(known, new, self.scratch.states, self.symmetries)
        return int(kernel.number_of(self.table, self.totals)), won

    def _block(self, state: State) -> Ints:
        block = bytes(self.native.pack(state, self.context))
        return np.frombuffer(block[: self.table.known.shape[1] * 8], dtype=np.int64)

    def solve(self, state: State) -> bool:
        """Searches until the state's value is known. Returns False if the limit or the time is reached first."""
        return self.solve_block(self._block(state))

    def solve_block(self, block: Ints) -> bool:
        """The same for a compiled state that is not at its end."""
        number, won = self._entry(block)
        for alpha, beta in self._windows():
            low, high = int(self.table.low[number]), int(self.table.high[number])
            is_open = low < high and low + won < beta and high + won > alpha
            if is_open and not self._narrowed(block, kernel.Entry(number, 0, alpha, beta, won)):
                return False
        return True

    def narrow(self, block: Ints, alpha: int, beta: int) -> bool:
        """Narrows the bounds of a compiled state that is not at its end within a window. Returns False if the limit or the
        time is reached first."""
        number, won = self._entry(block)
        return self._narrowed(block, kernel.Entry(number, 0, alpha, beta, won))

    def allow(self, positions: int, seconds: float | None = None) -> None:
        """Allows so many more positions from now on, and so many seconds of the clock (None: any)."""
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.totals[kernel.LIMIT] = self.positions + positions

    def compile(self) -> None:
        """Compiles the kernel, which may take a while."""
        self._run()

    def _run(self) -> int:
        return int(
            kernel.search(
                self.rules, self.symmetries, self.offsets, self.table, self.stack, self.scratch, self.totals, PATIENCE
            )
        )

    def _windows(self) -> tuple[tuple[int, int], ...]:
        """Returns the windows of the searches that find a value: where it is one of three, whether it is the greatest is
        asked first, and whether it is the least only after that."""
        least, most = int(self.totals[kernel.LEAST]), int(self.totals[kernel.MOST])
        return ((most - 1, most), (least, least + 1)) if most - least == 2 else ((-OPEN, OPEN),)

    def _narrowed(self, block: Ints, root: kernel.Entry) -> bool:
        """Searches a compiled state with a window. Returns False if the limit or the time is reached first."""
        self.totals[kernel.DEPTH] = 0
        self.table.on_path[:] = False
        self.stack.boards[0] = block
        reason = kernel.enter(self.rules, self.table, self.stack, self.scratch, self.totals, root)
        while reason in (kernel.DONE, kernel.ROOM) and self.totals[kernel.DEPTH]:
            if reason == kernel.ROOM:
                self._grow()
            if self.deadline is not None and time.monotonic() > self.deadline:
                return False
            reason = self._run()
        if reason in REFUSALS:
            raise UsageError(REFUSALS[reason], help="use `--method graph`")
        return bool(reason != kernel.ENOUGH)

    def _grow(self) -> None:
        numbers, *entries = self.table
        self.table = kernel.Bounds(np.zeros(2 * numbers.size, dtype=np.uint32), *(_longer(a) for a in entries))
        kernel.refill(self.table, int(self.totals[kernel.ENTRIES_USED]))


def _words(*shape: int) -> Ints:
    return np.zeros(shape, dtype=np.int64)


def _longer(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns the array with twice the room; the new half is zero."""
    longer = np.zeros((2 * array.shape[0], *array.shape[1:]), dtype=array.dtype)
    longer[: array.shape[0]] = array
    return longer
