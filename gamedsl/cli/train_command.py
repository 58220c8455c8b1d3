"""``train``: learns the value of positions by self-play."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_games,
    add_options,
    add_output,
    add_seed,
    add_time,
    command,
    load_game,
)
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import check_output, say, say_json
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gamedsl.agents import Learner, Strength
    from gamedsl.engine import Game

SAVING = 10.0  # seconds between two times that the file is written
REPORTS = 0.2  # the share of the time that matches may take, but for the last


def add(commands: Subparsers) -> None:
    train = command(commands, "train", run_train)
    add_file(train)
    add_output(
        train,
        "the file of the learned value; an existing one is learned on (default: GAME.net, beside a ruleset of your own)",
    )
    add_time(train, None, "stop after this many seconds (default: 60, or no bound with --games)")
    add_games(train, None, "stop after this many games in all, with those of the file (default: no bound)", least=1)
    add_seed(train, "the seed of the games; a file continues with its own")
    add_format(train)
    add_options(train)


def run_train(arguments: argparse.Namespace) -> int:
    """Learns until the budget is used up, reports the strength at every doubling, and writes the file. Ctrl-C ends it
    with what has been learned so far (exit code 130)."""
    # for start-up: agents need numpy
    from gamedsl.agents import TrainingBudget, train, value_file

    game = load_game(arguments)
    path = arguments.output or value_file(arguments.file)
    check_output(path)
    learner = _begin(game, path, arguments.seed)
    learner.prepare()
    report = _Report(game, learner, arguments.format != "json")
    seconds = arguments.time if arguments.time is not None else None if arguments.games else 60.0
    deadline = None if seconds is None else report.began + seconds
    with interruptible("stopping after the current game\n") as interruption:
        interruption.begun.set()
        report.say_head(path.exists())
        saved = time.monotonic()
        for has_doubled in train(learner, TrainingBudget(deadline, arguments.games), interruption.stop):
            if has_doubled:
                report.add(interruption.stop.is_set, is_last=False)
            if time.monotonic() - saved >= SAVING:
                _save(learner, game, path)
                saved = time.monotonic()
        _save(learner, game, path)
        report.add(interruption.stop.is_set, is_last=True)
    report.say_end(path)
    return interruption.code or int(ExitCode.FINE)


def _begin(game: Game, path: Path, seed: int) -> Learner:
    """The learner of the file, or a new one."""
    from gamedsl.agents import Learner, check_trainable, compiled, read_learned

    check_trainable(game)
    if not path.exists():
        return Learner.new(compiled(game), seed)
    found = read_learned(path)
    found.check(game)
    if found.seed != seed and seed:
        raise UsageError(
            f"{path} was learned with seed {found.seed}, and not {seed}",
            help=f"Write `--seed {found.seed}` to continue with it, or another file after -o.",
        )
    return found.learner(compiled(game))


def _save(learner: Learner, game: Game, path: Path) -> None:
    from gamedsl.agents import write_learned

    write_learned(learner, game, path)


class _Report:
    """What a run shows: a row for every match."""

    def __init__(self, game: Game, learner: Learner, shows: bool) -> None:
        self.game, self.learner, self.shows = game, learner, shows
        self.began, self.matches, self.spent = time.monotonic(), list[dict[str, Any]](), 0.0

    def say_head(self, is_continued: bool) -> None:
        if not self.shows:
            return
        so_far = f", after {self.learner.games} games" if is_continued else ""
        say(f"{self.game.title}: {len(self.learner.weights)} weights, seed {self.learner.seed}{so_far}")
        say("    games  seconds  points against playouts  against the value of random games")

    def add(self, is_over: Callable[[], bool], is_last: bool) -> None:
        """Plays the matches and shows a row, unless matches have taken too much of the time."""
        from gamedsl.agents import strength

        began = time.monotonic()
        if not is_last and self.spent > REPORTS * (began - self.began):
            return
        if self.matches and self.matches[-1]["games"] == self.learner.games:
            return
        found = strength(self.game, self.learner, is_over)
        self.spent += time.monotonic() - began
        if found is not None:
            self.matches.append(
                {"games": self.learner.games, "seconds": round(began - self.began, 3), **_points(found)}
            )
            if self.shows:
                say(_row(self.matches[-1]))

    def say_end(self, path: Path) -> None:
        size = path.stat().st_size
        if self.shows:
            say(f"written: {path} ({size / 1000:.0f} kB, {self.learner.games} games); it plays as the agent net:{path}")
            return
        say_json({
            "game": self.game.program.name, "options": self.game.options, "digest": self.game.digest,
            "seed": self.learner.seed, "games": self.learner.games, "matches": self.matches,
            "output": str(path), "bytes": size, "seconds": round(time.monotonic() - self.began, 3),
        })  # fmt: skip


def _points(found: Strength) -> dict[str, Any]:
    from gamedsl.agents import MATCH_GAMES

    return {"playouts": found.playouts, "random_games": found.fitted, "of": MATCH_GAMES}


def _row(match: dict[str, Any]) -> str:
    points = [f"{p:g} of {match['of']}" if p is not None else "-" for p in (match["playouts"], match["random_games"])]
    return f"  {match['games']:>7}  {match['seconds']:>7.1f}  {points[0]:>23}  {points[1]:>33}"
