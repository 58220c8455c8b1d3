"""The arguments of ``gamedsl play``; their values are the parameters of ``play.run``."""

from __future__ import annotations

import argparse
import re


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds them all. ``option`` is a list of ``NAME=VALUE`` for the caller to read into ``options``."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a ruleset: a path or the name of a shipped one")
    parser.add_argument(
        "--option", "-o", metavar="NAME=VALUE", action="append", default=[], help="give an option a value"
    )
    parser.add_argument(
        "--seats",
        metavar="KINDS",
        help="who plays, for every player: human, random, mcts:2s (tree search), ab:d6 (alpha-beta); such as human,mcts:2s;"
        " one for all",
    )
    parser.add_argument(
        "--position", metavar="FILE", help="begin at a position written as text (see `gamedsl position`)"
    )
    parser.add_argument("--seed", metavar="S", type=_seed, help="a number that all chance follows from")
    parser.add_argument("--save", metavar="FILE", help="write the play's record to this file")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="go on with a recorded play (with its seats, options and seed): a file, or a number of `gamedsl replay`",
    )
    parser.add_argument(
        "--no-save", action="store_true", help="don't keep the play as it goes, and offer no unfinished one"
    )
    parser.add_argument("--plain", action="store_true", help="lines only: no colours, no clearing of the screen")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument(
        "--mouse",
        action="store_true",
        help="a click on the board chooses a move (text is then selected with Shift held)",
    )
    parser.add_argument("--boards", action="store_true", help="draw the board after every ply")


def _seed(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)
