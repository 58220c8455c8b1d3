"""Rules of abstract games as text: read, checked, played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from gamedsl.language.source import offered

if TYPE_CHECKING:
    from pathlib import Path

    from gamedsl.engine import Game, Move, State
    from gamedsl.language.source import GameDSLError, UsageError
else:
    __getattr__, __dir__ = offered(
        __name__, {"engine": "Game Move State", "language.source": "GameDSLError UsageError"}
    )

__all__ = ["Game", "GameDSLError", "Move", "State", "UsageError", "__version__", "load"]
__version__ = "0.2.0"


def load(
    name: str | Path, /, backend: Literal["interpreter", "native"] = "interpreter", **options: str | int | bool
) -> Game:
    """The game of a ruleset: a path (.gdl, .json, .yaml) or the name of a shipped one, with its options' values.

    ``backend``: what answers for moves. "interpreter" is the reference; "native" compiles the rules to machine code with
    the same answers (reasons of ``why_not`` still come from the reference).

    Raises GameDSLError with every error of the ruleset, UsageError for a missing file, a bad option or backend.
    """
    from gamedsl.engine import InterpretedGame, Origin
    from gamedsl.language.rules import find_ruleset, load_program

    program = load_program(name, options)
    origin = Origin(str(name), find_ruleset(str(name)).resolve(), tuple(options.items()))
    if backend == "native":
        from gamedsl.language.source import missing_library

        try:
            from gamedsl.compiler import NativeGame

            return NativeGame(program, origin)
        except ImportError as error:
            raise (missing_library(error) or error) from None
    if backend != "interpreter":
        from gamedsl.language.source import UsageError

        raise UsageError(f"there is no backend `{backend}`: interpreter or native", code="E0001")
    return InterpretedGame(program, origin)
