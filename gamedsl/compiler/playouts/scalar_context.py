"""What the parts of the scalar playout emitter share: the function, its labels, the generator."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.histories import end_play
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.module_builder import I64, Fn, const
from gamedsl.compiler.emit.move_lists import Buffers
from gamedsl.compiler.emit.random_numbers import below, following
from gamedsl.compiler.playouts.incremental_conditions import MaintainedConditions
from gamedsl.compiler.playouts.ply_cache import PlyCache
from gamedsl.compiler.playouts.remaining_set import RemainingSet
from gamedsl.compiler.transform.pipeline import SpecializedProgram
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.compiler.playouts.observers import Observer
    from gamedsl.compiler.playouts.scalar_ends import Ends


@dataclass
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
    over: ir.Block | None = None  # counts a play that is over
    long: ir.Block | None = None
    payoff: list[ir.Value] = field(default_factory=list)
    classes: dict[tuple[float, ...], ir.Value] = field(default_factory=dict)  # how often each constant result occurred
    counted: ir.Block | None = None
    tallied: ir.Block | None = None  # reached when a play has been counted
    ends: Ends | None = None
    total: ir.Value | None = None  # plies of all plays
    conditions: MaintainedConditions | None = None
    remaining: RemainingSet | None = None
    cache: PlyCache | None = None
    buffers: Buffers = field(default_factory=Buffers)
    block: int = 0  # whose code is being emitted
    index: ir.Value | None = None  # the number of the play, from 0
    observer: Observer | None = None


def levels(special: SpecializedProgram) -> range:
    """The sizes of a small remaining set for which code is duplicated, from 0 up. One level if it is not duplicated."""
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


def number_known(play: Play) -> None:
    """Stores the level as the size of the remaining set, where code is duplicated for each size."""
    if len(levels(play.special)) > 1:
        assert play.remaining is not None
        play.f.builder.store(const(play.level), play.remaining.n)


def next_random(play: Play, counted: bool = False) -> ir.Value:
    """The generator's next value. Begins a ply, which is counted unless the size of the remaining set tells the number
    of plies, or if ``counted``."""
    f = play.f
    if play.remaining is None or counted:
        plies = plus(f, f.builder.load(play.plies), 1)
        f.builder.store(plies, play.plies)
        go = f.block("go")
        assert play.long is not None
        f.builder.cbranch(f.builder.icmp_unsigned("<=", plies, play.most), go, play.long)
        f.at(go)
    y = following(f.builder, f.builder.load(play.x))
    f.builder.store(y, play.x)
    return y


def draw_choice(play: Play, count: ir.Value) -> ir.Value:
    """One of n choices of a player. Begins a ply."""
    x = next_random(play)
    if play.observer is not None and play.remaining is None:
        play.observer.decided(play, count)
    return below(play.f.builder, x, count)


def fail(f: Fn) -> None:
    """Ends the series after a rules error."""
    end_play(f)
    f.builder.ret(const(-1))


# ----------------------------------------------------------------------------------------------------- the tally


def words(f: Fn, play: Play) -> ir.Value:
    return f.builder.bitcast(play.tally, I64.as_pointer())
