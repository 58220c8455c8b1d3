"""Finite domains: the values that rules range over. An element is its index; a set is an integer used as a bit set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from gamedsl.language.source import node

IN_ROWS = ("grid", "hex", "track")  # the kinds of boards whose cells are in rows


_OF = re.compile(r"(\w+?)(?:_of)?\[([^\[\]]+)\]")


def in_words(name: str) -> str:
    """Returns a name of the rules as people read it: ``jack_of_spades`` without underscores, ``gate[X]`` as "gate of
    X".
    """
    return _OF.sub(r"\1 of \2", name).replace("_", " ").strip() or name


@node()
class Domain:
    """A named, finite, ordered domain. Element ``i`` is called ``names[i]`` in rules, and ``words[i]`` where people
    read it.

    ``components`` is filled for domains whose elements are tuples (pairs of neighbors, products): per component its
    domain and, per element, the component's index.
    """

    name: str
    names: tuple[str, ...]
    components: tuple[tuple[Domain, tuple[int, ...]], ...] = field(default=(), repr=False)
    spoken: tuple[str, ...] = field(
        default=(), repr=False, compare=False, kw_only=True
    )  # the author's words for the elements, if any

    def __hash__(self) -> int:
        return hash((self.name, len(self.names)))  # (large domains are hashed often)

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def full(self) -> int:
        """The set of all elements."""
        return (1 << len(self.names)) - 1

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The elements as people read them: the author's words, or else the names in words; the plain names if two
        coincide.
        """
        found = self.spoken or tuple(in_words(name) for name in self.names)
        return found if len(set(found)) == len(found) else self.names

    def index(self, name: str) -> int:
        """Returns the index of an element by name. Raises ``ValueError`` if there is none."""
        return self.names.index(name)

    def set_words(self, bits: int) -> tuple[str, ...]:
        return tuple(self.words[i] for i in elements(bits))

    def set_names(self, bits: int) -> tuple[str, ...]:
        return tuple(self.names[i] for i in elements(bits))


@node()
class Family(Domain):
    """A domain whose elements are sets over ``base``: lines, blocks, rings. ``members[i]`` is the i-th set, as bits."""

    base: Domain = field(default_factory=lambda: Domain("nothing", ()))
    members: tuple[int, ...] = ()

    __hash__ = Domain.__hash__


def product_domain(name: str, *factors: Domain) -> Domain:
    """Returns the domain of all tuples over the factors, the last varying fastest."""
    names, words = _combined(tuple(f.names for f in factors)), _combined(tuple(f.words for f in factors))
    indices = _component_indices(tuple(f.size for f in factors))
    return Domain(name, names, tuple(zip(factors, indices, strict=True)), spoken=words)


@lru_cache(maxsize=16)  # an editor checks the same large products at every keystroke
def _combined(factors: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Returns the names of all tuples over some names, the last varying fastest."""
    return tuple(f"({', '.join(parts)})" for parts in product(*factors))


@lru_cache(maxsize=16)
def _component_indices(sizes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Returns, for each factor, the index of its element in every tuple."""
    return tuple(zip(*product(*map(range, sizes)), strict=True)) or tuple(() for _ in sizes)


def elements(bits: int) -> Iterator[int]:
    """Yields the indices in a set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def bits_of(indices: object) -> int:
    """Returns the set of some indices, as bits."""
    found: list[int] = list(indices)  # type: ignore[call-overload]
    if not found:
        return 0
    octets = bytearray(max(found) // 8 + 1)  # (an integer that grows bit by bit is copied for each)
    for i in found:
        octets[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(octets, "little")


# ------------------------------------------------------------------------------------------- what a board offers


@node()
class Result:
    """The type of a relation's result: ``bool``; ``int`` between ``low`` and ``high``; ``element``, ``optional`` or
    ``set`` of ``domain``. Encoded as in the Core: a bool as 0 or 1, an optional as 0 for none and index + 1 otherwise,
    a set as bits.
    """

    kind: str
    domain: Domain | None = None
    low: int = 0
    high: int = 0


@node()
class Relation:
    """A function over the board's domains. ``compute`` takes one index per parameter and returns the encoded result.

    ``origin`` identifies the board, because two different boards can give their cells the same names.
    """

    name: str
    params: tuple[Domain, ...]
    result: Result
    compute: Callable[..., int] = field(compare=False, repr=False)
    origin: str = field(default="", repr=False)


@node()
class Coordinates:
    """The row and column of each cell of a board, and the change of both in each direction, in the order of the
    domains.
    """

    cells: tuple[tuple[int, int], ...]
    directions: tuple[tuple[int, int], ...]


@node()
class Board:
    """A board: its domains, and the relations, families and constants over them.

    ``domains`` by name (``cell``, ``edge``, ``point``, ``direction``, ``step`` ...); ``place`` is the domain of the
    places of pieces unless they are declared otherwise. ``relations`` are keyed by name and number of parameters.
    ``families`` take integer arguments (``lines(3)``) and raise ``ValueError`` with a sentence if those make no sense
    on this board ("a line of 30 does not fit on 3 by 3"). ``constants`` are named elements or sets: (domain, value,
    is_set). ``position`` returns the place of an element by domain and index, in units of cells, y downward (for
    drawing).
    """

    kind: str
    title: str
    place: str
    domains: dict[str, Domain]
    relations: dict[tuple[str, int], Relation]
    families: dict[tuple[str, int], Callable[..., Family]]
    constants: dict[str, tuple[Domain, int, bool]]
    position: Callable[[str, int], tuple[float, float]] = field(compare=False, repr=False)
    size: tuple[int, int] = (0, 0)  # rows and columns of its drawing
    start: str = "top"  # the side of row 1
    coordinates: Coordinates | None = field(default=None, repr=False)
    made_by: tuple[Callable[..., Board], tuple[object, ...]] | None = field(default=None, compare=False, repr=False)
    # the placings, as a set, of the shapes of a set with a freedom to turn; only where shapes are declared
    placings: Callable[[int, str], int] | None = field(default=None, compare=False, repr=False)
    # where the nodes of a graph are drawn, if the ruleset says so
    spots: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    # the links, as two nodes in order, that are arcs of a circle, and its center, in the unit of the spots
    arcs: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles a board as the arguments of its constructor, because its relations are functions."""
        assert self.made_by is not None
        return self.made_by
