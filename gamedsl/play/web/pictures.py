"""A picture -> plain data, without the facts that a page has from the scene."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import Aside, Entry, Glyph, Held, Line, LineEnd, PastBoard, Picture, Place, Spot, sketch_of

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]


def describe_picture(game: Game, part: int, picture: Picture) -> Json:
    """The ``picture`` of the reference page. ``part``: the part whose scene it belongs to; its players own the pieces."""
    players = game.program.parts[part].players.names
    return {
        "subtitle": picture.subtitle,
        "phase": picture.phase,
        "seats": [
            {"name": s.name, "played_by": s.played_by, "roles": list(s.roles), "acts": s.acts} for s in picture.seats
        ],
        "spots": [_spot(place, spot, players) for place, spot in sorted(picture.spots.items())],
        "tints": [{"text": t.text, "colour": t.colour or ""} for t in picture.tints],
        "lines": [_line(line) for line in picture.lines],
        "trails": [
            {"cells": list(t.cells), "last": t.last, "owner": t.owner, "style": t.style} for t in picture.trails
        ],
        "enlarged": [
            {
                "places": [list(place) for place in e.places],
                "glyph": {**describe_glyph(e.glyph, players), "scar": False},
            }
            for e in picture.enlarged
        ],
        "scored": [{"places": [list(place) for place in s.places], "owner": s.owner} for s in picture.scored],
        "borders": [
            {"cells": list(b.cells), "side": list(b.side), "text": b.text, "colour": b.colour or ""}
            for b in picture.borders
        ],
        "beside": [_aside(aside, game.players) for aside in picture.asides],
        "bubbles": list(picture.bubbles),
        "legend": [_entry(e, players) for e in picture.legend],
        "fallen": [{"what": f.what, "values": list(f.values)} for f in picture.fallen],
        "last": picture.last,
        "redraw": picture.redraw,
        "drawing": _drawing(picture),
        "held": [_held(one) for one in picture.held],
        "past": [_past(game, one) for one in picture.past],
        **({"over": list(picture.over)} if picture.over else {}),
        **_taken(picture, players),
    }


def _held(held: Held) -> Json:
    places = [None if place is None else list(place) for place in held.places]
    return {"holding": held.holding, "places": places, **({"sizes": list(held.sizes)} if held.sizes else {})}


def _taken(picture: Picture, players: tuple[str, ...]) -> Json:
    found = [{"by": t.by, "glyph": describe_glyph(t.glyph, players), "count": t.count} for t in picture.taken]
    return {"taken": found} if found else {}


def _past(game: Game, board: PastBoard) -> Json:
    part = board.end.part
    return {"scene": part, "caption": board.caption, "picture": describe_picture(game, part, board.picture)}


def _owner(name: str, players: Iterable[str]) -> int | None:
    return next((i for i, p in enumerate(players) if p.replace("_", " ") == name.replace("_", " ")), None)


def _spot(place: Place, spot: Spot, players: tuple[str, ...]) -> Json:
    found: Json = {"at": list(place)}
    if spot.glyphs:
        found["glyphs"] = [describe_glyph(g, players) for g in spot.glyphs]
    if spot.tint is not None:
        found["tint"] = spot.tint
    if spot.stroke is not None:
        found["stroke"] = {"style": spot.stroke, "colour": spot.stroke_colour or ""}
    if spot.last:
        found["last"] = True
    if spot.decides:
        found["decides"] = True
    if spot.threat:
        found["threat"] = spot.threat
    if spot.below:
        found["below"] = [describe_glyph(g, players) for g in spot.below]
    return found


def describe_glyph(glyph: Glyph, players: tuple[str, ...]) -> Json:
    """A glyph of the reference page. ``players``: those of the part, one of whom may own it."""
    return {
        "text": glyph.sign,
        "number": glyph.number,
        "colour": glyph.colour or "",
        "piece": glyph.piece,
        "owner": _owner(glyph.owner, players) if glyph.owner else _meant(glyph, players),
        "scar": glyph.scar,
        "shape": glyph.shape,
    }


def _line(line: Line) -> Json:
    found: Json = {
        "ends": [_line_end(end) for end in line.ends],
        "style": line.style,
        "colour": line.colour or "",
        "text": line.text,
    }
    return found if line.by is None else found | {"by": _line_end(line.by)}


def _line_end(end: LineEnd) -> Json:
    return {"at": list(end.place), "offset": None if end.offset is None else list(end.offset)}


def _meant(glyph: Glyph, players: tuple[str, ...]) -> int | None:
    """The player whose sign a string is: a player's name, or the first letters of exactly one player's name."""
    sign = glyph.sign.casefold()
    found = [i for i, name in enumerate(players) if sign and name.casefold().startswith(sign)]
    return found[0] if len(found) == 1 and not glyph.scar else None


def _aside(aside: Aside, players: tuple[str, ...]) -> Json:
    found: Json = {"label": aside.label, "values": list(aside.values), "seat": _owner(aside.owner, players)}
    if aside.because:
        found |= {"because": aside.because, "places": [list(place) for place in aside.places]}
    if aside.is_held:
        found["held"] = True
    return found


def _entry(e: Entry, players: tuple[str, ...]) -> Json:
    return {
        "sign": e.sign, "text": e.text, "colour": e.colour or "", "group": e.group, "stroke": e.is_stroke, "shape": e.shape,
        "piece": e.piece, "owner": _owner(e.owner, players) if e.owner else None,
    }  # fmt: skip


def _drawing(picture: Picture) -> Json | None:
    return describe_drawing(picture.paper) if picture.kind == "drawing" else None


def describe_drawing(paper: Any) -> Json:
    """The strokes of a plan with the drawn ones among them, and the spaces between them."""
    sketch = sketch_of(paper)
    if sketch is None:
        return {"strokes": [], "spaces": [], "borders": []}
    return {
        "strokes": [{"name": s.name, "closed": s.closed, "points": _points(s.points)} for s in sketch.strokes],
        "spaces": [
            {"index": s.index, "at": _points([s.point])[0], "outline": _points(s.outline), "near": list(s.neighbors)}
            for s in sketch.spaces
        ],
        "borders": [{"spaces": list(b.spaces), "points": _points(b.points)} for b in sketch.borders],
    }


def _points(points: Iterable[tuple[float, float]]) -> list[list[float]]:
    return [[round(x, 3), round(y, 3)] for x, y in points]
