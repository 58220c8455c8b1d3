"""``play``, ``replay``, ``position`` and ``perft``: commands that run rulesets."""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_options,
    add_output,
    command,
    natural,
    read_options,
)
from gamedsl.cli.output import say, say_json, write_output
from gamedsl.cli.overview import overview
from gamedsl.cli.starting_position import add_position, add_start, seat_named, starting_state, state_of_position
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game, State
    from gamedsl.language.core import nodes as n
    from gamedsl.play.terminal import PlayConfig

    Count: TypeAlias = Callable[[State, int], int]


def add(commands: Subparsers) -> None:
    from gamedsl.play.terminal import add_arguments

    play = command(commands, "play", run_play)
    add_arguments(play)
    add_options(play)
    replay = command(commands, "replay", run_replay)
    replay.add_argument(
        "record",
        metavar="RECORD",
        nargs="?",
        help="a file written by `gamedsl play --save`, or a number of the list that is printed without an argument",
    )
    replay.add_argument("--step", action="store_true", help="wait for Enter after every ply")
    replay.add_argument("--to", metavar="N", type=natural, help="stop after the first N plies")
    replay.add_argument("--seat", metavar="NAME", help="show only what this player may know")
    replay.add_argument("--save", metavar="FILE", help="with --seat: write what this player may know as a record")
    replay.add_argument("--html", metavar="FILE", help="write a page to go through the play in a browser")
    replay.add_argument("--game", metavar="FILE", help="the ruleset, for a list of moves that does not name it")
    replay.add_argument(
        "--moves",
        metavar="MOVES",
        help="show these moves of `--game` in place of a record: joined by `;`, or one a line",
    )
    _add_notation(replay)
    add_options(replay)
    _add_position(commands)
    perft = command(commands, "perft", run_perft)
    add_file(perft)
    perft.add_argument("--depth", metavar="D", type=natural, required=True, help="the length of the sequences")
    add_start(perft)
    perft.add_argument("--divide", action="store_true", help="count separately for every first ply")
    perft.add_argument(
        "--turns",
        action="store_true",
        help="count whole turns, not plies: all that a player does until another is to act, such as the jumps of a capture",
    )
    _add_notation(perft)
    perft.add_argument(
        "--backend",
        choices=("native", "interpreter"),
        default="native",
        help="native: compiled rules (the default); interpreter: the reference, which caches equal positions",
    )
    add_format(perft)
    add_options(perft)


def _add_notation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--notation", metavar="NAME", help="write moves in a notation that the ruleset declares")


# ---------------------------------------------------------------------------------------------------- position


def _add_position(commands: Subparsers) -> None:
    position = command(commands, "position", run_position)
    add_file(position)
    position.add_argument(
        "start", metavar="FROM", nargs="?", help="moves joined by `;`, a record, or a saved state (the first position)"
    )
    add_position(position)
    position.add_argument("--seat", metavar="NAME", help="only what this player may know")
    position.add_argument("--to", metavar="NAME", help="in a notation that the ruleset declares")
    position.add_argument("--no-history", action="store_true", help="leave out the positions that were noted")
    add_output(position, "write the text to this file instead of printing it")
    add_format(position)
    add_options(position)


def run_position(arguments: argparse.Namespace) -> int:
    from gamedsl.engine import InterpretedGame, position_data, yaml_of_position
    from gamedsl.language.rules import load_program

    game = InterpretedGame(load_program(arguments.file, read_options(arguments.settings)))
    state = starting_state(game, arguments.start, arguments.position)
    seat = None if arguments.seat is None else seat_named(game, arguments.seat)
    if arguments.to is not None:
        if seat is not None and game.secrets.hides:
            raise UsageError("a notation says everything, also what a player may not know", help="leave `--seat` out")
        text = state.position_text(to=arguments.to) + "\n"
        return _put(text, arguments.output)
    data = position_data(state, seat)
    if arguments.no_history:
        data.pop("history", None)
    text = (
        json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        if arguments.format == "json"
        else yaml_of_position(data, state)
    )
    return _put(text, arguments.output)


