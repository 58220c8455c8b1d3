"""The strategies and the machine for authors: what they draw is play, and what is wrong is found and shrunk."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, run_state_machine_as_test

import gamedsl
from gamedsl.testing import GameMachine, Play, check_laws, go_on, machine, plays, states

TIC_TAC_TOE = gamedsl.load("tic-tac-toe")
QUICK = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(plays(TIC_TAC_TOE))
def test_a_play_is_one_that_the_rules_allow(play: Play) -> None:
    state = TIC_TAC_TOE.initial_state()
    assert play.states[0] == state and len(play.states) == len(play.moves) + 1
    for move, after in zip(play.moves, play.states[1:], strict=True):
        state = state.apply(move)
        assert state == after
    assert len(play.moves) <= 9


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "rock-paper-scissors", "abs-trac-toe", "phantom-tic-tac-toe"])
def test_the_laws_hold_in_shipped_games(name: str) -> None:
    @settings(QUICK, max_examples=8)
    @given(states(gamedsl.load(name), max_plies=6))
    def check(state: gamedsl.State) -> None:
        check_laws(state)

    check()


def test_plays_shrink() -> None:
    """X wins in five plies at the least, and in seven when both take the first squares in turn."""
    patient = settings(QUICK, max_examples=2000, database=None)
    won = find(plays(TIC_TAC_TOE), lambda p: p.last.is_terminal and p.last.winners == {0}, settings=patient)
    assert len(won.moves) in (5, 7)


def test_a_number_too_many_does_nothing() -> None:
    state = TIC_TAC_TOE.initial_state()
    for number in range(30):
        state = go_on(state, number)
    assert state.is_terminal and go_on(state, 3) is state


@QUICK
@given(
    states(
        TIC_TAC_TOE, start=TIC_TAC_TOE.initial_state().apply(TIC_TAC_TOE.parse_move("b2", TIC_TAC_TOE.initial_state()))
    )
)
def test_positions_from_a_given_one(state: gamedsl.State) -> None:
    assert state.values("mark")[0] >> 4 & 1


def test_the_machine_plays_by_the_laws() -> None:
    run_state_machine_as_test(machine("pig", target=8), settings=QUICK)


def test_the_machine_finds_what_an_invariant_forbids() -> None:
    class Careful(machine("nim", a=2, b=1, c=0)):  # type: ignore[misc]
        @invariant()
        def something_is_left(self) -> None:
            assert any(self.state.values("size")), self.moves

    with pytest.raises(AssertionError):
        run_state_machine_as_test(Careful, settings=settings(QUICK, database=None))


def test_a_broken_ruleset_breaks_the_laws(tmp_path: object) -> None:
    """A game in which somebody must act and can't raises the rules error on the way."""
    path = f"{tmp_path}/stuck.gdl"
    with open(path, "w", encoding="utf-8") as file:
        file.write(STUCK)
    with pytest.raises(gamedsl.GameDSLError, match="no legal move"):
        run_state_machine_as_test(machine(path), settings=settings(QUICK, database=None))


STUCK = """game "Stuck"

players a, b

board grid 1 by 3 named by letters

piece man of player

move place(c: cell) written "{c}"
  when c in empty "taken"
  put man[me] on c

play
  turns from a
    me plays place
"""


def test_a_loaded_game_has_a_machine_too() -> None:
    made = machine(TIC_TAC_TOE)
    assert issubclass(made, GameMachine) and made.game is TIC_TAC_TOE


@QUICK
@given(st.integers(0, 10**9))
def test_any_number_is_a_way_on(number: int) -> None:
    assert go_on(TIC_TAC_TOE.initial_state(), number) != TIC_TAC_TOE.initial_state()
