"""The compiled rules do what the reference engine does: the same states, ways on, ends and errors, play after play.

By default a few plays of some rulesets; `pytest -m slow tests/compiler` does up to 300 plays of every ruleset with every
option value, and 300 random rulesets.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

import gamedsl
from gamedsl.engine import Game, InterpretedGame
from gamedsl.language.core.nodes import Program
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import small

from .agree import Agreement, agree, compiled
from .generate import random_text, texts
from .spice import spiced
from .test_generate import program_of
from .variants import variants_of

FOUND = Path(__file__).parent / "found"
QUICK_GAMES = [
    "rock-paper-scissors", "tic-tac-toe", "t-tic-t-tac-toe-game", "x-s-and-lines", "horn-tiles", "connect-four", "breakthrough-6x6",
    "reversi", "backgammon", "nim", "pig", "oware", "phantom-tic-tac-toe",
]  # fmt: skip
PLAYS, PLIES = 300, 250  # of a ruleset with one choice of options
FEWEST_PLAYS, LISTED = 3, 20_000  # fewer plays where so many ways on were listed: go on 19 by 19 lists 80,000 in a play
TEXTS, TEXT_PLAYS, TEXT_PLIES = 200, 4, 40  # random rulesets
QUICK_SEEDS = range(4000, 4014)


def differ_nowhere(program: Program, plays: int, plies: int, first: int = 0) -> None:
    game = InterpretedGame(program)
    native = compiled(game)
    for seed in range(first, first + plays):
        agree(game, seed, plies, native)


def check_text(text: str, folder: Path, seed: int = 0) -> bool:
    """Whether the text is a ruleset; its plays must not differ, nor those of its program with rarer forms in it."""
    program = program_of(text, folder)
    if program is None:
        return False
    differ_nowhere(program, TEXT_PLAYS, TEXT_PLIES, seed)
    differ_nowhere(spiced(program, seed), TEXT_PLAYS, TEXT_PLIES, seed)
    return True


# ------------------------------------------------------------------------------------------------ shipped rulesets


@pytest.mark.parametrize("name", QUICK_GAMES)
def test_shipped_rulesets(name: str) -> None:
    game = gamedsl.load(name, **small(name))
    native = compiled(game)
    for seed in range(2):
        agree(game, seed, 40, native)


@pytest.mark.parametrize("n", [2, 5])
def test_noted_sets_of_one_word(n: int) -> None:
    """On small boards each set of cells is a word; several that follow each other share words in a noted position."""
    game = gamedsl.load("go", n=n)
    for seed in range(3):
        agree(game, seed, 60, compiled(game))


def test_a_kind_of_move_that_there_never_is() -> None:
    """Nobody lays a piece across a board of one row."""
    game = gamedsl.load("domineering", rows=1)
    for seed in range(3):
        agree(game, seed, 20, compiled(game))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_value_of_every_option(name: str) -> None:
    for options in variants_of(name):
        try:
            game = gamedsl.load(name, **options)
        except gamedsl.GameDSLError:  # a line longer than the board, say
            assert options, f"{name} is refused with its own options"
            continue
        assert_agreement(game, f"{name} {options}")


def assert_agreement(game: Game, label: str) -> None:
    native, listed = compiled(game), 0
    for seed in range(PLAYS):
        if seed >= FEWEST_PLAYS and listed > LISTED:
            break
        plays = Agreement(game, native, seed)
        assert plays.play(PLIES) != "error", f"{label}, seed {seed}: no shipped ruleset comes to a rules error"
        listed += plays.listed


def test_variants_reach_the_ends_of_every_range() -> None:
    assert [options["n"] for options in variants_of("x-s-and-lines") if options] == [2, 6, 12, 16]


# ------------------------------------------------------------------------------------------------- random rulesets


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.gdl")), ids=lambda path: path.stem)
def test_rulesets_that_once_differed(path: Path, tmp_path: Path) -> None:
    assert check_text(path.read_text(encoding="utf-8"), tmp_path)


@pytest.mark.parametrize("seed", QUICK_SEEDS)
def test_random_rulesets(seed: int, tmp_path: Path) -> None:
    program = program_of(random_text(seed), tmp_path)
    if program is not None:
        differ_nowhere(spiced(program, seed) if seed % 2 else program, TEXT_PLAYS, TEXT_PLIES)


@pytest.mark.slow
@settings(max_examples=TEXTS, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=texts())
def test_random_rulesets_with_shrinking(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assume(check_text(text, tmp_path_factory.getbasetemp()))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(5000, 5000 + TEXTS, 20))
def test_more_random_rulesets(start: int, tmp_path: Path) -> None:
    assert sum(check_text(random_text(seed), tmp_path, seed) for seed in range(start, start + 20)) >= 16
