"""The leaf value of a ruleset: that of random games, or a better one learned from a few seconds of self-play.

Random games teach what wins among players who do not look: in chess, that a knight is worth nothing. So alpha-beta plays
some generations of games against itself, and the value is fitted anew to the newer half of those that somebody has won.
A short match decides between it and the value of random games. All of it is made once for a ruleset and kept in the
code cache. (Sources: see ``learning``, which goes on for longer.)
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.agents.contender import match
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.leaf_value import (
    POSITIONS,
    STEPS,
    Features,
    Fit,
    LeafValue,
    columns_of,
    leaf_value,
    read_weights,
    weights_of,
)
from gamedsl.agents.position import once
from gamedsl.agents.self_play import Habits, SelfPlay

if TYPE_CHECKING:
    from gamedsl.compiler import Native, Words

SECONDS = 20.0  # CPU time for all generations, about
GENERATIONS = 4
GAMES = (100, 50, 25)  # of a generation: the first number that the seconds are enough for
HABITS = Habits(effort=1_600, stray=8, most_plies=300)
TRIAL = 4  # games that show how long one takes
SINGLE = 100.0  # the penalty of one element, for each position of a game
FEWEST = 10  # games with a winner that a value is fitted to
PAIRS = 6  # of the match, at most


def best_value(native: Native) -> LeafValue | None:
    """Returns the leaf value for a game that ``leaf_value`` is for: the better one of those of self-play and of random
    games; None if random games teach nothing."""
    return once(native, "best_value", partial(_chosen, native))


def _chosen(native: Native) -> LeafValue | None:
    random = leaf_value(native)
    return None if random is None else _kept(native, random)


def _kept(native: Native, random: LeafValue) -> LeafValue:
    def make() -> dict[str, object]:
        learned = _learned(native, random)
        points, games = (0.0, 0) if learned is None else match(native, learned, random, PAIRS)
        if learned is None or 2 * points <= games:
            return {"games": 0, "points": points, "of": games}
        return {"games": learned.games, "points": points, "of": games, "weights": learned.weights.tolist()}

    def read(found: Any) -> LeafValue:
        logging.getLogger("gamedsl").info(
            "self-play: %g of %d points against the value of random games", float(found["points"]), int(found["of"])
        )
        if not found["games"]:
            return random
        weights = read_weights(found["weights"], len(random.weights))
        return replace(random, weights=weights, games=int(found["games"]))

    return kept_data(native, "self-play value", make, read)


def _learned(native: Native, random: LeafValue) -> LeafValue | None:
    """The value after all generations; None if games take too long, or too few have a winner."""
    games = _affordable(native, random)
    features, value = Features.of(native.frame, native.program), None
    won: list[tuple[Words, float]] = []
    for generation in range(GENERATIONS if games else 0):
        table = SelfPlay(native, 1, value or random, HABITS)
        found = [table.play(generation * games + game) for game in range(games)]
        newer = won[len(won) // 2 :] if generation else []
        won = newer + [(blocks, result) for blocks, result in found if result]
        value = _fitted(features, won, random) or value
    return None if value is None else replace(value, games=GENERATIONS * games)


def _affordable(native: Native, value: LeafValue) -> int:
    """The number of games of a generation, by the CPU time of a few; 0 if the seconds are not enough for the least."""
    table = SelfPlay(native, 2, value, HABITS)
    table.prepare()
    began, most = time.process_time(), SECONDS / GENERATIONS
    for game in range(TRIAL):
        table.play(game)
        if time.process_time() - began > most / GAMES[-1] * TRIAL:
            return 0
    each = (time.process_time() - began) / TRIAL
    return next((games for games in GAMES if games * each <= most), 0)


def _fitted(features: Features, won: list[tuple[Words, float]], random: LeafValue) -> LeafValue | None:
    """The value that fits these games best."""
    if len(won) < FEWEST:
        return None
    blocks = np.concatenate([found for found, _ in won])
    results = np.concatenate([np.full(len(found), result) for found, result in won])
    gap = -(-len(blocks) // POSITIONS)
    blocks, results = blocks[::gap], results[::gap]
    fit = Fit.of(columns_of(blocks, features), features.sums, np.rint(results * STEPS))
    if fit is None:
        return None
    length = len(blocks) / len(won)  # all positions of a game have one result, so they count as much as one
    return replace(random, weights=weights_of(*fit.solve(SINGLE * length, length)))
