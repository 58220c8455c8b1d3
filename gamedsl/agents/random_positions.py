"""Positions of random games, sampled by compiled rules: what agents learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gamedsl.agents import leaf_kernel as k
from gamedsl.agents.position import USED_AT, Rules
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.compiler import Native, Reals, Words


@lazy_dataclass(frozen=True)
class RandomPositions:
    """Positions and their games. ``room``: a row of words for every position that there is room for, of which the first
    ``kept`` are used; ``owner``: the number of the game of each; ``results``: of the games, by player; ``played``: the
    plies of all games; ``mark``: see ``leaf_kernel``."""

    rules: Rules
    room: Words
    owner: Words
    results: Reals
    kept: int
    games: int
    played: int
    is_faulty: bool
    mark: int


def random_positions(native: Native, most: int, plies: int) -> RandomPositions:
    """Plays random games of about so many plies in all, and keeps at most so many positions."""
    rules = Rules(native)
    entry = np.array(rules.entries("kind", "count", "step", "returns"), dtype=np.int64)
    mark = rules.context.pointer + USED_AT if native.has_history else 0
    room, owner = np.zeros((most, rules.words), dtype=np.int64), np.zeros(most, dtype=np.int64)
    results, used = np.zeros((most, rules.players)), np.zeros(4, dtype=np.int64)
    first = np.frombuffer(bytes(native.initial(rules.context)), dtype=np.int64).copy()
    k.sample(entry, first, room, owner, results, used, plies, mark)
    kept, games, played = (int(used[at]) for at in (k.KEPT, k.MADE, k.PLAYED))
    return RandomPositions(rules, room, owner, results, kept, games, played, bool(used[k.FAULT]), mark)
