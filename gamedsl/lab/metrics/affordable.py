"""How many games fit into a number of steps: a budget that is the same on every machine, unlike a time."""

from __future__ import annotations

from gamedsl.engine import Game
from gamedsl.lab.metrics.random_games import RandomGames, play_random_games
from gamedsl.lab.metrics.random_player import ACTION_SHARE, RandomPlayer
from gamedsl.lab.shards import never

TRIED = 64  # random games that show how long a game is
LEAST = 2


def affordable_games(player: RandomPlayer, game: Game, seed: int, most: int, steps: float) -> int:
    """Returns how many recorded games with about ``steps`` plies of playouts there can be: from 2 to ``most``."""
    tried = _tried(game, seed, player.plies)
    if tried is None:
        return most
    length, choices = _means(tried)
    values = length * player.playouts + player.details * choices * 2 * max(1, player.playouts // ACTION_SHARE)
    return int(min(most, max(LEAST, steps // max(1.0, values * length / 2))))


def affordable_rungs(game: Game, seed: int, plies: int, most: int, games: int, steps: float) -> int:
    """Returns how many players of a ladder can play ``games`` games against the one below with about ``steps`` plies of
    playouts, if each searches twice as much as the one below: at most ``most``. ``plies``: of a longest game."""
    tried = _tried(game, seed, plies)
    if tried is None:
        return most
    length, _ = _means(tried)
    rungs = 1
    while rungs < most:
        steps -= games * length * length / 2 * 0.75 * 2**rungs  # half of the moves are searched half as long
        if steps < 0:
            break
        rungs += 1
    return rungs


def _tried(game: Game, seed: int, plies: int) -> RandomGames | None:
    return play_random_games(game, range(TRIED), seed, plies, never)


def _means(games: RandomGames) -> tuple[float, float]:
    """Returns the mean length and the mean number of choices."""
    plies = games.lengths.sum()
    return float(games.lengths.mean()), float(games.choices[:, 0].sum() / max(1, plies))
