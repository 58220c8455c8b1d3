"""Play in a browser: positions as JSON for one seat, and the page that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "STATIC",
    "Address",
    "Catalogue",
    "Limits",
    "Links",
    "build_site",
    "describe_game",
    "describe_position",
    "describe_preview",
    "describe_reasons",
    "describe_refusals",
    "describe_step",
    "describe_turn",
    "drawing_of",
    "explored_page",
    "figure",
    "figure_assets",
    "is_same_site",
    "judge_strokes",
    "playable_page",
    "recorded_page",
    "run_local_app",
    "serve",
    "wasm_files",
]

if TYPE_CHECKING:
    from gamedsl.play.web.figures import figure, figure_assets
    from gamedsl.play.web.offline.playable_page import playable_page
    from gamedsl.play.web.offline.wasm_files import wasm_files
    from gamedsl.play.web.page_facts import describe_game
    from gamedsl.play.web.position_data import describe_position, describe_preview, describe_reasons, describe_refusals
    from gamedsl.play.web.recorded import describe_step, explored_page, recorded_page
    from gamedsl.play.web.server.app import is_same_site
    from gamedsl.play.web.server.catalogue import Catalogue
    from gamedsl.play.web.server.limits import Limits
    from gamedsl.play.web.server.links import Links
    from gamedsl.play.web.server.run import Address, run_local_app, serve
    from gamedsl.play.web.single_script import STATIC
    from gamedsl.play.web.site.build import build_site
    from gamedsl.play.web.strokes import drawing_of, judge_strokes
    from gamedsl.play.web.turn_view import describe_turn
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "page_facts": "describe_game",
            "figures": "figure figure_assets",
            "offline.playable_page": "playable_page",
            "offline.wasm_files": "wasm_files",
            "position_data": "describe_position describe_preview describe_reasons describe_refusals",
            "recorded": "describe_step explored_page recorded_page",
            "server.app": "is_same_site",
            "server.limits": "Limits",
            "server.links": "Links",
            "server.catalogue": "Catalogue",
            "server.run": "Address run_local_app serve",
            "single_script": "STATIC",
            "site.build": "build_site",
            "strokes": "drawing_of judge_strokes",
            "turn_view": "describe_turn",
        },
    )
