"""The registry of lowerings: for each class of expressions, the strategies in the order in which they are tried.

A strategy returns None for expressions that are not of its form; ``expr`` then tries the next one, and in the end its own
plain case. A new strategy is a function of its own file and a line here.
"""

from __future__ import annotations

from gamedsl.core.nodes import AfterE, Arranged, CallF, Closure, Cond, Flood, Loop, Noted, Op1, Op2, Program, SomeMove
from gamedsl.native.emit.drawing_records import arranged
from gamedsl.native.emit.histories import noted, noted_at_least
from gamedsl.native.emit.lazy_calls import lazy_call
from gamedsl.native.emit.lookahead import after, some_move
from gamedsl.native.emit.module_builder import Lowerings, Unit
from gamedsl.native.emit.sets.closures import closure, closure_disjoint
from gamedsl.native.emit.sets.drawing_columns import side_by_side
from gamedsl.native.emit.sets.flood_path_cache import disjoint_from_flood
from gamedsl.native.emit.sets.image_tables import chunked_image
from gamedsl.native.emit.sets.images import flood, short_image
from gamedsl.native.emit.sets.line_patterns import line_test
from gamedsl.native.emit.sets.optionals import optional_element
from gamedsl.native.emit.sets.quantifiers import loop
from gamedsl.native.emit.sets.ray_chains import beyond_first
from gamedsl.native.emit.sets.simd_directions import simd_directions
from gamedsl.native.emit.sets.simd_elements import simd_elements
from gamedsl.native.emit.sets.simd_numbers import simd_filter, simd_sum
from gamedsl.native.emit.state_layout import Frame
from gamedsl.native.playouts.ply_cache import cached_call
from gamedsl.native.playouts.remaining_set import emptiness_by_size

LOWERINGS: Lowerings = {
    Op1: (emptiness_by_size,),
    Op2: (noted_at_least, emptiness_by_size, simd_directions, disjoint_from_flood, closure_disjoint),
    Cond: (optional_element,),
    CallF: (cached_call, lazy_call),
    Loop: (
        side_by_side,
        line_test,
        simd_elements,
        simd_sum,
        simd_filter,
        beyond_first,
        short_image,
        chunked_image,
        loop,
    ),
    Flood: (flood,),
    Closure: (closure,),
    Noted: (noted,),
    Arranged: (arranged,),
    AfterE: (after,),
    SomeMove: (some_move,),
}


def new_unit(program: Program, frame: Frame) -> Unit:
    """An empty module for a program, with all lowerings."""
    return Unit(program, frame, LOWERINGS)
