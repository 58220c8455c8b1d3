"""A workaround for OpenSpiel's C++ bots with games in Python. Imports OpenSpiel.

``MCTSBot.step`` and ``ISMCTSBot.step`` release Python's lock, and then copy a Python state without it, which crashes
the process (OpenSpiel 2.0.2, with every game in Python). The method of their base class makes the same step with the
lock.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import pyspiel

PREFIX = "gamedsl_"  # of the short names of games
BOTS = ("MCTSBot", "ISMCTSBot")


def keep_the_lock() -> None:
    """Makes these bots keep the lock for states of games of gamedsl, and of games made from them."""
    for bot in (getattr(pyspiel, name, None) for name in BOTS):
        if bot is not None and not hasattr(bot.step, "__wrapped__"):
            bot.step = _locked(bot.step)


def _locked(step: Any) -> Any:
    @wraps(step)
    def locked(bot: Any, state: Any) -> int:
        is_ours = PREFIX in str(state.get_game())
        return int((pyspiel.Bot.step if is_ours else step)(bot, state))

    return locked
