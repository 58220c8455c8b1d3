"""The finalizer of SplitMix64, which mixes all bits of a word: G. Steele, D. Lea, C. Flood, "Fast splittable
pseudorandom number generators", 2014. For Python numbers and numpy words (in kernels: ``calling.mix64``), and as LLVM
code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from llvmlite import ir

GAMMA = 0x9E3779B97F4A7C15  # increment of the generator
M1, M2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = (1 << 64) - 1

_M1, _M2, _S30, _S27, _S31 = map(np.uint64, (M1, M2, 30, 27, 31))


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * M1 & MASK
    z = (z ^ (z >> 27)) * M2 & MASK
    return z ^ (z >> 31)


def mixed(z: Any) -> Any:
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


def mixing(b: ir.IRBuilder, z: ir.Value, const: Callable[[int], ir.Value]) -> ir.Value:
    """The finalizer as LLVM code. ``const`` makes constants of the type of z."""
    for shift, factor in ((30, M1), (27, M2)):
        z = b.mul(b.xor(z, b.lshr(z, const(shift))), const(factor))
    return b.xor(z, b.lshr(z, const(31)))
