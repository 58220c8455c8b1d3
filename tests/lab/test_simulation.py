"""Simulations against exact numbers, and against each other: any threads, any backend."""

from __future__ import annotations

import re
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

import gamedsl
from gamedsl import Game, Move, State, compiler
from gamedsl.compiler import BASELINE_PLAYS
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted
from gamedsl.compiler.host import code_cache
from gamedsl.compiler.playouts.counts_layout import SAMPLE, WHOLE_PLAYS
from gamedsl.lab.simulate.compiled_plays import FullPlays
from gamedsl.lab.simulate.reference_plays import Plan
from gamedsl.lab.simulate.rng import Draws
from gamedsl.lab.simulate.simulation import Backend, simulate
from gamedsl.lab.simulate.tally import Tally, outcome
from gamedsl.language.rules.files import shipped

from .recounted import plan_of, same_counts

LENGTHS = {5: 1440 / 15120, 6: 5328 / 60480, 7: 47952 / 181440, 8: 72576 / 362880, 9: 127872 / 362880}  # of tic-tac-toe
Compiled: TypeAlias = tuple[bytes, list[code_cache.KeptPlace]]
BACKENDS: tuple[Backend, ...] = ("native", "interpreter")


@pytest.fixture(scope="module")
def squares() -> Game:
    return gamedsl.load("tic-tac-toe")


def chi_square(seen: dict[int, int], shares: dict[int, float]) -> float:
    n = sum(seen.values())
    assert set(seen) <= set(shares)
    return sum((seen.get(k, 0) - n * p) ** 2 / (n * p) for k, p in shares.items())


# ------------------------------------------------------------------------------------------------- exact numbers


@pytest.mark.parametrize(("backend", "plays"), [("native", 200_000), ("interpreter", 2_000)])
def test_random_tic_tac_toe(squares: Game, backend: Backend, plays: int) -> None:
    """X wins 737/1260, O 121/420, 8/63 are drawn; 5 to 9 plies in 1440, 5328, 47952, 72576 and 127872 of the 255168 plays,
    a play of k plies with probability 1 / (9 * 8 * ...) of k factors. Limits of chi-square: 0.999 quantiles."""
    done = simulate(Plan.of(squares, seed=1), plays, threads=2, backend=backend)
    assert done.backend == backend
    first, second = done.summary.seats
    seen = {1: first.wins, 0: first.draws, -1: first.losses}
    assert chi_square(seen, {1: 737 / 1260, 0: 8 / 63, -1: 121 / 420}) < 13.8
    assert (second.wins, second.draws, second.losses) == (first.losses, first.draws, first.wins)
    assert chi_square(done.tally.lengths, LENGTHS) < 18.5
    assert first.utility is not None and first.utility.value == pytest.approx((first.wins - first.losses) / plays)


def test_choices_of_tic_tac_toe(squares: Game) -> None:
    """At ply k there are 10 - k free squares."""
    found = simulate(Plan.of(squares), 500).summary
    assert found.branching is not None
    assert [(w.ply, w.mean) for w in found.branching.by_ply] == [(k, 10 - k) for k in range(1, 10)]
    assert found.branching.largest == 9
    assert found.branching.decisions == sum(plies * plays for plies, plays in found.lengths.counts)  # type: ignore[union-attr]
    (kind,) = found.kinds
    assert (kind.name, kind.uses, kind.share) == ("place", found.branching.decisions, 1)


def test_equal_utilities_have_no_interval(squares: Game) -> None:
    """Nothing is known of the games that were not played: an interval without a width said that all are like these."""
    for plays in (2, 40):
        seats = simulate(Plan.of(squares, seed=3), plays, backend="interpreter").summary.seats
        for seat in seats:
            assert seat.utility is not None
            is_equal = max(seat.wins, seat.draws, seat.losses) == plays
            assert (seat.utility.low is None, seat.utility.high is None) == (is_equal, is_equal)
            assert is_equal == (plays == 2)


