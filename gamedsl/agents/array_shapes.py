"""The shapes of the arrays that kernels share with their hosts: one table, by which Python and the page make them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias, TypeVar

import numpy as np

from gamedsl.agents import tree_arrays as open_tree
from gamedsl.agents.beliefs.belief_steps import PARTICLES, Room
from gamedsl.agents.beliefs.exact_kernels import Layer
from gamedsl.agents.beliefs.observation_hashes import CODES, Buffers, Rules, buffer_sizes
from gamedsl.agents.beliefs.observed_ply import MOST_OBSERVED
from gamedsl.agents.beliefs.particle_kernels import Particles
from gamedsl.agents.beliefs.sampling import Evidence, Scratch
from gamedsl.agents.information_nodes import Descent, Tree
from gamedsl.agents.information_tree import Starts
from gamedsl.agents.leaf_kernel import SEGMENT_FIELDS

T = TypeVar("T")
# a length: a number, the name of a size, or such a name and how many times it is taken
Length: TypeAlias = "int | str | tuple[str, int]"
# the type of the elements and the lengths; or arrays of another kind, and their number of rows
Shape: TypeAlias = "tuple[str | type, tuple[Length, ...]]"

WORD, HASH, REAL, BYTE, HALF = "i8", "u8", "f8", "u1", "i4"
PATH = open_tree.PATH
# of the search for games that hide nothing
OPEN: dict[type, dict[str, Shape]] = {
    open_tree.Rules: {
        "entry": (WORD, (len(open_tree.ENTRIES) + 1,)),
        "shape": (WORD, (8,)),
        "segments": (WORD, ("segments", SEGMENT_FIELDS)),
        "weights": (WORD, ("weights",)),
    },
    open_tree.Tree: {
        "used": (WORD, (5,)),
        "blocks": (WORD, ("nodes", "words")),
        "node": (HALF, ("nodes", open_tree.FIELDS)),
        "value": (REAL, ("nodes", "players")),
        "edge": (HALF, ("edges", 2)),
        "reals": (REAL, ("reals",)),
    },
    open_tree.Descent: {
        "draws": (HASH, (1,)),
        "path": (WORD, (2 * PATH,)),
        "result": (REAL, ("players",)),
        "explore": (REAL, (1,)),
    },
}
# of the search over players' knowledge
INFORMED: dict[type, dict[str, Shape]] = {
    Rules: {
        "entry": (WORD, ("entries",)),
        "shape": (WORD, (6,)),
        "blocks": (WORD, ("blocks", 3)),
        "stops": (HASH, ("blocks", 2)),
        "masks": (HASH, ("players", "masked")),
        "shown": (WORD, ("shown", 5)),
    },
    Buffers: {
        "codes": (WORD, ("codes",)),
        "spare": (WORD, (3, "words")),
        "actors": (WORD, ("actors",)),
        "at": (WORD, (3,)),
    },
    Particles: {
        "states": (WORD, ("rows", "words")),
        "histories": (HASH, ("rows", "longest")),
        "opens": (BYTE, ("rows", "longest")),
        "counts": (WORD, ("rows", 2)),
        "lasts": (HASH, ("rows", 2)),
        "weights": (REAL, ("rows", 2)),
    },
    Layer: {
        "particles": (Particles, ("rows",)),
        "keys": (HASH, ("rows",)),
        "table": (WORD, (("rows", 4),)),
        "codes": (HASH, (CODES,)),
    },
    Room: {
        "before": (Particles, ("rows",)),
        "earlier": (Particles, (PARTICLES,)),
        "found": (Particles, (2 * PARTICLES,)),
        "chosen": (Particles, (PARTICLES,)),
        "start": (Particles, (1,)),
        "spare": (Particles, (2,)),
        "picks": (WORD, (PARTICLES,)),
        "repeated": (WORD, (PARTICLES,)),
        "steps": (REAL, (2 * PARTICLES,)),
        "at": (WORD, (6,)),
    },
    Evidence: {"observed": (HASH, ("events",)), "bounds": (WORD, (2,))},
    Scratch: {
        "draws": (HASH, (1,)),
        "steps": (WORD, (1,)),
        "barred": (WORD, (1,)),
        "order": (WORD, (CODES,)),
        "chances": (REAL, (CODES,)),
        "observed": (HASH, (MOST_OBSERVED,)),
        "last": (HASH, (2,)),
        "at": (WORD, (2, 3)),
        "instead": (HASH, (2,)),
    },
    Tree: {
        "used": (WORD, (4,)),
        "shape": (WORD, (3,)),
        "keys": (HASH, ("nodes",)),
        "table": (WORD, (("nodes", 4),)),
        "node": (WORD, ("nodes", 6)),
        "edge": (REAL, (("nodes", 8), 4)),
        "events": (HASH, (("nodes", 8),)),
        "totals": (REAL, ("players",)),
    },
    Descent: {
        "draws": (HASH, (1,)),
        "path": (WORD, (PATH, 2)),
        "chances": (REAL, (PATH,)),
        "state": (WORD, (2, "words")),
        "keys": (HASH, ("players",)),
        "views": (HASH, (("players", 2),)),
        "now": (HASH, (3,)),
        "weights": (REAL, (CODES,)),
        "result": (REAL, ("players",)),
        "widths": (REAL, ("players",)),
        "most": (REAL, (1,)),
    },
    Starts: {
        "states": (WORD, ("rows", "words")),
        "until": (REAL, ("rows",)),
        "keys": (HASH, ("rows", "players")),
        "views": (HASH, ("rows", ("players", 2))),
        "now": (HASH, ("rows", 3)),
    },
}
SHAPES = {**OPEN, **INFORMED}


def zeros(kind: type[T], sizes: Mapping[str, int], given: Mapping[str, object] = MappingProxyType({})) -> T:
    """Returns the arrays of a kind, all zero, apart from those that are given. ``sizes``: by the names in its shapes."""
    return kind(*(given[name] if name in given else _made(shape, sizes) for name, shape in SHAPES[kind].items()))


def _made(shape: Shape, sizes: Mapping[str, int]) -> object:
    of, lengths = shape[0], tuple(_number(length, sizes) for length in shape[1])
    return np.zeros(lengths, of) if isinstance(of, str) else zeros(of, {**sizes, "rows": lengths[0]})


def _number(length: Length, sizes: Mapping[str, int]) -> int:
    if isinstance(length, tuple):
        return sizes[length[0]] * length[1]
    return sizes[length] if isinstance(length, str) else length


def buffers_of(rules: Rules) -> Buffers:
    """Returns new working memory for these rules."""
    found = zeros(Buffers, buffer_sizes(rules))
    found.at[:] = found.codes.ctypes.data, found.spare.ctypes.data, found.actors.ctypes.data
    return found


def shapes_by_name(table: Mapping[type, Mapping[str, Shape]]) -> dict[str, dict[str, object]]:
    """Returns a table as plain data, for the page."""
    return {
        kind.__name__: {
            name: [of if isinstance(of, str) else of.__name__, lengths] for name, (of, lengths) in shapes.items()
        }
        for kind, shapes in table.items()
    }
