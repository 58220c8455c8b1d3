"""Incremental view maintenance: conditions and sets that each ply updates instead of recomputing.

- *The remaining set*: every decision chooses from the same set, and a ply removes only the chosen element. It is stored
  with its size; on a large board it is an unordered list. If players draw first, it is computed after that.
- *Monitors*: conditions on a set that grows by one element per ply. ``Lines``: only lines through the new element are
  tested. ``Reach``: the elements reached from a constant start are stored, and grow with the set. ``Components``: what
  each component touches is stored, and joined with the components that the new element joins.

``playouts/remaining_set.py`` and ``playouts/condition_code.py`` emit them.

Not done: sets that also shrink, and several decisions that choose from different sets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import ne

from gamedsl.compiler.analysis.pointwise import Slot, Unknown, Values, same_set, slot_of
from gamedsl.compiler.transform.monitors import Components, Lines, Monitor, Part, Reach, Watched, watched
from gamedsl.language.core import can_fail, reached, targets, walk, walk_statements, written
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class IncrementalConditions:
    """``remaining``: the remaining set, if there is one. ``watched``: by block, the condition of its branch.
    ``earliest``: by block whose branch tests for lines in a set disjoint from the remaining one, the number of elements
    that must be taken before there can be a line, and whether the branch negates the test."""

    remaining: n.Expr | None
    watched: dict[int, Watched]
    added_to: dict[int, Slot]  # by schema: the slot to which its effect adds the parameter
    earliest: dict[int, tuple[int, bool]]

    @property
    def monitors(self) -> tuple[Monitor, ...]:
        """The monitors of all branches, in order."""
        return tuple(monitor for condition in self.watched.values() for monitor in condition.monitors)


NO_CONDITIONS = IncrementalConditions(None, {}, {}, {})


def find_incremental_conditions(program: n.Program) -> IncrementalConditions:
    """The conditions and sets that can be maintained incrementally in a specialized program with lifted plans."""
    added_to = {s.index: _added_to(s) for s in program.schemas}
    known = {i: slot for i, slot in added_to.items() if slot is not None}
    branches = {b.index: watched(b.end.condition) for b in program.blocks if isinstance(b.end, n.BranchT)}
    all_asked = {i: one for i, one in branches.items() if one is not None and _in_any_order(program, one)}
    found = _keep(all_asked, lambda monitor: _only_grows(program, monitor.slot, known))
    for monitor in {m for one in found.values() for m in one.monitors if not isinstance(m, Reach)}:
        asked_at = [i for i, one in found.items() if monitor in one.monitors]
        if not all(_asked_always(program, known, found, monitor, i) for i in asked_at):
            found = _keep(found, partial(ne, monitor))
    remaining = _remaining_set(program)
    return IncrementalConditions(
        remaining, found, known, {} if remaining is None else _early(program, remaining, all_asked)
    )


def _in_any_order(program: n.Program, one: Watched) -> bool:
    """Whether all parts of a condition may be asked, in any order."""
    return len(one.parts) == 1 or not any(can_fail(part.condition, program.functions) for part in one.parts)


def _keep(asked: dict[int, Watched], wanted: Callable[[Monitor], bool]) -> dict[int, Watched]:
    """The conditions with the monitors that are wanted; conditions without monitors are left out."""
    found = {}
    for i, one in asked.items():
        parts = tuple(
            part if part.monitor is None or wanted(part.monitor) else Part(None, part.condition) for part in one.parts
        )
        if any(part.monitor is not None for part in parts):
            found[i] = Watched(parts, one.negated)
    return found


def _early(program: n.Program, remaining: n.Expr, asked: dict[int, Watched]) -> dict[int, tuple[int, bool]]:
    found = {}
    for i, condition in asked.items():
        one = condition.parts[0].monitor
        if len(condition.parts) == 1 and isinstance(one, Lines) and _is_disjoint(remaining, program, one.slot):
            found[i] = min(line.bit_count() for line in one.lines), condition.negated
    return found


# ----------------------------------------------------------------------------------------------------- growing sets


def _added_to(schema: n.Schema) -> Slot | None:
    """The slot of a set to which the effect adds the schema's only parameter, whatever else it assigns."""
    if len(schema.params) != 1 or not all(isinstance(s, n.Assign | n.Check) for s in schema.effect):
        return None
    assigned = [s for s in schema.effect if isinstance(s, n.Assign)]
    for s in assigned:
        if sum(other.var == s.var for other in assigned) == 1 and (slot := _grown(schema, s)) is not None:
            return slot
    return None


def _grown(schema: n.Schema, s: n.Assign) -> Slot | None:
    """The slot to which an assignment adds the schema's parameter."""
    if not isinstance(s.var.type, n.SetT):
        return None
    p = schema.params[0].local
    try:
        slot = slot_of(n.Get(s.var, s.keys, s.var.type))
    except Unknown:
        return None
    old = n.Get(s.var, s.keys, s.var.type)
    new = n.Op2("union", old, n.Op1("single", n.Load(p), s.var.type), s.var.type)
    return slot if same_set(s.value, new) else None


def _only_grows(program: n.Program, slot: Slot, added_to: dict[int, Slot]) -> bool:
    """Whether the slot is changed only by adding a parameter."""
    lists = [b.statements for b in program.blocks]
    lists += [b.end.tick for b in program.blocks if isinstance(b.end, n.Decide | n.Choose)]
    lists += [s.effect for s in program.schemas if added_to.get(s.index, (-1, ()))[0] != slot[0]]
    for stmts in lists:
        for s in walk_statements(stmts):
            var = written(s)
            if var is not None and var.index == slot[0]:
                return False
    ends = [b.end for b in program.blocks]
    chosen = [e.var if isinstance(e, n.Choose) else e.result for e in ends if isinstance(e, n.Choose | n.Chance)]
    registers = [v for e in ends if isinstance(e, n.Decide) for a in e.alternatives for v in a.registers]
    return all(v.index != slot[0] for v in (*chosen, *registers))


