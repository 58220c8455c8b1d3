"""The arguments of ``gamedsl play``; their values are the parameters of ``play.run``."""

from __future__ import annotations

import argparse
import re


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add them all, except ``options``."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a ruleset: a path or the name of a shipped one")
    parser.add_argument(
        "--seats",
        metavar="KINDS",
        help="who plays each seat: human, random, mcts:2s (tree search) or ab:d6 (alpha-beta), as in human,mcts:2s;"
        " a single kind is used for all seats",
    )
    parser.add_argument(
        "--position", metavar="FILE", help="begin at a position written as text (see `gamedsl position`)"
    )
    parser.add_argument(
        "--notation", metavar="NAME", help="write and read moves in a notation that the ruleset declares"
    )
    parser.add_argument(
        "--marks",
        metavar="SIGNS",
        help="the marks of the players, as in '*,#', in games whose players choose them",
    )
    parser.add_argument("--seed", metavar="S", type=_seed, help="the seed of all random choices")
    parser.add_argument("--save", metavar="FILE", help="write the record of the play to this file")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="continue a recorded play (with its seats, options and seed): a file, or a number of `gamedsl replay`",
    )
    parser.add_argument(
        "--no-save", action="store_true", help="neither save the play automatically nor offer an unfinished one"
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
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)
