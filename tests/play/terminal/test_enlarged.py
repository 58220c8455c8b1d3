"""Signs that moves leave, drawn large over a block of places."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine import State
from gamedsl.engine.picture import Picture, scars_of, view
from gamedsl.play.terminal.render.page import render_board
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.web import describe_position
from tests.engine.sheets import sheet_of

RULES = """
players X, O
board {board}
piece mark of player
move strike(s in {blocks})
  put mark[me] on s - occupied
play
  turns from X, 2 times
    me plays strike
  draw
look
  show mark[X] as "X" red shaped cross
  show mark[p] as "o" for p in {{O}}
  leave mark[me] large on s called "struck" after strike until redrawn
"""


def after_strikes(folder: Path, board: str, blocks: str, strikes: int) -> tuple[State, Picture]:
    (folder / "strike.gdl").write_text(RULES.format(board=board, blocks=blocks))
    state = gamedsl.load(folder / "strike.gdl").initial_state()
    steps: list[tuple[State, gamedsl.Move | None]] = [(state, None)]
    for _ in range(strikes):
        move = state.legal_moves()[0]
        state = state.apply(move)
        steps.append((state, move))
    return state, view(state, scars=scars_of(sheet_of(steps), state))


def drawn(picture: Picture, viewport: Viewport) -> str:
    return "\n".join("".join(run.text for run in line) for line in render_board(picture, viewport).lines)


@pytest.mark.parametrize("viewport", [Viewport(), Viewport(size=1), Viewport(size=2)])
@pytest.mark.parametrize(("blocks", "crossings"), [("blocks(2, 2)", 1), ("blocks(3, 3)", 4)])
def test_a_sign_stands_on_the_crossings_inside_its_block(
    tmp_path: Path, viewport: Viewport, blocks: str, crossings: int
) -> None:
    _, picture = after_strikes(tmp_path, "grid 4 by 4", blocks, 1)
    lines = drawn(picture, viewport).splitlines()
    between = [line for line in lines if set("├┼") & set(line)]
    assert sum(line.count("(X)" if viewport.size < 2 else "X") for line in between) == crossings


def test_a_block_without_a_crossing_and_other_boards(tmp_path: Path) -> None:
    _, picture = after_strikes(tmp_path, "grid 2 by 2", "blocks(1, 2)", 1)
    assert drawn(picture, Viewport(ascii=True)).count("X") == 4  # two marks, and the sign beside each
    _, picture = after_strikes(tmp_path, "hex 3", "lines(2)", 1)
    assert drawn(picture, Viewport()).count("XX") == 2


def test_the_sign_is_that_of_the_piece_of_the_mover(tmp_path: Path) -> None:
    _, picture = after_strikes(tmp_path, "grid 4 by 4", "blocks(2, 2)", 2)
    first, second = (one.glyph for one in picture.enlarged)
    assert (first.text, first.colour, first.shape, first.owner) == ("X", "red", "cross", "X")
    assert (second.text, second.colour, second.shape, second.owner) == ("o", None, "", "O")
    assert [e.text for e in picture.legend].count("struck") == 2


def test_the_page_gets_the_places_and_the_glyph(tmp_path: Path) -> None:
    state, picture = after_strikes(tmp_path, "grid 4 by 4", "blocks(2, 2)", 1)
    assert [place for one in picture.enlarged for place in one.places] == [("cell", i) for i in (0, 1, 4, 5)]
    assert describe_position(state, 0)["picture"]["enlarged"] == []  # without the sheet
