"""Nobody's tables keep those of others from their agents."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import BrokenExecutor
from typing import Any

import pytest

from gamedsl.play.web.server import agents
from gamedsl.play.web.server.agents import Thinkers
from gamedsl.play.web.server.fair_queue import FairQueue

from .tables import loaded
from .test_chaos import _Thread


async def _served(queue: FairQueue, waiting: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """In which order those get their turn that come, in this order, while the only place is taken."""
    order: list[tuple[str, str]] = []

    async def turn(place: tuple[str, str]) -> None:
        await queue.enter(place)
        order.append(place)
        queue.leave()

    await queue.enter(("first", ""))
    tasks = [asyncio.ensure_future(turn(place)) for place in waiting]
    await asyncio.sleep(0)
    queue.leave()
    await asyncio.gather(*tasks)
    return order


def test_addresses_take_turns_and_so_do_their_tables() -> None:
    """Twenty tables of one address, then one of another: that one is second, not twenty-first."""
    many = [("a", f"{i}") for i in range(20)]
    order = asyncio.run(_served(FairQueue(1), [*many, ("b", "x"), ("a", "0"), ("b", "y")]))
    assert order[:5] == [("a", "0"), ("b", "x"), ("a", "1"), ("b", "y"), ("a", "2")]
    assert order[-1] == ("a", "0") and sorted(order) == sorted([*many, ("b", "x"), ("a", "0"), ("b", "y")])


@pytest.mark.parametrize("when", ["waiting", "given"])
def test_whoever_goes_away_leaves_the_place_to_the_next(when: str) -> None:
    async def found() -> list[str]:
        queue, order = FairQueue(1), list[str]()

        async def turn(name: str) -> None:
            await queue.enter((name, ""))
            order.append(name)
            queue.leave()

        await queue.enter(("first", ""))
        a, b = (asyncio.ensure_future(turn(name)) for name in "ab")
        await asyncio.sleep(0)
        if when == "given":
            queue.leave()
            a.cancel()  # it has the place, and does not know it yet
        else:
            a.cancel()
            await asyncio.sleep(0)
            queue.leave()
        await asyncio.wait_for(b, 5)
        assert queue.free == 1 and not queue.rows
        return order

    assert asyncio.run(found()) == ["b"]


def test_an_agent_that_hangs_or_dies_costs_no_other_its_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is ended took the questions of all others with it, and their tables waited for ever."""
    go_on = threading.Event()

    def choose(state: Any, agent: str, seat: int, seed: int) -> str:
        if agent == "hangs":
            go_on.wait(20)
        if agent == "dies":
            raise BrokenExecutor("it died")
        return "b2"

    monkeypatch.setattr(agents, "ProcessPoolExecutor", _Thread)
    monkeypatch.setattr(agents, "choose_move", choose)
    monkeypatch.setattr(agents, "LONGEST_THOUGHT", 0.05)
    state = loaded("tic-tac-toe").initial_state()
    legal = {move.text for move in state.legal_moves()}

    async def found() -> tuple[list[str], list[str]]:
        thinkers = Thinkers(2)
        asked = ["hangs", *["good"] * 10, "dies", *["good"] * 10, "hangs", "good"]
        told = await asyncio.gather(*(thinkers.choose(state, one, 0, (one, str(i))) for i, one in enumerate(asked)))
        go_on.set()
        assert thinkers.queue.free == 2
        thinkers.stop()
        return [text for text, one in zip(told, asked, strict=True) if one == "good"], told

    good, told = asyncio.run(found())
    assert good == ["b2"] * 21 and set(told) <= legal