def _asked_always(
    program: n.Program, added_to: dict[int, Slot], found: dict[int, Watched], monitor: Monitor, at: int
) -> bool:
    """Whether each growth is by a new element, the condition is tested right after it, and the game ends when it holds.

    If so, it did not hold before the next growth, and only lines and components through the new element matter.
    """
    end = program.blocks[at].end
    assert isinstance(end, n.BranchT)
    if _decides(program, end.no if found[at].negated else end.yes):
        return False
    for block in program.blocks:
        for alt in block.end.alternatives if isinstance(block.end, n.Decide) else ():
            schema = program.schemas[alt.schema]
            if added_to.get(alt.schema) == monitor.slot and not (
                _leads_to(program, alt.target, found, monitor)
                and _adds_new(program, schema, monitor.slot)
                and _noted(program, schema, monitor)
            ):
                return False
    return True


def _adds_new(program: n.Program, schema: n.Schema, slot: Slot) -> bool:
    """Whether the parameter is certainly not in the set to which it is added."""
    return any(isinstance(step, n.Bind) and _is_disjoint(step.over, program, slot) for step in schema.plan)


def _is_disjoint(s: n.Expr, program: n.Program, slot: Slot) -> bool:
    """Whether a set certainly shares no element with that of a slot."""
    var = program.variables[slot[0]]
    keys = tuple(n.Const(k, n.ElemT(d)) for k, d in zip(slot[1], var.keys, strict=True))
    return s.type == var.type and same_set(n.Op2("minus", s, n.Get(var, keys, s.type), s.type), s)


def _leads_to(program: n.Program, block: int, found: dict[int, Watched], monitor: Monitor) -> bool:
    for _ in range(len(program.blocks)):
        if block in found and monitor in found[block].monitors:
            return True
        end = program.blocks[block].end
        if not isinstance(end, n.Goto):
            return False
        block = end.target
    return False


def _noted(program: n.Program, schema: n.Schema, monitor: Monitor) -> bool:
    """Whether the variable that has to hold the new element does so until the condition is asked."""
    last = monitor.last if isinstance(monitor, Components) else None
    if last is None:
        return True
    noted = [s.value for s in schema.effect if isinstance(s, n.Assign) and s.var == last]
    elsewhere = [s for b in program.blocks for s in walk_statements(b.statements)]
    return noted == [n.Load(schema.params[0].local)] and all(written(s) != last for s in elsewhere)


def _decides(program: n.Program, block: int) -> bool:
    """Whether a decision or chance node is reachable from this block."""
    ends = (program.blocks[i].end for i in reached(program, (block,)))
    return any(isinstance(end, n.Stop) and not isinstance(end, n.End) for end in ends)


# ---------------------------------------------------------------------------------------------- the remaining set


def _remaining_set(program: n.Program) -> n.Expr | None:
    """The set from which all decisions choose, if each ply removes exactly the chosen element."""
    decisions = [b.end for b in program.blocks if isinstance(b.end, n.Decide)]
    if not decisions or any(isinstance(b.end, n.Choose | n.Chance) for b in program.blocks) or _draws_later(program):
        return None
    chosen: n.Expr | None = None
    for end in decisions:
        for alt in end.alternatives:
            schema = program.schemas[alt.schema]
            over = _only_set(schema)
            if over is None or end.may_pass is not None or end.tick or alt.registers or len(end.alternatives) != 1:
                return None
            if chosen is None:
                chosen = over
            elif chosen != over:
                return None
            if not _takes_away(schema, over):
                return None
    if chosen is None or _touched(program, chosen):
        return None
    return chosen


def _draws_later(program: n.Program) -> bool:
    """Whether a player can draw after a move, or twice at the same block."""
    drawing = {b.index for b in program.blocks if isinstance(b.end, n.DecideDrawing)}
    acting = [b for b in program.blocks if isinstance(b.end, n.Decide | n.DecideDrawing)]
    for block in acting:
        after = reached(program, targets(block.end))
        if after & drawing and (isinstance(block.end, n.Decide) or block.index in after):
            return True
    return False


def _only_set(schema: n.Schema) -> n.Expr | None:
    """The set over which the only parameter ranges, if the plan has no other step."""
    if len(schema.plan) != 1 or not isinstance(schema.plan[0], n.Bind) or len(schema.params) != 1:
        return None
    return schema.plan[0].over if isinstance(schema.params[0].local.type, n.ElemT) else None


def _takes_away(schema: n.Schema, over: n.Expr) -> bool:
    values = Values()
    try:
        for s in schema.effect:
            values.follow(s)
        after = values.now(over)
    except Unknown:
        return False
    assert isinstance(over.type, n.SetT)
    gone = n.Op1("single", n.Load(schema.params[0].local), over.type)
    return same_set(after, n.Op2("minus", over, gone, over.type))


def _touched(program: n.Program, over: n.Expr) -> bool:
    """Whether the statements of a block change a variable that the set reads."""
    read = {e.var.index for e in walk(over) if isinstance(e, n.Get)}
    for block in program.blocks:
        for s in walk_statements(block.statements):
            var = written(s)
            if var is not None and var.index in read:
                return True
    return False
