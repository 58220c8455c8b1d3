"""Equal situations are equal states, and clearing what is dead changes nothing that can be seen."""

from __future__ import annotations

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.engine.perft_counts import branches, perft
from gamedsl.engine.state import State
from gamedsl.language.core.liveness import clear_dead
from gamedsl.language.core.nodes import Program, Reset
from tests.engine.coregames import ALL, dice_race, three_in_a_row
from tests.language.core.verifier import verify
from tests.values import codes_named


def reachable(program: Program, most: int = 20_000) -> set[State]:
    """All states that can come up."""
    todo = [InterpretedGame(program).initial_state()]
    seen = set(todo)
    while todo:
        for _, after in branches(todo.pop()):
            if after not in seen:
                assert len(seen) < most
                seen.add(after)
                todo.append(after)
    return seen


@pytest.mark.parametrize("name", ALL)
def test_the_same_play_with_and_without(name: str) -> None:
    program = ALL[name]()
    cleared = clear_dead(program)
    assert verify(cleared) == []
    a, b = InterpretedGame(program).initial_state(), InterpretedGame(cleared).initial_state()
    assert [perft(a, d) for d in range(5)] == [perft(b, d) for d in range(5)]


def test_three_in_a_row_has_5478_positions() -> None:
    """The known number of positions of tic-tac-toe that can come up, the empty board included."""
    assert len(reachable(clear_dead(three_in_a_row()))) == 5478


def test_registers_are_forgotten() -> None:
    """After a roll it no longer matters who rolled what: the states are the points and who is to move."""
    plain, cleared = reachable(dice_race()), reachable(clear_dead(dice_race()))
    assert len(cleared) < len(plain)
    deciding = {s for s in cleared if s.kind == "player"}
    assert len(deciding) == len(
        {(tuple(codes_named(s, "points")), codes_named(s, "player to move")[0]) for s in deciding}
    )


def test_only_what_is_dead_and_written_is_reset() -> None:
    cleared = clear_dead(dice_race())
    resets = {b.index: [s.var.name for s in b.statements if isinstance(s, Reset)] for b in cleared.blocks}
    assert sorted(resets[1]) == ["die", "mover of roll_die"]  # the decision
    assert resets[2] == []  # at the die both still count, and the die itself is set anew
    assert "player to move" not in resets[5]  # who has won is told by it
