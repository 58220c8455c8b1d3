"""Random plays in their three forms (one by one, a batch, several at once) are the same plays; and the engine's own random
plays, with draws of their own, end as often in each way."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.host.result_tally import Tally
from gamedsl.compiler.playouts.results import BINS, UNFINISHED
from gamedsl.compiler.transform.pipeline import why_not_specialized
from gamedsl.engine import InterpretedGame, RulesError
from gamedsl.engine.state import Game, State
from gamedsl.language.core.nodes import DrawingT
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import small

from . import small_rulesets
from .agree import compiled
from .first_moves import most_chi_square

AT_ONCE = ["tic-tac-toe", "connect-four", "breakthrough-6x6", "reversi", "misere-tic-tac-toe", "clobber"]
APART = ["hex", "gomoku", "kayles", "pig", "konane", "horn-tiles"]
WHOLE = ["rock-paper-scissors", "backgammon"]
# plays, seed, number of the first, most plies: fewer and more plays than lanes, long plays cut short, none begun at all
SERIES = [(1, 3, 0, 500), (5, 7, 11, 500), (67, 1, 0, 500), (203, 2**62 + 5, 10**9, 500), (203, 9, 3, 7), (17, 4, 0, 1)]
MOST_PLIES = 500


@cache
def native_of(name: str) -> Native:
    found: Native = compiled(gamedsl.load(name, **small(name)))
    return found


def native_of_text(text: str, folder: Path) -> Native:
    found: Native = compiled(InterpretedGame(small_rulesets.program_of(text, folder)))
    return found


def starts(game: Game) -> list[State | None]:
    """The first position and two of a random play."""
    state, rng, found = game.initial_state(), Random(5), list[State | None]([None])
    for ply in range(6):
        if state.is_terminal:
            break
        state = state.apply(state.propose(rng))
        if ply in (1, 5):
            found.append(state)
    return found


def one_by_one(native: Native, n: int, seed: int, first: int, start: State | None, plies: int) -> Tally:
    """The tally of as many calls of "playout"."""
    context = native.context(plies=plies)
    block = native.initial(context) if start is None else native.pack(start, context)
    out = (ctypes.c_double * native.num_players)()
    players = range(native.num_players)
    lengths, shares = Counter[int](), list[tuple[float, ...]]()
    unfinished = 0
    for index in range(first, first + n):
        found = native.entry("playout")(context.pointer, ctypes.addressof(block), seed, index, ctypes.addressof(out))
        assert found >= 0 or found == UNFINISHED
        unfinished += found == UNFINISHED
        lengths[min(plies if found == UNFINISHED else found, BINS - 1)] += 1
        shares.append((0.0,) * len(players) if found == UNFINISHED else tuple(out))
    by_player = [[s[p] for s in shares] for p in players]
    return Tally(
        plays=n,
        plies=sum(length * times for length, times in lengths.items()),
        unfinished=unfinished,
        sums=tuple(sum(x) for x in by_player),
        squares=tuple(sum(v * v for v in x) for x in by_player),
        wins=tuple(sum(v > 0 for v in x) for x in by_player),
        draws=tuple(sum(v == 0 for v in x) for x in by_player),
        losses=tuple(sum(v < 0 for v in x) for x in by_player),
        lengths=tuple(lengths[i] for i in range(BINS)),
    )


def rounded(tally: Tally) -> Tally:
    """Sums of utilities, which are added up in different orders, without their last digits."""
    return replace(
        tally,
        sums=tuple(round(x, 6) for x in tally.sums),
        squares=tuple(round(x, 6) for x in tally.squares),
    )


def same_forms(native: Native, start: State | None, series: tuple[int, int, int, int]) -> None:
    n, seed, first, plies = series
    batch = native.playouts(n, seed, first, start=start, plies=plies, lockstep=False)
    together = native.playouts(n, seed, first, start=start, plies=plies, lockstep=True)
    assert together == batch, (start is None, series)
    assert rounded(one_by_one(native, n, seed, first, start, plies)) == rounded(batch), (start is None, series)
    assert batch.plays == n == sum(batch.lengths)


@pytest.mark.parametrize("name", [*AT_ONCE, *APART, *WHOLE])
def test_three_forms_of_the_same_plays(name: str) -> None:
    native = native_of(name)
    for start in starts(native.game):
        for series in SERIES:
            same_forms(native, start, series)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(shipped()) - {*AT_ONCE, *APART, *WHOLE}))
def test_three_forms_of_the_same_plays_of_every_ruleset(name: str) -> None:
    native = native_of(name)
    if any(isinstance(v.type, DrawingT) for v in native.program.variables):
        return
    few = why_not_specialized(native.program) is not None  # the three forms are one then
    for start in starts(native.game):
        for series in (SERIES[1], SERIES[-1]) if few else SERIES:
            same_forms(native, start, series)


@pytest.mark.parametrize("name", AT_ONCE)
def test_several_plays_at_once_apply(name: str) -> None:
    """Else the laws above would compare a form with itself."""
    assert native_of(name).lockstep is None


@pytest.mark.parametrize("ending", ["draw", "lose me", "win me"])
def test_a_full_board_where_the_rules_say_stuck(ending: str, tmp_path: Path) -> None:
    """The set from which moves are chosen only shrinks, and is empty at last. Nine plies fill the board, so every play ends."""
    native = native_of_text(small_rulesets.filled(f"      stuck\n        {ending}\n"), tmp_path)
    assert native.lockstep is None
    for series in SERIES:
        same_forms(native, None, series)
    tally = native.playouts(500, 1, lockstep=True)
    assert tally.unfinished == 0 and sum(tally.lengths[:10]) == 500 and tally.lengths[9] > 50


def test_a_full_board_where_the_rules_say_nothing(tmp_path: Path) -> None:
    """The play fails, as on the engine: it is not played on without a move."""
    native = native_of_text(small_rulesets.filled(""), tmp_path)
    assert native.lockstep is None
    for lockstep in (False, True):
        with pytest.raises(RulesError, match="no legal move"):
            native.playouts(500, 1, lockstep=lockstep)


@pytest.mark.parametrize("name", ["tic-tac-toe", "hex", "rock-paper-scissors"])
def test_a_play_that_is_over_has_no_plies(name: str) -> None:
    native = native_of(name)
    state, rng = native.game.initial_state(), Random(1)
    while not state.is_terminal:
        state = state.apply(state.propose(rng))
    for lockstep in (False, True):
        tally = native.playouts(9, 1, start=state, lockstep=lockstep)
        assert (tally.plays, tally.plies, tally.unfinished) == (9, 0, 0)
        assert tally.sums == tuple(9 * float(r) for r in state.returns)


@pytest.mark.parametrize("name", [AT_ONCE[0], APART[0], WHOLE[0]])
@pytest.mark.parametrize("lockstep", [False, True])
def test_plays_cut_short_bring_nothing(name: str, lockstep: bool) -> None:
    """Such plays are counted as unfinished and as utility 0 for all."""
    tally = native_of(name).playouts(50, 1, plies=1, lockstep=lockstep)
    assert tally.unfinished == 50 and tally.plies == 50 and tally.lengths[1] == 50
    assert not any((*tally.sums, *tally.wins, *tally.losses)) and set(tally.draws) == {50}


# ------------------------------------------------------------------------------------------- the engine's own plays

COMPARED = [
    ("tic-tac-toe", 3000), ("rock-paper-scissors", 3000), ("nim", 3000), ("kayles", 2000), ("pig", 300),
    ("connect-four", 800), ("kalah", 400), ("phantom-tic-tac-toe", 1500), ("clobber", 800), ("horn-tiles", 100),
]  # fmt: skip


def engine_plays(game: Game, plays: int, seed: int) -> tuple[Counter[tuple[int, ...]], Counter[int]]:
    """How often each combination of signs of the utilities came, and each length."""
    rng = Random(seed)
    signs, lengths = Counter[tuple[int, ...]](), Counter[int]()
    for _ in range(plays):
        state, plies = game.initial_state(), 0
        while not state.is_terminal and plies < MOST_PLIES:
            state, plies = state.apply(state.propose(rng)), plies + 1
        signs[tuple((r > 0) - (r < 0) for r in state.returns)] += 1
        lengths[plies] += 1
    return signs, lengths


def classes(seen: Counter[Any], expected: dict[Any, float], least: float = 10.0) -> tuple[list[int], list[float]]:
    """Counts with what is expected; rare classes are put together."""
    found, wanted, rest, rare = list[int](), list[float](), 0, 0.0
    for key in sorted({*seen, *expected}):
        if expected.get(key, 0.0) >= least:
            found.append(seen[key])
            wanted.append(expected[key])
        else:
            rest, rare = rest + seen[key], rare + expected.get(key, 0.0)
    return ([*found, rest], [*wanted, rare]) if rare >= 1 else (found, wanted)


def same_shares(seen: Counter[Any], expected: dict[Any, float], sample: float) -> bool:
    """Chi-square of counts against expectations that are themselves taken from ``sample`` times as many plays."""
    found, wanted = classes(seen, expected)
    total = sum((x - y) ** 2 / (y * (1 + 1 / sample)) for x, y in zip(found, wanted, strict=True))
    return total <= most_chi_square(max(2, len(found)))


@pytest.mark.parametrize(("name", "plays"), COMPARED)
def test_the_engine_s_random_plays_end_alike(name: str, plays: int) -> None:
    native = native_of(name)
    signs, lengths = engine_plays(native.game, plays, seed=17)
    sample = 50
    tally = native.playouts(plays * sample, seed=23, plies=MOST_PLIES)
    assert same_shares(lengths, {k: n / sample for k, n in enumerate(tally.lengths) if n}, sample)
    for p in range(native.num_players):
        mine = Counter[int]()
        for s, n in signs.items():
            mine[s[p]] += n
        assert same_shares(
            mine, {1: tally.wins[p] / sample, 0: tally.draws[p] / sample, -1: tally.losses[p] / sample}, sample
        )


def test_other_shares_are_told_apart() -> None:
    """Connect four's first player wins 55.6 % of random plays; 43.75 % are something else."""
    native = native_of("connect-four")
    signs, _ = engine_plays(native.game, 800, seed=17)
    wins = Counter({1: sum(n for s, n in signs.items() if s[0] > 0)})
    wins[0] = 800 - wins[1]
    assert not same_shares(wins, {1: 350.0, 0: 450.0}, 50)
