"""Agents that think in worker processes, each move within a time budget. Tables take turns, and wait only for their
own moves."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from gamedsl.agents import LEARNED, LEVELS, LearnedLevel, Level
from gamedsl.play.web.server.fair_queue import FairQueue, Place
from gamedsl.play.web.server.lifeline import end_with
from gamedsl.play.web.server.limits import LONGEST_THOUGHT
from gamedsl.play.web.server.logs import LOG

if TYPE_CHECKING:
    from gamedsl.agents import LearnedValue
    from gamedsl.engine import Game, State

AGENTS = ("random", *LEVELS, LEARNED)  # the agents that people may ask for
SEAT_WORDS = {  # who plays a seat, for people
    "person": "a person",
    "random": "random moves",
    **{level: f"an agent: {level}" for level in (*LEVELS, LEARNED)},
}
LONGEST_MOVE = 4.0  # seconds of search for a move of a level, which few rulesets need
STUDY = 1.0  # seconds of search for an evaluation
_CHANCE = SystemRandom()


class Thinkers:
    """A few processes that choose moves and evaluate positions. Each has a pool to itself: ending one disturbs no
    other. ``values``: the learned values by which they play and evaluate, each for its rules."""

    def __init__(self, processes: int | None = None, values: Sequence[LearnedValue] = ()) -> None:
        self.values = values
        self.queue = FairQueue(processes or max(1, (os.cpu_count() or 2) - 1))
        self.workers: set[ProcessPoolExecutor] = set()  # started when first needed: most servers start without agents
        self.idle: list[ProcessPoolExecutor] = []

    async def choose(self, state: State, agent: str, seat: int, place: Place) -> str:
        """The notation of a legal move; any legal move if no answer comes in time. ``place``: the place in the
        queue. ``LEARNED`` is the highest level where its file has gone since the table was made."""
        seed = _CHANCE.getrandbits(62)
        if agent == "random" or (state.kind != "together" and state.count_moves() == 1):
            return _any_move(state, seat)
        try:
            player = agent if agent != LEARNED else self._learned(state.game) or LEVELS[-1]
            return str(await self._ask(place, choose_move, state, player, seat, seed))
        except Exception as error:
            LOG.warning("an agent (%s) gave no move: %s", agent, error or type(error).__name__)
            return _any_move(state, seat)

    async def study(self, state: State, place: Place) -> dict[str, Any]:
        """An evaluation: ``values`` per seat (-1 to 1), ``best`` (moves with values). Empty without an answer."""
        try:
            found: dict[str, Any] = await self._ask(place, study_state, state, self._learned(state.game))
            return found
        except Exception as error:
            LOG.warning("a position was not evaluated: %s", error or type(error).__name__)
            return {}

    def _learned(self, game: Game) -> LearnedValue | None:
        return next((value for value in self.values if game.has_digest(value.digest)), None)

    async def _ask(self, place: Place, work: Any, *args: Any) -> Any:
        await self.queue.enter(place)
        try:
            worker = self.idle.pop() if self.idle else self._new_worker()
            is_fit = False
            try:
                job = worker.submit(work, *args)
                try:
                    return await asyncio.wait_for(asyncio.wrap_future(job), LONGEST_THOUGHT)
                finally:
                    is_fit = job.done() and not (job.cancelled() or isinstance(job.exception(), BrokenExecutor))
            finally:
                self._take_back(worker, is_fit)
        finally:
            self.queue.leave()

    def _new_worker(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        worker = ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(os.getpid(),))
        self.workers.add(worker)
        return worker

    def _take_back(self, worker: ProcessPoolExecutor, is_fit: bool) -> None:
        """Keeps a worker that has answered for the next question; ends one that died or still thinks."""
        if is_fit and worker in self.workers:
            self.idle.append(worker)
        elif worker in self.workers:
            self.workers.discard(worker)
            _end(worker, waits=False)

    def stop(self) -> None:
        """Ends the workers, and waits until the system has released their resources."""
        workers, self.workers = self.workers, set()
        self.idle.clear()
        for worker in workers:
            _end(worker, waits=True)


def _end(pool: ProcessPoolExecutor, waits: bool) -> None:
    for worker in list((pool._processes or {}).values()):
        worker.kill()
    pool.shutdown(wait=waits, cancel_futures=True)


def _any_move(state: State, seat: int) -> str:
    return state.propose(_CHANCE).text if state.kind == "drawing" else _CHANCE.choice(state.legal_moves(seat)).text


def can_play(agent: str, game: Game) -> bool:
    """Whether an agent can play by these rules."""
    from gamedsl.agents import parse_agent  # the server itself needs no search
    from gamedsl.language.source import GameDSLError

    try:
        parse_agent(agent).check(game)
    except GameDSLError:
        return False
    return True


# --------------------------------------------------------------------------------------------------- in the workers


def _begin(server: int) -> None:
    os.nice(5)  # sockets first
    end_with(server)


def choose_move(state: State, agent: str | LearnedValue, seat: int, seed: int) -> str:
    """In a worker: the notation of an agent's move. ``agent``: a specification, or the value of the level ``LEARNED``."""
    from gamedsl.agents import parse_agent  # the server itself needs no search
    from gamedsl.language.source import GameDSLError

    try:
        if not isinstance(agent, str):
            return LearnedLevel(agent, LONGEST_MOVE).choose(state, seed, seat).text
        player = Level(agent, LONGEST_MOVE) if agent in LEVELS else parse_agent(agent)
        return player.choose(state, seed, seat).text
    except GameDSLError as error:  # rules that this agent cannot play
        raise ValueError("; ".join(d.message for d in error.diagnostics)) from None


def study_state(state: State, learned: LearnedValue | None) -> dict[str, Any]:
    """In a worker: the result of a short search of a position, which a learned value judges if there is one."""
    from gamedsl.agents import Mcts  # the server itself needs no search
    from gamedsl.language.source import GameDSLError

    try:
        player = Mcts(None, STUDY) if learned is None else LearnedLevel(learned, STUDY)
        found = player.study(state, 0, state.to_act[0])
    except GameDSLError as error:
        raise ValueError("; ".join(d.message for d in error.diagnostics)) from None
    moves = state.legal_moves(state.to_act[0])
    rows = sorted((r for r in found.rows if r.visits or r.exact), key=lambda r: (-r.share, -r.value))[:3]
    best = [{"text": moves[r.action].text, "value": round(float(r.value), 3)} for r in rows]
    return {"values": [round(float(v), 3) for v in found.values], "exact": bool(found.exact), "best": best}
