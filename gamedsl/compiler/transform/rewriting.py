"""Applies a rewrite of expressions to a whole program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.compiler.transform.inline import with_exprs
from gamedsl.language.core import nodes as n
from gamedsl.language.core import statement_exprs

Rewrite = Callable[[n.Expr], n.Expr]


def rewrite_expressions(program: n.Program, r: Rewrite) -> n.Program:
    """Rewrites every expression outside plans and functions."""
    schemas = tuple(_schema(s, r) for s in program.schemas)
    return replace(program, schemas=schemas, blocks=tuple(_block(b, r) for b in program.blocks))


def rewrite_everywhere(program: n.Program, r: Rewrite) -> n.Program:
    """Rewrites every expression outside functions, including those in plans."""
    ready = rewrite_expressions(program, r)
    schemas = tuple(replace(s, plan=tuple(_step(x, r) for x in s.plan)) for s in ready.schemas)
    return replace(ready, schemas=schemas)


def _step(x: n.Bind | n.Test, r: Rewrite) -> n.Bind | n.Test:
    return n.Bind(x.param, r(x.over)) if isinstance(x, n.Bind) else n.Test(r(x.condition))


def _schema(s: n.Schema, r: Rewrite) -> n.Schema:
    return replace(s, effect=statements(s.effect, r))


def _block(b: n.Block, r: Rewrite) -> n.Block:
    return replace(b, statements=statements(b.statements, r), end=_end(b.end, r))


def statements(stmts: tuple[n.CoreStmt, ...], r: Rewrite) -> tuple[n.CoreStmt, ...]:
    return tuple(_statement(s, r) for s in stmts)


def _statement(s: n.CoreStmt, r: Rewrite) -> n.CoreStmt:
    new = tuple(r(e) for e in statement_exprs(s))
    match s:
        case n.LetS():
            return replace(s, value=new[0])
        case n.IfS():
            return replace(s, condition=new[0], then=statements(s.then, r), otherwise=statements(s.otherwise, r))
        case n.ForS():
            return replace(s, over=new[0], body=statements(s.body, r))
        case _:
            return with_exprs(s, new)


def _end(end: n.Terminator, r: Rewrite) -> n.Terminator:
    match end:
        case n.BranchT():
            return replace(end, condition=r(end.condition))
        case n.Decide():
            return replace(end, tick=statements(end.tick, r))
        case n.Choose():
            return replace(end, source=r(end.source), tick=statements(end.tick, r))
        case n.Chance():
            return replace(end, over=r(end.over), weight=r(end.weight))
        case n.End():
            return replace(end, payoff=tuple(r(e) for e in end.payoff))
        case _:
            return end
