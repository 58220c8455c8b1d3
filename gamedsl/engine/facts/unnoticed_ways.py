"""The plies that may be made unnoticed: nothing that all see changes for certain, and the game stops where it looks as before."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from gamedsl.engine.facts.thing_facts import plain
from gamedsl.language.core import is_stop, statement_lists, targets, walk_statements, written
from gamedsl.language.core import nodes as n

Looks = frozenset[object]  # of stops
Constants = frozenset[tuple[int, int]]  # variables, with their values
Passed = tuple[
    int, int, Constants
]  # a block, how often the turn has passed before it, and the helpers set to constants
Way = tuple[n.Alt | None, int]  # a move, or something else that is done at a stop, and the block that follows


class UnnoticedWays:
    """The ways through the blocks of a program from one stop to the next."""

    def __init__(self, program: n.Program) -> None:
        self.program, self.blocks = program, program.blocks
        self.helpers = frozenset(v.index for v in program.variables if v.role == "temp")
        self.grown = _grown(program)
        self.stops: dict[int, Looks] = {}

    def _first_stops(self, block: int) -> Looks:
        """The looks of the stops that may be reached first from a block."""
        if block not in self.stops:
            found = (self.blocks[i] for i in self._blocks_before_stop(block))
            self.stops[block] = frozenset(look_at(b) for b in found if is_stop(b))
        return self.stops[block]

    def _blocks_before_stop(self, block: int) -> set[int]:
        seen, todo = set[tuple[int, Constants]](), [(block, Constants())]
        while todo:
            at, constants = todo.pop()
            if (at, constants) not in seen:
                seen.add((at, constants))
                now = self.blocks[at]
                constants = self._constants(now.statements, constants)
                todo += [(t, constants) for t in self._onward(now, constants)]
        return {i for i, _ in seen}

    def _onward(self, block: n.Block, constants: Constants) -> tuple[int, ...]:
        """The blocks that may follow without a stop: after a decision, if there is no move."""
        if not is_stop(block):
            return tuple(t for t in targets(block.end) if t != _other_way(block.end, constants))
        return (block.end.stuck,) if isinstance(block.end, n.Decide) and block.end.stuck is not None else ()

    def _unnoticed_way(self, stop: n.Block, alt: n.Alt | None, target: int) -> tuple[set[int], set[int]]:
        """The blocks through which the game may pass after a ply of which somebody may not learn that it was made, and the
        blocks where it may stop then: nothing that all see changes for certain, and the game stops where it looks the same."""
        later = self._later(target)
        if self._certain(alt).difference(later):
            return set(), set()
        written_here = self._all_written(alt)
        stops, before = set[Passed](), dict[Passed, set[Passed]]()
        todo: list[Passed] = [(target, 0, frozenset())]
        while todo:
            here = at, turned, constants = todo.pop()
            now = self.blocks[at]
            before.setdefault(here, set())
            if any(self._is_certain(s, written_here, later) for s in now.statements):
                continue
            turned = self._turned(stop.end, now.statements, turned)
            constants = self._constants(now.statements, constants)
            if is_stop(now) and look_at(stop) == look_at(now) and turned != 1:
                stops.add(here)
            for t in self._onward(now, constants):
                there = t, turned, constants
                if there not in before:
                    todo.append(there)
                before.setdefault(there, set()).add(here)
        passed, back = set[Passed](), list(stops)
        while back:
            here = back.pop()
            if here not in passed:
                passed.add(here)
                back += before[here]
        return {i for i, _, _ in passed}, {i for i, _, _ in stops}

    def _constants(self, statements: tuple[n.CoreStmt, ...], before: Constants) -> Constants:
        """The helpers that have just been set to constants, after these statements."""
        now = dict(before)
        for s in statements:
            for v in (v for x in walk_statements((s,)) for v in self._writes(x)):
                now.pop(v.index, None)
            if isinstance(s, n.Assign) and isinstance(s.value, n.Const) and s.var.index in self.helpers and not s.keys:
                now[s.var.index] = s.value.value
        return frozenset(now.items())

    def _certain(self, alt: n.Alt | None) -> set[int]:
        """The variables that everybody sees changed by a move, once and certainly."""
        effect = () if alt is None else self.program.schemas[alt.schema].effect
        if any(isinstance(s, n.StopS | n.Effect) for s in walk_statements(effect)):
            return set()
        every = [v.index for s in walk_statements(effect) for v in self._writes(s)]
        found = {v.index for s in effect if self._changes(s) for v in self._writes(s) if v.seen == "all"}
        return {i for i in found - self.helpers if every.count(i) == 1}

    def _is_certain(self, s: n.CoreStmt, before: set[int], later: Sequence[int]) -> bool:
        """Whether everybody sees for certain that a statement of a block after a move has changed something."""
        var = written(s)
        is_only = var is not None and var.index not in before and later.count(var.index) == 1
        return is_only and var is not None and var.seen == "all" and var.role != "temp" and self._changes(s)

    def _changes(self, s: n.CoreStmt) -> bool:
        """Whether a statement certainly changes what it writes."""
        if isinstance(s, n.Assign) and isinstance(s.var.type, n.IntT):
            value = plain(s.value)
            same = plain(n.Get(s.var, s.keys, s.var.type))
            return (
                isinstance(value, n.Op2)
                and value.op == "add"
                and value.left == same
                and isinstance(value.right, n.Const)
            )
        return isinstance(s, n.PushS | n.PopS) or id(s) in self.grown

    def _turned(self, end: n.Terminator, statements: tuple[n.CoreStmt, ...], before: int) -> int:
        """How often the turn has passed to another player: 0, 1, or 2 for what is not known."""
        if not isinstance(end, n.SoloDecision) or not isinstance(end.seat, n.Get):
            return 2
        turned = before
        for s in walk_statements(statements):
            if end.seat.var in self._writes(s):
                passes = s in statements and isinstance(s, n.Assign) and _passes_on(s, end.seat)
                turned = 1 if passes and turned == 0 else 2
        return turned

    def _all_written(self, alt: n.Alt | None) -> set[int]:
        effect = () if alt is None else self.program.schemas[alt.schema].effect
        return {v.index for s in walk_statements(effect) for v in self._writes(s)}

    def _later(self, block: int) -> list[int]:
        """The variables that may be written from a block on, before the game stops; one entry for each statement."""
        blocks = (self.blocks[i] for i in self._blocks_before_stop(block))
        return [v.index for b in blocks for s in walk_statements(b.statements) for v in self._writes(s)]

    def _writes(self, s: n.CoreStmt) -> list[n.Var]:
        if isinstance(s, n.Effect):
            inside = self.program.schemas[s.schema].effect
            return [v for x in walk_statements(inside) for v in self._writes(x)]
        var = written(s)
        return [] if var is None else [var]


def ways_from(stop: n.Block) -> list[Way]:
    """What may be done at a stop: each kind of move, a pass, an outcome."""
    match stop.end:
        case n.Decide(alternatives=alternatives, may_pass=may_pass):
            return [*((a, a.target) for a in alternatives), *([] if may_pass is None else [(None, may_pass)])]
        case n.DecideTogether(alternatives=alternatives, target=target):
            return [(a, target) for a in alternatives]
        case end:
            return [(None, t) for t in targets(end)]


def _other_way(end: n.Terminator, constants: Constants) -> int | None:
    """The block to which a branch does not lead, since it asks for the value of a constant: a loop begins with a round."""
    known = dict(constants)
    match end:
        case n.BranchT(condition=n.Op2(op="eq", left=n.Get(var=var, keys=()), right=n.Const(value=value))):
            pass
        case n.BranchT(condition=n.Op1(op="is_empty", operand=n.Get(var=var, keys=()))):
            value = 0
        case _:
            return None
    if var.index not in known:
        return None
    return end.no if known[var.index] == value else end.yes


def look_at(stop: n.Block) -> tuple[str, str, int]:
    """What everybody sees of a stop, whatever the values are."""
    return look_of(stop.end), stop.phase, stop.part


def look_of(end: object) -> str:
    """The look of a stop: the same for terminators that a seat cannot tell apart."""
    match end:
        case n.Decide() | n.Choose():
            return "player"
        case n.Stop() if not isinstance(end, n.End):
            return type(end).__name__
        case _:
            return "end"


def _passes_on(s: n.Assign, seat: n.Get) -> bool:
    """Whether a statement sets the player to act to one who is always another."""
    match s:
        case n.Assign(keys=(), value=n.Lookup(table=table, keys=(n.Get(var=var, keys=()),))) if (
            var == seat.var == s.var
        ):
            return all(value != i for i, value in enumerate(table.values))
        case _:
            return False


def _grown(program: n.Program) -> set[int]:
    """The identities of the statements that add to a set something of which the statement before has checked that it is not
    in it."""
    return {
        id(s)
        for statements in statement_lists(program)
        for before, s in itertools.pairwise(statements)
        if isinstance(s, n.Assign) and isinstance(before, n.Check) and _is_missing(before.condition, s)
    }


def _is_missing(condition: n.Expr, s: n.Assign) -> bool:
    match condition, s.value:
        case n.Op2(op="disjoint", left=new, right=old), n.Op2(op="union", left=n.Get(var=var, keys=keys), right=added):
            return (var, keys) == (s.var, s.keys) and plain(old) == plain(s.value.left) and plain(new) == plain(added)
        case _:
            return False
