"""The stops of a game as plain data: the decision at each, and the questions that show why a move is illegal.

``static/local_turn.js`` reads it; the meaning is that of ``gamedsl.play.web.turn_view`` and ``gamedsl.engine.why_not``.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import source_line
from gamedsl.engine.picture import is_owned, participle, threats_at, unset_by_block
from gamedsl.language.core import cases_of, is_stop, limits, terminator_tick
from gamedsl.language.core import nodes as n
from gamedsl.play.web.offline.ending_data import case_data
from gamedsl.play.web.offline.page_questions import Questions
from gamedsl.play.web.position_data import rule_text
from gamedsl.play.web.turn_view import offered_kinds

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]


def turn_data(game: Game, questions: Questions) -> Json:
    """``blocks``: per block of the program null, or the decision at this stop.
    ``kinds``: per kind of action the number of its schema, and what is said of it as an outcome. ``schemas``: per kind of move
    the number of its ``me``, of its parameters with their least values, and its guards."""
    return {
        "blocks": [_block(game, b, questions) if is_stop(b) else None for b in game.program.blocks],
        "kinds": [{"schema": kind.schema, "happened": participle(kind.name)} for kind in game.action_kinds],
        "schemas": [_schema(schema, questions) for schema in game.program.schemas],
        "clauses": dict(game.program.clauses),
    }


def _block(game: Game, block: n.Block, ask: Questions) -> Json:
    end = block.end
    unset = sorted(unset_by_block(game)[block.index])
    found: Json = {
        "part": block.part,
        "phase": block.phase,
        "unset": unset,
        "kinds": offered_kinds(game, end),
        "rule": rule_text(getattr(end, "span", None)),
        "alternatives": [],
    }
    match end:
        case n.Decide(mover=mover, alternatives=alternatives, may_pass=may_pass):
            found |= {"mover": ask.ask(mover, openly=True), "pass": may_pass is not None}
            found["alternatives"] = [_alternative(game, a, terminator_tick(end), ask) for a in alternatives]
            found["threats"] = [_threat(game, e, block.part, ask) for e in threats_at(game, block.index)]
        case n.DecideTogether(movers=movers, alternatives=alternatives, seats=seats):
            found["movers"] = ask.ask(movers, openly=True)
            found["seats"] = [ask.ask(seat, openly=True) for seat in seats]
            found["alternatives"] = [_alternative(game, a, terminator_tick(end), ask) for a in alternatives]
        case n.DecideDrawing(strokes=strokes):
            found["strokes"] = list(strokes)
        case n.Chance(what=what):
            found["what"] = what
        case n.Choose():
            found["choose"] = True
        case n.End(winners=winners, scores=scores):
            found |= {"winners": ask.ask(winners, openly=True), "scored": bool(scores)}
        case _:
            pass
    return found


def _threat(game: Game, condition: n.Expr, part: int, ask: Questions) -> Json:
    """A condition that no move may leave: whether it ``holds``, its ``cases``, and the variables of pieces with an owner."""
    owned = [v.index for v in game.program.variables if v.part == part and is_owned(v, game.program.parts[part])]
    cases = [one for case in cases_of(game.program, condition) if (one := case_data(game, case, part, ask))]
    return {"holds": ask.ask(condition), "cases": cases, "owned": owned}


def _alternative(game: Game, alt: n.Alt, tick: tuple[n.CoreStmt, ...], ask: Questions) -> Json:
    schema = game.program.schemas[alt.schema]
    args: tuple[n.Expr, ...] = (n.Load(schema.me), *(n.Load(p.local) for p in schema.params))
    forbids = [(g, n.AfterE(alt.schema, args, tick, g.condition)) for g in schema.forbids]
    return {"schema": alt.schema, "forbids": [_rule(g, ask.ask(e)) for g, e in forbids]}


def _schema(schema: n.Schema, ask: Questions) -> Json:
    yes: n.Expr = n.Const(1, n.BoolT())
    ranges = [n.Op2("in", n.Load(p.local), p.over, n.BoolT()) for p in schema.params]
    allowed = reduce(lambda a, b: n.Op2("and", a, b, n.BoolT()), ranges, yes)
    return {
        "name": schema.name,
        "me": schema.me.id,
        "params": [{"local": p.local.id, "from": limits(p.local.type)[0], "secret": p.secret} for p in schema.params],
        "allowed": ask.ask(allowed),
        "guards": [_rule(g, ask.ask(g.condition)) for g in schema.guards],
        "clauses": list(schema.clauses),
        "rule": rule_text(schema.span),
        "mistake": schema.mistake,
    }


def _rule(guard: n.CoreGuard, question: int) -> Json:
    message = guard.message or source_line(guard)
    return {
        "ask": question,
        "message": message,
        "clauses": list(guard.clauses),
        "rule": rule_text(guard.span),
        "ahead": guard.looks_ahead,
    }
