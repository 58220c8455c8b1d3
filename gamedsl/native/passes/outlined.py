"""Large tests of plans as functions that are given what they read: written once for several plans, apart from the play."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.core.nodes import (
    Arranged,
    CallF,
    Expr,
    Function,
    Get,
    Load,
    Local,
    Noted,
    Program,
    Schema,
    StackOp,
    Test,
)
from gamedsl.core.traverse import free_locals, map_children, walk
from gamedsl.native.passes.names import canonical
from gamedsl.native.passes.states import TooLarge, by_key

LARGE = 150  # nodes of a test that becomes a function
NAMES = 3_000_000  # numbers of names made here


def outlined(program: Program) -> Program:
    """The program with such functions behind those that it has."""
    if not program.functions:
        return program
    work = _Work(list(program.functions))
    schemas = tuple(work.schema(s) for s in program.schemas)
    return replace(program, schemas=schemas, functions=tuple(work.functions))


class _Work:
    def __init__(self, functions: list[Function]) -> None:
        self.functions = functions
        self.shapes: list[tuple[Expr, int]] = []
        self.names = NAMES

    def schema(self, s: Schema) -> Schema:
        plan = tuple(Test(self.test(x.condition)) if isinstance(x, Test) else x for x in s.plan)
        return replace(s, plan=plan)

    def test(self, e: Expr) -> Expr:
        nodes = list(walk(e))
        if len(nodes) <= LARGE or any(isinstance(x, StackOp | Noted | Arranged) for x in nodes):
            return e
        try:
            read = dict.fromkeys(g for x in nodes if isinstance(x, Get) for g in _slots(x))
        except TooLarge:
            return e
        given = {g: self._name(Local(0, g.var.name, g.type)) for g in read}
        free = tuple(free_locals(e).values())
        params = (*given.values(), *free)
        body = _replaced(e, given)
        return CallF(self._index(body, params), (*given, *(Load(x) for x in free)), e.type, span=e.span)

    def _name(self, local: Local) -> Local:
        self.names += 1
        return replace(local, id=self.names)

    def _index(self, body: Expr, params: tuple[Local, ...]) -> int:
        shape = canonical(body, params)
        for known, index in self.shapes:
            if known == shape:
                return index
        index = len(self.functions)
        self.shapes.append((shape, index))
        self.functions.append(Function(index, "test", params, body))
        return index


def _slots(e: Get) -> list[Get]:
    """The slots that may be read, by what constant keys there are."""
    found: list[Get] = []

    def one(at: tuple[Expr, ...]) -> Expr:
        found.append(Get(e.var, at, e.type))
        return found[-1]

    by_key(e.var, e.keys, one)
    return found


def _replaced(e: Expr, given: dict[Get, Local]) -> Expr:
    if isinstance(e, Get):
        keys = tuple(_replaced(k, given) for k in e.keys)
        return by_key(e.var, keys, lambda at: Load(given[Get(e.var, at, e.type)]))
    return map_children(e, lambda x: _replaced(x, given))
