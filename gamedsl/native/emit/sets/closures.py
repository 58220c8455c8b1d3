"""Closures: a worklist over words.

closure of S by x: T(x)
→
found, todo = S, S
while todo: x = the lowest of todo; new = T(x) - found; found |= new; todo = todo - {x} | new
"""

from __future__ import annotations

from gamedsl.core import offset
from gamedsl.core.nodes import Closure
from gamedsl.native.emit.expressions import as_type, set_words
from gamedsl.native.emit.memory import plus
from gamedsl.native.emit.module_builder import I64, Fn, bind
from gamedsl.native.emit.sets import words as sets


def closure(f: Fn, e: Closure) -> sets.Words:
    """Emits a closure. Each element is expanded once, the lowest first, as in the reference."""
    start = set_words(f, e.start)
    before, head, inside, done = f.builder.block, f.block("closure"), f.block("expand"), f.block("closed")
    f.builder.branch(head)
    f.at(head)
    found, todo = tuple(f.builder.phi(I64) for _ in start), tuple(f.builder.phi(I64) for _ in start)
    for one, value in zip((*found, *todo), (*start, *start), strict=True):
        one.add_incoming(value, before)
    f.builder.cbranch(sets.is_empty(f, todo), done, inside)
    f.at(inside)
    x = sets.lowest(f, todo)
    bind(f, e.local, as_type(f, plus(f, x, offset(e.local.type)), e.local.type))
    new = sets.without(f, set_words(f, e.step), found)
    rest = sets.without(f, todo, sets.single(f, x, len(todo)))
    after = (*sets.either(f, found, new), *sets.either(f, rest, new))
    for one, value in zip((*found, *todo), after, strict=True):
        one.add_incoming(value, f.builder.block)
    f.builder.branch(head)
    f.at(done)
    return found
