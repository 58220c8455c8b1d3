"""The vocabulary of random rulesets: the source of choices, the types of values, and what is declared so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

T = TypeVar("T")


class Pick:
    """Choices in natural order: ``below(n)`` gives 0..n-1, and 0 is always the plainest, so that texts shrink well."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below
        self.names = 0

    def of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def maybe(self, percent: int) -> bool:
        return self.below(100) >= 100 - percent

    def upto(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def weighted(self, *items: tuple[int, T]) -> T:
        """One of the items by their weights (those with weight 0 are never taken)."""
        at = self.below(sum(w for w, _ in items))
        for weight, item in items:
            at -= weight
            if at < 0:
                return item
        raise AssertionError("weights sum to what was drawn below")

    def name(self, prefix: str = "v") -> str:
        """A name that stands nowhere else in the text."""
        self.names += 1
        return f"{prefix}{self.names}"


# ------------------------------------------------------------------------------------------------------------ types


@dataclass(frozen=True)
class Dom:
    """A domain as written: its ``type``, the set of ``full`` elements, constants; ``low`` for numbers; the domain that
    the elements of a family are sets of; the components of pairs."""

    type: str
    full: str
    size: int
    names: tuple[str, ...] = ()
    low: int | None = None
    base: Dom | None = None
    pair: tuple[Dom, Dom] | None = None


@dataclass(frozen=True)
class Bool:
    pass


@dataclass(frozen=True)
class Num:
    low: int
    high: int


@dataclass(frozen=True)
class Elem:
    dom: Dom


@dataclass(frozen=True)
class Opt:
    inner: Bool | Num | Elem


@dataclass(frozen=True)
class Set:
    dom: Dom


Single: TypeAlias = Bool | Num | Elem
Type: TypeAlias = Bool | Num | Elem | Opt | Set


def written(t: Type) -> str:
    match t:
        case Bool():
            return "bool"
        case Num(low, high):
            return f"{low}..{high}"
        case Elem(dom):
            return dom.type
        case Opt(inner):
            return f"{written(inner)}?"
        case Set(dom):
            return f"set of {dom.type}"


def is_large(t: object) -> bool:
    """A range that is not gone through one by one."""
    return isinstance(t, Num) and t.high - t.low > 300


def numbers(low: int, high: int) -> Dom:
    return Dom(f"{low}..{high}", f"({low}..{high})", high - low + 1, tuple(map(str, range(low, high + 1))), low)


# ----------------------------------------------------------------------------------------------------- declarations


@dataclass(frozen=True)
class Var:
    name: str
    keys: tuple[Dom, ...]
    type: Type


@dataclass(frozen=True)
class Stack:
    name: str
    keys: tuple[Dom, ...]
    inner: Bool | Num | Elem


@dataclass(frozen=True)
class Piece:
    name: str
    owned: bool
    place: Dom
    each: bool
    stacking: bool


@dataclass(frozen=True)
class Define:
    name: str
    params: tuple[Type, ...]
    result: Type
    needs_me: bool


@dataclass(frozen=True)
class Action:
    name: str
    params: tuple[Type, ...]


@dataclass(frozen=True)
class Move:
    name: str
    params: tuple[tuple[str, Type], ...]
    chance: bool


@dataclass
class World:
    """All that a text may name. ``board``: grid, hex, track, graph or none."""

    players: Dom
    board: str = "none"
    cell: Dom | None = None
    doms: list[Dom] = field(default_factory=list)
    board_doms: list[Dom] = field(default_factory=list)
    families: list[Dom] = field(default_factory=list)
    sets: list[tuple[str, Dom]] = field(default_factory=list)
    variables: list[Var] = field(default_factory=list)
    stacks: list[Stack] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    defines: list[Define] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    given: tuple[tuple[str, Type], ...] = ()
    notes: bool = False
    turns: bool = False
    countdown: bool = False

    @property
    def big(self) -> bool:
        return self.cell is not None and self.cell.size > 30

    def dom(self, kind: str) -> Dom | None:
        return next((d for d in self.doms if d.type == kind), None)


@dataclass(frozen=True)
class Scope:
    """What is bound where an expression stands. ``cost``: how often it is worked out; ``this``: ``after this`` may be
    said; ``tries``: the moves that may be looked ahead through."""

    locals: tuple[tuple[str, Type], ...] = ()
    me: bool = False
    cost: int = 1
    this: bool = False
    tries: tuple[str, ...] = ()
    forbidding: bool = False
    results: tuple[str, ...] = ()

    def bind(self, name: str, t: Type, times: int = 1) -> Scope:
        return replace(self, locals=(*self.locals, (name, t)), cost=self.cost * times)

    def plain(self) -> Scope:
        """The same where no further look ahead is wanted."""
        return replace(self, this=False, tries=())
