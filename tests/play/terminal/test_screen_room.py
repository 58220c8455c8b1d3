"""The board, the latest message and the prompt share the screen, however small it is and whatever was shown."""

from __future__ import annotations

from contextlib import suppress

import pytest

from gamedsl.language.rules.files import shipped
from gamedsl.play.terminal.render.canvas import plain
from gamedsl.play.terminal.saving.save_file import SaveFile
from gamedsl.play.terminal.screen.display import Block
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.table.table import Table
from tests.shipped_sample import sampled

from .screen_model import ScreenScript
from .script import session_of

SIZES = (pytest.param(80, 24, marks=pytest.mark.slow), (60, 20))
LINES = ("?", "hint", "why {move}", "eval", "no such move", "help", "history", "{refused}", "rules")


class Talking(Table):
    """A table that notes what was said last."""

    def _put(self, block: Block) -> None:
        assert isinstance(self.face, ScreenScript)
        self.face.newest = [plain(x).rstrip() for x in block()]
        super()._put(block)

    def clear(self) -> None:
        assert isinstance(self.face, ScreenScript)
        self.face.newest = []
        super().clear()


def a_refused_move(session: Session) -> str:
    """A move that is legal only later in some play, or nonsense."""
    state = session.state
    if state.kind != "choice" or session.game.secrets.hides:
        return "x9x9"
    legal = {str(m) for m in state.legal_moves()}
    after = state.apply(state.legal_moves()[0])
    later = [str(m) for m in after.legal_moves()] if after.kind == "choice" else []
    return next((m for m in later if m not in legal), "x9x9")


@pytest.mark.parametrize("columns, height", SIZES)
@pytest.mark.parametrize("name", sampled(sorted(shipped()), "test_nothing_is_pushed_off_the_screen"))
def test_nothing_is_pushed_off_the_screen(
    name: str, columns: int, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamedsl.play.terminal.table.advice.SECONDS", 0.01)
    session = session_of(name)
    move = "" if session.state.kind in ("drawing", "chance", "end") else str(session.state.legal_moves()[0])
    lines = [line.format(move=move, refused=a_refused_move(session)) for line in LINES]
    face = ScreenScript(lines, columns, height)
    table = Talking(session, face, SaveFile())
    with suppress(EOFError):
        table.run()
    assert not face.answers or not face.seen  # (nobody is asked in a game of pure chance)
    for seen in face.seen:
        screen = "\n".join(seen.rows)
        assert seen.lost == 0, screen
        assert seen.prompt.strip() in screen
        assert all(line in seen.rows for line in seen.newest), f"{seen.newest}\n{screen}"
