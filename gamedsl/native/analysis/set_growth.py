"""Monotone set variables: those that only grow, those that only shrink, and what can be added.

Consider a set to which every statement after the first stop only adds. At any later time it contains at least its
current elements, and at most those and everything that the statements can add. What a move can add is bounded by its
guards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gamedsl.core import (
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
from gamedsl.core.nodes import (
    Assign,
    Block,
    Chance,
    Choose,
    Const,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    Effect,
    Expr,
    ForS,
    Get,
    LetS,
    Load,
    Op1,
    Op2,
    Program,
    Schema,
    SetT,
    StopS,
    Var,
)


@dataclass(frozen=True)
class Grown:
    """A statement adds ``added`` to slot ``keys``. ``ranges`` gives, for each bound name, sets that contain it whenever
    that happens; an empty tuple means that none is known."""

    keys: tuple[Expr, ...]
    added: Expr
    ranges: dict[int, tuple[Expr, ...]]


@dataclass
class Growth:
    """``grown``: what is added, by variable. ``shrinks``: variables from which something is removed. ``wild``:
    variables changed in any other way."""

    grown: dict[int, list[Grown]] = field(default_factory=dict)
    shrinks: set[int] = field(default_factory=set)
    wild: set[int] = field(default_factory=set)


def growth(program: Program) -> Growth:
    """How the sets of a program change after its first stop."""
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
            case Decide() | DecideTogether():
                found.wild |= {v.index for a in b.end.alternatives for v in a.registers}
            case Choose(var=var) | Chance(result=var) | DecideDrawing(var=var):
                found.wild.add(var.index)
    return found


def after_stops(program: Program) -> list[Block]:
    """The blocks that are reachable from a stop."""
    found = reached(program, (t for b in program.blocks if is_stop(b) for t in targets(b.end)))
    return [program.blocks[i] for i in sorted(found)]


def _called(program: Program) -> Iterator[int]:
    """The schemas whose effects other statements run without testing their guards."""
    for stmts in statement_lists(program):
        for s in walk_statements(stmts):
            if isinstance(s, Effect):
                yield s.schema


def _hopeless(s: Schema) -> bool:
    """Is it illegal in every position?"""
    return any(fold(g.condition) == Const(0, g.condition.type) for g in s.guards)


def _ranges(s: Schema, asked: bool) -> dict[int, tuple[Expr, ...]]:
    """For each parameter of a move, sets that contain it whenever the move is made (none if guards are not tested)."""
    found: dict[int, list[Expr]] = {s.me.id: [], **{p.local.id: [p.over] if asked else [] for p in s.params}}
    for guard in s.guards if asked else ():
        for c in conjuncts(guard.condition):
            match c:
                case Op2(op="in", left=Load(local=local), right=over) if local.id in found:
                    found[local.id].append(over)
                case Op1(op="not", operand=Op2(op="in", left=Load(local=local), right=over)) if local.id in found:
                    found[local.id].append(Op1("complement", over, over.type))
    return {name: tuple(sets) for name, sets in found.items()}


def _statements(
    found: Growth, stmts: tuple[CoreStmt, ...], ranges: dict[int, tuple[Expr, ...]], lets: dict[int, Expr]
) -> None:
    lets = dict(lets)
    for s in stmts:
        match s:
            case LetS(local=local, value=value):
                lets[local.id] = substitute(value, lets)
            case ForS(local=local, over=over, body=body):
                _statements(found, body, {**ranges, local.id: (substitute(over, lets),)}, lets)
            case Assign():
                _assigned(found, s, ranges, lets)
            case _:
                var = written(s)
                if var is not None:
                    found.wild.add(var.index)
                _statements(found, inner_statements(s), ranges, lets)


def _assigned(found: Growth, s: Assign, ranges: dict[int, tuple[Expr, ...]], lets: dict[int, Expr]) -> None:
    keys = tuple(substitute(k, lets) for k in s.keys)
    value = substitute(s.value, lets)
    own = Get(s.var, keys, s.value.type)
    match value:
        case Op2(op="union", left=left, right=added) if left == own:
            found.grown.setdefault(s.var.index, []).append(Grown(keys, added, ranges))
        case Op2(op="minus", left=left) if left == own:
            found.shrinks.add(s.var.index)
        case _ if isinstance(s.var.type, SetT) and value == own:
            pass
        case _:
            found.wild.add(s.var.index)


# -------------------------------------------------------------------------------------------------------- termination


def surely_ends(program: Program, found: Growth) -> bool:
    """Does every decision add a new element to a set that never shrinks? If so, every play ends."""
    kept = {v.index for v in program.variables} - found.shrinks - found.wild
    for b in program.blocks:
        if isinstance(b.end, Choose) or (isinstance(b.end, Decide) and b.end.may_pass is not None):
            return False
        for a in b.end.alternatives if isinstance(b.end, Decide) else ():
            s = program.schemas[a.schema]
            left_early = any(isinstance(x, StopS) for x in walk_statements(s.effect))
            grows = not left_early and any(_adds_a_new_one(s, statement, kept) for statement in s.effect)
            if not _hopeless(s) and not grows:
                return False
    return True


def _adds_a_new_one(s: Schema, statement: CoreStmt, kept: set[int]) -> bool:
    """Does the statement add a parameter to one of these sets, where a guard says that it is not yet there?"""
    match statement:
        case Assign(var=var, keys=keys, value=Op2(op="union", left=Get(var=own, keys=same), right=added)):
            if var.index not in kept or own != var or same != keys:
                return False
            put = {
                x.operand.local.id
                for x in _parts(added)
                if isinstance(x, Op1) and x.op == "single" and isinstance(x.operand, Load)
            }
            return any(_keeps_out(c, put, var) for g in s.guards for c in conjuncts(g.condition))
        case _:
            return False


def _parts(e: Expr) -> list[Expr]:
    """The operands of a union."""
    return [*_parts(e.left), *_parts(e.right)] if isinstance(e, Op2) and e.op == "union" else [e]


def _keeps_out(condition: Expr, names: set[int], var: Var) -> bool:
    """Does it say that one of these names is in no slot of the variable?"""
    match condition:
        case Op2(op="in", left=Load(local=local), right=Op1(op="complement", operand=taken)) if local.id in names:
            pass
        case Op1(op="not", operand=Op2(op="in", left=Load(local=local), right=taken)) if local.id in names:
            pass
        case _:
            return False
    slots = {p.keys for p in _parts(taken) if isinstance(p, Get) and p.var == var}
    return sum(all(isinstance(k, Const) for k in keys) for keys in slots) == var.slots
