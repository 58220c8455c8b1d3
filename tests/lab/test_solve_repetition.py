"""``solve`` where a repeated position is a draw: as a graph where that is sound, by histories where it is not.

The expected values come from a solver of a few lines that follows every history.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine import InterpretedGame, State
from gamedsl.lab.solve import Solved, solve
from gamedsl.lab.solve.repetition_solver import WithoutRepetition, without_repetition
from gamedsl.language.rules import load_program

SPOTS = "abcde"
WALK = """
game "Walk"
players one, two
board grid 1 by 5 named by letters from bottom
state
  here: cell = a1
move go(to: cell) written "{{to}}"
  when to in beyond(here) "there is no path"
  set here to to
define beyond(c: cell) = {after}
play
  turns from one
    {note}
    if repetition({times})
      {result}
    if here in {first}
      win one
    if here in {second}
      win two
    me plays go
      stuck
        lose me
"""


def first_state(text: str) -> State:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.gdl"
        path.write_text(text, encoding="utf-8")
        return InterpretedGame(load_program(path)).initial_state()


class Walk:
    """A token on five spots; the players move it in turn. ``paths``: the spots to which each leads."""

    def __init__(self, paths: tuple[tuple[int, ...], ...], first: int, second: int, times: int) -> None:
        self.paths, self.first, self.second, self.times = paths, first, second, times

    def state(self, note: str = "note position with here", result: str = "draw") -> State:
        cases = [f"if c = {SPOTS[i]}1 then {self.spots(there)}" for i, there in enumerate(self.paths)]
        text = WALK.format(
            after=" else ".join([*cases, "cell - cell"]),
            note=note,
            times=self.times,
            result=result,
            first=self.spots((self.first,)),
            second=self.spots((self.second,)),
        )
        return first_state(text)

    @staticmethod
    def spots(numbers: tuple[int, ...]) -> str:
        return "{" + ", ".join(f"{SPOTS[i]}1" for i in numbers) + "}" if numbers else "cell - cell"

    def value(self, way: tuple[int, ...] = (), loses: bool = False) -> int:
        """The value for the first player after the token went this way, by following every history. ``loses``: the player
        who repeats a position loses."""

        @cache
        def of(here: int, mover: int, noted: tuple[tuple[int, int], ...]) -> int:
            noted = tuple(sorted((*noted, (here, mover))))
            if noted.count((here, mover)) >= self.times:
                return 0 if not loses else 1 if mover == 0 else -1
            if here in (self.first, self.second):
                return 1 if here == self.first else -1
            values = [of(there, 1 - mover, noted) for there in self.paths[here]] or [-1 if mover == 0 else 1]
            return max(values) if mover == 0 else min(values)

        spots = (0, *way)
        return of(spots[-1], len(way) % 2, tuple((spot, i % 2) for i, spot in enumerate(spots[:-1])))


walks = st.builds(
    Walk,
    st.tuples(*[st.sets(st.integers(0, 4), max_size=2).map(lambda s: tuple(sorted(s)))] * 5),
    st.integers(1, 4),
    st.integers(1, 4),
    st.just(2) | st.just(3),
)


@settings(max_examples=25)
@given(walks)
def test_the_graph_has_the_value_of_all_histories(walk: Walk) -> None:
    state = walk.state()
    assert isinstance(without_repetition(state), WithoutRepetition)
    assert solve(state).value == walk.value()


@settings(max_examples=25)
@given(walks, st.lists(st.integers(0, 1), max_size=5))
def test_after_some_moves(walk: Walk, choices: list[int]) -> None:
    """Whether the earlier positions matter or not."""
    state, way = walk.state(), list[int]()
    for choice in choices:
        moves = [] if state.is_terminal else state.legal_moves()
        if choice < len(moves):
            way.append(SPOTS.index(str(moves[choice])[0]))
            state = state.apply(moves[choice])
    assert state.is_terminal or solve(state).value == walk.value(tuple(way))


@settings(max_examples=10)
@given(walks)
def test_a_position_without_its_mover_is_not_all(walk: Walk) -> None:
    state = walk.state("note board")
    assert without_repetition(state) == "a noted position omits `here`, `player to move`"


@settings(max_examples=10)
@given(walks)
def test_the_player_who_repeats_loses(walk: Walk) -> None:
    state = walk.state(result="lose rival")
    assert without_repetition(state) == "a repetition is not simply a draw"
    assert solve(state).value == walk.value(loses=True)


# From a to b or c; from b to a. One wins on c at once. Two reaches it only if the token goes round first.
ROUND = Walk(((1,), (0, 2), (), (), ()), 2, 3, 3)


def test_what_is_refused() -> None:
    cases = {
        "note position": "a noted position omits `here`",
        "if here = a1\n      note position with here": "positions are noted within a move, or only sometimes",
        "note position with here\n    if here = b1\n      note position with here": "positions are noted at several places",
    }
    for note, reason in cases.items():
        assert without_repetition(ROUND.state(note)) == reason
    assert without_repetition(Walk(ROUND.paths, 2, 3, 1).state()) == "a position may not be noted twice"


def test_an_earlier_position_that_is_a_draw_at_its_next_return() -> None:
    walk = Walk(((1,), (2,), (0, 3), (), ()), 4, 3, 2)  # two goes to d and wins, unless ...
    state = walk.state()
    state = state.apply(state.legal_moves()[0])
    assert without_repetition(state) == "an earlier position of this game would be a draw at its next return"


def test_mu_torere(mu_torere: str) -> None:
    """1,180 positions and a draw, with the rule as without it."""
    plain = _solved(mu_torere)
    noted = _solved(
        mu_torere.replace("    me plays", "    note position\n    if repetition(3)\n      draw\n    me plays")
    )
    for found, times in ((plain, 0), (noted, 3)):
        assert (found.positions, found.complete, found.value, found.repetition) == (1180, True, 0, times)


@pytest.fixture
def mu_torere() -> str:
    return (Path(__file__).parent / "mu-torere.gdl").read_text(encoding="utf-8")


def _solved(text: str) -> Solved:
    return solve(first_state(text))


@pytest.mark.parametrize("name", ["go", "oware", "atreso", "brandub"])
def test_shipped_rulesets_in_which_the_history_matters(name: str) -> None:
    assert isinstance(without_repetition(InterpretedGame(load_program(name)).initial_state()), str)
