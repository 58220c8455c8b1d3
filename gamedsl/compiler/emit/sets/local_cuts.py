"""Whether a set stays connected without one element: first the elements around that one are looked at.

    let h = (if c then S else S - {x}) in flood(first h within h) = h

If S is connected, so is S - {x} as long as the elements of S beside x are connected among themselves, which is looked up by
which of them are in S. Whether S is connected is asked once, before the loop over x. Otherwise h is flooded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from llvmlite import ir

from gamedsl.compiler.analysis.local_patterns import PLACES
from gamedsl.compiler.emit.expression_code import boolean, expr, number, set_words
from gamedsl.compiler.emit.known_values import known_value
from gamedsl.compiler.emit.llvm_module import I1, I64, Fn, bind
from gamedsl.compiler.emit.sets.flood_path_cache import known_or_searched
from gamedsl.compiler.emit.sets.pattern_tables import case_of
from gamedsl.language.core import can_fail, flood, free_locals, is_symmetric, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Cut:
    """The question whether ``whole`` is connected without ``element``; with it, where ``kept`` holds. ``connected``: whether
    ``whole`` is connected and has elements."""

    element: n.Load
    whole: n.Expr
    kept: n.Expr | None
    connected: n.Expr
    table: n.TableData


def cut_of(e: n.LetE) -> Cut | None:
    """The question that an expression asks; None if it is another one."""
    kept, value = None, e.value
    if isinstance(value, n.Cond):
        kept, value = value.condition, value.otherwise
    match e.body, value:
        case (
            n.Op2("eq", n.Flood(n.Op1("single", n.Op1("first", a)), b, table) as flood, c) as asked,
            n.Op2("minus", whole, n.Op1("single", n.Load() as x)),
        ) if a == b == c == n.Load(e.local) and whole.type == e.local.type == n.SetT(table.keys[0]):
            pass
        case _:
            return None
    if (isinstance(e.value, n.Cond) and e.value.then != whole) or free_locals(whole) or can_fail(whole):
        return None
    if not is_symmetric(table.values) or max(v.bit_count() for v in table.values) > PLACES:
        return None
    first = n.Op1("single", n.Op1("first", whole, x.type), whole.type)
    some = n.Op1("not", n.Op1("is_empty", whole, asked.type), asked.type)
    reached = n.Op2("eq", n.Flood(first, whole, table, flood.type), whole, asked.type)
    return Cut(x, whole, kept, n.Op2("and", some, reached, asked.type), table)


def asked_before(plan: Sequence[n.Bind | n.Test]) -> Iterator[n.Expr]:
    """What these steps of a plan ask about whole sets: whether they are connected."""
    found = (
        cut.connected
        for step in plan
        for x in walk(step.over if isinstance(step, n.Bind) else step.condition)
        if isinstance(x, n.LetE) and (cut := cut_of(x)) is not None
    )
    yield from dict.fromkeys(found)


def stays_connected(f: Fn, e: n.LetE) -> ir.Value | None:
    """Emits such a question. Returns None for others, and where it is not known whether the whole set is connected."""
    cut = cut_of(e) if f.unit.has_deposit else None
    connected = None if cut is None else known_value(f, cut.connected)
    if cut is None or connected is None:
        return None
    assert isinstance(connected, ir.Value)
    together = _together(f, cut.table, number(f, cut.element), set_words(f, cut.whole))
    if cut.kept is not None:
        together = f.builder.or_(together, boolean(f, cut.kept))

    def search() -> ir.Value:
        bind(f, e.local, expr(f, e.value))
        return boolean(f, e.body)

    return known_or_searched(f, f.builder.and_(connected, together), search)


def _together(f: Fn, table: n.TableData, x: ir.Value, held: Sequence[ir.Value]) -> ir.Value:
    """Whether some elements of a set are beside x, and these are connected among themselves."""
    rows = [connected_cases(_beside(table.values, around)) for around in table.values]
    starts, cases = dict[tuple[int, ...], int](), list[int]()
    for row in rows:
        if row not in starts:
            starts[row] = len(cases)
            cases += row
    b, first = f.builder, [starts[row] for row in rows]
    start = b.zext(b.load(f.unit.at(b, f.unit.numbers(("starts", tuple(first)), first, 32), x)), I64)
    index = b.add(start, case_of(f, table.values, x, tuple(held)))
    found = b.load(f.unit.at(b, f.unit.numbers(("cases", tuple(cases)), cases, 8), index))
    return b.trunc(found, I1)


def _beside(values: Sequence[int], around: int) -> tuple[int, ...]:
    """For each element of a set, those of the set that are beside it, by their numbers in the set."""
    members = [i for i in range(around.bit_length()) if around >> i & 1]
    return tuple(sum(1 << j for j, other in enumerate(members) if values[m] >> other & 1) for m in members)


@cache
def connected_cases(beside: tuple[int, ...]) -> tuple[int, ...]:
    """For each subset of the elements, 1 if it has any and is connected."""
    subsets = range(1, 1 << len(beside))
    return (0, *(int(flood(subset & -subset, subset, beside) == subset) for subset in subsets))
