"""``move``, ``apart`` and ``after`` in a notation: what they write, and how it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.language.source.diagnostic import GameDSLError

RULES = """
players X, O

board grid 3 by 3{naming}

piece man of player

move go(from: cell, to: cell)
  when from in man[me]
  when to in empty & neighbors(from, any)
  move man[me] from from to to

move rest
  when man[me] != {{}}

move drop(from: cell, to: cell)
  when from = to and from in empty
  put man[me] on from

play
  put man[X] on {{{start}}}
  turns from X
    me plays go | rest | drop
    if man[X] meets {{{corner}}}
      win X

notation short
  move go | drop
    text "{{me}}" if me = O, "{{row of to}}" else "-"
    apart "<{{row of from}}>", "<{{column of from}}>", "<{{from}}>"
    text "{{n}}" for n in {{column(to)}}
  move rest
    text "0"
  after "!" if over and me in winners, "?" if not over and count(man[me]) > 3
"""


def load(tmp_path: Path, naming: str = "", start: str = "a1, b1, a3", corner: str = "c3") -> gamedsl.Game:
    path = tmp_path / "short.gdl"
    path.write_text(RULES.format(naming=naming, start=start, corner=corner))
    return gamedsl.load(path)


def written(state: gamedsl.State) -> dict[str, str]:
    return {str(m): state.move_text(m, "short") for m in state.legal_moves()}


def test_the_first_text_that_tells_a_move_from_all_others(tmp_path: Path) -> None:
    state = load(tmp_path).initial_state()
    found = written(state)
    # three men reach b2, and one can be dropped there: nothing else comes from row 3, but more from row 1, a and b
    assert (found["go a1 b2"], found["go b1 b2"], found["go a3 b2"]) == ("2<a1>2", "2<b1>2", "2<3>2")
    # b2 can also be dropped on, from its own row
    assert found["drop b2 b2"] == "2<2>2?"  # and then there are four men
    assert found["rest"] == "0"


def test_what_follows_a_move_stands_behind_it(tmp_path: Path) -> None:
    state = load(tmp_path, corner="b2").initial_state()
    found = written(state)
    assert found["go b1 b2"].endswith("!")
    assert found["drop c3 c3"].endswith("?")
    assert not found["go b1 c1"].endswith(("!", "?"))
    assert state.game.parse_move("2<b1>2", state) == state.game.parse_move("2<b1>2!", state)


def test_every_text_is_read_back(tmp_path: Path) -> None:
    for naming in ("", " from top"):
        game = load(tmp_path, naming)
        state = game.initial_state()
        for move in state.legal_moves():
            assert game.parse_move(state.move_text(move, "short"), state, notation="short") == move


def test_a_text_that_says_too_little_means_several_moves(tmp_path: Path) -> None:
    # where columns have numbers too, `<2>` can be the row of one move and the column of another
    state = load(tmp_path, " named by numbers", "r1c1, r1c2, r3c1", "r3c3").initial_state()
    found = written(state)
    assert found["go r1c2 r2c1"] == "2<2>1" == found["drop r2c1 r2c1"].rstrip("?")
    with pytest.raises(GameDSLError, match="E0502"):
        state.game.parse_move("2<2>1", state)


def test_after_the_end_every_text_has_the_same_reason(tmp_path: Path) -> None:
    game = load(tmp_path, corner="b2")
    state = game.initial_state()
    over = state.apply(game.parse_move("go b1 b2", state))
    assert over.is_terminal
    with pytest.raises(GameDSLError, match="E0503"):
        game.parse_move("2<b1>2", over)


def test_records_keep_the_usual_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(tmp_path)
    path, moves = str(tmp_path / "short.gdl"), tmp_path / "moves.txt"
    moves.write_text("2<b1>2\n")
    assert main(["replay", str(moves), "--game", path, "--notation", "short"]) == 0
    assert "1. X: 2<b1>2" in capsys.readouterr().out
    assert main(["replay", str(moves), "--game", path]) == 0
    assert "1. X: go b1 b2" in capsys.readouterr().out
    assert main(["perft", path, "--depth", "1", "--divide", "--notation", "short"]) == 0
    assert "2<3>2: 1" in capsys.readouterr().out


def test_what_is_hidden_is_not_told_by_a_notation(tmp_path: Path) -> None:
    path = tmp_path / "hidden.gdl"
    rules = RULES.format(naming="", start="a1, b1, a3", corner="c3")
    path.write_text(rules.replace("piece man of player\n", "piece man of player, seen by owner\n"))
    game = gamedsl.load(path)
    state = game.initial_state()
    with pytest.raises(GameDSLError, match="E0501"):
        game.parse_move("2<b1>2", state)
    assert str(game.parse_move("2<b1>2", state, notation="short")) == "go b1 b2"
    assert main(["play", str(path), "--notation", "short", "--no-save"]) == 2
