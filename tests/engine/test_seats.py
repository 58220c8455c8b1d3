"""A seat that the game does not have is refused by every question about what a seat may know, in both forms of states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gamedsl
from gamedsl import GameDSLError

QUESTIONS: dict[str, Callable[[Any, Any], object]] = {
    "observation": lambda state, seat: state.observation(seat),
    "observation_tensor": lambda state, seat: state.observation_tensor(seat),
    "public part": lambda state, seat: state.observation_tensor(seat, "public"),
    "observation_text": lambda state, seat: state.observation_text(seat),
    "information_state": lambda state, seat: state.information_state(seat),
    "information_state_tensor": lambda state, seat: state.information_state_tensor(seat, 10),
    "position_text": lambda state, seat: state.position_text(seat),
    "serialize": lambda state, seat: state.serialize(seat),
}


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("ruleset", ["kuhn-poker", "tic-tac-toe"])
def test_there_is_no_such_seat(name: str, native: bool, ruleset: str) -> None:
    game = gamedsl.load(ruleset, backend="native" if native else "interpreter")
    state = game.initial_state()
    for seat in (2, 7, -1, -2, 10**30):
        with pytest.raises(GameDSLError) as error:
            QUESTIONS[name](state, seat)
        assert error.value.diagnostics[0].code == "E0546"
    for seat in (0, 1):
        QUESTIONS[name](state, seat)
