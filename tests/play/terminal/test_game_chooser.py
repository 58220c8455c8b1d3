"""`gamedsl play` without a game: a list with a search."""

from __future__ import annotations

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from gamedsl.language.source import Entry, read_index
from gamedsl.play.terminal.screen.game_chooser import ChooserList, choose_game

DOWN, ESCAPE, ENTER, INTERRUPT = "\x1b[B", "\x1b", "\r", "\x03"
FAMILIES = {
    "Lines": (Entry("alpha", "Alpha", "a line of four", (2,)), Entry("beta", "Beta", "a line of five", (2, 3))),
    "Races": (Entry("gamma", "Gamma", "to the end of the track", (2,), has_chance=True),),
}


def typed(keys: str) -> str | None:
    with create_pipe_input() as source, create_app_session(input=source, output=DummyOutput()):
        source.send_text(keys)
        return choose_game(FAMILIES)


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        (ENTER, "alpha"),
        (DOWN + ENTER, "beta"),
        (DOWN * 9 + ENTER, "gamma"),
        ("five" + ENTER, "beta"),  # in the summary
        ("race" + ENTER, "gamma"),  # in the heading
        ("nothing like it" + ENTER + "\x08" * 15 + ENTER, "alpha"),  # Enter chooses nothing where nothing fits
        (ESCAPE, None),
    ],
)
def test_choosing(keys: str, chosen: str | None) -> None:
    assert typed(keys) == chosen


def test_an_interruption() -> None:
    with pytest.raises(KeyboardInterrupt):
        typed(INTERRUPT)


def test_the_chosen_game_is_in_sight_in_the_smallest_room() -> None:
    listed = ChooserList(read_index())
    for _ in range(len(listed.shown)):
        lines = "".join(text for _, text, *_ in listed.lines(40, 4)).split("\n")
        assert len(lines) <= 4 and all(len(line) <= 40 for line in lines)
        assert listed.chosen is not None and any(line.startswith(f"> {listed.chosen.name}"[:40]) for line in lines)
        listed.move(1)


def test_a_search_stays_at_the_chosen_game() -> None:
    listed = ChooserList(FAMILIES)
    listed.move(1)
    listed.search("")
    assert listed.chosen == FAMILIES["Lines"][1]
    listed.search("gam")
    assert listed.chosen == FAMILIES["Races"][0]
    listed.search("gamx")
    assert listed.chosen is None and "no game fits" in listed.lines(40, 4)[0][1]
