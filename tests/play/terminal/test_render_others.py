"""Hexagons, tracks, graphs and drawings as they are drawn; looks that nobody wrote."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from gamedsl.engine.picture.sketch import sketch_of
from gamedsl.language.rules.declarations.look import COLOURS
from gamedsl.language.rules.files import shipped
from gamedsl.play.terminal.render.canvas import Ink, Run, plain, widest
from gamedsl.play.terminal.render.page import render_page
from gamedsl.play.terminal.render.raster import contains, frame
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.screen.screen_output import ScreenOutput
from tests.shipped_sample import sampled

from .script import board, drawn, make, own_game, session_of

HEX = """game "Hex"
players red, blue
board hex 3
piece stone of player
move place(c: cell) written "{c}"
  when c in empty
  put stone[me] on c
play
  turns from red
    me plays place
      stuck
        draw
look
  show stone[red] as "R" red
  show stone[blue] as "B" blue
"""

GRAPH = """game "Hops"
players fox, hen
board graph
  nodes den, wood, barn, pond
  den to wood, barn
  pond to barn
piece sign of player
move hop(c: cell) written "to {c}"
  when c in empty
  put sign[me] on c
play
  turns from fox
    me plays hop
      stuck
        draw
"""

TRACK = """game "Road"
players one, two
board track 5
piece coach of player, 3 each, stacking
move put_one(c: cell) written "{c}"
  when c not in coach[rival]
  put coach[me] on c
play
  turns from one, 4 times
    me plays put_one
  draw
"""


def test_hexagons_lie_between_those_of_the_next_row(tmp_path: Path) -> None:
    session = own_game(tmp_path, HEX)
    first, second = (str(m) for m in session.state.legal_moves()[:2])
    make(session, first, second)
    letters, *rows = [line for line in board(session).splitlines() if line]
    assert letters.split() == ["a", "b", "c"] and len(rows) == 5
    marks = [[i for i, char in enumerate(row) if char in "·RB"] for row in rows]
    assert [len(m) for m in marks] == [3, 4, 5, 4, 3]
    for above, below in pairwise(marks):
        assert abs(above[0] - below[0]) * 2 == above[1] - above[0] == 4
    assert "[B]" in drawn(session) and " R " in drawn(session)


def test_graphs_are_listed_with_links_and_default_letters(tmp_path: Path) -> None:
    session = own_game(tmp_path, GRAPH)
    make(session, "to barn", "to den")
    assert [line[:24].rstrip() for line in drawn(session).splitlines()[:4]] == [
        " den [h] to wood barn",
        "wood  ·  to den",
        "barn  f  to den pond",
        "pond  ·  to barn",
    ]
    assert "f fox  h hen" in drawn(session)


def test_tracks_show_heights_by_default(tmp_path: Path) -> None:
    session = own_game(tmp_path, TRACK)
    make(session, "t2", "t4", "t2")
    assert any("[o2]" in line or "o2" in line for line in drawn(session).splitlines())


def test_variables_are_told_where_no_look_is_written(tmp_path: Path) -> None:
    session = own_game(
        tmp_path,
        """game "Count"
players one, two
state
  total: 0..9 = 3
  best: player -> 1..2?
move add_one(n in 1..2) written "{n}"
  add n to total
  set best[me] to n
play
  turns from one, 3 times
    me plays add_one
  draw
