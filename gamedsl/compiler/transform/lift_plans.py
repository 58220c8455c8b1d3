"""Lifted conditions in place: in the plans of moves, in filters and in quantifiers (see ``lift_conditions.py``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.transform.fitting_numbers import drop_fitting
from gamedsl.compiler.transform.lift_conditions import intersection, lift_condition
from gamedsl.compiler.transform.shifted_conditions import images
from gamedsl.compiler.transform.tabulate_plans import tabulate_plan
from gamedsl.compiler.transform.visibility import prune_rays
from gamedsl.language.core import CostEstimator, can_fail, conjunction, conjuncts, fold, free_locals, map_children
from gamedsl.language.core import nodes as n


def lift_plan(
    schema: n.Schema, plan: tuple[n.Bind | n.Test, ...], put_in: Callable[[n.Expr], n.Expr | None] = lambda e: None
) -> tuple[n.Bind | n.Test, ...]:
    """Lifts tests on the parameter bound last into the set over which it ranges.

    ``put_in`` inlines the functions of a condition that cannot be lifted as it is.
    """
    out: list[n.Bind | n.Test] = []
    for step in tabulate_plan(schema, plan, put_in):
        if isinstance(step, n.Bind):
            out.append(n.Bind(step.param, lift_filters(tabulate(step.over))))
            continue
        for condition in conjuncts(step.condition):
            fits = _fitting(schema, out, condition)
            out.extend(_tests(schema, out, fits, put_in(fits)))
    return tuple(n.Bind(s.param, prune_rays(s.over)) if isinstance(s, n.Bind) else s for s in out)


def _fitting(schema: n.Schema, out: list[n.Bind | n.Test], condition: n.Expr) -> n.Expr:
    """The condition without conversions that cannot fail for the members of the set bound last."""
    last = next((step for step in reversed(out) if isinstance(step, n.Bind)), None)
    return condition if last is None else tabulate(drop_fitting(schema.params[last.param].local, last.over, condition))


def _tests(schema: n.Schema, out: list[n.Bind | n.Test], condition: n.Expr, open: n.Expr | None) -> list[n.Test]:
    """The tests that remain after lifting as much of the condition as possible. ``open`` is the condition with its
    functions inlined."""
    whole = tabulate(condition)
    if _narrow(schema, out, whole):
        return []
    if open is None or can_fail(open):
        return [n.Test(whole)]
    parts = [tabulate(c) for c in conjuncts(open)]
    rest = [c for c in parts if not _narrow(schema, out, c)]
    return [n.Test(c) for c in rest] if len(rest) < len(parts) else [n.Test(whole)]


def _narrow(schema: n.Schema, out: list[n.Bind | n.Test], condition: n.Expr) -> bool:
    """Lifts the condition into the last binding. Returns False if it has no such form, or if a test that can fail comes
    in between."""
    at = len(out) - 1
    while at >= 0 and isinstance(test := out[at], n.Test) and not can_fail(test.condition):
        at -= 1
    last = out[at] if at >= 0 else None
    if not isinstance(last, n.Bind):
        return False
    narrower = _narrower(schema, last, condition)
    if narrower is None:
        return False
    out[at] = narrower
    return True


def _narrower(schema: n.Schema, last: n.Bind, condition: n.Expr) -> n.Bind | None:
    """The binding with its set restricted by the condition, or None."""
    local = schema.params[last.param].local
    if can_fail(condition) or local.id not in free_locals(condition):
        return None
    among = last.over.value if isinstance(last.over, n.Const) else None
    found = lift_condition(local, _with_points(condition), among)
    if found is None or last.over.type != found.type:
        return None
    return n.Bind(last.param, intersection(last.over, found))


def lift_filters(e: n.Expr) -> n.Expr:
    """Rewrites filters of constant sets as set operations, if their conditions can be lifted."""
    e = map_children(e, lift_filters)
    match e:
        case n.Loop(kind="filter", local=x, over=n.Const(value=bits) as over, condition=None, body=body) if (
            bits.bit_count() > cutoffs.UNROLLED and not can_fail(body)
        ):
            found = lift_condition(x, body)
            return e if found is None or found.type != e.type else fold(n.Op2("meet", over, found, found.type))
        case _:
            return e


def lift_quantifiers(e: n.Expr) -> n.Expr:
    """Rewrites quantifiers over sets of the state as set operations, if their bodies can be lifted."""
    e = map_children(e, lift_quantifiers)
    if not isinstance(e, n.Loop) or e.condition is not None or not isinstance(e.over.type, n.SetT):
        return e
    if isinstance(e.over, n.Const):
        return _looked_up(e, e.over) or _narrowed(e) or _cheaper(e) or e
    if e.kind not in ("some", "every", "count", "filter") or can_fail(e.body):
        return e
    found = lift_condition(e.local, e.body)
    if found is None or found.type != e.over.type or (_one_at_most(e.over) and images(found)):
        return e
    match e.kind:
        case "some":
            return n.Op1("not", n.Op2("disjoint", e.over, found, n.BoolT()), n.BoolT(), span=e.span)
        case "every":
            return n.Op2("within", e.over, found, n.BoolT(), span=e.span)
        case "count":
            return n.Op1("count", n.Op2("meet", e.over, found, found.type), e.type, span=e.span)
        case _:
            return n.Op2("meet", e.over, found, found.type, span=e.span)


def _one_at_most(s: n.Expr) -> bool:
    """Whether a set surely has one element or none: asking about it costs less than an image of a whole set."""
    match s:
        case n.Const(value=v):
            return v.bit_count() <= 1
        case n.Op1(op="single"):
            return True
        case n.Cond(then=a, otherwise=b):
            return _one_at_most(a) and _one_at_most(b)
        case n.Op2(op="meet", left=a, right=b):
            return _one_at_most(a) or _one_at_most(b)
        case n.Op2(op="minus", left=a):
            return _one_at_most(a)
        case _:
            return False


def _looked_up(e: n.Loop, over: n.Const) -> n.Expr | None:
    """A quantifier over constants as a single look-up by numbers of the state."""
    if e.kind not in ("some", "count", "filter") or not isinstance(e.body, n.Op2) or can_fail(e.body):
        return None
    found = lift_condition(e.local, e.body, over.value) if e.body.op in ("lt", "le", "eq", "ne") else None
    if not isinstance(found, n.Lookup) or found.type != over.type:
        return None
    found = intersection(over, found)
    match e.kind:
        case "some":
            return n.Op2("ne", found, n.Const(0, over.type), n.BoolT(), span=e.span)
        case "count":
            return n.Op1("count", found, e.type, span=e.span)
        case _:
            return found


def _narrowed(e: n.Loop) -> n.Expr | None:
    """Narrows a loop over a constant set by the first condition of its body, if that is a look-up by the loop's name
    and others (``count l in lines: c in l and ...`` iterates only over the lines of c), or fixes the value of the name
    (``some c in cell: place[k] = c and ...`` tests only that cell: the one-point rule of predicate logic)."""
    first, *rest = conjuncts(e.body) if isinstance(e.body.type, n.BoolT) else [e.body]
    narrow = _by_several(first) or _names(e.local, first) or _numbered(e.local, first)
    if e.kind not in ("some", "count", "filter") or not rest or not narrow:
        return None
    found = lift_condition(e.local, first)
    if found is None or found.type != e.over.type:
        return None
    return replace(e, over=fold(n.Op2("meet", e.over, found, found.type)), body=conjunction(rest))


def _with_points(e: n.Expr) -> n.Expr:
    """Narrows quantifiers whose first condition fixes the value of the name."""
    e = map_children(e, _with_points)
    if isinstance(e, n.Loop) and e.kind == "some" and isinstance(e.over, n.Const) and e.condition is None:
        first, *rest = conjuncts(e.body)
        return (_narrowed(e) if rest and _names(e.local, first) else None) or e
    return e


def _by_several(e: n.Expr) -> bool:
    return isinstance(e, n.Lookup) and len(e.keys) > 1


def _numbered(x: n.Local, e: n.Expr) -> bool:
    """Whether the condition equates a number of the name and others, looked up, with a number that does not depend on the name."""
    if not isinstance(e, n.Op2) or e.op != "eq" or can_fail(e):
        return False
    sides = ((e.left, e.right), (e.right, e.left))
    return any(_by_several(a) and x.id in free_locals(a) and x.id not in free_locals(b) for a, b in sides)


def _names(x: n.Local, e: n.Expr) -> bool:
    """Whether the condition fixes the value of a name: it equals a value that may be none."""
    if not isinstance(e, n.Op2) or e.op != "eq" or can_fail(e):
        return False
    own = (n.Load(x), n.Op1("wrap", n.Load(x), n.OptT(x.type))) if isinstance(x.type, n.ElemT) else ()
    return any(a in own and x.id not in free_locals(b) for a, b in ((e.left, e.right), (e.right, e.left)))


def _cheaper(e: n.Loop) -> n.Expr | None:
    """A filter as a set operation, if that costs less than testing each element."""
    if e.kind != "filter" or can_fail(e.body):
        return None
    found = lift_condition(e.local, e.body)
    if found is None or found.type != e.over.type:
        return None
    found = intersection(e.over, found)
    costs = CostEstimator((), ())
    return found if costs.of(found) * cutoffs.CHEAPER_SETS <= costs.of(e) else None
