"""Every classic: formatted, playable, its claims not violated; played at random to an end, and alike in machine code."""

from __future__ import annotations

from random import Random

import pytest

from gamedsl import Move, State
from gamedsl.cli.main import main
from gamedsl.language.source.diagnostic import ExitCode
from tests.games.classics.native import MOVE, Walker, native
from tests.games.classics.soundness import CLASSICS, is_sound, load, plays_end, random_plays
from tests.shipped_sample import sampled, small

NAMES = sorted(path.stem for path in CLASSICS.glob("*.gdl"))
PLAYS = 200
LONGEST = 20_000  # plies
ENGINE_PLIES = 100_000  # of all plays of the engine: two hundred plays of every game but a few
MEMORY = 1 << 19  # words for noted positions, half of what there is
KINDS = {"end": 0, "player": MOVE, "chance": 3}
every_classic = pytest.mark.parametrize("name", NAMES)


@every_classic
def test_sound(name: str) -> None:
    is_sound(name)


@every_classic
def test_few_plays(name: str) -> None:
    assert plays_end(name, 1, LONGEST, **small(name))


def claims_hold(name: str, states: int, plays: int) -> bool:
    """No claim is violated in so many positions and plays, whether or not they are proved by that."""
    bounds = ["--limit", str(states), "--games", str(plays), "--no-save", "--quiet"]
    options = [f"--set={key}={value}" for key, value in small(name).items()]
    return main(["verify", name, *options, *bounds]) in (ExitCode.FINE, ExitCode.BOUND)


@pytest.mark.parametrize("name", sampled(NAMES, "claims"))
def test_claims(name: str) -> None:
    assert claims_hold(name, 20, 0)


@pytest.mark.slow
@every_classic
def test_claims_in_many_positions(name: str) -> None:
    assert claims_hold(name, 300, 3)


@pytest.mark.slow
@every_classic
def test_many_plays(name: str) -> None:
    """Two hundred plays come to an end, and every seat wins some of them, and not all."""
    tally = native(load(name, **small(name))).playouts(PLAYS, seed=1, plies=LONGEST)
    assert (tally.plays, tally.unfinished) == (PLAYS, 0)
    assert all(0 < wins < PLAYS for wins in tally.wins)


@pytest.mark.slow
@every_classic
def test_many_plays_of_the_engine(name: str) -> None:
    """As many as come to ``ENGINE_PLIES``; where all could be played, every seat wins some of them."""
    met, plies = [], 0
    for winners, length in random_plays(name, PLAYS, LONGEST):
        met.append(winners)
        plies += length
        if plies > ENGINE_PLIES:
            break
    if len(met) == PLAYS:
        assert set(load(name, **small(name)).players) <= {
            winner for winners in met for winner in winners.split(" and ")
        }


def ways(state: State) -> list[Move]:
    """The ways on from a state, in order."""
    return [move for move, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()


def same_stop(walker: Walker, block: bytearray, state: State) -> None:
    """The same position, the same kind of stop, the same seat."""
    assert walker.state(block) == state
    if state.kind in KINDS:
        assert walker.ask("kind", block) == KINDS[state.kind]
        assert walker.ask("seat", block) == max(state.current_player, -1)


def same_natively(name: str, seed: int, most: int, every: int) -> None:
    """A random play both ways: at every stop the same position and as many ways on,
    after ``every`` plies again all of them to the same positions, and in the end the same returns.
    """
    state, rng = load(name, **small(name)).initial_state(), Random(seed)
    walker = Walker(state.game)
    block = bytearray(walker.native.state_size)
    assert walker.ask("initial", block) == 0
    for ply in range(most):
        same_stop(walker, block, state)
        moves = ways(state)
        assert walker.ask("count", block) == len(moves)
        if state.is_terminal:
            assert walker.returns(block) == [float(r) for r in state.returns]
            return
        if walker.context.used > MEMORY:
            walker.context.forget()
            block = walker.start(state)
        chosen = rng.randrange(len(moves))
        if ply % every == 0:
            steps = [walker.value(walker.step(block, way)) for way in range(len(moves))]
            assert steps == [walker.value_of(state.apply(move)) for move in moves]
        state, block = state.apply(moves[chosen]), walker.step(block, chosen)


@pytest.mark.parametrize("name", sampled(NAMES, "test_same_natively"))
def test_same_natively(name: str) -> None:
    same_natively(name, seed=0, most=40, every=20)


@pytest.mark.slow
@every_classic
def test_same_natively_to_the_end(name: str) -> None:
    for seed in (1, 2, 3):
        same_natively(name, seed, LONGEST, every=50)
