"""Draws a random move of a schema by rejection: costly conditions are tested only for the drawn candidate.

Costly conditions after the first binding of a plan (a look-ahead, or a search along lines and neighbors) are cut off,
and so are the conditions that follow them after the last binding. The other steps give candidates, which are listed. A
candidate is drawn from all; what was cut off, and the prohibitions, are asked about it. If they refuse it, it is taken
off the list, and another is drawn from the rest. So every legal move is drawn with the same probability (rejection
sampling without replacement), mostly at the cost of one test.

A rules error in a costly condition occurs only if its candidate is drawn. Listing moves finds all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.costly_conditions import Split, cut_plan
from gamedsl.compiler.emit.argument_lists import ArgumentList
from gamedsl.compiler.emit.expression_code import boolean
from gamedsl.compiler.emit.llvm_module import I1, I64, Fn, bind, flag
from gamedsl.compiler.emit.move_code import moves_key, plan_of, unless_forbidden
from gamedsl.compiler.emit.stop_code import args_of
from gamedsl.language.core import nodes as n


def split(f: Fn, schema: n.Schema) -> Split | None:
    """The plan without its costly tests, and these; None if drawing first gains nothing."""
    plan = plan_of(f, schema)
    found = cut_plan(plan, f.unit.program.functions)
    bound = any(isinstance(step, n.Bind) for step in plan)
    return Split(plan, ()) if found is None and bound and schema.forbids else found


class Candidates:
    """The listed candidates of a schema. Refused ones are taken off."""

    def __init__(self, f: Fn, end: n.Decide, schema: n.Schema, mover: ir.Value, cut: Split) -> None:
        self.schema, self.mover, self.cut, self.tick = schema, mover, cut, end.tick
        self.list = ArgumentList(f, schema, mover, cutoffs.CANDIDATE_LIST, (), False, cut.candidates)

    def accepts(self, f: Fn, args: ir.Value) -> ir.Value:
        """Whether the candidate with these arguments is a legal move."""
        function = accepting(f, self.schema, self.cut, self.tick)
        return f.builder.call(function, [f.ctx, f.s, self.mover, args])


def accepting(f: Fn, schema: n.Schema, cut: Split, tick: tuple[n.CoreStmt, ...]) -> ir.Function:
    """``accepts(ctx, s, me, args) -> bool``: whether the tests cut off and the forbidden conditions allow the
    candidate."""

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        me, args = values[0], args_of(g, schema, values[1], first=0)
        refused = g.block("refused")
        bind(g, schema.me, me)
        for p, a in zip(schema.params, args, strict=True):
            bind(g, p.local, a)
        for test in cut.tests:
            following = g.block("and")
            g.builder.cbranch(boolean(g, test.condition), following, refused)
            g.at(following)
        if schema.forbids:
            unless_forbidden(g, schema, me, args, tick, lambda _: g.builder.ret(flag(True)), drawn=True)
            g.goto(refused)
        else:
            g.builder.ret(flag(True))
        g.at(refused)
        g.builder.ret(flag(False))

    key = moves_key(f, "accepts", schema, tick)
    return f.unit.function(key, f"accepts{schema.index}", I1, [I64, I64.as_pointer()], body)
