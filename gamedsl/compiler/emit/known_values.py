"""Equal expressions are computed once (value numbering), as long as the state does not change.

What was computed in a block is known wherever that block has run. A block that does not always run knows what was computed
before it, and what is computed in it is forgotten after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import ir

from gamedsl.compiler.analysis.expression_numbers import ExpressionNumbers
from gamedsl.compiler.emit.llvm_module import Fn, Numbering, Value
from gamedsl.language.core import free_locals
from gamedsl.language.core import nodes as n


def known_value(f: Fn, e: n.Expr, what: str = "") -> Value | None:
    """The value of an expression, if it was computed in this state and with these values of its names; or ``what`` else
    was found about it."""
    known = f.numbering
    found = None if known is None or known.s is not f.s else known.values.get((what, *_key(f, e)))
    return None if found is None else found[0]


def keep_value(f: Fn, e: n.Expr, value: Value, what: str = "") -> None:
    """Keeps a value that was computed in this state, or ``what`` else was found."""
    known = f.numbering
    if known is not None and known.s is f.s:
        known.values[what, *_key(f, e)] = value, [f.env.get(i) for i in free_locals(e)]


def _key(f: Fn, e: n.Expr) -> tuple[int, ...]:
    """The number of an expression, and the identities of the values of its names."""
    names = (id(f.env.get(i)) for i in free_locals(e))
    return (f.unit.features.of(ExpressionNumbers).number(e), *names)


@contextmanager
def same_state(f: Fn) -> Iterator[None]:
    """Computes equal expressions once inside the ``with`` block, in which the state does not change."""
    outside = f.numbering
    if outside is None:
        f.numbering = Numbering(f.builder.block, f.s)
    try:
        yield
    finally:
        f.numbering = outside


def onward(f: Fn, block: ir.Block) -> None:
    """Continues in a block to which only the current one leads."""
    known = f.numbering
    if known is not None and known.block is f.builder.block:
        known.block = block
    f.at(block)


@contextmanager
def branch(f: Fn, block: ir.Block) -> Iterator[None]:
    """Emits a block that does not always run."""
    f.at(block)
    outside = f.numbering
    known = {} if outside is None or outside.s is not f.s else dict(outside.values)
    f.numbering = Numbering(block, f.s, known)
    try:
        yield
    finally:
        f.numbering = outside
