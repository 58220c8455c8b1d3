"""Plays the levels of each ruleset against the next lower ones: ``python benchmarks/levels.py [NAME ...] [--pairs N]``.

``--calibrate`` finds the levels of rulesets first, by longer self-tests than an agent makes, and writes them into
``rulesets/levels.json``; ``--json FILE`` keeps the results of matches. ``--learned FOLDER`` plays ``learned`` against ``expert``
instead, with the values in ``NAME.net`` there, which ``gamedsl train NAME --seed 1 -o FOLDER/NAME.net`` writes.

Games of a mirrored pair begin with the same four random plies; games longer than 300 plies are draws. Nothing depends on a clock.
In parentheses: Wilson intervals of 95 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import pairwise
from pathlib import Path

import gamedsl
from gamedsl.agents import (
    MatchConditions,
    Mcts,
    compiled,
    expected_levels,
    learned_iterations,
    pairings,
    parse_agent,
    read_learned,
)
from gamedsl.agents.agent import Agent
from gamedsl.agents.level_calibration import MOST_PLIES, OPENING, CalibrationBudget, calibrated
from gamedsl.agents.levels import LEVELS, USUAL, level_iterations
from gamedsl.agents.net import Net
from gamedsl.agents.tournament import play
from gamedsl.engine import Game
from gamedsl.lab.statistics import wilson

GAMES = (
    "connect-four", "breakthrough", "reversi", "hex", "english-draughts", "amazons", "onitama", "t-tic-t-tac-toe-game",
    "x-s-and-lines", "yavalath",
)  # fmt: skip
FILE = Path(__file__).parents[1] / "rulesets" / "levels.json"
EFFORT = 250e6  # of the long self-test, for each level, in plies of playouts
SEED = 20_261  # not that of the self-test


def calibrate(name: str, effort: float, least: int) -> None:
    """Finds the levels of a ruleset and writes them at once: a run can be stopped and continued."""
    game, began = gamedsl.load(name), time.process_time()
    found = calibrated(game, USUAL, CalibrationBudget(pairs=70, least=least, effort=effort))
    kept = json.loads(FILE.read_text("utf-8"))
    kept[name] = {"digest": game.digest, "iterations": list(found)}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(kept.items())]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{name}: {found}, {time.process_time() - began:.0f} CPU seconds", flush=True)


def match(game: Game, upper: Agent, lower: Agent, pairs: int) -> tuple[float, int]:
    """The points of the upper agent, and the number of games."""
    conditions, points, games = MatchConditions(SEED, OPENING, None, MOST_PLIES), 0.0, 0
    for pairing in pairings(2, game.num_players, pairs)[: 2 * pairs]:
        points += play(game, [upper, lower], pairing, conditions).points()[0][1]
        games += 1
    return points, games


def cell(points: float, games: int) -> str:
    """A score with its interval; drawn games count as halves."""
    found = wilson(round(points), games)
    assert found is not None and found.low is not None and found.high is not None
    return f"{points / games:.2f} ({found.low:.2f} to {found.high:.2f})"


def row(name: str, pairs: int) -> dict[str, list[float]]:
    """Plays the matches of a ruleset; the results from the lowest level up."""
    game = gamedsl.load(name)
    Mcts(1, None).prepare(game)
    agents = [parse_agent(text) for text in ("random", *LEVELS)]
    return {name: [x for below, agent in pairwise(agents) for x in match(game, agent, below, pairs)]}


def learned_row(name: str, folder: Path, pairs: int) -> str:
    """Plays the level with a learned value against the highest level, with the iterations of both at tables."""
    game, path = gamedsl.load(name), folder / f"{name}.net"
    levels, learner = expected_levels(game), read_learned(path).learner(compiled(game))
    judged, highest = Net(str(path), None, None, learned_iterations(levels)), Mcts(levels[-1], None)
    points, games = match(game, judged, highest, pairs)
    return f"| {name} | {learner.games:,} | {judged.iterations:,} | {highest.iterations:,} | {cell(points, games)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=GAMES)
    parser.add_argument("--pairs", type=int, default=40, help="mirrored pairs of a match")
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument(
        "--effort", type=float, default=EFFORT, help="of a self-test, for each level, in plies of playouts"
    )
    parser.add_argument("--least", type=int, default=40, help="pairs of games of a self-test for each level, at least")
    parser.add_argument("--json", type=Path, help="read and continue the results in this file")
    parser.add_argument("--learned", type=Path, help="play `learned` against `expert`, with the values in this folder")
    arguments = parser.parse_args()
    if arguments.calibrate:
        for name in arguments.names:
            calibrate(name, arguments.effort, arguments.least)
        return 0
    if arguments.learned:
        print("| ruleset | games of self-play | iterations of learned | of expert | learned over expert |")
        print("| --- | --- | --- | --- | --- |")
        for name in arguments.names:
            print(learned_row(name, arguments.learned, arguments.pairs), flush=True)
        return 0
    done: dict[str, list[float]] = {}
    if arguments.json and arguments.json.exists():
        done = json.loads(arguments.json.read_text("utf-8"))
    print(
        "| ruleset | iterations | beginner over random | easy over beginner | medium over easy | strong over medium | expert over strong |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in arguments.names:
        if name not in done:
            done |= row(name, arguments.pairs)
            if arguments.json:
                arguments.json.write_text(json.dumps(done), "utf-8")
        scores = done[name]
        cells = [cell(scores[k], int(scores[k + 1])) for k in range(0, len(scores), 2)]
        iterations = ", ".join(f"{n:,}" for n in level_iterations(gamedsl.load(name)))
        print(f"| {name} | {iterations} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
