"""Tests for authors of games: Hypothesis strategies for games, positions and moves, laws, a state machine.

Needs the extra ``testing`` (hypothesis). ``pytest`` finds examples and claims automatically: see
``gamedsl.pytest_plugin``.
"""

from gamedsl.testing.laws import check_laws
from gamedsl.testing.one_liners import claims, laws
from gamedsl.testing.playouts import covering_playouts, directed_playouts
from gamedsl.testing.state_machine import GameMachine, machine
from gamedsl.testing.strategies import go_on, moves, plays, states
from gamedsl.testing.tested_play import Play, play_of

__all__ = [
    "GameMachine",
    "Play",
    "check_laws",
    "claims",
    "covering_playouts",
    "directed_playouts",
    "go_on",
    "laws",
    "machine",
    "moves",
    "play_of",
    "plays",
    "states",
]
