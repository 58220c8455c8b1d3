"""Traversal of Core trees: children, rebuilding, free locals, successors."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import is_
from typing import Any

from gamedsl.language.core import node_parts
from gamedsl.language.core import nodes as n
from gamedsl.language.core.node_tables import memoized

children: Callable[[n.Expr], tuple[n.Expr, ...]] = node_parts.operands
with_children: Callable[[n.Expr, tuple[n.Expr, ...]], n.Expr] = node_parts.with_operands
inner_statements: Callable[[n.CoreStmt], tuple[n.CoreStmt, ...]] = node_parts.inner_statements
statement_exprs: Callable[[n.CoreStmt], tuple[n.Expr, ...]] = node_parts.operands
terminator_exprs: Callable[[n.Terminator], tuple[n.Expr, ...]] = node_parts.operands
terminator_tick: Callable[[n.Terminator], tuple[n.CoreStmt, ...]] = node_parts.inner_statements
claim_exprs: Callable[[n.CoreClaim], tuple[n.Expr, ...]] = node_parts.operands


@cache
def rule_fields(cls: Any) -> tuple[str, ...] | None:
    """Returns the fields that make up a part of rules; None for a class of plain values, such as types and variables."""
    is_part = issubclass(cls, n.CoreNode) or (is_dataclass(cls) and bool(node_parts.operand_fields(cls)))
    return tuple(f.name for f in fields(cls) if f.compare) if is_part else None


def map_children(e: n.Expr, f: Callable[[n.Expr], n.Expr]) -> n.Expr:
    """Transforms the direct subexpressions. Returns the same object if none has changed."""
    old = children(e)
    new = tuple([f(c) for c in old])
    return e if all(map(is_, new, old)) else with_children(e, new)


def walk(e: n.Expr) -> Iterator[n.Expr]:
    """Yields the expression and everything inside it, outermost first. Statements of ticks are not included."""
    yield e
    for c in children(e):
        yield from walk(c)


@memoized
def free_locals(e: n.Expr) -> Mapping[int, n.Local]:
    """Returns the free locals of an expression, by id, in ascending order."""
    if isinstance(e, n.Load):
        return {e.local.id: e.local}
    found: dict[int, n.Local] = {}
    for child, names in e.scoped_operands():
        own = [name.id for name in names]
        found |= {i: local for i, local in free_locals(child).items() if i not in own}
    return dict(sorted(found.items()))


@memoized
def node_count(e: n.Expr) -> int:
    """Returns the number of nodes of an expression, including itself."""
    return 1 + sum(map(node_count, children(e)))


def substitute(e: n.Expr, values: Mapping[int, n.Expr]) -> n.Expr:
    """Replaces every use of a local by the value for its id, if there is one."""
    if not values:
        return e
    if isinstance(e, n.Load):
        return values.get(e.local.id, e)
    return map_children(e, lambda c: substitute(c, values))


def replace_expr(e: n.Expr, old: n.Expr, new: n.Expr) -> n.Expr:
    """Replaces every occurrence of an expression in another one."""
    return new if e == old else map_children(e, lambda c: replace_expr(c, old, new))


def looks_ahead(e: n.Expr) -> bool:
    """Returns whether an expression looks ahead directly. (Calls are not followed.)"""
    return any(x.looks_ahead for x in walk(e))


def may_depend_on(e: n.Expr, changed: Container[int]) -> bool:
    """Returns whether an expression's value can change when these variables, given by index, do. (Calls and look-ahead
    can read any.)
    """
    for x in walk(e):
        if x.reads_state:
            var = x.read()
            if var is None or var.index in changed:
                return True
    return False


# ------------------------------------------------------------------------------------------------------ statements


def walk_statements(stmts: tuple[n.CoreStmt, ...]) -> Iterator[n.CoreStmt]:
    """Yields all statements of a list, including nested ones, in order."""
    for s in stmts:
        yield s
        yield from walk_statements(inner_statements(s))


def exprs_of(stmts: tuple[n.CoreStmt, ...]) -> Iterator[n.Expr]:
    """Yields every outermost expression in a list of statements."""
    for s in walk_statements(stmts):
        yield from statement_exprs(s)


def written(s: n.CoreStmt) -> n.Var | None:
    """Returns the variable that the statement itself writes; None if there is none."""
    return s.written()


# ------------------------------------------------------------------------------------------------------ terminators


def targets(t: n.Terminator) -> tuple[int, ...]:
    """Returns the successors of a block."""
    return t.targets()


def reached(program: n.Program, blocks: Iterable[int]) -> set[int]:
    """Returns the numbers of the blocks reachable from these, which are included."""
    found, todo = set[int](), list(blocks)
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo.extend(targets(program.blocks[at].end))
    return found


def has_decisions(program: n.Program) -> bool:
    """Returns whether any player ever decides. If not, the game is pure chance."""
    return any(isinstance(b.end, n.Decision) for b in program.blocks)


def is_stop(block: n.Block) -> bool:
    """Returns whether the game stops at the end of this block: for a decision, for chance, or because it is over."""
    return isinstance(block.end, n.Stop)
