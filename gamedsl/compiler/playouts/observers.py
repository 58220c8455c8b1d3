"""Observers of scalar playouts, which count them or write them down.

The emitter calls an observer at each place where a playout begins, comes to a decision, makes it, or is cut off. The
observer emits the code for that place. Without one, nothing is emitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.costly_conditions import draws_first
from gamedsl.compiler.emit.llvm_module import I1, I64, Fn, Value, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.playouts.counts_layout import (
    COLUMNS,
    LENGTHS,
    NO_RESULT,
    PROFILE,
    SAMPLE,
    WHOLE_PLAYS,
    CountsLayout,
    Key,
    Origins,
)
from gamedsl.compiler.playouts.results import add
from gamedsl.compiler.playouts.scalar_context import Observer, Play
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

PASSED, CHOSEN, FELL = -1, -2, -3  # in place of a kind of move in a record


def used_keys(program: n.Program, origins: Origins) -> set[Key]:
    """The keys of all actions that are possible in the blocks of a program."""
    found: set[Key] = set()
    for block in program.blocks:
        origin = origins.blocks[block.index]
        match block.end:
            case n.Decide(alternatives=alternatives, may_pass=may_pass):
                schemas = (program.schemas[a.schema] for a in alternatives)
                found.update(("move", origins.kind(s.name, s.part), 0) for s in schemas)
                if may_pass is not None:
                    found.add(("pass", origin, 0))
            case n.Choose():
                found.add(("choose", origin, 0))
    return found


def count_choices(f: Fn, words: ir.Value, layout: CountsLayout, ply: ir.Value, count: ir.Value) -> None:
    """Counts a decision among ``count`` choices, the ``ply``-th of its playout (from 0)."""
    near = f.builder.icmp_unsigned("<", ply, const(PROFILE))
    column = f.builder.select(near, ply, const(PROFILE))
    add(f, words, plus(f, column, layout.sums), count)
    widest = f.builder.gep(words, [const(layout.widest)], inbounds=True)
    most = f.builder.load(widest)
    f.builder.store(f.builder.select(f.builder.icmp_unsigned("<", most, count), count, most), widest)
    one = f.builder.icmp_unsigned("==", count, const(1))
    add(f, words, const(layout.forced), f.builder.zext(one, I64))


@lazy_dataclass(frozen=True)
class Drawn:
    """A decision: the numbers of its playout and its ply, and the random number that draws the action."""

    play: ir.Value
    ply: ir.Value
    x: ir.Value


def sample_choices(f: Fn, layout: CountsLayout, tally: ir.Value, drawn: Drawn, count: Callable[[], ir.Value]) -> None:
    """Counts the choices, whose number ``count`` emits, at all decisions of the first playouts, and at one in
    ``SAMPLE`` decisions of the others.

    The lowest bits of a playout's random numbers run through all values in turn, from one that depends on the playout:
    a systematic sample. The action depends on the upper half. Nothing depends on how playouts are distributed over
    threads.
    """
    turn = f.builder.icmp_unsigned("==", f.builder.and_(drawn.x, const(SAMPLE - 1)), const(0))
    early = f.builder.icmp_unsigned("<", drawn.play, const(WHOLE_PLAYS))
    with f.builder.if_then(f.builder.or_(turn, early)):
        near = f.builder.icmp_unsigned("<", drawn.ply, const(PROFILE))
        add(f, tally, plus(f, f.builder.select(near, drawn.ply, const(COLUMNS - 1)), layout.at), const(1))
        count_choices(f, tally, layout, drawn.ply, count())


class Counter(Observer):
    """Counts branching, kinds of moves and outcomes of chance."""

    def __init__(self, play: Play, layout: CountsLayout, origins: Origins) -> None:
        self.layout, self.origins = layout, origins
        f, program = play.f, play.special.program
        self.words = f.builder.bitcast(play.tally, I64.as_pointer())
        self.points = layout.points
        keys = used_keys(program, origins)
        self.kinds = len(keys) > 1
        self.complete = self.kinds
        (only,) = keys if len(keys) == 1 else (None,)
        self._set(f, layout.all_moves, const(0 if only is None else 1 + layout.keys[only]))
        self.chance = any(isinstance(b.end, n.Chance) for b in program.blocks)
        self.sampled = draws_first(program)
        self._set(f, layout.sampled, const(int(self.sampled)))
        self.decisions = f.alloca(I64) if self.chance and layout.decisive else None

    def _set(self, f: Fn, index: int, value: ir.Value) -> None:
        f.builder.store(value, f.builder.gep(self.words, [const(index)], inbounds=True))

    def begin(self, play: Play) -> None:
        if self.decisions is not None:
            play.f.builder.store(const(0), self.decisions)

    def on_decision(self, play: Play, x: ir.Value, count: Callable[[], ir.Value]) -> None:
        f = play.f
        if self.decisions is None:
            ply = plus(f, f.builder.load(play.plies), -1)
        else:
            ply = f.builder.load(self.decisions)
            f.builder.store(plus(f, ply, 1), self.decisions)
        if not self.sampled:
            count_choices(f, self.words, self.layout, ply, count())
            return
        assert play.first is not None and play.index is not None
        number = f.builder.add(play.first, f.builder.load(play.index))
        sample_choices(f, self.layout, self.words, Drawn(number, ply, x), count)

    def _use(self, play: Play, key: Key) -> None:
        if self.kinds or key[0] == "chance":
            add(play.f, self.words, const(self.layout.kinds + self.layout.keys[key]), const(1))

    def on_move(self, play: Play, schema: n.Schema, mover: ir.Value, args: Sequence[Value]) -> None:
        self._use(play, ("move", self.origins.kind(schema.name, schema.part), 0))

    def on_block(self, play: Play) -> None:
        self._use(play, ("pass", self._block(play), 0))

    def chose(self, play: Play, value: ir.Value) -> None:
        self._use(play, ("choose", self._block(play), 0))

    def fell(self, play: Play, outcome: ir.Value) -> None:
        first = self.layout.kinds + self.layout.keys["chance", self._block(play), 0]
        add(play.f, self.words, plus(play.f, outcome, first), const(1))

    def _block(self, play: Play) -> int:
        return self.origins.blocks[play.block]

    def length(self, play: Play, plies: ir.Value) -> ir.Value:
        return plies if self.decisions is None else play.f.builder.load(self.decisions)

    def cut(self, play: Play) -> None:
        f = play.f
        assert play.total is not None
        # the ply that did not take place has been counted already
        number = self.length(play, plus(f, f.builder.load(play.plies), -1))
        f.builder.store(f.builder.add(f.builder.load(play.total), number), play.total)
        last = const(LENGTHS - 1)
        bin = f.builder.select(f.builder.icmp_unsigned("<", number, last), number, last)
        add(f, self.words, plus(f, bin, self.layout.cut), const(1))
        if self.points:
            self.on_end(play, [])

    def on_end(self, play: Play, payoff: Sequence[ir.Value]) -> None:
        """Writes the utilities of the playout, or ``NO_RESULT`` if it has none."""
        f = play.f
        assert play.index is not None
        base = plus(f, f.builder.mul(f.builder.load(play.index), const(self.layout.players)), self.layout.utilities)
        for p in range(self.layout.players):
            value = f.builder.fptosi(f.builder.load(payoff[p]), I64) if payoff else const(NO_RESULT)
            f.builder.store(value, f.builder.gep(self.words, [plus(f, base, p)], inbounds=True))

    def done(self, play: Play) -> None:
        if play.remaining is not None:
            f = play.f
            self._set(f, self.layout.choices_first, f.builder.load(play.remaining.first_n))


class Recorder(Observer):
    """Writes down the actions of a playout as records (kind, mover or number, arguments), each of ``size`` words.

    The words of the log are its capacity in records, their number, and the records. Further records are only counted.
    """

    def __init__(self, f: Fn, log: ir.Value, size: int, origins: Origins | None) -> None:
        self.f, self.log, self.size, self.origins = f, log, size, origins

    def write(self, values: Sequence[ir.Value]) -> None:
        """Writes one record."""
        f = self.f
        used = f.builder.gep(self.log, [const(1)], inbounds=True)
        at = f.builder.load(used)
        with f.builder.if_then(f.builder.icmp_signed("<", at, f.builder.load(self.log))):
            base = plus(f, f.builder.mul(at, const(self.size)), 2)
            for i, value in enumerate(values):
                wide = f.builder.zext(value, I64) if value.type == I1 else value
                f.builder.store(wide, f.builder.gep(self.log, [plus(f, base, i)], inbounds=True))
        f.builder.store(plus(f, at, 1), used)

    def on_move(self, play: Play, schema: n.Schema, mover: ir.Value, args: Sequence[Value]) -> None:
        assert self.origins is not None
        numbers = [a for a in args if isinstance(a, ir.Value)]
        self.write([const(self.origins.kind(schema.name, schema.part)), mover, *numbers])

    def on_block(self, play: Play) -> None:
        self.write([const(PASSED), const(0)])

    def chose(self, play: Play, value: ir.Value) -> None:
        self.write([const(CHOSEN), value])

    def fell(self, play: Play, outcome: ir.Value) -> None:
        self.write([const(FELL), outcome])
