"""Whatever is typed, the table answers and the play stays whole."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.records.record import Record
from gamedsl.language.rules import load_program
from gamedsl.play.terminal.session.seats import HUMAN
from gamedsl.play.terminal.session.session import Session

from .script import sit

GAMES = {
    "t-tic-t-tac-toe-game": {"bwah": "yes"}, "rock-paper-scissors": {}, "abs-trac-toe": {}, "x-s-and-lines": {"n": "3"},
}  # fmt: skip
WORDS = st.sampled_from([
    "?", "? a", "why", "why r1c1", "undo", "redo", "board", "redraw", "rules", "help", "quit", "cancel", "no", "yes", "1", "2", "#3",
    "r1c1", "r2c2", "super r1c1", "bwah r3c3", "wall h1.1", "curtain v2", "charlie curtain[X]", "rock", "paper", "generate", "again",
    "0,0 90,0 90,90 0,90", "0,30 90,30", "figure 0,0 9,0 9,9", "0,0 1e9,1", "r1c1 to r1c2", "s1", "pass", "", "/", "save \x00", "/?",
])  # fmt: skip


@cache
def loaded(name: str) -> Game:
    return InterpretedGame(load_program(name, GAMES[name]))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(GAMES)),
    st.lists(WORDS | st.text(max_size=12).filter(lambda t: "save" not in t), max_size=14),
)
def test_any_lines(name: str, lines: list[str]) -> None:
    game = loaded(name)
    session = Session(game, name, (HUMAN,) * game.num_players, 1)
    table, face = sit(session, *lines)
    try:
        assert table.run() in ("over", "quit")
    except EOFError:
        assert not face.answers
    again = Session.resume(game, Record.parse(session.history.kept.record.text()), session.seats, 1)
    assert again.state == session.history.kept.state
