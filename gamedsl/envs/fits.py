"""Which adapters fit a game, and why the others do not."""

from __future__ import annotations

from gamedsl.compiler import NativeGame, why_not_observed
from gamedsl.engine import MOST_MASKED, Game
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError

ADAPTERS = (
    "VectorEnv",
    "gymnasium_env",
    "gymnasium_vector_env",
    "pettingzoo_env",
    "pettingzoo_parallel_env",
    "register_openspiel",
)


def why_not_vectorized(game: NativeGame, chance: str = "inside") -> str | None:
    """Why a game cannot be played in lanes, or None if it can. ``chance``: as for ``VectorEnv``."""
    if game.num_player_actions == 0 and chance != "caller":
        return 'no player decides anything (with chance="caller" it can)'
    if game.num_actions > MOST_MASKED:
        return f"it has {game.num_actions:,} actions, and masks hold up to {MOST_MASKED:,}"
    return why_not_observed(game)


def why_not_adapted(game: Game, adapter: str = "gymnasium_env") -> str | None:
    """Why a game does not fit an adapter (one of ``ADAPTERS``), or None if it does."""
    if adapter not in ADAPTERS:
        raise UsageError(f"there is no adapter `{adapter}`", help=f"adapters: {', '.join(ADAPTERS)}")
    if any(isinstance(v.type, n.DrawingT) for v in game.program.variables):
        return "players draw, and drawings have no numbers"
    if game.num_player_actions == 0:
        return "no player decides anything"
    if game.num_actions > MOST_MASKED:
        return f"it has {game.num_actions:,} actions, and masks hold up to {MOST_MASKED:,}"
    if adapter in ("VectorEnv", "gymnasium_vector_env"):
        return why_not_vectorized(game if isinstance(game, NativeGame) else NativeGame(game.program))
    return None


def check_fits(game: Game, adapter: str) -> None:
    """Raises ``UsageError`` with the reason if a game does not fit an adapter."""
    reason = why_not_adapted(game, adapter)
    if reason is not None:
        raise UsageError(f"{game.title} does not fit `{adapter}`: {reason}")
