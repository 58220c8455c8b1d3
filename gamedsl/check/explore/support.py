"""What the compiled explorer can take."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.check.symmetry.compiled import acts_on_compiled_states
from gamedsl.check.symmetry.symmetries import Symmetry
from gamedsl.core.nodes import DecideDrawing, HistoryT, Program


def suits(program: Program, turns: Sequence[Symmetry] = ()) -> bool:
    """Is a state of these rules all in its block, and can the symmetries be used on it? (Not with drawings, nor with noted
    positions, which lie elsewhere.)"""
    return explores(program, turns) and not any(isinstance(v.type, HistoryT) for v in program.variables)


def explores(program: Program, turns: Sequence[Symmetry] = ()) -> bool:
    """Can the compiled explorer take these rules? (Not with drawings, nor with all symmetries.)"""
    if any(isinstance(b.end, DecideDrawing) for b in program.blocks):
        return False
    if turns and any(isinstance(v.type, HistoryT) for v in program.variables):
        return False
    return acts_on_compiled_states(program, turns)
