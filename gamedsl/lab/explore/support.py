"""What the compiled explorer supports."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.lab.symmetry import Symmetry, acts_on_compiled_states
from gamedsl.language.core import nodes as n


def suits(program: n.Program, turns: Sequence[Symmetry] = ()) -> bool:
    """Is a state entirely in its block, and are the symmetries supported? (Not with drawings, nor with recorded
    positions, which are stored elsewhere.)
    """
    return explores(program, turns) and not any(isinstance(v.type, n.HistoryT) for v in program.variables)


def explores(program: n.Program, turns: Sequence[Symmetry] = ()) -> bool:
    """Does the compiled explorer support these rules? (Not drawings, nor every symmetry.)"""
    if any(isinstance(b.end, n.DecideDrawing) for b in program.blocks):
        return False
    if turns and any(isinstance(v.type, n.HistoryT) for v in program.variables):
        return False
    return acts_on_compiled_states(program, turns)
