"""Loop unrolling of small filters.

    filter b in S: safe(b) = 0            b in {b1, b2, b3}
    →
    S & ((if safe[b1] = 0 then {b1} else {}) | (if safe[b2] = 0 then {b2} else {}) | ...)

With a constant in place of the name, a condition is often much shorter: a test of one slot, or a constant.

Not done: conditions that can end in a rules error (the first one decides which error), long conditions, and calls
unless all elements are tested anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.transform.merge_lookups import merged_union
from gamedsl.compiler.transform.rewriting import rewrite_everywhere
from gamedsl.language.boards import elements
from gamedsl.language.core import can_fail, fold, map_children, substitute, walk
from gamedsl.language.core import nodes as n


def unroll_small_filters(program: n.Program) -> n.Program:
    """Unrolls filters of few elements."""
    few = FilterUnroller(program.functions)
    functions = tuple(replace(f, body=few.expr(f.body)) for f in program.functions)
    return replace(rewrite_everywhere(program, few.expr), functions=functions)


class FilterUnroller:
    """Rewrites expressions that call these functions."""

    def __init__(self, functions: Sequence[n.Function]) -> None:
        self.functions = functions

    def expr(self, e: n.Expr) -> n.Expr:
        """Unrolls the small filters in the expression."""
        e = map_children(e, self.expr)
        match e:
            case n.Loop(kind="filter"):
                return self._unrolled(e) or e
            case n.Loop(kind="union", over=n.Const()):
                return self._union(e) or e
            case _:
                return e

    def _union(self, e: n.Loop) -> n.Expr | None:
        """Unrolls a union over few constants that looks up tables by them and by other names. Its tables then have one
        name less, and equal ones are looked up once."""
        assert isinstance(e.over, n.Const)
        t, among = e.local.type, e.over.value
        if e.condition is not None or not isinstance(t, n.ElemT) or among.bit_count() > cutoffs.UNROLLED:
            return None
        if can_fail(e.body, self.functions) or not any(_mixed(x, e.local) for x in walk(e.body)):
            return None
        if any(x.loops for x in walk(e.body)):
            return None
        parts = [tabulate(substitute(e.body, {e.local.id: n.Const(i, t)})) for i in elements(among)]
        return fold(merged_union(parts))

    def _unrolled(self, e: n.Loop) -> n.Expr | None:
        t = e.local.type
        if (
            e.condition is not None
            or not isinstance(t, n.ElemT)
            or t.domain.size > cutoffs.UNROLLED
            or can_fail(e.body, self.functions)
        ):
            return None
        among = e.over.value if isinstance(e.over, n.Const) else t.domain.full
        own, found = n.SetT(t.domain), {}
        for i in range(t.domain.size):
            if among >> i & 1:
                found[i] = fold(substitute(e.body, {e.local.id: n.Const(i, t)}))
        total = sum(_size(x) for x in found.values())
        dear = (n.Loop,) if isinstance(e.over, n.Const) else (n.Loop, n.CallF)
        if any(isinstance(y, dear) for x in found.values() for y in walk(x)):
            return None
        if total > min(cutoffs.COPIED_NODES, max(2 * _size(e.body), cutoffs.UNROLLED_SHORT * len(found))):
            return None
        whole: n.Expr = n.Const(0, own)
        for i, x in found.items():
            whole = n.Op2("union", whole, n.Cond(x, n.Const(1 << i, own), n.Const(0, own), own), own)
        return fold(whole if isinstance(e.over, n.Const) else n.Op2("meet", e.over, whole, own))


def _mixed(e: n.Expr, local: n.Local) -> bool:
    """Whether an expression is a look-up by this name and another."""
    names = [k.local.id for k in e.keys if isinstance(k, n.Load)] if isinstance(e, n.Lookup) else []
    return local.id in names and len(names) > 1


def _size(e: n.Expr) -> int:
    return sum(1 for _ in walk(e))
