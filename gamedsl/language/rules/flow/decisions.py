"""Decisions → blocks that end in one: a move, a choice, a pass, a simultaneous choice, a drawing."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import find_move
from gamedsl.language.rules.expressions.lowering import lower, lower_set, require
from gamedsl.language.rules.expressions.primitives import player_seat
from gamedsl.language.rules.flow.assignments import assigned_place
from gamedsl.language.rules.flow.flow_builder import FlowBuilder
from gamedsl.language.rules.flow.lower_moves import param_value
from gamedsl.language.rules.scope import Ctx, MoveValue
from gamedsl.language.rules.symbols import MoveSym, StrokeSym
from gamedsl.language.syntax import ast, format_expression

NO_MOVE = "no legal move"  # the reason why a game ends when a player is stuck


def who(flow: FlowBuilder, ctx: Ctx, e: ast.Expr) -> tuple[n.Expr, n.Expr]:
    mover = lower(flow.env, ctx, e, n.ElemT(flow.env.players))
    return fold(player_seat(flow.env, mover)), mover


def plays(flow: FlowBuilder, ctx: Ctx, s: ast.Plays) -> None:
    seat, mover = who(flow, ctx, s.who)
    after = flow.new()
    alternatives: list[n.Alt] = []
    later: list[tuple[MoveSym, int]] = []
    for name in s.moves:
        sym = find_move(flow.env, name)
        if any(a.schema == sym.index for a in alternatives):
            flow.env.report.fail("E0413", name.span, name=name.id)
        target = flow.new() if sym.has_chance else after
        alternatives.append(n.Alt(sym.index, target, _registers(flow, sym)))
        if sym.has_chance:
            later.append((sym, target))
    stuck = flow.new() if s.stuck is not None else None
    cites = tuple(c.clause for c in s.notes.cites)
    end = n.Decide(
        seat,
        mover,
        tuple(alternatives),
        flow.tick(),
        stuck,
        after if s.may_pass is not None else None,
        flow.env.index,
        span=s.span,
    )
    flow.close(end, cites)
    for sym, target in later:
        flow.begin(target)
        _effect(flow, sym, after)
    if stuck is not None and s.stuck is not None:
        flow.begin(stuck)
        clauses = tuple(c.clause for c in s.stuck.notes.cites) or cites
        with flow.within(why=n.Reason(NO_MOVE, clauses)):
            flow.body(ctx, s.stuck.body)
        flow.go(after)
    flow.begin(after)


def _registers(flow: FlowBuilder, sym: MoveSym) -> tuple[n.Var, ...]:
    if not sym.has_chance:
        return ()
    if not sym.registers:
        mover = flow.temp(f"mover of {sym.decl.name.id}", n.ElemT(flow.env.players))
        sym.registers = (mover, *(flow.temp(f"{p.name} of {sym.decl.name.id}", p.type) for p in sym.params))
    return sym.registers


def _effect(flow: FlowBuilder, sym: MoveSym, after: int) -> None:
    """Builds the blocks of the effect of a move with chance; its parameters are kept in registers."""
    me = n.Get(sym.registers[0], (), n.ElemT(flow.env.players))
    values = [n.Get(v, (), v.type) for v in sym.registers[1:]]  # type: ignore[arg-type]
    scope = {p.name: param_value(flow.env, p, v) for p, v in zip(sym.params, values, strict=True)}
    ctx = Ctx("effect", scope=dict(scope), me=me, this=MoveValue(sym, (me, *values)))
    with flow.within(stop=after, turn=None, phase_end=None):
        flow.body(ctx, sym.decl.effect)
    flow.go(after)


def passes(flow: FlowBuilder, ctx: Ctx, s: ast.Passes) -> None:
    seat, mover = who(flow, ctx, s.who)
    after = flow.new()
    cites = tuple(c.clause for c in s.notes.cites)
    flow.close(n.Decide(seat, mover, (), flow.tick(), None, after, flow.env.index, span=s.span), cites)
    flow.begin(after)


def everyone(flow: FlowBuilder, ctx: Ctx, s: ast.Everyone) -> None:
    env = flow.env
    everybody = n.Const(env.players.full, n.SetT(env.players), span=s.span)
    movers = (
        everybody if s.group is None else require(env, lower_set(env, ctx, s.group), n.SetT(env.players), s.group.span)
    )
    alternatives: list[n.Alt] = []
    after = flow.new()
    for name in s.moves:
        sym = find_move(env, name)
        if sym.has_chance:
            env.report.fail("E0346", name.span, name=name.id)
        alternatives.append(n.Alt(sym.index, after, ()))
    if not isinstance(movers, n.Const):
        some = flow.new()
        flow.close(n.BranchT(n.Op1("is_empty", movers, ty.BOOL), after, some, span=s.span))
        flow.begin(some)
    seats = tuple(fold(player_seat(env, n.Const(i, n.ElemT(env.players)))) for i in range(env.players.size))
    cites = tuple(c.clause for c in s.notes.cites)
    flow.close(n.DecideTogether(movers, seats, tuple(alternatives), flow.tick(), after, env.index, span=s.span), cites)
    flow.begin(after)


def chooses(flow: FlowBuilder, ctx: Ctx, s: ast.Chooses) -> None:
    env = flow.env
    seat, mover = who(flow, ctx, s.who)
    var, keys = assigned_place(env, replace(ctx, me=mover), s.target)
    inner = var.type.inner if isinstance(var.type, n.OptT) else var.type
    domain = ty.domain_of(inner) if not isinstance(inner, n.StackT) else None  # type: ignore[arg-type]
    if domain is None:
        env.report.fail("E0414", s.target.span)
    source: n.Expr = n.Const(domain.full, n.SetT(domain), span=s.span)
    if s.source is not None:
        source = lower(env, replace(ctx, me=mover), s.source, n.SetT(domain))
    after = flow.new()
    cites = tuple(c.clause for c in s.notes.cites)
    if isinstance(var.type, n.OptT):  # chosen into a separate variable, then stored as an optional
        chosen = flow.temp(format_expression(s.target), inner)
        flow.close(
            n.Choose(seat, mover, chosen, (), source, domain.words, flow.tick(), after, env.index, span=s.span), cites
        )
        flow.begin(after)
        flow.emit(n.Assign(var, keys, n.Op1("wrap", n.Get(chosen, (), var.type.inner), var.type), span=s.span))
        return
    end = n.Choose(seat, mover, var, keys, source, domain.words, flow.tick(), after, env.index, span=s.span)
    flow.close(end, cites)
    flow.begin(after)


def draws(flow: FlowBuilder, ctx: Ctx, s: ast.Draws) -> None:
    env = flow.env
    if env.drawing is None:
        env.report.fail("E0415", s.span)
    seat, mover = who(flow, ctx, s.who)
    for name in s.strokes:
        if not isinstance(env.symbols.get(name.id), StrokeSym):
            strokes = [one for one, symbol in env.symbols.items() if isinstance(symbol, StrokeSym)]
            env.report.fail("E0416", name.span, near=env.report.near_names(name.id, strokes), name=name.id)
        env.used.add(name.id)
    after = flow.new()
    cites = tuple(c.clause for c in s.notes.cites)
    names = tuple(one.id for one in s.strokes)
    flow.close(n.DecideDrawing(seat, mover, env.drawing, names, flow.tick(), after, env.index, span=s.span), cites)
    flow.begin(after)
