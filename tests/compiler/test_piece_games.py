"""Random games with moving pieces: the compiled rules do what the engine does, and every form of play ends alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gamedsl.compiler.compile.compile_report import kept
from gamedsl.compiler.transform.pipeline import SpecializedProgram, specialize_for_playouts
from gamedsl.engine import InterpretedGame

from .agree import agree, compiled
from .piece_games import piece_game
from .test_generate import program_of
from .test_random_plays import plays_alike, starts_well

PLAYS, PLIES = 3, 40  # held against the engine ply by ply
SEEDS, AT_ONCE = 1000, 20


def check(text: str, seed: int, folder: Path, plays: int) -> bool:
    """Whether the text is a game that begins without a rules error."""
    program = program_of(text, folder)
    if program is None or not starts_well(game := InterpretedGame(program)):
        return False
    native = compiled(game)
    for number in range(PLAYS):
        agree(game, seed * PLAYS + number, PLIES, native)
    plays_alike(game, plays, seed, plies=60)
    return True


def specialized(make: Callable[[int], str], count: int, folder: Path) -> Iterator[SpecializedProgram | None]:
    """The program for playouts of the game of each seed; None if it is not specialized, or not accepted."""
    for seed in range(count):
        program = program_of(make(seed), folder)
        yield None if program is None else specialize_for_playouts(program)


@pytest.mark.parametrize("seed", [1, 4, 7, 8])
def test_a_few(seed: int, tmp_path: Path) -> None:
    assert check(piece_game(seed), seed, tmp_path, plays=200)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_a_thousand(first: int, tmp_path: Path) -> None:
    seeds = range(first, first + AT_ONCE)
    assert sum(check(piece_game(seed), seed, tmp_path, plays=1000) for seed in seeds) >= AT_ONCE * 3 // 4


@pytest.mark.slow
def test_the_strategies_for_moving_pieces_are_tried(tmp_path: Path) -> None:
    """Of forty games, about a third is not specialized: a look-ahead may fail there."""
    found: Counter[str] = Counter()
    for special in specialized(piece_game, 40, tmp_path):
        lines = " ".join(kept(special)) if special else "generic"
        for word in ("masks", "steps of", "listed once", "generic"):
            found[word] += word in lines
    assert min(found.values()) >= 3, found
