"""Reachability: closures ``reach of E for x from S``, and components by any adjacency or relation."""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.language.boards import ADJACENCY, Domain, Family, Relation
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import bind_elements
from gamedsl.language.rules.expressions.definitions import call_define, ensure_defined
from gamedsl.language.rules.expressions.folds import as_part
from gamedsl.language.rules.expressions.geometry.geometry_relations import board_relation, table_of
from gamedsl.language.rules.expressions.lowering import lower, lower_bool
from gamedsl.language.rules.expressions.primitives import place_of
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DefineSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

Step = Callable[[n.Expr], n.Expr]  # an element → the set of elements one step away


def lower_reach(env: Env, ctx: Ctx, e: ast.Reach) -> n.Expr:
    """Lowers ``reach of E for x from S: F``; an x for which F does not hold contributes nothing."""
    ranges, inner = bind_elements(env, ctx, e.binder)
    one = ranges[0]
    assert isinstance(one.over.type, n.SetT)
    if one.item is not None:
        env.report.fail("E0478", e.binder.source.span, stack=e.binder.source.span.text)
    t = one.over.type
    step = _next(env, inner, e.value, t)
    if e.condition is not None:
        step = fold(n.Cond(lower_bool(env, inner, e.condition), step, n.Const(0, t), t, span=e.span))
    return fold(n.Closure(one.over, one.local, step, t, span=e.span))


def _next(env: Env, ctx: Ctx, e: ast.Expr, t: n.SetT) -> n.Expr:
    """Returns the elements one step further, as a set of the type of the start."""
    want = t if isinstance(t.domain, ty.RangeDomain) and isinstance(e, ast.SetDisplay) else None
    value = lower(env, ctx, e, want)
    step = conversions.coerce(as_part(env, value, isinstance(t.domain, Family), e.span), t)
    if step is None:
        env.report.fail("E0380", e.span, got=ty.describe(value.type), wanted=ty.describe(t))
    return fold(step)


# ------------------------------------------------------------------------------------------------- components


