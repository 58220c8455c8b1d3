"""Agents think in worker processes, each move within a budget; a table only waits for its own."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from gamedsl.web.server.lifeline import end_with
from gamedsl.web.server.logs import LOG

if TYPE_CHECKING:
    from gamedsl.engine import State

AGENTS = ("random", "mcts:200ms", "mcts:1s", "mcts:4s")  # those that people may ask for; a budget each
LONGEST = 60.0  # seconds for an answer, with the compiler and the queue; after that, any legal move is played
STUDY = 1.0  # seconds of search for an evaluation
_CHANCE = SystemRandom()


class Thinkers:
    """A few processes that choose moves and evaluate positions."""

    def __init__(self, processes: int | None = None) -> None:
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self.pool: ProcessPoolExecutor | None = None  # started when first needed: most servers start without agents

    async def choose(self, state: State, agent: str, seat: int) -> str:
        """The notation of a legal move, and never a failure: without an answer in time it is any legal move."""
        seed = _CHANCE.getrandbits(62)
        if agent == "random" or (state.kind != "together" and state.count_moves() == 1):
            return _any_move(state, seat)
        try:
            return str(await self._ask(choose_move, state, agent, seat, seed))
        except (BrokenExecutor, TimeoutError, OSError, ValueError) as error:
            LOG.warning("an agent (%s) gave no move: %s", agent, error or type(error).__name__)
            return _any_move(state, seat)

    async def study(self, state: State) -> dict[str, Any]:
        """An evaluation: ``values`` per seat (-1 to 1), ``best`` (moves with values). Empty without an answer."""
        try:
            found: dict[str, Any] = await self._ask(study_state, state)
            return found
        except (BrokenExecutor, TimeoutError, OSError, ValueError):
            return {}

    async def _ask(self, work: Any, *args: Any) -> Any:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(
                self.processes, mp_context=context, initializer=_begin, initargs=(os.getpid(),)
            )
        pool = self.pool
        try:
            return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(pool, work, *args), LONGEST)
        except (BrokenExecutor, TimeoutError):
            self._drop(pool)
            raise

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        """A worker died or hangs: the next question starts new ones."""
        if self.pool is pool:
            self.pool = None
            _end(pool, waits=False)

    def stop(self) -> None:
        """Ends the workers, and waits until the system has nothing of them any more."""
        if self.pool is not None:
            pool, self.pool = self.pool, None
            _end(pool, waits=True)


def _end(pool: ProcessPoolExecutor, waits: bool) -> None:
    for worker in list((pool._processes or {}).values()):
        worker.kill()
    pool.shutdown(wait=waits, cancel_futures=True)


def _any_move(state: State, seat: int) -> str:
    return state.propose(_CHANCE).text if state.kind == "drawing" else _CHANCE.choice(state.legal_moves(seat)).text


# --------------------------------------------------------------------------------------------------- in the workers


def _begin(server: int) -> None:
    os.nice(5)  # sockets first
    end_with(server)


def choose_move(state: State, agent: str, seat: int, seed: int) -> str:
    """In a worker: the notation of an agent's move."""
    from gamedsl.agents import parse_agent  # the server itself needs no search
    from gamedsl.source import GameDSLError

    try:
        return parse_agent(agent).choose(state, seed, seat).text
    except GameDSLError as error:  # rules that this agent can't play
        raise ValueError("; ".join(d.message for d in error.diagnostics)) from None


def study_state(state: State) -> dict[str, Any]:
    """In a worker: what a short search says of a position."""
    from gamedsl.agents import Mcts  # the server itself needs no search
    from gamedsl.source import GameDSLError

    try:
        found = Mcts(None, STUDY).study(state, 0, state.to_act[0])
    except GameDSLError as error:
        raise ValueError("; ".join(d.message for d in error.diagnostics)) from None
    moves = state.legal_moves(state.to_act[0])
    rows = sorted((r for r in found.rows if r.visits or r.exact), key=lambda r: (-r.share, -r.value))[:3]
    best = [{"text": moves[r.action].text, "value": round(float(r.value), 3)} for r in rows]
    return {"values": [round(float(v), 3) for v in found.values], "exact": bool(found.exact), "best": best}
