"""A program made ready for random play: taken apart by place, its conditions as sets, what can be kept found out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gamedsl.core.nodes import Bind, Const, Decide, Expr, Program, Schema, Test
from gamedsl.native.passes.checks import without_proved
from gamedsl.native.passes.composed import Composed
from gamedsl.native.passes.few import Few
from gamedsl.native.passes.fitted import fitted
from gamedsl.native.passes.hops import with_hops
from gamedsl.native.passes.keeping import Kept, kept
from gamedsl.native.passes.lift import lifted_plan
from gamedsl.native.passes.listed import listed
from gamedsl.native.passes.merged import merged
from gamedsl.native.passes.orders import in_best_orders
from gamedsl.native.passes.outlined import outlined
from gamedsl.native.passes.parts import Parts
from gamedsl.native.passes.prepare import Rewrite, prepared, rewritten
from gamedsl.native.passes.settled import settled
from gamedsl.native.passes.sooner import Sooner
from gamedsl.native.passes.specialise import Env, NotSpecial, specialise
from gamedsl.native.passes.tracked import Tracked, tracked


@dataclass(frozen=True)
class Apart:
    """``places``: of each block the block of the whole program and the values of the control variables. ``sure``: by block,
    what must hold of a state from which a play begins there. ``kept``: calls whose values are kept from ply to ply.
    ``also``: blocks with other places that they stand for."""

    program: Program
    places: tuple[tuple[int, Env], ...]
    tracked: Tracked
    sure: dict[int, tuple[Expr, ...]] = field(default_factory=dict)
    kept: tuple[Kept, ...] = ()
    also: tuple[tuple[int, int, Env], ...] = ()


def apart(program: Program) -> Apart | None:
    """The program for random play; None when it is not of that kind."""
    try:
        special = merged(specialise(program))
    except NotSpecial:
        return None
    known = settled(special.program)
    ready = in_best_orders(prepared(outlined(known.program)))
    ready = with_lifted_plans(ready)
    ready = with_few(listed(with_fitted(without_proved(without_hopeless(ready)))))
    parts = Parts(ready.functions)
    ready = with_composed(with_parts(ready, parts))
    sure = {i: tuple(parts.calls(e) for e in all_of) for i, all_of in known.sure.items()}
    ready, calls = kept(ready)
    ready = large_sets(with_sooner(ready, calls), calls)
    return Apart(ready, special.places, tracked(ready), sure, calls, special.also)


def with_parts(program: Program, parts: Parts) -> Program:
    """The program with what functions work out of some of their parameters as arguments."""
    if not program.functions:
        return program
    return replace(everywhere(program, parts.calls), functions=tuple(parts.functions))


def with_fitted(program: Program) -> Program:
    """The program without range checks in statements that can't fail."""
    return rewritten(program, fitted)


def with_few(program: Program) -> Program:
    """The program with filters of few elements written out, where it has functions that look ahead."""
    if not program.functions:
        return program
    few = Few(program.functions)
    functions = tuple(replace(f, body=few.expr(f.body)) for f in program.functions)
    return replace(everywhere(program, few.expr), functions=functions)


def with_composed(program: Program) -> Program:
    """The program with images of images in its functions composed."""
    composed = Composed()
    return replace(program, functions=tuple(replace(f, body=composed.expr(f.body)) for f in program.functions))


def with_sooner(program: Program, calls: tuple[Kept, ...]) -> Program:
    """The program with cheap questions before dear ones."""
    if not program.functions:
        return program
    sooner = Sooner(program, [k.call for k in calls])
    functions = tuple(replace(f, body=sooner.expr(f.body)) for f in program.functions)
    return replace(everywhere(program, sooner.expr), functions=functions)


def large_sets(program: Program, calls: tuple[Kept, ...]) -> Program:
    """The program with large sets of plans as functions; what is kept is given to them."""
    return outlined(program, [k.call for k in calls], sets=True)


def everywhere(program: Program, r: Rewrite) -> Program:
    """Every expression rewritten, in plans as well."""
    ready = rewritten(program, r)
    schemas = tuple(replace(s, plan=tuple(_step(x, r) for x in s.plan)) for s in ready.schemas)
    return replace(ready, schemas=schemas)


def _step(x: Bind | Test, r: Rewrite) -> Bind | Test:
    return Bind(x.param, r(x.over)) if isinstance(x, Bind) else Test(r(x.condition))


def why_not_apart(program: Program) -> str | None:
    """Why a program can't be made ready for random play; None when it can."""
    try:
        specialise(program)
    except NotSpecial as reason:
        return str(reason)
    return None


def with_lifted_plans(program: Program) -> Program:
    """The program with conditions in plans made sets; but for plans whose moves are a set for every distance as they are."""
    return with_hops(program, replace(program, schemas=tuple(lifted_schema(s) for s in program.schemas)))


def lifted_schema(s: Schema) -> Schema:
    """The schema with its plan's conditions made sets."""
    return replace(s, plan=lifted_plan(s, s.plan))


def without_hopeless(program: Program) -> Program:
    """Without alternatives that can never be chosen."""
    blocks = []
    for b in program.blocks:
        if isinstance(b.end, Decide):
            alts = tuple(a for a in b.end.alternatives if not _hopeless(program.schemas[a.schema]))
            b = replace(b, end=replace(b.end, alternatives=alts))
        blocks.append(b)
    used = {a.schema for b in blocks if isinstance(b.end, Decide) for a in b.end.alternatives}
    schemas = tuple(s if s.index in used else replace(s, effect=()) for s in program.schemas)
    return replace(program, blocks=tuple(blocks), schemas=schemas)


def _hopeless(s: Schema) -> bool:
    return any(isinstance(x, Test) and isinstance(x.condition, Const) and not x.condition.value for x in s.plan)
