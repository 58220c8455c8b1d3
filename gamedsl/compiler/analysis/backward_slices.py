"""Backward slicing: the part of a move's effect on which a later condition depends.

A look-ahead that only tries a move leaves the rest out. Statements that can end in a rules error stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from gamedsl.language.core import (
    can_fail,
    conjuncts,
    free_locals,
    statement_exprs,
    walk,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n


class Slices:
    """Slices of one program's statements."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self._everything = frozenset(v.index for v in program.variables)
        self._of: dict[int, frozenset[int]] = {}
        self._made: dict[tuple[int, frozenset[int]], tuple[tuple[n.CoreStmt, ...], tuple[n.CoreStmt, ...]]] = {}

    def needed(
        self, stmts: tuple[n.CoreStmt, ...], asked: Iterable[n.Expr], then: tuple[n.CoreStmt, ...] = ()
    ) -> tuple[n.CoreStmt, ...]:
        """The statements that affect the expressions ``asked``, or the statements ``then`` that run in between. Equal
        slices of the same statements are the same tuple."""
        inner = [*walk_statements(stmts), *walk_statements(then)]
        if any(isinstance(s, n.StopS | n.Effect) for s in inner):
            return stmts
        exprs = [*asked, *(e for s in walk_statements(then) for e in statement_exprs(s))]
        one = _Slice(self, exprs)
        found = one.keep_needed(stmts)
        if len(one.left) == len(list(walk_statements(stmts))):
            return stmts
        return self._made.setdefault((id(stmts), frozenset(one.left)), (stmts, found))[1]

    def reads(self, e: n.Expr) -> frozenset[int]:
        """The indices of the variables that an expression may read."""
        found: set[int] = set()
        for x in walk(e):
            var = x.read()
            if var is not None:
                found.add(var.index)
            elif isinstance(x, n.CallF):
                found |= self._function(x.function)
            elif x.reads_state:
                return self._everything
        return frozenset(found)

    def unchanged(self, e: n.Expr, stmts: tuple[n.CoreStmt, ...]) -> list[n.Expr]:
        """Parts of a condition that all hold if it holds after the statements. The statements do not change what they
        read. Neither they nor the parts before them can end in a rules error."""
        inner = list(walk_statements(stmts))
        if any(isinstance(s, n.Effect) for s in inner):
            return []
        changed = {var.index for s in inner if (var := written(s)) is not None}
        safe = takewhile(lambda c: not can_fail(c, self.program.functions), conjuncts(e))
        return [c for c in safe if not self.reads(c) & changed]

    def _function(self, index: int) -> frozenset[int]:
        if index not in self._of:
            self._of[index] = self.reads(self.program.functions[index].body)
        return self._of[index]

    def fails(self, s: n.CoreStmt) -> bool:
        """Whether the statement itself, apart from those nested in it, can raise a rules error."""
        if s.may_fail:
            return True
        return any(can_fail(e, self.program.functions) for e in statement_exprs(s))


class _Slice:
    """Walks backward. ``variables`` and ``locals`` are live: something later reads them."""

    def __init__(self, slices: Slices, asked: Iterable[n.Expr]) -> None:
        self.slices = slices
        self.variables: set[int] = set()
        self.locals: set[int] = set()
        self.left: set[int] = set()  # the statements kept, by identity
        self._read(asked)

    def _read(self, exprs: Iterable[n.Expr]) -> None:
        for e in exprs:
            self.variables |= self.slices.reads(e)
            self.locals |= free_locals(e).keys()

    def keep_needed(self, stmts: tuple[n.CoreStmt, ...]) -> tuple[n.CoreStmt, ...]:
        out: list[n.CoreStmt] = []
        for s in reversed(stmts):
            new = self._one(s)
            if new is not None:
                self._read(statement_exprs(s))
                self.left.add(id(s))
                out.append(new)
        return tuple(reversed(out))

    def _one(self, s: n.CoreStmt) -> n.CoreStmt | None:
        match s:
            case n.IfS():
                new = replace(s, then=self.keep_needed(s.then), otherwise=self.keep_needed(s.otherwise))
                return new if new.then or new.otherwise or self.slices.fails(s) else None
            case n.ForS():
                return self._loop(s)
            case n.LetS(local=local):
                return s if local.id in self.locals or self.slices.fails(s) else None
            case _:
                var = written(s)
                matters = var is not None and var.index in self.variables
                return s if matters or self.slices.fails(s) else None

    def _loop(self, s: n.ForS) -> n.CoreStmt | None:
        """An iteration may read what the previous one wrote, so the body is sliced until a fixpoint."""
        while True:
            before = len(self.variables) + len(self.locals)
            body = self.keep_needed(s.body)
            if len(self.variables) + len(self.locals) == before:
                return replace(s, body=body) if body or self.slices.fails(s) else None
