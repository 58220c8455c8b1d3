"""Expressions of the Core as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.core import nodes as n
from gamedsl.language.core.traverse import children

if TYPE_CHECKING:
    from gamedsl.language.core.print_names import Names

INFIX = {
    "and": "and", "or": "or", "eq": "=", "ne": "!=", "lt": "<", "le": "<=", "in": "in", "within": "within",
    "disjoint": "disjoint", "union": "|", "meet": "&", "minus": "-", "add": "+", "sub": "-", "mul": "*", "div": "div",
    "mod": "mod",
}  # fmt: skip


def expression_text(names: Names, e: n.Expr) -> str:
    """Returns an expression on one line, with brackets around every operation."""
    match e:
        case n.Const():
            return names.constant(e)
        case n.Load(local=local):
            return names.local(local)
        case n.Get():
            return place_text(names, e.var, e.keys)
        case n.Lookup():
            return f"{names.table(e.table)}({texts(names, e.keys)})"
        case n.Op1():
            return f"{e.op}({expression_text(names, e.operand)})"
        case n.Op2():
            return _op2(names, e)
        case n.Fail():
            return f"fail({e.message!r})"
        case n.Convert():
            return f"({expression_text(names, e.operand)} as {names.type(e.type)})"
        case n.Cond():
            condition, then, otherwise = (expression_text(names, x) for x in (e.condition, e.then, e.otherwise))
            return f"(if {condition} then {then} else {otherwise})"
        case n.LetE():
            value = expression_text(names, e.value)
            return f"(let {names.local(e.local)} = {value} in {expression_text(names, e.body)})"
        case n.Loop():
            over = expression_text(names, e.over)
            name = names.local(e.local)
            where = "" if e.condition is None else f" if {expression_text(names, e.condition)}"
            return f"({e.kind} {name} in {over}{where}: {expression_text(names, e.body)})"
        case n.CallF():
            return f"{names.function(e.function)}({texts(names, e.args)})"
        case n.StackOp():
            place = place_text(names, e.var, e.keys)
            return f"{e.op}({place})" if e.level is None else f"{e.op}({place}, {expression_text(names, e.level)})"
        case n.Noted():
            return f"noted({names.variable(e.history)}: {texts(names, e.position)})"
        case n.Arranged():
            return f"{e.relation}({', '.join([names.variable(e.var), *(expression_text(names, a) for a in e.args)])})"
        case n.Flood():
            return f"flood({expression_text(names, e.start)} within {expression_text(names, e.within)} by {names.table(e.table)})"
        case n.Closure():
            return f"(closure of {expression_text(names, e.start)} by {names.local(e.local)}: {expression_text(names, e.step)})"
        case n.AfterE():
            return _after(names, e)
        case n.SomeMove():
            return _some_move(names, e)
        case _:
            return f"{type(e).__name__}({texts(names, children(e))})"


def texts(names: Names, es: tuple[n.Expr, ...]) -> str:
    return ", ".join(expression_text(names, e) for e in es)


def place_text(names: Names, var: n.Var, keys: tuple[n.Expr, ...]) -> str:
    """Returns the text of a variable with its keys."""
    return f"{names.variable(var)}[{texts(names, keys)}]" if keys else names.variable(var)


def _op2(names: Names, e: n.Op2) -> str:
    a, b = expression_text(names, e.left), expression_text(names, e.right)
    return f"({a} {INFIX[e.op]} {b})" if e.op in INFIX else f"{e.op}({a}, {b})"


def _after(names: Names, e: n.AfterE) -> str:
    move = (
        "waiting" if e.schema is None else f"{names.program.schemas[e.schema].name}#{e.schema}({texts(names, e.args)})"
    )
    return f"(after {inline(names, e.tick)}{move}{inline(names, e.passed)}: {expression_text(names, e.body)})"


def _some_move(naming: Names, e: n.SomeMove) -> str:
    mover = expression_text(naming, e.mover)
    branches = []
    for b in e.branches:
        names = ", ".join(naming.local(x) for x in (b.me, *b.params))
        branches.append(
            f"{naming.program.schemas[b.schema].name}#{b.schema}({names}): {expression_text(naming, b.body)}"
        )
    word = "legal" if e.legal else "attempted"
    return f"({e.kind} {word} move of {mover} {inline(naming, e.tick)}{' | '.join(branches)})"


# -------------------------------------------------------------------------------------------------- statements


def statements(names: Names, stmts: tuple[n.CoreStmt, ...]) -> list[str]:
    """Returns the lines of a list of statements."""
    return [line for s in stmts for line in statement(names, s)]


def inline(names: Names, stmts: tuple[n.CoreStmt, ...]) -> str:
    """Returns a list of statements in square brackets, for use inside an expression."""
    return f"[{'; '.join(line.strip() for line in statements(names, stmts))}] " if stmts else ""


def indented(names: Names, stmts: tuple[n.CoreStmt, ...]) -> list[str]:
    return [f"  {line}" for line in statements(names, stmts)]


def statement(names: Names, s: n.CoreStmt) -> list[str]:
    match s:
        case n.Assign():
            return [f"{place_text(names, s.var, s.keys)} := {expression_text(names, s.value)}"]
        case n.Reset():
            return [f"reset {names.variable(s.var)}"]
        case n.LetS():
            value = expression_text(names, s.value)
            return [f"let {names.local(s.local)} = {value}"]
        case n.IfS():
            lines = [f"if {expression_text(names, s.condition)}", *indented(names, s.then)]
            return [*lines, "else", *indented(names, s.otherwise)] if s.otherwise else lines
        case n.ForS():
            over = expression_text(names, s.over)
            return [f"for {names.local(s.local)} in {over}", *indented(names, s.body)]
        case n.StopS():
            return ["stop"]
        case n.Check():
            return [f"check {expression_text(names, s.condition)}{names.explained(s.message)}"]
        case n.PushS():
            return [f"push {expression_text(names, s.value)} on {place_text(names, s.var, s.keys)}"]
        case n.PopS():
            return [f"pop {place_text(names, s.var, s.keys)}"]
        case n.NoteS():
            return [f"note {texts(names, s.position)} in {names.variable(s.history)}"]
        case n.Effect():
            return [f"do {names.program.schemas[s.schema].name}#{s.schema}({texts(names, s.args)})"]
