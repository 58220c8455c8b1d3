"""The kernel of self-play: alpha-beta plays both sides of a game with a bounded effort on a move."""

from __future__ import annotations

import numpy as np

from gamedsl.agents.alphabeta_kernel import at_root
from gamedsl.agents.alphabeta_memory import (
    CONTEXT,
    COUNT_AT,
    ERROR,
    KIND_AT,
    LIMIT,
    MARK,
    RETURNS_AT,
    SEAT_AT,
    SIZE,
    SPENT,
    STEP_AT,
    STOP,
    SURE,
    USED,
    RootActions,
    Search,
)
from gamedsl.agents.position import DRAWING, END, NO_ACTION, UNSEARCHABLE
from gamedsl.agents.tree_arrays import Draws
from gamedsl.compiler import GAMMA, Words, call2, call3, kernel, mix64, poke

# indices into ``plan``: random moves at the start, plies at most, effort on a move, one of so many moves is random
OPENING, MOST_PLIES, EFFORT, STRAY = range(4)
MOST_DEPTH = 60
_GAMMA, _S33 = np.uint64(GAMMA), np.uint64(33)


@kernel
def below(draws: Draws, most: int) -> int:
    """Returns the next random number from 0 to below ``most``."""
    draws[0] += _GAMMA
    return int((mix64(draws[0]) >> _S33) % np.uint64(most))


@kernel
def searched(search: Search, actions: RootActions, seat: int, effort: int) -> int:
    """Deepens until the effort is spent. Returns the best action. The result is void if ``signal`` reports an error."""
    signal, order, scores = search.signal, actions.order, actions.scores
    signal[SPENT], signal[STOP], signal[LIMIT] = 0, 0, effort
    for k in range(order.shape[0]):
        order[k] = k
    for depth in range(1, MOST_DEPTH):
        got = at_root(search, actions, depth, seat, False)
        best = 0
        for k in range(1, got):
            if scores[k] > scores[best]:
                best = k
        if best > 0:
            order[0], order[best] = order[best], order[0]
            scores[0], scores[best] = scores[best], scores[0]
        if signal[STOP] != 0 or signal[ERROR] != 0 or abs(scores[0]) > SURE:
            break
    signal[STOP] = 0
    return int(order[0])


@kernel
def play_game(
    search: Search, actions: RootActions, first: Words, kept: Words, draws: Draws, plan: Words, mark: int
) -> int:
    """Plays a game from the block ``first`` and keeps the positions in which it searched. Returns their number, or an
    error; ``search.result`` has the utilities (0 for a game that was cut off). ``mark``: the memory use of the context
    before the game."""
    entry, shape, signal = search.rules.entry, search.rules.shape, search.signal
    block, number = search.path.blocks[0], 0
    for k in range(shape[SIZE]):
        block[k] = first[k]
    for k in range(search.table.slots.shape[0]):
        search.table.slots[k, USED] = 0
    if shape[MARK] != 0:
        poke(shape[MARK], mark)
    s = block.ctypes.data
    for ply in range(plan[MOST_PLIES]):
        kind = call2(entry[KIND_AT], entry[CONTEXT], s)
        if kind == END:
            status = call3(entry[RETURNS_AT], entry[CONTEXT], s, search.result.ctypes.data)
            return status if status < 0 else number
        if kind == DRAWING:
            return UNSEARCHABLE
        count = call2(entry[COUNT_AT], entry[CONTEXT], s)
        if count <= 0 or count > actions.order.shape[0]:
            return count if count < 0 else NO_ACTION
        action = below(draws, count)
        if ply >= plan[OPENING] and count > 1 and number < kept.shape[0]:
            for k in range(shape[SIZE]):
                kept[number, k] = block[k]
            number += 1
            if below(draws, plan[STRAY]) != 0:
                some = RootActions(
                    actions.order[:count], actions.scores[:count], actions.sure[:count], actions.spent[:count]
                )
                action = searched(search, some, call2(entry[SEAT_AT], entry[CONTEXT], s), plan[EFFORT])
                if signal[ERROR] != 0:
                    return int(signal[ERROR])
        status = call3(entry[STEP_AT], entry[CONTEXT], s, action)
        if status < 0:
            return status
    search.result[0] = search.result[1] = 0.0
    return number
