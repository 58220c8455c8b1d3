"""Generates the successors of states through compiled entry points."""

from __future__ import annotations

from typing import Any

from gamedsl.compiler import CTX_USED, call2, call3, call4, kernel, peek, poke
from gamedsl.lab.explore.kernels.canonical import canonicalize_row
from gamedsl.lab.explore.kernels.records import (
    COUNT,
    ERROR,
    EXPAND,
    PACK,
    STEP,
    UNPACK,
    WEIGHT,
    Expander,
    Rules,
    Successors,
)
from gamedsl.lab.explore.kernels.repetition_kernel import canonicalize_chains, short_of_room

AT_ONCE = 512  # states expanded before their successors are inserted
FRAMES = 4  # frames of scratch: two for symmetries, one for a state, one for its successor


@kernel
def generate(expander: Expander, states: Any, begin: Any, end: Any, out: Successors) -> Any:
    """Generates the successors of the states (rows of words) from ``begin`` to ``end``.

    Returns the end of the states that fit, and an error flag; if it is not set, ``wrong`` and ``stuck`` are not
    written.
    """
    rules, symmetries, noted, frames = expander
    entries, ctx, stops = rules.entries, rules.context, rules.stops
    chains, kept, handles = noted.table, noted.kept, noted.handles
    rows, weights, wrong, counts, stuck = out.rows, out.weights, out.wrong, out.counts, out.stuck
    base, size = states.ctypes.data, 8 * states.shape[1]
    made, mask = rows.ctypes.data, block_mask(stops)
    n: Any = 0
    bad = False
    i = begin
    while i < end:
        count: Any = 0
        used: Any = peek(ctx + 8 * CTX_USED)
        if handles.shape[0] != 0 and short_of_room(ctx, chains, kept):
            break
        if stops[states[i, 0] & mask] != 0:
            count = call4(entries[EXPAND], ctx, base + i * size, made + n * size, rows.shape[0] - n)
        failed = peek(ctx) != 0
        if failed:
            call2(entries[ERROR], ctx, 0)
        if n + count > rows.shape[0]:
            poke(ctx + 8 * CTX_USED, used)
            break
        if failed and not bad:
            bad = True
            wrong[:n] = 0
            stuck[: i - begin] = 0
        if bad:
            stuck[i - begin] = 0
            wrong[n : n + count] = 0
        if failed:
            stuck[i - begin] = one_by_one(rules, states, i, frames, rows, n, wrong)
            count = 0 if stuck[i - begin] != 0 else count
        if handles.shape[0] != 0:
            canonicalize_chains(ctx, rows, n, count, used, chains, kept, handles)
        counts[i - begin] = count
        if symmetries.starts.size > 1:
            for k in range(count):
                if not bad or wrong[n + k] == 0:
                    canonicalize_row(rules, symmetries, rows, n + k, frames)
        if weights.size:
            frame = frames.ctypes.data + 2 * 8 * frames.shape[1]
            call3(entries[UNPACK], ctx, frame, base + i * size)
            for k in range(count):
                weights[n + k] = call3(entries[WEIGHT], ctx, frame, k)
        n += count
        i += 1
    return i, bad


@kernel
def block_mask(stops: Any) -> Any:
    """Returns the bits of the first word that hold a block's number."""
    mask = 1
    while mask + 1 < stops.size:
        mask = 2 * mask + 1
    return mask


@kernel
def one_by_one(rules: Rules, states: Any, i: Any, frames: Any, rows: Any, n: Any, wrong: Any) -> Any:
    """Generates the successors of a state in which some rule fails.

    Returns the place of the rule if it fails before they can be listed, else 0.
    """
    entries, ctx = rules.entries, rules.context
    size = 8 * frames.shape[1]
    frame, child = frames.ctypes.data + 2 * size, frames.ctypes.data + 3 * size
    call3(entries[UNPACK], ctx, frame, states.ctypes.data + i * 8 * states.shape[1])
    count: Any = call2(entries[COUNT], ctx, frame)
    error: Any = call2(entries[ERROR], ctx, 0)
    if error != 0:
        return error
    for k in range(count):
        for w in range(frames.shape[1]):
            frames[3, w] = frames[2, w]
        wrong[n + k] = 0
        if call3(entries[STEP], ctx, child, k) < 0:
            wrong[n + k] = call2(entries[ERROR], ctx, 0)
        call3(entries[PACK], ctx, child, rows.ctypes.data + (n + k) * 8 * rows.shape[1])
    return 0
