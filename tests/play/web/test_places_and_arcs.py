"""Nodes lie where the ruleset says, and lines go as arcs through a point: in the data, in a terminal and in the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import Game
from gamedsl.play.web import describe_game, describe_position
from tests.placing import PLACING

from .browser import give_back, needs_browser, open_page, wait_until
from .dev_table import DevTable

needs_browser()

GRAPH = """game "Star"
players X, O
board graph
  nodes a, b, c, d, e
  a to b, c
  b to c, d
  c to e
{places}"""
PLACES = "  a at 10, 0\n  b at 0, 20\n  c at 20, 20\n  d at -10, 40\n  e at 30, 40\n"

# A quarter of Surakarta: the loop at the upper left corner of a board of 3 by 3 goes around it, one cell from its middle.
LOOP = (
    """game "Loop"
players X, O
board grid 3 by 3 named by letters from bottom
"""
    + PLACING
    + """look
  cells as crossings
  show mark[X] as "X"
  show mark[O] as "O"
  line from b3 to a2 by spot -21, -21 of a3 as light called "a loop"
"""
)


@pytest.fixture
def load(tmp_path: Path) -> Any:
    def loaded(text: str) -> Game:
        (tmp_path / "own.gdl").write_text(text)
        return gamedsl.load(tmp_path / "own.gdl")

    return loaded


def with_places(text: str) -> str:
    return GRAPH.replace("{places}", text) + PLACING


def test_the_closest_nodes_are_a_cell_apart(load: Any) -> None:
    [scene] = describe_game(load(with_places(PLACES)))["scenes"]
    # b and c are 20 apart, a is sqrt(10^2 + 20^2) = 22.4 from both: 20 is the unit.
    assert scene["places"]["cell"]["at"] == [[1.5, 0.5], [1.0, 1.5], [2.0, 1.5], [0.5, 2.5], [2.5, 2.5]]


def test_places_are_no_rule(load: Any) -> None:
    """Records and saved games stay usable if nodes are only drawn elsewhere."""
    assert load(with_places(PLACES)).digest == load(with_places("")).digest


def test_a_terminal_draws_nodes_at_small_columns_and_rows(load: Any) -> None:
    from gamedsl.engine.picture import view
    from gamedsl.play.terminal.render.page import render_board
    from gamedsl.play.terminal.render.viewport import Viewport

    state = load(with_places(PLACES)).initial_state()
    board = render_board(view(state), Viewport(ascii=True))
    text = ["".join(run.text for run in line) for line in board.lines]
    words = [line.split() for line in text if line.strip(" /\\")]
    # Slanting lines lead to three nodes; the link between b and c is level.
    assert words[0] == ["o", "a"] and words[2] == ["o", "d", "o", "e"]
    assert words[1][0].startswith("--b-") and words[1][-1] == "c"


def test_the_page_draws_an_arc_and_all_of_it(chrome: Any, load: Any) -> None:
    table = DevTable(load(LOOP))
    picture = describe_position(table.state, 0)["picture"]
    assert picture["lines"][0]["by"] == {"at": ["cell", 6], "offset": [-21, -21]}
    page = open_page(chrome, table)
    # Three quarters of a circle with the radius of a cell (100), from above the corner of the board to its left.
    path = page.locator(".layer-line path.barrier").get_attribute("d")
    numbers = [float(x) for x in path.replace("M", " ").replace("A", " ").split()]
    assert numbers[2:4] == pytest.approx([100, 100], abs=1) and numbers[5:7] == [1, 0]
    box, view = page.evaluate(
        "[document.querySelector('.layer-line path').getBBox().toJSON?.() ?? null, shown.board.view]"
    )
    left, top = page.evaluate(
        "(() => { const b = document.querySelector('.layer-line path').getBBox(); return [b.x, b.y]; })()"
    )
    assert view[0] < left < 0 and view[1] < top < 0, box
    assert "a loop to a2" in page.evaluate(
        "shown.board.words([...shown.board.places].find(([, p]) => p.name === 'b3')[0])"
    )
    assert not give_back(page)


def test_crossings_of_hexagons_are_a_net_of_triangles_and_plain_lines_look_like_it(chrome: Any, load: Any) -> None:
    """Three hexagons to a side: 19 points. Rows of 3, 4, 5, 4 and 3 have 14 lines, in three directions 42."""
    text = LOOP.replace("grid 3 by 3", "hex 3").split("  line from")[0]
    [scene] = describe_game(load(text))["scenes"]
    assert len(scene["links"]) == 42 == len({tuple(sorted(pair)) for pair in scene["links"]})
    table = DevTable(load(text + "  line from a3 to c1 as light\n"))
    page = open_page(chrome, table)
    assert page.locator(".layer-ground .link").count() == 42 and page.locator(".layer-ground .node").count() == 19
    colors = page.evaluate(
        "['.layer-ground .link', '.layer-line .barrier'].map((one) => getComputedStyle(document.querySelector(one)).stroke)"
    )
    assert colors[0] == colors[1]
    assert not give_back(page)


RING = """game "Ring"
players X, O
board graph
  nodes a, b, c, d, e, f
  ring a, b, c, d around 0, 0 with radius 5
  path c, e, f
  e at 20, 20
  f at 20, 30
