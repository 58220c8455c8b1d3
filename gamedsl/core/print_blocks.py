"""Blocks and their terminators as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.core.constant_folding import limits
from gamedsl.core.nodes import (
    Alt,
    Block,
    BranchT,
    Chance,
    Choose,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    End,
    Goto,
    Terminator,
)
from gamedsl.core.print_expressions import expression_text, indented, place_text, statements, texts

if TYPE_CHECKING:
    from gamedsl.core.printer import Names


def block_text(n: Names, b: Block) -> list[str]:
    """A block with its statements and its end."""
    phase = f" {b.phase}" if b.phase else ""
    head = f"block {b.index} (part {b.part}{phase}){n.explained('', b.clauses)}"
    return [head, *indented(n, b.statements), *(f"  {line}" for line in terminator(n, b.end))]


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
            return [f"branch {expression_text(n, t.condition)} -> {t.yes} else {t.no}"]
        case Decide():
            lines = [
                f"decide {expression_text(n, t.seat)} as {expression_text(n, t.mover)}",
                *(_alternative(n, a) for a in t.alternatives),
            ]
            lines += [f"  stuck -> {t.stuck}"] if t.stuck is not None else []
            lines += [f"  pass -> {t.may_pass}"] if t.may_pass is not None else []
            return [*lines, *_tick(n, t.tick)]
        case DecideTogether():
            head = f"decide together {expression_text(n, t.movers)} of seats {texts(n, t.seats)} -> {t.target}"
            return [head, *(_alternative(n, a) for a in t.alternatives), *_tick(n, t.tick)]
        case Choose():
            who = f"{expression_text(n, t.seat)} as {expression_text(n, t.mover)}"
            what = f"{place_text(n, t.var, t.keys)} from {expression_text(n, t.source)} ({' | '.join(t.names)})"
            return [f"choose {who}: {what} -> {t.target}", *_tick(n, t.tick)]
        case Chance():
            over = expression_text(n, t.over)
            weight = f"{n.local(t.local)} in {over} by {expression_text(n, t.weight)}"
            return [f"chance {t.what} {n.variable(t.result)}: {weight} ({' | '.join(t.names)}) -> {t.target}"]
        case DecideDrawing():
            who = f"{expression_text(n, t.seat)} as {expression_text(n, t.mover)}"
            return [f"draw {who}: {', '.join(t.strokes)} in {n.variable(t.var)} -> {t.target}", *_tick(n, t.tick)]
        case End():
            scores = f" scores {texts(n, t.scores)}" if t.scores else ""
            return [f"end winners {expression_text(n, t.winners)} payoff {texts(n, t.payoff)}{_unit(n, t)}{scores}"]


def _unit(n: Names, t: End) -> str:
    """What earlier versions printed after payoffs. Their digests depend on it."""
    if not n.former:
        return ""
    scored = [limits(e.type) for e in t.payoff] if t.payoff == t.scores else []
    return f" in units of {max((abs(x) for pair in scored for x in pair), default=1) or 1}"