def _put(text: str, path: Path | None) -> int:
    """Prints a text, or writes it to a file."""
    if path is None:
        say(text.rstrip("\n"))
    else:
        write_output(path, text)
    return int(ExitCode.FINE)


# ------------------------------------------------------------------------------------------------------- perft


def run_perft(arguments: argparse.Namespace) -> int:
    from gamedsl.engine import InterpretedGame, branches, count_leaves, count_turns, turns
    from gamedsl.language.rules import load_program

    compiled = arguments.backend == "native"
    program = load_program(arguments.file, read_options(arguments.settings))
    game = _compiled_game(program) if compiled and arguments.turns else InterpretedGame(program)
    state = starting_state(game, arguments.start, arguments.position)
    if arguments.turns:
        count: Count = count_turns
    else:
        count = _compiled_count(game) if compiled else count_leaves
    began = time.perf_counter()
    if arguments.divide:
        step = turns if arguments.turns else branches
        parts = _divided(step(state, arguments.notation), arguments.depth, count)
        total = sum(parts.values())
    else:
        parts, total = {}, count(state, arguments.depth)
    seconds = time.perf_counter() - began
    if arguments.format == "json":
        data = {"game": game.program.name, "options": game.options, "depth": arguments.depth, "count": total}
        data |= {"turns": True} if arguments.turns else {}
        data |= {"divide": parts} if arguments.divide else {}
        say_json(data | {"backend": arguments.backend, "seconds": round(seconds, 3)})
        return int(ExitCode.FINE)
    for text, one in parts.items():
        say(f"{text}: {one}")
    say(str(total))
    return int(ExitCode.FINE)


def _divided(steps: Iterable[tuple[str, State]], depth: int, count: Count) -> dict[str, int]:
    """The count below each first ply, or turn."""
    return {text: count(after, depth - 1) for text, after in steps} if depth > 0 else {}


def _compiled_game(program: n.Program) -> Game:
    """The game on compiled rules."""
    from gamedsl.compiler import NativeError, NativeGame

    try:
        return NativeGame(program)
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}", help="use `--backend interpreter`") from problem


def _compiled_count(game: Game) -> Count:
    """Counts with compiled rules in a separate thread, so that Ctrl-C takes effect at once."""
    from gamedsl.compiler import NativeError, compile_program

    try:
        native = compile_program(game.program, game)
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}", help="use `--backend interpreter`") from problem

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


# ------------------------------------------------------------------------------------------------------ replay


def run_replay(arguments: argparse.Namespace) -> int:
    # for start-up: only what the command needs
    from gamedsl.cli.replay import Shown, list_plays, replay

    if arguments.moves is not None and arguments.record is not None:
        raise UsageError("a record and `--moves` are given", help="name one of the two")
    if arguments.record is None and arguments.moves is None:
        return list_plays()
    return replay(
        arguments.record,
        moves=arguments.moves,
        game=arguments.game,
        options=read_options(arguments.settings),
        shown=Shown(arguments.step, arguments.to, arguments.notation, arguments.seat, arguments.save, arguments.html),
    )


# -------------------------------------------------------------------------------------------------------- play


def run_play(arguments: argparse.Namespace) -> int:
    from gamedsl.play.terminal import kept_plays

    named = any(x is not None for x in (arguments.game, arguments.resume, arguments.position))
    if not named and (arguments.no_save or all(play.result for play in kept_plays())):
        say(overview())
        return int(ExitCode.FINE)
    from gamedsl.play.terminal import go_on, run

    config = play_config(arguments)
    code = run(arguments.game, config) if named else go_on(arguments.game, config)
    if code is None:
        say(overview())
    return int(ExitCode.FINE if code is None else code)


def play_config(arguments: argparse.Namespace) -> PlayConfig:
    """The command's arguments, with the options parsed."""
    from gamedsl.play.terminal import PlayConfig

    other = ("run", "command", "settings", "position", "game")
    given = {k: v for k, v in vars(arguments).items() if k not in other}
    place = arguments.position
    if place is not None and arguments.resume is not None:
        raise UsageError("a recorded play begins where it began", help="leave `--position` or `--resume` out")
    position = None if place is None else lambda game: state_of_position(game, place)
    return PlayConfig(**given, options=read_options(arguments.settings), position=position)
