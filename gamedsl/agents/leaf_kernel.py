"""The kernels of the linear leaf value: random games to fit it to, and the value of a position."""

from __future__ import annotations

import numpy as np

from gamedsl.agents.position import END
from gamedsl.compiler import GAMMA, Reals, Words, call2, call3, kernel, mix64, peek, poke, popcount

# Fields of a segment, a part of the block: whether each of its bits has a weight, or each of its values; the word,
# shift and mask; the index of its first weight.
BITWISE, WORD, SHIFT, LIMIT, BASE = range(5)
SEGMENT_FIELDS = 5
ONE = 1 << 16  # a weight of 1
LONGEST = 4_000  # plies of a game; a longer one is left out
# indices into ``entry`` and ``used``
CONTEXT, KIND_AT, COUNT_AT, STEP_AT, RETURNS_AT = range(5)
KEPT, PLAYED, MADE, FAULT = range(4)
_GAMMA, _S33 = np.uint64(GAMMA), np.uint64(33)


@kernel
def linear(segments: Words, weights: Words, blocks: Words, ply: int) -> int:
    """Returns the value of a block for the first player, in units of ``ONE``."""
    total = weights[0]
    for k in range(segments.shape[0]):
        unit = (blocks[ply, segments[k, WORD]] >> segments[k, SHIFT]) & segments[k, LIMIT]
        base = segments[k, BASE]
        if segments[k, BITWISE] == 1:
            while unit != 0:
                low = unit & -unit
                total += weights[base + popcount(low - 1)]
                unit ^= low
        else:
            total += weights[base + unit]
    return int(total)


@kernel
def sample(
    entry: Words, first: Words, kept: Words, owner: Words, results: Reals, used: Words, plies: int, mark: int
) -> None:
    """Plays random games and keeps some positions of each, with the number of the game in ``owner`` and its results.
    Two positions of a game are kept on average, more of long ones. ``mark``: where the context keeps its memory use
    (0: nothing to release)."""
    size = first.shape[0]
    game, draw = 0, np.uint64(1)
    before = peek(mark) if mark != 0 else 0
    block = kept[kept.shape[0] - 1]  # the last row is the position played
    s = block.ctypes.data
    while game < results.shape[0] and used[PLAYED] < plies and used[KEPT] < kept.shape[0] - 1:
        for j in range(size):
            block[j] = first[j]
        began, made = used[KEPT], 0
        gap = max(1, min(plies // kept.shape[0], used[PLAYED] // (2 * game + 1)))
        if mark != 0:
            poke(mark, before)
        while made < LONGEST:
            kind = call2(entry[KIND_AT], entry[CONTEXT], s)
            if kind == END:
                break
            count = call2(entry[COUNT_AT], entry[CONTEXT], s)
            if count <= 0:
                used[FAULT] = 1
                return
            draw += _GAMMA
            if made > 0 and (mix64(draw) >> _S33) % np.uint64(gap) == 0 and used[KEPT] < kept.shape[0] - 1:
                for j in range(size):
                    kept[used[KEPT], j] = block[j]
                owner[used[KEPT]] = game
                used[KEPT] += 1
            draw += _GAMMA
            action = int((mix64(draw) >> _S33) % np.uint64(count))
            if call3(entry[STEP_AT], entry[CONTEXT], s, action) < 0:
                used[FAULT] = 1
                return
            made += 1
        used[PLAYED] += made
        if made >= LONGEST:
            used[KEPT] = began  # never ended
            continue
        call3(entry[RETURNS_AT], entry[CONTEXT], s, results[game].ctypes.data)
        game += 1
    used[MADE] = game
