"""What searches of a ruleset cost: CPU time, measured once on a machine and kept in the code cache."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from gamedsl.agents import deepening, forest
from gamedsl.agents.alphabeta_memory import NODE
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.position import Position, once

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.compiler import Native

DEPTHS = (0, 4, 10, 20)  # plies of a random game after which it is measured
# iterations, and the effort of alpha-beta in the unit of ``alphabeta_memory``: the difference of two amounts counts, so that
# what a search costs once does not
ITERATIONS, EFFORT = (200, 4_000), (8_000, 160_000)
REPEATS = 3
LEAST = 0.05  # microseconds


class SearchCosts(NamedTuple):
    """CPU microseconds. ``effort``: of 1,000 units of the effort of alpha-beta with a leaf value; ``judged`` and
    ``played``: of an iteration of tree search with the leaf value and with a playout."""

    effort: float
    judged: float
    played: float


def search_costs(native: Native, value: LeafValue) -> SearchCosts:
    """Returns the costs. They differ between machines, and without a cache between processes."""
    return once(native, "search_costs", partial(_kept, native, value))


def _kept(native: Native, value: LeafValue) -> SearchCosts:
    def read(found: Any) -> SearchCosts:
        costs = SearchCosts(*map(float, found))
        if not all(LEAST <= cost < 1e9 for cost in costs):
            raise ValueError
        return costs

    return kept_data(native, "search costs", lambda: _measured(native, value), read)


def _measured(native: Native, value: LeafValue) -> list[float]:
    positions = _positions(native)

    def deepened(position: Position, effort: int) -> int:
        return NODE * deepening.search(position, 1, deepening.Budget(effort=effort), False, value).nodes

    def grown(style: forest.TreeStyle, position: Position, iterations: int) -> int:
        return sum(row.visits for row in forest.search([position.beside()], 1, iterations, None, style).rows)

    styles = forest.TreeStyle(value), forest.PLAIN
    trees = [_cost(partial(grown, style), positions, ITERATIONS) for style in styles]
    effort = 1_000 * _cost(deepened, positions, EFFORT)
    return [max(LEAST, float(f"{cost:.1e}")) for cost in (effort, *trees)]


def _cost(search: Callable[[Position, int], int], positions: list[Position], amounts: tuple[int, int]) -> float:
    """The CPU microseconds of a unit. ``search`` returns how many units it took; fewer, if it came to a result."""
    search(positions[0], 1)  # compiles the kernels
    spent, done = 0.0, 0
    for position in positions:
        (first, few), (second, many) = (_timed(partial(search, position, amount)) for amount in amounts)
        if many > 2 * few:
            spent, done = spent + max(0.0, second - first), done + many - few
    return spent / max(1, done)


def _positions(native: Native) -> list[Position]:
    """Positions of a random game in which a player chooses."""
    state, rng, found = native.game.initial_state(), Random(1), list[Position]()
    for ply in range(DEPTHS[-1] + 1):
        if state.is_terminal:
            break
        if ply in DEPTHS:
            found.append(Position.of(state))
        state = state.apply(state.propose(rng))
    return found


def _timed(run: Callable[[], int]) -> tuple[float, int]:
    """The least CPU microseconds of a few runs, and what the last one returned."""
    least, done = math.inf, 0
    for _ in range(REPEATS):
        began = time.process_time()
        done = run()
        least = min(least, time.process_time() - began)
    return least * 1e6, done
