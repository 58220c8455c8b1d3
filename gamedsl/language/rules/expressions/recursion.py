"""Mistakes in definitions that call themselves, each with a correction in the author's words."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DefineSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, node_text, walk

MOST_NESTED = 100  # the greatest depth of calls, and of definitions that are lowered inside one another
LIKELY = 20  # a depth for examples


def bound_of(env: Env, decl: ast.DefineDecl, depth: ast.Expr) -> int:
    """Returns how deeply a definition can call itself, which must be a number known before play."""
    params = {p.name.id for p in decl.params}
    if any(isinstance(node, ast.Ref) and node.name in params for node in walk(depth)):
        _refuse_number(env, decl, depth, MOST_NESTED)
    number = conversions.as_number(lower(env, Ctx("define"), depth))
    value = None if number is None else fold(number)
    if not isinstance(value, n.Const) or not 1 <= value.value <= MOST_NESTED:
        _refuse_number(env, decl, depth, MOST_NESTED)
    return value.value


def _refuse_number(env: Env, decl: ast.DefineDecl, depth: ast.Expr, most: int, why: str = "") -> NoReturn:
    env.report.fail("E0385", depth.span, name=decl.name.id, value=node_text(depth), most=most, why=why)


def refuse_depth(env: Env, decl: ast.DefineDecl, most: int, limit: int) -> NoReturn:
    """Reports a definition whose functions are nested too deeply. ``most``: the greatest depth possible."""
    if decl.depth is None or most < 1:
        env.report.fail("E0460", decl.name.span)
    why = f"Its calls would nest more than {limit} expressions. "
    _refuse_number(env, decl, decl.depth, most, why)


def refuse(env: Env, symbol: DefineSym, span: Span) -> NoReturn:
    """Reports a definition that calls itself without declaring its depth, or through others."""
    waiting = env.program.defining
    circle = [s.decl for s in waiting[next(i for i, s in enumerate(waiting) if s is symbol) :]]
    if len(circle) == 1:
        steps = "To collect elements step by step, use `reach of E for x from S`."
        bounded = replace(symbol.decl, depth=ast.Int(LIKELY, span=span))
        cure = f"Limit its depth: `{node_text(bounded)}`. {steps}"
        env.report.fail("E0351", span, name=symbol.decl.name.id, cure=cure)
    first, *others = (f"`{d.name.id}`" for d in circle)
    named = f"{', '.join((first, *others[:-1]))} and {others[-1]}"
    cure = f"Replace the call in {first} by the definition of {others[0]}"
    if symbol.decl.depth is None:
        bounded = replace(symbol.decl, depth=ast.Int(LIKELY, span=span), value=ast.Ref("...", span=span))
        cure += f", and limit its depth: `{node_text(bounded)}`"
    env.report.fail("E0387", span, names=named, cure=f"{cure}.")


def warn_of_bound(env: Env, decl: ast.DefineDecl) -> None:
    """Warns about a declared depth in a definition that does not call itself."""
    assert decl.depth is not None
    env.report.add("W0913", decl.depth.span, name=decl.name.id, cure=node_text(replace(decl, depth=None)))


def ending(decl: ast.DefineDecl) -> str | None:
    """Returns an example of the definition with a case that ends the recursion."""
    span = decl.value.span
    unknown = ast.Ref("...", span=span)
    return node_text(replace(decl, value=ast.IfExpr(unknown, unknown, decl.value, span=span)))