def lower_component(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    start, inside, *adjacency = e.args
    return _spread(env, ctx, start, inside, adjacency, e.span)


def lower_connected(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    inside, start, goal, *adjacency = e.args
    reached = _spread(env, ctx, start, inside, adjacency, e.span)
    target = lower(env, ctx, goal, reached.type)
    return n.Op1("not", n.Op2("disjoint", reached, target, ty.BOOL, span=e.span), ty.BOOL, span=e.span)


def _spread(env: Env, ctx: Ctx, start: ast.Expr, inside: ast.Expr, by: list[ast.Expr], span: Span) -> n.Expr:
    """Returns everything reached from ``start`` inside a set, by an adjacency or a relation (by default, over sides)."""
    if by and isinstance(by[0], ast.Ref) and by[0].name not in ctx.scope:
        found = _find_defined(env, ctx, by[0]) or _of_board(env, by[0])
        if found is not None:
            domain, step = found
            t = n.SetT(domain)
            return _closure(env, lower(env, ctx, start, t), lower(env, ctx, inside, t), step, span)
    t = n.SetT(place_of(env, span))
    if by and not _is_adjacency(env, ctx, by[0]):
        _refuse(env, by[0])
    first, within = lower(env, ctx, start, t), lower(env, ctx, inside, t)
    if env.drawing is not None:
        if by:
            env.report.fail("E0361", by[0].span, name=by[0].span.text, board="a drawing")
        drawing = env.drawing
        return _closure(env, first, within, lambda x: n.Arranged(drawing, "neighbors", (x,), t, span=span), span)
    if not by:
        near = table_of(env, board_relation(env, "neighbors", 1, span))
        return n.Flood(first, within, near, t, span=span)
    relation = board_relation(env, "neighbors", 2, span)
    adjacency = lower(env, ctx, by[0], n.ElemT(ADJACENCY))
    if isinstance(adjacency, n.Const):
        return n.Flood(first, within, table_of(env, _fixed(relation, adjacency.value)), t, span=span)
    table = table_of(env, relation)
    return _closure(env, first, within, lambda x: n.Lookup(table, (x, adjacency), span=span), span)


def _fixed(relation: Relation, adjacency: int) -> Relation:
    """Returns ``neighbors(c, any)`` as a relation of c alone."""
    name = f"{relation.name} {ADJACENCY.names[adjacency]}"
    return Relation(
        name, relation.params[:1], relation.result, lambda c: relation.compute(c, adjacency), relation.origin
    )


def _closure(env: Env, start: n.Expr, within: n.Expr, step: Step, span: Span) -> n.Expr:
    t = within.type
    assert isinstance(t, n.SetT)
    inside = env.program.local("inside", t)
    x = env.program.local("x", n.ElemT(t.domain))
    onward = n.Op2("meet", step(n.Load(x)), n.Load(inside), t, span=span)
    begin = n.Op2("meet", start, n.Load(inside), t, span=span)
    return fold(n.LetE(inside, within, n.Closure(begin, x, onward, t, span=span), span=span))


def _is_adjacency(env: Env, ctx: Ctx, e: ast.Expr) -> bool:
    """Returns whether an expression is one of side, corner and any, by its form or type."""
    if isinstance(e, ast.Ref) and e.name not in ctx.scope and e.name not in env.symbols:
        return e.name in ADJACENCY.names
    return conversions.coerce(lower(env, ctx, e), n.ElemT(ADJACENCY)) is not None


def _refuse(env: Env, e: ast.Expr) -> None:
    pool = [*ADJACENCY.names, *(name for name, s in env.symbols.items() if isinstance(s, DefineSym))]
    env.report.fail("E0381", e.span, near=env.report.near_names(e.span.text, pool), what=e.span.text or "this")


# --------------------------------------------------------------------------------------------------- relations


def _find_defined(env: Env, ctx: Ctx, e: ast.Ref) -> tuple[Domain, Step] | None:
    """Returns the type and step of an author's relation: a definition of two elements (yes or no), or of one (its
    neighbors); None for other names.
    """
    symbol = env.symbols.get(e.name)
    if not isinstance(symbol, DefineSym) or not symbol.decl.params:
        return None
    env.used.add(e.name)
    ensure_defined(env, symbol, e.span)
    types = [t for _, t in symbol.params]
    first = types[0]
    if not isinstance(first, n.ElemT) or len(types) > 2 or types[-1] != first:
        env.report.fail("E0382", e.span, name=e.name)

    def ask(*args: n.Expr) -> n.Expr:
        return call_define(env, ctx, symbol, args, e.span)

    result = ask(*(n.Load(env.program.local("x", first)) for _ in types)).type
    if not (result == ty.BOOL if len(types) == 2 else _leads_to(result, first.domain)):
        env.report.fail("E0382", e.span, name=e.name)
    return first.domain, _step(env, len(types), first.domain, ask, e.span)


def _of_board(env: Env, e: ast.Ref) -> tuple[Domain, Step] | None:
    """Returns the type and step of a relation of the board, such as ``neighbors`` or ``aligned``; None for other
    names.
    """
    relations = {} if env.board is None or e.name in env.symbols else env.board.relations
    for count in (1, 2):
        relation = relations.get((e.name, count))
        if relation is not None and _walks(relation, count):
            return relation.params[0], _by_table(env, relation, e.span)
    return None


def _walks(relation: Relation, count: int) -> bool:
    """Returns whether a relation leads from an element to others of its type."""
    domain, result = relation.params[0], relation.result
    if count == 2:
        return relation.params[1] == domain and result.kind == "bool"
    return result.kind in ("set", "optional") and result.domain == domain


def _by_table(env: Env, relation: Relation, span: Span) -> Step:
    table = table_of(env, relation)
    return _step(env, len(relation.params), relation.params[0], lambda *keys: n.Lookup(table, keys, span=span), span)


def _leads_to(t: object, domain: Domain) -> bool:
    one = t.inner if isinstance(t, n.OptT) else t
    return isinstance(one, n.SetT | n.ElemT) and one.domain == domain


def _step(env: Env, count: int, domain: Domain, ask: Callable[..., n.Expr], span: Span) -> Step:
    """Returns one step from an element, as a set: the result of the relation, or the elements for which it holds."""
    if count == 1:
        return lambda x: as_part(env, ask(x), False, span)
    y, everything = env.program.local("y", n.ElemT(domain)), n.Const(domain.full, n.SetT(domain))
    return lambda x: n.Loop("filter", y, everything, None, ask(x, n.Load(y)), everything.type, span=span)
