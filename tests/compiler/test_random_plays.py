"""Random plays of compiled rules: the engine makes the same play of the same draws (where ways on are numbered as the engine
numbers them), single plays, batches and lockstep end alike, and as often as plays by steps end so."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.state import State
from gamedsl.language.core.nodes import DrawingT
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import small as small_size

from . import small_rulesets as small
from .agree import agree, compiled
from .generate import random_text
from .kings_and_men import DRAUGHTS
from .replay import Draws, far_apart, forms_differ, played, replayed, shares_differ
from .specialization_check import first_difference, one_by_one, specialized_program
from .spice import spiced
from .test_generate import program_of

REPLAYED = ["backgammon", "rock-paper-scissors", "t-tic-t-tac-toe-game"]
SHARED = ["tic-tac-toe", "connect-four", "breakthrough-6x6", "x-s-and-lines", "horn-tiles", "dots-and-boxes", "kalah"]
MOST_PLIES = 80
FOUND = Path(__file__).parent / "found"


def same_plays(game: Game, plays: int, seed: int, plies: int = MOST_PLIES) -> None:
    """Also from a stop on the way."""
    native, rng = compiled(game), Random(seed)
    state: State | None = None
    for index in range(plays):
        assert replayed(game, seed, index, plies, state) == played(native, seed, index, plies, state), (index, state)
        state = later(game, rng)


def later(game: Game, rng: Random) -> State | None:
    """A position after a few plies; None for the start when a play goes wrong before."""
    try:
        state = game.initial_state()
        for _ in range(rng.randrange(1, 8)):
            if not state.is_terminal and state.kind != "together":
                state = state.apply(state.propose(rng))
    except gamedsl.GameDSLError:
        return None
    return None if state.kind == "together" else state


def plays_alike(game: Game, plays: int, seed: int, plies: int = MOST_PLIES) -> None:
    """The three forms, and the shares of their ends, from the start and from a stop on the way."""
    native = compiled(game)
    for state in (None, later(game, Random(seed))):
        assert forms_differ(native, plays // 4, seed, plies, state) == ""
        assert shares_differ(native, plays, seed, plies, state) == ""


def draws_nothing(game: Game) -> bool:
    return not any(isinstance(v.type, DrawingT) for v in game.program.variables)


def starts_well(game: Game) -> bool:
    try:
        game.initial_state()
    except gamedsl.GameDSLError:
        return False
    return True


@pytest.mark.parametrize("name", REPLAYED)
def test_the_engine_makes_the_same_play(name: str) -> None:
    same_plays(gamedsl.load(name), 4, seed=4)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(8000, 8200, 20))
def test_random_rulesets_are_played_alike(start: int, tmp_path: Path) -> None:
    for seed in range(start, start + 20):
        program = program_of(random_text(seed), tmp_path)
        if program is not None:
            game = InterpretedGame(spiced(program, seed) if seed % 2 else program)
            if starts_well(game):
                plays_alike(game, 1500, seed)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.gdl")), ids=lambda path: path.stem)
def test_rulesets_that_were_played_otherwise(path: Path) -> None:
    plays_alike(gamedsl.load(path), 600, seed=1)


@pytest.mark.parametrize("name", SHARED)
def test_all_forms_of_play_end_alike(name: str) -> None:
    plays_alike(gamedsl.load(name), 1000, seed=6, plies=300)


SMALL = {
    "joins-large": small.JOINS.replace("3 by 3", "9 by 9"),
    "rings": small.RINGS,
    "rings-large": small.RINGS.replace("hex 4", "hex 6"),
    "sight": small.SIGHT,
    "sight-large": small.SIGHT.replace("4 by 4", "10 by 9"),
    "orders": small.ORDERS,
    "orders-large": small.ORDERS.replace("3 by 3", "9 by 9"),
    "many": small.MANY,
    "steps-large": small.STEPS.replace("3 by 3", "9 by 9"),
    "chosen": small.CHOSEN,
    "led": small.LED,
    "handed": small.HANDED,
    "cards": small.CARDS,
    "hops": small.HOPS,
    "jumps": small.JUMPS,
    "draughts": DRAUGHTS,
    "shots": small.SHOTS,
    "places": small.PLACES,
}


@pytest.mark.parametrize("ruleset", SMALL.values(), ids=SMALL)
def test_moves_in_another_order_are_drawn_alike(ruleset: str, tmp_path: Path) -> None:
    """In one word and in two; ``many`` has more sets of moves (25 * 24) than a list has room for; in the last, who begins is
    chosen."""
    game = InterpretedGame(small.program_of(ruleset, tmp_path))
    for seed in range(3):
        agree(game, seed, 40, compiled(game))
    plays_alike(game, 2000, seed=8, plies=30)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_all_forms_of_play_end_alike_in_every_ruleset(name: str) -> None:
    game = gamedsl.load(name, **small_size(name))
    if draws_nothing(game):
        plays_alike(game, 3000, seed=7, plies=1000)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_passes_keep_the_meaning_of_every_ruleset(name: str) -> None:
    """What random play is made of, played by the engine."""
    game = gamedsl.load(name, **small_size(name))
    special, whole = specialized_program(game.program), one_by_one(game)
    for seed in range(10 if special else 0):
        assert first_difference(whole, special, seed, 100) == ""


@pytest.mark.parametrize("seed", range(9000, 9020))
def test_passes_keep_the_meaning(seed: int, tmp_path: Path) -> None:
    program = program_of(random_text(seed), tmp_path)
    special = specialized_program(program) if program is not None else None
    for play in range(4 if special else 0):
        assert first_difference(one_by_one(InterpretedGame(program)), special, play, 40) == ""  # type: ignore[arg-type]


def test_far_apart_tells_apart() -> None:
    """Two halves of one coin are not apart; 54 % and 46 % of 10,000 throws are (11 standard errors)."""
    assert not far_apart([5030, 4970], [4980, 5020])
    assert far_apart([5400, 4600], [4600, 5400])


def test_draws_are_spread_evenly() -> None:
    """First draws below 6 of 6000 plays: each about 1000, with a standard deviation of 29."""
    seen = [0] * 6
    for index in range(6000):
        seen[Draws(1, index).below(6)] += 1
    assert all(abs(n - 1000) < 150 for n in seen)
