"""Pieces that are carried along relations without cycles, and the longest ways that they have left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from gamedsl.core.evaluator import NotConstant, RangeProblem, evaluate, offset
from gamedsl.core.known_members import Fact, after
from gamedsl.core.nodes import (
    Assign,
    CoreStmt,
    IntT,
    Load,
    Local,
    Op1,
    Op2,
    Program,
    SetT,
    Var,
)
from gamedsl.core.play_steps import GROWS, Step, direction, is_own
from gamedsl.core.traverse import walk_statements


@dataclass(frozen=True)
class Carry:
    """A piece of a slot goes from one element to another."""

    slot: Local | None
    source: Local
    target: Local


def longest_ways(program: Program, steps: Sequence[Step], var: Var) -> int | None:
    """The sum over all slots and elements of the longest way from there; None if pieces go round, or come from outside."""
    ways: dict[int, dict[int, set[int]]] = {slot: {} for slot in range(var.slots)}
    for step in steps:
        carried = carried_piece(program, step, var)
        additions = [s for s in walk_statements((*step.sure, *step.maybe)) if _adds(s, var)]
        if len(additions) > (carried is not None):
            return None
        if carried is not None and not _relate(program, step, carried, var, ways):
            return None
    try:
        return sum(_longest_ways(graph) for graph in ways.values())
    except CycleError:
        return None


def _adds(s: CoreStmt, var: Var) -> bool:
    return isinstance(s, Assign) and s.var == var and direction(s) == GROWS


def carried_piece(program: Program, step: Step, var: Var) -> Carry | None:
    """The piece that a step surely carries: a check that it is there, its removal, and its arrival."""
    facts, left = list[Fact](), None
    for i, s in enumerate(step.sure):
        facts = [*facts, *step.facts] if i == step.before else facts
        match s:
            case Assign(var=other, keys=keys, value=Op2(op=op, right=Op1(op="single", operand=Load(local=x)))) if (
                other == var and len(keys) <= 1
            ):
                slot = keys[0].local if keys and isinstance(keys[0], Load) else None
                present = any(f.inside and is_own(f.home, s) and f.element == Load(x) for f in facts)
                if op == "minus" and present and (slot or not keys):
                    left = slot, x
                elif op == "union" and left is not None and left[0] == slot:
                    return Carry(slot, left[1], x)
            case _:
                pass
        facts = after(program, facts, s)
    return None


def _relate(program: Program, step: Step, carry: Carry, var: Var, ways: dict[int, dict[int, set[int]]]) -> bool:
    """Adds where the pieces may go. False if nothing is known of that."""
    assert isinstance(var.type, SetT)
    homes = [f.home for f in step.facts if f.inside and f.element == Load(carry.target)]
    known, low = False, var.type.domain.low if isinstance(var.type.domain, IntT) else 0
    for slot in ways if carry.slot is not None else (0,):
        for at in range(var.type.domain.size):
            names = {carry.source.id: at + offset(carry.source.type)}
            if carry.slot is not None:
                names[carry.slot.id] = slot + offset(carry.slot.type)
            found = (1 << var.type.domain.size) - 1
            for home in homes:
                try:
                    found &= evaluate(home, names)
                    known = True
                except (NotConstant, RangeProblem):
                    pass
            ways[slot].setdefault(at, set()).update(i for i in range(found.bit_length()) if found >> i & 1)
    return known and not low


def _longest_ways(graph: dict[int, set[int]]) -> int:
    """The sum of the longest ways from all nodes. Raises ``CycleError`` if there is a cycle."""
    longest: dict[int, int] = {}
    for node in TopologicalSorter(graph).static_order():
        longest[node] = max((longest[x] + 1 for x in graph.get(node, ())), default=0)
    return sum(longest.values())
