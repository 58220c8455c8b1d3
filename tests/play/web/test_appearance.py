"""The page draws two things alike, but for their colors, exactly where the model of the checker says so."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import gamedsl
from gamedsl.language.core import Thing, labels_of, things_of
from gamedsl.language.core.appearance import page_form
from gamedsl.play.web import describe_game

from .browser import needs_browser

needs_browser()

NAMES = [
    "atreso", "battleship", "blokus-duo", "brandub", "chess", "chinese-checkers", "einstein-wuerfelt-nicht",
    "english-draughts", "hive", "onitama", "stratego", "t-tic-t-tac-toe-game", "twixt", "x-s-and-lines",
]  # fmt: skip
# What is drawn for each glyph, without colors.
DRAWN = """async ([glyphs, scene]) => {
  const { piece } = await import("/pieces.js");
  const colors = /url\\(#paint-\\w+\\)|#[0-9a-f]{3,6}\\b|(ink|pen)-\\w+|(?<=on-disc )\\S+/g;
  return glyphs.map((glyph) => piece(glyph, scene).outerHTML.replaceAll(colors, ""));
}"""


def glyph(thing: Thing) -> dict[str, Any]:
    return {
        "text": thing.sign, "number": 3 if thing.numbered else None, "colour": thing.colour, "piece": thing.piece,
        "owner": thing.owner, "scar": False, "shape": thing.shape,
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_page_draws_what_the_model_says(blank: Any, name: str) -> None:
    game = gamedsl.load(name)
    scenes = {scene["part"]: scene for scene in describe_game(game)["scenes"]}
    for part in game.program.parts:
        things = [t for found in things_of(part) for t in found if t.kind == "piece" and t.on == "cell"]
        if part.index not in scenes or not things:
            continue
        labels = labels_of(part)
        drawn = blank.evaluate(DRAWN, [[glyph(t) for t in things], {**scenes[part.index], "counts": False}])
        forms = [page_form(part, t, labels) for t in things]
        for (one, a), (other, b) in combinations(zip(drawn, forms, strict=True), 2):
            assert (one == other) == (a == b), (a, b, one, other)
