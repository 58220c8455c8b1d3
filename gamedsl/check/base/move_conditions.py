"""Which conditions of a move the options leave undecided."""

from __future__ import annotations

from gamedsl.core.nodes import Const, Schema


def is_disabled(schema: Schema) -> bool:
    """Do the options rule out every move of this kind, whatever the position?"""
    return any(isinstance(g.condition, Const) and not g.condition.value for g in schema.guards)


def varying_conditions(s: Schema) -> set[int]:
    """Returns the indices of the conditions that the options do not decide: guards first, then forbids."""
    return {i for i, g in enumerate((*s.guards, *s.forbids)) if not isinstance(g.condition, Const)}
