"""Applies a rewrite of expressions to a whole program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.core import statement_exprs
from gamedsl.core.nodes import (
    Bind,
    Block,
    BranchT,
    Chance,
    Choose,
    CoreStmt,
    Decide,
    End,
    Expr,
    ForS,
    IfS,
    LetS,
    Program,
    Schema,
    Terminator,
    Test,
)
from gamedsl.native.analysis.constant_tables import tabulate
from gamedsl.native.transform.inline import with_exprs
from gamedsl.native.transform.narrow_quantifiers import narrow_quantifiers
from gamedsl.native.transform.ray_floods import flood_rays

Rewrite = Callable[[Expr], Expr]


def narrow_functions(program: Program) -> Program:
    """Narrows quantifiers in functions."""
    functions = tuple(
        replace(f, body=tabulate(flood_rays(narrow_quantifiers(tabulate(f.body))))) for f in program.functions
    )
    return replace(program, functions=functions)


def rewrite_expressions(program: Program, r: Rewrite) -> Program:
    """Rewrites every expression outside plans and functions."""
    schemas = tuple(_schema(s, r) for s in program.schemas)
    return replace(program, schemas=schemas, blocks=tuple(_block(b, r) for b in program.blocks))


def rewrite_everywhere(program: Program, r: Rewrite) -> Program:
    """Rewrites every expression outside functions, including those in plans."""
    ready = rewrite_expressions(program, r)
    schemas = tuple(replace(s, plan=tuple(_step(x, r) for x in s.plan)) for s in ready.schemas)
    return replace(ready, schemas=schemas)


def _step(x: Bind | Test, r: Rewrite) -> Bind | Test:
    return Bind(x.param, r(x.over)) if isinstance(x, Bind) else Test(r(x.condition))


def _schema(s: Schema, r: Rewrite) -> Schema:
    return replace(s, effect=statements(s.effect, r))


def _block(b: Block, r: Rewrite) -> Block:
    return replace(b, statements=statements(b.statements, r), end=_end(b.end, r))


def statements(stmts: tuple[CoreStmt, ...], r: Rewrite) -> tuple[CoreStmt, ...]:
    return tuple(_statement(s, r) for s in stmts)


def _statement(s: CoreStmt, r: Rewrite) -> CoreStmt:
    new = tuple(r(e) for e in statement_exprs(s))
    match s:
        case LetS():
            return replace(s, value=new[0])
        case IfS():
            return replace(s, condition=new[0], then=statements(s.then, r), otherwise=statements(s.otherwise, r))
        case ForS():
            return replace(s, over=new[0], body=statements(s.body, r))
        case _:
            return with_exprs(s, new)


def _end(end: Terminator, r: Rewrite) -> Terminator:
    match end:
        case BranchT():
            return replace(end, condition=r(end.condition))
        case Decide():
            return replace(end, tick=statements(end.tick, r))
        case Choose():
            return replace(end, source=r(end.source), tick=statements(end.tick, r))
        case Chance():
            return replace(end, over=r(end.over), weight=r(end.weight))
        case End():
            return replace(end, payoff=tuple(r(e) for e in end.payoff))
        case _:
            return end
