"""Statements of the Core -> lines of Python that change the state ``s`` in place. They return True if the effect was
stopped."""

from __future__ import annotations

from gamedsl.engine.translate.expressions import as_int, expr, exprs, members
from gamedsl.engine.translate.module_builder import ModuleBuilder, local_name
from gamedsl.engine.values import first_value
from gamedsl.language.core import free_locals, inner_statements, statement_exprs
from gamedsl.language.core import nodes as n

DEEPEST = 10  # statements nested deeper than this move to a function of their own (Python nests at most 20 loops)


def body(u: ModuleBuilder, stmts: tuple[n.CoreStmt, ...], depth: int = 0) -> list[str]:
    """The lines of a list of statements."""
    lines: list[str] = []
    for s in stmts:
        lines.extend(statement(u, s, depth))
    return lines


def statement(u: ModuleBuilder, s: n.CoreStmt, depth: int) -> list[str]:
    match s:
        case n.Assign():
            return [f"{_slot(u, s.var, s.keys)} = {as_int(u, s.value)}"]
        case n.Reset():
            return [reset(u, s.var)]
        case n.LetS():
            return [f"{local_name(s.local)} = {as_int(u, s.value)}"]
        case n.IfS():
            lines = [f"if {expr(u, s.condition)}:", *indented(u, s.then, depth)]
            return [*lines, "else:", *indented(u, s.otherwise, depth)] if s.otherwise else lines
        case n.ForS():
            head = f"for {local_name(s.local)} in {members(u, s.over, s.local.type, 0)}:"
            return [head, *indented(u, s.body, depth)]
        case n.StopS():
            return ["return True"]
        case n.Check():
            return [f"if not {expr(u, s.condition)}: fail({s.message!r}, {u.place(s.span)})"]
        case n.PushS():
            assert isinstance(s.var.type, n.StackT)
            slot = _slot(u, s.var, s.keys)
            return [f"{slot} = pushed({slot}, {as_int(u, s.value)}, {s.var.type.limit}, {u.place(s.span)})"]
        case n.PopS():
            slot = _slot(u, s.var, s.keys)
            return [f"{slot} = popped({slot}, {u.place(s.span)})"]
        case n.NoteS():
            slot = _slot(u, s.history, ())
            position = "".join(f"{as_int(u, p)}, " for p in s.position)
            return [f"{slot} = {slot}.plus(({position}))"]
        case n.Effect():
            return [f"effect_{s.schema}({', '.join(['s', *exprs(u, s.args, 0)])})"]


def _slot(u: ModuleBuilder, var: n.Var, keys: tuple[n.Expr, ...]) -> str:
    return u.slot(var, keys, exprs(u, keys, 0))


def reset(u: ModuleBuilder, var: n.Var) -> str:
    """The line that resets all slots of a variable to their initial values."""
    start, end = u.offsets[var.index], u.offsets[var.index + 1]
    values = tuple(first_value(var.type, i) for i in var.initial)
    if end - start == 1 and isinstance(values[0], int):
        return f"s[{start}] = {values[0]}"
    return f"s[{start}:{end}] = {u.constant('first', ('first', var.index), values)}"


def indented(u: ModuleBuilder, stmts: tuple[n.CoreStmt, ...], depth: int) -> list[str]:
    """The lines inside a compound statement."""
    if not stmts:
        return ["    pass"]
    if depth < DEEPEST:
        return ["    " + line for line in body(u, stmts, depth + 1)]
    names = [local_name(x) for x in free_in(stmts).values()]
    name = u.fresh("part")
    u.function(name, names, body(u, stmts))
    return [f"    if {name}({', '.join(['s', *names])}): return True"]


def free_in(stmts: tuple[n.CoreStmt, ...]) -> dict[int, n.Local]:
    """The locals that statements use and do not bind, in the order of their ids."""
    used: dict[int, n.Local] = {}
    bound: set[int] = set()
    for s in stmts:
        found: dict[int, n.Local] = {}
        for e in statement_exprs(s):
            found |= free_locals(e)
        inside = free_in(inner_statements(s))
        if isinstance(s, n.ForS):
            inside.pop(s.local.id, None)
        used |= {i: x for i, x in (found | inside).items() if i not in bound}
        if isinstance(s, n.LetS):
            bound.add(s.local.id)
    return dict(sorted(used.items()))
