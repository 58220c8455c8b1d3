"""A program that counts along how many things lie in each hidden collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gamedsl.engine.facts.size_changes import Change, SizeChanges
from gamedsl.language.core import map_children, written
from gamedsl.language.core import nodes as n

MOST = 10_000  # the highest size that a helper counts; sizes are not computed


class CountedProgram:
    """A program with a helper for the sizes of each hidden variable. ``helpers``: by the number of the variable."""

    def __init__(self, whole: n.Program) -> None:
        self.changes = SizeChanges(whole)
        hidden = [v for v in whole.variables if v.seen != "all" and v.role == "state" and _has_sizes(v)]
        first = len(whole.variables)
        self.helpers = {v.index: _helper(v, first + i) for i, v in enumerate(hidden)}
        self.grown: set[int] = set()  # the identities of statements that certainly add something to a set
        self.program = replace(
            whole,
            variables=(*whole.variables, *self.helpers.values()),
            functions=tuple(replace(f, body=self._seen(f.body)) for f in whole.functions),
            schemas=tuple(map(self._schema, whole.schemas)),
            blocks=tuple(map(self._block, whole.blocks)),
        )

    def _schema(self, schema: n.Schema) -> n.Schema:
        guards, forbids = (
            tuple(replace(g, condition=self._seen(g.condition)) for g in found)
            for found in (schema.guards, schema.forbids)
        )
        return replace(schema, guards=guards, forbids=forbids, effect=self._statements(schema.effect))

    def _block(self, block: n.Block) -> n.Block:
        end = block.end
        if isinstance(end, n.BranchT):
            end = replace(end, condition=self._seen(end.condition))
        elif isinstance(end, n.Decision):
            end = replace(end, tick=self._statements(end.tick))
        return replace(block, statements=self._statements(block.statements), end=end)

    def _statements(self, statements: Iterable[n.CoreStmt]) -> tuple[n.CoreStmt, ...]:
        return tuple(t for s in statements for t in self._statement(s))

    def _statement(self, s: n.CoreStmt) -> Iterator[n.CoreStmt]:
        """A statement, and the one that counts along."""
        match s:
            case n.IfS():
                then, otherwise = self._statements(s.then), self._statements(s.otherwise)
                yield replace(s, condition=self._seen(s.condition), then=then, otherwise=otherwise)
            case n.ForS() if (change := self.changes.found.get(id(s))) is not None:
                yield s
                [copied] = s.body
                assert isinstance(copied, n.Assign)
                yield from self._counting(copied.var, copied.keys[:-1], change)
            case n.ForS():
                yield replace(s, over=self._seen(s.over), body=self._statements(s.body))
            case n.Assign(var=var, keys=keys):
                seen = replace(s, keys=tuple(map(self._seen, keys)), value=self._seen(s.value))
                if self.changes.grown.get(id(s)):
                    self.grown.add(id(seen))
                yield seen
                at = keys[:-1] if isinstance(var.type, n.IntT) else keys
                yield from self._counting(var, at, self.changes.found.get(id(s)))
            case n.Reset(var=var):
                yield s
                if var.index in self.helpers:
                    yield n.Reset(self.helpers[var.index])
            case n.PushS(var=var, keys=keys) | n.PopS(var=var, keys=keys):
                yield s
                yield from self._counting(var, keys, Change(1 if isinstance(s, n.PushS) else -1))
            case _:
                yield s
                if (other := written(s)) is not None:
                    yield from self._counting(other, (), None)

    def _counting(self, var: n.Var, keys: tuple[n.Expr, ...], change: Change | None) -> Iterator[n.CoreStmt]:
        helper = self.helpers.get(var.index)
        if helper is None:
            return
        keys, type = tuple(map(self._seen, keys)), n.IntT(0, MOST)
        hidden = n.Get(var, (), n.BoolT())  # what was not worked out depends on the variable
        if change is None:
            yield n.Assign(helper, keys, hidden)
            return
        value: n.Expr = n.Const(change.by, type) if change.is_new else n.Get(helper, keys, type)
        if change.all_of is not None:
            source = self.helpers.get(change.all_of.var.index)
            more = hidden if source is None else n.Get(source, change.all_of.keys, type)
            value = n.Op2("add", value, more, type)
        yield n.Assign(helper, keys, value if change.is_new else n.Op2("add", value, n.Const(change.by, type), type))

    def _seen(self, e: n.Expr) -> n.Expr:
        """An expression that reads helpers where it asks for nothing but the size of a collection."""
        match e:
            case n.StackOp(op="height", var=var, keys=keys) if var.index in self.helpers:
                return n.Get(self.helpers[var.index], tuple(map(self._seen, keys)), e.type)
            case n.Op1(op="count" | "is_empty" | "is_none", operand=n.Get(var=var, keys=keys)) if (
                var.index in self.helpers
            ):
                return n.Get(self.helpers[var.index], tuple(map(self._seen, keys)), e.type)
            case n.Op2(op="eq" | "ne", left=n.Get(var=var, keys=keys), right=n.Const(value=0)) if (
                var.index in self.helpers and not isinstance(var.type, n.IntT)
            ):
                return n.Get(self.helpers[var.index], tuple(map(self._seen, keys)), e.type)
            case _:
                return map_children(e, self._seen)


def _has_sizes(var: n.Var) -> bool:
    if isinstance(var.type, n.ScalarT):
        return isinstance(var.type, n.IntT) and var.type.low == 0 and bool(var.keys)
    return not isinstance(var.type, n.DrawingT | n.HistoryT)


def _helper(var: n.Var, index: int) -> n.Var:
    keys = var.keys[:-1] if isinstance(var.type, n.IntT) else var.keys
    slots = 1
    for key in keys:
        slots *= key.size
    return n.Var(index, f"size of {var.name}", n.IntT(0, MOST), keys, (0,) * slots, role="temp", part=var.part)
