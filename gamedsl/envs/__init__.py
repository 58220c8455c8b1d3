"""Environments for reinforcement learning: many plays at once, in arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = ["VectorEnv", "why_not_vectorized"]

if TYPE_CHECKING:
    from gamedsl.envs.game_tables import why_not_vectorized
    from gamedsl.envs.vector_env import VectorEnv
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "game_tables": "why_not_vectorized",
            "vector_env": "VectorEnv",
        },
    )
