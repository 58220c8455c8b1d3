"""Rules of abstract games as text: read, checked, played."""

from __future__ import annotations

from pathlib import Path

from gamedsl.engine.game import Game
from gamedsl.engine.moves import Move
from gamedsl.engine.state import State
from gamedsl.rules import load_program
from gamedsl.source.diagnostic import GameDSLError, UsageError

__all__ = ["Game", "GameDSLError", "Move", "State", "UsageError", "__version__", "load"]
__version__ = "0.1.0"


def load(name: str | Path, /, **options: str | int | bool) -> Game:
    """The game of a ruleset: a path (.gdl, .json, .yaml) or the name of a shipped one, with its options' values.

    Raises GameDSLError with every error of the ruleset, UsageError for a missing file or a bad option.
    """
    return Game(load_program(name, options))
