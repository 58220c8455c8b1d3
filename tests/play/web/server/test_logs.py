"""Logs, clocks, limits: what is kept is what was played, and clocks tell nothing secret. Numbers by hand."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random

import pytest

from gamedsl.play.web.server.clocks import Clocks
from gamedsl.play.web.server.events import (
    Answered,
    ClockRule,
    Event,
    Made,
    Marked,
    Offered,
    Rematch,
    Resigned,
    Resumed,
    TimeRanOut,
    event_from,
    event_json,
)
from gamedsl.play.web.server.limits import Limits
from gamedsl.play.web.server.links import Links
from gamedsl.play.web.server.network_quotas import Bucket, NetworkQuotas
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.seat_requests import asked_undo, made, offered_draw, undo_target
from gamedsl.play.web.server.store import SqliteStore, Write
from gamedsl.play.web.server.table_play import Play
from gamedsl.play.web.server.writer import Writer
from tests.shipped_sample import sampled

from .tables import NAMES, Driven, loaded, new_play

PLIES = 12
EVENTS: list[Event] = [
    Made(1, 0, "r1c1"), Made(2, None, "roll 3"), Offered(3, 1, "undo", 0), Answered(4, 0, True), Resumed(5), Resigned(6, 1),
    TimeRanOut(7, 0), Rematch(8, 1, "next"), Marked(9, 1, "#"),
]  # fmt: skip


def test_events_survive_json_and_the_disk(tmp_path: Path) -> None:
    assert [event_from(json.loads(json.dumps(event_json(e)))) for e in EVENTS] == EVENTS
    store, setup = SqliteStore(tmp_path / "log"), new_play(loaded("tic-tac-toe")).setup
    store.write([Write("a", setup), Write("a", first=0, events=EVENTS[:3])])
    store.write([Write("a", first=3, events=EVENTS[3:])])
    store.close()
    again = SqliteStore(tmp_path / "log")
    log = again.read("a")
    assert log is not None and log.events == EVENTS and log.setup == setup
    assert again.read("b") is None and [name for name, _ in again.open_tables()] == ["a"]
    again.write([Write("a", closes=True)])
    assert again.open_tables() == []


def test_a_bad_write_takes_no_other_with_it(tmp_path: Path) -> None:
    """The same number twice is refused; what waits beside it is kept."""
    store, setup = SqliteStore(tmp_path / "log"), new_play(loaded("tic-tac-toe")).setup
    store.write([Write("a", setup, 0, EVENTS[:1]), Write("b", setup)])

    async def both() -> list[BaseException | None]:
        writer = Writer(store)
        wanted = [Write("a", first=0, events=EVENTS[:1]), Write("b", first=0, events=EVENTS[:2])]
        found = await asyncio.gather(*map(writer.keep, wanted), return_exceptions=True)
        writer.stop()
        return found

    first, second = asyncio.run(both())
    assert isinstance(first, OSError) and second is None
    log = store.read("b")
    assert log is not None and log.events == EVENTS[:2]


@pytest.mark.parametrize("name", sampled(NAMES, "log"))
def test_a_log_read_again_shows_every_viewer_the_same(name: str) -> None:
    rng, driven = Random(name), Driven(loaded(name))
    events: list[Event] = []
    for _ in range(PLIES):
        state = driven.play.state
        if state.is_terminal:
            break
        move = rng.choice(state.legal_moves(state.to_act[0])) if state.kind == "together" else state.propose(rng)
        driven.make(move)
        events.append(Made(0, move.player, move.text))
    again = Play(driven.play.game, driven.play.setup)
    for event in events:
        again.take(event_from(json.loads(json.dumps(event_json(event)))))
    assert again.state == driven.play.state
    if again.state.kind != "chance":
        other = Driven(again.game)
        other.table.play = again
        for seat, socket in driven.sockets.items():
            assert other.table.view(seat).body == driven.table.view(seat).body
            assert other.table.view(seat).nodes == socket.sent_nodes


# ------------------------------------------------------------------------------------------------------- clocks


def test_fischer_clocks() -> None:
    """Ten seconds and one more a move: after 3 s of thinking 8 are left."""
    clocks = Clocks(ClockRule("fischer", 10, 1), 2)
    clocks.on_move(0, 0, (1,), False)  # the first move starts the other's clock
    clocks.on_move(3_000, 1, (0,), False)
    assert clocks.left == [10_000, 8_000] and clocks.next_flag() == (0, 13_000)
    clocks.on_return(50_000)  # the server was away
    assert clocks.next_flag() == (0, 60_000)
    assert clocks.told(51_000) == [{"left": 9.0, "running": True}, {"left": 8.0, "running": False}]


def test_clocks_per_move_begin_anew() -> None:
    clocks = Clocks(ClockRule("move", 5), 2)
    clocks.on_move(0, 0, (1,), False)
    clocks.on_move(4_000, 1, (0,), False)
    assert clocks.left == [5_000, 5_000] and clocks.next_flag() == (0, 9_000)


def test_who_has_chosen_in_secret_seems_to_think_on() -> None:
    clocks = Clocks(ClockRule("fischer", 10), 2)
    clocks.on_move(0, None, (0, 1), False)
    waiting = clocks.told(3_000)
    clocks.on_move(2_000, 0, (1,), True)
    assert clocks.told(3_000) == waiting
    clocks.on_move(4_000, 1, (0, 1), False)
    assert clocks.left == [8_000, 6_000]


# ------------------------------------------------------------------------------------------------------- offers


def test_nothing_is_taken_back_past_chance_or_a_secret() -> None:
    """Once chance has decided after a move, or where anything is hidden, the move stands."""
    for name, word in (("pig", "chance"), ("dark-hex", "hidden"), ("rock-paper-scissors", "secret")):
        if name not in NAMES:
            continue
        play = new_play(loaded(name))
        for event, after in made(play, None, 0):
            play.take(event, after)
        seat = play.state.to_act[0]
        for event, after in made(play, play.state.legal_moves(seat)[0], 0):
            play.take(event, after)
        with pytest.raises(Refused, match=word):
            undo_target(play, seat)


def test_an_offer_needs_everybody() -> None:
    play = new_play(loaded("tic-tac-toe"))
    for event, after in made(play, play.state.legal_moves()[0], 1):
        play.take(event, after)
    for event, _ in asked_undo(play, 0, 2):
        play.take(event)
    assert len(play.moments) == 2
    play.take(Answered(3, 1, False))
    assert len(play.moments) == 2 and play.open is None
    for event, _ in offered_draw(play, 0, 4):
        play.take(event)
    play.take(Answered(5, 1, True))
    assert play.is_over and play.verdict is not None and play.verdict.loser is None


# ------------------------------------------------------------------------------------------------------- links, limits


def test_keys_open_one_seat_of_one_table(tmp_path: Path) -> None:
    links = Links.of_folder(tmp_path)
    keys = {links.key(table, seat) for table in ("a", "b") for seat in (0, 1)}
    assert len(keys) == 4 and all(len(key) == 22 for key in keys)
    assert links.seat("a", links.key("a", 1), 2) == 1
    assert links.seat("b", links.key("a", 1), 2) is None and links.seat("a", "é", 2) is None
    assert Links.of_folder(tmp_path).key("a", 0) == links.key("a", 0)
    assert (tmp_path / "secret").stat().st_mode & 0o77 == 0


def test_limits() -> None:
    bucket = Bucket(0.0, 2)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    gate = NetworkQuotas(Limits(sockets=1, tables_a_minute=1))
    assert gate.enter("a") and not gate.enter("a") and gate.enter("b")
    gate.leave("a")
    assert gate.enter("a")
    assert gate.may_make("a") and not gate.may_make("a") and gate.may_make("b")
