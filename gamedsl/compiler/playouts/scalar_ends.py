"""Ends of scalar playouts whose code is duplicated for every size of the remaining set.

The place where a playout ends determines its result and its length. A counter is incremented there, and the tally is
computed after the series. If it is safe, the last plies are *played on*: the end of the playout is noted in a bit
instead of branched on. The branch would be mispredicted often, and a misprediction costs more than the remaining plies.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.playouts.results import Result, constant_result, constant_results
from gamedsl.compiler.playouts.scalar_context import Play, levels
from gamedsl.compiler.transform.pipeline import SpecializedProgram
from gamedsl.language.core import can_fail
from gamedsl.language.core import nodes as n


def told_by_place(special: SpecializedProgram) -> bool:
    """Whether the block and the level at which a playout ends determine its result and its length."""
    program = special.program
    ends = [b.end for b in program.blocks if isinstance(b.end, n.End)]
    noted = any(isinstance(v.type, n.HistoryT) for v in program.variables)
    return len(levels(special)) > 1 and not noted and all(constant_result(e) is not None for e in ends)


def branch(play: Play, block: int, end: n.BranchT, holds: ir.Value) -> None:
    """Branches to a successor. If ends are noted at this level, notes the end and continues with the other
    successor."""
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
    """Whether too few elements have been taken at this level for a line that the block tests for."""
    over, early = special.incremental.remaining, special.incremental.earliest.get(block)
    if over is None or early is None or len(levels(special)) == 1:
        return False
    assert isinstance(over.type, n.SetT)
    return over.type.domain.size - level < early[0]


def plays_on(special: SpecializedProgram) -> bool:
    """Whether it is safe to play on after the end, from some level down: blocks do nothing but choose, and every
    continuation comes to a known end."""
    program, incremental = special.program, special.incremental
    acting = any(b.statements for b in program.blocks)
    acting = acting or any(
        len(s.effect) > 1 or s.index not in incremental.added_to for s in program.schemas if s.effect
    )
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
    """Whether every continuation comes to known ends, through branches with one side that ends the game with a known
    result."""
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
