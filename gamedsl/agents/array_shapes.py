"""The shapes of the arrays that kernels share with their hosts: one table, by which Python and the page make them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias, TypeVar

import numpy as np

from gamedsl.agents.beliefs.belief_steps import PARTICLES, Room
from gamedsl.agents.beliefs.exact_kernels import Layer
from gamedsl.agents.beliefs.observation_hashes import CODES, Buffers, Rules
from gamedsl.agents.beliefs.observed_ply import MOST_OBSERVED
from gamedsl.agents.beliefs.particle_kernels import Particles
from gamedsl.agents.beliefs.sampling import Evidence, Scratch
from gamedsl.agents.information_nodes import Descent, Tree
from gamedsl.agents.information_tree import Starts

T = TypeVar("T")
# the type of the elements, and for each dimension its length or the name of a size; or arrays of another kind
Shape: TypeAlias = "tuple[str, tuple[int | str, ...]] | type"

WORD, HASH, REAL, BYTE = "i8", "u8", "f8", "u1"
SHAPES: dict[type, dict[str, Shape]] = {
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
        "particles": Particles,
        "keys": (HASH, ("keys",)),
        "table": (WORD, ("slots",)),
        "codes": (HASH, (CODES,)),
    },
    Room: {
        "before": Particles,
        "earlier": Particles,
        "found": Particles,
        "chosen": Particles,
        "start": Particles,
        "spare": Particles,
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
        "table": (WORD, ("slots",)),
        "node": (WORD, ("nodes", 6)),
        "edge": (REAL, ("edges", 4)),
        "events": (HASH, ("edges",)),
        "totals": (REAL, ("players",)),
    },
    Descent: {
        "draws": (HASH, (1,)),
        "path": (WORD, ("path", 2)),
        "chances": (REAL, ("path",)),
        "state": (WORD, (2, "words")),
        "keys": (HASH, ("players",)),
        "views": (HASH, ("views",)),
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
        "views": (HASH, ("rows", "views")),
        "now": (HASH, ("rows", 3)),
    },
}


def zeros(kind: type[T], sizes: Mapping[str, int], given: Mapping[str, object] = MappingProxyType({})) -> T:
    """Returns the arrays of a kind, all zero, apart from those that are given. ``sizes``: by the names in its shapes."""
    return kind(*(given[name] if name in given else _made(shape, sizes) for name, shape in SHAPES[kind].items()))


def _made(shape: Shape, sizes: Mapping[str, int]) -> object:
    if isinstance(shape, type):
        return zeros(shape, sizes)
    dtype, dimensions = shape
    return np.zeros(tuple(sizes[d] if isinstance(d, str) else d for d in dimensions), dtype)


def shapes_by_name() -> dict[str, dict[str, object]]:
    """Returns the table as plain data, for the page."""
    return {
        kind.__name__: {
            name: shape.__name__ if isinstance(shape, type) else [shape[0], list(shape[1])]
            for name, shape in shapes.items()
        }
        for kind, shapes in SHAPES.items()
    }
