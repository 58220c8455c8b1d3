"""The counter ``turn`` in positions: turns that the rules do not tell apart have the same value."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.language.core import nodes as n


def turn_value(program: n.Program, var: n.Var, number: int) -> int:
    """Returns the value of the counter on a turn with this number. A number above those of another variable, which does
    not count turns, is returned as it is."""
    cycle = _cycle(program, var)
    if not cycle or number <= _highest(var):
        return number
    first = _highest(var) - cycle + 1
    return first + (number - first) % cycle


def late_turns(state: State, named: Collection[str]) -> Iterator[str]:
    """Yields a remark for each counter that has stopped at its highest number and is not ``named`` in the position."""
    program = state.game.program
    for var in program.variables:
        if var.part == state.part and var.name not in named and _cycle(program, var) == 1:
            highest = _highest(var)
            if codes_of(state, var)[0] == highest:
                yield f"# turn: {highest} or later"


def _highest(var: n.Var) -> int:
    assert isinstance(var.type, n.IntT)
    return var.type.high


def _cycle(program: n.Program, var: n.Var) -> int:
    """Returns the number of values among which a counter of turns goes around in the end: 1 if it stops at its highest
    number, 0 for any other variable."""
    if var.name != "turn" or var.keys or not isinstance(var.type, n.IntT):
        return 0
    for block in program.blocks:
        for s in block.statements:
            match s:
                case n.Assign(var=counter, value=n.Op2(op="min")) if counter == var:
                    return 1
                case n.Assign(var=counter, value=n.Cond(then=n.Const(value=first))) if counter == var:
                    return var.type.high - first + 1
    return 0
