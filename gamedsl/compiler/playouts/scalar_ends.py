"""Ends of scalar playouts whose code is duplicated for every size of the remaining set.

The place where a play ends determines its result and its length. A counter is incremented there, and the tally is
computed after the series. The last plies are *played on* if that is safe: the end of the play is noted in a bit instead
of branched on. The branch would be mispredicted often, and a misprediction costs more than the remaining plies.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.module_builder import I64, Fn, const, flag
from gamedsl.compiler.playouts.results import Result, constant_result, constant_results
from gamedsl.compiler.playouts.scalar_context import Play, levels
from gamedsl.compiler.transform.pipeline import SpecializedProgram
from gamedsl.language.core import can_fail
from gamedsl.language.core import nodes as n


def told_by_place(special: SpecializedProgram) -> bool:
    """Do the block and the level at which a play ends determine its result and its length?"""
    program = special.program
    ends = [b.end for b in program.blocks if isinstance(b.end, n.End)]
    noted = any(isinstance(v.type, n.HistoryT) for v in program.variables)
    return len(levels(special)) > 1 and not noted and all(constant_result(e) is not None for e in ends)


class Ends:
    """Counts plays by result and number of remaining elements. ``noted``: a bit for every end that this play has
    already passed, earlier ones lower."""

    def __init__(self, f: Fn, special: SpecializedProgram, may_play_on: bool) -> None:
        self.results = constant_results(special.program)
        self.levels = len(levels(special))
        self.on = may_play_on and plays_on(special)
        self.noted = f.alloca(I64)
        self.size = max(2, len(self.results) * self.levels)
        self.counts = f.alloca(I64, self.size)
        for number in range(self.size):
            f.builder.store(const(0), self._at(f, const(number)))

    def _at(self, f: Fn, number: ir.Value) -> ir.Value:
        return f.builder.gep(self.counts, [const(0), number], inbounds=True)

    def _number(self, result: Result, level: int) -> int:
        return (self.levels - 1 - level) * len(self.results) + self.results.index(result)

    @property
    def _first(self) -> int:
        """The number of the first end that may be noted."""
        return self._number(self.results[0], cutoffs.PLAYED_ON)

    def begin(self, f: Fn) -> None:
        f.builder.store(const(0), self.noted)

    def noting(self, level: int) -> bool:
        return self.on and level <= cutoffs.PLAYED_ON

    def note(self, play: Play, holds: ir.Value, result: Result) -> None:
        """Notes that the play is over if ``holds``, and continues."""
        f, number = play.f, self._number(result, play.level)
        bit = f.builder.shl(f.builder.zext(holds, I64), const(number - self._first))
        f.builder.store(f.builder.or_(f.builder.load(self.noted), bit), self.noted)

    def ended(self, play: Play, result: Result) -> None:
        """Ends the play here, unless it has ended before."""
        f, number = play.f, const(self._number(result, play.level))
        if self.noting(play.level):
            last = const(1 << cutoffs.NOTED_ENDS + number.constant - self._first)
            first = f.builder.cttz(f.builder.or_(f.builder.load(self.noted), last), flag(False))
            number = plus(f, f.builder.and_(first, const(cutoffs.NOTED_ENDS - 1)), self._first)
        at = self._at(f, number)
        f.builder.store(plus(f, f.builder.load(at), 1), at)
        assert play.tallied is not None
        f.builder.branch(play.tallied)

    def tally(self, play: Play, add_plies: Callable[[ir.Value, ir.Value], None]) -> None:
        """Adds the counts to the results and to the lengths."""
        f = play.f
        assert play.remaining is not None
        for result in self.results:
            for level in range(self.levels):
                number = f.builder.load(self._at(f, const(self._number(result, level))))
                ptr = play.classes[result]
                f.builder.store(f.builder.add(f.builder.load(ptr), number), ptr)
                add_plies(plus(f, f.builder.load(play.remaining.first_n), -level), number)


def branch(play: Play, block: int, end: n.BranchT, holds: ir.Value) -> None:
    """Branches to a successor. Where ends are noted, notes the end and continues with the other successor."""
    f, ends, yes, no = play.f, play.ends, end.yes, end.no
    sure, known = _known(play.special, play.level, block, end.condition), _result(play.special, play.level, yes)
    if sure is not None:
        f.builder.branch(play.starts[play.level, yes if sure else no])
    elif ends is None or not ends.noting(play.level):
        f.builder.cbranch(holds, play.starts[play.level, yes], play.starts[play.level, no])
    elif known is not None:
        ends.note(play, holds, known)
        f.builder.branch(play.starts[play.level, no])
    else:
        known = _result(play.special, play.level, no)
        assert known is not None
        ends.note(play, f.builder.not_(holds), known)
        f.builder.branch(play.starts[play.level, yes])


# --------------------------------------------------------------------------------------------- certain outcomes


def too_early(special: SpecializedProgram, level: int, block: int) -> bool:
    """Have too few elements been taken at this level for a line that the block asks for?"""
    over, early = special.incremental.remaining, special.incremental.earliest.get(block)
    if over is None or early is None or len(levels(special)) == 1:
        return False
    assert isinstance(over.type, n.SetT)
    return over.type.domain.size - level < early[0]


def plays_on(special: SpecializedProgram) -> bool:
    """Is it safe to play on after the end, from some level down? It is if nothing is done but choosing, and every
    continuation comes to a known end."""
    program, incremental = special.program, special.incremental
    acting = any(b.statements for b in program.blocks)
    acting = acting or any(s.index not in incremental.added_to for s in program.schemas if s.effect)
    if (
        acting
        or len(constant_results(program)) * (cutoffs.PLAYED_ON + 1) > cutoffs.NOTED_ENDS
        or len(levels(special)) <= cutoffs.PLAYED_ON
    ):
        return False
    decisions = [b.end for b in program.blocks if isinstance(b.end, n.Decide)]
    return all(
        _comes_to_an_end(special, level, alt.target)
        for level in range(cutoffs.PLAYED_ON + 1)
        for end in decisions
        for alt in end.alternatives
    )


def _comes_to_an_end(special: SpecializedProgram, level: int, block: int) -> bool:
    """Does every continuation come to known ends, through branches of which one side ends the play with a known
    result?"""
    at = _stop(special, level, block)
    match None if at is None else special.program.blocks[at].end:
        case n.End():
            return True
        case n.Decide(alternatives=alternatives):
            return level > 0 and all(_comes_to_an_end(special, level - 1, a.target) for a in alternatives)
        case n.BranchT(condition, yes, no) if not can_fail(condition, special.program.functions):
            other = no if _result(special, level, yes) is not None else yes
            if other == yes and _result(special, level, no) is None:
                return False
            at = _stop(special, level, other)
            asked = at is not None and isinstance(special.program.blocks[at].end, n.BranchT)
            return not asked and _comes_to_an_end(special, level, other)
        case _:
            return False


def _result(special: SpecializedProgram, level: int, block: int) -> Result | None:
    """The result that is certain from this block, or None."""
    at = _stop(special, level, block)
    end = None if at is None else special.program.blocks[at].end
    return constant_result(end) if isinstance(end, n.End) else None


def _stop(special: SpecializedProgram, level: int, block: int) -> int | None:
    """The first block from which the successor is uncertain at this level. None if there are statements on the path, or
    if it never ends."""
    blocks = special.program.blocks
    for _ in blocks:
        b = blocks[block]
        if b.statements:
            return None
        match b.end:
            case n.Goto(target):
                block = target
            case n.BranchT(condition, yes, no) if (holds := _known(special, level, block, condition)) is not None:
                block = yes if holds else no
            case n.Decide(stuck=stuck) if level == 0 and stuck is not None:
                block = stuck
            case _:
                return block
    return None


def _known(special: SpecializedProgram, level: int, block: int, condition: n.Expr) -> bool | None:
    """The value of the condition of a block's branch at this level, or None if it is unknown."""
    if len(levels(special)) == 1:
        return None
    if too_early(special, level, block):
        return special.incremental.earliest[block][1]
    match condition:
        case n.Op1(op="not", operand=inner):
            found = _known(special, level, -1, inner)
            return None if found is None else not found
        case n.Op2(op="eq" | "ne" as op, left=left, right=n.Const(value=0)) if left == special.incremental.remaining:
            return (level == 0) == (op == "eq")
        case _:
            return None
