"""Lines of a changing set by shape: ``L disjoint complement(union x in complement(S): lines of x)``.

It holds if no line in L lies within S. The lines are grouped by shape (``line_patterns.py``). For each shape, the
lowest cells of those in L form a set, which is looked up by chunks of L. S shifted upon itself and restricted to that
set then gives the answer for a whole shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import I32, Fn, const
from gamedsl.compiler.emit.memory_layout import WORD
from gamedsl.compiler.emit.sets.image_tables import entries, part_bits
from gamedsl.compiler.emit.sets.line_patterns import Shape, doublings, shapes, spacing
from gamedsl.compiler.transform.converse_tables import converse
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Asked:
    """The question whether no line in ``lines`` lies within ``inside``. ``cells`` gives the cells of each line."""

    lines: n.Expr
    inside: n.Expr
    cells: tuple[int, ...]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(shape for shape, _ in shapes(self.cells))


def asked(e: n.Op2) -> Asked | None:
    """The parts of a ``disjoint`` of this form. Returns None for other forms."""
    for lines, other in ((e.left, e.right), (e.right, e.left)):
        found = _within(other)
        if found is not None:
            inside, table = found
            cells = converse(table, False).values
            if all(cells) and len(shapes(cells)) <= cutoffs.PATTERN_SHAPES:
                return Asked(lines, inside, cells)
    return None


def _within(e: n.Expr) -> tuple[n.Expr, n.TableData] | None:
    """S and T of ``complement(union x in complement(S): T(x))``, or None."""
    match e:
        case n.Op1(
            op="complement",
            operand=n.Loop(
                kind="union",
                local=local,
                over=n.Op1(op="complement", operand=inside),
                condition=None,
                body=n.Lookup(table=table, keys=(n.Load(local=key),)),
            ),
        ) if key.id == local.id and isinstance(inside.type, n.SetT) and inside.type.domain.size <= WORD:
            fits = isinstance(table.type, n.SetT) and table.type.domain.size <= cutoffs.IMAGE_TABLE
            return (inside, table) if fits else None
        case _:
            return None


def moves(shape: Shape) -> Iterator[tuple[int, bool]]:
    """Shifts that find a shape: the distance, and whether to shift the intersection so far (True) or the whole set.
    Each result is intersected with the previous ones."""
    step = spacing(shape)
    if step is None:
        yield from ((o, False) for o in shape[1:])
    else:
        yield from ((more * step, True) for more in doublings(len(shape)))


def of(f: Fn, found: Asked, width: int) -> list[ir.Value]:
    """For each shape, the lowest cells of the lines in the set, as a number of ``width`` bits."""
    lanes, t = _lanes(found.cells, width), ir.IntType(width)
    count = len(lanes[0])
    if isinstance(found.lines, n.Const):
        chosen = [x for i, x in enumerate(lanes) if found.lines.value >> i & 1]
        return [
            ir.Constant(t, _signed(reduce(or_, (x[k] for x in chosen), 0), width)) for k in range(len(found.shapes))
        ]
    vector = ir.VectorType(t, count)
    bits = part_bits(len(lanes))
    values = tuple(sum(x << width * k for k, x in enumerate(one)) for one in lanes)
    table = f.unit.numbers(("places", values, width), list(entries(values, bits, count, width)), width)
    over, total = set_words(f, found.lines), None
    for at in range(0, len(lanes), bits):
        word = f.builder.lshr(over[at // WORD], const(at % WORD)) if at % WORD else over[at // WORD]
        part = f.builder.and_(word, const((1 << bits) - 1))
        index = f.builder.mul(f.builder.add(part, const(at // bits << bits)), const(count))
        one = f.builder.load(f.builder.bitcast(f.unit.at(f.builder, table, index), vector.as_pointer()))
        one.align = count * width // 8
        total = one if total is None else f.builder.or_(total, one)
    return [f.builder.extract_element(total, ir.Constant(I32, k)) for k in range(len(found.shapes))]


def _signed(count: int, width: int) -> int:
    return count - (1 << width) if count >> width - 1 else count


@lru_cache(maxsize=64)
def _lanes(cells: tuple[int, ...], width: int) -> list[tuple[int, ...]]:
    """The lowest cell of each line, in the lane of its shape. The number of lanes is a power of two."""
    groups = [shape for shape, _ in shapes(cells)]
    count = 1 << (len(groups) - 1).bit_length()
    found = []
    for line in cells:
        low = (line & -line).bit_length() - 1
        shape = tuple(i - low for i in range(low, line.bit_length()) if line >> i & 1)
        found.append(tuple((1 << low) * (k < len(groups) and groups[k] == shape) for k in range(count)))
    return found
