"""Plays the games of two studies again with no code of the package: `python -m scripts.recompute_studies`.

Both games are written here from their rules, and played at random by Python's own generator. The shares and lengths on the pages
of the studies have to agree within the errors of both samples.
"""

from __future__ import annotations

import re
import sys
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "studies"
GAMES = 2000
ALLOWED = 4.5  # standard errors


class Row(NamedTuple):
    """The results of games: shares of wins of both players, mean plies and choices."""

    first: float
    second: float
    plies: float
    choices: float


# ---------------------------------------------------------------------------------------------------- Yavalath

SIDE = 5
WAYS = ((1, 0), (0, 1), (1, -1))
CELLS = [(q, r) for q in range(1 - SIDE, SIDE) for r in range(1 - SIDE, SIDE) if abs(q + r) < SIDE]


def yavalath(rng: Random, four: bool, three: bool) -> tuple[int, int, int]:
    """Plays a game. Returns the winner (-1: nobody), the plies and the sum of choices. ``four`` wins, ``three`` loses."""
    free, stones, choices = list(CELLS), (set[tuple[int, int]](), set[tuple[int, int]]()), 0
    for ply in range(len(CELLS)):
        seat = ply % 2
        choices += len(free)
        k = rng.randrange(len(free))
        free[k], free[-1] = free[-1], free[k]
        cell = free.pop()
        stones[seat].add(cell)
        longest = max(_run(stones[seat], cell, way) for way in WAYS)
        if four and longest >= 4:
            return seat, ply + 1, choices
        if three and longest >= 3:
            return 1 - seat, ply + 1, choices
    return -1, len(CELLS), choices


def _run(stones: set[tuple[int, int]], cell: tuple[int, int], way: tuple[int, int]) -> int:
    """The length of the line of stones through a cell."""
    length = 1
    for sign in (1, -1):
        q, r = cell
        while (q := q + sign * way[0], r := r + sign * way[1]) in stones:
            length += 1
    return length


# ---------------------------------------------------------------------------------------------- X's and Lines


def lines_game(rng: Random, n: int) -> tuple[int, int, int]:
    """Plays a game of X's and Lines. Returns as ``yavalath`` does."""
    squares = [(x, y) for x in range(n) for y in range(n)]
    rng.shuffle(squares)
    marks, choices = set(squares[:n]), sum(n * n - k for k in range(n))
    level, upright = set[tuple[int, int]](), set[tuple[int, int]]()  # squares that a line goes straight through
    joined, pen, ply = set[tuple[int, int]](), None, 0
    while True:
        moves = []
        for a in [pen] if pen is not None else sorted(marks):
            for b in sorted(marks - joined - {a}):
                if a[0] == b[0] or a[1] == b[1]:
                    routes = [[(a, b)]]
                else:
                    routes = [[(a, c), (c, b)] for c in ((a[0], b[1]), (b[0], a[1])) if c not in marks]
                moves += [(a, b, legs) for legs in routes if all(_clear(leg, marks, level, upright) for leg in legs)]
        if not moves:
            return ply % 2, n + ply, choices  # who cannot draw wins
        choices += len(moves)
        a, pen, legs = moves[rng.randrange(len(moves))]
        joined |= {a, pen}
        for leg in legs:
            (level if leg[0][1] == leg[1][1] else upright).update(_between(*leg))
        ply += 1


def _between(a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    if a[0] == b[0]:
        return [(a[0], y) for y in range(min(a[1], b[1]) + 1, max(a[1], b[1]))]
    return [(x, a[1]) for x in range(min(a[0], b[0]) + 1, max(a[0], b[0]))]


def _clear(
    leg: tuple[tuple[int, int], tuple[int, int]],
    marks: set[tuple[int, int]],
    level: set[tuple[int, int]],
    upright: set[tuple[int, int]],
) -> bool:
    """Whether a leg passes through no mark, and straight through no line that goes the other way."""
    other = upright if leg[0][1] == leg[1][1] else level
    return not any(square in marks or square in other for square in _between(*leg))


# ---------------------------------------------------------------------------------------------------- comparing


def pages_row(page: str, name: str) -> tuple[Row, int]:
    """Returns the first row of this name, and the number of games, from a page."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    games = int(re.search(r"([\d,]+) games of random players", text)[1].replace(",", ""))  # type: ignore[index]
    cells = re.search(rf"^\| {re.escape(name)} \| (.*) \|$", text, re.M)[1].split(" | ")  # type: ignore[index]
    first, _, second, plies, choices = (float(cell.split("%")[0].split(" ")[0]) for cell in cells)
    return Row(first / 100, second / 100, plies, choices), games


def played(game: str, seed: int) -> tuple[Row, float]:
    """Plays a row's games. Returns it, and the standard deviation of the plies."""
    rng, done = Random(seed), []
    for _ in range(GAMES):
        if game.startswith("n = "):
            done.append(lines_game(rng, int(game[4:])))
        else:
            done.append(yavalath(rng, game != "without the four that wins", game != "without the three that loses"))
    plies = [p for _, p, _ in done]
    mean = sum(plies) / GAMES
    wins = [sum(w == seat for w, _, _ in done) / GAMES for seat in (0, 1)]
    deviation = sqrt(sum((p - mean) ** 2 for p in plies) / GAMES)
    return Row(*wins, mean, sum(c for _, _, c in done) / sum(plies)), deviation


ROWS = [
    ("yavalath.md", "both rules"), ("yavalath.md", "without the four that wins"),
    ("yavalath.md", "without the three that loses"), *(("x-s-and-lines.md", f"n = {n}") for n in (3, 4, 5, 8)),
]  # fmt: skip


def differences(page: str, name: str, seed: int = 1) -> list[str]:
    """The figures of a row that do not agree."""
    (theirs, games), (mine, deviation) = pages_row(page, name), played(name, seed)
    share = sqrt(0.25 * (1 / games + 1 / GAMES))
    errors = Row(share, share, max(deviation, 0.02) * sqrt(1 / games + 1 / GAMES), 0.02 * mine.choices / ALLOWED)
    rounding = Row(0.0005, 0.0005, 0.05, 0.05)
    return [
        f"{page}, {name}: {field} is {a:.3f} there, and {b:.3f} here"
        for field, a, b, error, half in zip(Row._fields, theirs, mine, errors, rounding, strict=True)
        if abs(a - b) > ALLOWED * error + half
    ]


if __name__ == "__main__":
    found = [line for page, name in ROWS for line in differences(page, name)]
    sys.stdout.write("\n".join(found) + "\n" if found else f"{len(ROWS)} rows agree\n")
    raise SystemExit(bool(found))
