"""When a seat may know the position after a ply: what the effect of the ply reads must be known to the seat before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeAlias

from gamedsl.language.core import free_locals, statement_exprs, substitute, walk, walk_statements, written
from gamedsl.language.core import nodes as n

Given: TypeAlias = dict[int, n.Expr]  # the values of locals, by id
NEVER: n.Expr = n.Const(0, n.BoolT())


class Seen(Protocol):
    """What may be seen of a program. ``told_with``: the numbers of the variables that decide who may see something."""

    @property
    def program(self) -> n.Program: ...

    @property
    def told_with(self) -> frozenset[int]: ...

    def is_hidden(self, var: n.Var) -> bool:
        """Whether a variable is hidden from somebody."""
        ...

    def reads_hidden(self, e: n.Expr) -> bool:
        """Whether the value of an expression depends on something that is hidden from somebody."""
        ...

    def may_see(self, var: n.Var, keys: tuple[n.Expr, ...]) -> n.Expr:
        """The condition that the viewer may know a value of a hidden variable."""
        ...


def conditions_of_effect(seen: Seen, statements: tuple[n.CoreStmt, ...], given: Given) -> Iterator[n.Expr]:
    """Yields conditions in the position before; where all hold, the viewer may know everything that the statements read.
    ``given``: the values of the locals that are bound outside of the statements.

    A value is looked for at the keys that the locals give; of one at keys that are computed in the statements, nothing is
    known. Nor is anything known where it can change who may see something, where an effect inside reads something hidden, or where
    a hidden stack is changed, since a failure would reveal its height. Noted positions are left out: no value but theirs depends on them.
    """
    for s in walk_statements(statements):
        var = written(s)
        changes_sight = var is not None and var.index in seen.told_with
        shows_height = isinstance(s, n.PushS | n.PopS) and seen.is_hidden(s.var)
        inside = seen.program.schemas[s.schema].effect if isinstance(s, n.Effect) else ()
        if inside and next(conditions_of_effect(seen, inside, {}), None) is not None:
            yield NEVER
        if changes_sight or shows_height:
            yield NEVER
        if not isinstance(s, n.NoteS):
            for e in statement_exprs(s):
                yield from _conditions(seen, e, given)


def _conditions(seen: Seen, e: n.Expr, given: Given) -> Iterator[n.Expr]:
    for x in walk(e):
        match x:
            case n.Get(var=var, keys=keys) | n.StackOp(var=var, keys=keys):
                if seen.is_hidden(var):
                    known = all(_is_given(k, given) for k in keys)
                    yield seen.may_see(var, tuple(substitute(k, given) for k in keys)) if known else NEVER
            case _ if x.reads_state and seen.reads_hidden(x):
                yield NEVER


def _is_given(key: n.Expr, given: Given) -> bool:
    return set(free_locals(key)) <= set(given) and not any(x.reads_state for x in walk(key))
