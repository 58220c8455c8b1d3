"""The arguments of ``gamedsl play``; their values are the parameters of ``play.run``."""

from __future__ import annotations

import argparse
import re

LAST_SEED = (1 << 63) - 1  # as for all commands


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add all arguments except ``options``."""
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="the ruleset: a file or the name of a shipped one (default: choose from a list)",
    )
    parser.add_argument(
        "--seats",
        metavar="KINDS",
        help="who plays each seat: human, random, a level (beginner, easy, medium, strong, expert), mcts:2s (tree search) "
        "or ab:d6 (alpha-beta), as in human,easy; a single kind plays all seats (default: human)",
    )
    parser.add_argument(
        "--position",
        metavar="FILE",
        help="begin at a position; see `gamedsl position` (default: the first position)",
    )
    parser.add_argument(
        "--notation",
        metavar="NAME",
        help="write and read moves in this notation of the ruleset (default: the names of the moves)",
    )
    parser.add_argument(
        "--marks",
        metavar="SIGNS",
        help="the marks of the players, as in '*,#', in games whose players choose them (default: asks)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=_seed, help="the seed of all random choices (default: a different one every time)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the record of the game to this file (default: the folder of saved games)",
    )
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="continue a recorded game, with its seats, options and seed: a file, or a number of `gamedsl replay` (default: none)",
    )
    parser.add_argument(
        "--no-save", action="store_true", help="do not save the game automatically, and do not offer an unfinished one"
    )
    parser.add_argument("--plain", action="store_true", help="plain lines: no colors, and the screen is not cleared")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument(
        "--mouse",
        action="store_true",
        help="choose moves by clicking on the board (hold Shift to select text)",
    )
    parser.add_argument("--boards", action="store_true", help="show the board after every ply")


def _seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text) or int(text) > LAST_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {LAST_SEED}")
    return int(text)
