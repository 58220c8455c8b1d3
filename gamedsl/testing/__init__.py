"""For authors who test their own games: Hypothesis strategies for positions and plays, laws, a state machine.

Needs the extra ``testing`` (hypothesis). ``pytest`` finds examples and claims by itself: see
``gamedsl.pytest_plugin``.
"""

from gamedsl.testing.laws import check_laws
from gamedsl.testing.machine import GameMachine, machine
from gamedsl.testing.strategies import Play, go_on, plays, states

__all__ = ["GameMachine", "Play", "check_laws", "go_on", "machine", "plays", "states"]
