"""Programs at the table: never a blank screen, and nothing compiled inside a program's budget."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import pytest

from gamedsl.agents.agent import Searcher
from gamedsl.agents.mcts import Mcts
from gamedsl.engine.state import Game
from gamedsl.play.terminal.render.canvas import Line
from tests.patience import PATIENCE

from .script import session_of, sit


@pytest.fixture(autouse=True)
def programs_do_not_think(monkeypatch: pytest.MonkeyPatch) -> None:
    """They play their first move: what the table says does not depend on it, and their kernels take seconds to compile."""
    monkeypatch.setattr(Searcher, "prepare", lambda self, game: None)
    monkeypatch.setattr(Searcher, "choose", lambda self, state, seed, player=None: state.legal_moves(player)[0])


def test_a_program_is_prepared_while_the_person_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is being prepared before the first line is read, and ready before it searches."""
    events: list[str] = []
    started, asked = Event(), Event()

    def prepare(self: Mcts, game: Game) -> None:
        events.append("begun")
        started.set()
        asked.wait(PATIENCE)
        events.append("ready")

    choose = Mcts.choose
    monkeypatch.setattr(Mcts, "prepare", prepare)
    monkeypatch.setattr(Mcts, "choose", lambda *given: events.append("search") or choose(*given))  # type: ignore[func-returns-value]
    table, face = sit(session_of("tic-tac-toe", "human,mcts:20"), "b2", "quit", "no")
    ask = face.ask
    monkeypatch.setattr(
        face,
        "ask",
        lambda *given, **more: (started.wait(PATIENCE), events.append("ask"), ask(*given, **more))[2],
    )
    show = face.show

    def show_and_note(lines: Sequence[Line]) -> None:
        show(lines)
        if any("preparing" in str(line) for line in lines):
            asked.set()  # only now may it be ready: otherwise nothing would be said

    monkeypatch.setattr(face, "show", show_and_note)
    assert table.run() == "quit"
    assert events[:4] == ["begun", "ask", "ready", "search"]
    shown = face.shown[face.shown.index("X> b2") :]
    preparing, thinking = shown.index("preparing the opponent ..."), shown.index("O is thinking ...")
    assert preparing < thinking < next(i for i, line in enumerate(shown) if line.startswith("   2. O: "))
    assert any("[X]" in line for line in shown[:thinking])  # the board with the person's move


def test_the_screen_tells_who_thinks_at_every_move() -> None:
    table, face = sit(session_of("tic-tac-toe", "ab:d1,human"), "quit", "no")
    assert table.run() == "quit"
    assert face.shown.count("X is thinking ...") == 1


@pytest.mark.parametrize(("seats", "people"), [("human,mcts:20", False), ("mcts:20", True), ("human,random", True)])
def test_nothing_is_said_of_thinking_to_pipes_and_of_random_moves(seats: str, people: bool) -> None:
    table, face = sit(session_of("tic-tac-toe", seats), "b2", "quit", "no", people=people)
    table.run()
    assert "thinking" not in face.text


def test_a_program_that_can_not_be_prepared_says_so_when_it_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    from gamedsl.engine.errors import RulesError

    def broken(self: Mcts, game: Game) -> None:
        raise RulesError("it cannot be")

    monkeypatch.setattr(Mcts, "prepare", broken)
    table, _ = sit(session_of("tic-tac-toe", "mcts:20,human"), "quit", "no")
    assert table.run() == "quit"
