"""Dead check elimination: checks that always hold, and moves that are never legal.

    bind c in all - mark[X] - mark[O];  check c not in mark[O];  mark[X] := mark[X] + {c}
    →
    bind c in all - mark[X] - mark[O];  mark[X] := mark[X] + {c}

A check in an effect is proved from the sets over which the parameters range, element by element
(``analysis/pointwise.py``). Many other passes need effects without checks, such as monitors and playing on after the
end.

Not done: checks after a statement that the analysis does not follow (a loop, a stack).
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.analysis.pointwise import At, Unknown, Values
from gamedsl.language.core import nodes as n


def eliminate_proved_checks(program: n.Program) -> n.Program:
    """Removes checks from effects that follow from the sets in which the parameters lie."""
    return replace(program, schemas=tuple(replace(s, effect=_effect(s)) for s in program.schemas))


def _effect(schema: n.Schema) -> tuple[n.CoreStmt, ...]:
    values = Values()
    out: list[n.CoreStmt] = []
    followed = True
    for s in schema.effect:
        if followed and isinstance(s, n.Check) and _proved(schema, values, s.condition):
            continue
        out.append(s)
        if followed:
            try:
                values.follow(s)
            except Unknown:
                followed = False
    return tuple(out)


def _proved(schema: n.Schema, values: Values, condition: n.Expr) -> bool:
    try:
        asked = values.now(condition)
    except Unknown:
        return False
    for name, test in _about_one(asked):
        at = At(name)
        try:
            wanted = at.inside(test)
            given = [at.inside(over) for over in _ranges(schema, name)]
            if not at.always(wanted, given):
                return False
        except Unknown:
            return False
    return bool(_about_one(asked))


def _ranges(schema: n.Schema, name: int) -> list[n.Expr]:
    """The sets in which a parameter is known to lie."""
    found: list[n.Expr] = []
    for step in schema.plan:
        if isinstance(step, n.Bind) and schema.params[step.param].local.id == name:
            found.append(step.over)
        elif isinstance(step, n.Test):
            found += [s for number, s in _about_one(step.condition) if number == name]
    return found


def _about_one(e: n.Expr) -> list[tuple[int, n.Expr]]:
    """The condition as memberships ``x in S`` of names. Empty if it has another form."""
    match e:
        case n.Op2(op="in", left=n.Load(local=local), right=s):
            return [(local.id, s)]
        case n.Op2(op="disjoint", left=a, right=b):
            names = _names(a)
            if names:
                return [(name, n.Op1("complement", b, b.type)) for name in names]
            return [(name, n.Op1("complement", a, a.type)) for name in _names(b)]
        case _:
            return []


def _names(e: n.Expr) -> list[int]:
    """The names whose singletons make up the set. Empty if the set has other parts."""
    match e:
        case n.Op1(op="single", operand=n.Load(local=local)):
            return [local.id]
        case n.Op2(op="union", left=a, right=b):
            x, y = _names(a), _names(b)
            return [*x, *y] if x and y else []
        case _:
            return []


def eliminate_dead_alternatives(program: n.Program) -> n.Program:
    """Removes alternatives that are never legal."""
    blocks = []
    for b in program.blocks:
        if isinstance(b.end, n.Decide):
            alts = tuple(a for a in b.end.alternatives if not _is_dead(program.schemas[a.schema]))
            b = replace(b, end=replace(b.end, alternatives=alts))
        blocks.append(b)
    used = {a.schema for b in blocks if isinstance(b.end, n.Decide) for a in b.end.alternatives}
    schemas = tuple(s if s.index in used else replace(s, effect=()) for s in program.schemas)
    return replace(program, blocks=tuple(blocks), schemas=schemas)


def _is_dead(s: n.Schema) -> bool:
    return any(isinstance(x, n.Test) and isinstance(x.condition, n.Const) and not x.condition.value for x in s.plan)
