"""Simultaneous choices of independent players become choices one after another, for playouts.

    decide together X, O: show(h), which does shown[me] := h
    →
    block 1: decide X: show -> 7
    block 7: decide O: show -> 2

No player's moves may depend on variables that another one's effect changes, and no effect may fail. Then it does not
matter that the first effect runs before the second choice. Block 1 stands for the first choice; no state of the ruleset
is at block 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.language.core import can_fail, exprs_of, make_plan, walk, walk_statements, written
from gamedsl.language.core import nodes as n

Slots = tuple[int, tuple[int | None, ...]]  # a variable, and its keys (None: any)


def sequential_choices(program: n.Program) -> n.Program:
    """The program with such decisions split up. The first choice keeps the block's number; the others come after all
    blocks."""
    if not any(isinstance(b.end, n.DecideTogether) for b in program.blocks):
        return program
    first, more = list(program.blocks), list[n.Block]()
    for block in program.blocks:
        end = block.end
        if isinstance(end, n.DecideTogether) and (movers := _independent(program, end)):
            numbers = [block.index, *(len(first) + len(more) + i for i in range(len(movers) - 1))]
            turns = [_turn(program, end, *step) for step in zip(movers, (*numbers[1:], end.target), strict=True)]
            first[block.index] = replace(block, end=turns[0])
            more += [
                replace(block, index=number, statements=(), end=turn)
                for number, turn in zip(numbers[1:], turns[1:], strict=True)
            ]
    return replace(program, blocks=(*first, *more))


def _turn(program: n.Program, end: n.DecideTogether, mover: int, target: int) -> n.Decide:
    who = n.Const(mover, n.ElemT(program.parts[end.part].players))
    alternatives = tuple(n.Alt(a.schema, target, ()) for a in end.alternatives)
    return n.Decide(end.seats[mover], who, alternatives, (), None, None, end.part, span=end.span)


def _independent(program: n.Program, end: n.DecideTogether) -> list[int]:
    """The movers, if they choose independently of each other; else an empty list."""
    schemas = [program.schemas[a.schema] for a in end.alternatives]
    if not isinstance(end.movers, n.Const) or end.tick or any(a.registers for a in end.alternatives):
        return []
    if any(s.forbids or s.has_chance or _fails(program, s) for s in schemas):
        return []
    movers = [m for m in range(program.parts[end.part].players.size) if end.movers.value >> m & 1]
    for at, earlier in enumerate(movers):
        changed = [slots for s in schemas for slots in _writes(s, earlier)]
        for later in movers[at + 1 :]:
            asked = [slots for s in schemas for slots in _reads(program, s, later)]
            if any(_meet(a, b) for a in changed for b in asked):
                return []
    return movers


def _fails(program: n.Program, schema: n.Schema) -> bool:
    """Whether the effect can fail or stop early."""
    inner = list(walk_statements(schema.effect))
    return any(s.may_fail or isinstance(s, n.StopS) for s in inner) or any(
        can_fail(e, program.functions) for e in exprs_of(schema.effect)
    )


def _writes(schema: n.Schema, mover: int) -> Iterator[Slots]:
    for s in walk_statements(schema.effect):
        if (var := written(s)) is not None:
            yield var.index, _keys(s.keys, schema, mover) if isinstance(s, n.Assign) else (None,) * len(var.keys)


def _reads(program: n.Program, schema: n.Schema, mover: int) -> Iterator[Slots]:
    """The slots that the moves of a player depend on."""
    for step in schema.plan or make_plan(schema.params, schema.guards):
        asked = step.over if isinstance(step, n.Bind) else step.condition
        called = _called(program, asked)
        for e in (*walk(asked), *(inner for i in called for inner in walk(program.functions[i].body))):
            match e:
                case n.Get(var=var, keys=keys):
                    yield var.index, (None,) * len(keys) if called else _keys(keys, schema, mover)
                case _ if (read := e.read()) is not None:
                    yield read.index, (None,) * len(read.keys)
                case _ if e.looks_ahead:
                    yield from ((v.index, (None,) * len(v.keys)) for v in program.variables)


def _called(program: n.Program, asked: n.Expr) -> set[int]:
    """The functions that an expression calls, and those that these call."""
    todo, known = [asked], set[int]()
    while todo:
        new = {e.function for e in walk(todo.pop()) if isinstance(e, n.CallF)} - known
        known |= new
        todo += [program.functions[i].body for i in new]
    return known


def _keys(keys: tuple[n.Expr, ...], schema: n.Schema, mover: int) -> tuple[int | None, ...]:
    return tuple(
        k.value if isinstance(k, n.Const) else mover if isinstance(k, n.Load) and k.local.id == schema.me.id else None
        for k in keys
    )


def _meet(a: Slots, b: Slots) -> bool:
    """Whether two descriptions may include the same slot."""
    return a[0] == b[0] and all(x is None or y is None or x == y for x, y in zip(a[1], b[1], strict=True))
