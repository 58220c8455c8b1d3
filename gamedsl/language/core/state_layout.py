"""Packs a state into one integer: the program point, the slots of every variable, and pending secret choices.

Equal states have equal bits; unused bits are zero. Histories and drawings, which have no fixed size, are not packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamedsl.language.core import nodes as n
from gamedsl.language.core.constant_folding import limits

Pending = tuple[tuple[int, int, tuple[int, ...]], ...]


def value_bits(t: n.VarT) -> int:
    """Returns the number of bits of a slot of this type."""
    match t:
        case n.HistoryT() | n.DrawingT():
            return 0
        case n.StackT(inner, limit):
            return limit.bit_length() + limit * value_bits(inner)
        case _:
            low, high = limits(t)
            return (high - low).bit_length()


def pack_value(t: n.VarT, value: Any) -> int:
    """Packs a slot's value into bits."""
    match t:
        case n.HistoryT() | n.DrawingT():
            return 0
        case n.StackT(inner, limit):
            packed, width = 0, value_bits(inner)
            for item in reversed(value):
                packed = packed << width | pack_value(inner, item)
            return packed << limit.bit_length() | len(value)
        case _:
            code: int = value - limits(t)[0]
            assert 0 <= code < 1 << value_bits(t), f"{value} is not a value of {t}"
            return code


def unpack_value(t: n.VarT, packed: int) -> Any:
    """Unpacks a slot's value (None for a history or drawing)."""
    match t:
        case n.HistoryT() | n.DrawingT():
            return None
        case n.StackT(inner, limit):
            width, height = value_bits(inner), packed & (1 << limit.bit_length()) - 1
            packed >>= limit.bit_length()
            return tuple(unpack_value(inner, packed >> i * width & (1 << width) - 1) for i in range(height))
        case _:
            return packed + limits(t)[0]


class Layout:
    """The bit layout of one program's states. ``starts[v]`` is the first bit of variable v, ``widths[v]`` the bits
    per slot."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.block_bits = max(1, (len(program.blocks) - 1).bit_length())
        self.widths = tuple(value_bits(v.type) for v in program.variables)
        starts = [self.block_bits]
        for var, width in zip(program.variables, self.widths, strict=True):
            starts.append(starts[-1] + width * var.slots)
        self.starts = tuple(starts[:-1])
        self.value_end = starts[-1]
        self.choice_bits = _choice_bits(program)
        movers = [program.parts[b.end.part].players.size for b in program.blocks if isinstance(b.end, n.DecideTogether)]
        self.total = self.value_end + max(movers, default=0) * self.choice_bits

    def place(self, var: n.Var, slot: int) -> tuple[int, int]:
        """Returns the first bit and the number of bits of one slot of a variable."""
        width = self.widths[var.index]
        return self.starts[var.index] + slot * width, width

    def pack(self, block: int, slots: Sequence[Any], pending: Pending = ()) -> int:
        """Packs a block, the slots of all variables in order, and the pending choices into one integer."""
        packed, i = block, 0
        for var in self.program.variables:
            for slot in range(var.slots):
                packed |= pack_value(var.type, slots[i]) << self.place(var, slot)[0]
                i += 1
        for mover, number, args in pending:
            packed |= self.choice(block, number, args) << self.value_end + mover * self.choice_bits
        return packed

    def unpack(self, packed: int) -> tuple[int, list[Any], Pending]:
        """Inverts ``pack`` (histories and drawings become None). Raises ``ValueError`` for bits outside the layout."""
        if not 0 <= packed < 1 << self.total:
            raise ValueError("these are not the bits of a state")
        block = packed & (1 << self.block_bits) - 1
        slots: list[Any] = []
        for var in self.program.variables:
            for slot in range(var.slots):
                start, width = self.place(var, slot)
                slots.append(unpack_value(var.type, packed >> start & (1 << width) - 1))
        return block, slots, self._pending(block, packed >> self.value_end)

    def _schemas(self, block: int) -> list[n.Schema]:
        end = self.program.blocks[block].end
        return [self.program.schemas[a.schema] for a in end.alternatives] if isinstance(end, n.DecideTogether) else []

    def choice(self, block: int, number: int, args: tuple[int, ...]) -> int:
        """Returns 1 + the index of a choice among all moves of this stop."""
        schemas = self._schemas(block)
        code = 1 + sum(argument_combinations(s) for s in schemas[:number])
        scale = 1
        for value, param in zip(args, schemas[number].params, strict=True):
            low, high = limits(param.local.type)
            code += (value - low) * scale
            scale *= high - low + 1
        return code

    def _pending(self, block: int, packed: int) -> Pending:
        found = []
        mover = 0
        while packed:
            code = packed & (1 << self.choice_bits) - 1
            if code:
                found.append((mover, *self.choice_of(block, code - 1)))
            packed >>= self.choice_bits
            mover += 1
        return tuple(found)

    def choice_of(self, block: int, code: int) -> tuple[int, tuple[int, ...]]:
        """Inverts ``choice`` for code + 1: returns the number of the alternative and its arguments."""
        for number, schema in enumerate(self._schemas(block)):
            if code >= argument_combinations(schema):
                code -= argument_combinations(schema)
                continue
            args = []
            for param in schema.params:
                low, high = limits(param.local.type)
                code, rest = divmod(code, high - low + 1)
                args.append(rest + low)
            return number, tuple(args)
        raise ValueError("no such choice")


def argument_combinations(schema: n.Schema) -> int:
    """Returns the number of moves of a schema, legal or not."""
    total = 1
    for param in schema.params:
        low, high = limits(param.local.type)
        total *= high - low + 1
    return total


def _choice_bits(program: n.Program) -> int:
    most = 0
    for block in program.blocks:
        if isinstance(block.end, n.DecideTogether):
            most = max(most, 1 + sum(argument_combinations(program.schemas[a.schema]) for a in block.end.alternatives))
    return most.bit_length()
