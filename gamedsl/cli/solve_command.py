"""``solve``: finds the winner with best play, the margin, the number of plies, and the moves."""

from __future__ import annotations

import argparse
from math import inf
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_checkpoint,
    add_file,
    add_format,
    add_jobs,
    add_limit,
    add_options,
    add_output,
    add_seed,
    add_time,
    command,
    load_game,
    natural,
)
from gamedsl.cli.equilibrium_commands import METHODS, find
from gamedsl.cli.output import check_output, say, say_json, tell_progress
from gamedsl.cli.owned_states import add_owned, is_owned, owners
from gamedsl.cli.sharding import add_ray
from gamedsl.cli.solve_by_samples import SAMPLERS
from gamedsl.cli.starting_position import add_start, starting_state
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.lab.explore import Progress
    from gamedsl.lab.solve import ActionValue, Solved

PLIES_SHOWN = 60
EPILOG = "Exit code 4: the limit or the time was reached before the value was known. gamedsl then shows bounds."
BY_SAMPLES = {"seed": 0, "jobs": 1, "checkpoint": None}  # arguments of the methods that draw samples, with defaults
BY_STRATEGIES = ("exploitability", "iterations", "output", "curve")  # arguments of the methods that find strategies


def add(commands: Subparsers) -> None:
    solve = command(commands, "solve", run_solve)
    solve.epilog = EPILOG
    add_file(solve)
    add_start(solve)
    solve.add_argument(
        "--score", action="store_true", help="show by how many points a player wins, instead of who wins (two players)"
    )
    solve.add_argument(
        "--method",
        choices=("auto", "graph", "depth", "proof", *METHODS),
        default="auto",
        help="graph: all positions, any rules; depth: depth-first search, for games without chance and repetition; "
        "proof: proof-number search, for the same games, where a win can be forced or draws become certain early; "
        "cfr+ (for hidden information), cfr: regret minimization; lp: linear program; external, outcome: regret "
        "minimization by samples",
    )
    solve.add_argument(
        "--exploitability",
        metavar="X",
        type=_small,
        help="stop when best responses gain no more than this on average (default: 0.0001)",
    )
    solve.add_argument(
        "--iterations", metavar="N", type=natural, help="stop after this many iterations (default: no limit)"
    )
    solve.add_argument(
        "--curve", action="store_const", const=True, help="also show how the exploitability falls with the iterations"
    )
    add_seed(solve, "the seed of the samples")
    add_owned(solve)
    add_jobs(
        solve,
        1,
        "the number of threads that sample, with --owned of processes that explore; results do not depend on it",
    )
    add_ray(solve, "; implies --owned")
    add_checkpoint(
        solve,
        "continue with the samples in this file, with --owned with the explored positions, and write those of this run to it "
        "(default: none)",
    )
    add_output(solve, "write the strategies to this file; the agent `strategy:FILE` plays them (default: writes none)")
    add_limit(
        solve,
        None,
        "stop after this many positions, per method; with hidden information, histories, or positions for samples "
        "(default: 2M, histories: 5M)",
    )
    add_time(solve, 60, "stop after this many seconds: per method, or in all with hidden information")
    solve.add_argument(
        "--all-moves", action="store_true", help="also show the value of every move, or all rows of a strategy"
    )
    add_format(solve)
    add_options(solve)


def run_solve(arguments: argparse.Namespace) -> int:
    from gamedsl.lab.explore import Execution
    from gamedsl.lab.solve import LIMIT, solve

    game = load_game(arguments)
    state = starting_state(game, arguments.start, arguments.position)
    if _asks_for_strategies(arguments, game):
        check_output(arguments.output)
        return find(arguments, game, state)
    with owners(arguments) as explorers:
        found = solve(
            state,
            by="score" if arguments.score else "result",
            method=arguments.method,
            limit=LIMIT if arguments.limit is None else arguments.limit,
            seconds=arguments.time,
            watch=None if arguments.format == "json" else _watch,
            execution=Execution(owners=explorers, checkpoint=arguments.checkpoint),
        )
    tell_progress()
    if arguments.format == "json":
        say_json(_json(found))
    else:
        _say(found, arguments.all_moves)
    return int(ExitCode.FINE if found.known else ExitCode.BOUND)


