"""Lists of the arguments of a schema's moves, made in one enumeration."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I64, Fn, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.move_code import Args, moves_key, visit
from gamedsl.compiler.emit.stop_code import get, put, put_args
from gamedsl.language.core import nodes as n


class ArgumentList:
    """Room for the arguments of ``room`` moves. Further moves are counted, and share one place after the list."""

    def __init__(self, f: Fn, schema: n.Schema, room: int) -> None:
        self.schema, self.room, self.size = schema, room, len(schema.params)
        self.buffer = f.alloca(I64, max(2, (room + 1) * self.size))

    def at(self, f: Fn, index: ir.Value) -> ir.Value:
        """The address of an entry."""
        return f.builder.gep(self.buffer, [const(0), f.builder.mul(index, const(self.size))], inbounds=True)

    def copy(self, f: Fn, source: ir.Value, target: ir.Value) -> None:
        """Copies the arguments of one move."""
        for i in range(self.size):
            put(f, target, i, get(f, source, i))

    def fill(
        self,
        f: Fn,
        me: ir.Value,
        tick: tuple[n.CoreStmt, ...],
        legal: bool,
        steps: Sequence[n.Bind | n.Test] | None = None,
    ) -> ir.Value:
        """Lists the moves that ``visit`` finds. Returns their number."""
        schema, room, size = self.schema, self.room, self.size

        def body(g: Fn, values: Sequence[ir.Value]) -> None:
            total = g.alloca(I64)
            g.builder.store(const(0), total)

            def leaf(args: Args) -> None:
                number = g.builder.load(total)
                last = g.builder.select(g.builder.icmp_unsigned("<", number, const(room)), number, const(room))
                put_args(g, g.builder.gep(values[1], [g.builder.mul(last, const(size))], inbounds=True), args)
                g.builder.store(plus(g, number, 1), total)

            visit(g, schema.index, values[0], leaf, tick, legal, steps=steps)
            g.builder.ret(g.builder.load(total))

        name = "list" if legal else "candidates"
        types = [I64, I64.as_pointer()]
        function = f.unit.function(moves_key(f, name, schema, tick), f"{name}{schema.index}", I64, types, body)
        return f.builder.call(function, [f.ctx, f.s, me, self.at(f, const(0))])
