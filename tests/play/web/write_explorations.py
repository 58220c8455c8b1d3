"""Writes the explorations of this version, which later versions must open: ``python -m tests.play.web.write_explorations``.

Run it at every release, and never change the files of earlier versions (``tests/engine/explorations``).
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import gamedsl
from gamedsl.play.web import playable_page
from tests.engine.exploration_files import FOLDER

from .browser import browser, open_file

GAMES = {"tic-tac-toe": {}, "pig": {"target": "10"}, "rock-paper-scissors": {}, "abs-trac-toe": {}, "nim": {}}
NOTE = """([at, name]) => shown.table.note(at, { comment: "A note: <b>not</b> markup & “quotes”,\\nin two lines.",
  circles: name.length ? [name] : [], arrows: name.length ? [[...name, ...name]] : [] })"""
STEP = """async (pick) => {
  const { turn } = shown.update.position;
  if (turn.kind === "drawing") await shown.table.tools.find(({ id }) => id === "prepared").run();
  else if (turn.kind !== "end") await shown.table.play(turn.actions[pick % turn.actions.length][0], turn.seat);
}"""


def explore(page: Any, rng: Random, plies: int) -> None:
    """Explores two lines at random, with a comment and marks."""
    page.evaluate("shown.table.explore(true)")
    for start in (0, 2):
        page.evaluate("(node) => shown.table.go(Math.min(node, shown.update.tree.nodes.length - 1))", start)
        for _ in range(plies):
            page.evaluate(STEP, rng.randrange(1000))
    name = page.evaluate("[...shown.board.places.values()].slice(0, 1).flatMap(({ domain, name }) => [domain, name])")
    page.evaluate(NOTE, [page.evaluate("shown.update.tree.at"), name])


def write(folder: Path) -> None:
    """Writes a file for every game."""
    with browser() as found, TemporaryDirectory() as pages:
        for name, options in GAMES.items():
            path = Path(pages) / f"{name}.html"
            game = gamedsl.load(name, **options)
            path.write_text(playable_page(game, ["human"] * game.num_players), "utf-8")
            page = open_file(found, path)
            explore(page, Random(3), 9)
            target = folder / f"{gamedsl.__version__}-{name}.json"
            target.write_text(page.evaluate("shown.table.explored()"), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write(FOLDER)
