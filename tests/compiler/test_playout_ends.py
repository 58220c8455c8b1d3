"""Ends of playouts on small boards: each kind is counted, and the last plies run even past the end of the play."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.playouts.scalar_ends import plays_on, told_by_place, too_early
from gamedsl.compiler.transform.pipeline import SpecializedProgram, specialize_for_playouts
from gamedsl.engine import Game, InterpretedGame

from . import small_rulesets as small
from .agree import compiled
from .replay import forms_differ
from .test_random_plays import same_plays

TWO_QUESTIONS = small.LINES.replace(
    "    if empty", "    if a1 in mark[me] and c3 in mark[me]\n      lose me\n    if empty"
)
OVERLAPPING = small.LINES.replace(
    "    if empty", "    if some l in lines(2): l within mark[rival(me)]\n      lose me\n    if empty"
)
COUNTED = (
    small.LINES.replace("play\n  turns", "state\n  placed: 0..9\nplay\n  turns")
    .replace("on c\n", "on c\n  add 1 to placed\n")
    .replace("if empty", "if placed = 8 and a1 in mark[me]\n      lose me\n    if empty")
)
PLAYED_ON = {
    "lines": small.LINES,
    "lines of two": small.LINES.replace("lines(3)", "lines(2)"),
    "who makes a line loses": small.LINES.replace("win me", "lose me"),
    "no line": small.LINES.replace("if some", "if not some").replace("win me", "lose me"),
    "stuck": small.LINES.replace("    me plays place", "    me plays place\n      stuck\n        win me"),
    "three by one": small.LINES.replace("3 by 3", "3 by 1").replace("lines(3)", "lines(2)"),
    "three by four": small.LINES.replace("3 by 3", "3 by 4"),
}
ASKED = {
    "two questions": TWO_QUESTIONS,
    "two lines": OVERLAPPING,
    "two cells": small.LINES.replace("3 by 3", "2 by 1").replace("lines(3)", "lines(2)"),
    "counted": COUNTED,
}


BEFORE_AN_ERROR = small.LINES.replace(
    "some l in lines(3): l within mark[me]", "(max of column(c) for c in empty) < 3 or count(empty) = 1"
)


def game_of(text: str, folder: Path) -> Game:
    return InterpretedGame(small.program_of(text, folder))


def special_of(game: Game) -> SpecializedProgram:
    special = specialize_for_playouts(game.program)
    assert special is not None
    return special


@pytest.mark.parametrize("text", [*PLAYED_ON.values(), *ASKED.values()], ids=[*PLAYED_ON, *ASKED])
def test_the_engine_makes_the_same_plays(text: str, tmp_path: Path) -> None:
    """Also from stops near the end, where less is left than is played on with."""
    game = game_of(text, tmp_path)
    same_plays(game, 150, seed=3)
    assert forms_differ(compiled(game), 400, 5, 80) == ""


@pytest.mark.parametrize("text", PLAYED_ON.values(), ids=PLAYED_ON)
def test_the_last_plies_are_played_on(text: str, tmp_path: Path) -> None:
    special = special_of(game_of(text, tmp_path))
    assert told_by_place(special) and plays_on(special)


@pytest.mark.parametrize("text", ASKED.values(), ids=ASKED)
def test_where_more_is_done_or_asked_they_are_not(text: str, tmp_path: Path) -> None:
    assert not plays_on(special_of(game_of(text, tmp_path)))


def test_somebody_always_wins_so_that_nobody_may_go_on() -> None:
    """In hex nothing is said of a full board: somebody has won. Playing on there would be a rules error."""
    game = gamedsl.load("hex", n=3)
    assert not plays_on(special_of(game))
    same_plays(game, 100, seed=3)


def test_a_question_that_fails_after_the_end_is_not_asked(tmp_path: Path) -> None:
    """With one cell left the game is over; with none left there is no largest column."""
    game = game_of(BEFORE_AN_ERROR, tmp_path)
    same_plays(game, 100, seed=3)
    assert not plays_on(special_of(game))


def test_no_line_is_asked_for_before_there_can_be_one(tmp_path: Path) -> None:
    """A line of three on nine cells needs three cells that are taken."""
    special = special_of(game_of(small.LINES, tmp_path))
    asked = list(special.incremental.earliest)
    assert len(asked) == 2
    assert [too_early(special, level, i) for level in (8, 7, 6, 0) for i in asked] == [True] * 4 + [False] * 4
