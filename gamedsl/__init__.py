"""Rules of abstract games as text: read, checked, played."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pathlib import Path

    from gamedsl.engine.game import Game
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State
    from gamedsl.source.diagnostic import GameDSLError, UsageError

__all__ = ["Game", "GameDSLError", "Move", "State", "UsageError", "__version__", "load"]
__version__ = "0.1.0"

# Imported when first asked for, so that `gamedsl --help` need not load the engine.
_HOMES = {
    "Game": "gamedsl.engine.game",
    "GameDSLError": "gamedsl.source.diagnostic",
    "Move": "gamedsl.engine.moves",
    "State": "gamedsl.engine.state",
    "UsageError": "gamedsl.source.diagnostic",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


def load(
    name: str | Path, /, backend: Literal["interpreter", "native"] = "interpreter", **options: str | int | bool
) -> Game:
    """The game of a ruleset: a path (.gdl, .json, .yaml) or the name of a shipped one, with its options' values.

    ``backend``: what answers for moves. "interpreter" is the reference; "native" compiles the rules to machine code with
    the same answers (reasons of ``why_not`` still come from the reference).

    Raises GameDSLError with every error of the ruleset, UsageError for a missing file, a bad option or backend.
    """
    from gamedsl.rules import load_program

    program = load_program(name, options)
    if backend == "native":
        from gamedsl.native.host.game import NativeGame

        return NativeGame(program)
    if backend != "interpreter":
        from gamedsl.source.diagnostic import UsageError

        raise UsageError(f"there is no backend `{backend}`: interpreter or native", code="E0001")
    from gamedsl.engine.game import Game

    return Game(program)
