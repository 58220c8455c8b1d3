"""After any error at any point where the server waits, every table goes on."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gamedsl.play.web.server import agents, live_tables, table_registry
from gamedsl.play.web.server.catalogue import Catalogue
from gamedsl.play.web.server.events import ClockRule
from gamedsl.play.web.server.limits import Limits
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.requests import NewTable
from gamedsl.play.web.server.seat_requests import Decided, made
from gamedsl.play.web.server.table_play import Play
from gamedsl.play.web.server.table_registry import TableRegistry

from .chaos import ERRORS, Chaos

ROUNDS = 4000  # of the loop, in which a table must have ended
CLOCK = ClockRule("move", 1000)


class _Thread(ThreadPoolExecutor):
    """A worker of the agents, without a process."""

    def __init__(self, number: int, **_: object) -> None:
        super().__init__(number)
        self._processes: dict[int, Any] = {}


def _quick(state: Any, agent: str, seat: int, seed: int) -> str:
    return str(Random(seed).choice(state.legal_moves(seat)).text)


@pytest.fixture(autouse=True)
def _without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "ProcessPoolExecutor", _Thread)
    monkeypatch.setattr(agents, "choose_move", _quick)
    monkeypatch.setattr(live_tables, "RETRY_SECONDS", 0.001)
    monkeypatch.setattr(table_registry, "SWEEP_SECONDS", 0.001)


def _person_moves(rng: Random) -> Any:
    def decide(play: Play, now: int) -> Decided:
        if play.is_over:
            raise Refused("over", "")
        if 0 not in play.to_act:
            raise Refused("turn", "")
        return made(play, rng.choice(play.state.legal_moves(0)), now)

    return decide


async def _played_to_the_end(registry: TableRegistry, names: list[str], rng: Random) -> bool:
    """Plays the person's seat of all tables until they are over; what fails is tried again."""
    for _ in range(ROUNDS):
        ended = 0
        for name in names:
            try:
                table = await registry.table(name)
                ended += table.play.is_over
                if 0 in table.play.to_act:
                    await table.request(_person_moves(rng))
            except (Refused, *ERRORS):
                pass
        if ended == len(names):
            return True
        await asyncio.sleep(0.0005)
    return False


@cache
def _catalogue() -> Catalogue:
    return Catalogue.of(["tic-tac-toe", "pig"])


def _hall(folder: Path) -> TableRegistry:
    return TableRegistry(folder, _catalogue(), Limits())


async def _chaotic(folder: Path, chaos: Chaos) -> tuple[int, bool]:
    """Three tables are made, the server begins again, and all are played. How many points were passed, and whether all
    tables ended."""
    rng, names = Random(chaos.at), list[str]()
    loop = asyncio.get_running_loop()
    loop.set_task_factory(chaos)
    first = _hall(folder)
    first.start()
    for game, seats in (
        ("tic-tac-toe", ("person", "easy")),
        ("tic-tac-toe", ("easy", "person")),
        ("pig", ("person", "random")),
    ):
        wanted = NewTable(game, {"target": "9"} if game == "pig" else {}, seats, CLOCK, False)
        for _ in range(3):  # somebody whose table was not made tries again
            try:
                names.append((await asyncio.ensure_future(first.make(wanted, "somebody"))).name)
                break
            except (Refused, *ERRORS):
                continue
    first.stop()
    second = _hall(folder)
    second.start()
    seats = [name for name in names if (await _setup(second, name))[0] == "person"]
    other = [name for name in names if name not in seats]
    ended = await _played_to_the_end(second, seats, rng)
    moved = await _have_moved(second, other)  # where the agent begins
    chaos.is_on = False
    await asyncio.sleep(0)
    second.stop()
    await asyncio.sleep(0)
    return chaos.points, ended and moved and len(names) == 3


async def _have_moved(registry: TableRegistry, names: list[str]) -> bool:
    for _ in range(ROUNDS):
        found = 0
        for name in names:
            log = registry.reading.read(name)
            found += log is not None and len(log.events) > 0
        if found == len(names):
            return True
        await asyncio.sleep(0.0005)
    return False


async def _setup(registry: TableRegistry, name: str) -> tuple[str, ...]:
    log = registry.reading.read(name)
    assert log is not None and log.setup is not None
    return log.setup.seats


def test_without_chaos_all_tables_end(tmp_path: Path) -> None:
    points, ended = asyncio.run(_chaotic(tmp_path, Chaos(-1, OSError, True)))
    assert ended and points > 50


def _all_points(folder: Path, points: range) -> None:
    for at in points:
        for number, error in enumerate(ERRORS):
            for is_after in (False, True):
                one = folder / f"{at}-{number}-{is_after}"
                _, ended = asyncio.run(_chaotic(one, Chaos(at, error, is_after)))
                assert ended, f"a table is stuck after {error.__name__} at point {at}, {is_after=}"


def test_after_an_error_anywhere_every_table_goes_on(tmp_path: Path) -> None:
    """Some points; all of them in the slow test."""
    _all_points(tmp_path, range(1, 60, 15))


@pytest.mark.slow
def test_after_an_error_at_any_point_every_table_goes_on(tmp_path: Path) -> None:
    _all_points(tmp_path, range(1, 120))
