"""The variables that expressions, statements and kinds of moves read, including through functions and look-ahead."""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.language.core import exprs_of, walk, walk_statements
from gamedsl.language.core import nodes as n


class Reads:
    """The numbers of the variables that rules of a program read."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self._functions: dict[int, frozenset[int]] = {}
        self._schemas: dict[int, frozenset[int]] = {}

    def reads(self, exprs: Iterable[n.Expr]) -> frozenset[int]:
        """The numbers of the variables that expressions read, including through functions and look-ahead."""
        found: set[int] = set()
        for whole in exprs:
            for e in walk(whole):
                match e:
                    case _ if (var := e.read()) is not None:
                        found.add(var.index)
                    case n.CallF(function=number):
                        found |= self._function(number)
                    case n.AfterE(schema=schema, tick=tick, passed=passed):
                        found |= self.read_by((*tick, *passed))
                        found |= frozenset() if schema is None else self.read_of(schema)
                    case n.SomeMove(branches=branches, tick=tick):
                        found |= self.read_by(tick).union(*(self.read_of(b.schema) for b in branches))
        return frozenset(found)

    def _function(self, number: int) -> frozenset[int]:
        if number not in self._functions:
            self._functions[number] = frozenset()  # (functions do not call themselves)
            self._functions[number] = self.reads((self.program.functions[number].body,))
        return self._functions[number]

    def read_of(self, number: int) -> frozenset[int]:
        """The numbers of the variables that a kind of move reads, in its conditions and its effect."""
        if number not in self._schemas:
            self._schemas[number] = frozenset()
            schema = self.program.schemas[number]
            self._schemas[number] = self.reads(_asked(schema)) | self.read_by(schema.effect)
        return self._schemas[number]

    def read_by(self, statements: tuple[n.CoreStmt, ...]) -> frozenset[int]:
        """The numbers of the variables that statements read."""
        found = self.reads(exprs_of(statements))
        done = (s.schema for s in walk_statements(statements) if isinstance(s, n.Effect))
        return found.union(*(self.read_of(k) for k in done))


def _asked(schema: n.Schema) -> Iterable[n.Expr]:
    """The expressions that decide whether a move is legal."""
    yield from (p.over for p in schema.params)
    yield from (g.condition for g in (*schema.guards, *schema.forbids))
