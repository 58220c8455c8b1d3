"""A game -> its files of the site: the rules, a picture, the page to play it on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape, unescape
from random import Random
from typing import Any

from markupsafe import Markup

from gamedsl.agents import level_beside
from gamedsl.engine import Game, InterpretedGame, State
from gamedsl.language.rules import find_ruleset, load_program
from gamedsl.language.source import lazy_dataclass, read_file
from gamedsl.play.web.figures import figure_data
from gamedsl.play.web.listings import Listing
from gamedsl.play.web.offline.playable_page import playable_page
from gamedsl.play.web.rulebook_html import rulebook_html

SHOWN = 16  # random plies before the picture
MOST_SOURCE = 1_000_000
_HEADING = re.compile(r"<h([23])>(.*?)</h\1>")
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")


@lazy_dataclass(frozen=True)
class GameFiles:
    """The files of a game. ``values``: the values for the template of its page. ``picture``, ``play``: file
    contents."""

    listing: Listing
    values: dict[str, Any]
    picture: str
    play: str


def game_files(listing: Listing, says: Callable[[str], None]) -> GameFiles:
    """Compiles a game and describes it. ``says`` is called with what becomes of a learned value beside it.

    Raises ``GameDSLError`` and ``NativeError``."""
    game = InterpretedGame(load_program(listing.source))
    rulebook = rulebook_html(game.program)
    source = read_file(find_ruleset(listing.source), MOST_SOURCE).decode("utf-8", "replace")
    values = {
        "heading": plain(game.title),
        "name": listing.name,
        "about": "" if escape(listing.about) in rulebook else plain(listing.about),
        "rulebook": _with_headings(rulebook.removeprefix(f"<h2>{escape(game.title)}</h2>")),
        "options": [{"name": k, "value": v} for k, v in game.options.items()],
        "source": _code_block(source, "gdl" if find_ruleset(listing.source).suffix == ".gdl" else ""),
    }
    picture = f"gamePicture({json.dumps(listing.name)}, {json.dumps(figure_data(shown_state(game)))});\n"
    learned = level_beside(listing.source, lambda _: game, says)
    return GameFiles(listing, values, picture, playable_page(game, learned=learned))


def plain(text: str) -> Markup:
    """A string as Markdown in which no character is markup."""
    return Markup(_MARKS.sub(lambda m: rf"\{m[1]}" if m[1] not in "<>" else escape(m[1]), escape(text, quote=False)))


def _with_headings(html: str) -> Markup:
    """HTML whose headings are Markdown, so that they appear in the page's table of contents, those of parts above the
    others."""
    less = 0 if "<h2>" in html else 1
    found = _HEADING.sub(lambda m: f"\n\n{'#' * (int(m[1]) - less)} {plain(unescape(m[2]))}\n\n", html)
    return Markup(found)


def _code_block(text: str, language: str) -> Markup:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return Markup(f"{fence}{language}\n{text.rstrip()}\n{fence}\n")


def shown_state(game: Game, plies: int = SHOWN, seed: int = 3) -> State:
    """A position some random plies into a game, never a final one."""
    state, rng = game.initial_state(), Random(seed)
    for _ in range(plies):
        after = state.apply(state.propose(rng))
        if after.is_terminal:
            break
        state = after
    while state.kind == "chance":
        state = state.apply(state.propose(rng))
    return state