""",
    )
    make(session, "2")
    assert "total: 5" in drawn(session) and "best: one 2, two none" in drawn(session)


# ---------------------------------------------------------------------------------------------------- drawings


def drawing_session(seed: int = 5):  # type: ignore[no-untyped-def]
    session = session_of("abs-trac-toe", "random", seed)
    for _ in range(5):
        session.play_by_program()
    return session


@pytest.mark.parametrize("ascii", [False, True])
def test_numbers_lie_in_their_spaces(ascii: bool) -> None:
    """Where a number is printed, the point under it lies in that space (or the space is told to be too small)."""
    from gamedsl.play.terminal.render.render_drawing import rendered

    for seed in range(4):
        picture = drawing_session(seed).picture()
        sketch = sketch_of(picture.paper)
        assert sketch is not None
        plotted = rendered(sketch, 44, 20, ascii)
        for space, place in zip(sketch.spaces, plotted.labels, strict=True):
            if place is None:
                continue
            under = [plotted.page.middle(place[0] + i, place[1]) for i in range(len(str(space.number)))]
            nearest = min(abs(x - space.point[0]) + abs(y - space.point[1]) for x, y in under)
            assert any(contains(space.outline, p) for p in under) or nearest < 3 / plotted.page.scale


def test_every_space_is_listed_with_owner_and_neighbours() -> None:
    session = drawing_session()
    shown = drawn(session)
    sketch = sketch_of(session.picture().paper)
    assert sketch is not None
    owned = [str(m.move) for m in session.moments if m.move is not None and m.move.kind == "move"]
    for space in sketch.spaces:
        assert f"{space.number:>2} " in shown
        assert all(space.index in sketch.spaces[n].neighbors for n in space.neighbors)
    first = int(owned[0].removeprefix("s"))
    assert f"{first:>2} p1:" in shown or f"{first:>2} p2:" in shown


def test_drawings_fit_the_page() -> None:
    for seed in range(3):
        picture = drawing_session(seed).picture()
        assert widest(render_page(picture, Viewport(80, 20))) <= 80
        assert all(plain(x).isascii() for x in render_page(picture, Viewport(80, 20, ascii=True)))


def test_an_empty_sheet() -> None:
    assert "nothing has been drawn yet" in drawn(session_of("abs-trac-toe"))


def test_a_frame_keeps_its_proportions() -> None:
    rng = Random(1)
    for _ in range(50):
        points = [(rng.uniform(-9, 99), rng.uniform(-9, 99)) for _ in range(5)]
        page = frame(points, 40, 20)
        for point in points:
            column, row = page.place(point)
            assert 0 <= column < page.columns + 1 and 0 <= row < page.rows + 1
        x, y = page.middle(3, 4)
        assert page.place((x, y)) == pytest.approx((3.5, 4.5))


# --------------------------------------------------------------------------------------------------- all rulesets


@pytest.mark.parametrize("name", sampled(sorted(shipped()), "test_every_shipped_game_is_drawn_within_the_page"))
def test_every_shipped_game_is_drawn_within_the_page(name: str) -> None:
    session = session_of(name, "random", 2)
    for _ in range(8):
        if session.state.is_terminal:
            break
        session.play_by_program()
        for ascii in (False, True):
            page = drawn(session, viewport=Viewport(80, 20, ascii=ascii))
            assert max(len(line) for line in page.splitlines()) <= 80
            assert page.isascii() or not ascii


def test_the_outer_board_stays_in_view_while_a_part_without_one_is_played(tmp_path: Path) -> None:
    session = own_game(
        tmp_path,
        """game "Duel"
players one, two
board grid 2 by 2
piece stone of player
move lay(c: cell) written "{c}"
  when c in empty
  put stone[me] on c
part toss
  players left, right
  move call(side in {1, 2}) written "{side}"
  play
    left plays call
    win left
  look
    beside "tossing"
play
  one plays lay
  play toss with left = two, right = one -> result
  two plays lay
  draw
""",
    )
    make(session, "b1")
    page = drawn(session)
    assert "│[o]│" in page.replace(" o ", "[o]") and "toss" in page and "tossing" in page and "two (left)" in page


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("term", ["xterm-256color", "linux"])
def test_every_colour_of_the_language_can_be_printed(term: str, colour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "PROMPT_TOOLKIT_COLOR_DEPTH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", term)
    output = ScreenOutput(io.StringIO())
    codes = output.codes([(Run("here", Ink(colour, colour, True)), Run(" there"))])
    # SGR of ECMA-48: 30 to 37 and 90 to 97 color the text, 40 to 47 and 100 to 107 its ground, 38;5 and 48;5 with a number
    assert re.fullmatch(
        r"(\x1b\[0m)?\x1b\[0;(38;5;\d+|3[0-7]|9[0-7]);(48;5;\d+|4[0-7]|10[0-7]);1mhere\x1b\[0m there\n", codes
    )


@pytest.mark.parametrize(
    "variable, value, expected",
    [
        ("NO_COLOR", "1", r"(\x1b\[0m)?\x1b\[0;1mhere\x1b\[0m\n"),  # bold is no color
        ("TERM", "dumb", "here\n"),
    ],
)
def test_where_no_colour_is_wanted_none_is_printed(
    variable: str, value: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv(variable, value)
    output = ScreenOutput(io.StringIO())
    assert not output.colour and re.fullmatch(expected, output.codes([(Run("here", Ink("red", bold=True)),)]))


def test_values_of_places_stand_on_the_places_where_there_are_no_pieces(tmp_path: Path) -> None:
    session = own_game(
        tmp_path,
        """game "Pits"
players one, two
board grid 1 by 3
state
  seeds: cell -> 0..9
move sow(c: cell) written "{c}"
  add 7 to seeds[c]
play
  turns from one, 3 times
    me plays sow
  draw
""",
    )
    make(session, "b1")
    page = drawn(session)
    assert "1 │   │[7]│   │" in page and "on the board: seeds" in page and "seeds: " not in page
