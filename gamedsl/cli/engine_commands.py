"""``play``, ``replay``, ``position`` and ``perft``: the commands that run rulesets."""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.cli.arguments import (
    FINDINGS,
    Subparsers,
    add_backend,
    add_file,
    add_format,
    add_limit,
    add_notation,
    add_options,
    add_output,
    command,
    load_game,
    load_rules,
    natural,
    read_options,
)
from gamedsl.cli.output import say, say_json, write_output
from gamedsl.cli.overview import overview
from gamedsl.cli.starting_position import add_seat, add_start, seat_named, starting_state, state_of_position
from gamedsl.cli.streams import ask
from gamedsl.language.source import ExitCode, UsageError, read_index

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
        help="a record: a file written by `gamedsl play -o FILE`, a number of the list of saved games, or - for standard "
        "input (default: shows that list)",
    )
    replay.add_argument("--step", action="store_true", help="wait for Enter after every ply")
    add_limit(replay, None, "stop after this many plies (default: shows all)")
    add_seat(replay)
    add_output(
        replay,
        "write a page to this file (.html), to step through the game in a browser; with another ending and --seat, a record "
        "of what this player may know (default: writes nothing)",
    )
    replay.add_argument(
        "--game", metavar="GAME", help="the ruleset, for moves that do not name it (default: the one in the record)"
    )
    replay.add_argument(
        "--moves",
        metavar="MOVES",
        help="show these moves of --game, joined by `;` or one per line (default: those of the record)",
    )
    add_notation(replay)
    add_format(replay, *FINDINGS)
    add_options(replay)
    _add_position(commands)
    perft = command(commands, "perft", run_perft)
    add_file(perft)
    perft.add_argument(
        "--depth", metavar="N", type=natural, required=True, help="the length of the sequences (required)"
    )
    add_start(perft)
    perft.add_argument("--divide", action="store_true", help="count separately for every first ply")
    perft.add_argument(
        "--turns",
        action="store_true",
        help="count whole turns, not plies: all that a player does until another is to act, such as the jumps of a capture",
    )
    add_notation(perft)
    add_backend(perft)
    add_format(perft)
    add_options(perft)


# ---------------------------------------------------------------------------------------------------- position


def _add_position(commands: Subparsers) -> None:
    position = command(commands, "position", run_position)
    add_file(position)
    add_start(position)
    add_seat(position)
    position.add_argument(
        "--notation", metavar="NAME", help="write the position in this notation of the ruleset (default: YAML)"
    )
    position.add_argument("--no-history", action="store_true", help="omit the positions that the rules noted")
    add_output(position, "write the position to this file (default: prints it)")
    add_format(position)
    add_options(position)


def run_position(arguments: argparse.Namespace) -> int:
    from gamedsl.engine import position_data, yaml_of_position

    game = load_game(arguments)
    state = starting_state(game, arguments.start, arguments.position)
    seat = None if arguments.seat is None else seat_named(game, arguments.seat)
    if arguments.notation is not None:
        if seat is not None and game.secrets.hides:
            raise UsageError("a notation shows everything, even what a player may not know", help="Omit `--seat`.")
        text = state.position_text(to=arguments.notation) + "\n"
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

    compiled = arguments.backend == "native"
    program = load_rules(arguments)
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
    """The count below each first ply or turn."""
    return {text: count(after, depth - 1) for text, after in steps} if depth > 0 else {}


def _compiled_game(program: n.Program) -> Game:
    """The game on compiled rules."""
    from gamedsl.compiler import NativeError, NativeGame

    try:
        return NativeGame(program)
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}", help="Use `--backend interpreter`.") from problem


def _compiled_count(game: Game) -> Count:
    """Counts with compiled rules in a separate thread, so that Ctrl-C takes effect at once."""
    from gamedsl.compiler import NativeError, compile_program

    try:
        native = compile_program(game.program, game)
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}", help="Use `--backend interpreter`.") from problem

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
    from gamedsl.cli.replay import Shown, replay
    from gamedsl.cli.saved_games import list_saved_games

    if arguments.moves is not None and arguments.record is not None:
        raise UsageError("a record and `--moves` are given", help="Name one of the two.")
    if arguments.step and arguments.format != "text":
        raise UsageError(f"`--step` does not go with `--format {arguments.format}`", help="Omit one of the two.")
    if arguments.record is None and arguments.moves is None:
        return list_saved_games(arguments.format)
    return replay(
        arguments.record,
        moves=arguments.moves,
        game=arguments.game,
        options=read_options(arguments.settings),
        shown=Shown(
            arguments.step, arguments.limit, arguments.notation, arguments.seat, arguments.output, arguments.format
        ),
    )


# -------------------------------------------------------------------------------------------------------- play


def run_play(arguments: argparse.Namespace) -> int:
    from gamedsl.play.terminal import kept_plays

    named = any(x is not None for x in (arguments.game, arguments.resume, arguments.position))
    if not named and not (arguments.no_save or all(play.result for play in kept_plays())):
        from gamedsl.play.terminal import go_on

        code = go_on(None, play_config(arguments))
        if code is not None:
            return code
    if not named:
        arguments.game = _chosen_game(arguments.plain)
        if arguments.game is None:
            return int(ExitCode.FINE)
    from gamedsl.play.terminal import run

    return run(arguments.game, play_config(arguments))


def _chosen_game(plain: bool) -> str | None:
    """The game that a person at a terminal chooses, or None."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "no game is named, and gamedsl cannot ask for one, because this is not a terminal",
            code="E0001",
            help="Write `gamedsl play GAME`; `gamedsl list` shows the shipped games.",
        )
    if plain or os.environ.get("TERM", "dumb") == "dumb":
        say(overview())
        return ask("Game (Enter: none): ") or None
    from gamedsl.play.terminal import choose_game

    return choose_game(read_index())


NOT_OF_PLAY = ("run", "command", "settings", "game", "position", "output", "quiet", "verbose", "color")


def play_config(arguments: argparse.Namespace) -> PlayConfig:
    """The command's arguments, with the options parsed."""
    from gamedsl.play.terminal import PlayConfig

    given = {k: v for k, v in vars(arguments).items() if k not in NOT_OF_PLAY}
    place = arguments.position
    if place is not None and arguments.resume is not None:
        raise UsageError("a recorded game has its own first position", help="Omit `--position` or `--resume`.")
    position = None if place is None else lambda game: state_of_position(game, place)
    options = read_options(arguments.settings)
    return PlayConfig(**given, save=arguments.output, options=options, position=position)
