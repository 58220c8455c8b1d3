"""Declarations of one ruleset → its environment: players and options, then pieces and state, then play."""

from __future__ import annotations

from collections.abc import Callable, Set
from math import lcm
from typing import TYPE_CHECKING

from gamedsl.boards import Domain
from gamedsl.core.nodes import Const, ElemT, Expr, HistoryT, IntT, OptT, SetT, StackT, TableData, ValueT, Var, VarT
from gamedsl.rules import types as ty
from gamedsl.rules.declarations import boards as boarding
from gamedsl.rules.declarations import look as looks
from gamedsl.rules.declarations.carried import declare_fields, revealed_names, viewers_of
from gamedsl.rules.expressions.constant_tables import ensure_table
from gamedsl.rules.expressions.definitions import ensure_defined
from gamedsl.rules.expressions.lowering import constant, lower, lower_number
from gamedsl.rules.expressions.primitives import turn_offset
from gamedsl.rules.expressions.type_expressions import (
    domain_of_type,
    enumeration,
    named,
    refuse_twins,
    split_map,
    value_type,
)
from gamedsl.rules.flow import moves
from gamedsl.rules.report import Bail
from gamedsl.rules.scope import (
    ActionSym,
    Ctx,
    DefineSym,
    DomainSym,
    Env,
    GameSym,
    MoveSym,
    PieceSym,
    Symbol,
    TableSym,
    TokenKindSym,
    TypeSym,
    ValueSym,
    VarSym,
)
from gamedsl.source import Span
from gamedsl.syntax import ast, walk

if TYPE_CHECKING:
    from gamedsl.rules.flow.control_flow import FlowBuilder
    from gamedsl.rules.program import ProgramBuilder

MOST_PLAYERS = 16
HIGHEST_STACK = 64
LONGEST_CYCLE = 10_000  # turns
NO_DOMAIN = Domain("", ())
BOARDS = (ast.BoardDecl, ast.GraphDecl, ast.DrawingDecl)


def build_env(
    program: ProgramBuilder,
    game: GameSym,
    outer: Env | None,
    give: Callable[[Env, str, ValueT], Expr | None] | None,
) -> Env:
    """The environment with players, types and options; the rest is ``lower_rest``'s, when seats are known."""
    program.parts.append(None)
    env = Env(program, program.report, len(program.parts) - 1, game.name, game.tree, NO_DOMAIN, (), outer)
    env.path, env.give = game.path, give
    program.envs.append(env)
    if game.inner and outer is not None:
        _inherit(env, game, outer)
    each(env, (ast.PlayersNamed, ast.PlayersRange), _players)
    if env.players is NO_DOMAIN:
        if not env.failed:
            program.report.add("E0210", game.span, what="players")
        raise Bail
    for d in env.decls:
        match d:
            case ast.TypeDecl():
                guarded(env, d, _type)
            case ast.OptionDecl():
                guarded(env, d, _option)
            case _:
                pass
    return env


def _inherit(env: Env, game: GameSym, outer: Env) -> None:
    """What a part inherits from the surrounding ruleset: options, types and tables. Its own players and board hide
    those around it."""
    own_board = any(isinstance(d, BOARDS) for d in env.decls)
    board = [s.domain for n, s in outer.symbols.items() if n[:1] == "$" and isinstance(s, DomainSym)]
    hidden = {outer.players, *(board if own_board else ())}
    for name, symbol in outer.symbols.items():
        if symbol.span.source.path == game.span.source.path and _means_the_same_inside(symbol, hidden):
            env.symbols[name] = symbol
    for name, known in outer.elements.items():
        left = [(d, i) for d, i in known if d not in hidden]
        if left:
            env.elements[name] = left


def _means_the_same_inside(symbol: Symbol, hidden: Set[Domain]) -> bool:
    match symbol:
        case ValueSym() | TypeSym():
            return True
        case DomainSym(domain):
            return domain not in hidden
        case TableSym(data=TableData(keys=keys, type=t)):
            value = t.inner if isinstance(t, OptT) else t
            return hidden.isdisjoint((*keys, *((value.domain,) if isinstance(value, ElemT | SetT) else ())))
        case _:
            return False


def each(env: Env, kinds: tuple[type, ...], do: Callable[[Env, ast.Decl], None]) -> None:
    for d in env.decls:
        if isinstance(d, kinds):
            guarded(env, d, do)


