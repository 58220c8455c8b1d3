"""What a ruleset hides from its players: which variables, and which temporaries may reveal them."""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.core import exprs_of, reached, targets, terminator_exprs, terminator_tick, walk, walk_statements, written
from gamedsl.core.nodes import (
    AfterE,
    BranchT,
    CallF,
    Chance,
    Choose,
    CoreStmt,
    Decide,
    DecideTogether,
    Effect,
    Expr,
    Get,
    HistoryT,
    Noted,
    Program,
    Schema,
    SomeMove,
    StackOp,
    Var,
)


class Secrets:
    """``hides``: is any variable or parameter hidden from somebody? ``unseen``: the numbers of the temporaries that a player may be
    unable to compute from what the player sees."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.hides = self.name() is not None
        self._functions: dict[int, frozenset[int]] = {}
        self._schemas: dict[int, frozenset[int]] = {}
        self.unseen = self._unseen() if self.hides else frozenset()

    def is_hidden(self, var: Var) -> bool:
        """Is it hidden from somebody? Noted positions contain all variables, hidden ones included."""
        return self.hides and (var.seen != "all" or var.index in self.unseen or isinstance(var.type, HistoryT))

    def name(self) -> str | None:
        """The name of the first variable that is hidden from somebody, or else of the first secret parameter."""
        variables = [v.name for v in self.program.variables if v.seen != "all" and v.role != "temp"]
        params = [p.local.name for s in self.program.schemas for p in s.params if p.secret]
        return next(iter([*variables, *params]), None)

    # --------------------------------------------------------------------------------------------- what is read

    def reads(self, exprs: Iterable[Expr]) -> frozenset[int]:
        """The numbers of the variables that expressions read, including through functions and look-ahead."""
        found: set[int] = set()
        for whole in exprs:
            for e in walk(whole):
                match e:
                    case Get(var=var) | StackOp(var=var) | Noted(history=var):
                        found.add(var.index)
                    case CallF(function=number):
                        found |= self._function(number)
                    case AfterE(schema=schema, tick=tick, passed=passed):
                        found |= self.read_by((*tick, *passed))
                        found |= frozenset() if schema is None else self._schema(schema)
                    case SomeMove(branches=branches, tick=tick):
                        found |= self.read_by(tick).union(*(self._schema(b.schema) for b in branches))
        return frozenset(found)

    def _function(self, number: int) -> frozenset[int]:
        if number not in self._functions:
            self._functions[number] = frozenset()  # (functions don't call themselves)
            self._functions[number] = self.reads((self.program.functions[number].body,))
        return self._functions[number]

    def _schema(self, number: int) -> frozenset[int]:
        """What a kind of move reads."""
        if number not in self._schemas:
            self._schemas[number] = frozenset()
            schema = self.program.schemas[number]
            self._schemas[number] = self.reads(_asked(schema)) | self.read_by(schema.effect)
        return self._schemas[number]

    def read_by(self, statements: tuple[CoreStmt, ...]) -> frozenset[int]:
        """The numbers of the variables that statements read."""
        found = self.reads(exprs_of(statements))
        done = (s.schema for s in walk_statements(statements) if isinstance(s, Effect))
        return found.union(*(self._schema(k) for k in done))

    # ------------------------------------------------------------------------------------------ helper variables

    def _unseen(self) -> frozenset[int]:
        """The temporaries that outcomes, choices or hidden values may flow into, directly or through control flow (an
        information-flow analysis)."""
        program = self.program
        helpers = {v.index for v in program.variables if v.role == "temp"}
        secret = {v.index for v in program.variables if v.seen != "all" or isinstance(v.type, HistoryT)}
        for block in program.blocks:
            match block.end:
                case Chance(result=var) | Choose(var=var):
                    secret |= {var.index} & helpers
                case Decide(alternatives=alternatives) | DecideTogether(alternatives=alternatives):
                    secret |= {var.index for a in alternatives for var in a.registers}
        before = -1
        while before < len(secret):
            before = len(secret)
            secret |= helpers & self._written_under(secret)
        return frozenset(secret & helpers)

    def _written_under(self, secret: set[int]) -> set[int]:
        """What is written where something secret is read, or on a branch that depends on it."""
        program = self.program
        found: set[int] = set()
        ways: set[int] = set()
        for block in program.blocks:
            statements = (*block.statements, *terminator_tick(block.end))
            if not secret.isdisjoint(self.read_by(statements)):
                found |= _written(statements)
            if isinstance(block.end, BranchT) and not secret.isdisjoint(self.reads(terminator_exprs(block.end))):
                ways.update(targets(block.end))
            if isinstance(block.end, Decide) and block.end.stuck is not None:
                if any(not secret.isdisjoint(self._schema(a.schema)) for a in block.end.alternatives):
                    ways.update(targets(block.end))
        for number in reached(program, ways):
            found |= _written(program.blocks[number].statements)
        return found


def _asked(schema: Schema) -> Iterable[Expr]:
    """What is asked before a move is legal."""
    yield from (p.over for p in schema.params)
    yield from (g.condition for g in (*schema.guards, *schema.forbids))


def _written(statements: tuple[CoreStmt, ...]) -> set[int]:
    return {var.index for s in walk_statements(statements) if (var := written(s)) is not None}
