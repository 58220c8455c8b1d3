"""``for x in pile[c]``: loops over the items that a stack has when the loop begins, from the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk_statements, written
from gamedsl.language.rules.expressions.binders import Range, without
from gamedsl.language.rules.expressions.stacks import Stack, level_number, level_of, levels
from gamedsl.language.rules.scope import Env
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.language.source import Span


@lazy_dataclass(frozen=True)
class Kept:
    """A stack as it was when the loop began. ``before``: the statements that preserve it; ``there``: its levels."""

    before: tuple[n.CoreStmt, ...]
    stack: Stack
    there: n.Expr


def copied(env: Env, stack: Stack, name: str, span: Span) -> Kept:
    """Returns a copy of a stack, for a body that can change it."""
    var = env.program.variable(env.index, f"{name} to come", stack.type)
    copy = Stack(var, (), stack.span)
    level, there = level_of(env, stack)
    push = n.PushS(var, (), stack.item(level_number(n.Load(level)), span), span=span)
    return Kept((n.Reset(var), n.ForS(level, there, (push,), span=span)), copy, levels(env, copy))


def _read_in_place(env: Env, stack: Stack, span: Span) -> Kept:
    """Returns the stack itself, for a body that does not change it. Its keys are evaluated once."""
    lets: list[n.CoreStmt] = []
    keys: list[n.Expr] = []
    for key in stack.keys:
        if not isinstance(key, n.Const | n.Load):
            local = env.program.local("key", key.type)
            lets.append(n.LetS(local, key, span=span))
            key = n.Load(local)
        keys.append(key)
    fixed = replace(stack, keys=tuple(keys))
    return Kept(tuple(lets), fixed, levels(env, fixed))


def through_stack(
    env: Env, ranges: Sequence[Range], distinct: bool, body: tuple[n.CoreStmt, ...], span: Span
) -> list[n.CoreStmt]:
    """Returns the loops of the names of one binder around the body."""
    assert ranges[0].item is not None
    stack = ranges[0].item.stack
    changes = any(var is not None and var.index == stack.var.index for var in map(written, walk_statements(body)))
    kept = copied(env, stack, ranges[0].element.name, span) if changes else _read_in_place(env, stack, span)
    there = env.program.local("levels", kept.there.type)
    for one in reversed(over_levels(ranges, n.Load(there), distinct)):
        body = (n.LetS(one.element, kept.stack.item(level_number(n.Load(one.local)), span), span=span), *body)
        body = (n.ForS(one.local, one.over, body, span=span),)
    return [*kept.before, n.LetS(there, kept.there, span=span), *body]


def over_levels(ranges: Sequence[Range], there: n.Expr, distinct: bool) -> list[Range]:
    """Returns the loops with other sets of levels; with ``distinct``, without the levels of the outer loops."""
    return [replace(r, over=without(there, ranges[:i]) if distinct else there) for i, r in enumerate(ranges)]
