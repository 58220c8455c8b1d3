"""The passes that make a program ready for playouts, in the order they run.

The compiler runs ``PIPELINE``, ``gamedsl compile --passes`` shows it, and golden and property tests iterate over it;
the order is not repeated anywhere. Each pass keeps the meaning of the program. Passes marked ``for_functions`` are left
out for programs without functions, which only moves that look ahead introduce.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

from gamedsl.compiler.analysis import pass_statistics as measures
from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.transform.block_merging import merge_blocks
from gamedsl.compiler.transform.dead_check_elimination import eliminate_dead_alternatives, eliminate_proved_checks
from gamedsl.compiler.transform.early_tests import order_tests
from gamedsl.compiler.transform.few_elements import unroll_few_elements
from gamedsl.compiler.transform.function_splitting import FunctionSplitter
from gamedsl.compiler.transform.hoist_conditions import hoist_conditions
from gamedsl.compiler.transform.hop_masks import lift_plans
from gamedsl.compiler.transform.image_fusion import fuse_images
from gamedsl.compiler.transform.implied_conditions import eliminate_implied_conditions
from gamedsl.compiler.transform.incremental_conditions import (
    NO_CONDITIONS,
    IncrementalConditions,
    find_incremental_conditions,
)
from gamedsl.compiler.transform.lift_plans import lift_quantifiers
from gamedsl.compiler.transform.narrow_loops import narrow_loops, whole_loops
from gamedsl.compiler.transform.narrow_quantifiers import narrow_functions
from gamedsl.compiler.transform.parameter_order import order_parameters
from gamedsl.compiler.transform.ply_cache import CachedCall, find_cached_calls
from gamedsl.compiler.transform.range_check_elimination import eliminate_range_checks
from gamedsl.compiler.transform.ray_floods import flood_rays
from gamedsl.compiler.transform.rewriting import Rewrite, rewrite_everywhere, rewrite_expressions
from gamedsl.compiler.transform.set_plans import plans_as_sets
from gamedsl.compiler.transform.specialize import Env, NotSpecializable, Specialization, specialize
from gamedsl.compiler.transform.split_moves import split_moves
from gamedsl.compiler.transform.unroll_small_filters import unroll_small_filters
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class SpecializedProgram:
    """A program on its way through the passes, with their results.

    ``places``: for each block, the block of the original program and the values of the control variables.
    ``also``: merged blocks, with the places of those merged into them.
    ``preconditions``: by block, the conditions that must hold in a state for a playout to begin there.
    ``cached_calls``: calls whose values are cached from ply to ply.
    ``incremental``: conditions and sets that are maintained from ply to ply.
    """

    program: n.Program
    places: tuple[tuple[int, Env], ...] = ()
    also: tuple[tuple[int, int, Env], ...] = ()
    preconditions: dict[int, tuple[n.Expr, ...]] = field(default_factory=dict)
    cached_calls: tuple[CachedCall, ...] = ()
    incremental: IncrementalConditions = NO_CONDITIONS

    @property
    def special(self) -> Specialization:
        return Specialization(self.program, self.places, self.also)


Change = Callable[[SpecializedProgram], SpecializedProgram]
Count = Callable[[SpecializedProgram, SpecializedProgram], int]


@lazy_dataclass(frozen=True)
class Pass:
    """A pass. ``count`` gives the number of changes, in units of ``noun``; ``outcome`` says what became of them."""

    name: str
    run: Change
    noun: str
    outcome: str
    count: Count
    for_functions: bool = False


def _program(change: Callable[[n.Program], n.Program]) -> Change:
    """A pass that needs only the program."""
    return lambda draft: replace(draft, program=change(draft.program))


def _expressions(rewrite: Rewrite) -> Change:
    """A pass over every expression outside plans and functions."""
    return _program(lambda program: rewrite_expressions(program, rewrite))


def _everywhere(rewrite: Rewrite) -> Change:
    """A pass over every expression outside functions."""
    return _program(lambda program: rewrite_everywhere(program, rewrite))


def _counted(count: Callable[[n.Program, n.Program], int]) -> Count:
    return lambda before, after: count(before.program, after.program)


def _fewer(count: Callable[[n.Program], int]) -> Count:
    return lambda before, after: abs(count(before.program) - count(after.program))


def _specialize(draft: SpecializedProgram) -> SpecializedProgram:
    special = specialize(draft.program)
    return replace(draft, program=special.program, places=special.places, also=special.also)


def _merge_blocks(draft: SpecializedProgram) -> SpecializedProgram:
    special = merge_blocks(draft.special)
    return replace(draft, program=special.program, places=special.places, also=special.also)


def _eliminate_implied(draft: SpecializedProgram) -> SpecializedProgram:
    found = eliminate_implied_conditions(draft.program)
    return replace(draft, program=found.program, preconditions=found.preconditions)


def _split_functions(draft: SpecializedProgram) -> SpecializedProgram:
    splitter = FunctionSplitter(draft.program.functions)
    program = rewrite_everywhere(draft.program, splitter.rewrite_calls)
    preconditions = {
        block: tuple(splitter.rewrite_calls(e) for e in conditions) for block, conditions in draft.preconditions.items()
    }
    program = replace(program, functions=tuple(splitter.functions))
    return replace(draft, program=program, preconditions=preconditions)


def _cache_calls(draft: SpecializedProgram) -> SpecializedProgram:
    program, calls = find_cached_calls(draft.program)
    return replace(draft, program=program, cached_calls=calls)


def _find_incremental(draft: SpecializedProgram) -> SpecializedProgram:
    return replace(draft, incremental=find_incremental_conditions(draft.program))


def _changed(before: n.Program, after: n.Program) -> int:
    return measures.changed_plans(before, after) + measures.changed_expressions(before, after)


_plans = _counted(measures.changed_plans)
_functions = _counted(measures.changed_functions)
_rewritten = _counted(measures.changed_expressions)
_either = _counted(lambda a, b: measures.changed_plans(a, b) + measures.changed_functions(a, b))
_anywhere = _counted(lambda a, b: measures.changed_functions(a, b) + _changed(a, b))
_hoisted = _counted(_changed)
_blocks = _fewer(lambda p: len(p.blocks))
_tests, _alternatives, _checks = _fewer(measures.tests), _fewer(measures.alternatives), _fewer(measures.checks)
_in_tables = "with constant parts looked up in tables"
_merged = "merged into an equivalent one"

PIPELINE: tuple[Pass, ...] = (
    # Specialize blocks for each value of the control variables; inline functions; turn tried moves into conditions.
    Pass("specialize", _specialize, "block", "made of those before", lambda _, after: len(after.program.blocks)),
    # Merge equivalent blocks.
    Pass("merge blocks", _merge_blocks, "block", _merged, _blocks, for_functions=True),
    # Drop tests that dominating branches have already made.
    Pass("implied conditions", _eliminate_implied, "plan", "without tests answered before", _plans, True),
    # Narrow quantifiers in functions to sets.
    Pass("narrow quantifiers", _program(narrow_functions), "function", "with narrower quantifiers", _functions, True),
    # Evaluate expressions of one or two names into tables.
    Pass("constant tables", _expressions(tabulate), "expression", _in_tables, _rewritten),
    # Turn quantifiers into set operations.
    Pass("lift quantifiers", _expressions(lift_quantifiers), "quantifier", "made sets", _fewer(measures.quantifiers)),
    # Narrow loops over all elements to those for which a condition holds.
    Pass("narrow loops", _program(narrow_loops), "loop", "over fewer elements", _fewer(whole_loops)),
    # Turn unions along rays into floods, which lockstep playouts need.
    Pass("ray floods", _expressions(flood_rays), "walk", "along rays made for whole sets", _fewer(measures.floods)),
    # Bind parameters in the cheapest order.
    Pass("parameter order", _program(order_parameters), "plan", "bound in another order", _plans),
    # Split moves of which one case is a few masks.
    Pass("split moves", _program(split_moves), "kind", "of move split into two", _alternatives),
    # Turn conditions on a parameter into the set that it ranges over.
    Pass("lift plans", _program(lift_plans), "condition", "on a parameter made part of its set", _tests),
    # Ask conditions before the loops on whose members they do not depend.
    Pass("hoist conditions", _everywhere(hoist_conditions), "loop", "with conditions asked before", _hoisted),
    # Test conditions of moves as soon as their parameters are bound.
    Pass("early tests", _program(order_tests), "plan", "with tests before further parameters", _plans),
    # Replace filters of few looked-up elements with tests of each.
    Pass("few elements", _program(unroll_few_elements), "filter", "of few elements made tests", _anywhere),
    # Remove moves that are never legal.
    Pass("dead moves", _program(eliminate_dead_alternatives), "kind", "of move that is never legal", _alternatives),
    # Remove checks that cannot fail.
    Pass("dead checks", _program(eliminate_proved_checks), "check", "proved and omitted", _checks),
    # Remove range checks that cannot fail.
    Pass("range checks", _expressions(eliminate_range_checks), "expression", "that stays in range", _rewritten),
    # Turn moves of one parameter into one set, computed once per decision.
    Pass("set plans", _program(plans_as_sets), "plan", "of one parameter made one set", _plans, for_functions=True),
    # Unroll filters of few elements, and unions over few constants.
    Pass("unroll filters", _program(unroll_small_filters), "place", "with a small filter or union unrolled", _either),
    # Hoist values that depend on few parameters out of functions, so that they can be cached.
    Pass("split functions", _split_functions, "function", "with parts hoisted into arguments", _functions, True),
    # Fuse images of images.
    Pass("fuse images", _program(fuse_images), "function", "with images of images fused", _functions, True),
    # Cache calls whose arguments rarely change from ply to ply.
    Pass("ply cache", _cache_calls, "plan", "that can use cached calls", _plans, for_functions=True),
    # Maintain conditions and sets that change little from ply to ply.
    Pass("incremental", _find_incremental, "condition", "maintained", lambda _, after: len(after.incremental.monitors)),
)


def stages(program: n.Program) -> Iterator[tuple[Pass, SpecializedProgram]]:
    """Each pass that applies, with the program after it. Raises ``NotSpecializable`` if the program cannot be
    specialized."""
    draft = SpecializedProgram(program)
    for step in PIPELINE:
        if draft.program.functions or not step.for_functions:
            draft = step.run(draft)
            yield step, draft


def specialize_for_playouts(program: n.Program) -> SpecializedProgram | None:
    """The program specialized for playouts, or None if it cannot be specialized."""
    try:
        *_, (_, ready) = stages(program)
    except NotSpecializable:
        return None
    return ready


def why_not_specialized(program: n.Program) -> str | None:
    """The reason why a program cannot be specialized for playouts, or None if it can."""
    try:
        specialize(program)
    except NotSpecializable as reason:
        return str(reason)
    return None
