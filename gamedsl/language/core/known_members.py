"""Facts about the members of sets, derived from conditions: those that hold when a move is made, and along its effect."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import nodes as n
from gamedsl.language.core.enumeration_plan import conjuncts
from gamedsl.language.core.traverse import children, map_children, may_depend_on, substitute, walk_statements, written
from gamedsl.language.source import lazy_dataclass

MOST_CALLS = 8  # the greatest depth of calls that are inlined


@lazy_dataclass(frozen=True)
class Fact:
    """The fact that an element is, or is not, in a set: a slot of a variable, or any other expression."""

    element: n.Expr
    home: n.Expr
    inside: bool


def is_never_legal(schema: n.Schema) -> bool:
    """Returns whether a guard of the move is constantly false (for the given options)."""
    return any(isinstance(c, n.Const) and not c.value for g in schema.guards for c in conjuncts(g.condition))


def opened(program: n.Program, e: n.Expr, most: int = MOST_CALLS) -> n.Expr:
    """Returns the expression with calls whose arguments are locals or constants replaced by the functions' bodies."""
    if isinstance(e, n.CallF) and most and all(isinstance(a, n.Load | n.Const) for a in e.args):
        called = program.functions[e.function]
        values = {p.id: a for p, a in zip(called.params, e.args, strict=True)}
        return opened(program, substitute(called.body, values), most - 1)
    return map_children(e, lambda c: opened(program, c, most))


def facts_of_schema(program: n.Program, schema: n.Schema) -> list[Fact]:
    """Returns the facts that hold when a move of the schema is made."""
    found = [f for g in schema.guards if not g.looks_ahead for f in facts_of(opened(program, g.condition))]
    for p in schema.params:
        found += _inside(n.Load(p.local), opened(program, p.over))
    return found


def facts_of(condition: n.Expr) -> list[Fact]:
    """Returns the facts that follow from a condition."""
    return [f for c in conjuncts(condition) for f in _of_conjunct(c)]


def _of_conjunct(c: n.Expr) -> Iterator[Fact]:
    match c:
        case n.Op2(op="in", left=element, right=home):
            yield from _inside(element, home)
        case n.Op1(op="not", operand=n.Op2(op="in", left=element, right=home)):
            yield from _outside(element, home)
        case n.Op2(op="within", left=some, right=home):
            for element in elements(some):
                yield from _inside(element, home)
        case n.Op2(op="disjoint", left=some, right=home):
            for element in elements(some):
                yield from _outside(element, home)
        case _:
            pass


def _inside(element: n.Expr, home: n.Expr) -> Iterator[Fact]:
    match home:
        case n.Op1(op="complement", operand=other):
            yield from _outside(element, other)
        case n.Op2(op="meet", left=left, right=right):
            yield from _inside(element, left)
            yield from _inside(element, right)
        case n.Op2(op="minus", left=left, right=right):
            yield from _inside(element, left)
            yield from _outside(element, right)
        case _:
            yield Fact(element, home, True)


def _outside(element: n.Expr, home: n.Expr) -> Iterator[Fact]:
    for part in parts(home):
        yield Fact(element, part, False)


def parts(e: n.Expr) -> list[n.Expr]:
    """Returns the operands of a union; any other expression is its own operand."""
    return [*parts(e.left), *parts(e.right)] if isinstance(e, n.Op2) and e.op == "union" else [e]


def elements(e: n.Expr) -> list[n.Expr]:
    """Returns the elements that certainly belong to a set: the singletons in a union."""
    return [x.operand for x in parts(e) if isinstance(x, n.Op1) and x.op == "single"]


# -------------------------------------------------------------------------------------------------- along an effect


def after(program: n.Program, facts: list[Fact], s: n.CoreStmt, kept: n.Var | None = None) -> list[Fact]:
    """Returns the facts that hold after a statement. Facts about a set outlive its changes if the set is ``kept``: one
    that changes in one direction only, whose facts are about its value before the effect.
    """
    changed = {w.index for inner in walk_statements((s,)) if (w := written(inner)) is not None}
    found = [f for f in facts if _outlives(f, changed, kept)] if changed else list(facts)
    match s:
        case n.Check(condition=condition):
            found += facts_of(opened(program, condition))
        case n.Assign(var=var, keys=(), value=n.Op1(op="first", operand=n.Get() as home)):
            found.append(Fact(n.Get(var, (), s.value.type), home, True))
        case _:
            pass
    return found


def _outlives(f: Fact, changed: set[int], kept: n.Var | None) -> bool:
    """Returns whether a fact still holds after these variables have changed."""
    exempt = isinstance(f.home, n.Get) and kept is not None and f.home.var == kept
    read = [f.element, *(children(f.home) if exempt else (f.home,))]
    return not any(may_depend_on(e, changed) for e in read)
