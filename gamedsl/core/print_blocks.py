"""Statements, blocks and their terminators as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.core.nodes import (
    Alt,
    Assign,
    Block,
    BranchT,
    Chance,
    Check,
    Choose,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    Effect,
    End,
    ForS,
    Goto,
    IfS,
    LetS,
    NoteS,
    PopS,
    PushS,
    Reset,
    StopS,
    Terminator,
)
from gamedsl.core.print_expr import place, text, texts

if TYPE_CHECKING:
    from gamedsl.core.printer import Names


def statements(n: Names, stmts: tuple[CoreStmt, ...]) -> list[str]:
    """The lines of a list of statements."""
    return [line for s in stmts for line in statement(n, s)]


def inline(n: Names, stmts: tuple[CoreStmt, ...]) -> str:
    """A list of statements inside an expression, in square brackets."""
    return f"[{'; '.join(line.strip() for line in statements(n, stmts))}] " if stmts else ""


def _indented(n: Names, stmts: tuple[CoreStmt, ...]) -> list[str]:
    return [f"  {line}" for line in statements(n, stmts)]


def statement(n: Names, s: CoreStmt) -> list[str]:
    match s:
        case Assign():
            return [f"{place(n, s.var, s.keys)} := {text(n, s.value)}"]
        case Reset():
            return [f"reset {n.variable(s.var)}"]
        case LetS():
            value = text(n, s.value)
            return [f"let {n.local(s.local)} = {value}"]
        case IfS():
            lines = [f"if {text(n, s.condition)}", *_indented(n, s.then)]
            return [*lines, "else", *_indented(n, s.otherwise)] if s.otherwise else lines
        case ForS():
            over = text(n, s.over)
            return [f"for {n.local(s.local)} in {over}", *_indented(n, s.body)]
        case StopS():
            return ["stop"]
        case Check():
            return [f"check {text(n, s.condition)}{n.explained(s.message)}"]
        case PushS():
            return [f"push {text(n, s.value)} on {place(n, s.var, s.keys)}"]
        case PopS():
            return [f"pop {place(n, s.var, s.keys)}"]
        case NoteS():
            return [f"note {texts(n, s.position)} in {n.variable(s.history)}"]
        case Effect():
            return [f"do {n.program.schemas[s.schema].name}#{s.schema}({texts(n, s.args)})"]


def block_text(n: Names, b: Block) -> list[str]:
    """A block with its statements and its end."""
    phase = f" {b.phase}" if b.phase else ""
    head = f"block {b.index} (part {b.part}{phase}){n.explained('', b.clauses)}"
    return [head, *_indented(n, b.statements), *(f"  {line}" for line in terminator(n, b.end))]


def _alternative(n: Names, a: Alt) -> str:
    registers = f" into {', '.join(n.variable(v) for v in a.registers)}" if a.registers else ""
    return f"  {n.program.schemas[a.schema].name}#{a.schema} -> {a.target}{registers}"


def _tick(n: Names, tick: tuple[CoreStmt, ...]) -> list[str]:
    return ["  tick", *(f"    {line}" for line in statements(n, tick))] if tick else []


def terminator(n: Names, t: Terminator) -> list[str]:
    match t:
        case Goto():
            return [f"go to {t.target}"]
        case BranchT():
            return [f"branch {text(n, t.condition)} -> {t.yes} else {t.no}"]
        case Decide():
            lines = [f"decide {text(n, t.seat)} as {text(n, t.mover)}", *(_alternative(n, a) for a in t.alternatives)]
            lines += [f"  stuck -> {t.stuck}"] if t.stuck is not None else []
            lines += [f"  pass -> {t.may_pass}"] if t.may_pass is not None else []
            return [*lines, *_tick(n, t.tick)]
        case DecideTogether():
            head = f"decide together {text(n, t.movers)} of seats {texts(n, t.seats)} -> {t.target}"
            return [head, *(_alternative(n, a) for a in t.alternatives), *_tick(n, t.tick)]
        case Choose():
            who = f"{text(n, t.seat)} as {text(n, t.mover)}"
            what = f"{place(n, t.var, t.keys)} from {text(n, t.source)} ({' | '.join(t.names)})"
            return [f"choose {who}: {what} -> {t.target}", *_tick(n, t.tick)]
        case Chance():
            over = text(n, t.over)
            weight = f"{n.local(t.local)} in {over} by {text(n, t.weight)}"
            return [f"chance {t.what} {n.variable(t.result)}: {weight} ({' | '.join(t.names)}) -> {t.target}"]
        case DecideDrawing():
            who = f"{text(n, t.seat)} as {text(n, t.mover)}"
            return [f"draw {who}: {', '.join(t.strokes)} in {n.variable(t.var)} -> {t.target}", *_tick(n, t.tick)]
        case End():
            scores = f" scores {texts(n, t.scores)}" if t.scores else ""
            return [f"end winners {text(n, t.winners)} payoff {texts(n, t.payoff)} in units of {t.unit}{scores}"]
