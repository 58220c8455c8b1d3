"""Expressions of the Core as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.core.nodes import (
    AfterE,
    Arranged,
    Assign,
    CallF,
    Check,
    Closure,
    Cond,
    Const,
    Convert,
    CoreStmt,
    Effect,
    Expr,
    Fail,
    Flood,
    ForS,
    Get,
    IfS,
    LetE,
    LetS,
    Load,
    Lookup,
    Loop,
    Noted,
    NoteS,
    Op1,
    Op2,
    PopS,
    PushS,
    Reset,
    SomeMove,
    StackOp,
    StopS,
    Var,
)

if TYPE_CHECKING:
    from gamedsl.core.printer import Names

INFIX = {
    "and": "and", "or": "or", "eq": "=", "ne": "!=", "lt": "<", "le": "<=", "in": "in", "within": "within",
    "disjoint": "disjoint", "union": "|", "meet": "&", "minus": "-", "add": "+", "sub": "-", "mul": "*", "div": "div",
    "mod": "mod",
}  # fmt: skip


def expression_text(n: Names, e: Expr) -> str:
    """One line; brackets around every operation."""
    match e:
        case Const():
            return n.constant(e)
        case Load(local=local):
            return n.local(local)
        case Get():
            return place_text(n, e.var, e.keys)
        case Lookup():
            return f"{n.table(e.table)}({texts(n, e.keys)})"
        case Op1():
            return f"{e.op}({expression_text(n, e.operand)})"
        case Op2():
            return _op2(n, e)
        case Fail():
            return f"fail({e.message!r})"
        case Convert():
            return f"({expression_text(n, e.operand)} as {n.type(e.type)})"
        case Cond():
            return f"(if {expression_text(n, e.condition)} then {expression_text(n, e.then)} else {expression_text(n, e.otherwise)})"
        case LetE():
            value = expression_text(n, e.value)
            return f"(let {n.local(e.local)} = {value} in {expression_text(n, e.body)})"
        case Loop():
            over = expression_text(n, e.over)
            name = n.local(e.local)
            where = "" if e.condition is None else f" if {expression_text(n, e.condition)}"
            return f"({e.kind} {name} in {over}{where}: {expression_text(n, e.body)})"
        case CallF():
            return f"{n.function(e.function)}({texts(n, e.args)})"
        case StackOp():
            place = place_text(n, e.var, e.keys)
            return f"{e.op}({place})" if e.level is None else f"{e.op}({place}, {expression_text(n, e.level)})"
        case Noted():
            return f"noted({n.variable(e.history)}: {texts(n, e.position)})"
        case Arranged():
            return f"{e.relation}({', '.join([n.variable(e.var), *(expression_text(n, a) for a in e.args)])})"
        case Flood():
            return f"flood({expression_text(n, e.start)} within {expression_text(n, e.within)} by {n.table(e.table)})"
        case Closure():
            return f"(closure of {expression_text(n, e.start)} by {n.local(e.local)}: {expression_text(n, e.step)})"
        case AfterE():
            return _after(n, e)
        case SomeMove():
            return _some_move(n, e)


def texts(n: Names, es: tuple[Expr, ...]) -> str:
    return ", ".join(expression_text(n, e) for e in es)


def place_text(n: Names, var: Var, keys: tuple[Expr, ...]) -> str:
    """A variable, with its keys."""
    return f"{n.variable(var)}[{texts(n, keys)}]" if keys else n.variable(var)


def _op2(n: Names, e: Op2) -> str:
    a, b = expression_text(n, e.left), expression_text(n, e.right)
    return f"({a} {INFIX[e.op]} {b})" if e.op in INFIX else f"{e.op}({a}, {b})"


def _after(n: Names, e: AfterE) -> str:
    move = "waiting" if e.schema is None else f"{n.program.schemas[e.schema].name}#{e.schema}({texts(n, e.args)})"
    return f"(after {inline(n, e.tick)}{move}{inline(n, e.passed)}: {expression_text(n, e.body)})"


def _some_move(n: Names, e: SomeMove) -> str:
    mover = expression_text(n, e.mover)
    branches = []
    for b in e.branches:
        names = ", ".join(n.local(x) for x in (b.me, *b.params))
        branches.append(f"{n.program.schemas[b.schema].name}#{b.schema}({names}): {expression_text(n, b.body)}")
    word = "legal" if e.legal else "attempted"
    return f"({e.kind} {word} move of {mover} {inline(n, e.tick)}{' | '.join(branches)})"


# -------------------------------------------------------------------------------------------------- statements


def statements(n: Names, stmts: tuple[CoreStmt, ...]) -> list[str]:
    """The lines of a list of statements."""
    return [line for s in stmts for line in statement(n, s)]


def inline(n: Names, stmts: tuple[CoreStmt, ...]) -> str:
    """A list of statements inside an expression, in square brackets."""
    return f"[{'; '.join(line.strip() for line in statements(n, stmts))}] " if stmts else ""


def indented(n: Names, stmts: tuple[CoreStmt, ...]) -> list[str]:
    return [f"  {line}" for line in statements(n, stmts)]


def statement(n: Names, s: CoreStmt) -> list[str]:
    match s:
        case Assign():
            return [f"{place_text(n, s.var, s.keys)} := {expression_text(n, s.value)}"]
        case Reset():
            return [f"reset {n.variable(s.var)}"]
        case LetS():
            value = expression_text(n, s.value)
            return [f"let {n.local(s.local)} = {value}"]
        case IfS():
            lines = [f"if {expression_text(n, s.condition)}", *indented(n, s.then)]
            return [*lines, "else", *indented(n, s.otherwise)] if s.otherwise else lines
        case ForS():
            over = expression_text(n, s.over)
            return [f"for {n.local(s.local)} in {over}", *indented(n, s.body)]
        case StopS():
            return ["stop"]
        case Check():
            return [f"check {expression_text(n, s.condition)}{n.explained(s.message)}"]
        case PushS():
            return [f"push {expression_text(n, s.value)} on {place_text(n, s.var, s.keys)}"]
        case PopS():
            return [f"pop {place_text(n, s.var, s.keys)}"]
        case NoteS():
            return [f"note {texts(n, s.position)} in {n.variable(s.history)}"]
        case Effect():
            return [f"do {n.program.schemas[s.schema].name}#{s.schema}({texts(n, s.args)})"]
