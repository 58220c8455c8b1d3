"""Move lists: the moves of a kind are enumerated once, and the innermost sets are listed with running totals (prefix
sums). A random move is then found in the list without a second enumeration.

An entry consists of the number of moves up to and including it, the parameters bound by loops, and the set over which
the last parameter ranges. If conditions are tested after the last binding, there is no set, and an entry is one move. A
list holds ``cutoffs.LIST_ENTRIES`` entries; further ones are counted but not stored (``overflown``).
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import as_type
from gamedsl.compiler.emit.llvm_module import I1, I64, Fn, Value, bind, const, words
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.move_code import visit
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.inner_set_cache import InnerSetCache
from gamedsl.language.core import node_count, offset
from gamedsl.language.core import nodes as n


class Buffers:
    """Buffers that successive decisions share."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, int], ir.Value] = {}

    def of(self, f: Fn, what: object, size: int) -> ir.Value:
        """An array of ``size`` words. Equal ``what`` and ``size`` share one."""
        if (what, size) not in self._made:
            self._made[what, size] = f.alloca(I64, size)
        return self._made[what, size]


def worth_listing(schema: n.Schema) -> bool:
    """Whether all parameters are elements, and enough is computed inside the loops to make a list worthwhile."""
    if not all(isinstance(p.local.type, n.ElemT) for p in schema.params):
        return False
    inside, nodes = False, 0
    for step in schema.plan:
        if inside:
            nodes += node_count(step.over if isinstance(step, n.Bind) else step.condition)
        inside = inside or isinstance(step, n.Bind)
    return nodes >= cutoffs.LIST_NODES


class MoveList:
    """The list of a schema's moves. ``total`` is their number."""

    def __init__(self, f: Fn, schema: n.Schema, mover: ir.Value, buffers: Buffers, place: int) -> None:
        self.f, self.schema = f, schema
        last = schema.plan[-1]
        self.last: n.Local | None = schema.params[last.param].local if isinstance(last, n.Bind) else None
        self.looped = [p.local for p in schema.params if self.last is None or p.local.id != self.last.id]
        self.words = 0 if self.last is None else words(last.over.type) if isinstance(last, n.Bind) else 0
        self.size = 1 + len(self.looped) + self.words
        self.buffer = buffers.of(f, ("list", place), cutoffs.LIST_ENTRIES * self.size)
        self.used, count = f.alloca(I64), f.alloca(I64)
        f.builder.store(const(0), self.used)
        f.builder.store(const(0), count)

        def leaf(args: list[Value]) -> None:
            self._add(plus(f, f.builder.load(count), 1), count, (), const(1))

        def over(words: Callable[[], sets.Words], _local: n.Local, _args: list[Value]) -> None:
            s = kept.value() if kept else words()
            number = sets.count(f, s)
            self._add(f.builder.add(f.builder.load(count), number), count, s, number)

        kept = None
        if isinstance(last, n.Bind):
            kept = InnerSetCache(
                f, last.over, self._order(), lambda i, number: buffers.of(f, ("kept", place, i), number)
            )
        visit(f, schema.index, mover, leaf, (), False, over, schema.plan)
        self.total = f.builder.load(count)

    def _order(self) -> list[n.Local]:
        """The parameters bound by loops, outermost first."""
        binds = [s.param for s in self.schema.plan if isinstance(s, n.Bind)]
        return [self.schema.params[i].local for i in binds[:-1]]

    def _add(self, total: ir.Value, count: ir.Value, s: sets.Words, number: ir.Value) -> None:
        """Writes an entry. An entry without moves is overwritten by the next."""
        f = self.f
        f.builder.store(total, count)
        at = f.builder.load(self.used)
        f.builder.store(
            f.builder.add(at, f.builder.zext(f.builder.icmp_unsigned("!=", number, const(0)), I64)), self.used
        )
        at = f.builder.select(
            f.builder.icmp_unsigned("<", at, const(cutoffs.LIST_ENTRIES)), at, const(cutoffs.LIST_ENTRIES - 1)
        )
        args = [f.env[x.id] for x in self.looped]
        for i, value in enumerate([total, *args, *s]):
            assert isinstance(value, ir.Value)
            f.builder.store(value, self._at(at, i))

    def _at(self, entry: ir.Value, i: int) -> ir.Value:
        index = plus(self.f, self.f.builder.mul(entry, const(self.size)), i)
        return self.f.builder.gep(self.buffer, [const(0), index], inbounds=True)

    def overflown(self) -> ir.Value | None:
        """Whether the list has more entries than fit; None if it never can."""
        bound = 1
        for p in self.looped:
            assert isinstance(p.type, n.ElemT)
            bound *= p.type.domain.size
        if bound <= cutoffs.LIST_ENTRIES:
            return None
        return self.f.builder.icmp_unsigned(">", self.f.builder.load(self.used), const(cutoffs.LIST_ENTRIES))

    def bind(self, k: ir.Value) -> None:
        """Binds the parameters to those of the k-th move. Requires k < total and a list that has not overflown."""
        f = self.f
        before, head, more, found = f.builder.block, f.block("entry"), f.block("later"), f.block("entered")
        f.builder.branch(head)
        f.at(head)
        i, done = f.builder.phi(I64), f.builder.phi(I64)
        i.add_incoming(const(0), before)
        done.add_incoming(const(0), before)
        upto = f.builder.load(self._at(i, 0))
        f.builder.cbranch(f.builder.icmp_unsigned("<", k, upto), found, more)
        f.at(more)
        i.add_incoming(plus(f, i, 1), more)
        done.add_incoming(upto, more)
        f.builder.branch(head)
        f.at(found)
        for j, local in enumerate(self.looped, 1):
            self._bind(local, f.builder.load(self._at(i, j)))
        if self.last is not None:
            first = 1 + len(self.looped)
            s = tuple(f.builder.load(self._at(i, first + j)) for j in range(self.words))
            self._bind(self.last, plus(f, sets.pick(f, s, f.builder.sub(k, done)), offset(self.last.type)))

    def _bind(self, local: n.Local, value: ir.Value) -> None:
        assert value.type != I1
        bind(self.f, local, as_type(self.f, value, local.type))
