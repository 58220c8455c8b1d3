"""Random games in which moves are drawn by the least number, and choices counted now and then: compiled code makes those of
the engine."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from gamedsl.compiler import Native
from gamedsl.engine import InterpretedGame
from gamedsl.lab.simulate import DRAW, PLAY_ENTRIES, NativePlays, Plan, moves_of
from gamedsl.lab.simulate.reference_plays import least_move, play_one
from gamedsl.lab.simulate.tally import Tally
from gamedsl.lab.variants import Ablation, VersionPlan, ablation, comparison
from gamedsl.lab.variants.version_games import compile_together
from gamedsl.language.rules import load_program

# passes, chained captures, dice, hands, choices that try moves, choices at the same time
GAMES = ["reversi", "english-draughts", "backgammon", "whist", "chess", "rock-paper-scissors"]


@pytest.mark.parametrize("name", GAMES)
def test_compiled_games_are_those_of_the_engine(name: str) -> None:
    game = InterpretedGame(load_program(name))
    plan = Plan.of(game, seed=3, most=50, every=7)
    found = [
        NativePlays(plan, Native(game.program, game, False, baseline, (*PLAY_ENTRIES, DRAW))).counted(0, 3)
        for baseline in (True, False)
    ]
    for counts in found:
        for play in range(3):
            tally = Tally()
            play_one(plan, play, tally)
            assert tally.widths.choices == counts.choices[play].tolist()[0]
            assert bool(counts.status[play]) == bool(tally.unfinished)
            if not tally.unfinished:
                assert list(tally.lengths) == [counts.plies[play]]
    assert np.array_equal(found[0].schemas, found[1].schemas)


def test_draws_are_uniform_and_depend_on_no_order() -> None:
    game = InterpretedGame(load_program("connect-four"))
    moves = game.initial_state().legal_moves()
    drawn = np.array([moves.index(least_move(moves, x * 0x1234567)) for x in range(2800)])
    assert abs(np.bincount(drawn) - 400).max() < 4 * np.sqrt(400 * 6 / 7)
    assert len({least_move(order, 5) for order in list(permutations(moves))[::700]}) == 1
    rest = [move for move in moves if move != moves[drawn[0]]]
    assert all(least_move(rest, x * 0x1234567) == moves[drawn[x]] for x in range(100) if drawn[x] != drawn[0])


def test_games_of_other_seeds_and_numbers_are_others() -> None:
    game = InterpretedGame(load_program("reversi"))
    lines = {
        tuple(map(str, moves_of(Plan.of(game, seed=s, every=2), k, lambda m: len(m) > 9)))
        for s in (1, 2)
        for k in (0, 1)
    }
    assert len(lines) == 4


@pytest.mark.parametrize("name", ["nim", "reversi", "english-draughts"])
def test_effects_do_not_depend_on_how_games_of_many_moves_are_compiled(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "WIDE", 0)
    found = list[str]()
    for compiled in (compile_together, lambda games, for_states: None):
        monkeypatch.setattr(ablation, "compile_together", compiled)
        monkeypatch.setattr(ablation, "TOGETHER", 16 - len(found))
        question = Ablation(name, {}, VersionPlan(games=200, limit=100, seed=1), only_deletions=True)
        assert question.original.every == comparison.SPARSELY
        found.append(repr(question.answer(0, 6, lambda: False)))
    assert found[0] == found[1] and "difference=Difference" in found[0]
