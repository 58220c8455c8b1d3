"""Sets that matter only by their sizes and their union.

A map of sets is *exchangeable* if every rule reads it only as ``count(V[k])`` or as the union of all its slots,
and adds to a slot only elements that are in none. Positions that differ only in which slot owns which element of
the union then continue in the same way, with the same moves and results. In the representative, the first slots own the
lowest elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import CallExpander, Frame, kernel
from gamedsl.lab.base import Ints
from gamedsl.language.core import children, outermost, statement_exprs, statement_lists, walk, walk_statements, written
from gamedsl.language.core import nodes as n

WORD = 64


def exchanges(program: n.Program) -> Ints:
    """Returns the exchangeable maps in the form that the loops take: int64, shape (maps, 4); columns: byte offset of
    the first slot, stride, bytes per slot, number of slots.
    """
    frame = Frame(program)
    rows = []
    for var in exchangeable(program):
        place = frame.place(var)
        rows.append((place.offset, place.stride, place.cell.size, var.slots))
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def exchangeable(program: n.Program) -> list[n.Var]:
    """Returns the exchangeable maps of sets (of at most 64 elements)."""
    planned = (p.over if isinstance(p, n.Bind) else p.condition for s in program.schemas for p in s.plan)
    exprs = [*outermost(program), *planned]
    if any(x.looks_ahead or isinstance(x, n.Noted) for e in exprs for x in walk(e)):
        return []
    return [v for v in program.variables if _fits(v) and _only_counted(program, v, exprs)]


def _fits(var: n.Var) -> bool:
    plain = isinstance(var.type, n.SetT) and var.type.domain.size <= WORD
    return plain and var.slots > 1 and not any(var.initial) and var.seen == "all"


def _only_counted(program: n.Program, var: n.Var, exprs: list[n.Expr]) -> bool:
    """Whether the map is read and written as an exchangeable one."""
    own: set[int] = set()
    for stmts in statement_lists(program):
        for s in walk_statements(stmts):
            if written(s) == var:
                if not isinstance(s, n.Assign) or not _adds(program, var, s):
                    return False
                own |= {id(e) for e in statement_exprs(s)}
                assert isinstance(s.value, n.Op2)
                if not all(_reads(e, var) for e in (*s.keys, s.value.right)):
                    return False
    return all(_reads(e, var) for e in exprs if id(e) not in own)


def _adds(program: n.Program, var: n.Var, s: n.Assign) -> bool:
    """Whether a statement adds to a slot only elements that are in no slot."""
    match s.value:
        case n.Op2(op="union", left=n.Get(var=same, keys=keys), right=n.Loop(kind="filter", over=over)):
            return same == var and keys == s.keys and _outside(program, var, over)
        case _:
            return False


def _outside(program: n.Program, var: n.Var, over: n.Expr) -> bool:
    """Whether a set contains no element of the map."""
    opener = CallExpander(program)
    match over:
        case n.CallF():
            return _outside(program, var, opener.expanded(over))
        case n.Op1(op="complement", operand=taken) | n.Op2(op="minus", right=taken):
            return _is_all_slots(opener.expanded(taken), var)
        case n.Op2(op="meet", left=a, right=b):
            return _outside(program, var, a) or _outside(program, var, b)
        case _:
            return False


def _is_all_slots(e: n.Expr, var: n.Var) -> bool:
    """Whether a union includes all slots of the map (and possibly more)."""
    slots = {p.keys for p in _parts(e) if isinstance(p, n.Get) and p.var == var and _constant(p.keys)}
    return len(slots) == var.slots


def only_together(e: n.Expr, var: n.Var) -> list[n.Expr] | None:
    """Returns the other operands of a union of all slots of the map; None if it is not such a union."""
    if not _is_all_slots(e, var):
        return None
    return [p for p in _parts(e) if not (isinstance(p, n.Get) and p.var == var and _constant(p.keys))]


def _constant(keys: tuple[n.Expr, ...]) -> bool:
    return all(isinstance(k, n.Const) for k in keys)


def _parts(e: n.Expr) -> list[n.Expr]:
    """Returns the operands of a union."""
    return [*_parts(e.left), *_parts(e.right)] if isinstance(e, n.Op2) and e.op == "union" else [e]


def _reads(e: n.Expr, var: n.Var) -> bool:
    """Whether an expression reads the map only by count, or as a whole."""
    match e:
        case n.Op1(op="count", operand=n.Get(var=same, keys=keys)) if same == var:
            return all(_reads(k, var) for k in keys)
        case n.Op2(op="union") if (rest := only_together(e, var)) is not None:
            return all(_reads(p, var) for p in rest)
        case _ if getattr(e, "var", None) == var:
            return False
        case _:
            return all(_reads(c, var) for c in children(e))


@kernel
def canonicalize_owners(row: Any, exchanged: Any) -> None:
    """Replaces a state's bytes with those of the representative: sizes and union stay, owners become canonical."""
    for r in range(exchanged.shape[0]):
        offset, stride, size, slots = exchanged[r]
        together = np.uint64(0)
        for k in range(slots):
            for b in range(size):
                together |= np.uint64(row[offset + k * stride + b]) << np.uint64(8 * b)
        for k in range(slots):
            count = 0
            for b in range(size):
                byte = row[offset + k * stride + b]
                while byte:
                    byte &= byte - 1
                    count += 1
            lowest = np.uint64(0)
            for _ in range(count):
                one = together & (~together + np.uint64(1))
                lowest |= one
                together ^= one
            for b in range(size):
                row[offset + k * stride + b] = np.uint8((lowest >> np.uint64(8 * b)) & np.uint64(255))
