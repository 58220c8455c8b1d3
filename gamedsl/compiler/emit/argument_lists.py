"""Lists of the arguments of a schema's moves, made in one enumeration.

An entry holds the parameters bound by loops and the set over which the last parameter ranges. If the last two parameters
lie at few distances from each other, an entry holds a distance and the set of the first ones
(``analysis/shifted_pairs.py``). If conditions are tested after the last binding, or if there may be too many such sets, an
entry is one move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from llvmlite import ir

from gamedsl.compiler.analysis.shifted_pairs import ShiftedPair, find_shifted_pair
from gamedsl.compiler.emit.expression_code import as_type, number, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, bind, const, words
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.move_code import Args, Last, moves_key, plan_of, visit
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each
from gamedsl.compiler.emit.stop_code import get, put, put_args
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Place:
    """Where a listed move is: the address of its entry, and its element as a set if the entry has one."""

    entry: ir.Value
    element: sets.Words = ()


class ArgumentList:
    """The listed moves of a schema. There is room for ``room`` entries; if an entry is one move, further moves are
    counted, and share one place after the list."""

    def __init__(
        self,
        f: Fn,
        schema: n.Schema,
        mover: ir.Value,
        room: int,
        tick: tuple[n.CoreStmt, ...],
        legal: bool,
        steps: Sequence[n.Bind | n.Test] | None = None,
    ) -> None:
        """Lists the moves that ``visit`` finds."""
        self.schema, self.room, self.tick, self.legal = schema, room, tick, legal
        self.steps = plan_of(f, schema) if steps is None else steps
        self.last, self.pair = self._last_set(), None
        if self.last is not None:
            self.pair = find_shifted_pair(schema, self.steps, f.unit.program.functions)
        if self.pair is not None:
            self.last = self.pair.first
        in_set = {step.param for step in (self.last, self.pair and self.pair.second) if step}
        self.looped = [i for i in range(len(schema.params)) if i not in in_set]
        self.words = 0 if self.last is None else words(self.last.over.type)
        self.before = len(self.looped) + (self.pair is not None)  # the words of an entry before its set
        self.size = self.before + self.words
        self.buffer = f.alloca(I64, max(2, (room + 1) * self.size))
        self._left = f.alloca(I64)
        f.builder.store(self._fill(f, mover), self._left)

    def _last_set(self) -> n.Bind | None:
        """The last step of the plan, if it binds a parameter to the members of a set and there is room for all sets."""
        last = self.steps[-1] if self.steps else None
        if not isinstance(last, n.Bind) or (self.legal and self.schema.forbids):
            return None
        types = [p.local.type for i, p in enumerate(self.schema.params) if i != last.param]
        sizes = [t.domain.size for t in types if isinstance(t, n.ElemT)]
        return last if len(sizes) == len(types) and prod(sizes) <= self.room else None

    def _at(self, f: Fn, index: ir.Value) -> ir.Value:
        """The address of an entry."""
        return f.builder.gep(self.buffer, [const(0), f.builder.mul(index, const(self.size))], inbounds=True)

    def count(self, f: Fn) -> ir.Value:
        """The number of moves that are left."""
        return f.builder.load(self._left)

    def overflown(self, f: Fn) -> ir.Value | None:
        """Whether there are more moves than fit; None if that cannot be."""
        return None if self.last is not None else f.builder.icmp_unsigned(">", self.count(f), const(self.room))

    def write(self, f: Fn, k: ir.Value, out: ir.Value) -> Place:
        """Writes the arguments of the k-th move, from 0."""
        if self.last is None:
            entry = self._at(f, k)
            for i in range(self.size):
                put(f, out, i, get(f, entry, i))
            return Place(entry)
        entry, left = self._entry_of(f, k)
        for i, param in enumerate(self.looped):
            put(f, out, param, get(f, entry, i))
        s = self._set(f, entry)
        x = sets.pick(f, s, left)
        self._put_element(f, out, self.last, x)
        if self.pair is not None:
            there = f.builder.add(x, get(f, entry, len(self.looped)))
            self._put_element(f, out, self.pair.second, f.builder.and_(there, const(63)))
        return Place(entry, sets.single(f, x, self.words))

    def _put_element(self, f: Fn, out: ir.Value, step: n.Bind, x: ir.Value) -> None:
        put(f, out, step.param, plus(f, x, offset(self.schema.params[step.param].local.type)))

    def remove(self, f: Fn, place: Place) -> None:
        """Takes a move off. If an entry is one move, the last one takes its place."""
        last = plus(f, self.count(f), -1)
        if self.last is None:
            end = self._at(f, last)
            for i in range(self.size):
                put(f, place.entry, i, get(f, end, i))
        else:
            self._put_set(f, place.entry, sets.without(f, self._set(f, place.entry), place.element))
        f.builder.store(last, self._left)

    def _set(self, f: Fn, entry: ir.Value) -> sets.Words:
        return tuple(get(f, entry, self.before + i) for i in range(self.words))

    def _put_set(self, f: Fn, entry: ir.Value, s: sets.Words) -> None:
        for i, word in enumerate(s, self.before):
            put(f, entry, i, word)

    def _entry_of(self, f: Fn, k: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The address of the entry that contains the k-th move, and the number of moves in it before that one."""
        before, head, more, found = f.builder.block, f.block("entry"), f.block("later"), f.block("entered")
        f.builder.branch(head)
        f.at(head)
        i, left = f.builder.phi(I64), f.builder.phi(I64)
        i.add_incoming(const(0), before)
        left.add_incoming(k, before)
        entry = self._at(f, i)
        here = sets.count(f, self._set(f, entry))
        f.builder.cbranch(f.builder.icmp_unsigned("<", left, here), found, more)
        f.at(more)
        i.add_incoming(plus(f, i, 1), more)
        left.add_incoming(f.builder.sub(left, here), more)
        f.builder.branch(head)
        f.at(found)
        return entry, left

    def _fill(self, f: Fn, me: ir.Value) -> ir.Value:
        """Lists the moves. Returns their number."""
        schema = self.schema

        def body(g: Fn, values: Sequence[ir.Value]) -> None:
            total, used = g.alloca(I64), g.alloca(I64)
            g.builder.store(const(0), total)
            g.builder.store(const(0), used)

            def entry(index: ir.Value) -> ir.Value:
                return g.builder.gep(values[1], [g.builder.mul(index, const(self.size))], inbounds=True)

            def leaf(args: Args) -> None:
                number = g.builder.load(total)
                has_room = g.builder.icmp_unsigned("<", number, const(self.room))
                put_args(g, entry(g.builder.select(has_room, number, const(self.room))), args)
                g.builder.store(plus(g, number, 1), total)

            def put_entry(s: sets.Words, args: Args) -> None:
                size, index = sets.count(g, s), g.builder.load(used)
                put_args(g, entry(index), args)
                self._put_set(g, entry(index), s)
                some = g.builder.icmp_unsigned("!=", size, const(0))
                g.builder.store(g.builder.add(index, g.builder.zext(some, I64)), used)
                g.builder.store(g.builder.add(g.builder.load(total), size), total)

            def put_set(over: Callable[[], sets.Words], _local: n.Local, args: Args) -> None:
                put_entry(over(), args)

            def put_pairs(over: Callable[[], sets.Words], _local: n.Local, _args: Args) -> None:
                assert self.pair is not None
                args = [g.env[schema.params[i].local.id] for i in self.looped]
                _each_distance(g, self.pair, over(), lambda distance, firsts: put_entry(firsts, [*args, distance]))

            in_sets: Last | None = None if self.last is None else put_set
            steps = self.steps
            if self.pair is not None:
                in_sets, steps = put_pairs, (*self.steps[:-2], n.Bind(self.pair.second.param, self.pair.targets))
                bind(g, schema.params[self.pair.first.param].local, const(0))
            visit(g, schema.index, values[0], leaf, self.tick, self.legal, in_sets, steps)
            g.builder.ret(g.builder.load(total))

        name = "list" if self.legal else "candidates"
        types = [I64, I64.as_pointer()]
        key = moves_key(f, name, schema, self.tick)
        function = f.unit.function(key, f"{name}{schema.index}", I64, types, body)
        return f.builder.call(function, [f.ctx, f.s, me, self._at(f, const(0))])


def _each_distance(f: Fn, pair: ShiftedPair, targets: sets.Words, do: Callable[[ir.Value, sets.Words], None]) -> None:
    """Emits ``do`` for each distance, with the set of first elements that have a second one there."""
    firsts = set_words(f, pair.first.over)
    rotated = f.unit.external("llvm.fshr.i64", I64, [I64, I64, I64])

    def cases() -> None:
        for case in pair.cases:
            distance = number(f, case.distance)
            moved = f.builder.call(rotated, [targets[0], targets[0], distance])
            do(distance, sets.both(f, firsts, sets.both(f, set_words(f, case.firsts), (moved,))))

    def one(x: ir.Value) -> None:
        assert pair.name is not None
        bind(f, pair.name, as_type(f, x, pair.name.type))
        cases()

    if pair.name is None or pair.values is None:
        cases()
    else:
        over = None if isinstance(pair.values, n.Const) else set_words(f, pair.values)
        each(f, pair.values, over, pair.name.type, one)
