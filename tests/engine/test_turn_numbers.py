"""The number of the turn in a position: what is given is kept as far as the rules look, and printed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml

import gamedsl
from gamedsl.language.source import GameDSLError
from tests.shipped_sample import small

# those whose rules compare `turn`, of which each holds the numbers up to one more than the highest it compares with
SAMPLE = [
    "hex",
    "yavalath",
    "twixt",
    "lines-of-action",
    "life-with-gardeners",
    "whist",
    "brandub",
    "t-tic-t-tac-toe-game",
]
# by hand: every third turn is for A, so turn 25 is like turns 1, 4 and 7
THIRDS = (
    'game "Thirds"\n\nplayers A, B\n\nstate\n  energy: 0..3\n\nmove rest() written "rest"\n'
    '  set energy to min(energy + 2, 3)\n\nmove shout() written "shout"\n  when turn mod 3 = 1\n\n'
    "play\n  turns from A\n    me plays rest | shout\n"
)


def late(name: str) -> gamedsl.State:
    """A position after some turns, at a decision."""
    state, rng = gamedsl.load(name, **small(name)).initial_state(), random.Random(1)
    for _ in range(12):
        after = state.apply(state.propose(rng))
        if after.is_terminal:
            return state
        state = after
    return state


def with_turn(state: gamedsl.State, number: int) -> gamedsl.State:
    data = yaml.safe_load(state.position_text())
    data["set"] = {**data.get("set", {}), "turn": number}
    return state.game.position(yaml.safe_dump(data))


@pytest.mark.parametrize("name", SAMPLE)
def test_any_turn_is_kept_and_printed(name: str) -> None:
    before = late(name)
    highest = next(v for v in before.game.program.variables if v.name == "turn").type.high
    for number in (1, highest, 25, 10**9):
        state = with_turn(before, number)
        assert state.value("turn") == min(number, highest)
        text = state.position_text()
        assert state.game.position(text) == state
        printed = yaml.safe_load(text).get("set", {}).get("turn")
        assert printed in (None, min(number, highest))
        assert (f"# turn: {highest} or later" in text) is (number >= highest and printed is None)
        assert printed is not None or number >= highest or number == 1  # the first turn need not be named everywhere


@pytest.mark.parametrize("number", range(1, 26))
def test_turns_that_go_around(number: int, tmp_path: Path) -> None:
    (tmp_path / "thirds.gdl").write_text(THIRDS, encoding="utf-8")
    game = gamedsl.load(str(tmp_path / "thirds.gdl"))
    state = game.position(f'{{"set": {{"turn": {number}}}}}')
    assert ("shout" in {str(move) for move in state.legal_moves()}) is (number % 3 == 1)
    assert game.position(state.position_text()) == state


def test_other_numbers_are_not_cut_off(tmp_path: Path) -> None:
    """25 was taken for 3 where a rule adds up to a highest number."""
    (tmp_path / "thirds.gdl").write_text(THIRDS, encoding="utf-8")
    game = gamedsl.load(str(tmp_path / "thirds.gdl"))
    for text in ('{"set": {"energy": 25}}', '{"set": {"turn": 0}}'):
        with pytest.raises(GameDSLError, match=r"E0644 .* is outside"):
            game.position(text)
