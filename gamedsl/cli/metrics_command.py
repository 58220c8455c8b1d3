"""``metrics``: measures a game, for players of several strengths."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_games,
    add_limit,
    add_options,
    add_output,
    add_seed,
    add_time,
    command,
    load_rules,
    whole,
)
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import check_output, complain, remark, say, say_json, tell_progress, write_output
from gamedsl.cli.sharding import add_sharding, shard_runner
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.lab.metrics import GameMetrics, MeasuredPlayer

MOST_PLAYERS = 8


def add(commands: Subparsers) -> None:
    metrics = command(commands, "metrics", run_metrics)
    add_file(metrics)
    metrics.add_argument(
        "--agents", metavar="AGENTS", default="random",
        help="whose games are measured, as in random,mcts:100,mcts:2000; each kind plays all seats",
    )  # fmt: skip
    add_games(metrics, 100, "the number of games recorded for each player; for random players, a hundred times as many are "
              "counted", least=1)  # fmt: skip
    metrics.add_argument(
        "--playouts", metavar="N", type=whole(8, 1 << 20), default=100,
        help="the playouts that value a position of random players",
    )  # fmt: skip
    add_seed(metrics)
    add_sharding(metrics)
    add_limit(metrics, 100_000, "solve the game if this many positions suffice")
    metrics.add_argument(
        "--length", metavar="N", type=whole(1, 10_000), default=1000,
        help="cut a game off after this many plies and outcomes of chance",
    )  # fmt: skip
    add_time(metrics, None, "stop measuring after this many seconds, with fewer games (default: no limit)")
    metrics.add_argument("--plain", action="store_true", help="omit games of players with fewer moves, and mirroring")
    metrics.add_argument(
        "--traces", metavar="FILE", help="write the recorded games to this file, one JSON object a line (default: none)"
    )
    add_format(metrics)
    add_options(metrics)
    add_output(metrics, "write the results to this file (default: prints them)")


def run_metrics(arguments: argparse.Namespace) -> int:
    from gamedsl.compiler import NativeGame
    from gamedsl.lab.metrics import MetricsPlan, measure

    game = NativeGame(load_rules(arguments))
    check_output(arguments.output)
    check_output(None if arguments.traces is None else Path(arguments.traces))
    players = _read_players(arguments, game)
    with interruptible("stopping\n") as interruption, shard_runner(arguments) as runner:
        plan = MetricsPlan(
            game, players, arguments.games, arguments.seed, runner, arguments.length, arguments.limit,
            variants=not arguments.plain, seconds=arguments.time,
        )  # fmt: skip

        def progress(text: str) -> None:
            interruption.begun.set()
            tell_progress(text)

        found = measure(plan, interruption.stop.is_set, progress)
    tell_progress()
    _print(found, game, arguments)
    if arguments.traces is not None:
        _save(found, Path(arguments.traces))
    if found.interrupted:
        complain("interrupted: the figures are those of the games so far")
    elif found.out_of_time:
        complain("the time ran out: the figures are those of the games so far, and another machine makes others")
    return interruption.code or int(ExitCode.FINE)


def _read_players(arguments: argparse.Namespace, game: Game) -> list[MeasuredPlayer]:
    from gamedsl.agents import measured, parse_agents
    from gamedsl.lab.metrics import RandomPlayer

    players: list[MeasuredPlayer] = []
    for agent in parse_agents(arguments.agents):
        if agent.text == "random":
            players.append(RandomPlayer.of(game, arguments.playouts, arguments.length))
        else:
            agent.check(game)
            players.append(measured(agent))
    if len(players) > MOST_PLAYERS or len({p.text for p in players}) < len(players):
        raise UsageError(
            f"`--agents {arguments.agents}` names a player twice, or more than {MOST_PLAYERS} players", code="E0004"
        )
    return players


def _print(found: GameMetrics, game: Game, arguments: argparse.Namespace) -> None:
    # for start-up: only what the command needs
    from gamedsl.cli.metrics_tables import metrics_text

    line = command_line(arguments)
    if arguments.format == "json":
        data = as_json(found, game, line)
        text = json.dumps(data, indent=2, ensure_ascii=False)
    else:
        text = "\n".join(metrics_text(found, line))
    if arguments.output is not None:
        write_output(arguments.output, text + "\n")
        remark(f"written: {arguments.output}")
    elif arguments.format == "json":
        say_json(data)
    else:
        say(text)


def as_json(found: GameMetrics, game: Game, line: str) -> dict[str, Any]:
    """The metrics with what they belong to, as documented in docs/reference/metrics.md."""
    head = {"game": game.program.name, "digest": game.digest, "options": game.options, "command": line}
    return head | found.to_json()


def command_line(arguments: argparse.Namespace) -> str:
    """Returns the command that produces the same figures."""
    words = ["gamedsl", "metrics", arguments.file, "--agents", arguments.agents, "-n", str(arguments.games)]
    words += ["--seed", str(arguments.seed), "--playouts", str(arguments.playouts), "--limit", str(arguments.limit)]
    words += ["--length", str(arguments.length)]
    words += [] if arguments.time is None else ["--time", f"{arguments.time:g}"]
    words += ["--plain"] if arguments.plain else []
    for setting in arguments.settings:
        words += ["--set", setting]
    return shlex.join(words)


def _save(found: GameMetrics, path: Path) -> None:
    lines = [
        json.dumps({"player": figures.player, **trace.to_json()})
        for figures, traces in zip(found.players, found.traces, strict=True)
        for trace in traces
    ]
    write_output(path, "".join(line + "\n" for line in lines))
    remark(f"written: {len(lines)} games in {path}")
