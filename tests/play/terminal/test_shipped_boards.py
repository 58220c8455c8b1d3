"""Every shipped game as it is drawn: goldens of two positions, and that it fits pages of all widths."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from gamedsl.engine.information.announcements import Announcement, full_announcement
from gamedsl.engine.moves import Move
from gamedsl.engine.picture import Fallen
from gamedsl.engine.picture.chance_view import fallen
from gamedsl.engine.picture.picture import Picture
from gamedsl.engine.picture.position_view import view
from gamedsl.language.rules.files import shipped
from gamedsl.play.terminal.render.canvas import plain, width
from gamedsl.play.terminal.render.page import layout_page, render_page
from gamedsl.play.terminal.render.viewport import Viewport
from tests.shipped_sample import sampled

from .script import session_of

GAMES = sorted(shipped())
PLIES = 20
WITHOUT = {"rock-paper-scissors", "nim", "misere-nim", "pig", "kuhn-poker", "leduc-poker", "liars-dice", "goofspiel",
           "sealed-bid-auction", "whist"}  # fmt: skip
GOLDEN = Path(__file__).parent / "golden" / "boards"


@cache
def pictures(name: str) -> tuple[Picture, Picture]:
    """The first position and one after some random plies, for people who may see everything that is open."""
    session = session_of(name, "random", seed=5)
    first = session.picture()
    while session.now.plies < PLIES and not session.state.is_terminal:
        session.play_by_program()
    return first, session.picture()


def page(picture: Picture, viewport: Viewport) -> str:
    return "".join(plain(x).rstrip() + "\n" for x in render_page(picture, viewport))


@pytest.mark.parametrize("name", GAMES)
def test_boards(name: str, golden: Callable[[Path, str], None]) -> None:
    first, later = pictures(name)
    pages = [page(first, Viewport(80, 20)), page(later, Viewport(80, 20)), page(later, Viewport(60, 16, ascii=True))]
    golden(GOLDEN / f"{name}.txt", f"{'=' * 80}\n".join(pages))


@pytest.mark.parametrize("name", sampled(GAMES, "test_no_line_is_wider_than_the_page"))
def test_no_line_is_wider_than_the_page(name: str) -> None:
    for picture in pictures(name):
        for columns in (40, 53, 67, 80, 120):
            for viewport in (Viewport(columns, 20, columns % 2 == 1), Viewport(columns, 36, ends=False)):
                lines = render_page(picture, viewport)
                assert max(width(x) for x in lines) <= columns, (columns, [plain(x) for x in lines])


@pytest.mark.parametrize("name", sampled(GAMES, "test_places_lie_where_they_are_drawn"))
def test_places_lie_where_they_are_drawn(name: str) -> None:
    """No two places share a character, all lie on the page, and marks stand at their places."""
    for picture in pictures(name):
        rendered = layout_page(picture, Viewport(100, 40))
        taken = [(x, box.y) for box in rendered.at.values() for x in range(box.x, box.x + box.columns)]
        assert len(taken) == len(set(taken))
        for place, box in rendered.at.items():
            assert rendered.place_at(box.x, box.y) == place
            line = plain(rendered.lines[box.y])
            for glyph in picture.spot(*place).glyphs[:1] if picture.kind != "drawing" else ():
                assert glyph.text.strip() in line[box.x : box.x + box.columns]


@pytest.mark.parametrize("name", GAMES)
def test_no_internal_names(name: str) -> None:
    for picture in pictures(name):
        told = [
            picture.subtitle,
            picture.phase,
            *picture.beside,
            *(e.text for e in picture.legend),
            *(t.text for t in picture.tints),
        ]
        assert not [text for text in told if "_" in text]


def test_dice_and_what_is_left_of_them() -> None:
    session = session_of("backgammon", "random,random", seed=5)
    while session.state.kind == "chance":
        session.play_by_program()
    picture = session.picture()
    assert picture.fallen[-1].what == "rolled"
    rolled = picture.fallen[-1].values[-2:]
    assert {t.split()[2] for t in picture.beside if t.startswith("moves of")} == set(rolled)
    session.play_by_program()
    assert session.picture().fallen == picture.fallen


def test_hidden_outcomes_are_not_told() -> None:
    """What chance brings in secret is not shown as fallen; after both have moved, nothing is."""
    roll = full_announcement(Move("chance", None, "roll", None, (), "roll 5"))
    hidden = Announcement(None, "roll (hidden)", None, False)
    ours, theirs = (full_announcement(Move("move", 0, "go", player, (), "go")) for player in (0, 1))
    assert fallen([roll, roll]) == (Fallen("rolled", ("5", "5")),)
    assert fallen([hidden]) == ()
    assert fallen([roll, ours, ours]) == (Fallen("rolled", ("5",)),)
    assert fallen([roll, ours, theirs]) == ()


def test_the_view_needs_no_session() -> None:
    session = session_of("chess")
    assert view(session.state).fallen == ()
