"""A game within a game: its last board stays until the next ply, says who won, and the new board is untouched."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.engine import Sheet, State
from gamedsl.engine.picture import Picture, scars_of, view, with_marks
from gamedsl.play.terminal.play import PlayConfig, run
from gamedsl.play.terminal.render.canvas import plain
from gamedsl.play.terminal.render.page import render_page
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.web import describe_position
from gamedsl.play.web.offline.ending_data import ending_data
from gamedsl.play.web.offline.page_questions import Questions
from tests.engine.sheets import sheet_of
from tests.play.web.test_local_picture import compare
from tests.play.web.test_rules_js import NODE

from .script import ScriptFace

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
LEAVE = '    leave "?" on c after place when c = a1\n'
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


def shown_at_end(state: State) -> Picture:
    return view(state, scars=scars_of(sheet_of(zip(states_of(state), (None, *state.history), strict=True)), state))


def states_of(state: State) -> list[State]:
    found = [state.game.initial_state()]
    for move in state.history:
        found.append(found[-1].apply(move))
    return found


def test_the_end_shows_the_boards_before(start: State) -> None:
    """The third board is shown, so the first two are past: three marks with their line, and four without one."""
    end = played(start, [*WON, *DRAWN, *WON])
    first, second = shown_at_end(end).past
    assert first.caption == "Game 1: X (one) wins (row of)" and second.caption == "Game 2: nobody wins"
    assert [len(one.picture.spots) for one in (first, second)] == [3, 4]
    assert len(first.picture.trails) == 1 and not second.picture.trails
    assert not shown_at_end(played(start, WON)).past, "the game goes on"


def test_traces_lie_on_the_board_on_which_they_were_left(tmp_path: Path) -> None:
    file = tmp_path / "traces.gdl"
    file.write_text(GAME + LEAVE)
    end = played(gamedsl.load(file).initial_state(), [*WON, "b2", "b1", "a2", *WON])
    marks = [
        [g.text for spot in one.picture.spots.values() for g in spot.glyphs if g.scar] for one in shown_at_end(end).past
    ]
    assert marks == [["?"], []], "only the first of these two games used a1"


def test_the_boards_before_stand_side_by_side_in_the_terminal(start: State) -> None:
    picture = shown_at_end(played(start, [*WON, *DRAWN, *WON]))
    text = [plain(x) for x in render_page(picture, Viewport(ends=False))]
    captions = next(x for x in text if "Game 1:" in x)
    assert "Game 2: nobody" in captions
    low = [plain(x) for x in render_page(picture, Viewport(rows=12))]
    assert len(low) <= 12 and not any("Game 2: nobody" in x for x in low), "no room for all of them"


def test_programs_among_themselves_end_on_all_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "three.gdl"
    file.write_text(GAME)
    assert run(str(file), PlayConfig(seats="random", plain=True, no_save=True, seed=1)) == 0
    assert capsys.readouterr().out.count("Game 2: ") == 2, "one in the list of plies, one over its board"


def test_a_mark_that_was_chosen_stands_on_the_boards_before(tmp_path: Path) -> None:
    file = tmp_path / "chosen.gdl"
    file.write_text(
        GAME.replace('"X" red shaped cross', '"X" chosen by owner').replace(
            '"O" blue shaped ring', '"O" chosen by owner'
        )
    )
    end = played(gamedsl.load(file).initial_state(), [*WON, *DRAWN, *WON])
    first = with_marks(shown_at_end(end), end, ("*", "#")).past[0]
    assert first.caption == "Game 1: * (one) wins (row of)"
    assert {g.text for spot in first.picture.spots.values() for g in spot.glyphs} == {"*", "#"}


def test_people_see_them_again_after_the_end(tmp_path: Path) -> None:
    file = tmp_path / "three.gdl"
    file.write_text(GAME)
    face = ScriptFace([*WON, *DRAWN, *WON, "boards", "quit"])
    assert run(str(file), PlayConfig(no_save=True), face=face) == 0
    assert face.asked[-1][0].startswith("boards, review")
    assert face.text.split("quit> boards")[1].count("Game 1: X") == 1


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_page_alone_shows_them_too(tmp_path: Path, start: State) -> None:
    """A random game of the whole match, with traces, as the module in the page shows it."""
    file = tmp_path / "three.gdl"
    file.write_text(GAME + LEAVE)
    assert compare(tmp_path, str(file)) > 9  # at the end too: a game has at most 12 plies


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
