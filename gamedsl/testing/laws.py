"""What holds in every position of every game whose rules are sound."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.engine.state import State


def check_laws(state: State) -> None:
    """AssertionError when a law fails in this position:

    somebody can go on unless the play is over; every move listed is legal and is read back from its notation; chance has
    probability 1 in all; utilities lie within the game's bounds and are 0 while the play goes on; saving and loading changes
    nothing.
    """
    game = state.game
    if state.is_terminal:
        assert not state.legal_moves(), "the play is over, and there are moves"
        low, high = game.min_utility, game.max_utility
        assert all(low <= r <= high for r in state.returns), f"utilities beyond {low} and {high}: {state.returns}"
    else:
        assert not any(state.returns), f"utilities while the play goes on: {state.returns}"
    if state.kind == "chance":
        assert sum((p for _, p in state.chance_outcomes()), Fraction(0)) == 1, "chances do not sum to 1"
    if state.kind in ("player", "together"):
        for player in state.to_act:
            moves = state.legal_moves(player)
            assert moves, f"{game.players[player]} must act and can't"
            for move in moves:
                assert not state.why_not(move), f"{move} is listed, but: {state.why_not(move)[0].message}"
                assert game.parse_move(str(move), state, player) == move, f"{move} is read as another move"
    assert game.deserialize(state.serialize()) == state, "another position comes back from saving"
