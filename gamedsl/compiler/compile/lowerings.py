"""The registry of lowerings: for each class of expressions, the strategies in the order in which they are tried.

A strategy returns None for expressions that are not of its form; ``expr`` then tries the next one, and finally its own
plain case. A new strategy is a function in a file of its own and a line here.
"""

from __future__ import annotations

from gamedsl.compiler.emit.counted_recursion import counted_call
from gamedsl.compiler.emit.drawing_records import arranged
from gamedsl.compiler.emit.history_code import noted, noted_at_least
from gamedsl.compiler.emit.lazy_calls import lazy_call, lazy_set
from gamedsl.compiler.emit.llvm_module import Lowerings, Unit
from gamedsl.compiler.emit.lookahead_code import after, some_move
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.emit.sets.closure_path_cache import disjoint_from_closure
from gamedsl.compiler.emit.sets.closures import closure, closure_disjoint
from gamedsl.compiler.emit.sets.cut_elements import stays_connected
from gamedsl.compiler.emit.sets.drawing_columns import side_by_side
from gamedsl.compiler.emit.sets.flood_path_cache import disjoint_from_flood
from gamedsl.compiler.emit.sets.image_tables import chunked_image
from gamedsl.compiler.emit.sets.images import flood, short_image
from gamedsl.compiler.emit.sets.line_patterns import line_test
from gamedsl.compiler.emit.sets.optionals import optional_element
from gamedsl.compiler.emit.sets.pattern_tables import by_pattern
from gamedsl.compiler.emit.sets.ray_chains import beyond_first
from gamedsl.compiler.emit.sets.set_quantifiers import loop
from gamedsl.compiler.emit.sets.simd_directions import simd_directions
from gamedsl.compiler.emit.sets.simd_elements import simd_elements
from gamedsl.compiler.emit.sets.simd_numbers import simd_filter, simd_sum
from gamedsl.compiler.playouts.ply_cache_code import cached_call
from gamedsl.compiler.playouts.remaining_set import emptiness_by_size
from gamedsl.language.core import nodes as n

LOWERINGS: Lowerings = {
    n.Op1: (emptiness_by_size,),
    n.Op2: (
        lazy_set,
        noted_at_least,
        emptiness_by_size,
        simd_directions,
        disjoint_from_flood,
        disjoint_from_closure,
        closure_disjoint,
        by_pattern,
    ),
    n.Cond: (optional_element,),
    n.CallF: (cached_call, lazy_call, counted_call),
    n.LetE: (stays_connected,),
    n.Loop: (
        lazy_set,
        side_by_side,
        line_test,
        by_pattern,
        simd_elements,
        simd_sum,
        simd_filter,
        beyond_first,
        short_image,
        chunked_image,
        loop,
    ),
    n.Flood: (flood,),
    n.Closure: (closure,),
    n.Noted: (noted,),
    n.Arranged: (arranged,),
    n.AfterE: (after,),
    n.SomeMove: (some_move,),
}


def new_unit(program: n.Program, frame: Frame) -> Unit:
    """An empty module for a program, with all lowerings."""
    return Unit(program, frame, LOWERINGS)
