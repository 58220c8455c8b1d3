"""What is noted of scores, for each seat that sees a part of the game only."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.engine import Sheet
from tests.shipped_sample import small

HIDING = (
    "battleship", "dark-chess", "dark-hex", "goofspiel", "kuhn-poker", "leduc-poker", "liars-dice",
    "macmahon-dominoes", "phantom-go", "phantom-tic-tac-toe", "sealed-bid-auction", "stratego", "tsuro", "whist",
)  # fmt: skip


@pytest.mark.parametrize("name", HIDING)
def test_scores_are_noted_for_every_seat(name: str) -> None:
    """Also where it is hidden whose move a ply was: then nothing is known of what it counted."""
    game = gamedsl.load(name, **small(name))
    for seed in range(2):
        state, rng = game.initial_state(), Random(seed)
        sheets = dict.fromkeys((None, *range(game.num_players)), Sheet())
        for _ in range(30):
            if state.is_terminal:
                break
            move = state.propose(rng)
            after = state.apply(move)
            for seat, sheet in sheets.items():
                sheets[seat] = sheet.after(state.seen_by(seat), move, after.seen_by(seat))
            state = after
