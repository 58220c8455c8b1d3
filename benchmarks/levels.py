"""Plays the levels of each ruleset against the next lower ones: ``python benchmarks/levels.py [NAME ...] [--pairs N]``.

``--calibrate`` finds the levels of rulesets first, by longer self-tests than an agent makes, and writes them into
``rulesets/levels.json``. ``--json FILE`` adds the results of matches to those of other seeds, and shows all of them; with
``--pairs 0``, it plays none. ``--learned FOLDER`` plays ``learned`` against ``expert`` instead, with the values in ``NAME.net``
there, which ``gamedsl train NAME --seed 1 -o FOLDER/NAME.net`` writes.

Games of a mirrored pair begin with the same four random plies; games longer than 300 plies are draws. Nothing depends on a clock.
In parentheses: Wilson intervals of 95 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import gamedsl
from gamedsl.agents import (
    MatchConditions,
    Mcts,
    compiled,
    expected_levels,
    known_levels,
    learned_iterations,
    pairings,
    parse_agent,
    read_learned,
)
from gamedsl.agents.agent import Agent
from gamedsl.agents.learned_level import PART, LearnedMatch, match_counts
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
FILE = Path(__file__).parents[1] / "rulesets/levels.json"
EFFORT = 250e6  # of the long self-test, for each level, in plies of playouts
SEED = 20_261  # not that of the self-test
OF_LEARNED = "ruleset | games of self-play | iterations of learned | of expert | learned over expert"
VERDICTS = "ruleset | a sixteenth of the iterations | points | verdict | all iterations | points | verdict"
# points and games of matches, by ruleset, iterations of both sides and seed
Results = dict[str, dict[str, dict[str, tuple[float, int]]]]


def calibrate(name: str, effort: float, least: int, stay: int) -> None:
    """Finds the levels of a ruleset and writes them at once: a run can be stopped and continued. ``stay``: how many of the highest
    levels stay as they are."""
    game, began = gamedsl.load(name), time.process_time()
    budget = CalibrationBudget(pairs=max(70, least), least=least, effort=effort)
    found = calibrated(game, USUAL, budget, known_levels(game)[len(LEVELS) - stay :])
    kept = json.loads(FILE.read_text("utf-8"))
    kept[name] = {"digest": game.digest, "iterations": list(found)}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(kept.items())]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{name}: {found}, {time.process_time() - began:.0f} CPU seconds", flush=True)


def match(game: Game, upper: Agent, lower: Agent, pairs: int, seed: int = SEED) -> tuple[float, int]:
    """The points of the upper agent, and the number of games."""
    conditions = MatchConditions(seed, OPENING, None, MOST_PLIES)
    schedule = pairings(2, game.num_players, pairs)[: 2 * pairs]
    points = (play(game, [upper, lower], pairing, conditions).points()[0][1] for pairing in schedule)
    return sum(points), len(schedule)


def cell(points: float, games: int) -> str:
    """A score with its interval; drawn games count as halves."""
    found = wilson(round(points), games)
    return f"{points / games:.2f} ({found.low:.2f} to {found.high:.2f})" if found else ""


def pairs_of_levels(game: Game) -> list[tuple[int, int]]:
    """The iterations of each level and of the one below it, from the lowest up; those of a random player are 0."""
    return list(pairwise((0, *level_iterations(game))))


def play_step(name: str, step: int, pairs: int, seed: int, done: Results) -> None:
    """Plays a step between levels of a ruleset, unless ``done`` has it with this seed, and adds what it brings. Step 1: beginner
    over random; step 5: expert over strong."""
    game = gamedsl.load(name)
    below, upper = pairs_of_levels(game)[step - 1]
    of_pair = done.setdefault(name, {}).setdefault(f"{below} {upper}", {})
    if str(seed) not in of_pair:
        Mcts(1, None).prepare(game)
        lower = Mcts(below, None) if below else parse_agent("random")
        of_pair[str(seed)] = match(game, Mcts(upper, None), lower, pairs, seed)


def table_row(name: str, done: Results) -> str:
    """The results of a ruleset, of all seeds together."""
    levels, of_pairs = pairs_of_levels(gamedsl.load(name)), done.get(name, {})
    found = [of_pairs.get(f"{below} {upper}", {}).values() for below, upper in levels]
    cells = [cell(sum(points for points, _ in seeds), sum(games for _, games in seeds)) for seeds in found]
    return f"| {name} | {', '.join(f'{upper:,}' for _, upper in levels)} | {' | '.join(cells)} |"


def learned_row(name: str, folder: Path, pairs: int) -> str:
    """Plays the level with a learned value against the highest level, with the iterations of both at tables."""
    game, path = gamedsl.load(name), folder / f"{name}.net"
    levels, learner = expected_levels(game), read_learned(path).learner(compiled(game))
    judged, highest = Net(str(path), None, None, learned_iterations(levels)), Mcts(levels[-1], None)
    points, games = match(game, judged, highest, pairs)
    return f"| {name} | {learner.games:,} | {judged.iterations:,} | {highest.iterations:,} | {cell(points, games)} |"


def verdict_row(name: str, folder: Path) -> str:
    """The verdicts about a learned value: of the match that admits it, and of the same match with all iterations of tables."""
    game, value, cells = gamedsl.load(name), read_learned(folder / f"{name}.net"), []
    for part in (PART, 1):
        iterations = max(1, expected_levels(game)[-1] // part)
        found = LearnedMatch(value, match_counts(compiled(game), value, iterations))
        cells += [f"{iterations:,}", f"{found.counts.mean:.2f} of {2 * found.counts.pairs}", found.verdict]
    return f"| {name} | {' | '.join(cells)} |"


def show(titles: str, names: Sequence[str], row: Callable[[str], str]) -> None:
    """A table, row by row."""
    print(f"| {titles} |\n{'| --- ' * (titles.count('|') + 1)}|")
    for name in names:
        print(row(name), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=GAMES)
    parser.add_argument("--pairs", type=int, default=40, help="mirrored pairs of a match")
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument(
        "--effort", type=float, default=EFFORT, help="of a self-test for each level, in plies of playouts"
    )
    parser.add_argument("--least", type=int, default=40, help="pairs of games of a self-test for each level, at least")
    parser.add_argument("--seed", type=int, default=SEED, help="of the games")
    parser.add_argument("--step", type=int, action="append", choices=range(1, 6), help="only this one; 1 is the lowest")
    parser.add_argument("--stay", type=int, default=0, help="so many of the highest levels stay in a self-test")
    parser.add_argument("--json", type=Path, help="add to the results in this file, and show those of all seeds")
    parser.add_argument("--learned", type=Path, help="play `learned` against `expert`, with the values in this folder")
    parser.add_argument("--verdicts", action="store_true", help="with a part of the iterations, and with all")
    arguments = parser.parse_args()
    is_kept = arguments.json and arguments.json.exists()
    done: Results = json.loads(arguments.json.read_text("utf-8")) if is_kept else {}

    def levels(name: str) -> str:
        for step in arguments.step or range(1, 6) if arguments.pairs else ():
            play_step(name, step, arguments.pairs, arguments.seed, done)
            if arguments.json:
                arguments.json.write_text(json.dumps(done, indent=1), "utf-8")
        return table_row(name, done)

    if arguments.calibrate:
        for name in arguments.names:
            calibrate(name, arguments.effort, arguments.least, arguments.stay)
    elif arguments.verdicts:
        show(VERDICTS, arguments.names, lambda name: verdict_row(name, arguments.learned))
    elif arguments.learned:
        show(OF_LEARNED, arguments.names, lambda name: learned_row(name, arguments.learned, arguments.pairs))
    else:
        steps = " | ".join(f"{level} over {below}" for below, level in pairwise(("random", *LEVELS)))
        show(f"ruleset | iterations | {steps}", arguments.names, levels)
    return 0


if __name__ == "__main__":
    sys.exit(main())