def _asks_for_strategies(arguments: argparse.Namespace, game: Game) -> bool:
    """Whether strategies are wanted, rather than the value of a position that everybody sees."""
    if is_owned(arguments):
        _refuse_owned(arguments, game)
    sampled = [
        name
        for name, default in BY_SAMPLES.items()
        if getattr(arguments, name) != default and not (is_owned(arguments) and name != "seed")
    ]
    if sampled and arguments.method not in SAMPLERS:
        raise UsageError(
            f"`--{sampled[0]}` is for methods that draw samples", help="Use `--method external` or `--method outcome`."
        )
    given = [name for name in BY_STRATEGIES if getattr(arguments, name) is not None]
    if given and arguments.method not in ("auto", *METHODS):
        raise UsageError(f"`--{given[0]}` does not go with `--method {arguments.method}`", help="Use `--method cfr+`.")
    return arguments.method in METHODS or (arguments.method == "auto" and (game.secrets.hides or bool(given)))


def _refuse_owned(arguments: argparse.Namespace, game: Game) -> None:
    """Raises ``UsageError`` where states that are owned help nothing."""
    if game.secrets.hides:
        raise UsageError(
            "`--owned` is for games whose positions are all explored, and this one hides something",
            help="Omit `--owned` and `--ray`.",
        )
    if arguments.method not in ("auto", "graph"):
        raise UsageError("`--owned` is for games whose positions are all explored", help="Use `--method graph`.")


def _small(text: str) -> float:
    """A positive number, such as ``0.001`` or ``1e-6``."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on, such as 0.001")
    return found


def _watch(p: Progress) -> None:
    tell_progress(f"{p.states:,} positions, {p.rate:,.0f} a second")


# ----------------------------------------------------------------------------------------------------------- text


def _say(found: Solved, moves: bool) -> None:
    from gamedsl.lab.solve import action_text, number, outcome

    say(f"{found.game.title}: {found.positions:,} position{'s' * (found.positions != 1)} examined, {_extent(found)}")
    if found.history and not found.known:
        say(f"positions with different histories are different positions, because {found.history}")
    if found.resumed is not None:
        say(found.resumed.summary)
    condition = "" if found.resumed is None else found.resumed.condition
    say(f"best play: {outcome(found)}{condition and ', '}{condition}")
    shared = [w for w in found.actions if w.share is not None and w.seat is not None]
    mixed = bool(shared) and len({w.seat for w in shared}) > 1
    if mixed:
        for w in shared:
            assert w.seat is not None
            say(f"  {found.game.players[w.seat]} chooses {w.text} with probability {number(w.share)}")
    elif moves:
        for w in found.actions:
            say(f"  {w.text}: {action_text(found, w)}")
    if found.line:
        shown = found.line[:PLIES_SHOWN]
        more = f" ... ({_end(found)})" if found.endless else " ..." if len(found.line) > len(shown) else ""
        say(f"a best play: {'; '.join(shown)}{more}")


def _end(found: Solved) -> str:
    """The continuation of a line of best play that returns to a position."""
    return f"and so on until a position has come {found.repetition} times" if found.repetition else "and so on forever"


def _extent(found: Solved) -> str:
    if found.complete:
        return "all that are reachable"
    return {"graph": "there are more", "depth": "by depth-first search", "proof": "by proof-number search"}[
        found.method
    ]


# ----------------------------------------------------------------------------------------------------------- JSON


def _json(found: Solved) -> dict[str, Any]:
    from gamedsl.lab.solve import outcome

    names = found.game.players
    actions = [_action_json(found, w) for w in found.actions]
    return {
        "game": found.game.program.name,
        "options": found.game.options,
        "by": found.by,
        "method": found.method,
        "known": found.known,
        "values": {n: _bounds(low, high) for n, (low, high) in zip(names, found.bounds, strict=True)},
        "outcome": outcome(found),
        "plies": found.plies,
        "actions": actions,
        "ways": actions,  # its former name
        "line": list(found.line),
        "endless": found.endless,
        "repetition": found.repetition,
        "history": found.history,
        "positions": found.positions,
        "complete": found.complete,
        "resumed": None if found.resumed is None else found.resumed.to_json(),
    }


def _action_json(found: Solved, w: ActionValue) -> dict[str, Any]:
    share = None if w.share is None else str(w.share)
    seat = None if w.seat is None else found.game.players[w.seat]
    return {"move": w.text, "for": seat, **_bounds(w.low, w.high), "plies": w.plies, "share": share}


def _bounds(low: Any, high: Any) -> dict[str, Any]:
    """Bounds as text (None: unbounded). ``exact``: whether they are equal and not floating-point numbers."""
    exact = low == high and not isinstance(low, float)
    return {"low": None if low <= -(10**9) else str(low), "high": None if high >= 10**9 else str(high), "exact": exact}
