"""Sequences counted and plays made by compiled rules: the same counts as the engine's, uniform draws, exact chances."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.perft_counts import perft
from gamedsl.engine.play.advance import weights
from gamedsl.engine.state import State
from gamedsl.engine.values import bits
from gamedsl.language.core.constant_folding import offset
from gamedsl.language.core.nodes import Chance, Choose

from .agree import compiled
from .first_moves import Telling, chi_square, most_chi_square
from .generate import random_text
from .test_generate import program_of

PERFTS = [
    ("tic-tac-toe", 5), ("rock-paper-scissors", 4), ("connect-four", 4), ("breakthrough-6x6", 3), ("reversi", 4),
    ("t-tic-t-tac-toe-game", 2), ("nim", 5), ("pig", 6), ("oware", 3), ("horn-tiles", 2), ("x-s-and-lines", 1),
]  # fmt: skip
SLOW_PERFTS = [
    ("chess", 3), ("atreso", 3), ("go", 2), ("backgammon", 3), ("amazons", 1), ("quoridor", 2), ("english-draughts", 5),
    ("international-draughts", 4), ("nine-mens-morris", 3), ("kalah", 5), ("konane", 4), ("phantom-tic-tac-toe", 4),
    ("t-tic-t-tac-toe", 3), ("chess960", 2), ("dots-and-boxes", 3), ("pentago", 2), ("hex-swap", 2),
]  # fmt: skip


def after(name: str, plies: int, seed: int = 1, **options: str | int | bool) -> State:
    """A position of a random play."""
    state, rng = gamedsl.load(name, **options).initial_state(), Random(seed)
    for _ in range(plies):
        state = state.apply(state.propose(rng))
    return state


# ------------------------------------------------------------------------------------------------------------ perft


def same_counts(game: Game, depth: int) -> None:
    native, start = compiled(game), game.initial_state()
    for d in range(depth + 1):
        assert native.perft(start, d) == perft(start, d), d
    if start.kind in ("player", "chance"):
        later = start.apply(start.propose(Random(2)))
        assert native.perft(later, depth - 1) == perft(later, depth - 1)


@pytest.mark.parametrize(("name", "depth"), PERFTS)
def test_perft(name: str, depth: int) -> None:
    same_counts(gamedsl.load(name), depth)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), SLOW_PERFTS)
def test_more_perft(name: str, depth: int) -> None:
    same_counts(gamedsl.load(name), depth)


@pytest.mark.slow
def test_perft_of_random_rulesets(tmp_path: Path) -> None:
    """As deep as the engine's count stays small; rules errors on both sides or on none."""
    counted = 0
    for seed in range(6000, 6100):
        program = program_of(random_text(seed), tmp_path)
        if program is None:
            continue
        game = InterpretedGame(program)
        native = compiled(game)
        ours = attempt(lambda d, game=game: perft(game.initial_state(), d))
        assert ours == attempt(lambda d, native=native: native.perft(None, d)), seed
        counted += ours is not None
    assert counted > 50


def attempt(count: Callable[[int], Any]) -> list[int] | None:
    """The counts for the first depths; None after a rules error."""
    try:
        return [count(d) for d in range(3)]
    except gamedsl.GameDSLError:
        return None


# ------------------------------------------------------------------------------------------------------ uniformity


def expected(telling: Telling) -> dict[int, Fraction]:
    """The chance of every code of a first choice, by the engine's list of ways on."""
    state = telling.state
    match state.terminator:
        case Choose():
            found = bits(state.game.code.blocks[state.block].queries["source"](state.slots))
            low = offset(state.terminator.var.type)
            return {i + low: Fraction(1, len(found)) for i in found}
        case Chance():
            ways = weights(state.game, list(state.slots), state.block)
            low = offset(state.terminator.result.type)
            return {i + low: Fraction(w, sum(ways.values())) for i, w in ways.items()}
    moves = state.legal_moves()
    codes = [-1 if m.schema is None else telling.code(m.schema, m.args) for m in moves]
    assert len(set(codes)) == len(codes)
    return {c: Fraction(1, len(codes)) for c in codes}


def first_choices(telling: Telling, plays: int, seed: int) -> Counter[int]:
    native, start = compiled(telling.game), telling.start()
    context = native.context()
    block = native.pack(start, context)
    out = (ctypes.c_double * native.num_players)()
    playout, found = native.entry("playout"), Counter[int]()
    for index in range(plays):
        assert playout(context.pointer, ctypes.addressof(block), seed, index, ctypes.addressof(out)) == 1
        found[int(out[0])] += 1
    return found


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("tic-tac-toe", 0), ("tic-tac-toe", 4), ("connect-four", 5), ("breakthrough-6x6", 7), ("reversi", 9), ("backgammon", 0),
        ("t-tic-t-tac-toe-game", 3), ("nim", 1), ("oware", 3), ("gomoku", 20), ("amazons", 4), ("pig", 0),
        # candidates that are refused when they are drawn: out of check only seven moves of many, fences, prohibitions
        ("chess", 92), ("quoridor", 18), ("t-tic-t-tac-toe-version-2", 20), ("backgammon", 217),
    ],
)  # fmt: skip
def test_first_choices_are_drawn_by_their_chances(name: str, plies: int) -> None:
    telling = Telling(after(name, plies))
    chances = expected(telling)
    plays = 20_000 + 20 * len(chances)
    seen = first_choices(telling, plays, seed=7)
    assert set(seen) <= set(chances)
    classes = sorted(chances)
    found = chi_square([seen[c] for c in classes], [float(chances[c] * plays) for c in classes])
    assert found <= most_chi_square(len(classes))