def guarded(env: Env, d: ast.Decl, do: Callable[..., None]) -> None:
    """Processes one declaration; if it is wrong, the others are still processed."""
    try:
        do(env, d)
    except Bail:
        env.failed = True
        env.broken |= declared_names(d)


def declared_names(d: ast.Decl) -> set[str]:
    """The names that a declaration introduces."""
    lines: tuple[object, ...] = (
        d.variables if isinstance(d, ast.StateDecl) else d.strokes if isinstance(d, ast.DrawingDecl) else (d,)
    )
    out: set[str] = set()
    for line in lines:
        name = getattr(line, "name", None)
        out |= {n.id for n in getattr(line, "names", ())} | ({name.id} if isinstance(name, ast.Name) else set())
    if isinstance(d, ast.TokenDecl):
        out |= {k.name.id for k in d.kinds}
    return out


def lower_rest(env: Env, flow: FlowBuilder) -> None:
    """Lowers everything except players and options; ``flow`` is at the first block of the ruleset's play."""
    _once(env)
    each(env, (ast.UseDecl, ast.PartDecl), _game)
    each(env, BOARDS, boarding.declare_board)
    if not any(isinstance(d, BOARDS) for d in env.decls):
        boarding.refuse_shapes(env)
    _state(env)
    each(env, (ast.TableDecl, ast.DefineDecl, ast.ActionDecl, ast.MoveDecl), _named_rule)
    boarding.weak_names(env)
    _time(env)
    each(env, (ast.StateDecl, ast.TokenDecl), _initials)
    env.forbids = [d for d in env.decls if isinstance(d, ast.ForbidDecl)]
    for sym in env.moves():
        _protected(env, sym, lambda s: moves.declare_head(env, s))
    for symbol in list(env.symbols.values()):
        if isinstance(symbol, TableSym) and symbol.state == "new":
            guarded(env, symbol.decl, lambda e, d, s=symbol: ensure_table(e, s, d.span))
        if isinstance(symbol, DefineSym) and symbol.state == "new":
            guarded(env, symbol.decl, lambda e, d, s=symbol: ensure_defined(e, s, d.span))
    for sym in env.moves():
        if not sym.broken:
            _protected(env, sym, lambda s: moves.complete(env, s, env.forbids))
    moves.check_cycles(env)
    plays = [d for d in env.decls if isinstance(d, ast.PlayDecl)]
    if not plays:
        env.report.fail("E0210", _head_span(env), what="play")
    guarded(env, plays[0], lambda _, d: _play(flow, d))
    if flow.current is not None and not env.failed:
        env.report.add("E0422", plays[0].span)
        env.failed = True
    looks.finish_part(env)
    if len(env.positions) == 2:
        env.report.fail("E0371", env.positions[False])
    if env.failed:
        raise Bail


def _play(flow: FlowBuilder, d: ast.PlayDecl) -> None:
    flow.body(Ctx("play"), d.body)


def _protected(env: Env, sym: MoveSym, do: Callable[[MoveSym], None]) -> None:
    try:
        do(sym)
    except Bail:
        sym.broken = True
    if sym.broken:
        env.failed = True


def _head_span(env: Env) -> Span:
    for d in env.decls:
        if isinstance(d, ast.GameDecl):
            return d.span
    return env.decls[0].span if env.decls else Span(env.report.somewhere(), 0, 0)


def _once(env: Env) -> None:
    """Checks the declarations that can occur only once."""
    kinds: dict[str, ast.Decl] = {}
    groups = {
        ast.GameDecl: "game", ast.PlayersNamed: "players", ast.PlayersRange: "players", ast.BoardDecl: "board", ast.GraphDecl: "board",
        ast.DrawingDecl: "board", ast.PlayDecl: "play", ast.LookDecl: "look",
    }  # fmt: skip
    for d in env.decls:
        what = groups.get(type(d))
        if what is None:
            continue
        if what in kinds:
            env.report.add("E0211", d.span, what=what)
            env.failed = True
        kinds.setdefault(what, d)


# ------------------------------------------------------------------------------------------------ players, options


