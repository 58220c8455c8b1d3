"""A whole play at the table, as it is read by one who may not know everything."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from gamedsl import agents
from gamedsl.agents import Mcts
from gamedsl.cli.main import main
from gamedsl.engine.moves import Move
from gamedsl.engine.records.record import Record
from gamedsl.engine.state import State
from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.play.terminal.saving.save_file import SaveFile
from gamedsl.play.terminal.session.seats import HUMAN, SeatPlayer
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.table.table import Table
from tests.patience import PATIENCE
from tests.play.terminal.script import CLEARED, FORGOTTEN, ScriptFace

from . import game_of, random_play, record_of, told

COMMAND = (sys.executable, "-m", "gamedsl.cli.main")
ASKED = ["?", "history", "board", "why b2", "hint", "eval", "undo", "redo", "redraw", "nonsense", "rules"]


def scripted(*texts: str) -> SeatPlayer:
    """A program that makes these moves."""
    left = list(texts)

    def choose(state: State, player: int, rng: Random) -> Move:
        return state.game.parse_move(left.pop(0), state, player)

    return SeatPlayer("scripted", choose)


def transcript(name: str, rival: tuple[str, ...], answers: list[str], seats: int = 2) -> list[str]:
    """All that the person in the last seat is shown."""
    game = game_of(name)
    face = ScriptFace(answers)
    session = Session(game, name, (*(scripted(*rival) for _ in range(seats - 1)), HUMAN), 1)
    with pytest.raises(EOFError):
        Table(session, face, SaveFile()).run()
    return face.shown


def test_the_rival_s_square_is_not_told() -> None:
    done = subprocess.run([*COMMAND, "play", "phantom-tic-tac-toe", "--seats", "random,human", "--seed", "5", "--plain"],
                          input="b2\nquit\nno\n", capture_output=True, text=True, timeout=PATIENCE)  # fmt: skip
    assert done.returncode == 0 and "1. X: try (hidden)" in done.stdout and "2. O: b2" in done.stdout
    assert not re.search(r"\bX: [a-c][1-3]", done.stdout)
    assert "[" not in done.stdout.replace("[yes/no/cancel]", "")  # no square is bracketed


@pytest.mark.parametrize("first", ["a1", "c3"])
def test_plays_that_look_the_same_read_the_same(first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """X tries a square, and later runs into O: nothing of it is told, not even that X had to try again. Advice is sought by as
    many iterations in both plays."""
    monkeypatch.setattr(agents, "Mcts", lambda *_: Mcts(100))
    plain = transcript("phantom-tic-tac-toe", ("c2", "c1", "b3"), [*ASKED, "b2", *ASKED, "a2"])
    other = transcript("phantom-tic-tac-toe", (first, "b2", "c1", "b3"), [*ASKED, "b2", *ASKED, "a2"])
    assert plain == other


def test_what_is_seen_is_told() -> None:
    shown = "\n".join(transcript("ranks", ("2 a1", "1 b1", "a1-a2", "a2-a1"), ["1 a3", "3 b3", "b3-b2"]))
    assert "1. red: ? a1" in shown and "3. blue: 1 a3" in shown and "5. red: a1-a2" in shown
    assert "a1 is 2" not in shown and "b2 is 3" in shown
    assert '"!"' not in shown


def handed_over() -> ScriptFace:
    """A play of two people at one terminal."""
    face = ScriptFace(["", "p", "", "b", "", "p"])
    session = Session(game_of("kuhn"), "kuhn", (HUMAN, HUMAN), 3)
    assert Table(session, face, SaveFile()).run() == "over"
    return face


def test_everybody_s_cards_at_one_table() -> None:
    """Two people: the log tells what both may know, the board what the one may know who sits there."""
    face = handed_over()
    assert not any(re.search(r"\d+\. chance: pick \w+", line) for line in face.shown)
    assert any("last: chance: pick (hidden)" in line or "hand: one" in line for line in face.shown)
    assert any(re.match(r"\s+\d+\. two: b", line) for line in face.shown)


def test_what_was_typed_can_not_be_called_back_by_the_next() -> None:
    shown = handed_over().shown
    assert shown.count(FORGOTTEN) == 3
    assert all(shown[i + 1] == CLEARED for i, line in enumerate(shown) if line == FORGOTTEN)
    assert CLEARED in shown[max(i for i, line in enumerate(shown) if line.startswith(("one> ", "one, "))) :]


def test_attempts_of_the_other_stay_with_the_other(tmp_path: Path) -> None:
    """A refused attempt offers a redraw to who made it, and is in no record for the other."""
    game = game_of("peeks")
    session = Session(game, "peeks", (HUMAN, HUMAN), 3)
    session.play(game.parse_move("lay a2", session.state))
    session.refuse(1, "lay a2")
    assert session.picture(1).redraw and not session.picture(0).redraw and not session.picture(None).redraw
    assert session.redraw(0) is False
    assert "refused" not in session.record.text(game, for_seat=0)
    assert "refused two: lay a2" in session.record.text(game, for_seat=1)


def test_a_hidden_reason_is_not_told() -> None:
    game = game_of("peeks")
    state = game.initial_state()
    state = state.apply(game.parse_move("lay a2", state))
    (refusal,) = state.why_not(game.parse_move("lay a2", state, 1))
    assert "something is there" not in refusal.message and "hidden" in refusal.message
    state = state.apply(game.parse_move("lay b1", state))
    (refusal,) = state.why_not(game.parse_move("lay a2", state, 0))
    assert refusal.message == "yours is there"


def test_a_replay_for_one_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = game_of("phantom-tic-tac-toe")
    steps = random_play(game, 2)
    record_of(game, steps).write(tmp_path / "whole")
    whole, mine = str(tmp_path / "whole"), str(tmp_path / "mine")
    assert main(["replay", whole, "--seat", "O", "-o", mine]) == 0
    shown = capsys.readouterr().out
    expected = [f"{n}. {line}" for n, line in enumerate(told(steps, 1), 1)]
    assert [line.replace("X", "0").replace("O", "1") for line in shown.splitlines()[1 : 1 + len(expected)]] == expected
    assert "try (hidden)" in shown
    assert main(["replay", mine]) == 0
    assert "as seen by O" in capsys.readouterr().out
    assert main(["replay", mine, "--seat", "X"]) == 2
    assert main(["replay", whole, "--seat", "Z"]) == 2
    assert main(["replay", whole, "-o", mine]) == 2
    with pytest.raises(GameDSLError, match="E0534"):
        Record.read(mine).replay(game)
