"""Symmetry reduction: a state is replaced by the least of its images."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import call3, kernel
from gamedsl.lab.explore.kernels.records import PACK, UNPACK, Rules
from gamedsl.lab.symmetry import COPY, ELEMENT, SymmetrySteps


@kernel
def apply_symmetry(source: Any, target: Any, steps: Any, begin: Any, end: Any, maps: Any) -> None:
    """Applies a symmetry to a state's bytes (see ``symmetry.compiled_symmetry``); ``target`` begins as their copy."""
    for s in range(begin, end):
        kind, to, at, size, table, members = steps[s]
        if kind == COPY:
            for b in range(size):
                target[to + b] = source[at + b]
        elif kind == ELEMENT:
            code = np.uint64(0)
            for b in range(size):
                code |= np.uint64(source[at + b]) << np.uint64(8 * b)
            code = maps[table + np.int64(code)]
            for b in range(size):
                target[to + b] = np.uint8((code >> np.uint64(8 * b)) & np.uint64(255))
        else:
            words = (size + 7) // 8
            for w in range(words):
                found = np.uint64(0)
                for b in range(members):
                    found |= maps[table + (b * 256 + source[at + b]) * words + w]
                for b in range(min(8, size - 8 * w)):
                    target[to + 8 * w + b] = np.uint8((found >> np.uint64(8 * b)) & np.uint64(255))


@kernel
def canonicalize(states: Any, n: Any, spare: Any, symmetries: SymmetrySteps) -> None:
    """Replaces state n by the least of its images under the symmetries. ``spare``: two rows."""
    steps, starts, maps = symmetries
    words = states.shape[1]
    best, other = states[n], spare[0]
    for w in range(words):
        spare[1, w] = states[n, w]
    whole = spare[1].view(np.uint8)
    block = states[n, 0] & np.int64(0xFFFFFFFF)
    for t in range(starts.shape[1] - 1):
        if starts[block, t] == starts[block, t + 1]:
            continue
        for w in range(words):
            other[w] = spare[1, w]
        apply_symmetry(whole, other.view(np.uint8), steps, starts[block, t], starts[block, t + 1], maps)
        for w in range(words):
            if other[w] != best[w]:
                if other[w] < best[w]:
                    for v in range(words):
                        best[v] = other[v]
                break


@kernel
def canonicalize_row(rules: Rules, symmetries: SymmetrySteps, rows: Any, n: Any, frames: Any) -> None:
    """Replaces the packed state in row n by the least of its images. ``frames``: scratch, see ``Expander``."""
    frame, row = frames.ctypes.data + 3 * 8 * frames.shape[1], rows.ctypes.data + n * 8 * rows.shape[1]
    call3(rules.entries[UNPACK], rules.context, frame, row)
    canonicalize(frames, 3, frames, symmetries)
    call3(rules.entries[PACK], rules.context, frame, row)
