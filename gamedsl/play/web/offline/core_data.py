"""The rules of a game with hidden information as plain data, from which a page works out what a seat learns of a ply.

``static/core_rules.js`` reads it; the meaning is that of ``gamedsl.engine``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import announcement_bounds, chance_text, helpers_read, look_of
from gamedsl.language.core import free_locals, limits, make_plan, offset, terminator_tick, told_by_results
from gamedsl.language.core import nodes as n
from gamedsl.play.web.offline.core_nodes import CoreNodes, code_of
from gamedsl.play.web.offline.seen_values import conditions

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]


def core_data(game: Game) -> Json | None:
    """The rules; None if nothing is hidden, or if players draw (then a page announces to a seat only its own
    plies)."""
    has_drawings = any(isinstance(v.type, n.DrawingT) for v in game.program.variables)
    return None if not game.secrets.hides or has_drawings else rules_data(game)


def rules_data(game: Game) -> Json:
    """The rules of a game without drawings."""
    program, nodes = game.program, CoreNodes()
    found: Json = {
        "variables": [_variable(game, v) | {"told": _told(game, v)} for v in program.variables],
        "functions": [[[nodes.local(p) for p in f.params], nodes.expr(f.body)] for f in program.functions],
        "schemas": [_schema(game, s, nodes) for s in program.schemas],
        "blocks": [_block(game, b, nodes) for b in program.blocks],
        "entry": program.entry,
        "parts": [{"players": p.players.size, "seats": nodes.all_stored(p.seats)} for p in program.parts],
        "hidden": [[v.index for v in program.variables if game.secrets.is_hidden(v, b.index)] for b in program.blocks],
        "entries": any(v.seen != "all" for v in program.variables),
        "bounds": announcement_bounds(game),
    }
    return {**found, "tables": nodes.tables, "locals": nodes.locals}


def _told(game: Game, var: n.Var) -> list[Json]:
    """What lets results tell a variable: the number of a condition (None: always) and the player whose values it is about (None:
    of all)."""
    found: list[Json] = []
    for claim in told_by_results(game.program).get(var.index, ()):
        if claim.when is None:
            found.append({"condition": None, "owner": None})
        found += [{"condition": i, "owner": one} for i, (other, one) in enumerate(conditions(game)) if other == claim]
    return found


def _variable(game: Game, var: n.Var) -> Json:
    players = game.program.parts[var.part].players
    return {
        "type": _type(var.type),
        "keys": [k.size for k in var.keys],
        "slots": var.slots,
        "first": game.code.offsets[var.index],
        "initial": [code_of(i, var.type) for i in var.initial],
        "low": offset(var.type),
        "limit": var.type.limit if isinstance(var.type, n.StackT) else 0,
        "part": var.part,
        "temp": var.role == "temp",
        "owned": var.seen == "owner",
        "owner": next((i for i, k in enumerate(var.keys) if k == players), None),
        "viewers": var.viewers,
    }


def _type(t: n.VarT) -> str | list[int]:
    """The type as data: the least and greatest number of a numeric type, a word for any other."""
    match t:
        case n.StackT():
            return "stack"
        case n.HistoryT():
            return "history"
        case n.DrawingT():
            raise AssertionError("rules with drawings are not encoded")
        case _:
            return list(limits(t)) if isinstance(code_of(0, t), int) else "set"


def _schema(game: Game, s: n.Schema, nodes: CoreNodes) -> Json:
    own = {p.local.id for p in s.params}
    return {
        "name": s.name,
        "me": nodes.local(s.me),
        "params": [
            {
                "local": nodes.local(p.local),
                "over": nodes.stored(p.over),
                "limits": list(limits(p.local.type)),
                "low": offset(p.local.type),
                "secret": p.secret,
            }
            for p in s.params
        ],
        "guards": [
            {
                "condition": nodes.stored(g.condition),
                "reads": [nodes.local(x) for i, x in free_locals(g.condition).items() if i in own],
            }
            for g in s.guards
        ],
        "forbids": [nodes.stored(g.condition) for g in s.forbids],
        "effect": nodes.statements(s.effect),
        "plan": _plan(s, nodes),
        "mistake": s.mistake,
        "template": list(game.notation.templates[s.index][0]),
    }


def _plan(s: n.Schema, nodes: CoreNodes) -> list[Json]:
    """The steps of a plan: ``bind`` (the number of a parameter) to each member of ``over``, or a ``test``; ``once``:
    its answer is the same for all parameters."""
    own, found = {p.local.id for p in s.params}, list[Json]()
    for step in s.plan or make_plan(s.params, s.guards):
        if isinstance(step, n.Bind):
            found.append({"bind": step.param, "over": nodes.expr(step.over)})
        else:
            is_bound = any("bind" in earlier for earlier in found)
            once = is_bound and not own & free_locals(step.condition).keys()
            found.append({"test": nodes.expr(step.condition), "once": once})
    return found


def _block(game: Game, b: n.Block, nodes: CoreNodes) -> Json:
    return {
        "statements": nodes.statements(b.statements),
        "phase": b.phase,
        "part": b.part,
        "look": look_of(b.end),
        "kind": game.kinds[b.index],
        "tick": nodes.statements(terminator_tick(b.end)),
        "helpers": list(map(list, helpers_read(game, b.index))),
        **_end(game, b, nodes),
    }


def _end(game: Game, b: n.Block, nodes: CoreNodes) -> Json:
    """The terminator of a block as data; ``end`` is its class."""
    end = b.end
    found: Json = {"end": type(end).__name__}
    match end:
        case n.Goto(target=target):
            found |= {"target": target}
        case n.BranchT(condition=condition, yes=yes, no=no):
            found |= {"condition": nodes.expr(condition), "yes": yes, "no": no}
        case n.Decide():
            found |= {"seat": nodes.expr(end.seat), "mover": nodes.expr(end.mover), "stuck": end.stuck}
            found |= {"alternatives": [_alternative(a) for a in end.alternatives], "pass": end.may_pass}
        case n.DecideTogether():
            found |= {"movers": nodes.expr(end.movers), "seats": nodes.exprs(end.seats), "target": end.target}
            found |= {"alternatives": [_alternative(a) for a in end.alternatives]}
        case n.Choose(var=var, target=target):
            found |= {"seat": nodes.expr(end.seat), "mover": nodes.expr(end.mover), "target": target}
            found |= {"source": nodes.expr(end.source), "variable": var.index, "keys": nodes.all_stored(end.keys)}
            found |= {"texts": [game.notation.choice_text(name) for name in end.names], "low": offset(var.type)}
        case n.Chance(what=what, target=target, result=result):
            found |= {"what": what, "over": nodes.stored(end.over), "weight": nodes.expr(end.weight), "target": target}
            found |= {"local": nodes.local(end.local), "first": offset(end.local.type), "low": offset(result.type)}
            found |= {"variable": result.index, "texts": [chance_text(what, name) for name in end.names]}
        case n.End():
            found |= {"payoff": nodes.exprs(end.payoff), "winners": nodes.expr(end.winners)}
            found |= {"scores": nodes.exprs(end.scores)}
        case n.DecideDrawing():
            raise AssertionError("rules with drawings are not encoded")
    return found


def _alternative(alt: n.Alt) -> Json:
    return {"schema": alt.schema, "target": alt.target, "registers": [v.index for v in alt.registers]}
