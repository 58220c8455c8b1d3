"""Spaces of Gymnasium for the actions and observations of a game. Imports Gymnasium."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from gamedsl.engine import Game


def observation_box(game: Game) -> Any:
    """Returns the space of ``State.observation_tensor``, with the bounds of every entry."""
    low, high = (np.zeros(game.observation_layout.size, np.float32) for _ in range(2))
    for f in game.observation_layout.features:
        low[f.first : f.first + f.size], high[f.first : f.first + f.size] = f.low, f.high
    return spaces.Box(low, high, dtype=np.float32)


def masked(game: Game, actions: int) -> spaces.Dict:
    """Returns the space of a dict of an observation and a mask over this many actions, as in PettingZoo's classic
    games.
    """
    mask: Any = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": observation_box(game), "action_mask": mask})
