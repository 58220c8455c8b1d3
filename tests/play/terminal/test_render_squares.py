"""Boards of squares as they are drawn: looked at once, then kept."""

from __future__ import annotations

from gamedsl.engine.picture.picture import Glyph, Picture, Spot, Tint, Trail
from gamedsl.language.boards import Shape, make_board
from gamedsl.language.boards.domains import elements
from gamedsl.play.terminal.render.canvas import plain
from gamedsl.play.terminal.render.page import render_page
from gamedsl.play.terminal.render.render_crossings import render_crossings
from gamedsl.play.terminal.render.render_squares import render_squares
from gamedsl.play.terminal.render.viewport import Viewport

from .script import board, drawn, make, session_of


def text(picture: Picture, viewport: Viewport | None = None) -> str:
    return "\n".join(plain(x).rstrip() for x in render_squares(picture, viewport or Viewport()).lines)


def grid(rows: int, columns: int, naming: str = "letters", without: tuple[str, ...] = ()) -> Picture:
    squares = make_board((Shape("grid", (rows, columns)),), without, naming, None)  # type: ignore[arg-type]
    return Picture("grid", "", "", "", (), squares.domains["cell"], squares)


def with_spots(picture: Picture, spots: dict[tuple[str, int], Spot], **more: object) -> Picture:
    from dataclasses import replace

    return replace(picture, spots=spots, **more)  # type: ignore[arg-type]


def test_marks_last_and_names_by_letters() -> None:
    session = session_of("tic-tac-toe")
    make(session, "b2", "a1", "c3")
    assert (
        board(session)
        == """\
    a   b   c
  ┌───┬───┬───┐
3 │   │   │[X]│
  ├───┼───┼───┤
2 │   │ X │   │
  ├───┼───┼───┤
1 │ O │   │   │
  └───┴───┴───┘"""
    )


def test_strokes_marks_on_edges_and_points() -> None:
    picture = grid(2, 3, "numbers")
    squares = picture.board
    assert squares is not None
    edge, cell, point = squares.domains["edge"], squares.domains["cell"], squares.domains["point"]
    spots = {
        ("edge", edge.index("r1c1/r2c1")): Spot(stroke="heavy"),
        ("edge", edge.index("r1c2/r2c2")): Spot((Glyph("C"),), stroke="heavy"),
        ("edge", edge.index("r1c3/r2c3")): Spot(stroke="dashed"),
        ("edge", edge.index("r2c2/r2c3")): Spot((Glyph("(C)"),), stroke="double"),
        ("point", 0): Spot((Glyph("o"),)),
        ("cell", cell.index("r2c1")): Spot((Glyph("w"), Glyph("12"))),
    }
    assert point.size == 2
    assert (
        text(with_spots(picture, spots, edge_marks=True))
        == """\
     c1    c2    c3
   ┌─────┬─────┬─────┐
r1 │     │     │     │
   ┝━━━━━o━━C━━╅╌╌╌╌╌┤
r2 │ w12 │    (C)    │
   └─────┴─────╨─────┘"""
    )


def test_a_box_of_double_strokes_in_ascii() -> None:
    picture = grid(3, 3)
    squares = picture.board
    assert squares is not None
    middle = squares.domains["cell"].index("b2")
    around = squares.relations[("sides", 1)].compute(middle)
    spots = {("edge", i): Spot(stroke="double") for i in elements(around)}
    assert (
        text(with_spots(picture, spots), Viewport(ascii=True))
        == """\
    a   b   c
  +---+---+---+
3 |   |   |   |
  +---+===+---+
2 |   H   H   |
  +---+===+---+
1 |   |   |   |
  +---+---+---+"""
    )


def test_lines_over_squares_cross_the_grid_and_turn() -> None:
    picture = grid(4, 4, "numbers")
    assert picture.place is not None
    at = picture.place.index
    spots = {("cell", at(n)): Spot((Glyph("x"),), tint=0) for n in ("r1c1", "r3c3", "r4c1")}
    trails = (Trail((at("r1c1"), at("r1c3"), at("r3c3"))), Trail((at("r3c3"), at("r3c1"), at("r4c1"))))
    assert (
        text(with_spots(picture, spots, trails=trails, tints=(Tint("done", "yellow"),)))
        == """\
    c1  c2  c3  c4
   ┌───┬───┬───┬───┐
r1 │(x)┿━━━┿━┓ │   │
   ├───┼───┼─╂─┼───┤
r2 │   │   │ ┃ │   │
   ├───┼───┼─╂─┼───┤
r3 │ ┏━┿━━━┿(x)│   │
   ├─╂─┼───┼───┼───┤
r4 │(x)│   │   │   │
   └───┴───┴───┴───┘"""
    )


def test_slanting_lines_pass_the_grid_points() -> None:
    picture = grid(3, 3)
    assert picture.place is not None
    at = picture.place.index
    shown = text(with_spots(picture, {}, trails=(Trail((at("a1"), at("c3"))), Trail((at("a3"), at("b2"))))))
    assert shown.splitlines()[3] == "  ├───╲───╱───┤"
    assert shown.splitlines()[5] == "  ├───╱───┼───┤"


def test_a_board_with_a_hole() -> None:
    assert (
        text(grid(3, 3, without=("b2", "c1")))
        == """\
    a   b   c
  ┌───┬───┬───┐
3 │   │   │   │
  ├───┼───┼───┤
2 │   │   │   │
  ├───┼───┼───┘
1 │   │   │
  └───┴───┘"""
    )


def test_high_boards_go_without_lines_between_rows() -> None:
    shown = [plain(x) for x in render_page(grid(10, 2), Viewport(rows=16))]
    assert len(shown) == 13
    assert shown[1].startswith("   ┌───┬───┐") and shown[2:4] == ["10 │   │   │", " 9 │   │   │"]
    assert len(render_page(grid(10, 2), Viewport(rows=22))) == 22


def test_whole_lines_that_moves_name_stand_at_the_rim() -> None:
    session = session_of("t-tic-t-tac-toe-game")
    shown = drawn(session).splitlines()
    assert [line.split("┤ ")[1][:2] for line in shown if "┤ " in line] == ["h1", "h2", "h3", "h4"]
    assert shown[12].split()[:4] == ["v1", "v2", "v3", "v4"]
    assert max(len(line) for line in shown) <= 80


def test_colours_replace_the_brackets_and_nothing_else() -> None:
    """With colours the brackets go, the places stay."""
    session = session_of("x-s-and-lines", n="4")
    make(session, "a1", "d1", "c3", "d4", "a1 to d1")
    bare = drawn(session, viewport=Viewport(80, 20)).translate(str.maketrans("()<>[]━", "       "))
    coloured = drawn(session, viewport=Viewport(80, 20, colour=True)).translate(str.maketrans("━", " "))
    assert [line[:20].rstrip() for line in bare.splitlines()] == [line[:20].rstrip() for line in coloured.splitlines()]


def test_tints_on_crossings() -> None:
    spots = {
        ("cell", 0): Spot((Glyph("B"),), tint=0),
        ("cell", 1): Spot(tint=1),
        ("cell", 2): Spot((Glyph("W"),), tint=0, last=True),
    }
    picture = with_spots(grid(1, 3), spots, cells="crossings", tints=(Tint("camp", "red"), Tint("gate", "blue")))
    shown = [
        plain(render_crossings(picture, Viewport(ascii=ascii)).lines[1]).strip().removeprefix("1")
        for ascii in (False, True)
    ]
    assert shown == ["(B)─<─>─[W)", "(B)-<->-[W)"]
