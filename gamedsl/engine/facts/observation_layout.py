"""The layout of an observation tensor: features in order, each with its shape, range and meaning.

A feature of a variable takes its values slot by slot; the slots are its last axes (the keys of a map, such as the cells
of a board):

- an element or an optional value is one-hot: one plane per value, and all zero if the seat may not know it;
- a set has one entry per element, after the axes of its keys;
- a number or a truth value is written as it is; a number of more than 24 bits becomes its distance from the least value
of the type, in digits to the base 2^24, the highest first, so that 32-bit floats are exact;
- a stack has its height and its items, the lowest first.

A variable that may be hidden has one more feature: per slot, 1 if the seat may know it. One-hot features of more than
``MOST_PLANES`` entries are written as numbers instead: the index of the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Literal

from gamedsl.engine.facts.variable_names import variable_names
from gamedsl.engine.notation import value_names
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.engine.facts.numbered_rules import NumberedRules

ObservedPart = Literal["whole", "public", "private"]
Coding = Literal["one-hot", "number", "members", "height", "items", "item numbers", "known", "place", "digest", "row"]
MOST_PLANES = 1 << 16
DIGIT_BITS = 24


@lazy_dataclass(frozen=True)
class Feature:
    """Entries ``first`` to ``first + size - 1`` of a tensor: an array of this ``shape`` in C order.

    ``axes`` names the axes; ``low`` and ``high`` bound the entries; ``variable`` is the index of its variable in the
    program (None for the features of the stop), ``base`` the number that digits count from."""

    name: str
    meaning: str
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    low: int
    high: int
    coding: Coding
    variable: int | None = None
    first: int = 0
    base: int = 0

    @property
    def size(self) -> int:
        """The number of entries."""
        return prod(self.shape)


@lazy_dataclass(frozen=True)
class ObservationLayout:
    """The features of a tensor, in order. ``omitted``: the variables left out because they have no fixed size."""

    features: tuple[Feature, ...]
    omitted: tuple[str, ...]

    @cached_property
    def size(self) -> int:
        """The number of entries of a tensor."""
        return sum(f.size for f in self.features)

    @property
    def shape(self) -> tuple[int]:
        """The shape of a tensor."""
        return (self.size,)

    def feature(self, name: str) -> Feature:
        """The feature of this name. Raises ``KeyError`` if there is none."""
        for f in self.features:
            if f.name == name:
                return f
        raise KeyError(name)

    def split(self, tensor: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """A tensor (or a batch of them, with any axes before the last) as a dict: views of its features in their
        shapes, by name."""
        before = tensor.shape[:-1]
        return {f.name: tensor[..., f.first : f.first + f.size].reshape((*before, *f.shape)) for f in self.features}


def observation_layout(game: NumberedRules, part: ObservedPart) -> ObservationLayout:
    """The layout of one part of what a seat observes. ``private``: the part that a spectator does not know."""
    found = in_order((*_of_stops(game, part), *_of_variables(game, part)))
    unsized = zip(game.program.variables, variable_names(game.program), strict=True)
    return ObservationLayout(found, tuple(name for v, name in unsized if isinstance(v.type, n.HistoryT | n.DrawingT)))


def in_order(features: Iterable[Feature]) -> tuple[Feature, ...]:
    """The features one after the other. Where a variable has the name of an earlier feature, its index is added."""
    found: list[Feature] = []
    names = set[str]()
    first = 0
    for f in features:
        name = f.name if f.name not in names else f"{f.name}#{f.variable}"
        names.add(name)
        found.append(replace(f, name=name, first=first))
        first += f.size
    return tuple(found)


# ---------------------------------------------------------------------------------------------------- the stop


def stop_kinds(game: NumberedRules) -> tuple[str, ...]:
    """The kinds of stops of a game, in a fixed order."""
    return tuple(k for k in ("player", "together", "chance", "drawing", "end") if k in game.kinds)


def places(game: NumberedRules) -> tuple[tuple[str, int], ...]:
    """The phases of all parts, each with the number of its part, in the order of the blocks."""
    return tuple(dict.fromkeys((b.phase, b.part) for b in game.program.blocks))


def most_choices(game: NumberedRules) -> int:
    """The most choices that are open at once."""
    ends = [b.end for b in game.program.blocks]
    return max((game.program.parts[e.part].players.size for e in ends if isinstance(e, n.DecideTogether)), default=0)


def score_limits(game: NumberedRules) -> tuple[int, int] | None:
    """The range of the points by which games are decided; None if points do not decide them."""
    ends = [b.end for b in game.program.blocks if isinstance(b.end, n.End)]
    ranges = [limits(e.type) for end in ends for e in end.scores]
    return (min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else None


def _of_stops(game: NumberedRules, part: ObservedPart) -> Iterator[Feature]:
    players = (game.num_players,), ("player",)
    yield Feature("to act", "the players who are to choose", *players, 0, 1, "place")
    if part != "public" and most_choices(game):
        meaning = "the seat's own open choices: 1 + the number of the action, 0 for none"
        axes = ("choice",)
        yield from _digits(Feature("own choice", meaning, (most_choices(game),), axes, 0, game.num_actions, "place"))
    if part == "private":
        return
    kinds, where = stop_kinds(game), places(game)
    yield Feature("kind", f"the kind of decision: {', '.join(kinds)}", (len(kinds),), ("kind",), 0, 1, "place")
    if len(where) > 1:
        texts = (
            " of ".join(t for t in (phase, game.program.parts[p].name if p else "") if t) or "-" for phase, p in where
        )
        yield Feature("phase", f"the phase: {', '.join(texts)}", (len(where),), ("phase",), 0, 1, "place")
    yield Feature("won", "the players who have won", *players, 0, 1, "place")
    low, high = _with_zero(game.min_utility, game.max_utility)
    yield Feature("returns", "the utilities; zeros before the end", *players, low, high, "place")
    points = score_limits(game)
    if points is not None:
        low, high = _with_zero(*points)
        yield Feature("scores", "the points that decided the game; zeros before the end", *players, low, high, "place")


def _with_zero(low: int, high: int) -> tuple[int, int]:
    return min(0, low), max(0, high)


# ------------------------------------------------------------------------------------------------ variables


def _of_variables(game: NumberedRules, part: ObservedPart) -> Iterator[Feature]:
    for var, name in zip(game.program.variables, variable_names(game.program), strict=True):
        hidden = game.secrets.is_hidden(var)
        if var.role == "temp" or isinstance(var.type, n.HistoryT | n.DrawingT) or (part == "private" and not hidden):
            continue
        for f in _of_variable(var, name):
            yield replace(f, variable=var.index)
        if hidden:
            sizes, axes = _keys(var)
            yield Feature(f"{name} known", f"what the seat may know of {name}", sizes, axes, 0, 1, "known", var.index)


def _keys(var: n.Var) -> tuple[tuple[int, ...], tuple[str, ...]]:
    return tuple(k.size for k in var.keys), tuple(k.name for k in var.keys)


def _of_variable(var: n.Var, name: str) -> Iterator[Feature]:
    sizes, axes = _keys(var)
    match var.type:
        case n.SetT(domain):
            yield Feature(name, f"the elements of {name}", (*sizes, domain.size), (*axes, domain.name), 0, 1, "members")
        case n.StackT(inner, limit):
            yield Feature(f"{name} height", f"the height of {name}", sizes, axes, 0, limit, "height")
            yield _items(name, inner, limit, sizes, axes)
        case n.BoolT() | n.IntT():
            yield from _digits(
                Feature(name, f"the value of {name}", sizes, axes, *_with_zero(*limits(var.type)), "number")
            )
        case t if not isinstance(t, n.HistoryT | n.DrawingT):
            yield from _one_hot(name, t, sizes, axes)


def _one_hot(name: str, t: n.ValueT, sizes: tuple[int, ...], axes: tuple[str, ...]) -> Iterator[Feature]:
    low, high = limits(t)
    shape = (high - low + 1, *sizes)
    if prod(shape) > MOST_PLANES or high - low >= 1 << 12:
        yield from _digits(Feature(name, f"the number of the value of {name}", sizes, axes, 0, high, "number"))
    else:
        meaning = f"{name} is {_listed(value_names(t))}"
        yield Feature(name, meaning, shape, ("value", *axes), 0, 1, "one-hot")


def _items(name: str, inner: Any, limit: int, sizes: tuple[int, ...], axes: tuple[str, ...]) -> Feature:
    low, high = limits(inner)
    shape = (limit, high - low + 1, *sizes)
    if prod(shape) <= MOST_PLANES:
        meaning = f"the items of {name} from the lowest: {_listed(value_names(inner))}"
        return Feature(f"{name} items", meaning, shape, ("level", "value", *axes), 0, 1, "items")
    meaning = f"the items of {name} from the lowest: 1 + the number of the value, 0 for none"
    return Feature(f"{name} items", meaning, (limit, *sizes), ("level", *axes), 0, high - low + 1, "item numbers")


def _listed(names: tuple[str, ...], most: int = 40) -> str:
    return ", ".join(names if len(names) <= most else (*names[: most - 1], "...", names[-1]))


def _digits(f: Feature) -> Iterator[Feature]:
    """The feature; or, if its numbers are too large for 32-bit floats, its digits instead."""
    if max(abs(f.low), abs(f.high)) <= 1 << DIGIT_BITS:
        yield f
        return
    count = -(-(f.high - f.low).bit_length() // DIGIT_BITS)
    meaning = f"{f.meaning}, less {f.low}, in digits to the base 2^{DIGIT_BITS}"
    high = (1 << DIGIT_BITS) - 1
    yield replace(f, meaning=meaning, shape=(count, *f.shape), axes=("digit", *f.axes), low=0, high=high, base=f.low)


def is_in_digits(f: Feature) -> bool:
    """Whether the numbers of a feature are written in digits."""
    return f.axes[:1] == ("digit",)
