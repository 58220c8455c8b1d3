"""State that the rules imply: the turn counter, noted positions, and phases that claims mention."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.lowering import constant, lower_number
from gamedsl.language.rules.expressions.primitives import turn_offset
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import VarSym
from gamedsl.language.source import Label
from gamedsl.language.syntax import ast, walk

LONGEST_CYCLE = 10_000  # turns


def declare_counters(env: Env) -> None:
    """Declares the counter ``turn`` up to the greatest number that the rules compare it with, the noted positions, and
    the phases that claims mention (as variables).
    """
    top, cycle = 0, 1
    own = tuple(d for d in env.decls if not isinstance(d, ast.PartDecl | ast.InPartDecl))
    for node in env.nodes_of(ast.Binary, ast.NotePosition):
        match node:
            case ast.Binary("mod", left, right) if turn_offset(left) is not None:
                cycle = _common_multiple(env, cycle, right)
            case ast.Binary(op, left, right) if op in ("=", "!=", "<", "<=", ">", ">="):
                for side, other in ((left, right), (right, left)):
                    if isinstance(side, ast.Ref) and side.name == "turn":
                        top = max(top, _highest(env, other))
            case ast.NotePosition(what, more):
                if env.noting not in ("", what):
                    env.report.add("E0370", node.span)
                    env.failed = True
                env.noting = what
                _declare_noted(env, more)
                if env.history is None:
                    env.history = env.program.variable(env.index, "positions", n.HistoryT(), role="state")
            case _:
                pass
    mentioned = any(isinstance(node, ast.Ref) and node.name == "turn" for node in env.nodes_of(ast.Ref))
    for mention, reached_by in _early_mentions(own) if mentioned else ():
        env.report.add("E0230", mention.span, labels=reached_by)
        env.failed = True
    asked = {d.phase.id for d in own if isinstance(d, ast.ClaimDecl) and d.phase is not None}
    for name in sorted(asked & {part.name.id for part in env.nodes_of(ast.Phase) if isinstance(part, ast.Phase)}):
        env.phases[name] = env.program.variable(env.index, f"phase {name}", ty.BOOL)
    if (top or cycle > 1) and env.nodes_of(ast.Turns):
        env.turn_cycle = cycle
        env.turn = env.program.variable(env.index, "turn", n.IntT(1, top + cycle), initial=1, role="state")


def _early_mentions(own: tuple[object, ...]) -> Iterator[tuple[ast.Ref, tuple[Label, ...]]]:
    """Yields each mention of ``turn`` that the course of play reaches before its first turns, directly or through
    definitions, actions and moves, with the place that reaches it.
    """
    named = {d.name.id: d for d in own if isinstance(d, ast.NamedRule)}
    early: list[tuple[object, tuple[Label, ...]]] = [
        (part, ()) for d in own if isinstance(d, ast.PlayDecl) for part in _before_turns(d.body)
    ]
    while early:
        node, reached_by = early.pop(0)
        if isinstance(node, ast.Ref) and node.name == "turn":
            yield node, reached_by
        name = node.mention() if isinstance(node, ast.Node) else ""
        if isinstance(node, ast.Node) and name in named:
            label = Label(node.span, f"`{name}` is reached here")
            early += [(part, reached_by or (label,)) for part in walk(named.pop(name))]


def _before_turns(body: tuple[ast.Stmt, ...]) -> Iterator[object]:
    """Yields the nodes before the first turns of a body; nothing if it has none."""
    first = next((s for s in body if any(isinstance(node, ast.Turns) for node in walk(s))), None)
    if first is None:
        return
    for statement in body[: body.index(first)]:
        yield from walk(statement)
    if isinstance(first, ast.Phase):
        yield from _before_turns(first.body)


def _common_multiple(env: Env, cycle: int, e: ast.Expr) -> int:
    """Returns the least common multiple of a cycle and the divisor of ``turn``; an invalid divisor is reported, and
    the cycle returned unchanged.
    """
    try:
        number = constant(env, Ctx("option"), e, "the divisor of `turn`")
        if number < 1 or lcm(cycle, number) > LONGEST_CYCLE:
            env.report.fail("E0344", e.span, what="the divisor of `turn`", value=number)
    except Bail:
        env.failed = True
        return cycle
    return lcm(cycle, number)


def _declare_noted(env: Env, more: tuple[ast.Name, ...]) -> None:
    for name in more:
        symbol = env.symbols.get(name.id)
        if not isinstance(symbol, VarSym) or isinstance(symbol.var.type, n.StackT):
            env.report.add("E0369", name.span, name=name.id)
            env.failed = True
        elif symbol.var not in env.noted:
            env.used.add(name.id)
            env.noted.append(symbol.var)


def _highest(env: Env, e: ast.Expr) -> int:
    try:
        number = lower_number(env, Ctx("option"), e)
    except Bail:
        env.failed = True
        return 0
    assert isinstance(number.type, n.IntT)
    if number.type.high > 100_000:
        env.report.add("E0331", e.span, cure="")
        env.failed = True
        return 0
    return max(1, number.type.high)
