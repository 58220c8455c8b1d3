"""Play in a browser: positions as JSON for one seat, and the page that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "VERSION",
    "Address",
    "Limits",
    "WasmFiles",
    "build_site",
    "describe_game",
    "describe_picture",
    "describe_position",
    "describe_reasons",
    "describe_refusals",
    "describe_turn",
    "drawing_of",
    "figure",
    "figure_assets",
    "judge_strokes",
    "one_file",
    "one_script",
    "playable_data",
    "playable_page",
    "recorded_page",
    "serve",
    "wasm_files",
]

if TYPE_CHECKING:
    from gamedsl.play.web.figures import figure, figure_assets
    from gamedsl.play.web.offline.playable_data import playable_data
    from gamedsl.play.web.offline.playable_page import playable_page
    from gamedsl.play.web.offline.wasm_files import WasmFiles, wasm_files
    from gamedsl.play.web.page_facts import VERSION, describe_game
    from gamedsl.play.web.pictures import describe_picture
    from gamedsl.play.web.position_data import describe_position, describe_reasons, describe_refusals
    from gamedsl.play.web.recorded import recorded_page
    from gamedsl.play.web.server.limits import Limits
    from gamedsl.play.web.server.run import Address, serve
    from gamedsl.play.web.single_file import one_file
    from gamedsl.play.web.single_script import one_script
    from gamedsl.play.web.site.build import build_site
    from gamedsl.play.web.strokes import drawing_of, judge_strokes
    from gamedsl.play.web.turn_view import describe_turn
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "page_facts": "VERSION describe_game",
            "figures": "figure figure_assets",
            "offline.playable_data": "playable_data",
            "offline.playable_page": "playable_page",
            "offline.wasm_files": "WasmFiles wasm_files",
            "pictures": "describe_picture",
            "position_data": "describe_position describe_reasons describe_refusals",
            "recorded": "recorded_page",
            "single_file": "one_file",
            "single_script": "one_script",
            "server.limits": "Limits",
            "server.run": "Address serve",
            "site.build": "build_site",
            "strokes": "drawing_of judge_strokes",
            "turn_view": "describe_turn",
        },
    )
