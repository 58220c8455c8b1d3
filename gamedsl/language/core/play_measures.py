"""Measures of the progress of play: quantities that no step of a cycle raises, and some steps lower.

- The room left in a variable that changes in one direction only: elements that a set can still gain or lose,
  numbers left for a counter.
- The number of pieces in a variable of sets: captures lower it, and moves of pieces do not change it.
- The sum of the longest paths left to pieces, if every move takes a piece along an acyclic relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

from gamedsl.language.core import nodes as n
from gamedsl.language.core.known_members import Fact, after, elements, facts_of, opened, parts
from gamedsl.language.core.nodes import limits
from gamedsl.language.core.play_steps import GROWS, SHRINKS, Step, direction, is_own, least_change
from gamedsl.language.core.play_ways import carried_piece, longest_ways
from gamedsl.language.core.traverse import walk_statements, written

Name: TypeAlias = tuple[str, int]  # of a measure: its kind, and the variable
Way: TypeAlias = tuple[frozenset[Name], ...]  # per branch, the measures that are lowered there


class Measures:
    """The measures that none of some steps raises. ``room``: by name, how far each of them can fall."""

    def __init__(self, program: n.Program, steps: Sequence[Step]) -> None:
        self.program, self.steps = program, steps
        self.room: dict[Name, int] = {}
        self._counted = [v for v in self._sets if self._never_more(v)]
        self._falling = [self._lowered(step) for step in steps]

    def falls(self, chosen: set[Name]) -> list[bool]:
        """Returns, per step, whether it certainly lowers the sum of these measures."""
        return [any(not any(chosen.isdisjoint(names) for names in way) for way in ways) for ways in self._falling]

    def _lowered(self, step: Step) -> list[Way]:
        """Returns the ways in which the step certainly lowers measures."""
        found = self._takes(step.sure, step)
        for var in self._counted:
            if (_delta(self.program, step, var) or 0) < 0 and isinstance(var.type, n.SetT):
                self.room["pieces", var.index] = var.type.domain.size * var.slots
                found.append((frozenset({("pieces", var.index)}),))
        for index, ways in self._ranked.items():
            if carried_piece(self.program, step, self.program.variables[index]) is not None:
                self.room["ways", index] = ways
                found.append((frozenset({("ways", index)}),))
        return found

    # ------------------------------------------------------------------------------------------ one direction only

    @cached_property
    def _ways(self) -> dict[int, set[int]]:
        """The directions in which statements change each variable, by its index; 0: any."""
        ways: dict[int, set[int]] = {}
        for step in self.steps:
            for index in step.chosen:
                ways.setdefault(index, set()).add(0)
            for s in walk_statements((*step.sure, *step.maybe)):
                if (var := written(s)) is not None:
                    ways.setdefault(var.index, set()).add(direction(s) if isinstance(s, n.Assign) else 0)
        return ways

    @cached_property
    def _sets(self) -> list[n.Var]:
        found = [self.program.variables[i] for i, ways in self._ways.items() if 0 not in ways]
        return [v for v in found if isinstance(v.type, n.SetT)]

    def _takes(self, statements: Sequence[n.CoreStmt], step: Step, known: list[Fact] | None = None) -> list[Way]:
        """Returns the ways in which the statements use up room permanently."""
        facts, found = known or [], list[Way]()
        for i, s in enumerate(statements):
            if known is None and i == step.before:
                facts = [*facts, *step.facts]
            found += self._taken(s, facts, step)
            only = s.var if isinstance(s, n.Assign) and self._ways[s.var.index] in ({GROWS}, {SHRINKS}) else None
            facts = after(self.program, facts, s, only)
        return found

    def _taken(self, s: n.CoreStmt, facts: list[Fact], step: Step) -> list[Way]:
        match s:
            case n.Assign(var=var) if self._ways[var.index] in ({GROWS}, {SHRINKS}):
                room, name = _room(s, facts), ("room", var.index)
                if room is None:
                    return []
                self.room[name] = max(self.room.get(name, 0), room)
                return [(frozenset({name}),)]
            case n.IfS(condition=condition, then=then, otherwise=otherwise):
                asked = opened(self.program, condition)
                yes = self._takes(then, step, [*facts, *facts_of(asked)])
                no = self._takes(otherwise, step, [*facts, *facts_of(n.Op1("not", asked, asked.type))])
                return [(*a, *b) for a in yes for b in no]
            case _:
                return []

    # ------------------------------------------------------------------------------------------------------ pieces

    def _never_more(self, var: n.Var) -> bool:
        deltas = [_delta(self.program, step, var) for step in self.steps]
        return len(self._ways[var.index]) == 2 and all(d is not None and d <= 0 for d in deltas)

    @cached_property
    def _ranked(self) -> dict[int, int]:
        """The variables whose pieces move along acyclic relations, each with the sum of the longest paths from all
        places.
        """
        found = {}
        for var in self._sets:
            if len(self._ways[var.index]) == 2 and (ranks := longest_ways(self.program, self.steps, var)) is not None:
                found[var.index] = ranks
        return found


# ------------------------------------------------------------------------------------------------- room of a variable


def _room(s: n.Assign, facts: Sequence[Fact]) -> int | None:
    """Returns the number of times that such statements can be executed, if each time uses up room; otherwise None."""
    if isinstance(s.var.type, n.IntT):
        low, high = limits(s.var.type)
        return (high - low) * s.var.slots if least_change(s) else None
    if not isinstance(s.var.type, n.SetT) or not isinstance(s.value, n.Op2):
        return None
    everything, moved = s.var.type.domain.size, elements(s.value.right)
    homes = [f.home for f in facts if f.element in moved and f.inside == (direction(s) == SHRINKS)]
    if direction(s) == GROWS and any(_all_slots([f.home for f in facts if f.element == e], s.var) for e in moved):
        return everything
    return everything * s.var.slots if any(is_own(home, s) for home in homes) else None


def _all_slots(homes: Sequence[n.Expr], var: n.Var) -> bool:
    slots = {p.keys for p in homes if isinstance(p, n.Get) and p.var == var}
    return sum(all(isinstance(k, n.Const) for k in keys) for keys in slots) == var.slots


# ----------------------------------------------------------------------------------------------------- pieces in sets


def _delta(program: n.Program, step: Step, var: n.Var) -> int | None:
    """Returns the greatest change of the number of pieces by a step; None if there is no bound."""
    total, facts = 0, list[Fact]()
    for i, s in enumerate(step.sure):
        facts = [*facts, *step.facts] if i == step.before else facts
        change = _change(program, s, var, facts)
        if change is None:
            return None
        total, facts = total + change, after(program, facts, s)
    return None if any(_change(program, s, var, []) not in (0, -1) for s in step.maybe) else total


def _change(program: n.Program, s: n.CoreStmt, var: n.Var, facts: Sequence[Fact]) -> int | None:
    """Returns the greatest change of the number of pieces by a statement; None if there is no bound."""
    match s:
        case n.Assign(var=other, value=n.Op2(op="union", right=right)) if other == var:
            return len(parts(right)) if len(parts(right)) == len(elements(right)) else None
        case n.Assign(var=other, value=n.Op2(op="minus", right=right)) if other == var:
            present = any(f.inside and is_own(f.home, s) and f.element in elements(right) for f in facts)
            return -1 if present else 0
        case n.IfS(then=then, otherwise=otherwise):
            changes = [_changes(program, branch, var) for branch in (then, otherwise)]
            return None if None in changes else max(c for c in changes if c is not None)
        case n.ForS(body=body):
            change = _changes(program, body, var)
            return 0 if change is not None and change <= 0 else None
        case _:
            return None if written(s) == var else 0


def _changes(program: n.Program, statements: Sequence[n.CoreStmt], var: n.Var) -> int | None:
    found = [_change(program, s, var, []) for s in statements]
    return None if None in found else sum(c for c in found if c is not None)
