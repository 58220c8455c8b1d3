"""``some l in L: T(l) within S`` for a constant T without a loop over L.

Over a small domain the answer is looked up by S itself. Otherwise the sets T(l) are grouped by shape: translates of one
shape need one test, S shifted upon itself and restricted to the places where the shape fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import I1, Fn, const, set_const, words
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import can_fail, free_locals
from gamedsl.language.core import nodes as n

Shape = tuple[int, ...]  # offsets of the elements from the lowest one


@lru_cache(maxsize=64)
def shapes(set_words: tuple[int, ...]) -> tuple[tuple[Shape, int], ...]:
    """The shapes of some sets, each with the set of lowest elements at which it occurs."""
    found: dict[Shape, int] = {}
    for m in set_words:
        low = (m & -m).bit_length() - 1
        shape = tuple(i - low for i in range(low, m.bit_length()) if m >> i & 1)
        found[shape] = found.get(shape, 0) | 1 << low
    return tuple(sorted(found.items()))


def spacing(shape: Shape) -> int | None:
    """The distance between the elements of a shape if they are evenly spaced, else None."""
    step = shape[1] if len(shape) > 1 else 1
    return step if shape == tuple(i * step for i in range(len(shape))) else None


def doublings(length: int) -> Iterator[int]:
    """Shift distances that extend runs of length 1 to runs of ``length``: each step intersects the runs with a
    shifted copy."""
    have = 1
    while have < length:
        more = min(have, length - have)
        yield more
        have += more


def line_test(f: Fn, e: n.Loop) -> ir.Value | None:
    """Emits a quantifier of this form. Returns None for other forms, or if there are too many shapes."""
    body = e.body
    if e.kind != "some" or e.condition is not None or not isinstance(e.over, n.Const):
        return None
    if not isinstance(body, n.Op2) or body.op != "within" or not isinstance(body.left, n.Lookup):
        return None
    table, key = body.left.table, body.left.keys
    if len(key) != 1 or not isinstance(key[0], n.Load) or key[0].local.id != e.local.id:
        return None
    if e.local.id in free_locals(body.right) or can_fail(body.right):
        return None
    lines = tuple(table.values[i] for i in range(e.over.value.bit_length()) if e.over.value >> i & 1)
    if not all(lines):
        return None
    assert isinstance(table.type, n.SetT)
    return test_lines(f, lines, table.type, lambda: _members(f, body))


def _members(f: Fn, body: n.Op2) -> sets.Words:
    return set_words(f, body.right)


def test_lines(f: Fn, lines: tuple[int, ...], t: n.SetT, value: Callable[[], sets.Words]) -> ir.Value | None:
    """Whether one of these sets is a subset of ``value()``. Returns None if there are too many shapes."""
    if t.domain.size <= cutoffs.PATTERN_TABLE:
        return _looked_up(f, lines, t.domain.size, value()[0])
    groups = shapes(lines)
    if len(groups) > cutoffs.PATTERN_SHAPES:
        return None
    s = value()
    total: ir.Value = const(0)
    for shape, places in groups:
        found = sets.both(f, _run(f, s, shape), set_const(places, words(t)))
        total = f.builder.or_(total, sets.any_bit(f, found))
    return f.builder.icmp_unsigned("!=", total, const(0))


def _run(f: Fn, s: sets.Words, shape: Shape) -> sets.Words:
    """The elements at which the whole shape occurs in the set."""
    found, step = s, spacing(shape)
    if step is None:
        for o in shape[1:]:
            found = sets.both(f, found, sets.shifted(f, s, -o))
        return found
    for more in doublings(len(shape)):
        found = sets.both(f, found, sets.shifted(f, found, -more * step))
    return found


def _looked_up(f: Fn, lines: tuple[int, ...], size: int, s: ir.Value) -> ir.Value:
    holds = [int(any(line & ~value == 0 for line in lines)) for value in range(1 << size)]
    table = f.unit.numbers(("lines", lines, size), holds, 8)
    return f.builder.trunc(f.builder.load(f.unit.at(f.builder, table, s)), I1)
