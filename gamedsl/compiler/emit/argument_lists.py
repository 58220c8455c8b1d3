"""Lists of the arguments of a schema's moves, made in one enumeration.

An entry holds the parameters bound by loops and the set over which the last parameter ranges. If conditions are tested
after the last binding, or if there may be too many such sets, an entry is one move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I64, Fn, const, words
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.move_code import Args, moves_key, plan_of, visit
from gamedsl.compiler.emit.sets import set_words as sets
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
        self.last = self._last_set()
        self.looped = [i for i in range(len(schema.params)) if self.last is None or i != self.last.param]
        self.words = 0 if self.last is None else words(self.last.over.type)
        self.size = len(self.looped) + self.words
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
        put(f, out, self.last.param, plus(f, x, offset(self.schema.params[self.last.param].local.type)))
        return Place(entry, sets.single(f, x, self.words))

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
        return tuple(get(f, entry, len(self.looped) + i) for i in range(self.words))

    def _put_set(self, f: Fn, entry: ir.Value, s: sets.Words) -> None:
        for i, word in enumerate(s, len(self.looped)):
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

            def put_set(over: Callable[[], sets.Words], _local: n.Local, args: Args) -> None:
                s = over()
                number, index = sets.count(g, s), g.builder.load(used)
                put_args(g, entry(index), args)
                self._put_set(g, entry(index), s)
                some = g.builder.icmp_unsigned("!=", number, const(0))
                g.builder.store(g.builder.add(index, g.builder.zext(some, I64)), used)
                g.builder.store(g.builder.add(g.builder.load(total), number), total)

            in_sets = None if self.last is None else put_set
            visit(g, schema.index, values[0], leaf, self.tick, self.legal, in_sets, self.steps)
            g.builder.ret(g.builder.load(total))

        name = "list" if self.legal else "candidates"
        types = [I64, I64.as_pointer()]
        key = moves_key(f, name, schema, self.tick)
        function = f.unit.function(key, f"{name}{schema.index}", I64, types, body)
        return f.builder.call(function, [f.ctx, f.s, me, self._at(f, const(0))])
