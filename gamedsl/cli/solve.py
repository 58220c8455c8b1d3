"""``solve``: who wins with best play, by how much, how soon, and by which moves."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import Subparsers, add_file, add_json, add_options, command, natural, read_options
from gamedsl.cli.output import say, say_json, tell_progress
from gamedsl.cli.verify import count
from gamedsl.source.diagnostic import ExitCode

if TYPE_CHECKING:
    from gamedsl.check.explore.explorer import Progress
    from gamedsl.check.solve.solver import ActionValue, Solved

PLIES_SHOWN = 60
EPILOG = "Exit code 4: the limit or the time was reached before the value was known; what is told then are bounds."


def add(commands: Subparsers) -> None:
    solve = command(commands, "solve", run_solve)
    solve.epilog = EPILOG
    add_file(solve)
    solve.add_argument("--from", dest="start", metavar="MOVES", help="moves joined by `;`, a record, or a saved state")
    solve.add_argument("--score", action="store_true", help="by how many points, instead of who wins (two players)")
    solve.add_argument(
        "--method",
        choices=("auto", "graph", "depth", "proof"),
        default="auto",
        help="graph: all positions, any rules; depth: play by play with a memory, no chance and nothing that comes again; "
        "proof: the same games by questions, for forced wins and for draws where chances die out",
    )
    solve.add_argument("--limit", metavar="N", type=count, default=None, help="positions to look at (2M), each method")
    solve.add_argument("--time", metavar="S", type=natural, default=60, help="seconds to look for (60), each method")
    solve.add_argument("--moves", action="store_true", help="the value of every way on, too")
    add_json(solve)
    add_options(solve)


def run_solve(arguments: argparse.Namespace) -> int:
    from gamedsl.check.solve.solver import LIMIT, solve

    # for start-up: only what the command needs
    from gamedsl.cli.engine_commands import starting_state
    from gamedsl.engine.game import Game
    from gamedsl.rules import load_program

    game = Game(load_program(arguments.file, read_options(arguments.option)))
    state = starting_state(game, arguments.start)
    found = solve(
        state,
        by="score" if arguments.score else "result",
        method=arguments.method,
        limit=LIMIT if arguments.limit is None else arguments.limit,
        seconds=arguments.time,
        watch=None if arguments.json else _watch,
    )
    tell_progress()
    if arguments.json:
        say_json(_json(found))
    else:
        _say(found, arguments.moves)
    return int(ExitCode.FINE if found.known else ExitCode.BOUND)


def _watch(p: Progress) -> None:
    tell_progress(f"{p.states:,} positions, {p.rate:,.0f} a second")


# ----------------------------------------------------------------------------------------------------------- text


def _say(found: Solved, moves: bool) -> None:
    from gamedsl.check.solve.text import number, outcome, way_text

    say(f"{found.game.title}: {found.positions:,} position{'s' * (found.positions != 1)} looked at, {_extent(found)}")
    say(f"best play: {outcome(found)}")
    shared = [w for w in found.ways if w.share is not None and w.seat is not None]
    mixed = bool(shared) and len({w.seat for w in shared}) > 1
    if mixed:
        for w in shared:
            assert w.seat is not None
            say(f"  {found.game.players[w.seat]} chooses {w.text} with probability {number(w.share)}")
    elif moves:
        for w in found.ways:
            say(f"  {w.text}: {way_text(found, w)}")
    if found.line:
        shown = found.line[:PLIES_SHOWN]
        more = " ... (and so on for ever)" if found.endless else " ..." if len(found.line) > len(shown) else ""
        say(f"one best play: {'; '.join(shown)}{more}")


def _extent(found: Solved) -> str:
    if found.complete:
        return "all that can be reached"
    return "there are more" if found.method == "graph" else "play by play"


# ----------------------------------------------------------------------------------------------------------- JSON


def _json(found: Solved) -> dict[str, Any]:
    from gamedsl.check.solve.text import outcome

    names = found.game.players
    return {
        "game": found.game.program.name,
        "options": found.game.options,
        "by": found.by,
        "method": found.method,
        "known": found.known,
        "values": {n: _bounds(low, high) for n, (low, high) in zip(names, found.bounds, strict=True)},
        "outcome": outcome(found),
        "plies": found.plies,
        "ways": [_way_json(found, w) for w in found.ways],
        "line": list(found.line),
        "endless": found.endless,
        "positions": found.positions,
        "complete": found.complete,
    }


def _way_json(found: Solved, w: ActionValue) -> dict[str, Any]:
    share = None if w.share is None else str(w.share)
    seat = None if w.seat is None else found.game.players[w.seat]
    return {"move": w.text, "for": seat, **_bounds(w.low, w.high), "plies": w.plies, "share": share}


def _bounds(low: Any, high: Any) -> dict[str, Any]:
    """Bounds as text (None: unbounded). ``exact`` tells whether they are equal and not floating-point numbers."""
    exact = low == high and not isinstance(low, float)
    return {"low": None if low <= -(10**9) else str(low), "high": None if high >= 10**9 else str(high), "exact": exact}
