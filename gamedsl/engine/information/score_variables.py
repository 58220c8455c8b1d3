"""The scores that a look shows: numbers by player to which the rules only add."""

from __future__ import annotations

from gamedsl.core import all_statements, written
from gamedsl.core.nodes import Assign, Convert, Expr, Get, IntT, Op2, Program, Reset, Var


def score_variables(program: Program) -> tuple[Var, ...]:
    """The numbers by player that the looks show, and that never fall but when a part begins anew."""
    found: dict[int, Var] = {}
    for part in program.parts:
        for mark in part.looks:
            match mark.what:
                case Get(var=Var(type=IntT(), keys=(domain,)) as var) if mark.kind == "beside":
                    if domain in (part.players, program.players):
                        found[var.index] = var
    for s in all_statements(program):
        changed = written(s)
        is_added = isinstance(s, Assign) and added_number(s) is not None
        if changed is not None and not is_added and not isinstance(s, Reset):
            found.pop(changed.index, None)
    return tuple(found.values())


def added_number(s: Assign) -> Expr | None:
    """What is added, where a variable is increased."""
    value = s.value.operand if isinstance(s.value, Convert) else s.value
    match value:
        case Op2(op="add", left=Get(var=var, keys=keys), right=right) if var == s.var and keys == s.keys:
            return right
        case _:
            return None
