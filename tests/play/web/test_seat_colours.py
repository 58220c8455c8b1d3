"""The mark of a seat has the color of that seat's pieces, in every shipped ruleset."""

from __future__ import annotations

import pytest

from gamedsl.language.core.appearance import colours_of_pieces
from gamedsl.language.rules import load_program, shipped
from gamedsl.play.web.colours import colored_players

SEATS = ("red", "blue", "green", "yellow", "purple", "cyan")  # of static/colours.js


@pytest.mark.parametrize(("name", "options"), [*((n, {}) for n in shipped()), ("chinese-checkers", {"players": 6})])
def test_a_seat_mark_has_the_color_of_the_seats_pieces(name: str, options: dict[str, int]) -> None:
    part = load_program(name, options).parts[0]
    pieces = colours_of_pieces(part)
    for seat, player in enumerate(colored_players(part)):
        own = pieces.get(player["name"].replace("_", " "), "")
        painted = player["colour"] or own  # `colourOf` of the page: the player's color, else the look's
        if own:
            assert painted == (player["colour"] or SEATS[seat % len(SEATS)])


def test_the_second_seat_of_chinese_checkers_is_yellow() -> None:
    assert [p["colour"] for p in colored_players(load_program("chinese-checkers").parts[0])] == ["red", "yellow"]
