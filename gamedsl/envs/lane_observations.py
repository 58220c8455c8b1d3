"""Writes observations: what the player to act sees of the block of a lane. See ``lane_kernel.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    Outputs,
    Rules,
)
from gamedsl.native import call3, kernel, peek, poke


@kernel
def unit(state: int, at: int, bits: int) -> int:
    """A number of up to 64 bits in a block."""
    word = peek(state + at)
    return word if bits == 64 else word & ((1 << bits) - 1)


@kernel
def observe(rules: Rules, lanes: Lanes, out: Outputs, lane: int, block: int, seat: int) -> None:
    """Writes what the player to act sees."""
    state, shape = lanes.addresses[lane, 1], rules.shape
    row = out.observations[lane]
    row[:] = 0
    row[shape[KIND_FEATURE] + rules.blocks[block, KIND_INDEX]] = 1
    if shape[PHASE_FEATURE] >= 0:
        row[shape[PHASE_FEATURE] + rules.blocks[block, PHASE_INDEX]] = 1
    if rules.blocks[block, KIND] == TOGETHER_KIND:
        choosing(rules, lanes, row, lane)
    elif seat >= 0:
        row[shape[TO_ACT] + seat] = 1
    for i in range(len(rules.slots)):
        slot = rules.slots[i]
        if slot[SEEN] or is_seen(state, slot, seat):
            write_slot(row, state, slot)


@kernel
def choosing(rules: Rules, lanes: Lanes, row: Any, lane: int) -> None:
    """All who choose at once, whether they have chosen already or not."""
    context, spare, room = lanes.addresses[lane, 0], lanes.addresses[lane, 2], lanes.addresses[lane, 4]
    for i in range(rules.shape[SIZE]):
        lanes.spare[lane, i] = lanes.states[lane, i]
    for m in range(rules.shape[MOVERS]):
        poke(spare + rules.shape[PENDING] + 8 * m, 0)
    for i in range(call3(rules.entry[ACTORS], context, spare, room)):
        row[rules.shape[TO_ACT] + peek(room + 8 * i)] = 1


@kernel
def is_seen(state: int, slot: Any, seat: int) -> bool:
    """May the player (-1: a spectator) know the slot?"""
    if slot[OWNER] == seat:
        return True
    if slot[VIEWERS] < 0:
        return False
    viewers = unit(state, slot[VIEWERS], slot[VIEWER_BITS])
    return viewers == slot[EVERYBODY] if seat < 0 else (viewers >> seat & 1) == 1


@kernel
def write_slot(row: Any, state: int, slot: Any) -> None:
    """Writes a slot that the player sees."""
    coding, first, bits = slot[CODING], slot[FIRST], slot[BITS]
    if coding == KNOWN:
        row[first] = 1
    elif coding == NUMBER:
        row[first] = np.float32(unit(state, slot[AT], bits) + slot[LOW])
    elif coding == ONE_HOT:
        row[first + unit(state, slot[AT], bits) * slot[STRIDE]] = 1
    elif coding == MEMBERS:
        for u in range(slot[UNITS]):
            word: Any = np.uint64(unit(state, slot[AT] + 8 * u, bits))
            at = first + 64 * u
            while word != np.uint64(0):
                if word & np.uint64(1):
                    row[at] = 1
                word >>= np.uint64(1)
                at += 1
    else:
        for level in range(unit(state, slot[AT], bits)):
            item = unit(state, slot[AT] + slot[ITEMS] + level * (slot[UNITS] // 8), slot[UNITS])
            if coding == ITEMS_ONE_HOT:
                row[first + (level * slot[VALUES] + item) * slot[STRIDE]] = 1
            else:
                row[first + level * slot[STRIDE]] = np.float32(1 + item)
