"""Small things at the table: what is asked again, what is offered, what the legend has, how cells are called."""

from __future__ import annotations

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.engine.picture.legend import of_mark
from gamedsl.language.rules import load_program
from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.table.table_questions import confirm


class Face:
    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)

    def ask(self, prompt: str, completions: object = (), hidden: bool = False) -> str:
        return self.typed.pop(0)


class Table:
    """As much of a table as a question needs."""

    def __init__(self, *typed: str) -> None:
        self.face, self.said = Face(*typed), list[str]()

    def say(self, *lines: str) -> None:
        self.said += lines


@pytest.mark.parametrize(("typed", "yes"), [(("yes",), True), (("sure", "y"), True), (("a1", "", "no"), False)])
def test_only_yes_and_no_answer_a_confirmation(typed: tuple[str, ...], yes: bool) -> None:
    """Any other word took the move back without a word."""
    table = Table(*typed)
    assert confirm(table, "Confirm a1?", "about") is yes  # type: ignore[arg-type]
    assert table.said == ["Answer `yes` or `no`."] * (len(typed) - 1)
    assert table.face.typed == []


@pytest.mark.parametrize(("players", "known"), [(1, True), (2, False)])
def test_a_sign_for_one_player_alone_is_not_in_the_legend_for_two(players: int, known: bool) -> None:
    part = load_program("abs-trac-toe", {"players": players}).parts[0]
    entries = [entry.text for mark in part.looks if (entry := of_mark(mark, None)) is not None]
    assert ("the other side" in entries) is known


@pytest.mark.parametrize(
    ("name", "typed", "meant"),
    [("tic-tac-toe", "r1c1", "a1"), ("chess", "r2c5r4c5", "e2e4"), ("x-s-and-lines", "R3C2", "b3")],
)
def test_cells_by_another_way_to_name_them(name: str, typed: str, meant: str) -> None:
    game = InterpretedGame(load_program(name))
    assert str(game.parse_move(typed, game.initial_state())) == meant


def test_a_cell_that_the_board_does_not_have_is_not_read() -> None:
    game = InterpretedGame(load_program("tic-tac-toe"))
    with pytest.raises(GameDSLError) as caught:
        game.parse_move("r9c9", game.initial_state())
    assert caught.value.diagnostics[0].code == "E0501"
