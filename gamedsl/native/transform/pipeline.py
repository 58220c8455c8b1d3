"""The passes that make a program ready for random playouts, in the order in which they run.

The compiler runs ``PIPELINE``, ``gamedsl compile --passes`` walks it, and goldens and laws iterate over it; there is no
second order anywhere. Each pass keeps the meaning of the program. Passes marked ``for_functions`` are left out for
programs without functions: only moves that look ahead bring some in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from gamedsl.core.nodes import Expr, Program
from gamedsl.native.analysis import pass_statistics as measures
from gamedsl.native.analysis.constant_tables import tabled
from gamedsl.native.transform.block_merging import merged
from gamedsl.native.transform.dead_check_elimination import without_dead_alternatives, without_proved
from gamedsl.native.transform.function_splitting import Parts
from gamedsl.native.transform.hop_masks import with_lifted_plans
from gamedsl.native.transform.image_fusion import with_composed
from gamedsl.native.transform.implied_conditions import settled
from gamedsl.native.transform.incremental_conditions import NOTHING_TRACKED, Tracked, tracked
from gamedsl.native.transform.lift_conditions import quantified
from gamedsl.native.transform.outline_functions import outlined
from gamedsl.native.transform.parameter_order import in_best_orders
from gamedsl.native.transform.ply_cache import Kept, kept
from gamedsl.native.transform.range_check_elimination import fitted
from gamedsl.native.transform.ray_floods import with_rays
from gamedsl.native.transform.rewriting import Rewrite, everywhere, narrowed_functions, rewritten
from gamedsl.native.transform.set_plans import listed
from gamedsl.native.transform.specialize import Env, NotSpecial, Special, specialise
from gamedsl.native.transform.unroll_small_filters import with_few


@dataclass(frozen=True)
class SpecializedProgram:
    """A program on its way through the passes, with what they have found out about it.

    ``places``: for each block, the block of the whole program and the values of the control variables.
    ``also``: blocks with other places that they stand for.
    ``sure``: by block, what must hold of a state for a play to begin there.
    ``kept``: calls whose values are cached from ply to ply.
    ``tracked``: conditions that are maintained incrementally.
    """

    program: Program
    places: tuple[tuple[int, Env], ...] = ()
    also: tuple[tuple[int, int, Env], ...] = ()
    sure: dict[int, tuple[Expr, ...]] = field(default_factory=dict)
    kept: tuple[Kept, ...] = ()
    tracked: Tracked = NOTHING_TRACKED

    @property
    def special(self) -> Special:
        return Special(self.program, self.places, self.also)


Change = Callable[[SpecializedProgram], SpecializedProgram]
Count = Callable[[SpecializedProgram, SpecializedProgram], int]


@dataclass(frozen=True)
class Pass:
    """``count`` says how many of what ``noun`` names the pass has changed, ``outcome`` what became of them."""

    name: str
    run: Change
    noun: str
    outcome: str
    count: Count
    for_functions: bool = False


def _program(change: Callable[[Program], Program]) -> Change:
    """A pass that looks at the program alone."""
    return lambda draft: replace(draft, program=change(draft.program))


def _expressions(rewrite: Rewrite) -> Change:
    """A pass over every expression outside plans and functions."""
    return _program(lambda program: rewritten(program, rewrite))


def _counted(count: Callable[[Program, Program], int]) -> Count:
    return lambda before, after: count(before.program, after.program)


def _fewer(count: Callable[[Program], int]) -> Count:
    return lambda before, after: abs(count(before.program) - count(after.program))


def _specialize(draft: SpecializedProgram) -> SpecializedProgram:
    special = specialise(draft.program)
    return replace(draft, program=special.program, places=special.places, also=special.also)


def _merge_blocks(draft: SpecializedProgram) -> SpecializedProgram:
    special = merged(draft.special)
    return replace(draft, program=special.program, places=special.places, also=special.also)


def _settle(draft: SpecializedProgram) -> SpecializedProgram:
    found = settled(draft.program)
    return replace(draft, program=found.program, sure=found.sure)


def _split_functions(draft: SpecializedProgram) -> SpecializedProgram:
    parts = Parts(draft.program.functions)
    program = everywhere(draft.program, parts.calls)
    sure = {block: tuple(parts.calls(e) for e in conditions) for block, conditions in draft.sure.items()}
    return replace(draft, program=replace(program, functions=tuple(parts.functions)), sure=sure)


def _cache_calls(draft: SpecializedProgram) -> SpecializedProgram:
    program, calls = kept(draft.program)
    return replace(draft, program=program, kept=calls)


def _track(draft: SpecializedProgram) -> SpecializedProgram:
    return replace(draft, tracked=tracked(draft.program))


_plans = _counted(measures.changed_plans)
_functions = _counted(measures.changed_functions)
_rewritten = _counted(measures.changed_expressions)
_either = _counted(lambda a, b: measures.changed_plans(a, b) + measures.changed_functions(a, b))
_blocks = _fewer(lambda p: len(p.blocks))
_in_tables = "with constant parts looked up in tables"

PIPELINE: tuple[Pass, ...] = (
    # A block for every value of what only steers the play; functions are put in place, tried moves become conditions.
    Pass("specialise", _specialize, "block", "made of those before", lambda _, after: len(after.program.blocks)),
    # Blocks that do the same become one.
    Pass("places", _merge_blocks, "block", "the same as another", _blocks, for_functions=True),
    # What a branch on the way has answered is not asked again.
    Pass("known", _settle, "plan", "with tests that a branch before has answered", _plans, for_functions=True),
    # Large tests become functions.
    Pass("functions", _program(outlined), "plan", "with a large test as a function", _plans, for_functions=True),
    # Quantifiers in functions range over fewer elements.
    Pass("narrow", _program(narrowed_functions), "function", "with quantifiers narrowed to sets", _functions, True),
    # Expressions of one or two names become look-ups.
    Pass("tables", _expressions(tabled), "expression", _in_tables, _rewritten),
    # Quantifiers become operations on sets.
    Pass("sets", _expressions(quantified), "quantifier", "written with sets", _fewer(measures.quantifiers)),
    # Walks along rays become shifts of whole sets.
    Pass("rays", _expressions(with_rays), "walk", "along rays made for whole sets at once", _fewer(measures.floods)),
    # The two passes before leave new constant parts.
    Pass("tables again", _expressions(tabled), "expression", _in_tables, _rewritten),
    # Parameters are bound in the cheapest order.
    Pass("orders", _program(in_best_orders), "plan", "bound in another order of the parameters", _plans),
    # Conditions on a parameter become part of the set it ranges over.
    Pass(
        "plans",
        _program(with_lifted_plans),
        "condition",
        "on a parameter made part of the set it ranges over",
        _fewer(measures.tests),
    ),
    # Moves that are never legal go.
    Pass(
        "alternatives",
        _program(without_dead_alternatives),
        "hopeless alternative",
        "left out",
        _fewer(measures.alternatives),
    ),
    # Checks that cannot fail go.
    Pass("checks", _program(without_proved), "check", "proved and left out", _fewer(measures.checks)),
    Pass("fitted", _expressions(fitted), "expression", "without a range check that can't fail", _rewritten),
    # Moves of one parameter become one set, worked out once a decision.
    Pass("listed", _program(listed), "plan", "of one parameter made one set", _plans, for_functions=True),
    # Filters of a few elements are unrolled.
    Pass("few", _program(with_few), "place", "where a filter of few elements is written out", _either, True),
    # What depends on few parameters is worked out apart, and can be cached.
    Pass("parts", _split_functions, "function", "given what it works out of few of its parameters", _functions, True),
    # Images of images are fused.
    Pass("composed", _program(with_composed), "function", "with images of images as one", _functions, True),
    # Calls that change seldom are cached from ply to ply.
    Pass("kept", _cache_calls, "plan", "that may use what is kept from ply to ply", _plans, for_functions=True),
    # Conditions that change little from ply to ply are maintained instead of asked anew.
    Pass("tracked", _track, "condition", "maintained from ply to ply", lambda _, after: len(after.tracked.monitors)),
)


def stages(program: Program) -> Iterator[tuple[Pass, SpecializedProgram]]:
    """Each pass that applies, with the program after it. Raises ``NotSpecial`` for programs that do not fit."""
    draft = SpecializedProgram(program)
    for step in PIPELINE:
        if draft.program.functions or not step.for_functions:
            draft = step.run(draft)
            yield step, draft


def specialize_for_playouts(program: Program) -> SpecializedProgram | None:
    """The program for random playouts; None when it is not of that kind."""
    try:
        *_, (_, ready) = stages(program)
    except NotSpecial:
        return None
    return ready


def why_not_specialized(program: Program) -> str | None:
    """Why a program can't be specialized for playouts; None when it can."""
    try:
        specialise(program)
    except NotSpecial as reason:
        return str(reason)
    return None
