"""The rules that the compiled explorer supports."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.lab.symmetry import Symmetry, acts_on_compiled_states
from gamedsl.language.core import nodes as n


def suits(program: n.Program, turns: Sequence[Symmetry] = ()) -> bool:
    """Whether a row holds the entire state, and the rules and symmetries are supported.

    False for drawings, and for noted positions, which are stored elsewhere.
    """
    return explores(program, turns) and not any(isinstance(v.type, n.HistoryT) for v in program.variables)


def explores(program: n.Program, turns: Sequence[Symmetry] = ()) -> bool:
    """Whether the compiled explorer supports these rules and symmetries (not drawings, nor every symmetry)."""
    if any(isinstance(b.end, n.DecideDrawing) for b in program.blocks):
        return False
    if turns and any(isinstance(v.type, n.HistoryT) for v in program.variables):
        return False
    return acts_on_compiled_states(program, turns)
