"""The time between a move's arrival and its publication belongs to nobody. Numbers by hand; the clock is the test's own."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gamedsl.play.web.server import live_tables, seat_requests
from gamedsl.play.web.server.clocks import Clocks
from gamedsl.play.web.server.events import ClockRule, Event, Published, event_from, event_json
from gamedsl.play.web.server.store import Write
from gamedsl.play.web.server.views import view_of

from .tables import loaded, new_play


def test_it_survives_the_log() -> None:
    assert event_from(event_json(Published(9, 8))) == Published(9, 8)


def test_the_time_up_to_publication_belongs_to_nobody() -> None:
    clocks = Clocks(ClockRule("fischer", 10), 2)
    clocks.on_move(0, 0, (1,), False)
    clocks.on_publication(0, 4_000)  # four seconds to work out what seat 1 sees
    assert clocks.next_flag() == (1, 14_000)
    clocks.on_move(7_000, 1, (0,), False)
    clocks.on_publication(0, 9_000)  # nothing began then
    assert clocks.left == [10_000, 7_000] and clocks.next_flag() == (0, 17_000)


def test_only_clocks_that_a_ply_started_begin_at_its_publication() -> None:
    clocks = Clocks(ClockRule("fischer", 10), 3)
    clocks.on_move(0, None, (0, 1, 2), False)
    clocks.on_move(2_000, 0, (1, 2), True)
    clocks.on_publication(2_000, 5_000)  # the others were thinking before, and go on
    clocks.on_move(6_000, 1, (2,), True)
    assert clocks.left == [8_000, 4_000, 10_000] and clocks.next_flag() == (2, 10_000)


def test_a_slow_view_costs_nobody_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each view takes five seconds of a clock that the test moves."""
    time = [0]

    class Disk:
        async def keep(self, write: Write) -> None:
            kept.extend(write.events)

    def slow_view(*args: Any) -> Any:
        time[0] += 5_000
        return view_of(*args)

    monkeypatch.setattr(live_tables, "view_of", slow_view)
    kept: list[Event] = []
    game, nobody, disk = loaded("tic-tac-toe"), cast(Any, None), cast(Any, Disk())
    play = new_play(game, ClockRule("fischer", 60))
    table = live_tables.Table("table", play, disk, nobody, 0.0)
    table.run = cast(Any, SimpleNamespace(now=lambda: time[0], number=0))

    async def moves() -> None:
        for text in ("a1", "b1", "c1"):
            move = game.parse_move(text, play.state)
            await table.request(lambda p, now, m=move: seat_requests.made(p, m, now))  # type: ignore[misc]
            time[0] += 1_000  # whoever is to act thinks for a second
        table.stop()

    asyncio.run(moves())
    assert play.clocks.left == [59_000, 59_000]
    again = new_play(game, ClockRule("fischer", 60))
    for event in kept:
        again.take(event)
    assert again.clocks == play.clocks
