"""Monotone set variables: those that only grow, those that only shrink, and the elements that can be added.

Consider a set to which every statement after the first stop only adds. At any later time it contains at least its
current elements, and at most those and everything that the statements can add. What a move can add is bounded by its
guards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from gamedsl.language.core import (
    conjuncts,
    fold,
    inner_statements,
    is_stop,
    reached,
    statement_lists,
    substitute,
    targets,
    terminator_tick,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Grown:
    """A statement that adds ``added`` to the slot ``keys``. ``ranges`` gives, for each bound name, sets that contain it
    whenever that happens; an empty tuple means that none is known."""

    keys: tuple[n.Expr, ...]
    added: n.Expr
    ranges: dict[int, tuple[n.Expr, ...]]


@lazy_dataclass()
class Growth:
    """The ways in which variables change. ``grown``: the additions, by variable. ``shrinks``: variables from which
    something is removed. ``wild``: variables changed in any other way."""

    grown: dict[int, list[Grown]] = field(default_factory=dict)
    shrinks: set[int] = field(default_factory=set)
    wild: set[int] = field(default_factory=set)


def growth(program: n.Program) -> Growth:
    """The ways in which the variables of a program change after its first stop."""
    found = Growth()
    called = set(_called(program))
    for s in program.schemas:
        if s.index in called or not _hopeless(s):
            _statements(found, s.effect, _ranges(s, s.index not in called), {})
    for b in after_stops(program):
        _statements(found, b.statements, {}, {})
    for b in program.blocks:
        _statements(found, terminator_tick(b.end), {}, {})
        match b.end:
            case n.Decide() | n.DecideTogether():
                found.wild |= {v.index for a in b.end.alternatives for v in a.registers}
            case _ if (var := b.end.result_variable()) is not None:
                found.wild.add(var.index)
    return found


def after_stops(program: n.Program) -> list[n.Block]:
    """The blocks that are reachable from a stop."""
    found = reached(program, (t for b in program.blocks if is_stop(b) for t in targets(b.end)))
    return [program.blocks[i] for i in sorted(found)]


def _called(program: n.Program) -> Iterator[int]:
    """The schemas whose effects other statements run without testing their guards."""
    for stmts in statement_lists(program):
        for s in walk_statements(stmts):
            if isinstance(s, n.Effect):
                yield s.schema


def _hopeless(s: n.Schema) -> bool:
    """Whether a move is illegal in every position."""
    return any(fold(g.condition) == n.Const(0, g.condition.type) for g in s.guards)


def _ranges(s: n.Schema, asked: bool) -> dict[int, tuple[n.Expr, ...]]:
    """For each parameter of a move, sets that contain it whenever the move is made (none if guards are not tested)."""
    found: dict[int, list[n.Expr]] = {s.me.id: [], **{p.local.id: [p.over] if asked else [] for p in s.params}}
    for guard in s.guards if asked else ():
        for c in conjuncts(guard.condition):
            match c:
                case n.Op2(op="in", left=n.Load(local=local), right=over) if local.id in found:
                    found[local.id].append(over)
                case n.Op1(op="not", operand=n.Op2(op="in", left=n.Load(local=local), right=over)) if local.id in found:
                    found[local.id].append(n.Op1("complement", over, over.type))
    return {name: tuple(sets) for name, sets in found.items()}


def _statements(
    found: Growth, stmts: tuple[n.CoreStmt, ...], ranges: dict[int, tuple[n.Expr, ...]], lets: dict[int, n.Expr]
) -> None:
    lets = dict(lets)
    for s in stmts:
        match s:
            case n.LetS(local=local, value=value):
                lets[local.id] = substitute(value, lets)
            case n.ForS(local=local, over=over, body=body):
                _statements(found, body, {**ranges, local.id: (substitute(over, lets),)}, lets)
            case n.Assign():
                _note_assignment(found, s, ranges, lets)
            case _:
                var = written(s)
                if var is not None:
                    found.wild.add(var.index)
                _statements(found, inner_statements(s), ranges, lets)


def _note_assignment(
    found: Growth, s: n.Assign, ranges: dict[int, tuple[n.Expr, ...]], lets: dict[int, n.Expr]
) -> None:
    keys = tuple(substitute(k, lets) for k in s.keys)
    value = substitute(s.value, lets)
    own = n.Get(s.var, keys, s.value.type)
    match value:
        case n.Op2(op="union", left=left, right=added) if left == own:
            found.grown.setdefault(s.var.index, []).append(Grown(keys, added, ranges))
        case n.Op2(op="minus", left=left) if left == own:
            found.shrinks.add(s.var.index)
        case _ if isinstance(s.var.type, n.SetT) and value == own:
            pass
        case _:
            found.wild.add(s.var.index)


# -------------------------------------------------------------------------------------------------------- termination


def surely_ends(program: n.Program, found: Growth) -> bool:
    """Whether every decision adds a new element to a set that never shrinks. If so, every game ends."""
    kept = {v.index for v in program.variables} - found.shrinks - found.wild
    for b in program.blocks:
        if isinstance(b.end, n.Choose) or (isinstance(b.end, n.Decide) and b.end.may_pass is not None):
            return False
        for a in b.end.alternatives if isinstance(b.end, n.Decide) else ():
            s = program.schemas[a.schema]
            left_early = any(isinstance(x, n.StopS) for x in walk_statements(s.effect))
            grows = not left_early and any(_adds_a_new_one(s, statement, kept) for statement in s.effect)
            if not _hopeless(s) and not grows:
                return False
    return True


def _adds_a_new_one(s: n.Schema, statement: n.CoreStmt, kept: set[int]) -> bool:
    """Whether the statement adds a parameter to one of these sets, and a guard says that it is not there yet."""
    match statement:
        case n.Assign(var=var, keys=keys, value=n.Op2(op="union", left=n.Get(var=own, keys=same), right=added)):
            if var.index not in kept or own != var or same != keys:
                return False
            put = {
                x.operand.local.id
                for x in _parts(added)
                if isinstance(x, n.Op1) and x.op == "single" and isinstance(x.operand, n.Load)
            }
            return any(_keeps_out(c, put, var) for g in s.guards for c in conjuncts(g.condition))
        case _:
            return False


def _parts(e: n.Expr) -> list[n.Expr]:
    """The operands of a union."""
    return [*_parts(e.left), *_parts(e.right)] if isinstance(e, n.Op2) and e.op == "union" else [e]


def _keeps_out(condition: n.Expr, names: set[int], var: n.Var) -> bool:
    """Whether a condition says that one of these names is in no slot of the variable."""
    match condition:
        case n.Op2(op="in", left=n.Load(local=local), right=n.Op1(op="complement", operand=taken)) if local.id in names:
            pass
        case n.Op1(op="not", operand=n.Op2(op="in", left=n.Load(local=local), right=taken)) if local.id in names:
            pass
        case _:
            return False
    slots = {p.keys for p in _parts(taken) if isinstance(p, n.Get) and p.var == var}
    return sum(all(isinstance(k, n.Const) for k in keys) for keys in slots) == var.slots
