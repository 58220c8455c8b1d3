"""Positions as pictures inside other pages, drawn by the page's modules from data in the elements."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import CLEAN
from gamedsl.play.web.position_data import describe_position
from gamedsl.play.web.scenes import scenes
from gamedsl.play.web.single_script import STATIC, one_script

if TYPE_CHECKING:
    from gamedsl.engine import State
    from gamedsl.engine.picture import Scars

Json: TypeAlias = dict[str, Any]


def figure_data(state: State, scars: Scars = CLEAN) -> Json:
    """A picture with its scene, as a spectator sees it, in the form that ``drawPicture`` of ``static/picture_view.js``
    takes. ``scars``: the marks on the paper, as far as a spectator may know them."""
    position = describe_position(state, None, scars=scars)
    shown = {position["scene"], *(one["scene"] for one in position["picture"]["past"])}
    known = {scene["part"]: scene for scene in scenes(state.game) if scene["part"] in shown}
    return {"scene": known.pop(position["scene"]), "picture": position["picture"], "past_scenes": [*known.values()]}


def figure(state: State, scars: Scars = CLEAN) -> str:
    """An HTML element that ``figure_assets`` fills with the picture; empty if there is no board."""
    data = figure_data(state, scars)
    if data["scene"]["kind"] == "none":
        return ""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return f'<div class="gamedsl picture" data-figure="{escape(text)}"></div>'


def figure_assets() -> str:
    """The style and script for all figures of a page, to be placed after them."""
    style = (STATIC / "page.css").read_text(encoding="utf-8")
    script = f'"use strict";\n{one_script("picture_view")}\n$picture_view.drawFigures();\n'.replace(
        "</script", "<\\/script"
    )
    return f"<style>{style}.gamedsl.picture {{ min-height: 0; padding: 0; background: none; }}</style>\n<script>{script}</script>"
