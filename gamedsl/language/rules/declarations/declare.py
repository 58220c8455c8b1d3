"""Declarations of one ruleset → its environment: players and options, then pieces and state, then play."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.declarations import boards as boarding
from gamedsl.language.rules.declarations import look as looks
from gamedsl.language.rules.declarations.carried_declarations import revealed_names
from gamedsl.language.rules.declarations.counters import declare_counters
from gamedsl.language.rules.declarations.inheritance import inherit_names
from gamedsl.language.rules.declarations.pieces import declare_piece, declare_token, declare_token_fields
from gamedsl.language.rules.declarations.players import declare_option, declare_players, declare_type, types_of_board
from gamedsl.language.rules.declarations.recovery import each, recover
from gamedsl.language.rules.declarations.state_variables import declare_variables, set_initial_values
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.definitions import ensure_defined
from gamedsl.language.rules.expressions.table_functions import ensure_table
from gamedsl.language.rules.flow import lower_moves
from gamedsl.language.rules.scope import Ctx, Env, Lowering
from gamedsl.language.rules.symbols import ActionSym, DefineSym, GameSym, MoveSym, TableSym
from gamedsl.language.rules.variants import changed_use
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

if TYPE_CHECKING:
    from gamedsl.language.rules.flow.flow_builder import FlowBuilder


NO_DOMAIN = Domain("", ())


def build_env(
    program: Lowering,
    game: GameSym,
    outer: Env | None,
    give: Callable[[Env, str, n.ValueT], n.Expr | None] | None,
) -> Env:
    """Returns the environment with players, types and options; ``lower_rest`` adds the rest, when seats are known."""
    program.parts.append(None)
    env = Env(program, program.report, len(program.parts) - 1, game.name, game.tree, NO_DOMAIN, (), outer)
    env.path, env.give = game.path, give
    program.envs.append(env)
    if game.inner and outer is not None:
        inherit_names(env, game, outer)
    each(env, (ast.PlayersNamed, ast.PlayersRange), declare_players)
    if env.players is NO_DOMAIN:
        if not env.failed:
            program.report.add("E0210", game.span, what="players")
        raise Bail
    waiting = types_of_board(env)
    for d in env.decls:
        match d:
            case ast.TypeDecl() if d not in waiting:
                recover(env, d, declare_type)
            case ast.OptionDecl():
                recover(env, d, declare_option)
            case _:
                pass
    return env


def lower_rest(env: Env, flow: FlowBuilder) -> None:
    """Lowers everything except players and options; ``flow`` is at the first block of the ruleset's course of play.

    Raises ``Bail`` if anything in the ruleset is wrong; the mistakes have been reported.
    """
    _once(env)
    waiting = types_of_board(env)
    each(env, (ast.UseDecl, ast.PartDecl), _game)
    each(env, (ast.Board,), boarding.declare_board)
    for d in waiting:
        recover(env, d, declare_type)
    if not any(isinstance(d, ast.Board) for d in env.decls):
        boarding.refuse_shapes(env)
    _state(env)
    each(env, (ast.NamedRule,), _name_rule)
    for sym in env.moves():
        sym.has_chance = lower_moves.has_chance(env, sym.decl.effect)
    boarding.weak_names(env)
    declare_counters(env)
    each(env, (ast.StateDecl, ast.TokenDecl), set_initial_values)
    env.forbids = [d for d in env.decls if isinstance(d, ast.ForbidDecl)]
    for sym in env.moves():
        _protect(env, sym, lambda s: lower_moves.declare_head(env, s))
    for symbol in list(env.symbols.values()):
        if isinstance(symbol, TableSym) and symbol.state == "new":
            recover(env, symbol.decl, lambda e, d, s=symbol: ensure_table(e, s, d.span))
        if isinstance(symbol, DefineSym) and symbol.state == "new":
            recover(env, symbol.decl, lambda e, d, s=symbol: ensure_defined(e, s, d.span))
    for sym in env.moves():
        if not sym.broken:
            _protect(env, sym, lambda s: lower_moves.complete(env, s, env.forbids))
    lower_moves.check_cycles(env)
    lower_moves.report_alike(env)
    plays = [d for d in env.decls if isinstance(d, ast.PlayDecl)]
    if not plays:
        env.report.fail("E0210", _head_span(env), what="play")
    recover(env, plays[0], lambda _, d: _play(flow, d))
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


def _protect(env: Env, sym: MoveSym, do: Callable[[MoveSym], None]) -> None:
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
    """Reports repetitions of declarations that can occur only once."""
    kinds: dict[str, ast.Decl] = {}
    for d in env.decls:
        if not d.once:
            continue
        if d.word in kinds:
            env.report.add("E0211", d.span, what=d.word)
            env.failed = True
        kinds.setdefault(d.word, d)


def _game(env: Env, d: ast.Decl) -> None:
    match d:
        case ast.UseDecl(file, name):
            loaded = env.program.files.load(file, d.span, beside=d.span.source.path)
            tree = changed_use(env.decls, name.id, loaded.tree, env.report)
            env.program.cite(tree, loaded.path)
            env.declare(name, GameSym(name.id, tree, loaded.path, False, name.span))
        case ast.PartDecl(name, decls):
            env.declare(name, GameSym(name.id, decls, env.path, True, name.span))
        case _:
            raise AssertionError(d)


def _state(env: Env) -> None:
    env.revealed = revealed_names(env)
    each(env, (ast.TokenDecl,), declare_token)
    each(env, (ast.PieceDecl,), declare_piece)
    each(env, (ast.TokenDecl,), declare_token_fields)
    each(env, (ast.StateDecl,), declare_variables)


def _name_rule(env: Env, d: ast.Decl) -> None:
    for param in d.params if isinstance(d, ast.RuleWithParams) else ():
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
            me = env.program.local("me", n.ElemT(env.players))
            sym = MoveSym(d, d.name.span, index, me)
            env.program.moves.append(sym)
            env.declare(d.name, sym)
        case _:
            raise AssertionError(d)
