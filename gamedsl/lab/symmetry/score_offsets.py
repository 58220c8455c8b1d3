"""Exchangeable sets that count only toward the score: past points do not affect future ones.

The counts of such a map may be read only by the final scores, whose difference must be linear in them, and through
*marks*. A mark is a scalar that, at every decision, equals the count of one element's slot (the player to move,
say), and that is read only together with that count, in a comparison or subtraction. Positions that differ only in
these counts continue in the same way, with the same moves and gains. The representative has all elements in the
first slot and marks of 0; the value of a position is the points already won (the part of the score linear in the
counts) plus the value from here on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gamedsl.compiler import CallExpander, Frame, kernel
from gamedsl.lab.base import Ints
from gamedsl.lab.symmetry.interchangeable_sets import canonicalize_owners, exchangeable, only_together
from gamedsl.language.core import (
    children,
    inner_statements,
    statement_exprs,
    targets,
    terminator_exprs,
    walk,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

BESIDE = ("eq", "ne", "lt", "le", "sub")
# Knowledge about a mark: none; it differs from its count by the same amount in all positions that differ in counts
# alone; it equals its count.
UNKNOWN, BOUND, EQUAL = range(3)


@lazy_dataclass(frozen=True)
class ScoreOffset:
    """A map that counts only toward the score: for each slot the value of an element to the first player; and the
    marks.
    """

    var: n.Var
    points: tuple[int, ...]
    marks: tuple[n.Var, ...]


class ScoreOffsets(NamedTuple):
    """The maps in the form that the loops take, as int64 arrays.

    ``exchanged``: shape (maps, 4), maps that are merely exchangeable, as in ``interchangeable_sets.exchanges``.
    ``rows``: shape (slots, 4), one row for each slot of the others: its byte offset, its bytes, the points per
    element, the byte offset of the map's first slot. ``marks``: shape (marks, 2), byte offset and bytes.
    """

    exchanged: Ints
    rows: Ints
    marks: Ints


def score_offsets_of(program: n.Program, by_score: bool) -> ScoreOffsets:
    """Returns the maps that can be ignored in comparing positions.

    By result there are none, since then it matters which player leads.
    """
    known = {g.var: g for g in gains(program)} if by_score else {}
    frame = Frame(program)
    exchanged, rows, marks = [], [], set()
    for var in exchangeable(program):
        place = frame.place(var)
        if var not in known:
            exchanged.append((place.offset, place.stride, place.cell.size, var.slots))
            continue
        for k, points in enumerate(known[var].points):
            rows.append((place.offset + k * place.stride, place.cell.size, points, place.offset))
        marks |= {(frame.place(m).offset, frame.place(m).cell.size) for m in known[var].marks}
    return ScoreOffsets(_array(exchanged, 4), _array(rows, 4), _array(sorted(marks), 2))


def _array(rows: Sequence[tuple[int, ...]], columns: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(-1, columns)


def gains(program: n.Program) -> list[ScoreOffset]:
    """Returns the maps that count only toward the score."""
    if program.players.size != 2 or any(
        isinstance(b.end, n.Stop) and not isinstance(b.end, n.Decide | n.End) for b in program.blocks
    ):
        return []
    if any(isinstance(s, n.Effect) for b in program.blocks for s in walk_statements(b.statements)):
        return []
    found = (_Reading(program, var).gain() for var in exchangeable(program))
    return [g for g in found if g is not None]


@lazy_dataclass(frozen=True)
class _Reading:
    """Analyzes how the rules read one exchangeable map."""

    program: n.Program
    var: n.Var
    _free: dict[int, bool] = field(default_factory=dict)

    def gain(self) -> ScoreOffset | None:
        points = self._points()
        if points is None or not self._moves() or not self._course():
            return None
        return ScoreOffset(self.var, points, tuple(self.marks))

    # ----------------------------------------------------------------------------------------------------- marks

    @cached_property
    def marks(self) -> dict[n.Var, n.Var]:
        """The scalars that are ever set to the count of a variable's slot, with that variable."""
        found = {}
        for b in self.program.blocks:
            for s in walk_statements(b.statements):
                if isinstance(s, n.Assign) and not s.keys and not any(s.var.initial):
                    of = self._counted(s.value)
                    if of is not None and of != s.var:
                        found[s.var] = of
        return found

    def _counted(self, e: n.Expr) -> n.Var | None:
        """Returns the scalar whose slot an expression counts; None for other expressions."""
        match e:
            case n.Op1(op="count", operand=n.Get(var=var, keys=(n.Get(var=of, keys=()),))) if var == self.var:
                return of
            case _:
                return None

    # ------------------------------------------------------------------------------------------------- expressions

    def free(self, e: n.Expr, known: dict[n.Var, int] | None = None) -> bool:
        """Whether an expression is equal in all positions that differ in counts alone.

        Marks may be read together with their counts if they are at least BOUND.
        """
        match e:
            case n.Op2(op=op) if op in BESIDE and known and self._balanced(e, known):
                return True
            case n.CallF(function=index, args=args):
                return self._function(index) and all(self.free(a, known) for a in args)
            case n.Op2(op="union") if (rest := only_together(e, self.var)) is not None:
                return all(self.free(x, known) for x in rest)
            case _ if getattr(e, "var", None) == self.var or getattr(e, "var", None) in self.marks:
                return False
            case _:
                return all(self.free(c, known) for c in children(e))

    def _balanced(self, e: n.Op2, known: dict[n.Var, int]) -> bool:
        """Whether a comparison or difference balances each mark with its count, and reads neither otherwise."""
        left: dict[n.Var, int] = {}
        for part, times in (*_terms(self.program, e.left, 1), *_terms(self.program, e.right, -1)):
            of = self._counted(part)
            if isinstance(part, n.Get) and part.var in self.marks and known[part.var] >= BOUND:
                of = self.marks[part.var]
            elif of is None and not self.free(part):
                return False
            if of is not None:
                left[of] = left.get(of, 0) + times
        return not any(left.values())

    def _function(self, index: int) -> bool:
        if index not in self._free:
            self._free[index] = False
            self._free[index] = self.free(self.program.functions[index].body)
        return self._free[index]

    # ------------------------------------------------------------------------------------------------------ moves

    def _moves(self) -> bool:
        """Whether moves are independent of the counts."""
        for s in self.program.schemas:
            asked: list[n.Expr] = [p.over for p in s.params]
            asked += [g.condition for g in (*s.guards, *s.forbids)]
            asked += [step.over if isinstance(step, n.Bind) else step.condition for step in s.plan]
            if not all(self.free(e) for e in asked) or not self._effect(s.effect):
                return False
        return True

    def _effect(self, stmts: tuple[n.CoreStmt, ...]) -> bool:
        return all(self.free(e) for s in walk_statements(stmts) for e in self._asked(s))

    def _asked(self, s: n.CoreStmt) -> tuple[n.Expr, ...]:
        """Returns the expressions that a statement reads; for an addition to the map, only keys and the set added."""
        if isinstance(s, n.Assign) and s.var == self.var and isinstance(s.value, n.Op2):
            return (*s.keys, s.value.right)
        return statement_exprs(s)

    # ----------------------------------------------------------------------------------------------------- course

    def _course(self) -> bool:
        """Whether the blocks read counts only together with their marks, and every mark equals its count at every
        decision.
        """
        before = {self.program.entry: dict.fromkeys(self.marks, UNKNOWN)}
        waiting = [self.program.entry]
        while waiting:
            block = self.program.blocks[waiting.pop()]
            if isinstance(block.end, n.End):
                continue
            known = dict(before[block.index])
            if not all(self._statement(s, known) for s in block.statements) or not self._end(block, known):
                return False
            for t in targets(block.end):
                met = {m: min(k, before.get(t, known)[m]) for m, k in known.items()}
                if met != before.get(t):
                    before[t] = met
                    waiting.append(t)
        return True

    def _statement(self, s: n.CoreStmt, known: dict[n.Var, int]) -> bool:
        """Processes a statement of a block. Returns False if it depends on counts in another way."""
        if isinstance(s, n.Assign) and s.var in self.marks and self._counted(s.value) == self.marks[s.var]:
            known[s.var] = EQUAL
            return True
        asked = [e for one in walk_statements((s,)) for e in self._asked(one)]
        if not all(self.free(e, None if inner_statements(s) else known) for e in asked):
            return False
        self._after({w for one in walk_statements((s,)) if (w := written(one)) is not None}, known)
        return True

    def _after(self, changed: set[n.Var], known: dict[n.Var, int]) -> None:
        """Updates the knowledge about marks after variables were written."""
        for mark, of in self.marks.items():
            if mark in changed or of in changed:
                known[mark] = UNKNOWN
            elif self.var in changed:
                known[mark] = min(known[mark], BOUND)

    def _end(self, block: n.Block, known: dict[n.Var, int]) -> bool:
        """Processes the end of a block. Returns False if it depends on counts in another way."""
        if not all(self.free(e, known) for e in terminator_exprs(block.end)):
            return False
        if not isinstance(block.end, n.Decide):
            return True
        if any(k != EQUAL for k in known.values()) or not self._effect(block.end.tick):
            return False
        schemas = [self.program.schemas[a.schema] for a in block.end.alternatives]
        stmts = (*block.end.tick, *(s for schema in schemas for s in schema.effect))
        changed = {w for s in walk_statements(stmts) if (w := written(s)) is not None}
        self._after(changed | {r for a in block.end.alternatives for r in a.registers}, known)
        return True

    # ------------------------------------------------------------------------------------------------------ scores

    def _points(self) -> tuple[int, ...] | None:
        """Returns for each slot the value of an element; None if it is not the same at every end."""
        found = {self._at_end(b) for b in self.program.blocks if isinstance(b.end, n.End)}
        return found.pop() if len(found) == 1 else None

    def _at_end(self, block: n.Block) -> tuple[int, ...] | None:
        assert isinstance(block.end, n.End)
        if len(block.end.scores) != 2 or not self._apart(block):
            return None
        points = [0] * self.var.slots
        for e, sign in zip(block.end.scores, (1, -1), strict=True):
            for part, times in _terms(self.program, e, sign):
                match part:
                    case n.Op1(op="count", operand=n.Get(var=var, keys=(n.Const(value=k),))) if var == self.var:
                        points[k] += times
                    case _ if not self.free(part):
                        return None
        return tuple(points)

    def _apart(self, block: n.Block) -> bool:
        """Whether the scores read nothing that was derived from counts just before."""
        assert isinstance(block.end, n.End)
        read = {v for e in block.end.scores for v in self._variables(e, set())}
        for s in block.statements:
            if isinstance(s, n.Assign) and s.var not in {*read, self.var}:
                continue
            if isinstance(s, n.LetS) or not all(self.free(e) for e in self._inside(s)):
                return False
        return not any(
            isinstance(x, n.Load) and x.local.id in self._lets(block) for e in block.end.scores for x in walk(e)
        )

    def _inside(self, s: n.CoreStmt) -> Iterator[n.Expr]:
        for one in walk_statements((s,)):
            yield from self._asked(one)

    def _lets(self, block: n.Block) -> set[int]:
        return {s.local.id for s in walk_statements(block.statements) if isinstance(s, n.LetS)}

    def _variables(self, e: n.Expr, called: set[int]) -> Iterator[n.Var]:
        """Yields the variables that an expression reads, including in functions."""
        for x in walk(e):
            var = getattr(x, "var", None)
            if var is not None:
                yield var
            if isinstance(x, n.CallF) and x.function not in called:
                called.add(x.function)
                yield from self._variables(self.program.functions[x.function].body, called)


def _terms(program: n.Program, e: n.Expr, times: int) -> Iterator[tuple[n.Expr, int]]:
    """Yields the summands of a number with their coefficients."""
    e = CallExpander(program).expanded(e)
    match e:
        case n.Op2(op="add" | "sub" as op, left=a, right=b):
            yield from _terms(program, a, times)
            yield from _terms(program, b, times if op == "add" else -times)
        case n.Op1(op="neg", operand=a):
            yield from _terms(program, a, -times)
        case _:
            yield e, times


@kernel
def canonicalize_scores(row: Any, offsets: ScoreOffsets) -> Any:
    """Replaces a state's bytes with those of the representative.

    Returns the first player's lead from the counts that are left out.
    """
    rows, marks = offsets.rows, offsets.marks
    canonicalize_owners(row, offsets.exchanged)
    ahead = 0
    for r in range(rows.shape[0]):
        offset, size, points, first = rows[r]
        for b in range(size):
            byte = row[offset + b]
            if offset != first:
                row[first + b] |= byte
                row[offset + b] = 0
            while byte:
                byte &= byte - 1
                ahead += points
    for m in range(marks.shape[0]):
        for b in range(marks[m, 1]):
            row[marks[m, 0] + b] = 0
    return np.int64(ahead)
