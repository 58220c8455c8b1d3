"""The data that the parts of the lockstep emitter share: the function, its lanes, and their observer."""

from __future__ import annotations

from dataclasses import field
from typing import Protocol

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import Fn
from gamedsl.compiler.playouts.simd_lanes import Lanes
from gamedsl.compiler.transform.pipeline import SpecializedProgram
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


class LockstepObserver(Protocol):
    """Emits code for counting at each place where lanes decide, make a move, pass or end."""

    def on_decision(self, r: Round, mask: ir.Value, count: ir.Value) -> None:
        """The lanes of the mask decide among ``count`` choices."""

    def on_move(self, r: Round, mask: ir.Value, schema: n.Schema) -> None:
        """These lanes make a move of this kind."""

    def on_block(self, r: Round, mask: ir.Value, block: int) -> None:
        """These lanes pass."""

    def finish(self, r: Round, counted: ir.Value) -> None:
        """The playouts of these lanes are over."""

    def done(self, r: Round) -> None:
        """All playouts have been made."""


@lazy_dataclass()
class Round:
    """The function being emitted. ``at``: for each block, the stack slot with the mask of the lanes that are about to
    execute it (at a stop: its end)."""

    f: Fn
    special: SpecializedProgram
    lanes: Lanes
    x: ir.Value
    plies: ir.Value
    over: ir.Value
    long: ir.Value  # lanes whose playout has reached the largest number of plies
    most: ir.Value
    at: dict[int, ir.Value] = field(default_factory=dict)
    classes: dict[tuple[float, ...], ir.Value] = field(default_factory=dict)
    # computed results, per player: sums and sums of squares by lane, and counts of positive, zero and negative ones
    sums: list[tuple[ir.Value, ir.Value, ir.Value, ir.Value, ir.Value]] = field(default_factory=list)
    left: ir.Value | None = None  # the size of the remaining set
    remaining: ir.Value | None = None
    first_n: ir.Value | None = None  # the size of the remaining set at the start of a playout
    counter: LockstepObserver | None = None
