"""The games on small boards, wholly explored and solved; values by little programs that know nothing of the package."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame
from gamedsl.engine.state import State
from gamedsl.lab.base.verdict import Status
from gamedsl.lab.claims.verification import verify
from gamedsl.lab.explore.explorer import explore
from gamedsl.lab.solve.solver import solve
from gamedsl.language.rules import load_program

# ------------------------------------------------------------------------------------------------------- tiles


def value_of_tiles(size: int, tiles: int, six: int, diagonals: bool) -> int:
    """1 when the player who opens wins, 0 drawn, -1: by trying everything."""
    square = {(r, c): 1 << (r * size + c) for r in range(size) for c in range(size)}
    lines = [[(r, c) for c in range(size)] for r in range(size)] + [[(r, c) for r in range(size)] for c in range(size)]
    if diagonals:
        for k in range(1 - size, size):
            lines += [[(r, r + k) for r in range(size)], [(r, size - 1 - r - k) for r in range(size)]]
    kept = [[s for s in line if s in square] for line in lines]
    masks = [sum(square[s] for s in line) for i, line in enumerate(kept) if i < 2 * size or len(line) >= six]
    ways = [[(square[s], square[t]) for s in square for t in [(s[0] + d, s[1] + 1 - d)] if t in square] for d in (0, 1)]
    both = [[(a, b) for pair in way for a, b in (pair, pair[::-1])] for way in ways]

    def open_to(way: int | None, full: int) -> list[tuple[int, int, int]]:
        return [(w, a, b) for w in (0, 1) if way in (None, w) for a, b in both[w] if not full & (a | b)]

    @cache
    def laying(symbols: tuple[int, int], stock: int, mine: int, way: int | None, lead: int) -> int:
        """For whoever is to lay a tile: ``symbols`` are the squares of each; ``mine`` is whose symbol is whose."""
        if not stock:
            return (lead > 0) - (lead < 0)
        full = symbols[0] | symbols[1]
        rivals = None if way is None else 1 - way
        best = -2
        for w, a, b in open_to(way, full):
            after = symbols[0] | a, symbols[1] | b
            own = (a, b)[mine]
            made = sum(1 for m in masks if m & own and (m & after[mine]).bit_count() == six)
            won = min(made, stock - 1)
            best = max(best, -laying(after, stock - 1 - won, 1 - mine, 1 - w, -lead - won))
        if best > -2:
            return best
        if not open_to(rivals, full):
            return (lead > 0) - (lead < 0)
        return -laying(symbols, stock, 1 - mine, rivals, -lead)

    def opened(a: int, b: int) -> int:
        """The other chooses a symbol, then the opener who starts."""
        return min(
            max(laying((a, b), tiles - 1, 1 - theirs, None, 0), -laying((a, b), tiles - 1, theirs, None, 0))
            for theirs in (0, 1)
        )

    return max(opened(a, b) for way in both for a, b in way)


SMALL = [(3, 5, 3, True), (3, 4, 3, True), (3, 4, 2, False), (3, 3, 3, True)]


@pytest.mark.parametrize(("size", "tiles", "six", "diagonals"), SMALL)
def test_tiles_on_nine_squares(size: int, tiles: int, six: int, diagonals: bool) -> None:
    program = load_program("horn-tiles", {"size": size, "tiles": tiles, "six": six, "diagonals": diagonals})
    found = solve(InterpretedGame(program).initial_state(), method="graph")
    assert found.complete
    assert found.value == value_of_tiles(size, tiles, six, diagonals)


@pytest.mark.parametrize("options", [{}, {"orientation_from": "opening_tile"}, {"diagonals": "no"}])
def test_everything_about_tiles_on_nine_squares(options: dict[str, str]) -> None:
    found = verify("horn-tiles", {"size": 3, "tiles": 5, "six": 3, **options})
    assert found.graph is not None
    assert found.graph.whole
    assert {v.status for v in found.verdicts} == {Status.PROVED}


# ---------------------------------------------------------------------------------------------------- drawings

FIGURE = "figure 0,0 90,0 90,90 0,90; upper 0,60 90,60; lower 0,30 90,30; left 30,0 30,90; right 60,0 60,90"
GRID = [(r + c, r + d) for r in "tml" for c, d in ("12", "23")] + [
    (a + c, b + c) for a, b in ("tm", "ml") for c in "123"
]


def graph(without: str, more: str) -> list[tuple[str, str]]:
    """The borders of three by three sections, some of them replaced."""
    gone = {tuple(x.split("-")) for x in without.split()}
    assert all(x in GRID for x in gone)
    return [x for x in GRID if x not in gone] + [(a, b) for a, b in (x.split("-") for x in more.split())]


# The bending line, and the borders as one sees them on the paper: t, m and l are the rows, 1 to 3 the columns.
DRAWINGS = [
    ("bend 0,10 10,0", graph("", "l1-corner")),
    ("bend 0,10 5,5 10,0", graph("", "l1-corner")),
    ("bend 80,0 90,10", graph("", "l3-corner")),
]
LARGER = [
    ("bend 0,10 40,10 40,20 0,20", graph("l1-l2", "low-mid mid-l1 low-l2 mid-in l1-l2 in-l2")),
    ("bend 0,15 90,15", graph("", "a-l1 b-l2 c-l3 a-b b-c")),
    ("bend 45,0 45,90", graph("t1-t2 m1-m2 l1-l2", "t1-a a-t2 m1-b b-m2 l1-c c-l2 a-b b-c")),
    ("bend 0,45 45,0", graph("", "l1-a m1-b l2-c a-b a-c")),
]  # fmt: skip


def difference(borders: list[tuple[str, str]]) -> int:
    """By how many points the first player is ahead when both claim as well as can be."""
    names = sorted({x for b in borders for x in b})
    number = {x: i for i, x in enumerate(names)}
    near = [[number[b if a == x else a] for a, b in borders if x in (a, b)] for x in names]

    @cache
    def best(mine: int, theirs: int) -> int:
        found = None
        for i in range(len(names)):
            if not (mine | theirs) >> i & 1:
                points = sum(mine >> j & 1 for j in near[i])
                value = points - best(theirs, mine | 1 << i)
                found = value if found is None else max(found, value)
        return found or 0

    return best(0, 0)


def drawn(bend: str) -> State:
    game = InterpretedGame(load_program("abs-trac-toe"))
    state = game.initial_state()
    for text in (FIGURE, bend):
        state = state.apply(game.parse_move(text, state))
    return state


def solved(bend: str, borders: list[tuple[str, str]]) -> None:
    state = drawn(bend)
    spaces = len({x for b in borders for x in b})
    assert len(state.legal_moves()) == spaces
    assert len(borders) == 13 + 2 * (spaces - 10)
    found = solve(state, by="score", method="graph")
    assert found.complete
    assert found.value == difference(borders)


@pytest.mark.parametrize(("bend", "borders"), DRAWINGS[:1])
def test_a_drawing_of_ten_spaces(bend: str, borders: list[tuple[str, str]]) -> None:
    solved(bend, borders)


@pytest.mark.slow
@pytest.mark.parametrize(("bend", "borders"), DRAWINGS[1:] + LARGER)
def test_more_drawings(bend: str, borders: list[tuple[str, str]]) -> None:
    solved(bend, borders)


def test_a_drawing_is_verified_from_there_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Number of positions: a turn each, so for every number k of claimed spaces, C(10, k) C(k, k div 2)."""
    path = tmp_path / "corner.moves"
    path.write_text(f"{FIGURE}\n{DRAWINGS[0][0]}\n", encoding="utf-8")
    assert main(["verify", "abs-trac-toe", "--from", str(path)]) == 0
    out = capsys.readouterr().out
    assert "17,303 distinct states, 252 of them final" in out
    assert "that is the whole game" in out
    assert "every phase is reached" not in out
    assert "abs-trac-toe: 5 proved" in out


def test_positions_to_begin_from_are_for_exploring(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ("--smt", "--hashes"):
        assert main(["verify", "tic-tac-toe", "--from", "b2", more]) == 2
    capsys.readouterr()
    assert main(["verify", "tic-tac-toe", "--from", "b2", "-q"]) == 0
    start = InterpretedGame(load_program("tic-tac-toe")).initial_state()
    states = [start, *(start.apply(m) for m in start.legal_moves())]
    assert len(explore(start.game, start=states[5])) < len(explore(start.game))
    assert all(a != b for a, b in pairwise(states))
