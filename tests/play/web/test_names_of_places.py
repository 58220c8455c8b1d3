"""Names of places can be read: no piece, no colored side and no frame lies over them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gamedsl
from tests.shipped_sample import small

from .browser import give_back, needs_browser, open_page
from .dev_table import DevTable
from .whole_games import NAMES

needs_browser()

QUICK = {"yavalath", "oshi-zumo", "nine-mens-morris"}  # hexagons, colored sides, nodes beside a frame

# Names (their capitals, without the room of a line of text) that a round piece, a side, or the edge of the board covers by more
# than a pixel.
COVERED = """() => {
  const box = (e) => e.getBoundingClientRect();
  const shown = (e) => getComputedStyle(e).display !== "none";
  const names = [...document.querySelectorAll(".board-svg .place-name, .board-svg .rim-name")].filter(shown).map((e) => {
    const { left, right, top, bottom } = box(e);
    const high = bottom - top;
    return { text: e.textContent, left, right, top: top + 0.25 * high, bottom: bottom - 0.3 * high, rim: e.matches(".rim-name") };
  });
  const apart = (n, x, y) => Math.hypot(Math.max(n.left - x, 0, x - n.right), Math.max(n.top - y, 0, y - n.bottom));
  const discs = [...document.querySelectorAll(".layer-piece .piece circle:first-of-type")].map(box)
    .map((b) => [(b.left + b.right) / 2, (b.top + b.bottom) / 2, b.width / 2]);
  const sides = [...document.querySelectorAll(".board-svg .side")].map(box).filter((b) => Math.min(b.width, b.height) < 1); // not slanted
  const board = document.querySelector(".board-svg rect.board.wood, .board-svg rect.board.paper");
  const width = (n, b) => Math.min(n.right, b.right) - Math.max(n.left, b.left);
  const height = (n, b) => Math.min(n.bottom, b.bottom) - Math.max(n.top, b.top);
  const frame = board && box(board);
  const within = (n, b) => Math.min(n.left - b.left, b.right - n.right, n.top - b.top, b.bottom - n.bottom);
  const covered = (n) => discs.some(([x, y, r]) => apart(n, x, y) < r - 1) || sides.some((b) => Math.min(width(n, b), height(n, b)) > 1)
    || (frame && !n.rim && within(n, frame) < 1);
  return names.filter(covered).map((n) => n.text);
}"""


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
def test_no_name_is_covered(chrome: Any, name: str) -> None:
    table, rng = DevTable(gamedsl.load(name, **small(name)), seed=3), Random(3)
    for _ in range(24):
        if table.state.is_terminal or table.state.kind == "drawing":
            break
        table._add(table.state.propose(rng))
    page = open_page(chrome, table, "phone")
    covered, errors = page.evaluate(COVERED), page.faults
    give_back(page)
    assert (covered, errors) == ([], [])
