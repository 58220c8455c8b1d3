"""The adapters to other libraries, and why some do not fit a game. Other packages can register more (entry points
``gamedsl.adapters``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from gamedsl.compiler import NativeGame, why_not_observed
from gamedsl.engine import MOST_MASKED, Game
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Registry, UsageError, lazy_dataclass


@lazy_dataclass(frozen=True)
class Adapter:
    """An adapter. ``why_not``: returns why a game does not fit (None: it does); ``make``: converts a game, with
    further arguments, to an environment for another library.
    """

    why_not: Callable[[Game], str | None]
    make: Callable[..., Any]


ADAPTERS = Registry(
    "gamedsl.adapters",
    "adapter",
    Adapter,
    {
        "VectorEnv": "gamedsl.envs.fits:VECTOR_ENV",
        "gymnasium_env": "gamedsl.envs.fits:GYMNASIUM_ENV",
        "gymnasium_vector_env": "gamedsl.envs.fits:GYMNASIUM_VECTOR_ENV",
        "pettingzoo_env": "gamedsl.envs.fits:PETTINGZOO_ENV",
        "pettingzoo_parallel_env": "gamedsl.envs.fits:PETTINGZOO_PARALLEL_ENV",
        "register_openspiel": "gamedsl.envs.fits:REGISTER_OPENSPIEL",
    },
)
"""All adapters by name: those of this package, and those that other packages register."""


def make_env(adapter: str, game: Game, **options: Any) -> Any:
    """Returns the environment that an adapter makes of a game. ``options``: its further arguments. Raises
    ``UsageError`` with the reason if the game does not fit.
    """
    check_fits(game, adapter)
    return _find(adapter).make(game, **options)


def why_not_vectorized(game: NativeGame, chance: str = "inside") -> str | None:
    """Returns why a game cannot be played in lanes; None if it can. ``chance``: as for ``VectorEnv``."""
    if game.num_player_actions == 0 and chance != "caller":
        return 'no player decides anything (with chance="caller" it can)'
    if game.num_actions > MOST_MASKED:
        return f"it has {game.num_actions:,} actions, and masks hold up to {MOST_MASKED:,}"
    return why_not_observed(game)


def why_not_adapted(game: Game, adapter: str = "gymnasium_env") -> str | None:
    """Returns why a game does not fit an adapter; None if it does. Raises ``UsageError`` for an unknown adapter."""
    return _find(adapter).why_not(game)


def check_fits(game: Game, adapter: str) -> None:
    """Raises ``UsageError`` with the reason if a game does not fit an adapter."""
    reason = why_not_adapted(game, adapter)
    if reason is not None:
        raise UsageError(f"{game.title} does not fit `{adapter}`: {reason}")


def _find(name: str) -> Adapter:
    adapter = ADAPTERS.find(name)
    if adapter is None:
        raise UsageError(f"there is no adapter `{name}`", help=f"adapters: {', '.join(ADAPTERS.names())}")
    return adapter


# ---------------------------------------------------------------------------------------------------- the built-in ones


def _why_not_numbered(game: Game) -> str | None:
    """Returns why the actions of a game cannot be numbers in a fixed range; None if they can."""
    if any(isinstance(v.type, n.DrawingT) for v in game.program.variables):
        return "players draw, and drawings have no numbers"
    if game.num_player_actions == 0:
        return "no player decides anything"
    if game.num_actions > MOST_MASKED:
        return f"it has {game.num_actions:,} actions, and masks hold up to {MOST_MASKED:,}"
    return None


def _why_not_in_lanes(game: Game) -> str | None:
    native = partial(NativeGame, game.program)
    return _why_not_numbered(game) or why_not_vectorized(game if isinstance(game, NativeGame) else native())


def _make(name: str, game: Game, **options: Any) -> Any:
    # start-up: each needs a library of its own
    return getattr(import_module("gamedsl.envs"), name)(game, **options)


VECTOR_ENV = Adapter(_why_not_in_lanes, partial(_make, "VectorEnv"))
GYMNASIUM_ENV = Adapter(_why_not_numbered, partial(_make, "gymnasium_env"))
GYMNASIUM_VECTOR_ENV = Adapter(_why_not_in_lanes, partial(_make, "gymnasium_vector_env"))
PETTINGZOO_ENV = Adapter(_why_not_numbered, partial(_make, "pettingzoo_env"))
PETTINGZOO_PARALLEL_ENV = Adapter(_why_not_numbered, partial(_make, "pettingzoo_parallel_env"))


def _register_openspiel(game: Game, **options: Any) -> list[str]:
    if game.origin is None:
        raise UsageError("OpenSpiel loads a game by its file, and this one was not loaded from a file")
    # start-up: it needs a library of its own
    return list(import_module("gamedsl.envs").register_openspiel(game.origin.name, **options))


REGISTER_OPENSPIEL = Adapter(_why_not_numbered, _register_openspiel)
