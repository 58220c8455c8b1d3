"""Look-ahead: the position after a move, and loops over moves, as functions on a copy of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamedsl.engine.translate.expressions import expr, exprs
from gamedsl.engine.translate.module_builder import ModuleBuilder, local_name
from gamedsl.engine.translate.statements import body
from gamedsl.language.core import free_locals
from gamedsl.language.core import nodes as n


def steps(u: ModuleBuilder, stmts: tuple[n.CoreStmt, ...], kind: str) -> str:
    """The name of the function that executes these statements; empty if there are none."""
    if not stmts:
        return ""
    name, new = u.once(kind, stmts)
    if new:
        u.function(name, [], body(u, stmts))
    return name


def after(u: ModuleBuilder, e: n.AfterE, depth: int) -> str:
    """A call ``after_7(s, me, c, other locals)``: the function makes the ply in a copy of the state and returns the
    value of the body there."""
    name = u.fresh("after")
    args = [f"a{i}" for i in range(len(e.args))]
    outer = [local_name(x) for x in free_locals(e.body).values()]
    lines = ["s = list(s)"]
    if e.tick:
        lines.append(f"{steps(u, e.tick, 'tick')}(s)")
    if e.schema is not None:
        lines.append(f"effect_{e.schema}({', '.join(['s', *args])})")
    if e.passed:
        lines.append(f"{steps(u, e.passed, 'passed')}(s)")
    lines.append(f"return {expr(u, e.body)}")
    u.function(name, [*args, *outer], lines)
    return f"{name}({', '.join(['s', *exprs(u, e.args, depth), *outer])})"


def some_move(u: ModuleBuilder, e: n.SomeMove, depth: int) -> str:
    """A call ``some_9(s, mover, other locals)``: the function tries every move of every alternative, until the answer
    is known."""
    name = u.fresh({"some": "some", "every": "every", "count": "count"}[e.kind])
    free: dict[int, n.Local] = {}
    for b in e.branches:
        own = {b.me.id, *(p.id for p in b.params)}
        free |= {i: x for i, x in free_locals(b.body).items() if i not in own}
    outer = [local_name(free[i]) for i in sorted(free)]
    tick = steps(u, e.tick, "tick") or "None"
    lines = ["total = 0"] if e.kind == "count" else []
    for b in e.branches:
        lines.extend(_branch(u, e, b, tick))
    lines.append({"some": "return False", "every": "return True", "count": "return total"}[e.kind])
    u.function(name, ["mover", *outer], lines)
    return f"{name}({', '.join(['s', expr(u, e.mover, depth), *outer])})"


def _branch(u: ModuleBuilder, e: n.SomeMove, b: n.MoveBranch, tick: str) -> list[str]:
    names = [local_name(p) for p in b.params]
    moves = f"legal_{b.schema}(s, mover, {tick})" if e.legal else f"attempts_{b.schema}(s, mover)"
    unpacked = ", ".join(names) + ("," if len(names) == 1 else "") if names else "_"
    answer = expr(u, b.body)
    verdict = {
        "some": f"if {answer}: return True",
        "every": f"if not {answer}: return False",
        "count": f"total += {answer}",
    }
    return [f"{local_name(b.me)} = mover", f"for {unpacked} in {moves}:", f"    {verdict[e.kind]}"]


LOOK_AHEAD: dict[type[Any], Callable[[ModuleBuilder, Any, int], str]] = {n.AfterE: after, n.SomeMove: some_move}
