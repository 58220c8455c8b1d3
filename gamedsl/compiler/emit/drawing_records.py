"""Drawings as records in a table that the host fills; a state holds the number of its record.

Record 0 is the empty paper. A record consists of the number of its first successor and how many there are, followed by
every relation that the rules read. The successors are drawings with further strokes: the actions at a stop where a
player draws.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.llvm_module import CTX_DRAWINGS, I64, Fn, Value, const
from gamedsl.compiler.emit.memory import context_field, load_slot
from gamedsl.compiler.emit.memory_layout import words_of
from gamedsl.language.core import all_exprs
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

SUCCESSORS = 2  # words before the relations


@lazy_dataclass(frozen=True)
class Column:
    """The position of a relation in a record: ``size`` values of ``width`` words from ``offset``."""

    relation: str
    variable: int
    offset: int
    size: int
    width: int


def columns(program: n.Program) -> tuple[Column, ...]:
    """The relations that the rules read."""
    found: dict[tuple[str, int], Column] = {}
    at = SUCCESSORS
    for e in all_exprs(program):
        if isinstance(e, n.Arranged) and (e.relation, e.var.index) not in found:
            size = e.args[0].type.domain.size if e.args and isinstance(e.args[0].type, n.ElemT) else 1
            width = words_of(e.type.domain.size) if isinstance(e.type, n.SetT) else 1
            found[e.relation, e.var.index] = Column(e.relation, e.var.index, at, size, width)
            at += size * width
    return tuple(found.values())


def record_size(program: n.Program) -> int:
    """The size of a record in words."""
    last = [c.offset + c.size * c.width for c in columns(program)]
    return max(last, default=SUCCESSORS)


def record(f: Fn, handle: ir.Value) -> ir.Value:
    """The address of a drawing's record, as a pointer to words."""
    table = f.builder.inttoptr(f.builder.load(context_field(f, CTX_DRAWINGS)), I64.as_pointer())
    return f.builder.gep(table, [f.builder.mul(handle, const(record_size(f.unit.frame.program)))], inbounds=True)


def _column(f: Fn, e: n.Arranged) -> tuple[Column, ir.Value]:
    """The relation's column, and the address of the drawing's record."""
    column = next(c for c in columns(f.unit.frame.program) if (c.relation, c.variable) == (e.relation, e.var.index))
    handle = load_slot(f, e.var, [])
    assert isinstance(handle, ir.Value)
    return column, record(f, handle)


def column_address(f: Fn, e: n.Arranged) -> ir.Value:
    """The address of the relation's values for the current drawing, which are contiguous."""
    column, at = _column(f, e)
    return f.builder.gep(at, [const(column.offset)], inbounds=True)


def arranged(f: Fn, e: n.Arranged) -> Value:
    column, at = _column(f, e)
    index: ir.Value = const(column.offset)
    if e.args:
        index = f.builder.add(index, f.builder.mul(number(f, e.args[0]), const(column.width)))
    found = [
        f.builder.load(f.builder.gep(at, [f.builder.add(index, const(i))], inbounds=True)) for i in range(column.width)
    ]
    return tuple(found) if isinstance(e.type, n.SetT) else found[0]