def _players(env: Env, d: ast.Decl) -> None:
    match d:
        case ast.PlayersNamed(names):
            refuse_twins(env, names)
            players = tuple(n.id for n in names)
        case ast.PlayersRange(low, high, default):
            if not 1 <= low <= high <= MOST_PLAYERS or not (default is None or low <= default <= high):
                env.report.fail("E0212", d.span, most=MOST_PLAYERS)
            t = IntT(low, high)
            first = default if default is not None else max(low, min(2, high))
            given = env.give(env, "players", t) if env.give is not None else None
            if given is not None and not isinstance(given, Const):
                env.report.fail("E0307", d.span, what="the number of players")
            count = given.value if isinstance(given, Const) else first
            env.options.append(("players", str(count)))
            players = tuple(f"p{i + 1}" for i in range(count))
        case _:
            raise AssertionError(d)
    if len(players) > MOST_PLAYERS:
        env.report.fail("E0212", d.span, most=MOST_PLAYERS)
    env.players = Domain("player", players)
    env.add_elements(env.players)


def _type(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.TypeDecl)
    match d.type:
        case ast.EnumType(names):
            env.declare(d.name, DomainSym(enumeration(env, names), d.name.span))
        case ast.NamedType(name) if name not in ("bool",):
            found = named(env, name, d.type.span)
            symbol = DomainSym(found, d.name.span) if isinstance(found, Domain) else TypeSym(found, d.name.span)
            env.declare(d.name, symbol)
        case _:
            value_type(env, d.type)
            env.declare(d.name, TypeSym(d.type, d.name.span))


def _option(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.OptionDecl)
    t = value_type(env, d.type)
    if not isinstance(t, ElemT | IntT) and t != ty.BOOL:
        env.report.fail("E0213", d.type.span, name=d.name.id)
    assert not isinstance(t, StackT)
    value = lower(env, Ctx("option"), d.default, t)
    if not isinstance(value, Const):
        env.report.fail("E0307", d.default.span, what="the default of an option")
    given = env.give(env, d.name.id, t) if env.give is not None else None
    value_in_force = given if given is not None else value
    if isinstance(value_in_force, Const) and isinstance(value_in_force.type, IntT):
        value_in_force = ty.number(value_in_force.value, d.name.span)  # the same however the value was given
    env.declare(d.name, ValueSym(value_in_force, d.name.span))
    if isinstance(value_in_force, Const):
        env.options.append((d.name.id, show_constant(value_in_force)))


def show_constant(value: Const) -> str:
    match value.type:
        case ElemT(domain):
            return domain.names[value.value]
        case t if t == ty.BOOL:
            return "yes" if value.value else "no"
    return str(value.value)


# ------------------------------------------------------------------------------------------------- other rulesets


def _game(env: Env, d: ast.Decl) -> None:
    match d:
        case ast.UseDecl(file, name):
            loaded = env.program.files.load(file, d.span, beside=d.span.source.path)
            env.program.cite(loaded.tree, loaded.path)
            env.declare(name, GameSym(name.id, loaded.tree, loaded.path, False, name.span))
        case ast.PartDecl(name, decls):
            env.declare(name, GameSym(name.id, decls, env.path, True, name.span))
        case _:
            raise AssertionError(d)


# ------------------------------------------------------------------------------------------- pieces, tokens, state


def _state(env: Env) -> None:
    env.revealed = revealed_names(env.decls)
    each(env, (ast.TokenDecl,), _token_names)
    each(env, (ast.PieceDecl,), _piece)
    each(env, (ast.TokenDecl,), _token_fields)
    each(env, (ast.StateDecl,), _variables)


def _piece(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.PieceDecl)
    owned = d.of is not None
    if d.of is not None and not (isinstance(d.of, ast.NamedType) and d.of.name == "player"):
        env.report.fail("E0214", d.of.span)
    place = env.place
    if d.place is not None:
        place = domain_of_type(env, ast.NamedType(d.place, span=d.span))
    if place is None:
        env.report.fail("E0332", d.span)
    each_ = None if d.each is None else constant(env, Ctx("option"), d.each, "the number of pieces")
    if each_ is not None and not 1 <= each_ <= 100_000:
        env.report.fail("E0344", d.span, what="the number of pieces", value=each_)
    keys = (env.players,) if owned else ()
    for name in d.names:
        var = env.program.variable(env, name.id, SetT(place), keys=keys, seen=d.seen, role="piece", span=name.span)
        var = viewers_of(env, name.id, d.seen, name.id, var)
        extra = None
        if d.stacking:
            t = IntT(0, max(0, (each_ or HIGHEST_STACK) - 1))
            extra = env.program.variable(
                env, f"{name.id} above", t, keys=(*keys, place), seen=d.seen, role="count", span=name.span,
                viewers=var.viewers,
            )  # fmt: skip
        piece = PieceSym(name.id, var, extra, each_, owned, place, name.span)
        env.declare(name, piece)
        if d.fields:
            env.symbols[name.id] = declare_fields(env, d, piece)


