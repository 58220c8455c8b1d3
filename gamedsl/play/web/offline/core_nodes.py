"""Expressions and statements of the Core as plain data: lists that begin with the kind of node.

``static/core_expressions.js`` and ``static/core_statements.js`` read them; the meaning is that of ``gamedsl.engine.translate``.
Numbers are numbers; sets, which may have more than 53 members, are hexadecimal strings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from gamedsl.language.core import limits, offset
from gamedsl.language.core import nodes as n

Json: TypeAlias = list[Any]


class NotEncodable(Exception):
    """The rules read drawings, for which the data has no form."""


def code_of(value: int, t: n.VarT) -> int | str:
    """A value of this type as data."""
    return hex(value) if isinstance(t, n.SetT) else value


class CoreNodes:
    """Encodes nodes of one program. ``tables``: the constant tables, in the order of their numbers; ``locals``: the
    number of names, which are numbered from 0."""

    def __init__(self) -> None:
        self.tables: list[Json] = []
        self._table_numbers: dict[int, tuple[int, n.TableData]] = {}
        self._locals: dict[int, int] = {}

    @property
    def locals(self) -> int:
        return len(self._locals)

    def local(self, local: n.Local) -> int:
        return self._locals.setdefault(local.id, len(self._locals))

    # ----------------------------------------------------------------------------------------------- expressions

    def stored(self, e: n.Expr) -> Json:
        """An expression whose value is stored or returned: yes and no as numbers. If its value may turn out to be
        unknown, its least and greatest possible numbers are added."""
        if (
            isinstance(e, n.Const)
            or (isinstance(e, n.Load) and not isinstance(e.type, n.BoolT))
            or isinstance(e.type, n.SetT)
        ):
            return self.expr(e)
        if isinstance(e.type, n.BoolT) and not isinstance(e, n.Get):
            return ["int", self.expr(e)]
        return ["of", self.expr(e), *limits(e.type)]

    def all_stored(self, es: Iterable[n.Expr]) -> list[Json]:
        return [self.stored(e) for e in es]

    def exprs(self, es: Iterable[n.Expr]) -> list[Json]:
        return [self.expr(e) for e in es]

    def expr(self, e: n.Expr) -> Json:
        match e:
            case n.Const(value=value, type=type):
                return ["const", code_of(value, type)]
            case n.Load(local=local):
                return ["load", self.local(local)]
            case n.Get(var=var, keys=keys):
                return ["get", var.index, self.exprs(keys)]
            case n.Lookup(table=table, keys=keys):
                return ["lookup", self._table(table), [d.size for d in table.keys], self.exprs(keys)]
            case n.Op1():
                return self._op1(e)
            case n.Op2(op=op, left=left, right=right):
                return [op, self.expr(left), self.expr(right), *([offset(left.type)] if op == "in" else [])]
            case n.Fail():
                return ["fail"]
            case n.Convert():
                return self._convert(e)
            case n.Cond(condition=condition, then=then, otherwise=otherwise):
                return ["cond", self.expr(condition), self.expr(then), self.expr(otherwise)]
            case n.LetE(local=local, value=value, body=body):
                return ["let", self.local(local), self.expr(value), self.expr(body)]
            case n.Loop(local=local, over=over, condition=condition, body=body):
                only = None if condition is None else self.expr(condition)
                return ["loop", e.kind, self.local(local), offset(local.type), self.expr(over), only, self.expr(body)]
            case n.CallF(function=function, args=args):
                return ["call", function, self.exprs(args)]
            case n.StackOp(op=op, var=var, keys=keys, level=level):
                return ["stack", op, var.index, self.exprs(keys), None if level is None else self.expr(level)]
            case n.Noted(history=var, position=position):
                return ["noted", var.index, self.exprs(position)]
            case n.Flood(start=start, within=within, table=table):
                return ["flood", self.expr(start), self.expr(within), self._table(table)]
            case n.Closure(start=start, local=local, step=step):
                return ["closure", self.expr(start), self.local(local), offset(local.type), self.expr(step)]
            case n.AfterE(schema=schema, args=args, tick=tick, passed=passed, body=body):
                return [
                    "after",
                    schema,
                    self.exprs(args),
                    self.statements(tick),
                    self.statements(passed),
                    self.expr(body),
                ]
            case n.SomeMove():
                return self._some_move(e)
            case _:
                smaller = e.expansion()
                if smaller is None:
                    raise NotEncodable
                return self.expr(smaller)

    def _op1(self, e: n.Op1) -> Json:
        found: Json = [e.op, self.expr(e.operand)]
        match e.op:
            case "wrap":
                assert isinstance(e.type, n.OptT)
                return [*found, 1 - offset(e.type.inner)]
            case "unwrap":
                return [*found, offset(e.type) - 1]
            case "single":
                return [*found, offset(e.operand.type)]
            case "complement":
                return [*found, hex(limits(e.type)[1])]
            case "first":
                return [*found, offset(e.type)]
            case _:
                return found

    def _convert(self, e: n.Convert) -> Json:
        inner = self.expr(e.operand)
        if isinstance(e.operand.type, n.BoolT) and not isinstance(e.type, n.BoolT):
            inner = ["int", inner]
        if e.always_fits():
            return inner
        low, high = limits(e.type)
        return ["fit", inner, code_of(low, e.type), code_of(high, e.type)]

    def _some_move(self, e: n.SomeMove) -> Json:
        branches = [
            [b.schema, self.local(b.me), [self.local(p) for p in b.params], self.expr(b.body)] for b in e.branches
        ]
        return ["moves", e.kind, self.expr(e.mover), branches, e.legal, self.statements(e.tick)]

    def _table(self, table: n.TableData) -> int:
        known = self._table_numbers.get(id(table.values))
        if known is None:
            known = self._table_numbers[id(table.values)] = len(self.tables), table
            self.tables.append([code_of(v, table.type) for v in table.values])
        return known[0]

    # ------------------------------------------------------------------------------------------------ statements

    def statements(self, statements: Iterable[n.CoreStmt]) -> list[Json]:
        return [self._statement(s) for s in statements]

    def _statement(self, s: n.CoreStmt) -> Json:
        match s:
            case n.Assign(var=var, keys=keys, value=value):
                return ["assign", var.index, self.all_stored(keys), self.stored(value)]
            case n.Reset(var=var):
                return ["reset", var.index]
            case n.LetS(local=local, value=value):
                return ["let", self.local(local), self.stored(value)]
            case n.IfS(condition=condition, then=then, otherwise=otherwise):
                return ["if", self.stored(condition), self.statements(then), self.statements(otherwise)]
            case n.ForS(local=local, over=over, body=body):
                return ["for", self.local(local), offset(local.type), self.stored(over), self.statements(body)]
            case n.StopS():
                return ["stop"]
            case n.Check(condition=condition):
                return ["check", self.stored(condition)]
            case n.PushS(var=var, keys=keys, value=value):
                return ["push", var.index, self.all_stored(keys), self.stored(value)]
            case n.PopS(var=var, keys=keys):
                return ["pop", var.index, self.all_stored(keys)]
            case n.NoteS(history=var, position=position):
                return ["note", var.index, self.all_stored(position)]
            case n.Effect(schema=schema, args=args):
                return ["effect", schema, self.all_stored(args)]
