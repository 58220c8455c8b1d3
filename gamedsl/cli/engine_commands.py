"""``play``, ``replay`` and ``perft``: commands that run rulesets."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

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
from gamedsl.cli.overview import overview
from gamedsl.source.bounded_read import is_regular
from gamedsl.source.diagnostic import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine.game import Game
    from gamedsl.engine.state import State

    Count: TypeAlias = Callable[[State, int], int]


def add(commands: Subparsers) -> None:
    from gamedsl.terminal.arguments import add_arguments

    play = command(commands, "play", run_play)
    add_arguments(play)
    replay = command(commands, "replay", run_replay)
    replay.add_argument(
        "record",
        metavar="RECORD",
        nargs="?",
        help="a file written by `gamedsl play --save`, or a number of the list that is printed without an argument",
    )
    replay.add_argument("--step", action="store_true", help="wait for the Enter key after every ply")
    replay.add_argument("--to", metavar="N", type=natural, help="stop after the first N plies")
    replay.add_argument("--seat", metavar="NAME", help="show only what this player may know")
    replay.add_argument("--save", metavar="FILE", help="with --seat: write what this player may know as a record")
    replay.add_argument("--game", metavar="FILE", help="the ruleset, for a list of moves that does not tell it")
    add_options(replay)
    perft = command(commands, "perft", run_perft)
    add_file(perft)
    perft.add_argument("--depth", metavar="D", type=natural, required=True, help="the length of the sequences")
    perft.add_argument("--from", dest="start", metavar="MOVES", help="moves joined by `;`, a record, or a saved state")
    perft.add_argument("--divide", action="store_true", help="count for every first ply by itself")
    perft.add_argument(
        "--backend",
        choices=("native", "interpreter"),
        default="native",
        help="native: compiled rules (the default); interpreter: the reference, which remembers equal positions",
    )
    add_json(perft)
    add_options(perft)


# ------------------------------------------------------------------------------------------------------- perft


def run_perft(arguments: argparse.Namespace) -> int:
    from gamedsl.engine.game import Game
    from gamedsl.rules import load_program

    game = Game(load_program(arguments.file, read_options(arguments.option)))
    state = starting_state(game, arguments.start)
    count = _compiled_count(game) if arguments.backend == "native" else _interpreted_count
    began = time.perf_counter()
    if arguments.divide:
        parts = _divided(state, arguments.depth, count)
        total = sum(parts.values())
    else:
        parts, total = {}, count(state, arguments.depth)
    seconds = time.perf_counter() - began
    if arguments.json:
        data = {"game": game.program.name, "options": game.options, "depth": arguments.depth, "count": total}
        data |= {"divide": parts} if arguments.divide else {}
        say_json(data | {"backend": arguments.backend, "seconds": round(seconds, 3)})
        return int(ExitCode.FINE)
    for text, one in parts.items():
        say(f"{text}: {one}")
    say(str(total))
    return int(ExitCode.FINE)


def _divided(state: State, depth: int, count: Count) -> dict[str, int]:
    """The count below each first ply."""
    from gamedsl.engine.perft import branches

    return {text: count(after, depth - 1) for text, after in branches(state)} if depth > 0 else {}


def _interpreted_count(state: State, depth: int) -> int:
    from gamedsl.engine.perft import count

    return count(state, depth)


def _compiled_count(game: Game) -> Count:
    """Counts with compiled rules in a separate thread, so that Ctrl-C takes effect at once."""
    from gamedsl.native import NativeError, compile_program

    try:
        native = compile_program(game.program, game)
    except NativeError as problem:
        raise UsageError(f"the rules can't be compiled: {problem}", help="use `--backend interpreter`") from problem

    def count(state: State, depth: int) -> int:
        answer: Future[int] = Future()

        def work() -> None:
            try:
                answer.set_result(native.perft(state, depth))
            except BaseException as problem:
                answer.set_exception(problem)

        threading.Thread(target=work, daemon=True).start()
        return answer.result()

    return count


def starting_state(game: Game, start: str | None) -> State:
    """The initial state, or the state after some moves or from a file (a saved state, a record or a plain list of
    moves)."""
    if start is None:
        return game.initial_state()
    path = Path(start)
    if is_regular(path):  # (a long list of moves is not a path)
        return _state_of_file(game, path)
    if path.suffix and not path.suffix.isspace() and "/" in start:
        raise UsageError(f"there is no file `{start}`", code="E0002")
    state = game.initial_state()
    for text in filter(None, (m.strip() for m in start.replace("\n", ";").split(";"))):
        state = state.apply(game.parse_move(text, state))
    return state


def _state_of_file(game: Game, path: Path) -> State:
    from gamedsl.engine.records.record import Record
    from gamedsl.rules.files import read_text

    text = read_text(path).text
    if text.lstrip().startswith("{"):
        return game.deserialize(text)
    return Record.read(path).replay(game)[-1]


# ------------------------------------------------------------------------------------------------------ replay


def run_replay(arguments: argparse.Namespace) -> int:
    # for start-up: only what the command needs
    from gamedsl.cli.replay import list_plays, replay

    if arguments.record is None:
        return list_plays()
    options = read_options(arguments.option)
    return replay(
        arguments.record,
        step=arguments.step,
        to=arguments.to,
        game=arguments.game,
        options=options,
        seat=arguments.seat,
        save=arguments.save,
    )


# -------------------------------------------------------------------------------------------------------- play


def run_play(arguments: argparse.Namespace) -> int:
    from gamedsl.terminal.saving.kept_plays import kept_plays

    named = arguments.game is not None or arguments.resume is not None
    if not named and (arguments.no_save or all(play.result for play in kept_plays())):
        say(overview())
        return int(ExitCode.FINE)
    from gamedsl.terminal.play import go_on, run

    given = arguments_of_play(arguments)
    code = run(**given) if named else go_on(**given)
    if code is None:
        say(overview())
    return int(ExitCode.FINE if code is None else code)


def arguments_of_play(arguments: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of ``terminal.play.run``: the command's arguments, with the options parsed."""
    given = {k: v for k, v in vars(arguments).items() if k not in ("run", "command", "option")}
    return given | {"options": read_options(arguments.option)}