def _token_names(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.TokenDecl)
    names: list[str] = []
    kinds: list[tuple[ast.Name, int, Domain | None]] = []
    for kind in d.kinds:
        key = None
        if kind.of is not None:
            t = value_type(env, kind.of)
            key = ty.domain_of(t) if not isinstance(t, StackT | SetT | OptT) else None  # type: ignore[arg-type]
            if key is None:
                env.report.fail("E0340", kind.of.span)
        kinds.append((kind.name, len(names), key))
        names += [kind.name.id] if key is None else [f"{kind.name.id}[{k}]" for k in key.names]
    domain = Domain(d.name.id, tuple(names))
    env.declare(d.name, DomainSym(domain, d.name.span))
    for name, first, key in kinds:
        env.declare(name, TokenKindSym(domain, first, key, name.span))


def _token_fields(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.TokenDecl)
    symbol = env.symbols.get(d.name.id)
    if not isinstance(symbol, DomainSym):
        raise Bail
    fields = env.program.fields.setdefault((env.index, symbol.domain.name), {})
    for v in d.fields:
        for name in v.names:
            if name.id in fields:
                env.report.fail("E0202", name.span, name=name.id)
            fields[name.id] = _variable(env, v, name, (symbol.domain,), f"{d.name.id}.{name.id}")


def _variables(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.StateDecl)
    for v in d.variables:
        try:
            for name in v.names:
                env.declare(name, VarSym(_variable(env, v, name, (), name.id), name.span))
        except Bail:
            env.failed = True
            env.broken |= {n.id for n in v.names}


def _variable(env: Env, v: ast.Variable, name: ast.Name, keys: tuple[Domain, ...], title: str) -> Var:
    more, t = split_map(env, v.type)
    countdown = isinstance(_innermost(v.type), ast.CountdownType)
    if v.seen == "owner" and env.players not in (*keys, *more):
        env.report.fail("E0215", v.span, name=name.id)
    var = env.program.variable(
        env,
        title,
        t,
        keys=(*keys, *more),
        initial=_least(t),
        seen=v.seen,
        role="countdown" if countdown else "state",
        span=name.span,
    )
    var = viewers_of(env, name.id, v.seen, title, var)
    if countdown:
        env.countdowns.append(var)
    return var


def _least(t: VarT) -> int:
    """The default initial value: 0 if possible, no, none, {}, the first element."""
    return t.low if isinstance(t, IntT) and not t.low <= 0 <= t.high else 0


def _innermost(t: ast.Type) -> ast.Type:
    while isinstance(t, ast.MapType):
        t = t.value
    return t


def _initials(env: Env, d: ast.Decl) -> None:
    """Computes initial values once everything that they may mention is declared."""
    from dataclasses import replace

    lines: tuple[ast.Variable, ...]
    if isinstance(d, ast.TokenDecl):
        lines, symbols = d.fields, env.program.fields.get((env.index, d.name.id), {})
    else:
        assert isinstance(d, ast.StateDecl)
        lines = d.variables
        symbols = {n: s.var for n, s in env.symbols.items() if isinstance(s, VarSym)}
    for v in lines:
        if v.initial is None:
            continue
        for name in v.names:
            var = symbols.get(name.id)
            if var is None:
                continue
            if isinstance(var.type, StackT):
                env.report.fail("E0216", v.initial.span)
            value = lower(env, Ctx("option"), v.initial, var.type)  # type: ignore[arg-type]
            if not isinstance(value, Const):
                env.report.fail("E0307", v.initial.span, what="a first value")
            new = replace(var, initial=(value.value,) * var.slots)
            env.program.variables[var.index] = new
            _exchange(env, d, name.id, var, new)


