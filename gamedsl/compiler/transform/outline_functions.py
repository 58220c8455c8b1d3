"""Function outlining: a large test in a plan becomes a function of what it reads.

    plan: ..., test <200 nodes that read mark[X] and mark[O]>
    →
    plan: ..., test test1(mark[X], mark[O])

Plans of several blocks share a function if their tests differ only in names. Without this pass, playouts are as fast
but compiling is slower.

Not done: sets over which parameters range. A call there made playouts a tenth slower.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.canonical_names import by_use, canonical
from gamedsl.compiler.analysis.symbolic_states import TooLarge, by_key
from gamedsl.language.core import free_locals, map_children, walk
from gamedsl.language.core import nodes as n

NAMES = 3_000_000  # ids of the names made here


def outline_functions(program: n.Program) -> n.Program:
    """Outlines large tests. The new functions follow those of the program."""
    if not program.functions:
        return program
    work = _Work(list(program.functions))
    schemas = tuple(work.schema(s) for s in program.schemas)
    return replace(program, schemas=schemas, functions=tuple(work.functions))


class _Work:
    def __init__(self, functions: list[n.Function]) -> None:
        self.functions = functions
        self.shapes: list[tuple[n.Expr, int]] = []
        self.names = NAMES + 10_000 * len(functions)

    def schema(self, s: n.Schema) -> n.Schema:
        return replace(s, plan=tuple(self.step(x) for x in s.plan))

    def step(self, x: n.Bind | n.Test) -> n.Bind | n.Test:
        return n.Test(self.asked(x.condition)) if isinstance(x, n.Test) else x

    def asked(self, e: n.Expr) -> n.Expr:
        nodes = list(walk(e))
        if len(nodes) <= cutoffs.OUTLINED_NODES or any(
            x.read() is not None and not isinstance(x, n.Get) for x in nodes
        ):
            return e
        try:
            slots = dict.fromkeys(g for x in nodes if isinstance(x, n.Get) for g in _slots(x))
        except TooLarge:
            return e
        given: dict[n.Expr, n.Local] = {g: self._name(n.Local(0, g.var.name, g.type)) for g in slots}
        body = self._replaced(e, given)
        args = {name.id: g for g, name in given.items()}
        params = by_use(body, (*given.values(), *free_locals(e).values()))
        return n.CallF(self._index(body, params), tuple(args.get(x.id, n.Load(x)) for x in params), e.type, span=e.span)

    def _replaced(self, e: n.Expr, given: dict[n.Expr, n.Local]) -> n.Expr:
        if isinstance(e, n.Get):
            keys = tuple(self._replaced(k, given) for k in e.keys)
            return by_key(e.var, keys, lambda at: n.Load(given[n.Get(e.var, at, e.type)]))
        return map_children(e, lambda x: self._replaced(x, given))

    def _name(self, local: n.Local) -> n.Local:
        self.names += 1
        return replace(local, id=self.names)

    def _index(self, body: n.Expr, params: tuple[n.Local, ...]) -> int:
        shape = canonical(body, params)
        for known, index in self.shapes:
            if known == shape:
                return index
        index = len(self.functions)
        self.shapes.append((shape, index))
        self.functions.append(n.Function(index, "test", params, body))
        return index


def _slots(e: n.Get) -> list[n.Get]:
    """The slots that may be read, one for each combination of constant keys."""
    found: list[n.Get] = []

    def one(at: tuple[n.Expr, ...]) -> n.Expr:
        found.append(n.Get(e.var, at, e.type))
        return found[-1]

    by_key(e.var, e.keys, one)
    return found
