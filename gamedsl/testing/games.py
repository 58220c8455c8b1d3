"""The game under test: a shipped name, a path, or a loaded game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gamedsl
from gamedsl.engine import Game
from gamedsl.language.source import UsageError


def load_game(ruleset: str | Path | Game, options: Mapping[str, Any]) -> Game:
    """Returns the game. Raises ``GameDSLError`` if the ruleset is wrong, and ``UsageError`` for options of a loaded
    game.
    """
    if not isinstance(ruleset, Game):
        return gamedsl.load(ruleset, **options)
    if options:
        raise UsageError("options go with the name of a ruleset; this game is already loaded", code="E0001")
    return ruleset
