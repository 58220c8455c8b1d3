"""The cases of a condition: the individual ways in which it can hold, such as each line of three for "some line of
three".

A case binds names, and has a condition over them: whenever some binding of the names satisfies it, the whole condition
holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gamedsl.language.core import nodes as n
from gamedsl.language.core.opened import BOOL, branches, open_root, restrict
from gamedsl.language.core.traverse import looks_ahead, walk
from gamedsl.language.source import node

MOST_CASES = 32


@node()
class Case:
    """A case. ``binders``: names, each with the set over which it ranges, outermost first."""

    binders: tuple[tuple[n.Local, n.Expr], ...]
    condition: n.Expr


def cases_of(program: n.Program, condition: n.Expr) -> tuple[Case, ...]:
    """Returns the cases of a condition, which holds if and only if one of them does."""
    found = _cases(program, condition, ())
    return found if len(found) <= MOST_CASES else (Case((), condition),)


def _cases(program: n.Program, e: n.Expr, calls: tuple[int, ...]) -> tuple[Case, ...]:
    e, calls = open_root(program, e, calls)
    match e:
        case n.Op2(op="or", left=left, right=right):
            return (*_cases(program, left, calls), *_cases(program, right, calls))
        case n.Op2(op="and", left=left, right=right):
            return _joined(e, _cases(program, left, calls), _cases(program, right, calls))
        case n.Cond():
            return tuple(restrict(c, also) for part, also in branches(e) for c in _cases(program, part, calls))
        case n.Loop(kind="some", local=local, over=over, condition=condition, body=body):
            kept = (
                over if condition is None else n.Loop("filter", local, over, None, condition, _set(over), span=e.span)
            )
            member = n.Op2("in", n.Load(local), kept, BOOL, span=e.span)  # the condition includes the membership
            cases = (restrict(c, member) for c in _cases(program, body, calls))
            return tuple(Case(((local, kept), *c.binders), c.condition) for c in cases)
        case _:
            return (Case((), e),)


def _set(over: n.Expr) -> n.SetT:
    assert isinstance(over.type, n.SetT)
    return over.type


def _joined(whole: n.Op2, left: tuple[Case, ...], right: tuple[Case, ...]) -> tuple[Case, ...]:
    """Returns the cases of both conditions together. If they bind the same names (calls of one function), or there are
    too many cases, the second one stays whole.
    """
    names = {b.id for c in left for b, _ in c.binders} & {b.id for c in right for b, _ in c.binders}
    if names or len(left) * len(right) > MOST_CASES:
        right = (Case((), whole.right),)
    return tuple(
        Case((*a.binders, *b.binders), n.Op2("and", a.condition, b.condition, BOOL)) for a, b in product(left, right)
    )


def deciding_conditions(program: n.Program, block: int) -> Iterator[n.Expr]:
    """Yields the conditions of the branches that lead to a block, negated where needed, except those that try moves."""
    for one in program.blocks:
        match one.end:
            case n.BranchT(condition=condition, yes=yes, no=no) if block in (yes, no) and not _tries_moves(
                program, condition
            ):
                yield condition if yes == block else n.Op1("not", condition, BOOL, span=condition.span)


def _tries_moves(program: n.Program, condition: n.Expr) -> bool:
    """Returns whether a condition looks ahead, itself or in a function that it calls."""
    seen, todo = set[int](), [condition]
    while todo:
        e = todo.pop()
        if looks_ahead(e):
            return True
        new = {x.function for x in walk(e) if isinstance(x, n.CallF)} - seen
        seen |= new
        todo += [program.functions[i].body for i in new]
    return False
