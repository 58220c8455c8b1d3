"""The registry of lowerings: for each class of expressions, the strategies in the order in which they are tried.

A strategy returns None for expressions that are not of its form; ``expr`` then tries the next one, and in the end its own
plain case. A new strategy is a function of its own file and a line here.
"""

from __future__ import annotations

from gamedsl.core.nodes import AfterE, Arranged, CallF, Flood, Loop, Noted, Op1, Op2, Program, SomeMove
from gamedsl.native.abreast import abreast
from gamedsl.native.ahead import after, some_move
from gamedsl.native.bundles import bundle
from gamedsl.native.chains import beyond_first
from gamedsl.native.chunks import chunked_image
from gamedsl.native.columns import side_by_side
from gamedsl.native.drawings import arranged
from gamedsl.native.frame import Frame
from gamedsl.native.histories import noted
from gamedsl.native.images import flood, short_image
from gamedsl.native.keep import cached_call
from gamedsl.native.later import delayed_call
from gamedsl.native.left import emptiness_by_size
from gamedsl.native.patterns import line_test
from gamedsl.native.quantified import loop
from gamedsl.native.unit import Lowerings, Unit
from gamedsl.native.witness import disjoint_from_flood

LOWERINGS: Lowerings = {
    Op1: (emptiness_by_size,),
    Op2: (emptiness_by_size, bundle, disjoint_from_flood),
    CallF: (cached_call, delayed_call),
    Loop: (side_by_side, line_test, abreast, beyond_first, short_image, chunked_image, loop),
    Flood: (flood,),
    Noted: (noted,),
    Arranged: (arranged,),
    AfterE: (after,),
    SomeMove: (some_move,),
}


def new_unit(program: Program, frame: Frame) -> Unit:
    """An empty module for a program, with all lowerings."""
    return Unit(program, frame, LOWERINGS)
