"""Many random games, made and counted by compiled code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Native, compile_program
from gamedsl.engine import Game
from gamedsl.lab.base import Ints
from gamedsl.lab.simulate import FAILED, NativePlays, Plan
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

AT_ONCE = 1 << 9  # games between two looks whether to stop


@lazy_dataclass(frozen=True)
class RandomGames:
    """The results of random games: per game, whether it was ``finished``, its ``lengths``, its ``results`` (utilities,
    shape (games, players)), the sum of its numbers of choices, and how often there was one (``choices``, shape
    (games, 2)), and the logarithm of the product of all numbers of choices and outcomes (``widths``).
    """

    finished: npt.NDArray[np.bool_]
    lengths: Ints
    results: Ints
    choices: Ints
    widths: npt.NDArray[np.float64]


def play_random_games(
    game: Game,
    numbers: range,
    seed: int,
    most: int,
    stopped: Callable[[], bool],
    native: Native | None = None,
    every: int = 1,
) -> RandomGames | None:
    """Makes the random games with these numbers on compiled rules; fewer if stopped. None if players draw, or a game
    fails there. ``native``: the code to use (None: the optimized one, which is kept). ``every``: see ``Plan``.
    """
    if any(isinstance(b.end, n.DecideDrawing) for b in game.program.blocks):
        return None
    plays = NativePlays(Plan.of(game, seed=seed, most=most, every=every), native or compile_program(game.program, game))
    found = []
    for first in numbers[::AT_ONCE]:
        if stopped():
            break
        counts = plays.counted(first, min(AT_ONCE, numbers.stop - first))
        if (counts.status == FAILED).any():
            return None
        found.append(counts)
    if not found:
        return None
    return RandomGames(
        np.concatenate([c.status == 0 for c in found]),
        np.concatenate([c.plies for c in found]),
        np.concatenate([c.results for c in found]),
        np.concatenate([c.choices for c in found]),
        np.concatenate([c.widths for c in found]),
    )
