"""Environments for reinforcement learning: many games at once, in arrays, and adapters for other libraries.

Each of those libraries is imported only when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "ADAPTERS",
    "Adapter",
    "GameSymmetry",
    "VectorEnv",
    "gymnasium_env",
    "gymnasium_vector_env",
    "make_env",
    "pettingzoo_env",
    "pettingzoo_parallel_env",
    "register_gymnasium",
    "register_openspiel",
    "symmetries",
    "why_no_symmetries",
    "why_not_adapted",
    "why_not_vectorized",
]

if TYPE_CHECKING:
    from gamedsl.envs.fits import ADAPTERS, Adapter, make_env, why_not_adapted, why_not_vectorized
    from gamedsl.envs.for_gymnasium import gymnasium_env, register_gymnasium
    from gamedsl.envs.for_gymnasium_vector import gymnasium_vector_env
    from gamedsl.envs.for_openspiel import register_openspiel
    from gamedsl.envs.for_pettingzoo import pettingzoo_env
    from gamedsl.envs.for_pettingzoo_parallel import pettingzoo_parallel_env
    from gamedsl.envs.game_symmetries import GameSymmetry, symmetries, why_no_symmetries
    from gamedsl.envs.vector_env import VectorEnv
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "fits": "ADAPTERS Adapter make_env why_not_adapted why_not_vectorized",
            "for_gymnasium": "gymnasium_env register_gymnasium",
            "for_gymnasium_vector": "gymnasium_vector_env",
            "for_openspiel": "register_openspiel",
            "for_pettingzoo": "pettingzoo_env",
            "for_pettingzoo_parallel": "pettingzoo_parallel_env",
            "game_symmetries": "GameSymmetry symmetries why_no_symmetries",
            "vector_env": "VectorEnv",
        },
    )
