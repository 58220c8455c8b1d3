"""Detects loops whose iterations commute, so that their order does not matter."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import nodes as n
from gamedsl.language.core import statement_exprs, variables_read, walk, walk_statements, written


def rounds_commute(program: n.Program, loop: n.ForS) -> bool:
    """Whether every iteration writes only its own slots, and reads nothing that another iteration writes."""
    inside = list(walk_statements(loop.body))
    if not all(s.confined for s in inside):
        return False
    touched = {var.index for s in inside if (var := written(s)) is not None}
    own: dict[int, set[int]] = {}  # for each written variable, the key positions that always hold the loop element
    for index, keys in _accesses(program, inside):
        places = {i for i, k in enumerate(keys) if isinstance(k, n.Load) and k.local == loop.local}
        own[index] = own.get(index, places) & places
    return all(own[index] for index in touched)


def _accesses(program: n.Program, stmts: list[n.CoreStmt]) -> Iterator[tuple[int, tuple[n.Expr, ...]]]:
    """Yields the variables read or written, with their keys; no keys if they are unknown."""
    for s in stmts:
        var = written(s)
        if var is not None:
            yield var.index, getattr(s, "keys", ())
        for e in statement_exprs(s):
            yield from _reads(program, e)


def _reads(program: n.Program, e: n.Expr) -> Iterator[tuple[int, tuple[n.Expr, ...]]]:
    for x in walk(e):
        match x:
            case n.Get(var, keys) | n.StackOp(var=var, keys=keys):
                yield var.index, keys
            case _ if x.reads_state:
                yield from ((index, ()) for index in variables_read(program, x))
