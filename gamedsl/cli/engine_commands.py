"""``play``, ``replay`` and ``perft``: rulesets that run."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_json,
    add_options,
    command,
    natural,
    read_options,
)
from gamedsl.cli.output import say, say_json
from gamedsl.source.diagnostic import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine.game import Game
    from gamedsl.engine.state import State


def add(commands: Subparsers) -> None:
    from gamedsl.terminal.arguments import add_arguments

    play = command(commands, "play", run_play, "play a ruleset at the terminal")
    add_arguments(play)
    replay = command(commands, "replay", run_replay, "go through a recorded play")
    replay.add_argument("record", metavar="RECORD", help="a file written by `gamedsl play --save`")
    replay.add_argument("--step", action="store_true", help="wait for the Enter key after every ply")
    replay.add_argument("--to", metavar="N", type=natural, help="stop after the first N plies")
    replay.add_argument("--game", metavar="FILE", help="the ruleset, for a list of moves that does not tell it")
    add_options(replay)
    perft = command(commands, "perft", run_perft, "count the sequences of choices and chance of an exact length")
    add_file(perft)
    perft.add_argument("--depth", metavar="D", type=natural, required=True, help="the length of the sequences")
    perft.add_argument("--from", dest="start", metavar="MOVES", help="moves joined by `;`, a record, or a saved state")
    perft.add_argument("--divide", action="store_true", help="count for every first ply by itself")
    add_json(perft)
    add_options(perft)


# ------------------------------------------------------------------------------------------------------- perft


def run_perft(arguments: argparse.Namespace) -> int:
    from gamedsl.engine.game import Game
    from gamedsl.engine.perft import perft
    from gamedsl.rules import load_program

    game = Game(load_program(arguments.file, read_options(arguments.option)))
    state = starting_state(game, arguments.start)
    began = time.perf_counter()
    counted = perft(state, arguments.depth, divide=arguments.divide)
    seconds = time.perf_counter() - began
    parts = counted if isinstance(counted, dict) else {}
    total = sum(parts.values()) if isinstance(counted, dict) else counted
    if arguments.json:
        data = {"game": game.program.name, "options": game.options, "depth": arguments.depth, "count": total}
        say_json(data | ({"divide": parts} if arguments.divide else {}) | {"seconds": round(seconds, 3)})
        return int(ExitCode.FINE)
    for text, count in parts.items():
        say(f"{text}: {count}")
    say(str(total))
    return int(ExitCode.FINE)


def starting_state(game: Game, start: str | None) -> State:
    """The first position, or that after some moves or of a file (a saved state, a record, a plain list of moves)."""
    if start is None:
        return game.initial_state()
    path = Path(start)
    if _is_file(path):
        return _state_of_file(game, path)
    if path.suffix and not path.suffix.isspace() and "/" in start:
        raise UsageError(f"there is no file `{start}`", code="E0002")
    state = game.initial_state()
    for text in filter(None, (m.strip() for m in start.replace("\n", ";").split(";"))):
        state = state.apply(game.parse_move(text, state))
    return state


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a long list of moves is no path
        return False


def _state_of_file(game: Game, path: Path) -> State:
    from gamedsl.engine.records import Record
    from gamedsl.rules.files import read_text

    text = read_text(path).text
    if text.lstrip().startswith("{"):
        return game.deserialize(text)
    return Record.read(path).replay(game)[-1]


# ------------------------------------------------------------------------------------------------------ replay


def run_replay(arguments: argparse.Namespace) -> int:
    from gamedsl.cli.replay import replay

    options = read_options(arguments.option)
    return replay(arguments.record, step=arguments.step, to=arguments.to, game=arguments.game, options=options)


# -------------------------------------------------------------------------------------------------------- play


def run_play(arguments: argparse.Namespace) -> int:
    from gamedsl.terminal.play import run

    return int(run(**arguments_of_play(arguments)))


def arguments_of_play(arguments: argparse.Namespace) -> dict[str, Any]:
    """What ``terminal.play.run`` is called with: all arguments of the command, the options read."""
    given = {k: v for k, v in vars(arguments).items() if k not in ("run", "command", "option")}
    return given | {"options": read_options(arguments.option)}
