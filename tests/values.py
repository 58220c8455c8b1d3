"""Values of states by name, as codes of the Core."""

from __future__ import annotations

from gamedsl.engine import State
from gamedsl.engine.stop import codes_of
from gamedsl.engine.values import Value


def codes_named(state: State, name: str, part: int = 0) -> list[Value]:
    """The codes of the variable of this name in a part, one per slot."""
    var = state.game.variable(name, part)
    assert var is not None, name
    return codes_of(state, var)
