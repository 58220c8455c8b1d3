"""Threads that run rules: one for every game, beside the loop that serves the sockets.

Slow rules thus delay only the tables of their own game. There is one thread per game because a game caches its
results, and the caches are not made for several threads at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from gamedsl.engine import Game

T = TypeVar("T")
_threads: WeakKeyDictionary[Game, ThreadPoolExecutor] = WeakKeyDictionary()


async def in_rules(game: Game, work: Callable[..., T], *args: Any) -> T:
    """Calls a function that runs the rules of a game in the game's thread; returns its result or raises its
    exception."""
    if game not in _threads:
        _threads[game] = ThreadPoolExecutor(1, thread_name_prefix=game.program.name)
    return await asyncio.get_running_loop().run_in_executor(_threads[game], work, *args)
