"""Marks at a table of the server: a seat chooses its own, everybody sees it, and it outlives a restart."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gamedsl.play.web.server import seat_requests
from gamedsl.play.web.server.events import Marked, event_from, event_json, setup_from, setup_json
from gamedsl.play.web.server.limits import MOST_MARK, MOST_MARKS
from gamedsl.play.web.server.refusals import BadData, Refused
from gamedsl.play.web.server.requests import text
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.table_play import Play

from .tables import Driven, loaded, new_play

NAME = "dots-and-boxes"


def choose(play: Play, seat: int, mark: str) -> None:
    for event, after in seat_requests.marked(play, seat, mark, 1):
        play.check(event)
        play.take(event, after)


def test_everybody_sees_the_mark_of_a_seat_and_no_move_is_stale() -> None:
    driven = Driven(loaded(NAME))
    before = {seat: json.loads(frames[-1])["stamp"] for seat, frames in driven.frames.items()}
    choose(driven.play, 1, "#")
    driven.look()
    for seat, frames in driven.frames.items():
        told = json.loads(frames[-1])
        assert told["marks"] == ["", "#"] and told["stamp"] == before[seat]
    assert "#" not in driven.play.record(None).text().split("\n", 1)[1]


def test_a_restart_finds_the_marks() -> None:
    play = new_play(loaded(NAME))
    choose(play, 0, "*")
    event = event_from(json.loads(json.dumps(event_json(Marked(1, 0, "*")))))
    again = new_play(loaded(NAME))
    again.take(event)
    assert again.marks == play.marks == ("*", "")


@pytest.mark.parametrize("mark", ["**", "z", "2", "\N{CYRILLIC SMALL LETTER O}\u0301\u0302", "木", "|", "\u202e"])
def test_what_cannot_be_a_mark_is_refused(mark: str) -> None:
    """The other seat has Z; the 2 is its usual sign."""
    play = new_play(loaded(NAME))
    choose(play, 1, "" if mark == "2" else "Z")
    with pytest.raises(Refused) as found:
        seat_requests.marked(play, 0, mark, 1)
    assert found.value.code == "no"


def test_space_alone_is_the_usual_sign() -> None:
    play = new_play(loaded(NAME))
    choose(play, 0, "*")
    choose(play, 0, " ")
    assert play.marks == ("", "")


def test_other_games_have_no_marks_and_a_log_cannot_force_one() -> None:
    play = new_play(loaded("tic-tac-toe"))
    with pytest.raises(Refused):
        seat_requests.marked(play, 0, "*", 1)
    play.take(Marked(1, 0, "*"))
    assert play.marks == ("", "")


def test_changes_are_counted_and_texts_are_short() -> None:
    play = new_play(loaded(NAME))
    for i in range(MOST_MARKS):
        choose(play, 0, "*#"[i % 2])
    with pytest.raises(Refused, match="at most"):
        seat_requests.marked(play, 0, "*", 1)
    choose(play, 1, "@")  # the other seat may still choose
    with pytest.raises(Refused):
        text({"mark": "x" * (MOST_MARK + 1)}, "mark", MOST_MARK)


def test_in_a_rematch_everybody_keeps_their_mark() -> None:
    """Seats are swapped, and the marks with them; the log of the new table knows them."""
    play = new_play(loaded(NAME))
    choose(play, 0, "*")
    setup = seat_requests.swapped(play, "the first table", Run(2, 0))
    after = Play(play.game, setup_from(json.loads(json.dumps(setup_json(setup)))))
    assert after.marks == ("", "*") and after.setup == setup


@pytest.mark.parametrize("marks", [["*"], ["1", "1"], ["|", ""], ["*", "#", "+"]])
def test_marks_of_a_log_that_are_not_possible_are_the_usual_signs(marks: list[str]) -> None:
    setup = replace(new_play(loaded(NAME)).setup, marks=tuple(marks))
    assert Play(loaded(NAME), setup).marks == ("", "")


def test_marks_that_are_not_strings_are_damage() -> None:
    plain = setup_json(new_play(loaded(NAME)).setup)
    assert setup_from({k: v for k, v in plain.items() if k != "marks"}).marks == ()  # a log of an earlier version
    for damaged in ("**", [1, 2], None):
        with pytest.raises(BadData):
            setup_from({**plain, "marks": damaged})
