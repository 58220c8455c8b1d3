"""Functions of a program that a host may evaluate at any state, by their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.advance_code import status
from gamedsl.compiler.emit.expression_code import expr
from gamedsl.compiler.emit.llvm_module import I1, I64, PTR, Fn, Unit, bind, const, gather, spread
from gamedsl.compiler.emit.stop_code import put
from gamedsl.language.core import nodes as n


def ask(unit: Unit, functions: Sequence[int]) -> ir.Function:
    """``ask(ctx, s, number, given, out) -> status``: evaluates the function with this number in ``functions``. Its
    arguments are at ``given``, its value is written to ``out``: numbers, or the words of sets, 8 bytes each. The status
    is -1 after a rules error, which ``error`` returns and clears."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        chosen, given, out = values
        nowhere = f.block("none")
        switch = f.builder.switch(chosen, nowhere)
        for number, index in enumerate(functions):
            one = f.block(f"question{number}")
            switch.add_case(const(number), one)
            f.at(one)
            f.builder.ret(f.builder.call(_question(unit, index), [f.ctx, f.s, given, out]))
        f.at(nowhere)
        f.builder.ret(const(-1))

    return unit.function("ask", "ask", I64, [I64, PTR, PTR], body)


def _question(unit: Unit, index: int) -> ir.Function:
    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        given = f.builder.bitcast(values[0], I64.as_pointer())
        out = f.builder.bitcast(values[1], I64.as_pointer())
        asked = unit.program.functions[index]
        types = [p.type for p in asked.params]
        flat = [t for p in types for t in unit.type_of(p)]
        loaded = [f.builder.load(f.builder.gep(given, [const(i)])) for i in range(len(flat))]
        words = [f.builder.trunc(word, I1) if t == I1 else word for word, t in zip(loaded, flat, strict=True)]
        for param, value in zip(asked.params, gather(unit, types, words), strict=True):
            bind(f, param, value)
        found = expr(f, n.CallF(index, tuple(n.Load(p) for p in asked.params), asked.body.type))
        for i, part in enumerate(spread(found)):
            put(f, out, i, f.builder.zext(part, I64) if part.type == I1 else part)
        f.builder.ret(status(f))

    return unit.function(("question", index), f"question{index}", I64, [PTR, PTR], body)
