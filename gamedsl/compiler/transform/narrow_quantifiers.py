"""Narrowing of quantifiers: the part of a condition that can be lifted to a set restricts the range of the quantifier.

    some l in L: A(l) and B(l)
    →
    some l in L & {l: A(l)}: B(l)
    →
    not (L & {l: A(l)}) disjoint {l: B(l)}      where B can be a set as well and reads other names

In the last form, each set can be cached as long as the variables it reads do not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.transform.filter_cases import split_filters
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.compiler.transform.lift_plans import lift_quantifiers
from gamedsl.compiler.transform.ray_floods import flood_rays
from gamedsl.compiler.transform.visibility import prune_rays
from gamedsl.language.core import can_fail, conjunction, conjuncts, fold, free_locals, map_children, substitute, walk
from gamedsl.language.core import nodes as n


def narrow_functions(program: n.Program) -> n.Program:
    """Narrows quantifiers in functions, and turns them into set operations."""
    functions = program.functions
    return replace(program, functions=tuple(replace(f, body=_narrowed(f.body, functions)) for f in functions))


def _narrowed(e: n.Expr, functions: Sequence[n.Function]) -> n.Expr:
    e = narrow_quantifiers(tabulate(split_filters(e, functions)))
    return tabulate(prune_rays(flood_rays(lift_quantifiers(e))))


def narrow_quantifiers(e: n.Expr) -> n.Expr:
    """Narrows quantifiers over constant sets, if the remaining condition is expensive."""
    match e:
        case n.Loop(kind="some", over=n.Const(), condition=None) if not can_fail(e.body):
            return _some(e) or map_children(e, narrow_quantifiers)
        case _:
            return map_children(e, narrow_quantifiers)


def _some(e: n.Loop) -> n.Expr | None:
    first, *rest = conjuncts(e.body)
    found = lift_condition(e.local, first) if rest and any(_dear(x) for x in rest) else None
    if found is None or found.type != e.over.type:
        return None
    body = conjunction(rest)
    over = fold(n.Op2("meet", e.over, found, found.type))
    asked, own = free_locals(found).keys(), free_locals(body).keys() - {e.local.id}
    other = None if asked & own else lift_condition(e.local, lift_quantifiers(tabulate(_without_lets(body))))
    if other is not None and other.type == over.type:
        return n.Op1("not", n.Op2("disjoint", over, fold(other), n.BoolT()), n.BoolT(), span=e.span)
    return replace(e, over=over, body=narrow_quantifiers(body))


def _dear(e: n.Expr) -> bool:
    return any(isinstance(x, n.Loop | n.CallF) for x in walk(e))


def _without_lets(e: n.Expr) -> n.Expr:
    """Substitutes lets whose value is a look-up."""
    if isinstance(e, n.LetE):
        value = _without_lets(e.value)
        if isinstance(value, n.Lookup) and all(isinstance(k, n.Load) for k in value.keys):
            return _without_lets(substitute(e.body, {e.local.id: value}))
    return map_children(e, _without_lets)
