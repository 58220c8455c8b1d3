"""Loads compiled code where the address space has a small hole and, gigabytes below it, a large one: `python -m tests.compiler.far_holes`.

Code and its tables must not be torn apart: instructions reach 2 GB. Prints how many random plays were made.
"""

from __future__ import annotations

import ctypes

import gamedsl
from gamedsl.compiler import compile_program

GB = 1 << 30
RESERVED = 0x4022  # private, anonymous, not backed by memory
LARGE = 1 << 26  # for everything
SMALL = (1 << 13, 1 << 14, 3 << 13, 1 << 15, 5 << 13, 3 << 14, 1 << 16)  # for a part; which one depends on the machine


def main() -> None:
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    found = []
    for n, small in enumerate(SMALL, 3):
        native = compile_program(gamedsl.load("x-s-and-lines", n=n).program)
        for bits in range(20, 11, -2):  # fill the holes that are there
            for _ in range(2_000):
                libc.mmap(None, 1 << bits, 0, RESERVED, -1, 0)
        base = libc.mmap(None, 12 * GB, 0, RESERVED, -1, 0)
        libc.munmap(base + 11 * GB, small)
        libc.munmap(base + 5 * GB, LARGE)
        found.append(native.playouts(20, seed=1).plays)
    print(found)


if __name__ == "__main__":
    main()
