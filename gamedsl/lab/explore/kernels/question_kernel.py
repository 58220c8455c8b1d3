"""Questions about states, answered by compiled entry points."""

from __future__ import annotations

from typing import Any

from gamedsl.compiler import call2, call3, call4, kernel, peek
from gamedsl.lab.explore.kernels.records import COUNT, ERROR, UNPACK, Rules


@kernel
def ask(rules: Rules, entry: Any, states: Any, frame: Any, chosen: Any, number: Any, out: Any) -> Any:
    """Sets ``out[j]`` to the answer of an entry point to question ``number`` in the j-th chosen state.

    Stops at the first state where it fails and returns the index of that state in ``chosen``, else -1. ``frame``:
    room for a state.
    """
    unpack, error, ctx = rules.entries[UNPACK], rules.entries[ERROR], rules.context
    base, size, s = states.ctypes.data, 8 * states.shape[1], frame.ctypes.data
    for j in range(chosen.size):
        call3(unpack, ctx, s, base + chosen[j] * size)
        out[j] = call3(entry, ctx, s, number)
        if peek(ctx) != 0:
            call2(error, ctx, 0)
            return j
    return -1


@kernel
def first_moves(rules: Rules, move: Any, states: Any, frame: Any, chosen: Any, record: Any, found: Any) -> None:
    """Sets ``found[k]`` to the first of the chosen states where a move of kind k is legal, for each k that is still -1.

    Moves of a kind are contiguous, so a binary search finds the next kind. ``move``: the address of an entry point;
    ``record``: room for a move.
    """
    unpack, count, ctx = rules.entries[UNPACK], rules.entries[COUNT], rules.context
    base, size, out, s = states.ctypes.data, 8 * states.shape[1], record.ctypes.data, frame.ctypes.data
    for i in chosen:
        call3(unpack, ctx, s, base + i * size)
        n: Any = call2(count, ctx, s)
        k: Any = 0
        while k < n:
            call4(move, ctx, s, k, out)
            kind = record[0]
            if kind < 0:
                break
            if found[kind] < 0:
                found[kind] = i
            low, high = k + 1, n
            while low < high:
                middle = (low + high) // 2
                call4(move, ctx, s, middle, out)
                if record[0] == kind:
                    low = middle + 1
                else:
                    high = middle
            k = low
