"""Where rules are run: a thread for every game, beside the loop that serves the sockets.

So rules that take long let nobody wait but the tables of their own game. One thread a game, because a game keeps what it has
worked out, and that is not made for several threads at once.
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
    """What a function returns or raises that runs the rules of a game. It is called in the game's thread."""
    if game not in _threads:
        _threads[game] = ThreadPoolExecutor(1, thread_name_prefix=game.program.name)
    return await asyncio.get_running_loop().run_in_executor(_threads[game], work, *args)
