"""The arrays of a search tree: their layout, and the random stream."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import GAMMA, Reals, Words, kernel, mix64

ENTRIES = ("kind", "seat", "count", "weight", "step", "returns", "playout")  # the entry points that a search calls
PATH = 2048  # longest path from the root
# indices into ``entry``: the context and the addresses of the entry points
CONTEXT, KIND_AT, SEAT_AT, COUNT_AT, WEIGHT_AT, STEP_AT, RETURNS_AT, PLAYOUT_AT = range(8)
# Indices into ``shape``: words of a block; first word and number of open choices; seed; whether memory is exhausted;
# the maximum utility, by which all utilities are divided; the words for noted positions that an iteration may need;
# whether new nodes have a leaf value (else the result of a playout).
SIZE, PENDING, MOVERS, SEED, CLOSED, MOST, NOTING, JUDGED = range(8)
# indices into ``used``: nodes, edges and reals in use (LACK: which array is too small), iterations done
NODES, EDGES, REALS, DONE, LACK = range(5)
# Fields of a node. FIRST: its first edge (-1: not expanded yet). TABLE: its first real. FAR: plies to a proven end. For
# a secret choice, STOP is the node where nobody has chosen yet; that node's RESULTS (0: none) is the first of the nodes
# that the joint choices lead to, linked by NEXT.
KIND, SEAT, FIRST, ACTION_COUNT, TRIED, VISITS, PROVEN, FAR, TABLE, NTH, STOP, RESULTS, NEXT = range(13)
FIELDS = 13
# fields of an edge
ACTION, CHILD = range(2)
_GAMMA, _S11 = np.uint64(GAMMA), np.uint64(11)
Nodes = npt.NDArray[np.int32]
Draws = npt.NDArray[np.uint64]


class Rules(NamedTuple):
    """Compiled rules. ``entry``: the context and the addresses of the entry points; ``shape``: see ``SIZE``;
    ``segments`` and ``weights``: see ``leaf_kernel``."""

    entry: Words
    shape: Words
    segments: Words
    weights: Words


class Tree(NamedTuple):
    """One tree. Node 0 is the root.

    ``used``: see ``NODES``; ``blocks``: shape (nodes, SIZE): states; ``node``: shape (nodes, FIELDS); ``value``: shape
    (nodes, players): summed utilities, or the exact ones of a proven node; ``edge``: shape (edges, 2); ``reals``:
    tables of chance and of secret choices.
    """

    used: Words
    blocks: Words
    node: Nodes
    value: Reals
    edge: Nodes
    reals: Reals


class Descent(NamedTuple):
    """One iteration.

    ``draws``: the random stream; ``path``: nodes, and in the second half edges; ``result``: room for the players'
    utilities; ``explore``: one number, which scales the width of upper confidence bounds.
    """

    draws: Draws
    path: Words
    result: Reals
    explore: Reals


@kernel
def unit(draws: Draws) -> float:
    """Returns the next number in [0, 1) from SplitMix64."""
    draws[0] += _GAMMA
    return float(mix64(draws[0]) >> _S11) / 9007199254740992.0
