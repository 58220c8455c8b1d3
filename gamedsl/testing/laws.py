"""Laws that hold in every position of every game with sound rules."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.engine import State


def check_laws(state: State) -> None:
    """Raises ``AssertionError`` if a law fails in this position.

    The laws: somebody can act unless the game is over; every listed move is legal and round-trips through its
    notation; chance probabilities sum to 1; utilities are within the game's bounds and are 0 until the game ends;
    saving and loading changes nothing.
    """
    game = state.game
    if state.is_terminal:
        assert not state.legal_moves(), "the game is over, and there are moves"
        low, high = game.min_utility, game.max_utility
        assert all(low <= r <= high for r in state.returns), f"utilities outside {low} to {high}: {state.returns}"
    else:
        assert not any(state.returns), f"utilities while the game goes on: {state.returns}"
    if state.kind == "chance":
        assert sum((p for _, p in state.chance_outcomes()), Fraction(0)) == 1, "chances do not sum to 1"
    if state.kind in ("player", "together"):
        for player in state.to_act:
            moves = state.legal_moves(player)
            assert moves, f"{game.players[player]} must act and cannot"
            for move in moves:
                assert not state.why_not(move), f"{move} is listed, but: {state.why_not(move)[0].message}"
                assert game.parse_move(str(move), state, player) == move, f"{move} is read as another move"
    assert game.deserialize(state.serialize()) == state, "saving and loading changes the position"