def test_both_choose_at_once() -> None:
    """Rock, paper, scissors: two choices a throw, and a throw decides in two of three cases."""
    done = simulate(Plan.of(gamedsl.load("rock-paper-scissors"), seed=2), 30_000)
    throws = {min(plies // 2, 6): 0 for plies in done.tally.lengths}
    for plies, plays in done.tally.lengths.items():
        assert plies % 2 == 0
        throws[min(plies // 2, 6)] += plays
    assert chi_square(throws, {k: 2 / 3 ** min(k, 6) * (1.5 if k == 6 else 1) for k in range(1, 7)}) < 20.5
    assert done.tally.widths.choices == 3 * done.tally.widths.decisions


@pytest.mark.parametrize("name", ["pig", "backgammon", "atreso"])
def test_dice_are_fair(name: str) -> None:
    done = simulate(Plan.of(gamedsl.load(name), seed=3, most=100_000), 20)
    assert done.tally.finished == 20
    event = max(done.summary.chance, key=lambda c: c.falls)
    assert event.falls == sum(n for _, n in event.outcomes) > 150
    assert chi_square({int(face): n for face, n in event.outcomes}, dict.fromkeys(range(1, 7), 1 / 6)) < 20.5


def test_weights_of_chance(tmp_path: Path) -> None:
    path = tmp_path / "urn.gdl"
    path.write_text(URN)
    done = simulate(Plan.of(gamedsl.load(str(path)), seed=4), 24_000)
    (event,) = done.summary.chance
    seen = {("red", "blue", "black").index(name): n for name, n in event.outcomes}
    assert chi_square(seen, {0: 1 / 6, 1: 2 / 6, 2: 3 / 6}) < 13.8


URN = """players one

type ball = {red, blue, black}

state
  bag: ball -> 0..3

move look

play
  set bag[red] to 1
  set bag[blue] to 2
  set bag[black] to 3
  one plays look
  draw from bag -> b
  win one
"""

IDLE = """players a, b

move go

move idle
  when 1 = 2 "never"

move slip by mistake

play
  a plays go | idle | slip
  win a
"""

LATE = """players a

state
  n: 0..3

move on
  add 1 to n

move off
  set n to 0

play
  repeat
    a plays on | off
  until n = 0
  win a
"""

OVER = """players a

state
  n: 0..9

move up

play
  repeat
    a plays up
    roll d6 -> d
    add d to n
  until n = 0
  draw
"""


# --------------------------------------------------------------------------------------------------- same numbers


@pytest.mark.parametrize(
    ("name", "plays"),
    [("tic-tac-toe", 300), ("pig", 20), ("rock-paper-scissors", 100), ("horn-tiles", 20), ("backgammon", 5)],
)
def test_threads_agree(name: str, plays: int) -> None:
    game = gamedsl.load(name)
    for backend in BACKENDS:
        one, three = (simulate(Plan.of(game, seed=9), plays, threads=t, backend=backend) for t in (1, 3))
        assert (one.backend, one.tally) == (backend, three.tally)
        assert one.tally != simulate(Plan.of(game, seed=10), plays, backend=backend).tally


# What the compiled code counts with the plays is what the interpreter counts over the same plays. The rulesets: a set
# that shrinks, ends told by place, lockstep, masks, chance, kinds of moves, passing, chosen values, simultaneous choices,
# points.
@pytest.mark.parametrize("seed", [0, 1, -2])
@pytest.mark.parametrize(
    ("name", "plays", "most"),
    [
        ("tic-tac-toe", 40, 10_000),
        ("tic-tac-toe", 10, 6),
        ("connect-four", 40, 10_000),
        ("clobber", 20, 12),
        ("einstein-wuerfelt-nicht", 5, 10_000),
        ("pig", 5, 60),
        ("kayles", 10, 10_000),
        ("goofspiel", 5, 10_000),
        ("rock-paper-scissors", 20, 10_000),
        ("reversi", 2, 10_000),
        ("kuhn-poker", 30, 10_000),
        ("sim", 5, 10_000),
    ],
)
def test_counts_are_those_of_the_interpreter(name: str, plays: int, most: int, seed: int) -> None:
    same_counts(gamedsl.load(name), plays, seed, most)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "pig"])
def test_counts_from_a_position(name: str) -> None:
    state, rng = gamedsl.load(name).initial_state(), Random(4)
    for _ in range(5):
        state = state.apply(state.propose(rng))
    same_counts(state.game, 10, 3, start=state)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(shipped()) - {"abs-trac-toe"}))
def test_counts_of_every_shipped_ruleset(name: str) -> None:
    game = gamedsl.load(name)
    assert simulate(Plan.of(game, seed=15, most=80), 2).backend == "native"
    same_counts(game, 2, 15, most=80)


