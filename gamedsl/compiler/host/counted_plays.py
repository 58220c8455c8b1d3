"""Playouts with all their statistics, counted inside compiled code; and single playouts, move by move."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.compiler.host.binding import Native, compile_program
from gamedsl.compiler.host.context import ARENA, Context
from gamedsl.compiler.playouts.counted import COUNTED, COUNTED_GENERIC, RECORDED, RECORDED_GENERIC
from gamedsl.compiler.playouts.counts_layout import COLUMNS, LENGTHS, NO_RESULT, PROFILE, ROWS, CountsLayout, Key
from gamedsl.compiler.playouts.results import UNKNOWN
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import State

SEEDS = (1 << 63) - 1
LONG_ARENA = 1 << 24  # words for noted positions, if the usual number is too small for a playout
BASELINE_PLAYS = 64
RECORDS = 1 << 10  # initial room for the actions of a playout


@lazy_dataclass(frozen=True)
class Branching:
    """The choices at a number of decisions: their sum, their maximum, the number of decisions with only one, and by ply
    the number of decisions and the sum. Not all decisions are included if counting choices takes long."""

    decisions: int
    choices: int
    widest: int
    forced: int
    by_ply: dict[int, tuple[int, int]]


@lazy_dataclass(frozen=True)
class Counts:
    """The results of some playouts.

    ``results``: if the rules give no points, the number of finished playouts by player and utility; else ``utilities``,
    of shape (finished playouts, players), has the utilities of each. ``lengths``: the number of finished playouts by
    decisions (by plies, if nobody ever decides); None if some are too long to be counted. ``decisions``: the total over
    all playouts.
    """

    plays: int
    unfinished: int
    results: dict[tuple[int, int], int]
    utilities: Any
    lengths: dict[int, int] | None
    decisions: int
    branching: Branching
    keys: dict[Key, int]


class CountedPlays:
    """Playouts of one program from one state, of at most ``plies`` plies and outcomes of chance. Several threads may
    use it at once.

    Baseline code, which is available at once, makes the first playouts, while optimized code is compiled for the
    others. The number of a playout alone decides which code makes it, because in some games the two draw random moves
    differently.
    """

    def __init__(
        self, program: n.Program, start: State, seed: int, plies: int, baseline: float = BASELINE_PLAYS
    ) -> None:
        """``baseline``: baseline code makes the playouts with lower numbers (``inf``: all). Raises ``NativeError`` if
        the rules cannot be compiled."""
        self.program, self.start, self.seed, self.plies = program, start, seed & SEEDS, plies
        self.layout = CountsLayout(program)
        self.baseline = baseline
        self._baseline, self._optimized = (compile_program(program, baseline=b) for b in (True, False))
        (self._baseline if baseline else self._optimized).entry(COUNTED_GENERIC if baseline else COUNTED)

    def prepare(self) -> None:
        """Starts to compile the optimized code in the background."""
        self._optimized.start(COUNTED)

    def wait(self, number: int, seconds: float) -> bool:
        """Waits up to ``seconds`` for the code that makes this playout. Returns whether it is available."""
        return number < self.baseline or self._optimized.wait(COUNTED, seconds)

    def _called(
        self, number: int, names: tuple[str, str], call: Callable[[Native, str, Context, int], int], arena: int
    ) -> int:
        """The status of an entry point that can make this playout: the first one, or else the second, which is
        generic."""
        status, baseline = UNKNOWN, number < self.baseline
        native = self._baseline if baseline else self._optimized
        for name in names[baseline:]:
            if status == UNKNOWN:
                context = native.context(arena, self.plies)
                block = native.pack(self.start, context)
                status = call(native, name, context, ctypes.addressof(block))
        return status

    def at_once(self, first: int, plays: int) -> int:
        """The number of these playouts that can be counted in one call, because the same code makes them."""
        return plays if first >= self.baseline else int(min(plays, self.baseline - first))

    def count(self, first: int, plays: int, arena: int = ARENA) -> Counts | None:
        """The counts of the playouts ``first`` to ``first + plays - 1`` (see ``at_once``); None if the rules fail in
        one of them."""
        out = np.zeros(self.layout.size(plays), np.int64)

        def call(native: Native, name: str, context: Context, at: int) -> int:
            return native.entry(name)(context.pointer, at, plays, self.seed, first, out.ctypes.data)

        failed = self._called(first, (COUNTED, COUNTED_GENERIC), call, arena) < 0
        return None if failed else self._read(out)

    def record(self, number: int) -> list[tuple[int, ...]]:
        """The actions of one playout as records (see ``binding.py``), up to the failure if the rules fail in it."""
        log = self._log(number, RECORDS)
        return self._log(number, len(log)) if len(log) > RECORDS else log

    def _log(self, number: int, room: int) -> list[tuple[int, ...]]:
        """The actions of one playout, with empty records beyond the first ``room``."""
        out = np.zeros(5 + 5 * self.layout.players, np.int64)
        size = self._baseline.move_size
        log = np.zeros(2 + room * size, np.int64)
        log[0] = room

        def call(native: Native, name: str, context: Context, at: int) -> int:
            words = out.ctypes.data, log.ctypes.data
            return native.entry(name)(context.pointer, at, self.seed, number, *words)

        self._called(number, (RECORDED, RECORDED_GENERIC), call, ARENA)
        made = [tuple(row) for row in log[2:].reshape(room, size)[: log[1]].tolist()]
        return made + [()] * (int(log[1]) - len(made))

    # ------------------------------------------------------------------------------------------------- reading

    def _read(self, out: Any) -> Counts:
        at, players = self.layout, self.layout.players
        plays, decisions, unfinished = (int(number) for number in out[:3])
        lengths, cut = out[at.lengths : at.lengths + LENGTHS], out[at.cut : at.cut + LENGTHS]
        keys = {key: int(out[at.kinds + i]) for key, i in at.keys.items() if out[at.kinds + i]}
        if out[at.all_moves]:
            keys[list(at.keys)[int(out[at.all_moves]) - 1]] = decisions
        results: dict[tuple[int, int], int] = {}
        utilities = None
        if at.points:
            rows = out[at.utilities : at.utilities + plays * players].reshape(plays, players)
            utilities = rows[rows[:, 0] != NO_RESULT]
        else:
            signs = [out[5 + 5 * p : 8 + 5 * p].tolist() for p in range(players)]
            results = {(p, 1 - i): number for p, row in enumerate(signs) for i, number in enumerate(row) if number}
        told: dict[int, int] | None = {int(number): int(lengths[number]) for number in np.flatnonzero(lengths)}
        if lengths[-1]:
            told = {decisions: 1} if plays == 1 else None
        branching = _branching(at, out, lengths + cut, decisions)
        return Counts(plays, unfinished, results, utilities, told, decisions, branching, keys)


def _branching(at: CountsLayout, out: Any, lengths: Any, decisions: int) -> Branching:
    if not at.decisive:
        return Branching(0, 0, 0, 0, {})
    deciding = lengths.sum() - np.cumsum(lengths)  # decisions by ply
    if first := int(out[at.choices_first]):
        widths = np.maximum(first - np.arange(LENGTHS), 0)
        sums = deciding * widths
        widest, forced = first if decisions else 0, int(deciding[widths == 1].sum())
    else:
        sums = out[at.sums : at.sums + ROWS * COLUMNS].reshape(ROWS, COLUMNS).sum(axis=0)
        widest, forced = int(out[at.widest]), int(out[at.forced])
    if out[at.sampled]:
        deciding = out[at.at : at.at + COLUMNS]
        decisions = int(deciding.sum())
    by_ply = {ply: (int(deciding[ply]), int(sums[ply])) for ply in range(PROFILE) if deciding[ply]}
    return Branching(decisions, int(sums.sum()), widest, forced, by_ply)
