"""Results of playouts: constant results, and the tally that a series is added to.

A tally's words: playouts, plies, unfinished playouts; per player the sum and the sum of squares of the utility
(float64) and the numbers of playouts with positive, zero and negative utility; then the histogram of lengths.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import F64, I64, Fn, const
from gamedsl.language.core import nodes as n

BINS = 4096  # of the histogram of lengths; longer playouts are counted in the last
UNFINISHED = -2  # status of a playout that reached the largest number of plies
UNKNOWN = -3  # status of specialized code for an unknown start position
NOBODY = "no player can continue here"
Result = tuple[float, ...]  # the players' utilities


def constant_result(end: n.End) -> Result | None:
    """The utilities of an end if they are constant, else None."""
    found = tuple(float(e.value) for e in end.payoff if isinstance(e, n.Const))
    return found if len(found) == len(end.payoff) else None


def constant_results(program: n.Program) -> list[Result]:
    found = [constant_result(b.end) for b in program.blocks if isinstance(b.end, n.End)]
    return list(dict.fromkeys(r for r in found if r is not None))


def tally_size(players: int) -> int:
    """The number of words of a tally."""
    return 3 + 5 * players + BINS


def add(f: Fn, tally: ir.Value, index: ir.Value, amount: ir.Value) -> None:
    at = f.builder.gep(tally, [index], inbounds=True)
    f.builder.store(f.builder.add(f.builder.load(at), amount), at)


def tally_player(f: Fn, tally: ir.Value, p: int, value: ir.Value) -> None:
    """Tallies one player's utility in one playout."""
    floats = f.builder.bitcast(tally, F64.as_pointer())
    base = 3 + 5 * p
    for i, amount in ((base, value), (base + 1, f.builder.fmul(value, value))):
        at = f.builder.gep(floats, [const(i)], inbounds=True)
        f.builder.store(f.builder.fadd(f.builder.load(at), amount), at)
    zero = ir.Constant(F64, 0.0)
    for i, sign in ((base + 2, ">"), (base + 3, "=="), (base + 4, "<")):
        add(f, tally, const(i), f.builder.zext(f.builder.fcmp_ordered(sign, value, zero), I64))


def add_results(f: Fn, tally: ir.Value, times: dict[Result, ir.Value]) -> None:
    """Adds constant results to the tally. ``times`` holds the number of times that each occurred."""
    floats = f.builder.bitcast(tally, F64.as_pointer())
    for result, ptr in times.items():
        number = f.builder.load(ptr)
        many = f.builder.sitofp(number, F64)
        for p, value in enumerate(result):
            for i, amount in ((3 + 5 * p, value), (4 + 5 * p, value * value)):
                at = f.builder.gep(floats, [const(i)], inbounds=True)
                f.builder.store(f.builder.fadd(f.builder.load(at), f.builder.fmul(many, ir.Constant(F64, amount))), at)
            add(f, tally, const(5 + 5 * p + (0 if value > 0 else 1 if value == 0 else 2)), number)
