"""Shapes of pieces and lines between places, as the look names them, reach the picture, the page and the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.engine.picture import view
from gamedsl.language.rules.declarations.look import SHAPES
from gamedsl.play.web import describe_position
from tests.play.terminal.script import drawn, make, own_game
from tests.shipped_sample import sampled

from .browser import give_back, needs_browser, open_page
from .dev_table import DevTable

needs_browser()

RULES = """game "Pegs"
players red, blue
board grid 4 by 4 named by letters from bottom
piece peg of player
state
  joined: cell -> set of cell
move place(c: cell) written "{c}"
  when c in empty
  put peg[me] on c
  for d in peg[me] - {c}
    add d to joined[c]
    add c to joined[d]
play
  turns from red
    me plays place
      stuck
        draw
look
  show peg[red] as "r" red shaped star
  show peg[blue] as "b" blue shaped SHAPE
  line from c to d as heavy red called "a link" for c in peg[red], d in joined[c]
  line from spot 0, 50 of c to spot 50, 100 of c as light for c in peg[blue]
"""


def game_of(tmp_path: Path, shape: str = "diamond") -> gamedsl.Game:
    path = tmp_path / "pegs.gdl"
    path.write_text(RULES.replace("SHAPE", shape))
    return gamedsl.load(path)


def after(game: gamedsl.Game, *moves: str) -> gamedsl.State:
    state = game.initial_state()
    for move in moves:
        state = state.apply(game.parse_move(move, state))
    return state


def test_a_line_is_drawn_once_between_its_ends(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    lines = view(after(game, "a1", "d4", "b3", "d3", "c1")).lines
    links = [[end.name for end in line.ends] for line in lines if line.text == "a link"]
    # a1-b3, a1-c1 and c1-b3, each once although `joined` says it both ways
    assert sorted(sorted(names) for names in links) == [["a1", "b3"], ["a1", "c1"], ["b3", "c1"]]


def test_an_end_may_be_a_spot_of_a_place(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    described = describe_position(after(game, "a1", "d4"), None)["picture"]
    d4 = game.program.parts[0].board.domains["cell"].names.index("d4")  # type: ignore[union-attr]
    ends = [{"at": ["cell", d4], "offset": [0, 50]}, {"at": ["cell", d4], "offset": [50, 100]}]
    assert described["lines"] == [{"ends": ends, "style": "light", "colour": "", "text": ""}]
    [star] = [g for spot in described["spots"] for g in spot.get("glyphs", ()) if g["text"] == "r"]
    assert star["shape"] == "star"


def test_a_terminal_lists_the_lines(tmp_path: Path) -> None:
    session = own_game(tmp_path, RULES.replace("SHAPE", "disc"))
    make(session, "a1", "d4", "b3")
    assert "a link: a1-b3" in drawn(session)


@pytest.mark.parametrize("text", ["line from peg[red] to a1 as heavy", "line from 3 to a1 as heavy"])
def test_an_end_is_one_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text(RULES.replace("SHAPE", "disc") + f"  {text}\n")
    with pytest.raises(gamedsl.GameDSLError) as error:
        gamedsl.load(path)
    assert "E0301" in str(error.value)


@pytest.mark.parametrize("shape", sampled(SHAPES, "test_the_page_draws_the_shape"))
def test_the_page_draws_the_shape(chrome: Any, tmp_path: Path, shape: str) -> None:
    table = DevTable(game_of(tmp_path, shape))
    for move in ("a1", "d4", "b3"):
        table._add(table.state.game.parse_move(move, table.state))
    page = open_page(chrome, table)
    assert page.locator(".layer-piece [data-kind^='b/'] *").count() > 0
    assert page.locator(".layer-line .joint").count() == page.locator(".layer-over .joint").count() == 1
    assert "a link to b3" in page.evaluate(
        "shown.board.words([...shown.board.places].find(([, p]) => p.name === 'a1')[0])"
    )
    assert not give_back(page)


FENCES = """game "Fences"
players red, blue
board grid 3 by 3
state
  built: set of edge
move build(e: edge) written "{e}"
  when not e in built
  add e to built
play
  turns from red
    me plays build
      stuck
        draw
look
  stroke built as double called "fence"
  show e as "C" called "charm" for e in built
  leave "8<" on e called "snipped" after build
  leave "(C)" on e called "expired" after build
"""


def test_two_things_left_on_one_edge_stand_apart(chrome: Any, tmp_path: Path) -> None:
    path = tmp_path / "fences.gdl"
    path.write_text(FENCES)
    table = DevTable(gamedsl.load(path))
    table._add(table.state.legal_moves()[0])
    page = open_page(chrome, table)
    boxes = [one.bounding_box() for one in page.locator(".board-svg .scar").all()]
    halo = page.locator(".on-line .letter").evaluate("(e) => getComputedStyle(e).paintOrder")
    assert not give_back(page)
    assert sorted(boxes, key=lambda box: box["y"])[0]["y"] + 15 <= max(box["y"] for box in boxes), boxes
    assert halo.startswith("stroke")  # legible on the line