def test_branching_is_sampled_where_counting_takes_long() -> None:
    """Backgammon's moves are drawn before they are asked whether more dice could be used. The first plays are
    counted whole, of the others one decision in 64."""
    game = gamedsl.load("backgammon")
    few, many = (simulate(Plan.of(game, seed=1, most=300), n).summary.branching for n in (WHOLE_PLAYS, 500))
    assert few is not None and many is not None
    assert few.decisions == few.all_decisions
    sampled, of = many.decisions - few.decisions, many.all_decisions - few.all_decisions
    assert 0.9 < SAMPLE * sampled / of < 1.1
    mean = (many.mean * many.decisions - few.mean * few.decisions) / sampled
    assert 0.8 < mean / few.mean < 1.25


def test_quick_plays_are_the_same_plays(squares: Game) -> None:
    for game in (squares, gamedsl.load("connect-four"), gamedsl.load("pig")):
        quick, full = (simulate(Plan.of(game, seed=6), 500, quick=q).tally for q in (True, False))
        assert quick.results == full.results
        assert not quick.lengths or quick.lengths == full.lengths


def test_a_longer_run_begins_with_the_shorter(squares: Game) -> None:
    shorter, longer = (simulate(Plan.of(squares, seed=5), n, threads=2).tally for n in (7, 12))
    assert not shorter.results - longer.results
    assert not shorter.lengths - longer.lengths
    assert (longer.lengths - shorter.lengths).total() == 5


@pytest.mark.parametrize("name", ["tic-tac-toe", "hex"])
def test_which_code_makes_a_play_depends_on_its_number_alone(name: str) -> None:
    """Whatever the threads, and whether optimized code is kept on disk: in hex it draws in another way."""
    game = gamedsl.load(name)
    n = 2 * BASELINE_PLAYS
    one, two = (simulate(Plan.of(game, seed=3), n, threads=t).tally for t in (1, 2))
    assert one == two
    source = FullPlays(plan_of(game, 3))
    parts = [source.run(first, 50, lambda: False) for first in range(0, n, 50) if first + 50 <= n]
    rest = source.run(50 * len(parts), n - 50 * len(parts), lambda: False)
    whole = Tally()
    for part in (*parts, rest):
        whole.add(part)
    assert whole == one


