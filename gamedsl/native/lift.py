"""Plans with conditions turned into sets."""

from __future__ import annotations

from gamedsl.core.nodes import Bind, Program, Schema, Test


def lifted_plan(schema: Schema, plan: tuple[Bind | Test, ...], program: Program) -> tuple[Bind | Test, ...]:
    return plan
