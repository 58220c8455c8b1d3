"""Blocks and their terminators as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.core import nodes as n
from gamedsl.language.core.constant_folding import limits
from gamedsl.language.core.print_expressions import expression_text, indented, place_text, statements, texts

if TYPE_CHECKING:
    from gamedsl.language.core.print_names import Names


def block_text(names: Names, b: n.Block) -> list[str]:
    """Returns the lines of a block with its statements and its end."""
    phase = f" {b.phase}" if b.phase else ""
    head = f"block {b.index} (part {b.part}{phase}){names.explained('', b.clauses)}"
    return [head, *indented(names, b.statements), *(f"  {line}" for line in terminator(names, b.end))]


def _alternative(names: Names, a: n.Alt) -> str:
    registers = f" into {', '.join(names.variable(v) for v in a.registers)}" if a.registers else ""
    return f"  {names.program.schemas[a.schema].name}#{a.schema} -> {a.target}{registers}"


def _tick(names: Names, tick: tuple[n.CoreStmt, ...]) -> list[str]:
    return ["  tick", *(f"    {line}" for line in statements(names, tick))] if tick else []


def terminator(names: Names, t: n.Terminator) -> list[str]:
    match t:
        case n.Goto():
            return [f"go to {t.target}"]
        case n.BranchT():
            return [f"branch {expression_text(names, t.condition)} -> {t.yes} else {t.no}"]
        case n.Decide():
            lines = [
                f"decide {expression_text(names, t.seat)} as {expression_text(names, t.mover)}",
                *(_alternative(names, a) for a in t.alternatives),
            ]
            lines += [f"  stuck -> {t.stuck}"] if t.stuck is not None else []
            lines += [f"  pass -> {t.may_pass}"] if t.may_pass is not None else []
            return [*lines, *_tick(names, t.tick)]
        case n.DecideTogether():
            head = f"decide together {expression_text(names, t.movers)} of seats {texts(names, t.seats)} -> {t.target}"
            return [head, *(_alternative(names, a) for a in t.alternatives), *_tick(names, t.tick)]
        case n.Choose():
            who = f"{expression_text(names, t.seat)} as {expression_text(names, t.mover)}"
            what = f"{place_text(names, t.var, t.keys)} from {expression_text(names, t.source)} ({' | '.join(t.names)})"
            return [f"choose {who}: {what} -> {t.target}", *_tick(names, t.tick)]
        case n.Chance():
            over = expression_text(names, t.over)
            weight = f"{names.local(t.local)} in {over} by {expression_text(names, t.weight)}"
            return [f"chance {t.what} {names.variable(t.result)}: {weight} ({' | '.join(t.names)}) -> {t.target}"]
        case n.DecideDrawing():
            who = f"{expression_text(names, t.seat)} as {expression_text(names, t.mover)}"
            return [
                f"draw {who}: {', '.join(t.strokes)} in {names.variable(t.var)} -> {t.target}",
                *_tick(names, t.tick),
            ]
        case n.End():
            scores = f" scores {texts(names, t.scores)}" if t.scores else ""
            return [
                f"end winners {expression_text(names, t.winners)} payoff {texts(names, t.payoff)}{_unit(names, t)}{scores}"
            ]


def _unit(names: Names, t: n.End) -> str:
    """Returns the text that earlier versions printed after payoffs, on which their digests depend."""
    if not names.former:
        return ""
    scored = [limits(e.type) for e in t.payoff] if t.payoff == t.scores else []
    return f" in units of {max((abs(x) for pair in scored for x in pair), default=1) or 1}"
