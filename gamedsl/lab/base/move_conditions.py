"""Conditions of a move that depend on the position, not just on the options."""

from __future__ import annotations

from gamedsl.language.core import nodes as n


def is_disabled(schema: n.Schema) -> bool:
    """Whether the options rule out every move of this kind, whatever the position."""
    return any(isinstance(g.condition, n.Const) and not g.condition.value for g in schema.guards)


def varying_conditions(s: n.Schema) -> set[int]:
    """Returns the indices of the conditions that the options do not decide: guards first, then forbids."""
    return {i for i, g in enumerate((*s.guards, *s.forbids)) if not isinstance(g.condition, n.Const)}
