"""The game that a test is about: a shipped name, a path, or one that is loaded already."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gamedsl
from gamedsl.engine import Game
from gamedsl.language.source import UsageError


def load_game(ruleset: str | Path | Game, options: Mapping[str, Any]) -> Game:
    """The game. Raises ``GameDSLError`` if the ruleset is wrong, ``UsageError`` if options are given for a loaded game."""
    if not isinstance(ruleset, Game):
        return gamedsl.load(ruleset, **options)
    if options:
        raise UsageError("options are given for a game that is loaded already", code="E0001")
    return ruleset
