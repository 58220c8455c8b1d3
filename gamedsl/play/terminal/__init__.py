"""Playing in a terminal. Each package uses those before it: `render`, `texts`, `session`, `saving`, `input`,
`screen`, `table`; `play` is the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "KeptPlay",
    "PlayConfig",
    "add_arguments",
    "choose_game",
    "counted",
    "go_on",
    "kept_plays",
    "numbered_play",
    "plays_folder",
    "position_lines",
    "rulebook",
    "rulebook_data",
    "run",
    "without_strokes",
]

if TYPE_CHECKING:
    from gamedsl.play.terminal.play import PlayConfig, go_on, run
    from gamedsl.play.terminal.play_arguments import add_arguments
    from gamedsl.play.terminal.render.position_lines import position_lines
    from gamedsl.play.terminal.saving.kept_plays import KeptPlay, kept_plays, numbered_play, plays_folder
    from gamedsl.play.terminal.screen.game_chooser import choose_game
    from gamedsl.play.terminal.session.unfinished_drawing import without_strokes
    from gamedsl.play.terminal.texts.messages import counted
    from gamedsl.play.terminal.texts.rulebook_text import rulebook, rulebook_data
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "play_arguments": "add_arguments",
            "play": "PlayConfig go_on run",
            "render.position_lines": "position_lines",
            "saving.kept_plays": "KeptPlay kept_plays numbered_play plays_folder",
            "screen.game_chooser": "choose_game",
            "session.unfinished_drawing": "without_strokes",
            "texts.messages": "counted",
            "texts.rulebook_text": "rulebook rulebook_data",
        },
    )
