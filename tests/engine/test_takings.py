"""What players have taken from each other, counted by hand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.engine import Game, Sheet, Taking, codes_of, piece_kinds
from gamedsl.engine.values import bits


def taken(game: Game, *moves: str) -> set[tuple[str, int, int, int]]:
    """Kind of piece, owner, taker and number, after some moves."""
    state, sheet = game.initial_state(), Sheet()
    for text in moves:
        while state.kind == "chance":
            state = state.apply(state.propose(Random(0)))
        move = next(m for m in state.legal_moves() if m.text == text)
        after = state.apply(move)
        sheet, state = sheet.after(state, move, after), after
    return {(game.program.variables[t.variable].name, t.slot, t.taker, t.count) for t in sheet.taken}


def test_chess_takes_a_pawn_and_a_knight() -> None:
    # 1. e4 d5 2. exd5 Qxd5 3. Nc3 Nf6 4. Nxd5 Nxd5: a pawn each, a queen for white, a knight for black.
    moves = ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "g8f6", "c3d5", "f6d5")
    assert taken(gamedsl.load("chess"), *moves) == {
        ("pawn", 1, 0, 1),
        ("pawn", 0, 1, 1),
        ("queen", 1, 0, 1),
        ("knight", 0, 1, 1),
    }


def test_turned_discs_are_not_taken() -> None:
    assert taken(gamedsl.load("reversi"), "d3", "c3", "c4") == set()


def test_go_counts_prisoners() -> None:
    # White surrounds a black stone in the corner.
    assert taken(gamedsl.load("go", n=5), "a1", "a2", "e5", "b1") == {("stone", 0, 1, 1)}


def test_what_dies_by_the_rules_is_not_taken() -> None:
    """In Life with Gardeners generations die of themselves; white weeds once here, black twice."""
    text = "+b1 +d1 +e1 +e3 +d2 +d3 +c3 +a3 -d3 +c1 +c5 -d3 +b2 +b4 +d5 +a4 pass +a5 +a4 +c5 +c5 -c5 +c3 +d1"
    assert taken(gamedsl.load("life-with-gardeners"), *text.split()) == {("plant", 1, 0, 1), ("plant", 0, 1, 2)}


def test_a_piece_under_another_is_not_taken() -> None:
    game = gamedsl.load("hive")
    assert piece_kinds(game.program, game.program.parts[0]) == []


def test_nothing_is_known_where_the_rules_hide_something() -> None:
    state, sheet, rng = gamedsl.load("dark-chess").initial_state(), Sheet(), Random(1)
    for _ in range(60):
        move = state.propose(rng)
        after = state.apply(move)
        sheet, state = sheet.after(state, move, after), after
    assert sheet.taken == ()


BACK = """\
game "Back"

players a, b

board grid 4 by 1 named by letters from bottom

piece man of player

move hit(c: cell) written "x{c}"
  when c in man[rival] "there is no man"
  remove man[rival] from c

move enter(c: cell) written "{c}"
  when c in empty "there is a man"
  put man[me] on c

play
  put man[a] on {a1, a2}
  put man[b] on {a4}
  turns from a, 8 times
    me plays hit | enter
  draw
"""


@pytest.fixture
def back(tmp_path: Path) -> Game:
    (tmp_path / "back.gdl").write_text(BACK)
    return gamedsl.load(str(tmp_path / "back.gdl"))


def test_a_piece_that_comes_back_is_not_taken_any_more(back: Game) -> None:
    assert taken(back, "xa4", "a4") == set()
    assert taken(back, "xa4", "a3", "xa3", "xa1") == {("man", 1, 0, 1), ("man", 0, 1, 1)}


@pytest.mark.parametrize("name", ["chess", "english-draughts", "konane"])
def test_what_is_missing_was_taken_or_given_up(name: str) -> None:
    """Of pieces that only leave the board, those that are missing are no fewer than those taken."""
    game, rng, sheet = gamedsl.load(name), Random(5), Sheet()
    state = game.initial_state()
    first = sum(_on_board(game, state).values())
    for _ in range(60):
        if state.is_terminal:
            break
        move = state.propose(rng)
        after = state.apply(move)
        sheet, state = sheet.after(state, move, after), after
    missing = first - sum(_on_board(game, state).values())
    assert sum(t.count for t in sheet.taken) <= missing
    assert all(isinstance(t, Taking) and t.slot != t.taker for t in sheet.taken)


def _on_board(game: Game, state: gamedsl.State) -> dict[str, int]:
    return {
        v.name: sum(len(list(bits(int(c)))) for c in codes_of(state, v))
        for v in piece_kinds(game.program, game.program.parts[0])
    }
