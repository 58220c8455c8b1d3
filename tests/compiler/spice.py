"""Well-typed changes to programs: they reach forms of the Core that texts rarely or never produce."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

from gamedsl.language.core.enumeration_plan import make_plan
from gamedsl.language.core.nodes import (
    Assign,
    Block,
    Cond,
    Const,
    CoreStmt,
    Effect,
    ElemT,
    Expr,
    ForS,
    IfS,
    IntT,
    LetE,
    LetS,
    Load,
    Local,
    Loop,
    Op1,
    Op2,
    Program,
    Schema,
    SetT,
    SomeMove,
)
from gamedsl.language.core.traverse import map_children
from gamedsl.language.rules.types import BOOL, NO, YES

FIRST_LOCAL = 50_000_000


class Spice:
    """Rewrites expressions here and there; most rewritings keep the meaning."""

    def __init__(self, program: Program, rng: Random, percent: int = 25) -> None:
        self.program, self.rng, self.percent = program, rng, percent
        self.ids = count(FIRST_LOCAL)

    def now(self) -> bool:
        return self.rng.randrange(100) < self.percent

    def expr(self, e: Expr) -> Expr:
        e = map_children(e, self.expr)
        if not self.now():
            return e
        match e:
            case Loop(kind="some" | "count" | "filter", condition=None, body=Op2("and", a, b)):
                return replace(e, condition=a, body=b)
            case Loop(kind="sum" | "union", condition=None, body=Cond(c, a, Const(value=0))):
                return replace(e, condition=c, body=a)
            case Loop(kind="some" | "count" | "filter", condition=None, body=body) if not isinstance(body, Const):
                return replace(e, condition=body, body=YES)
            case Loop(kind="every", condition=None, body=body) if not isinstance(body, Const):
                return replace(e, condition=Op1("not", body, BOOL, span=e.span), body=NO)
            case SomeMove(kind="some"):
                number = IntT(0, 100_000)
                return Op2("le", Const(1, number), replace(e, kind="count", type=number), BOOL, span=e.span)
            case Op2(left=left) if not isinstance(left, Const | Load):
                local = Local(next(self.ids), "kept", left.type)
                return LetE(local, left, replace(e, left=Load(local)), span=e.span)
            case Cond(condition, then, otherwise):
                local = Local(next(self.ids), "asked", condition.type)
                return LetE(local, condition, Cond(Load(local), then, otherwise, e.type), span=e.span)
        return e

    def stmts(self, body: tuple[CoreStmt, ...]) -> tuple[CoreStmt, ...]:
        return tuple(self.stmt(s) for s in body)

    def stmt(self, s: CoreStmt) -> CoreStmt:
        match s:
            case Assign(value=value):
                return replace(s, value=self.expr(value))
            case LetS(value=value):
                return replace(s, value=self.expr(value))
            case IfS(condition, then, otherwise):
                return replace(
                    s, condition=self.expr(condition), then=self.stmts(then), otherwise=self.stmts(otherwise)
                )
            case ForS(over=over, body=inner):
                return replace(s, over=self.expr(over), body=self.stmts(inner))
        return s

    def schema(self, s: Schema) -> Schema:
        guards = tuple(replace(g, condition=self.expr(g.condition)) for g in s.guards)
        forbids = tuple(replace(g, condition=self.expr(g.condition)) for g in s.forbids)
        params = tuple(replace(p, over=self.expr(p.over)) for p in s.params)
        plan = make_plan(params, guards, self.program.functions)
        return replace(s, guards=guards, forbids=forbids, params=params, plan=plan, effect=self.stmts(s.effect))

    def block(self, b: Block) -> Block:
        done = self.stmts(b.statements)
        mine = [s for s in self.program.schemas if not s.has_chance and s.part == b.part and self._fits(s)]
        if mine and self.rng.randrange(8) == 0:
            done = (*done, self._effect(self.rng.choice(mine)))
        return replace(b, statements=done)

    def _fits(self, s: Schema) -> bool:
        return all(isinstance(p.over, Const) and p.over.value for p in s.params)

    def _effect(self, s: Schema) -> Effect:
        """A move's effect as a statement, with arguments out of what its parameters range over."""
        args: list[Expr] = [Const(0, s.me.type)]
        for p in s.params:
            assert isinstance(p.over, Const) and isinstance(p.over.type, SetT)
            members = [i for i in range(p.over.value.bit_length()) if p.over.value >> i & 1]
            args.append(Const(self.rng.choice(members), ElemT(p.over.type.domain)))
        return Effect(s.index, tuple(args), span=s.span)

    def run(self) -> Program:
        functions = tuple(replace(f, body=self.expr(f.body)) for f in self.program.functions)
        schemas = tuple(self.schema(s) for s in self.program.schemas)
        return replace(
            self.program,
            functions=functions,
            schemas=schemas,
            blocks=tuple(self.block(b) for b in self.program.blocks),
        )


def spiced(program: Program, seed: int) -> Program:
    """The program with rarer forms in it; the same for the same seed."""
    return Spice(program, Random(seed)).run()


__all__ = ["spiced"]
