"""Large tests and sets of plans as functions that are given what they read: written once for several plans, apart from the play."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from gamedsl.core.fold import can_fail
from gamedsl.core.nodes import (
    Arranged,
    Bind,
    BoolT,
    CallF,
    Cond,
    Const,
    Expr,
    Function,
    Get,
    LetE,
    Load,
    Local,
    Loop,
    Noted,
    Op2,
    Program,
    Schema,
    SetT,
    StackOp,
    Test,
)
from gamedsl.core.traverse import children, free_locals, map_children, walk
from gamedsl.native.analysis.canonical_names import by_use, canonical
from gamedsl.native.analysis.symbolic_states import TooLarge, by_key

LARGE, LARGE_SET = 150, 60  # nodes of what becomes a function: a test, a set
BEFORE = 150  # nodes of a set that is worked out before a function is asked for a part of it
NAMES = 3_000_000  # numbers of names made here; a second time they go on from the number of functions


def outlined(program: Program, known: Collection[Expr] = (), sets: bool = False) -> Program:
    """The program with such functions behind those that it has. ``known``: what is given as it stands. ``sets``: what
    parameters range over, too."""
    if not program.functions:
        return program
    work = _Work(list(program.functions), known, sets)
    schemas = tuple(work.schema(s) for s in program.schemas)
    return replace(program, schemas=schemas, functions=tuple(work.functions))


class _Work:
    def __init__(self, functions: list[Function], known: Collection[Expr], sets: bool) -> None:
        self.functions = functions
        self.known = frozenset(known)
        self.given = {c.function for c in known if isinstance(c, CallF)}
        self.sets = sets
        self.shapes: list[tuple[Expr, int]] = []
        self.names = NAMES + 10_000 * len(functions)

    def schema(self, s: Schema) -> Schema:
        return replace(s, plan=tuple(self.step(x) for x in s.plan))

    def step(self, x: Bind | Test) -> Bind | Test:
        if isinstance(x, Test):
            return Test(self.asked(x.condition))
        return Bind(x.param, self.asked(x.over)) if self.sets else x

    def asked(self, e: Expr) -> Expr:
        nodes = list(self._nodes(e))
        if len(nodes) <= (LARGE_SET if self.sets else LARGE) or any(
            isinstance(x, StackOp | Noted | Arranged) for x in nodes
        ):
            return e
        guarded = self._guarded(e)
        if guarded is not None:
            return guarded
        try:
            slots = dict.fromkeys(g for x in nodes if isinstance(x, Get) for g in _slots(x))
        except TooLarge:
            return e
        given: dict[Expr, Local] = {g: self._name(Local(0, g.var.name, g.type)) for g in slots}
        given |= {x: self._name(Local(0, "kept", x.type)) for x in nodes if self._is_known(x)}
        body = self._replaced(e, given)
        args = {name.id: g for g, name in given.items()}
        params = by_use(body, (*given.values(), *free_locals(e).values()))
        return CallF(self._index(body, params), tuple(args.get(x.id, Load(x)) for x in params), e.type, span=e.span)

    def _guarded(self, e: Expr) -> Expr | None:
        """``let x = V in B`` where V is asked without loops, and B is a part of x: only V stays, and whether it is empty."""
        if not isinstance(e, LetE) or not isinstance(e.local.type, SetT) or _long(e.value):
            return None
        if not _part_of(e.body, e.local, self.functions):
            return None
        rest, some = self.asked(e.body), Op2("ne", Load(e.local), Const(0, e.type), BoolT())
        return replace(e, body=Cond(some, rest, Const(0, e.type), e.type)) if isinstance(rest, CallF) else None

    def _nodes(self, e: Expr) -> Iterator[Expr]:
        yield e
        if not self._is_known(e):
            for c in children(e):
                yield from self._nodes(c)

    def _replaced(self, e: Expr, given: dict[Expr, Local]) -> Expr:
        if self._is_known(e):
            return Load(given[e])
        if isinstance(e, Get):
            keys = tuple(self._replaced(k, given) for k in e.keys)
            return by_key(e.var, keys, lambda at: Load(given[Get(e.var, at, e.type)]))
        return map_children(e, lambda x: self._replaced(x, given))

    def _is_known(self, e: Expr) -> bool:
        return isinstance(e, CallF) and e.function in self.given and e in self.known

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


def _long(e: Expr) -> bool:
    nodes = list(walk(e))
    return len(nodes) > BEFORE or any(isinstance(x, Loop) for x in nodes)


def _part_of(e: Expr, whole: Local, functions: Sequence[Function]) -> bool:
    """Is it a part of the set of this name, and can nothing fail where that is empty?"""
    match e:
        case Load(local=local):
            return local.id == whole.id
        case Const(value=value):
            return value == 0
        case Cond():
            parts = (e.then, e.otherwise)
            return not can_fail(e.condition, functions) and all(_part_of(x, whole, functions) for x in parts)
        case Loop(kind="filter"):
            return _part_of(e.over, whole, functions)
        case Op2(op="meet" | "minus"):
            return _part_of(e.left, whole, functions) and not can_fail(e.right, functions)
        case _:
            return False


def _slots(e: Get) -> list[Get]:
    """The slots that may be read, by what constant keys there are."""
    found: list[Get] = []

    def one(at: tuple[Expr, ...]) -> Expr:
        found.append(Get(e.var, at, e.type))
        return found[-1]

    by_key(e.var, e.keys, one)
    return found