def test_few_plays_compile_no_optimized_code(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = code_cache.compiled

    def noting(forms: ProgramForms, keep: bool, wanted: Wanted) -> Compiled:
        compiled.append(str(wanted))
        return real(forms, keep, wanted)

    monkeypatch.setattr(code_cache, "compiled", noting)
    fresh = gamedsl.load("tic-tac-toe")  # nothing is compiled yet
    simulate(Plan.of(fresh), BASELINE_PLAYS)
    assert compiled == ["counted_generic baseline"]
    simulate(Plan.of(fresh), BASELINE_PLAYS + 1)
    assert sorted(compiled[1:]) in (["counted"], ["counted", "counted_generic baseline"])


def test_stopping_does_not_wait_for_optimized_code(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, compiled = threading.Event(), threading.Event()
    real = code_cache.compiled

    def slow(forms: ProgramForms, keep: bool, wanted: Wanted) -> Compiled:
        if not wanted.baseline:
            stop.set()
            assert compiled.wait(60)
        return real(forms, keep, wanted)

    monkeypatch.setattr(code_cache, "compiled", slow)
    try:
        assert simulate(Plan.of(gamedsl.load("tic-tac-toe")), 10**6, stop=stop).tally.plays <= BASELINE_PLAYS
    finally:
        compiled.set()


def test_any_whole_number_is_a_seed(squares: Game) -> None:
    for backend in BACKENDS:
        one, other = (simulate(Plan.of(squares, seed=s), 50, backend=backend).tally for s in (-1, 2**64 - 1))
        assert one == other


# --------------------------------------------------------------------------------------------------------- quick plays


def test_quick_plays(squares: Game) -> None:
    done = simulate(Plan.of(squares, seed=12), 200_000, threads=2, quick=True)
    first, second = done.summary.seats
    assert (
        chi_square({1: first.wins, 0: first.draws, -1: first.losses}, {1: 737 / 1260, 0: 8 / 63, -1: 121 / 420}) < 13.8
    )
    assert (second.wins, second.draws) == (first.losses, first.draws)
    assert chi_square(done.tally.lengths, LENGTHS) < 18.5
    assert done.summary.kinds == () and done.summary.branching is None
    assert done.tally == simulate(Plan.of(squares, seed=12), 200_000, quick=True).tally


def test_quick_plays_agree_with_the_others() -> None:
    """Pig with three players: no difference of shares above four and a half standard deviations."""
    game = gamedsl.load("pig", players=3, target=30)
    n = 20_000
    quick, full = (simulate(Plan.of(game, seed=13), n, quick=q).summary for q in (True, False))
    assert quick.lengths is None  # its plies would count the rolls
    for a, b in zip(quick.seats, full.seats, strict=True):
        share = (a.wins + b.wins) / (2 * n)
        assert abs(a.wins - b.wins) / n < 4.5 * (2 * share * (1 - share) / n) ** 0.5


def test_no_quick_plays(squares: Game, tmp_path: Path) -> None:
    path = tmp_path / "points.gdl"
    path.write_text(POINTS)
    with pytest.raises(gamedsl.UsageError, match="points"):
        simulate(Plan.of(gamedsl.load(str(path))), 5, quick=True)
    with pytest.raises(gamedsl.UsageError, match="not all seats"):
        simulate(Plan.of(squares, seats=(First(), None)), 5, quick=True)
    with pytest.raises(gamedsl.UsageError, match="draw in this game"):
        simulate(Plan.of(gamedsl.load("abs-trac-toe")), 5, quick=True)
    with pytest.raises(gamedsl.UsageError, match="interpreter was requested"):
        simulate(Plan.of(squares), 5, backend="interpreter", quick=True)


POINTS = """players a, b

state
  got: player -> 0..9

move take(n: 1..3) written "{n}"
  add n to got[me]

play
  a plays take
  b plays take
  score by got
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_points_are_utilities(tmp_path: Path, backend: Backend) -> None:
    """Each takes 1 to 3 of at most 9 points: a third of the plays are drawn, and the mean is 2."""
    path = tmp_path / "points.gdl"
    path.write_text(POINTS)
    n = 6000
    for seat in simulate(Plan.of(gamedsl.load(str(path)), seed=14), n, backend=backend).summary.seats:
        assert chi_square({1: seat.wins, 0: seat.draws, -1: seat.losses}, dict.fromkeys((1, 0, -1), 1 / 3)) < 13.8
        assert seat.utility is not None and seat.utility.low is not None and seat.utility.high is not None
        assert seat.utility.value == pytest.approx(2, abs=4.5 * (2 / 3 / n) ** 0.5)
        assert seat.utility.high - seat.utility.low == pytest.approx(2 * 1.96 * (2 / 3 / n) ** 0.5, rel=0.05)


# ------------------------------------------------------------------------------------------------ ways to begin and end


def test_from_a_position(squares: Game) -> None:
    state = squares.initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state = state.apply(squares.parse_move(text, state))
    found = simulate(Plan.of(squares, seed=6, start=state), 2000).summary
    assert found.branching is not None and found.branching.largest == 5
    assert found.lengths is not None and found.lengths.shortest == 1  # a3 wins at once


def test_from_the_end(squares: Game) -> None:
    state = squares.initial_state()
    for text in ("a1", "b1", "a2", "b2", "a3"):
        state = state.apply(squares.parse_move(text, state))
    for backend in BACKENDS:
        found = simulate(Plan.of(squares, start=state), 3, backend=backend).summary
        assert found.seats[0].wins == 3
        assert found.lengths is not None and found.lengths.longest == 0
        assert found.branching is None


def test_unfinished_plays(squares: Game) -> None:
    for backend in BACKENDS:
        found = simulate(Plan.of(squares, seed=7, most=7), 300, backend=backend).summary
        seat = found.seats[0]
        assert found.lengths is not None and found.lengths.longest == 7
        assert seat.wins + seat.draws + seat.losses == found.plays - found.unfinished
        assert 0 < found.unfinished < 300
        assert found.kinds[0].uses > 7 * found.unfinished
        assert simulate(Plan.of(squares, most=2), 3, backend=backend).summary.lengths is None


def test_kinds_never_used(tmp_path: Path) -> None:
    path = tmp_path / "idle.gdl"
    path.write_text(IDLE)
    found = simulate(Plan.of(gamedsl.load(str(path))), 5).summary
    assert [k.name for k in found.never_used] == ["idle"]


class First:
    """Takes the first legal move."""

    def choose(self, state: State, seed: int) -> Move:
        return state.legal_moves()[0]


class ByItsSeed:
    """Takes a move that follows from the seed it is given."""

    def choose(self, state: State, seed: int) -> Move:
        moves = state.legal_moves()
        return moves[Draws(seed).below(len(moves))]


def test_other_seats(squares: Game) -> None:
    done = simulate(Plan.of(squares, seats=(First(), None), seed=8), 200, threads=2)
    assert (done.backend, done.reason) == ("interpreter", "not all seats play at random")
    assert done.tally == simulate(Plan.of(squares, seats=(First(), None), seed=8), 200).tally
    both = simulate(Plan.of(squares, seats=(First(), First())), 20).summary
    assert both.lengths is not None and both.lengths.counts == ((7, 20),)  # X has squares 1, 3, 5, 7 in order
    assert both.seats[0].wins == 20


def test_seats_are_given_seeds_of_their_own(squares: Game) -> None:
    done = simulate(Plan.of(squares, seats=(ByItsSeed(), None), seed=8), 3000).summary.seats[0]
    assert chi_square({1: done.wins, 0: done.draws, -1: done.losses}, {1: 737 / 1260, 0: 8 / 63, -1: 121 / 420}) < 13.8


def test_rules_that_cannot_be_compiled(squares: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(forms: ProgramForms, keep: bool, wanted: Wanted) -> Compiled:
        raise compiler.NativeError("n ranges over 0..2**70")

    expected = simulate(Plan.of(squares), 5, backend="interpreter").tally
    monkeypatch.setattr(code_cache, "compiled", refuse)
    done = simulate(Plan.of(gamedsl.load("tic-tac-toe")), 5)
    assert done.tally == expected
    assert (done.backend, done.reason) == ("interpreter", "the rules cannot be compiled (n ranges over 0..2**70)")


@pytest.mark.parametrize("backend", BACKENDS)
def test_stopping(squares: Game, backend: Backend) -> None:
    """What is told then are the first plays, without a gap."""
    stop = threading.Event()

    def enough(done: int) -> None:
        if done >= 50:
            stop.set()

    cut = simulate(Plan.of(squares, seed=11), 10**9, threads=3, backend=backend, stop=stop, progress=enough)
    assert cut.interrupted
    assert 50 <= cut.tally.plays < 10**9
    if cut.tally.plays < (100_000 if backend == "interpreter" else 10**8):
        assert cut.tally == simulate(Plan.of(squares, seed=11), cut.tally.plays, backend=backend).tally


def test_a_rules_error_tells_the_play(tmp_path: Path) -> None:
    path = tmp_path / "over.gdl"
    path.write_text(OVER)
    game = gamedsl.load(str(path))
    told = []
    for backend in BACKENDS:
        with pytest.raises(gamedsl.GameDSLError) as caught:
            simulate(Plan.of(game, seed=1), 100, threads=2, backend=backend)
        (found,) = caught.value.diagnostics
        assert "In play 0 of seed 1, after" in found.help and ": up; " in found.help
        told.append((found.code, found.span))
    assert told[0] == told[1]


def test_a_rules_error_in_a_late_play(tmp_path: Path) -> None:
    """One in 16 plays goes on until it fails. It is found, and the moves told lead there."""
    path = tmp_path / "late.gdl"
    path.write_text(LATE)
    with pytest.raises(gamedsl.GameDSLError) as caught:
        simulate(Plan.of(gamedsl.load(str(path)), seed=2), 5000)
    (found,) = caught.value.diagnostics
    match = re.search(r"In play (\d+) of seed 2, after 4 steps: on; on; on; on", found.help)
    assert match and 0 < int(match[1]) < 200
    assert simulate(Plan.of(gamedsl.load(str(path)), seed=2), int(match[1])).tally.plays == int(match[1])


# -------------------------------------------------------------------------------------------------------- outcomes


def test_who_has_won() -> None:
    assert [outcome((1, -1), p) for p in (0, 1)] == [1, -1]
    assert [outcome((0, 0, 0), p) for p in (0, 1, 2)] == [0, 0, 0]
    assert [outcome((24, 24, 12), p) for p in (0, 1, 2)] == [1, 1, -1]
    assert [outcome((u,), 0) for u in (1, 0, -1)] == [1, 0, -1]


@pytest.mark.parametrize("name", ["dots-and-boxes", "pig", "horn-tiles", "kalah"])
def test_winners_are_the_games_winners(name: str) -> None:
    """What a play's utilities say is what the game says."""
    game = gamedsl.load(name)
    expected: Counter[int] = Counter()
    for play in range(20):
        state, draws = game.initial_state(), Draws(play)
        while not state.is_terminal:
            moves = [m for m, _ in state.chance_outcomes()] or state.legal_moves()
            state = state.apply(moves[draws.below(len(moves))])
        utilities = tuple(int(u * 10**6) for u in state.returns)
        won = {p for p in range(game.num_players) if outcome(utilities, p) == 1}
        assert won == set(state.winners)
        expected.update(won)
    assert expected
