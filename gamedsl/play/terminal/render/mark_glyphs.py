"""The look of marks with and without color, and the room for them, shared by all renderers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from gamedsl.engine.picture import BARE, Glyph, Picture, Spot, text_width
from gamedsl.play.terminal.render.canvas import PLAIN, Canvas, Ink
from gamedsl.play.terminal.render.viewport import Viewport, clean

_PAIRS = (("(", ")"), ("<", ">"), ("{", "}"), ("/", "/"))
LAST_PAIR = ("[", "]")
DECIDING_PAIR = ("!", "!")
DECIDED = "green"  # the ground, in color
_NUMBERED = re.compile(r"r(\d+)c(\d+)$")
_LETTERED = re.compile(r"([a-z]+)(\d+)$")


def marks_text(spot: Spot, ascii: bool) -> str:
    """All marks of a place in one text."""
    return clean("".join(g.text for g in spot.glyphs), ascii)


def with_signs_on_places(picture: Picture) -> Picture:
    """The picture with every enlarged sign repeated on each of its places, for boards where none can be drawn over
    several."""
    spots = dict(picture.spots)
    for one in picture.enlarged:
        for place in one.places:
            spot = spots.get(place, BARE)
            spots[place] = replace(spot, glyphs=(*spot.glyphs, one.glyph))
    return replace(picture, spots=spots) if picture.enlarged else picture


def ink_of(glyphs: tuple[Glyph, ...]) -> Ink:
    """The ink of marks: the first color among them; scars are dim, marks bold."""
    if not glyphs:
        return PLAIN
    colour = next((g.colour for g in glyphs if g.colour), None)
    scar = all(g.scar for g in glyphs)
    return Ink(colour=colour, bold=not scar, dim=scar)


def brackets(picture: Picture, spot: Spot, viewport: Viewport) -> tuple[str, str] | None:
    """Without colors: the signs on both sides of a place that decided the game, is tinted or was touched by the last
    move. At the smallest size there is no room for tints."""
    if viewport.colour:
        return None
    if spot.decides:
        return (LAST_PAIR[0] if spot.last else DECIDING_PAIR[0]), DECIDING_PAIR[1]
    if viewport.size == 2:
        return LAST_PAIR if spot.last else None
    if spot.tint is None:
        return LAST_PAIR if spot.last else None
    left, right = _PAIRS[spot.tint % len(_PAIRS)]
    return (LAST_PAIR[0] if spot.last else left), right


def ground_of(picture: Picture, spot: Spot, viewport: Viewport) -> Ink | None:
    """With colors: the background of a place that decided the game, is tinted or was touched by the last move."""
    if not viewport.colour or (spot.tint is None and not spot.last and not spot.decides):
        return None
    if spot.decides:
        return Ink(ground=DECIDED, reverse=spot.last)
    ground = None if spot.tint is None else picture.tints[spot.tint].colour
    return Ink(ground=ground, reverse=spot.last)


def tint_legend(picture: Picture, viewport: Viewport) -> list[tuple[str, Ink]]:
    """The meaning of the tints: a string for each, and the ink to print it in."""
    used = {s.tint for s in picture.spots.values() if s.tint is not None}
    meanings: list[tuple[str, Ink]] = []
    if any(spot.decides for spot in picture.spots.values()):
        sign = " " if viewport.colour else " ".join(DECIDING_PAIR)
        meanings.append((f"{sign} decided it", Ink(ground=DECIDED) if viewport.colour else PLAIN))
    for number, tint in enumerate(picture.tints):
        if number in used and tint.text:
            left, right = _PAIRS[number % len(_PAIRS)]
            if viewport.colour:
                meanings.append((f" {tint.text} ", Ink(ground=tint.colour)))
            else:
                meanings.append((f"{left} {right} {tint.text}", PLAIN))
    return meanings


def bracket(canvas: Canvas, pair: tuple[str, str], x: int, y: int, columns: int, text: str) -> None:
    """Puts a pair of signs into a field beside its text, or around the field if the text leaves no room in it."""
    out = len(text) > columns - 2
    canvas.put(x - out, y, pair[0])
    canvas.put(x + columns - 1 + out, y, pair[1])


def rim_names(picture: Picture, places: Mapping[tuple[int, int], int]) -> tuple[dict[int, str], dict[int, str]]:
    """The names of rows and of columns, out of cells by their row and column in the picture."""
    rows: dict[int, str] = {}
    columns: dict[int, str] = {}
    if picture.board is None or picture.unnamed:
        return rows, columns
    names = picture.board.domains["cell"].names
    for (row, column), i in places.items():
        if found := _NUMBERED.match(names[i]):
            rows[row], columns[column] = f"r{found[1]}", f"c{found[2]}"
        elif found := _LETTERED.match(names[i]):
            rows[row], columns[column] = found[2], found[1]
    return rows, columns


def spaced(names: Mapping[int, str], wide: int) -> dict[int, str]:
    """The names of columns that are ``wide`` characters apart; if there is not enough room, numbers lose their letter,
    and then some are omitted."""
    if all(len(name) < wide for name in names.values()):
        return dict(names)
    short = {i: name.lstrip("c") for i, name in names.items()}
    shown: dict[int, str] = {}
    end = -1
    for i in sorted(short):
        if i * wide >= end:
            shown[i] = short[i]
            end = i * wide + len(short[i]) + 1
    return shown


def longest(texts: list[str]) -> int:
    """The columns of the longest string; 0 if there are none."""
    return max((text_width(t) for t in texts), default=0)
