"""The layout of a state in memory: one block of fixed size, every slot at a fixed offset, padding zero.

A number is stored as its distance from the least value of its type, in 1, 2, 4 or 8 bytes. Sets of up to 64 elements
are stored as such a number, larger ones in 64-bit words. Handles (of histories and drawings) follow the values. Two
equal states need not share them: the first ``value_size`` bytes decide whether two states are equal.
"""

from __future__ import annotations

from gamedsl.language.core import Layout, limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

WORD = 64


def words_of(size: int) -> int:
    """The number of 64-bit words of a set over this many elements."""
    return max(1, -(-size // WORD))


@lazy_dataclass(frozen=True)
class Cell:
    """The representation of one value: ``count`` units of ``bits`` bits (more than one for a set in words). ``low`` is
    the value stored as zero."""

    bits: int
    count: int
    low: int

    @property
    def size(self) -> int:
        return self.bits // 8 * self.count


@lazy_dataclass(frozen=True)
class Place:
    """The location of a variable: ``offset`` of its first slot, ``stride`` between slots. A stack begins with its
    height, in ``height_bits``; its items follow at ``items`` bytes."""

    offset: int
    stride: int
    cell: Cell
    height_bits: int = 0
    items: int = 0


def unit_bits(most: int) -> int:
    """The bits of the smallest unit that holds 0 .. most."""
    return next(b for b in (8, 16, 32, 64) if most < 1 << b)


def cell_of(t: n.VarT) -> Cell:
    """The representation of a value of this type."""
    match t:
        case n.SetT(domain):
            return Cell(unit_bits(domain.full), 1, 0) if domain.size <= WORD else Cell(WORD, words_of(domain.size), 0)
        case n.HistoryT() | n.DrawingT():
            return Cell(WORD, 1, 0)
        case n.StackT(inner, _):
            return cell_of(inner)
        case _:
            low, high = limits(t)
            return Cell(unit_bits(high - low), 1, low)


def _up(offset: int, align: int) -> int:
    return -(-offset // align) * align


class Frame:
    """The memory layout of one program's states.

    ``places[v]`` locates variable v. The number of the current block is in the first 4 bytes. ``pending`` is the offset
    of the pending choices, 8 bytes per mover. ``record`` is the size of an action's record, in numbers.
    """

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.layout = Layout(program)
        self.places: list[Place] = []
        at = 4
        handles: list[n.Var] = []
        for var in program.variables:
            place = _placed(var, at)
            if isinstance(var.type, n.HistoryT | n.DrawingT):
                handles.append(var)
            else:
                at = place.offset + place.stride * var.slots
            self.places.append(place)
        self.pending = _up(at, 8)
        self.movers = most_movers(program)
        self.record = 2 + max((len(s.params) for s in program.schemas), default=0)
        self.value_size = self.pending + 8 * self.movers
        at = self.value_size
        for var in handles:
            self.places[var.index] = Place(at, 8, cell_of(var.type))
            at += 8
        self.size = at

    def place(self, var: n.Var) -> Place:
        return self.places[var.index]


def most_movers(program: n.Program) -> int:
    """The most players of a part who may choose simultaneously."""
    ends = [b.end for b in program.blocks]
    return max((program.parts[e.part].players.size for e in ends if isinstance(e, n.DecideTogether)), default=0)


def _placed(var: n.Var, at: int) -> Place:
    cell = cell_of(var.type)
    align = cell.bits // 8
    if isinstance(var.type, n.StackT):
        height = unit_bits(var.type.limit)
        align = max(align, height // 8)
        items = _up(height // 8, cell.bits // 8)
        return Place(_up(at, align), _up(items + cell.size * var.type.limit, align), cell, height, items)
    return Place(_up(at, align), cell.size, cell)
