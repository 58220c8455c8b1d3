"""Boards as pictures in a report: every game has one that is sound XML and shows what stands on the board."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from gamedsl.terminal.render.board_svg import board_svg

from .test_shipped_boards import GAMES, pictures

TEXT = "{http://www.w3.org/2000/svg}text"
WITHOUT = {"rock-paper-scissors", "nim", "misere-nim", "pig", "kuhn-poker", "leduc-poker", "liars-dice", "goofspiel",
           "sealed-bid-auction", "whist"}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_pictures(name: str) -> None:
    _, picture = pictures(name)
    text = board_svg(picture, name)
    if name in WITHOUT:
        assert text == ""
        return
    page = ElementTree.fromstring(text)
    words = [e.text for e in page.iter(TEXT)]
    wide, high = float(page.get("width") or 0), float(page.get("height") or 0)
    assert all(0 <= float(e.get("x") or 0) <= wide and 0 <= float(e.get("y") or 0) <= high for e in page.iter(TEXT))
    if picture.kind != "drawing":
        marks = ["".join(g.text for g in s.glyphs) for (d, _), s in picture.spots.items() if d == "cell" and s.glyphs]
        assert all(words.count(m) >= marks.count(m) for m in marks if m.strip())
