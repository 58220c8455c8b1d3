"""What the lane kernel works on: tables of a game, the memory of the lanes, and the arrays that the caller reads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamedsl.native import Words

# indices into ``entry``
LEGAL, AFTER, WEIGHT, PAYOFFS, ACTORS = range(5)
# Indices into ``shape``: words of a code, number of passing (-1: none), whether chance is played inside, players,
# offset of the open choices in a block, their number, words of a block; where features of the stop begin (-1: none).
CODE_WORDS, PASS_NUMBER, CHANCE_INSIDE, PLAYERS, PENDING, MOVERS, SIZE, TO_ACT, KIND_FEATURE, PHASE_FEATURE = range(10)
# columns of ``blocks``
KIND, KIND_INDEX, PHASE_INDEX = range(3)
END_KIND, CHANCE_KIND, TOGETHER_KIND = 0, 3, 4
# Columns of ``slots``: coding; offset in the block, bits and number of units, value of the unit 0; first entry and
# stride in the tensor, values of a one-hot; owner (-2: nobody); offset and bits of the set of viewers (-1: none), all
# viewers; the offset of a stack's items.
CODING, AT, BITS, UNITS, LOW, FIRST, STRIDE, VALUES, OWNER, VIEWERS, VIEWER_BITS, EVERYBODY, ITEMS, SEEN = range(14)
NUMBER, ONE_HOT, MEMBERS, ITEMS_ONE_HOT, ITEM_NUMBERS, KNOWN = range(6)
PASS, PLAYED_BY_CHANCE = -1, -3
USED_AT = 24  # where a context keeps its memory use
# what a lane answers: it waits for an action; the rules fail; too many moves; no memory for positions; no decision
READY, WRONG, CRAMPED, FULL, ENDLESS = range(5)
MOST_PLIES = 1_000_000  # without a decision


class Rules(NamedTuple):
    """One game. ``kinds``: per schema the first number, the number of parameters, then low and stride of each;
    ``named``: per block the numbers of values and outcomes; ``fields``: low, word, shift and mask of a code's fields;
    ``random``: per player whether it is played inside; ``initial``: the words of the initial state."""

    entry: Words
    shape: Words
    kinds: Words
    named: Words
    fields: Words
    blocks: Words
    slots: Words
    random: Words
    initial: Words


class Lanes(NamedTuple):
    """The plays. ``addresses``: per lane the context, the block, a spare block, the codes, room for numbers; ``marks``:
    the use of memory at the beginning and at most; ``chosen``: the index of the action among the codes."""

    addresses: Words
    states: Words
    spare: Words
    codes: Words
    numbers: Words
    counts: Words
    chosen: Words
    marks: Words
    random: NDArray[np.uint64]
    steps: Words


class Outputs(NamedTuple):
    """What the caller reads."""

    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    players: Words
