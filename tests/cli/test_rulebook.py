"""`gamedsl rules`: what a player reads."""

from __future__ import annotations

import pytest

from gamedsl.cli.main import main
from gamedsl.language.rules import load_program
from gamedsl.language.rules.files import shipped
from gamedsl.play.terminal.texts.rulebook_text import rulebook


def told(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["rules", name]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(shipped()))
def test_no_heading_without_a_text(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(name, capsys).splitlines()
    for i, line in enumerate(lines):
        if line and set(line) <= set("=-"):
            assert len(lines) > i + 1 and lines[i - 1], (name, line)
    assert all(len(line) <= 80 for line in lines)


ORDER = [
    "About",
    "Goal",
    "Equipment",
    "Setup",
    "A turn",
    "Rules",
    "End of the game",
    "Examples",
    "Notes",
    "At the table",
    "Clauses",
]


@pytest.mark.parametrize("name", sorted(shipped()))
def test_sections_follow_each_other_as_a_player_needs_them(name: str) -> None:
    """In the game and in each of its parts: goal, equipment, setup, turn, rules, end. Nobody can play without the goal, and
    without the end."""
    lines = rulebook(load_program(name))
    titles = [i for i, line in enumerate(lines) if line and set(line) == {"="}]
    for start, end in zip(titles, [*titles[1:], len(lines)], strict=True):
        heads = [lines[i - 1] for i in range(start + 1, end) if lines[i] and set(lines[i]) == {"-"}]
        assert heads == [head for head in ORDER if head in heads], heads
        assert {"About", "Goal", "End of the game"} <= set(heads), heads


@pytest.mark.parametrize("name", ["abs-trac-toe", "t-tic-t-tac-toe-game"])
def test_every_option_but_the_edition_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An option that changes a rule is told with that rule."""
    text = " ".join(told(name, capsys).split())
    options = {n for n, _ in load_program(name).options} - {"players", "starter", "edition", "solo"}
    assert {o for o in options if f"'{o}'" not in text} == set()


def test_who_plays_and_what_closes(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(told("abs-trac-toe", capsys).split())
    assert "One to six players" in text and "seats 1 and 4, seats 2 and 5" in text and "joined to its first" in text


def test_an_open_figure_is_a_closed_one() -> None:
    """The points of a square: with the first one given again at the end, and without (AT-1)."""
    from gamedsl import load

    game = load("abs-trac-toe")
    state = game.initial_state()
    rest = "; upper 0,60 90,60; lower 0,30 90,30; left 30,0 30,90; right 60,0 60,90"
    moves = [
        game.parse_move(f"figure {points}{rest}", state)
        for points in ("0,0 90,0 90,90 0,90", "0,0 90,0 90,90 0,90 0,0")
    ]
    assert [state.why_not(m) for m in moves] == [[], []]
    bent = [state.apply(m) for m in moves]
    bent = [s.apply(game.parse_move("bend 0,10 10,0", s)) for s in bent]
    one, other = ([str(m) for m in s.legal_moves()] for s in bent)
    assert one == other


def test_clauses_stand_in_two_columns_and_are_cited_on_one_line() -> None:
    lines = rulebook(load_program("t-tic-t-tac-toe"))
    index = lines[lines.index("Clauses") + 2 :]
    assert len({len(line) - len(line[9:].lstrip()) for line in index}) == 1
    assert all(line.count("[") == line.count("]") for line in lines)
