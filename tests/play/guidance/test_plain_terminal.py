"""The plain terminal says what to do now in the words of the page, to people, above the prompt."""

from __future__ import annotations

from random import Random

import pytest

from gamedsl.language.core import nodes as n
from gamedsl.play.terminal.table.move_turn import MoveTurn
from tests.play.terminal.script import session_of, sit

# what the page says before the first touch (tests/play/web/test_instruction.py has the page itself)
SENTENCES = {
    "tic-tac-toe": "Choose a square for a mark.",
    "quoridor": "Choose a square for your pawn or an edge for a fence.",
    "chess": "Choose a piece to move.",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_person_reads_the_sentence_above_the_prompt(name: str) -> None:
    table, face = sit(session_of(name), "?")
    with pytest.raises(EOFError):
        MoveTurn(table, 0).run()
    prompt = face.asked[0][0] + "?"
    assert face.shown[face.shown.index(prompt) - 1] == SENTENCES[name]
    assert face.text.count(SENTENCES[name]) == 1  # once a turn, not at every prompt


def test_a_program_that_types_moves_reads_none() -> None:
    table, face = sit(session_of("tic-tac-toe"), people=False)
    with pytest.raises(EOFError):
        MoveTurn(table, 0).run()
    assert SENTENCES["tic-tac-toe"] not in face.text


def test_a_full_screen_has_it_below_the_board_and_not_twice() -> None:
    table, face = sit(session_of("tic-tac-toe"))
    face.keeps_page = True
    with pytest.raises(EOFError):
        MoveTurn(table, 0).run()
    assert face.text.count(SENTENCES["tic-tac-toe"]) == 1


def test_a_prompt_that_names_the_values_is_enough() -> None:
    """A second sentence would repeat "X, choose a version: 1.0 or 2.0"."""
    session, rng = session_of("t-tic-t-tac-toe"), Random(1)
    while not isinstance(session.state.terminator, n.Choose):
        session.play(session.state.propose(rng))
    table, face = sit(session)
    with pytest.raises(EOFError):
        MoveTurn(table, session.state.to_act[0]).run()
    assert "choose a version: 1.0 or 2.0" in face.asked[0][0]
    assert not any(line.startswith(("Type ", "Choose ")) for line in face.shown)
