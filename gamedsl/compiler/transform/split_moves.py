"""Moves of which one case is a few masks, as two alternatives.

    move step: bind from in men | kings; bind to in (if from in kings then beyond(from) else ahead(from)) - taken
    →
    move step: bind from in kings; bind to in beyond(from) - taken
    move step: bind from in men - kings; bind to in ahead(from) - taken         (shifted masks, see hop_masks.py)

Both have the same effect, in which the case is known as long as nothing has changed it.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.transform.hop_masks import few_masks
from gamedsl.compiler.transform.lift_plans import lift_plan
from gamedsl.language.core import can_fail, fold, free_locals, replace_expr, walk, walk_statements, written
from gamedsl.language.core import nodes as n

Steps = tuple[n.Bind | n.Test, ...]


def split_moves(program: n.Program) -> n.Program:
    """Splits the alternatives of all decisions, where that gives masks."""
    schemas, blocks = list(program.schemas), []
    for b in program.blocks:
        if isinstance(b.end, n.Decide):
            alternatives: list[n.Alt] = []
            for a in b.end.alternatives:
                cases = _cases(schemas[a.schema])
                if cases is None:
                    alternatives.append(a)
                    continue
                for case, index in zip(cases, (a.schema, len(schemas)), strict=True):
                    schemas[index : index + 1] = [replace(case, index=index)]
                    alternatives.append(replace(a, schema=index))
            b = replace(b, end=replace(b.end, alternatives=tuple(alternatives)))
        blocks.append(b)
    return replace(program, blocks=tuple(blocks), schemas=tuple(schemas))


def _cases(s: n.Schema) -> tuple[n.Schema, n.Schema] | None:
    """The schema with a condition on its first parameter that holds, and that does not hold."""
    binds = [i for i, step in enumerate(s.plan) if isinstance(step, n.Bind)]
    if len(s.params) != 2 or len(binds) != 2 or few_masks(replace(s, plan=lift_plan(s, s.plan))):
        return None
    first = s.plan[binds[0]]
    assert isinstance(first, n.Bind)
    for c in _conditions(s, s.params[first.param].local, s.plan[binds[0] + 1 :]):
        found = (_case(s, binds[0] + 1, c, True), _case(s, binds[0] + 1, c, False))
        if any(few_masks(replace(one, plan=lift_plan(one, one.plan))) for one in found):
            return found
    return None


def _conditions(s: n.Schema, p: n.Local, steps: Steps) -> dict[n.Expr, None]:
    """Conditions on this parameter alone by which the steps choose."""
    own = {x.local.id for x in s.params}
    asked = (x.condition for step in steps for x in walk(_read(step)) if isinstance(x, n.Cond))
    return {c: None for c in asked if own & free_locals(c).keys() == {p.id} and not can_fail(c)}


def _read(step: n.Bind | n.Test) -> n.Expr:
    return step.over if isinstance(step, n.Bind) else step.condition


def _case(s: n.Schema, after: int, c: n.Expr, holds: bool) -> n.Schema:
    """The moves for which the condition holds, or those for which it does not."""
    value = n.Const(int(holds), n.BoolT())

    def known(e: n.Expr) -> n.Expr:
        return fold(replace_expr(e, c, value))

    asked = n.Test(c if holds else n.Op1("not", c, n.BoolT()))
    rest = (
        n.Bind(x.param, known(x.over)) if isinstance(x, n.Bind) else n.Test(known(x.condition)) for x in s.plan[after:]
    )
    read = {x.var.index for x in walk(c) if isinstance(x, n.Get)}
    effect: list[n.CoreStmt] = []
    for i, one in enumerate(s.effect):
        if isinstance(one, n.IfS):
            chosen = known(one.condition)
            effect += (one.then if chosen.value else one.otherwise) if isinstance(chosen, n.Const) else (one,)
        else:
            effect.append(one)
        if read & {v.index for x in walk_statements((one,)) if (v := written(x)) is not None}:
            effect += s.effect[i + 1 :]
            break
    return replace(s, plan=(*s.plan[:after], asked, *rest), effect=tuple(effect))
