"""The parameters of the explorer's compiled loops, as named tuples. All arrays are in C order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.lab.base import Ints
from gamedsl.lab.symmetry import SymmetrySteps

ENTRIES = ("count", "step", "weight", "error", "expand", "pack", "unpack")  # the entry points called, in this order
COUNT, STEP, WEIGHT, ERROR, EXPAND, PACK, UNPACK = range(len(ENTRIES))


class Rules(NamedTuple):
    """Compiled rules, for one thread.

    ``entries``: int64, the addresses of ``ENTRIES``; ``context``: the address of the thread's context; ``stops``: int8,
    shape (blocks,): the kind of stop at the end of each block.
    """

    entries: Ints
    context: int
    stops: npt.NDArray[np.int8]


class NotedPositions(NamedTuple):
    """Collections of noted positions (see ``kernels.repetition_kernel``).

    ``table``: int64, shape (slots, 2): a sum over a collection, and its number; ``kept``: int64, shape (2,): the
    number of collections, and where the arena is free; ``handles``: int64, shape (variables, 3): a word, the lowest
    bit in it, the words of an entry.
    """

    table: Ints
    kept: Ints
    handles: Ints


class Expander(NamedTuple):
    """The parameters for generating successors, for one thread. ``frames``: int64, shape (FRAMES, words of a state):
    scratch.
    """

    rules: Rules
    symmetries: SymmetrySteps
    noted: NotedPositions
    frames: Ints


class Successors(NamedTuple):
    """The successors of some states, grouped by state.

    ``rows``: int64, shape (room, words); ``weights``: int64, shape (room,), chance weights, or empty; ``wrong``:
    int64, shape (room,): the place of the rule that fails on the way to a row, or 0; ``counts``, ``stuck``:
    int64, shape (states,): the number of a state's successors, and the place of the rule that fails before they
    can be listed, or 0.
    """

    rows: Ints
    weights: Ints
    wrong: Ints
    counts: Ints
    stuck: Ints


class Found(NamedTuple):
    """The states found.

    ``words``: int64, shape (room, words), a row per state; ``table``: uint32, shape (parts, slots): hash table of
    the numbers of states from ``base`` on; ``parent``: int32, shape (room,): the state from which each was first
    reached; ``faults``: int64, shape (room, 3): state, successor, place of the rule; ``totals``: int64, shape
    (4,): states, successors, faults, and a state with a successor that lacks its level's measure.
    """

    words: Ints
    table: npt.NDArray[np.uint32]
    base: int
    parent: npt.NDArray[np.int32]
    faults: Ints
    totals: Ints


class Level(NamedTuple):
    """The measure that all new states must have (see ``layers``), and the limit of states.

    ``terms``: int64, shape (terms, 4), empty if no measure is known; ``value``: the required sum; ``most``: states
    in all.
    """

    terms: Ints
    value: int
    most: int


class OwnedStates(NamedTuple):
    """The states of one owner (see ``owned_level``): ``words``: int64, shape (room, words); ``table``: uint32, shape
    (slots,): their numbers + 1 by hash."""

    words: Ints
    table: npt.NDArray[np.uint32]


class HashedStates(NamedTuple):
    """States known by their hashes alone.

    ``hashes``: uint64, shape (slots,), 0 for a free slot; ``fresh``: int64, shape (room, words): the states of
    the next level; ``parent``, ``action``: int32, shape (room,): the state from which each was first reached, and
    the index among its successors; ``faults``: int64, shape (room, 3): state, successor, place of the rule;
    ``totals``: int64, shape (3,): states ever, states in ``fresh``, faults.
    """

    hashes: npt.NDArray[np.uint64]
    fresh: Ints
    parent: npt.NDArray[np.int32]
    action: npt.NDArray[np.int32]
    faults: Ints
    totals: Ints
