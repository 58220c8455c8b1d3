"""Where the nodes of a graph are drawn: rings, polygons and rows against school geometry and hand counts."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.engine.picture import view
from gamedsl.language.boards.node_spots import Outline, places_between, ring_points, whole_spots
from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.render.page import render_board
from gamedsl.play.terminal.render.viewport import Viewport
from tests.placing import PLACING

HEAD = 'game "Nodes"\nplayers X, O\nboard graph\n  nodes {nodes}\n'


def load(folder: Path, nodes: str, lines: str, look: str = "") -> gamedsl.Game:
    (folder / "own.gdl").write_text(HEAD.replace("{nodes}", nodes) + lines + PLACING + look, encoding="utf-8")
    return gamedsl.load(folder / "own.gdl")


def board_text(game: gamedsl.Game, **page: bool) -> list[str]:
    board = render_board(view(game.initial_state()), Viewport(**page))
    return ["".join(run.text for run in line).rstrip() for line in board.lines]


def spots(game: gamedsl.Game) -> tuple[tuple[int, int], ...]:
    board = game.program.parts[0].board
    assert board is not None
    return board.spots


def test_four_nodes_on_a_circle_are_at_its_top_right_bottom_and_left() -> None:
    assert ring_points(4, Outline((10, 0), 3)) == ((10, -3), (13, 0), (10, 3), (7, 0))


def test_a_quarter_turn_moves_each_node_to_the_next_place() -> None:
    still = ring_points(4, Outline((0, 0), 5))
    assert ring_points(4, Outline((0, 0), 5, degrees=90)) == (*still[1:], still[0])


def test_a_square_begins_with_its_upper_left_corner_and_its_sides_are_a_radius_away() -> None:
    found = ring_points(8, Outline((0, 0), 2, corners=4))
    assert found == ((-2, -2), (0, -2), (2, -2), (2, 0), (2, 2), (0, 2), (-2, 2), (-2, 0))


def test_a_triangle_stands_on_its_side() -> None:
    """The inscribed circle of radius 1 touches the side below; the corner above is twice as far, sqrt(3) on both sides."""
    top, right, left = ring_points(3, Outline((0, 0), 1, corners=3))
    assert top == (0, -2)
    assert right == (Fraction(1732, 1000), 1) and left == (-Fraction(1732, 1000), 1)


@given(st.integers(3, 12), st.integers(1, 4), st.integers(1, 1000), st.integers(-360, 360))
def test_all_sides_of_a_polygon_are_a_radius_away_and_nodes_are_even(
    corners: int, each: int, radius: int, degrees: int
) -> None:
    found = ring_points(corners * each, Outline((0, 0), radius, corners, degrees))
    ends = [found[i] for i in range(0, len(found), each)]
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise([*ends, ends[0]])]
    assert all(math.hypot(*m) == pytest.approx(radius, abs=0.002) for m in middles)
    gaps = [math.dist(a, b) for a, b in pairwise([*found, found[0]])]
    assert max(gaps) - min(gaps) < 0.004


@pytest.mark.parametrize(
    ("count", "outline", "sentence"),
    [
        (8, Outline((0, 0), 2, 3), "8 nodes cannot be spread evenly over 3 corners"),
        (4, Outline((0, 0), 2, 2), "at least 3 corners"),
        (4, Outline((0, 0), 0), "from 1 to 1,000,000, not 0"),
    ],
)
def test_rings_that_cannot_be_drawn(count: int, outline: Outline, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ring_points(count, outline)


def test_nodes_between_two_places_are_spread_evenly_and_row_by_row() -> None:
    """A triangle of ten points: three corners are given, the sides follow, and the point in the middle follows from them."""
    given_places = {"t": (0, 0), "l": (-3, 6), "r": (3, 6)}
    known = {name: (Fraction(x), Fraction(y)) for name, (x, y) in given_places.items()}
    rows = [["p", "m", "q"], ["t", "a", "p", "l"], ["t", "b", "q", "r"], ["l", "c", "d", "r"]]
    found = places_between(known, rows)
    assert found == {
        "a": (-1, 2), "p": (-2, 4), "b": (1, 2), "q": (2, 4), "c": (-1, 6), "d": (1, 6), "m": (0, 4),
    }  # fmt: skip


def test_places_become_whole_numbers_in_a_smaller_unit() -> None:
    third = Fraction(1, 3)
    assert whole_spots([("a", (third, Fraction(0))), ("b", (Fraction(1, 2), Fraction(2)))]) == (
        ("a", (2, 0)),
        ("b", (3, 12)),
    )
    rounded = whole_spots([("a", (third, Fraction(1, 1000)))])
    assert rounded == (("a", (333, 1)),)


def test_links_of_a_ring_and_a_path(tmp_path: Path) -> None:
    game = load(tmp_path, "a, b, c, d, e", "  ring a, b, c, d\n  path d, e, a\n")
    board = game.program.parts[0].board
    assert board is not None
    assert set(board.domains["edge"].names) == {"a/b", "b/c", "c/d", "a/d", "d/e", "a/e"}
    assert board.spots == ()


def test_rings_with_places_and_without_have_the_same_rules(tmp_path: Path) -> None:
    bare = load(tmp_path, "a, b, c, d", "  ring a, b, c, d\n").digest
    assert load(tmp_path, "a, b, c, d", "  ring a, b, c, d around 5, 5 with radius 2, turn 30\n").digest == bare


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("  ring a, b\n", "a ring has at least 3 nodes"),
        ("  path a\n", "a path has at least 2 nodes"),
        ("  ring a, b, a, c\n", "the ring has the node `a` twice"),
        ("  ring a, b, c around 0, 0 with radius 2, corners 4\n", "3 nodes cannot be spread evenly over 4 corners"),
        ("  ring a, b, c around 0, 0 with radius 2\n", "`d` has no place"),
        ("  ring a, b, c, d around 0, 0 with radius 2\n  a at 9, 9\n", "`a` has two places"),
        ("  path a, b, dd\n", "no node `dd`"),
    ],
)
def test_what_does_not_fit_is_explained(tmp_path: Path, lines: str, sentence: str) -> None:
    with pytest.raises(GameDSLError, match=sentence):
        load(tmp_path, "a, b, c, d", lines)


def test_nodes_may_be_named_like_the_words_of_rings(tmp_path: Path) -> None:
    game = load(tmp_path, "ring, path, around, radius", "  ring to path\n  path to around\n  ring at 0, 0\n  path at 1, 0\n"
                "  around at 2, 0\n  radius at 0, 1\n  ring ring, path, around, radius\n")  # fmt: skip
    assert spots(game) == ((0, 0), (1, 0), (2, 0), (0, 1))


def test_rows_may_begin_with_nodes_named_at_and_to(tmp_path: Path) -> None:
    """`path at, b` is a row of nodes, `path at 3, 0` the place of a node."""
    game = load(tmp_path, "at, to, path", "  path at, path\n  path to, path # a row\n  ring at, to, path\n"
                "  at at 0, 0\n  to at 1, 0\n  path at 0, 1\n")  # fmt: skip
    assert spots(game) == ((0, 0), (1, 0), (0, 1))


def test_a_terminal_sketches_nodes_on_a_circle(tmp_path: Path) -> None:
    lines = "  ring a, b, c, d, e around 0, 0 with radius 3\n"
    text = board_text(load(tmp_path, "a, b, c, d, e", lines), ascii=True)
    assert text[0].split() == ["o", "a"]  # the first node is at the top, alone
    rows = [[word for word in line.split() if word.isalpha() and word != "o"] for line in text]
    assert [row for row in rows if row] == [["a"], ["e", "b"], ["d", "c"]]
    assert "." in text[1]


def test_a_terminal_draws_a_square_ring_by_lines(tmp_path: Path) -> None:
    lines = "  ring a, b, c, d, e, f, g, h around 0, 0 with radius 1, corners 4\n"
    text = board_text(load(tmp_path, "a, b, c, d, e, f, g, h", lines), ascii=True)
    names = [[word for word in line.replace("-", " ").split() if word.isalpha()] for line in text[::2]]
    assert names == [["a", "b", "c"], ["h", "d"], ["g", "f", "e"]]
    assert "---" in text[0] and "|" in text[1]


LOOK = """look
  cells as crossings
  line from c to d as light for c in {c in cell: row(c) mod 2 = column(c) mod 2}, d in neighbors(c, corner)
"""


def test_a_terminal_draws_the_diagonals_of_a_board_of_crossings(tmp_path: Path) -> None:
    """Alquerque's: a diagonal in every square, those of neighboring squares in turn."""
    text = HEAD.split("board")[0] + "board grid 3 by 3 named by letters from bottom\n" + PLACING + LOOK
    (tmp_path / "own.gdl").write_text(text, encoding="utf-8")
    game = gamedsl.load(tmp_path / "own.gdl")
    drawn = board_text(game, ascii=True)
    assert ["".join(x for x in line if x in "/\\") for line in drawn if "|" in line] == ["\\/", "/\\"]
    heavy = text.replace("as light", "as heavy")
    (tmp_path / "own.gdl").write_text(heavy, encoding="utf-8")
    assert not any("\\" in line for line in board_text(gamedsl.load(tmp_path / "own.gdl"), ascii=True))
