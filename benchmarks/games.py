"""The games of ``playouts.py``: the ruleset, the hand-written program, OpenSpiel's name of the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RULESETS = Path(__file__).parents[1] / "rulesets"
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "playouts.md"


@dataclass(frozen=True)
class Benchmark:
    """A game. ``peer``, ``parameters``: OpenSpiel's; ``near``: how OpenSpiel's rules differ, "" when they are the same. Where they
    differ the speed is compared and the results are not."""

    name: str
    ruleset: str
    limit: str = ""
    peer: str = ""
    near: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)


def classic(name: str, limit: str = "", peer: str = "", near: str = "", **parameters: Any) -> Benchmark:
    """A game of ``rulesets/classics`` with its usual options."""
    return Benchmark(name, f"classics/{name}", limit, peer, near, parameters=parameters)


# The named benchmark games, which are played when nothing else is asked for.
GAMES = (
    Benchmark("tic-tac-toe", "tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
    classic("connect-four", "connect_four", "connect_four"),
    classic("breakthrough", "breakthrough", "breakthrough"),
    classic("reversi", "reversi", "othello"),
    classic("gomoku", "gomoku", "gomoku"),
    classic("hex", "hex", "hex"),
    Benchmark("x-s-and-lines", "x-s-and-lines", "x_s_and_lines"),
    Benchmark("horn-tiles", "horn-tiles", "horn_tiles"),
    Benchmark("t-tic-t-tac-toe-game", "t-tic-t-tac-toe-game", "t_tic_t_tac_toe_game"),
    Benchmark("atreso", "atreso", "atreso"),
    Benchmark("abs-trac-toe", "abs-trac-toe", "abs_trac_toe"),
)

# Others with a program or a peer.
MORE = (
    classic("english-draughts", "english_draughts", "checkers", "other rules of draws"),
    classic("chess", "chess", "chess", "draws by repetition have to be claimed"),
    Benchmark(
        "go-9x9",
        "classics/go",
        "go",
        "go",
        "a game ends after twice as many moves as points",
        options={"n": 9},
        parameters={"board_size": 9, "komi": 7.5},
    ),
    classic("amazons", "amazons", "amazons", "a move is three choices"),
    classic("quoridor", "quoridor", "quoridor", "ends after a number of moves", board_size=9),
    classic("havannah", "havannah", "havannah", board_size=8),
    classic("oware", "oware", "oware", "other rules of the end"),
    classic("backgammon", "backgammon", "backgammon", "a turn is one move"),
    classic("nine-mens-morris", "nine_mens_morris", "nine_mens_morris", "other rules of draws"),
    Benchmark("phantom-go-5x5", "classics/phantom-go", options={"n": 5}),
    classic("kalah", "kalah", "mancala"),
    classic("nim", "nim", "nim", pile_sizes="3;4;5", is_misere=False),
    classic("y", "y", "y", board_size=11),
    classic("pentago", "pentago", "pentago", "a move is two choices"),
    classic(
        "ultimate-tic-tac-toe",
        "ultimate_tic_tac_toe",
        "ultimate_tic_tac_toe",
        "where one is sent anywhere, the board is a choice of its own",
    ),
    classic("dots-and-boxes", "dots_and_boxes", "dots_and_boxes", num_rows=3, num_cols=3),
    classic("konane", "konane"),
    classic("hex-swap", "hex_swap"),
    classic("international-draughts", "international_draughts"),
    classic("brandub", "brandub"),
    Benchmark("t-tic-t-tac-toe", "t-tic-t-tac-toe", "t_tic_t_tac_toe"),
    classic("t-tic-t-tac-toe-version-2", "t_tic_t_tac_toe_version_2"),
    classic("onitama", "onitama"),
    classic("lines-of-action", "lines_of_action", "lines_of_action", "other rules of draws"),
    classic(
        "hive", "hive", "hive", "other rules of draws", uses_mosquito=False, uses_ladybug=False, uses_pillbug=False
    ),
    classic("clobber", "", "clobber", rows=5, columns=6),
    classic("twixt", "", "twixt", "other rules of links that cross and of the swap", board_size=24),
    classic("m-n-k", "", "mnk", m=3, n=3, k=3),
    classic("pig", "", "pig", "ends after a number of throws"),
    classic("einstein-wuerfelt-nicht", "", "einstein_wurfelt_nicht", "the set-up is drawn"),
    classic("liars-dice", "", "liars_dice", "other rules of bids"),
    classic("kuhn-poker", "", "kuhn_poker", "chance is drawn once a call"),
    classic("leduc-poker", "", "leduc_poker", "chance is drawn once a call"),
    classic("phantom-tic-tac-toe", "", "phantom_ttt", "other rules of a taken square"),
    classic("dark-chess", "", "dark_chess", "other rules of draws"),
)


def every() -> tuple[Benchmark, ...]:
    """Every shipped ruleset."""
    known = {b.ruleset: b for b in GAMES + MORE}
    paths = sorted(RULESETS.glob("*.gdl")) + sorted(RULESETS.glob("classics/*.gdl"))
    names = [path.relative_to(RULESETS).with_suffix("").as_posix() for path in paths]
    return tuple(known.get(name, Benchmark(Path(name).name, name)) for name in names)
