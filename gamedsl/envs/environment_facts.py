"""The facts of a game as an environment."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.engine import Game
from gamedsl.envs.fits import ADAPTERS, why_not_adapted
from gamedsl.language.core import is_zero_sum

WIDTH = 24


def facts_text(game: Game) -> str:
    """Returns the players, actions, observations, chance, hidden information, lengths, utilities and adapters of a
    game, one fact per line.
    """
    return "\n".join(f"{name:{WIDTH}}  {value}".rstrip() for name, value in _facts(game))


def _facts(game: Game) -> Iterator[tuple[str, str]]:
    chance = game.num_actions - game.num_player_actions
    yield "game", game.title
    yield "options", ", ".join(f"{k}={v}" for k, v in game.options.items()) or "none"
    yield "players", f"{game.num_players}: {', '.join(game.players)}"
    yield "actions", f"{game.num_player_actions:,} of players, {chance:,} of chance"
    yield "choices", "several players at once" if "together" in game.kinds else "one player after the other"
    yield "chance", f"up to {game.max_chance_outcomes} outcomes at once" if chance else "none"
    yield "hidden information", "yes" if game.secrets.hides else "no"
    yield "longest play", _length(game)
    sums = ", they sum to 0" if is_zero_sum(game.program) else ""
    yield "utilities", f"{game.min_utility} to {game.max_utility}{sums}"
    layout = game.observation_layout
    yield "observation", f"{layout.size:,} numbers"
    for f in layout.features:
        yield f"  {f.name}", f"{' x '.join(map(str, f.shape)) or '1'}, {f.low} to {f.high}"
    if layout.omitted:
        yield "  not in it", ", ".join(layout.omitted)
    for adapter in ADAPTERS.names():
        reason = why_not_adapted(game, adapter)
        yield adapter, "fits" if reason is None else f"does not fit: {reason}"


def _length(game: Game) -> str:
    if game.max_game_length is not None:
        return f"{game.max_game_length:,} decisions (proved)"
    if game.claimed_game_length is not None:
        return f"{game.claimed_game_length:,} plies (claimed by the ruleset)"
    return "no bound is known"
