"""The run time of translated rules: the helpers they call, and the values that are not plain integers.

A slot of the state holds an int; for a stack, a tuple of ints (bottom first); for a history, a ``History``; for a
drawing, a tuple of (stroke name, points).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from gamedsl.engine.errors import fail
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span

Point: TypeAlias = tuple[Fraction, Fraction]
Stroke: TypeAlias = tuple[str, tuple[Point, ...]]
Value: TypeAlias = Any  # int | tuple[int, ...] | History | tuple[Stroke, ...], by the type of the variable
Slots: TypeAlias = list[Value]


class History:
    """An immutable multiset of positions (tuples of ints)."""

    __slots__ = ("_counts", "_hash")

    def __init__(self, counts: dict[tuple[int, ...], int] | None = None) -> None:
        self._counts = counts or {}
        self._hash: int | None = None

    def count(self, position: tuple[int, ...]) -> int:
        """The number of times that the position was noted."""
        return self._counts.get(position, 0)

    def plus(self, position: tuple[int, ...]) -> History:
        """This history with the position noted once more."""
        return History({**self._counts, position: self.count(position) + 1})

    def minus(self, other: History) -> History:
        """This history minus the positions of another one, each as often as it was noted there."""
        left = {position: number - other.count(position) for position, number in self._counts.items()}
        return History({position: number for position, number in left.items() if number > 0})

    def items(self) -> list[tuple[tuple[int, ...], int]]:
        """The positions with their counts, in a fixed order."""
        return sorted(self._counts.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and self._counts == other._counts

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._counts.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"History({self.items()})"


class Table(tuple[int, ...]):
    """A constant table. An index that is not a number (a value that a seat may not know) computes its own entry."""

    __slots__ = ()

    def __getitem__(self, i: Any, /) -> Any:
        return super().__getitem__(i) if isinstance(i, int) else i.entry_of(self)


def first_value(t: n.VarT, initial: int) -> Value:
    """The initial value of a slot."""
    match t:
        case n.StackT() | n.DrawingT():
            return ()
        case n.HistoryT():
            return History()
        case _:
            return initial


# -------------------------------------------------------------------------------------------- called by rules


def bits(members: int) -> list[int]:
    """The elements of a set, in ascending order."""
    out = []
    while members:
        low = members & -members
        out.append(low.bit_length() - 1)
        members ^= low
    return out


def bits_from(members: int, low: int) -> list[int]:
    """The integers of a set whose bit 0 stands for ``low``."""
    return [low + i for i in bits(members)]


def union(parts: Iterable[int]) -> int:
    """The union of sets."""
    total = 0
    for part in parts:
        total |= part
    return total


def unwrap(value: int, shift: int, span: Span) -> int:
    """The value in an optional. Raises ``RulesError`` for none."""
    return value + shift if value else fail("there is no value here (none)", span)


def first(members: int, shift: int, span: Span) -> int:
    """The element of a set with the lowest index. Raises ``RulesError`` for the empty set."""
    return (members & -members).bit_length() - 1 + shift if members else fail("the set is empty here", span)


def fit(value: int, low: int, high: int, span: Span) -> int:
    """The value itself. Raises ``RulesError`` if it is outside its range."""
    return value if low <= value <= high else fail(f"{value} is out of range ({low}..{high})", span)


def div(a: int, b: int, span: Span) -> int:
    return a // b if b else fail("division by zero", span)


def mod(a: int, b: int, span: Span) -> int:
    return a % b if b else fail("division by zero", span)


def most(values: list[int], span: Span) -> int:
    return max(values) if values else fail("there is nothing to take the max of", span)


def least(values: list[int], span: Span) -> int:
    return min(values) if values else fail("there is nothing to take the min of", span)


def top(stack: tuple[int, ...], span: Span) -> int:
    return stack[-1] if stack else fail("the stack is empty here", span)


def item(stack: tuple[int, ...], level: int, span: Span) -> int:
    """The item at a level of a stack; 1 is the lowest. Raises ``RulesError`` if there is none."""
    if not 1 <= level <= len(stack):
        fail("the stack has nothing at this height", span)
    index: Any = level - 1
    return stack[index] if isinstance(index, int) else index.entry_of(stack)  # an unknown index, as in a table


def pushed(stack: tuple[int, ...], value: int, limit: int, span: Span) -> tuple[int, ...]:
    """The stack with the value on top. Raises ``RulesError`` if it is full."""
    return (*stack, value) if len(stack) < limit else fail(f"the stack is full (up to {limit})", span)


def popped(stack: tuple[int, ...], span: Span) -> tuple[int, ...]:
    """The stack without its top item. Raises ``RulesError`` if it is empty."""
    return stack[:-1] if stack else fail("the stack is empty here", span)
