"""Changes are compared on compiled states, which find what the interpreter finds."""

from __future__ import annotations

from pytest import MonkeyPatch

from gamedsl.compiler import NativeGame
from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.variants import Ablation, VersionPlan, comparison
from gamedsl.lab.variants.version_games import compile_states, has_more
from gamedsl.lab.variants.visited_positions import fans_out
from gamedsl.language.rules import load_program

CHANGES = slice(2, 30, 30)


def effects(monkeypatch: MonkeyPatch, compiled: bool) -> list[str]:
    with monkeypatch.context() as patch:
        made = list[Game]()

        def states_of(game: Game) -> Game:
            made.append(compile_states(game) if compiled else game)
            return made[-1]

        patch.setattr(comparison, "compile_states", states_of)
        question = Ablation("yavalath", {}, VersionPlan(games=40, limit=0), only_deletions=False)
        found = [repr(question.answer(k, 1, lambda: False)) for k in range(len(question.wanted))[CHANGES]]
        assert len(made) > 1 and all(isinstance(game, NativeGame) == compiled for game in made)
        return found


def test_compiled_states_show_the_same_differences(monkeypatch: MonkeyPatch) -> None:
    assert effects(monkeypatch, True) == effects(monkeypatch, False)


def test_positions_beside_random_games_count_too() -> None:
    game = InterpretedGame(load_program("tic-tac-toe"))  # 5,478 positions
    states = compile_states(game)
    assert fans_out(states, 500)
    assert not fans_out(states, 5478)
    assert has_more(game, 500, for_states=True)
    assert not has_more(game, 5478, for_states=True)


def test_mistakes_are_listed_as_by_the_interpreter() -> None:
    for name in ("tic-tac-toe", "t-tic-t-tac-toe"):  # only the second one marks moves as mistakes
        game = InterpretedGame(load_program(name))
        one, other = game.initial_state(), compile_states(game).initial_state()
        for _ in range(4):
            moves = one.legal_moves(mistakes=True)
            assert moves == other.legal_moves(mistakes=True)
            one, other = one.apply(moves[-1]), other.apply(moves[-1])
