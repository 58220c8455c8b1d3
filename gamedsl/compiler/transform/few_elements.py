"""Filters of few looked-up elements as conditionals: one test for each element, without a loop.

    filter d in neighbors(x): not(cut(x, d))
    →
    (if not(cut'1(x)) then first(x) else {}) | (if not(cut'2(x)) then second(x) else {}) | ...

The k-th element of the entry of a table is itself looked up by the same keys, and so is what a table says about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.transform.guarded_lookups import unwrap_guarded
from gamedsl.compiler.transform.rewriting import rewrite_everywhere
from gamedsl.language.core import can_fail, fold, map_children, node_count, substitute
from gamedsl.language.core import nodes as n


def unroll_few_elements(program: n.Program) -> n.Program:
    """Rewrites a specialized program, including its functions."""

    def rewrite(e: n.Expr) -> n.Expr:
        tables = tabulate(e, cutoffs.GENERIC_TABLE_NAMES)
        found = unroll_looked_up(unwrap_guarded(tables), program.functions, cutoffs.POINTED_NODES)
        return e if found is tables else fold(tabulate(found, cutoffs.GENERIC_TABLE_NAMES))

    functions = tuple(replace(f, body=rewrite(f.body)) for f in program.functions)
    return replace(rewrite_everywhere(program, rewrite), functions=functions)


def unroll_looked_up(e: n.Expr, functions: Sequence[n.Function], nodes: int) -> n.Expr:
    """Rewrites ``{t in T(s): A}`` to ``if A then T(s) else {}``, with t looked up, if T has at most one element per
    entry. If it has a few, rewrites it to the union of as many parts, of up to ``nodes`` nodes together."""
    e = map_children(e, lambda x: unroll_looked_up(x, functions, nodes))
    match e:
        case n.Loop(kind="filter", local=local, over=n.Lookup(table=table) as over, condition=None, body=body):
            most = max(v.bit_count() for v in table.values)
            large = most > 1 and most * node_count(body) > nodes
            if not isinstance(local.type, n.ElemT) or can_fail(body, functions) or large:
                return e
        case _:
            return e
    found: n.Expr = n.Const(0, e.type)
    rest = list(table.values)
    for _ in range(most):
        firsts = [v & -v for v in rest]
        rest = [v & (v - 1) for v in rest]
        places = tuple(max(0, v.bit_length() - 1) for v in firsts)
        one = n.Lookup(n.TableData("one of", table.keys, local.type, places), over.keys)
        there = over if most == 1 else n.Lookup(n.TableData("part of", table.keys, over.type, tuple(firsts)), over.keys)
        part = n.Cond(substitute(body, {local.id: one}), there, n.Const(0, e.type), e.type, span=e.span)
        found = fold(n.Op2("union", found, part, e.type, span=e.span))
    return found
