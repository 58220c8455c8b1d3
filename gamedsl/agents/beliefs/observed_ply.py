"""Kernels for one ply and what a seat notices of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.agents.beliefs.observation_hashes import (
    CODE_WORDS,
    CONTEXT,
    ORIGIN,
    STEP,
    Buffers,
    Hashes,
    Rules,
    acting,
    actions,
    code_hash,
    stop_hash,
    view_hash,
)
from gamedsl.agents.position import NO_ACTION
from gamedsl.compiler import Words, call3, kernel, mix64, peek_half, poke_half

OWN, SEEN, STOPPED = np.uint64(0x51), np.uint64(0x9D), np.uint64(0x2F)  # kinds of observations
VIEW, STOP = range(2)  # indices into what a seat saw last: the hash of the view, the hash of the stop
MOST_OBSERVED = 8  # observations of one ply, at most
USED_AT = 24  # offset at which a context keeps its memory use


@kernel
def own_event(code: Any) -> Any:
    """Returns what a seat notices of its own action with this hash."""
    return mix64(code ^ OWN)


@kernel
def observe_view(rules: Rules, buffers: Buffers, state: int, seat: int, last: Hashes, observed: Hashes, n: int) -> int:
    """Appends what is new to a seat at a stop. Returns the number of its observations."""
    seen = view_hash(rules, state, seat)
    if seen != last[VIEW]:
        last[VIEW] = seen
        observed[n] = mix64(seen ^ SEEN)
        n += 1
    return n


@kernel
def ply(
    rules: Rules, buffers: Buffers, state: int, k: int, own: np.uint64, seat: int, last: Hashes, observed: Hashes
) -> int:
    """Carries out the k-th action, and writes what a seat notices of it.

    ``own``: the hash of the action if it is the seat's own, otherwise 0. Returns how many things it notices, or a
    negative number after a rules error.
    """
    n = 0
    if own != np.uint64(0):
        observed[n] = own_event(own)
        n += 1
    status = call3(rules.entry[STEP], rules.entry[CONTEXT], state, k)
    if status < 0:
        return status
    while rules.blocks[peek_half(state), ORIGIN] < 0:
        n = observe_view(rules, buffers, state, seat, last, observed, n)
        status = call3(rules.entry[STEP], rules.entry[CONTEXT], state, 0)
        if status < 0:
            return status
    poke_half(state, rules.blocks[peek_half(state), ORIGIN])
    n = observe_view(rules, buffers, state, seat, last, observed, n)
    stop = stop_hash(rules, buffers, state, seat)
    if stop != last[STOP]:
        last[STOP] = stop
        observed[n] = mix64(stop ^ STOPPED)
        n += 1
    return n


@kernel
def play_ply(
    rules: Rules, buffers: Buffers, state: Words, move: Words, seat: int, last: Hashes, observed: Hashes, own: Words
) -> int:
    """Carries out a move that was played in the position of these words, and writes what a seat notices of it, and in
    ``own`` whether the move is its own (1 or 0).

    ``move``: the number of the action, or -1 and its code. Returns how many things the seat notices; a negative number
    after a rules error.
    """
    at = state.ctypes.data
    own[0] = 1 if acting(rules, buffers, at) != 0 and buffers.actors[0] == seat else 0
    n, k, words = actions(rules, buffers, at, -1), move[0], rules.shape[CODE_WORDS]
    for i in range(n if k < 0 else 0):
        same = True
        for w in range(words):
            same = same and buffers.codes[i * words + w] == move[1 + w]
        if same:
            k = i
    if k < 0 or k >= n:
        return NO_ACTION
    code = code_hash(rules, buffers, k) if own[0] == 1 else np.uint64(0)
    return ply(rules, buffers, at, k, code, seat, last, observed)


@kernel
def first_view(rules: Rules, buffers: Buffers, state: Words, seat: int, last: Hashes) -> None:
    """Writes what a seat sees of the position of these words."""
    last[VIEW] = view_hash(rules, state.ctypes.data, seat)
    last[STOP] = stop_hash(rules, buffers, state.ctypes.data, seat)