def _exchange(env: Env, d: ast.Decl, name: str, old: Var, new: Var) -> None:
    if isinstance(d, ast.TokenDecl):
        env.program.fields[(env.index, d.name.id)][name] = new
    else:
        env.symbols[name] = VarSym(new, new.span)
    env.countdowns = [new if v is old else v for v in env.countdowns]


# ---------------------------------------------------------------------------------------------------------- rules


def _named_rule(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.DefineDecl | ast.ActionDecl | ast.MoveDecl | ast.TableDecl)
    for param in () if isinstance(d, ast.TableDecl) else d.params:
        if param.seen not in (("all", "owner") if isinstance(d, ast.MoveDecl) else ("all",)):
            env.report.add("E0399", param.span, name=param.name.id)
            env.failed = True
    match d:
        case ast.TableDecl():
            env.declare(d.name, TableSym(d, d.name.span))
        case ast.DefineDecl():
            env.declare(d.name, DefineSym(d, d.name.span))
        case ast.ActionDecl():
            env.declare(d.name, ActionSym(d, d.name.span))
        case ast.MoveDecl():
            index = len(env.program.moves)
            me = env.program.local("me", ElemT(env.players))
            sym = MoveSym(d, d.name.span, index, me)
            env.program.moves.append(sym)
            env.declare(d.name, sym)
        case _:
            raise AssertionError(d)
    for sym in env.moves():
        sym.has_chance = moves.has_chance(env, sym.decl.effect)


def _time(env: Env) -> None:
    """``turn`` counts as far as anything asks; positions are noted where they are asked for; phases that claims speak of
    are kept."""
    top, cycle = 0, 1
    own = tuple(d for d in env.decls if not isinstance(d, ast.PartDecl))
    for node in walk(own):
        match node:
            case ast.Binary("mod", left, right) if turn_offset(left) is not None:
                cycle = _common(env, cycle, right)
            case ast.Binary(op, left, right) if op in ("=", "!=", "<", "<=", ">", ">="):
                for side, other in ((left, right), (right, left)):
                    if isinstance(side, ast.Ref) and side.name == "turn":
                        top = max(top, _highest(env, other))
            case ast.NotePosition(what, more):
                if env.noting not in ("", what):
                    env.report.add("E0370", node.span)
                    env.failed = True
                env.noting = what
                _noted(env, more)
                if env.history is None:
                    env.history = env.program.variable(env, "positions", HistoryT(), role="state")
            case _:
                pass
    asked = {d.phase.id for d in own if isinstance(d, ast.ClaimDecl) and d.phase is not None}
    for name in sorted(asked & {n.name.id for n in walk(own) if isinstance(n, ast.Phase)}):
        env.phases[name] = env.program.variable(env, f"phase {name}", ty.BOOL)
    if (top or cycle > 1) and any(isinstance(n, ast.Turns) for n in walk(own)):
        env.turn_cycle = cycle
        env.turn = env.program.variable(env, "turn", IntT(1, top + cycle), initial=1, role="state")


def _common(env: Env, cycle: int, e: ast.Expr) -> int:
    """The least common multiple of a cycle and what ``turn`` is divided by; the cycle where that is wrong, which is
    reported."""
    try:
        number = constant(env, Ctx("option"), e, "what `turn` is divided by")
        if number < 1 or lcm(cycle, number) > LONGEST_CYCLE:
            env.report.fail("E0344", e.span, what="what `turn` is divided by", value=number)
    except Bail:
        env.failed = True
        return cycle
    return lcm(cycle, number)


def _noted(env: Env, more: tuple[ast.Name, ...]) -> None:
    for name in more:
        symbol = env.symbols.get(name.id)
        if not isinstance(symbol, VarSym) or isinstance(symbol.var.type, StackT):
            env.report.add("E0369", name.span, name=name.id)
            env.failed = True
        elif symbol.var not in env.noted:
            env.used.add(name.id)
            env.noted.append(symbol.var)


def _highest(env: Env, e: ast.Expr) -> int:
    try:
        n = lower_number(env, Ctx("option"), e)
    except Bail:
        env.failed = True
        return 0
    assert isinstance(n.type, IntT)
    if n.type.high > 100_000:
        env.report.add("E0331", e.span)
        env.failed = True
        return 0
    return max(1, n.type.high)
