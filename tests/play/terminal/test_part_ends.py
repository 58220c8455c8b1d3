"""A game within a game: its last board stays until the next ply, says who won, and the new board is untouched."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.engine import Sheet, State
from gamedsl.engine.picture import scars_of, view
from gamedsl.play.web import describe_position
from gamedsl.play.web.offline.ending_data import ending_data
from gamedsl.play.web.offline.page_questions import Questions

GAME = """game "Best of Three"
players one, two
state
  wins: player -> 0..3
play
  repeat 3 times
    play small with X = one, O = two -> result
    if result.winner is some
      add 1 to wins[result.winner]
  rank by wins
look
  beside "games of {p}" wins[p] for p in players

part small
  players X, O
  board grid 2 by 2 named by letters from bottom
  piece mark of player
  define row_of(p: player) = some l in rows: l within mark[p]
  move place(c: cell) written "{c}"
    when c in empty "that square is taken"
    put mark[me] on c
  play
    turns from X
      me plays place
      if row_of(me)
        win me
      if empty = {}
        draw
  look
    show mark[X] as "X" red shaped cross
    show mark[O] as "O" blue shaped ring
"""
WON = ["a1", "a2", "b1"]  # X fills the bottom row
DRAWN = ["a1", "b1", "a2", "b2"]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> State:
    file = tmp_path_factory.mktemp("rules") / "three.gdl"
    file.write_text(GAME)
    return gamedsl.load(file).initial_state()


def played(state: State, texts: list[str]) -> State:
    for text in texts:
        state = state.apply(next(move for move in state.legal_moves() if move.text == text))
    return state


def board(state: State, last: bool = True) -> dict[str, str]:
    """The signs on the squares that are shown; a star after those that the last move touched."""
    move = state.history[-1] if last and state.history else None
    names = ("a1", "b1", "a2", "b2")
    picture = view(state, last=move)
    assert picture.place is not None
    return {
        picture.place.names[i]: "".join(g.text for g in spot.glyphs) + "*" * spot.last
        for (_, i), spot in picture.spots.items()
        if picture.place.names[i] in names
    }


def labels(state: State) -> list[str]:
    """The lines beside the board after the whole play."""
    sheet, at = Sheet(), state.game.initial_state()
    for move in state.history:
        after = at.apply(move)
        sheet, at = sheet.after(at, move, after), after
    return [aside.text for aside in view(at, scars=scars_of(sheet, at)).asides]


def test_the_last_board_stays_until_the_next_ply(start: State) -> None:
    after = played(start, WON)
    assert board(after) == {"a1": "X", "a2": "O", "b1": "X*"}
    assert "Game 1: X (one) wins (row of)" in labels(after)
    assert "Next: game 2, on a new board" in labels(after)
    assert "games of one 1" in labels(after)
    assert not any(label.startswith("Game") for label in labels(start))
    following = played(after, ["b2"])
    assert board(following) == {"b2": "X*"}
    assert not any(label.startswith(("Game", "Next")) for label in labels(following))


def test_the_winning_line_is_marked(start: State) -> None:
    """The bottom row, a1 and b1; a draw has none."""
    [line] = view(played(start, WON)).trails
    names = start.game.program.parts[1].board.domains["cell"].names  # type: ignore[union-attr]
    assert [names[i] for i in line.cells] == ["a1", "b1"] and line.last
    assert not view(played(start, [*WON, *DRAWN])).trails


def test_a_new_board_is_untouched(start: State) -> None:
    """Where the state does not know the last board (native code made it), no square of the new one is marked."""
    after = played(start, WON)
    after.ended = ()
    assert board(after) == {}


def test_the_end_shows_the_last_board(start: State) -> None:
    end = played(start, [*WON, *DRAWN, *WON])
    assert end.is_terminal
    assert board(end) == {"a1": "X", "a2": "O", "b1": "X*"}
    assert "Game 3: X (one) wins (row of)" in labels(end)
    assert not any(label.startswith("Next") for label in labels(end))
    assert labels(end).count("games of one 2") == 1
    position = describe_position(end, None)
    assert position["scene"] == 1 and len(position["picture"]["spots"]) == 3


def test_nobody_wins_a_draw(start: State) -> None:
    assert "Game 2: nobody wins" in labels(played(start, [*WON, *DRAWN]))


def test_games_of_two_kinds_say_which_they_are(tmp_path: Path) -> None:
    """Each kind has numbers of its own, so "Game 1" alone could be either."""
    second = GAME[GAME.index("part small") :].replace("part small", "part large").replace("2 by 2", "3 by 2")
    file = tmp_path / "two-kinds.gdl"
    file.write_text(
        GAME.replace("repeat 3 times", "repeat 3 times\n    play large with X = one, O = two -> other") + "\n" + second
    )
    first = gamedsl.load(file).initial_state()
    large = played(first, WON)
    assert "Game 1 (large): X (one) wins (row of)" in labels(large)
    assert "Game 1 (small): X (one) wins (row of)" in labels(played(large, WON))
    kinds = {one["kind"] for one in ending_data(first.game, Questions(first.game)).values() if one["part"]}
    assert kinds == {" (large)", " (small)"}


def test_compiled_rules_show_the_last_board_too() -> None:
    """For the same moves, the pictures of both backends are the same; 60 plies end some games."""
    plain = gamedsl.load("t-tic-t-tac-toe").initial_state()
    compiled = gamedsl.load("t-tic-t-tac-toe", backend="native").initial_state()
    rng, ends = Random(2), 0
    for _ in range(60):
        move = plain.propose(rng)
        plain, compiled = plain.apply(move), compiled.apply(move)
        ends += len(plain.ended)
        assert [(one.part, one.winners) for one in plain.ended] == [(one.part, one.winners) for one in compiled.ended]
        assert view(plain, last=move) == view(compiled, last=move)
    assert ends > 3
