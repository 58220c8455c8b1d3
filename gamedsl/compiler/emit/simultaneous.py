"""Simultaneous choices: each is stored as a number. When all have chosen, the effects run in the players' order."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.advance_code import carry_out, go_on, status
from gamedsl.compiler.emit.expression_code import as_type
from gamedsl.compiler.emit.llvm_module import I1, Fn, Value, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.statement_code import do_steps
from gamedsl.compiler.emit.stop_code import get, movers, pending
from gamedsl.language.core import argument_combinations, limits
from gamedsl.language.core import nodes as n


def apply_choice(f: Fn, end: n.DecideTogether, record: ir.Value) -> None:
    """Stores the choice. When all have chosen, applies the effects in the players' order."""
    mover = get(f, record, 1)
    schemas = [f.unit.program.schemas[a.schema] for a in end.alternatives]
    kept = f.block("kept")
    switch = f.builder.switch(get(f, record, 0), kept)
    base = 1
    for schema in schemas:
        case = f.block("choice")
        f.at(case)
        code, scale = const(base), 1
        total: ir.Value = code
        for i, p in enumerate(schema.params):
            low, high = limits(p.local.type)
            total = f.builder.add(total, f.builder.mul(plus(f, get(f, record, 2 + i), -low), const(scale)))
            scale *= high - low + 1
        f.builder.store(total, pending(f, mover))
        f.builder.branch(kept)
        switch.add_case(const(schema.index), case)
        base += argument_combinations(schema)
    f.at(kept)
    _unless_open(f, end)
    do_steps(f, end.tick, f.s)
    codes = [f.builder.load(pending(f, const(m))) for m in range(f.unit.program.parts[end.part].players.size)]
    for m in range(len(codes)):
        f.builder.store(const(0), pending(f, const(m)))
    for m, code in enumerate(codes):
        _carry_out_choice(f, end, schemas, const(m), code)
    go_on(f, end.target)


def _unless_open(f: Fn, end: n.DecideTogether) -> None:
    """Returns if a player still has to choose."""
    waiting: ir.Value = ir.Constant(I1, 0)
    who = movers(f, end)
    for m in range(f.unit.program.parts[end.part].players.size):
        chosen = f.builder.icmp_unsigned("!=", f.builder.load(pending(f, const(m))), const(0))
        waiting = f.builder.or_(waiting, f.builder.and_(sets.has(f, who, const(m)), f.builder.not_(chosen)))
    wait, go = f.block("wait"), f.block("all")
    f.builder.cbranch(waiting, wait, go)
    f.at(wait)
    f.builder.ret(status(f))
    f.at(go)


def _carry_out_choice(f: Fn, end: n.DecideTogether, schemas: list[n.Schema], mover: ir.Value, code: ir.Value) -> None:
    done = f.block("carried")
    base = 1
    for alt, schema in zip(end.alternatives, schemas, strict=True):
        number = argument_combinations(schema)
        inside = f.builder.icmp_unsigned("<", f.builder.sub(code, const(base)), const(number))
        mine, following = f.block("mine"), f.block("other")
        f.builder.cbranch(inside, mine, following)
        f.at(mine)
        rest = f.builder.sub(code, const(base))
        args: list[Value] = []
        for p in schema.params:
            low, high = limits(p.local.type)
            size = const(high - low + 1)
            args.append(as_type(f, plus(f, f.builder.urem(rest, size), low), p.local.type))
            rest = f.builder.udiv(rest, size)
        carry_out(f, alt, mover, args)
        f.builder.branch(done)
        f.at(following)
        base += number
    f.builder.branch(done)
    f.at(done)
