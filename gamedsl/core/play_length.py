"""A bound on the number of decisions in a play, by a ranking function.

The measure is the sum of all room left in monotone variables: elements that a set which only grows can still take,
elements left in a set that only shrinks, numbers left to a counter that only goes one way. An edge between blocks makes
progress if it takes some of that room for good. A cycle of blocks in which players decide, but no edge makes progress,
leaves the length unbounded as far as this analysis can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gamedsl.core.enumeration_plan import conjuncts
from gamedsl.core.evaluator import limits
from gamedsl.core.nodes import (
    Assign,
    Chance,
    Choose,
    Const,
    Convert,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    Ends,
    Expr,
    Get,
    IntT,
    Load,
    Op1,
    Op2,
    Program,
    Schema,
    SetT,
    StopS,
    Var,
)
from gamedsl.core.traverse import is_stop, reached, targets, terminator_tick, walk_statements, written

GROWS, SHRINKS = 1, -1


def longest_play(program: Program, chance: bool = False) -> int | None:
    """An upper bound on the decisions in a play; None if the analysis finds none. A simultaneous choice is one decision,
    chance makes none (with ``chance``: one for each outcome)."""
    return _Bound(program, chance).decisions()


def claimed_length(program: Program) -> int | None:
    """The plies of the claim ``ends within N plies`` about the whole play; None if the ruleset claims nothing."""
    bounds = [c.bound for c in program.claims if isinstance(c, Ends) and c.part == 0]
    return min((b.value for b in bounds if isinstance(b, Const)), default=None)


@dataclass(frozen=True)
class _Edge:
    """From a block to a block. ``decides``: does a player (or chance, if asked) decide there?"""

    source: int
    target: int
    decides: bool
    progress: bool


class _Bound:
    def __init__(self, program: Program, chance: bool) -> None:
        self.program = program
        self.deciding = Decide | DecideTogether | Choose | DecideDrawing | (Chance if chance else Choose)
        self.monotone = _monotone(program)
        self.used: dict[int, int] = {}  # the room of every variable that some edge takes from

    def decisions(self) -> int | None:
        alive = reached(self.program, [self.program.entry])
        edges = [e for i in sorted(alive) for e in self._edges(i)]
        room = sum(self.used.values())
        ahead = {i: reached(self.program, targets(self.program.blocks[i].end)) for i in alive}
        inside: dict[int, int] = {}  # by the first block of a cycle: the decisions while play is in it
        first = {i: min([i, *(j for j in ahead[i] if i in ahead[j])]) for i in alive}
        for one in set(first.values()):
            own = [e for e in edges if first[e.source] == first[e.target] == one]
            longest = _longest([e for e in own if not e.progress], {})
            if longest is None:
                return None
            counted = any(e.decides and e.progress for e in own)
            inside[one] = room * counted + (room + 1 if any(e.progress for e in own) else 1) * longest
        linking = [e for e in edges if first[e.source] != first[e.target]]
        between = [_Edge(first[e.source], first[e.target], e.decides, False) for e in linking]
        return _longest(between, inside)

    def _edges(self, number: int) -> list[_Edge]:
        block = self.program.blocks[number]
        before = any(self._takes(s, None) for s in block.statements)
        always = any(self._takes(s, None) for s in terminator_tick(block.end)) or before
        decides = isinstance(block.end, self.deciding)
        if not isinstance(block.end, Decide):
            return [_Edge(number, t, decides, always) for t in targets(block.end)]
        found = [
            _Edge(number, a.target, True, self._moves_on(self.program.schemas[a.schema]) or always)
            for a in block.end.alternatives
        ]
        if block.end.may_pass is not None:
            found.append(_Edge(number, block.end.may_pass, True, before))
        if block.end.stuck is not None:
            found.append(_Edge(number, block.end.stuck, False, before))
        return found

    def _moves_on(self, schema: Schema) -> bool:
        stops = any(isinstance(s, StopS) for s in walk_statements(schema.effect))
        return not stops and any(self._takes(s, schema) for s in schema.effect)

    def _takes(self, statement: CoreStmt, schema: Schema | None) -> bool:
        """Does the statement, which is always carried out, take room from a monotone variable?"""
        if not isinstance(statement, Assign) or statement.var.index not in self.monotone:
            return False
        room = _room(statement, schema)
        if room is not None:
            self.used[statement.var.index] = max(self.used.get(statement.var.index, 0), room)
        return room is not None


def _monotone(program: Program) -> set[int]:
    """The variables that change in one direction only, once somebody or chance has acted."""
    ways: dict[int, set[int]] = {}
    for s in _later_statements(program):
        var = written(s)
        if var is not None:
            ways.setdefault(var.index, set()).add(_direction(s) if isinstance(s, Assign) else 0)
    for b in program.blocks:
        match b.end:
            case Choose(var=var) | Chance(result=var) | DecideDrawing(var=var):
                ways.setdefault(var.index, set()).add(0)
            case Decide(alternatives=alternatives) | DecideTogether(alternatives=alternatives):
                for register in (v for a in alternatives for v in a.registers):
                    ways.setdefault(register.index, set()).add(0)
            case _:
                pass
    return {index for index, found in ways.items() if found in ({GROWS}, {SHRINKS})}


def _later_statements(program: Program) -> Iterator[CoreStmt]:
    """The statements that may run after the first stop."""
    later = reached(program, (t for b in program.blocks if is_stop(b) for t in targets(b.end)))
    for schema in program.schemas:
        yield from walk_statements(schema.effect)
    for b in program.blocks:
        yield from walk_statements(terminator_tick(b.end))
        if b.index in later:
            yield from walk_statements(b.statements)


def _direction(s: Assign) -> int:
    match s.value:
        case Op2(op="union", left=left) if _is_own(left, s):
            return GROWS
        case Op2(op="minus", left=left) if _is_own(left, s):
            return SHRINKS
        case _:
            step = _step(s)
            return 0 if not step else GROWS if step > 0 else SHRINKS


def _is_own(e: Expr, s: Assign) -> bool:
    return isinstance(e, Get) and (e.var, e.keys) == (s.var, s.keys)


def _step(s: Assign) -> int:
    """What a counter is changed by at least, with its sign; 0 if it may stay or go either way."""
    value = _bare(s.value)
    match value:
        case Op2(op="add", left=left, right=Const(value=n)) if isinstance(s.var.type, IntT):
            return n if _is_own(_bare(left), s) else 0
        case Op2(op="sub", left=left, right=right) if isinstance(s.var.type, IntT):
            return -max(0, _least(right)) if _is_own(_bare(left), s) else 0
        case _:
            return 0


def _bare(e: Expr) -> Expr:
    return _bare(e.operand) if isinstance(e, Convert) else e


def _least(e: Expr) -> int:
    """The least number of a type; 0 if it is no number."""
    return e.type.low if isinstance(e.type, IntT) else 0


def _room(s: Assign, schema: Schema | None) -> int | None:
    """How often a statement of this kind can be carried out, if it takes room each time; else None."""
    if isinstance(s.var.type, IntT):
        low, high = limits(s.var.type)
        return (high - low) * s.var.slots if _step(s) else None
    if schema is None or not isinstance(s.var.type, SetT):
        return None
    everything = s.var.type.domain.size
    facts = [c for g in schema.guards for c in conjuncts(g.condition)]
    facts += [Op2("in", Load(p.local), p.over, g.type) for p in schema.params for g in facts[:1]]
    names = _singles(s.value.right) if isinstance(s.value, Op2) else set()
    if _direction(s) == SHRINKS:
        return everything * s.var.slots if any(_is_in(c, names, s) for c in facts) else None
    free = [taken for c in facts for taken in _excluded(c, names)]
    if any(_all_slots(taken, s.var) for taken in free):
        return everything
    return everything * s.var.slots if any(_is_own(part, s) for taken in free for part in _parts(taken)) else None


def _parts(e: Expr) -> list[Expr]:
    """The operands of a union."""
    return [*_parts(e.left), *_parts(e.right)] if isinstance(e, Op2) and e.op == "union" else [e]


def _singles(e: Expr) -> set[int]:
    """The names whose values surely belong to a set."""
    return {x.operand.local.id for x in _parts(e) if isinstance(x, Op1) and x.op == "single" and isinstance(x.operand, Load)}  # fmt: skip


def _is_in(condition: Expr, names: set[int], s: Assign) -> bool:
    """Does it say that one of the names is in the assigned slot?"""
    match condition:
        case Op2(op="in", left=Load(local=local), right=right):
            return local.id in names and _is_own(right, s)
        case _:
            return False


def _excluded(condition: Expr, names: set[int]) -> list[Expr]:
    """The sets that one of the names is not in, by this condition."""
    match condition:
        case Op2(op="in", left=Load(local=local), right=Op1(op="complement", operand=taken)) if local.id in names:
            return [taken]
        case Op1(op="not", operand=Op2(op="in", left=Load(local=local), right=taken)) if local.id in names:
            return [taken]
        case _:
            return []


def _all_slots(taken: Expr, var: Var) -> bool:
    slots = {p.keys for p in _parts(taken) if isinstance(p, Get) and p.var == var}
    return sum(all(isinstance(k, Const) for k in keys) for keys in slots) == var.slots


def _longest(edges: list[_Edge], weights: dict[int, int]) -> int | None:
    """The most decisions on a path, with the weights of its blocks; None if a cycle has decisions."""
    best = {i: weights.get(i, 0) for i in {*weights, *(x for e in edges for x in (e.source, e.target))}}
    for _ in range(len(best) + 1):  # Bellman-Ford: longer paths go round
        changed = False
        for e in edges:
            length = best[e.target] + e.decides + weights.get(e.source, 0)
            if length > best[e.source]:
                best[e.source], changed = length, True
        if not changed:
            return max(best.values(), default=0)
    return None
