"""Changes are compared on compiled states, which find what the interpreter finds."""

from __future__ import annotations

from copy import copy
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

from pytest import MonkeyPatch

from gamedsl.engine import InterpretedGame, ReferenceState
from gamedsl.lab.variants import Ablation, VersionPlan, comparison
from gamedsl.lab.variants.version_games import compile_states, has_more
from gamedsl.lab.variants.visited_positions import fans_out
from gamedsl.language.rules import load_program


def note(made: list[Any], states_of: Any, game: Any) -> Any:
    made.append(states_of(game))
    return made[-1]


def test_compiled_states_show_the_same_differences(monkeypatch: MonkeyPatch) -> None:
    found, made = list[str](), list[Any]()
    for states_of in (compile_states, copy):
        monkeypatch.setattr(comparison, "compile_states", partial(note, made, states_of))
        question = Ablation("yavalath", {}, VersionPlan(games=40, limit=0), only_deletions=False)
        found.append(repr(question.answer(2, 1, lambda: False)))
    assert found[0] == found[1]
    assert [type(game).__name__ for game in made] == ["NativeGame"] * 2 + ["InterpretedGame"] * 2


def test_positions_beside_random_games_count_too() -> None:
    game = InterpretedGame(load_program("tic-tac-toe"))  # 5,478 positions
    assert [fans_out(compile_states(game), number) for number in (500, 5478)] == [True, False]
    assert [has_more(game, number, for_states=True) for number in (500, 5478)] == [True, False]


def test_mistakes_are_listed_as_by_the_interpreter() -> None:
    for name in ("tic-tac-toe", "t-tic-t-tac-toe"):  # only the second one marks moves as mistakes
        one = InterpretedGame(load_program(name)).initial_state()
        other = compile_states(one.game).initial_state()
        for _ in range(4):
            assert one.legal_moves(mistakes=True) == other.legal_moves(mistakes=True)
            one, other = (state.apply(state.legal_moves(mistakes=True)[-1]) for state in (one, other))


MISTAKEN = """game "Mistaken"

players a, b

state
  n: 0..9

move up written "up"
  when n < 3 "it is high enough"
  add 1 to n

move slip(k: 1..2) by mistake written "slip {k}"
  set n to k

move down written "down"
  when n > 0 "it is low enough"
  take 1 from n

play
  turns from a
    me plays up | slip | down
      may pass
"""


def test_only_mistakes_are_listed_by_the_interpreter(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    """They stand between the other moves, as their kind does in the rules."""
    (tmp_path / "mistaken.gdl").write_text(MISTAKEN)
    one = InterpretedGame(load_program(str(tmp_path / "mistaken.gdl"))).initial_state()
    other = compile_states(one.game).initial_state()
    one, other = (state.apply(state.legal_moves()[0]) for state in (one, other))
    assert [str(move) for move in one.legal_moves(mistakes=True)] == ["up", "slip 1", "slip 2", "down", "pass"]
    expected = one.legal_moves(mistakes=True)
    monkeypatch.setattr(ReferenceState, "legal_moves", Mock(side_effect=AssertionError))
    assert other.legal_moves(mistakes=True) == expected
    assert other.legal_moves(0, mistakes=True) == [] and len(other.legal_moves(1, mistakes=True)) == 5
