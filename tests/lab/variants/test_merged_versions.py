"""Changes that are compiled together play as each does alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest

from gamedsl.compiler import Native, compile_versions
from gamedsl.compiler.transform.merge_versions import merge_versions
from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.metrics import play_random_games
from gamedsl.lab.simulate import PLAY_ENTRIES
from gamedsl.lab.variants import Ablation, VersionPlan, ablation
from gamedsl.lab.variants.version_games import compile_together
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import load_program
from gamedsl.language.source import GameDSLError
from tests.lab.variants.material import taking

# hidden dice, choices at the same time, attempts at moves, hands, stacks, parts; other dice and ranges of variables, other
# variables, variables that a player keeps secret
GAMES = ["liars-dice", "rock-paper-scissors", "brandub", "oware", "whist", "t-tic-t-tac-toe", "chess", "backgammon"]
GAMES += ["pig", "nine-mens-morris", "goofspiel", "leduc-poker", "battleship"]


def changed(file: str, most: int) -> list[Game]:
    """A ruleset and some of its changes that are rulesets."""
    question = Ablation(file, {}, VersionPlan(), only_deletions=False)
    numbers = Random(0).sample(range(len(question.wanted)), min(most, len(question.wanted)))
    found = [question._game(question.wanted[number]) for number in numbers]
    return [question.changes.game, *(game for game in found if isinstance(game, Game))]


def course(game: Game, seed: int, plies: int = 40) -> list[object]:
    """What a game shows: its moves, and what ends it."""
    rng, found = Random(seed), list[object]()
    try:
        state = game.initial_state()
        for _ in range(plies):
            if state.kind == "end":
                return [*found, state.returns]
            moves = state.legal_moves(state.to_act[0]) if state.to_act else [m for m, _ in state.chance_outcomes()]
            found.append((state.kind, state.to_act, [str(move) for move in moves]))
            state = state.apply(rng.choice(moves))
    except GameDSLError as problem:
        found.append(problem.diagnostics[0].message)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_merged_changes_play_as_each_alone(name: str) -> None:
    games = changed(name, 24)
    merged = merge_versions([game.program for game in games])
    assert len(merged.members) > len(games) / 3
    for number in merged.members:
        together = InterpretedGame(merged.version(number))
        for seed in range(3):
            assert course(together, seed) == course(games[number], seed), number


def test_merged_code_makes_the_games_of_each(tmp_path: Path) -> None:
    (tmp_path / "taking.gdl").write_text(taking(guard='when k + left >= 2 "too little altogether"'))
    games = changed(str(tmp_path / "taking.gdl"), 30)
    different = set[str]()
    for number, code in compile_versions(games, PLAY_ENTRIES).items():
        play = partial(play_random_games, games[number], range(50), 0, 100, lambda: False)
        alone = play(Native(games[number].program, keep=False, baseline=True, only=PLAY_ENTRIES))
        assert repr(play(code)) == repr(alone), number
        different.add(repr(alone))
    assert len(different) > 5


def test_changes_of_moves_are_not_merged(tmp_path: Path) -> None:
    texts = [
        taking(),
        taking().replace("noted: 0..90", "noted: 0..91"),
        taking(course='    if left > n\n      win me "more than before"\n'),
        taking().replace('written "{k}"', 'written "+{k}"'),
        taking(guard='when left > 0 "nothing is left to take"'),
    ]
    programs = []
    for k, text in enumerate(texts):
        (tmp_path / f"{k}.gdl").write_text(text)
        programs.append(load_program(str(tmp_path / f"{k}.gdl")))
    assert merge_versions(programs).members == {0, 1, 2, 4}


def test_versions_share_the_variables_that_they_have_alike(tmp_path: Path) -> None:
    """Two of four versions have a counter up to 91, one has it to 92, and one has another variable before it."""
    more = ["noted: 0..91", "noted: 0..91", "noted: 0..92", "other: 0..3\n  noted: 0..90"]
    texts = [taking(), *(taking(effect=f"set noted to {k}").replace("noted: 0..90", x) for k, x in enumerate(more))]
    games = []
    for k, text in enumerate(texts):
        (tmp_path / f"{k}.gdl").write_text(text)
        games.append(InterpretedGame(load_program(str(tmp_path / f"{k}.gdl"))))
    merged = merge_versions([game.program for game in games])
    assert merged.members == {0, 1, 2, 3, 4}
    assert [(v.name, v.type) for v in merged.program.variables[:-1]][-3:] == [
        ("noted", n.IntT(0, 91)),
        ("noted", n.IntT(0, 92)),
        ("other", n.IntT(0, 3)),
    ]
    for number, code in compile_versions(games, PLAY_ENTRIES).items():
        play = partial(play_random_games, games[number], range(20), 0, 100, lambda: False)
        alone = play(Native(games[number].program, keep=False, baseline=True, only=PLAY_ENTRIES))
        assert repr(play(code)) == repr(alone), number


@pytest.mark.parametrize("name", ["tic-tac-toe", "yavalath", "reversi", "liars-dice", "backgammon"])
def test_effects_are_those_of_changes_compiled_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list[str]()
    for compiled in (compile_together, lambda games, for_states: None):
        monkeypatch.setattr(ablation, "compile_together", compiled)
        monkeypatch.setattr(ablation, "TOGETHER", 16 - len(found))  # other groups, which are compiled anew
        question = Ablation(name, {}, VersionPlan(games=200, limit=300, seed=len(name)), only_deletions=True)
        found.append(repr(question.answer(0, 12, lambda: False)))
    assert found[0] == found[1]
