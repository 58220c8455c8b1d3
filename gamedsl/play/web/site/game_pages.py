"""A game -> its files of the site: the rules, a picture, the page to play it on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Any

from markupsafe import Markup

from gamedsl.engine import Game, InterpretedGame, State
from gamedsl.language.rules import find_ruleset, load_program
from gamedsl.language.source import read_file
from gamedsl.play.web.figures import figure_data
from gamedsl.play.web.listings import Listing
from gamedsl.play.web.offline.playable_page import playable_page
from gamedsl.play.web.rulebook_html import rulebook_html

SHOWN = 16  # plies of random play before the picture
MOST_SOURCE = 1_000_000


@dataclass(frozen=True)
class GameFiles:
    """``values``: those of the template of its page. ``picture``, ``play``: the contents of files."""

    listing: Listing
    values: dict[str, Any]
    picture: str
    play: str
    text: str


def game_files(listing: Listing) -> GameFiles:
    """Compiles a game and describes it. Raises ``GameDSLError`` and ``NativeError``."""
    game = InterpretedGame(load_program(listing.source))
    rulebook = rulebook_html(game.program)
    values = {
        "heading": game.title,
        "name": listing.name,
        "about": "" if escape(listing.about) in rulebook else listing.about,
        "rulebook": Markup(rulebook.removeprefix(f"<h2>{escape(game.title)}</h2>")),
        "options": [{"name": k, "value": v} for k, v in game.options.items()],
        "source": read_file(find_ruleset(listing.source), MOST_SOURCE).decode("utf-8", "replace"),
    }
    picture = f"gamePicture({json.dumps(listing.name)}, {json.dumps(figure_data(shown_state(game)))});\n"
    text = Markup(rulebook).striptags()
    return GameFiles(listing, values, picture, playable_page(game), f"{listing.about} {text}")


def shown_state(game: Game, plies: int = SHOWN, seed: int = 3) -> State:
    """A position some random plies into a play, and never the end."""
    state, rng = game.initial_state(), Random(seed)
    for _ in range(plies):
        after = state.apply(state.propose(rng))
        if after.is_terminal:
            break
        state = after
    while state.kind == "chance":
        state = state.apply(state.propose(rng))
    return state
