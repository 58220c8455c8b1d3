"""The kernel of ``VectorEnv``: plays every lane to its next decision, and writes masks, observations and rewards.

One kernel serves all games. What it needs of the rules are the addresses of compiled entry points and tables
(``game_tables.py``). It releases the GIL.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.envs.lane_memory import (
    ACTORS,
    AFTER,
    CHANCE_INSIDE,
    CHANCE_KIND,
    CODE_WORDS,
    CRAMPED,
    END_KIND,
    ENDLESS,
    FULL,
    KIND,
    LEGAL,
    MOST_PLIES,
    PASS,
    PASS_NUMBER,
    PAYOFFS,
    PLAYERS,
    READY,
    SIZE,
    TOGETHER_KIND,
    USED_AT,
    WEIGHT,
    WRONG,
    Lanes,
    Outputs,
    Rules,
)
from gamedsl.envs.lane_observations import choosing, observe
from gamedsl.native import Words, call3, call4, call5, kernel, mix64, peek, peek_half, poke

_GAMMA, _S32 = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@kernel
def field(codes: Words, fields: Words, lane: int, first: int, number: int) -> int:
    """A field of the code whose first word is at this index."""
    word = codes[lane, first + fields[number, 1]]
    return int((word >> fields[number, 2] & fields[number, 3]) + fields[number, 0])


@kernel
def move_number(codes: Words, fields: Words, kinds: Words, lane: int, first: int, kind: int) -> int:
    """The number of a move of this kind."""
    found = kinds[kind, 0]
    for p in range(kinds[kind, 1]):
        found += (field(codes, fields, lane, first, 2 + p) - kinds[kind, 2 + 2 * p]) * kinds[kind, 3 + 2 * p]
    return int(found)


@kernel
def below(lanes: Lanes, lane: int, n: int) -> int:
    """A random number from 0 to n - 1."""
    lanes.random[lane] += _GAMMA
    drawn: Any = (mix64(lanes.random[lane]) >> _S32) * np.uint64(n)
    return np.int64(drawn >> _S32)  # type: ignore[return-value]


@kernel
def outcome(rules: Rules, lanes: Lanes, lane: int, n: int) -> int:
    """The index of a random outcome of chance, by the weights."""
    context, state = lanes.addresses[lane, 0], lanes.addresses[lane, 1]
    total = 0
    for k in range(n):
        total += call3(rules.entry[WEIGHT], context, state, k)
    left = below(lanes, lane, total)
    for k in range(n):
        left -= call3(rules.entry[WEIGHT], context, state, k)
        if left < 0:
            return k
    return n - 1


@kernel
def carry_out(
    after: int, addresses: Words, codes: Words, states: Words, spare: Words, lane: int, k: int, words: int, size: int
) -> int:
    """Applies the k-th code, of so many words, to a block of ``size`` words. ``after``: the address of the entry point.
    Returns a negative number after a rules error."""
    context, state, made = addresses[lane, 0], addresses[lane, 1], addresses[lane, 2]
    if words == 1:
        status = call4(after, context, state, made, codes[lane, k])
    else:
        status = call5(after, context, state, made, codes[lane, 2 * k], codes[lane, 2 * k + 1])
    if status >= 0:
        for i in range(size):
            states[lane, i] = spare[lane, i]
    return status


@kernel
def begin(rules: Rules, lanes: Lanes, lane: int) -> None:
    """The lane begins a new play."""
    for i in range(rules.shape[SIZE]):
        lanes.states[lane, i] = rules.initial[i]
    poke(lanes.addresses[lane, 0] + USED_AT, lanes.marks[lane, 0])
    lanes.steps[lane] = 0


@kernel
def proceed(rules: Rules, lanes: Lanes, out: Outputs, lane: int, capacity: int) -> int:
    """Plays on until the lane waits for an action of the caller."""
    context, state, codes = lanes.addresses[lane, 0], lanes.addresses[lane, 1], lanes.addresses[lane, 3]
    room = lanes.addresses[lane, 4]
    for _ in range(MOST_PLIES):
        block = peek_half(state)
        kind = rules.blocks[block, KIND]
        if kind == END_KIND:
            if call3(rules.entry[PAYOFFS], context, state, room) < 0:
                return WRONG
            for p in range(rules.shape[PLAYERS]):
                out.rewards[lane, p] += np.float32(peek(room + 8 * p))
            out.done[lane] = True
            begin(rules, lanes, lane)
            continue
        if peek(context + USED_AT) > lanes.marks[lane, 1]:
            return FULL
        n = call5(rules.entry[LEGAL], context, state, -1, codes, capacity)
        if n <= 0:
            return WRONG
        if n > capacity:
            return CRAMPED
        player = -1
        if kind != CHANCE_KIND:
            if call3(rules.entry[ACTORS], context, state, room) < 0:
                return WRONG
            player = peek(room)
        inside = rules.shape[CHANCE_INSIDE] if kind == CHANCE_KIND else rules.random[player]
        if not inside:
            out.players[lane] = player
            tell(rules, lanes, out, lane, n, block)
            observe(out.observations, rules.slots, rules.shape, rules.blocks, lane, state, block, player)
            if kind == TOGETHER_KIND:
                choosing(rules, lanes, out.observations, lane)
            return READY
        k = outcome(rules, lanes, lane, n) if kind == CHANCE_KIND else below(lanes, lane, n)
        status = carry_out(
            rules.entry[AFTER],
            lanes.addresses,
            lanes.codes,
            lanes.states,
            lanes.spare,
            lane,
            k,
            rules.shape[CODE_WORDS],
            rules.shape[SIZE],
        )
        if status < 0:
            return WRONG
    return ENDLESS


@kernel
def tell(rules: Rules, lanes: Lanes, out: Outputs, lane: int, n: int, block: int) -> None:
    """Writes the mask."""
    codes, numbers, fields, kinds, masks = lanes.codes, lanes.numbers, rules.fields, rules.kinds, out.masks
    words, passing = rules.shape[CODE_WORDS], rules.shape[PASS_NUMBER]
    for k in range(n):
        kind = field(codes, fields, lane, k * words, 0)
        if kind >= 0:
            number = move_number(codes, fields, kinds, lane, k * words, kind)
        elif kind == PASS:
            number = passing
        else:
            number = rules.named[block, field(codes, fields, lane, k * words, 2)]
        numbers[lane, k] = number
        masks[lane, number] = True
    lanes.counts[lane] = n


# ------------------------------------------------------------------------------------------------------ all lanes


@kernel
def find_actions(lanes: Lanes, actions: Words, first: int, last: int) -> int:
    """Looks the actions up among the legal ones. Returns the first lane whose action is illegal, or -1."""
    for lane in range(first, last):
        found = -1
        for k in range(lanes.counts[lane]):
            if lanes.numbers[lane, k] == actions[lane]:
                found = k
                break
        if found < 0:
            return lane
        lanes.chosen[lane] = found
    return -1


@kernel
def reset_lane(rules: Rules, lanes: Lanes, out: Outputs, lane: int) -> None:
    """The lane tells nothing any more, and begins a new play."""
    quiet(rules, lanes, out, lane)
    begin(rules, lanes, lane)


@kernel
def quiet(rules: Rules, lanes: Lanes, out: Outputs, lane: int) -> None:
    """Clears what the last step told."""
    for k in range(lanes.counts[lane]):
        out.masks[lane, lanes.numbers[lane, k]] = False
    lanes.counts[lane] = 0
    for p in range(rules.shape[PLAYERS]):
        out.rewards[lane, p] = 0
    out.done[lane] = False
    out.truncated[lane] = False


@kernel
def begin_all(
    rules: Rules, lanes: Lanes, out: Outputs, capacity: int, first: int, last: int, resumed: bool
) -> tuple[int, int]:
    """Begins the plays of all lanes. Returns the lane that can't go on and why, or -1. ``resumed``: the first lane has
    begun already."""
    for lane in range(first, last):
        if not (resumed and lane == first):
            reset_lane(rules, lanes, out, lane)
        status = proceed(rules, lanes, out, lane, capacity)
        if status != READY:
            return lane, status
    return -1, READY


@kernel
def step_all(
    rules: Rules, lanes: Lanes, out: Outputs, capacity: int, longest: int, first: int, last: int, resumed: bool
) -> tuple[int, int]:
    """Carries out the actions that were found. Returns as ``begin_all``."""
    for lane in range(first, last):
        if not (resumed and lane == first):
            quiet(rules, lanes, out, lane)
            lanes.steps[lane] += 1
            steps = lanes.steps[lane]
            status = carry_out(
                rules.entry[AFTER],
                lanes.addresses,
                lanes.codes,
                lanes.states,
                lanes.spare,
                lane,
                lanes.chosen[lane],
                rules.shape[CODE_WORDS],
                rules.shape[SIZE],
            )
            if status < 0:
                return lane, WRONG
            if steps >= longest and rules.blocks[peek_half(lanes.addresses[lane, 1]), KIND] != END_KIND:
                out.truncated[lane] = True
                begin(rules, lanes, lane)
        status = proceed(rules, lanes, out, lane, capacity)
        if status != READY:
            return lane, status
    return -1, READY
