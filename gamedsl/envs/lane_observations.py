"""Writes observations: what the player to act sees of the block of a lane. See ``lane_kernel.py``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamedsl.envs.lane_memory import (
    ACTORS,
    AT,
    BITS,
    CODING,
    EVERYBODY,
    FIRST,
    ITEMS,
    ITEMS_ONE_HOT,
    KIND,
    KIND_FEATURE,
    KIND_INDEX,
    KNOWN,
    LOW,
    MEMBERS,
    MOVERS,
    NUMBER,
    ONE_HOT,
    OWNER,
    PENDING,
    PHASE_FEATURE,
    PHASE_INDEX,
    SEEN,
    SIZE,
    STRIDE,
    TO_ACT,
    TOGETHER_KIND,
    UNITS,
    VALUES,
    VIEWER_BITS,
    VIEWERS,
    Lanes,
    Rules,
)
from gamedsl.native import Words, call3, kernel, peek, poke


@kernel
def unit(state: int, at: int, bits: int) -> int:
    """A number of up to 64 bits in a block."""
    word = peek(state + at)
    return word if bits == 64 else word & ((1 << bits) - 1)


@kernel
def observe(
    observations: NDArray[np.float32],
    slots: Words,
    shape: Words,
    blocks: Words,
    lane: int,
    state: int,
    block: int,
    seat: int,
) -> None:
    """Writes what the player to act sees of a block of memory; who chooses at once is left out."""
    row = observations[lane]
    row[:] = 0
    row[shape[KIND_FEATURE] + blocks[block, KIND_INDEX]] = 1
    if shape[PHASE_FEATURE] >= 0:
        row[shape[PHASE_FEATURE] + blocks[block, PHASE_INDEX]] = 1
    if seat >= 0 and blocks[block, KIND] != TOGETHER_KIND:
        row[shape[TO_ACT] + seat] = 1
    for i in range(len(slots)):
        if slots[i, SEEN] or is_seen(state, slots, i, seat):
            write_slot(row, state, slots, i)


@kernel
def choosing(rules: Rules, lanes: Lanes, observations: NDArray[np.float32], lane: int) -> None:
    """All who choose at once, whether they have chosen already or not."""
    context, spare, room = lanes.addresses[lane, 0], lanes.addresses[lane, 2], lanes.addresses[lane, 4]
    for i in range(rules.shape[SIZE]):
        lanes.spare[lane, i] = lanes.states[lane, i]
    for m in range(rules.shape[MOVERS]):
        poke(spare + rules.shape[PENDING] + 8 * m, 0)
    for i in range(call3(rules.entry[ACTORS], context, spare, room)):
        observations[lane, rules.shape[TO_ACT] + peek(room + 8 * i)] = 1


@kernel
def is_seen(state: int, slots: Words, i: int, seat: int) -> bool:
    """May the player (-1: a spectator) know the slot?"""
    if slots[i, OWNER] == seat:
        return True
    if slots[i, VIEWERS] < 0:
        return False
    viewers = unit(state, slots[i, VIEWERS], slots[i, VIEWER_BITS])
    return viewers == slots[i, EVERYBODY] if seat < 0 else (viewers >> seat & 1) == 1


@kernel
def write_slot(row: Any, state: int, slots: Words, i: int) -> None:
    """Writes a slot that the player sees."""
    coding, first, bits = slots[i, CODING], slots[i, FIRST], slots[i, BITS]
    if coding == KNOWN:
        row[first] = 1
    elif coding == NUMBER:
        row[first] = np.float32(unit(state, slots[i, AT], bits) + slots[i, LOW])
    elif coding == ONE_HOT:
        row[first + unit(state, slots[i, AT], bits) * slots[i, STRIDE]] = 1
    elif coding == MEMBERS:
        for u in range(slots[i, UNITS]):
            word: Any = np.uint64(unit(state, slots[i, AT] + 8 * u, bits))
            at = first + 64 * u
            while word != np.uint64(0):
                if word & np.uint64(1):
                    row[at] = 1
                word >>= np.uint64(1)
                at += 1
    else:
        for level in range(unit(state, slots[i, AT], bits)):
            item = unit(state, slots[i, AT] + slots[i, ITEMS] + level * (slots[i, UNITS] // 8), slots[i, UNITS])
            if coding == ITEMS_ONE_HOT:
                row[first + (level * slots[i, VALUES] + item) * slots[i, STRIDE]] = 1
            else:
                row[first + level * slots[i, STRIDE]] = np.float32(1 + item)
