"""The symmetries of a game as permutations of numbers: of actions, of the entries of observations, and of seats. For
augmentation: whatever was learned in one position holds in its images.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gamedsl.compiler import NativeGame
from gamedsl.engine import ActionKind, Feature, State, chance_text, is_in_digits
from gamedsl.lab.base import Clock
from gamedsl.lab.symmetry import Found, Symmetry, SymmetryAction, find, slots_moved
from gamedsl.language.core import is_stop, limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamedsl.engine import Game

Indices: TypeAlias = "NDArray[np.int64]"
SECONDS = 20.0


@lazy_dataclass(frozen=True, eq=False)
class GameSymmetry:
    """A symmetry of the rules. It maps every position to one with the corresponding actions and results.

    ``actions[a]`` is the image of action a; ``seats[p]`` of seat p. Policies and legal actions map by ``actions``,
    values by ``seats``, observations by ``observation``, states by ``state``. ``str`` describes the exchange.
    """

    game: Game = field(repr=False)
    actions: Indices = field(repr=False)
    seats: tuple[int, ...]
    turn: Symmetry = field(repr=False)

    def __str__(self) -> str:
        return str(self.turn)

    def observation(self, tensor: NDArray[np.float32]) -> NDArray[np.float32]:
        """Returns the observation of seat ``seats[p]`` in the image of a position, from that of p in the position.
        Batches are allowed: any axes before the last.
        """
        image = tensor[..., self.sources]
        for begin, end, table in self._numbers:
            image[..., begin:end] = table[image[..., begin:end].astype(np.int64)]
        return image

    def mask(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Returns the image of a mask, a policy or any array with an entry for every action on its last axis."""
        image = np.empty_like(mask)
        image[..., self.actions] = mask
        return image

    def state(self, state: State) -> State:
        """Returns the image of a position, whose history begins there."""
        image = self._whole.state(state)
        return self.game.compiled(image) if isinstance(self.game, NativeGame) else image

    @cached_property
    def _whole(self) -> SymmetryAction:
        """The symmetry on all variables, even on those that no longer matter."""
        nothing = tuple(frozenset[int]() for _ in self.game.program.blocks)
        return SymmetryAction(self.game.program, replace(self.turn, resting=nothing))

    @cached_property
    def sources(self) -> Indices:
        """The indices from which the entries of an image are taken: the image of ``tensor`` is
        ``tensor[..., sources]``, except for features that write elements as numbers (see ``observation``).
        """
        found = np.arange(self.game.observation_layout.size)
        for f, image in self._pairs():
            there = np.arange(image.first, image.first + image.size)
            here = np.arange(f.first, f.first + f.size)
            found[self._moved(f, there)] = here
        return found

    def _pairs(self) -> Iterator[tuple[Feature, Feature]]:
        """Yields every feature with the one that holds its image."""
        by_variable: dict[int | None, list[Feature]] = {}
        for f in self.game.observation_layout.features:
            by_variable.setdefault(f.variable, []).append(f)
        for variable, own in by_variable.items():
            image = None if variable is None else self.turn.variables[variable]
            yield from zip(own, by_variable[image], strict=True)

    def _moved(self, f: Feature, there: Indices) -> Indices:
        """Returns the entries of the image, in the order of the entries from which they are taken."""
        if f.variable is None:
            return there[list(self.seats)] if f.axes == ("player",) else there
        var = self.game.program.variables[f.variable]
        slots = list(slots_moved(self.turn, var))
        match f.coding:
            case "members":
                return _picked(there.reshape(len(slots), -1), slots, self._codes(var.type, 0, f.size // len(slots)))
            case "one-hot":
                low, high = limits(var.type)
                return _picked(there.reshape(-1, len(slots)), self._codes(var.type, low, high - low + 1), slots)
            case "items":
                assert isinstance(var.type, n.StackT)
                low, high = limits(var.type.inner)
                codes = self._codes(var.type.inner, low, high - low + 1)
                return there.reshape(-1, len(codes), len(slots))[:, codes][:, :, slots].ravel()
            case _:
                return there.reshape(-1, len(slots))[:, slots].ravel()

    def _codes(self, t: n.VarT, low: int, count: int) -> list[int]:
        """Returns the images of values, as indices."""
        if isinstance(t, n.SetT):
            return list(self.turn.of(t.domain))
        return [self.turn.value(t, low + i) - low for i in range(count)]

    @cached_property
    def _numbers(self) -> list[tuple[int, int, NDArray[np.float32]]]:
        """The ranges of entries that hold numbers of actions or elements, each with the image of every number."""
        found = []
        for f in self.game.observation_layout.features:
            table = self._table(f)
            if table is not None:
                found.append((f.first, f.first + f.size, np.array(table, np.float32)))
        return found

    def _table(self, f: Feature) -> list[int] | None:
        if f.name == "own choice" and f.variable is None:
            return [0, *(1 + self.actions).tolist()]
        var = None if f.variable is None else self.game.program.variables[f.variable]
        if var is None or f.coding not in ("number", "item numbers"):
            return None
        t = var.type.inner if isinstance(var.type, n.StackT) else var.type
        low, high = limits(t)
        if not isinstance(t, n.ElemT | n.OptT):
            return None
        codes = self._codes(t, low, high - low + 1)
        return [0, *(1 + c for c in codes)] if f.coding == "item numbers" else [low + c for c in codes]


def _picked(there: Indices, rows: list[int], columns: list[int]) -> Indices:
    found: Indices = there[np.ix_(rows, columns)].ravel()
    return found


def symmetries(game: Game, seconds: float = SECONDS) -> list[GameSymmetry]:
    """Returns the symmetries of a game that hold wherever a player or chance acts, without the identity; at most
    1,500. They are found in the rules, not assumed; the list is empty if there are none, or none were found in this
    time (see ``why_no_symmetries``).
    """
    return [s for turn in _found(game, seconds).turns if (s := _numbered(game, turn)) is not None]


def why_no_symmetries(game: Game, seconds: float = SECONDS) -> str:
    """Returns why no symmetries were sought; an empty string if they were."""
    return _found(game, seconds).why


@lru_cache(maxsize=4)
def _found(game: Game, seconds: float) -> Found:
    return find(game.program, clock=Clock().within(seconds))


def _numbered(game: Game, turn: Symmetry) -> GameSymmetry | None:
    """Returns the symmetry as permutations; None if it does not hold at every stop, or does not permute numbers."""
    stops = {b.index for b in game.program.blocks if is_stop(b) and not isinstance(b.end, n.End)}
    if not stops <= turn.stops or any(map(is_in_digits, game.observation_layout.features)):
        return None
    actions = [_images(game, turn, kind) for kind in game.action_kinds]
    if any(a is None for a in actions):
        return None
    joined = np.concatenate([np.zeros(0, np.int64), *(a for a in actions if a is not None)])
    return GameSymmetry(game, joined, turn.seats, turn)


def _images(game: Game, turn: Symmetry, kind: ActionKind) -> Indices | None:
    """Returns the images of all actions of a kind; None if they are not a permutation."""
    numbers = kind.first + np.arange(kind.size)
    if kind.schema is not None:
        table = numbers.reshape([p.size for p in kind.parameters])
        params = game.program.schemas[kind.schema].params
        for axis, (p, core) in enumerate(zip(kind.parameters, params, strict=True)):
            image = [turn.value(core.local.type, p.low + i) - p.low for i in range(p.size)]
            table = np.take(table, image, axis=axis)
        return table.ravel()
    if not kind.parameters:
        return numbers
    texts = kind.parameters[0].names
    images = _of_texts(game, turn, kind)
    found = kind.first + np.array([texts.index(images.get(t, t)) for t in texts], np.int64)
    return found if len(set(found.tolist())) == kind.size else None


def _of_texts(game: Game, turn: Symmetry, kind: ActionKind) -> dict[str, str]:
    """Returns the images of values or outcomes, by text."""
    images: dict[str, str] = {}
    for b in game.program.blocks:
        match b.end:
            case n.Choose(var=var, names=names) if kind.kind == "choose" and isinstance(var.type, n.ElemT):
                texts, moved = [game.notation.choice_text(name) for name in names], turn.of(var.type.domain)
            case n.Chance(local=local, names=names, what=what) if kind.name == what and isinstance(local.type, n.ElemT):
                texts, moved = [chance_text(what, name) for name in names], turn.of(local.type.domain)
            case _:
                continue
        images |= {texts[i]: texts[moved[i]] for i in range(len(texts))}
    return images
