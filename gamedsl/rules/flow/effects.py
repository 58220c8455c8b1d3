"""Statements that change the state at once, without a decision or chance → statements of the Core."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.core import fold
from gamedsl.core.nodes import (
    Assign,
    Check,
    Const,
    CoreStmt,
    ElemT,
    Expr,
    ForS,
    Get,
    IfS,
    IntT,
    LetS,
    Load,
    Loop,
    NoteS,
    Op1,
    Op2,
    PopS,
    PushS,
    SetT,
    StackOp,
    StackT,
    StopS,
    Var,
)
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.calls import piece_of, position, supply_left
from gamedsl.rules.expressions.definitions import signature
from gamedsl.rules.expressions.lowering import lower, lower_any, lower_bool, lower_number, require
from gamedsl.rules.expressions.operators import arithmetic
from gamedsl.rules.expressions.primitives import occupied, owner_keys, place_of
from gamedsl.rules.expressions.quantifiers import MoveRange, bind, check_name
from gamedsl.rules.expressions.type_expressions import value_type
from gamedsl.rules.flow.carried import (
    arrive,
    carry,
    change_carried,
    changed_in_place,
    given,
    leave,
    reveal,
    set_carried,
)
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import ActionSym, Ctx, Env, MapValue, PieceSym
from gamedsl.source import Span
from gamedsl.syntax import ast

MOST_ROUNDS = 10_000
PLAY_WORDS = {
    ast.Skip: "skip", ast.Again: "again", ast.EndPhase: "end phase", ast.Phase: "phase", ast.Turns: "turns", ast.Plays: "plays",
    ast.Chooses: "chooses", ast.Passes: "passes", ast.Everyone: "everyone plays", ast.Draws: "draws", ast.PlayGame: "play",
    ast.Verdict: "win or lose", ast.DrawGame: "draw", ast.RankBy: "rank by", ast.Repeat: "repeat without a number of times",
}  # fmt: skip
CHANCE = (ast.Roll, ast.Pick, ast.DrawFrom, ast.Shuffle)


def lower_body(env: Env, ctx: Ctx, body: ast.Body) -> tuple[CoreStmt, ...]:
    """Lowers statements one by one; an error in one does not hide errors in others."""
    out: list[CoreStmt] = []
    failed = False
    for s in body:
        try:
            stmts, ctx = lower_statement(env, ctx, s)
            out.extend(stmts)
        except Bail:
            failed = True
            if isinstance(s, ast.Let):
                break
    if failed:
        raise Bail
    return tuple(out)


def lower_statement(env: Env, ctx: Ctx, s: ast.Stmt) -> tuple[list[CoreStmt], Ctx]:
    match s:
        case ast.Let(name, value):
            check_name(env, ctx, name)
            v = lower(env, ctx, value)
            local = env.program.local(name.id, v.type)
            return [LetS(local, v, span=s.span)], ctx.bind(**{name.id: Load(local, span=name.span)})
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
            var, keys = place(env, ctx, target)
            return [Assign(var, keys, lower(env, ctx, value, _value_type(env, var, s.span)), span=s.span)], ctx
        case ast.Add(value, target):
            return change(env, ctx, target, value, True, s.span), ctx
        case ast.Take(value, target):
            return change(env, ctx, target, value, False, s.span), ctx
        case ast.Push(value, target):
            var, keys = stack_place(env, ctx, target)
            assert isinstance(var.type, StackT)
            return [PushS(var, keys, lower(env, ctx, value, var.type.inner), span=s.span)], ctx
        case ast.Pop():
            return _pop(env, ctx, s)
        case ast.Perform():
            return list(perform(env, ctx, s)), ctx
        case ast.If():
            return [_if(env, ctx, s)], ctx
        case ast.For():
            return [_for(env, ctx, s)], ctx
        case ast.Repeat(times, body, None) if times is not None:
            return [_repeat(env, ctx, times, body, s.span)], ctx
        case ast.Stop():
            if ctx.where not in ("effect", "play") or ctx.this is None:
                env.report.fail("E0402", s.span)
            return [StopS(span=s.span)], ctx
        case ast.NotePosition():
            if env.history is None:
                raise AssertionError("a ruleset that notes positions has a history")
            return [NoteS(env.history, position(env, ctx, s.span), span=s.span)], ctx
        case _:
            env.report.fail("E0401", s.span, what=PLAY_WORDS.get(type(s), "this statement"))


# ------------------------------------------------------------------------------------------------ state variables


def place(env: Env, ctx: Ctx, target: ast.Expr) -> tuple[Var, tuple[Expr, ...]]:
    """A state variable that can be set, with its keys."""
    name = target.name if isinstance(target, ast.Ref) else None
    base = target.base.name if isinstance(target, ast.Index) and isinstance(target.base, ast.Ref) else name
    if base is not None and base not in ctx.scope and isinstance(env.symbols.get(base), PieceSym):
        env.report.fail("E0403", target.span, name=base)
    value = lower_any(env, ctx, target, None)
    match value:
        case Get(var, keys) if var.role in ("state", "countdown"):
            return var, keys
        case MapValue(var, keys) if isinstance(var.type, StackT):
            env.report.fail("E0404", target.span, name=var.name)
        case MapValue(Var() as var, keys):
            env.report.fail("E0302", target.span, name=var.name, key=var.keys[len(keys)].name)
    env.report.fail("E0405", target.span, what=target.span.text or "this")


def stack_place(env: Env, ctx: Ctx, target: ast.Expr) -> tuple[Var, tuple[Expr, ...]]:
    value = lower_any(env, ctx, target, None)
    if not isinstance(value, MapValue) or not isinstance(value.var, Var) or not isinstance(value.var.type, StackT):
        env.report.fail("E0367", target.span)
    if len(value.keys) != len(value.var.keys):
        env.report.fail("E0302", target.span, name=value.var.name, key=value.var.keys[len(value.keys)].name)
    return value.var, value.keys


def _value_type(env: Env, var: Var, span: Span):  # type: ignore[no-untyped-def]
    if isinstance(var.type, StackT):
        env.report.fail("E0404", span, name=var.name)
    return var.type


def change(env: Env, ctx: Ctx, target: ast.Expr, value: ast.Expr, add: bool, span: Span) -> list[CoreStmt]:
    """add E to x, take E from x: numbers go up and down (within their range), sets gain and lose elements."""
    found = changed_in_place(env, ctx, target)
    if found is not None:
        now, carried = found
        total = _changed(env, ctx, ty.plain(now, carried.type), target, value, add, span)
        return change_carried(env, now, carried, total, span)
    var, keys = place(env, ctx, target)
    now = Get(var, keys, _value_type(env, var, span), span=target.span)
    return [Assign(var, keys, _changed(env, ctx, now, target, value, add, span), span=span)]


def _changed(env: Env, ctx: Ctx, now: Expr, target: ast.Expr, value: ast.Expr, add: bool, span: Span) -> Expr:
    """The value with something added or taken."""
    t = now.type
    match t:
        case SetT():
            part = lower(env, ctx, value, t)
            return Op2("union" if add else "minus", now, part, t, span=span)
        case IntT():
            n = lower_number(env, ctx, value)
            return ty.clip(arithmetic(env, "add" if add else "sub", now, n, span), t)
    env.report.fail("E0406", target.span, got=ty.describe(t))


def _pop(env: Env, ctx: Ctx, s: ast.Pop) -> tuple[list[CoreStmt], Ctx]:
    var, keys = stack_place(env, ctx, s.target)
    assert isinstance(var.type, StackT)
    if s.result is None:
        return [PopS(var, keys, span=s.span)], ctx
    check_name(env, ctx, s.result)
    local = env.program.local(s.result.id, var.type.inner)
    top = StackOp("top", var, keys, var.type.inner, span=s.span)
    return [LetS(local, top, span=s.span), PopS(var, keys, span=s.span)], ctx.bind(**{s.result.id: Load(local)})


# --------------------------------------------------------------------------------------------------------- pieces


def _cells(env: Env, ctx: Ctx, piece: PieceSym, e: ast.Expr) -> Expr:
    """The places of a `put` or `remove`: an element or a set of their domain."""
    value = lower(env, ctx, e)
    if value.type == SetT(piece.place) or value.type == ElemT(piece.place):
        return value
    one = ty.coerce(value, ElemT(piece.place))
    if one is not None and not isinstance(value.type, SetT):
        return fold(one)
    return require(env, value, SetT(piece.place), e.span)


def _as_set(cells: Expr) -> Expr:
    result = ty.as_set(cells)
    assert result is not None
    return result


def put(env: Env, ctx: Ctx, s: ast.Put) -> list[CoreStmt]:
    piece, keys = piece_of(env, ctx, s.piece)
    cells = _cells(env, ctx, piece, s.on)
    values = given(env, ctx, s, piece, keys)
    return [*put_on(env, piece, keys, cells, s.span), *arrive(env, piece, values, cells, s.span)]


def put_on(env: Env, piece: PieceSym, keys: tuple[Expr, ...], cells: Expr, span: Span) -> list[CoreStmt]:
    out: list[CoreStmt] = []
    if piece.each is not None:
        count: Expr = Op1("count", _as_set(cells), IntT(0, piece.place.size), span=span)
        enough = Op2("le", count, supply_left(env, piece, keys, span), ty.BOOL, span=span)
        out.append(Check(enough, f"there are not enough pieces {piece.name} left", span=span))
    if isinstance(cells.type, SetT) and piece.extra is not None:
        local = env.program.local("c", ElemT(piece.place))
        return [*out, ForS(local, cells, tuple(_put_one(env, piece, keys, Load(local), span)), span=span)]
    if piece.extra is not None:
        return out + _put_one(env, piece, keys, cells, span)
    if piece.place is env.place:
        free = Op2("disjoint", _as_set(cells), occupied(env, span), ty.BOOL, span=span)
        out.append(Check(free, f"{piece.name} is put where a piece stands", span=span))
    now = Get(piece.var, keys, SetT(piece.place), span=span)
    out.append(Assign(piece.var, keys, Op2("union", now, _as_set(cells), now.type, span=span), span=span))
    return out


def _put_one(env: Env, piece: PieceSym, keys: tuple[Expr, ...], cell: Expr, span: Span) -> list[CoreStmt]:
    """A stacking piece: on an empty cell, or on top of its like (beside the cells, whatever else stands there)."""
    assert piece.extra is not None and isinstance(piece.extra.type, IntT)
    t = piece.extra.type
    now = Get(piece.var, keys, SetT(piece.place), span=span)
    here = Op2("in", cell, now, ty.BOOL, span=span)
    more = Op2("add", Get(piece.extra, (*keys, cell), t, span=span), ty.number(1, span), IntT(1, t.high + 1), span=span)
    grown = Assign(piece.extra, (*keys, cell), ty.clip(more, t), span=span)
    new = Assign(piece.var, keys, Op2("union", now, _as_set(cell), now.type, span=span), span=span)
    out: list[CoreStmt] = []
    if piece.place is env.place:
        free = Op1("not", Op2("in", cell, occupied(env, span), ty.BOOL, span=span), ty.BOOL, span=span)
        alone = Op2("or", here, free, ty.BOOL, span=span)
        out.append(Check(alone, f"{piece.name} is put where another piece stands", span=span))
    return [*out, IfS(here, (grown,), (new,), span=span)]


def _take_one(env: Env, piece: PieceSym, keys: tuple[Expr, ...], cell: Expr, span: Span) -> list[CoreStmt]:
    """Removes one piece from a cell, if there is any."""
    now = Get(piece.var, keys, SetT(piece.place), span=span)
    gone = Assign(piece.var, keys, Op2("minus", now, _as_set(cell), now.type, span=span), span=span)
    if piece.extra is None:
        return [*leave(env, piece, keys, cell, span), gone]
    assert isinstance(piece.extra.type, IntT)
    t = piece.extra.type
    count = Get(piece.extra, (*keys, cell), t, span=span)
    fewer = Assign(
        piece.extra,
        (*keys, cell),
        ty.clip(Op2("sub", count, ty.number(1, span), IntT(-1, t.high - 1), span=span), t),
        span=span,
    )
    return [IfS(Op2("lt", ty.number(0, span), count, ty.BOOL, span=span), (fewer,), (gone,), span=span)]


def _take_all(env: Env, piece: PieceSym, keys: tuple[Expr, ...], cells: Expr, span: Span) -> list[CoreStmt]:
    now = Get(piece.var, keys, SetT(piece.place), span=span)
    gone = Assign(piece.var, keys, Op2("minus", now, _as_set(cells), now.type, span=span), span=span)
    if piece.extra is None:
        return [*leave(env, piece, keys, cells, span), gone]
    assert isinstance(piece.extra.type, IntT)
    zero = Const(0, piece.extra.type, span=span)
    if isinstance(cells.type, ElemT):
        return [gone, Assign(piece.extra, (*keys, cells), zero, span=span)]
    local = env.program.local("c", ElemT(piece.place))
    return [gone, ForS(local, cells, (Assign(piece.extra, (*keys, Load(local)), zero, span=span),), span=span)]


def remove(env: Env, ctx: Ctx, s: ast.Remove) -> list[CoreStmt]:
    if s.piece is None:
        return _remove_whatever(env, ctx, s)
    piece, keys = piece_of(env, ctx, s.piece)
    cells = _cells(env, ctx, piece, s.source)
    if s.everything or piece.extra is None:
        return _take_all(env, piece, keys, cells, s.span)
    if isinstance(cells.type, SetT):
        local = env.program.local("c", ElemT(piece.place))
        there = Op2("meet", cells, Get(piece.var, keys, cells.type), cells.type, span=s.span)
        return [ForS(local, there, tuple(_take_one(env, piece, keys, Load(local), s.span)), span=s.span)]
    return _take_one(env, piece, keys, cells, s.span)


def _remove_whatever(env: Env, ctx: Ctx, s: ast.Remove) -> list[CoreStmt]:
    out: list[CoreStmt] = []
    pieces = [p for p in env.pieces() if p.place is env.place]
    if not pieces:
        env.report.fail("E0332", s.span)
    local: Expr | None = None
    cells = _cells(env, ctx, pieces[0], s.source)
    if not isinstance(cells, Const | Load):
        kept = env.program.local("there", cells.type)
        out.append(LetS(kept, cells, span=s.span))
        local = Load(kept)
    for piece in pieces:
        env.used.add(piece.name)
        for keys in owner_keys(env, piece, s.span):
            out.extend(_take_all(env, piece, keys, local or cells, s.span))
    return out


def move_piece(env: Env, ctx: Ctx, s: ast.MovePiece) -> list[CoreStmt]:
    if s.piece is None:
        return _move_whatever(env, ctx, s)
    piece, keys = piece_of(env, ctx, s.piece)
    source = lower(env, ctx, s.source, ElemT(piece.place))
    target = lower(env, ctx, s.target, ElemT(piece.place))
    now = Get(piece.var, keys, SetT(piece.place), span=s.span)
    stands = Check(
        Op2("in", source, now, ty.BOOL, span=s.span), f"no {piece.name} stands where it is moved from", span=s.span
    )
    uncounted = replace(piece, each=None)
    lets, carried = carry(env, piece, source, s.span)
    gone = _take_one(env, piece, keys, source, s.span)
    there = put_on(env, uncounted, keys, target, s.span)
    return [stands, *lets, *gone, *there, *arrive(env, piece, carried, target, s.span)]


def _move_whatever(env: Env, ctx: Ctx, s: ast.MovePiece) -> list[CoreStmt]:
    """Whatever stands on a cell moves to another, a whole stack with what it carries."""
    cell = ElemT(place_of(env, s.span))
    source = env.program.local("source", cell)
    target = env.program.local("target", cell)
    a, b = Load(source), Load(target)
    stands = Op2("in", a, occupied(env, s.span), ty.BOOL, span=s.span)
    out: list[CoreStmt] = [
        LetS(source, lower(env, ctx, s.source, cell), span=s.span),
        LetS(target, lower(env, ctx, s.target, cell), span=s.span),
        Check(stands, "nothing stands where it is moved from", span=s.span),
    ]
    moves: tuple[CoreStmt, ...] = ()
    for piece in (p for p in env.pieces() if p.place is env.place):
        env.used.add(piece.name)
        for keys in owner_keys(env, piece, s.span):
            here = Op2("in", a, Get(piece.var, keys, SetT(piece.place), span=s.span), ty.BOOL, span=s.span)
            moves = (IfS(here, tuple(_move_stack(env, piece, keys, a, b, s.span)), moves, span=s.span),)
    return [*out, *moves]


def _move_stack(
    env: Env, piece: PieceSym, keys: tuple[Expr, ...], source: Expr, target: Expr, span: Span
) -> list[CoreStmt]:
    uncounted = replace(piece, each=None)
    lets, carried = carry(env, piece, source, span)
    grown: list[CoreStmt] = []
    if piece.extra is not None:
        assert isinstance(piece.extra.type, IntT)
        t = piece.extra.type
        more = env.program.local("more", t)
        lets.append(LetS(more, Get(piece.extra, (*keys, source), t, span=span), span=span))
        now = Get(piece.extra, (*keys, target), t, span=span)
        total = Op2("add", now, Load(more), IntT(0, 2 * t.high), span=span)
        grown.append(Assign(piece.extra, (*keys, target), ty.clip(total, t), span=span))
    gone = _take_all(env, piece, keys, source, span)
    there = put_on(env, uncounted, keys, target, span)
    return [*lets, *gone, *there, *grown, *arrive(env, piece, carried, target, span)]


# ------------------------------------------------------------------------------------------- actions, blocks, loops


def find_action(env: Env, s: ast.Perform) -> ActionSym:
    symbol = env.symbols.get(s.action)
    if not isinstance(symbol, ActionSym):
        actions = [n for n, x in env.symbols.items() if isinstance(x, ActionSym)]
        env.report.fail("E0208", s.span, near=near_names(s.action, actions), name=s.action)
    if len(symbol.decl.params) != len(s.args):
        params = symbol.decl.params
        call = signature(s.action, params)
        env.report.fail("E0328", s.span, name=s.action, count=len(params), given=len(s.args), call=call)
    env.used.add(s.action)
    return symbol


def bind_action(env: Env, ctx: Ctx, s: ast.Perform, symbol: ActionSym) -> tuple[list[tuple[str, Expr]], Ctx]:
    """The arguments of an action by name, and the context its body starts in (it sees nothing of the caller's names)."""
    if env.program.performing(symbol.decl):
        env.report.fail("E0351", s.span, name=s.action)
    env.program.count_performed(s.span)
    args = []
    for param, arg in zip(symbol.decl.params, s.args, strict=True):
        if param.type is None:
            env.report.fail("E0352", param.span, name=param.name.id)
        t = value_type(env, param.type)
        if isinstance(t, StackT):
            env.report.fail("E0340", param.span)
        args.append((param.name.id, lower(env, ctx, arg, t)))  # type: ignore[arg-type]
    return args, Ctx(ctx.where, me=ctx.me, this=ctx.this)


def perform(env: Env, ctx: Ctx, s: ast.Perform) -> tuple[CoreStmt, ...]:
    symbol = find_action(env, s)
    args, inner = bind_action(env, ctx, s, symbol)
    lets: list[CoreStmt] = []
    for name, value in args:
        if isinstance(value, Const | Load):
            inner = inner.bind(**{name: value})
        else:
            local = env.program.local(name, value.type)
            lets.append(LetS(local, value, span=s.span))
            inner = inner.bind(**{name: Load(local)})
    with env.program.inside(symbol.decl):
        return (*lets, *lower_body(env, inner, symbol.decl.body))


def _if(env: Env, ctx: Ctx, s: ast.If) -> CoreStmt:
    otherwise = lower_body(env, ctx, s.otherwise.body) if s.otherwise is not None else ()
    result: tuple[CoreStmt, ...] = otherwise
    for branch in reversed(s.branches):
        condition = lower_bool(env, ctx, branch.condition)
        result = (IfS(condition, lower_body(env, ctx, branch.body), result, span=branch.span),)
    return result[0]


def _for(env: Env, ctx: Ctx, s: ast.For) -> CoreStmt:
    ranges, inner = bind(env, ctx, s.binder)
    if isinstance(ranges[0], MoveRange):
        env.report.fail("E0347", s.binder.span)
    body = lower_body(env, inner, s.body)
    for one in reversed(ranges):
        assert not isinstance(one, MoveRange)
        body = (ForS(one.local, one.over, body, span=s.span),)
    return body[0]


def _repeat(env: Env, ctx: Ctx, times: ast.Expr, body: ast.Body, span: Span) -> CoreStmt:
    most = lower_number(env, ctx, times)
    assert isinstance(most.type, IntT)
    if most.type.high > MOST_ROUNDS:
        env.report.fail("E0407", span, most=MOST_ROUNDS)
    rounds = ty.range_domain(1, max(1, most.type.high))
    if isinstance(most, Const):
        over: Expr = Const((1 << max(0, most.value)) - 1, SetT(rounds), span=span)
    else:
        every = env.program.local("round", ElemT(rounds))
        as_number = ty.as_number(Load(every))
        assert as_number is not None
        over = Loop(
            "filter",
            every,
            Const(rounds.full, SetT(rounds)),
            None,
            Op2("le", as_number, most, ty.BOOL),
            SetT(rounds),
            span=span,
        )
    local = env.program.local("round", ElemT(rounds))
    return ForS(local, over, lower_body(env, ctx, body), span=span)
