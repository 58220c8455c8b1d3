"""The legal moves of a schema as one set, computed once per decision, counted, and picked from."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, boolean, join, set_words
from gamedsl.compiler.emit.llvm_module import Fn, bind, const, set_const, words
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset


def legal(f: Fn, schema: n.Schema, end: n.Decide) -> sets.Words:
    """The legal values of the only parameter. The plan consists of tests and one binding."""
    bound = schema.plan[-1]
    assert isinstance(bound, n.Bind) and isinstance(end.mover, n.Const)
    bind(f, schema.me, const(end.mover.value))
    done, incoming = f.block("listed"), []
    none = set_const(0, words(bound.over.type))
    for step in schema.plan[:-1]:
        assert isinstance(step, n.Test)
        holds = boolean(f, step.condition)
        following = f.block("holds")
        incoming.append((none, f.builder.block))
        f.builder.cbranch(holds, following, done)
        f.at(following)
    found = set_words(f, bound.over)
    incoming.append((found, f.builder.block))
    f.builder.branch(done)
    f.at(done)
    joined = join(f, incoming)
    assert isinstance(joined, tuple)
    return joined


def take(f: Fn, schema: n.Schema, found: sets.Words, left: ir.Value, do: Callable[[], None]) -> None:
    """Applies the move if it is in this set. ``left`` counts down to it."""
    here, other = f.block("here"), f.block("other")
    k, number = f.builder.load(left), sets.count(f, found)
    f.builder.cbranch(f.builder.icmp_unsigned("<", k, number), here, other)
    f.at(here)
    p = schema.params[0].local
    bind(f, p, as_type(f, plus(f, sets.pick(f, found, k), offset(p.type)), p.type))
    do()
    f.at(other)
    f.builder.store(f.builder.sub(k, number), left)
