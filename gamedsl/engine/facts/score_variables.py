"""The scores that a look shows: numbers by player to which the rules only add."""

from __future__ import annotations

from gamedsl.language.core import all_statements, written
from gamedsl.language.core import nodes as n


def score_variables(program: n.Program) -> tuple[n.Var, ...]:
    """The numbers by player that the looks show beside the board, and that the rules only reset or add to."""
    found: dict[int, n.Var] = {}
    for part in program.parts:
        for mark in part.looks:
            match mark.what:
                case n.Get(var=n.Var(type=n.IntT(), keys=(domain,)) as var) if mark.kind == "beside":
                    if domain in (part.players, program.players):
                        found[var.index] = var
    for s in all_statements(program):
        changed = written(s)
        is_added = isinstance(s, n.Assign) and added_number(s) is not None
        if changed is not None and not is_added and not isinstance(s, n.Reset):
            found.pop(changed.index, None)
    return tuple(found.values())


def added_number(s: n.Assign) -> n.Expr | None:
    """The amount that a statement adds to its variable; None if it does something else."""
    value = s.value.operand if isinstance(s.value, n.Convert) else s.value
    match value:
        case n.Op2(op="add", left=n.Get(var=var, keys=keys), right=right) if var == s.var and keys == s.keys:
            return right
        case _:
            return None
