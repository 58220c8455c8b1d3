"""Static cost estimates: nodes visited when every loop without a condition runs over its largest set."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from gamedsl.language.core import nodes as n
from gamedsl.language.core.constant_folding import LEAVES, limits
from gamedsl.language.core.traverse import children, statement_exprs

MOST = 10**15
FILTERED = 1  # elements assumed to pass a condition: most conditions leave few
TRIAL = 20  # cost of trying a move: copying the state and applying the effect


class CostEstimator:
    """Estimates the cost of a program's expressions and statements."""

    def __init__(self, schemas: Sequence[n.Schema], functions: Sequence[n.Function]) -> None:
        self._schemas = schemas
        self._functions = functions
        self._known: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._images: dict[int, tuple[n.TableData, int]] = {}
        self._effects: dict[int, int] = {}
        self._locals: dict[int, int] = {}

    def of(self, e: n.Expr) -> int:
        """Returns the cost of one evaluation, in nodes visited."""
        if e.__class__ in LEAVES:
            return 1
        match e:
            case n.Loop():
                every = size = self.size(e.over)
                asked = 0
                if e.condition is not None:
                    asked, size = every * self.of(e.condition), min(size, FILTERED)
                return min(MOST, 1 + self.of(e.over) + asked + size * self.of(e.body))
            case n.LetE():
                self._locals[e.local.id] = self.size(e.value)
                return min(MOST, self.of(e.value) + self.of(e.body))
            case n.SomeMove():
                trials = (self._ways(b.schema) * (TRIAL + self.of(b.body)) for b in e.branches)
                return min(MOST, self.of(e.mover) + sum(trials))
            case n.CallF(function=index):
                return min(MOST, self.of_function(index) + sum(map(self.of, e.args)))
            case n.AfterE():
                done = 0 if e.schema is None else self._effect(e.schema)
                return min(MOST, TRIAL + done + sum(map(self.of, children(e))))
            case n.Flood():
                assert isinstance(e.type, n.SetT)
                return min(MOST, e.type.domain.size + sum(map(self.of, children(e))))
            case n.Closure():
                assert isinstance(e.type, n.SetT)
                return min(MOST, self.of(e.start) + e.type.domain.size * self.of(e.step))
            case _:
                return min(MOST, 1 + sum(map(self.of, children(e))))

    def of_function(self, index: int) -> int:
        """Returns the cost of one call, in nodes visited."""
        if index not in self._known:
            self._known[index] = self.of(self._functions[index].body)
        return self._known[index]

    def of_statements(self, statements: Sequence[n.CoreStmt]) -> int:
        """Returns the cost of executing the statements once, in nodes visited."""
        return min(MOST, sum(map(self._statement, statements)))

    def _statement(self, s: n.CoreStmt) -> int:
        match s:
            case n.IfS():
                return self.of(s.condition) + max(self.of_statements(s.then), self.of_statements(s.otherwise))
            case n.ForS():
                return 1 + self.of(s.over) + self.size(s.over) * self.of_statements(s.body)
            case n.Effect():
                return self._effect(s.schema) + sum(map(self.of, s.args))
            case _:
                return 1 + sum(map(self.of, statement_exprs(s)))

    def _effect(self, schema: int) -> int:
        if schema not in self._effects:
            self._effects[schema] = 0  # (an effect never runs itself)
            self._effects[schema] = self.of_statements(self._schemas[schema].effect)
        return self._effects[schema]

    def _ways(self, schema: int) -> int:
        ranges = (limits(p.local.type) for p in self._schemas[schema].params)
        return prod(high - low + 1 for low, high in ranges)

    def size(self, e: n.Expr) -> int:
        """Returns an estimate of the greatest number of elements of a set; a filter is assumed to keep ``FILTERED``."""
        whole = e.type.domain.size if isinstance(e.type, n.SetT) else 1
        return min(whole, self._size(e, whole))

    def _size(self, e: n.Expr, whole: int) -> int:
        match e:
            case n.Const():
                return e.value.bit_count()
            case n.Lookup():
                return self._image(e.table)
            case n.Load(local=local):
                return self._locals.get(local.id, whole)
            case n.Op1(op="single"):
                return 1
            case n.Op2(op="union"):
                return self.size(e.left) + self.size(e.right)
            case n.Op2(op="meet"):
                return min(self.size(e.left), self.size(e.right))
            case n.Op2(op="minus"):
                return self.size(e.left)
            case n.Cond():
                return max(self.size(e.then), self.size(e.otherwise))
            case n.LetE():
                return self.size(e.body)
            case n.Loop(kind="filter"):
                return min(self.size(e.over), FILTERED)
            case n.Loop(kind="union"):
                return self.size(e.over) * self.size(e.body)
            case n.Flood():
                return self.size(e.within)
            case n.CallF(function=index):
                if index not in self._sizes:
                    self._sizes[index] = self.size(self._functions[index].body)
                return self._sizes[index]
            case _:
                return whole

    def _image(self, table: n.TableData) -> int:
        """Returns the greatest number of elements of a set in the table."""
        if id(table) not in self._images:
            self._images[id(table)] = table, max((v.bit_count() for v in table.values), default=0)
        return self._images[id(table)][1]
