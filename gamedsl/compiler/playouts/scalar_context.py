"""The data that the parts of the scalar playout emitter share: the function, its labels, the generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.history_code import end_play
from gamedsl.compiler.emit.llvm_module import I64, Fn, Value, const, flag
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.move_lists import Buffers
from gamedsl.compiler.emit.random_numbers import below, following
from gamedsl.compiler.playouts.condition_code import MaintainedConditions
from gamedsl.compiler.playouts.ply_cache_code import PlyCache
from gamedsl.compiler.playouts.remaining_set import RemainingSet
from gamedsl.compiler.playouts.results import Result, constant_results
from gamedsl.compiler.transform.pipeline import SpecializedProgram
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class Play:
    """The function being emitted. ``starts`` and ``stops``: for each level and block, the labels of its statements and
    of its end. ``level``: the number of remaining elements, if code is duplicated for each number."""

    f: Fn
    special: SpecializedProgram
    x: ir.Value  # the generator
    plies: ir.Value
    most: ir.Value
    tally: ir.Value
    starts: dict[tuple[int, int], ir.Block] = field(default_factory=dict)
    stops: dict[tuple[int, int], ir.Block] = field(default_factory=dict)
    level: int = 0
    over: ir.Block | None = None  # counts a playout that is over
    long: ir.Block | None = None
    payoff: list[ir.Value] = field(default_factory=list)
    classes: dict[tuple[float, ...], ir.Value] = field(
        default_factory=dict
    )  # the number of times that each constant result occurred
    counted: ir.Block | None = None
    tallied: ir.Block | None = None  # reached when a playout has been counted
    ends: Ends | None = None
    total: ir.Value | None = None  # plies of all playouts
    conditions: MaintainedConditions | None = None
    remaining: RemainingSet | None = None
    cache: PlyCache | None = None
    buffers: Buffers = field(default_factory=Buffers)
    block: int = 0  # the block whose code is being emitted
    index: ir.Value | None = None  # the number of the playout, from 0
    first: ir.Value | None = None  # the number of the first playout among those of the seed
    observer: Observer | None = None


class Observer:
    """An observer that does nothing. ``points``: it gets the utilities of each playout. ``complete``: it gets every
    move, so playouts must not continue after their end."""

    points = False
    complete = True

    def begin(self, play: Play) -> None:
        """A playout begins."""

    def on_decision(self, play: Play, x: ir.Value, count: Callable[[], ir.Value]) -> None:
        """A player decides with this random number. ``count`` emits the number of choices."""

    def on_move(self, play: Play, schema: n.Schema, mover: ir.Value, args: Sequence[Value]) -> None:
        """This move was chosen; its effect follows."""

    def on_block(self, play: Play) -> None:
        """The player passed."""

    def chose(self, play: Play, value: ir.Value) -> None:
        """The player chose the value of this number."""

    def fell(self, play: Play, outcome: ir.Value) -> None:
        """Chance gave this outcome."""

    def length(self, play: Play, plies: ir.Value) -> ir.Value:
        """The length of the playout, given the plies drawn."""
        return plies

    def cut(self, play: Play) -> None:
        """The playout reached the largest number of plies and is left unfinished."""

    def on_end(self, play: Play, payoff: Sequence[ir.Value]) -> None:
        """The playout ended with these utilities (only if ``points``)."""

    def done(self, play: Play) -> None:
        """All playouts have been made."""


def levels(special: SpecializedProgram) -> range:
    """The sizes of a small remaining set for which code is duplicated, from 0 up; a single level if it is not
    duplicated."""
    over = special.incremental.remaining
    if (
        over is None
        or not isinstance(over.type, n.SetT)
        or over.type.domain.size > cutoffs.LEVELS
        or drawing_blocks(special)
    ):
        return range(1)
    return range(over.type.domain.size + 1)


def drawing_blocks(special: SpecializedProgram) -> int:
    """The number of blocks in which a player draws."""
    return sum(isinstance(b.end, n.DecideDrawing) for b in special.program.blocks)


class Ends:
    """Counts playouts by result and number of remaining elements. ``on``: playouts continue after their end. ``noted``:
    a bit for every end that this playout has already passed, earlier ones lower."""

    def __init__(self, f: Fn, special: SpecializedProgram, on: bool) -> None:
        self.results = constant_results(special.program)
        self.levels = len(levels(special))
        self.on = on
        self.noted = f.alloca(I64)
        self.size = max(2, len(self.results) * self.levels)
        self.counts = f.alloca(I64, self.size)
        for number in range(self.size):
            f.builder.store(const(0), self._at(f, const(number)))

    def _at(self, f: Fn, number: ir.Value) -> ir.Value:
        return f.builder.gep(self.counts, [const(0), number], inbounds=True)

    def _number(self, result: Result, level: int) -> int:
        return (self.levels - 1 - level) * len(self.results) + self.results.index(result)

    @property
    def _first(self) -> int:
        """The number of the first end that may be noted."""
        return self._number(self.results[0], cutoffs.PLAYED_ON)

    def begin(self, f: Fn) -> None:
        f.builder.store(const(0), self.noted)

    def noting(self, level: int) -> bool:
        return self.on and level <= cutoffs.PLAYED_ON

    def note(self, play: Play, holds: ir.Value, result: Result) -> None:
        """Notes that the playout is over if ``holds``, and continues."""
        f, number = play.f, self._number(result, play.level)
        bit = f.builder.shl(f.builder.zext(holds, I64), const(number - self._first))
        f.builder.store(f.builder.or_(f.builder.load(self.noted), bit), self.noted)

    def on_end(self, play: Play, result: Result) -> None:
        """Ends the playout here, unless it has ended before."""
        f, number = play.f, const(self._number(result, play.level))
        if self.noting(play.level):
            last = const(1 << cutoffs.NOTED_ENDS + number.constant - self._first)
            first = f.builder.cttz(f.builder.or_(f.builder.load(self.noted), last), flag(False))
            number = plus(f, f.builder.and_(first, const(cutoffs.NOTED_ENDS - 1)), self._first)
        at = self._at(f, number)
        f.builder.store(plus(f, f.builder.load(at), 1), at)
        assert play.tallied is not None
        f.builder.branch(play.tallied)

    def tally(self, play: Play, add_plies: Callable[[ir.Value, ir.Value], None]) -> None:
        """Adds the counts to the results and to the lengths."""
        f = play.f
        assert play.remaining is not None
        for result in self.results:
            for level in range(self.levels):
                number = f.builder.load(self._at(f, const(self._number(result, level))))
                ptr = play.classes[result]
                f.builder.store(f.builder.add(f.builder.load(ptr), number), ptr)
                add_plies(plus(f, f.builder.load(play.remaining.first_n), -level), number)


def number_known(play: Play) -> None:
    """Stores the level as the size of the remaining set, if code is duplicated for each size."""
    if len(levels(play.special)) > 1:
        assert play.remaining is not None
        play.f.builder.store(const(play.level), play.remaining.n)


def next_random(play: Play, counted: bool = False) -> ir.Value:
    """The generator's next value. Begins a ply, which is counted if ``counted``, or if the size of the remaining set
    does not determine the number of plies."""
    y = following(play.f.builder, play.f.builder.load(play.x))
    begin_ply(play, y, counted)
    return y


def begin_ply(play: Play, y: ir.Value, counted: bool = False) -> None:
    """Begins a ply with this value of the generator; see ``next_random``."""
    f = play.f
    if play.remaining is None or counted:
        plies = plus(f, f.builder.load(play.plies), 1)
        f.builder.store(plies, play.plies)
        go = f.block("go")
        assert play.long is not None
        f.builder.cbranch(f.builder.icmp_unsigned("<=", plies, play.most), go, play.long)
        f.at(go)
    f.builder.store(y, play.x)


def draw_choice(play: Play, count: ir.Value) -> ir.Value:
    """One of ``count`` choices of a player. Begins a ply."""
    x = next_random(play)
    if play.observer is not None and play.remaining is None:
        play.observer.on_decision(play, x, lambda: count)
    return below(play.f.builder, x, count)


def fail(f: Fn) -> None:
    """Ends the series after a rules error."""
    end_play(f)
    f.builder.ret(const(-1))


# ----------------------------------------------------------------------------------------------------- the tally


def words(f: Fn, play: Play) -> ir.Value:
    return f.builder.bitcast(play.tally, I64.as_pointer())
