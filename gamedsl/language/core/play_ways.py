"""Pieces that move along acyclic relations, and the longest paths left to them."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from gamedsl.language.core import nodes as n
from gamedsl.language.core.evaluator import NotConstant, RangeProblem, evaluate, offset
from gamedsl.language.core.known_members import Fact, after
from gamedsl.language.core.play_steps import GROWS, Step, direction, is_own
from gamedsl.language.core.traverse import walk_statements
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Carry:
    """A move of a slot's piece from one element to another."""

    slot: n.Local | None
    source: n.Local
    target: n.Local


def longest_ways(program: n.Program, steps: Sequence[Step], var: n.Var) -> int | None:
    """Returns the sum of the longest paths from all elements of all slots; None if pieces can go in cycles, or be
    added.
    """
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


def _adds(s: n.CoreStmt, var: n.Var) -> bool:
    return isinstance(s, n.Assign) and s.var == var and direction(s) == GROWS


def carried_piece(program: n.Program, step: Step, var: n.Var) -> Carry | None:
    """Returns the move of a piece that a step certainly makes: a check that the piece is there, its removal, and its
    arrival.
    """
    facts, left = list[Fact](), None
    for i, s in enumerate(step.sure):
        facts = [*facts, *step.facts] if i == step.before else facts
        match s:
            case n.Assign(
                var=other, keys=keys, value=n.Op2(op=op, right=n.Op1(op="single", operand=n.Load(local=x)))
            ) if other == var and len(keys) <= 1:
                slot = keys[0].local if keys and isinstance(keys[0], n.Load) else None
                present = any(f.inside and is_own(f.home, s) and f.element == n.Load(x) for f in facts)
                if op == "minus" and present and (slot or not keys):
                    left = slot, x
                elif op == "union" and left is not None and left[0] == slot:
                    return Carry(slot, left[1], x)
            case _:
                pass
        facts = after(program, facts, s)
    return None


def _relate(program: n.Program, step: Step, carry: Carry, var: n.Var, ways: dict[int, dict[int, set[int]]]) -> bool:
    """Adds the places where the pieces can go to ``ways``. Returns False if nothing is known about them."""
    assert isinstance(var.type, n.SetT)
    homes = [f.home for f in step.facts if f.inside and f.element == n.Load(carry.target)]
    known, low = False, var.type.domain.low if isinstance(var.type.domain, n.IntT) else 0
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
    """Returns the sum of the longest paths from all nodes. Raises ``CycleError`` if there is a cycle."""
    longest: dict[int, int] = {}
    for node in TopologicalSorter(graph).static_order():
        longest[node] = max((longest[x] + 1 for x in graph.get(node, ())), default=0)
    return sum(longest.values())
