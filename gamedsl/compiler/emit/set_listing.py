"""The legal moves of a schema as one set, computed once per decision."""

from __future__ import annotations

from gamedsl.compiler.emit.expression_code import boolean, join, set_words
from gamedsl.compiler.emit.llvm_module import Fn, bind, const, set_const, words
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import nodes as n


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
