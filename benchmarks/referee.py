"""How often agents play an optimal move of Connect Four: ``python benchmarks/referee.py [--positions N] [--seconds S] [AGENT ...]``.

The positions are those of random games after so many ``--plies`` (16), all different, in which nobody can win at once and not all
moves are equally good. A move is optimal if it keeps what the position is worth with best play: a win, a draw or a loss. A solver of
its own decides that, on two words of bits. Agents are ``mcts`` (tree search with playouts), ``auto`` and ``ab``, with the same CPU
time on a move; it is not clocked, but given by the rate of the moves so far (see ``auto_duel``). ``depth`` is ``gamedsl solve --method
depth``: it solves the first ``--solved`` positions, which have to be worth the same, and its CPU time is printed. In parentheses:
Wilson intervals of 95 %.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

import numpy as np
from auto_duel import Timed
from numba import njit

import gamedsl
from gamedsl.agents import Mcts
from gamedsl.agents.auto_choice import AutoChoice, Way, auto_choice
from gamedsl.agents.leaf_choice import leaf_choice
from gamedsl.agents.position import Position, compiled
from gamedsl.engine import Game, State
from gamedsl.lab.solve import solve
from gamedsl.lab.statistics import wilson

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1  # bits of a column: one more than its cells, which stays empty
BOTTOM = sum(1 << (HEIGHT * column) for column in range(COLUMNS))
BOARD = BOTTOM * ((1 << ROWS) - 1)
SLOTS = (1 << 22) + 3
WARM = 8  # searches that show an agent's rate


@njit(cache=True)
def fours(stones: int, both: int) -> int:
    """The empty cells that would complete a row of four of these stones, also those that nothing lies under yet."""
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for step in (HEIGHT, HEIGHT - 1, HEIGHT + 1):
        left, right = (stones << step) & (stones << 2 * step), (stones >> step) & (stones >> 2 * step)
        found |= left & (stones << 3 * step) | left & (stones >> step)
        found |= right & (stones >> 3 * step) | right & (stones << step)
    return found & (BOARD ^ both)


@njit(cache=True)
def bits(cells: int) -> int:
    """How many cells these are."""
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


@njit(cache=True)
def outcome(mine: int, theirs: int, low: int, high: int, keys: np.ndarray, bounds: np.ndarray) -> int:
    """What a position is worth for the player to move: 1, 0 or -1, if it lies in the window, else a bound."""
    both = mine | theirs
    free, threats = (both + BOTTOM) & BOARD, fours(theirs, both)
    if fours(mine, both) & free:
        return 1
    forced = threats & free
    if forced & (forced - 1):
        return -1
    moves = (forced if forced else free) & ~(threats >> 1)  # not below a cell where the rival would win
    if moves == 0:
        return -1 if free else 0
    key = mine + both + BOTTOM
    at = key % bounds.shape[0]
    if keys[at] == key:
        least, most = bounds[at] // 4 - 1, bounds[at] % 4 - 1
        if least >= high or least == most:
            return int(least)
        if most <= low:
            return int(most)
        low, high = max(low, least), min(high, most)
    order, ranks, count = np.zeros(COLUMNS, np.int64), np.zeros(COLUMNS, np.int64), 0
    for k in range(COLUMNS):
        column = COLUMNS // 2 + (k + 1) // 2 * (1 if k % 2 else -1)
        bit = moves & (((1 << ROWS) - 1) << (column * HEIGHT))
        if bit == 0:
            continue
        rank, i = bits(fours(mine | bit, both | bit)), count
        while i > 0 and ranks[i - 1] < rank:
            order[i], ranks[i] = order[i - 1], ranks[i - 1]
            i -= 1
        order[i], ranks[i], count = bit, rank, count + 1
    best, before = -1, low
    for k in range(count):
        best = max(best, -outcome(theirs, mine | order[k], -high, -max(low, best), keys, bounds))
        if best >= high:
            break
    keys[at], bounds[at] = key, 4 * ((best if best > before else -1) + 1) + (best if best < high else 1) + 1
    return best


class Truth:
    """What positions are worth. A position is the list of the columns played so far."""

    def __init__(self) -> None:
        self.keys, self.bounds = np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int8)

    def worth(self, columns: list[int]) -> int:
        """1, 0 or -1 for the player to move."""
        stones, heights = [0, 0], [0] * COLUMNS
        for ply, column in enumerate(columns):
            bit = 1 << (column * HEIGHT + heights[column])
            if ply == len(columns) - 1 and fours(stones[ply % 2], stones[0] | stones[1]) & bit:
                return -1
            stones[ply % 2] |= bit
            heights[column] += 1
        mine, theirs = stones[len(columns) % 2], stones[1 - len(columns) % 2]
        return int(outcome(mine, theirs, -1, 1, self.keys, self.bounds))


def column_of(move: object) -> int:
    """The column of a move of ours."""
    return "abcdefg".index(str(move)[0])


def positions(game: Game, truth: Truth, number: int, plies: int) -> Iterator[tuple[State, list[int], int]]:
    """Positions, the columns played, and what they are worth for the player to move."""
    rng, seen = random.Random(16), set[str]()
    while number:
        state = game.initial_state()
        for _ in range(plies):
            if state.is_terminal:
                break
            state = state.apply(rng.choice(state.legal_moves()))
        if state.is_terminal or repr(state.slots) in seen:
            continue
        seen.add(repr(state.slots))
        columns = [column_of(move) for move in state.history]
        later = [state.apply(move) for move in state.legal_moves()]
        if any(s.is_terminal for s in later):
            continue
        worths = [-truth.worth([*columns, column_of(s.history[-1])]) for s in later]
        if min(worths) == max(worths):
            continue
        number -= 1
        yield state, columns, max(worths)


def share(good: int, number: int) -> str:
    """A share, with its interval."""
    found = wilson(good, number)
    assert found is not None and found.low is not None and found.high is not None
    return f"{good} of {number} optimal: {found.value:.3f} ({found.low:.3f} to {found.high:.3f})"


def solved(state: State, worth: int) -> float:
    """The CPU seconds of ``solve --method depth``, whose value has to be the same."""
    began = time.process_time()
    value = solve(state, method="depth").value
    assert value == (worth if state.current_player == 0 else -worth)
    return time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", default=["mcts", "ab", "auto"], help="of these (all three)")
    parser.add_argument("--positions", type=int, default=1000, help="how many (1,000)")
    parser.add_argument("--plies", type=int, default=16, help="of a random game before a position (16)")
    parser.add_argument("--seconds", type=float, default=0.1, help="CPU seconds a move (0.1)")
    parser.add_argument("--solved", type=int, default=20, help="positions that `solve --method depth` solves, too (20)")
    arguments = parser.parse_args()
    game, truth = gamedsl.load("connect-four"), Truth()
    native = compiled(game)
    value = leaf_choice(native, "linear").value
    choices = {"mcts": None, "ab": AutoChoice(Way("ab", True), value, ""), "auto": auto_choice(native)}
    agents = {name: Timed(choices[name], arguments.seconds, name == "auto") for name in arguments.agents}
    Mcts(1, None).prepare(game)
    for agent in agents.values():
        for _ in range(WARM):
            agent.find(Position.of(game.initial_state()), 1)
        agent.spent, agent.moves = 0.0, 0
    good, seconds = dict.fromkeys(agents, 0), list[float]()
    for k, (state, columns, worth) in enumerate(positions(game, truth, arguments.positions, arguments.plies)):
        if k < arguments.solved:
            if not seconds:
                solved(state, worth)  # compiles
            seconds.append(solved(state, worth))
        for name, agent in agents.items():
            move = agent.choose(state, k)
            good[name] += -truth.worth([*columns, column_of(move)]) == worth
    for name, agent in agents.items():
        print(
            f"{name:5} {share(good[name], arguments.positions)}; {1e3 * agent.spent / max(1, agent.moves):.0f} ms a move"
        )
    if seconds:
        print(
            f"depth {len(seconds)} positions, {np.median(seconds):.2f} CPU seconds in the median, {max(seconds):.2f} at most"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
