"""Closures: a worklist over words.

closure of S by x: T(x)
→
found, todo = S, S
while todo: x = the lowest of todo; new = T(x) - found; found |= new; todo = todo - {x} | new

If the rules only test whether it meets a set, it stops at the first element of that set, and searches toward it.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, bind, flag
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.closure_windows import closure_by_windows
from gamedsl.language.core import can_fail, offset
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


def closure(f: Fn, e: n.Closure) -> sets.Words:
    """Emits a closure. Each element is expanded once; if steps can fail, the lowest first, as in the reference."""
    start = set_words(f, e.start)
    found = closure_by_windows(f, e, start)
    return _expanded(f, e, start, None)[0] if found is None else found


def closure_disjoint(f: Fn, e: n.Op2) -> ir.Value | None:
    """Emits ``closure disjoint S``. It stops at the first element of S, if no step can fail. Returns None for other
    forms."""
    if e.op != "disjoint" or not isinstance(e.left, n.Closure) or can_fail(e.left.step, f.unit.program.functions):
        return None
    start = set_words(f, e.left.start)
    return _expanded(f, e.left, start, _Aim(set_words(f, e.right), _lies_above(e.right)))[1]


@lazy_dataclass(frozen=True)
class _Aim:
    """Elements at which to stop. ``above``: they have high numbers, so the highest elements are expanded first."""

    words: sets.Words
    above: bool


def _lies_above(target: n.Expr) -> bool:
    """Whether most elements lie in the upper half of the domain."""
    if not isinstance(target, n.Const) or not isinstance(target.type, n.SetT):
        return False
    half = target.type.domain.size // 2
    return (target.value >> half).bit_count() > (target.value & (1 << half) - 1).bit_count()


def _expanded(f: Fn, e: n.Closure, start: sets.Words, aim: _Aim | None) -> tuple[sets.Words, ir.Value]:
    """The elements found, and whether none of them is in the aim."""
    before, head, inside, done = f.builder.block, f.block("closure"), f.block("expand"), f.block("closed")
    f.builder.branch(head)
    f.at(head)
    found, todo = tuple(f.builder.phi(I64) for _ in start), tuple(f.builder.phi(I64) for _ in start)
    for one, value in zip((*found, *todo), (*start, *start), strict=True):
        one.add_incoming(value, before)
    missed = flag(True) if aim is None else sets.is_empty(f, sets.both(f, found, aim.words))
    over = sets.is_empty(f, todo)
    f.builder.cbranch(over if aim is None else f.builder.or_(over, f.builder.not_(missed)), done, inside)
    f.at(inside)
    x = sets.highest(f, todo) if aim is not None and aim.above else sets.lowest(f, todo)
    bind(f, e.local, as_type(f, plus(f, x, offset(e.local.type)), e.local.type))
    new = sets.without(f, set_words(f, e.step), found)
    rest = sets.without(f, todo, sets.single(f, x, len(todo)))
    after = (*sets.either(f, found, new), *sets.either(f, rest, new))
    for one, value in zip((*found, *todo), after, strict=True):
        one.add_incoming(value, f.builder.block)
    f.builder.branch(head)
    f.at(done)
    return found, missed
