"""Unrolls games of a few plies into one formula, from the first position or from an arbitrary one.

After every ply the game is at one of the stops. ``fronts[d]`` has, for each possible stop after d plies, its
condition and position. Values of a position get fresh names, which keeps formulas small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import partial
from time import perf_counter
from typing import Any, TypeAlias

import z3

from gamedsl.engine import State as GameState
from gamedsl.engine import codes_of
from gamedsl.lab.base import OVER
from gamedsl.lab.smt.encode import State
from gamedsl.lab.smt.smt_values import (
    Members,
    Unsupported,
    Value,
    and_,
    anything,
    has_count,
    known_count,
    not_,
    number,
    or_,
    same,
)
from gamedsl.lab.smt.transitions import Chosen, TransitionRelation
from gamedsl.language.core import at_rest, is_stop, parts_played
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

Arrival: TypeAlias = tuple[int, tuple[n.Expr, ...]]  # a block, and the conditions that must not hold on arrival
Front: TypeAlias = dict[int, tuple[Value, State]]


@lazy_dataclass()
class Unrolled:
    """Games unrolled so far.

    ``chosen[d]``: the possible choices in ply d, each with the variable that selects it.
    """

    program: n.Program
    asked: Sequence[n.Expr] = ()
    fronts: list[Front] = field(default_factory=list)
    chosen: list[list[tuple[Value, Chosen]]] = field(default_factory=list)
    _names: int = 0

    def __post_init__(self) -> None:
        self.relation = TransitionRelation(self.program)
        self.solver = z3.SimpleSolver()

    # ------------------------------------------------------------------------------------------------- beginning

    def begin_at(self, state: GameState) -> None:
        """Starts from an engine position."""
        self.fronts = [{state.block: (True, constants(self.program, state))}]

    def begin_anywhere(self) -> None:
        """Starts from an arbitrary position at any stop where the game continues.

        Variables that are not read there have their initial value.
        """
        resting = at_rest(self.program, self.asked)
        front: Front = {}
        whole: State = {}
        for var in self.program.variables:
            for slot in range(var.slots):
                if not isinstance(var.type, n.StoredT):
                    whole[var.index, slot] = self._any(var.type, f"{var.name}#{var.index} {slot}")
        for b in self.program.blocks:
            if is_stop(b) and not isinstance(b.end, n.End):
                state = dict(whole)
                for i in resting[b.index]:
                    var = self.program.variables[i]
                    state |= {(i, slot): number(var.type, code) for slot, code in enumerate(var.initial)}
                front[b.index] = z3.Bool(f"at {b.index}"), state
        self.solver.add(z3.PbEq([(when, 1) for when, _ in front.values()], 1))
        self.fronts = [front]
        self.take_over()

    def _any(self, t: Any, name: str) -> Value:
        found = anything(t, name, self.relation.given)
        if not isinstance(t, n.SetT):
            return found
        size = z3.Int(f"{name} size")
        self.relation.given += [size >= 0, size <= t.domain.size, (size == 0) == z3.Not(z3.Or(found))]
        return Members(found, lambda: size)

    def count_exactly(self) -> None:
        """Constrains set sizes to equal the number of members (otherwise sizes only track changes)."""
        for _, state in self.fronts[0].values():
            for value in state.values():
                if isinstance(value, Members):
                    self.solver.add(value.size == z3.Sum([z3.If(b, 1, 0) for b in value]))

    # ------------------------------------------------------------------------------------------------------ plies

    def step(self, coarse: bool = False) -> bool:
        """Unrolls one more ply, which must be played. Returns False if there is no successor.

        ``coarse``: leaves counts on the way unconstrained. Raises ``Unsupported``.
        """
        self.relation.coarse = coarse
        try:
            return self._step()
        finally:
            self.relation.coarse = False

    def _step(self) -> bool:
        arrivals: dict[Arrival, list[tuple[Value, State]]] = {}
        names: list[tuple[Value, Chosen]] = []
        for block, (when, state) in self.fronts[-1].items():
            for transition in self.relation.transitions(block, state):
                if transition.open is not False:
                    name = self._name()
                    self.solver.add(z3.Implies(name, and_([when, transition.open])))
                    names.append((name, transition.chosen))
                    arrivals.setdefault((transition.target, transition.forbids), []).append((name, transition.state))
        self.take_over()
        if not names:
            return False
        self.solver.add(z3.PbEq([(name, 1) for name, _ in names], 1))
        self.chosen.append(names)
        self.fronts.append(self._settle(arrivals))
        self.take_over()
        return True

    def _settle(self, arrivals: dict[Arrival, list[tuple[Value, State]]]) -> Front:
        """Returns the stops reached after choices that lead to these blocks."""
        stops: dict[int, list[tuple[Value, State]]] = {}
        for (block, forbids), found in arrivals.items():
            when, position = or_([w for w, _ in found]), self._merged(found)
            for forbid in forbids:
                self.solver.add(or_([not_(when), not_(self.relation.expr(forbid, position, {}))]))
            for can, stop, state in self.relation.stops(block, when, position):
                stops.setdefault(stop, []).append((can, state))
        front: Front = {}
        every: list[Value] = []
        for stop, found in stops.items():
            when = self._define(or_([w for w, _ in found]))
            every.append(when)
            front[stop] = when, self._merged(found)
        self.solver.add(or_(every))  # the rules do not fail on the way
        return front

    def _merged(self, found: list[tuple[Value, State]]) -> State:
        """Merges the alternative positions into one."""
        if len(found) == 1:
            return found[0][1]
        return {key: self._one_of([(when, state[key]) for when, state in found]) for key in found[0][1]}

    def _one_of(self, found: list[tuple[Value, Value]]) -> Value:
        first = found[0][1]
        if all(v is first for _, v in found):
            return first
        if not isinstance(first, list):
            return self._plain_one_of(found)
        members = [self._plain_one_of([(when, v[i]) for when, v in found]) for i in range(len(first))]
        if any(isinstance(v, Members) for _, v in found) and all(has_count(v) for _, v in found):
            size = self._plain_one_of([(when, known_count(v)) for when, v in found])
            return Members(members, lambda: size)
        return members

    def _plain_one_of(self, found: list[tuple[Value, Value]]) -> Value:
        groups: dict[object, tuple[Value, list[Value]]] = {}
        for when, value in found:
            key = (type(value), value) if isinstance(value, bool | int) else value.get_id()
            groups.setdefault(key, (value, []))[1].append(when)
        if len(groups) == 1:
            return found[0][1]
        name = z3.Bool(self._text()) if is_bool(found[0][1]) else z3.Int(self._text())
        for value, when in groups.values():
            self.solver.add(z3.Implies(or_(when), same(name, value)))
        return name

    def _define(self, value: Value) -> Value:
        """Introduces a name for a formula."""
        if isinstance(value, bool):
            return value
        name = self._name()
        self.solver.add(name == value)
        return name

    def _name(self) -> Value:
        return z3.Bool(self._text())

    def _text(self) -> str:
        self._names += 1
        return f"n {self._names}"

    def take_over(self) -> None:
        """Passes the accumulated constraints on values to z3, and clears them."""
        self.solver.add([g for g in self.relation.given if g is not True])
        self.relation.given.clear()

    # ------------------------------------------------------------------------------------------------- asking

    def broken(self, condition: n.Expr, part: int, wanted: bool, depth: int = -1) -> Value:
        """Returns the condition that a claim's condition differs from ``wanted`` after this many plies, while that
        part is being played.
        """
        found: list[Value] = []
        for block, (when, state) in self.fronts[depth].items():
            b = self.program.blocks[block]
            if part == 0 or part in parts_played(self.program)[b.part]:
                holds = self.relation.expr(condition, state, {OVER.id: isinstance(b.end, n.End)})
                found.append(and_([when, same(holds, not wanted)]))
        self.take_over()
        return or_(found)

    def check(self, question: Value, seconds: float) -> Any:
        """Returns a model in which the question holds; False if there is none; None if z3 does not know in time."""
        if question is False:
            return False
        self.solver.push()
        self.solver.set("timeout", int(seconds * 1000))
        if question is not True:
            self.solver.add(question)
        answer = self.solver.check()
        found = self.solver.model() if answer == z3.sat else False if answer == z3.unsat else None
        self.solver.pop()
        return found

    def check_each(self, question: Value, seconds: float, until: float) -> Any:
        """Like ``check``, but splits on the choices of the last ply, which is often faster.

        ``until``: a deadline on the scale of ``perf_counter``.
        """
        if question is False:
            return False
        self.solver.push()
        self.solver.set("timeout", int(seconds * 1000))
        self.solver.add(question)
        found: Any = False
        for name, _ in self.chosen[-1]:
            answer = self.solver.check(name) if perf_counter() < until else z3.unknown
            if answer == z3.sat:
                found = self.solver.model()
                break
            if answer == z3.unknown:
                found = None
                break
        self.solver.pop()
        return found

    def play(self, model: Any, plies: int) -> list[Chosen]:
        """Returns the choices of the first plies in a model."""
        found = []
        for names in self.chosen[:plies]:
            found.append(next(c for name, c in names if z3.is_true(model.eval(name, model_completion=True))))
        return found


def is_bool(value: Value) -> bool:
    return isinstance(value, bool) or z3.is_bool(value)


def constants(program: n.Program, state: GameState) -> State:
    """Converts an engine position to constants; sets carry their sizes."""
    found: State = {}
    for var in program.variables:
        if not isinstance(var.type, n.StoredT):
            for slot, code in enumerate(codes_of(state, var)):
                value = number(var.type, code)
                is_set = isinstance(var.type, n.SetT)
                found[var.index, slot] = Members(value, partial(sum, value)) if is_set else value
    return found


__all__ = ["Front", "Unrolled", "Unsupported", "constants"]
