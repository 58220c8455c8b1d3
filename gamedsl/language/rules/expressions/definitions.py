"""``define`` → functions of the Core, lowered on first use, so that their order does not matter.

The Core has no recursion. A definition that can call itself n deep becomes n + 1 functions: each calls the next, and in
the deepest one a call fails. So every function has the range of values of its own depth.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.language.core import children, memoized
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions import recursion
from gamedsl.language.rules.expressions.lowering import lower, lower_open
from gamedsl.language.rules.expressions.type_expressions import value_type
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DefineSym, Nesting
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, node_text, walk

MOST_DEEP = 250  # nested expressions, with definitions expanded
SAYS_ME = {"me", "rival"}
NAMES = (ast.Ref, ast.Call)


def _depth(e: n.Expr, functions: Sequence[int]) -> int:
    """Returns the nesting depth with definitions expanded."""
    deepest, depth, level = 0, 0, [e]
    while level:
        depth += 1
        called = [depth + functions[one.function] for one in level if isinstance(one, n.CallF)]
        deepest = max(deepest, depth, *called)
        level = [part for one in level for part in children(one)]
    return deepest


@memoized  # an editor's declarations stay from check to check
def _mentions(e: ast.Expr) -> list[ast.Ref | ast.Call]:
    return [node for node in walk(e) if isinstance(node, NAMES)]


def speaks_of_me(env: Env, e: ast.Expr, seen: set[str] | None = None) -> bool:
    """Returns whether an expression uses ``me`` or ``rival``, directly or through definitions (``seen``: already
    visited).
    """
    seen = set() if seen is None else seen
    for node in _mentions(e):
        name = node.name
        if name in SAYS_ME and (isinstance(node, ast.Ref) or not getattr(node, "args", ())):
            return True
        if name == "repetition" and isinstance(node, ast.Call) and env.noting == "position":
            return True  # the player to move is part of a position
        symbol = env.symbols.get(name)
        if isinstance(symbol, DefineSym) and symbol.state == "done":
            if symbol.needs_me:
                return True
        elif isinstance(symbol, DefineSym) and name not in seen:
            seen.add(name)
            if speaks_of_me(env, symbol.decl.value, seen):
                return True
    return False


def ensure_defined(env: Env, symbol: DefineSym, span: Span) -> None:
    """Lowers a definition unless it has been lowered. It can call itself only if it declares its depth."""
    if symbol.state == "broken":
        raise Bail
    if symbol.state == "busy" and (symbol.nesting is None or env.program.defining[-1] is not symbol):
        recursion.refuse(env, symbol, span)
    if symbol.state == "new":
        symbol.state = "busy"
        env.program.defining.append(symbol)
        try:
            if len(env.program.defining) > recursion.MOST_NESTED:
                env.report.fail("E0460", span)
            _define(env, symbol)
            symbol.state = "done"
        except Bail:
            symbol.state = "broken"
            raise
        finally:
            env.program.defining.pop()


def _define(env: Env, symbol: DefineSym) -> None:
    symbol.needs_me = speaks_of_me(env, symbol.decl.value)
    if symbol.decl.depth is None:
        symbol.function = _function(env, symbol)
    else:
        symbol.nesting = Nesting(recursion.bound_of(env, symbol.decl, symbol.decl.depth))
        symbol.function = _nest(env, symbol, symbol.nesting)


def _nest(env: Env, symbol: DefineSym, nesting: Nesting) -> n.Function:
    """Adds a function for every depth, the deepest first; returns the last, which other rules call."""
    for made in range(nesting.most + 1):
        function = _function(env, symbol)
        if not nesting.used:
            recursion.warn_of_bound(env, symbol.decl)
            break
        if env.program.depths[function.index] > MOST_DEEP:
            recursion.refuse_depth(env, symbol.decl, made - 1, MOST_DEEP)
        nesting.function = function
    return function


def _function(env: Env, symbol: DefineSym) -> n.Function:
    decl = symbol.decl
    scope: dict[str, n.Expr] = {}
    locals_ = []
    me = env.program.local("me", n.ElemT(env.players)) if symbol.needs_me else None
    for param in decl.params:
        if param.type is None:
            env.report.fail("E0352", param.span, name=param.name.id)
        if param.name.id in scope:
            env.report.fail("E0202", param.name.span, name=param.name.id)
        t = value_type(env, param.type)
        local = env.program.local(param.name.id, t)  # type: ignore[arg-type]
        locals_.append(local)
        scope[param.name.id] = n.Load(local)
    symbol.params = tuple((loc.name, loc.type) for loc in locals_)
    body = _body(env, Ctx("define", scope=dict(scope), me=n.Load(me) if me else None), decl)
    if isinstance(body, n.Const) and not decl.params:
        symbol.constant = body
    params = tuple(([me] if me else []) + locals_)
    index = len(env.program.functions)
    env.program.depths.append(_depth(body, env.program.depths))
    if env.program.depths[index] > MOST_DEEP and decl.depth is None:
        env.report.fail("E0460", decl.name.span)
    name = f"{env.name}.{decl.name.id}" if env.index else decl.name.id
    function = n.Function(index, name, params, body, decl.span)
    env.program.functions.append(function)
    return function


def _body(env: Env, ctx: Ctx, decl: ast.DefineDecl) -> n.Expr:
    if decl.type is not None:
        return lower(env, ctx, decl.value, value_type(env, decl.type))  # type: ignore[arg-type]
    body = lower_open(env, ctx, decl.value)
    if body.type == ty.NEVER:
        env.report.fail("E0388", body.span, name=decl.name.id, cure=recursion.ending(decl))
    return body


def signature(name: str, params: Sequence[ast.Param]) -> str:
    """Returns the signature of a declaration with parameters: ``near(a: cell, b: cell)``."""
    shown = [p.name.id if p.type is None else f"{p.name.id}: {node_text(p.type)}" for p in params]
    return f"{name}({', '.join(shown)})" if shown else name


def call_define(env: Env, ctx: Ctx, symbol: DefineSym, args: tuple[n.Expr, ...], span: Span) -> n.Expr:
    ensure_defined(env, symbol, span)
    if symbol.constant is not None and not symbol.params:
        return symbol.constant
    if len(args) != len(symbol.params):
        name, params = symbol.decl.name.id, symbol.decl.params
        env.report.fail("E0328", span, name=name, count=len(params), given=len(args), call=signature(name, params))
    if symbol.needs_me:
        if ctx.me is None:
            env.report.fail("E0330", span, name=symbol.decl.name.id)
        args = (ctx.me, *args)
    function = symbol.function
    if function is None:
        assert symbol.nesting is not None
        symbol.nesting.used = True
        function = symbol.nesting.function
        if function is None:
            return _too_deep(env, symbol.decl, symbol.nesting.most, span)
    return n.CallF(function.index, args, function.body.type, span=span)


def _too_deep(env: Env, decl: ast.DefineDecl, most: int, span: Span) -> n.Fail:
    """Returns the failure of a call that is nested too deeply."""
    t = ty.NEVER if decl.type is None else value_type(env, decl.type)
    return n.Fail(f"`{decl.name.id}` calls itself more than {most} deep", t, span=span)  # type: ignore[arg-type]
