"""Expressions of the Core as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.core.nodes import (
    AfterE,
    Arranged,
    CallF,
    Cond,
    Const,
    Convert,
    Expr,
    Flood,
    Get,
    LetE,
    Load,
    Lookup,
    Loop,
    Noted,
    Op1,
    Op2,
    SomeMove,
    StackOp,
    Var,
)

if TYPE_CHECKING:
    from gamedsl.core.printer import Names

INFIX = {
    "and": "and", "or": "or", "eq": "=", "ne": "!=", "lt": "<", "le": "<=", "in": "in", "within": "within",
    "disjoint": "disjoint", "union": "|", "meet": "&", "minus": "-", "add": "+", "sub": "-", "mul": "*", "div": "div",
    "mod": "mod",
}  # fmt: skip


def text(n: Names, e: Expr) -> str:
    """One line; brackets around every operation."""
    match e:
        case Const():
            return n.constant(e)
        case Load(local=local):
            return n.local(local)
        case Get():
            return place(n, e.var, e.keys)
        case Lookup():
            return f"{n.table(e.table)}({texts(n, e.keys)})"
        case Op1():
            return f"{e.op}({text(n, e.operand)})"
        case Op2():
            return _op2(n, e)
        case Convert():
            return f"({text(n, e.operand)} as {n.type(e.type)})"
        case Cond():
            return f"(if {text(n, e.condition)} then {text(n, e.then)} else {text(n, e.otherwise)})"
        case LetE():
            value = text(n, e.value)
            return f"(let {n.local(e.local)} = {value} in {text(n, e.body)})"
        case Loop():
            over = text(n, e.over)
            name = n.local(e.local)
            where = "" if e.condition is None else f" if {text(n, e.condition)}"
            return f"({e.kind} {name} in {over}{where}: {text(n, e.body)})"
        case CallF():
            return f"{n.function(e.function)}({texts(n, e.args)})"
        case StackOp():
            return f"{e.op}({place(n, e.var, e.keys)})"
        case Noted():
            return f"noted({n.variable(e.history)}: {texts(n, e.position)})"
        case Arranged():
            return f"{e.relation}({', '.join([n.variable(e.var), *(text(n, a) for a in e.args)])})"
        case Flood():
            return f"flood({text(n, e.start)} within {text(n, e.within)} by {n.table(e.table)})"
        case AfterE():
            return _after(n, e)
        case SomeMove():
            return _some_move(n, e)


def texts(n: Names, es: tuple[Expr, ...]) -> str:
    return ", ".join(text(n, e) for e in es)


def place(n: Names, var: Var, keys: tuple[Expr, ...]) -> str:
    """A variable, with its keys."""
    return f"{n.variable(var)}[{texts(n, keys)}]" if keys else n.variable(var)


def _op2(n: Names, e: Op2) -> str:
    a, b = text(n, e.left), text(n, e.right)
    return f"({a} {INFIX[e.op]} {b})" if e.op in INFIX else f"{e.op}({a}, {b})"


def _after(n: Names, e: AfterE) -> str:
    from gamedsl.core.print_blocks import inline

    move = "waiting" if e.schema is None else f"{n.program.schemas[e.schema].name}#{e.schema}({texts(n, e.args)})"
    return f"(after {inline(n, e.tick)}{move}{inline(n, e.passed)}: {text(n, e.body)})"


def _some_move(n: Names, e: SomeMove) -> str:
    from gamedsl.core.print_blocks import inline

    mover = text(n, e.mover)
    branches = []
    for b in e.branches:
        names = ", ".join(n.local(x) for x in (b.me, *b.params))
        branches.append(f"{n.program.schemas[b.schema].name}#{b.schema}({names}): {text(n, b.body)}")
    word = "legal" if e.legal else "attempted"
    return f"({e.kind} {word} move of {mover} {inline(n, e.tick)}{' | '.join(branches)})"
