"""Statements that change the state at once, without a decision or chance → statements of the Core."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.binders import bind_elements, check_name
from gamedsl.language.rules.expressions.definitions import signature
from gamedsl.language.rules.expressions.lowering import lower, lower_bool, lower_number
from gamedsl.language.rules.expressions.repetition import position
from gamedsl.language.rules.expressions.type_expressions import value_type
from gamedsl.language.rules.flow.assignments import assignable_type, assigned_place, change, pop, stack_place
from gamedsl.language.rules.flow.cards import discard
from gamedsl.language.rules.flow.carried_statements import reveal, set_carried
from gamedsl.language.rules.flow.piece_effects import put, remove
from gamedsl.language.rules.flow.piece_moves import move_piece
from gamedsl.language.rules.flow.stack_loops import through_stack
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import ActionSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

MOST_ROUNDS = 10_000


def lower_body(env: Env, ctx: Ctx, body: ast.Body) -> tuple[n.CoreStmt, ...]:
    """Lowers statements one by one; an error in one does not hide errors in others."""
    out: list[n.CoreStmt] = []
    failed = False
    for s in body:
        try:
            stmts, ctx = lower_statement(env, ctx, s)
            out.extend(stmts)
        except Bail:
            failed = True
            if s.binds() is not None:
                break
    if failed:
        raise Bail
    return tuple(out)


def lower_statement(env: Env, ctx: Ctx, s: ast.Stmt) -> tuple[list[n.CoreStmt], Ctx]:
    match s:
        case ast.Let(name, value):
            check_name(env, ctx, name)
            v = lower(env, ctx, value)
            local = env.program.local(name.id, v.type)
            return [n.LetS(local, v, span=s.span)], ctx.bind(**{name.id: n.Load(local, span=name.span)})
        case ast.Put():
            return put(env, ctx, s), ctx
        case ast.Remove():
            return remove(env, ctx, s), ctx
        case ast.MovePiece():
            return move_piece(env, ctx, s), ctx
        case ast.Reveal():
            return reveal(env, ctx, s), ctx
        case ast.SetTo(target, value):
            carried = set_carried(env, ctx, s)
            if carried is not None:
                return carried, ctx
            var, keys = assigned_place(env, ctx, target)
            return [n.Assign(var, keys, lower(env, ctx, value, assignable_type(env, var, s.span)), span=s.span)], ctx
        case ast.Add(value, target):
            return change(env, ctx, target, value, True, s.span), ctx
        case ast.Take(value, target):
            return change(env, ctx, target, value, False, s.span), ctx
        case ast.Push(value, target):
            var, keys = stack_place(env, ctx, target)
            assert isinstance(var.type, n.StackT)
            return [n.PushS(var, keys, lower(env, ctx, value, var.type.inner), span=s.span)], ctx
        case ast.Pop():
            return pop(env, ctx, s)
        case ast.Discard():
            return discard(env, ctx, s), ctx
        case ast.Perform():
            return list(perform(env, ctx, s)), ctx
        case ast.If():
            return [_if(env, ctx, s)], ctx
        case ast.For():
            return _for(env, ctx, s), ctx
        case ast.Repeat(times, body, None) if times is not None:
            return [_repeat(env, ctx, times, body, s.span)], ctx
        case ast.Stop():
            if ctx.where not in ("effect", "play") or ctx.this is None:
                env.report.fail("E0402", s.span)
            return [n.StopS(span=s.span)], ctx
        case ast.NotePosition():
            if env.history is None:
                raise AssertionError("a ruleset that notes positions has a history")
            return [n.NoteS(env.history, position(env, ctx, s.span), span=s.span)], ctx
        case _:
            env.report.fail("E0401", s.span, what=s.word)


def find_action(env: Env, s: ast.Perform) -> ActionSym:
    symbol = env.symbols.get(s.action)
    if not isinstance(symbol, ActionSym):
        actions = [name for name, x in env.symbols.items() if isinstance(x, ActionSym)]
        env.report.fail("E0208", s.span, near=env.report.near_names(s.action, actions), name=s.action)
    if len(symbol.decl.params) != len(s.args):
        params = symbol.decl.params
        call = signature(s.action, params)
        env.report.fail("E0328", s.span, name=s.action, count=len(params), given=len(s.args), call=call)
    env.used.add(s.action)
    return symbol


def bind_action(env: Env, ctx: Ctx, s: ast.Perform, symbol: ActionSym) -> tuple[list[tuple[str, n.Expr]], Ctx]:
    """Returns the arguments of an action by name, and the context in which its body starts (without the caller's
    names).
    """
    if env.program.performing(symbol.decl):
        cure = "An action cannot. "
        cure += f"Write one action a depth (`{s.action}_2` performs `{s.action}_1`), or use `repeat ... until F` under `play`."
        env.report.fail("E0351", s.span, name=s.action, cure=cure)
    env.program.count_performed(s.span)
    args = []
    for param, arg in zip(symbol.decl.params, s.args, strict=True):
        if param.type is None:
            env.report.fail("E0352", param.span, name=param.name.id)
        t = value_type(env, param.type)
        if isinstance(t, n.StackT):
            env.report.fail("E0340", param.span)
        args.append((param.name.id, lower(env, ctx, arg, t)))  # type: ignore[arg-type]
    return args, Ctx(ctx.where, me=ctx.me, this=ctx.this)


def perform(env: Env, ctx: Ctx, s: ast.Perform) -> tuple[n.CoreStmt, ...]:
    symbol = find_action(env, s)
    args, inner = bind_action(env, ctx, s, symbol)
    lets: list[n.CoreStmt] = []
    for name, value in args:
        if isinstance(value, n.Const | n.Load):
            inner = inner.bind(**{name: value})
        else:
            local = env.program.local(name, value.type)
            lets.append(n.LetS(local, value, span=s.span))
            inner = inner.bind(**{name: n.Load(local)})
    with env.program.inside(symbol.decl):
        return (*lets, *lower_body(env, inner, symbol.decl.body))


def _if(env: Env, ctx: Ctx, s: ast.If) -> n.CoreStmt:
    otherwise = lower_body(env, ctx, s.otherwise.body) if s.otherwise is not None else ()
    result: tuple[n.CoreStmt, ...] = otherwise
    for branch in reversed(s.branches):
        condition = lower_bool(env, ctx, branch.condition)
        result = (n.IfS(condition, lower_body(env, ctx, branch.body), result, span=branch.span),)
    return result[0]


def _for(env: Env, ctx: Ctx, s: ast.For) -> list[n.CoreStmt]:
    ranges, inner = bind_elements(env, ctx, s.binder)
    body = lower_body(env, inner, s.body)
    if ranges[0].item is not None:
        return through_stack(env, ranges, s.binder.distinct, body, s.span)
    for one in reversed(ranges):
        body = (n.ForS(one.local, one.over, body, span=s.span),)
    return list(body)


def _repeat(env: Env, ctx: Ctx, times: ast.Expr, body: ast.Body, span: Span) -> n.CoreStmt:
    most = lower_number(env, ctx, times)
    assert isinstance(most.type, n.IntT)
    if most.type.high > MOST_ROUNDS:
        env.report.fail("E0407", span, most=MOST_ROUNDS)
    rounds = ty.range_domain(1, max(1, most.type.high))
    if isinstance(most, n.Const):
        over: n.Expr = n.Const((1 << max(0, most.value)) - 1, n.SetT(rounds), span=span)
    else:
        every = env.program.local("round", n.ElemT(rounds))
        as_number = conversions.as_number(n.Load(every))
        assert as_number is not None
        over = n.Loop(
            "filter",
            every,
            n.Const(rounds.full, n.SetT(rounds)),
            None,
            n.Op2("le", as_number, most, ty.BOOL),
            n.SetT(rounds),
            span=span,
        )
    local = env.program.local("round", n.ElemT(rounds))
    return n.ForS(local, over, lower_body(env, ctx, body), span=span)