def test_the_most_of_chi_square_is_what_tables_say() -> None:
    """Upper 0.001 points (z = 3.09) of the printed tables: 27.88 for 9 degrees of freedom, 59.70 for 30."""
    assert most_chi_square(10, 3.0902) == pytest.approx(27.88, rel=0.01)
    assert most_chi_square(31, 3.0902) == pytest.approx(59.70, rel=0.01)


# --------------------------------------------------------------------------------------------------- exact chances


def test_random_tic_tac_toe() -> None:
    """X wins 737/1260 of the uniform plays, O 121/420; 8/63 are drawn."""
    n = 200_000
    tally = compiled(gamedsl.load("tic-tac-toe")).playouts(n, seed=3)
    assert tally.plays == n and tally.unfinished == 0
    for seen, p in ((tally.wins[0], 737 / 1260), (tally.wins[1], 121 / 420), (tally.draws[0], 8 / 63)):
        assert abs(seen - n * p) < 4.5 * (n * p * (1 - p)) ** 0.5
    assert tally.losses[0] == tally.wins[1] and tally.draws[0] == tally.draws[1]


def exact(game: Game) -> tuple[tuple[Fraction, ...], Fraction]:
    """Expected utilities and length of a uniform play, worked out over all plays."""

    @cache
    def value(state: State) -> tuple[Fraction, ...]:
        if state.is_terminal:
            return (*state.returns, Fraction(0))
        if state.kind == "chance":
            ways = [(value(state.apply(m)), p) for m, p in state.chance_outcomes()]
        else:
            moves = state.legal_moves()
            ways = [(value(state.apply(m)), Fraction(1, len(moves))) for m in moves]
        sums = [sum((v[i] * p for v, p in ways), Fraction(0)) for i in range(game.num_players + 1)]
        return (*sums[:-1], sums[-1] + 1)

    found = value(game.initial_state())
    return found[:-1], found[-1]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("nim", {"a": 2, "b": 3, "c": 1}), ("kayles", {"pins": 9}), ("m-n-k", {"m": 2, "n": 3}),
        ("domineering", {"rows": 3, "columns": 3}), ("clobber", {"rows": 2, "columns": 4}), ("dots-and-boxes", {"rows": 1, "columns": 2}),
    ],
)  # fmt: skip
def test_expected_utilities(name: str, options: dict[str, Any]) -> None:
    """Means over many plays lie within 4.5 standard errors of the expectation over all plays."""
    game = gamedsl.load(name, **options)
    utilities, length = exact(game)
    n = 100_000
    tally = compiled(game).playouts(n, seed=11)
    for seen, squares, mean in zip(tally.sums, tally.squares, utilities, strict=True):
        spread = (squares / n - float(mean) ** 2) ** 0.5
        assert abs(seen / n - float(mean)) <= 4.5 * spread / n**0.5 + 1e-12
    lengths = tally.lengths
    spread = sum(k * k * c for k, c in enumerate(lengths)) / n - float(length) ** 2
    assert abs(tally.plies / n - float(length)) <= 4.5 * max(0.0, spread) ** 0.5 / n**0.5 + 1e-9


# --------------------------------------------------------------------------------------------- seeds and threads


@pytest.mark.parametrize("name", ["tic-tac-toe", "backgammon", "rock-paper-scissors", "oware"])
def test_a_seed_gives_the_same_plays_for_any_threads(name: str) -> None:
    native = compiled(gamedsl.load(name))
    one = native.playouts(301, seed=5)
    assert one == native.playouts(301, seed=5, threads=2) == native.playouts(301, seed=5, threads=7)
    assert one.plays == 301 and sum(one.lengths) == 301
    assert native.playouts(301, seed=6) != one


def test_plays_are_numbered() -> None:
    """Plays 0..99 are plays 0..59 and 60..99."""
    native = compiled(gamedsl.load("reversi"))
    whole, low, high = native.playouts(100, 9), native.playouts(60, 9), native.playouts(40, 9, first=60)
    assert whole.plies == low.plies + high.plies
    assert whole.wins == tuple(a + b for a, b in zip(low.wins, high.wins, strict=True))


def test_playouts_leave_their_start_as_it_is() -> None:
    state = after("reversi", 6)
    native = compiled(state.game)
    context = native.context()
    block = native.pack(state, context)
    before, out = bytes(block), (ctypes.c_double * 2)()
    for index in range(20):
        assert native.entry("playout")(context.pointer, ctypes.addressof(block), 1, index, ctypes.addressof(out)) > 0
        assert bytes(block) == before
        assert out[0] + out[1] == 0