piece road of player on edge
move build(r: edge) written "{r}"
  when r not in road[X] | road[O] "there is a road already"
  put road[me] on r
play
  turns from X
    me plays build
      stuck
        draw
look
  stroke road[X] as heavy
  stroke road[O] as double
"""


def test_links_of_a_ring_are_arcs_and_others_are_straight(load: Any) -> None:
    """Four nodes on a circle of radius 5: neighbors are 5 * sqrt(2) = 7.071 apart, which is a cell. Between a (at the top, in
    column 5 / 7.071 + 0.5) and b the circle goes through (3.536, -3.536), so (5 + 3.536) / 7.071 + 0.5 = 1.707 across and
    (5 - 3.536) / 7.071 + 0.5 = 0.707 down."""
    [scene] = describe_game(load(RING))["scenes"]
    bends = {tuple(link[:2]): link[2] for link in scene["links"] if len(link) > 2}
    assert set(bends) == {(0, 1), (1, 2), (2, 3), (0, 3)} and len(scene["links"]) == 6
    assert bends[0, 1] == pytest.approx([1.7071, 0.7071], abs=1e-3)
    edges = scene["places"]["edge"]
    at = edges["at"][edges["names"].index("a/b")]
    assert at == pytest.approx([1.7071, 0.7071], abs=1e-3)
    [polygon] = describe_game(load(RING.replace("radius 5", "radius 5, corners 4")))["scenes"]
    assert all(len(link) == 2 for link in polygon["links"])


def test_an_arc_is_touched_along_it_and_drawn_on_it(chrome: Any, load: Any) -> None:
    """A road is built by touching the middle of the arc, which is 20 hundredths of a cell away from the straight line; there, nothing
    is hit."""
    table = DevTable(load(RING))
    page = open_page(chrome, table, "phone")
    under = """([x, y]) => {
      const { element, layout } = shown.board;
      const spot = new DOMPoint(...layout.point([x, y])).matrixTransform(element.getScreenCTM());
      const found = document.elementFromPoint(spot.x, spot.y)?.closest('[data-place]');
      return [found?.dataset.place ?? '', spot.x, spot.y];
    }"""
    edges = page.evaluate("shown.board.scene.places.edge.names")
    on, x, y = page.evaluate(under, [1.7071, 0.7071])
    assert on == f"edge:{edges.index('a/b')}"
    beside, *_ = page.evaluate(under, [1.7071 - 0.1464, 0.7071 + 0.1464])  # the middle of the straight line
    assert beside != on
    page.touchscreen.tap(x, y)
    path = page.locator(".layer-line path.barrier")
    path.wait_for()
    numbers = [float(n) for n in path.get_attribute("d").replace("M", " ").replace("A", " ").split()]
    assert numbers[2:4] == pytest.approx([70.71, 70.71], abs=0.1)  # 5 of 7.071, in hundredths of a cell
    assert not give_back(page)


TILES = (
    """game "Ways"
players X, O
board grid 2 by 2
"""
    + PLACING
    + """look
  show mark[X] as "X" number 7
  show mark[O] as "O"
  line from spot 0, 50 of c to c as double called "" for c in mark[X]
  beside "on {c}: {p}" for p in players, c in mark[p]
  beside "free: {c}" for c in empty
"""
)


def test_a_line_from_the_edge_ends_at_a_piece_whose_number_can_be_read(chrome: Any, load: Any) -> None:
    """The edge is half of a cell (50) from the middle; a piece takes 42, and the line ends 4 inside of that."""
    game = load(TILES)
    table = DevTable(game)
    table._add(table.state.legal_moves()[0])
    page = open_page(chrome, table)
    path = page.locator(".layer-over path.barrier").first.get_attribute("d")
    x0, _, x1, _ = (float(x) for x in path.replace("M", " ").replace("L", " ").split())
    assert x1 - x0 == pytest.approx(50 - 38)
    # Three texts stand beside the board (that on a1 stands beside its owner), no more than are few.
    assert page.locator("ul.beside li").count() == 3 and not page.locator(".more-lines").count()
    give_back(page)


def test_a_long_list_of_texts_is_folded(chrome: Any, load: Any) -> None:
    table = DevTable(load(TILES.replace("grid 2 by 2", "grid 3 by 3")))
    page = open_page(chrome, table)
    assert page.locator(".more-lines summary").text_content() == "9 more lines"
    assert not page.locator(".more-lines li").first.is_visible()
    page.locator(".more-lines summary").click()
    wait_until(page, "shown.showsMoreLines")
    table._add(table.state.legal_moves()[0])
    page.evaluate("shown.table.go?.(0)")
    assert page.locator(".more-lines li").first.is_visible()
    give_back(page)
