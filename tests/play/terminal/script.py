"""A face that answers from a list and keeps everything that is shown, and small games to play at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gamedsl.engine import InterpretedGame
from gamedsl.language.rules import load_program
from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.render.canvas import Line, plain
from gamedsl.play.terminal.render.page import render_board, render_page
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.saving.save_file import SaveFile
from gamedsl.play.terminal.session.seats import make_seats
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.table.table import Table

CLEARED = "<cleared>"
FORGOTTEN = "<forgotten>"


class ScriptFace:
    """``answers`` are given one after the other; what is left when they run out is an end of input. A class of exception
    among them is raised."""

    keeps_page = False
    repaint: Callable[[], None]

    def __init__(self, answers: Sequence[str | type[BaseException]], people: bool = True) -> None:
        self.answers = list(answers)
        self.has_people = people
        self.shown: list[str] = []
        self.asked: list[tuple[str, bool]] = []
        self.viewport = Viewport(80, 20)
        self.page_rows = 22

    def show(self, lines: Sequence[Line]) -> None:
        self.shown += [plain(x) for x in lines]

    def clear(self) -> None:
        self.shown.append(CLEARED)

    def forget(self) -> None:
        self.shown.append(FORGOTTEN)

    def page(self, lines: Sequence[Line]) -> None:
        self.show(lines)

    def paint(self, lines: Sequence[Line]) -> None:
        self.clear()
        self.show(lines)

    def ask(
        self, prompt: str, choices: Sequence[str] = (), hidden: bool = False, pointer: PageCursor | None = None
    ) -> str:
        self.shown.append(prompt)
        self.asked.append((prompt, hidden))
        if not self.answers:
            raise EOFError
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            if not hidden:
                self.shown[-1] += answer
            return answer
        raise answer

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def session_of(name: str, seats: str | None = None, seed: int = 1, **options: str) -> Session:
    game = InterpretedGame(load_program(name, options))
    return Session(game, name, make_seats(seats, game.players), seed)


def own_game(folder: Path, text: str, seats: str | None = None, seed: int = 1) -> Session:
    path = folder / "own.gdl"
    path.write_text(text, encoding="utf-8")
    return session_of(str(path), seats, seed)


def sit(session: Session, *answers: str | type[BaseException], people: bool = True) -> tuple[Table, ScriptFace]:
    face = ScriptFace(answers, people)
    return Table(session, face, SaveFile()), face


def drawn(session: Session, viewer: int | None = None, viewport: Viewport | None = None) -> str:
    """The page of a session without colours, line ends stripped."""
    return "\n".join(plain(x).rstrip() for x in render_page(session.picture(viewer), viewport or Viewport(80, 20)))


def board(session: Session, viewport: Viewport | None = None) -> str:
    """The board alone."""
    return "\n".join(plain(x).rstrip() for x in render_board(session.picture(), viewport or Viewport(80, 20)).lines)


def make(session: Session, *moves: str) -> None:
    """Plays moves by their notation."""
    for text in moves:
        session.play(session.game.parse_move(text, session.state))
